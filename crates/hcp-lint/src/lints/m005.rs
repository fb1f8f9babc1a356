//! A value that a shell or an interpreter reads as code.

use super::shells::script;
use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;

pub(super) static LINT: Lint = Lint {
    code: "M005",
    family: Family::Manifest,
    level: Level::Error,
    summary: "a value inside a shell's script",
    why: "Nothing in a pack goes through a shell, so a value can never become a second command. A template like \
          `[\"sh\", \"-c\", \"grep {{text}} notes\"]` opens that hole again: the value `x; rm -rf ~` runs. No rule \
          over the argument and no card can make that safe.",
    mend: "Call the program itself, with the value as a word of its own. Where a script is needed, keep it in a file \
           of its own, or give it the value as a parameter: `[\"sh\", \"-c\", \"grep -- \\\"$1\\\" notes\", \"sh\", \
           \"{{text}}\"]`. Where the argument is a command by its nature, say so with `x-command`.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "search": {
      "description": "Search the notes.",
      "cli": ["sh", "-c", "grep {{text}} notes"],
      "args": { "properties": { "text": { "type": "string", "description": "The text" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "search": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 5,
            column: 27,
            message: "sh -c runs this text as code, and a value stands in it",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "search": {
      "description": "Search the notes.",
      "cli": ["grep", "-e", "{{text}}", "notes"],
      "args": { "properties": { "text": { "type": "string", "description": "The text" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "search": { "operation": "read" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        if let Some(script) = script(entry).filter(|script| script.takes_value(entry)) {
            let message = format!(
                "{} runs this text as code, and a value stands in it",
                script.program
            );
            let help = "call the program itself, with the value as a word of its own";
            found.about(entry, FileName::Surface, script.span, message, help);
        }
    }
}
