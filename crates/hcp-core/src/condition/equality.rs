//! Equality of a rule's value with a call's, once strictly and once as widely as a tool may read it.

use crate::canonical;
use crate::condition::exact_number;
use crate::decimal::Decimal;
use crate::json::{Object, Value};
use crate::text::is_control_or_format;

/// A character at which a tool may split one text into several: commas, white space, control characters.
pub(crate) fn is_separator(c: char) -> bool {
    c == ',' || c.is_whitespace() || is_control_or_format(c)
}

/// The text that equals a boolean.
pub(crate) fn word_of_bool(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// Strict equality: what may loosen a call.
pub(super) fn is_equal(rule: &Value, call: &Value) -> bool {
    match rule {
        Value::Null => *call == Value::Null,
        Value::Bool(b) => call.as_bool() == Some(*b) || call.as_str() == Some(word_of_bool(*b)),
        Value::Number(n) => exact_number(call).is_some_and(|number| number == n.decimal()),
        Value::String(s) => match call {
            Value::String(t) => s == t,
            Value::Number(n) => Decimal::from_plain(s).is_some_and(|number| number == n.decimal()),
            Value::Bool(b) => s == word_of_bool(*b),
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        },
        Value::Array(items) => call.as_array().is_some_and(|others| {
            items.len() == others.len() && items.iter().zip(others).all(|(a, b)| is_equal(a, b))
        }),
        Value::Object(object) => call.as_object().is_some_and(|other| {
            object.len() == other.len()
                && object
                    .iter()
                    .all(|(key, a)| other.get(key).is_some_and(|b| is_equal(a, b)))
        }),
    }
}

/// Wide equality: whether some tool may take the call's value, or a part of it, for the rule's.
pub(super) fn may_be_equal(rule: &Value, call: &Value) -> bool {
    match call {
        Value::Array(items) => match rule {
            Value::Array(wanted) => wanted
                .iter()
                .all(|w| items.iter().any(|item| may_be_equal(w, item))),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => items.iter().any(|item| may_be_equal(rule, item)),
        },
        Value::Bool(b) => match rule {
            Value::Bool(other) => b == other,
            Value::String(s) => !is_bool_word(s) || s == word_of_bool(*b),
            Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => true,
        },
        Value::Null | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            may_be_equal_to_one(rule, call)
        }
    }
}

/// The same against a value that is neither a list nor a boolean.
fn may_be_equal_to_one(rule: &Value, call: &Value) -> bool {
    match rule {
        Value::Null => *call == Value::Null,
        Value::Bool(b) => match call {
            Value::String(s) => !is_bool_word(s) || s == word_of_bool(*b),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => true,
        },
        Value::Number(n) => match call {
            Value::String(s) => Decimal::from_plain(s).is_none_or(|number| number == n.decimal()),
            Value::Number(other) => other.decimal() == n.decimal(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        },
        Value::String(s) => match call {
            Value::String(t) => may_be_the_text(s, t),
            Value::Number(n) => Decimal::from_plain(s).is_none_or(|number| number == n.decimal()),
            Value::Object(object) => *s == as_word(object),
            Value::Null | Value::Bool(_) | Value::Array(_) => false,
        },
        // One value reaches the tool as a list of one does.
        Value::Array(wanted) => {
            *call != Value::Null && wanted.iter().all(|w| may_be_equal(w, call))
        }
        Value::Object(object) => match call {
            Value::Object(other) => may_be_the_object(object, other),
            Value::String(s) => as_word(object) == *s,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => false,
        },
    }
}

fn is_bool_word(text: &str) -> bool {
    text == "true" || text == "false"
}

fn may_be_the_text(rule: &str, call: &str) -> bool {
    if rule == call || same_number(rule, call) {
        return true;
    }
    if !call.contains(is_separator) {
        return false;
    }
    call.split(is_separator).any(|part| same_number(rule, part)) || has_part(call, rule)
}

/// Two spellings of one number: `7`, `007`, `+7`, `7e0`.
fn same_number(a: &str, b: &str) -> bool {
    number_in_any_spelling(a)
        .is_some_and(|number| number_in_any_spelling(b).is_some_and(|other| number == other))
}

/// The number that a text spells, if it does. Most texts are told apart by their first letter.
pub(crate) fn number_in_any_spelling(text: &str) -> Option<Decimal> {
    match text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => None,
        false => Decimal::from_any_spelling(text),
    }
}

/// Whether `part` stands in `text` between two separators (or an end), whatever separators it holds itself.
fn has_part(text: &str, part: &str) -> bool {
    let starts = std::iter::once(0).chain(
        text.char_indices()
            .filter(|(_, c)| is_separator(*c))
            .map(|(at, c)| at + c.len_utf8()),
    );
    starts
        .filter_map(|start| text.get(start..)?.strip_prefix(part))
        .any(|rest| rest.chars().next().is_none_or(is_separator))
}

fn without_nulls(object: &Object) -> Object {
    let mut object = object.clone();
    object.retain(|_, value| *value != Value::Null);
    object
}

/// An object as the one word in which a tool gets it.
fn as_word(object: &Object) -> String {
    canonical::encode(&Value::Object(without_nulls(object)))
}

/// Objects reach the tool without their nulls.
fn may_be_the_object(rule: &Object, call: &Object) -> bool {
    let (rule, call) = (without_nulls(rule), without_nulls(call));
    rule.len() == call.len()
        && rule
            .iter()
            .all(|(key, a)| call.get(key).is_some_and(|b| may_be_equal(a, b)))
}
