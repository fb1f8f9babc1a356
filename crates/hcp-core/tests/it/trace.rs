//! What a decision says of itself: reasons, provenance and trace.

use crate::world::{Owned, now, object};
use hcp_core::gate::{Answer, Outcome, Reading, TraceEntry};
use hcp_core::json::{Limits, Value, parse};
use hcp_core::mode::{Decision, Mode};
use hcp_core::names::VerbKey;
use hcp_core::policy::{Confirm, Operation, Policy};
use hcp_core::settings::{AccessFile, Effective, Layer, Layers, Sourced};

pub(crate) fn file(name: &str, text: &str) -> Sourced<AccessFile> {
    let node = parse(text, Limits::default()).unwrap();
    Sourced {
        file: name.to_owned(),
        body: AccessFile::parse(&node).unwrap(),
    }
}

fn layers(user: &str) -> Layers {
    Layers {
        user: Some(file("~/.hcp/access.json", user)),
        ..Layers::default()
    }
}

fn transfer(confirm: Confirm, args: &str) -> Owned {
    Owned {
        verb: VerbKey::parse("ledger.transfer").unwrap(),
        args: object(args),
        policy: Policy {
            operation: Operation::Write,
            confirm,
            ..Policy::default()
        },
        reading: Reading::default(),
    }
}

fn explain(layers: &Layers, owned: &Owned) -> (Answer, Vec<TraceEntry>) {
    Effective::merge(layers.clone()).explain(&owned.call(), now())
}

fn reason(layers: &Layers, owned: &Owned) -> String {
    explain(layers, owned).0.reason
}

#[test]
fn the_policys_always_is_named_as_on_the_page() {
    let answer = explain(&Layers::default(), &transfer(Confirm::Always, "{}")).0;
    assert_eq!(
        serde_json::to_string(&answer).unwrap(),
        r#"{"decision":"ask","reason_code":"confirm_always","reason":"Policy confirm \"always\": every mode asks","mode":"auto","approvals":"agent","from":{"layer":"default"}}"#
    );
}

