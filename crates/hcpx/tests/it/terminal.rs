//! The program at a terminal, with a person who answers: the question, `--quiet`, the demo and the watch.

use crate::HCPX;
use hcp_testkit::{Who, World};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a test waits for what should appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program at a terminal of its own.
pub(crate) struct Seat {
    keys: File,
    read: Receiver<Vec<u8>>,
    seen: String,
    child: Child,
}

impl Seat {
    fn new(world: &World, who: Who, words: &[&str]) -> Self {
        Self::typed_ahead(world, who, words, "")
    }

    /// A seat at which keys were pressed before the program even began.
    fn typed_ahead(world: &World, who: Who, words: &[&str], ahead: &str) -> Self {
        let mut command = world.command(who);
        command.args(words);
        Self::of(command, ahead)
    }

    /// The same for a program that is ready to be started.
    pub(crate) fn of(mut command: Command, ahead: &str) -> Self {
        let size = nix::pty::Winsize {
            ws_row: 40,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = nix::pty::openpty(Some(&size), None).unwrap();
        let mut keys = File::from(pty.master);
        keys.write_all(ahead.as_bytes()).unwrap();
        let side = || Stdio::from(pty.slave.try_clone().unwrap());
        let child = command
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        drop(pty.slave);
        let mut out = keys.try_clone().unwrap();
        let (send, read) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n) = out.read(&mut buffer) {
                if n == 0 || send.send(buffer[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            keys,
            read,
            seen: String::new(),
            child,
        }
    }

    /// Waits until a text stands on the terminal, and gives what stood there before it.
    pub(crate) fn wait(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                let before = self.seen[..at].to_owned();
                self.seen = self.seen[at + text.len()..].to_owned();
                return before;
            }
            match self
                .read
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{text:?} never appeared:\n{}", self.seen),
            }
        }
    }

    pub(crate) fn key(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Everything up to the end, and the exit code.
    pub(crate) fn end(mut self) -> (String, i32) {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.read.recv_timeout(Duration::from_millis(50)) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if Instant::now() > end => {
                    self.child.kill().unwrap();
                    panic!("it never ended:\n{}", self.seen);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        (self.seen, code)
    }
}

const FARE: [&str; 6] = [
    "exec",
    "ledger",
    "transfer",
    "--",
    "amount=2.80",
    "payee=demo-transit",
];
const QUESTION: &str = "Type \"pay\" to approve, n to reject: ";

fn exec(world: &World, options: &[&'static str], typed: &str) -> (String, i32) {
    let mut words = vec!["exec"];
    words.extend(options);
    words.extend(&FARE[1..]);
    let mut seat = Seat::new(world, Who::Person, &words);
    let card = seat.wait(QUESTION);
    assert!(card.contains("Pay demo-transit"), "{card}");
    assert!(card.contains("amount    2.80"), "{card}");
    seat.key(typed);
    seat.end()
}

#[test]
fn exec_asks_at_the_terminal() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let (said, code) = exec(&world, &[], "y\n");
    assert_eq!(code, 3, "a card of danger wants its word: {said}");
    let (said, code) = exec(&world, &[], "\n");
    assert_eq!(code, 3, "{said}");
    let (said, code) = exec(&world, &[], "pay\n");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Paid 2.80 EUR"), "{said}");
    let (said, code) = exec(&world, &[], "n\n");
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("You said no. Nothing ran."), "{said}");
}

#[test]
fn quiet_hides_no_card_and_no_question() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let (said, code) = exec(&world, &["--quiet"], "pay\n");
    assert_eq!(code, 0, "{said}");
    let refused = world.person(&["--text", "--quiet", "exce"]);
    assert!(
        refused.stderr.contains("there is no command"),
        "{}",
        refused.stderr
    );
}

#[test]
fn no_input_asks_nothing() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let mut words = vec!["exec", "--no-input"];
    words.extend(&FARE[1..]);
    let (said, code) = Seat::new(&world, Who::Person, &words).end();
    assert_eq!(code, 3);
    assert!(said.contains("yes: hcpx approve"), "{said}");
    assert!(!said.contains('\u{1b}'), "NO_COLOR is set: {said:?}");
    assert!(!said.contains("Type \"pay\""), "{said}");
}

