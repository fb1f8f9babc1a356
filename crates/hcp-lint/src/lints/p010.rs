//! A command that stands in one of the two files only.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, nothing};

pub(super) static LINT: Lint = Lint {
    code: "P010",
    family: Family::Policy,
    level: Level::Error,
    summary: "a command in the Policy and not in the Surface, or the other way round",
    why: "Surface and Policy must name the same commands. A Policy for a command that is not there is a slip of the \
          pen that leaves the real command unclassified; a command without a Policy was never judged.",
    mend: "Correct the name, or add the entry that is missing.",
    fixes: false,
    claims: |message| {
        message.starts_with("the command ")
            && (message.ends_with(" is not in surface.json")
                || message.ends_with(" is not in policy.json"))
    },
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
    "snyc": { "operation": "write" }
  }
}"#,
        finds: &[
            Spot {
                file: FileName::Surface,
                line: 3,
                column: 5,
                message: "the command \"sync\" is not in policy.json",
            },
            Spot {
                file: FileName::Policy,
                line: 3,
                column: 5,
                message: "the command \"snyc\" is not in surface.json",
            },
        ],
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
