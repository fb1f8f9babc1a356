//! What a session rule binds of a call and what it leaves free.

use super::is_empty;
use crate::call::CardCall;
use crate::view::{View, ViewKind, ViewOrigin};
use hcp_core::decimal::Decimal;
use hcp_core::json::{Object, Value};
use hcp_pack::Argument;

/// The fields of a message that say to whom it goes.
pub(super) const AUDIENCE: [&str; 4] = ["to", "cc", "bcc", "channel"];
/// Kinds of which each call is a decision of its own.
const EACH_ITS_OWN: [ViewKind; 5] = [
    ViewKind::Removal,
    ViewKind::Payment,
    ViewKind::Publish,
    ViewKind::Event,
    ViewKind::Share,
];
/// Names of arguments that hold what is written into a file.
const CONTENT: [&str; 4] = ["content", "text", "body", "data"];

/// What a session rule covers.
pub(super) struct Cover {
    /// Every argument that it binds, in declared order; `null` for one that must stay absent.
    pub(super) bound: Vec<(String, Value)>,
    /// What it leaves free, in words: a field, or an argument by its name.
    pub(super) free: Vec<String>,
}

/// What a rule for this call would bind; `None` where no rule stands for it.
pub(super) fn cover(call: &CardCall<'_>, view: &View) -> Option<Cover> {
    if view.origin == ViewOrigin::Plain || EACH_ITS_OWN.iter().any(|kind| view.is(*kind)) {
        return None;
    }
    let free_of_kind = match view.kind {
        ViewKind::Message if has_audience(call, view) => Free {
            fields: &["subject", "body"],
            names: &[],
        },
        // Without an argument behind it the audience is nothing that a rule could hold on to.
        ViewKind::Message => return None,
        ViewKind::Change => Free {
            fields: &["to"],
            names: &["body"],
        },
        ViewKind::File => Free {
            fields: &[],
            names: &CONTENT,
        },
        ViewKind::Run | ViewKind::Command => Free::NOTHING,
        ViewKind::Removal
        | ViewKind::Payment
        | ViewKind::Publish
        | ViewKind::Event
        | ViewKind::Share => return None,
    };
    // What runs by its name is the same call again, whatever its pack calls it.
    let free_of_kind = if view.is(ViewKind::Run) {
        Free::NOTHING
    } else {
        free_of_kind
    };
    let mut cover = Cover {
        bound: Vec::new(),
        free: Vec::new(),
    };
    for argument in &call.command.arguments {
        let value = call.args.get(&argument.name).unwrap_or(&Value::Null);
        if *value != Value::Null && !can_bind(argument, value, view) {
            return None;
        }
        if let Some(word) = free_of_kind.word_for(argument, view) {
            if !cover.free.contains(&word) {
                cover.free.push(word);
            }
        } else if *value == Value::Null
            || is_exact(value, argument.kind.as_deref(), &argument.schema)
        {
            cover.bound.push((argument.name.clone(), value.clone()));
        } else {
            return None;
        }
    }
    Some(cover)
}

/// Whether a rule can stand for a call with this argument. The value of a secret is not there to be bound, and of
/// a file that goes into the call a rule would bind the name alone, while a yes binds its content.
fn can_bind(argument: &Argument, value: &Value, view: &View) -> bool {
    let is_target = view.kind == ViewKind::File
        && ["path", "to"]
            .iter()
            .any(|f| is_behind(view, f, &argument.name));
    let goes_in = argument.path && argument.content && !is_empty(value) && !is_target;
    !argument.secret && !goes_in
}

/// The arguments that a kind leaves free: those behind some fields, and those of some names that no field shows.
struct Free {
    fields: &'static [&'static str],
    names: &'static [&'static str],
}

impl Free {
    const NOTHING: Self = Self {
        fields: &[],
        names: &[],
    };

    /// What an argument is in words, where it is free.
    fn word_for(&self, argument: &Argument, view: &View) -> Option<String> {
        let name = argument.name.as_str();
        // A file's name, a secret or a command line inside an argument is no text that may vary.
        if argument.path || argument.secret || argument.schema.contains_key("x-command") {
            return None;
        }
        let fields: Vec<&str> = view
            .sources
            .iter()
            .filter(|(_, args)| args.iter().any(|a| a == name))
            .map(|(field, _)| field.as_str())
            .collect();
        match fields.first() {
            None if self.names.contains(&name) => Some(name.to_owned()),
            Some(first) if fields.iter().all(|f| self.fields.contains(f)) => {
                Some(if *first == "to" { "new value" } else { *first }.to_owned())
            }
            None | Some(_) => None,
        }
    }
}

fn is_behind(view: &View, field: &str, argument: &str) -> bool {
    view.sources
        .get(field)
        .is_some_and(|args| args.iter().any(|a| a == argument))
}

fn has_audience(call: &CardCall<'_>, view: &View) -> bool {
    AUDIENCE
        .iter()
        .filter_map(|field| view.sources.get(*field))
        .flatten()
        .filter_map(|name| call.args.get(name))
        .any(|value| !is_empty(value))
}

/// Whether a rule that wants this value is met by no other that its declaration lets through. Numbers are the same
/// however they are written (`5` and `5.0`); but where no type is declared, the text `"5.00"` equals the number 5
/// and the text `"true"` equals true, so that a rule would let through what the card showed otherwise.
fn is_exact(value: &Value, kind: Option<&str>, schema: &Object) -> bool {
    let inner = |key: &str| schema.get(key).and_then(Value::as_object);
    match value {
        Value::Null => true,
        Value::Bool(_) => kind == Some("boolean"),
        Value::Number(_) => matches!(kind, Some("integer" | "number")),
        Value::String(text) => kind == Some("string") || !may_equal_another(text),
        // The first items may be declared apart, and `items` says nothing of them.
        Value::Array(items) => {
            let alike = inner("items").filter(|_| !schema.contains_key("prefixItems"));
            items.iter().all(|item| is_exact_in(item, alike))
        }
        Value::Object(object) => object.iter().all(|(key, member)| {
            let declared = inner("properties")
                .and_then(|p| p.get(key))
                .and_then(Value::as_object);
            is_exact_in(member, declared)
        }),
    }
}

fn is_exact_in(value: &Value, schema: Option<&Object>) -> bool {
    let nothing = Object::new();
    let schema = schema.unwrap_or(&nothing);
    is_exact(value, schema.get("type").and_then(Value::as_str), schema)
}

/// Whether a text equals a number or a boolean.
fn may_equal_another(text: &str) -> bool {
    Decimal::from_plain(text).is_some() || text == "true" || text == "false"
}
