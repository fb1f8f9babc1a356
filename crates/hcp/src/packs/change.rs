//! What changes between two states of a pack, in words.
//!
//! It looks at both what the loader made of the files (so that `defaults` count) and at the files
//! themselves (so that nothing that reaches the tool or the card is left out).

use hcp_core::json::{self, Limits, Value};
use hcp_core::names::CommandName;
use hcp_core::policy::{Confirm, Operation, Policy, Raise, Scope, Undo};
use hcp_core::text::quoted;
use hcp_pack::{Argument, Pack, PackFiles};
use serde::Serialize;
use std::collections::BTreeSet;

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Which program runs, and what it gets beside its words.
    Program,
    /// A Policy line that loosens: less is asked, or less is said on the card.
    PolicyLooser,
    /// A Policy line that tightens.
    PolicyStricter,
    /// A command that comes or goes.
    Command,
    /// An argument that comes, goes or is read differently.
    Argument,
    /// The words that a command becomes.
    CommandLine,
    /// What a person or an agent reads.
    Text,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What it is about.
    pub kind: ChangeKind,
    /// The command, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The change in words, safe to show.
    pub text: String,
}

/// Stands for all changes where the old content is not known.
pub(super) fn not_known() -> Change {
    Change {
        kind: ChangeKind::Program,
        command: None,
        text: "what was installed before is not kept, so anything may have changed".to_owned(),
    }
}

/// Everything that changes from one state to the other.
pub(super) fn between(old: (&Pack, &PackFiles), new: (&Pack, &PackFiles)) -> Vec<Change> {
    let mut found = Found::default();
    let (old_files, new_files) = (Raw::read(old.1), Raw::read(new.1));
    whole_pack(old.0, new.0, &mut found);
    // The rest of `pack.json` has no meaning of its own here, and still is not left out.
    for key in ["globals", "spellings"] {
        let (old, new) = (old_files.surface.get(key), new_files.surface.get(key));
        found.same(ChangeKind::Program, key, &old, &new);
    }
    commands(old.0, new.0, &old_files, &new_files, &mut found);
    found.same(ChangeKind::Text, "SKILL.md", &old.1.skill, &new.1.skill);
    if found.changes.is_empty() && old.0.digest != new.0.digest {
        found.push(
            ChangeKind::Text,
            "the files differ in parts that change no command".to_owned(),
        );
    }
    found.changes
}

struct Raw {
    surface: Value,
}

impl Raw {
    fn read(files: &PackFiles) -> Self {
        let surface = json::parse_bytes(&files.surface, Limits::default());
        Self {
            surface: surface.map(|node| node.to_value()).unwrap_or_default(),
        }
    }

    fn command(&self, name: &str, key: &str) -> Option<&Value> {
        self.surface.get("commands")?.get(name)?.get(key)
    }
}

#[derive(Default)]
struct Found {
    command: Option<String>,
    changes: Vec<Change>,
}

impl Found {
    fn push(&mut self, kind: ChangeKind, text: String) {
        self.changes.push(Change {
            kind,
            command: self.command.clone(),
            text,
        });
    }

    fn same<T: PartialEq>(&mut self, kind: ChangeKind, what: &str, old: &T, new: &T) {
        if old != new {
            self.push(kind, format!("{what} changes"));
        }
    }

    fn word(&mut self, kind: ChangeKind, what: &str, old: &str, new: &str) {
        if old != new {
            self.push(
                kind,
                format!("{what}: {} becomes {}", quoted(old), quoted(new)),
            );
        }
    }

    fn set<'a>(
        &mut self,
        kind: ChangeKind,
        what: &str,
        old: impl IntoIterator<Item = &'a str>,
        new: impl IntoIterator<Item = &'a str>,
    ) {
        let old: BTreeSet<&str> = old.into_iter().collect();
        let new: BTreeSet<&str> = new.into_iter().collect();
        for gone in old.difference(&new) {
            self.push(kind, format!("{what} {} goes", quoted(gone)));
        }
        for fresh in new.difference(&old) {
            self.push(kind, format!("{what} {} comes", quoted(fresh)));
        }
    }

    /// An ordered word of the Policy: down is looser.
    fn graver<T: Ord + Copy>(&mut self, what: &str, old: T, new: T, word: fn(T) -> &'static str) {
        let kind = match new.cmp(&old) {
            std::cmp::Ordering::Less => ChangeKind::PolicyLooser,
            std::cmp::Ordering::Greater => ChangeKind::PolicyStricter,
            std::cmp::Ordering::Equal => return,
        };
        self.push(kind, format!("{what}: {} becomes {}", word(old), word(new)));
    }
}

