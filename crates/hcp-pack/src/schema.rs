//! JSON Schema over exact values.
//!
//! A property that needs only the plain keywords (its type, choices, limits, a pattern, items) is judged
//! here, on the core's decimals. Everything else goes to a ready validator, over our own values and with
//! the number keywords replaced, so that no binary float ever judges an amount. Building that validator
//! costs milliseconds, so it is built once, and only for a call that needs it.

mod declare;
mod document;
mod exact;
mod keywords;
mod messages;
mod plain;

pub(crate) use declare::{Declared, Owner, alike, declare};
pub(crate) use keywords::{keyword_names, keyword_schema};

use crate::args::{ArgFault, Argument};
use document::Document;
use hcp_core::json::{Object, Value};
use plain::Plain;
use std::sync::OnceLock;

/// A keyword that a value broke, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Breach {
    keyword: String,
    /// The item of an array argument, from 1.
    item: Option<usize>,
    /// The schema that holds the keyword.
    schema: Object,
}

/// The `args` of a command, or of the pack's globals: a JSON Schema for one object.
#[derive(Debug)]
pub(crate) struct ArgSchema {
    root: Object,
    plain: OnceLock<Vec<(String, Option<Plain>)>>,
    document: OnceLock<Result<Document, String>>,
}

impl ArgSchema {
    pub(crate) fn new(root: Object) -> Self {
        Self {
            root,
            plain: OnceLock::new(),
            document: OnceLock::new(),
        }
    }

    /// Builds the ready validator at once: the proof that the schema compiles.
    #[cfg(test)]
    pub(crate) fn compile(&self) -> Result<(), String> {
        self.document().as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn document(&self) -> &Result<Document, String> {
        self.document.get_or_init(|| Document::compile(&self.root))
    }

    fn property(&self, name: &str) -> Option<&Object> {
        self.root.get("properties")?.get(name)?.as_object()
    }

    fn properties(&self) -> Option<&Object> {
        self.root.get("properties")?.as_object()
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        self.property(name).is_some()
    }

    fn plain(&self) -> &[(String, Option<Plain>)] {
        self.plain.get_or_init(|| {
            self.properties()
                .into_iter()
                .flat_map(Object::iter)
                .map(|(name, schema)| {
                    let plain = schema.as_object().and_then(Plain::compile);
                    (name.to_owned(), plain)
                })
                .collect()
        })
    }

    /// Judges the arguments that this schema declares; the others are not its business.
    pub(crate) fn check(&self, declared: &[Argument], args: &Object) -> Result<(), ArgFault> {
        let mut needs_document = false;
        for (name, plain) in self.plain() {
            let Some(value) = args.get(name) else {
                continue;
            };
            match plain {
                Some(plain) => plain
                    .judge(value)
                    .map_err(|breach| fault(declared, name, &breach))?,
                None => needs_document = true,
            }
        }
        if !needs_document {
            return Ok(());
        }
        let own: Object = args
            .iter()
            .filter(|(name, _)| self.declares(name))
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .collect();
        match self.document() {
            Ok(document) => document
                .judge(&self.root, &Value::Object(own))
                .map_err(|(name, breach)| fault(declared, &name, &breach)),
            // The reader of packs lets no such schema through; should one come, nothing passes it.
            Err(message) => Err(ArgFault {
                argument: None,
                keyword: "schema".to_owned(),
                message: format!("the arguments' schema cannot be used: {message}"),
                help: Some("mend the pack's surface.json".to_owned()),
            }),
        }
    }

    /// The declared types of an argument, `null` aside; empty where none is declared.
    pub(crate) fn types(&self, name: &str) -> Vec<&str> {
        match self.property(name) {
            Some(schema) => types_of(&self.root, schema, 0),
            None => Vec::new(),
        }
    }

    /// The declared types of an array argument's items.
    pub(crate) fn item_types(&self, name: &str) -> Vec<&str> {
        let items = self
            .property(name)
            .and_then(|schema| follow(&self.root, schema, 0).get("items"))
            .and_then(Value::as_object);
        match items {
            Some(items) => types_of(&self.root, items, 0),
            None => Vec::new(),
        }
    }

    /// Whether the argument, or each of its items, is a path.
    pub(crate) fn is_path(&self, name: &str) -> bool {
        self.property(name)
            .is_some_and(|schema| is_path(&self.root, schema, 0))
    }
}

fn fault(declared: &[Argument], name: &str, breach: &Breach) -> ArgFault {
    let known = declared.iter().any(|a| a.name == name);
    messages::fault(known.then_some(name), breach)
}

/// Chains of references longer than this are followed no further.
const FOLLOW_MAX: usize = 16;

/// The schema behind a chain of `$ref`.
fn follow<'s>(root: &'s Object, schema: &'s Object, depth: usize) -> &'s Object {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(target) if depth < FOLLOW_MAX => match at_pointer(root, target) {
            Some(found) => follow(root, found, depth + 1),
            None => schema,
        },
        Some(_) | None => schema,
    }
}

