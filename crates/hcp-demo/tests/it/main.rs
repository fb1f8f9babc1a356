//! The demo tools from outside: what they print, refuse and keep.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod packs;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run(home: &Path, line: &[&str]) -> Ran {
    let (tool, args) = line.split_first().unwrap();
    let program = home.join("bin").join(tool);
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = hcp_demo::run(tool, program.as_os_str(), args, &mut out, &mut err);
    Ran {
        code,
        out: String::from_utf8(out).unwrap(),
        err: String::from_utf8(err).unwrap(),
    }
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_payment_is_made_once_and_listed() {
    let home = home();
    let home = home.path();
    assert_eq!(run(home, &["ledger", "balance"]).out, "100.00 EUR\n");
    let paid = run(
        home,
        &[
            "ledger",
            "transfer",
            "2.8",
            "--to",
            "demo-transit",
            "--memo",
            "bus",
            "--confirm",
        ],
    );
    assert_eq!(paid.code, 0, "{}", paid.err);
    assert_eq!(
        paid.out,
        "Paid 2.80 EUR to demo-transit (bus)\nBalance 97.20 EUR\n"
    );
    let list = run(home, &["ledger", "list"]).out;
    assert!(
        list.contains("2.80 EUR  demo-transit") && list.ends_with("  bus\n"),
        "{list}"
    );
    assert_eq!(run(home, &["ledger", "balance"]).out, "97.20 EUR\n");
}

