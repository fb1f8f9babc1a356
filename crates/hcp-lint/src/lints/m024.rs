//! A preview that names an unknown kind, or a placeholder that is not an argument.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject, members, placeholders};
use hcp_card::view::ViewKind;
use hcp_core::json::Node;
use hcp_core::names::did_you_mean;
use hcp_core::text::{quoted, safe};

pub(super) static LINT: Lint = Lint {
    code: "M024",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a preview that names an unknown kind or a placeholder that is not an argument",
    why: "A preview of a kind that nobody knows is not used, and the card falls back to what the names tell. A \
          placeholder that is not an argument is never filled: the title has a hole, the field is left out, and the \
          person misses what it was to show.",
    mend: "Use one of the kinds: message, event, payment, removal, publish, share, change, file, run, command. Name \
           only arguments of the command or global ones.",
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
      "preview": { "kind": "removel", "title": "Delete {{nmae}}", "fields": { "what": "{{name}}" } }
    }
  }
}"#,
        policy: r#"{ "commands": { "note_delete": { "operation": "write", "confirm": "ask" } } }"#,
        finds: &[
            Spot {
                file: FileName::Surface,
                line: 10,
                column: 28,
                message: "\"removel\" is no kind of view",
            },
            Spot {
                file: FileName::Surface,
                line: 10,
                column: 56,
                message: "the preview names {{nmae}}, which is no argument of \"note_delete\"",
            },
        ],
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

const KINDS: [&str; 10] = [
    "message", "event", "payment", "removal", "publish", "share", "change", "file", "run",
    "command",
];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let Some(preview) = entry.preview() else {
            continue;
        };
        if let Some(node) = preview.get("kind") {
            check_kind(entry, node, found);
        }
        let fields = members(preview.get("fields"))
            .iter()
            .map(|member| &member.value);
        for node in preview.get("title").into_iter().chain(fields) {
            check_names(subject, entry, node, found);
        }
    }
}

fn check_kind(entry: &Entry<'_>, node: &Node, found: &mut Found<'_>) {
    let kind = node.as_str().unwrap_or_default();
    if ViewKind::parse(kind).is_some() {
        return;
    }
    let help = match did_you_mean(kind, KINDS) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("it is one of: {}", KINDS.join(", ")),
    };
    let message = format!("{} is no kind of view", quoted(kind));
    found.about(entry, FileName::Surface, node.span, message, help);
}

fn check_names(subject: &Subject<'_>, entry: &Entry<'_>, node: &Node, found: &mut Found<'_>) {
    for (written, name) in placeholders(node.as_str().unwrap_or_default()) {
        if entry.command.argument(name).is_some() {
            continue;
        }
        let declared = || entry.command.arguments.iter().map(|a| a.name.as_str());
        let help = match did_you_mean(name, declared()) {
            Some(near) => format!("did you mean {{{{{near}}}}}?"),
            None if declared().next().is_none() => "the command has no arguments".to_owned(),
            None => format!("it has: {}", declared().collect::<Vec<_>>().join(", ")),
        };
        let message = format!(
            "the preview names {}, which is no argument of {}",
            safe(written),
            quoted(entry.name())
        );
        let span = subject.inside(node, written);
        found.about(entry, FileName::Surface, span, message, help);
    }
}
