//! A shell in `cli`.

use super::shells::script;
use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;

pub(super) static LINT: Lint = Lint {
    code: "M006",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a shell in `cli`",
    why: "A command line that starts a shell hides what runs: the card shows `sh -c` and a script, a rule sees no \
          program, and a line that somebody types is not recognised as this command.",
    mend: "Call the program itself. Several steps belong in a script file of their own, which `cli` names.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": { "description": "List the notes.", "cli": ["bash", "-lc", "ls notes | sort"] }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 3,
            column: 72,
            message: "bash -lc hides what runs",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": { "description": "List the notes.", "cli": ["ls", "notes"] }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let fixed =
            script(entry).filter(|script| script.shell && script.word.names().next().is_none());
        if let Some(script) = fixed {
            let message = format!("{} hides what runs", script.program);
            let help = "call the program itself, or a script file of its own";
            found.about(entry, FileName::Surface, script.span, message, help);
        }
    }
}
