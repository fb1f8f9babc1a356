//! Packs that act for an account: signing in, and what a change of the account under a call does to it. The tool is a
//! script that can switch accounts, break and hang.

mod answering;

use crate::HCPX;
use crate::terminal::Seat;
use hcp_testkit::{Answer, Who, World};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};

const PACK: &str = r#"{ "id": "post", "name": "Post", "version": "1.0.0", "summary": "Letters.",
    "connect": { "cli": ["post", "login"], "identity": ["post-who", "--plain"] } }"#;
const POLICY: &str = r#"{ "commands": {
    "list": { "operation": "read" },
    "draft": { "operation": "write" },
    "send": { "operation": "write", "confirm": "ask" } } }"#;
const SURFACE: &str = r#"{ "commands": {
    "list": { "description": "List.", "cli": ["post", "list"] },
    "draft": { "description": "Draft.", "cli": ["post", "draft"] },
    "send": { "description": "Send.", "cli": ["post", "send", "--to", "{{to}}"],
        "args": { "type": "object", "properties": { "to": { "type": "string", "description": "Who gets it" } },
            "required": ["to"] } } } }"#;
/// Each run leaves a line; `login` takes over the account in `next`.
const PROGRAM: &str = r#"#!/bin/sh
here="${0%/*}/.."
echo "$1" >> "$here/ran"
if [ "$1" = login ]; then
    [ -f "$here/next" ] || { echo "no such account" >&2; exit 3; }
    if read -r line; then echo "standard input is open" >&2; exit 4; fi
    cp "$here/next" "$here/who"
fi
exit 0
"#;
/// Prints the account, or does whatever `who.sh` says.
const WHO: &str = r#"#!/bin/sh
here="${0%/*}/.."
echo asked >> "$here/asked"
[ "$1" = --plain ] || exit 9
if [ -f "$here/who.sh" ]; then . "$here/who.sh"; else cat "$here/who"; fi
"#;

struct Post {
    world: World,
}

impl Post {
    /// The pack is installed and connected to nobody.
    fn new() -> Self {
        let world = World::new(HCPX);
        world.write("packs/post/pack.json", PACK);
        world.write("packs/post/policy.json", POLICY);
        world.write("packs/post/surface.json", SURFACE);
        let new = Self { world };
        new.program("bin/post", PROGRAM);
        new.program("bin/post-who", WHO);
        let source = new.world.root().join("packs/post");
        new.person(&["install", source.to_str().unwrap()])
            .expect_code("ok");
        new
    }

    fn connected_as(account: &str) -> Self {
        let post = Self::new();
        post.connect(account).expect_code("ok");
        post
    }

    /// The same pack under one more name, connected to nobody, which asks in words of its own.
    fn also(&self, id: &str) {
        let pack = PACK
            .replacen("\"post\"", &format!("\"{id}\""), 1)
            .replace("\"--plain\"", &format!("\"--plain\", \"{id}\""));
        for (name, text) in [
            ("pack", pack.as_str()),
            ("policy", POLICY),
            ("surface", SURFACE),
        ] {
            self.world.write(&format!("packs/{id}/{name}.json"), text);
        }
        let source = self.world.root().join("packs").join(id);
        self.person(&["install", source.to_str().unwrap()])
            .expect_code("ok");
    }

    fn connect(&self, account: &str) -> Answer {
        self.world.write("next", account);
        self.person(&["connect", "post"])
    }

    /// The tool is another account by now, behind the back of hcpx.
    fn switch(&self, account: &str) {
        self.world.write("who", account);
    }

    /// What the tool does when it is asked who it is.
    fn says(&self, script: &str) {
        self.world.write("who.sh", script);
    }

    /// The program, with these folders of the world before all others on the path.
    fn command(&self, who: Who, words: &[&str], folders: &[&str]) -> Command {
        let own = folders.iter().map(|folder| self.world.root().join(folder));
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(own.chain(std::env::split_paths(&rest))).unwrap();
        let mut command = self.world.command(who);
        command.env("PATH", path).args(words);
        command
    }

    fn run(&self, who: Who, words: &[&str], folders: &[&str]) -> Answer {
        let mut command = self.command(who, words, folders);
        Answer::of(words, command.output().unwrap())
    }

    fn person(&self, words: &[&str]) -> Answer {
        self.run(Who::Person, words, &["bin"])
    }

    fn agent(&self, words: &[&str]) -> Answer {
        self.run(Who::Agent, words, &["bin"])
    }

