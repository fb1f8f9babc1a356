//! What the tests of programs that talk to a server share: a server on this machine that writes down what it is asked,
//! the commands and options of a bundled pack as its files stand, and a call that a person says yes to.

use hcp_testkit::{Answer, World};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

/// A server on this machine. It lives as long as the test's process.
pub(super) struct Served {
    /// Where it listens: `127.0.0.1:4711`.
    pub(super) address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Served {
    /// Starts one that answers a method and a path (without the query) with JSON, or "not found".
    pub(super) fn start(answer: fn(&str, &str) -> Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = Arc::clone(&heard);
                std::thread::spawn(move || serve(&stream, answer, &heard));
            }
        });
        Self { address, asked }
    }

    /// What it was asked to change, in order: `DELETE /api/v1/namespaces/staging`.
    pub(super) fn changes(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap().clone();
        let reads = |line: &String| line.starts_with("GET ") || line.starts_with("HEAD ");
        asked.into_iter().filter(|line| !reads(line)).collect()
    }
}

fn serve(
    stream: &TcpStream,
    answer: fn(&str, &str) -> Option<&'static str>,
    heard: &Mutex<Vec<String>>,
) {
    let mut lines = BufReader::new(stream);
    let mut first = String::new();
    if lines.read_line(&mut first).is_err() {
        return;
    }
    let mut length = 0;
    let mut header = String::new();
    while lines.read_line(&mut header).is_ok_and(|n| n > 2) {
        let (name, value) = header.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
        header.clear();
    }
    std::io::copy(&mut lines.take(length), &mut std::io::sink()).unwrap();
    let mut words = first.split_whitespace();
    let method = words.next().unwrap_or_default();
    let path = words.next().unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    heard.lock().unwrap().push(format!("{method} {path}"));
    let missing = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"not found"}"#;
    let (status, body) = match answer(method, path) {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", missing),
    };
    let length = body.len();
    let body = if method == "HEAD" { "" } else { body };
    let mut stream = stream;
    // The program may be gone already.
    let _gone = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nApi-Version: 1.45\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
}

/// A command of a pack's Surface: the words that name it, and each spelling of its own options.
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) own: Vec<String>,
    pub(super) options: BTreeSet<String>,
}

/// The commands of a bundled pack, and the spellings of its global options.
pub(super) fn listed(id: &str) -> (Vec<Listed>, BTreeSet<String>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../packs/{id}/surface.json"));
    let surface: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let commands = surface["commands"].as_object().unwrap().iter();
    let commands = commands.map(|(name, command)| {
        let words = cli(command);
        let literal = words.iter().skip(1).take_while(|word| *word != "--");
        let own = literal.filter(|word| !word.starts_with('-') && !word.contains("{{"));
        Listed {
            name: name.clone(),
            own: own.cloned().collect(),
            options: options(command),
        }
    });
    (commands.collect(), options(&surface["globals"]))
}

fn cli(command: &Value) -> Vec<String> {
    serde_json::from_value(command["cli"].clone()).unwrap()
}

/// Every spelling of an option in `cli` and in `x-alias`.
fn options(command: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for word in cli(command)
        .iter()
        .filter(|word| word.starts_with('-') && *word != "--")
    {
        let spelled = word.split('=').next().unwrap_or_default();
        all.extend(spelled.split('|').map(str::to_owned));
    }
    let properties = command["args"]["properties"].as_object();
    for argument in properties.into_iter().flat_map(|p| p.values()) {
        let aliases = argument["x-alias"].as_array().into_iter().flatten();
        all.extend(aliases.map(|alias| alias.as_str().unwrap().to_owned()));
    }
    all
}

/// What a program prints for these words, on both streams.
pub(super) fn says(world: &World, program: &Path, words: &[&str]) -> String {
    let output = Command::new(program)
        .args(words)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", world.root().join("user"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [out, err] =
        [output.stdout, output.stderr].map(|s| String::from_utf8_lossy(&s).into_owned());
    out + &err
}

/// The options that a help text names.
pub(super) fn told(help: &str) -> BTreeSet<String> {
    let cut = |c: char| c.is_whitespace() || ",=[:".contains(c);
    let words = help.split(cut).filter(|word| word.starts_with('-'));
    words.map(str::to_owned).collect()
}

/// The agent runs a call that must ask with this title; a person says yes, and the same call runs.
pub(super) fn with_yes(world: &World, words: &[&str], title: &str) -> Answer {
    let asked = world.agent(words).with_code("confirm_required");
    assert_eq!(asked.text("approval.view.title"), title);
    let id = asked.text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    world.agent(words).with_code("ok")
}
