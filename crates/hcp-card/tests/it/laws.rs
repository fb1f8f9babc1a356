//! The laws of the card over random packs, previews, own rules and arguments: from the card alone the exact
//! arguments can be rebuilt, and two different sets of arguments never give the same card.

use hcp_card::{Card, CardCall, Past, Rules, View, ViewKind, render, view};
use hcp_core::gate::Reading;
use hcp_core::json::{Limits, Object, Value, parse};
use hcp_pack::{Pack, PackFiles};
use proptest::prelude::*;

/// Argument names that the rules know, and some that they do not.
const NAMES: [&str; 22] = [
    "to",
    "recipients",
    "cc",
    "bcc",
    "subject",
    "body",
    "amount",
    "payee",
    "currency",
    "memo",
    "name",
    "path",
    "destination",
    "when",
    "status",
    "issue",
    "role",
    "email",
    "delete",
    "fields",
    "rest",
    "zz",
];
const TYPES: [&str; 6] = ["string", "number", "boolean", "array", "object", ""];
const COMMANDS: [&str; 12] = [
    "send",
    "delete",
    "transfer",
    "publish",
    "share",
    "cancel",
    "run",
    "write",
    "issue_update",
    "frob",
    "pay",
    "list",
];
const PACKS: [&str; 5] = ["tool", "calendar", "notes", "bank", "gh"];

/// A pack of one command.
#[derive(Debug, Clone)]
struct Made {
    pack: &'static str,
    command: &'static str,
    /// The declared arguments with their types.
    arguments: Vec<(&'static str, &'static str)>,
    preview: Option<Value>,
    own: Option<Value>,
}

