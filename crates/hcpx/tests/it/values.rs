//! Nothing leaks: calls of every kind with unmistakable values, and then a search for each value in
//! everything that was written; for each secret also in everything that was printed, at any time.

use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const PACK: &str =
    r#"{ "id": "vault", "name": "Vault", "version": "1.0.0", "summary": "Keeps things." }"#;
const SURFACE: &str = r#"{ "commands": {
  "put": {
    "description": "Put a thing.",
    "cli": ["true", "put", "--text={{text}}", "--amount={{amount}}", "--tag={{tags}}", "--data={{data}}", "--kind={{kind}}"],
    "args": { "type": "object", "properties": {
      "text": { "type": "string", "description": "Text", "maxLength": 60 },
      "amount": { "type": "number", "description": "Amount", "maximum": 99999999999 },
      "tags": { "type": "array", "items": { "type": "string" }, "description": "Tags" },
      "data": { "type": "object", "description": "Data" },
      "kind": { "enum": ["a", "b"], "description": "Kind" } },
      "required": ["text"] } },
  "file": {
    "description": "Put a file.",
    "cli": ["true", "file", "--path={{path}}"],
    "args": { "type": "object", "properties": { "path": { "type": "string", "format": "path", "description": "File" } }, "required": ["path"] } },
  "byenv": {
    "description": "Sign in by a variable.",
    "cli": ["true", "byenv", "--user={{user}}"], "env": { "VAULT_TOKEN": "{{token}}" },
    "args": { "type": "object", "properties": {
      "user": { "type": "string", "description": "User" },
      "token": { "type": "string", "description": "Token", "x-secret": true, "maxLength": 60 } }, "required": ["token"] } },
  "bystdin": {
    "description": "Sign in by standard input.",
    "cli": ["true", "bystdin"], "stdin": "{{token}}",
    "args": { "type": "object", "properties": { "token": { "type": "string", "description": "Token", "x-secret": true, "maxLength": 60 } }, "required": ["token"] } },
  "byword": {
    "description": "Sign in by a word.",
    "cli": ["true", "byword", "--token={{token}}"],
    "args": { "type": "object", "properties": { "token": { "type": "string", "description": "Token", "x-secret": true, "maxLength": 60 } }, "required": ["token"] } },
  "gone": {
    "description": "Needs a program that is not there.",
    "cli": ["hcpx-no-such-program", "gone", "--text={{text}}"],
    "args": { "type": "object", "properties": { "text": { "type": "string", "description": "Text" } }, "required": ["text"] } },
  "fails": {
    "description": "Ends with 1.",
    "cli": ["false", "fails", "--text={{text}}"],
    "args": { "type": "object", "properties": { "text": { "type": "string", "description": "Text" } }, "required": ["text"] } }
} }"#;
const POLICY: &str = r#"{ "defaults": { "operation": "write", "confirm": "ask" }, "commands": {
  "put": {}, "file": {}, "byenv": {}, "bystdin": {}, "byword": {}, "gone": {}, "fails": { "confirm": "never" } } }"#;

/// A world in which every value is remembered.
struct Watched {
    world: World,
    /// Values of arguments, files and standard input.
    values: Vec<String>,
    secrets: Vec<String>,
    /// Values in rules that a person wrote: these stand in their settings.
    ruled: Vec<String>,
}

impl Watched {
    fn new() -> Self {
        let world = World::new(HCPX);
        for (name, text) in [("pack", PACK), ("surface", SURFACE), ("policy", POLICY)] {
            world.write(&format!("vault/{name}.json"), text);
        }
        std::fs::create_dir(world.root().join("tmp")).unwrap();
        let new = Self {
            world,
            values: Vec::new(),
            secrets: Vec::new(),
            ruled: Vec::new(),
        };
        let pack = new.world.root().join("vault");
        new.run(Who::Person, &["install", pack.to_str().unwrap()])
            .expect_code("ok");
        new
    }

    /// A value that stands nowhere else.
    fn value(&mut self) -> String {
        let value = format!("mark{:04}{}", self.values.len(), nonce());
        self.values.push(value.clone());
        value
    }

    /// A number that stands nowhere else.
    fn number(&mut self) -> String {
        let value = format!(
            "7{:03}{}",
            self.values.len(),
            std::process::id() % 1_000_000 + 1_000_000
        );
        self.values.push(value.clone());
        value
    }

