//! Arguments written as `NAME=text` and `NAME:=JSON`, typed by their declaration.

use super::{ArgFault, Argument};
use crate::pack::Command;
use hcp_core::decimal::Decimal;
use hcp_core::json::{Limits, Number, Object, Value, parse};
use hcp_core::names::is_argument_name;
use hcp_core::text::quoted;

/// One word, taken apart.
struct Named<'w> {
    name: &'w str,
    text: &'w str,
    json: bool,
}

/// Whether the first word is `NAME=…` or `NAME:=…` with NAME declared: then all must be.
pub(crate) fn is_named(command: &Command, words: &[String]) -> bool {
    words
        .first()
        .and_then(|word| split(word))
        .is_some_and(|named| command.argument(named.name).is_some())
}

/// Reads the words into arguments.
pub(crate) fn read(command: &Command, words: &[String]) -> Result<Object, ArgFault> {
    let mut args = Object::new();
    let mut collected: Vec<(&Argument, Vec<Value>)> = Vec::new();
    let mut given_as_json: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(named) = split(word) else {
            return Err(not_named(at, word));
        };
        let Some(argument) = command.argument(named.name) else {
            return Err(ArgFault::undeclared(named.name, &command.arguments));
        };
        let seen = collected.iter_mut().find(|(a, _)| a.name == argument.name);
        let as_json = given_as_json.contains(&named.name);
        if as_json || (named.json && seen.is_some()) {
            return Err(given_twice(argument));
        }
        if named.json {
            args.insert(named.name, read_json(&named)?);
            given_as_json.push(named.name);
            continue;
        }
        let value = typed(argument, command, named.text);
        match seen {
            Some(_) if !may_repeat(argument, command) => return Err(given_twice(argument)),
            Some((_, values)) => values.push(value),
            None => collected.push((argument, vec![value])),
        }
        // Keeps the order in which the names came.
        args.insert(named.name, Value::Null);
    }
    for (argument, mut values) in collected {
        let single = values.len() == 1 && argument.kind.as_deref() != Some("array");
        let value = match values.pop() {
            Some(value) if single => value,
            Some(last) => {
                values.push(last);
                Value::Array(values)
            }
            None => Value::Null,
        };
        args.insert(argument.name.as_str(), value);
    }
    Ok(args)
}

fn split(word: &str) -> Option<Named<'_>> {
    let (name, text) = word.split_once('=')?;
    let (name, json) = match name.strip_suffix(':') {
        Some(name) => (name, true),
        None => (name, false),
    };
    is_argument_name(name).then_some(Named { name, text, json })
}

/// The types a value of the argument may have; none for an argument without a declared type.
fn types<'c>(argument: &'c Argument, command: &'c Command) -> Vec<&'c str> {
    command.schema_of(argument).types(&argument.name)
}

fn may_repeat(argument: &Argument, command: &Command) -> bool {
    let types = types(argument, command);
    types.is_empty() || types.contains(&"array")
}

/// The types that one word of the argument may have: of an array argument those of one item.
pub(crate) fn word_types<'c>(argument: &'c Argument, command: &'c Command) -> Vec<&'c str> {
    let own = types(argument, command);
    if own.contains(&"array") && !own.contains(&"string") {
        return command.schema_of(argument).item_types(&argument.name);
    }
    own
}

/// The value of `NAME=text`: of an array argument one item.
pub(crate) fn typed(argument: &Argument, command: &Command, text: &str) -> Value {
    let types = word_types(argument, command);
    let is = |word: &str| types.contains(&word);
    // Where text will do, it stays text.
    if is("string") {
        return Value::from(text);
    }
    if (is("integer") || is("number"))
        && Decimal::from_plain(text).is_some()
        && let Some(number) = Number::new(text)
    {
        return Value::Number(number);
    }
    match text {
        "true" if is("boolean") => Value::Bool(true),
        "false" if is("boolean") => Value::Bool(false),
        _ => Value::from(text),
    }
}

fn read_json(named: &Named<'_>) -> Result<Value, ArgFault> {
    match parse(named.text, Limits::default()) {
        Ok(node) => Ok(node.to_value()),
        // The reader's own message may quote a character of the value, so it stays out.
        Err(fault) => Err(ArgFault {
            argument: Some(named.name.to_owned()),
            keyword: "json".to_owned(),
            message: format!(
                "{}: what follows \":=\" is not JSON (at byte {})",
                named.name,
                fault.span.start + 1
            ),
            help: Some(format!(
                "write JSON like {0}:='[\"a\", 2]', or plain text like {0}=text",
                named.name
            )),
        }),
    }
}

fn given_twice(argument: &Argument) -> ArgFault {
    ArgFault {
        argument: Some(argument.name.clone()),
        keyword: "repeated".to_owned(),
        message: format!("{}: is given twice, and takes one value", argument.name),
        help: Some("keep one of the two".to_owned()),
    }
}

fn not_named(at: usize, word: &str) -> ArgFault {
    // An option's name is no value; any other word may be one, so only its place is told.
    let option = word
        .strip_prefix("--")
        .and_then(|rest| rest.split('=').next())
        .filter(|name| is_argument_name(name));
    let which = match option {
        Some(name) => format!("word {} ({})", at + 1, quoted(&format!("--{name}"))),
        None => format!("word {}", at + 1),
    };
    let help = if at == 0 {
        "write each argument as NAME=text, or as NAME:=JSON"
    } else {
        "write all arguments as NAME=text or NAME:=JSON, or all in the tool's own spelling"
    };
    ArgFault {
        argument: None,
        keyword: "named".to_owned(),
        message: format!("{which} is not NAME=text"),
        help: Some(help.to_owned()),
    }
}
