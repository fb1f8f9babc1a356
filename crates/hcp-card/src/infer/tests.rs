use crate::testing::{json, pack, tool, view_of, with_policy, write};
use crate::view::{View, ViewKind, ViewOrigin};
use crate::{Rules, rules};
use hcp_core::json::{Limits, Object, Value, parse};

const WRITE: &str = r#"{"operation":"write"}"#;
const READ: &str = r#"{"operation":"read"}"#;

/// A call with a text for each argument.
fn call(words: &str) -> View {
    let (key, policy) = match words.strip_prefix("* ") {
        Some(key) => (key, READ),
        None => (words, WRITE),
    };
    let mut parts = key.split_whitespace();
    let key = parts.next().unwrap();
    let args: Object = parts
        .map(|name| (name.to_owned(), Value::from("x")))
        .collect();
    with_policy(key, &Value::Object(args).to_string(), policy)
}

#[test]
fn commands_of_real_tools_have_their_kind() {
    let mut wrong = Vec::new();
    for line in include_str!("kinds.txt")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let (kind, words) = line.split_once(" | ").unwrap();
        let view = call(words);
        let found = view.inferred.map_or("none", ViewKind::as_str);
        if found != kind {
            wrong.push(format!("{words}: {kind}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn titles_are_in_words() {
    for (key, args, title) in [
        (
            "mail.send",
            r#"{"to":["ana@example.org","b@example.org","c@example.org"],"subject":"Lunch","body":"?"}"#,
            r#"Send "Lunch" to ana@example.org and 2 more"#,
        ),
        (
            "mail.send",
            r#"{"recipients":"ana@example.org"}"#,
            "Send a message to ana@example.org",
        ),
        (
            "slack.post",
            r##"{"channel":"#general","text":"hi"}"##,
            "Post to #general",
        ),
        (
            "mail.forward",
            r#"{"id":"7","to":"ana@example.org"}"#,
            "Forward to ana@example.org",
        ),
        (
            "calendar.cancel",
            r#"{"event":"Review","start":"2026-05-03T10:00:00Z"}"#,
            r#"Cancel "Review" on 3 May 10:00"#,
        ),
        (
            "calendar.create",
            r#"{"summary":"Review","start":"tomorrow","attendees":["a","b"]}"#,
            r#"Create "Review" at tomorrow"#,
        ),
        ("calendar.cancel", r#"{}"#, "Cancel an event"),
        (
            "bank.transfer",
            r#"{"amount":"2.80","currency":"EUR","to":"demo-transit"}"#,
            "Pay 2.80 EUR to demo-transit",
        ),
        (
            "bank.transfer",
            r#"{"amount":2.80,"payee":"demo-transit"}"#,
            "Pay 2.80 to demo-transit",
        ),
        (
            "bank.pay",
            r#"{"payee":"demo-transit"}"#,
            "Pay demo-transit",
        ),
        (
            "stripe.refunds_create",
            r#"{"amount":"1000000000000000000000000000000.01","charge":"ch_1"}"#,
            "Refund 1000000000000000000000000000000.01 to ch_1",
        ),
        ("bank.pay", r#"{}"#, "Does it"),
        (
            "notes.delete",
            r#"{"name":"Keys"}"#,
            r#"Delete note "Keys""#,
        ),
        (
            "notes.delete",
            r#"{"names":["a","b","c"]}"#,
            "Delete 3 notes",
        ),
        (
            "gh.issue_delete",
            r#"{"issue":"12","repo":"acme/site"}"#,
            "Delete issue 12 from acme/site",
        ),
        (
            "gh.repo_delete",
            r#"{"repo":"acme/site"}"#,
            r#"Delete repo "acme/site""#,
        ),
        ("docker.rm", r#"{"container":"web"}"#, r#"Remove "web""#),
        (
            "cargo.publish",
            r#"{"package":"hcp-core","version":"1.2.0"}"#,
            "Publish hcp-core 1.2.0 to the registry",
        ),
        (
            "npm.publish",
            r#"{"package":"left-pad"}"#,
            "Publish left-pad",
        ),
        ("docker.push", r#"{"image":"acme/web"}"#, "Push acme/web"),
        ("gh.pr_merge", r#"{"number":"12"}"#, "Merge pr 12"),
        (
            "budgets.share",
            r#"{"document":"Budget","with":"ana@example.org","role":"write"}"#,
            "Give ana@example.org write access to Budget",
        ),
        (
            "drive.share",
            r#"{"file":"Budget","email":"ana@example.org"}"#,
            "Give ana@example.org access to Budget",
        ),
        (
            "jira.issue_update",
            r#"{"issue":"12","status":"closed"}"#,
            r#"Change "status" of issue 12 to closed"#,
        ),
        (
            "jira.issue_update",
            r#"{"issue":"12","field":"status","value":"closed"}"#,
            r#"Change "status" of issue 12 to closed"#,
        ),
        (
            "jira.issue_update",
            r#"{"issue":"12","status":"closed","priority":"low"}"#,
            "Update issue 12",
        ),
        ("gh.issue_close", r#"{"issue":12}"#, "Close issue 12"),
        (
            "fs.write",
            r#"{"path":"report.pdf","content":"x"}"#,
            "Write report.pdf",
        ),
        (
            "fs.move",
            r#"{"source":"a","destination":"b"}"#,
            "Move a to b",
        ),
        (
            "db.migrate",
            r#"{"environment":"production"}"#,
            "Run migrate on production",
        ),
        (
            "docker.exec",
            r#"{"container":"web","command":"ls"}"#,
            "Run ls on web",
        ),
        ("shop.frobnicate", r#"{"a":"b"}"#, "Does it"),
    ] {
        assert_eq!(write(key, args).title, title, "{key} {args}");
    }
}

#[test]
fn a_value_cannot_end_its_quotation_marks() {
    let view = write(
        "mail.send",
        r#"{"to":"eve@example.org","subject":"Lunch\" to ana@example.org and \""}"#,
    );
    assert_eq!(
        view.title,
        r#"Send "Lunch\" to ana@example.org and \"" to eve@example.org"#
    );
}

#[test]
fn fields_have_their_sources_and_the_rest_has_rows() {
    let view = write(
        "mail.send",
        r#"{"bcc":"c@x","recipients":["a@x"],"subject":"s","urgent":true,"tags":[]}"#,
    );
    assert_eq!(
        (view.kind, view.origin),
        (ViewKind::Message, ViewOrigin::Inferred)
    );
    let fields: Vec<&str> = view.fields.keys().collect();
    assert_eq!(fields, ["to", "bcc", "subject"]);
    assert_eq!(view.fields.get("to"), Some(&json(r#"["a@x"]"#)));
    assert_eq!(view.sources.get("to"), Some(&vec!["recipients".to_owned()]));
    let rest: Vec<&str> = view.rest.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(rest, ["urgent", "tags"]);
}

#[test]
fn what_only_the_names_tell_has_no_source() {
    let view = write("calendar.cancel", r#"{"event":"Review"}"#);
    assert_eq!(view.fields.get("action"), Some(&Value::from("cancel")));
    assert!(!view.sources.contains_key("action"));
    let view = write("jira.issue_update", r#"{"issue":"12","status":"closed"}"#);
    assert_eq!(view.fields.get("field"), Some(&Value::from("status")));
    assert!(!view.sources.contains_key("field") && view.sources.contains_key("to"));
}

#[test]
fn a_value_of_another_sort_gives_the_plain_title_and_all_rows() {
    for amount in [r#"{"value":5}"#, "[1,2]", "true"] {
        let view = write("bank.pay", &format!(r#"{{"payee":"x","amount":{amount}}}"#));
        assert_eq!(
            (view.kind, view.title.as_str()),
            (ViewKind::Payment, "Does it"),
            "{amount}"
        );
        assert!(view.fields.is_empty() && view.sources.is_empty());
        assert_eq!(view.rest.len(), 2);
    }
}

#[test]
fn no_dry_run_makes_anything_milder() {
    let view = write("bank.pay", r#"{"payee":"x","amount":"1","dry_run":true}"#);
    assert_eq!(view.kind, ViewKind::Payment);
}

#[test]
fn the_command_line_and_the_description_only_make_graver() {
    let args = json(r#"{"name":"x"}"#);
    let args = args.as_object().unwrap();
    for (key, cli, description, kind) in [
        (
            "files.tidy",
            r#"["rm","-r","{{name}}"]"#,
            "Tidies.",
            Some(ViewKind::Removal),
        ),
        (
            "files.tidy",
            r#"["/bin/rm","{{name}}"]"#,
            "Tidies.",
            Some(ViewKind::Removal),
        ),
        (
            "files.tidy",
            r#"["tidy","{{name}}"]"#,
            "Delete what is old.",
            Some(ViewKind::Removal),
        ),
        (
            "files.delete",
            r#"["ls","{{name}}"]"#,
            "Show it.",
            Some(ViewKind::Removal),
        ),
        (
            "mail.send",
            r#"["mail","list","{{name}}"]"#,
            "List it.",
            Some(ViewKind::Message),
        ),
        ("files.tidy", r#"["tidy","{{name}}"]"#, "Tidies.", None),
    ] {
        let (id, command) = key.split_once('.').unwrap();
        let mut surface = tool(key, args, description).as_object().unwrap().clone();
        surface.insert("cli", json(cli));
        let view = view_of(
            &pack(id, command, &surface.into(), WRITE),
            args,
            &Rules::builtin(),
        );
        assert_eq!(view.inferred, kind, "{key} {cli} {description}");
    }
}

#[test]
fn an_own_rule_stands_ahead() {
    let own = |text: &str| {
        let mut faults = Vec::new();
        let own = Rules::parse(&parse(text, Limits::default()).unwrap(), &mut faults);
        assert!(faults.is_empty(), "{faults:?}");
        Rules::builtin().with_own(own)
    };
    let rules = own(
        r#"{"rules":[{"kind":"message","when":{"command":["page"],"args":["who"]},
            "fields":{"to":["who"],"channel":["=pager"],"body":["text"]},"title":"Page {{to}}: {{text}}"}]}"#,
    );
    let args = json(r#"{"who":"ana","text":"up"}"#);
    let args = args.as_object().unwrap();
    let p = pack("ops", "page", &tool("ops.page", args, "d"), WRITE);
    let view = view_of(&p, args, &rules);
    assert_eq!(
        (view.kind, view.title.as_str()),
        (ViewKind::Message, "Page ana: up")
    );
    assert_eq!(
        Value::from(view.fields).to_string(),
        r#"{"to":"ana","channel":"pager","body":"up"}"#
    );
    // Without a value for the title, the kind's usual one.
    let fewer = json(r#"{"who":"ana"}"#);
    assert_eq!(
        view_of(&p, fewer.as_object().unwrap(), &rules).title,
        "Send a message to ana"
    );
    // Names are compared by their words.
    let rules =
        own(r#"{"rules":[{"kind":"share","when":{"command":["remove"],"args":["recipients"]}}]}"#);
    let args = json(r#"{"toAddress":"ana"}"#);
    let args = args.as_object().unwrap();
    let p = pack("ops", "rm", &tool("ops.rm", args, "d"), WRITE);
    assert_eq!(view_of(&p, args, &rules).kind, ViewKind::Share);
}

#[test]
fn a_declared_view_keeps_what_its_names_say() {
    let args = json(r#"{"amount":"1","payee":"x"}"#);
    let args = args.as_object().unwrap();
    let mut surface = tool("bank.transfer", args, "d")
        .as_object()
        .unwrap()
        .clone();
    surface.insert(
        "preview",
        json(r#"{"kind":"message","title":"Say hello","fields":{"to":"{{payee}}"}}"#),
    );
    let view = view_of(
        &pack("bank", "transfer", &surface.into(), WRITE),
        args,
        &Rules::builtin(),
    );
    assert_eq!(view.kind, ViewKind::Message);
    assert!(view.is(ViewKind::Payment));
}

#[test]
fn every_built_in_rule_is_reached_by_its_examples() {
    for rule in rules::DEFAULT_VIEW_RULES.iter() {
        for example in &rule.examples.matches {
            let found = call(example).inferred;
            let at_least = super::names::gravity(rule.kind);
            assert!(
                found.is_some_and(|kind| super::names::gravity(kind) >= at_least),
                "{example}"
            );
        }
    }
}

/// A bundled pack, by its three files.
fn bundled(pack: &str, surface: &str, policy: &str) -> hcp_pack::Pack {
    hcp_pack::Pack::read(&hcp_pack::PackFiles {
        folder: "bundled".into(),
        pack: pack.into(),
        surface: surface.into(),
        policy: policy.into(),
        skill: None,
    })
    .unwrap()
}

#[test]
fn reads_of_the_bundled_packs_raise_no_alarm() {
    macro_rules! pack {
        ($name:literal) => {
            bundled(
                include_str!(concat!("../../../../packs/", $name, "/pack.json")),
                include_str!(concat!("../../../../packs/", $name, "/surface.json")),
                include_str!(concat!("../../../../packs/", $name, "/policy.json")),
            )
        };
    }
    let rules = Rules::builtin();
    let reading = hcp_core::gate::Reading::default();
    for pack in [
        pack!("git"),
        pack!("ledger"),
        pack!("notes"),
        pack!("transit"),
    ] {
        for command in pack.commands.values() {
            let required = command.arguments.iter().filter(|a| a.required);
            let args: Object = required
                .map(|a| (a.name.clone(), Value::from("x")))
                .collect();
            let policy = command.policy.for_call(&args, &reading);
            let view = crate::view(
                &crate::CardCall {
                    pack: &pack.id,
                    command,
                    args: &args,
                    policy,
                    reading: &reading,
                    unread: &[],
                    files: &[],
                    rules: &rules,
                },
                &crate::Past::default(),
            );
            if policy.operation == hcp_core::policy::Operation::Read {
                assert_eq!(view.inferred, None, "{}.{}", pack.id, command.name);
            }
        }
    }
}
