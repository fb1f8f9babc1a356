//! A field of a preview that its kind does not have.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Subject, members};
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M020",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a field that the kind does not have",
    why: "Each kind has its own fields, and a host draws those. A field of another name is left out of the view: \
          its argument only gets a row of its own.",
    mend: "Use a field of the kind, or take the field out.",
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
      "preview": { "kind": "removal", "title": "Delete {{name}}", "fields": { "waht": "{{name}}" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "note_delete": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 10,
            column: 79,
            message: "a view of the kind \"removal\" has no field \"waht\"",
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
      "preview": { "kind": "removal", "title": "Delete {{name}}", "fields": { "what": "{{name}}" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "note_delete": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let Some(kind) = entry.declared else {
            continue;
        };
        let fields = entry.preview().and_then(|preview| preview.get("fields"));
        for member in members(fields) {
            if kind.fields().contains(&member.key.as_str()) {
                continue;
            }
            let message = format!(
                "a view of the kind \"{}\" has no field {}",
                kind.as_str(),
                quoted(&member.key)
            );
            let help = match did_you_mean(&member.key, kind.fields().iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if kind.fields().is_empty() => {
                    "it has none: each argument has a row".to_owned()
                }
                None => format!("it has: {}", kind.fields().join(", ")),
            };
            found.about(entry, FileName::Surface, member.key_span, message, help);
        }
    }
}
