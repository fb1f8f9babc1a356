//! A placeholder of `cli` that no argument fills.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, nothing};

pub(super) static LINT: Lint = Lint {
    code: "M001",
    family: Family::Manifest,
    level: Level::Error,
    summary: "a placeholder without an argument",
    why: "A placeholder stands for the value of a declared argument. Without one the word could never be filled, \
          and the tool would be called otherwise than the pack says.",
    mend: "Declare the argument under `properties` of `args`, or correct the name in the placeholder.",
    fixes: false,
    claims: |message| {
        message.starts_with("the placeholder {{") && message.ends_with(" has no argument")
    },
    check: nothing,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "show": {
      "description": "Show a thing.",
      "cli": ["shop", "show", "--", "{{nmae}}"],
      "args": { "properties": { "name": { "type": "string", "description": "The thing" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "show": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 5,
            column: 37,
            message: "the placeholder {{nmae}} has no argument",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "show": {
      "description": "Show a thing.",
      "cli": ["shop", "show", "--", "{{name}}"],
      "args": { "properties": { "name": { "type": "string", "description": "The thing" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "show": { "operation": "read" } } }"#,
        finds: &[],
    },
};
