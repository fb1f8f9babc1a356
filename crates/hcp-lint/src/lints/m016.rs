//! A name that breaks its pattern.

use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, nothing};

pub(super) static LINT: Lint = Lint {
    code: "M016",
    family: Family::Manifest,
    level: Level::Error,
    summary: "a name that breaks the pattern",
    why: "Rules name commands as `pack.command`, and the names stand in files, on command lines and in logs. With \
          dots, stars, blanks or capitals in it a name could be taken for a pattern or for another name.",
    mend: "Write ids and commands in `a-z` and `0-9`, in parts joined by one `-` or `_`, 64 characters at most; \
           arguments begin with a letter.",
    fixes: false,
    claims: |message| {
        ["a pack's id", "a command's name", "an argument's name"]
            .iter()
            .any(|what| message.ends_with(&format!("cannot be {what}")))
    },
    check: nothing,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "prClose": { "description": "Close a pull request.", "cli": ["shop", "pr", "close"] }
  }
}"#,
        policy: r#"{ "commands": { "prClose": { "operation": "write" } } }"#,
        finds: &[
            Spot {
                file: FileName::Surface,
                line: 3,
                column: 5,
                message: "\"prClose\" cannot be a command's name",
            },
            Spot {
                file: FileName::Policy,
                line: 1,
                column: 17,
                message: "\"prClose\" cannot be a command's name",
            },
        ],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pr_close": { "description": "Close a pull request.", "cli": ["shop", "pr", "close"] }
  }
}"#,
        policy: r#"{ "commands": { "pr_close": { "operation": "write" } } }"#,
        finds: &[],
    },
};
