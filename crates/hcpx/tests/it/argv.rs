//! A tool's own spelling behind `--`: the same calls, cards and approvals as by name.

use crate::HCPX;
use hcp_core::json::Value;
use hcp_testkit::{Who, World};

fn with<'w>(verb: &'w str, pack: &'w str, command: &'w str, words: &[&'w str]) -> Vec<&'w str> {
    let head = [verb, pack, command, "--"];
    head.into_iter().chain(words.iter().copied()).collect()
}

#[test]
fn both_spellings_make_one_card() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let named = world.person(&with(
        "preview",
        "ledger",
        "transfer",
        &["amount=2.80", "payee=demo-transit"],
    ));
    for words in [
        &["2.80", "--to", "demo-transit"][..],
        &["--to=demo-transit", "2.80", "--confirm"],
        &["--payee", "demo-transit", "--amount=2.80"],
        &["--to", "demo-transit", "--", "2.80"],
    ] {
        let own = world.person(&with("preview", "ledger", "transfer", words));
        own.expect_code("ok");
        assert_eq!(own.json(), named.json(), "{words:?}");
        let text = |words: &[&str]| {
            let mut words = with("preview", "ledger", "transfer", words);
            words.insert(1, "--color=never");
            world
                .command(Who::Person)
                .args(words)
                .output()
                .unwrap()
                .stdout
        };
        assert_eq!(text(words), text(&["amount=2.80", "payee=demo-transit"]));
    }
    let shown = world.person(&with("preview", "notes", "show", &["Keys"]));
    assert_eq!(shown.text("cli"), "notes show -- Keys");
}

#[test]
fn a_yes_to_one_spelling_covers_the_other() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let named = with(
        "exec",
        "ledger",
        "transfer",
        &["amount=2.80", "payee=demo-transit"],
    );
    let own = with(
        "exec",
        "ledger",
        "transfer",
        &["2.80", "--to", "demo-transit"],
    );
    let asked = world.agent(&own);
    asked.expect_code("confirm_required");
    assert_eq!(
        world.agent(&named).text("approval_id"),
        asked.text("approval_id")
    );
    let id = asked.text("approval_id");
    world.person(&["approve", &id, "--yes"]).expect_code("ok");
    world.agent(&named).expect_code("ok");
    // Once means once, however it is spelled.
    world.agent(&own).expect_code("confirm_required");
    let allow = [
        "allow",
        "ledger.transfer",
        "--when",
        "payee=demo-transit",
        "--max",
        "amount=5",
    ];
    world.person(&allow).expect_code("ok");
    world.agent(&own).expect_code("ok");
    let dear = with(
        "exec",
        "ledger",
        "transfer",
        &["5.01", "--to", "demo-transit"],
    );
    world.agent(&dear).expect_code("confirm_required");
}

#[test]
fn a_line_that_is_not_fully_read_is_shown_and_never_run() {
    let world = World::with_packs(HCPX, &["ledger", "git"]);
    let allow = [
        "allow",
        "ledger.transfer",
        "--when",
        "payee=demo-transit",
        "--max",
        "amount=5",
    ];
    world.person(&allow).expect_code("ok");
    let words = ["--note", "5", "2.80", "--to", "demo-transit"];
    let shown = world.person(&with("preview", "ledger", "transfer", &words));
    shown.expect_code("ok");
    assert_eq!(
        shown.text("cli"),
        "ledger transfer --note 5 2.80 --to demo-transit"
    );
    let json = shown.json();
    let rest = json
        .get("view")
        .and_then(|v| v.get("rest"))
        .and_then(Value::as_array)
        .unwrap();
    for name in ["note", "_"] {
        let stands = |row: &Value| row.get("name").and_then(Value::as_str) == Some(name);
        assert!(rest.iter().any(stands), "{name} in {json}");
    }
    // No rule with conditions decides it.
    let explained = world.person(&with("explain", "ledger", "transfer", &words));
    assert_eq!(explained.text("decision"), "ask");
    let refused = world.agent(&with("exec", "ledger", "transfer", &words));
    refused.expect_code("invalid_args");
    assert!(
        refused.text("message").contains("\"--note\""),
        "{}",
        refused.text("message")
    );
    for (pack, command, words, message, hint) in [
        (
            "ledger",
            "transfer",
            &["2.80", "--too", "x"][..],
            "no option \"--too\"",
            "did you mean --to?",
        ),
        (
            "ledger",
            "balance",
            &["now"],
            "The word \"now\" has no place in balance",
            "NAME=text",
        ),
        (
            "ledger",
            "transfer",
            &["2.80", "--to"],
            "The value of \"--to\" cannot be told",
            "--to=VALUE",
        ),
        (
            "git",
            "push",
            &["--frob=secret", "origin"],
            "no option \"--frob\"",
            "",
        ),
    ] {
        let refused = world.agent(&with("exec", pack, command, words));
        refused.expect_code("invalid_args");
        assert!(
            refused.text("message").contains(message),
            "{}",
            refused.text("message")
        );
        assert!(
            refused.text("hint").contains(hint),
            "{}",
            refused.text("hint")
        );
    }
    // Twice the same option is one argument with two values, which the schema refuses.
    let twice = world.agent(&with(
        "exec",
        "ledger",
        "transfer",
        &["2.80", "--to", "x", "--to", "y"],
    ));
    twice.expect_code("invalid_args");
    assert!(twice.text("message").contains("payee: must be a string"));
}

