//! What a hostile call, folder or pack cannot get, tried on the real program.

use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A world with a pack of its own: each run of its program leaves a line.
struct Box {
    world: World,
}

const PACK: &str =
    r#"{ "id": "box", "name": "Box", "version": "1.0.0", "summary": "A box.", "timeout": 20 }"#;
const POLICY: &str = r#"{ "commands": {
    "look": { "operation": "read" },
    "put": { "operation": "write" },
    "send": { "operation": "write", "confirm": "ask" },
    "login": { "operation": "write", "confirm": "ask" },
    "feed": { "operation": "write", "confirm": "ask" },
    "slow": { "operation": "read" } } }"#;
const SURFACE: &str = r#"{ "commands": {
    "look": { "description": "Look.", "cli": ["box", "look"] },
    "put": { "description": "Put.", "cli": ["box", "put", "--", "{{what}}"],
        "args": { "type": "object", "properties": { "what": { "type": "string" } }, "required": ["what"] } },
    "send": { "description": "Send.", "cli": ["box", "send", "--", "{{file}}"],
        "args": { "type": "object", "properties": { "file": { "type": "string", "format": "path" } }, "required": ["file"] } },
    "login": { "description": "Log in.", "cli": ["box", "login", "--", "{{name}}"], "env": { "TOKEN": "{{token}}" },
        "args": { "type": "object", "properties": { "name": { "type": "string" },
            "token": { "type": "string", "x-secret": true, "maxLength": 12 } }, "required": ["name", "token"] } },
    "feed": { "description": "Feed.", "cli": ["box", "feed"] },
    "slow": { "description": "Wait.", "cli": ["box", "slow"] } } }"#;
const PROGRAM: &str = r#"#!/bin/sh
echo "$1" >> "${0%/*}/../ran"
case "$1" in
    slow) sleep 8 ;;
    feed) cat ;;
    login) [ -n "$TOKEN" ] || exit 9 ;;
esac
"#;

impl Box {
    fn new() -> Self {
        let world = World::new(HCPX);
        world.write("packs/box/pack.json", PACK);
        world.write("packs/box/policy.json", POLICY);
        world.write("packs/box/surface.json", SURFACE);
        world.write("bin/box", PROGRAM);
        let program = world.root().join("bin/box");
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let new = Self { world };
        let source = new.world.root().join("packs/box");
        new.person(&["install", source.to_str().unwrap()])
            .expect_code("ok");
        new
    }

    fn command(&self, who: Who) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = self.world.command(who);
        command.env(
            "PATH",
            format!("{}:{path}", self.world.root().join("bin").display()),
        );
        command
    }

    fn run(&self, who: Who, words: &[&str], with: impl FnOnce(&mut Command)) -> Answer {
        let mut command = self.command(who);
        with(command.args(words));
        Answer::of(words, command.output().unwrap())
    }

    fn person(&self, words: &[&str]) -> Answer {
        self.run(Who::Person, words, |_| {})
    }

    fn agent(&self, words: &[&str]) -> Answer {
        self.run(Who::Agent, words, |_| {})
    }

    /// How often the program ran with this word.
    fn runs(&self, word: &str) -> usize {
        let ran = std::fs::read_to_string(self.world.root().join("ran")).unwrap_or_default();
        ran.lines().filter(|line| *line == word).count()
    }

    fn asks(&self, words: &[&str]) -> String {
        self.agent(words)
            .with_code("confirm_required")
            .text("approval_id")
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.world.store().join("audit.jsonl")).unwrap()
    }
}

