//! What holds for all values.

use crate::support::command;
use hcp_core::json::{Number, Object, Value};
use hcp_pack::{Command, Pack, PackFiles};
use proptest::prelude::*;
use std::sync::OnceLock;

/// A pack whose template has every kind of word.
fn every_word() -> &'static Command {
    static COMMAND: OnceLock<Command> = OnceLock::new();
    COMMAND.get_or_init(|| command(
        r#""cli": ["go", "on", "{{bare}}", "--opt|-o", "{{opt}}", "--eq={{eq}}", "at:{{at}}", "{{one}}:{{two}}",
                  "--num", "{{num}}", "--list", "{{list}}", "--flag", "{{flag}}", "--obj", "{{obj}}",
                  "{{tail}}x", "--", "{{free}}"],
           "args": {"properties": {
             "bare": {"type": "string"}, "opt": {"type": "string"}, "eq": {"type": ["string", "array"]},
             "at": {"type": "string"}, "one": {"type": "string"}, "two": {"type": "string"},
             "num": {"type": "number"}, "list": {"type": "array", "items": {"type": "string"}},
             "flag": {"type": "boolean"}, "obj": {"type": "object"}, "tail": {}, "free": {"type": "string"}}}"#,
    ))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "-{0,2}[a-z=:x|{} -]{0,4}",
        "(--opt|--eq=|--confirm|--|-|true|false|null|5|-5|\\{\\{one\\}\\})",
        any::<String>(),
    ]
    .prop_map(|t| t.replace('\0', ""))
}

fn number() -> impl Strategy<Value = Value> {
    "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,2})?(e-?[0-9])?"
        .prop_map(|t| Value::Number(Number::new(&t).unwrap()))
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((text(), inner), 0..3)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

/// Arguments of the declared types, each there or not.
fn fitting() -> impl Strategy<Value = Object> {
    let string = || prop::option::of(text().prop_map(Value::String));
    let list = prop::collection::vec(text().prop_map(Value::String), 0..3).prop_map(Value::Array);
    let both = prop::option::of((text(), text()));
    let object = prop::collection::vec((text(), any_value()), 0..3)
        .prop_map(|m| Value::Object(m.into_iter().collect()));
    (
        (string(), string(), string(), string(), both),
        prop::option::of(number()),
        prop::option::of(list),
        prop::option::of(any::<bool>().prop_map(Value::Bool)),
        prop::option::of(object),
        string(),
    )
        .prop_map(|((bare, opt, eq, at, both), num, list, flag, obj, free)| {
            let mut args = Object::new();
            let (one, two) = both.map(|(a, b)| (Value::from(a), Value::from(b))).unzip();
            for (name, value) in [
                ("bare", bare),
                ("opt", opt),
                ("eq", eq),
                ("at", at),
                ("one", one),
                ("two", two),
                ("num", num),
                ("list", list),
                ("flag", flag),
                ("obj", obj),
                ("free", free),
            ] {
                if let Some(value) = value {
                    args.insert(name, value);
                }
            }
            args
        })
}

/// What the tool gets nothing for is the same as absent.
fn without_nothings(args: &Object) -> Object {
    fn clean(value: &Value) -> Value {
        match value {
            Value::Object(o) => Value::Object(
                o.iter()
                    .filter(|(_, v)| **v != Value::Null)
                    .map(|(k, v)| (k.to_owned(), clean(v)))
                    .collect(),
            ),
            Value::Array(items) => Value::Array(items.iter().map(clean).collect()),
            other => other.clone(),
        }
    }
    args.iter()
        .filter(|(_, v)| {
            !matches!(v, Value::Null | Value::Bool(false)) && **v != Value::Array(vec![])
        })
        .map(|(k, v)| (k.to_owned(), clean(v)))
        .collect()
}

/// A pack in which every argument has an option of its own: the words tell the arguments.
fn told_apart() -> &'static Command {
    static COMMAND: OnceLock<Command> = OnceLock::new();
    COMMAND.get_or_init(|| {
        command(
            r#""cli": ["go", "--bare", "{{bare}}", "--opt", "{{opt}}", "--eq={{eq}}", "--at={{at}}",
                  "--one={{one}}", "--two={{two}}", "--num", "{{num}}", "--list", "{{list}}",
                  "--flag", "{{flag}}", "--obj", "{{obj}}", "--", "{{free}}"],
           "args": {"properties": {
             "bare": {"type": "string"}, "opt": {"type": "string"}, "eq": {"type": "string"},
             "at": {"type": "string"}, "one": {"type": "string"}, "two": {"type": "string"},
             "num": {"type": "number"}, "list": {"type": "array", "items": {"type": "string"}},
             "flag": {"type": "boolean"}, "obj": {"type": "object"}, "free": {"type": "string"}}}"#,
        )
    })
}

