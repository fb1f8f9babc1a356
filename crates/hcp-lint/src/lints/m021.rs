//! A preview without a kind or a title.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;

pub(super) static LINT: Lint = Lint {
    code: "M021",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a preview without a kind or a title",
    why: "A preview says what sort of act a call is and puts it into words. With one of the two missing the card \
          cannot use it.",
    mend: "Write both `kind` and `title`, or take the preview out, so that the view is inferred from the names.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "empty": {
      "description": "Empty the bin.",
      "cli": ["shop", "empty"],
      "preview": { "kind": "removal", "fields": { "what": "everything in the bin" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "empty": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 6,
            column: 18,
            message: "the preview has no title, so the card cannot use it",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "empty": {
      "description": "Empty the bin.",
      "cli": ["shop", "empty"],
      "preview": { "kind": "removal", "title": "Empty the bin", "fields": { "what": "everything in the bin" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "empty": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let Some(preview) = entry.preview() else {
            continue;
        };
        for key in ["kind", "title"] {
            let said = preview.get(key).and_then(|node| node.as_str());
            if said.is_none_or(|text| key == "title" && text.trim().is_empty()) {
                let message = format!("the preview has no {key}, so the card cannot use it");
                let help = format!("add \"{key}\"");
                found.about(entry, FileName::Surface, preview.span, message, help);
            }
        }
    }
}
