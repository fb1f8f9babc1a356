//! What a person sees, at 80 columns: help, tables, cards and errors of the real program, word for word.
//! Ids, times and folders are replaced, so that the screens are the same on every machine and day.

use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use insta::assert_snapshot;
use regex::Regex;

/// What is not the same on every run is replaced by words of the same kind.
fn steady(world: &World, text: &str) -> String {
    let root = world.root().display().to_string();
    let mut text = text.replace(&root, "[ROOT]");
    let user = user();
    for (found, instead) in [
        (r"\b[0-9a-f]{64}\b", "[digest]"),
        (r"\b[0-9a-f]{16}\b", "[call]"),
        (r"\b[0-9a-f]{8}\b", "[request]"),
        (
            r"\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z",
            "[moment]",
        ),
        (
            r"(\b\d{4}-\d{2}-\d{2} |\b\d{1,2} [A-Z][a-z]{2} )?\b\d{2}:\d{2}(:\d{2})?\b",
            "[time]",
        ),
        (r"\b\d+ ms\b", "[n] ms"),
    ] {
        text = Regex::new(found)
            .unwrap()
            .replace_all(&text, instead)
            .into_owned();
    }
    text.replace(&format!("{user} ("), "[user] (")
        .replace(&format!("{user}, "), "[user], ")
}

/// A table's columns stand closer or wider with the user's name: blanks are made one width.
fn squeezed(text: &str) -> String {
    Regex::new("  +")
        .unwrap()
        .replace_all(text, "  ")
        .into_owned()
}

fn user() -> String {
    nix::unistd::User::from_uid(nix::unistd::Uid::current())
        .unwrap()
        .map_or_else(|| "nobody".to_owned(), |u| u.name)
}

fn screen(world: &World, answer: &Answer) -> String {
    let mut shown = format!("$ hcpx {}\n", answer.words);
    shown.push_str(&answer.stdout);
    if !answer.stderr.is_empty() {
        shown.push_str("--- on standard error\n");
        shown.push_str(&answer.stderr);
    }
    shown.push_str(&format!("--- exit {}\n", answer.exit));
    steady(world, &shown)
}

fn person(world: &World, words: &[&str]) -> String {
    let words: Vec<&str> = std::iter::once("--text")
        .chain(words.iter().copied())
        .collect();
    screen(world, &world.person(&words)).replacen(" --text", "", 1)
}

const TRANSFER: [&str; 4] = ["ledger", "transfer", "--", "amount=2.80"];

fn call<'w>(verb: &'w str, payee: &'w str) -> Vec<&'w str> {
    std::iter::once(verb)
        .chain(TRANSFER)
        .chain([payee])
        .collect()
}

