//! A secret in a preview's title.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Subject, placeholders};
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M014",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a secret in a title",
    why: "A title is the one line that goes everywhere: into lists, notifications and logs of hosts. A secret never \
          shows its value, so all that the title would say is its length and a digest, where the act should stand.",
    mend: "Take the placeholder out of the title. The secret has a row of its own on the card.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "login": {
      "description": "Sign in.",
      "cli": ["shop", "login"],
      "env": { "TOKEN": "{{token}}" },
      "args": {
        "properties": { "token": { "type": "string", "description": "The token", "x-secret": true } },
        "required": ["token"]
      },
      "preview": { "kind": "run", "title": "Sign in with {{token}}", "fields": { "program": "shop login" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "login": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 11,
            column: 58,
            message: "the secret \"token\" stands in the title",
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
      "args": {
        "properties": { "token": { "type": "string", "description": "The token", "x-secret": true } },
        "required": ["token"]
      },
      "preview": { "kind": "run", "title": "Sign in", "fields": { "program": "shop login" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "login": { "operation": "write" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let Some(title) = entry.preview().and_then(|preview| preview.get("title")) else {
            continue;
        };
        for (written, name) in placeholders(title.as_str().unwrap_or_default()) {
            if entry.command.argument(name).is_some_and(|a| a.secret) {
                let message = format!("the secret {} stands in the title", quoted(name));
                let help = "take it out: it has a row of its own on the card";
                let span = subject.inside(title, written);
                found.about(entry, FileName::Surface, span, message, help);
            }
        }
    }
}
