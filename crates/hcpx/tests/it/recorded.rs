//! Nothing runs unrecorded: the log that cannot be written stops every call, every event has its line,
//! and a log that was touched is told from one that was not.

use crate::HCPX;
use hcp_core::json::{Limits, Value, parse};
use hcp_testkit::{Answer, Who, World};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

pub(crate) const FARE: [&str; 6] = [
    "exec",
    "ledger",
    "transfer",
    "--",
    "amount=2.80",
    "payee=demo-transit",
];
const BALANCE: [&str; 3] = ["exec", "ledger", "balance"];
const ADD: [&str; 6] = ["exec", "notes", "add", "--", "name=n", "text=t"];
/// Somebody else.
const NOBODY: u32 = 65534;

pub(crate) fn log_path(world: &World) -> PathBuf {
    world.store().join("audit.jsonl")
}

pub(crate) fn json(text: &str) -> Value {
    let limits = Limits {
        bytes: usize::MAX,
        depth: 256,
    };
    match parse(text, limits) {
        Ok(node) => node.to_value(),
        Err(e) => panic!("no JSON ({}): {text}", e.message),
    }
}

/// The whole lines of the log that are JSON.
pub(crate) fn events(world: &World) -> Vec<Value> {
    let text = std::fs::read_to_string(log_path(world)).unwrap();
    text.lines().map(json).collect()
}

pub(crate) fn word<'e>(event: &'e Value, key: &str) -> &'e str {
    key.split('.')
        .try_fold(event, |value, key| value.get(key))
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn number(event: &Value, key: &str) -> u64 {
    event.get(key).and_then(Value::as_u64).unwrap_or_default()
}

pub(crate) fn ran(event: &Value) -> Option<bool> {
    event.get("ran").and_then(Value::as_bool)
}

/// The memos of all payments that were made, oldest first.
pub(crate) fn payments(world: &World) -> Vec<String> {
    let Ok(text) = std::fs::read_to_string(world.store().join("demo/ledger.json")) else {
        return Vec::new();
    };
    let ledger = json(&text);
    let payments = ledger.get("payments").and_then(Value::as_array).unwrap();
    payments
        .iter()
        .map(|p| word(p, "memo").to_owned())
        .collect()
}

