//! The check of a call's arguments: what passes, and what a refusal says.

use crate::support::{command, object, with_schema};
use hcp_core::json::{Object, Value};

fn shop() -> hcp_pack::Command {
    command(
        r#""cli": ["go", "{{amount}}", "--to", "{{payee}}", "--memo={{memo}}"], "args": {
        "type": "object", "description": "…", "additionalProperties": false,
        "properties": {
            "amount": {"type": "string", "pattern": "^[0-9]+$", "description": "Amount", "x-position": 0},
            "payee": {"type": ["string", "null"], "x-alias": ["-t", "--recipient"]},
            "memo": {"default": "none"}
        }, "required": ["amount"]}"#,
    )
}

#[test]
fn arguments_carry_what_the_pack_declares() {
    let command = shop();
    let amount = command.argument("amount").unwrap();
    assert_eq!(amount.kind.as_deref(), Some("string"));
    assert_eq!((amount.position, amount.required), (Some(0), true));
    assert_eq!(amount.description, "Amount");
    let payee = command.argument("payee").unwrap();
    assert_eq!(payee.kind.as_deref(), Some("string"));
    assert_eq!(payee.aliases, ["-t", "--recipient"]);
    assert!(payee.content && !payee.secret && !payee.path && !payee.cwd && !payee.required);
    assert_eq!(command.argument("memo").unwrap().kind, None);
}