#[test]
fn an_agent_is_not_asked_at_the_terminal() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let (said, code) = Seat::new(&world, Who::Agent, &FARE).end();
    assert_eq!(code, 3);
    assert!(!said.contains("Type \"pay\""), "{said}");
}

#[test]
fn the_demo_plays_to_its_end_whatever_the_person_says() {
    let world = World::new(HCPX);
    for (typed, then) in [
        ("pay\n", "Paid 2.80 EUR to demo-transit"),
        ("n\n", "rejected"),
        ("\n", "goes on waiting"),
        ("y\n", "goes on waiting"),
        ("\u{4}", "goes on waiting"),
    ] {
        let mut seat = Seat::new(&world, Who::Person, &["demo"]);
        seat.wait(QUESTION);
        seat.key(typed);
        seat.wait(then);
        let (said, code) = seat.end();
        assert_eq!(code, 0, "{typed:?}: {said}");
        assert!(said.contains("whole: "), "{typed:?}: {said}");
        assert!(said.contains("That was the demo"), "{typed:?}: {said}");
    }
}

#[test]
fn the_watch_answers_only_a_card_that_stood_still() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let asked = world.agent(&FARE);
    asked.expect_code("confirm_required");
    let id = asked.text("approval_id");
    let mut seat = Seat::new(&world, Who::Person, &["approvals", "--watch"]);
    seat.wait("Type \"pay\" and Enter to approve, n to reject:");
    seat.key("n");
    seat.wait("Too early: that key answered nothing.");
    let other = world.agent(&[
        "exec",
        "ledger",
        "transfer",
        "--",
        "amount=3",
        "payee=demo-rent",
    ]);
    other.expect_code("confirm_required");
    seat.wait("1 more below:");
    std::thread::sleep(Duration::from_millis(700));
    for key in ["p", "a", "y", "\r"] {
        seat.key(key);
    }
    seat.wait(&format!("Approved {id}"));
    std::thread::sleep(Duration::from_millis(700));
    seat.key("q");
    let (said, code) = seat.end();
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("\u{1b}[?1049l"),
        "the screen is given back: {said:?}"
    );
    world.agent(&FARE).expect_code("ok");
    let still = world.person(&["approvals"]);
    assert_eq!(
        still.text("approvals.0.approval_id"),
        other.text("approval_id")
    );
}

const PUT_PACK: &str = r#"{ "id": "box", "name": "Box", "version": "1.0.0", "summary": "A box." }"#;
const PUT_POLICY: &str = r#"{ "commands": { "put": { "operation": "write", "confirm": "ask" } } }"#;
const PUT_SURFACE: &str = r#"{ "commands": { "put": {
    "description": "Put a file.", "cli": ["true", "put", "--file={{file}}", "--label={{label}}", "--times={{times}}", "--tag={{tags}}"],
    "args": { "type": "object", "properties": {
        "file": { "type": "string", "format": "path" }, "label": { "type": "string" },
        "times": { "type": "integer" }, "tags": { "type": "array", "items": { "type": "string" } } } },
    "preview": { "kind": "command", "title": "Put {{file}}", "fields": {} } } } }"#;

/// A pack whose cards have no danger, and in it a file.
fn world_with_box() -> World {
    let world = World::new(HCPX);
    world.write("packs/box/pack.json", PUT_PACK);
    world.write("packs/box/policy.json", PUT_POLICY);
    world.write("packs/box/surface.json", PUT_SURFACE);
    let source = world.root().join("packs/box");
    world
        .person(&["install", source.to_str().unwrap()])
        .expect_code("ok");
    std::fs::write(world.work().join("note.txt"), "first").unwrap();
    world
}

const PUT: [&str; 5] = ["exec", "box", "put", "--", "file=note.txt"];
const PLAIN_QUESTION: &str = "Approve? [y/N] ";

#[test]
fn what_was_typed_before_the_card_stood_there_is_thrown_away() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let asked = world.agent(&FARE);
    let id = asked.text("approval_id");
    let mut seat = Seat::typed_ahead(&world, Who::Person, &["approve", &id], "pay\npay\n");
    seat.wait(QUESTION);
    seat.key("\n");
    let (said, code) = seat.end();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("goes on waiting"), "{said}");
    world.agent(&FARE).expect_code("confirm_required");
}