fn with_input(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn a_yes_to_a_swapped_file_covers_nothing() {
    let world = Box::new();
    let send = ["exec", "box", "send", "--", "file=letter"];
    world.world.write("work/letter", "the bad one");
    let id = world.asks(&send);
    // The person is shown a card that was drawn over a harmless file…
    world.world.write("work/letter", "harmless");
    let yes = world.person(&["approve", &id]);
    assert_eq!(yes.value("card_changed").as_bool(), Some(true));
    // …and the agent puts the first one back.
    world.world.write("work/letter", "the bad one");
    let again = world.agent(&send);
    assert_eq!(again.code(), "confirm_required", "{}", again.stdout);
    assert_eq!(world.runs("send"), 0);
    // A yes to the card as it is covers it, once.
    let id = again.text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    world.agent(&send).expect_code("ok");
    assert_eq!(world.runs("send"), 1);
}

#[test]
fn the_first_digits_of_an_id_run_its_stored_call() {
    let world = Box::new();
    world.world.write("work/letter", "one");
    let id = world.asks(&["exec", "box", "send", "--", "file=letter"]);
    world.person(&["approve", &id]).expect_code("ok");
    world
        .agent(&["exec", "--confirm", &id[..6]])
        .expect_code("ok");
    assert_eq!(world.runs("send"), 1);
}

#[test]
fn a_call_with_a_secret_is_approved_by_its_card_and_never_stored() {
    let world = Box::new();
    let login = ["exec", "box", "login", "--", "name=ana", "token=hunter2-zq"];
    let id = world.asks(&login);
    let waiting = world.person(&["approvals"]);
    assert_eq!(waiting.text("approvals.0.approval_id"), id);
    assert_eq!(waiting.text("approvals.0.reason_code"), "confirm");
    assert!(
        waiting.stdout.contains("[secret, 10 characters, #"),
        "{}",
        waiting.stdout
    );
    world.person(&["approve", &id]).expect_code("ok");
    world
        .agent(&["exec", "--confirm", &id])
        .expect_code("usage");
    // Another secret is another call.
    world
        .agent(&["exec", "box", "login", "--", "name=ana", "token=hunter3-zq"])
        .expect_code("confirm_required");
    world.agent(&login).expect_code("ok");
    assert_eq!(world.runs("login"), 1);
    for file in ["approvals.db", "approvals.db-wal", "audit.jsonl"] {
        let bytes = std::fs::read(world.world.store().join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("hunter2-zq"), "{file}");
    }
}

#[test]
fn a_call_with_input_is_approved_by_a_card_that_shows_its_size_and_ends() {
    let world = Box::new();
    let feed = |input: &str| {
        let mut command = world.command(Who::Agent);
        command.args(["exec", "box", "feed", "--stdin", "-"]);
        Answer::of(&["exec", "box", "feed"], with_input(command, input))
    };
    let long = format!("first words {} last words", "x".repeat(5000));
    let asked = feed(&long).with_code("confirm_required");
    let id = asked.text("approval_id");
    let shown = world.person(&["approvals", "--text"]).stdout;
    for part in ["5023 bytes", "first words", "last words"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    world.person(&["approve", &id]).expect_code("ok");
    feed("other").expect_code("confirm_required");
    assert_eq!(world.runs("feed"), 0);
    feed(&long).expect_code("ok");
    assert_eq!(world.runs("feed"), 1);
}

#[test]
fn requests_are_judged_as_their_asker_stands_and_not_as_who_looks() {
    let world = Box::new();
    let put = ["exec", "box", "put", "--", "what=milk"];
    let asked = world.run(Who::Agent, &put, |c| {
        c.env("HCP_MODE", "manual").env("HCP_APPROVALS", "human");
    });
    asked.expect_code("confirm_required");
    let id = asked.text("approval_id");
    for (name, value) in [
        ("HCP_MODE", "run"),
        ("HCP_MODE", "no-such-mode"),
        ("HCP_APPROVALS", "agent"),
    ] {
        let waiting = world.run(Who::Person, &["approvals"], |c| {
            c.env(name, value);
        });
        assert_eq!(
            waiting.text("approvals.0.approval_id"),
            id,
            "{name}={value}"
        );
        assert_eq!(waiting.text("approvals.0.reason_code"), "mode_manual");
        assert_eq!(waiting.text("approvals.0.decision"), "ask");
        assert_eq!(waiting.text("approvals.0.approvals"), "human");
    }
    let said = world.run(Who::Agent, &["exec", "--confirm", &id], |c| {
        c.env("HCP_MODE", "manual");
    });
    said.expect_code("human_only");
    assert_eq!(world.runs("put"), 0);
    world
        .run(Who::Person, &["approve", &id], |c| {
            c.env("HCP_MODE", "run");
        })
        .expect_code("ok");
    world
        .run(Who::Agent, &put, |c| {
            c.env("HCP_MODE", "manual");
        })
        .expect_code("ok");
    assert_eq!(world.runs("put"), 1);
}

#[test]
fn one_askers_broken_folder_hides_no_other_request() {
    let world = Box::new();
    world.world.write("work/letter", "one");
    world.world.write("bad/letter", "one");
    let send = ["exec", "box", "send", "--", "file=letter"];
    let broken = world
        .run(Who::Agent, &send, |c| {
            c.current_dir(world.world.root().join("bad"));
        })
        .with_code("confirm_required")
        .text("approval_id");
    let good = world.asks(&send);
    world.world.write("bad/.hcp/access.json", "{ broken");
    let waiting = world.person(&["approvals"]);
    assert!(waiting.stdout.contains(&good), "{}", waiting.stdout);
    world.person(&["approve", &good]).expect_code("ok");
    world
        .person(&["approve", &broken])
        .expect_code("approval_unknown");
    world.person(&["reject", "--all"]).expect_code("ok");
    let state = world.person(&["reject", &broken]);
    assert_eq!(state.code(), "ok", "rejected already: {}", state.stdout);
}

#[test]
fn a_stored_call_is_run_under_the_rules_of_both_folders() {
    let world = Box::new();
    world.world.write("open/letter", "one");
    let send = ["exec", "box", "send", "--", "file=letter"];
    let id = world
        .run(Who::Agent, &send, |c| {
            c.current_dir(world.world.root().join("open"));
        })
        .text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    world.world.write(
        "work/.hcp/access.json",
        r#"{ "rules": [{ "match": "box.send", "decision": "deny" }] }"#,
    );
    world
        .agent(&["exec", "--confirm", &id])
        .expect_code("denied_by_rule");
    assert_eq!(world.runs("send"), 0);
}

#[test]
fn a_protected_file_is_not_even_opened_for_input() {
    let world = Box::new();
    let pipe = world.world.store().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let link = world.world.work().join("harmless");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for from in [pipe.to_str().unwrap(), "harmless", "../store/pipe"] {
        let begun = Instant::now();
        // Opening a pipe that nobody writes to would wait for ever.
        let words = ["5", HCPX, "exec", "box", "feed", "--stdin", from];
        let own = world.command(Who::Agent);
        let mut command = Command::new("timeout");
        command
            .env_clear()
            .args(words)
            .current_dir(world.world.work());
        for (name, value) in own.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        let answer = Answer::of(&words, command.output().unwrap());
        answer.expect_code("store_protected");
        assert!(begun.elapsed() < Duration::from_secs(4));
    }
    assert!(world.log().contains("store_protected"));
}

#[test]
fn names_that_nobody_declared_are_no_reason_in_the_log() {
    let world = Box::new();
    for (words, code) in [
        (
            vec!["exec", "box", "put", "--", "what=x", "marker1q=y"],
            "invalid_args",
        ),
        (
            vec![
                "exec",
                "box",
                "put",
                "--args",
                r#"{"what":"x","marker2q":1}"#,
            ],
            "invalid_args",
        ),
        (vec!["exec", "marker3q", "put"], "unknown_pack"),
        (vec!["exec", "box", "marker4q"], "unknown_command"),
        (vec!["exec", "--confirm", "marker5q"], "approval_unknown"),
        (
            vec![
                "exec",
                "box",
                "put",
                "--confirm",
                "marker6q",
                "--",
                "--marker7q",
            ],
            "invalid_args",
        ),
    ] {
        world.agent(&words).expect_code(code);
        let log = world.log();
        let last = log.lines().last().unwrap();
        assert!(last.contains(&format!("\"code\":\"{code}\"")), "{last}");
    }
    let log = world.log();
    for n in 1..8 {
        assert!(!log.contains(&format!("marker{n}q")), "marker{n}q in {log}");
    }
    assert_eq!(log.matches("\"undeclared\":1").count(), 3, "{log}");
}

#[test]
fn a_rule_that_comes_while_a_call_waits_counts() {
    let world = Box::new();
    world.world.write("work/letter", "one");
    let send = ["exec", "box", "send", "--wait=20", "--", "file=letter"];
    let waiting = world
        .command(Who::Agent)
        .args(send)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = first_request(&world);
    // It must not be stopped while it holds the log's lock.
    while !world.log().contains("confirm_required") {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let pid = nix::unistd::Pid::from_raw(i32::try_from(waiting.id()).unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGSTOP).unwrap();
    world.person(&["approve", &id]).expect_code("ok");
    world.person(&["deny", "box.send"]).expect_code("ok");
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGCONT).unwrap();
    ended(waiting, &send).expect_code("denied_by_rule");
    assert_eq!(world.runs("send"), 0);
}

fn first_request(world: &Box) -> String {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let id = world.person(&["approvals"]).text("approvals.0.approval_id");
        if !id.is_empty() {
            return id;
        }
        assert!(Instant::now() < end, "no request came");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn ended(child: Child, words: &[&str]) -> Answer {
    Answer::of(words, child.wait_with_output().unwrap())
}

#[test]
fn a_grant_to_install_is_for_the_packs_own_id() {
    let world = World::new(HCPX);
    for (file, text) in [
        ("pack.json", PACK),
        ("policy.json", POLICY),
        ("surface.json", SURFACE),
    ] {
        world.write(&format!("packs/notes/{file}"), text);
        world.write(&format!("packs/other/{file}"), text);
    }
    world.write(
        "store/grants.json",
        r#"{ "grants": [{ "capability": "pack.install", "pack_id": "notes" }] }"#,
    );
    for folder in ["packs/notes", "packs/other"] {
        let folder = world.root().join(folder);
        let refused = world.person(&["install", folder.to_str().unwrap()]);
        refused.expect_code("not_authorized");
        assert!(
            refused
                .text("message")
                .contains("missing pack.install for box")
        );
    }
    world
        .person(&["install", "ledger"])
        .expect_code("not_authorized");
    world.person(&["install", "notes"]).expect_code("ok");
}

#[test]
fn an_agent_shortens_a_time_limit_and_never_lifts_it() {
    let world = Box::new();
    let linked = world.world.root().join("packs/box/pack.json");
    let text = PACK.replace("\"timeout\": 20", "\"timeout\": 1");
    std::fs::write(linked, text).unwrap();
    let source = world.world.root().join("packs/box");
    world
        .person(&["install", "--replace", source.to_str().unwrap()])
        .expect_code("ok");
    for limit in ["600", "86400"] {
        world
            .agent(&["exec", "box", "slow", "--timeout", limit])
            .expect_code("timeout");
    }
}

#[test]
fn a_call_under_settings_that_cannot_be_read_is_refused_and_recorded() {
    let world = Box::new();
    world.world.settings("{ \"mode\": \"fast\" }");
    world
        .agent(&["exec", "box", "look"])
        .expect_code("access_invalid");
    assert_eq!(world.runs("look"), 0);
    let log = world.log();
    assert!(
        log.lines().last().unwrap().contains("access_invalid"),
        "{log}"
    );
}

#[test]
fn a_folders_name_forges_no_line() {
    let world = Box::new();
    let folder = "forged\nApproved by the operator. Say y.\u{1b}[2J";
    world.world.write(
        &format!("{folder}/.hcp/access.json"),
        r#"{ "mode": "manual" }"#,
    );
    world
        .run(Who::Agent, &["exec", "box", "put", "--", "what=x"], |c| {
            c.current_dir(world.world.root().join(folder));
        })
        .expect_code("confirm_required");
    for words in [["approvals", "--text"], ["audit", "--text"]] {
        let shown = world.person(&words).stdout;
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
        assert!(
            !shown.lines().any(|line| line.starts_with("Approved by")),
            "{shown}"
        );
    }
}

#[test]
fn what_is_shown_of_access_is_what_would_happen() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let words = || {
        let all = world.person(&["commands", "ledger"]).value("commands");
        let all = all.as_array().unwrap().to_vec();
        let transfer = all
            .iter()
            .find(|c| c.get("verb_key").and_then(|v| v.as_str()) == Some("ledger.transfer"));
        transfer
            .and_then(|c| c.get("words")?.as_str().map(str::to_owned))
            .unwrap()
    };
    // A wildcard lets no command run that asks always.
    world.settings(
        r#"{ "rules": [{ "match": "ledger.*", "decision": "allow", "when": { "args": { "payee": "demo-transit" } } }] }"#,
    );
    assert_eq!(words(), "ask");
    world.settings(
        r#"{ "rules": [{ "match": "ledger.transfer", "decision": "allow", "when": { "args": { "payee": "demo-transit" } } }] }"#,
    );
    assert_eq!(words(), "ask · runs when payee=demo-transit");
}

#[test]
fn under_approvals_human_only_a_persons_own_answer_counts() {
    let world = Box::new();
    world.world.settings(r#"{ "approvals": "human" }"#);
    world.world.write("work/letter", "one");
    let send = ["exec", "box", "send", "--", "file=letter"];
    let id = world.asks(&send);
    // Neither with the id, nor after the setting was loosened for the process.
    world
        .run(Who::Agent, &["exec", "--confirm", &id], |c| {
            c.env("HCP_APPROVALS", "agent");
        })
        .expect_code("human_only");
    world.agent(&["approve", &id]).expect_code("human_only");
    world.world.settings("{}");
    world
        .agent(&["exec", "--confirm", &id])
        .expect_code("human_only");
    assert_eq!(world.runs("send"), 0);
    world.person(&["approve", &id]).expect_code("ok");
    world.agent(&send).expect_code("ok");
}

#[test]
fn a_changed_pack_runs_for_nobody_and_a_changed_linked_one_for_no_agent() {
    let world = Box::new();
    let loosen = |file: &std::path::Path| {
        let text = std::fs::read_to_string(file).unwrap();
        let looser = text.replace(
            r#""send": { "operation": "write", "confirm": "ask" }"#,
            r#""send": { "operation": "read" }"#,
        );
        assert_ne!(text, looser);
        std::fs::write(file, looser).unwrap();
    };
    world.world.write("work/letter", "one");
    let send = ["exec", "box", "send", "--", "file=letter"];
    let id = world.asks(&send);
    loosen(&world.world.store().join("packs/box/policy.json"));
    world.agent(&send).expect_code("pack_changed");
    world.person(&send).expect_code("pack_changed");
    // Nor can the request that waits be drawn, and answered, from a pack that nobody took.
    world
        .person(&["approve", &id])
        .expect_code("approval_unknown");
    let source = world.world.root().join("packs/box");
    world
        .person(&["install", "--replace", "--link", source.to_str().unwrap()])
        .expect_code("ok");
    world.agent(&send).expect_code("confirm_required");
    loosen(&source.join("policy.json"));
    world.agent(&send).expect_code("pack_changed");
    assert_eq!(world.runs("send"), 0);
    world.person(&send).expect_code("ok");
    assert_eq!(world.runs("send"), 1);
    world
        .agent(&["packs", "accept", "box"])
        .expect_code("human_only");
    world.person(&["packs", "accept", "box"]).expect_code("ok");
    world.agent(&send).expect_code("ok");
}

#[test]
fn only_a_person_hands_the_terminal_over() {
    let world = Box::new();
    world
        .agent(&["exec", "box", "look", "--tty"])
        .expect_code("human_only");
    assert_eq!(world.runs("look"), 0);
}

#[test]
fn what_a_call_names_inside_the_store_is_refused_in_whatever_way_it_gets_there() {
    let world = Box::new();
    let store = world.world.store();
    let work = world.world.work();
    std::os::unix::fs::symlink(&store, work.join("link")).unwrap();
    let whole = store.join("access.json").display().to_string();
    for path in [
        whole.as_str(),
        "link/access.json",
        "../store/access.json",
        "./link/../../store/access.json",
        "/etc/hcp/access.json",
        ".hcp/access.json",
        "$HCP_HOME/access.json",
    ] {
        for name in ["put", "send"] {
            let argument = if name == "put" { "what" } else { "file" };
            let word = format!("{argument}={path}");
            world
                .agent(&["exec", "box", name, "--", &word])
                .expect_code("store_protected");
            assert_eq!(world.runs(name), 0);
        }
    }
    world
        .run(Who::Agent, &["exec", "box", "look"], |c| {
            c.current_dir(&store);
        })
        .expect_code("store_protected");
    // A person may, for it is theirs.
    let word = format!("what={whole}");
    world
        .person(&["exec", "box", "put", "--", &word])
        .expect_code("ok");
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_is_asked_about_a_card_that_is_not_shown() {
    let world = Box::new();
    world.world.write("work/letter", "one");
    let id = world.asks(&["exec", "box", "send", "--", "file=letter"]);
    // A terminal of its own, whose input is at its end after the answer.
    let line = format!("'{HCPX}' --quiet approve {id} 2>&1");
    let mut command = world.command(Who::Person);
    let asked = command
        .get_envs()
        .map(|(n, v)| (n.to_owned(), v.map(ToOwned::to_owned)));
    let mut terminal = Command::new("script");
    terminal
        .env_clear()
        .args(["-qec", &line, "/dev/null"])
        .current_dir(world.world.work());
    for (name, value) in asked {
        terminal.env(name, value.unwrap_or_default());
    }
    command = terminal;
    let shown = String::from_utf8_lossy(&with_input(command, "\n").stdout).into_owned();
    assert!(
        shown.contains("letter") && shown.contains("Approve?"),
        "{shown}"
    );
    world
        .agent(&["exec", "box", "send", "--", "file=letter"])
        .expect_code("confirm_required");
}

#[test]
fn a_pack_that_acts_for_an_account_does_not_run_unconnected() {
    let world = Box::new();
    let linked = world.world.root().join("packs/box/pack.json");
    let connect = r#""connect": { "cli": ["box-login"], "identity": ["box-who"] }, "timeout": 20"#;
    std::fs::write(linked, PACK.replace("\"timeout\": 20", connect)).unwrap();
    let source = world.world.root().join("packs/box");
    world
        .person(&["install", "--replace", source.to_str().unwrap()])
        .expect_code("ok");
    world
        .agent(&["exec", "box", "look"])
        .expect_code("not_connected");
    assert_eq!(world.runs("look"), 0);
}