fn whole_pack(old: &Pack, new: &Pack, found: &mut Found) {
    use ChangeKind::{Program, Text};
    found.set(Program, "program", programs(old), programs(new));
    found.set(
        Program,
        "other name",
        texts(&old.programs),
        texts(&new.programs),
    );
    found.set(Program, "variable", texts(&old.env), texts(&new.env));
    found.same(Program, "how it is connected", &old.connect, &new.connect);
    found.same(Program, "its time limit", &old.timeout, &new.timeout);
    found.same(
        Program,
        "what makes it run other programs",
        &old.runs,
        &new.runs,
    );
    found.word(Text, "name", &old.name, &new.name);
    found.word(Text, "version", &old.version, &new.version);
    found.word(Text, "summary", &old.summary, &new.summary);
    found.same(Text, "homepage", &old.homepage, &new.homepage);
}

fn texts(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str)
}

fn programs(pack: &Pack) -> impl Iterator<Item = &str> {
    let commands = pack.commands.values();
    commands.filter_map(|command| command.own_words.first().map(String::as_str))
}

fn commands(old: &Pack, new: &Pack, old_raw: &Raw, new_raw: &Raw, found: &mut Found) {
    let (before, after) = (old.commands.keys(), new.commands.keys());
    found.set(
        ChangeKind::Command,
        "command",
        before.map(CommandName::as_str),
        after.map(CommandName::as_str),
    );
    for (name, after) in &new.commands {
        let Some(before) = old.commands.get(name) else {
            continue;
        };
        let name = name.as_str();
        found.command = Some(name.to_owned());
        policy(&before.policy, &after.policy, found);
        arguments(&before.arguments, &after.arguments, found);
        for key in ["cli", "env", "stdin"] {
            command_line(
                key,
                old_raw.command(name, key),
                new_raw.command(name, key),
                found,
            );
        }
        let shared = |raw: &Raw| Some(raw.command(name, "args")?.get("$defs")?.clone());
        found.same(
            ChangeKind::Argument,
            "$defs",
            &shared(old_raw),
            &shared(new_raw),
        );
        found.word(
            ChangeKind::Text,
            "description",
            &before.description,
            &after.description,
        );
        found.same(
            ChangeKind::Text,
            "what its card shows",
            &before.preview,
            &after.preview,
        );
        found.command = None;
    }
}

fn command_line(key: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Found) {
    if old != new {
        let nothing = || "nothing".to_owned();
        let text = |value: Option<&Value>| value.map_or_else(nothing, |v| quoted(&v.to_string()));
        let words = format!("{key}: {} becomes {}", text(old), text(new));
        found.push(ChangeKind::CommandLine, words);
    }
}

fn policy(old: &Policy, new: &Policy, found: &mut Found) {
    // `read` is the smaller word, as `never` and `args` are.
    found.graver("operation", old.operation, new.operation, Operation::as_str);
    found.graver("confirm", old.confirm, new.confirm, Confirm::as_str);
    found.graver("undo", old.undo, new.undo, Undo::as_str);
    found.graver("scope", old.scope, new.scope, Scope::as_str);
    if old.land != new.land {
        let text = format!("land: {} becomes {}", old.land, new.land);
        found.push(ChangeKind::PolicyLooser, text);
    }
    let missing = |from: &[Raise], to: &[Raise]| from.iter().filter(|r| !to.contains(r)).count();
    let gone = missing(&old.raise, &new.raise);
    if gone > 0 {
        found.push(
            ChangeKind::PolicyLooser,
            format!("raise: {gone} go or change"),
        );
    }
    let fresh = missing(&new.raise, &old.raise);
    if fresh > 0 {
        found.push(
            ChangeKind::PolicyStricter,
            format!("raise: {fresh} come or change"),
        );
    }
}

fn arguments(old: &[Argument], new: &[Argument], found: &mut Found) {
    let (before, after) = (old.iter(), new.iter());
    found.set(
        ChangeKind::Argument,
        "argument",
        before.map(|a| a.name.as_str()),
        after.map(|a| a.name.as_str()),
    );
    for after in new {
        let Some(before) = old.iter().find(|before| before.name == after.name) else {
            continue;
        };
        if before.required != after.required {
            let word = if after.required { "must" } else { "need not" };
            let text = format!("argument {} {word} be given", quoted(&after.name));
            found.push(ChangeKind::Argument, text);
        }
        if before.schema != after.schema || before.global != after.global {
            let text = format!("argument {} is declared differently", quoted(&after.name));
            found.push(ChangeKind::Argument, text);
        }
    }
}
