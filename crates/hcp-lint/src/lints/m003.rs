//! A required argument that is absent from the command line.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, nothing};

pub(super) static LINT: Lint = Lint {
    code: "M003",
    family: Family::Manifest,
    level: Level::Error,
    summary: "a required argument that is absent from the command line",
    why: "Every call must give it, every card shows it, and the tool never gets it: what a person says yes to is \
          not what runs.",
    mend: "Write its placeholder in `cli` (or `env`, or `stdin`), or take it out of `required` and `properties`.",
    fixes: false,
    claims: |message| {
        message.starts_with("the required argument ")
            && message.ends_with(" never reaches the tool")
    },
    check: nothing,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "show": {
      "description": "Show a thing.",
      "cli": ["shop", "show"],
      "args": {
        "properties": { "name": { "type": "string", "description": "The thing" } },
        "required": ["name"]
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "show": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 7,
            column: 25,
            message: "the required argument \"name\" never reaches the tool",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "show": {
      "description": "Show a thing.",
      "cli": ["shop", "show", "--", "{{name}}"],
      "args": {
        "properties": { "name": { "type": "string", "description": "The thing" } },
        "required": ["name"]
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "show": { "operation": "read" } } }"#,
        finds: &[],
    },
};
