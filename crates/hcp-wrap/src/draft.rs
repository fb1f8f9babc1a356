//! A draft pack: its files, and what a person should know of it.

mod notes;
mod pretty;

pub(crate) use pretty::pretty;

use crate::argument::Taken;
use crate::command::{self, Drafted};
use crate::guess;
use crate::text::describe;
use crate::walk::Tool;
use hcp_core::diagnostic::Diagnostic;
use hcp_core::json::{Limits, Object, Value};
use hcp_core::names::is_name;
use hcp_core::policy::{Confirm, Operation};
use hcp_pack::{Command, Pack, PackFiles};
use std::collections::BTreeSet;

/// A draft pack.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its id.
    pub id: String,
    /// `pack.json`
    pub pack: Value,
    /// `surface.json`
    pub surface: Value,
    /// `policy.json`
    pub policy: Value,
    /// `SKILL.md`
    pub skill: String,
    /// `WRAP.md`: each guess with its reason, and what could not be read.
    pub notes: String,
    /// What was counted.
    pub counts: Counts,
}

/// What a draft holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Commands.
    pub commands: usize,
    /// Their arguments, the program's own options once.
    pub arguments: usize,
    /// Commands guessed to read.
    pub reads: usize,
    /// Commands guessed to write that run without a question.
    pub writes: usize,
    /// Commands that ask.
    pub asks: usize,
    /// Commands that ask in every mode.
    pub always: usize,
}

/// Why no draft could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// The program's name gives no id.
    #[error(
        "the program's name gives no id for a pack: it needs a letter or digit of a to z or 0 to 9"
    )]
    NoId,
    /// Nothing was found.
    #[error("no command was found that can be read")]
    Empty,
    /// A file would be longer than a pack's may be.
    #[error("surface.json would have {0} bytes, more than a pack's file may have")]
    TooLong(usize),
    /// The draft does not read as a pack.
    #[error("the draft does not read as a pack")]
    Invalid(Vec<Diagnostic>),
}

impl Draft {
    /// Makes the draft of a program, and reads it as a pack, so that what is written always installs. No command of
    /// it has a preview yet: [`with_previews`](Self::with_previews) gives them.
    ///
    /// # Errors
    /// A program without commands, or one whose draft no pack can hold.
    pub fn make(tool: &Tool) -> Result<Self, DraftError> {
        let id = pack_id(&tool.program).ok_or(DraftError::NoId)?;
        let mut taken = Taken::default();
        let globals = command::globals(&tool.globals, tool.family, &mut taken);
        let mut notes = tool.notes.clone();
        let drafted = commands(tool, &taken, &mut notes);
        if drafted.is_empty() {
            return Err(DraftError::Empty);
        }
        let mut counts = Counts {
            commands: drafted.len(),
            arguments: globals.len(),
            ..Counts::default()
        };
        for command in &drafted {
            counts.arguments += command.arguments;
            let slot = match (command.guess.operation, command.guess.confirm) {
                (_, Confirm::Always) => &mut counts.always,
                (_, Confirm::Ask) => &mut counts.asks,
                (Operation::Read, Confirm::Never) => &mut counts.reads,
                (Operation::Write, Confirm::Never) => &mut counts.writes,
            };
            *slot += 1;
        }
        let (surface, defaults) = surface(&drafted, globals, &mut notes);
        let draft = Self {
            pack: manifest(tool, &id),
            surface,
            policy: policy(tool, &drafted, defaults),
            skill: notes::skill(tool, &id, counts),
            notes: notes::notes(tool, &id, &drafted, &notes),
            counts,
            id,
        };
        draft.read()?;
        Ok(draft)
    }

    /// The draft with a preview for every command that asks, always or by a raise of its own: what `suggest` gives
    /// for it, where it gives any.
    ///
    /// # Errors
    /// When the previews made a file too long, or `suggest` gave one that no pack can hold.
    pub fn with_previews(
        mut self,
        suggest: &dyn Fn(&Pack, &Command) -> Option<Value>,
    ) -> Result<Self, DraftError> {
        let pack = self.read()?;
        let surface = self.surface.as_object().cloned().unwrap_or_default();
        let policies = self.policy.as_object().and_then(|p| p.get("commands"));
        let raises = |name: &str| {
            let entry = policies
                .and_then(Value::as_object)
                .and_then(|p| p.get(name));
            entry
                .and_then(Value::as_object)
                .is_some_and(|e| e.contains_key("raise"))
        };
        let commands = surface.get("commands").and_then(Value::as_object);
        let commands: Object = commands
            .into_iter()
            .flat_map(Object::iter)
            .map(|(name, entry)| {
                let asking = pack
                    .command(name)
                    .filter(|command| command.policy.confirm != Confirm::Never || raises(name));
                let preview = asking.and_then(|command| suggest(&pack, command));
                (name.to_owned(), with_preview(entry, preview))
            })
            .collect();
        self.surface = Value::Object(surface.with("commands", commands));
        self.read()?;
        Ok(self)
    }