/// Every command's name, from the program's own help.
fn commands(world: &World) -> Vec<String> {
    let help = world.person(&["--help"]).stdout;
    help.lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter(|l| !l.starts_with("   "))
        .filter_map(|l| l.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn help() {
    let world = World::new(HCPX);
    assert_snapshot!(person(&world, &["--help"]));
    assert_snapshot!("help_exec", person(&world, &["exec", "--help"]));
    assert_snapshot!("help_allow", person(&world, &["allow", "--help"]));
}

#[test]
fn every_help_shows_examples_first_and_fits() {
    let world = World::new(HCPX);
    let names = commands(&world);
    assert!(names.len() > 20, "{names:?}");
    for name in names.iter().filter(|n| *n != "help") {
        let long = world.person(&[name, "--help"]);
        assert_eq!(long.exit, 0, "{name}");
        assert!(long.stderr.is_empty(), "{name}: {}", long.stderr);
        let text = &long.stdout;
        let examples = text
            .find("Examples:")
            .unwrap_or_else(|| panic!("{name} has none"));
        assert!(examples < text.find("Usage:").unwrap(), "{name}");
        assert_eq!(text, &world.person(&["help", name]).stdout, "{name}");
        assert_eq!(text, &world.person(&[name, "-h"]).stdout, "{name}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
    assert_eq!(
        world.person(&["help"]).stdout,
        world.person(&["--help"]).stdout
    );
}

#[test]
fn demo() {
    let world = World::new(HCPX);
    assert_snapshot!(squeezed(&person(&world, &["demo", "--no-input"])));
    assert!(!world.store().exists(), "the demo has a home of its own");
}

#[test]
fn home() {
    let world = World::new(HCPX);
    assert_snapshot!("home_without_packs", person(&world, &[]));
    world.person(&["install", "ledger"]).expect_code("ok");
    let words = call("exec", "payee=demo-transit");
    world.agent(&words).expect_code("confirm_required");
    assert_snapshot!("home_with_a_request", squeezed(&person(&world, &[])));
    assert_eq!(world.agent(&[]).value("waiting"), 1_u64.into());
}

#[test]
fn install() {
    let world = World::new(HCPX);
    assert_snapshot!("install_ledger", person(&world, &["install", "ledger"]));
    assert_snapshot!("install_git", person(&world, &["install", "git"]));
    assert_snapshot!("packs", person(&world, &["packs"]));
}

#[test]
fn rules_and_commands() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    assert_snapshot!("rules_none", person(&world, &["rules"]));
    let fares = [
        "allow",
        "ledger.transfer",
        "--when",
        "payee=demo-transit",
        "--max",
        "amount=5",
        "--note",
        "fares",
    ];
    assert_snapshot!("rule_added", person(&world, &fares));
    assert_snapshot!("rule_deny", person(&world, &["deny", "notes.*"]));
    let words = call("exec", "payee=demo-transit");
    world.agent(&words).expect_code("ok");
    assert_snapshot!("rules", person(&world, &["rules"]));
    assert_snapshot!("commands", person(&world, &["commands"]));
    assert_snapshot!(
        "explain",
        person(&world, &call("explain", "payee=demo-rent"))
    );
    assert_snapshot!("rule_removed", person(&world, &["rules", "rm", "0"]));
    assert_snapshot!(
        "mode_set",
        person(&world, &["mode", "manual", "--pack", "ledger"])
    );
    assert_snapshot!("mode", person(&world, &["mode"]));
    let slip = world.person(&["mode", "manual", "--pack", "ledgr"]);
    assert!(slip.text("advice.0").ends_with("did you mean ledger?"));
}

#[test]
fn git_commands_fit_a_screen_wide() {
    let world = World::with_packs(HCPX, &["git"]);
    let shown = world.person(&["--text", "commands", "git"]).stdout;
    assert!(shown.contains("each of them: confirm \"always\" when config is given"));
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let push = shown.lines().position(|l| l.starts_with("push ")).unwrap();
    assert_snapshot!(
        "commands_git_push",
        shown
            .lines()
            .skip(push)
            .take(5)
            .collect::<Vec<_>>()
            .join("\n")
    );
}

#[test]
fn access() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world
        .settings(r#"{"approvals":"human","rules":[{"match":"ledger.transfr","decision":"ask"}]}"#);
    world.write(
        "work/.hcp/access.json",
        r#"{"mode":"run","rules":[{"match":"*","decision":"allow"}]}"#,
    );
    let shown = person(&world, &["access"]);
    // How far the program looked for an agent's mark is another on every machine.
    let (head, rest) = shown.split_once("you are").unwrap();
    let (_, tail) = rest.split_once("\n\n").unwrap();
    // Long lines break where the folder's name makes them.
    let joined = format!("{head}you are …\n\n{}", tail.replace("\n  ", " "));
    assert_snapshot!(squeezed(&joined));
}

#[test]
fn requests_and_their_log() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    assert_snapshot!("approvals_none", person(&world, &["approvals"]));
    let asked = world.agent(&call("exec", "payee=demo-transit"));
    asked.expect_code("confirm_required");
    let other = world.agent(&["exec", "notes", "delete", "--", "name=keys"]);
    other.expect_code("confirm_required");
    assert_snapshot!("approvals_two", person(&world, &["approvals"]));
    assert_snapshot!("approve_which", person(&world, &["approve"]));
    let id = asked.text("approval_id");
    assert_snapshot!("approve", person(&world, &["approve", &id]));
    assert_snapshot!("approve_again", person(&world, &["approve", &id]));
    let id = other.text("approval_id");
    assert_snapshot!(
        "reject",
        person(&world, &["reject", &id, "--note", "not this one"])
    );
    assert_snapshot!(
        "rejected_call",
        person(&world, &["exec", "notes", "delete", "--", "name=keys"])
    );
    world
        .agent(&call("exec", "payee=demo-transit"))
        .expect_code("ok");
    world.agent(&["mode", "run"]).expect_code("human_only");
    world.person(&["mode", "manual"]).expect_code("ok");
    assert_snapshot!("audit", squeezed(&person(&world, &["audit"])));
    assert_snapshot!("audit_verify", person(&world, &["audit", "verify"]));
    assert_snapshot!(
        "audit_show",
        squeezed(&person(&world, &["audit", "show", "3"]))
    );
}

#[test]
fn the_log_table_keeps_one_line_an_event() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world
        .agent(&call("exec", "payee=demo-transit"))
        .expect_code("confirm_required");
    let shown = world.person(&["--text", "audit"]).stdout;
    assert_eq!(shown.lines().count(), 3, "{shown}");
}

#[test]
fn preview_at_several_widths() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let words = call("preview", "payee=demo-transit");
    for columns in ["80", "60", "40"] {
        let output = world
            .command(hcp_testkit::Who::Person)
            .env("COLUMNS", columns)
            .arg("--text")
            .args(&words)
            .output()
            .unwrap();
        let answer = Answer::of(&words, output);
        assert_snapshot!(format!("preview_{columns}"), screen(&world, &answer));
    }
}