impl Made {
    fn build(&self) -> Pack {
        let mut cli = vec![Value::from("tool")];
        let mut properties = Object::new();
        for (name, kind) in &self.arguments {
            cli.push(Value::from(format!("--{name}")));
            cli.push(Value::from(format!("{{{{{name}}}}}")));
            let mut schema = if kind.is_empty() {
                Object::new()
            } else {
                Object::new().with("type", *kind)
            };
            if name.len() == 4 {
                // The tool fills it in where it is absent, and the card says so.
                schema.insert("default", Value::Null);
            }
            properties.insert(*name, schema);
        }
        let mut surface = Object::new()
            .with("description", "Does something. With something.")
            .with("cli", Value::Array(cli))
            .with(
                "args",
                Object::new()
                    .with("type", "object")
                    .with("properties", properties),
            );
        if let Some(preview) = &self.preview {
            surface.insert("preview", preview.clone());
        }
        let commands = |inner: Object| {
            let all = Object::new().with("commands", Object::new().with(self.command, inner));
            Value::from(all).to_string().into_bytes()
        };
        let id = self.pack;
        Pack::read(&PackFiles {
            folder: "test".into(),
            pack: format!(r#"{{"id":"{id}","name":"{id}","version":"1.0.0","summary":"s"}}"#)
                .into(),
            surface: commands(surface),
            policy: commands(Object::new().with("operation", "write")),
            skill: None,
        })
        .unwrap()
    }

    fn rules(&self) -> Rules {
        let Some(own) = &self.own else {
            return Rules::builtin();
        };
        let node = parse(&own.to_string(), Limits::default()).unwrap();
        let mut faults = Vec::new();
        let rules = Rules::parse(&node, &mut faults);
        assert!(faults.is_empty(), "{faults:?}");
        rules
    }

    fn view(&self, pack: &Pack, args: &Object) -> View {
        let command = pack.commands.values().next().unwrap();
        // Arguments that the pack does not know come from a line that was not fully read.
        let unread: Vec<String> = args
            .keys()
            .filter(|name| !self.arguments.iter().any(|(own, _)| own == name))
            .map(|name| format!("--{name}"))
            .collect();
        let reading = Reading {
            fully_read: unread.is_empty(),
            ..Reading::default()
        };
        let call = CardCall {
            pack: &pack.id,
            command,
            args,
            policy: command.policy.for_call(args, &reading),
            reading: &reading,
            unread: &unread,
            files: &[],
            rules: &self.rules(),
        };
        view(&call, &Past::default())
    }

    /// The exact arguments, from the card's JSON and the pack's own preview: the naive reader of a card.
    fn rebuild(&self, view: &View) -> Object {
        let view = json(&serde_json::to_string(view).unwrap());
        let mut args = Object::new();
        for row in view.get("rest").and_then(Value::as_array).unwrap() {
            // The row of an argument that is absent says so.
            if row.get("display").and_then(Value::as_str) != Some("not given")
                || row.get("value") != Some(&Value::Null)
            {
                let name = row.get("name").and_then(Value::as_str).unwrap();
                args.insert(name, row.get("value").unwrap().clone());
            }
        }
        let declared = view.get("origin").and_then(Value::as_str) == Some("declared");
        let templates = self.preview.as_ref().and_then(|p| p.get("fields"));
        let sources = view.get("sources").and_then(Value::as_object).unwrap();
        for (field, names) in sources.iter() {
            let shown = view.get("fields").and_then(|f| f.get(field)).unwrap();
            let template = templates.and_then(|t| t.get(field)).and_then(Value::as_str);
            for name in names.as_array().unwrap() {
                let name = name.as_str().unwrap();
                let value = match template.filter(|_| declared) {
                    Some(template) => self.take_out(template, name, shown),
                    None => shown.clone(),
                };
                if let Some(known) = args.get(name) {
                    assert_eq!(known, &value, "{name} is shown twice, and not the same");
                }
                args.insert(name, value);
            }
        }
        args
    }

    /// Without numbers where a string is declared: no such call comes as far as a card, and on its text a number
    /// looks like the string.
    fn of_declared_types(&self, args: Object) -> Object {
        args.into_iter()
            .map(|(name, value)| {
                let string = self
                    .arguments
                    .iter()
                    .any(|(own, kind)| *own == name && *kind == "string");
                match value {
                    Value::Number(number) if string => (name, Value::from(number.as_str())),
                    value => (name, value),
                }
            })
            .collect()
    }

    /// An argument's value from a field that shows it, with fixed text around it or without.
    fn take_out(&self, template: &str, name: &str, shown: &Value) -> Value {
        let (before, after) = template.split_once(&format!("{{{{{name}}}}}")).unwrap();
        if before.is_empty() && after.is_empty() {
            return shown.clone();
        }
        let text = shown.as_str().unwrap();
        let text = text
            .strip_prefix(before)
            .unwrap()
            .strip_suffix(after)
            .unwrap();
        let kind = self
            .arguments
            .iter()
            .find(|(own, _)| own == &name)
            .map_or("", |(_, kind)| kind);
        match kind {
            "number" | "boolean" => parse(text, Limits::default()).unwrap().to_value(),
            _ => Value::from(text),
        }
    }
}

fn card(made: &Made, view: View) -> Card {
    Card {
        pack_name: made.pack.to_owned(),
        summary: "Does something. With something.".to_owned(),
        view,
        account: None,
        cwd: None,
        files: Vec::new(),
        stdin: None,
        // The line is left out: what the view alone does not tell apart must not hide behind it.
        cli: String::new(),
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z@., \"{}1-9]{0,8}",
        Just("true".to_owned()),
        Just("1".to_owned()),
        Just("[\"a\"]".to_owned()),
        Just("a\n  to  b".to_owned()),
        Just("not given".to_owned()),
        Just("1. a\n".to_owned()),
        Just("1. a\nb c d".to_owned()),
        "1\\. a( |  |\n)?",
        "x{55,70}( |  |)y{1,4}",
        "(xx |xx  |yyyyyyy ){8,14}z",
        Just("\u{202e}x\u{200b}".to_owned()),
        Just("\\u{202e}".to_owned()),
        Just("2026-05-03T10:00:00Z".to_owned()),
    ]
}

fn plain() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::from),
        1 => (0_u64..30).prop_map(Value::from),
        1 => Just(Value::from("7")),
        1 => Just(json("2.80")),
        1 => Just(json("123456789012345678901234567890123456789012345678901234567890")),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let nested = plain().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[a-c]|to|amount|display", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    prop_oneof![
        6 => plain(),
        2 => prop::collection::vec(plain(), 0..4).prop_map(Value::Array),
        2 => nested,
    ]
}

