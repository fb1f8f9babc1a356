//! What cannot be undone and never asks.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::policy::Undo;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P008",
    family: Family::Policy,
    level: Level::Warning,
    summary: "what cannot be undone never asks",
    why: "The pack itself says that the command cannot be undone, and lets it run without a question in the mode \
          `auto`. The moment before is the only one at which a person can still say no.",
    mend: "Write `\"confirm\": \"ask\"` or `\"always\"`; `--fix` writes `ask`. Take `undo` out where it can be undone \
           after all.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "reset": { "description": "Begin anew.", "cli": ["shop", "reset"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "reset": { "operation": "write", "undo": "no" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 46,
            message: "\"reset\" cannot be undone, and never asks",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "reset": { "description": "Begin anew.", "cli": ["shop", "reset"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "reset": { "operation": "write", "undo": "no", "confirm": "ask" }
  }
}"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject
        .entries
        .iter()
        .filter(|e| e.is_write() && e.never_asks())
    {
        if entry.command.policy.undo == Undo::No {
            let message = format!("{} cannot be undone, and never asks", quoted(entry.name()));
            found.set_policy_at(entry, "undo", ("confirm", "ask"), message);
        }
    }
}
