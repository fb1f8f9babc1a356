//! The loader refuses the pack for a reason that no lint of its own stands for.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none, nothing};

pub(super) static LINT: Lint = Lint {
    code: "M000",
    family: Family::Manifest,
    level: Level::Error,
    summary: "the pack cannot be read",
    why: "A pack is read strictly: JSON that two readers could take differently, a key that nobody knows, a \
          value of the wrong type or a file that is missing would leave open what a command does. Such a pack is \
          neither installed nor run.",
    mend: "Mend the place that is named. The editor does it while you write when the file names its schema: \
           `hcpx schema surface > surface.schema.json`, then `\"$schema\": \"./surface.schema.json\"`.",
    fixes: false,
    claims: none,
    check: nothing,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": { "descripton": "List.", "cli": ["shop", "list"] }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 3,
            column: 15,
            message: "a command has no key \"descripton\"",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": { "description": "List.", "cli": ["shop", "list"] }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[],
    },
};
