//! The stories of everyday use, played with the real program.

use crate::HCPX;
use hcp_core::json::Value;
use hcp_testkit::{Answer, Who, World};

const FARE: [&str; 6] = [
    "exec",
    "ledger",
    "transfer",
    "--",
    "amount=2.80",
    "payee=demo-transit",
];

fn transfer<'a>(amount: &'a str, payee: &'a str) -> Vec<String> {
    ["exec", "ledger", "transfer", "--"]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("amount={amount}"), format!("payee={payee}")])
        .collect()
}

fn agent_transfers(world: &World, amount: &str, payee: &str) -> String {
    let words = transfer(amount, payee);
    world
        .agent(&words.iter().map(String::as_str).collect::<Vec<_>>())
        .code()
}

#[test]
fn a_transfer_asks_in_every_mode() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for mode in ["manual", "auto", "run"] {
        world.person(&["mode", mode]).expect_code("ok");
        let asked = world.agent(&FARE);
        asked.expect_code("confirm_required");
        assert_eq!(
            asked.text("approval.reason_code"),
            "confirm_always",
            "{mode}"
        );
        assert_eq!(asked.text("access.mode"), mode);
        assert_eq!(
            asked.text("preview.cli"),
            "ledger transfer 2.80 --to demo-transit --confirm"
        );
        assert_eq!(asked.text("preview.args.amount"), "2.80");
    }
}

#[test]
fn fares_run_under_their_rule_and_nothing_else_does() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world
        .person(&[
            "allow",
            "ledger.transfer",
            "--when",
            "payee=demo-transit",
            "--max",
            "amount=5",
            "--note",
            "fares",
        ])
        .expect_code("ok");
    let ran = world.agent(&FARE);
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "rule");
    assert_eq!(ran.text("rule.note"), "fares");
    for (amount, payee) in [
        ("5.01", "demo-transit"),
        ("2.80", "demo-rent"),
        ("1e1", "demo-transit"),
        ("٥", "demo-transit"),
    ] {
        assert_eq!(
            agent_transfers(&world, amount, payee),
            "confirm_required",
            "{amount} to {payee}"
        );
    }
    // A negative amount would be an option on the command line; it is refused before anybody is asked.
    assert_eq!(
        agent_transfers(&world, "-1", "demo-transit"),
        "invalid_args"
    );
    assert_eq!(agent_transfers(&world, "5", "demo-transit"), "ok");
}

/// The codes of all commands that the settings were asked about, by verb key.
fn access_of(world: &World, verb: &str) -> String {
    let listed = world.agent(&["commands"]).value("commands");
    let entry = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c.get("verb_key").and_then(Value::as_str) == Some(verb));
    entry
        .and_then(|c| c.get("access"))
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// What `hcpx access` ignored, as "what: reason".
fn ignored(world: &World) -> Vec<(String, String, String)> {
    let list = world.agent(&["access", "--json"]).value("ignored");
    let text = |v: &Value, k: &str| v.get(k).and_then(Value::as_str).unwrap().to_owned();
    list.as_array()
        .unwrap()
        .iter()
        .map(|i| (text(i, "file"), text(i, "what"), text(i, "reason")))
        .collect()
}

const DELETE: [&str; 5] = ["exec", "notes", "delete", "--", "name=plan"];

#[test]
fn an_ask_rule_for_a_pack_holds_under_every_mode() {
    for word in ["notes", "notes.*"] {
        let world = World::with_packs(HCPX, &["notes"]);
        let added = world.person(&["ask", word]);
        added.expect_code("ok");
        assert_eq!(added.text("rule.match"), "notes.*");
        assert_eq!(added.text("rule.decision"), "ask");
        assert_eq!(added.text("undo"), "hcpx rules rm 0");
        assert_eq!(added.text("changes.0"), "4 commands of notes now ask");
        for mode in ["manual", "auto", "run"] {
            world.person(&["mode", mode]).expect_code("ok");
            let asked = world.agent(&["exec", "notes", "list"]);
            asked.expect_code("confirm_required");
            assert_eq!(asked.text("approval.reason_code"), "rule_ask", "{mode}");
            assert_eq!(asked.text("rule.match"), "notes.*");
            assert_eq!(asked.value("rule.index").to_string(), "0");
        }
        world.person(&["rules", "rm", "0"]).expect_code("ok");
        world.agent(&["exec", "notes", "list"]).expect_code("ok");
    }
    // Before the pack is there the rule is written all the same, and says so.
    let world = World::new(HCPX);
    let early = world.person(&["ask", "git.*"]);
    early.expect_code("ok");
    assert!(early.text("advice.0").contains("git"), "{}", early.stdout);
}