#[test]
fn a_card_without_danger_takes_a_y_and_anything_else_leaves_it() {
    let world = world_with_box();
    let id = world.agent(&PUT).text("approval_id");
    for (typed, then) in [
        ("\n", "goes on waiting"),
        ("maybe\n", "goes on waiting"),
        ("y\n", "approved"),
    ] {
        let mut seat = Seat::new(&world, Who::Person, &["approve", &id[..4]]);
        let card = seat.wait(PLAIN_QUESTION);
        assert!(
            card.contains("Put note.txt") && card.contains("$ true put"),
            "{card}"
        );
        seat.key(typed);
        let (said, code) = seat.end();
        assert_eq!(code, 0, "{said}");
        assert!(said.contains(then), "{typed:?}: {said}");
    }
    world.agent(&PUT).expect_code("ok");
}

/// Wherever a person says yes, they get the narrowest rule as a line to copy: of a card without danger only.
#[test]
fn a_yes_at_the_terminal_proposes_its_rule() {
    const RULE: &str = "hcpx allow box.put";
    let world = world_with_box();
    let mut seat = Seat::new(&world, Who::Person, &PUT);
    seat.wait(PLAIN_QUESTION);
    seat.key("y\n");
    let (said, code) = seat.end();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(RULE), "{said}");
    let (said, _) = exec(&World::with_packs(HCPX, &["ledger"]), &[], "pay\n");
    assert!(!said.contains("hcpx allow"), "it moves money: {said}");

    let id = world.agent(&PUT).text("approval_id");
    let mut seat = Seat::new(&world, Who::Person, &["approvals", "--watch"]);
    seat.wait("y approves, n rejects");
    std::thread::sleep(Duration::from_millis(700));
    seat.key("y");
    let watched = seat.wait(&format!("Approved {id}"));
    assert!(
        !watched.contains(RULE),
        "the screen is for cards: {watched}"
    );
    seat.key("q");
    let (said, _) = seat.end();
    // What stood on the screen of the watch is gone when it ends.
    let left = said.rsplit("\u{1b}[?1049l").next().unwrap();
    assert!(left.contains(RULE), "{said}");
}

#[test]
fn a_yes_to_a_card_that_changed_meanwhile_does_not_count() {
    let world = world_with_box();
    let first = world.agent(&PUT).text("approval_id");
    // At `approve`: the file is another one while the person looks.
    let mut seat = Seat::new(&world, Who::Person, &["approve", &first]);
    seat.wait(PLAIN_QUESTION);
    std::fs::write(world.work().join("note.txt"), "second").unwrap();
    seat.key("y\n");
    seat.wait("The card changed while it was shown. This is the new one:");
    seat.wait(PLAIN_QUESTION);
    seat.key("\n");
    let (said, _) = seat.end();
    assert!(said.contains("goes on waiting"), "{said}");
    assert_ne!(world.agent(&PUT).code(), "ok");
    // At `exec`, in the same way.
    let mut seat = Seat::new(&world, Who::Person, &PUT);
    seat.wait(PLAIN_QUESTION);
    std::fs::write(world.work().join("note.txt"), "third").unwrap();
    seat.key("y\n");
    seat.wait("The card changed while it was shown. This is the new one:");
    seat.wait(PLAIN_QUESTION);
    seat.key("y\n");
    let (said, code) = seat.end();
    assert_eq!(code, 0, "{said}");
}