    /// The draft as a pack.
    ///
    /// # Errors
    /// When a person's changes or a program's help made it no pack, with every place.
    pub fn read(&self) -> Result<Pack, DraftError> {
        let surface = pretty(&self.surface);
        if surface.len() > Limits::default().bytes {
            return Err(DraftError::TooLong(surface.len()));
        }
        let files = PackFiles {
            folder: String::new(),
            pack: pretty(&self.pack).into_bytes(),
            surface: surface.into_bytes(),
            policy: pretty(&self.policy).into_bytes(),
            skill: Some(self.skill.clone().into_bytes()),
        };
        Pack::read(&files).map_err(DraftError::Invalid)
    }

    /// The files of the draft: name and text.
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, String)> {
        vec![
            ("pack.json", pretty(&self.pack)),
            ("surface.json", pretty(&self.surface)),
            ("policy.json", pretty(&self.policy)),
            ("SKILL.md", self.skill.clone()),
            ("WRAP.md", self.notes.clone()),
        ]
    }
}

/// A command's entry in the Surface with this preview.
fn with_preview(entry: &Value, preview: Option<Value>) -> Value {
    match (entry, preview) {
        (Value::Object(entry), Some(preview)) => {
            Value::Object(entry.clone().with("preview", preview))
        }
        (entry, _) => entry.clone(),
    }
}

/// The id of a program's pack: `Foo.Bar` is `foo_bar`.
#[must_use]
pub fn pack_id(program: &str) -> Option<String> {
    let file = program.rsplit('/').next().unwrap_or(program);
    plain_name(file)
}

/// A text as a pack's id or a command's name.
fn plain_name(text: &str) -> Option<String> {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_').to_owned();
    is_name(&name).then_some(name)
}

fn commands(tool: &Tool, taken: &Taken, notes: &mut Vec<String>) -> Vec<Drafted> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut drafted = Vec::new();
    for found in &tool.commands {
        let words = if found.words.is_empty() {
            "run".to_owned()
        } else {
            found.words.join("_")
        };
        let Some(plain) = plain_name(&words) else {
            notes.push(format!(
                "{}: left out, because its words give no name for a command",
                hcp_core::text::safe(&found.words.join(" "))
            ));
            continue;
        };
        let mut name = plain.clone();
        let mut number = 2;
        while !names.insert(name.clone()) {
            name = format!(
                "{}_{number}",
                plain
                    .chars()
                    .take(60)
                    .collect::<String>()
                    .trim_end_matches('_')
            );
            number += 1;
        }
        drafted.push(command::draft(found, tool, &name, taken));
    }
    drafted
}

fn manifest(tool: &Tool, id: &str) -> Value {
    let summary = describe(crate::text::first_sentence(&tool.about), 160);
    let summary = if summary.is_empty() {
        format!("The commands of {}", tool.label)
    } else {
        summary
    };
    Value::Object(
        Object::new()
            .with("id", id)
            .with("name", tool.label.as_str())
            .with("version", "0.1.0")
            .with("summary", summary),
    )
}

/// The Surface, and the raises that the program's own options need in every command.
fn surface(
    drafted: &[Drafted],
    globals: Vec<crate::argument::Argument>,
    notes: &mut Vec<String>,
) -> (Value, Vec<Value>) {
    let mut raises = Vec::new();
    let mut surface = Object::new();
    if !globals.is_empty() {
        let mut cli: Vec<Value> = Vec::new();
        let mut properties = Object::new();
        for global in globals {
            let reason = guess::grave_option(&global.spelling, &global.description, global.is_path)
                .map(|grave| grave.reason)
                .or_else(|| guess::grave_setting(&global.spelling, &global.name));
            if let Some(reason) = reason {
                raises.push(command::raise(&global, "ask"));
                notes.push(format!(
                    "{}: every command asks with it, because {reason}",
                    global.spelling
                ));
            }
            cli.extend(global.cli.iter().map(|w| Value::from(w.as_str())));
            properties.insert(global.name, global.schema);
        }
        let args = Object::new()
            .with("type", "object")
            .with("properties", properties);
        let block = Object::new()
            .with("cli", Value::Array(cli))
            .with("args", args);
        surface.insert("globals", block);
    }
    let commands: Object = drafted
        .iter()
        .map(|d| (d.name.clone(), d.surface.clone()))
        .collect();
    surface.insert("commands", commands);
    (Value::Object(surface), raises)
}

fn policy(tool: &Tool, drafted: &[Drafted], raises: Vec<Value>) -> Value {
    let mut policy = Object::new();
    let mut defaults = Object::new();
    // A program that can be started in a folder acts on the folder that it stands in.
    if tool.commands.iter().any(|c| c.words == ["init"]) {
        defaults.insert("scope", "cwd");
    }
    if !raises.is_empty() {
        defaults.insert("raise", Value::Array(raises));
    }
    if !defaults.is_empty() {
        policy.insert("defaults", defaults);
    }
    let commands: Object = drafted
        .iter()
        .map(|d| (d.name.clone(), d.policy.clone()))
        .collect();
    policy.insert("commands", commands);
    Value::Object(policy)
}

#[cfg(test)]
mod tests;
