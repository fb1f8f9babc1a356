//! Values compared exactly: numbers by their value, objects without order.

use hcp_core::decimal::Decimal;
use hcp_core::json::{Number, Value};
use std::collections::{BTreeMap, HashSet};

/// A value in a form in which equal values are the same (JSON Schema's equality).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Exact {
    Null,
    Bool(bool),
    Number(Decimal),
    String(String),
    Array(Vec<Exact>),
    Object(BTreeMap<String, Exact>),
}

impl From<&Value> for Exact {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => Self::Number(number.decimal()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(object) => Self::Object(
                object
                    .iter()
                    .map(|(key, member)| (key.to_owned(), Self::from(member)))
                    .collect(),
            ),
        }
    }
}

/// Whether no two items are equal.
pub(super) fn all_differ(items: &[Value]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(Exact::from(item)))
}

/// Whether a value has one of the named types.
pub(super) fn has_type(value: &Value, word: &str) -> bool {
    match value {
        Value::Null => word == "null",
        Value::Bool(_) => word == "boolean",
        Value::Number(number) => {
            word == "number" || (word == "integer" && number.decimal().is_integer())
        }
        Value::String(_) => word == "string",
        Value::Array(_) => word == "array",
        Value::Object(_) => word == "object",
    }
}

/// A limit on numbers; values of other types pass it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Limit {
    Minimum(Decimal),
    Maximum(Decimal),
    ExclusiveMinimum(Decimal),
    ExclusiveMaximum(Decimal),
    MultipleOf(Decimal),
}

/// The keywords that set a limit.
pub(super) const LIMITS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];

impl Limit {
    /// The limit that a keyword sets.
    pub(super) fn new(keyword: &str, number: &Number) -> Option<Self> {
        let value = number.decimal();
        Some(match keyword {
            "minimum" => Self::Minimum(value),
            "maximum" => Self::Maximum(value),
            "exclusiveMinimum" => Self::ExclusiveMinimum(value),
            "exclusiveMaximum" => Self::ExclusiveMaximum(value),
            "multipleOf" => Self::MultipleOf(value),
            _ => return None,
        })
    }

    /// Whether the value is no number, or one within the limit.
    pub(super) fn holds(&self, value: &Value) -> bool {
        let Value::Number(number) = value else {
            return true;
        };
        let number = number.decimal();
        match self {
            Self::Minimum(limit) => number >= *limit,
            Self::Maximum(limit) => number <= *limit,
            Self::ExclusiveMinimum(limit) => number > *limit,
            Self::ExclusiveMaximum(limit) => number < *limit,
            // Where a division cannot be done within bounds, the value does not pass.
            Self::MultipleOf(step) => number.is_multiple_of(step) == Some(true),
        }
    }
}
