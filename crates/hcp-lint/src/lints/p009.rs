//! A key by which a pack would grant something.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, nothing};

pub(super) static LINT: Lint = Lint {
    code: "P009",
    family: Family::Policy,
    level: Level::Error,
    summary: "a key that would grant something",
    why: "Packs cannot grant themselves anything. Who may act is said by grants, and what runs without asking by the \
          person's own access settings; a pack that carries an allow-list, a role, a key, a mode or a rule is refused, \
          so that nobody relies on it.",
    mend: "Take the key out. Give the advice in SKILL.md or in the README: which rules make sense for the pack.",
    fixes: false,
    claims: |message| message.ends_with("packs cannot grant themselves anything"),
    check: nothing,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": { "description": "Fetch what is new.", "cli": ["shop", "sync"] }
  }
}"#,
        policy: r#"{
  "commands": {
    "sync": { "operation": "write", "allow": ["ana"] }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 37,
            message: "\"allow\": packs cannot grant themselves anything",
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
    "sync": { "operation": "write" }
  }
}"#,
        finds: &[],
    },
};
