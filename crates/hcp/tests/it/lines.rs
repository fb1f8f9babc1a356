//! Lines as people and agents really write them for the bundled tools: which command each is, that the pack reads it
//! whole, what the gate says of it in auto mode without rules, and what the card shows.
//!
//! The tables stand in `tests/data/lines/PACK.json`. Every command of the pack that may ask must have a line.

use hcp::{Argv, Decision, Gated, Pack, VerbKey, access, gate_command};
use hcp_core::policy::{Confirm, Raise};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn tables() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lines");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

fn words(entry: &Value) -> Vec<String> {
    match (&entry["words"], &entry["line"]) {
        (Value::Array(words), Value::Null) => words
            .iter()
            .map(|w| w.as_str().unwrap().to_owned())
            .collect(),
        (Value::Null, Value::String(line)) => line.split(' ').map(str::to_owned).collect(),
        _ => panic!("an entry has \"line\" (split at blanks) or \"words\": {entry}"),
    }
}

/// The names in `command`: one, or the list of those that fit equally.
fn expected_commands(entry: &Value) -> BTreeSet<String> {
    match &entry["command"] {
        Value::String(one) => BTreeSet::from([one.clone()]),
        Value::Array(some) => some
            .iter()
            .map(|n| n.as_str().unwrap().to_owned())
            .collect(),
        other => panic!("command is a name or a list of names, not {other}"),
    }
}

fn decision(word: &str) -> Decision {
    match word {
        "allow" => Decision::Allow,
        "ask" => Decision::Ask,
        "deny" => Decision::Deny,
        other => panic!("{other} is no decision"),
    }
}

/// What is wrong with one line.
fn faults(pack: &Pack, entry: &Value) -> Vec<String> {
    let line = words(entry);
    let found = pack.commands_of_line(&line);
    let names: BTreeSet<String> = found.iter().map(|(c, _)| c.name.to_string()).collect();
    let mut faults = Vec::new();
    if names != expected_commands(entry) {
        faults.push(format!("belongs to {names:?}"));
    }
    let whole = entry["whole"].as_bool().unwrap_or(true);
    let read = |(_, argv): &(_, Argv)| argv.reading.fully_read;
    // Of several commands one that does not read the whole line is enough to ask.
    if found.iter().all(read) != whole {
        let unread = found
            .iter()
            .map(|(command, argv)| (&command.name, &argv.unread));
        faults.push(format!("unread {:?}", unread.collect::<Vec<_>>()));
    }
    if !whole || !faults.is_empty() {
        return faults;
    }
    let settings = access("{}").unwrap();
    let mut strictest = Decision::Allow;
    for (command, argv) in found {
        let verb = VerbKey::parse(&format!("{}.{}", pack.id, command.name)).unwrap();
        let gated = match gate_command(pack, &verb, argv.args, &settings) {
            Ok(gated) => gated,
            Err(refusal) => {
                faults.push(format!("{verb}: {refusal:?}"));
                continue;
            }
        };
        strictest = strictest.max(match &gated {
            Gated::Allow(_) => Decision::Allow,
            Gated::Ask(_) => Decision::Ask,
            Gated::Deny(_) => Decision::Deny,
            other => panic!("{other:?} is no answer known here"),
        });
        let Gated::Ask(request) = gated else { continue };
        let code = request.answer.reason_code.as_str();
        if entry["code"].as_str().is_some_and(|wanted| wanted != code) {
            faults.push(format!("{verb}: the code is {code}"));
        }
        let shown = serde_json::to_value(&request.card.view).unwrap();
        for key in ["kind", "title"] {
            if !entry[key].is_null() && entry[key] != shown[key] {
                faults.push(format!("{verb}: {key} is {}", shown[key]));
            }
        }
    }
    if faults.is_empty() && strictest != decision(entry["decision"].as_str().unwrap()) {
        faults.push(format!("decided {strictest:?}"));
    }
    faults
}

fn may_ask(pack: &Pack) -> BTreeSet<String> {
    let raised = |raise: &Raise| raise.confirm.is_some_and(|c| c != Confirm::Never);
    pack.commands
        .values()
        .filter(|c| c.policy.confirm != Confirm::Never || c.policy.raise.iter().any(raised))
        .map(|c| c.name.to_string())
        .collect()
}

#[test]
fn lines_of_the_bundled_tools() {
    let mut faulty = Vec::new();
    for table in tables() {
        let id = table.file_stem().unwrap().to_str().unwrap().to_owned();
        let pack = hcp::bundled_pack(&id).unwrap();
        let text = std::fs::read_to_string(&table).unwrap();
        let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
        let mut reached = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for entry in &entries {
            reached.extend(expected_commands(entry));
            let line = words(entry);
            if !seen.insert(line.clone()) {
                faulty.push(format!("{id}: {line:?} stands twice"));
            }
            for fault in faults(&pack, entry) {
                faulty.push(format!("{id}: {line:?}: {fault}"));
            }
        }
        for name in may_ask(&pack).difference(&reached) {
            faulty.push(format!("{id}: {name} may ask and has no line"));
        }
        println!(
            "{id}: {} lines, {} of {} commands",
            entries.len(),
            reached.len(),
            pack.commands.len()
        );
    }
    assert!(faulty.is_empty(), "{}", faulty.join("\n"));
}
