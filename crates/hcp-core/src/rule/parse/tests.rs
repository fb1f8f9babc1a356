use super::*;
use crate::json::{Limits, parse};
use crate::rule::Rule;

fn read(text: &str) -> (Option<Rule>, Vec<Fault>) {
    let mut faults = Vec::new();
    let rule = Rule::parse(&parse(text, Limits::default()).unwrap(), &mut faults);
    (rule, faults)
}

fn rule(text: &str) -> Rule {
    let (rule, faults) = read(text);
    assert_eq!(faults, [], "{text}");
    rule.unwrap()
}

#[test]
fn matches() {
    for good in ["*", "gh.*", "gh.pr_merge", "a-b.c-d"] {
        assert_eq!(Match::parse(good).unwrap().to_string(), good);
    }
    for bad in [
        "", "gh", "gh.", ".x", "*.x", "*.*", "gh.pr*", "gh.*.x", "GH.*", "gh.a.b", "**", " *",
        "gh .*", "gh.a__b",
    ] {
        assert_eq!(Match::parse(bad), None, "{bad}");
    }
}

#[test]
fn moments_follow_rfc_3339() {
    for good in [
        "2026-12-01T12:00:00Z",
        "2026-12-01t12:00:00z",
        "2026-12-01T12:00:00.123+02:00",
        "2026-12-01T12:00:00-08:30",
    ] {
        assert!(parse_time(good).is_some(), "{good}");
    }
    for bad in [
        "",
        "2026-12-01",
        "2026-12-01T12:00:00",
        "2026-12-01 12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-12-01T12:00:00.Z",
        "2026-12-01T12:00:00+02",
        "2026-12-01T12:00:00Z[UTC]",
        "tomorrow",
        "2026-12-01T25:00:00Z",
        "２026-12-01T12:00:00Z",
        "2026-12-01T12:00:00+02:00:00",
    ] {
        assert_eq!(parse_time(bad), None, "{bad}");
    }
    assert_eq!(
        parse_time("2026-12-01T14:00:00+02:00"),
        parse_time("2026-12-01T12:00:00Z")
    );
}

#[test]
fn a_rule_comes_back_as_it_was_written() {
    for text in [
        r#"{"match":"*","decision":"deny"}"#,
        r#"{"match":"ledger.transfer","decision":"allow","when":{"args":{"payee":"demo-transit"},"max":{"amount":5}},"note":"fares"}"#,
        r#"{"match":"gh.*","decision":"ask","when":{"op":"write","args":{"a":null,"b":[1,{"c":true}]},"max":{"n":1e400},"min":{"n":-2.50},"one_of":{"k":["x",1]},"like":{"p":"docs/**"},"only":true},"except":[{"args":{"x":"y"}},{"only":true}],"until":"2026-12-01T12:00:00Z","by":"human","note":"n"}"#,
    ] {
        assert_eq!(Value::Object(rule(text).to_object()).to_string(), text);
    }
}