#[test]
fn the_two_spellings_do_not_mix() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    for words in [
        &["amount=2.80", "--to", "x"][..],
        &["--to", "x", "amount=2.80"],
        &["2.80", "payee=x"],
    ] {
        let refused = world.agent(&with("exec", "ledger", "transfer", words));
        refused.expect_code("invalid_args");
        assert!(
            refused
                .text("hint")
                .contains("all in the tool's own spelling"),
            "{words:?}"
        );
    }
    let slip = world.agent(&with("exec", "ledger", "transfer", &["amuont=2.80", "x"]));
    slip.expect_code("invalid_args");
    assert!(slip.text("hint").contains("\"amount\""));
    // Behind a `--` of its own, or as the value of an option, it is a value.
    let value = with(
        "preview",
        "notes",
        "add",
        &["--text", "name=x", "--", "name=y"],
    );
    let shown = world.person(&value);
    assert_eq!(shown.text("cli"), "notes add --text=name=x -- name=y");
}

#[test]
fn an_approval_id_behind_the_dashes_gets_the_right_line() {
    let world = World::with_packs(HCPX, &["ledger", "notes", "git"]);
    for (pack, command, words) in [
        (
            "ledger",
            "transfer",
            &["2.80", "--to", "x", "--confirm", "5ea7eb29"][..],
        ),
        (
            "ledger",
            "transfer",
            &["2.80", "--to", "x", "--confirm=5ea7eb29"],
        ),
        ("ledger", "transfer", &["2.80", "--to", "x", "5ea7eb29"]),
        (
            "ledger",
            "transfer",
            &["amount=2.80", "payee=x", "--confirm", "5ea7eb29"],
        ),
        ("ledger", "balance", &["5ea7eb29"]),
        ("notes", "delete", &["Keys", "--confirm", "5ea7eb29"]),
    ] {
        let slip = world.agent(&with("exec", pack, command, words));
        slip.expect_code("usage");
        assert!(
            slip.text("hint").contains("hcpx exec --confirm 5ea7eb29"),
            "{words:?}"
        );
    }
    // Where the tool takes such a word it is the tool's.
    for (pack, command, words, cli) in [
        ("git", "show", &["5ea7eb29"][..], "git show 5ea7eb29 --"),
        ("notes", "show", &["5ea7eb29"], "notes show -- 5ea7eb29"),
        (
            "ledger",
            "transfer",
            &["2.80", "--to", "5ea7eb29"],
            "ledger transfer 2.80 --to 5ea7eb29 --confirm",
        ),
    ] {
        let shown = world.person(&with("preview", pack, command, words));
        shown.expect_code("ok");
        assert_eq!(shown.text("cli"), cli);
    }
}

#[test]
fn global_options_are_shown_bound_and_open_to_rules() {
    let world = World::with_packs(HCPX, &["git"]);
    let push = with(
        "exec",
        "git",
        "push",
        &["-C", "/prod", "-q", "origin", "main"],
    );
    let asked = world.agent(&push);
    asked.expect_code("confirm_required");
    assert_eq!(
        asked.text("preview.cli"),
        "git -C /prod push --quiet -- origin main"
    );
    assert_eq!(asked.text("preview.args.dir"), "/prod");
    let elsewhere = with(
        "exec",
        "git",
        "push",
        &["-C", "/test", "-q", "origin", "main"],
    );
    let other = world.agent(&elsewhere);
    assert_ne!(other.text("approval_id"), asked.text("approval_id"));
    world
        .person(&["deny", "git.push", "--when", "dir=/prod"])
        .expect_code("ok");
    world.agent(&push).expect_code("denied_by_rule");
    let named = with("exec", "git", "push", &["dir=/prod", "remote=origin"]);
    world.agent(&named).expect_code("denied_by_rule");
}

#[test]
fn a_raise_holds_for_switches_and_where_it_cannot_be_told() {
    let world = World::with_packs(HCPX, &["git"]);
    let confirm = |words: &[&str]| {
        world
            .person(&with("preview", "git", "checkout", words))
            .text("confirm")
    };
    assert_eq!(confirm(&["main"]), "never");
    for words in [&["-f", "main"][..], &["force:=true", "target=main"]] {
        assert_eq!(confirm(words), "ask", "{words:?}");
    }
    assert_eq!(confirm(&["-c", "alias.x=!sh", "main"]), "always");
    // A switch that nobody declared may be any of them.
    assert_eq!(confirm(&["--frob", "main"]), "always");
}

#[test]
fn a_line_of_another_command_says_whose_it_is() {
    let world = World::with_packs(HCPX, &["git"]);
    let refused = world.agent(&with("exec", "git", "push", &["--force", "origin", "main"]));
    refused.expect_code("invalid_args");
    assert!(
        refused
            .text("hint")
            .contains("hcpx exec git push_force -- --force origin main"),
        "{}",
        refused.text("hint")
    );
}
