use super::*;
use crate::gate::Reading;
use crate::json::{Limits, Object, parse};

fn read_over(text: &str, base: &Policy) -> (Option<Policy>, Vec<Fault>) {
    let mut faults = Vec::new();
    let policy = Policy::parse_entry(&parse(text, Limits::default()).unwrap(), base, &mut faults);
    (policy, faults)
}

fn policy(text: &str) -> Policy {
    let (policy, faults) = read_over(text, &Policy::default());
    assert_eq!(faults, [], "{text}");
    policy.unwrap()
}

#[test]
fn the_list_of_granting_keys_is_sorted() {
    assert!(GRANTING.is_sorted());
    for key in [
        "allow", "api_key", "API-Key", "mode", "rules", "users", "roles",
    ] {
        assert!(is_granting_key(key), "{key}");
    }
    for key in ["operation", "confirm", "land", "undo", "scope", "raise"] {
        assert!(!is_granting_key(key), "{key}");
    }
}

#[test]
fn nothing_said_is_a_write_of_ones_own() {
    assert_eq!(policy("{}"), Policy::default());
}

#[test]
fn confirm_takes_words_and_booleans() {
    for (text, wanted) in [
        (r#"{"confirm":true}"#, Confirm::Ask),
        (r#"{"confirm":false}"#, Confirm::Never),
        (r#"{"confirm":"always"}"#, Confirm::Always),
        (r#"{"confirm":"never"}"#, Confirm::Never),
    ] {
        assert_eq!(policy(text).confirm, wanted, "{text}");
    }
}

#[test]
fn each_key_replaces_singly_and_raises_add_up() {
    let base = policy(
        r#"{"operation":"read","confirm":"ask","land":"brain","undo":"no","scope":"cwd",
            "raise":[{"when":{"only":true},"undo":"no"}]}"#,
    );
    let (own, faults) = read_over(
        r#"{"confirm":"never","raise":[{"when":{"args":{"f":true}},"confirm":"always"}]}"#,
        &base,
    );
    let own = own.unwrap();
    assert_eq!(faults, []);
    assert_eq!(own.operation, Operation::Read);
    assert_eq!(own.confirm, Confirm::Never);
    assert_eq!(
        (own.land, own.undo, own.scope),
        (Land::Brain, Undo::No, Scope::Cwd)
    );
    assert_eq!(own.raise.len(), 2);
}

#[test]
fn what_is_refused() {
    for (text, wanted) in [
        (r#"[]"#, "must be an object"),
        (r#"{"operation":"delete"}"#, "is no operation"),
        (r#"{"confirm":"sometimes"}"#, "is no confirm word"),
        (r#"{"confirm":1}"#, "must be a string"),
        (r#"{"undo":"unknown"}"#, "is no undo word"),
        (r#"{"undo":true}"#, "must be a string"),
        (r#"{"confrim":"ask"}"#, "has no key \"confrim\""),
        (
            r#"{"allow":true}"#,
            "packs cannot grant themselves anything",
        ),
        (r#"{"grants":[]}"#, "packs cannot grant themselves anything"),
        (r#"{"roles":[]}"#, "packs cannot grant themselves anything"),
        (r#"{"users":[]}"#, "packs cannot grant themselves anything"),
        (
            r#"{"mode":"run"}"#,
            "packs cannot grant themselves anything",
        ),
        (r#"{"rules":[]}"#, "packs cannot grant themselves anything"),
        (
            r#"{"api_key":"k"}"#,
            "packs cannot grant themselves anything",
        ),
        (r#"{"raise":{}}"#, "must be an array"),
        (r#"{"raise":[{"confirm":"ask"}]}"#, "has no \"when\""),
        (
            r#"{"raise":[{"when":{},"confirm":"ask"}]}"#,
            "would raise every call",
        ),
        (
            r#"{"raise":[{"when":{"op":"read"},"confirm":"ask"}]}"#,
            "no condition \"op\"",
        ),
        (r#"{"raise":[{"when":{"only":true}}]}"#, "raises nothing"),
        (
            r#"{"raise":[{"when":{"only":true},"confirm":"ask","land":"brain"}]}"#,
            "has no key \"land\"",
        ),
        (
            r#"{"raise":[{"when":{"max":{"n":"5"}},"confirm":"ask"}]}"#,
            "must be a number",
        ),
    ] {
        let faults = read_over(text, &Policy::default()).1;
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert!(
            faults[0].message.contains(wanted),
            "{text}: {}",
            faults[0].message
        );
    }
}

#[test]
fn raises_tighten_also_where_nothing_can_be_told() {
    let policy = policy(
        r#"{"confirm":"ask","raise":[
            {"when":{"args":{"force":true}},"confirm":"always","undo":"no"},
            {"when":{"min":{"n":10}},"confirm":"never"}]}"#,
    );
    let args = |text: &str| -> Object {
        let node = parse(text, Limits::default()).unwrap();
        node.to_value().as_object().unwrap().clone()
    };
    let all = Reading::default();
    let partly = Reading {
        fully_read: false,
        ..Reading::default()
    };
    for (text, reading, confirm, undo) in [
        ("{}", &all, Confirm::Ask, Undo::Unknown),
        (r#"{"force":true}"#, &all, Confirm::Always, Undo::No),
        (r#"{"force":"yes"}"#, &all, Confirm::Always, Undo::No),
        (r#"{"force":false}"#, &all, Confirm::Ask, Undo::Unknown),
        (r#"{"n":99}"#, &all, Confirm::Ask, Undo::Unknown),
        ("{}", &partly, Confirm::Always, Undo::No),
    ] {
        let call = policy.for_call(&args(text), reading);
        assert_eq!((call.confirm, call.undo), (confirm, undo), "{text}");
    }
}