/// Values that a careless card would show like this one.
fn neighbours(value: &Value) -> Vec<Value> {
    let mut near = vec![
        Value::from(value.to_string()),
        Value::Array(vec![value.clone()]),
    ];
    let Some(text) = value.as_str() else {
        return near;
    };
    near.extend(parse(text, Limits::default()).map(|node| node.to_value()));
    near.push(Value::from(format!("{text}\n")));
    if let Some(item) = text.strip_prefix("1. ") {
        near.push(Value::Array(vec![Value::from(item)]));
    }
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    for at in places {
        let (before, after) = text.split_at(at);
        near.push(Value::from(match after.strip_prefix(' ') {
            Some(after) => format!("{before}{after}"),
            None => format!("{before} {after}"),
        }));
    }
    near
}

fn json(text: &str) -> Value {
    parse(text, Limits::default()).unwrap().to_value()
}

fn kind() -> impl Strategy<Value = ViewKind> {
    prop::sample::select(ViewKind::ALL)
}

fn template(names: Vec<&'static str>) -> impl Strategy<Value = String> {
    let one = prop::sample::select(names).prop_map(|name| format!("{{{{{name}}}}}"));
    prop_oneof![
        4 => one.clone(),
        2 => one.clone().prop_map(|p| format!("{p} EUR")),
        1 => one.clone().prop_map(|p| format!("<{p}>")),
        2 => (one.clone(), one).prop_map(|(a, b)| format!("{a} {b}")),
        1 => Just("fixed".to_owned()),
    ]
}

fn preview(names: Vec<&'static str>) -> impl Strategy<Value = Value> {
    (
        kind(),
        prop::collection::vec(template(names.clone()), 9),
        template(names),
        any::<u16>(),
    )
        .prop_map(|(kind, templates, title, keep)| {
            let fields: Object = kind
                .fields()
                .iter()
                .zip(templates)
                .enumerate()
                .filter(|(i, _)| keep & (1 << i) != 0)
                .map(|(_, (name, template))| ((*name).to_owned(), Value::from(template)))
                .collect();
            Object::new()
                .with("kind", kind.as_str())
                .with("title", title)
                .with("fields", fields)
                .into()
        })
}

fn own_rule(command: &'static str) -> impl Strategy<Value = Value> {
    (
        kind(),
        prop::collection::vec(prop::sample::select(&NAMES[..]), 9),
    )
        .prop_map(move |(kind, names)| {
            let fields: Object = kind
                .fields()
                .iter()
                .zip(names.chunks(2).cycle())
                .map(|(field, from)| ((*field).to_owned(), Value::from(from.to_vec())))
                .collect();
            let rule = Object::new()
                .with("kind", kind.as_str())
                .with("when", Object::new().with("command", vec![command]))
                .with("fields", fields);
            Object::new()
                .with("rules", Value::Array(vec![rule.into()]))
                .into()
        })
}

fn made() -> impl Strategy<Value = Made> {
    let arguments = prop::sample::subsequence(&NAMES[..], 1..8).prop_flat_map(|names| {
        let count = names.len();
        (
            Just(names),
            prop::collection::vec(prop::sample::select(&TYPES[..]), count),
        )
            .prop_map(|(names, kinds)| names.into_iter().zip(kinds).collect::<Vec<_>>())
    });
    (
        prop::sample::select(&PACKS[..]),
        prop::sample::select(&COMMANDS[..]),
        arguments,
    )
        .prop_flat_map(|(pack, command, arguments)| {
            let names: Vec<&'static str> = arguments.iter().map(|(name, _)| *name).collect();
            (
                prop::option::of(preview(names)),
                prop::option::weighted(0.2, own_rule(command)),
            )
                .prop_map(move |(preview, own)| Made {
                    pack,
                    command,
                    arguments: arguments.clone(),
                    preview,
                    own,
                })
        })
}

/// Arguments of the pack and some that it does not know, as a line that is not fully read gives them.
fn args(made: &Made) -> impl Strategy<Value = Object> + use<> {
    let mut names: Vec<&'static str> = made.arguments.iter().map(|(name, _)| *name).collect();
    names.extend(["_", "vz"]);
    let count = names.len();
    prop::collection::vec(prop::option::weighted(0.7, value()), count).prop_map(move |values| {
        names
            .iter()
            .zip(values)
            .filter_map(|(name, value)| Some(((*name).to_owned(), value?)))
            .collect()
    })
}

