//! Own words that another command of the pack begins with.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject, items};
use hcp_core::text::{quoted, safe};

pub(super) static LINT: Lint = Lint {
    code: "M010",
    family: Family::Manifest,
    level: Level::Note,
    summary: "own words that another command begins with",
    why: "A line belongs to the command whose own words begin it, and of several to the one with the most. `shop pr` \
          beside `shop pr close` is fine as long as no value of the shorter one can be taken for a word of the longer.",
    mend: "Nothing, when the tool itself is built like that. Otherwise give the shorter command a word of its own.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pr": { "description": "Show the pull requests.", "cli": ["shop", "pr"] },
    "pr_close": { "description": "Close a pull request.", "cli": ["shop", "pr", "close"] }
  }
}"#,
        policy: r#"{ "commands": { "pr": { "operation": "read" }, "pr_close": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 3,
            column: 63,
            message: "the command \"pr_close\" begins with the words \"shop pr\" too",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pr_list": { "description": "Show the pull requests.", "cli": ["shop", "pr", "list"] },
    "pr_close": { "description": "Close a pull request.", "cli": ["shop", "pr", "close"] }
  }
}"#,
        policy: r#"{ "commands": { "pr_list": { "operation": "read" }, "pr_close": { "operation": "write" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mut sorted: Vec<&Entry<'_>> = subject.entries.iter().collect();
    sorted.sort_by(|a, b| a.command.own_words.cmp(&b.command.own_words));
    for (at, entry) in sorted.iter().enumerate() {
        let own = &entry.command.own_words;
        // Sorted, all that begin alike stand together behind the shorter one.
        let longer: Vec<&&Entry<'_>> = sorted
            .iter()
            .skip(at + 1)
            .take_while(|other| other.command.own_words.starts_with(own))
            .filter(|other| other.command.own_words.len() > own.len())
            .take(3)
            .collect();
        let Some(first) = longer.first() else {
            continue;
        };
        let more = match longer.len() {
            1 => "",
            _ => " (and others)",
        };
        let message = format!(
            "the command {} begins with the words {} too{more}",
            quoted(first.name()),
            quoted(&own.join(" "))
        );
        let span = items(entry.node.get("cli"))
            .first()
            .map_or(entry.name_span, |node| node.span);
        let help = format!(
            "a line that begins with {} is the longer command's",
            safe(&first.command.own_words.join(" "))
        );
        found.about(entry, FileName::Surface, span, message, help);
    }
}
