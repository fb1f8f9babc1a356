//! A command that deletes and never asks.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject};
use hcp_card::view::ViewKind;
use hcp_core::policy::Undo;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P003",
    family: Family::Policy,
    level: Level::Warning,
    summary: "a removal that never asks",
    why: "In the mode `auto`, which is for daily work, a write without `confirm` runs without a question. What is deleted \
          is often gone before anybody sees it.",
    mend: "Write `\"confirm\": \"ask\"`, or `\"always\"` where it deletes for good. `--fix` writes `ask`. Where what is gone can \
           be had back, say so with `\"undo\": \"yes\"`.",
    fixes: true,
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
    "note_delete": { "operation": "write" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 5,
            message: "\"note_delete\" deletes, and never asks",
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

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let undone = |e: &&Entry<'_>| e.command.policy.undo == Undo::Yes;
    for entry in subject
        .entries
        .iter()
        .filter(|e| e.never_asks() && !undone(e))
    {
        if entry.writes(ViewKind::Removal) {
            let message = format!("{} deletes, and never asks", quoted(entry.name()));
            found.set_policy(entry, ("confirm", "ask"), message);
        }
    }
}
