//! What a broken keyword means, in words. What the pack says may stand here, what the caller gave may not.

use super::Breach;
use crate::args::ArgFault;
use hcp_core::canonical;
use hcp_core::json::{Object, Value};
use hcp_core::text::quoted;

/// The most choices that a message lists.
const LISTED: usize = 12;

/// The fault of an argument that breaks a keyword.
pub(super) fn fault(name: Option<&str>, breach: &Breach) -> ArgFault {
    let said = words(&breach.keyword, &breach.schema);
    let said = match breach.item {
        Some(item) => format!("item {item} {said}"),
        None => said,
    };
    ArgFault {
        argument: name.map(str::to_owned),
        keyword: breach.keyword.clone(),
        message: match name {
            Some(name) => format!("{name}: {said}"),
            None => format!("the arguments: {said}"),
        },
        help: help(name, breach),
    }
}

fn words(keyword: &str, schema: &Object) -> String {
    let set = |key: &str| schema.get(key).map(canonical::encode).unwrap_or_default();
    match keyword {
        "type" => format!("must be {}", types(schema.get("type"))),
        "enum" => format!("must be one of {}", choices(schema.get("enum"))),
        "const" => format!("must be exactly {}", set("const")),
        "minimum" => format!("must be at least {}", set("minimum")),
        "maximum" => format!("must be at most {}", set("maximum")),
        "exclusiveMinimum" => format!("must be more than {}", set("exclusiveMinimum")),
        "exclusiveMaximum" => format!("must be less than {}", set("exclusiveMaximum")),
        "multipleOf" => format!("must be a multiple of {}", set("multipleOf")),
        "minLength" => format!("must have at least {} characters", set("minLength")),
        "maxLength" => format!("must have at most {} characters", set("maxLength")),
        "pattern" => "must match the pattern of the pack".to_owned(),
        "format" => match schema.get("format").and_then(Value::as_str) {
            Some(format) => format!("must have the format {}", quoted(format)),
            None => "must have the format of the pack".to_owned(),
        },
        "minItems" => format!("must have at least {} items", set("minItems")),
        "maxItems" => format!("must have at most {} items", set("maxItems")),
        "uniqueItems" => "must not hold an item twice".to_owned(),
        "contains" => "must hold an item of the kind that the pack asks for".to_owned(),
        "required" | "dependentRequired" => "lacks a key that it must have".to_owned(),
        "additionalProperties" | "unevaluatedProperties" | "propertyNames" => {
            "holds a key that the pack does not declare".to_owned()
        }
        "unevaluatedItems" | "items" | "prefixItems" => {
            "holds an item that the pack does not declare".to_owned()
        }
        "anyOf" => "must fit one of the forms of the pack".to_owned(),
        "oneOf" => "must fit exactly one of the forms of the pack".to_owned(),
        "not" => "has a form that the pack rules out".to_owned(),
        "falseSchema" => "cannot be given here".to_owned(),
        other => format!("must keep the {} of the pack", quoted(other)),
    }
}

fn help(name: Option<&str>, breach: &Breach) -> Option<String> {
    let declared = breach.schema.get("type").and_then(Value::as_str);
    match breach.keyword.as_str() {
        "pattern" => breach
            .schema
            .get("pattern")
            .and_then(Value::as_str)
            .map(|pattern| format!("the pattern is {}", quoted(pattern))),
        "type" if breach.item.is_none() => match (name, declared) {
            (Some(name), Some("object")) => {
                Some(format!("write JSON: {name}:='{{\"key\": \"value\"}}'"))
            }
            (Some(name), Some("array")) => Some(format!("write JSON: {name}:='[\"a\", \"b\"]'")),
            (Some(name), Some("integer" | "number")) => {
                Some(format!("write a plain number: {name}=5"))
            }
            (Some(name), Some("boolean")) => Some(format!("write {name}=true or {name}=false")),
            _ => None,
        },
        _ => None,
    }
}

fn types(declared: Option<&Value>) -> String {
    let one = |word: &str| match word {
        "string" => "a string",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        "null" => "absent",
        _ => "of the pack's type",
    };
    match declared {
        Some(Value::String(word)) => one(word).to_owned(),
        Some(Value::Array(several)) => {
            let all: Vec<&str> = several.iter().filter_map(Value::as_str).map(one).collect();
            all.join(" or ")
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {
            "of the pack's type".to_owned()
        }
    }
}

fn choices(listed: Option<&Value>) -> String {
    let items = listed.and_then(Value::as_array).unwrap_or_default();
    let mut all: Vec<String> = items
        .iter()
        .take(LISTED)
        .map(|item| match item {
            Value::String(text) => quoted(text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => canonical::encode(item),
        })
        .collect();
    if items.len() > LISTED {
        all.push(format!("… ({} in all)", items.len()));
    }
    all.join(", ")
}
