//! An object argument on a command that pays.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_card::view::ViewKind;
use hcp_core::json::Value;
use hcp_core::text::quoted;
use hcp_pack::Argument;

pub(super) static LINT: Lint = Lint {
    code: "M012",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "an object argument on a command that pays",
    why: "A rule compares whole arguments: `--max amount=5` cannot reach an amount inside an object. A person who \
          wants to let small payments run has no rule for it, and one who writes a rule all the same is not \
          protected by it.",
    mend: "Declare amount, payee and the like as arguments of their own, and let the template put them together.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pay": {
      "description": "Pay an order.",
      "cli": ["shop", "pay", "--order={{order}}"],
      "args": {
        "properties": { "order": { "type": "object", "description": "Amount and payee" } },
        "required": ["order"]
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "pay": { "operation": "write", "confirm": "always" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 7,
            column: 25,
            message: "\"pay\" moves money, and no rule can reach into the object \"order\"",
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
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "pay": { "operation": "write", "confirm": "always" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let paying = subject
        .entries
        .iter()
        .filter(|e| e.writes(ViewKind::Payment));
    for entry in paying {
        for argument in entry.arguments().filter(|a| holds_object(a)) {
            let message = format!(
                "{} moves money, and no rule can reach into the object {}",
                quoted(entry.name()),
                quoted(&argument.name)
            );
            let help = "declare what is in it as arguments of their own";
            let span = entry.argument_span(&argument.name);
            found.about(entry, FileName::Surface, span, message, help);
        }
    }
}

fn holds_object(argument: &Argument) -> bool {
    let item = argument
        .schema
        .get("items")
        .and_then(|items| items.get("type"));
    argument.kind.as_deref() == Some("object") || item.and_then(Value::as_str) == Some("object")
}
