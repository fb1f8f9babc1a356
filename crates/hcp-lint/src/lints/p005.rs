//! A command that reaches other people and never asks.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject};
use hcp_card::view::ViewKind;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P005",
    family: Family::Policy,
    level: Level::Warning,
    summary: "a message, an invitation or a share that never asks",
    why: "What was sent cannot be called back, and whoever got access has seen it. In the mode `auto` a write without \
          `confirm` runs without a question, so that an injected text could carry data out.",
    mend: "Write `\"confirm\": \"ask\"`, or `\"always\"` where it reaches outside the company. `--fix` writes `ask`.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "send": {
      "description": "Send a mail.",
      "cli": ["shop", "send", "--to={{to}}"],
      "args": {
        "properties": { "to": { "type": "string", "description": "Who gets it" } },
        "required": ["to"]
      }
    }
  }
}"#,
        policy: r#"{
  "commands": {
    "send": { "operation": "write", "confirm": false }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 48,
            message: "\"send\" reaches other people, and never asks",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "send": {
      "description": "Send a mail.",
      "cli": ["shop", "send", "--to={{to}}"],
      "args": {
        "properties": { "to": { "type": "string", "description": "Who gets it" } },
        "required": ["to"]
      }
    }
  }
}"#,
        policy: r#"{
  "commands": {
    "send": { "operation": "write", "confirm": "ask" }
  }
}"#,
        finds: &[],
    },
};

/// Arguments that name the people of a calendar's entry.
const PEOPLE: &[&str] = &["attendee", "guest", "invitee", "participant", "who"];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject.entries.iter().filter(|e| e.never_asks()) {
        if reaches_people(entry) {
            let message = format!(
                "{} reaches other people, and never asks",
                quoted(entry.name())
            );
            found.set_policy(entry, ("confirm", "ask"), message);
        }
    }
}

fn reaches_people(entry: &Entry<'_>) -> bool {
    let invites = || entry.arguments().any(|a| crate::guess::is_named(a, PEOPLE));
    entry.writes(ViewKind::Message)
        || entry.writes(ViewKind::Share)
        || (entry.writes(ViewKind::Event) && invites())
}
