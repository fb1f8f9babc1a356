//! How a value is shown to a person, in the JSON of the view and on the text card alike: one place decides.
//!
//! Whatever is shown can be read back into the value with its JSON type: two values of one argument never
//! look alike. Nothing is cut here; the card cuts what is long, and says so.

use hcp_core::json::{Limits, Value, parse};
use hcp_core::text::{self, SafeText, push_quoted, quoted_whole, safe, safe_prose};
use hcp_pack::Argument;

/// How an argument that is absent, and for which the tool has a default of its own, is shown.
pub const NOT_GIVEN: &str = "not given";

/// How the display form of a secret begins.
const SECRET: &str = "[secret, ";

/// Words of names that hold what people write, not what identifies something.
const TEXT_WORDS: &[&str] = &[
    "body",
    "caption",
    "comment",
    "comments",
    "content",
    "contents",
    "description",
    "message",
    "memo",
    "msg",
    "note",
    "notes",
    "reason",
    "subject",
    "summary",
    "text",
    "title",
];

/// So many words in a row are a text, whatever the argument is called.
const WORDS_OF_A_TEXT: usize = 3;

/// What is declared about an argument, as far as its form depends on it.
///
/// ```
/// use hcp_card::display::{Declared, shown};
/// use hcp_core::json::Value;
/// assert_eq!(shown("to", &Value::from("5"), Declared::TEXT), "5");
/// assert_eq!(shown("to", &Value::from("5"), Declared::NOTHING), "\"5\"");
/// assert_eq!(shown("to", &Value::from("a\u{202e}"), Declared::TEXT), r"a\u{202e}");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared<'a> {
    kind: Option<&'a str>,
    secret: bool,
}

impl<'a> Declared<'a> {
    /// Nothing is declared.
    pub const NOTHING: Self = Self {
        kind: None,
        secret: false,
    };

    /// A string is declared.
    pub const TEXT: Self = Self {
        kind: Some("string"),
        ..Self::NOTHING
    };

    /// What the pack declares about an argument; nothing about one that it does not know.
    #[must_use]
    pub fn of(argument: Option<&'a Argument>) -> Self {
        argument.map_or(Self::NOTHING, |argument| Self {
            kind: argument.kind.as_deref(),
            secret: argument.secret,
        })
    }

    /// The same, shown by its text: a field that is more than the argument's own value.
    #[must_use]
    pub fn as_text(self) -> Self {
        Self {
            kind: Self::TEXT.kind,
            ..self
        }
    }
}

/// The display form of a value, where it differs from the value.
#[must_use]
pub fn display(name: &str, value: &Value, declared: Declared<'_>) -> Option<String> {
    if stands(value) && !matches!(value, Value::String(_)) {
        return None;
    }
    let form = shown(name, value, declared);
    let differs = match value {
        // A secret's text is no value of its own.
        Value::String(text) => declared.secret || form != *text,
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::Array(_) | Value::Object(_) => form != value.to_string() || !is_plain(value),
    };
    differs.then_some(form)
}

