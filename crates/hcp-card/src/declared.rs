//! A preview that the pack declares, filled in with a call's arguments.

use crate::view::ViewKind;
use hcp_core::canonical;
use hcp_core::json::{Object, Value};
use hcp_core::text::safe;
use std::collections::BTreeMap;

/// The most characters of an inserted value in a title; its whole text stands in the fields.
const TITLE_VALUE_MAX: usize = 60;

/// A declared preview, filled in.
pub(crate) struct Declared {
    pub(crate) kind: ViewKind,
    pub(crate) title: String,
    pub(crate) fields: Object,
    pub(crate) sources: BTreeMap<String, Vec<String>>,
}

/// Fills a preview in; `None` where it is of no known kind, so that the plain view serves.
pub(crate) fn read(preview: &Value, args: &Object) -> Option<Declared> {
    let kind = ViewKind::parse(preview.get("kind")?.as_str()?)?;
    let title = title(preview.get("title").and_then(Value::as_str)?, args);
    let mut fields = Object::new();
    let mut sources = BTreeMap::new();
    let templates = preview.get("fields").and_then(Value::as_object);
    for name in kind.fields() {
        let Some(template) = templates.and_then(|t| t.get(name)).and_then(Value::as_str) else {
            continue;
        };
        let Some((value, source)) = field(template, args) else {
            continue;
        };
        fields.insert(*name, value);
        if let Some(source) = source {
            sources.insert((*name).to_owned(), vec![source]);
        }
    }
    Some(Declared {
        kind,
        title,
        fields,
        sources,
    })
}

/// A field's value, and the one argument that it shows in full. `None` when all its placeholders are absent.
fn field(template: &str, args: &Object) -> Option<(Value, Option<String>)> {
    let parts = parts(template);
    let names: Vec<&str> = parts.iter().filter_map(Part::name).collect();
    match (names.as_slice(), parts.as_slice()) {
        ([], _) => Some((Value::from(template), None)),
        ([name], [_]) => args
            .get(name)
            .map(|v| (v.clone(), Some((*name).to_owned()))),
        ([name], _) => {
            let value = args.get(name)?;
            // Fixed text around a value keeps it whole only where the value is text.
            let source = value.as_str().map(|_| (*name).to_owned());
            Some((Value::String(fill(&parts, args)), source))
        }
        (many, _) => many
            .iter()
            .any(|name| args.contains_key(name))
            .then(|| (Value::String(fill(&parts, args)), None)),
    }
}

fn fill(parts: &[Part<'_>], args: &Object) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Placeholder(name) => args.get(name).map(plain_text).unwrap_or_default(),
        })
        .collect()
}

/// A title with its values on one line, safe and short.
fn title(template: &str, args: &Object) -> String {
    parts(template)
        .iter()
        .map(|part| match part {
            Part::Text(text) => safe(text).to_string(),
            Part::Placeholder(name) => args
                .get(name)
                .map(|v| short(&plain_text(v)))
                .unwrap_or_default(),
        })
        .collect::<String>()
        .trim()
        .to_owned()
}

fn short(text: &str) -> String {
    let shown = safe(text).to_string();
    if shown.chars().count() <= TITLE_VALUE_MAX {
        return shown;
    }
    let start: String = shown.chars().take(TITLE_VALUE_MAX - 1).collect();
    format!("{start}…")
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            canonical::encode(value)
        }
    }
}

enum Part<'t> {
    Text(&'t str),
    Placeholder(&'t str),
}

impl<'t> Part<'t> {
    fn name(&self) -> Option<&'t str> {
        match self {
            Self::Placeholder(name) => Some(name),
            Self::Text(_) => None,
        }
    }
}

fn parts(template: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else {
            break;
        };
        if !before.is_empty() {
            out.push(Part::Text(before));
        }
        out.push(Part::Placeholder(name.trim()));
        rest = tail;
    }
    if !rest.is_empty() {
        out.push(Part::Text(rest));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcp_core::json::{Limits, parse};

    fn json(text: &str) -> Value {
        parse(text, Limits::default()).unwrap().to_value()
    }

    fn read_both(preview: &str, args: &str) -> Declared {
        read(&json(preview), json(args).as_object().unwrap()).unwrap()
    }

    #[test]
    fn a_field_shows_an_argument_only_when_it_shows_it_whole() {
        let d = read_both(
            r#"{"kind":"payment","title":"Pay {{to}}","fields":{"amount":"{{a}} EUR","to":"{{to}} {{a}}","currency":"EUR","memo":"{{memo}}"}}"#,
            r#"{"a":"2.80","to":"x"}"#,
        );
        assert_eq!(d.title, "Pay x");
        assert_eq!(
            d.fields.to_string_lossy(),
            r#"{"amount":"2.80 EUR","currency":"EUR","to":"x 2.80"}"#
        );
        assert_eq!(d.sources.get("amount"), Some(&vec!["a".to_owned()]));
        assert_eq!(d.sources.get("to"), None);
        assert!(!d.fields.contains_key("memo"));
    }

    #[test]
    fn a_field_keeps_the_json_value_of_its_argument() {
        let d = read_both(
            r#"{"kind":"removal","title":"x","fields":{"what":"{{ids}}"}}"#,
            r#"{"ids":[1,2]}"#,
        );
        assert_eq!(d.fields.get("what"), Some(&json("[1,2]")));
    }

    #[test]
    fn a_title_value_is_one_short_safe_line() {
        let long = "x".repeat(200);
        let d = read_both(
            r#"{"kind":"removal","title":"Delete {{a}}{{b}}","fields":{}}"#,
            &format!(r#"{{"a":"l\u202e\n","b":"{long}"}}"#),
        );
        assert!(d.title.starts_with(r"Delete l\u{202e}\nxxx") && d.title.ends_with('…'));
        assert!(d.title.chars().count() < 100);
    }

    trait Lossy {
        fn to_string_lossy(&self) -> String;
    }
    impl Lossy for Object {
        fn to_string_lossy(&self) -> String {
            Value::Object(self.clone()).to_string()
        }
    }
}
