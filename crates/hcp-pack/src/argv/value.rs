//! The value that one word gives an argument.

use crate::args::{Argument, typed, word_types};
use crate::pack::Command;
use crate::template::without_nulls;
use hcp_core::canonical;
use hcp_core::json::{Limits, Number, Value, parse};

/// A value, and whether the word says nothing else.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Typed {
    pub(super) value: Value,
    pub(super) sure: bool,
}

/// Reads one word by the argument's declared type. Where text will do it stays text, as in `NAME=text`.
pub(super) fn read(command: &Command, argument: &Argument, text: &str) -> Typed {
    let sure = |value| Typed { value, sure: true };
    let types = word_types(argument, command);
    let is = |word: &str| types.contains(&word);
    if types.is_empty() {
        return sure(choice(argument, text).unwrap_or_else(|| text.into()));
    }
    let value = typed(argument, command, text);
    if value.as_str().is_none() || is("string") {
        return sure(value);
    }
    if let Some(found) = json(text).filter(|found| match found {
        Value::Object(_) => is("object"),
        Value::Array(_) => is("array"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }) {
        return sure(without_nulls(&found));
    }
    // A number that is no plain decimal stays text, and only the tool knows what it makes of it.
    let number = (is("integer") || is("number")) && Number::new(text).is_some();
    let sure = !number && !is("object") && !is("array") && !is("boolean");
    Typed { value, sure }
}

/// Whether a valid value of the argument can have this text: what tells `{{host}}:{{port}}` apart.
pub(super) fn is_possible(command: &Command, argument: &Argument, text: &str) -> bool {
    let types = word_types(argument, command);
    types.is_empty()
        || types.iter().any(|word| match *word {
            "integer" | "number" => Number::new(text).is_some(),
            "boolean" => matches!(text, "true" | "false"),
            "object" => text.starts_with('{'),
            "array" => text.starts_with('['),
            _ => true,
        })
}

/// Whether the argument takes true and false and nothing else.
pub(super) fn is_switch(command: &Command, argument: &Argument) -> bool {
    command.schema_of(argument).types(&argument.name) == ["boolean"]
}

/// Whether the argument takes true or false among others.
pub(super) fn may_be_switch(command: &Command, argument: &Argument) -> bool {
    let types = command.schema_of(argument).types(&argument.name);
    types.contains(&"boolean")
}

/// Whether the argument is declared to take several words.
pub(super) fn takes_many(command: &Command, argument: &Argument) -> bool {
    let types = command.schema_of(argument).types(&argument.name);
    types.contains(&"array")
}

/// Of an argument without a type, the listed choice that the word spells: text before any other.
fn choice(argument: &Argument, text: &str) -> Option<Value> {
    let listed = argument.schema.get("enum").and_then(Value::as_array);
    let choices: Vec<&Value> = listed
        .unwrap_or_default()
        .iter()
        .chain(argument.schema.get("const"))
        .collect();
    if choices.iter().any(|choice| choice.as_str() == Some(text)) {
        return None;
    }
    let spelled = choices.into_iter().find(|choice| match choice {
        Value::Bool(_) | Value::Number(_) => canonical::encode(choice) == text,
        Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => false,
    });
    spelled.cloned()
}

fn json(text: &str) -> Option<Value> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    parse(text, Limits::default())
        .ok()
        .map(|node| node.to_value())
}