#[test]
fn the_mode_is_named_with_where_it_was_set() {
    let plain = transfer(Confirm::Never, "{}");
    let ask = transfer(Confirm::Ask, "{}");
    assert_eq!(
        reason(&Layers::default(), &plain),
        "mode auto runs a write (the default)"
    );
    assert_eq!(
        reason(&Layers::default(), &ask),
        "Policy confirm \"ask\": mode auto asks (the default)"
    );
    let manual = layers(r#"{"mode":"manual"}"#);
    assert_eq!(
        reason(&manual, &plain),
        "mode manual asks before every write (set by the user in ~/.hcp/access.json)"
    );
    let run = Layers {
        process_mode: Some(Mode::Run),
        ..Layers::default()
    };
    assert_eq!(
        reason(&run, &ask),
        "mode run runs what Policy confirm \"ask\" marks (set by HCP_MODE)"
    );
    let floor = Layers {
        operator: Some(file("/etc/hcp/access.json", r#"{"mode":"manual"}"#)),
        ..Layers::default()
    };
    let (answer, _) = explain(&floor, &transfer(Confirm::Always, "{}"));
    assert_eq!(
        answer.reason,
        "Policy confirm \"always\": mode manual asks (set by the operator in /etc/hcp/access.json)"
    );
    assert_eq!(
        (answer.from.layer, answer.mode),
        (Layer::Operator, Mode::Manual)
    );
}

#[test]
fn a_rule_is_named_with_index_scope_and_note_and_never_with_values() {
    let user = r#"{"rules":[
        {"match":"notes.delete","decision":"deny"},
        {"match":"ledger.transfer","decision":"ask","when":{"max":{"amount":5},"args":{"payee":"evil"}},"note":"fares"}]}"#;
    let owned = transfer(
        Confirm::Never,
        r#"{"amount":"five hundred","payee":"evil"}"#,
    );
    let (answer, trace) = explain(&layers(user), &owned);
    assert_eq!(
        answer.reason,
        "rule 1 (user): ask ledger.transfer, note \"fares\"; counted as met: amount is no number that can be read exactly"
    );
    assert_eq!(
        serde_json::to_string(&answer.rule).unwrap(),
        r#"{"layer":"user","index":1,"match":"ledger.transfer","decision":"ask","note":"fares"}"#
    );
    assert_eq!(
        serde_json::to_string(&trace).unwrap(),
        r#"[{"layer":"user","index":1,"file":"~/.hcp/access.json","match":"ledger.transfer","decision":"ask","note":"fares","outcome":"decided","why":"counted as met: amount is no number that can be read exactly"}]"#
    );
    let all = format!("{answer:?}{trace:?}");
    assert!(!all.contains("five hundred") && !all.contains("evil"));
}

#[test]
fn every_outcome_of_a_rule() {
    let mut layers = layers(
        r#"{"mode":"manual","rules":[
            {"match":"*","decision":"allow"},
            {"match":"ledger.*","decision":"ask"},
            {"match":"ledger.transfer","decision":"allow","when":{"max":{"amount":5}}},
            {"match":"ledger.transfer","decision":"ask","until":"2026-12-01T12:00:00Z"},
            {"match":"ledger.transfer","decision":"ask","except":[{"args":{"payee":"demo-transit"}}]},
            {"match":"ledger.transfer","decision":"allow","note":"session"},
            {"match":"mail.*","decision":"deny"}]}"#,
    );
    layers.project = vec![
        file(
            "p/.hcp/access.json",
            r#"{"rules":[{"match":"*","decision":"allow"},{"match":"*","decision":"ask"}]}"#,
        ),
        file(
            ".hcp/access.json",
            r#"{"rules":[{"match":"*","decision":"ask"}]}"#,
        ),
    ];
    let owned = transfer(Confirm::Always, r#"{"amount":9,"payee":"demo-transit"}"#);
    let (answer, trace) = explain(&layers, &owned);
    let told: Vec<String> = trace
        .iter()
        .map(|e| format!("{} {} {}: {}", e.layer, e.index, e.outcome, e.why))
        .collect();
    assert_eq!(answer.decision, Decision::Ask);
    assert_eq!(
        told,
        [
            "user 0 dropped: Policy confirm \"always\": only an allow rule that names the command counts",
            "user 1 decided: it applies",
            "user 2 not_matched: amount is above the limit",
            "user 3 over: over since 2026-12-01T12:00:00Z",
            "user 4 not_matched: the call is one of its exceptions",
            "user 5 matched: a session rule answers only the mode and Policy confirm \"ask\"; rule 1 (user) decided",
            "project 0 ignored: a project only tightens",
            "project 1 outranked: it applies; rule 1 (user) decided",
            "project 2 outranked: it applies; rule 1 (user) decided",
        ]
    );
}

#[test]
fn of_equal_rules_the_first_is_named() {
    let user = r#"{"rules":[{"match":"*","decision":"deny","note":"one"},{"match":"*","decision":"deny","note":"two"}]}"#;
    let (answer, trace) = explain(&layers(user), &transfer(Confirm::Never, "{}"));
    assert_eq!(answer.rule.unwrap().note.as_deref(), Some("one"));
    assert_eq!(trace[1].outcome, Outcome::Matched);
}

#[test]
fn the_trace_lists_only_rules_whose_match_fits() {
    let user = r#"{"rules":[{"match":"gh.*","decision":"deny"},{"match":"ledger.list","decision":"deny"}]}"#;
    assert_eq!(
        explain(&layers(user), &transfer(Confirm::Never, "{}")).1,
        []
    );
}

#[test]
fn the_reason_of_a_session_rule() {
    let mut layers = layers(r#"{"mode":"manual"}"#);
    let node = parse(
        r#"{"match":"ledger.transfer","decision":"allow","note":"session"}"#,
        Limits::default(),
    )
    .unwrap();
    layers.session = vec![hcp_core::rule::Rule::parse(&node, &mut Vec::new()).unwrap()];
    let answer = explain(&layers, &transfer(Confirm::Ask, "{}")).0;
    assert_eq!(answer.reason_code.as_str(), "session");
    assert_eq!(
        answer.reason,
        "rule 0 (session): allow ledger.transfer, note \"session\""
    );
    assert_eq!(
        Value::from(answer.from.layer.as_str()),
        Value::from("session")
    );
}
