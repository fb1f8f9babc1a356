//! The answers beside cards: where a rule is offered, what it binds, and the law that it lets through the call that
//! the person saw and no other.

use super::*;
use crate::call::Past;
use crate::rules::Rules;
use crate::view::{self, ViewKind, ViewOrigin};
use hcp_core::gate::{Call, Reading};
use hcp_core::json::{Limits, parse};
use hcp_core::mode::Mode;
use hcp_core::settings::{AccessFile, Effective, Layers, Sourced};
use hcp_pack::{Pack, PackFiles};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

fn value(text: &str) -> Value {
    parse(text, Limits::default()).unwrap().to_value()
}

fn object(text: &str) -> Object {
    value(text).as_object().cloned().unwrap()
}

/// A pack with the one command `p.c`.
fn pack(properties: &str, preview: &str, policy: &str) -> Pack {
    let names: Vec<String> = object(properties)
        .iter()
        .map(|(n, _)| n.to_owned())
        .collect();
    let words: Vec<String> = names
        .iter()
        .map(|n| format!(r#", "--{n}={{{{{n}}}}}""#))
        .collect();
    let secret = |n: &String| {
        object(properties)
            .get(n)
            .and_then(|p| p.get("x-secret"))
            .is_some()
    };
    let words: Vec<String> = words
        .into_iter()
        .zip(&names)
        .filter(|(_, n)| !secret(n))
        .map(|(w, _)| w)
        .collect();
    let env: Vec<String> = names
        .iter()
        .filter(|n| secret(n))
        .map(|n| format!(r#""{}": "{{{{{n}}}}}""#, n.to_uppercase()))
        .collect();
    let preview = if preview.is_empty() {
        String::new()
    } else {
        format!(r#", "preview": {preview}"#)
    };
    Pack::read(&PackFiles {
        pack: br#"{ "id": "p", "name": "P", "version": "1", "summary": "A pack." }"#.to_vec(),
        surface: format!(
            r#"{{ "commands": {{ "c": {{ "description": "Does it.", "cli": ["tool", "c"{}], "env": {{ {} }},
                "args": {{ "type": "object", "properties": {properties} }}{preview} }} }} }}"#,
            words.concat(), env.join(", ")
        )
        .into_bytes(),
        policy: format!(r#"{{ "commands": {{ "c": {policy} }} }}"#).into_bytes(),
        ..PackFiles::default()
    })
    .unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn access(text: &str) -> Effective {
    Effective::merge(layers(text))
}

fn layers(text: &str) -> Layers {
    let body = AccessFile::parse(&parse(text, Limits::default()).unwrap()).unwrap();
    Layers {
        user: Some(Sourced {
            file: "access".to_owned(),
            body,
        }),
        ..Layers::default()
    }
}

fn now() -> jiff::Timestamp {
    jiff::Timestamp::UNIX_EPOCH
}

fn verb() -> VerbKey {
    VerbKey::parse("p.c").unwrap()
}

fn ends_with() -> EndsWith {
    EndsWith {
        pack_digest: "d".to_owned(),
        identity: None,
    }
}

struct Seen {
    view: View,
    options: Vec<AnswerOption>,
}

impl Seen {
    fn session(&self) -> Option<&SessionRule> {
        self.options.iter().find_map(|o| o.rule.as_ref())
    }
}

/// The view that a test says, or the one that the card draws.
fn see(
    pack: &Pack,
    args: &Object,
    access: &Effective,
    reading: &Reading,
    said: Option<View>,
) -> Seen {
    let verb = verb();
    let command = pack.commands.get(&verb.command).unwrap();
    let policy = command.policy.for_call(args, reading);
    let judged = Call {
        verb: &verb,
        args,
        policy,
        reading,
    };
    let rules = Rules::builtin();
    let call = CardCall {
        pack: &verb.pack,
        command,
        args,
        policy,
        reading,
        unread: &[],
        files: &[],
        rules: &rules,
    };
    let view = said.unwrap_or_else(|| view::view(&call, &Past::default()));
    let answer = access.decide(&judged, now());
    let options = options(&verb, &call, &view, &answer, ends_with(), |rule| {
        access.decision_with(rule, &judged, now()) == Decision::Allow
    });
    Seen { view, options }
}

fn decision(pack: &Pack, args: &Object, access: &Effective) -> Decision {
    let verb = verb();
    let reading = Reading::default();
    let command = pack.commands.get(&verb.command).unwrap();
    let policy = command.policy.for_call(args, &reading);
    access
        .judge(
            &Call {
                verb: &verb,
                args,
                policy,
                reading: &reading,
            },
            now(),
        )
        .decision
}

const ASK: &str = r#"{ "operation": "write", "confirm": "ask" }"#;
const MAIL: &str = r#"{ "to": { "type": "array", "items": { "type": "string" } }, "cc": { "type": "string" },
    "bcc": { "type": "string" }, "subject": { "type": "string" }, "body": { "type": "string" },
    "urgent": { "type": "boolean" } }"#;