    /// A program in a folder of the world.
    fn program(&self, path: &str, text: &str) {
        self.world.write(path, text);
        let file = self.world.root().join(path);
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn asks(&self) -> String {
        let asked = self.agent(&["exec", "post", "send", "--", "to=bo"]);
        asked.with_code("confirm_required").text("approval_id")
    }

    fn send(&self) -> Answer {
        self.agent(&["exec", "post", "send", "--", "to=bo"])
    }

    fn count(&self, file: &str, word: &str) -> usize {
        let text = std::fs::read_to_string(self.world.root().join(file)).unwrap_or_default();
        text.lines().filter(|line| *line == word).count()
    }

    fn sent(&self) -> usize {
        self.count("ran", "send")
    }

    fn identity(&self) -> Option<String> {
        let packs = self.person(&["packs"]);
        packs.value("packs.0.identity").as_str().map(str::to_owned)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.world.store().join("audit.jsonl")).unwrap()
    }

    fn last_line(&self) -> hcp_core::json::Value {
        let log = self.log();
        let line = log.lines().last().unwrap();
        hcp_core::json::parse(line, hcp_core::json::Limits::default())
            .unwrap()
            .to_value()
    }

    fn state(&self, id: &str) -> String {
        let store = rusqlite::Connection::open(self.world.store().join("approvals.db")).unwrap();
        let select = "SELECT state FROM requests WHERE id = ?1";
        store.query_row(select, [id], |row| row.get(0)).unwrap()
    }
}

#[test]
fn a_person_signs_in_and_the_card_says_as_whom() {
    let post = Post::new();
    for words in [
        &["exec", "post", "list"][..],
        &["exec", "post", "draft"],
        &["exec", "post", "send", "--", "to=bo"],
    ] {
        let refused = post.agent(words);
        refused.expect_code("not_connected");
        assert!(
            refused.text("hint").contains("hcpx connect post"),
            "{}",
            refused.stdout
        );
    }
    assert_eq!(post.count("ran", "list") + post.count("ran", "draft"), 0);
    assert_eq!(post.count("asked", "asked"), 0);

    let connected = post.connect("ana@example.org\n");
    connected.expect_code("ok");
    assert_eq!(connected.text("identity"), "ana@example.org");
    assert_eq!(post.identity().as_deref(), Some("ana@example.org"));
    let line = post.last_line();
    let text = |key: &str| line.get(key).and_then(|v| v.as_str().map(str::to_owned));
    assert_eq!(text("event").as_deref(), Some("pack"));
    assert_eq!(text("act").as_deref(), Some("connect"));
    assert_eq!(text("binding").as_deref(), Some("ana@example.org"));

    post.agent(&["exec", "post", "list"]).expect_code("ok");
    assert!(post.log().contains(r#""binding":"ana@example.org""#));
    let card = post.person(&["preview", "post", "send", "--text", "--", "to=bo"]);
    let row = card
        .stdout
        .lines()
        .find(|line| line.trim().starts_with("as "));
    assert!(
        row.is_some_and(|row| row.ends_with("ana@example.org")),
        "{}",
        card.stdout
    );
    let json = post.person(&["preview", "post", "send", "--", "to=bo"]);
    assert_eq!(json.text("as"), "ana@example.org");

    let id = post.asks();
    post.person(&["approve", &id]).expect_code("ok");
    post.send().expect_code("ok");
    assert_eq!(post.sent(), 1);
}

#[test]
fn another_account_ends_the_approval_and_nothing_runs() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    post.person(&["approve", &id]).expect_code("ok");
    post.switch("ops");
    let refused = post.send();
    refused.expect_code("not_connected");
    assert!(
        refused.text("message").contains("was ana, is ops"),
        "{}",
        refused.stdout
    );
    assert_eq!(
        (refused.text("was"), refused.text("is")),
        ("ana".to_owned(), "ops".to_owned())
    );
    assert_eq!(post.state(&id), "withdrawn");
    // And it stays ended when the account is what it was again.
    post.switch("ana");
    post.agent(&["exec", "--confirm", &id])
        .expect_code("approval_expired");
    let again = post.asks();
    assert_ne!(again, id);
    assert_eq!(post.sent(), 0);
    assert!(!post.log().contains("ops"));
}

#[test]
fn another_account_is_no_account_for_what_runs_unasked() {
    let post = Post::connected_as("ana");
    post.person(&["allow", "post.*"]).expect_code("ok");
    post.person(&["mode", "run"]).expect_code("ok");
    post.agent(&["exec", "post", "draft"]).expect_code("ok");
    post.send().expect_code("ok");
    post.switch("ops");
    for words in [
        &["exec", "post", "draft"][..],
        &["exec", "post", "send", "--", "to=bo"],
    ] {
        let refused = post.agent(words);
        refused.expect_code("not_connected");
        assert!(refused.text("message").contains("was ana, is ops"));
    }
    assert_eq!((post.count("ran", "draft"), post.sent()), (1, 1));
    // No rule makes up for an account that was never told.
    post.person(&["connect", "post", "--forget"])
        .expect_code("ok");
    for words in [&["exec", "post", "list"][..], &["exec", "post", "draft"]] {
        post.agent(words).expect_code("not_connected");
    }
    // What is denied stays denied, and nobody is asked for it.
    let asked = post.count("asked", "asked");
    post.person(&["deny", "post.draft"]).expect_code("ok");
    post.agent(&["exec", "post", "draft"])
        .expect_code("denied_by_rule");
    assert_eq!(post.count("asked", "asked"), asked);
}

#[test]
fn an_allowed_read_starts_no_second_program_and_opens_no_store() {
    let post = Post::connected_as("ana");
    let asked = post.count("asked", "asked");
    post.agent(&["exec", "post", "list"]).expect_code("ok");
    assert_eq!(post.count("asked", "asked"), asked);
    assert!(!post.world.store().join("approvals.db").exists());
    assert_eq!(post.count("ran", "list"), 1);
}

#[test]
fn connecting_anew_says_who_it_was_and_withdraws_what_waited() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    let same = post.connect("ana");
    assert_eq!(
        (same.text("was"), same.text("identity")),
        ("ana".to_owned(), "ana".to_owned())
    );
    assert_eq!(post.state(&id), "pending");
    post.world.write("next", "ops");
    let other = post.person(&["connect", "post", "--text"]);
    assert!(other.stdout.contains("was ana, is ops"), "{}", other.stdout);
    assert!(other.stdout.contains("withdrawn"), "{}", other.stdout);
    assert_eq!(post.state(&id), "withdrawn");
    let refused = post.person(&["approve", &id]);
    refused.expect_code("approval_expired");
    assert!(
        refused.text("message").contains("account"),
        "{}",
        refused.stdout
    );
    let json = post.person(&["preview", "post", "send", "--", "to=bo"]);
    assert_eq!(json.text("as"), "ops");
}

