//! Numbers are judged exactly, by both judges, against a naive one.

use crate::support::{object, value, with_schema};
use hcp_core::decimal::Decimal;
use hcp_core::json::{Number, Object, Value};
use hcp_pack::Command;
use proptest::prelude::*;

/// The same schema for the judge of plain keywords and, wrapped, for the ready validator.
fn both(schema: &str) -> [Command; 2] {
    [
        with_schema(schema),
        with_schema(&format!("{{\"allOf\": [{schema}]}}")),
    ]
}

fn keyword(command: &Command, text: &str) -> Option<String> {
    let args = Object::new().with("a", value(text));
    command.check_args(args).err().map(|f| f.keyword)
}

#[test]
fn both_judges_are_exact() {
    for (schema, good, bad, broken) in [
        (
            r#"{"maximum": 5}"#,
            "5 5.0 5e0 -1e400 0 \"9\" [9]",
            "5.0000000000000000001 6 1e400",
            "maximum",
        ),
        (
            r#"{"maximum": 5.0000000000000000001}"#,
            "5.0000000000000000001 5",
            "5.0000000000000000002",
            "maximum",
        ),
        (
            r#"{"maximum": 1e400}"#,
            "1e400 9e399",
            "1.1e400 1e401",
            "maximum",
        ),
        (
            r#"{"minimum": 5}"#,
            "5 1e400",
            "4.9999999999999999999 -5",
            "minimum",
        ),
        (
            r#"{"exclusiveMaximum": 5}"#,
            "4.9999999999999999999",
            "5 5.000",
            "exclusiveMaximum",
        ),
        (
            r#"{"exclusiveMinimum": 9007199254740992}"#,
            "9007199254740993",
            "9007199254740992",
            "exclusiveMinimum",
        ),
        (
            r#"{"multipleOf": 0.01}"#,
            "2.80 0 -0.03 1e30",
            "2.805 1e-3 1e9999999",
            "multipleOf",
        ),
        (
            r#"{"type": "integer"}"#,
            "1 1.0 -3 1e3 1e400 10e-1 123456789012345678901234567890",
            "1.5 1e-1 123456789012345678901234567890.5 \"1\" true",
            "type",
        ),
        (
            r#"{"type": "number"}"#,
            "1 1.5 1e400",
            "\"1\" [1] false",
            "type",
        ),
        (
            r#"{"enum": [9007199254740993, "x", [1.0]]}"#,
            "9007199254740993 9007199254740993.0 \"x\" [1]",
            "9007199254740992 \"y\" [2] 1e400",
            "enum",
        ),
        (r#"{"const": 1e400}"#, "1e400 10e399", "1e401 1", "const"),
        (
            r#"{"uniqueItems": true}"#,
            "[9007199254740992,9007199254740993] [1,\"1\",true] []",
            "[1,1.0] [1e400,10e399] [{\"a\":1,\"b\":2},{\"b\":2.0,\"a\":1}]",
            "uniqueItems",
        ),
        (
            r#"{"minLength": 2.0}"#,
            "\"éé\" \"abc\" 1",
            "\"é\" \"\"",
            "minLength",
        ),
        (r#"{"maxItems": 1}"#, "[1] []", "[1,2]", "maxItems"),
        (
            r#"{"pattern": "^[0-9]+(\\.[0-9]{2})?$"}"#,
            "\"2.80\" \"5\" 7",
            "\"2.8\" \"x\" \"5\\n\"",
            "pattern",
        ),
    ] {
        for command in both(schema) {
            for text in good.split(' ') {
                assert_eq!(keyword(&command, text), None, "{schema} {text}");
            }
            for text in bad.split(' ') {
                assert_eq!(
                    keyword(&command, text).as_deref(),
                    Some(broken),
                    "{schema} {text}"
                );
            }
        }
    }
}

#[test]
fn limits_hold_behind_references_and_in_objects() {
    let command = crate::support::command(
        r##""cli": ["go", "--a={{a}}"], "args": {
            "$defs": {"money": {"type": "number", "maximum": 5}},
            "properties": {"a": {"type": "object", "properties": {"sum": {"$ref": "#/$defs/money"}}}}
        }"##,
    );
    assert!(command.check_args(object(r#"{"a": {"sum": 5}}"#)).is_ok());
    let fault = command
        .check_args(object(r#"{"a": {"sum": 5.0000000000000000001}}"#))
        .unwrap_err();
    assert_eq!(fault.argument.as_deref(), Some("a"));
    assert_eq!(fault.message, "a: must be at most 5");
}

#[test]
fn references_that_go_round_end() {
    let command = crate::support::command(
        r##""cli": ["go", "--a={{a}}", "--b={{b}}"], "args": {
            "$defs": {
                "tree": {"type": "object", "properties": {"kids": {"items": {"$ref": "#/$defs/tree"}}}},
                "loop": {"$ref": "#/$defs/loop"}
            },
            "properties": {"a": {"$ref": "#/$defs/tree"}, "b": {"$ref": "#/$defs/loop"}}
        }"##,
    );
    assert!(
        command
            .check_args(object(r#"{"a": {"kids": [{"kids": []}]}}"#))
            .is_ok()
    );
    assert!(
        command
            .check_args(object(r#"{"a": {"kids": [{"kids": [5]}]}}"#))
            .is_err()
    );
    let _ = command.check_args(object(r#"{"b": 5}"#));
}

/// A judge on big integers scaled by 10^12, for numbers that fit.
fn naive(keyword: &str, value: i128, limit: i128) -> bool {
    match keyword {
        "minimum" => value >= limit,
        "maximum" => value <= limit,
        "exclusiveMinimum" => value > limit,
        "exclusiveMaximum" => value < limit,
        _ => limit > 0 && value % limit == 0,
    }
}

/// A number as units of 10^-12, written with a random scale.
fn number() -> impl Strategy<Value = (i128, String)> {
    let units = prop_oneof![-30i128..30, any::<i64>().prop_map(i128::from)];
    (units, 0u32..13, any::<bool>()).prop_map(|(units, scale, exponent)| {
        let text = if exponent {
            format!("{units}e-{scale}")
        } else {
            let sign = if units < 0 { "-" } else { "" };
            let digits = format!("{:0>14}", units.unsigned_abs());
            let (whole, part) = digits.split_at(digits.len() - scale as usize);
            let whole = whole.trim_start_matches('0');
            let whole = if whole.is_empty() { "0" } else { whole };
            let dot = if part.is_empty() { "" } else { "." };
            format!("{sign}{whole}{dot}{part}")
        };
        (units * 10i128.pow(12 - scale), text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn limits_agree_with_a_naive_judge(
        (limit, limit_text) in number(),
        values in prop::collection::vec(number(), 1..6),
        keyword in prop::sample::select(vec![
            "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        ]),
    ) {
        prop_assume!(keyword != "multipleOf" || limit > 0);
        for command in both(&format!("{{\"{keyword}\": {limit_text}}}")) {
            for (units, text) in &values {
                prop_assert!(Decimal::from_json(text).is_some());
                let args = Object::new().with("a", Value::Number(Number::new(text).unwrap()));
                prop_assert_eq!(
                    command.check_args(args).is_ok(),
                    naive(keyword, *units, limit),
                    "{} {} {}", keyword, limit_text, text
                );
            }
        }
    }
}
