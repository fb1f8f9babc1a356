//! A command that sounds like a write and is marked `read`.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::guess::writing_word;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject};
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P001",
    family: Family::Policy,
    level: Level::Warning,
    summary: "a command that sounds like a write is marked `read`",
    why: "A read runs without a question in every mode, needs only the grant for reading, and passes a rule like \
          `hcpx deny '*' --op write`. A write that is marked `read` slips all three.",
    mend: "Mark it `write`. Where it only shows, give it a name that says so: `merge_preview`, `list_deleted`.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "note_delete": { "description": "Delete the note.", "cli": ["shop", "note", "delete"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "note_delete": { "operation": "read" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 35,
            message: "\"note_delete\" is marked read, and \"delete\" sounds like a write",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "note_delete": { "description": "Delete the note.", "cli": ["shop", "note", "delete"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "note_delete": { "operation": "write", "confirm": "ask" }
  }
}"#,
        finds: &[],
    },
};

/// Literal options that no command has which only shows.
const WRITING_OPTIONS: &[&str] = &[
    "--delete",
    "--remove",
    "--force",
    "--write",
    "--overwrite",
    "--purge",
];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject.entries.iter().filter(|e| !e.is_write()) {
        if let Some(word) = writing_word(entry.command).or_else(|| writing_option(entry)) {
            let message = format!(
                "{} is marked read, and {} sounds like a write",
                quoted(entry.name()),
                quoted(&word)
            );
            let help = "write \"operation\": \"write\", unless it only shows";
            let span = entry.policy_span("operation");
            found.about(entry, FileName::Policy, span, message, help);
        }
    }
}

/// A literal option that leads no value: one that every call has.
fn writing_option(entry: &Entry<'_>) -> Option<String> {
    let words: Vec<_> = entry.command.cli().iter().collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let option = word
            .lead()
            .filter(|option| WRITING_OPTIONS.contains(option))?;
        let leads = words.get(at + 1).is_some_and(|next| next.alone().is_some());
        (!leads).then(|| option.to_owned())
    })
}
