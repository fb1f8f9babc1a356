//! The vocabulary of an argument's schema (JSON Schema 2020-12), in one table, and its texts.

/// What stands behind a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// Names and their schemas.
    SchemaMap,
    /// Patterns and their schemas.
    PatternMap,
    /// A count.
    Count,
    /// A number, judged by the core.
    Number,
    /// A number above zero, judged by the core.
    Step,
    /// A regular expression.
    Pattern,
    /// One type, or a list of them.
    Type,
    /// `true` or `false`.
    Truth,
    /// A text.
    Text,
    /// A list of names.
    Names,
    /// Names and the names that they need.
    NamesMap,
    /// Values to choose from.
    Choices,
    /// The one value.
    Constant,
    /// A reference within the file.
    Reference,
    /// A name to refer to.
    Anchor,
    /// Anything: it says nothing of a value.
    Note,
}

/// Every keyword that may stand in an argument's schema.
pub(super) const KEYWORDS: &[(&str, Shape)] = &[
    ("$ref", Shape::Reference),
    ("$dynamicRef", Shape::Reference),
    ("$anchor", Shape::Anchor),
    ("$dynamicAnchor", Shape::Anchor),
    ("$comment", Shape::Text),
    ("$defs", Shape::SchemaMap),
    ("allOf", Shape::Schemas),
    ("anyOf", Shape::Schemas),
    ("oneOf", Shape::Schemas),
    ("not", Shape::Schema),
    ("if", Shape::Schema),
    ("then", Shape::Schema),
    ("else", Shape::Schema),
    ("dependentSchemas", Shape::SchemaMap),
    ("prefixItems", Shape::Schemas),
    ("items", Shape::Schema),
    ("contains", Shape::Schema),
    ("properties", Shape::SchemaMap),
    ("patternProperties", Shape::PatternMap),
    ("additionalProperties", Shape::Schema),
    ("propertyNames", Shape::Schema),
    ("unevaluatedItems", Shape::Schema),
    ("unevaluatedProperties", Shape::Schema),
    ("type", Shape::Type),
    ("enum", Shape::Choices),
    ("const", Shape::Constant),
    ("multipleOf", Shape::Step),
    ("minimum", Shape::Number),
    ("maximum", Shape::Number),
    ("exclusiveMinimum", Shape::Number),
    ("exclusiveMaximum", Shape::Number),
    ("minLength", Shape::Count),
    ("maxLength", Shape::Count),
    ("pattern", Shape::Pattern),
    ("minItems", Shape::Count),
    ("maxItems", Shape::Count),
    ("uniqueItems", Shape::Truth),
    ("minContains", Shape::Count),
    ("maxContains", Shape::Count),
    ("minProperties", Shape::Count),
    ("maxProperties", Shape::Count),
    ("required", Shape::Names),
    ("dependentRequired", Shape::NamesMap),
    ("format", Shape::Text),
    ("contentEncoding", Shape::Text),
    ("contentMediaType", Shape::Text),
    ("contentSchema", Shape::Schema),
    ("title", Shape::Text),
    ("description", Shape::Text),
    ("default", Shape::Note),
    ("examples", Shape::Note),
    ("deprecated", Shape::Truth),
    ("readOnly", Shape::Truth),
    ("writeOnly", Shape::Truth),
];

/// Keywords that would make the arguments more than one document, or that the vocabulary has renamed;
/// each with what to do instead.
pub(super) const REFUSED: &[(&str, &str)] = &[
    (
        "$id",
        "take it out: references work within the arguments only",
    ),
    ("$schema", "take it out: arguments are JSON Schema 2020-12"),
    (
        "$vocabulary",
        "take it out: arguments are JSON Schema 2020-12",
    ),
    ("definitions", "write \"$defs\" at the top of \"args\""),
    (
        "dependencies",
        "write \"dependentRequired\" or \"dependentSchemas\"",
    ),
    ("additionalItems", "write \"items\" beside \"prefixItems\""),
];