#[test]
fn a_yes_is_refused_and_the_request_ends_when_the_account_is_another() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    post.switch("ops");
    // A list only shows; it ends nothing.
    let list = post.person(&["approvals", "--text"]);
    assert!(list.stdout.contains("was ana, is ops"), "{}", list.stdout);
    assert_eq!(post.state(&id), "pending");
    let refused = post.person(&["approve", &id]);
    refused.expect_code("not_connected");
    assert!(
        refused.text("message").contains("was ana, is ops"),
        "{}",
        refused.stdout
    );
    assert_eq!(post.state(&id), "withdrawn");
    let shown = post.person(&["preview", "post", "send", "--text", "--", "to=bo"]);
    assert_eq!(shown.exit, 0);
    assert!(shown.stdout.contains("Refused:") && shown.stdout.contains("was ana, is ops"));
}

/// What names nobody, and what it is called.
const UNTOLD: &[(&str, &str)] = &[
    ("exit 1", "ended with 1"),
    ("echo 'sign in first' >&2; exit 1", "sign in first"),
    ("echo ana; exit 1", "ended with 1"),
    ("kill -9 $$", "ended with 137"),
    ("exit 0", "printed nothing"),
    ("echo", "printed nothing"),
    ("echo ana; echo ops", "several lines"),
    ("printf 'ana\\rops\\n'", "several lines"),
    ("printf 'ana\\342\\200\\250ops\\n'", "several lines"),
    ("printf 'ana\\377\\n'", "no UTF-8"),
    (
        "echo ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "a key or token",
    ),
    ("head -c 10485760 /dev/zero | tr '\\0' a", "more than 256"),
    ("yes ana", "s"),
    ("sleep 60", "did not answer within 2 s"),
    (
        "trap '' TERM INT; sleep 60; sleep 60",
        "did not answer within 2 s",
    ),
    ("echo ana; sleep 60", "did not answer within 2 s"),
];

