//! A declared preview that is milder than what the names tell.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::guess::gravity;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_card::view::ViewKind;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M018",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a declared preview milder than the names",
    why: "A declared preview wins over what the names of command and arguments tell. A payment that is declared a \
          message would reach the person as one; the signals of the graver kind still stand on the card, but the \
          title and the fields tell another story. Held to it are the kinds that carry a warning of their own: removal, \
          payment, publish, share and event.",
    mend: "Declare the graver kind, or take the preview out. Where the name misleads, rename the command.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "note_delete": {
      "description": "Delete a note.",
      "cli": ["shop", "note", "delete", "--", "{{name}}"],
      "args": {
        "properties": { "name": { "type": "string", "description": "The note" } },
        "required": ["name"]
      },
      "preview": { "kind": "change", "title": "Tidy {{name}}", "fields": { "what": "{{name}}" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "note_delete": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 10,
            column: 28,
            message: "\"note_delete\" is declared a change, and its names tell of a removal",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "note_delete": {
      "description": "Delete a note.",
      "cli": ["shop", "note", "delete", "--", "{{name}}"],
      "args": {
        "properties": { "name": { "type": "string", "description": "The note" } },
        "required": ["name"]
      },
      "preview": { "kind": "removal", "title": "Delete note {{name}}", "fields": { "what": "{{name}}" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "note_delete": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[],
    },
};

/// Kinds that carry a warning of their own, and that no answer for a whole session is offered for.
const GRAVE: &[ViewKind] = &[
    ViewKind::Removal,
    ViewKind::Payment,
    ViewKind::Publish,
    ViewKind::Share,
    ViewKind::Event,
];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in subject.entries.iter().filter(|e| e.is_write()) {
        let (Some(declared), Some(guessed)) = (entry.declared, entry.guessed) else {
            continue;
        };
        if gravity(declared) <= gravity(guessed) || !GRAVE.contains(&guessed) {
            continue;
        }
        let kind = entry.preview().and_then(|preview| preview.get("kind"));
        let span = kind.map_or(entry.name_span, |node| node.span);
        let message = format!(
            "{} is declared a {}, and its names tell of a {}",
            quoted(entry.name()),
            declared.as_str(),
            guessed.as_str()
        );
        let help = format!("declare the kind \"{}\"", guessed.as_str());
        found.about(entry, FileName::Surface, span, message, help);
    }
}
