//! A command that publishes and never asks.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_card::view::ViewKind;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P004",
    family: Family::Policy,
    level: Level::Warning,
    summary: "a publication that never asks",
    why: "What went live was seen. In the mode `auto` a write without `confirm` runs without a question, so that an agent \
          could release what nobody looked at.",
    mend: "Write `\"confirm\": \"ask\"`, or `\"always\"` where it reaches outside the company. `--fix` writes `ask`.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "publish": { "description": "Publish the package.", "cli": ["shop", "publish"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "publish": { "operation": "write" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 5,
            message: "\"publish\" publishes, and never asks",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "publish": { "description": "Publish the package.", "cli": ["shop", "publish"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "publish": { "operation": "write", "confirm": "ask" }
  }
}"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject.entries.iter().filter(|e| e.never_asks()) {
        if entry.writes(ViewKind::Publish) {
            let message = format!("{} publishes, and never asks", quoted(entry.name()));
            found.set_policy(entry, ("confirm", "ask"), message);
        }
    }
}