#[test]
fn a_star_that_the_shell_expanded_is_recognised() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for verb in ["allow", "ask", "deny"] {
        let said = world.person(&[verb, "Cargo.lock", "Cargo.toml", "src"]);
        said.expect_code("usage");
        assert!(
            said.text("hint").contains("quote the star"),
            "{}",
            said.stdout
        );
        assert!(said.text("hint").contains(&format!("hcpx {verb} '*'")));
    }
    for word in [
        "led*",
        "ledger.tr*",
        "*.transfer",
        "",
        "ledger..x",
        "Ledger.*",
    ] {
        world.person(&["ask", word]).expect_code("usage");
    }
    let rules = world.person(&["rules"]).value("rules");
    assert_eq!(rules.as_array().unwrap().len(), 0, "nothing was written");
}

#[test]
fn a_deny_rule_stands_under_every_mode_and_with_a_yes_in_hand() {
    let world = World::with_packs(HCPX, &["notes"]);
    world
        .agent(&["exec", "notes", "add", "--", "name=plan", "text=Call"])
        .expect_code("ok");
    let id = world
        .agent(&DELETE)
        .with_code("confirm_required")
        .text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    let denied = world.person(&["deny", "notes.delete"]);
    denied.expect_code("ok");
    assert_eq!(denied.text("changes.0"), "notes.delete is refused now");
    for mode in ["manual", "auto", "run"] {
        world.person(&["mode", mode]).expect_code("ok");
        let refused = world.agent(&DELETE);
        refused.expect_code("denied_by_rule");
        assert_eq!(refused.text("rule.match"), "notes.delete");
        assert_eq!(refused.text("rule.layer"), "user");
        assert_eq!(refused.value("approval_id"), Value::Null);
        world.person(&DELETE).expect_code("denied_by_rule");
        world
            .agent(&["exec", "--confirm", &id])
            .expect_code("denied_by_rule");
        world
            .agent(&["exec", "notes.delete", "--confirm", &id, "--", "name=plan"])
            .expect_code("denied_by_rule");
    }
    // Neither an allow rule that names the command, nor one with conditions, nor the environment gets past it.
    world.person(&["allow", "notes.delete"]).expect_code("ok");
    world
        .person(&["allow", "notes.delete", "--when", "name=plan"])
        .expect_code("ok");
    world.agent(&DELETE).expect_code("denied_by_rule");
    let run = world
        .command(Who::Person)
        .env("HCP_MODE", "run")
        .args(DELETE)
        .output()
        .unwrap();
    assert_eq!(Answer::of(&DELETE, run).code(), "denied_by_rule");
    assert_eq!(access_of(&world, "notes.delete"), "deny");
    let shown = world.agent(&["exec", "notes", "show", "--", "name=plan"]);
    assert_eq!(shown.text("stdout"), "Call\n", "the note is still there");
}

#[test]
fn a_deny_rule_with_a_slip_in_its_name_is_not_written() {
    let world = World::with_packs(HCPX, &["notes"]);
    for (word, meant) in [("notes.delet", "delete"), ("nots.delete", "notes")] {
        let said = world.person(&["deny", word]);
        said.expect_code("usage");
        assert!(said.text("message").contains(meant), "{}", said.stdout);
        assert!(said.text("hint").contains("--anyway"));
    }
    let slip = world.person(&["deny", "notes.delete", "--when", "nam=plan"]);
    slip.expect_code("usage");
    assert!(slip.text("message").contains("name"), "{}", slip.stdout);
    world
        .person(&["deny", "gh.*", "--anyway"])
        .expect_code("ok");
    assert_eq!(world.person(&["rules"]).text("rules.0.match"), "gh.*");
}

