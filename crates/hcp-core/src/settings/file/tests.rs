use super::*;
use crate::json::{Limits, parse};

fn read(text: &str) -> Result<AccessFile, Vec<Fault>> {
    AccessFile::parse(&parse(text, Limits::default()).unwrap())
}

#[test]
fn a_whole_file() {
    let file = read(
        r#"{ "$schema": "x", "mode": "auto", "packs": { "transit": { "mode": "run" } },
             "approvals": "human", "approval_minutes": 30, "views": { "rules": [] },
             "rules": [ { "match": "notes.delete", "decision": "deny" } ] }"#,
    )
    .unwrap();
    assert_eq!(file.mode, Some(Mode::Auto));
    assert_eq!(file.packs.len(), 1);
    assert_eq!(file.approvals, Some(Approvals::Human));
    assert_eq!(file.approval_minutes, Some(30));
    assert_eq!(file.rules.len(), 1);
    assert!(file.views.is_some());
    assert_eq!(read("{}").unwrap(), AccessFile::default());
}

#[test]
fn what_is_refused() {
    for (text, wanted) in [
        ("[]", "must be an object"),
        (r#"{"mode":"fast"}"#, "is no mode"),
        (r#"{"mode":""}"#, "is no mode"),
        (r#"{"mode":null}"#, "must be a string"),
        (r#"{"mod":"run"}"#, "has no key \"mod\""),
        (r#"{"packs":[]}"#, "must be an object"),
        (r#"{"packs":{"A":{"mode":"run"}}}"#, "is no pack id"),
        (r#"{"packs":{"a.*":{"mode":"run"}}}"#, "is no pack id"),
        (r#"{"packs":{"a":{}}}"#, "has no \"mode\""),
        (r#"{"packs":{"a":"run"}}"#, "must be an object"),
        (r#"{"packs":{"a":{"mode":"fast"}}}"#, "is no mode"),
        (
            r#"{"packs":{"a":{"mode":"run","rules":[]}}}"#,
            "has no key \"rules\"",
        ),
        (r#"{"approvals":"nobody"}"#, "is no approvals word"),
        (r#"{"approval_minutes":0}"#, "from 1 to 1440"),
        (r#"{"approval_minutes":1441}"#, "from 1 to 1440"),
        (r#"{"approval_minutes":1.5}"#, "from 1 to 1440"),
        (r#"{"approval_minutes":"15"}"#, "must be a number"),
        (r#"{"rules":{}}"#, "must be an array"),
        (r#"{"views":[]}"#, "must be an object"),
        (r#"{"$schema":5}"#, "must be a string"),
    ] {
        let faults = read(text).unwrap_err();
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert!(
            faults[0].message.contains(wanted),
            "{text}: {}",
            faults[0].message
        );
    }
}