#[test]
fn a_payment_is_refused_without_confirm_to_strangers_and_beyond_the_balance() {
    let home = home();
    let home = home.path();
    let refused: [(&[&str], &str); 4] = [
        (&["2.80", "--to", "demo-transit"], "Add --confirm"),
        (
            &["2.80", "--to", "demo-transti", "--confirm"],
            "did you mean demo-transit?",
        ),
        (&["2.80", "--to", "mallory", "--confirm"], "no saved payee"),
        (
            &["100.01", "--to", "demo-rent", "--confirm"],
            "less than 100.01",
        ),
    ];
    for (args, message) in refused {
        let ran = run(home, &[&["ledger", "transfer"], args].concat());
        assert_eq!(ran.code, 1, "{args:?}");
        assert!(ran.err.contains(message), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    assert_eq!(run(home, &["ledger", "balance"]).out, "100.00 EUR\n");
    let all = run(
        home,
        &["ledger", "transfer", "100", "--to=demo-rent", "--confirm"],
    );
    assert_eq!(all.code, 0, "{}", all.err);
    assert_eq!(run(home, &["ledger", "balance"]).out, "0.00 EUR\n");
}

#[test]
fn words_that_are_off_end_with_2() {
    let home = home();
    let home = home.path();
    let lines: [&[&str]; 15] = [
        &["ledger"],
        &["ledger", "transfr"],
        &["ledger", "transfer", "--confirm"],
        &["ledger", "transfer", "2.80", "--confirm"],
        &[
            "ledger",
            "transfer",
            "2.801",
            "--to",
            "demo-rent",
            "--confirm",
        ],
        &["ledger", "transfer", "0", "--to", "demo-rent", "--confirm"],
        &[
            "ledger",
            "transfer",
            "0.00",
            "--to",
            "demo-rent",
            "--confirm",
        ],
        &["ledger", "transfer", "-1", "--to", "demo-rent", "--confirm"],
        &[
            "ledger",
            "transfer",
            "1e1",
            "--to",
            "demo-rent",
            "--confirm",
        ],
        &[
            "ledger",
            "transfer",
            "1",
            "--to",
            "demo-rent",
            "--to",
            "demo-energy",
            "--confirm",
        ],
        &[
            "ledger",
            "transfer",
            "1",
            "2",
            "--to",
            "demo-rent",
            "--confirm",
        ],
        &["ledger", "transfer", "1", "--to", "--confirm"],
        &[
            "ledger",
            "transfer",
            "1",
            "--to",
            "demo-rent",
            "--confirm=yes",
        ],
        &["notes", "show"],
        &["notes", "add", "", "--text", "x"],
    ];
    for line in lines {
        let ran = run(home, line);
        assert_eq!(ran.code, 2, "{line:?}: {}{}", ran.out, ran.err);
        assert!(!ran.err.is_empty());
    }
    assert_eq!(run(home, &["ledger", "balance"]).out, "100.00 EUR\n");
}

#[test]
fn every_command_has_help() {
    let home = home();
    for (tool, commands) in [
        ("ledger", vec!["balance", "list", "payees", "transfer"]),
        ("transit", vec!["routes", "fare", "buy"]),
        ("notes", vec!["list", "show", "add", "edit", "delete"]),
    ] {
        let help = run(home.path(), &[tool, "--help"]);
        assert_eq!(help.code, 0);
        for command in commands {
            assert!(
                help.out.contains(&format!("{tool} {command}")),
                "{}",
                help.out
            );
            let one = run(home.path(), &[tool, command, "--help"]);
            assert!(one.code == 0 && one.out.contains("Usage: "), "{}", one.err);
        }
    }
    assert!(!home.path().join("demo").exists(), "help touches no state");
}

#[test]
fn a_ticket_is_paid_through_the_ledger() {
    let home = home();
    let home = home.path();
    assert_eq!(run(home, &["transit", "fare", "city"]).out, "2.80 EUR\n");
    let bought = run(home, &["transit", "buy", "--", "city"]);
    assert!(
        bought.out.starts_with("Ticket T-0001\n"),
        "{}{}",
        bought.out,
        bought.err
    );
    assert_eq!(run(home, &["ledger", "balance"]).out, "97.20 EUR\n");
    let list = run(home, &["ledger", "list"]).out;
    assert!(list.contains("Ticket T-0001, city"), "{list}");
    assert_eq!(run(home, &["transit", "buy", "ctiy"]).code, 1);
    run(
        home,
        &["ledger", "transfer", "97", "--to", "demo-rent", "--confirm"],
    );
    let broke = run(home, &["transit", "buy", "city"]);
    assert!(
        broke.code == 1 && broke.err.contains("nothing was paid"),
        "{}",
        broke.err
    );
}

#[test]
fn notes_come_change_and_go() {
    let home = home();
    let home = home.path();
    assert_eq!(run(home, &["notes", "list"]).out, "keys\nshopping\n");
    assert_eq!(run(home, &["notes", "add", "a b", "--text=-x\ny"]).code, 0);
    assert_eq!(run(home, &["notes", "show", "a b"]).out, "-x\ny\n");
    assert_eq!(run(home, &["notes", "add", "keys", "--text", "x"]).code, 1);
    assert_eq!(
        run(home, &["notes", "edit", "keys", "--text", "new"]).code,
        0
    );
    assert_eq!(run(home, &["notes", "show", "keys"]).out, "new\n");
    assert_eq!(run(home, &["notes", "delete", "keys"]).code, 0);
    let gone = run(home, &["notes", "show", "keys"]);
    assert!(
        gone.code == 1 && gone.err.contains("no note"),
        "{}",
        gone.err
    );
    assert_eq!(run(home, &["notes", "delete", "keys"]).code, 1);
    assert_eq!(run(home, &["notes", "list"]).out, "shopping\na b\n");
}

#[test]
fn broken_state_is_named_and_left_alone() {
    let home = home();
    let file = home.path().join("demo/ledger.json");
    std::fs::create_dir(home.path().join("demo")).unwrap();
    for broken in [
        "{",
        r#"{"opening":"1","opening":"100","payees":[],"payments":[]}"#,
        r#"{"opening":"1e9","payees":[],"payments":[]}"#,
        r#"{"opening":"1","payees":[],"payments":[{"amount":"2","payee":"x","time":""}]}"#,
    ] {
        std::fs::write(&file, broken).unwrap();
        for line in [
            vec!["ledger", "balance"],
            vec!["ledger", "transfer", "1", "--to", "demo-rent", "--confirm"],
            vec!["transit", "buy", "city"],
        ] {
            let ran = run(home.path(), &line);
            assert_eq!(ran.code, 1, "{broken}");
            assert!(
                ran.err.contains("ledger.json") || ran.err.contains("no saved payee"),
                "{}",
                ran.err
            );
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    }
}

#[test]
fn output_is_safe_to_read() {
    let home = home();
    let memo = "a\u{1b}[2J\u{202e}b\nc";
    run(
        home.path(),
        &[
            "ledger",
            "transfer",
            "1",
            "--to",
            "demo-rent",
            "--memo",
            memo,
            "--confirm",
        ],
    );
    let list = run(home.path(), &["ledger", "list"]).out;
    assert!(list.ends_with("a\\u{1b}[2J\\u{202e}b\\nc\n"), "{list}");
}

#[test]
fn state_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = home();
    run(home.path(), &["notes", "add", "x", "--text", "y"]);
    let mode = |path: &str| {
        let path = home.path().join(path);
        path.metadata().unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode("demo"), mode("demo/notes.json")), (0o700, 0o600));
}

const CHILD: &str = "HCP_DEMO_TEST_HOME";

/// What each child process of the next test runs; alone it does nothing.
#[test]
fn child_pays_ten_times() {
    let Some(home) = std::env::var_os(CHILD) else {
        return;
    };
    for _ in 0..10 {
        let line = [
            "ledger",
            "transfer",
            "0.01",
            "--to",
            "demo-rent",
            "--confirm",
        ];
        let ran = run(Path::new(&home), &line);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
}

#[test]
fn processes_at_once_lose_no_payment() {
    let home = home();
    let children: Vec<_> = (0..8)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "child_pays_ten_times"])
                .env(CHILD, home.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(run(home.path(), &["ledger", "balance"]).out, "99.20 EUR\n");
    assert_eq!(
        run(home.path(), &["ledger", "list"]).out.lines().count(),
        80
    );
}