#[test]
fn who_names_nobody_is_nobody() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    post.person(&["approve", &id]).expect_code("ok");
    let before = std::fs::read(post.world.store().join("bindings.json")).unwrap();
    for (script, expected) in UNTOLD {
        post.says(script);
        let begun = Instant::now();
        let refused = post.send();
        assert!(begun.elapsed() < Duration::from_millis(3_500), "{script}");
        refused.expect_code("not_connected");
        let message = refused.text("message");
        assert!(message.contains(expected), "{script}: {message}");
        post.person(&["connect", "post"])
            .expect_code("not_connected");
        let after = std::fs::read(post.world.store().join("bindings.json")).unwrap();
        assert_eq!(before, after, "{script}");
    }
    // That nobody could be named is no other account: the yes was for ana, and still is.
    assert_eq!((post.state(&id), post.sent()), ("approved".to_owned(), 0));
    std::fs::remove_file(post.world.root().join("who.sh")).unwrap();
    post.send().expect_code("ok");
    assert_eq!(post.sent(), 1);
}

#[test]
fn a_program_that_hangs_leaves_nothing_behind() {
    let post = Post::connected_as("ana");
    // One child stays in the group with the pipe in its hands, one leaves the group with it.
    post.says(
        "sleep 47 & echo $! > \"$here/stays\"; setsid sleep 48 & echo $! > \"$here/leaves\"; echo ana",
    );
    let begun = Instant::now();
    post.agent(&["exec", "post", "draft"]).expect_code("ok");
    let took = begun.elapsed();
    let pid = |file: &str| {
        let text = std::fs::read_to_string(post.world.root().join(file)).unwrap();
        Pid::from_raw(text.trim().parse().unwrap())
    };
    // Who left the group is out of reach, and is waited for by nobody.
    let _ = kill(pid("leaves"), Signal::SIGKILL);
    assert!(took < Duration::from_secs(2), "{took:?}");
    let stays = pid("stays").to_string();
    let state = Command::new("ps")
        .args(["-o", "stat=", "-p", &stays])
        .output();
    let state = String::from_utf8(state.unwrap().stdout).unwrap();
    assert!(state.is_empty() || state.starts_with('Z'), "{state}");
}

#[test]
fn a_hostile_identity_is_shown_and_not_obeyed() {
    let post = Post::new();
    post.world.write("next", "ana");
    post.says(r"printf 'a\033[2J\342\200\256na\\n   to   eve\n'");
    let connected = post.person(&["connect", "post"]);
    connected.expect_code("ok");
    let identity = connected.text("identity");
    assert_eq!(
        identity,
        r"a\u{1b}[2J\u{202e}na\\n[3 spaces]to[3 spaces]eve"
    );
    for words in [
        &["preview", "post", "send", "--text", "--", "to=bo"][..],
        &["preview", "post", "send", "--", "to=bo"],
        &["packs", "--text"],
        &["packs"],
        &["doctor", "--text"],
        &["connect", "post", "--text"],
        &["audit", "--text"],
        &["audit"],
    ] {
        let shown = post.person(words);
        let unsafe_char = |c: char| c == '\u{1b}' || c == '\u{202e}';
        assert!(
            !shown.stdout.contains(unsafe_char),
            "{words:?}: {}",
            shown.stdout
        );
        assert!(
            !shown.stderr.contains(unsafe_char),
            "{words:?}: {}",
            shown.stderr
        );
    }
    let card = post.person(&["preview", "post", "send", "--text", "--", "to=bo"]);
    assert!(
        !card
            .stdout
            .lines()
            .any(|line| line.trim().starts_with("to   eve"))
    );
    assert!(!post.log().contains('\u{202e}'));
    post.agent(&["exec", "post", "draft"]).expect_code("ok");
}

#[test]
fn a_sign_in_that_fails_stores_nothing() {
    let post = Post::new();
    let failed = post.person(&["connect", "post"]);
    failed.expect_code("command_failed");
    assert!(
        failed.text("message").contains("no such account"),
        "{}",
        failed.stdout
    );
    assert_eq!(post.count("asked", "asked"), 0);
    assert_eq!(post.identity(), None);
    assert!(!post.world.store().join("bindings.json").exists());
    let line = post.last_line();
    assert_eq!(
        line.get("code").and_then(|v| v.as_str()),
        Some("command_failed")
    );
    std::fs::remove_file(post.world.root().join("bin/post")).unwrap();
    post.connect("ana").expect_code("spawn_failed");
    assert_eq!(post.identity(), None);
}