fn types_of<'s>(root: &'s Object, schema: &'s Object, depth: usize) -> Vec<&'s str> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) => Vec::new(),
        None => {
            let target = schema.get("$ref").and_then(Value::as_str);
            return match target.and_then(|target| at_pointer(root, target)) {
                Some(found) if depth < FOLLOW_MAX => types_of(root, found, depth + 1),
                Some(_) | None => Vec::new(),
            };
        }
    };
    types.into_iter().filter(|t| *t != "null").collect()
}

fn is_path(root: &Object, schema: &Object, depth: usize) -> bool {
    if depth > FOLLOW_MAX {
        return false;
    }
    let behind = |schema: &Value| {
        schema
            .as_object()
            .is_some_and(|schema| is_path(root, schema, depth + 1))
    };
    let target = schema.get("$ref").and_then(Value::as_str);
    let any_of = ["allOf", "anyOf", "oneOf", "prefixItems"]
        .iter()
        .filter_map(|key| schema.get(key)?.as_array())
        .flatten()
        .any(behind);
    schema.get("format").and_then(Value::as_str) == Some("path")
        || any_of
        || schema.get("items").is_some_and(behind)
        || target
            .and_then(|target| at_pointer(root, target))
            .is_some_and(|found| is_path(root, found, depth + 1))
}

/// The schema object that a `$ref` within the file names by pointer or anchor.
fn at_pointer<'s>(root: &'s Object, target: &str) -> Option<&'s Object> {
    let pointer = target.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    if !pointer.starts_with('/') {
        return root
            .iter()
            .filter(|(key, _)| matches!(*key, "properties" | "$defs"))
            .find_map(|(_, map)| anchored(map, pointer, 0));
    }
    let decoded = keywords::decode_fragment(pointer)?;
    let mut segments = decoded.split('/').skip(1).map(keywords::unescape);
    let first = segments.next()?;
    let mut at = root.get(&first)?;
    for segment in segments {
        at = match at {
            Value::Object(object) => object.get(&segment)?,
            Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
    }
    at.as_object()
}