pub(crate) fn verified(world: &World) {
    let verified = world.person(&["audit", "verify", "--json"]);
    assert_eq!(verified.exit, 0, "{}", verified.stdout);
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// A world with an approved transfer, and the id of its approval.
fn approved() -> (World, String) {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let id = world
        .agent(&FARE)
        .with_code("confirm_required")
        .text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    (world, id)
}

/// Runs the program in a way of its own (`wrap`: the words before it).
fn wrapped(world: &World, who: Who, wrap: &[&str], words: &[&str]) -> Answer {
    let Some((program, rest)) = wrap.split_first() else {
        let output = world.command(who).args(words).output().unwrap();
        return Answer::of(words, output);
    };
    let plain = world.command(who);
    let mut command = Command::new(program);
    command
        .args(rest)
        .arg(HCPX)
        .args(words)
        .env_clear()
        .envs(
            plain
                .get_envs()
                .filter_map(|(name, value)| value.map(|value| (name, value))),
        )
        .current_dir(world.work())
        .stdin(Stdio::null());
    Answer::of(words, command.output().unwrap())
}

/// Every kind of call is refused, nothing runs, nothing changes, and no yes is spent.
fn nothing_runs(world: &World, wrap: &[&str], id: &str, why: &str) {
    let before = payments(world);
    let settings = std::fs::read(world.store().join("access.json")).ok();
    let other = [
        "exec",
        "ledger",
        "transfer",
        "--",
        "amount=2.81",
        "payee=demo-rent",
    ];
    let stored = ["exec", "--confirm", id];
    let denied = ["exec", "nothing", "here"];
    for words in [&BALANCE[..], &ADD, &FARE, &other, &stored, &denied] {
        for who in [Who::Agent, Who::Person] {
            let answer = wrapped(world, who, wrap, words);
            let told = format!(
                "{why}: {who:?} {words:?}\n{}{}",
                answer.stdout, answer.stderr
            );
            assert_eq!(answer.exit, 7, "{told}");
            assert_eq!(answer.code(), "audit_unavailable", "{told}");
            assert!(answer.text("message").contains("Nothing ran"), "{told}");
        }
    }
    let changes: [&[&str]; 9] = [
        &["mode", "run"],
        &["allow", "ledger.transfer"],
        &["deny", "notes.delete"],
        &["access", "set", "approvals", "human"],
        &["reject", id],
        &["install", "transit"],
        &["uninstall", "notes"],
        &["packs", "accept", "ledger"],
        &["audit", "key", "init"],
    ];
    for words in changes {
        let answer = wrapped(world, Who::Person, wrap, words);
        let told = format!("{why}: {words:?}\n{}{}", answer.stdout, answer.stderr);
        assert_eq!(
            (answer.exit, answer.code().as_str()),
            (7, "audit_unavailable"),
            "{told}"
        );
    }
    assert_eq!(
        std::fs::read(world.store().join("access.json")).ok(),
        settings,
        "{why}"
    );
    assert!(!world.store().join("audit.key").exists(), "{why}");
    assert!(!world.store().join("packs/transit").exists(), "{why}");
    assert!(world.store().join("packs/notes").exists(), "{why}");
    assert_eq!(payments(world), before, "{why}");
    assert!(!world.store().join("demo/notes.json").exists(), "{why}");
}

/// With the log back in order, the yes that was given still serves, once.
fn works_again(world: &World, wrap: &[&str], id: &str, why: &str) {
    let run = wrapped(world, Who::Agent, wrap, &FARE);
    assert_eq!(run.code(), "ok", "{why}: {}", run.stdout);
    assert_eq!(run.text("by.approval_id"), id, "{why}");
    assert_eq!(payments(world).len(), 1, "{why}");
    for words in [&BALANCE[..], &ADD] {
        let run = wrapped(world, Who::Agent, wrap, words);
        assert_eq!(run.code(), "ok", "{why}: {}", run.stdout);
    }
    let verify = wrapped(world, Who::Person, wrap, &["audit", "verify", "--json"]);
    assert_eq!(verify.exit, 0, "{why}: {}", verify.stdout);
}

#[test]
fn a_file_size_limit_refuses_everything_and_burns_no_yes() {
    let (world, id) = approved();
    let size = std::fs::metadata(log_path(&world)).unwrap().len();
    let limit = format!("--fsize={size}:{size}");
    nothing_runs(&world, &["prlimit", &limit], &id, "limit");
    assert_eq!(std::fs::metadata(log_path(&world)).unwrap().len(), size);
    works_again(&world, &[], &id, "limit");
}

/// A small file system of its own; taken away with this.
struct Disk(PathBuf);

impl Disk {
    /// `None` where this user may not mount.
    fn mount(at: &Path, options: &str) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let done = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "hcpx-test"])
            .arg(at)
            .stderr(Stdio::null())
            .status();
        done.is_ok_and(|s| s.success()).then(|| Self(at.to_owned()))
    }

    /// Fills what is left to the last byte.
    fn fill(&self) {
        let block = vec![b'x'; 4096];
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.0.join("filler"))
            .unwrap();
        while std::io::Write::write_all(&mut file, &block).is_ok() {}
        while std::io::Write::write_all(&mut file, b"x").is_ok() {}
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_refuses_everything_and_burns_no_yes() {
    let world = World::new(HCPX);
    let Some(disk) = Disk::mount(&world.store(), "size=2m,mode=700") else {
        println!("skipped: this user may not mount a small disk");
        return;
    };
    for pack in ["ledger", "notes"] {
        world.person(&["install", pack]).expect_code("ok");
    }
    let id = world
        .agent(&FARE)
        .with_code("confirm_required")
        .text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    // The room that was kept for the log's next lines goes first.
    let log = std::fs::OpenOptions::new()
        .append(true)
        .open(log_path(&world))
        .unwrap();
    log.set_len(log.metadata().unwrap().len()).unwrap();
    drop(log);
    disk.fill();
    let mut reads = 0;
    loop {
        let read = world.agent(&BALANCE);
        if read.code() == "audit_unavailable" {
            break;
        }
        reads += 1;
        assert_eq!(read.code(), "ok", "{}", read.stdout);
        assert!(
            reads < 500,
            "the disk is full, and still every read is recorded"
        );
    }
    nothing_runs(&world, &[], &id, "full disk");
    std::fs::remove_file(world.store().join("filler")).unwrap();
    works_again(&world, &[], &id, "full disk");
    drop(disk);
}