#[test]
fn what_is_refused() {
    for (text, wanted) in [
        (r#"5"#, "must be an object"),
        (r#"{"decision":"ask"}"#, "has no \"match\""),
        (r#"{"match":"*"}"#, "has no \"decision\""),
        (r#"{"match":"gh","decision":"ask"}"#, "is no match"),
        (r#"{"match":5,"decision":"ask"}"#, "must be a string"),
        (r#"{"match":"*","decision":"permit"}"#, "is no decision"),
        (
            r#"{"match":"*","decision":"ask","wen":{}}"#,
            "has no key \"wen\"",
        ),
        (
            r#"{"match":"*","decision":"ask","when":5}"#,
            "must be an object",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"arg":{}}}"#,
            "has no key \"arg\"",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"args":{}}}"#,
            "\"args\" is empty",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"max":{}}}"#,
            "\"max\" is empty",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"min":{}}}"#,
            "\"min\" is empty",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"like":{}}}"#,
            "\"like\" is empty",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"one_of":{}}}"#,
            "\"one_of\" is empty",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"one_of":{"k":[]}}}"#,
            "no value to choose from",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"one_of":{"k":"x"}}}"#,
            "must be an array",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"one_of":{"k":[null]}}}"#,
            "null is no value",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"max":{"n":"5"}}}"#,
            "must be a number",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"min":{"n":null}}}"#,
            "must be a number",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"like":{"n":5}}}"#,
            "must be a string",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"op":"delete"}}"#,
            "is no operation",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"only":false}}"#,
            "may only be true",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"only":1}}"#,
            "true or false",
        ),
        (
            r#"{"match":"*","decision":"ask","when":{"args":["a"]}}"#,
            "must be an object",
        ),
        (
            r#"{"match":"*","decision":"ask","except":[{}]}"#,
            "would except every call",
        ),
        (
            r#"{"match":"*","decision":"ask","except":{"only":true}}"#,
            "must be an array",
        ),
        (
            r#"{"match":"*","decision":"ask","until":"soon"}"#,
            "is no moment",
        ),
        (
            r#"{"match":"*","decision":"ask","until":5}"#,
            "must be a string",
        ),
        (
            r#"{"match":"*","decision":"ask","by":"agent"}"#,
            "is no word for who answers",
        ),
        (
            r#"{"match":"*","decision":"allow","by":"human"}"#,
            "only an ask rule",
        ),
        (
            r#"{"match":"*","decision":"deny","by":"human"}"#,
            "only an ask rule",
        ),
        (
            r#"{"match":"*","decision":"ask","note":5}"#,
            "must be a string",
        ),
    ] {
        let faults = read(text).1;
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert!(
            faults[0].message.contains(wanted),
            "{text}: {}",
            faults[0].message
        );
    }
}

#[test]
fn every_fault_is_reported_and_points_at_its_place() {
    let text = r#"{"match":"gh","decison":"ask","when":{"max":{"n":"5"}},"until":"x"}"#;
    let faults = read(text).1;
    let at: Vec<&str> = faults
        .iter()
        .map(|f| text.get(f.span.start..f.span.end).unwrap())
        .collect();
    assert_eq!(at, ["\"gh\"", "{", "\"5\"", "\"x\"", "\"decison\""]);
    assert_eq!(
        faults[0].help.as_deref(),
        Some("write \"gh.*\" for the whole pack")
    );
    assert_eq!(
        faults[4].help.as_deref(),
        Some("did you mean \"decision\"?")
    );
}

#[test]
fn empty_conditions_are_none() {
    assert!(
        rule(r#"{"match":"*","decision":"ask","when":{}}"#)
            .when
            .is_empty()
    );
    assert!(
        !rule(r#"{"match":"*","decision":"ask","when":{"only":true}}"#)
            .when
            .is_empty()
    );
}

#[test]
fn in_words() {
    for (text, words) in [
        (
            r#"{"match":"ledger.transfer","decision":"allow","when":{"args":{"payee":"demo-transit"},"max":{"amount":5}},"note":"fares"}"#,
            "allow ledger.transfer when payee=demo-transit, amount ≤ 5 (fares)",
        ),
        (
            r#"{"match":"notes.delete","decision":"deny"}"#,
            "deny notes.delete",
        ),
        (
            r#"{"match":"*","decision":"deny","when":{"op":"write"},"except":[{"args":{"dry_run":true}},{"min":{"n":1},"only":true}]}"#,
            "deny * when it is a write except when dry_run=true; or when n ≥ 1, nothing else",
        ),
        (
            r#"{"match":"mail.*","decision":"ask","when":{"args":{"bcc":null,"to":"a b"},"one_of":{"k":["x",2]},"like":{"p":"docs/**"}},"by":"human","until":"2026-12-01T12:00:00Z"}"#,
            "ask mail.* when without bcc, to=\"a b\", k one of x|2, p like docs/**, answered by a person, until 2026-12-01T12:00:00Z",
        ),
        (
            "{\"match\":\"*\",\"decision\":\"ask\",\"note\":\"a\\u202eb\"}",
            "ask * (a\\u{202e}b)",
        ),
    ] {
        assert_eq!(rule(text).in_words(), words);
    }
}