#[test]
fn a_sign_in_has_its_time() {
    let post = Post::new();
    let slow = PROGRAM.replace(
        "echo \"$1\" >>",
        "[ \"$1\" = login ] && sleep 30; echo \"$1\" >>",
    );
    post.world.write("bin/post", &slow);
    let begun = Instant::now();
    let late = post.person(&["connect", "post", "--timeout", "1"]);
    late.expect_code("timeout");
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(post.identity(), None);
}

#[test]
fn an_agent_connects_nothing() {
    let post = Post::connected_as("ana");
    post.world.write("next", "ops");
    for words in [
        &["connect", "post"][..],
        &["connect", "post", "--forget"],
        &["connect", "no"],
    ] {
        let runs = post.count("ran", "login");
        post.agent(words).expect_code("human_only");
        let line = post.last_line();
        assert_eq!(line.get("event").and_then(|v| v.as_str()), Some("refused"));
        assert_eq!(line.get("act").and_then(|v| v.as_str()), Some("connect"));
        assert_eq!(post.count("ran", "login"), runs);
    }
    assert_eq!(post.identity().as_deref(), Some("ana"));
    // The account is its person's, and so is the agent's that runs as them.
    post.agent(&["exec", "post", "draft"]).expect_code("ok");
}

#[test]
fn uninstalling_forgets_the_account() {
    let post = Post::connected_as("ana");
    post.person(&["uninstall", "post"]).expect_code("ok");
    let source = post.world.root().join("packs/post");
    post.person(&["install", source.to_str().unwrap()])
        .expect_code("ok");
    assert_eq!(post.identity(), None);
    post.agent(&["exec", "post", "list"])
        .expect_code("not_connected");
}

#[test]
fn an_account_that_other_words_told_is_none() {
    let post = Post::connected_as("ana");
    let other = PACK.replace("\"post-who\", \"--plain\"", "\"post\", \"me\"");
    post.world.write("packs/post/pack.json", &other);
    let source = post.world.root().join("packs/post");
    post.person(&["install", "--replace", source.to_str().unwrap()])
        .expect_code("ok");
    assert_eq!(post.identity(), None);
    post.agent(&["exec", "post", "list"])
        .expect_code("not_connected");
}

#[test]
fn forgetting_is_undone_by_connecting() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    let gone = post.person(&["connect", "post", "--forget"]);
    gone.expect_code("ok");
    assert_eq!(gone.text("was"), "ana");
    assert_eq!(gone.value("withdrawn").to_string(), "1");
    assert_eq!(post.state(&id), "withdrawn");
    post.person(&["connect", "post", "--forget"])
        .expect_code("not_connected");
    assert_eq!(post.identity(), None);
    post.connect("ana").expect_code("ok");
    assert_eq!(post.identity().as_deref(), Some("ana"));
}

#[test]
fn an_account_is_forgotten_whatever_became_of_its_pack() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    let policy = post.world.store().join("packs/post/policy.json");
    let sound = std::fs::read_to_string(&policy).unwrap();
    std::fs::write(&policy, sound.replace("ask", "never")).unwrap();
    let runs = post.count("ran", "login");
    let asked = post.count("asked", "asked");
    post.person(&["connect", "post"])
        .expect_code("pack_changed");
    post.send().expect_code("pack_changed");
    let gone = post.person(&["connect", "post", "--forget"]);
    gone.expect_code("ok");
    assert_eq!(gone.text("was"), "ana");
    assert_eq!(post.state(&id), "withdrawn");
    let line = post.last_line();
    let text = |key: &str| line.get(key).and_then(|v| v.as_str());
    assert_eq!(
        (text("pack"), text("reason")),
        (Some("post"), Some("forgotten"))
    );
    post.person(&["connect", "post", "--forget"])
        .expect_code("pack_changed");
    // Nothing of the changed pack was started.
    assert_eq!(post.count("ran", "login"), runs);
    assert_eq!(post.count("asked", "asked"), asked);
    // A pack that needs no account any more keeps none for the day when it does again.
    std::fs::write(&policy, sound).unwrap();
    post.connect("ana").expect_code("ok");
    let (plain, _) = PACK.split_once(",\n    \"connect\"").unwrap();
    post.world
        .write("packs/post/pack.json", &format!("{plain} }}"));
    let source = post.world.root().join("packs/post");
    post.person(&["install", "--replace", source.to_str().unwrap()])
        .expect_code("ok");
    post.person(&["connect", "post", "--forget"])
        .expect_code("ok");
    post.person(&["connect", "post", "--forget"])
        .expect_code("usage");
    for name in ["NOPE", "nope"] {
        post.person(&["connect", name, "--forget"])
            .expect_code("unknown_pack");
    }
}

