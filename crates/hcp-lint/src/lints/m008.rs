//! A command without a description.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M008",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a command without a description",
    why: "The description heads the card and is all that `hcpx commands` can say. Without it a person reads a name.",
    mend: "Say in a sentence what the command does, and what it does not undo.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": { "cli": ["shop", "sync"] }
  }
}"#,
        policy: r#"{ "commands": { "sync": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 3,
            column: 5,
            message: "the command \"sync\" has no description",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": { "description": "Fetch what is new in the shop.", "cli": ["shop", "sync"] }
  }
}"#,
        policy: r#"{ "commands": { "sync": { "operation": "write" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        if entry.command.description.trim().is_empty() {
            let message = format!("the command {} has no description", quoted(entry.name()));
            let help = "say in a sentence what it does";
            found.about(entry, FileName::Surface, entry.name_span, message, help);
        }
    }
}
