//! No operation given.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P002",
    family: Family::Policy,
    level: Level::Warning,
    summary: "no operation given",
    why: "A command that nobody classified counts as a write. That is the safe side, but a reader cannot tell whether \
          the author judged it or forgot it.",
    mend: "Say `read` or `write` for each command, or once under `defaults`. `--fix` writes down `write`, which is \
           what it counts as.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": { "description": "Fetch what is new.", "cli": ["shop", "sync"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "sync": { "confirm": "never" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 5,
            message: "\"sync\" has no operation, and so counts as a write",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": { "description": "Fetch what is new.", "cli": ["shop", "sync"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "sync": { "confirm": "never", "operation": "write" }
  }
}"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let by_default = subject
        .defaults
        .and_then(|defaults| defaults.get("operation"));
    if by_default.is_some() {
        return;
    }
    for entry in &subject.entries {
        if entry.policy.value.get("operation").is_none() {
            let message = format!(
                "{} has no operation, and so counts as a write",
                quoted(entry.name())
            );
            found.set_policy(entry, ("operation", "write"), message);
        }
    }
}