#[test]
fn deny_everything_that_writes_makes_a_reader() {
    let world = World::with_packs(HCPX, &["ledger", "notes", "transit"]);
    world
        .person(&["deny", "*", "--op", "write"])
        .expect_code("ok");
    let all = world.agent(&["commands"]).value("commands");
    for command in all.as_array().unwrap() {
        let of = |k: &str| command.get(k).and_then(Value::as_str).unwrap();
        let wanted = if of("operation") == "write" {
            "deny"
        } else {
            "allow"
        };
        assert_eq!(of("access"), wanted, "{}", of("verb_key"));
    }
    world
        .agent(&["exec", "ledger", "balance"])
        .expect_code("ok");
    world.agent(&FARE).expect_code("denied_by_rule");
    let add = ["exec", "notes", "add", "--", "name=a", "text=b"];
    world.agent(&add).expect_code("denied_by_rule");
    let removed = world.person(&["rules", "rm", "0"]);
    removed.expect_code("ok");
    assert_eq!(removed.text("undo"), "hcpx deny '*' --op write");
    world.agent(&add).expect_code("ok");
}

#[test]
fn a_project_file_only_tightens() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world.write(
        "work/.hcp/access.json",
        r#"{ "mode": "run", "packs": { "ledger": { "mode": "run" } }, "approvals": "agent",
             "approval_minutes": 60, "views": { "rules": [] },
             "rules": [
               { "match": "ledger.transfer", "decision": "allow" },
               { "match": "notes.*", "decision": "allow", "note": "session" },
               { "match": "notes.delete", "decision": "allow", "when": { "args": { "name": "plan" } } } ] }"#,
    );
    let before = world.agent(&FARE);
    before.expect_code("confirm_required");
    assert_eq!(before.text("access.mode"), "auto");
    world.agent(&DELETE).expect_code("confirm_required");
    let list = ignored(&world);
    let file = world.work().join(".hcp/access.json");
    for what in [
        "mode run",
        "mode run for ledger",
        "approvals agent",
        "approval_minutes 60",
        "\"views\"",
        "rule 0: allow ledger.transfer",
        "rule 1: allow notes.* (session)",
        "rule 2: allow notes.delete",
    ] {
        let entry = list
            .iter()
            .find(|(_, w, _)| w == what || w.starts_with(&format!("{what} ")))
            .unwrap_or_else(|| panic!("{what} is not listed: {list:?}"));
        assert_eq!(entry.0, file.display().to_string());
        assert!(!entry.2.is_empty(), "{what} has no reason");
    }
    assert_eq!(list.len(), 8, "{list:?}");
    for entry in world.agent(&["rules"]).value("rules").as_array().unwrap() {
        assert_eq!(entry.get("scope").and_then(Value::as_str), Some("project"));
        assert_eq!(entry.get("counts"), Some(&Value::Bool(false)));
    }
}

#[test]
fn what_a_project_tightens_counts_from_every_folder_below_it() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world.person(&["mode", "run"]).expect_code("ok");
    world.person(&["allow", "notes.list"]).expect_code("ok");
    world.write(
        "work/.hcp/access.json",
        r#"{ "packs": { "notes": { "mode": "manual" } }, "approvals": "human", "approval_minutes": 5,
             "rules": [ { "match": "notes.list", "decision": "ask" },
                        { "match": "ledger.transfer", "decision": "deny" } ] }"#,
    );
    world.write("work/deep/.hcp/access.json", r#"{ "mode": "manual" }"#);
    std::fs::create_dir_all(world.work().join("deep/er")).unwrap();
    let at = |words: &[&str]| {
        let mut command = world.command(Who::Agent);
        command
            .current_dir(world.work().join("deep/er"))
            .args(words);
        Answer::of(words, command.output().unwrap())
    };
    let access = at(&["access"]);
    assert_eq!(access.text("mode"), "manual");
    assert_eq!(access.text("approvals"), "human");
    assert_eq!(access.value("approval_minutes").to_string(), "5");
    assert_eq!(
        access.value("ignored").as_array().unwrap().len(),
        0,
        "{}",
        access.stdout
    );
    at(&FARE).expect_code("denied_by_rule");
    let add = ["exec", "notes", "add", "--", "name=a", "text=b"];
    let asked = at(&add);
    asked.expect_code("confirm_required");
    assert_eq!(asked.text("approval.reason_code"), "mode_manual");
    assert_eq!(asked.text("access.approvals"), "human");
    // A rule of the person's own does not outvote the project's, which is as specific and asks.
    at(&["exec", "notes", "list"]).expect_code("confirm_required");
    at(&["exec", "ledger", "balance"]).expect_code("ok");
    // Outside the project nothing of it counts.
    let mut outside = world.command(Who::Agent);
    outside.current_dir(world.root()).args(add);
    assert_eq!(Answer::of(&add, outside.output().unwrap()).code(), "ok");
}

