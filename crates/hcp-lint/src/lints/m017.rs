//! A program that is not there.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Subject, items};
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M017",
    family: Family::Manifest,
    level: Level::Note,
    summary: "the program is not found on this machine",
    why: "Every call of the command would end with `spawn_failed`. That may be right where a pack is checked on \
          another machine than the one it is for, so it is a note.",
    mend: "Install the tool, put its folder on PATH, or correct the first word of `cli`.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{ "commands": { "list": { "description": "List.", "cli": ["no-such-program", "list"] } } }"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 1,
            column: 59,
            message: "the program \"no-such-program\" is not found here",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{ "commands": { "list": { "description": "List.", "cli": ["ls", "shop"] } } }"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for program in subject.not_found {
        let entry = subject
            .entries
            .iter()
            .find(|entry| entry.command.own_words.first() == Some(program));
        // One place is enough: a pack's commands mostly share one program.
        if let Some(entry) = entry {
            let span = items(entry.node.get("cli"))
                .first()
                .map_or(entry.name_span, |node| node.span);
            let message = format!("the program {} is not found here", quoted(program));
            let help = "install it, or put its folder on PATH";
            found.about(entry, FileName::Surface, span, message, help);
        }
    }
}
