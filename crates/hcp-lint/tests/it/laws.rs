//! What holds for every pack: mending ends, and leaves alone what it does not mend.

use crate::support::files;
use hcp_core::json::{Limits, Value, parse};
use hcp_lint::{Surroundings, check, fix, report};
use hcp_pack::Pack;
use proptest::prelude::*;

const NAMES: &[&str] = &[
    "pay",
    "transfer",
    "delete",
    "list",
    "send",
    "publish",
    "sync",
    "note_delete",
    "deploy",
    "share",
    "buy",
    "status",
];
const ARGUMENTS: &[&str] = &[
    "amount", "payee", "to", "subject", "name", "path", "user", "token",
];

/// How the objects of a file are written.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Line,
    Lines(&'static str, &'static str),
    Tight,
}

fn written(value: &Value, manner: Manner, depth: usize) -> String {
    let Value::Object(object) = value else {
        return value.to_string();
    };
    let members: Vec<String> = object
        .iter()
        .map(|(key, value)| match manner {
            Manner::Tight => format!("{}:{}", Value::from(key), written(value, manner, depth + 1)),
            _ => format!(
                "{}: {}",
                Value::from(key),
                written(value, manner, depth + 1)
            ),
        })
        .collect();
    if members.is_empty() {
        return "{}".to_owned();
    }
    match manner {
        Manner::Tight => format!("{{{}}}", members.join(",")),
        Manner::Line => format!("{{ {} }}", members.join(", ")),
        Manner::Lines(newline, indent) => {
            let inner = format!("{newline}{}", indent.repeat(depth + 1));
            let outer = format!("{newline}{}", indent.repeat(depth));
            format!("{{{inner}{}{outer}}}", members.join(&format!(",{inner}")))
        }
    }
}

fn manner() -> impl Strategy<Value = Manner> {
    prop_oneof![
        Just(Manner::Line),
        Just(Manner::Tight),
        Just(Manner::Lines("\n", "  ")),
        Just(Manner::Lines("\r\n", "    ")),
        Just(Manner::Lines("\n", "\t")),
    ]
}

fn json(text: &str) -> Value {
    parse(text, Limits::default()).unwrap().to_value()
}