#[test]
fn the_log_says_whether_the_card_was_shown() {
    let world = world_with_box();
    let shown = |world: &World| {
        let lines = world
            .person(&["audit", "--json", "--limit", "50"])
            .value("events");
        let lines = lines.as_array().unwrap().to_vec();
        let answer = lines
            .iter()
            .rev()
            .find(|l| l.get("event").and_then(|e| e.as_str()) == Some("answer"));
        answer
            .unwrap()
            .get("card_shown")
            .unwrap()
            .as_bool()
            .unwrap()
    };
    let id = world.agent(&PUT).text("approval_id");
    let mut seat = Seat::new(&world, Who::Person, &["approve", &id]);
    seat.wait(PLAIN_QUESTION);
    seat.key("y\n");
    seat.end();
    assert!(shown(&world));
    let id = world
        .agent(&["exec", "box", "put", "--", "label=b"])
        .text("approval_id");
    let (said, code) = Seat::new(&world, Who::Person, &["approve", "--yes", &id]).end();
    assert_eq!(code, 0, "{said}");
    assert!(!shown(&world));
    let id = world
        .agent(&["exec", "box", "put", "--", "label=c"])
        .text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    assert!(!shown(&world));
}

#[test]
fn the_watch_takes_no_yes_to_a_card_that_changed() {
    let world = world_with_box();
    let id = world.agent(&PUT).text("approval_id");
    let mut seat = Seat::new(&world, Who::Person, &["approvals", "--watch"]);
    seat.wait("y approves, n rejects");
    std::thread::sleep(Duration::from_millis(700));
    // Whether the change or the key comes first, the key was meant for the first card.
    std::fs::write(world.work().join("note.txt"), "second").unwrap();
    seat.key("y");
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(
        world.person(&["approvals"]).text("approvals.0.approval_id"),
        id
    );
    seat.key("n");
    seat.wait(&format!("Rejected {id}"));
    std::thread::sleep(Duration::from_millis(700));
    seat.key("q");
    seat.end();
    world.agent(&PUT).expect_code("confirm_required");
}

/// The line that `approve` proposes, run as it stands, lets the very same call run and no other.
#[test]
fn the_proposed_rule_lets_the_call_run_and_no_other() {
    for (args, others) in [
        (
            vec!["label=it's \"x\" $HOME *"],
            vec!["label=it's \"x\" $HOME "],
        ),
        (vec!["label=a=b", "times=3"], vec!["label=a=b", "times=4"]),
        (
            vec!["label=a", "tags=x", "tags=y z"],
            vec!["label=a", "tags=y z", "tags=x"],
        ),
        (vec!["label="], vec!["label=", "times=1"]),
        (vec![], vec!["times=1"]),
    ] {
        let world = world_with_box();
        let words = |args: &[&'static str]| {
            let mut words = vec!["exec", "box", "put", "--"];
            words.extend(args);
            words
        };
        let id = world.agent(&words(&args)).text("approval_id");
        let approved = world.person(&["approve", &id]);
        let line = approved.text("rule_line");
        assert!(
            line.starts_with("hcpx allow box.put ") && line.ends_with(" --only"),
            "{args:?}: {line}"
        );
        world.agent(&words(&args)).expect_code("ok");
        world.agent(&words(&args)).expect_code("confirm_required");
        let typed = line.replacen("hcpx", HCPX, 1);
        let mut shell = std::process::Command::new("sh");
        let like = world.command(Who::Person);
        shell
            .args(["-c", &typed])
            .current_dir(world.work())
            .env_clear();
        shell.envs(
            like.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        let done = shell.output().unwrap();
        assert!(
            done.status.success(),
            "{line}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        world.agent(&words(&args)).expect_code("ok");
        world.agent(&words(&others)).expect_code("confirm_required");
    }
}

#[test]
fn no_rule_is_proposed_for_a_card_of_danger_or_where_none_would_do() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = world.agent(&FARE).text("approval_id");
    let approved = world.person(&["approve", &id]);
    approved.expect_code("ok");
    assert_eq!(approved.text("rule_line"), "", "it moves money");
    // Somebody's rule with conditions asks, and ask wins against an allow rule that is no more specific.
    let world = world_with_box();
    world
        .person(&["ask", "box.put", "--when", "label=x"])
        .expect_code("ok");
    let id = world
        .agent(&["exec", "box", "put", "--", "label=x"])
        .text("approval_id");
    assert_eq!(world.person(&["approve", &id]).text("rule_line"), "");
    let id = world
        .agent(&["exec", "box", "put", "--", "label=y"])
        .text("approval_id");
    assert_eq!(
        world.person(&["approve", &id]).text("rule_line"),
        "hcpx allow box.put --when label=y --only"
    );
}