/// Whether a value is shown as it stands by one look at it: no text in it has anything to escape.
fn stands(value: &Value) -> bool {
    match value {
        Value::String(text) => text::is_plain(text),
        Value::Array(items) => items.iter().all(stands),
        Value::Object(members) => members
            .iter()
            .all(|(key, member)| text::is_plain(key) && stands(member)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Whether every text in a value is shown as it stands.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::String(text) => safe(text).as_str() == text,
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(members) => members
            .iter()
            .all(|(key, member)| safe(key).as_str() == key && is_plain(member)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// A value on one line, safe: a text as it stands, anything else as JSON.
#[must_use]
pub fn shown(name: &str, value: &Value, declared: Declared<'_>) -> String {
    let Value::String(text) = value else {
        return json(value);
    };
    if declared.secret {
        return SafeText::line(text).to_string();
    }
    if needs_quotes(name, text, declared.kind) {
        return quoted_whole(text);
    }
    // Where nothing is escaped both forms are the text.
    if text::is_plain(text) {
        text.clone()
    } else if is_text(name, text) {
        safe_prose(text).to_string()
    } else {
        safe(text).to_string()
    }
}

/// Whether a shown text stands between quotes, so that its line breaks are escapes.
pub(crate) fn is_quoted(shown: &str) -> bool {
    shown.len() > 1 && shown.starts_with('"') && shown.ends_with('"')
}

/// Whether a value is something that people write, by its name or its words; else it may be what identifies
/// something, in which nothing invisible can stand.
pub(crate) fn is_text(name: &str, text: &str) -> bool {
    let named = name
        .split(|c: char| !c.is_alphanumeric())
        .flat_map(camel_words)
        .any(|word| {
            TEXT_WORDS
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        });
    named || text.split_whitespace().nth(WORDS_OF_A_TEXT - 1).is_some()
}

/// The words of `noteText`.
fn camel_words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut from = 0;
    let mut before = 'A';
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && !before.is_uppercase() {
            words.extend(name.get(from..at));
            from = at;
        }
        before = c;
    }
    words.extend(name.get(from..));
    words
}

/// Whether a string would be taken for something else if it stood without quotes.
fn needs_quotes(name: &str, text: &str, kind: Option<&str>) -> bool {
    let like_another = text == NOT_GIVEN
        || is_quoted(text)
        || is_like_an_item(name, text)
        || text.contains('[') && text.contains(SECRET);
    if text.is_empty() || like_another {
        return true;
    }
    match kind {
        // Not of its declared type: as JSON.
        Some(kind) if kind != "string" => true,
        Some(_) => !text.contains('\n') && reads_as(text).is_some_and(|read| read != Read::Number),
        None => reads_as(text).is_some(),
    }
}

/// `1. a`, as an array of one item stands on the card. The further lines of a text stand further left than
/// those of an item.
fn is_like_an_item(name: &str, text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let in_lines = text.contains('\n') && is_text(name, text);
    rest.len() < text.len() && rest.starts_with(". ") && !in_lines
}

#[derive(PartialEq)]
enum Read {
    Number,
    Other,
}

/// What a text is when it is read as JSON.
fn reads_as(text: &str) -> Option<Read> {
    let begins = text.trim_start().starts_with(|c: char| {
        matches!(c, '{' | '[' | '"' | 't' | 'f' | 'n' | '-') || c.is_ascii_digit()
    });
    if !begins {
        return None;
    }
    let limits = Limits {
        bytes: usize::MAX,
        ..Limits::default()
    };
    match parse(text, limits).ok()?.to_value() {
        Value::Number(_) => Some(Read::Number),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Some(Read::Other)
        }
    }
}

/// A value as JSON on one line, its strings and keys safe between their quotes.
fn json(value: &Value) -> String {
    let mut out = String::new();
    push_json(value, &mut out);
    out
}

fn push_json(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => out.push_str(number.as_str()),
        Value::String(text) => push_quoted(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                push_json(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (i, (key, member)) in members.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                push_quoted(key, out);
                out.push(':');
                push_json(member, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcp_core::json::Object;
    use proptest::prelude::*;

    fn value(text: &str) -> Value {
        parse(text, Limits::default()).unwrap().to_value()
    }

    const INTEGER: Declared<'static> = Declared {
        kind: Some("integer"),
        ..Declared::NOTHING
    };

    const SECRET_TEXT: Declared<'static> = Declared {
        secret: true,
        ..Declared::TEXT
    };

    #[test]
    fn a_value_is_shown_by_its_type() {
        for (declared, json, form) in [
            (Declared::TEXT, r#""2.80""#, "2.80"),
            (Declared::TEXT, r#""""#, r#""""#),
            (Declared::TEXT, r#""true""#, r#""true""#),
            (Declared::TEXT, "true", "true"),
            (Declared::TEXT, r#""[1]""#, r#""[1]""#),
            (Declared::TEXT, r#""not given""#, r#""not given""#),
            (Declared::TEXT, r#""\"a\"""#, r#""\"a\"""#),
            (Declared::TEXT, r#""1. a""#, r#""1. a""#),
            (Declared::TEXT, r#""1. a\n""#, r#""1. a\n""#),
            (
                Declared::TEXT,
                r#""[secret, 32 characters, #a1b2c3d4]""#,
                r#""[secret, 32 characters, #a1b2c3d4]""#,
            ),
            (
                SECRET_TEXT,
                r#""[secret, 32 characters, #a1b2c3d4]""#,
                "[secret, 32 characters, #a1b2c3d4]",
            ),
            (INTEGER, r#""5""#, r#""5""#),
            (INTEGER, "5", "5"),
            (INTEGER, r#""x""#, r#""x""#),
            (Declared::NOTHING, r#""5""#, r#""5""#),
            (Declared::NOTHING, r#""1e9""#, r#""1e9""#),
            (Declared::NOTHING, r#""null""#, r#""null""#),
            (Declared::NOTHING, r#""none""#, "none"),
            (Declared::NOTHING, "[]", "[]"),
            (Declared::NOTHING, "false", "false"),
            (
                Declared::NOTHING,
                "123456789012345678901234567890123456789012345678901234567890",
                "123456789012345678901234567890123456789012345678901234567890",
            ),
            (
                Declared::NOTHING,
                r#"{"amount":"1.00","a\u202e":[null]}"#,
                r#"{"amount":"1.00","a\u{202e}":[null]}"#,
            ),
        ] {
            assert_eq!(shown("to", &value(json), declared), form, "{json}");
        }
    }

    proptest! {
        #[test]
        fn what_stands_by_one_look_is_shown_as_its_json(a in any_value()) {
            if stands(&a) {
                prop_assert_eq!(json(&a), a.to_string());
                prop_assert!(is_plain(&a));
            }
        }
    }

    #[test]
    fn a_display_form_stands_only_where_it_differs() {
        for (json, form) in [
            (r#""plain""#, None),
            ("5", None),
            (r#"["a","b"]"#, None),
            (r#"["a","b\u200b"]"#, Some(r#"["a","b\u{200b}"]"#)),
            (r#"{"a":{"b":" \u00a0"}}"#, Some(r#"{"a":{"b":" \u{a0}"}}"#)),
            (r#""a\nb""#, Some(r"a\nb")),
        ] {
            assert_eq!(
                display("to", &value(json), Declared::TEXT).as_deref(),
                form,
                "{json}"
            );
        }
    }

    #[test]
    fn texts_keep_their_joiners_and_identifiers_do_not() {
        let emoji = Value::from("❤\u{fe0f}");
        assert_eq!(shown("memo", &emoji, Declared::TEXT), "❤\u{fe0f}");
        assert_eq!(shown("noteText", &emoji, Declared::TEXT), "❤\u{fe0f}");
        assert_eq!(shown("payee", &emoji, Declared::TEXT), r"❤\u{fe0f}");
        let words = Value::from("see you there ❤\u{fe0f}");
        assert_eq!(
            shown("payee", &words, Declared::TEXT),
            "see you there ❤\u{fe0f}"
        );
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            any::<String>(),
            "[\\[\\]\"\\\\ 0-9.,a{}:\\n]{0,8}",
            Just("true".to_owned()),
            Just("\u{202e}".to_owned()),
            Just("[3 spaces]".to_owned()),
            " {0,5}",
        ];
        let leaf = prop_oneof![
            text.clone().prop_map(|t| Value::from(t.as_str())),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(|n| value(&n.to_string())),
        ];
        leaf.prop_recursive(3, 12, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                prop::collection::vec((text.clone(), inner), 0..3).prop_map(|members| {
                    let mut object = Object::new();
                    for (key, member) in members {
                        object.insert(key, member);
                    }
                    Value::Object(object)
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn two_values_never_look_alike(a in any_value(), b in any_value()) {
            let same = a.to_string() == b.to_string();
            prop_assert_eq!(shown("x", &a, Declared::NOTHING) == shown("x", &b, Declared::NOTHING), same);
        }

        #[test]
        fn nothing_unsafe_is_shown(a in any_value()) {
            for name in ["to", "body"] {
                let form = shown(name, &a, Declared::TEXT);
                let line = SafeText::line(&form);
                prop_assert_eq!(line.as_str(), form.as_str());
            }
        }
    }
}
