//! What is known from earlier calls, told with the real program: new payees, payees that only look like one approved
//! before, calls that were refused of late; and that nothing of their values stays behind. The person's own view and
//! signal rules, which come from their settings.

use crate::HCPX;
use hcp_core::json::Value;
use hcp_testkit::{Answer, Who, World};
use std::path::{Path, PathBuf};

fn transfer(amount: &str, payee: &str) -> Vec<String> {
    let (amount, payee) = (format!("amount={amount}"), format!("payee={payee}"));
    ["exec", "ledger", "transfer", "--", &amount, &payee]
        .map(str::to_owned)
        .to_vec()
}

fn run(world: &World, who: Who, words: &[String]) -> Answer {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match who {
        Who::Agent => world.agent(&words),
        Who::Person => world.person(&words),
    }
}

/// Asks as an agent, and gives the id.
fn ask(world: &World, words: &[String]) -> String {
    let asked = run(world, Who::Agent, words).with_code("confirm_required");
    asked.text("approval_id")
}

/// Asks, has the yes, and runs.
fn pay(world: &World, amount: &str, payee: &str) {
    let words = transfer(amount, payee);
    let id = ask(world, &words);
    world.person(&["approve", &id]).expect_code("ok");
    run(world, Who::Agent, &words).expect_code("ok");
}

/// The texts of the signals of the view at a path.
fn signals(answer: &Answer, path: &str) -> Vec<String> {
    let signals = answer.value(path);
    let signals = signals.as_array().unwrap_or_default();
    signals
        .iter()
        .map(|s| {
            s.get("text")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// The signals of a call: those of `preview` first, then those of the request, of the list that a person reads, and of
/// the same call asked again, which must all be the same.
fn signals_everywhere(world: &World, words: &[String]) -> Vec<String> {
    let preview: Vec<String> = std::iter::once("preview".to_owned())
        .chain(words[1..].iter().cloned())
        .collect();
    let before = signals(&run(world, Who::Person, &preview), "view.signals");
    let asked = run(world, Who::Agent, words).with_code("confirm_required");
    let told = signals(&asked, "approval.view.signals");
    let id = asked.text("approval_id");
    let list = world.person(&["approvals"]);
    let requests = list.value("approvals");
    let requests = requests.as_array().unwrap();
    let at = requests
        .iter()
        .position(|r| r.get("approval_id").and_then(Value::as_str) == Some(&id))
        .unwrap();
    let listed = signals(&list, &format!("approvals.{at}.view.signals"));
    let again = run(world, Who::Agent, words).with_code("confirm_required");
    assert_eq!(again.text("approval_id"), id);
    assert_eq!(signals(&again, "approval.view.signals"), told);
    assert_eq!(listed, told);
    assert_eq!(before, told);
    assert_eq!(
        signals(&run(world, Who::Person, &preview), "view.signals"),
        told
    );
    told
}

#[track_caller]
fn expect(signals: &[String], text: &str, there: bool) {
    let found = signals.iter().any(|s| s.contains(text));
    assert_eq!(found, there, "{text}: {signals:?}");
}

/// The same payee with a Cyrillic letter in it.
const LOOK_ALIKE: &str = "demo-tr\u{430}nsit";

#[test]
fn the_second_payee_is_named_as_new_and_a_look_alike_as_one() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let first = signals_everywhere(&world, &transfer("1.00", "demo-transit"));
    expect(&first, "First time", false);
    pay(&world, "1.00", "demo-transit");
    let known = signals_everywhere(&world, &transfer("2.00", "demo-transit"));
    expect(&known, "First time", false);
    expect(&known, "Looks like", false);
    let second = signals_everywhere(&world, &transfer("2.00", "demo-rent"));
    expect(&second, "First time: demo-rent", true);
    expect(&second, "Looks like", false);
    let twin = signals_everywhere(&world, &transfer("2.00", LOOK_ALIKE));
    expect(&twin, "Looks like", true);
    let twin = signals_everywhere(&world, &transfer("2.00", "dem0-transit"));
    expect(&twin, "Looks like one approved before", true);
    pay(&world, "2.00", "demo-rent");
    let settled = signals_everywhere(&world, &transfer("3.00", "demo-rent"));
    expect(&settled, "First time", false);
}

#[test]
fn a_yes_given_before_another_run_counts_all_the_same() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let calls = [
        transfer("1.00", "demo-transit"),
        transfer("2.00", "demo-rent"),
        transfer("3.00", "demo-rent"),
    ];
    let ids = calls.each_ref().map(|words| ask(&world, words));
    for id in &ids {
        world.person(&["approve", id]).expect_code("ok");
    }
    for words in &calls {
        run(&world, Who::Agent, words).expect_code("ok");
    }
}

#[test]
fn a_call_that_was_refused_of_late_says_so() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let words = transfer("1.00", "demo-transit");
    for _ in 0..2 {
        let id = ask(&world, &words);
        world.person(&["reject", &id]).expect_code("ok");
        world
            .person(&["approvals", "forget", &id])
            .expect_code("ok");
    }
    ask(&world, &words);
    let refused = signals_everywhere(&world, &words);
    expect(&refused, "Asked", true);
    let other = signals_everywhere(&world, &transfer("1.01", "demo-transit"));
    expect(&other, "Asked", false);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

#[test]
fn nothing_of_an_identifier_stays_in_the_store() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let payees = ["mark-payee-9137", "mark-p\u{430}yee-9137"];
    for payee in payees {
        let words = transfer("1.00", payee);
        let id = ask(&world, &words);
        world.person(&["approve", &id]).expect_code("ok");
        // The demo has no such payee: the yes is spent, and teaches, all the same.
        run(&world, Who::Agent, &words).expect_code("command_failed");
    }
    world.person(&["approvals"]).expect_code("ok");
    let store = rusqlite::Connection::open(world.store().join("approvals.db")).unwrap();
    let kept: i64 = store
        .query_row("SELECT count(*) FROM identifiers", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 2);
    let look = || {
        for file in files(&world.store()) {
            let bytes = std::fs::read(&file).unwrap();
            for payee in payees {
                let found = bytes.windows(payee.len()).any(|w| w == payee.as_bytes());
                assert!(!found, "{payee} is in {}", file.display());
            }
        }
    };
    look();
    drop(store);
    look();
}

