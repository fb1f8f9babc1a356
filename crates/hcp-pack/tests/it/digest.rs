//! What a pack's digest covers, and that a whole pack is read.

use crate::support::files;
use hcp_core::canonical::Digest;
use hcp_core::policy::{Confirm, Land, Operation, Scope, Undo};
use hcp_pack::{Pack, PackFiles};

const SURFACE: &str = r#"{"commands": {"go": {"cli": ["go"]}}}"#;

fn digest(files: &PackFiles) -> Digest {
    Pack::read(files).unwrap().digest
}

#[test]
fn the_digest_follows_the_content_and_not_the_blanks() {
    let policy = r#"{"commands": {"go": {"operation": "read", "confirm": "ask"}}}"#;
    let first = files(SURFACE, policy);
    let blanks = files(
        "{ \"commands\" :\n {\"go\": {\"cli\": [\"g\\u006f\"]}}}",
        r#"{"commands": {"go": {"confirm": "ask", "operation": "read"}}}"#,
    );
    assert_eq!(digest(&first), digest(&blanks));
    let mut others = vec![
        files(SURFACE, r#"{"commands": {"go": {"confirm": "ask"}}}"#),
        files(r#"{"commands": {"go": {"cli": ["go", ""]}}}"#, policy),
        PackFiles {
            skill: Some(Vec::new()),
            ..first.clone()
        },
        PackFiles {
            skill: Some(b"null".to_vec()),
            ..first.clone()
        },
    ];
    let named = String::from_utf8(first.pack.clone())
        .unwrap()
        .replace("1.0.0", "1.0.1");
    others.push(PackFiles {
        pack: named.into(),
        ..first.clone()
    });
    let mut seen = vec![digest(&first)];
    for other in others {
        let digest = digest(&other);
        assert!(!seen.contains(&digest));
        seen.push(digest);
    }
}

#[test]
fn a_whole_pack_is_read() {
    let mut files = files(
        r#"{"$schema": "../schemas/surface.json",
            "commands": {"go": {"description": "Goes.", "cli": ["go", "{{a}}"],
              "args": {"properties": {"a": {"type": "string"}}},
              "preview": {"kind": "payment", "title": "Pay {{a}}", "fields": {"to": "{{a}}", "currency": "EUR"}}},
              "stay": {"cli": ["go", "stay"]}}}"#,
        r#"{"$schema": "x", "defaults": {"operation": "read", "undo": "no",
              "raise": [{"when": {"only": true}, "undo": "no"}]},
            "commands": {"go": {"confirm": true, "land": "brain", "scope": "cwd", "operation": "write",
              "raise": [{"when": {"args": {"a": null}, "like": {"a": "x*"}}, "confirm": "always"}]},
              "stay": {"confirm": false}}}"#,
    );
    files.pack = r#"{"$schema": "x", "id": "my-shop", "name": "Shop", "version": "1", "summary": "S.",
        "homepage": "https://example.org", "connect": {"cli": ["shop", "login"], "identity": ["shop", "whoami"]},
        "env": ["SHOP_TOKEN"], "timeout": 0, "programs": ["shop.exe"], "runs": ["SHOP_PAGER"]}"#
        .into();
    files.skill = Some("Use it.".into());
    let pack = Pack::read(&files).unwrap();
    assert_eq!((pack.id.as_str(), pack.name.as_str()), ("my-shop", "Shop"));
    assert_eq!(pack.homepage.as_deref(), Some("https://example.org"));
    assert_eq!(pack.connect.as_ref().unwrap().identity, ["shop", "whoami"]);
    assert_eq!(pack.env, ["SHOP_TOKEN"]);
    assert_eq!(pack.timeout, Some(0));
    assert_eq!(pack.programs, ["shop.exe"]);
    assert_eq!(pack.runs.as_ref().unwrap().to_string(), r#"["SHOP_PAGER"]"#);
    assert_eq!(pack.skill.as_deref(), Some("Use it."));
    let names: Vec<&str> = pack.commands.keys().map(|n| n.as_str()).collect();
    assert_eq!(names, ["go", "stay"]);
    let commands: Vec<_> = pack.commands.values().collect();
    let go = &commands[0].policy;
    assert_eq!((go.operation, go.confirm), (Operation::Write, Confirm::Ask));
    assert_eq!(
        (go.land, go.undo, go.scope),
        (Land::Brain, Undo::No, Scope::Cwd)
    );
    assert_eq!(go.raise.len(), 2);
    assert_eq!(go.raise[1].confirm, Some(Confirm::Always));
    let stay = &commands[1].policy;
    assert_eq!(
        (stay.operation, stay.confirm),
        (Operation::Read, Confirm::Never)
    );
    assert_eq!((stay.land, stay.scope), (Land::Personal, Scope::Args));
    assert_eq!(stay.raise.len(), 1);
}
