//! A command that spends money and never asks.

use super::p007::pays;
use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_card::view::ViewKind;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P011",
    family: Family::Policy,
    level: Level::Warning,
    summary: "a purchase that never asks",
    why: "In the mode `auto` a write without `confirm` runs without a question. Money that is spent is seldom given back.",
    mend: "Write `\"confirm\": \"ask\"` at least. A command whose caller chooses how much is \
           paid, or to whom, is held to `\"always\"` by P007. `--fix` writes `ask`.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "buy": { "description": "Buy a ticket at its fixed price.", "cli": ["shop", "buy"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "buy": { "operation": "write" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 5,
            message: "\"buy\" spends money, and never asks",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "buy": { "description": "Buy a ticket at its fixed price.", "cli": ["shop", "buy"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "buy": { "operation": "write", "confirm": "ask" }
  }
}"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject.entries.iter().filter(|e| e.never_asks()) {
        if entry.writes(ViewKind::Payment) && !pays(entry) {
            let message = format!("{} spends money, and never asks", quoted(entry.name()));
            found.set_policy(entry, ("confirm", "ask"), message);
        }
    }
}