#[test]
fn usage_errors() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let mut shown = String::new();
    let slips: [&[&str]; 25] = [
        &["commands", "ledgr"],
        &["exce"],
        &["mode", "fast"],
        &["mode", "--pck", "ledger"],
        &["approve", "1234", "5678"],
        &["allow"],
        &["rules", "rm"],
        &["rules", "rm", "7"],
        &["--color"],
        &["--color", "red"],
        &["audit", "--limit", "many"],
        &["audit", "--since", "then"],
        &["audit", "key"],
        &["exec"],
        &["exec", "ledger"],
        &["exec", "ledgr", "balance"],
        &["exec", "ledger", "balanc"],
        &["exec", "ledger", "balance", "now"],
        &["exec", "ledger", "transfer", "--", "amnt=3"],
        &["deny", "notes.delet"],
        &["allow", "ledger.transfer", "--max", "amount=x"],
        &["mode", "--clear", "run"],
        &["install", "ledgr"],
        &["approve", "12345678"],
        &["mode", "\u{1b}[31mred\u{202e}"],
    ];
    for words in slips {
        let answer = world.person(
            &std::iter::once("--text")
                .chain(words.iter().copied())
                .collect::<Vec<_>>(),
        );
        assert!(answer.stdout.is_empty(), "{words:?}: {}", answer.stdout);
        let words = words.join(" ").escape_debug().to_string();
        shown.push_str(&format!(
            "$ hcpx {words}\n{}exit {}\n\n",
            answer.stderr, answer.exit
        ));
    }
    assert_snapshot!(shown);
}

#[test]
fn a_near_miss_is_named_in_json_too() {
    let world = World::new(HCPX);
    for (words, near) in [
        (["exce", "x"], "did you mean exec?"),
        (["mode", "--pck"], "did you mean --pack?"),
        (["mode", "manul"], "did you mean manual?"),
    ] {
        let answer = world.person(&words);
        answer.expect_code("usage");
        assert!(answer.text("hint").starts_with(near), "{}", answer.stdout);
    }
}

#[test]
fn damaged_settings_name_the_place() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world.settings("{\n  \"mode\": \"fast\"\n}\n");
    assert_snapshot!(person(&world, &["exec", "ledger", "balance"]));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let words = ["--text", "commands"];
    assert!(!world.person(&words).stdout.contains('\u{1b}'));
    let always = ["--text", "--color", "always", "commands"];
    assert!(world.person(&always).stdout.contains('\u{1b}'));
    let never = ["--text", "--color=never", "commands"];
    assert!(!world.person(&never).stdout.contains('\u{1b}'));
    let slip = ["--text", "--color=always", "exce"];
    assert!(world.person(&slip).stderr.contains('\u{1b}'));
}

#[test]
fn a_card_has_its_colours_and_the_same_text_without_them() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let card = |colour: &str| {
        let words = [
            "--text",
            "--color",
            colour,
            "preview",
            "ledger",
            "transfer",
            "--",
            "amount=2.80",
            "payee=demo-transit",
        ];
        world.person(&words).stdout
    };
    let coloured = card("always");
    for part in [
        "\u{1b}[1mPay demo-transit\u{1b}[0m\n",
        "\u{1b}[1m\u{1b}[31m· Moves money\u{1b}[0m\n",
        "\n  amount    2.80\n",
        "\n  $ ledger transfer 2.80",
    ] {
        assert!(coloured.contains(part), "{part:?}: {coloured:?}");
    }
    let codes = Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    assert_eq!(codes.replace_all(&coloured, ""), card("never"));
}

#[test]
fn columns_that_nobody_can_mean_are_passed_over() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let with = |columns: &str| {
        let words = [
            "--text",
            "preview",
            "ledger",
            "transfer",
            "--",
            "amount=2.80",
            "payee=demo-transit",
        ];
        let output = world
            .command(Who::Person)
            .env("COLUMNS", columns)
            .args(words)
            .output()
            .unwrap();
        Answer::of(&words, output).stdout
    };
    for columns in ["0", "1", "garbage", "-1", "", "18446744073709551615"] {
        assert_eq!(with(columns), with("100"), "{columns}");
    }
}

