//! Edits of a JSON file that leave everything else as a person wrote it: one key of one object is set, in the
//! manner in which that object is written.

use crate::document::FileName;
use hcp_core::json::{Kind, Member, Node, Object, Span, Value};

/// Bytes of a file to replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub file: FileName,
    /// The bytes that go; empty where something is put in.
    pub span: Span,
    /// What stands there then.
    pub text: String,
    /// The key that is set by it.
    pub key: String,
    /// The value that the key has then.
    pub value: Value,
}

/// Sets a key of an object: in place where the key is there, else behind its last member. `None` where the
/// node is no object.
pub(crate) fn set(
    file: FileName,
    text: &str,
    object: &Node,
    key: &str,
    value: &Value,
) -> Option<Edit> {
    let (span, text) = change(text, object, key, value)?;
    Some(Edit {
        file,
        span,
        text,
        key: key.to_owned(),
        value: value.clone(),
    })
}

/// The bytes that go, and what stands there then.
fn change(text: &str, object: &Node, key: &str, value: &Value) -> Option<(Span, String)> {
    let Kind::Object(members) = &object.kind else {
        return None;
    };
    if let Some(member) = members.iter().find(|m| m.key == key) {
        return Some((member.value.span, value.to_string()));
    }
    let named = |value: String| format!("{}: {value}", Value::from(key));
    let Some(last) = members.last() else {
        return Some((object.span, format!("{{ {} }}", named(one_line(value)))));
    };
    let at = last.value.span.end;
    let inserted = match lead(text, object, members) {
        Some(lead) => {
            let unit = unit(text, object, &lead);
            format!(",{lead}{}", named(lines(value, &lead, &unit)))
        }
        None => format!(", {}", named(one_line(value))),
    };
    Some((Span { start: at, end: at }, inserted))
}

/// What stands before each key of an object that is written over several lines: the line break and the blanks.
fn lead(text: &str, object: &Node, members: &[Member]) -> Option<String> {
    let last = members.last()?;
    let before = match members.iter().rev().nth(1) {
        Some(previous) => previous.value.span.end,
        None => object.span.start + 1,
    };
    let gap = text.get(before..last.key_span.start)?;
    let at = gap.rfind('\n')?;
    let begin = if gap.get(..at)?.ends_with('\r') {
        at - 1
    } else {
        at
    };
    gap.get(begin..).map(str::to_owned)
}

/// One step of the file's indent: what the object's keys have more than its closing brace.
fn unit(text: &str, object: &Node, lead: &str) -> String {
    let own = lead.trim_start_matches(['\r', '\n']);
    let inside = text.get(object.span.start..object.span.end.saturating_sub(1));
    let outer = inside
        .and_then(|inside| inside.rsplit('\n').next())
        .unwrap_or_default();
    match own.strip_prefix(outer) {
        Some(step) if !step.is_empty() && outer.trim().is_empty() => step.to_owned(),
        Some(_) | None => "  ".to_owned(),
    }
}

/// A value on one line, with blanks where a person writes them.
pub(crate) fn one_line(value: &Value) -> String {
    match value {
        Value::Object(object) if !object.is_empty() => {
            let members: Vec<String> = object
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key), one_line(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            value.to_string()
        }
    }
}

/// A value over several lines; `lead` begins each line of the object that it is put into.
fn lines(value: &Value, lead: &str, unit: &str) -> String {
    let Value::Object(object) = value else {
        return one_line(value);
    };
    if object.is_empty() {
        return one_line(value);
    }
    let inner = format!("{lead}{unit}");
    let members = members(object, &inner, unit);
    format!("{{{inner}{}{lead}}}", members.join(&format!(",{inner}")))
}

fn members(object: &Object, lead: &str, unit: &str) -> Vec<String> {
    object
        .iter()
        .map(|(key, value)| format!("{}: {}", Value::from(key), lines(value, lead, unit)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcp_core::json::{Limits, parse};

    fn set_in(text: &str, path: &[&str], key: &str, value: &str) -> String {
        let root = parse(text, Limits::default()).unwrap();
        let object = path.iter().fold(&root, |node, key| node.get(key).unwrap());
        let value = parse(value, Limits::default()).unwrap().to_value();
        let edit = set(FileName::Policy, text, object, key, &value).unwrap();
        let mut after = text.to_owned();
        after.replace_range(edit.span.start..edit.span.end, &edit.text);
        after
    }

    #[test]
    fn a_key_is_set_in_the_manner_of_its_object() {
        for (before, path, value, after) in [
            (r#"{"a":{}}"#, &["a"][..], "1", r#"{"a":{ "k": 1 }}"#),
            (r#"{"a":{"b":1}}"#, &["a"], "1", r#"{"a":{"b":1, "k": 1}}"#),
            (r#"{"k" :  0 }"#, &[], "\"x\"", r#"{"k" :  "x" }"#),
            (
                "{\n\t\"b\": 1\n}",
                &[],
                "2",
                "{\n\t\"b\": 1,\n\t\"k\": 2\n}",
            ),
            (
                "{\r\n  \"b\": 1\r\n}\r\n",
                &[],
                "2",
                "{\r\n  \"b\": 1,\r\n  \"k\": 2\r\n}\r\n",
            ),
            (
                "{\n    \"a\": {\n        \"b\": 1\n    }\n}",
                &["a"],
                r#"{"c":{"d":[1,2]}}"#,
                "{\n    \"a\": {\n        \"b\": 1,\n        \"k\": {\n            \"c\": {\n                \"d\": [1, 2]\n            }\n        }\n    }\n}",
            ),
            (
                "{ \"a\": 1,\n  \"b\": 2 }",
                &[],
                "{}",
                "{ \"a\": 1,\n  \"b\": 2,\n  \"k\": {} }",
            ),
        ] {
            let done = set_in(before, path, "k", value);
            assert_eq!(done, after);
            parse(&done, Limits::default()).unwrap();
        }
    }

    #[test]
    fn what_is_no_object_has_no_keys() {
        let node = parse("[1]", Limits::default()).unwrap();
        assert_eq!(set(FileName::Pack, "[1]", &node, "k", &Value::Null), None);
    }
}
