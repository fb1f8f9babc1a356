//! What goes beside a draft for people and agents: `SKILL.md` and `WRAP.md`.

use super::{Counts, Drafted};
use crate::walk::Tool;
use hcp_core::policy::Confirm;
use hcp_core::text::{SafeText, safe};

/// How an agent should use the pack, in short.
pub(super) fn skill(tool: &Tool, id: &str, counts: Counts) -> String {
    let program = safe(&tool.label);
    format!(
        "# {program}\n\n\
         A draft made from the help of {program}: {} commands, of which {} ask a person.\n\n\
         - `hcpx commands {id}` shows every command with its access.\n\
         - Pass the whole action in named arguments, one risky command per call.\n\
         - A command that is missing here, or an option, is not declared: ask the person who keeps the pack.\n",
        counts.commands,
        counts.asks + counts.always,
    )
}

/// Every guess with its reason, and what could not be read.
pub(super) fn notes(tool: &Tool, id: &str, drafted: &[Drafted], notes: &[String]) -> String {
    let mut out = format!(
        "# Draft of {}\n\n\
         Made from the program's help (style: {}). Every Policy below is a guess from words: read each line, change\n\
         `policy.json` where it is wrong, and then install the folder.\n\n\
         | command | guess | because |\n|---|---|---|\n",
        safe(&tool.label),
        tool.family.name(),
    );
    for command in drafted {
        let guess = &command.guess;
        let confirm = match guess.confirm {
            Confirm::Never => "",
            Confirm::Ask => ", asks",
            Confirm::Always => ", always asks",
        };
        let last = if guess.final_ {
            ", cannot be undone"
        } else {
            ""
        };
        out.push_str(&format!(
            "| `{id}.{}` | {}{confirm}{last} | {} |\n",
            command.name,
            guess.operation.as_str(),
            cell(&guess.reason),
        ));
        for (name, reason) in &command.raised {
            out.push_str(&format!("| | asks with `{name}` | {} |\n", cell(reason)));
        }
    }
    if !notes.is_empty() {
        out.push_str("\n## What was left out or changed\n\n");
        for note in notes {
            out.push_str(&format!("- {}\n", cell(note)));
        }
    }
    out
}

/// A text that a table can hold and that stays text: what a program says of itself forges no page.
fn cell(text: &str) -> String {
    let shown = SafeText::join(text);
    let mut out = String::new();
    for c in shown.as_str().chars() {
        let c = if c == '\n' { ' ' } else { c };
        if "|<>[]`*_\\".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