/// The schema with this `$anchor` below a value.
fn anchored<'s>(value: &'s Value, anchor: &str, depth: usize) -> Option<&'s Object> {
    if depth > 64 {
        return None;
    }
    match value {
        Value::Object(object) => {
            let is_it = |key: &str| object.get(key).and_then(Value::as_str) == Some(anchor);
            if is_it("$anchor") || is_it("$dynamicAnchor") {
                return Some(object);
            }
            object
                .iter()
                .find_map(|(_, below)| anchored(below, anchor, depth + 1))
        }
        Value::Array(items) => items
            .iter()
            .find_map(|below| anchored(below, anchor, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcp_core::json::{Limits, parse};
    use proptest::prelude::*;
    use serde_json::json;

    fn leaf() -> impl Strategy<Value = serde_json::Value> {
        prop_oneof![
            any::<bool>().prop_map(|b| json!(b)),
            (-3i64..12).prop_map(|n| json!(n)),
            Just(json!(1.5)),
            prop::sample::select(vec![
                "string",
                "integer",
                "object",
                "array",
                "date",
                "path",
                "^a+$",
                "(",
                "(?=x)",
                "x",
                "#",
                "#/$defs/d",
                "#/properties/a",
                "#/properties/a/items",
                "#x",
                "\\p{L}\\d",
                "[a-z]{2,3}",
                "\\cé",
                "a{9999}{9999}",
            ])
            .prop_map(|s| json!(s)),
            Just(json!([])),
            Just(json!(["x", "y"])),
            Just(json!(["string", "null"])),
        ]
    }

    fn any_schema() -> impl Strategy<Value = serde_json::Value> {
        let words: Vec<&'static str> = keyword_names().collect();
        leaf().prop_recursive(3, 24, 4, move |inner| {
            let words = prop::sample::select(words.clone());
            prop_oneof![
                4 => prop::collection::vec((words, inner.clone()), 0..4)
                    .prop_map(|m| serde_json::Value::Object(
                        m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
                    )),
                1 => prop::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::Array),
                1 => inner.prop_map(|v| json!({ "x": v })),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn what_the_walk_lets_through_compiles_and_judges(
            schema in any_schema(),
            definition in any_schema(),
            value in any_schema(),
        ) {
            let text = json!({ "properties": { "a": schema }, "$defs": { "d": definition } }).to_string();
            let node = parse(&text, Limits::default()).unwrap();
            let mut faults = Vec::new();
            let declared = declare(&node, Owner::Command, &mut faults);
            if let (Some(declared), true) = (declared, faults.is_empty()) {
                prop_assert_eq!(declared.schema.compile(), Ok(()), "{}", text);
                let value = parse(&value.to_string(), Limits::default()).unwrap().to_value();
                let args = Object::new().with("a", value);
                let _ = declared.schema.check(&[], &args);
            }
        }
    }

    /// The plain judge and the ready validator are two readings of one standard.
    #[test]
    fn the_two_judges_agree() {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(3000));
        let plain_words = vec![
            "type",
            "enum",
            "const",
            "minimum",
            "maximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "minItems",
            "maxItems",
            "uniqueItems",
            "items",
            "title",
            "format",
        ];
        let member = || (prop::sample::select(plain_words.clone()), leaf());
        let schema = prop::collection::vec(member(), 0..4);
        let items = prop::collection::vec(member(), 0..3);
        let value = prop_oneof![
            leaf(),
            prop::collection::vec(leaf(), 0..4).prop_map(serde_json::Value::Array),
        ];
        let judged = std::cell::Cell::new(0);
        let object = |members: Vec<(&str, serde_json::Value)>| {
            let members = members.into_iter().map(|(k, v)| (k.to_owned(), v));
            serde_json::Value::Object(members.collect())
        };
        runner
            .run(
                &(schema, items, any::<bool>(), value),
                |(schema, items, nested, value)| {
                    let mut schema = object(schema);
                    if nested {
                        schema["items"] = object(items);
                    }
                    let text = json!({ "properties": { "a": schema } }).to_string();
                    let node = parse(&text, Limits::default()).unwrap();
                    let mut faults = Vec::new();
                    let Some(declared) = declare(&node, Owner::Command, &mut faults) else {
                        return Ok(());
                    };
                    let Some(Some(plain)) = declared.schema.property("a").map(Plain::compile)
                    else {
                        return Ok(());
                    };
                    if !faults.is_empty() {
                        return Ok(());
                    }
                    judged.set(judged.get() + 1);
                    let value = parse(&value.to_string(), Limits::default())
                        .unwrap()
                        .to_value();
                    let by_plain = plain.judge(&value).is_ok();
                    let root = declared.schema.root.clone();
                    let document = Document::compile(&root).map_err(TestCaseError::fail)?;
                    let args = Value::Object(Object::new().with("a", value));
                    prop_assert_eq!(
                        by_plain,
                        document.judge(&root, &args).is_ok(),
                        "{} {}",
                        text,
                        args
                    );
                    Ok(())
                },
            )
            .unwrap();
        assert!(judged.get() > 500, "{}", judged.get());
    }
}