/// The keys of our own that an argument may have.
pub(super) const EXTRAS: &[&str] = &[
    "x-position",
    "x-alias",
    "x-secret",
    "x-cwd",
    "x-content",
    "x-command",
];

/// The types of JSON Schema.
pub(super) const TYPES: &[&str] = &[
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// The names of all keywords.
pub(crate) fn keyword_names() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(name, _)| *name)
}

/// What may stand behind a keyword, as JSON Schema; `meta` refers to what describes a whole schema.
pub(crate) fn keyword_schema(keyword: &str, meta: &str) -> serde_json::Value {
    use serde_json::json;
    let Some(shape) = shape(keyword) else {
        return json!(false);
    };
    match shape {
        Shape::Schema => json!({ "$ref": meta }),
        Shape::Schemas => json!({ "type": "array", "minItems": 1, "items": { "$ref": meta } }),
        Shape::SchemaMap | Shape::PatternMap => {
            json!({ "type": "object", "additionalProperties": { "$ref": meta } })
        }
        Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Step => json!({ "type": "number", "exclusiveMinimum": 0 }),
        Shape::Pattern | Shape::Text | Shape::Anchor => json!({ "type": "string" }),
        Shape::Type => {
            json!({ "anyOf": [{ "enum": TYPES }, { "type": "array", "items": { "enum": TYPES } }] })
        }
        Shape::Truth => json!({ "type": "boolean" }),
        Shape::Names => json!({ "type": "array", "items": { "type": "string" } }),
        Shape::NamesMap => json!({
            "type": "object",
            "additionalProperties": { "type": "array", "items": { "type": "string" } }
        }),
        Shape::Choices => json!({ "type": "array", "minItems": 1 }),
        Shape::Constant | Shape::Note => json!(true),
        Shape::Reference => json!({ "type": "string", "pattern": "^#" }),
    }
}

/// What stands behind this keyword.
pub(super) fn shape(keyword: &str) -> Option<Shape> {
    KEYWORDS
        .iter()
        .find(|(name, _)| *name == keyword)
        .map(|(_, shape)| *shape)
}

/// A key as a segment of a JSON pointer (RFC 6901).
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The key behind a segment of a JSON pointer.
pub(super) fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// A URI fragment without its percent escapes; `None` where they give no text.
pub(super) fn decode_fragment(fragment: &str) -> Option<String> {
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// A pattern (ECMA-262, as JSON Schema has it) as an expression of the linear-time engine; `None` for
/// what that engine cannot do (look-around, back-references) and for what is no pattern.
pub(super) fn regex(pattern: &str) -> Option<regex::Regex> {
    let translated = jsonschema_regex::to_rust_regex(pattern).ok()?;
    regex::Regex::new(&translated).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn every_text_is_a_pattern_or_none(pattern in "[\\\\\\[\\](){}^$.*+?|a-cxudDwWsSpPké0-9,:=!<>&~-]{0,12}", text in any::<String>()) {
            if let Some(regex) = regex(&pattern) {
                let _ = regex.is_match(&text);
            }
        }

        #[test]
        fn fragments_are_decoded_or_none(fragment in "[%a-fA-F0-9/é~]{0,12}") {
            let _ = decode_fragment(&fragment);
        }
    }

    #[test]
    fn pointers_are_escaped_and_read_back() {
        for (key, segment) in [("a/b", "a~1b"), ("a~1b", "a~01b"), ("plain", "plain")] {
            assert_eq!(escape(key), segment);
            assert_eq!(unescape(segment), key);
        }
        assert_eq!(
            decode_fragment("/%24defs/a%2Fb").as_deref(),
            Some("/$defs/a/b")
        );
        assert_eq!(decode_fragment("/%2"), None);
        assert_eq!(decode_fragment("/%ff"), None);
        assert_eq!(decode_fragment("/%+1"), None);
    }
}