    fn secret(&mut self) -> String {
        let secret = format!("secret{:04}{}", self.secrets.len(), nonce());
        self.secrets.push(secret.clone());
        secret
    }

    fn run(&self, who: Who, words: &[&str]) -> Answer {
        self.fed(who, words, None)
    }

    /// Runs the program, and looks for every secret in what it printed and in what stands afterwards.
    fn fed(&self, who: Who, words: &[&str], stdin: Option<&str>) -> Answer {
        let mut child = self
            .world
            .command(who)
            .args(words)
            .env("TMPDIR", self.world.root().join("tmp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // A program that refuses early reads nothing.
        let _ = input.write_all(stdin.unwrap_or_default().as_bytes());
        drop(input);
        let answer = Answer::of(words, child.wait_with_output().unwrap());
        for secret in &self.secrets {
            for (what, text) in [("stdout", &answer.stdout), ("stderr", &answer.stderr)] {
                assert!(
                    !text.contains(secret),
                    "{what} of {words:?} shows a secret: {text}"
                );
            }
        }
        self.nowhere(&self.secrets, &[], &format!("after {words:?}"));
        answer
    }

    fn agent(&self, words: &[&str]) -> Answer {
        self.run(Who::Agent, words)
    }

    fn person(&self, words: &[&str]) -> Answer {
        self.run(Who::Person, words)
    }

    /// None of these stands in any file of the store or of the folder for temporary files.
    fn nowhere(&self, values: &[String], but: &[&str], why: &str) {
        for folder in [self.world.store(), self.world.root().join("tmp")] {
            for file in files(&folder) {
                if but.iter().any(|name| file.ends_with(name)) {
                    continue;
                }
                let bytes = std::fs::read(&file).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes);
                for value in values {
                    let at = text.find(value.as_str());
                    assert!(
                        at.is_none(),
                        "{why}: {} holds {value}: {}",
                        file.display(),
                        around(&text, at)
                    );
                }
            }
        }
    }

    fn asked(&self, words: &[&str]) -> String {
        let asked = self.agent(words);
        asked.expect_code("confirm_required");
        asked.text("approval_id")
    }
}

fn nonce() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    format!("x{:016x}", RandomState::new().build_hasher().finish())
}

fn around(text: &str, at: Option<usize>) -> String {
    let at = at.unwrap_or_default();
    text.chars()
        .skip(text[..at].chars().count().saturating_sub(200))
        .take(400)
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.filter_map(Result::ok) {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            Ok(_) | Err(_) => {}
        }
    }
    found
}

/// Gives every live request whose id begins so a time that cannot be read: it counts as over.
fn let_expire(world: &World, prefix: &str) -> usize {
    let store = rusqlite::Connection::open(world.store().join("approvals.db")).unwrap();
    store.execute_batch("PRAGMA secure_delete = ON").unwrap();
    let live = "state IN ('pending', 'approved') AND substr(id, 1, length(?1)) = ?1";
    let sql = format!("UPDATE requests SET made = 'never' WHERE {live}");
    store.execute(&sql, [prefix]).unwrap()
}

/// Words of a call of `command` whose every argument holds a value of its own.
fn call(watched: &mut Watched, command: &str) -> Vec<String> {
    let mut words = vec![
        "exec".to_owned(),
        "vault".into(),
        command.into(),
        "--".into(),
    ];
    match command {
        "put" => {
            let (text, amount) = (watched.value(), watched.number());
            let (tag, key, data) = (watched.value(), watched.value(), watched.value());
            words.push(format!("text={text}"));
            words.push(format!("amount:={amount}"));
            words.push(format!("tags={tag}"));
            words.push(format!("data:={{\"{key}\":\"{data}\"}}"));
        }
        "file" => {
            let (name, content) = (watched.value(), watched.value());
            std::fs::write(watched.world.work().join(&name), content).unwrap();
            words.push(format!("path={name}"));
        }
        "byenv" => {
            let (user, token) = (watched.value(), watched.secret());
            words.push(format!("user={user}"));
            words.push(format!("token={token}"));
        }
        "bystdin" | "byword" => {
            let token = watched.secret();
            words.push(format!("token={token}"));
        }
        _ => {
            let text = watched.value();
            words.push(format!("text={text}"));
        }
    }
    words
}