const MESSAGE: &str = r#"{ "kind": "message", "title": "Send", "fields": { "to": "{{to}}", "cc": "{{cc}}",
    "bcc": "{{bcc}}", "subject": "{{subject}}", "body": "{{body}}" } }"#;

fn offered(properties: &str, preview: &str, args: &str) -> Option<String> {
    let pack = pack(properties, preview, ASK);
    let seen = see(
        &pack,
        &object(args),
        &access("{}"),
        &Reading::default(),
        None,
    );
    seen.session()
        .map(|s| Value::Object(s.rule.to_object()).to_string())
}

#[test]
fn a_message_binds_its_audience_and_what_must_stay_absent() {
    let pack = pack(MAIL, MESSAGE, ASK);
    let args = object(
        r#"{ "to": ["ana@example.org", "bo@example.org"], "subject": "Lunch", "body": "At noon?" }"#,
    );
    let seen = see(&pack, &args, &access("{}"), &Reading::default(), None);
    let kinds: Vec<&str> = seen.options.iter().map(|o| o.kind.as_str()).collect();
    assert_eq!(kinds, ["allow_once", "allow_session", "reject"]);
    let labels: Vec<&str> = seen.options.iter().map(|o| o.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "Yes, once",
            "Yes, until this session ends: p c to ana@example.org and 1 more, any subject and body, all else as shown",
            "No"
        ]
    );
    assert_eq!(
        Value::Object(seen.options[1].to_object()).to_string(),
        value(
            r#"{ "kind": "allow_session",
                 "label": "Yes, until this session ends: p c to ana@example.org and 1 more, any subject and body, all else as shown",
                 "rule": { "match": "p.c", "decision": "allow",
                           "when": { "args": { "to": ["ana@example.org", "bo@example.org"], "cc": null, "bcc": null, "urgent": null } },
                           "note": "session" },
                 "ends_with": { "pack_digest": "d", "identity": null } }"#
        )
        .to_string()
    );
    let under = access("{}").with_session([seen.session().unwrap().rule.clone()]);
    for (args, wanted) in [
        (
            r#"{ "to": ["ana@example.org", "bo@example.org"] }"#,
            Decision::Allow,
        ),
        (
            r#"{ "to": ["ana@example.org", "bo@example.org"], "subject": "x", "body": "y" }"#,
            Decision::Allow,
        ),
        (
            r#"{ "to": ["bo@example.org", "ana@example.org"] }"#,
            Decision::Ask,
        ),
        (r#"{ "to": ["ana@example.org"] }"#, Decision::Ask),
        (
            r#"{ "to": ["ana@example.org", "bo@example.org"], "bcc": "eve@example.org" }"#,
            Decision::Ask,
        ),
        (
            r#"{ "to": ["ana@example.org", "bo@example.org"], "urgent": false }"#,
            Decision::Ask,
        ),
        (r#"{ "subject": "Lunch" }"#, Decision::Ask),
    ] {
        assert_eq!(decision(&pack, &object(args), &under), wanted, "{args}");
    }
}

#[test]
fn what_each_view_frees() {
    let text = |names: &[&str]| {
        let each: Vec<String> = names
            .iter()
            .map(|n| format!(r#""{n}": {{ "type": "string" }}"#))
            .collect();
        format!("{{ {} }}", each.join(", "))
    };
    for (names, preview, args, wanted) in [
        (
            vec!["issue", "status", "body", "note"],
            r#"{ "kind": "change", "title": "Change", "fields": { "what": "{{issue}}", "to": "{{status}}" } }"#,
            r#"{ "issue": "twelve", "status": "closed" }"#,
            Some(r#"{"issue":"twelve","note":null}"#),
        ),
        // What another field shows as well is bound by it.
        (
            vec!["issue", "status"],
            r#"{ "kind": "change", "title": "Change", "fields": { "what": "{{status}}", "to": "{{status}}" } }"#,
            r#"{ "issue": "twelve", "status": "closed" }"#,
            Some(r#"{"issue":"twelve","status":"closed"}"#),
        ),
        (
            vec!["path", "content", "mode", "data"],
            r#"{ "kind": "file", "title": "Write", "fields": { "path": "{{path}}", "size": "{{data}}" } }"#,
            r#"{ "path": "a.txt", "content": "x", "data": "y" }"#,
            Some(r#"{"path":"a.txt","mode":null,"data":"y"}"#),
        ),
        (
            vec!["program", "body"],
            r#"{ "kind": "run", "title": "Run", "fields": { "program": "{{program}}" } }"#,
            r#"{ "program": "migrate", "body": "x" }"#,
            Some(r#"{"program":"migrate","body":"x"}"#),
        ),
        (
            vec!["subject", "body"],
            r#"{ "kind": "command", "title": "Do it", "fields": {} }"#,
            r#"{ "body": "x" }"#,
            Some(r#"{"subject":null,"body":"x"}"#),
        ),
        (
            vec!["to", "amount"],
            r#"{ "kind": "payment", "title": "Pay", "fields": { "to": "{{to}}" } }"#,
            r#"{ "to": "x" }"#,
            None,
        ),
        (
            vec!["what"],
            r#"{ "kind": "removal", "title": "Delete", "fields": { "what": "{{what}}" } }"#,
            r#"{ "what": "x" }"#,
            None,
        ),
        (
            vec!["what"],
            r#"{ "kind": "publish", "title": "Publish", "fields": { "what": "{{what}}" } }"#,
            r#"{ "what": "x" }"#,
            None,
        ),
        (
            vec!["what"],
            r#"{ "kind": "event", "title": "Cancel", "fields": { "what": "{{what}}" } }"#,
            r#"{ "what": "x" }"#,
            None,
        ),
        (
            vec!["what"],
            r#"{ "kind": "share", "title": "Share", "fields": { "what": "{{what}}" } }"#,
            r#"{ "what": "x" }"#,
            None,
        ),
        // An audience that no argument stands behind, an empty one, one that a title alone names.
        (
            vec!["body"],
            r#"{ "kind": "message", "title": "Send", "fields": { "to": "all", "body": "{{body}}" } }"#,
            r#"{ "body": "x" }"#,
            None,
        ),
        (
            vec!["to", "body"],
            r#"{ "kind": "message", "title": "Send", "fields": { "to": "{{to}}", "body": "{{body}}" } }"#,
            r#"{ "to": "", "body": "x" }"#,
            None,
        ),
        (
            vec!["to", "body"],
            r#"{ "kind": "message", "title": "Send {{to}}", "fields": { "body": "{{body}}" } }"#,
            r#"{ "to": "ana", "body": "x" }"#,
            None,
        ),
        // Nobody declared it, and no rule knows it.
        (vec!["zorp"], "", r#"{ "zorp": "x" }"#, None),
    ] {
        let rule = offered(&text(&names), preview, args);
        let bound = rule.map(|rule| {
            value(&rule)
                .get("when")
                .unwrap()
                .get("args")
                .unwrap()
                .to_string()
        });
        assert_eq!(bound.as_deref(), wanted, "{preview} {args}");
    }
}

#[test]
fn a_command_without_arguments_is_bound_to_have_none() {
    let rule = offered(
        "{}",
        r#"{ "kind": "run", "title": "Run", "fields": {} }"#,
        "{}",
    )
    .unwrap();
    assert_eq!(
        rule,
        r#"{"match":"p.c","decision":"allow","when":{"only":true},"note":"session"}"#
    );
}

#[test]
fn who_asked_and_how_decides_whether_it_may_last() {
    let plain = |policy: &str| pack(MAIL, MESSAGE, policy);
    let args = object(r#"{ "to": ["ana"] }"#);
    let has = |policy: &str, access: &Effective, reading: &Reading| {
        see(&plain(policy), &args, access, reading, None)
            .session()
            .is_some()
    };
    let read = Reading::default();
    assert!(has(ASK, &access("{}"), &read));
    assert!(has(
        r#"{ "operation": "write" }"#,
        &access(r#"{ "mode": "manual" }"#),
        &read
    ));
    for policy in [
        r#"{ "operation": "write", "confirm": "always" }"#,
        r#"{ "operation": "write", "confirm": "ask", "scope": "cwd" }"#,
        r#"{ "operation": "write", "confirm": "ask", "raise": [ { "when": { "args": { "urgent": null } }, "confirm": "always" } ] }"#,
    ] {
        assert!(!has(policy, &access("{}"), &read), "{policy}");
    }
    for settings in [
        r#"{ "rules": [ { "match": "p.*", "decision": "ask" } ] }"#,
        r#"{ "rules": [ { "match": "p.c", "decision": "deny" } ] }"#,
        r#"{ "mode": "run" }"#,
    ] {
        assert!(!has(ASK, &access(settings), &read), "{settings}");
    }
    let operator = |text: &str| {
        let user = layers(text).user;
        Effective::merge(Layers {
            operator: user,
            ..Layers::default()
        })
    };
    assert!(!has(ASK, &operator(r#"{ "mode": "manual" }"#), &read));
    assert!(!has(
        ASK,
        &operator(r#"{ "rules": [ { "match": "*", "decision": "ask" } ] }"#),
        &read
    ));
    let unread = Reading {
        fully_read: false,
        ..Reading::default()
    };
    assert!(!has(ASK, &access("{}"), &unread));
    let untold = Reading {
        untold: ["body".to_owned()].into(),
        ..Reading::default()
    };
    assert!(!has(ASK, &access("{}"), &untold));
}

#[test]
fn what_no_rule_can_hold_on_to_is_not_offered() {
    let preview = r#"{ "kind": "run", "title": "Run", "fields": { "program": "{{a}}" } }"#;
    for (property, args, wanted) in [
        (r#"{ "type": "string" }"#, r#"{ "a": "5.00" }"#, true),
        (r#"{ "type": "string" }"#, r#"{ "a": "true" }"#, true),
        (r#"{ "type": "integer" }"#, r#"{ "a": 5 }"#, true),
        (r#"{ "type": "boolean" }"#, r#"{ "a": false }"#, true),
        (
            r#"{ "type": "array", "items": { "type": "string" } }"#,
            r#"{ "a": ["5"] }"#,
            true,
        ),
        (
            r#"{ "type": "array", "items": { "type": "string" } }"#,
            r#"{ "a": [] }"#,
            true,
        ),
        // The text "5.00" equals the number 5: without a type a rule would let through another call.
        ("{}", r#"{ "a": "x" }"#, true),
        ("{}", r#"{ "a": ["x", "y"] }"#, true),
        ("{}", r#"{ "a": "5.00" }"#, false),
        ("{}", r#"{ "a": "true" }"#, false),
        ("{}", r#"{ "a": 5 }"#, false),
        ("{}", r#"{ "a": true }"#, false),
        ("{}", r#"{ "a": [5] }"#, false),
        // `items` says nothing of what `prefixItems` declares.
        (
            r#"{ "type": "array", "prefixItems": [{}], "items": { "type": "string" } }"#,
            r#"{ "a": ["true"] }"#,
            false,
        ),
        ("{}", r#"{ "a": { "n": 5 } }"#, false),
        (
            r#"{ "type": ["string", "integer"] }"#,
            r#"{ "a": "5" }"#,
            false,
        ),
        (r#"{ "type": "array" }"#, r#"{ "a": ["5"] }"#, false),
        (
            r#"{ "type": "object", "properties": { "n": { "type": "integer" } } }"#,
            r#"{ "a": { "n": 5 } }"#,
            true,
        ),
        (
            r#"{ "type": "string", "x-secret": true }"#,
            r#"{ "a": "[secret, 3 characters, #a1b2c3d4]" }"#,
            false,
        ),
        (r#"{ "type": "string", "x-secret": true }"#, "{}", true),
        (
            r#"{ "type": "string", "format": "path" }"#,
            r#"{ "a": "run.sh" }"#,
            false,
        ),
        (
            r#"{ "type": "string", "format": "path", "x-content": false }"#,
            r#"{ "a": "run.sh" }"#,
            true,
        ),
    ] {
        assert_eq!(
            offered(&format!(r#"{{ "a": {property} }}"#), preview, args).is_some(),
            wanted,
            "{property} {args}"
        );
    }
    // A file that is written is known by its name.
    let file = r#"{ "kind": "file", "title": "Write", "fields": { "path": "{{a}}" } }"#;
    let path = r#"{ "a": { "type": "string", "format": "path" } }"#;
    assert!(offered(path, file, r#"{ "a": "a.txt" }"#).is_some());
}

#[test]
fn a_declared_kind_weakens_nothing() {
    let pack = pack(MAIL, MESSAGE, ASK);
    let args = object(r#"{ "to": ["ana"], "body": "x" }"#);
    let read = Reading::default();
    let drawn = see(&pack, &args, &access("{}"), &read, None).view;
    for kind in [
        ViewKind::Removal,
        ViewKind::Payment,
        ViewKind::Publish,
        ViewKind::Event,
        ViewKind::Share,
    ] {
        let said = View {
            inferred: Some(kind),
            ..drawn.clone()
        };
        assert!(
            see(&pack, &args, &access("{}"), &read, Some(said))
                .session()
                .is_none(),
            "{kind:?}"
        );
    }
    let said = View {
        inferred: Some(ViewKind::Run),
        ..drawn
    };
    let seen = see(&pack, &args, &access("{}"), &read, Some(said));
    let bound = seen.session().unwrap().rule.when.args.len();
    assert_eq!(bound, 6, "what runs by its name is bound as a whole");
}

#[test]
fn a_button_shows_no_unsafe_and_no_endless_value() {
    let pack = pack(MAIL, MESSAGE, ASK);
    let long = "x".repeat(500);
    for (to, shown) in [("a\\u202eb".to_owned(), "to a\\u{202e}b,"), (long, "x…")] {
        let args = object(&format!(r#"{{ "to": ["{to}"], "body": "x" }}"#));
        let seen = see(&pack, &args, &access("{}"), &Reading::default(), None);
        let label = &seen.options[1].label;
        assert!(label.contains(shown), "{label}");
        assert!(label.chars().count() < 200);
    }
}

#[test]
fn a_button_says_what_the_rule_covers() {
    let strings = |names: &[&str]| {
        let each: Vec<String> = names
            .iter()
            .map(|n| format!(r#""{n}": {{ "type": "string" }}"#))
            .collect();
        format!("{{ {} }}", each.join(", "))
    };
    for (names, preview, args, wanted) in [
        (
            vec!["issue", "status"],
            r#"{ "kind": "change", "title": "Change", "fields": { "what": "{{issue}}", "to": "{{status}}" } }"#,
            r#"{ "issue": "twelve", "status": "closed" }"#,
            "p c on twelve, any new value, all else as shown",
        ),
        (
            vec!["path", "content", "body"],
            r#"{ "kind": "file", "title": "Write", "fields": { "path": "{{path}}" } }"#,
            r#"{ "path": "a.txt", "content": "x" }"#,
            "p c to a.txt, any content and body, all else as shown",
        ),
        (
            vec!["program"],
            r#"{ "kind": "run", "title": "Run", "fields": { "program": "{{program}}" } }"#,
            r#"{ "program": "migrate" }"#,
            "exactly this call again",
        ),
        (
            vec!["issue"],
            r#"{ "kind": "change", "title": "Change", "fields": { "what": "{{issue}}", "to": "closed" } }"#,
            r#"{ "issue": "twelve" }"#,
            "exactly this call again",
        ),
    ] {
        let pack = pack(&strings(&names), preview, ASK);
        let seen = see(
            &pack,
            &object(args),
            &access("{}"),
            &Reading::default(),
            None,
        );
        let label = seen.options[1].label.clone();
        assert_eq!(label, format!("Yes, until this session ends: {wanted}"));
    }
}

// The law.

const NAMES: &[&str] = &[
    "to", "bcc", "subject", "body", "content", "path", "what", "n",
];
const TYPES: &[&str] = &[
    "{}",
    r#"{ "type": "string" }"#,
    r#"{ "type": "integer" }"#,
    r#"{ "type": "number" }"#,
    r#"{ "type": "boolean" }"#,
    r#"{ "type": "array", "items": { "type": "string" } }"#,
    r#"{ "type": "array" }"#,
    r#"{ "type": ["string", "array"] }"#,
    r#"{ "type": "object" }"#,
];
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "\"true\"",
    "5",
    "5.0",
    "7",
    "-3",
    "\"5\"",
    "\"5.00\"",
    "\"007\"",
    "\"\"",
    "\"x\"",
    "\"x,y\"",
    "\"x y\"",
    "\"y\"",
    "[]",
    "[\"x\"]",
    "[\"x\",\"y\"]",
    "[\"y\",\"x\"]",
    "[5]",
    "[\"5\"]",
    "[[\"x\"]]",
    "{}",
    "{\"k\":\"x\"}",
    "{\"k\":5}",
    "{\"k\":\"5\"}",
    "{\"k\":null}",
    "[true]",
    "[\"true\"]",
];

fn fits(property: &str, value: &Value) -> bool {
    let one = |word: &str, value: &Value| match word {
        "string" => value.as_str().is_some(),
        "integer" => matches!(value, Value::Number(n) if !n.as_str().contains(".5")),
        "number" => matches!(value, Value::Number(_)),
        "boolean" => value.as_bool().is_some(),
        "array" => value.as_array().is_some(),
        _ => value.as_object().is_some(),
    };
    let property = object(property);
    let kind_fits = match property.get("type") {
        None => true,
        Some(Value::String(word)) => one(word, value),
        Some(words) => words
            .as_array()
            .unwrap()
            .iter()
            .any(|w| one(w.as_str().unwrap(), value)),
    };
    let items_fit = match (property.get("items"), value.as_array()) {
        (Some(_), Some(items)) => items.iter().all(|i| i.as_str().is_some()),
        _ => true,
    };
    *value == Value::Null || kind_fits && items_fit
}

/// Numbers are the same however they are written; nothing else is.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x.decimal() == y.decimal(),
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(k, x)| y.get(k).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}

fn arguments(types: Vec<&'static str>) -> impl Strategy<Value = Object> {
    let each: Vec<_> = types
        .into_iter()
        .map(|property| {
            let fitting: Vec<Value> = VALUES
                .iter()
                .map(|v| value(v))
                .filter(|v| fits(property, v))
                .collect();
            select(fitting)
        })
        .collect();
    each.prop_map(|values| {
        NAMES
            .iter()
            .zip(values)
            .filter(|(_, v)| *v != Value::Null)
            .map(|(n, v)| ((*n).to_owned(), v))
            .collect()
    })
}

fn kind() -> impl Strategy<Value = ViewKind> {
    select(vec![
        ViewKind::Message,
        ViewKind::Change,
        ViewKind::File,
        ViewKind::Run,
        ViewKind::Command,
        ViewKind::Payment,
        ViewKind::Share,
    ])
}

/// Any view at all: any argument behind any field, by two fields at once, or by none.
fn any_view() -> impl Strategy<Value = View> {
    (
        kind(),
        proptest::option::weighted(0.2, kind()),
        proptest::collection::vec((0..9usize, 0..NAMES.len()), 0..6),
        any::<bool>(),
    )
        .prop_map(|(kind, inferred, behind, declared)| {
            let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (field, name) in behind {
                if let Some(field) = kind.fields().get(field) {
                    sources
                        .entry((*field).to_owned())
                        .or_default()
                        .push(NAMES[name].to_owned());
                }
            }
            View {
                kind,
                inferred,
                sources,
                origin: if declared {
                    ViewOrigin::Declared
                } else {
                    ViewOrigin::Inferred
                },
                ..View::plain(&Object::new())
            }
        })
}

/// What a rule for a view may leave free, said once more and plainly.
fn may_vary(view: &View, name: &str) -> bool {
    let fields: Vec<&str> = view
        .sources
        .iter()
        .filter(|(_, args)| args.iter().any(|a| a == name))
        .map(|(field, _)| field.as_str())
        .collect();
    match view.kind {
        ViewKind::Message => {
            !fields.is_empty() && fields.iter().all(|f| *f == "subject" || *f == "body")
        }
        ViewKind::Change => fields == ["to"] || fields.is_empty() && name == "body",
        ViewKind::File => fields.is_empty() && ["content", "text", "body", "data"].contains(&name),
        ViewKind::Event
        | ViewKind::Payment
        | ViewKind::Removal
        | ViewKind::Publish
        | ViewKind::Share
        | ViewKind::Run
        | ViewKind::Command => false,
    }
}

fn world() -> impl Strategy<Value = (Vec<&'static str>, View, Object, Object, Mode)> {
    (
        proptest::collection::vec(select(TYPES), NAMES.len()),
        any_view(),
        select(vec![Mode::Manual, Mode::Auto]),
    )
        .prop_flat_map(|(types, view, mode)| {
            (
                Just(types.clone()),
                Just(view),
                arguments(types.clone()),
                arguments(types),
                Just(mode),
            )
        })
}

/// Every value against every other, under every declaration: what a rule lets through is what it was offered for.
#[test]
fn no_value_passes_for_another() {
    let mut offers = 0;
    for property in TYPES {
        let preview = r#"{ "kind": "run", "title": "Run", "fields": {} }"#;
        let pack = pack(&format!(r#"{{ "a": {property} }}"#), preview, ASK);
        let given = |value: &Value| -> Object {
            let absent = *value == Value::Null;
            (!absent)
                .then(|| ("a".to_owned(), value.clone()))
                .into_iter()
                .collect()
        };
        let values: Vec<Value> = VALUES
            .iter()
            .map(|v| value(v))
            .filter(|v| fits(property, v))
            .collect();
        for seen_value in &values {
            let seen = see(
                &pack,
                &given(seen_value),
                &access("{}"),
                &Reading::default(),
                None,
            );
            let Some(session) = seen.session() else {
                continue;
            };
            offers += 1;
            let under = access("{}").with_session([session.rule.clone()]);
            for other in &values {
                let wanted = if same(seen_value, other) {
                    Decision::Allow
                } else {
                    Decision::Ask
                };
                assert_eq!(
                    decision(&pack, &given(other), &under),
                    wanted,
                    "{property}: {seen_value} then {other}"
                );
            }
        }
    }
    assert!(offers > 60, "{offers}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_same_call_runs_and_any_other_asks((types, view, args, other, mode) in world(), from_other in proptest::collection::vec(any::<bool>(), 8)) {
        let properties: Vec<String> = NAMES.iter().zip(&types).map(|(n, t)| format!(r#""{n}": {t}"#)).collect();
        let pack = pack(&format!("{{ {} }}", properties.join(", ")), "", ASK);
        let settings = format!(r#"{{ "mode": "{}" }}"#, mode.as_str());
        let seen = see(&pack, &args, &access(&settings), &Reading::default(), Some(view.clone()));
        let Some(session) = seen.session() else { return Ok(()) };
        prop_assert!(!view.is(ViewKind::Payment) && !view.is(ViewKind::Share));
        // It is what a settings file may hold, and reads back as itself.
        let text = Value::Object(session.rule.to_object()).to_string();
        let mut faults = Vec::new();
        let read = Rule::parse(&parse(&text, Limits::default()).unwrap(), &mut faults);
        prop_assert_eq!(read.as_ref(), Some(&session.rule));
        let under = access(&settings).with_session([session.rule.clone()]);
        prop_assert_eq!(decision(&pack, &args, &under), Decision::Allow);
        // A neighbour of the call: some of its arguments are another call's.
        let mut near = Object::new();
        for (at, name) in NAMES.iter().enumerate() {
            let from = if from_other[at] { &other } else { &args };
            if let Some(value) = from.get(name) {
                near.insert(*name, value.clone());
            }
        }
        let differs = NAMES.iter().any(|name| {
            let bound = !may_vary(&view, name) || view.is(ViewKind::Run);
            let (a, b) = (args.get(name).unwrap_or(&Value::Null), near.get(name).unwrap_or(&Value::Null));
            bound && !same(a, b)
        });
        let wanted = if differs { Decision::Ask } else { Decision::Allow };
        prop_assert_eq!(decision(&pack, &near, &under), wanted, "{} {}", text, Value::Object(near));
        // A deny rule wins, and so does a rule that asks.
        for word in ["deny", "ask"] {
            let settings = format!(r#"{{ "mode": "{}", "rules": [ {{ "match": "p.*", "decision": "{word}" }} ] }}"#, mode.as_str());
            let under = access(&settings).with_session([session.rule.clone()]);
            prop_assert_ne!(decision(&pack, &args, &under), Decision::Allow);
        }
    }
}
