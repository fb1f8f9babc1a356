//! A flag right before a placeholder that is not its own.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::text::{quoted, safe};
use hcp_pack::args::is_alike;

pub(super) static LINT: Lint = Lint {
    code: "M019",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "a flag right before a placeholder",
    why: "An option right before a placeholder is that placeholder's: it goes when the value is absent, and is \
          repeated for each item of an array. A flag that stands there by chance, such as `--force` before a path, \
          comes and goes with a value that has nothing to do with it.",
    mend: "Put the flag elsewhere, for instance before another literal word, or write `--` between the two.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": {
      "description": "Fetch what is new.",
      "cli": ["shop", "sync", "--force", "{{folder}}"],
      "args": { "properties": { "folder": { "type": "string", "description": "Where to", "format": "path" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "sync": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 5,
            column: 31,
            message: "--force right before {{folder}} is taken for its option, and goes when it is absent",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "sync": {
      "description": "Fetch what is new.",
      "cli": ["shop", "sync", "--force", "--", "{{folder}}"],
      "args": { "properties": { "folder": { "type": "string", "description": "Where to", "format": "path" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "sync": { "operation": "write" } } }"#,
        finds: &[],
    },
};

/// Options that take no value in about every tool that has them.
const FLAGS: &[&str] = &[
    "--force",
    "--yes",
    "--assume-yes",
    "--confirm",
    "--recursive",
    "--quiet",
    "--silent",
    "--verbose",
    "--debug",
    "--dry-run",
    "--json",
    "--all",
    "--interactive",
    "--non-interactive",
    "--global",
    "--help",
    "--version",
];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let words: Vec<_> = entry.words().collect();
        for ((word, span), (next, _)) in words.iter().zip(words.iter().skip(1)) {
            let (Some(option), Some(name)) = (word.lead(), next.alone()) else {
                continue;
            };
            let flag = FLAGS.contains(&option) || option.starts_with("--no-");
            let argument = entry.command.argument(name);
            let boolean = argument.is_some_and(|a| a.kind.as_deref() == Some("boolean"));
            if flag && !boolean && !is_alike(option, name) {
                let option = safe(option);
                let message = format!(
                    "{option} right before {{{{{name}}}}} is taken for its option, and goes when it is absent"
                );
                let help = format!(
                    "put {} elsewhere, or \"--\" between the two",
                    quoted(option.as_str())
                );
                found.about(entry, FileName::Surface, *span, message, help);
            }
        }
    }
}
