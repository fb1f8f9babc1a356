//! himalaya on a maildir in a folder, with a mail server on this machine that keeps what it is given.

use super::{help, tool};
use crate::HCPX;
use hcp_testkit::{Answer, World};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

const LETTER: &str = "1700000000.M1P1.host";

/// A message as the server got it.
#[derive(Debug)]
struct Sent {
    recipients: Vec<String>,
    text: String,
}

/// A mail server for one test: it takes every message, and ends with the test.
struct Server {
    port: u16,
    sent: Receiver<Sent>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (keep, sent) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                talk(&stream.unwrap(), &keep);
            }
        });
        Self { port, sent }
    }

    /// The one message that came in since.
    fn one(&self) -> Sent {
        let first = self.sent.recv_timeout(Duration::from_secs(10)).unwrap();
        self.none();
        first
    }

    fn none(&self) {
        assert!(self.sent.try_recv().is_err(), "nothing was to be sent");
    }
}

/// As much of SMTP as a client without a login needs.
fn talk(stream: &TcpStream, keep: &Sender<Sent>) {
    let mut writer = stream;
    let mut say = |line: &str| writer.write_all(format!("{line}\r\n").as_bytes()).unwrap();
    let mut recipients = Vec::new();
    let mut text: Option<String> = None;
    say("220 local");
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        if let Some(lines) = &mut text {
            if line == "." {
                let text = text.take().unwrap_or_default();
                let recipients = std::mem::take(&mut recipients);
                say("250 kept");
                // A test that is over listens no more.
                let _ = keep.send(Sent { recipients, text });
            } else {
                lines.push_str(&line);
                lines.push('\n');
            }
            continue;
        }
        match line.split([' ', ':']).next().unwrap_or_default() {
            "DATA" => {
                text = Some(String::new());
                say("354 go on");
            }
            "RCPT" => {
                recipients.push(line["RCPT TO:".len()..].trim_matches(['<', '>']).to_owned());
                say("250 ok");
            }
            "QUIT" => return say("221 bye"),
            _ => say("250 ok"),
        }
    }
}

/// A world with one account: a letter in its inbox, and an empty trash.
fn world(server: &Server) -> World {
    let world = World::with_packs(HCPX, &["himalaya"]);
    let root = world.root().display();
    let port = server.port;
    let settings = format!(
        "[accounts.test]\ndefault = true\nemail = \"me@example.org\"\nmaildir.root = \"{root}/mail\"\n\
         mailbox.alias.inbox = \"INBOX\"\nmailbox.alias.trash = \"trash\"\nsmtp.server = \"smtp://127.0.0.1:{port}\"\n"
    );
    world.write("user/.config/himalaya/config.toml", &settings);
    for mailbox in ["INBOX", "trash", "drafts"] {
        for part in ["cur", "new", "tmp"] {
            std::fs::create_dir_all(world.root().join("mail").join(mailbox).join(part)).unwrap();
        }
    }
    let letter = "From: ana@example.org\r\nTo: me@example.org\r\nSubject: Lunch?\r\nDate: Tue, 01 Dec 2026 10:00:00 +0000\r\n\
                  Message-ID: <1@example.org>\r\n\r\nAt noon?\r\n";
    world.write(&format!("mail/INBOX/new/{LETTER}"), letter);
    world
}

fn exec(world: &World, command: &str, args: &[&str]) -> Answer {
    let words = [&["exec", "himalaya", command, "--"], args].concat();
    world.agent(&words)
}

/// Asks, says yes, and asks again; gives the first answer.
fn approved(world: &World, command: &str, args: &[&str]) -> Answer {
    let asked = exec(world, command, args);
    asked.expect_code("confirm_required");
    let id = asked.text("approval_id");
    world.person(&["approve", &id, "--yes"]).expect_code("ok");
    exec(world, command, args).expect_code("ok");
    asked
}

/// The ids of the messages in a mailbox of the world: the names of their files, without the marks.
fn ids(world: &World, mailbox: &str) -> Vec<String> {
    let folder = |part| world.root().join("mail").join(mailbox).join(part);
    let names = ["cur", "new"]
        .into_iter()
        .flat_map(|part| std::fs::read_dir(folder(part)).unwrap());
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .map(|name| name.split(':').next().unwrap_or_default().to_owned())
        .collect()
}

/// himalaya of the version that the pack describes, or nothing.
fn himalaya() -> Option<std::path::PathBuf> {
    let program = tool("himalaya")?;
    let two = help::help(&program, &["message".to_owned(), "compose".to_owned()]);
    if two.is_none() {
        println!("passed over: this himalaya is older than 2");
    }
    two.and(Some(program))
}

/// Own words that only himalaya 1 has.
const OLD: [&str; 12] = [
    "folder",
    "template",
    "mailbox expunge",
    "mailbox purge",
    "mailbox delete",
    "envelope thread",
    "message thread",
    "message export",
    "message edit",
    "message mailto",
    "account doctor",
    "account configure",
];