#[test]
fn a_preview_does_without_a_store_that_is_damaged() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let file = world.store().join("approvals.db");
    let preview = [
        "preview",
        "ledger",
        "transfer",
        "--",
        "amount=1.00",
        "payee=demo-rent",
    ];
    assert_eq!(world.person(&preview).exit, 0);
    assert!(!file.exists(), "a preview makes no store");
    pay(&world, "1.00", "demo-transit");
    std::fs::write(&file, "no database at all, and far from one").unwrap();
    let card = world.person(&preview);
    assert_eq!(card.exit, 0);
    assert_eq!(card.text("view.fields.to"), "demo-rent");
    run(&world, Who::Agent, &transfer("1.00", "demo-rent")).expect_code("store_unavailable");
}

#[test]
fn the_persons_own_rules_are_read_and_a_fault_in_them_stops_calls() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let words = transfer("1.00", "demo-transit");
    for (text, line, column) in [
        ("{\n  \"views\": { \"rulez\": [] } }", 2, 14),
        ("{\n  \"views\": {\n \"rules\": [ 5 ] } }", 3, 13),
        ("{\n  \"views\": { \"signals\": {} } }", 2, 25),
    ] {
        world.settings(text);
        let refused = run(&world, Who::Agent, &words).with_code("access_invalid");
        assert_eq!(
            refused.value("diagnostics.0.line").to_string(),
            line.to_string(),
            "{text}"
        );
        assert_eq!(
            refused.value("diagnostics.0.column").to_string(),
            column.to_string(),
            "{text}"
        );
        world.write("work/candidate.json", text);
        let checked = world.person(&["access", "check", "candidate.json"]);
        checked.expect_code("access_invalid");
        assert_eq!(checked.exit, 6);
        assert_eq!(
            checked.value("diagnostics.0.line").to_string(),
            line.to_string()
        );
    }
}

