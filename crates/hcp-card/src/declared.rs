//! A preview that the pack declares, filled in with a call's arguments.

use crate::title::{self, Part, parts, plain_text};
use crate::view::{ViewKind, first_sentence};
use hcp_core::json::{Object, Value};
use hcp_pack::Command;
use std::collections::BTreeMap;

/// A declared preview, filled in.
pub(crate) struct Declared {
    pub(crate) kind: ViewKind,
    pub(crate) title: String,
    pub(crate) fields: Object,
    pub(crate) sources: BTreeMap<String, Vec<String>>,
}

/// A field's value, and the argument that it shows in full.
type Field = (Value, Option<String>);

/// Fills the preview of a command in; `None` where there is none or it is of no known kind, so that another view
/// serves. A value that does not fit its field gives the plain title, and no fields: each argument has its row.
pub(crate) fn read(command: &Command, args: &Object) -> Option<Declared> {
    let preview = command.preview.as_ref()?;
    let kind = ViewKind::parse(preview.get("kind")?.as_str()?)?;
    let title = preview.get("title").and_then(Value::as_str)?;
    let templates = preview.get("fields").and_then(Value::as_object);
    let mut fields = Object::new();
    let mut sources = BTreeMap::new();
    for name in kind.fields() {
        let Some(template) = templates.and_then(|t| t.get(name)).and_then(Value::as_str) else {
            continue;
        };
        match field(command, kind, name, template, args) {
            Ok(None) => {}
            Ok(Some((value, source))) => {
                fields.insert(*name, value);
                if let Some(source) = source {
                    sources.insert((*name).to_owned(), vec![source]);
                }
            }
            Err(DoesNotFit) => {
                return Some(Declared {
                    kind,
                    title: first_sentence(&command.description),
                    fields: Object::new(),
                    sources: BTreeMap::new(),
                });
            }
        }
    }
    Some(Declared {
        kind,
        title: title::fill(title, |name| args.get(name)),
        fields,
        sources,
    })
}

/// A value is of a sort that its field cannot show.
struct DoesNotFit;

/// A field's value, and the one argument that it shows in full. `None` when all its placeholders are absent.
fn field(
    command: &Command,
    kind: ViewKind,
    name: &str,
    template: &str,
    args: &Object,
) -> Result<Option<Field>, DoesNotFit> {
    let parts = parts(template);
    let behind: Vec<&str> = parts.iter().filter_map(Part::name).collect();
    if behind.is_empty() {
        return Ok(Some((Value::from(template), None)));
    }
    let mut given = Vec::new();
    for argument in &behind {
        match args
            .get(argument)
            .map(|value| (value, fit(kind, name, value)))
        {
            None | Some((_, Fit::Nothing)) => {}
            Some((value, Fit::Shows)) => given.push((*argument, value)),
            Some((_, Fit::Wrong)) => return Err(DoesNotFit),
        }
    }
    Ok(
        match (given.as_slice(), behind.as_slice(), parts.as_slice()) {
            ([], _, _) => None,
            ([(argument, value)], [_], [_]) => {
                Some(((*value).clone(), Some((*argument).to_owned())))
            }
            ([(argument, value)], [_], _) => {
                let source =
                    is_told_by_text(command, argument, value).then(|| (*argument).to_owned());
                Some((fill(&parts, args), source))
            }
            (_, _, _) => Some((fill(&parts, args), None)),
        },
    )
}

fn fill(parts: &[Part<'_>], args: &Object) -> Value {
    let text: String = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Placeholder(name) => args.get(name).map(plain_text).unwrap_or_default(),
        })
        .collect();
    Value::String(text)
}

/// Whether a value can be told from its text alone: fixed text around it leaves nothing but the text, so its type
/// must be the declared one (a string, where none is declared).
fn is_told_by_text(command: &Command, argument: &str, value: &Value) -> bool {
    let declared = command.arguments.iter().find(|a| a.name == argument);
    let declared = declared.and_then(|a| a.kind.as_deref());
    match value {
        Value::String(_) => matches!(declared, None | Some("string")),
        Value::Number(_) => matches!(declared, Some("integer" | "number")),
        Value::Bool(_) => declared == Some("boolean"),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// What a field can make of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It shows it.
    Shows,
    /// The value says nothing in such a field, and has a row.
    Nothing,
    /// The value is of another sort altogether: nothing about the call can be put in words.
    Wrong,
}

/// How a value fits a field.
pub(crate) fn fit(kind: ViewKind, field: &str, value: &Value) -> Fit {
    let of_change = kind == ViewKind::Change && matches!(field, "to" | "from");
    match value {
        Value::String(_) | Value::Number(_) => Fit::Shows,
        Value::Bool(_) if of_change => Fit::Shows,
        Value::Null | Value::Bool(false) => Fit::Nothing,
        Value::Array(items) if items.is_empty() => Fit::Nothing,
        Value::Array(items) if may_be_list(field) && items.iter().all(title::is_plain) => {
            Fit::Shows
        }
        Value::Bool(true) | Value::Array(_) | Value::Object(_) => Fit::Wrong,
    }
}

/// Whether a field may hold several values.
fn may_be_list(field: &str) -> bool {
    !matches!(
        field,
        "amount"
            | "currency"
            | "when"
            | "until"
            | "subject"
            | "action"
            | "count"
            | "size"
            | "version"
    )
}

#[cfg(test)]
mod tests;
