//! A command that pays or transfers and does not ask in every mode.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::guess::{is_amount, is_recipient, words};
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject};
use hcp_card::view::ViewKind;
use hcp_core::policy::Confirm;
use hcp_core::text::quoted;

pub(super) static LINT: Lint = Lint {
    code: "P007",
    family: Family::Policy,
    level: Level::Warning,
    summary: "a command that pays or transfers without `confirm: \"always\"`",
    why: "A command marked `\"confirm\": \"always\"` asks in every mode, `run` included, and no wildcard rule lets it \
          run: only an allow rule that a person wrote for exactly this command does. Use it for anything that moves \
          money. With `ask` alone an unattended job in the mode `run` pays without anybody's yes.",
    mend: "Write `\"confirm\": \"always\"`; `--fix` does. Who wants small amounts to run writes a rule with a cap: \
           `hcpx allow ledger.transfer --when payee=demo-transit --max amount=5`.",
    fixes: true,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "transfer": {
      "description": "Pay a saved payee.",
      "cli": ["shop", "transfer", "{{amount}}", "--to", "{{payee}}"],
      "args": {
        "properties": {
          "amount": { "type": "string", "description": "Amount in EUR" },
          "payee": { "type": "string", "description": "Saved payee" }
        },
        "required": ["amount", "payee"]
      }
    }
  }
}"#,
        policy: r#"{
  "commands": {
    "transfer": { "operation": "write", "confirm": "ask" }
  }
}"#,
        finds: &[Spot {
            file: FileName::Policy,
            line: 3,
            column: 52,
            message: "\"transfer\" moves money, and does not ask in every mode",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "transfer": {
      "description": "Pay a saved payee.",
      "cli": ["shop", "transfer", "{{amount}}", "--to", "{{payee}}"],
      "args": {
        "properties": {
          "amount": { "type": "string", "description": "Amount in EUR" },
          "payee": { "type": "string", "description": "Saved payee" }
        },
        "required": ["amount", "payee"]
      }
    }
  }
}"#,
        policy: r#"{
  "commands": {
    "transfer": { "operation": "write", "confirm": "always" }
  }
}"#,
        finds: &[],
    },
};

/// Words for buying: what it costs and who gets it stand with the thing that is bought.
const BUYING: &[&str] = &["buy", "purchase", "order", "checkout"];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        if entry.command.policy.confirm != Confirm::Always && pays(entry) {
            let message = format!(
                "{} moves money, and does not ask in every mode",
                quoted(entry.name())
            );
            found.set_policy(entry, ("confirm", "always"), message);
        }
    }
}

/// Whether the caller chooses how much is paid, or to whom; buying at a fixed price is not that.
pub(super) fn pays(entry: &Entry<'_>) -> bool {
    let name = words(entry.name());
    let buys = name.iter().any(|word| BUYING.contains(&word.as_str()));
    let chosen = || entry.arguments().any(|a| is_amount(a) || is_recipient(a));
    entry.writes(ViewKind::Payment) && (!buys || chosen())
}
