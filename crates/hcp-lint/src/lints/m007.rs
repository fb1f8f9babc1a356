//! An argument without a description.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "M007",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "an argument without a description",
    why: "A request for approval carries the description of each argument. Without one a person sees a name and a \
          value and must guess what they mean, and an agent guesses too.",
    mend: "Say in a few words what the argument is, with its unit where it has one: \"Amount in EUR\".",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": {
      "description": "List things.",
      "cli": ["shop", "list", "--limit={{limit}}"],
      "args": { "properties": { "limit": { "type": "integer" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 6,
            column: 33,
            message: "the argument \"limit\" has no description",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "list": {
      "description": "List things.",
      "cli": ["shop", "list", "--limit={{limit}}"],
      "args": { "properties": { "limit": { "type": "integer", "description": "At most so many" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "list": { "operation": "read" } } }"#,
        finds: &[],
    },
};

const HELP: &str = "say in a few words what it is";

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let message = |name: &str| format!("the argument {} has no description", quoted(name));
    for member in subject.global_properties() {
        let said = member.value.get("description").and_then(|d| d.as_str());
        if said.is_none_or(|text| text.trim().is_empty()) {
            found.about_pack(
                FileName::Surface,
                member.key_span,
                message(&member.key),
                HELP,
            );
        }
    }
    for entry in &subject.entries {
        for argument in entry.arguments() {
            if argument.description.trim().is_empty() {
                let span = entry.argument_span(&argument.name);
                found.about(
                    entry,
                    FileName::Surface,
                    span,
                    message(&argument.name),
                    HELP,
                );
            }
        }
    }
}
