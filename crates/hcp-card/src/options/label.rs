//! What a session rule covers, in words: what stands on the button.

use super::bind::{AUDIENCE, Cover};
use super::is_empty;
use crate::call::CardCall;
use crate::title::{plain_text, short};
use crate::view::{View, ViewKind};
use hcp_core::json::Value;
use hcp_core::names::VerbKey;

/// `mail send to ana@example.org and 2 more, any subject and body, all else as shown`
pub(super) fn cover(verb: &VerbKey, call: &CardCall<'_>, view: &View, cover: &Cover) -> String {
    if cover.free.is_empty() {
        return "exactly this call again".to_owned();
    }
    let (word, fields): (&str, &[&str]) = match view.kind {
        ViewKind::Message => ("to", &AUDIENCE),
        ViewKind::File => ("to", &["path", "to"]),
        ViewKind::Change => ("on", &["what"]),
        ViewKind::Event
        | ViewKind::Payment
        | ViewKind::Removal
        | ViewKind::Publish
        | ViewKind::Share
        | ViewKind::Run
        | ViewKind::Command => ("", &[]),
    };
    let about =
        about(call, view, fields).map_or_else(String::new, |about| format!(" {word} {about}"));
    format!(
        "{} {}{about}, any {}, all else as shown",
        verb.pack,
        verb.command,
        listed(&cover.free)
    )
}

/// The first value behind some fields, and how many more there are.
fn about(call: &CardCall<'_>, view: &View, fields: &[&str]) -> Option<String> {
    let names = fields.iter().filter_map(|f| view.sources.get(*f)).flatten();
    let mut values: Vec<&Value> = Vec::new();
    for value in names.filter_map(|name| call.args.get(name)) {
        match value {
            Value::Array(items) => values.extend(items),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => values.push(value),
        }
    }
    values.retain(|value| !is_empty(value));
    let (first, others) = values.split_first()?;
    let more = match others.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!("{}{more}", short(&plain_text(first))))
}

/// `a`, `a and b`, `a, b and c`
fn listed(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}
