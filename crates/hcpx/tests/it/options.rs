//! The answers beside a card, as the program tells them, held against the program's own judgement.

use crate::HCPX;
use hcp_testkit::World;

const PACK: &str = r#"{ "id": "mail", "name": "Mail", "version": "1.0.0", "summary": "Mail." }"#;
const POLICY: &str = r#"{ "defaults": { "operation": "write", "confirm": "ask" },
    "commands": { "send": {}, "close": {}, "pay": { "confirm": "always" }, "push": { "scope": "cwd" } } }"#;
const SURFACE: &str = r#"{ "commands": {
    "send": { "description": "Send a message.",
        "cli": ["true", "send", "--to={{to}}", "--bcc={{bcc}}", "--subject={{subject}}", "--body={{body}}"],
        "args": { "type": "object", "properties": {
            "to": { "type": "array", "items": { "type": "string" } }, "bcc": { "type": "string" },
            "subject": { "type": "string" }, "body": { "type": "string" } } },
        "preview": { "kind": "message", "title": "Send {{subject}}",
            "fields": { "to": "{{to}}", "bcc": "{{bcc}}", "subject": "{{subject}}", "body": "{{body}}" } } },
    "close": { "description": "Set the status of an issue.", "cli": ["true", "close", "--issue={{issue}}", "--status={{status}}"],
        "args": { "type": "object", "properties": { "issue": { "type": "integer" }, "status": { "type": "string" } } },
        "preview": { "kind": "change", "title": "Change issue {{issue}}", "fields": { "what": "{{issue}}", "to": "{{status}}" } } },
    "pay": { "description": "Pay.", "cli": ["true", "pay", "--to={{to}}"],
        "args": { "type": "object", "properties": { "to": { "type": "string" } } },
        "preview": { "kind": "payment", "title": "Pay {{to}}", "fields": { "to": "{{to}}" } } },
    "push": { "description": "Push.", "cli": ["true", "push"],
        "preview": { "kind": "command", "title": "Push", "fields": {} } } } }"#;

fn world() -> World {
    let world = World::new(HCPX);
    world.write("packs/mail/pack.json", PACK);
    world.write("packs/mail/policy.json", POLICY);
    world.write("packs/mail/surface.json", SURFACE);
    let source = world.root().join("packs/mail");
    world
        .person(&["install", source.to_str().unwrap()])
        .expect_code("ok");
    world
}

fn kinds(world: &World, words: &[&str]) -> Vec<String> {
    let options = world.person(words).value("options");
    let options = options.as_array().unwrap();
    let kind = |o: &hcp_core::json::Value| o.get("kind").unwrap().as_str().unwrap().to_owned();
    options.iter().map(kind).collect()
}

#[test]
fn a_session_is_offered_where_a_rule_stands_for_it() {
    let world = world();
    let all = ["allow_once", "allow_session", "reject"];
    let once = ["allow_once", "reject"];
    let send = [
        "preview",
        "mail",
        "send",
        "--",
        "to=ana@example.org",
        "body=x",
    ];
    assert_eq!(kinds(&world, &send), all);
    assert_eq!(
        kinds(&world, &["preview", "mail", "send", "--", "body=x"]),
        once
    );
    assert_eq!(
        kinds(
            &world,
            &[
                "preview",
                "mail",
                "close",
                "--",
                "issue:=12",
                "status=closed"
            ]
        ),
        all
    );
    assert_eq!(
        kinds(&world, &["preview", "mail", "pay", "--", "to=x"]),
        once
    );
    assert_eq!(kinds(&world, &["preview", "mail", "push"]), once);
    world.person(&["ask", "mail.*"]).expect_code("ok");
    assert_eq!(kinds(&world, &send), once);
}

/// The rule that `preview` shows, put into the session layer of `access test`, lets through what it was offered for.
#[test]
fn the_offered_rule_is_a_session_rule_of_the_settings() {
    let world = world();
    let preview = world.person(&[
        "preview",
        "mail",
        "send",
        "--",
        "to=ana@example.org",
        "to=bo@example.org",
        "subject=Lunch",
    ]);
    let (rule, ends_with) = (
        preview.value("options.1.rule"),
        preview.value("options.1.ends_with"),
    );
    assert_eq!(
        rule.to_string(),
        r#"{"match":"mail.send","decision":"allow","when":{"args":{"to":["ana@example.org","bo@example.org"],"bcc":null,"body":null}},"note":"session"}"#
    );
    let packs = world.person(&["packs", "--json"]);
    assert_eq!(
        ends_with.get("pack_digest").unwrap().as_str(),
        Some(packs.text("packs.0.digest").as_str())
    );
    assert_eq!(
        ends_with.get("identity"),
        Some(&hcp_core::json::Value::Null)
    );
    let case = |args: &str, expect: &str| {
        format!(
            r#"{{ "name": "c", "pack": "mail", "command": "send", "args": {args}, "expect": "{expect}" }}"#
        )
    };
    let audience = r#""to": ["ana@example.org", "bo@example.org"]"#;
    let cases = [
        case(&format!(r#"{{ {audience}, "subject": "Lunch" }}"#), "allow"),
        case(
            &format!(r#"{{ {audience}, "subject": "Dinner" }}"#),
            "allow",
        ),
        case(&format!("{{ {audience} }}"), "allow"),
        case(
            &format!(r#"{{ {audience}, "bcc": "eve@example.org" }}"#),
            "ask",
        ),
        case(
            r#"{ "to": ["bo@example.org", "ana@example.org"], "subject": "Lunch" }"#,
            "ask",
        ),
        case(
            r#"{ "to": ["ana@example.org"], "subject": "Lunch" }"#,
            "ask",
        ),
    ];
    world.write(
        "work/table.json",
        &format!(
            r#"{{ "layers": {{ "session": [{rule}] }}, "cases": [ {} ] }}"#,
            cases.join(", ")
        ),
    );
    let table = world.root().join("work/table.json");
    let ran = world.person(&["access", "test", table.to_str().unwrap()]);
    assert_eq!(ran.value("failed").to_string(), "0", "{}", ran.json());
    assert_eq!(ran.value("passed").to_string(), "6");
}

/// What waits, a yes and a no carry the very request that the preview showed.
#[test]
fn every_face_tells_the_same_facts() {
    let world = world();
    let words = ["mail", "close", "--", "issue:=12", "status=closed"];
    let with = |verb: &'static str| [&[verb][..], &words].concat();
    let preview = world.person(&with("preview"));
    let asked = world.agent(&with("exec"));
    let id = asked.text("approval_id");
    let waiting = world.person(&["approvals"]);
    let approved = world.person(&["approve", &id]);
    let rejected = world.person(&["reject", &id]);
    for key in [
        "view",
        "options",
        "cli",
        "args",
        "reason",
        "reason_code",
        "mode",
    ] {
        let facts = preview.value(key);
        assert_eq!(asked.value(&format!("approval.{key}")), facts, "{key}");
        assert_eq!(waiting.value(&format!("approvals.0.{key}")), facts, "{key}");
        assert_eq!(approved.value(&format!("approval.{key}")), facts, "{key}");
        assert_eq!(rejected.value(&format!("approval.{key}")), facts, "{key}");
    }
}
