//! A call's arguments against the declaration: nulls dropped, nothing undeclared, every value judged.

use super::{ArgFault, Argument};
use crate::pack::Command;
use hcp_core::json::{Object, Value};

/// Deeper values come from no reader of ours, and could exhaust the stack.
const DEPTH_MAX: usize = 64;

/// Checks a call's arguments and gives them back without nulls.
pub(crate) fn check(command: &Command, mut args: Object) -> Result<Object, ArgFault> {
    args.retain(|_, value| *value != Value::Null);
    check_names(command, &args)?;
    if let Some(missing) = command
        .arguments
        .iter()
        .find(|a| a.required && !args.contains_key(&a.name))
    {
        return Err(is_missing(missing));
    }
    check_schemas(command, &args)?;
    Ok(args)
}

/// Checks the values that are there, whatever else must be given.
pub(crate) fn check_given(command: &Command, args: &Object) -> Result<(), ArgFault> {
    check_names(command, args)?;
    check_schemas(command, args)
}

fn check_names(command: &Command, args: &Object) -> Result<(), ArgFault> {
    for (name, value) in args.iter() {
        if command.argument(name).is_none() {
            return Err(ArgFault::undeclared(name, &command.arguments));
        }
        check_value(name, value, 0)?;
    }
    Ok(())
}

fn check_schemas(command: &Command, args: &Object) -> Result<(), ArgFault> {
    let mut schemas = command.schemas();
    schemas.try_for_each(|schema| schema.check(&command.arguments, args))
}

fn is_missing(argument: &Argument) -> ArgFault {
    ArgFault {
        argument: Some(argument.name.clone()),
        keyword: "required".to_owned(),
        message: format!("{}: must be given", argument.name),
        help: Some(format!("add {}=…", argument.name)),
    }
}

fn check_value(name: &str, value: &Value, depth: usize) -> Result<(), ArgFault> {
    if depth > DEPTH_MAX {
        return Err(ArgFault {
            argument: Some(name.to_owned()),
            keyword: "depth".to_owned(),
            message: format!("{name}: nests deeper than {DEPTH_MAX} levels"),
            help: Some("flatten the value".to_owned()),
        });
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) if text.contains('\0') => Err(ArgFault::nul(name)),
        Value::String(_) => Ok(()),
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| check_value(name, item, depth + 1)),
        Value::Object(object) => object.iter().try_for_each(|(key, member)| {
            if key.contains('\0') {
                return Err(ArgFault::nul(name));
            }
            check_value(name, member, depth + 1)
        }),
    }
}