#[test]
fn a_settings_file_that_cannot_be_read_stops_every_call() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for (text, column) in [
        (r#"{ "mode": "fast" }"#, "11"),
        (r#"{ "mod": "run" }"#, "3"),
        (r#"{ "mode": "run" "#, "17"),
        (r#"{ "mode": "run", "mode": "manual" }"#, "18"),
        (
            r#"{ "rules": [ { "match": "ledger", "decision": "deny" } ] }"#,
            "25",
        ),
        ("", "1"),
    ] {
        for file in ["work/.hcp/access.json", "store/access.json"] {
            world.write(file, text);
            let refused = world.agent(&["exec", "ledger", "balance"]);
            refused.expect_code("access_invalid");
            let at = |k: &str| refused.value(&format!("diagnostics.0.{k}"));
            assert!(
                at("file").as_str().unwrap().ends_with(file),
                "{}",
                refused.stdout
            );
            assert_eq!(at("line").to_string(), "1", "{}", refused.stdout);
            assert_eq!(at("column").to_string(), column, "{}", refused.stdout);
            std::fs::remove_file(world.root().join(file)).unwrap();
        }
    }
    world
        .agent(&["exec", "ledger", "balance"])
        .expect_code("ok");
}

#[test]
fn the_environment_sets_the_mode_of_a_process_and_only_tightens_inside_an_agent() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world
        .person(&["mode", "manual", "--pack", "notes"])
        .expect_code("ok");
    let with = |who, name: &str, value: &str, words: &[&str]| {
        let mut command = world.command(who);
        command.env(name, value).args(words);
        Answer::of(words, command.output().unwrap())
    };
    let add = ["exec", "notes", "add", "--", "name=a", "text=b"];
    world.person(&add).expect_code("confirm_required");
    with(Who::Person, "HCP_MODE", "run", &add).expect_code("ok");
    assert_eq!(
        with(Who::Person, "HCP_MODE", "run", &["mode"]).text("mode"),
        "run"
    );
    with(Who::Person, "HCP_MODE", "run", &FARE).expect_code("confirm_required");
    with(Who::Agent, "HCP_MODE", "run", &add).expect_code("confirm_required");
    let inside = with(Who::Agent, "HCP_MODE", "run", &["access"]);
    assert_eq!(inside.text("mode"), "auto");
    assert_eq!(inside.text("ignored.0.file"), "HCP_MODE");
    let tight = with(
        Who::Agent,
        "HCP_MODE",
        "manual",
        &["exec", "ledger", "balance"],
    );
    tight.expect_code("ok");
    assert_eq!(tight.text("access.mode"), "manual");
    for word in ["fast", "Auto", " run", "auto,run"] {
        for who in [Who::Person, Who::Agent] {
            let bad = with(who, "HCP_MODE", word, &["exec", "ledger", "balance"]);
            bad.expect_code("access_invalid");
            assert_eq!(bad.text("diagnostics.0.file"), "HCP_MODE");
        }
    }
    with(Who::Person, "HCP_APPROVALS", "maybe", &FARE).expect_code("access_invalid");
    with(Who::Agent, "HCP_MODE", "", &["exec", "ledger", "balance"]).expect_code("ok");
    let human = with(Who::Agent, "HCP_APPROVALS", "human", &FARE);
    assert_eq!(human.text("access.approvals"), "human");
    world
        .person(&["access", "set", "approvals", "human"])
        .expect_code("ok");
    let loose = with(Who::Agent, "HCP_APPROVALS", "agent", &FARE);
    assert_eq!(loose.text("access.approvals"), "human");
    let outside = with(Who::Person, "HCP_APPROVALS", "agent", &FARE);
    assert_eq!(outside.text("access.approvals"), "agent");
}

#[test]
fn grants_decide_before_access_does() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let grants = |text: &str| {
        let file = world.store().join("grants.json");
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
    };
    let balance = ["exec", "ledger", "balance"];
    let add = ["exec", "notes", "add", "--", "name=a", "text=b"];
    grants(r#"{ "grants": [ { "capability": "verb.exec.read", "kind": "agent" } ] }"#);
    world.agent(&balance).expect_code("ok");
    let refused = world.agent(&add);
    refused.expect_code("not_authorized");
    assert_eq!(
        refused.text("reason"),
        "missing verb.exec.write for notes.notes.add"
    );
    assert_eq!(refused.text("denial"), "no_grant");
    assert_eq!(access_of(&world, "ledger.balance"), "allow");
    assert_eq!(access_of(&world, "ledger.transfer"), "deny");
    // Before any question: not even a request is made for what one may not do.
    world.agent(&FARE).expect_code("not_authorized");
    assert_eq!(
        world
            .person(&["approvals"])
            .value("approvals")
            .as_array()
            .unwrap()
            .len(),
        0
    );
    world.person(&balance).expect_code("not_authorized");
    world
        .person(&["install", "transit"])
        .expect_code("not_authorized");

    grants(r#"{ "grants": [ { "capability": "verb.exec.write" } ] }"#);
    world.agent(&balance).expect_code("not_authorized");
    world.agent(&add).expect_code("ok");
    world.agent(&FARE).expect_code("confirm_required");

    grants(
        r#"{ "grants": [ { "capability": "verb.exec.read", "pack_id": "ledger", "verb_keys": ["ledger.balance"] } ] }"#,
    );
    world.agent(&balance).expect_code("ok");
    world
        .agent(&["exec", "ledger", "list"])
        .expect_code("not_authorized");
    world
        .agent(&["exec", "notes", "list"])
        .expect_code("not_authorized");

    for none in [
        r#"{ "grants": [] }"#,
        r#"{ "grants": [ { "capability": "verb.exec.read", "verb_keys": [] } ] }"#,
        r#"{ "grants": [ { "capability": "verb.exec.read", "tenant": "other" } ] }"#,
        r#"{ "grants": [ { "capability": "verb.exec.read", "project": "elsewhere" } ] }"#,
        r#"{ "grants": [ { "capability": "verb.exec.read", "principal": "somebody-else" } ] }"#,
        r#"{ "grants": [ { "capability": "verb.exec.read", "kind": "service" } ] }"#,
    ] {
        grants(none);
        world.agent(&balance).expect_code("not_authorized");
    }
    for broken in [
        "",
        "[]",
        "{}",
        r#"{ "grants": [ { "capability": "verb.exec.rea" } ] }"#,
        r#"{ "grants": [ { "capability": "verb.exec.read", "packs": ["ledger"] } ] }"#,
        r#"{ "grants": [ { } ] }"#,
    ] {
        grants(broken);
        let stopped = world.agent(&balance);
        stopped.expect_code("access_invalid");
        assert!(
            stopped.text("diagnostics.0.file").ends_with("grants.json"),
            "{broken}"
        );
    }
    grants(r#"{ "grants": [ { "capability": "verb.exec.read" } ] }"#);
    let file = world.store().join("grants.json");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o620)).unwrap();
    let open = world.agent(&balance);
    open.expect_code("access_invalid");
    assert!(
        open.text("diagnostics.0.help").starts_with("chmod "),
        "{}",
        open.stdout
    );
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    assert!(
        world
            .agent(&["access"])
            .text("grants")
            .contains("grants.json")
    );
}

#[test]
fn a_rule_for_a_time_is_over_when_its_time_is() {
    let world = World::with_packs(HCPX, &["notes"]);
    let added = world.person(&["allow", "notes.delete", "--for", "1s"]);
    added.expect_code("ok");
    let until: jiff::Timestamp = added.text("rule.until").parse().unwrap();
    assert!(until > jiff::Timestamp::now() - jiff::SignedDuration::from_secs(1));
    world
        .agent(&["exec", "notes", "add", "--", "name=plan", "text=x"])
        .expect_code("ok");
    while jiff::Timestamp::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    world.agent(&DELETE).expect_code("confirm_required");
    assert_eq!(
        world.person(&["rules"]).value("rules.0.over"),
        Value::Bool(true)
    );
    world
        .person(&[
            "allow",
            "notes.delete",
            "--until",
            "2999-01-01T00:00:00+02:00",
        ])
        .expect_code("ok");
    world.agent(&DELETE).expect_code("ok");
    for bad in [
        ["--until", "2001-01-01T00:00:00Z"],
        ["--until", "tomorrow"],
        ["--for", "30"],
        ["--for", "-5m"],
        ["--for", "0s"],
        ["--for", "9999999999999999d"],
    ] {
        let words = ["allow", "notes.delete", bad[0], bad[1]];
        world.person(&words).expect_code("usage");
    }
    world
        .person(&[
            "deny",
            "notes.list",
            "--for",
            "1h",
            "--until",
            "2999-01-01T00:00:00Z",
        ])
        .expect_code("usage");
}

#[test]
fn an_ask_rule_may_want_a_person() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world
        .person(&["ask", "ledger.*", "--human"])
        .expect_code("ok");
    assert_eq!(world.person(&["rules"]).text("rules.0.by"), "human");
    let asked = world.agent(&FARE);
    asked.expect_code("confirm_required");
    assert_eq!(asked.text("access.approvals"), "human");
    assert_eq!(asked.text("approval.approvals"), "human");
    let id = asked.text("approval_id");
    world
        .agent(&["exec", "--confirm", &id])
        .expect_code("human_only");
    world.agent(&["approve", &id]).expect_code("human_only");
    world.person(&["approve", &id]).expect_code("ok");
    let ran = world.agent(&["exec", "--confirm", &id]);
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "human");
    // Elsewhere the agent may still pass a yes on; and the word means nothing on other rules.
    let other = world.agent(&DELETE);
    assert_eq!(other.text("access.approvals"), "agent");
    world
        .person(&["allow", "ledger.*", "--human"])
        .expect_code("usage");
    world
        .person(&["deny", "ledger.*", "--human"])
        .expect_code("usage");
}

