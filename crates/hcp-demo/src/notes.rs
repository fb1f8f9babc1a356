//! `notes`: short texts by name. What is deleted is gone for good.

use crate::fault::Fault;
use crate::ledger::lines;
use crate::state::{Folder, Locked};
use crate::words::{Asked, Usage, Words};
use hcp_core::diagnostic::Fault as Spot;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Node, Object};
use hcp_core::names::did_you_mean;
use hcp_core::text::{is_unsafe, quoted, safe, safe_lines};

const FILE: &str = "notes.json";
const LONGEST_NAME: usize = 64;

/// What a fresh home holds.
const FIRST: [(&str, &str); 2] = [
    (
        "keys",
        "The spare keys are with the neighbour on the second floor.",
    ),
    ("shopping", "Bread, milk, apples"),
];

static COMMANDS: [Usage; 5] = [
    Usage {
        name: "list",
        bare: &[],
        options: &[],
        switches: &[],
        about: "List the names of all notes",
    },
    Usage {
        name: "show",
        bare: &["NAME"],
        options: &[],
        switches: &[],
        about: "Show a note",
    },
    Usage {
        name: "add",
        bare: &["NAME"],
        options: &[("text", "TEXT", true)],
        switches: &[],
        about: "Add a note",
    },
    Usage {
        name: "edit",
        bare: &["NAME"],
        options: &[("text", "TEXT", true)],
        switches: &[],
        about: "Replace the text of a note",
    },
    Usage {
        name: "delete",
        bare: &["NAME"],
        options: &[],
        switches: &[],
        about: "Delete a note for good",
    },
];

/// Runs a command line.
pub(crate) fn run(words: &Words, folder: &Folder) -> Result<String, Fault> {
    let (command, given) = match words.ask("notes", "Demo notes.", &COMMANDS)? {
        Asked::Help(text) => return Ok(text),
        Asked::Command(command, given) => (command, given),
    };
    let locked = folder.lock()?;
    let mut notes = load(&locked)?;
    let (name, text) = (given.bare(0), given.option("text").unwrap_or_default());
    match command {
        "show" => known(&notes, name).map(|text| format!("{}\n", safe_lines(text))),
        "add" => {
            check_name(name)?;
            if notes.contains_key(name) {
                return Err(Fault::Refused(format!(
                    "the note {} is there already; use edit to replace its text",
                    quoted(name)
                )));
            }
            notes.insert(name, text);
            save(&locked, notes).map(|()| format!("Added {}\n", quoted(name)))
        }
        "edit" => {
            known(&notes, name)?;
            notes.insert(name, text);
            save(&locked, notes).map(|()| format!("Changed {}\n", quoted(name)))
        }
        "delete" => {
            known(&notes, name)?;
            notes.remove(name);
            save(&locked, notes).map(|()| format!("Deleted {} for good\n", quoted(name)))
        }
        _ if notes.is_empty() => Ok("No notes\n".to_owned()),
        _ => Ok(lines(notes.keys().map(|name| safe(name).to_string()))),
    }
}

fn load(locked: &Locked<'_>) -> Result<Object, Fault> {
    Ok(locked.load(FILE, read)?.unwrap_or_else(|| {
        FIRST
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.into()))
            .collect()
    }))
}

fn save(locked: &Locked<'_>, notes: Object) -> Result<(), Fault> {
    locked.save(FILE, &Object::new().with("notes", notes))
}

fn known<'n>(notes: &'n Object, name: &str) -> Result<&'n str, Fault> {
    let text = notes.get(name).and_then(|text| text.as_str());
    text.ok_or_else(|| {
        let help = did_you_mean(name, notes.keys()).map_or_else(
            || "see notes list".to_owned(),
            |near| format!("did you mean {}?", safe(near)),
        );
        Fault::Refused(format!("there is no note {}; {help}", quoted(name)))
    })
}

fn check_name(name: &str) -> Result<(), Fault> {
    let fits = !name.trim().is_empty()
        && name.chars().count() <= LONGEST_NAME
        && !name.chars().any(is_unsafe);
    if fits {
        return Ok(());
    }
    Err(Fault::Usage(format!(
        "NAME must be visible text of at most {LONGEST_NAME} characters"
    )))
}

fn read(node: &Node, spots: &mut Vec<Spot>) -> Option<Object> {
    let mut object = Fields::open(node, "the notes file", spots)?;
    let notes = object.required("notes", spots);
    object.finish(spots);
    let notes = notes?;
    for member in Fields::open(notes, "the notes", spots)?.members() {
        fields::string(&member.value, spots);
    }
    notes.to_value().as_object().cloned()
}