#[test]
fn no_value_is_left_anywhere_and_no_secret_is_ever_shown() {
    let mut w = Watched::new();
    let commands = ["put", "file", "byenv", "bystdin", "byword"];

    // Approved and used, by a person and by the agent's word; previewed, explained, listed, shown.
    for command in commands {
        let words = call(&mut w, command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let id = w.asked(&words);
        w.person(&["approvals", "--json"]);
        w.person(&["approvals", "--text"]);
        for show in ["preview", "explain"] {
            for form in ["--json", "--text"] {
                let shown = [&[show, form], &words[1..]].concat();
                assert_eq!(w.agent(&shown).exit, 0, "{shown:?}");
            }
        }
        w.person(&["approve", &id]).expect_code("ok");
        w.agent(&words).expect_code("ok");
        let words = call(&mut w, command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let id = w.asked(&words);
        let confirm = [&["exec", "--confirm", id.as_str()], &words[1..]].concat();
        w.agent(&confirm).expect_code("ok");
        w.person(&[&["exec", "--no-input", "--text"], &words[1..]].concat());
        w.person(&["reject", "--all"]).expect_code("ok");
        w.person(&["approvals", "--json"]);
        let all = w.values.clone();
        w.nowhere(&all, &[], &format!("{command} was used"));
    }

    // Rejected, withdrawn, expired, mismatched.
    for command in ["put", "file"] {
        let words = call(&mut w, command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let id = w.asked(&words);
        w.person(&["approve", &id]).expect_code("ok");
        let other = call(&mut w, command);
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let confirm = [&["exec", "--confirm", id.as_str()], &other[1..]].concat();
        w.agent(&confirm).expect_code("approval_mismatch");
        w.person(&["reject", &id]).expect_code("ok");
        w.agent(&words).expect_code("rejected");
        let over = w.agent(&other).text("approval_id");
        assert_eq!(let_expire(&w.world, &over), 1);
        w.agent(&["exec", "--confirm", &over])
            .expect_code("approval_expired");
        let all = w.values.clone();
        w.nowhere(&all, &[], &format!("{command} ended"));
    }

    // A rule withdraws a request: its value stands in the person's settings and nowhere else.
    let text = w.value();
    w.ruled.push(text.clone());
    let word = format!("text={text}");
    w.person(&["mode", "run"]).expect_code("ok");
    w.person(&["ask", "vault.fails"]).expect_code("ok");
    w.asked(&["exec", "vault", "fails", "--", &word]);
    w.person(&["deny", "vault.fails", "--when", &word, "--note", "never"])
        .expect_code("ok");
    w.person(&["approvals", "--json"]);
    w.agent(&["exec", "vault", "fails", "--", &word])
        .expect_code("denied_by_rule");
    for rule in [
        &["allow", "vault.put", "--like", &word][..],
        &["allow", "vault.put", "--one-of", &word],
        &[
            "ask",
            "vault.*",
            "--max",
            "amount=12",
            "--except-when",
            &word,
        ],
        &["allow", "vault.gone", "--when", &word],
    ] {
        w.person(rule).expect_code("ok");
    }
    // Judged by conditions that cannot be told for these values.
    for command in ["put", "file", "fails", "gone"] {
        let words = call(&mut w, command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        w.agent(&words);
        w.person(&[&["explain", "--json"], &words[1..]].concat());
    }
    w.person(&["exec", "vault", "gone", "--", &word])
        .expect_code("spawn_failed");
    w.person(&["rules", "rm", "1"]).expect_code("ok");
    w.person(&["exec", "--no-input", "vault", "fails", "--", &word]);

    // Arguments that do not fit.
    let (long, value) = ("y".repeat(61), w.value());
    let (bad, number) = (w.value(), w.number());
    let secret = w.secret();
    let malformed = format!("{{\"token\": \"{secret}\"");
    let twice = format!("{{\"token\": \"{secret}\", \"token\": \"{secret}\"}}");
    for words in [
        vec!["put", "--", &format!("text={value}{long}")],
        vec![
            "put",
            "--",
            &format!("text={value}"),
            &format!("kind={bad}"),
        ],
        vec![
            "put",
            "--",
            &format!("text={value}"),
            &format!("{bad}={value}"),
        ],
        vec![
            "put",
            "--",
            &format!("text={value}"),
            &format!("amount={bad}"),
        ],
        vec![
            "put",
            "--",
            &format!("text={value}"),
            &format!("amount:=9{number}000000000"),
        ],
        vec!["put", "--", &format!("text:={{\"{bad}\":1}}")],
        vec!["put", "--", &format!("text:={value}")],
        vec![
            "put",
            "--args",
            &format!("{{\"text\":\"{value}\",\"{bad}\":1}}"),
        ],
        vec!["byword", "--", &format!("token={secret}{long}")],
        vec!["byenv", "--", &format!("token={secret}{long}")],
        vec!["byenv", "--", &format!("tokn={secret}")],
        vec!["byenv", "--", &format!("token:={{\"a\":\"{secret}\"}}")],
        vec!["byenv", "--", &format!("token:={secret}")],
        vec!["byenv", "--args", &malformed],
        vec!["byenv", "--args", &twice],
        vec!["byenv", "--args", &format!("[\"{secret}\"]")],
        vec![
            "bystdin",
            "--args",
            &format!("{{\"token\":[\"{secret}\"]}}"),
        ],
    ] {
        for form in ["--json", "--text"] {
            let all = [&["exec", form, "vault"], words.as_slice()].concat();
            let refused = w.agent(&all);
            assert_eq!(refused.exit, 2, "{all:?}: {}", refused.stdout);
        }
    }
    // Arguments as JSON on standard input; the tool's own standard input.
    let (user, token) = (w.value(), w.secret());
    let object = format!("{{\"user\":\"{user}\",\"token\":\"{token}\"}}");
    let by_args = ["exec", "vault", "byenv", "--args", "-"];
    w.fed(Who::Agent, &by_args, Some(&object));
    w.fed(Who::Agent, &by_args, Some(&object[..object.len() - 1]))
        .expect_code("invalid_args");
    let (input, text) = (w.value(), w.value());
    let word = format!("text={text}");
    w.fed(
        Who::Agent,
        &["exec", "--stdin", "-", "vault", "put", "--", &word],
        Some(&input),
    );
    std::fs::write(w.world.work().join("input"), &input).unwrap();
    w.agent(&["exec", "--stdin", "input", "vault", "put", "--", &word]);
    // Unknown names, a word without a name, the store.
    let (one, two) = (w.value(), w.value());
    let word = format!("a={one}");
    w.agent(&["exec", "nothing", "here", "--", &word])
        .expect_code("unknown_pack");
    w.agent(&["exec", "vault", "here", "--", &word])
        .expect_code("unknown_command");
    w.agent(&["exec", &format!("{one}!"), &two, "--", &word]);
    w.agent(&["exec", "vault", "put", "--", &two]);
    let path = format!("path={}/{two}", w.world.store().display());
    w.agent(&["exec", "vault", "file", "--", &path])
        .expect_code("store_protected");
    // Refused by grants.
    w.world.write("store/grants.json", r#"{ "grants": [] }"#);
    let words = call(&mut w, "put");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    w.agent(&words).expect_code("not_authorized");
    std::fs::remove_file(w.world.store().join("grants.json")).unwrap();
    // Settings that cannot be used.
    let settings = std::fs::read(w.world.store().join("access.json")).unwrap();
    std::fs::write(w.world.store().join("access.json"), "{").unwrap();
    w.agent(&words).expect_code("access_invalid");
    std::fs::write(w.world.store().join("access.json"), settings).unwrap();

    // Everything that still waits ends; what the rules hold stands in the settings alone.
    w.person(&["reject", "--all"]).expect_code("ok");
    let_expire(&w.world, "");
    w.person(&["approvals", "--json"]);
    w.person(&["doctor"]);
    w.person(&["audit", "--json"]);
    let ruled = w.ruled.clone();
    let all: Vec<String> = w
        .values
        .iter()
        .filter(|v| !ruled.contains(v))
        .cloned()
        .collect();
    w.nowhere(&all, &[], "in the end");
    w.nowhere(&ruled, &["access.json"], "a rule's value");
    assert_eq!(
        files(&w.world.root().join("tmp")),
        Vec::<PathBuf>::new(),
        "temporary files are left"
    );
    crate::recorded::verified(&w.world);
}