#[test]
fn who_may_not_act_starts_no_program() {
    let post = Post::connected_as("ana");
    let asked = post.count("asked", "asked");
    let path = post.world.store().join("grants.json");
    std::fs::write(
        &path,
        r#"{ "grants": [{ "capability": "verb.exec.read" }] }"#,
    )
    .unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    for words in [
        &["exec", "post", "draft"][..],
        &["exec", "post", "send", "--", "to=bo"],
        &["preview", "post", "send", "--", "to=bo"],
        &["connect", "post"],
        &["connect", "post", "--forget"],
    ] {
        post.person(words).expect_code("not_authorized");
    }
    assert_eq!(post.count("asked", "asked"), asked);
    assert_eq!(post.identity().as_deref(), Some("ana"));
}

#[test]
fn each_card_and_each_taken_yes_asks_once() {
    let post = Post::connected_as("ana");
    let asked = || post.count("asked", "asked");
    let before = asked();
    let id = post.asks();
    assert_eq!(asked(), before + 1);
    post.person(&["approve", &id]).expect_code("ok");
    assert_eq!(asked(), before + 2);
    post.agent(&["exec", "--confirm", &id]).expect_code("ok");
    assert_eq!((asked(), post.sent()), (before + 3, 1));
}

#[test]
fn a_pack_without_an_account_needs_no_connecting() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let answer = world.person(&["connect", "ledger"]);
    answer.expect_code("usage");
    assert!(
        answer.text("message").contains("needs no connecting"),
        "{}",
        answer.stdout
    );
    world
        .person(&["connect", "leger"])
        .expect_code("unknown_pack");
    assert!(!world.store().join("bindings.json").exists());
    let packs = world.person(&["packs"]);
    assert_eq!(packs.value("packs.0").get("identity"), None);
}