#[test]
fn completions_know_the_names() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let names = |words: &[&str]| {
        let all: Vec<&str> = std::iter::once("complete-names")
            .chain(words.iter().copied())
            .collect();
        world.person(&all).stdout
    };
    assert_eq!(names(&[]), "ledger\nnotes\n");
    assert_eq!(
        names(&["--wait", "ledger"]),
        "balance\nlist\npayees\ntransfer\n"
    );
    assert_eq!(names(&["ledger", "balance"]), "");
    assert_eq!(names(&["ledger", "balance", "--"]), "");
    for shell in ["bash", "zsh", "fish"] {
        let script = world.person(&["completions", shell]).stdout;
        assert!(script.contains("hcpx complete-names"), "{shell}");
    }
    let zsh = world.person(&["completions", "zsh"]).stdout;
    assert_eq!(zsh.matches(":_hcpx_names'").count(), 8, "{zsh}");
}

#[test]
fn bash_completes_packs_and_commands() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let script = world.person(&["completions", "bash"]).stdout;
    world.write("completions.bash", &script);
    let folder = std::path::Path::new(HCPX).parent().unwrap();
    let complete = |line: &str| {
        let words: Vec<String> = line.split(' ').map(|w| format!("'{w}'")).collect();
        let test = format!(
            "PATH={}:$PATH; . {}; COMP_WORDS=({}); COMP_CWORD={}; _hcpx_names hcpx '{}' '{}'; echo \"${{COMPREPLY[*]}}\"",
            folder.display(),
            world.root().join("completions.bash").display(),
            words.join(" "),
            words.len() - 1,
            line.rsplit(' ').next().unwrap(),
            line.rsplit(' ').nth(1).unwrap(),
        );
        let output = std::process::Command::new("bash")
            .args(["--norc", "-c", &test])
            .env("HCP_HOME", world.store())
            .env("HOME", world.root().join("user"))
            .env_remove("HCP_AGENT")
            .current_dir(world.work())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(complete("hcpx exec "), "ledger notes");
    assert_eq!(complete("hcpx exec led"), "ledger");
    assert_eq!(
        complete("hcpx exec ledger "),
        "balance list payees transfer"
    );
    assert_eq!(complete("hcpx --json preview notes de"), "delete");
    assert_eq!(complete("hcpx commands n"), "notes");
    assert!(complete("hcpx app").contains("approve"));
    assert!(complete("hcpx exec --no").contains("--no-input"));
}

#[test]
fn every_schema_is_json() {
    let world = World::new(HCPX);
    for name in [
        "pack", "surface", "policy", "access", "grants", "result", "audit",
    ] {
        let schema = world.person(&["schema", name]);
        assert_eq!(schema.exit, 0, "{name}");
        assert!(schema.json().get("$schema").is_some(), "{name}");
    }
}

#[test]
fn the_manual_names_every_command_and_its_options() {
    let world = World::new(HCPX);
    let manual = world.person(&["man"]).stdout;
    for name in commands(&world).iter().filter(|n| *n != "help") {
        assert!(manual.contains(&format!(".SH hcpx {name}\n")), "{name}");
    }
    for part in [
        ".SH hcpx audit key init",
        "except\\-one\\-of",
        ".SH EXAMPLES",
    ] {
        assert!(manual.contains(part), "{part}");
    }
    assert!(
        !manual.contains("complete\\-names"),
        "hidden commands stay hidden"
    );
}

#[test]
fn a_huge_value_neither_fills_the_card_nor_forges_a_row() {
    let world = World::with_packs(HCPX, &["notes"]);
    let text = format!("日本語 🎉 \n  name  forged\n{}", "word ".repeat(20_000));
    let args = hcp_core::json::Object::new()
        .with("name", "milk")
        .with("text", text.as_str());
    world.write(
        "args.json",
        &hcp_core::json::Value::Object(args).to_string(),
    );
    for columns in ["80", "40"] {
        let output = world
            .command(hcp_testkit::Who::Person)
            .env("COLUMNS", columns)
            .args(["--text", "preview", "notes", "add", "--args", "-"])
            .stdin(std::fs::File::open(world.root().join("args.json")).unwrap())
            .output()
            .unwrap();
        let card = Answer::of(&["preview"], output).stdout;
        assert!(card.lines().count() < 120, "{card}");
        assert!(card.contains("characters not shown here"), "{card}");
        let rows = |label: &str| card.lines().filter(|l| l.starts_with(label)).count();
        assert_eq!((rows("  what"), rows("  name")), (1, 0), "{card}");
    }
}