/// A tool whose names no built-in rule knows.
fn install_glorp(world: &World) {
    for (name, text) in [
        (
            "pack",
            r#"{ "id": "glorp", "name": "Glorp", "version": "1.0.0", "summary": "Zorps." }"#,
        ),
        (
            "surface",
            r#"{ "commands": { "zorp": { "description": "Zorp a blip.", "cli": ["true", "zorp", "--blip={{blip}}"],
               "args": { "type": "object", "properties": { "blip": { "type": "string", "description": "Blip" } } } } } }"#,
        ),
        (
            "policy",
            r#"{ "defaults": { "operation": "write", "confirm": "ask" }, "commands": { "zorp": {} } }"#,
        ),
    ] {
        world.write(&format!("glorp/{name}.json"), text);
    }
    let pack = world.root().join("glorp");
    world
        .person(&["install", pack.to_str().unwrap()])
        .expect_code("ok");
}

#[test]
fn the_persons_own_rules_make_the_card_and_a_projects_do_not() {
    let world = World::new(HCPX);
    install_glorp(&world);
    let rules = |kind: &str, code: &str| {
        format!(
            r#"{{ "views": {{
                "rules": [ {{ "kind": "{kind}", "when": {{ "command": ["zorp"] }}, "fields": {{ "what": ["blip"] }} }} ],
                "signals": [ {{ "code": "{code}", "level": "danger", "text": "Zorps {{value}}", "when": {{ "args": ["blip"] }} }} ] }} }}"#
        )
    };
    let words = ["glorp", "zorp", "--", "blip=b1"];
    let look = |words: &[&str]| {
        let preview = world.person(&[&["preview"], words].concat());
        let asked = world.agent(&[&["exec"], words].concat());
        let kind = preview.text("view.kind");
        assert_eq!(asked.text("approval.view.kind"), kind);
        let told = signals(&preview, "view.signals");
        assert_eq!(signals(&asked, "approval.view.signals"), told);
        (kind, told)
    };
    world.write("work/.hcp/access.json", &rules("share", "theirs"));
    let (kind, told) = look(&words);
    assert_eq!(kind, "command");
    expect(&told, "Zorps", false);
    world.settings(&rules("removal", "own"));
    let (kind, told) = look(&words);
    assert_eq!(kind, "removal");
    expect(&told, "Zorps b1", true);
    expect(&told, "Cannot be undone", true);
}

#[test]
fn access_counts_the_persons_own_rules_and_lists_those_of_a_project_as_ignored() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let own = r#"{ "views": { "rules": [
        { "kind": "payment", "when": { "command": ["tip"], "args": ["amount"] },
          "fields": { "amount": ["amount"] }, "title": "Tip {{amount}}" } ], "signals": [] } }"#;
    world.settings(own);
    world.write("work/.hcp/access.json", own);
    let shown = world.person(&["access"]);
    assert_eq!(shown.value("views.rules").to_string(), "1");
    assert_eq!(shown.value("views.signals").to_string(), "0");
    assert_eq!(shown.text("ignored.0.what"), "\"views\"");
    let text = world.person(&["access", "--text"]).stdout;
    assert!(
        text.contains("1 view rule and 0 signal rules of your own"),
        "{text}"
    );
    let checked = world.person(&["access", "check", ".hcp/access.json"]);
    assert_eq!(checked.value("views.rules").to_string(), "1");
    run(&world, Who::Agent, &transfer("1.00", "demo-transit")).expect_code("confirm_required");
}