#[test]
fn nulls_are_absent_and_defaults_fill_nothing_in() {
    let args = shop().check_args(object(r#"{"amount": "5", "payee": null, "zzz": null}"#));
    assert_eq!(args.unwrap(), object(r#"{"amount": "5"}"#));
}

#[test]
fn refusals_say_what_and_how() {
    for (args, argument, keyword, message, help) in [
        (
            r#"{"payee": "x"}"#,
            "amount",
            "required",
            "amount: must be given",
            Some("add amount=…"),
        ),
        (
            r#"{"amount": "5", "payeee": "x"}"#,
            "payeee",
            "undeclared",
            "the command has no argument \"payeee\"",
            Some("did you mean \"payee\"?"),
        ),
        (
            r#"{"amount": "5", "PAY_EE": "x"}"#,
            "PAY_EE",
            "undeclared",
            "the command has no argument \"PAY_EE\"",
            Some("did you mean \"payee\"?"),
        ),
        (
            r#"{"amount": "5", "zzz": 1}"#,
            "zzz",
            "undeclared",
            "the command has no argument \"zzz\"",
            Some("it takes: amount, payee, memo"),
        ),
        (
            r#"{"amount": "5 EUR"}"#,
            "amount",
            "pattern",
            "amount: must match the pattern of the pack",
            Some("the pattern is \"^[0-9]+$\""),
        ),
        (
            r#"{"amount": 5}"#,
            "amount",
            "type",
            "amount: must be a string",
            None,
        ),
        (
            r#"{"amount": "5", "memo": ["a", {"b": "c\u0000"}]}"#,
            "memo",
            "nul",
            "memo: holds a NUL character, which no program can be given",
            Some("take it out"),
        ),
        (
            r#"{"amount": "5", "memo": {"b\u0000": 1}}"#,
            "memo",
            "nul",
            "memo: holds a NUL character, which no program can be given",
            Some("take it out"),
        ),
    ] {
        let fault = shop().check_args(object(args)).unwrap_err();
        assert_eq!(fault.argument.as_deref(), Some(argument));
        assert_eq!(fault.keyword, keyword);
        assert_eq!(fault.message, message);
        assert_eq!(fault.help.as_deref(), help);
        assert_eq!(fault.to_string(), message);
    }
}

#[test]
fn keywords_are_told_in_words_and_values_are_not() {
    // The value stands out, so that its text would show anywhere.
    let secret = "hunter2hunter2";
    for (schema, value, message) in [
        (
            r#"{"enum": ["json", 5, null]}"#,
            r#""hunter2hunter2""#,
            "a: must be one of \"json\", 5, null",
        ),
        (
            r#"{"const": "x"}"#,
            r#""hunter2hunter2""#,
            "a: must be exactly \"x\"",
        ),
        (
            r#"{"type": ["integer", "boolean"]}"#,
            r#""hunter2hunter2""#,
            "a: must be a whole number or true or false",
        ),
        (
            r#"{"type": "object"}"#,
            r#""hunter2hunter2""#,
            "a: must be an object",
        ),
        (
            r#"{"maxLength": 3}"#,
            r#""hunter2hunter2""#,
            "a: must have at most 3 characters",
        ),
        (
            r#"{"minLength": 30}"#,
            r#""hunter2hunter2""#,
            "a: must have at least 30 characters",
        ),
        (
            r#"{"items": {"type": "number"}}"#,
            r#"[1, "hunter2hunter2"]"#,
            "a: item 2 must be a number",
        ),
        (
            r#"{"minItems": 2}"#,
            r#"["hunter2hunter2"]"#,
            "a: must have at least 2 items",
        ),
        (
            r#"{"uniqueItems": true}"#,
            r#"["hunter2hunter2", "hunter2hunter2"]"#,
            "a: must not hold an item twice",
        ),
        (
            r#"{"format": "email"}"#,
            r#""hunter2hunter2""#,
            "a: must have the format \"email\"",
        ),
        (
            r#"{"not": {"type": "string"}}"#,
            r#""hunter2hunter2""#,
            "a: has a form that the pack rules out",
        ),
        (
            r#"{"anyOf": [{"type": "number"}, {"const": 1}]}"#,
            r#""hunter2hunter2""#,
            "a: must fit one of the forms of the pack",
        ),
        (
            r#"{"oneOf": [{"type": "string"}, {"minLength": 1}]}"#,
            r#""hunter2hunter2""#,
            "a: must fit exactly one of the forms of the pack",
        ),
        (
            r#"{"properties": {"k": {"maxLength": 1}}}"#,
            r#"{"k": "hunter2hunter2"}"#,
            "a: must have at most 1 characters",
        ),
        (
            r#"{"additionalProperties": false}"#,
            r#"{"hunter2hunter2": 1}"#,
            "a: holds a key that the pack does not declare",
        ),
        (
            r#"{"required": ["k"]}"#,
            r#"{"hunter2hunter2": 1}"#,
            "a: lacks a key that it must have",
        ),
        (
            r#"{"propertyNames": {"maxLength": 1}}"#,
            r#"{"hunter2hunter2": 1}"#,
            "a: holds a key that the pack does not declare",
        ),
        (
            r#"{"prefixItems": [{"const": 1}]}"#,
            r#"["hunter2hunter2"]"#,
            "a: item 1 must be exactly 1",
        ),
        (
            r#"{"contains": {"const": 1}}"#,
            r#"["hunter2hunter2"]"#,
            "a: must hold an item of the kind that the pack asks for",
        ),
        (
            r#"{"if": {"type": "string"}, "then": {"maxLength": 2}}"#,
            r#""hunter2hunter2""#,
            "a: must have at most 2 characters",
        ),
    ] {
        let args = object(&format!("{{\"a\": {value}}}"));
        let fault = with_schema(schema).check_args(args).unwrap_err();
        assert_eq!(fault.message, message, "{schema}");
        assert_eq!(fault.argument.as_deref(), Some("a"), "{schema}");
        assert!(!format!("{fault:?}").contains(secret), "{fault:?}");
    }
}

#[test]
fn formats_are_judged_and_a_path_is_any_text() {
    let date = with_schema(r#"{"type": "string", "format": "date"}"#);
    assert!(date.check_args(object(r#"{"a": "2026-12-01"}"#)).is_ok());
    assert!(date.check_args(object(r#"{"a": "tomorrow"}"#)).is_err());
    for schema in [
        r#"{"type": "string", "format": "path"}"#,
        r#"{"type": "array", "items": {"type": "string", "format": "path"}}"#,
        r#"{"anyOf": [{"type": "null"}, {"format": "path"}]}"#,
    ] {
        assert!(with_schema(schema).argument("a").unwrap().path, "{schema}");
    }
}

#[test]
fn values_from_no_reader_are_bounded() {
    let mut deep = Value::Null;
    for _ in 0..200 {
        deep = Value::Array(vec![deep]);
    }
    let fault = with_schema("{}")
        .check_args(Object::new().with("a", deep))
        .unwrap_err();
    assert_eq!(fault.keyword, "depth");
}
