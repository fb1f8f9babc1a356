//! `confirm` on a read.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P006",
    family: Family::Policy,
    level: Level::Warning,
    summary: "`confirm` on a read",
    why: "A read changes nothing, so there is nothing to say yes to; people who are asked for nothing learn to say \
          yes. Most often the command is a write after all, or what it shows is a secret.",
    mend: "Mark the command `write` when it changes something; take `confirm` out when it only shows. Somebody who \
           wants to be asked all the same writes a rule: `hcpx ask shop.list`.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": { "description": "List things.", "cli": ["shop", "list"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "list": { "operation": "read", "confirm": "ask" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 47,
            message: "\"list\" only shows, and asks all the same",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": { "description": "List things.", "cli": ["shop", "list"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "list": { "operation": "read" }
  }
}"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject
        .entries
        .iter()
        .filter(|e| !e.is_write() && !e.never_asks())
    {
        let message = format!("{} only shows, and asks all the same", quoted(entry.name()));
        let help = "mark it \"write\" when it changes something, or take \"confirm\" out";
        let span = entry.policy_span("confirm");
        found.about(entry, FileName::Policy, span, message, help);
    }
}
