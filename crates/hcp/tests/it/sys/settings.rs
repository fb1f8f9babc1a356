//! Changes of settings by many processes at once, and by processes that are killed.

use super::helper;
use hcp::home::Home;
use hcp::settings::{Trust, edit};
use hcp_core::canonical::{Tag, keyed_digest};
use hcp_core::json::{Object, Value};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn add_rule(file: &Path, note: &str) {
    edit(file, Trust::ReaderOrRoot, |body| {
        let rules = body.get("rules").and_then(Value::as_array);
        let mut rules = rules.map(<[Value]>::to_vec).unwrap_or_default();
        let rule = Object::new()
            .with("match", "notes.delete")
            .with("decision", "deny")
            .with("note", note);
        rules.push(rule.into());
        body.insert("rules", rules);
        Ok::<_, String>(())
    })
    .unwrap();
}

fn notes(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let body = hcp_core::json::parse(&text, hcp_core::json::Limits::default()).unwrap();
    let body = body.to_value();
    let rules = body
        .get("rules")
        .and_then(Value::as_array)
        .unwrap_or_default();
    rules
        .iter()
        .map(|rule| rule.get("note").and_then(Value::as_str).unwrap().to_owned())
        .collect()
}

#[test]
#[ignore = "a part of other tests"]
fn play_edit() {
    if !helper::plays("sys::settings::play_edit") {
        return;
    }
    let (file, name) = (helper::given("FILE"), helper::given("NAME"));
    let times: usize = helper::given("TIMES").parse().unwrap();
    for time in 0..times {
        add_rule(Path::new(&file), &format!("{name}-{time}"));
    }
}

fn player(file: &Path, name: &str, times: usize) -> std::process::Child {
    helper::part("sys::settings::play_edit")
        .env("FILE", file)
        .env("NAME", name)
        .env("TIMES", times.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn changes_at_once_all_land() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(".hcp/access.json");
    let mut players: Vec<_> = (0..8)
        .map(|n| player(&file, &format!("p{n}"), 12))
        .collect();
    for player in &mut players {
        assert!(player.wait().unwrap().success());
    }
    let mut found = notes(&file);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 8 * 12);
}

#[test]
fn a_killed_change_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(".hcp/access.json");
    add_rule(&file, "first");
    let mut before = 1;
    for round in 0..25_u64 {
        let mut player = player(&file, &format!("r{round}"), 10_000);
        std::thread::sleep(Duration::from_millis(8 + (round * 7) % 40));
        player.kill().unwrap();
        player.wait().unwrap();
        let now = notes(&file);
        assert!(now.len() >= before);
        assert_eq!(now[0], "first");
        before = now.len();
    }
    assert!(before > 1);
    add_rule(&file, "last");
    assert_eq!(notes(&file).last().unwrap(), "last");
}

#[test]
#[ignore = "a part of other tests"]
fn play_key() {
    if !helper::plays("sys::settings::play_key") {
        return;
    }
    let key = Home::at(helper::given("HOME_FOLDER")).key().unwrap();
    println!("key={}", keyed_digest(&key, Tag::Binding, &Value::Null));
}

#[test]
fn processes_that_make_the_key_at_once_get_one_key() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let players: Vec<_> = (0..8)
            .map(|_| {
                helper::part("sys::settings::play_key")
                    .env("HOME_FOLDER", folder.path().join("x/.hcp"))
                    .stdout(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let mut keys: Vec<String> = players
            .into_iter()
            .map(|player| {
                let output = player.wait_with_output().unwrap();
                let text = String::from_utf8(output.stdout).unwrap();
                text.lines()
                    .find(|l| l.contains("key="))
                    .unwrap()
                    .to_owned()
            })
            .collect();
        keys.dedup();
        assert_eq!(keys.len(), 1, "{keys:?}");
    }
}
