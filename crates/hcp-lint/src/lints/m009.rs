//! Positions that are alike or leave a gap.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot};
use crate::subject::Subject;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M009",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "positions that are alike or leave a gap",
    why: "`x-position` says which bare word of a command line is which argument. Two alike could be read either way, \
          and the loader refuses them; after a gap the words that people type land in the wrong arguments, so that a \
          card shows an amount where the payee stands.",
    mend: "Count the positions from 0 without leaving one out.",
    fixes: false,
    claims: |message| message.ends_with(" has the same \"x-position\""),
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "copy": {
      "description": "Copy a thing.",
      "cli": ["shop", "copy", "--", "{{from}}", "{{to}}"],
      "args": {
        "properties": {
          "from": { "type": "string", "description": "The thing", "x-position": 0 },
          "to": { "type": "string", "description": "The new name", "x-position": 2 }
        }
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "copy": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 9,
            column: 82,
            message: "no argument has the position 1 before this one",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "copy": {
      "description": "Copy a thing.",
      "cli": ["shop", "copy", "--", "{{from}}", "{{to}}"],
      "args": {
        "properties": {
          "from": { "type": "string", "description": "The thing", "x-position": 0 },
          "to": { "type": "string", "description": "The new name", "x-position": 1 }
        }
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "copy": { "operation": "write" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let mut placed: Vec<(u64, &str)> = entry
            .arguments()
            .filter_map(|a| Some((a.position?, a.name.as_str())))
            .collect();
        placed.sort_unstable();
        let gap = (0u64..).zip(&placed).find(|(wanted, (at, _))| wanted != at);
        if let Some((missing, (_, name))) = gap {
            let node = entry.property(name).and_then(|m| m.value.get("x-position"));
            let span = node.map_or_else(|| entry.argument_span(name), |node| node.span);
            let message = format!("no argument has the position {missing} before this one");
            let help = format!("give {} the position {missing}", quoted(name));
            found.about(entry, FileName::Surface, span, message, help);
        }
    }
}
