//! Packs of one command, for this crate's tests.

use crate::rules::Rules;
use crate::{CardCall, Past, View, view};
use hcp_core::gate::Reading;
use hcp_core::json::{Limits, Object, Value, parse};
use hcp_pack::{Pack, PackFiles};

pub(crate) fn json(text: &str) -> Value {
    parse(text, Limits::default()).unwrap().to_value()
}

/// A pack with one command, from the command's part of `surface.json` and of `policy.json`.
pub(crate) fn pack(id: &str, command: &str, surface: &Value, policy: &str) -> Pack {
    let files = PackFiles {
        folder: "test".into(),
        pack: format!(r#"{{"id":"{id}","name":"{id}","version":"1.0.0","summary":"s"}}"#).into(),
        surface: format!(r#"{{"commands":{{"{command}":{surface}}}}}"#).into(),
        policy: format!(r#"{{"commands":{{"{command}":{policy}}}}}"#).into(),
        skill: None,
    };
    Pack::read(&files).unwrap()
}

/// A command of a tool: a verb key and its arguments, declared as strings unless `args` says otherwise.
pub(crate) fn tool(key: &str, args: &Object, description: &str) -> Value {
    let (id, command) = key.split_once('.').unwrap();
    let mut cli = vec![Value::from(id)];
    cli.extend(command.split(['_', '-']).map(Value::from));
    let mut properties = Object::new();
    for (name, value) in args.iter() {
        let kind = match value {
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::String(_) | Value::Null => "string",
        };
        properties.insert(name, Object::new().with("type", kind));
        cli.push(Value::from(format!("--{name}")));
        cli.push(Value::from(format!("{{{{{name}}}}}")));
    }
    Object::new()
        .with("description", description)
        .with("cli", Value::Array(cli))
        .with(
            "args",
            Object::new()
                .with("type", "object")
                .with("properties", properties),
        )
        .into()
}

/// The view of a call of the pack's only command.
pub(crate) fn view_of(pack: &Pack, args: &Object, rules: &Rules) -> View {
    let command = pack.commands.values().next().unwrap();
    let reading = Reading::default();
    view(
        &CardCall {
            pack: &pack.id,
            command,
            args,
            policy: command.policy.for_call(args, &reading),
            reading: &reading,
            unread: &[],
            files: &[],
            rules,
        },
        &Past::default(),
    )
}

/// The view of a write with these arguments, whose names alone tell what it is.
pub(crate) fn write(key: &str, args: &str) -> View {
    with_policy(key, args, r#"{"operation":"write"}"#)
}

/// The same with a Policy.
pub(crate) fn with_policy(key: &str, args: &str, policy: &str) -> View {
    let args = json(args);
    let args = args.as_object().unwrap();
    let (id, command) = key.split_once('.').unwrap();
    let pack = pack(id, command, &tool(key, args, "Does it. And more."), policy);
    view_of(&pack, args, &Rules::builtin())
}
