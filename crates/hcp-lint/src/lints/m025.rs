//! A command that asks and has no preview.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject};
use crate::suggest::suggest_preview;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M025",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a command that asks without a preview",
    why: "A person says yes to what the card shows. Without a preview the card is inferred from names, and names \
          can be wrong; the author of the pack knows what the command does. So declare a preview for the commands \
          that matter: those that ask. A command that asks only where a raise of its own makes it is told as a note.",
    mend: "Paste the preview that is suggested into the command's entry in `surface.json`, and read it: kind, title \
           and fields are a guess from the names. `--fix` puts it there.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pay": {
      "description": "Pay somebody.",
      "cli": ["shop", "pay", "--amount={{amount}}", "--to={{payee}}"],
      "args": {
        "properties": {
          "amount": { "type": "string", "description": "Amount in EUR" },
          "payee": { "type": "string", "description": "Who gets it" }
        },
        "required": ["amount", "payee"]
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "pay": { "operation": "write", "confirm": "always" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 3,
            column: 5,
            message: "\"pay\" asks a person, and no preview says what of",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pay": {
      "description": "Pay somebody.",
      "cli": ["shop", "pay", "--amount={{amount}}", "--to={{payee}}"],
      "args": {
        "properties": {
          "amount": { "type": "string", "description": "Amount in EUR" },
          "payee": { "type": "string", "description": "Who gets it" }
        },
        "required": ["amount", "payee"]
      },
      "preview": {
        "kind": "payment",
        "title": "Pay {{amount}} to {{payee}}",
        "fields": { "amount": "{{amount}}", "to": "{{payee}}" }
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "pay": { "operation": "write", "confirm": "always" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        if entry.preview().is_some() {
            continue;
        }
        if !entry.never_asks() {
            tell(subject, entry, found, "asks a person");
        } else if entry.asks_by_raise() {
            found.as_note(|found| {
                tell(subject, entry, found, "asks a person for some of its calls")
            });
        }
    }
}

fn tell(subject: &Subject<'_>, entry: &Entry<'_>, found: &mut Found<'_>, asks: &str) {
    let message = format!(
        "{} {asks}, and no preview says what of",
        quoted(entry.name())
    );
    match suggest_preview(subject.pack, entry.command) {
        Some(preview) => found.set_surface(entry, ("preview", &preview), message),
        None => {
            let help = "add a \"preview\" with kind, title and fields";
            found.about(entry, FileName::Surface, entry.name_span, message, help);
        }
    }
}