#[test]
fn connecting_needs_its_own_grant() {
    let post = Post::new();
    let grants = |list: &str| {
        let path = post.world.store().join("grants.json");
        std::fs::write(&path, format!(r#"{{ "grants": [{list}] }}"#)).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    };
    grants(
        r#"{ "capability": "verb.exec.read" }, { "capability": "verb.exec.write" }, { "capability": "pack.install" }"#,
    );
    let refused = post.connect("ana");
    refused.expect_code("not_authorized");
    assert!(
        refused
            .text("message")
            .contains("missing pack.connect for post"),
        "{}",
        refused.stdout
    );
    assert_eq!(post.count("ran", "login"), 0);
    assert_eq!(
        post.last_line().get("code").and_then(|v| v.as_str()),
        Some("not_authorized")
    );
    grants(r#"{ "capability": "pack.connect", "pack_id": "post" }"#);
    post.connect("ana").expect_code("ok");
    post.agent(&["exec", "post", "list"])
        .expect_code("not_authorized");
}

#[test]
fn bindings_that_cannot_be_trusted_stop_the_pack() {
    let post = Post::connected_as("ana");
    let path = post.world.store().join("bindings.json");
    let sound = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, sound.replace("\"ana\"", "7")).unwrap();
    for words in [&["exec", "post", "list"][..], &["connect", "post"]] {
        let refused = post.person(words);
        refused.expect_code("store_unavailable");
        assert!(
            refused.stdout.contains("bindings.json"),
            "{}",
            refused.stdout
        );
        // The place is named once in the message, and once by itself.
        assert_eq!(refused.stdout.matches("bindings.json:").count(), 1);
    }
    // One file is one fault, however many packs it holds.
    post.also("post-b");
    let doctor = post.person(&["doctor", "--text"]);
    assert_eq!(doctor.exit, 1);
    assert_eq!(doctor.stdout.matches("bindings cannot").count(), 1);
    let packs = post.person(&["packs", "--text"]);
    assert_eq!(packs.stdout.matches("hcpx doctor").count(), 2);
    // Who has nothing to do with accounts goes on.
    post.person(&["install", "ledger"]).expect_code("ok");
    post.agent(&["exec", "ledger", "balance"]).expect_code("ok");
}

#[test]
fn another_program_of_the_same_name_names_nobody() {
    let post = Post::connected_as("ana");
    let id = post.asks();
    post.person(&["approve", &id]).expect_code("ok");
    post.switch("ops");
    post.program(
        "evil/post-who",
        "#!/bin/sh\n: > \"${0%/*}/ran\"\necho ana\n",
    );
    for words in [
        &["exec", "post", "send", "--", "to=bo"][..],
        &["exec", "post", "draft"],
    ] {
        let refused = post.run(Who::Agent, words, &["evil", "bin"]);
        refused.expect_code("not_connected");
        let message = refused.text("message");
        assert!(message.contains("another program answers"), "{message}");
    }
    assert_eq!((post.sent(), post.count("ran", "draft")), (0, 0));
    // It is not even asked.
    assert!(!post.world.root().join("evil/ran").exists());
    // Who puts it in a folder where anybody could have put it gets no answer from it at all.
    std::fs::set_permissions(
        post.world.root().join("evil"),
        std::fs::Permissions::from_mode(0o777),
    )
    .unwrap();
    let refused = post.run(Who::Agent, &["exec", "post", "draft"], &["evil", "bin"]);
    assert!(
        refused.text("message").contains("was ana, is ops"),
        "{}",
        refused.stdout
    );
}

#[test]
fn a_person_signs_in_at_the_terminal() {
    let post = Post::new();
    let asks = "[ \"$1\" = login ] && { printf 'Account: '; read -r who; echo \"$who\" > \"$here/who\"; exit 0; }";
    post.program(
        "bin/post",
        &PROGRAM
            .replace("exit 0", &format!("{asks}\nexit 0"))
            .replace("if [ \"$1\" = login ]", "if false"),
    );
    let mut seat = Seat::of(
        post.command(Who::Person, &["connect", "post"], &["bin"]),
        "",
    );
    seat.wait("Account: ");
    seat.key("ana\n");
    seat.wait("post is connected as ana.");
    let (said, code) = seat.end();
    assert_eq!(code, 0, "{said}");
    assert_eq!(post.identity().as_deref(), Some("ana"));
    // A card at the terminal says as whom, too.
    let mut seat = Seat::of(
        post.command(
            Who::Person,
            &["exec", "post", "send", "--", "to=bo"],
            &["bin"],
        ),
        "",
    );
    let card = seat.wait("Approve? [y/N]");
    assert!(card.contains("as  ana"), "{card}");
    post.switch("ops");
    seat.key("y\n");
    let (said, code) = seat.end();
    assert_eq!(code, 6, "{said}");
    assert!(said.contains("was ana, is ops"), "{said}");
    assert_eq!(post.sent(), 0);
}

#[test]
fn an_agent_sees_as_whom_it_would_act_before_it_acts() {
    let post = Post::new();
    let list = post.agent(&["commands", "post"]);
    assert_eq!(list.value("commands.0.as"), hcp_core::json::Value::Null);
    assert!(list.value("commands.0").get("as").is_some());
    let shown = post.person(&["commands", "post", "--text"]);
    assert!(
        shown.stdout.contains("hcpx connect post"),
        "{}",
        shown.stdout
    );
    let why = post.agent(&["explain", "post", "draft"]);
    assert!(
        why.text("not_connected").contains("connected to none"),
        "{}",
        why.stdout
    );
    post.connect("ana").expect_code("ok");
    let list = post.agent(&["commands", "post"]);
    assert_eq!(list.text("commands.0.as"), "ana");
    assert_eq!(post.person(&["access"]).text("accounts.post"), "ana");
    let asked = post.count("asked", "asked");
    let why = post.agent(&["explain", "post", "draft"]);
    assert_eq!(why.value("not_connected"), hcp_core::json::Value::Null);
    let doctor = post.person(&["doctor", "--text"]);
    assert!(
        doctor.stdout.contains("post is connected as ana"),
        "{}",
        doctor.stdout
    );
    assert_eq!(post.count("asked", "asked"), asked);
}

#[test]
fn an_agent_reaches_no_binding() {
    let post = Post::connected_as("ana");
    let file = post.world.store().join("bindings.json");
    let reach = post.agent(&[
        "exec",
        "post",
        "send",
        "--",
        &format!("to={}", file.display()),
    ]);
    reach.expect_code("store_protected");
}