#[test]
fn a_log_that_was_replaced_refuses_everything_and_burns_no_yes() {
    type Damage = (&'static str, fn(&Path, &Path));
    let mut damages: Vec<Damage> = vec![
        ("link", |log, kept| symlink(kept, log).unwrap()),
        ("dangling link", |log, _| {
            symlink("/nowhere/at-all", log).unwrap()
        }),
        ("pipe", |log, _| {
            nix::unistd::mkfifo(log, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
        }),
        ("folder", |log, _| std::fs::create_dir(log).unwrap()),
        ("socket", |log, _| {
            drop(std::os::unix::net::UnixListener::bind(log).unwrap())
        }),
        ("others may write", |log, kept| {
            std::fs::copy(kept, log).unwrap();
            std::fs::set_permissions(log, PermissionsExt::from_mode(0o622)).unwrap();
        }),
    ];
    if is_root() {
        damages.push(("another owner", |log, kept| {
            std::fs::copy(kept, log).unwrap();
            chown(log, Some(NOBODY), Some(NOBODY)).unwrap();
        }));
    }
    let (world, id) = approved();
    let (log, kept) = (log_path(&world), world.root().join("kept.jsonl"));
    for (why, damage) in damages {
        std::fs::rename(&log, &kept).unwrap();
        let before = std::fs::read(&kept).unwrap();
        damage(&log, &kept);
        nothing_runs(&world, &[], &id, why);
        if log.is_dir() {
            std::fs::remove_dir(&log).unwrap();
        } else {
            std::fs::remove_file(&log).unwrap();
        }
        assert_eq!(
            std::fs::read(&kept).unwrap(),
            before,
            "{why}: nothing was written through"
        );
        std::fs::rename(&kept, &log).unwrap();
    }
    works_again(&world, &[], &id, "replaced");
}

/// The words by which the program runs as a user who is not root.
fn as_user() -> Vec<&'static str> {
    if is_root() {
        vec![
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
        ]
    } else {
        Vec::new()
    }
}

fn give_to_user(path: &Path) {
    if !is_root() {
        return;
    }
    let done = Command::new("chown")
        .args(["-hR", "65534:65534"])
        .arg(path)
        .status()
        .unwrap();
    assert!(done.success());
}

#[test]
fn a_log_that_may_not_be_written_refuses_everything_and_burns_no_yes() {
    let (world, user) = (World::new(HCPX), as_user());
    give_to_user(world.root());
    for pack in ["ledger", "notes"] {
        assert_eq!(
            wrapped(&world, Who::Person, &user, &["install", pack]).code(),
            "ok"
        );
    }
    let id = wrapped(&world, Who::Agent, &user, &FARE).text("approval_id");
    assert_eq!(
        wrapped(&world, Who::Person, &user, &["approve", &id]).code(),
        "ok"
    );
    let log = log_path(&world);
    for mode in [0o400, 0o000, 0o200] {
        std::fs::set_permissions(&log, PermissionsExt::from_mode(mode)).unwrap();
        nothing_runs(&world, &user, &id, &format!("mode {mode:o}"));
    }
    std::fs::set_permissions(&log, PermissionsExt::from_mode(0o600)).unwrap();
    works_again(&world, &user, &id, "modes");
}

#[test]
fn a_log_held_by_another_process_is_waited_for_and_then_refuses() {
    let (world, id) = approved();
    let held = std::fs::File::open(log_path(&world)).unwrap();
    held.lock().unwrap();
    let (agent, start) = (world.agent(&FARE), std::time::Instant::now());
    assert_eq!(
        (agent.exit, agent.code().as_str()),
        (7, "audit_unavailable"),
        "{}",
        agent.stdout
    );
    assert!(start.elapsed() < Duration::from_secs(20));
    held.unlock().unwrap();
    works_again(&world, &[], &id, "held");
}

/// The newest event of the log.
fn newest(world: &World) -> Value {
    events(world).pop().unwrap()
}

/// The digest of a settings file as the log writes it, from the log's own chain of changes.
fn changes_of(world: &World) -> Vec<(Option<String>, String)> {
    events(world)
        .iter()
        .filter(|e| word(e, "event") == "settings")
        .map(|e| {
            let before = e.get("before").and_then(Value::as_str).map(str::to_owned);
            (before, word(e, "after").to_owned())
        })
        .collect()
}

#[test]
fn every_event_that_matters_has_its_line() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let install = newest(&world);
    assert_eq!(
        (word(&install, "event"), word(&install, "act")),
        ("pack", "install")
    );
    assert_eq!(word(&install, "pack"), "notes");
    assert_eq!(word(&install, "after").len(), 64);

    // A call that runs: its line, then its end.
    world.agent(&BALANCE).expect_code("ok");
    let all = events(&world);
    let [.., call, outcome] = all.as_slice() else {
        panic!()
    };
    for (key, value) in [
        ("event", "call"),
        ("via", "cli"),
        ("principal.kind", "agent"),
        ("tenant", "local"),
        ("pack", "ledger"),
        ("command", "balance"),
        ("operation", "read"),
        ("decision", "allow"),
        ("code", "ok"),
        ("mode", "auto"),
        ("by.kind", "mode"),
    ] {
        assert_eq!(word(call, key), value, "{key}");
    }
    assert_eq!(ran(call), Some(true));
    assert!(!word(call, "principal.id").is_empty());
    assert_eq!(word(outcome, "event"), "outcome");
    assert_eq!(word(outcome, "call"), word(call, "call"));
    assert_eq!(outcome.get("exit_code").and_then(Value::as_u64), Some(0));
    assert_eq!(number(outcome, "stdout_bytes"), "100.00 EUR\n".len() as u64);
    assert!(outcome.get("duration_ms").is_some());

    // One that asks, its yes, its run.
    let id = world
        .agent(&FARE)
        .with_code("confirm_required")
        .text("approval_id");
    let ask = newest(&world);
    assert_eq!(
        (word(&ask, "decision"), word(&ask, "code")),
        ("ask", "confirm_required")
    );
    assert_eq!(ran(&ask), Some(false));
    assert_eq!(
        ask.get("args").map(Value::to_string).as_deref(),
        Some(r#"["amount","payee"]"#)
    );
    assert_eq!(word(&ask, "args_sha256").len(), 64);
    world.person(&["approve", &id]).expect_code("ok");
    let yes = newest(&world);
    assert_eq!(
        (word(&yes, "event"), word(&yes, "answer")),
        ("answer", "approve")
    );
    assert_eq!(yes.get("card_shown"), Some(&Value::Bool(false)));
    assert_eq!(
        (word(&yes, "by.kind"), word(&yes, "by.approval_id")),
        ("human", id.as_str())
    );
    world.agent(&FARE).expect_code("ok");
    let all = events(&world);
    let [.., call, _] = all.as_slice() else {
        panic!()
    };
    assert_eq!(
        (word(call, "by.kind"), word(call, "by.approval_id")),
        ("human", id.as_str())
    );
    assert_eq!(word(call, "args_sha256"), word(&ask, "args_sha256"));

    // The agent passes the yes on.
    let id = world.agent(&FARE).text("approval_id");
    world.agent(&["exec", "--confirm", &id]).expect_code("ok");
    let all = events(&world);
    let [.., call, _] = all.as_slice() else {
        panic!()
    };
    assert_eq!(
        (word(call, "by.kind"), word(call, "by.approval_id")),
        ("agent", id.as_str())
    );

    // A no, and the no taken back.
    let id = world.agent(&FARE).text("approval_id");
    world.person(&["reject", &id]).expect_code("ok");
    assert_eq!(word(&newest(&world), "answer"), "reject");
    world.agent(&FARE).expect_code("rejected");
    assert_eq!(word(&newest(&world), "code"), "rejected");
    world
        .person(&["approvals", "forget", &id])
        .expect_code("ok");
    let forget = newest(&world);
    assert_eq!(
        (word(&forget, "answer"), word(&forget, "by.approval_id")),
        ("forget", id.as_str())
    );

    // A rule lets it run, a rule refuses it.
    world
        .person(&[
            "allow",
            "ledger.transfer",
            "--max",
            "amount=5",
            "--note",
            "fares",
        ])
        .expect_code("ok");
    world.agent(&FARE).expect_code("ok");
    let all = events(&world);
    let [.., call, _] = all.as_slice() else {
        panic!()
    };
    assert_eq!(word(call, "by.kind"), "rule");
    assert_eq!(word(call, "by.rule.note"), "fares");
    assert_eq!(word(call, "by.rule.match"), "ledger.transfer");
    assert!(
        call.to_string().find("\"max\"").is_none(),
        "a rule's conditions stay out: {call}"
    );
    world.person(&["deny", "notes.*"]).expect_code("ok");
    world.agent(&ADD).expect_code("denied_by_rule");
    let deny = newest(&world);
    assert_eq!(
        (word(&deny, "decision"), word(&deny, "code")),
        ("deny", "denied_by_rule")
    );
    assert_eq!(
        (word(&deny, "by.kind"), word(&deny, "by.rule.match")),
        ("rule", "notes.*")
    );

    // What cannot be judged, or cannot start.
    for (words, code) in [
        (&["exec", "nothing", "here"][..], "unknown_pack"),
        (&["exec", "ledger", "burn"], "unknown_command"),
        (
            &["exec", "ledger", "transfer", "--", "amount=1"],
            "invalid_args",
        ),
        (
            &["exec", "ledger", "transfer", "--args", "{"],
            "invalid_args",
        ),
        (&["exec", "--confirm", "00000000"], "approval_unknown"),
        (&["exec", "--confirm", &id], "rejected"),
    ] {
        let before = events(&world).len();
        world.agent(words).expect_code(code);
        let line = newest(&world);
        assert_eq!(events(&world).len(), before + 1, "{words:?}");
        assert_eq!(
            (word(&line, "event"), word(&line, "code")),
            ("call", code),
            "{words:?}"
        );
        assert_eq!(
            (word(&line, "decision"), ran(&line)),
            ("deny", Some(false)),
            "{words:?}"
        );
        assert!(!word(&line, "call").is_empty(), "{words:?}");
    }

    // A name that nobody declared is counted, not written.
    let slipped = [
        "exec",
        "ledger",
        "transfer",
        "--",
        "amount=1",
        "hunter2=x",
        "payee=p",
    ];
    world.agent(&slipped).expect_code("invalid_args");
    let line = newest(&world);
    assert_eq!(number(&line, "undeclared"), 1, "{line}");
    assert_eq!(
        line.get("args").map(Value::to_string).as_deref(),
        Some(r#"["amount","payee"]"#)
    );
    assert!(!line.to_string().contains("hunter2"), "{line}");

    // Access commands inside an agent.
    for (words, act) in [
        (&["approve", id.as_str()][..], "approve"),
        (&["mode", "run"], "mode"),
        (&["allow", "*"], "allow"),
        (&["rules", "rm", "0"], "rules rm"),
        (&["approvals", "forget", id.as_str()], "approvals forget"),
        (&["access", "set", "approvals", "agent"], "access set"),
        (&["install", "transit"], "install"),
        (&["uninstall", "notes"], "uninstall"),
        (&["packs", "accept", "notes"], "packs accept"),
        (&["audit", "rotate"], "audit rotate"),
        (&["audit", "key", "init"], "audit key init"),
    ] {
        world.agent(words).expect_code("human_only");
        let line = newest(&world);
        assert_eq!(
            (word(&line, "event"), word(&line, "act")),
            ("refused", act),
            "{line}"
        );
        assert_eq!(word(&line, "principal.kind"), "agent");
    }

    // Settings, each with the digest before and after; one begins where the last ended.
    world.person(&["mode", "manual"]).expect_code("ok");
    world
        .person(&["mode", "run", "--pack", "ledger"])
        .expect_code("ok");
    world.person(&["rules", "rm", "0"]).expect_code("ok");
    world
        .person(&["access", "set", "approvals", "human"])
        .expect_code("ok");
    world
        .person(&["access", "set", "approval_minutes", "30"])
        .expect_code("ok");
    world.person(&["mode", "--clear"]).expect_code("ok");
    world
        .person(&["ask", "ledger.*", "--human"])
        .expect_code("ok");
    let changes = changes_of(&world);
    assert_eq!(changes.len(), 9);
    assert_eq!(changes[0].0, None);
    for pair in changes.windows(2) {
        assert_eq!(pair[1].0.as_ref(), Some(&pair[0].1));
        assert_ne!(pair[0].1, pair[1].1);
    }
    world
        .person(&["ask", "ledger.*", "--project"])
        .expect_code("ok");
    let project = newest(&world);
    assert!(
        word(&project, "file").ends_with("work/.hcp/access.json"),
        "{project}"
    );

    // Packs that change and go.
    let surface = world.store().join("packs/notes/pack.json");
    let text = std::fs::read_to_string(&surface)
        .unwrap()
        .replace("short texts", "texts");
    std::fs::write(&surface, text).unwrap();
    world
        .person(&["packs", "accept", "notes"])
        .expect_code("ok");
    let accept = newest(&world);
    assert_eq!(
        (word(&accept, "act"), word(&accept, "pack")),
        ("accept", "notes")
    );
    assert_eq!(word(&accept, "before"), word(&install, "after"));
    world.person(&["uninstall", "notes"]).expect_code("ok");
    assert_eq!(word(&newest(&world), "act"), "uninstall");

    // The log itself.
    world.person(&["audit", "key", "init"]).expect_code("ok");
    assert_eq!(
        (word(&newest(&world), "event"), word(&newest(&world), "act")),
        ("audit", "key")
    );
    world.agent(&FARE).expect_code("confirm_required");
    let ask = newest(&world);
    assert_eq!(word(&ask, "args_hmac").len(), 64);
    assert!(ask.get("args_sha256").is_none());
    world.person(&["audit", "rotate"]).expect_code("ok");
    let rotated = events(&world);
    assert_eq!(rotated.len(), 1);
    assert_eq!(
        (word(&rotated[0], "event"), word(&rotated[0], "act")),
        ("audit", "rotation")
    );
    verified(&world);
}

#[test]
fn settings_that_cannot_be_used_refuse_with_a_line() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for (file, text) in [
        ("access.json", "{ \"mode\": \"fast\" }"),
        ("grants.json", "{"),
    ] {
        world.write(&format!("store/{file}"), text);
        world.agent(&BALANCE).expect_code("access_invalid");
        let line = newest(&world);
        assert_eq!(
            (word(&line, "event"), word(&line, "code")),
            ("call", "access_invalid")
        );
        assert_eq!(
            (word(&line, "pack"), word(&line, "command")),
            ("ledger", "balance")
        );
        assert_eq!(ran(&line), Some(false));
        std::fs::remove_file(world.store().join(file)).unwrap();
    }
    world.settings(r#"{ "mode": "auto" }"#);
    world.write("store/grants.json", r#"{ "grants": [] }"#);
    world.agent(&BALANCE).expect_code("not_authorized");
    let line = newest(&world);
    assert_eq!(word(&line, "code"), "not_authorized");
    assert_eq!(
        word(&line, "reason"),
        "no_grant: missing verb.exec.read for ledger.ledger.balance"
    );
    verified(&world);
}

/// A world with a log of real events, twelve lines or more.
fn with_a_log() -> World {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    for _ in 0..3 {
        world.agent(&BALANCE).expect_code("ok");
    }
    world.agent(&FARE).expect_code("confirm_required");
    world.agent(&ADD).expect_code("ok");
    world.person(&["deny", "notes.delete"]).expect_code("ok");
    world
        .agent(&["exec", "notes", "delete", "--", "name=n"])
        .expect_code("denied_by_rule");
    verified(&world);
    world
}

#[test]
fn verify_names_every_kind_of_damage_with_its_file_and_line() {
    type Case = (
        &'static str,
        fn(&mut Vec<String>),
        &'static [(&'static str, u64)],
    );
    let cases: [Case; 12] = [
        (
            "edited",
            |l| l[4] = l[4].replace("\"balance\"", "\"payees\""),
            &[("edited", 5)],
        ),
        (
            "first edited",
            |l| l[0] = l[0].replace("\"human\"", "\"agent\""),
            &[("edited", 1)],
        ),
        ("white space", |l| l[4].insert(1, ' '), &[("edited", 5)]),
        ("dropped", |l| drop(l.remove(4)), &[("dropped", 5)]),
        (
            "first dropped",
            |l| drop(l.remove(0)),
            &[("missing_start", 1)],
        ),
        ("reordered", |l| l.swap(4, 5), &[("reordered", 6)]),
        (
            "glued",
            |l| {
                let next = l.remove(5);
                l[4].push_str(&next);
            },
            &[("glued", 5)],
        ),
        (
            "torn",
            |l| {
                let half = l[4].len() / 2;
                l[4].truncate(half);
            },
            &[("torn", 5)],
        ),
        ("repeated", |l| l.insert(5, l[4].clone()), &[("forked", 6)]),
        (
            "forked",
            |l| {
                let other = l[5]
                    .replace("\"ran\":true", "\"ran\":false")
                    .replace("\"balance\"", "\"payees\"");
                l.insert(6, other);
            },
            &[("forked", 7)],
        ),
        (
            "foreign",
            |l| l.insert(4, "hello".to_owned()),
            &[("foreign", 5)],
        ),
        (
            "foreign JSON",
            |l| l.insert(4, "{\"event\":\"call\"}".to_owned()),
            &[("foreign", 5)],
        ),
    ];
    let world = with_a_log();
    let whole = std::fs::read_to_string(log_path(&world)).unwrap();
    assert!(whole.lines().count() >= 12);
    for (why, damage, wanted) in cases {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        damage(&mut lines);
        std::fs::write(log_path(&world), lines.join("\n") + "\n").unwrap();
        let verify = world.person(&["audit", "verify", "--json"]);
        assert_eq!(verify.exit, 1, "{why}: {}", verify.stdout);
        assert_eq!(verify.value("ok"), Value::Bool(false), "{why}");
        let faults = verify.value("faults");
        let faults: Vec<(&str, u64)> = faults
            .as_array()
            .unwrap()
            .iter()
            .inspect(|f| assert_eq!(word(f, "file"), "audit.jsonl", "{why}"))
            .inspect(|f| assert!(!word(f, "message").is_empty(), "{why}"))
            .map(|f| (word(f, "kind"), number(f, "line")))
            .collect();
        assert_eq!(faults, wanted, "{why}: {}", verify.stdout);
    }
    std::fs::write(log_path(&world), &whole).unwrap();
    verified(&world);
}

#[test]
fn a_fork_of_two_writers_who_did_not_see_each_other_is_named() {
    let world = with_a_log();
    let before = std::fs::read_to_string(log_path(&world)).unwrap();
    world.agent(&BALANCE).expect_code("ok");
    let one = std::fs::read_to_string(log_path(&world)).unwrap();
    std::fs::write(log_path(&world), &before).unwrap();
    world.agent(&["exec", "ledger", "payees"]).expect_code("ok");
    let other = std::fs::read_to_string(log_path(&world)).unwrap();
    let second = other.strip_prefix(&before).unwrap();
    std::fs::write(log_path(&world), format!("{one}{second}")).unwrap();
    let verify = world.person(&["audit", "verify", "--json"]);
    assert_eq!(verify.exit, 1);
    assert_eq!(verify.text("faults.0.kind"), "forked", "{}", verify.stdout);
    let line = one.lines().count() as u64 + 1;
    assert_eq!(verify.value("faults.0.line").as_u64(), Some(line));
}

#[test]
fn a_cut_tail_is_found_against_a_head_that_was_kept() {
    let world = with_a_log();
    let head = world.person(&["audit", "head", "--json"]);
    let (seq, hash) = (head.value("seq").as_u64().unwrap(), head.text("head"));
    assert_eq!(seq, events(&world).len() as u64);
    assert_eq!(hash.len(), 64);
    let whole = std::fs::read_to_string(log_path(&world)).unwrap();
    assert_eq!(world.person(&["audit", "verify", "--head", &hash]).exit, 0);
    for cut in [1, 3] {
        let kept: Vec<&str> = whole.lines().take(whole.lines().count() - cut).collect();
        std::fs::write(log_path(&world), kept.join("\n") + "\n").unwrap();
        verified(&world);
        let verify = world.person(&["audit", "verify", "--json", "--head", &hash]);
        assert_eq!(
            (verify.exit, verify.text("faults.0.kind").as_str()),
            (1, "cut")
        );
    }
    // The whole file gone.
    std::fs::remove_file(log_path(&world)).unwrap();
    let verify = world.person(&["audit", "verify", "--json", "--head", &hash]);
    assert_eq!(
        (verify.exit, verify.text("faults.0.kind").as_str()),
        (1, "cut")
    );
    // A head from before still holds when more came.
    std::fs::write(log_path(&world), &whole).unwrap();
    world.agent(&BALANCE).expect_code("ok");
    assert_eq!(world.person(&["audit", "verify", "--head", &hash]).exit, 0);
    assert_eq!(
        world
            .person(&["audit", "verify", "--head", "short", "--json"])
            .exit,
        2
    );
}

#[test]
fn a_torn_end_is_closed_off_recorded_and_never_edited() {
    let world = with_a_log();
    let whole = std::fs::read_to_string(log_path(&world)).unwrap();
    let torn = &whole[..whole.len() - 40];
    std::fs::write(log_path(&world), torn).unwrap();
    let verify = world.person(&["audit", "verify", "--json"]);
    assert_eq!(
        (verify.exit, verify.text("faults.0.kind").as_str()),
        (1, "torn")
    );
    world.agent(&BALANCE).expect_code("ok");
    let after = std::fs::read_to_string(log_path(&world)).unwrap();
    assert!(
        after.starts_with(&format!("{torn}\n")),
        "what stands is left as it is"
    );
    let recorded = json(
        after
            .strip_prefix(torn)
            .unwrap()
            .trim_start()
            .lines()
            .next()
            .unwrap(),
    );
    assert_eq!(
        (word(&recorded, "event"), word(&recorded, "act")),
        ("audit", "torn")
    );
    let verify = world.person(&["audit", "verify", "--json"]);
    assert_eq!(verify.exit, 0, "{}", verify.stdout);
    assert!(
        verify.value("notes").to_string().contains("torn"),
        "{}",
        verify.stdout
    );
}

#[test]
fn rotation_keeps_every_line_and_verify_runs_across_the_files() {
    let world = with_a_log();
    let first = events(&world).len();
    let rotated = world.person(&["audit", "rotate", "--json"]);
    rotated.expect_code("ok");
    let old = PathBuf::from(rotated.text("rotated"));
    assert_eq!(
        std::fs::read_to_string(&old).unwrap().lines().count(),
        first
    );
    world.agent(&BALANCE).expect_code("ok");
    world.person(&["audit", "rotate"]).expect_code("ok");
    world.agent(&BALANCE).expect_code("ok");
    let verify = world.person(&["audit", "verify", "--json"]);
    assert_eq!(
        (verify.exit, verify.value("files").as_u64()),
        (0, Some(3)),
        "{}",
        verify.stdout
    );
    assert_eq!(verify.value("lines").as_u64(), Some(first as u64 + 6));
    // Reading goes on into the old files.
    let all = world.person(&["audit", "--json", "--limit", "1000"]);
    assert_eq!(all.value("events").as_array().unwrap().len(), first + 6);
    // A fault in an old file is named with that file.
    let kept = std::fs::read_to_string(&old).unwrap();
    std::fs::write(&old, kept.replacen("\"balance\"", "\"payees\"", 1)).unwrap();
    let verify = world.person(&["audit", "verify", "--json"]);
    assert_eq!(
        (verify.exit, verify.text("faults.0.kind").as_str()),
        (1, "edited")
    );
    assert_eq!(
        verify.text("faults.0.file"),
        old.file_name().unwrap().to_str().unwrap()
    );
    // An old file that the person moved away is named, and is no fault.
    std::fs::remove_file(&old).unwrap();
    let verify = world.person(&["audit", "verify", "--json"]);
    assert_eq!(verify.exit, 0, "{}", verify.stdout);
    let name = old.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(
        verify.value("notes").to_string().contains(&name),
        "{}",
        verify.stdout
    );
    // The first line of the current file gone: a fault, for no rotation accounts for it.
    let now = std::fs::read_to_string(log_path(&world)).unwrap();
    let rest: Vec<&str> = now.lines().skip(1).collect();
    std::fs::write(log_path(&world), rest.join("\n") + "\n").unwrap();
    assert_eq!(world.person(&["audit", "verify", "--json"]).exit, 1);
}

fn shown(world: &World, words: &[&str]) -> Vec<Value> {
    let all = [&["audit", "--json"], words].concat();
    let answer = world.person(&all);
    assert_eq!(
        answer.exit, 0,
        "{all:?}: {}{}",
        answer.stdout, answer.stderr
    );
    answer.value("events").as_array().unwrap().to_vec()
}

#[test]
fn the_log_is_read_by_limit_pack_command_decision_principal_and_time() {
    let world = with_a_log();
    let all = events(&world);
    assert_eq!(shown(&world, &[]), all, "newest last");
    assert_eq!(shown(&world, &["--limit", "3"]), all[all.len() - 3..]);
    assert_eq!(shown(&world, &["--limit", "0"]).len(), 0);
    let fits = |keep: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        all.iter().filter(|e| keep(e)).cloned().collect()
    };
    assert_eq!(
        shown(&world, &["--pack", "ledger"]),
        fits(&|e| word(e, "pack") == "ledger")
    );
    assert_eq!(
        shown(&world, &["--pack", "ledger", "--command", "transfer"]),
        fits(&|e| word(e, "command") == "transfer")
    );
    for decision in ["allow", "ask", "deny"] {
        let found = shown(&world, &["--decision", decision]);
        assert_eq!(
            found,
            fits(&|e| word(e, "decision") == decision),
            "{decision}"
        );
        assert!(!found.is_empty(), "{decision}");
    }
    let me = word(&all[0], "principal.id").to_owned();
    assert_eq!(shown(&world, &["--principal", &me]), all);
    assert_eq!(shown(&world, &["--principal", "nobody-else"]).len(), 0);
    assert_eq!(shown(&world, &["--since", "1h"]), all);
    assert_eq!(shown(&world, &["--since", "2099-01-01T00:00:00Z"]).len(), 0);
    let time = word(&all[4], "time").to_owned();
    assert_eq!(
        shown(&world, &["--since", &time]),
        fits(&|e| word(e, "time") >= time.as_str())
    );
    assert_eq!(
        world
            .person(&["audit", "--since", "yesterday", "--json"])
            .exit,
        2
    );
    assert_eq!(
        world
            .person(&["audit", "--decision", "maybe", "--json"])
            .exit,
        2
    );
    // One object per line.
    let lines = world.person(&["audit", "--jsonl", "--limit", "2"]);
    let lines: Vec<Value> = lines.stdout.lines().map(json).collect();
    assert_eq!(lines, all[all.len() - 2..]);
    // One call, by its id or a line's number.
    let call = word(&all[2], "call").to_owned();
    let show = world.person(&["audit", "show", &call, "--json"]);
    assert_eq!(show.value("events").as_array().unwrap(), &all[2..4]);
    assert_eq!(
        world
            .person(&["audit", "show", "3", "--json"])
            .value("events")
            .as_array()
            .unwrap(),
        &all[2..3]
    );
    assert_eq!(
        world
            .person(&["audit", "show", "ffffffffffffffff", "--json"])
            .exit,
        2
    );
    // Reading the log leaves no line, and an agent may read it.
    assert_eq!(world.agent(&["audit", "--json"]).exit, 0);
    assert_eq!(world.agent(&["audit", "verify", "--json"]).exit, 0);
    assert_eq!(world.agent(&["audit", "head", "--json"]).exit, 0);
    assert_eq!(events(&world), all);
}

