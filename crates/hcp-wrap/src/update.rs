//! A new draft over one that a person may have changed: entry by entry, the person's own stands.
//!
//! What the last draft wrote is remembered by digests. An entry that still has its digest is the draft's and
//! is written anew; any other is the person's and stays.

use crate::draft::{Draft, DraftError};
use hcp_core::canonical::{encode, sha256};
use hcp_core::diagnostic::{Diagnostic, Source};
use hcp_core::json::{Limits, Object, Value, parse};

/// What the last draft wrote: a digest for each entry of each file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    entries: Object,
}

/// The parts of a draft that are remembered by themselves.
const PARTS: [&str; 5] = ["pack", "surface", "commands", "policy", "policies"];

impl Memory {
    /// What a draft writes.
    #[must_use]
    pub fn of(draft: &Draft) -> Self {
        let mut entries: Object = PARTS
            .iter()
            .zip(parts(&draft.pack, &draft.surface, &draft.policy))
            .map(|(name, part)| ((*name).to_owned(), Value::Object(digests(&part))))
            .collect();
        entries.insert("skill", text_digest(&draft.skill));
        Self { entries }
    }

    /// The memory as text for its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let note = "what hcpx wrap wrote last; hcpx wrap --update needs it to keep your changes";
        let object = Object::new()
            .with("note", note)
            .with("entries", self.entries.clone());
        crate::draft::pretty(&Value::Object(object))
    }

    /// Reads the memory's file; `None` where it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let value = parse(text, Limits::default()).ok()?.to_value();
        let entries = value.as_object()?.get("entries")?.as_object()?.clone();
        Some(Self { entries })
    }

    fn part(&self, name: &str) -> Object {
        self.entries
            .get(name)
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    }
}

/// The top keys of the files without their commands, and the commands.
fn parts(pack: &Value, surface: &Value, policy: &Value) -> [Object; 5] {
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let (surface, policy) = (object(surface), object(policy));
    let commands = |of: &Object| {
        of.get("commands")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let (looks, policies) = (commands(&surface), commands(&policy));
    [
        object(pack),
        without_commands(surface),
        looks,
        without_commands(policy),
        policies,
    ]
}

fn without_commands(mut object: Object) -> Object {
    object.remove("commands");
    object
}

fn digests(part: &Object) -> Object {
    part.iter()
        .map(|(key, value)| (key.to_owned(), Value::from(value_digest(value))))
        .collect()
}

fn value_digest(value: &Value) -> String {
    text_digest(&encode(value))
}

fn text_digest(text: &str) -> String {
    sha256(text.as_bytes()).to_string()
}

/// A draft merged into the files that are there.
#[derive(Debug, Clone)]
pub struct Update {
    /// What is to be written.
    pub draft: Draft,
    /// What is to be remembered.
    pub memory: Memory,
    /// Commands that are new.
    pub added: Vec<String>,
    /// Commands written anew, because the program's help changed.
    pub changed: Vec<String>,
    /// Entries that a person changed and that stay, although the program's help changed.
    pub kept: Vec<String>,
    /// Commands that the program no longer names; they stay until a person takes them out.
    pub vanished: Vec<String>,
}

/// Why a draft cannot be brought up to date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// A file that is there cannot be read.
    #[error("the files that are there cannot be read")]
    Unreadable(Vec<Diagnostic>),
    /// The two together are no pack.
    #[error("your changes and the new draft together make no pack")]
    Merged(DraftError),
}

impl Update {
    /// Merges a new draft into the texts that are there: `pack.json`, `surface.json`, `policy.json`, `SKILL.md`.
    ///
    /// # Errors
    /// When a file cannot be read, or the result is no pack; nothing should be written then.
    pub fn make(
        new: Draft,
        current: [&str; 3],
        skill: Option<&str>,
        memory: &Memory,
    ) -> Result<Self, UpdateError> {
        let mut wrong = Vec::new();
        let mut read = |name: &str, text: &str| match parse(text, Limits::default()) {
            Ok(node) => node.to_value(),
            Err(fault) => {
                wrong.push(Source::new(name.to_owned(), text).locate(&fault));
                Value::Null
            }
        };
        let [pack, surface, policy] = current;
        let here = parts(
            &read("pack.json", pack),
            &read("surface.json", surface),
            &read("policy.json", policy),
        );
        if !wrong.is_empty() {
            return Err(UpdateError::Unreadable(wrong));
        }
        let mut log = Log::default();
        let mut remembered = Memory::of(&new);
        let wanted = parts(&new.pack, &new.surface, &new.policy);
        let mut merged: Vec<Object> = Vec::new();
        for ((name, new), here) in PARTS.iter().zip(&wanted).zip(&here) {
            let base = memory.part(name);
            merged.push(merge(name, new, here, &base, &mut log));
            remembered.keep(name, &base);
        }
        let mut draft = new;
        if let [pack, surface, commands, policy, policies] = merged.as_slice() {
            draft.pack = Value::Object(pack.clone());
            draft.surface = Value::Object(surface.clone().with("commands", commands.clone()));
            draft.policy = Value::Object(policy.clone().with("commands", policies.clone()));
        }
        if let Some(skill) = skill {
            let base = memory.entries.get("skill").and_then(Value::as_str);
            if base != Some(text_digest(skill).as_str()) {
                skill.clone_into(&mut draft.skill);
            }
        }
        draft.read().map_err(UpdateError::Merged)?;
        Ok(Self {
            draft,
            memory: remembered,
            added: log.added,
            changed: log.changed,
            kept: log.kept,
            vanished: log.vanished,
        })
    }
}

impl Memory {
    /// Goes on remembering what a new draft no longer has.
    fn keep(&mut self, part: &str, base: &Object) {
        let mut entries = self.part(part);
        for (key, digest) in base.iter() {
            if !entries.contains_key(key) {
                entries.insert(key, digest.clone());
            }
        }
        self.entries.insert(part, Value::Object(entries));
    }
}

/// What a merge did.
#[derive(Debug, Default)]
struct Log {
    added: Vec<String>,
    changed: Vec<String>,
    kept: Vec<String>,
    vanished: Vec<String>,
}

impl Log {
    fn note(list: &mut Vec<String>, name: String) {
        if !list.contains(&name) {
            list.push(name);
        }
    }
}

/// Three ways, key by key: what the draft wrote before, what is there, and what it would write now.
fn merge(part: &str, new: &Object, here: &Object, base: &Object, log: &mut Log) -> Object {
    let commands = part == "commands" || part == "policies";
    let label = |key: &str| {
        if commands {
            key.to_owned()
        } else {
            format!("{part} {key}")
        }
    };
    let mut merged = Object::new();
    for (key, value) in here.iter() {
        let before = base.get(key).and_then(Value::as_str);
        let untouched = before == Some(value_digest(value).as_str());
        let now = new.get(key);
        let moved = now.is_some_and(|now| before != Some(value_digest(now).as_str()));
        match now {
            Some(now) if untouched => {
                if moved {
                    Log::note(&mut log.changed, label(key));
                }
                merged.insert(key, now.clone());
                continue;
            }
            Some(_) if moved => Log::note(&mut log.kept, label(key)),
            None if before.is_some() && commands => Log::note(&mut log.vanished, label(key)),
            Some(_) | None => {}
        }
        merged.insert(key, value.clone());
    }
    for (key, value) in new.iter() {
        // What was written before and is gone, a person took out.
        if !here.contains_key(key) && !base.contains_key(key) {
            if commands {
                Log::note(&mut log.added, label(key));
            }
            merged.insert(key, value.clone());
        }
    }
    merged
}

#[cfg(test)]
mod tests;