/// A command of the Surface with some of the arguments, and its Policy.
fn command() -> impl Strategy<Value = (String, Value, Value)> {
    let arguments = proptest::sample::subsequence(ARGUMENTS, 0..4);
    let policy = proptest::sample::subsequence(
        &[
            r#""operation": "write""#,
            r#""undo": "no""#,
            r#""land": "brain""#,
            r#""scope": "cwd""#,
        ][..],
        0..4,
    );
    let confirm = proptest::sample::select(vec!["", r#""confirm": "ask""#, r#""confirm": false"#]);
    (
        proptest::sample::select(NAMES),
        arguments,
        policy,
        confirm,
        any::<bool>(),
    )
        .prop_map(|(name, arguments, policy, confirm, required)| {
            let words: Vec<String> = arguments
                .iter()
                .map(|a| format!(r#", "--{a}={{{{{a}}}}}""#))
                .collect();
            let declared: Vec<String> = arguments
                .iter()
                .map(|a| {
                    format!(r#""{a}": {{ "type": "string", "description": "A \u00e4 \\ text" }}"#)
                })
                .collect();
            let required: Vec<String> = arguments
                .iter()
                .filter(|_| required)
                .map(|a| format!("\"{a}\""))
                .collect();
            let surface = format!(
                r#"{{ "description": "D.", "cli": ["tool", "{name}"{}],
                     "args": {{ "properties": {{ {} }}, "required": [{}] }} }}"#,
                words.concat(),
                declared.join(", "),
                required.join(", ")
            );
            let keys: Vec<&str> = policy
                .into_iter()
                .chain([confirm])
                .filter(|k| !k.is_empty())
                .collect();
            let policy = format!("{{ {} }}", keys.join(", "));
            (name.to_owned(), json(&surface), json(&policy))
        })
}

fn without(value: &Value, key: &[&str]) -> Value {
    let mut value = value.as_object().unwrap().clone();
    value.retain(|known, _| !key.contains(&known));
    Value::Object(value)
}

fn is_subsequence(short: &[u8], long: &[u8]) -> bool {
    let mut long = long.iter();
    short.iter().all(|byte| long.any(|other| other == byte))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn mending_ends_and_touches_nothing_else(
        commands in proptest::collection::vec(command(), 1..5),
        looks in manner(),
        says in manner(),
    ) {
        let surface: Value = [("commands".to_owned(), Value::Object(
            commands.iter().map(|(name, look, _)| (name.clone(), look.clone())).collect()))]
            .into_iter().collect::<hcp_core::json::Object>().into();
        let policy: Value = [("commands".to_owned(), Value::Object(
            commands.iter().map(|(name, _, policy)| (name.clone(), policy.clone())).collect()))]
            .into_iter().collect::<hcp_core::json::Object>().into();
        let before = files(&written(&surface, looks, 0), &written(&policy, says, 0));
        prop_assert!(Pack::read(&before).is_ok());
        let around = Surroundings::default();
        let fixed = fix(&before, &around);

        // It ends: nothing is left that it could mend, and a second time changes nothing.
        prop_assert!(check(&fixed.files, &around).findings.iter().all(|f| f.fix.is_none()));
        let again = fix(&fixed.files, &around);
        prop_assert!(again.mended.is_empty() && again.changed.is_empty());
        prop_assert_eq!(&again.files, &fixed.files);

        // Nothing else is touched: bytes of the Surface are only put in, and of the Policy too but for `confirm`.
        prop_assert_eq!(&before.pack, &fixed.files.pack);
        prop_assert!(is_subsequence(&before.surface, &fixed.files.surface));
        let after = Pack::read(&fixed.files).unwrap();
        let read = |bytes: &[u8]| json(std::str::from_utf8(bytes).unwrap());
        let (looks_after, says_after) = (read(&fixed.files.surface), read(&fixed.files.policy));
        let mut replaced = false;
        for (name, _) in surface.get("commands").unwrap().as_object().unwrap().iter() {
            let of = |value: &Value| value.get("commands").unwrap().get(name).unwrap().clone();
            prop_assert_eq!(of(&surface), without(&of(&looks_after), &["preview"]));
            prop_assert_eq!(
                without(&of(&policy), &["confirm", "operation"]),
                without(&of(&says_after), &["confirm", "operation"])
            );
            replaced |= of(&policy).get("confirm").is_some_and(|c| of(&says_after).get("confirm") != Some(c));
            // It only tightens.
            let was = &Pack::read(&before).unwrap().commands[&after.command(name).unwrap().name].policy;
            let is = &after.command(name).unwrap().policy;
            prop_assert!(is.confirm >= was.confirm && is.operation == was.operation);
        }
        prop_assert!(replaced || is_subsequence(&before.policy, &fixed.files.policy));
    }

    #[test]
    fn no_bytes_make_it_fail(
        surface in proptest::collection::vec(any::<u8>(), 0..200),
        policy in "\\PC{0,120}",
    ) {
        let mut files = files("", &policy);
        files.surface = surface;
        let checked = check(&files, &Surroundings::default());
        prop_assert!(!checked.findings.is_empty());
        prop_assert_eq!(fix(&files, &Surroundings::default()).files, files);
        prop_assert!(!report(&[checked], true).is_empty());
    }

    #[test]
    fn broken_packs_are_told_with_places_inside_them(cut in 0usize..600) {
        let lint = hcp_lint::find("M024").unwrap();
        let mut files = lint.failing.files();
        files.surface.truncate(cut);
        let lines = String::from_utf8_lossy(&files.surface).matches('\n').count() + 1;
        for finding in check(&files, &Surroundings::default()).findings {
            prop_assert!(finding.place.line <= lines && finding.span.start <= finding.span.end);
        }
    }
}