/// Whether this himalaya lacks a command because it is built without that part, or because only himalaya 1 has it.
fn is_left_out(program: &Path) -> impl Fn(&[String]) -> bool {
    let top = help::help(program, &[]).unwrap();
    let has = move |name: &str| {
        top.lines()
            .any(|line| line.split_whitespace().next() == Some(name))
    };
    let parts = [
        "imap", "jmap", "gmail", "msgraph", "maildir", "m2dir", "mbox", "pimdir", "smtp", "sieve",
    ];
    move |own| {
        let first = own.first().map(String::as_str).unwrap_or_default();
        OLD.contains(&first)
            || OLD.contains(&own.join(" ").as_str())
            || (parts.contains(&first) && !has(first))
    }
}

#[test]
fn himalaya_has_each_command_and_option_of_its_pack() {
    let Some(program) = himalaya() else { return };
    let lacks = help::lacks(&program, "himalaya", is_left_out(&program), &[]);
    assert!(lacks.is_empty(), "{}", lacks.join("\n"));
}

#[test]
fn a_message_goes_to_the_people_on_the_card_and_to_nobody_else() {
    if himalaya().is_none() {
        return;
    }
    let server = Server::start();
    let world = world(&server);
    let listed = exec(&world, "envelope_list", &[]);
    listed.expect_code("ok");
    assert!(
        listed.text("stdout").contains("Lunch?"),
        "{}",
        listed.stdout
    );
    let args = [
        "to=ana@example.org",
        "to=Ben <ben@example.org>",
        "cc=eva@example.org",
        "bcc=max@example.org",
        "subject=Lunch",
        "body=- at noon\n- in the kitchen",
    ];
    let card = approved(&world, "message_compose_send", &args);
    assert_eq!(card.text("approval.reason_code"), "confirm_always");
    assert_eq!(card.text("approval.view.kind"), "message");
    let sent = server.one();
    let people = [
        "ana@example.org",
        "ben@example.org",
        "eva@example.org",
        "max@example.org",
    ];
    assert_eq!(sent.recipients, people);
    assert!(sent.text.contains("Subject: Lunch\n"), "{sent:?}");
    assert!(
        sent.text.contains("\n- at noon\n- in the kitchen"),
        "{sent:?}"
    );
    // One more recipient is another message, and a yes serves once.
    let more = [&args[..], &["bcc=eve@example.net"]].concat();
    exec(&world, "message_compose_send", &more).expect_code("confirm_required");
    exec(&world, "message_compose_send", &args).expect_code("confirm_required");
    server.none();
}

#[test]
fn a_written_message_and_an_answer_ask_too() {
    if himalaya().is_none() {
        return;
    }
    let server = Server::start();
    let world = world(&server);
    let letter = "From: me@example.org\nTo: ana@example.org\nBcc: max@example.org\nSubject: Plan\n\nAs agreed.\n";
    let card = approved(&world, "message_send", &[&format!("message={letter}")]);
    assert_eq!(card.text("approval.view.fields.body"), letter);
    let sent = server.one();
    assert_eq!(sent.recipients, ["ana@example.org", "max@example.org"]);
    // A file beside it would be sent in its place, so there is no argument for one.
    exec(
        &world,
        "message_send",
        &["message=Hello", "file=letter.eml"],
    )
    .expect_code("invalid_args");
    approved(
        &world,
        "message_reply_send",
        &[&format!("id={LETTER}"), "body=Yes"],
    );
    let sent = server.one();
    assert_eq!(sent.recipients, ["ana@example.org"]);
    assert!(sent.text.contains("> At noon?"), "{sent:?}");
    // A draft is written and kept without a question, and goes to nobody.
    let draft = [
        "to=ana@example.org",
        "subject=Later",
        "body=Soon",
        "save=drafts",
    ];
    exec(&world, "draft_compose", &draft).expect_code("ok");
    assert_eq!(ids(&world, "drafts").len(), 1);
    server.none();
}

#[test]
fn deleting_asks_and_other_settings_ask_for_whatever_they_serve() {
    if himalaya().is_none() {
        return;
    }
    let server = Server::start();
    let world = world(&server);
    let card = approved(&world, "message_delete", &[&format!("ids={LETTER}")]);
    assert_eq!(card.text("approval.reason_code"), "confirm");
    assert_eq!(ids(&world, "INBOX").len(), 0);
    let trash = ids(&world, "trash");
    assert_eq!(trash.len(), 1);
    let args = [&format!("ids={}", trash[0]), "mailbox=trash"];
    let card = approved(&world, "message_delete", &args);
    assert_eq!(card.text("approval.reason_code"), "confirm_always");
    assert_eq!(ids(&world, "trash").len(), 0);
    // A settings file's account may name a program that gives the password.
    let other = exec(&world, "envelope_list", &["config=other.toml"]);
    other.expect_code("confirm_required");
    assert_eq!(other.text("approval.reason_code"), "confirm_always");
}
