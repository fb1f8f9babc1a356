//! A secret on the command line.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Subject, items};
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M015",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a secret on the command line",
    why: "Every user of a machine can read the words of a running process, and many tools write them into logs and \
          histories.",
    mend: "Give the secret to the tool by a variable or by standard input: `\"env\": { \"TOKEN\": \"{{token}}\" }` or \
           `\"stdin\": \"{{token}}\"`.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "login": {
      "description": "Sign in.",
      "cli": ["shop", "login", "--token={{token}}"],
      "args": { "properties": { "token": { "type": "string", "description": "The token", "x-secret": true } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "login": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 5,
            column: 32,
            message: "the secret \"token\" stands on the command line, which every user of the machine can read",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "login": {
      "description": "Sign in.",
      "cli": ["shop", "login"],
      "env": { "TOKEN": "{{token}}" },
      "args": { "properties": { "token": { "type": "string", "description": "The token", "x-secret": true } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "login": { "operation": "write" } } }"#,
        finds: &[],
    },
};

const HELP: &str = "give it to the tool by \"env\" or \"stdin\"";

fn message(name: &str) -> String {
    format!(
        "the secret {} stands on the command line, which every user of the machine can read",
        quoted(name)
    )
}

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    if let Some(first) = subject.entries.first() {
        let places = items(subject.globals.and_then(|globals| globals.get("cli")));
        for (word, node) in first.command.globals().iter().zip(places) {
            for name in word
                .names()
                .filter(|n| first.command.argument(n).is_some_and(|a| a.secret))
            {
                found.about_pack(FileName::Surface, node.span, message(name), HELP);
            }
        }
    }
    for entry in &subject.entries {
        for (word, span) in entry.words() {
            for name in word
                .names()
                .filter(|n| entry.command.argument(n).is_some_and(|a| a.secret))
            {
                found.about(entry, FileName::Surface, span, message(name), HELP);
            }
        }
    }
}
