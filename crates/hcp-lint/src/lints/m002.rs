//! An argument that reaches no word of the command line, no variable and no standard input.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, nothing};

pub(super) static LINT: Lint = Lint {
    code: "M002",
    family: Family::Manifest,
    level: Level::Error,
    summary: "an argument that never reaches the tool",
    why: "The card shows every argument that has a value. A person would say yes to one that the tool never \
          gets: a limit that does not limit, a recipient that is somebody else.",
    mend: "Write its placeholder in `cli`, `env` or `stdin`, or take the argument out.",
    fixes: false,
    claims: |message| {
        message.starts_with("the argument ") && message.ends_with(" never reaches the tool")
    },
    check: nothing,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": {
      "description": "List things.",
      "cli": ["shop", "list"],
      "args": { "properties": { "limit": { "type": "integer", "description": "At most so many" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 6,
            column: 33,
            message: "the argument \"limit\" never reaches the tool",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": {
      "description": "List things.",
      "cli": ["shop", "list", "--limit={{limit}}"],
      "args": { "properties": { "limit": { "type": "integer", "description": "At most so many" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[],
    },
};