fn words(command: &Command, args: &Object) -> Option<Vec<String>> {
    let args = command.check_args(args.clone()).ok()?;
    let rendered = command.render(&args).ok()?;
    Some(rendered.words.into_iter().map(|w| w.text).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_value_never_turns_into_an_option(mut args in fitting(), tail in prop::option::of(any_value())) {
        if let Some(tail) = tail {
            args.insert("tail", tail);
        }
        let command = every_word();
        if let Some(words) = words(command, &args) {
            for word in words.iter().take_while(|w| *w != "--") {
                let own = ["--opt", "--num", "--list", "--flag", "--obj"].contains(&word.as_str())
                    || word.starts_with("--eq=");
                let number = Some(word.as_str()) == args.get("num").and_then(|v| match v {
                    Value::Number(n) => Some(n.as_str()),
                    _ => None,
                });
                prop_assert!(!word.starts_with('-') || own || number, "{:?}", words);
            }
        }
    }

    #[test]
    fn different_arguments_give_different_words(a in fitting(), b in fitting(), keep in any::<u16>()) {
        // Most pairs share most arguments, so that small differences are met.
        let mut b = b;
        for (at, name) in ["bare", "opt", "eq", "at", "one", "two", "num", "list", "flag", "obj", "free"]
            .into_iter()
            .enumerate()
        {
            if keep & (1 << at) != 0 {
                b.remove(name);
                if let Some(value) = a.get(name) {
                    b.insert(name, value.clone());
                }
            }
        }
        let command = told_apart();
        if let (Some(left), Some(right)) = (words(command, &a), words(command, &b)) {
            prop_assert_eq!(left == right, without_nothings(&a) == without_nothings(&b), "{:?}", left);
        }
    }

    #[test]
    fn the_check_and_the_words_are_total(args in prop::collection::vec((text(), any_value()), 0..4), any in any_value()) {
        let command = every_word();
        let mut args: Object = args.into_iter().collect();
        for name in ["num", "obj", "tail", "list"] {
            args.insert(name, any.clone());
        }
        let _ = command.check_args(args.clone());
        let _ = command.render(&args);
    }

    #[test]
    fn named_words_are_total(words in prop::collection::vec(text(), 0..4), value in text()) {
        let command = every_word();
        let _ = command.read_named(&words);
        let word = format!("bare={value}");
        let args = command.read_named(&[word]).unwrap();
        prop_assert_eq!(args.get("bare"), Some(&Value::from(value)));
    }

    #[test]
    fn no_fault_tells_a_value(value in "[a-z]{3}hunter[0-9]{6}", name in prop::sample::select(vec![
        "bare", "num", "list", "flag", "obj", "tail", "one",
    ])) {
        let command = every_word();
        for value in [
            Value::from(value.clone()),
            Value::from(format!("-{value}")),
            Value::from(format!("{value}\0")),
            Value::Array(vec![Value::from(format!("-{value}")), Value::from(5u64)]),
            Value::Object(Object::new().with(value.clone(), value.clone())),
        ] {
            let args = Object::new().with(name, value);
            let checked = command.check_args(args.clone());
            for fault in [checked.err(), command.render(&args).err()].into_iter().flatten() {
                prop_assert!(!format!("{fault:?}").contains("hunter"), "{:?}", fault);
            }
        }
    }

    #[test]
    fn reading_a_pack_is_total(cut in 0usize..600, junk in "[{}\\[\\]\",:a-z0-9$ \\\\-]{0,6}", file in 0..3) {
        let surface = r##"{"globals": {"cli": ["-C", "{{dir}}"], "args": {"properties": {"dir": {"x-cwd": true}}}},
            "commands": {"go": {"cli": ["go", "{{a}}", "--b={{b}}"], "args": {"$defs": {"m": {"minimum": 5}},
            "properties": {"a": {"$ref": "#/$defs/m", "pattern": "^a"}, "b": {"enum": [1, "x"], "x-alias": ["-b"]}}, "required": ["a"]},
            "preview": {"kind": "payment", "title": "Pay {{a}}"}}}}"##;
        let policy = r#"{"defaults": {"operation": "read"}, "commands": {"go": {"confirm": true, "raise": [{"when": {"max": {"a": 5}}, "undo": "no"}]}}}"#;
        let pack = r#"{"id": "x", "name": "X", "version": "1", "summary": "S", "connect": {"cli": ["a"], "identity": ["b"]}}"#;
        let mut texts = [pack.to_owned(), surface.to_owned(), policy.to_owned()];
        let spoiled: &mut String = &mut texts[file as usize];
        let mut at = cut % spoiled.len();
        while !spoiled.is_char_boundary(at) {
            at -= 1;
        }
        let end = (at + junk.len() / 2).min(spoiled.len());
        spoiled.replace_range(at..end, &junk);
        let [pack, surface, policy] = texts.map(String::into_bytes);
        let files = PackFiles { folder: "x".to_owned(), pack, surface, policy, skill: None };
        if let Err(all) = Pack::read(&files) {
            prop_assert!(!all.is_empty());
        }
    }
}