#[test]
fn only_an_allow_rule_that_names_it_lets_an_always_command_run() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world.person(&["mode", "run"]).expect_code("ok");
    for (index, words) in [
        ["allow", "*", "--note", "all"],
        ["allow", "ledger.*", "--note", "session"],
        ["allow", "ledger.*", "--op", "write"],
        ["allow", "*", "--when", "payee=demo-transit"],
    ]
    .iter()
    .enumerate()
    {
        world.person(words).expect_code("ok");
        let asked = world.agent(&FARE);
        asked.expect_code("confirm_required");
        assert_eq!(
            asked.text("approval.reason_code"),
            "confirm_always",
            "{index}"
        );
    }
    world
        .person(&["allow", "ledger.transfer", "--note", "session"])
        .expect_code("ok");
    world.agent(&FARE).expect_code("confirm_required");
    world
        .person(&["allow", "ledger.transfer", "--when", "payee=demo-transit"])
        .expect_code("ok");
    world.agent(&FARE).expect_code("ok");
    // An ask rule that is as specific wins the tie.
    world
        .person(&["ask", "ledger.transfer", "--when", "amount=2.8"])
        .expect_code("ok");
    world.agent(&FARE).expect_code("confirm_required");
}

#[test]
fn one_yes_covers_one_run_of_exactly_that_call() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = world
        .agent(&FARE)
        .with_code("confirm_required")
        .text("approval_id");
    assert_eq!(
        world.agent(&FARE).text("approval_id"),
        id,
        "the same call keeps its request"
    );
    world.person(&["approve", &id]).expect_code("ok");
    let ran = world.agent(&[
        "exec",
        "ledger.transfer",
        "--",
        "payee=demo-transit",
        "amount=2.80",
    ]);
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "human");
    assert_eq!(ran.text("by.approval_id"), id);
    world.agent(&FARE).expect_code("confirm_required");
}