fn with_args() -> impl Strategy<Value = (Made, Object, Object)> {
    made().prop_flat_map(|made| (Just(made.clone()), args(&made), args(&made)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_exact_arguments_can_be_rebuilt_from_the_card((made, args, _) in with_args()) {
        let pack = made.build();
        let view = made.view(&pack, &args);
        prop_assert_eq!(&made.rebuild(&view), &args, "{:?}", view);
        // No argument stands behind a field and in a row as well, and no row stands for nothing.
        for row in &view.rest {
            prop_assert!(!view.sources.values().flatten().any(|s| *s == row.name));
        }
        for field in view.sources.keys().map(String::as_str).chain(view.fields.keys()) {
            prop_assert!(view.kind.fields().contains(&field));
            prop_assert!(view.fields.contains_key(field));
        }
    }

    #[test]
    fn different_arguments_never_give_the_same_card((made, a, b) in with_args(), change in any::<prop::sample::Index>(), new in value()) {
        let pack = made.build();
        // One argument changed, and another set altogether.
        let mut near = a.clone();
        if let Some(name) = a.keys().nth(change.index(a.len().max(1))) {
            near.insert(name, new);
        }
        let first = card(&made, made.view(&pack, &a));
        for other in [near, b] {
            let second = card(&made, made.view(&pack, &other));
            prop_assert_eq!(a == other, first.digest() == second.digest());
        }
    }

    #[test]
    fn different_arguments_never_give_the_same_text_card((made, a, b) in with_args(), change in any::<prop::sample::Index>(), new in value()) {
        let pack = made.build();
        let a = made.of_declared_types(a);
        let mut near = a.clone();
        if let Some(name) = a.keys().nth(change.index(a.len().max(1))) {
            near.insert(name, new);
        }
        let show = |args: &Object, columns| render(&card(&made, made.view(&pack, args)), columns).to_string();
        for other in [near, b] {
            let other = made.of_declared_types(other);
            for columns in [80, 40] {
                prop_assert_eq!(a == other, show(&a, columns) == show(&other, columns));
            }
        }
    }

    #[test]
    fn values_that_differ_in_little_never_give_the_same_text_card(name in prop::sample::select(&["zz", "memo", "to"][..]), kind in prop::sample::select(&TYPES[..]), value in value()) {
        let made = Made { pack: "tool", command: "frob", arguments: vec![(name, kind)], preview: None, own: None };
        let pack = made.build();
        let show = |value: &Value| {
            let args = made.of_declared_types(Object::new().with(name, value.clone()));
            (render(&card(&made, made.view(&pack, &args)), 80).to_string(), args)
        };
        let (drawn, args) = show(&value);
        for near in neighbours(&value) {
            let (other, near) = show(&near);
            prop_assert_eq!(args == near, drawn == other, "{:?} and {:?}: {}", args, near, drawn);
        }
    }

    #[test]
    fn a_kind_never_depends_on_values((made, a, b) in with_args()) {
        let pack = made.build();
        let names = |args: &Object| -> Vec<String> {
            args.iter().filter(|(_, v)| v.as_str().is_some_and(|t| !t.is_empty())).map(|(n, _)| n.to_owned()).collect()
        };
        let only = |args: &Object, keep: &[String]| -> Object {
            args.iter().filter(|(n, _)| keep.iter().any(|k| k == n)).map(|(n, v)| (n.to_owned(), v.clone())).collect()
        };
        let both: Vec<String> = names(&a).into_iter().filter(|n| names(&b).contains(n)).collect();
        let kinds = [&a, &b].map(|args| made.view(&pack, &only(args, &both)).inferred);
        prop_assert_eq!(kinds[0], kinds[1]);
    }

    #[test]
    fn any_name_has_words(name in "\\PC{0,20}") {
        for word in hcp_card::names::words(&name) {
            prop_assert!(!word.is_empty());
            prop_assert!(!hcp_card::names::usual(&word).is_empty());
        }
        prop_assert_eq!(hcp_card::names::argument(&name), hcp_card::names::argument(&name));
    }
}
