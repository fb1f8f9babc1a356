//! The program at a terminal, with a person who answers: the question, `--quiet`, the demo and the watch.

use crate::HCPX;
use hcp_testkit::{Who, World};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a test waits for what should appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program at a terminal of its own.
struct Seat {
    keys: File,
    read: Receiver<Vec<u8>>,
    seen: String,
    child: Child,
}

impl Seat {
    fn new(world: &World, who: Who, words: &[&str]) -> Self {
        let size = nix::pty::Winsize {
            ws_row: 40,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = nix::pty::openpty(Some(&size), None).unwrap();
        let side = || Stdio::from(pty.slave.try_clone().unwrap());
        let child = world
            .command(who)
            .args(words)
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        drop(pty.slave);
        let keys = File::from(pty.master);
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
    fn wait(&mut self, text: &str) -> String {
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

    fn key(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Everything up to the end, and the exit code.
    fn end(mut self) -> (String, i32) {
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