#[test]
fn follow_prints_what_comes_also_across_a_rotation() {
    let world = with_a_log();
    let mut child = world
        .command(Who::Person)
        .args([
            "audit", "--follow", "--json", "--limit", "1", "--pack", "ledger",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (send, lines) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let next = || {
        json(
            &lines
                .recv_timeout(Duration::from_secs(20))
                .expect("a line comes"),
        )
    };
    next();
    world.agent(&BALANCE).expect_code("ok");
    assert_eq!((word(&next(), "event"), true), ("call", true));
    assert_eq!(word(&next(), "event"), "outcome");
    world.agent(&ADD).expect_code("command_failed");
    world.person(&["audit", "rotate"]).expect_code("ok");
    world.agent(&["exec", "ledger", "payees"]).expect_code("ok");
    let call = next();
    assert_eq!(
        (word(&call, "pack"), word(&call, "command")),
        ("ledger", "payees")
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The variable by which this test binary, started once more, is told to write.
const WRITER: &str = "HCPX_TEST_WRITER";
const WRITERS: usize = 16;
const CALLS: usize = 500;

/// Runs nothing, and says that it ran.
struct Trivial;

impl hcp::driver::Driver for Trivial {
    fn run<'a>(
        &'a self,
        _: &'a hcp::driver::RenderedCall,
    ) -> std::pin::Pin<Box<dyn Future<Output = hcp::driver::RunResult> + Send + 'a>> {
        let ended = hcp::driver::Ended {
            code: Some(0),
            signal: None,
            stdout: hcp::driver::Captured::default(),
            stderr: hcp::driver::Captured::default(),
            duration: Duration::ZERO,
        };
        Box::pin(std::future::ready(hcp::driver::RunResult::Exited(ended)))
    }
}

/// One of many writers: the place where a started process begins. It does nothing in the parent.
#[test]
fn writer() {
    if std::env::var_os(WRITER).is_none() {
        return;
    }
    let place = hcp::local::Place::find(hcp::event::Via::Library).unwrap();
    let mut hcp = place.hcp().unwrap();
    hcp.ports.driver = std::sync::Arc::new(Trivial);
    let words = |words: &[&str]| {
        hcp::pipeline::CallArgs::Words(words.iter().map(|w| (*w).to_owned()).collect())
    };
    for n in 0..CALLS {
        // Most are reads, as in real use; each tenth line is flushed before the run.
        let (command, args) = if n % 10 == 0 {
            ("add", words(&["name=n", "text=t"]))
        } else {
            ("list", words(&[]))
        };
        let request = hcp::pipeline::CallRequest {
            pack: "notes".to_owned(),
            command: command.to_owned(),
            args,
            options: hcp::pipeline::ExecOptions::default(),
        };
        let result = pollster::block_on(hcp.exec(&request));
        assert_eq!(result.code, hcp_core::code::Code::Ok, "{}", result.message);
    }
}

#[test]
fn many_writers_lose_no_line_and_keep_the_chain_whole() {
    let world = World::with_packs(HCPX, &["notes", "ledger"]);
    let before = events(&world).len();
    let itself = std::env::current_exe().unwrap();
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let plain = world.command(Who::Agent);
            Command::new(&itself)
                .args(["recorded::writer", "--exact", "--test-threads=1"])
                .env_clear()
                .envs(plain.get_envs().filter_map(|(n, v)| v.map(|v| (n, v))))
                .env(WRITER, "1")
                .current_dir(world.work())
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    // And the program itself, sixteen at once, ten times each.
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                for _ in 0..10 {
                    world.agent(&BALANCE).expect_code("ok");
                }
            });
        }
    });
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    let all = events(&world);
    assert_eq!(all.len() - before, 2 * WRITERS * (CALLS + 10));
    let mut calls = std::collections::HashMap::new();
    for event in all.iter().skip(before) {
        let seen: &mut (u32, u32) = calls.entry(word(event, "call").to_owned()).or_default();
        match word(event, "event") {
            "call" => seen.0 += 1,
            "outcome" => seen.1 += 1,
            other => panic!("a line of {other}"),
        }
    }
    assert_eq!(calls.len(), WRITERS * (CALLS + 10));
    assert!(calls.values().all(|seen| *seen == (1, 1)));
    verified(&world);
}
