//! An optional amount, recipient or target, which the tool fills by itself.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::guess::{is_amount, is_recipient, is_target};
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject, placeholders};
use hcp_card::view::ViewKind;
use hcp_core::json::Value;
use hcp_core::text::quoted;
use hcp_pack::Argument;

pub(super) static LINT: Lint = Lint {
    code: "M013",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "an optional amount, recipient or target that the tool fills by itself",
    why: "A rule over an argument does not apply to a call that leaves it out. Where the tool then takes an amount, \
          a recipient or a target of its own, the call slips every cap, and the card says \"not given\" where the weight of the \
          call stands.",
    mend: "Put the argument into `required`. Where the tool's own choice is wanted, make it a command of its own.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "pay": {
      "description": "Pay somebody.",
      "cli": ["shop", "pay", "--amount={{amount}}", "--to={{payee}}"],
      "args": {
        "properties": {
          "amount": { "type": "string", "description": "Amount in EUR; without it, all that is due" },
          "payee": { "type": "string", "description": "Who gets it" }
        },
        "required": ["payee"]
      }
    }
  }
}"#,
        policy: r#"{ "commands": { "pay": { "operation": "write", "confirm": "always" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 8,
            column: 11,
            message: "\"amount\" of \"pay\" may be absent, and then slips every rule that caps it",
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
    for entry in subject.entries.iter().filter(|e| e.is_write()) {
        for argument in entry
            .arguments()
            .filter(|a| !a.required && weighs(entry, a))
        {
            let message = format!(
                "{} of {} may be absent, and then slips every rule that caps it",
                quoted(&argument.name),
                quoted(entry.name())
            );
            let help = format!("put {} into \"required\"", quoted(&argument.name));
            let span = entry.argument_span(&argument.name);
            found.about(entry, FileName::Surface, span, message, help);
        }
    }
}

/// Whether the weight of a call hangs on an argument: how much is paid and to whom, who gets a message, where
/// something runs, goes live or is removed.
fn weighs(entry: &Entry<'_>, argument: &Argument) -> bool {
    let amount = || is_amount(argument) || fills(entry, "amount", argument);
    // Of several recipients (to, cc, channel) each may be absent where another is there.
    let only = || entry.arguments().filter(|a| is_recipient(a)).count() < 2;
    let recipient = || (is_recipient(argument) && only()) || fills(entry, "to", argument);
    let acts = [ViewKind::Removal, ViewKind::Publish, ViewKind::Run];
    if entry.writes(ViewKind::Payment) {
        amount() || recipient()
    } else if entry.writes(ViewKind::Message) {
        recipient()
    } else {
        acts.into_iter().any(|kind| entry.writes(kind)) && is_target(argument)
    }
}

/// Whether the declared preview shows an argument in a field.
fn fills(entry: &Entry<'_>, field: &str, argument: &Argument) -> bool {
    let preview = entry.command.preview.as_ref();
    let text = preview
        .and_then(|p| p.get("fields"))
        .and_then(|fields| fields.get(field))
        .and_then(Value::as_str);
    entry.declared == Some(ViewKind::Payment)
        && text.is_some_and(|text| {
            placeholders(text)
                .iter()
                .any(|(_, name)| *name == argument.name)
        })
}
