//! The reference of view rules and signals, from the rules that the program itself applies.

use super::Wanted;
use crate::tools::Result;
use hcp_card::{DEFAULT_SIGNAL_RULES, DEFAULT_VIEW_RULES, ViewKind, ViewRule};
use std::fmt::Write;

const PAGE: &str = "docs/reference/cards.md";

pub(super) fn wanted() -> Result<Vec<Wanted>> {
    let mut page = String::from(
        "<!-- Written by `cargo xtask generate`; do not edit. -->\n\n\
         # Signals and view rules\n\n\
         [Cards](../concepts/cards.md) says what these are for. The rules themselves are data: \
         [views.json](../../crates/hcp-card/rules/views.json) and \
         [signals.json](../../crates/hcp-card/rules/signals.json), each with examples that it must and must not \
         match.\n\n\
         ## Signals\n\n\
         On a card the worst stand first. A card with one of level `danger` wants its word instead of `y`.\n\n\
         | code | level | text |\n|---|---|---|\n",
    );
    let mut rows: Vec<String> = Vec::new();
    for rule in DEFAULT_SIGNAL_RULES.iter() {
        let row = format!("| `{}` | {} | {} |\n", rule.code, rule.level, rule.text());
        if !rows.contains(&row) {
            page.push_str(&row);
            rows.push(row);
        }
    }
    page.push_str(
        "\n## View rules\n\n\
         For a command without a preview, in the order in which they are tried. A rule fits when the words of the \
         command hold one of its words (of a phrase all), and it has the arguments named. Names are compared by their \
         words, whatever the spelling: `rm` is `delete`, `toAddress` is `to`.\n",
    );
    let mut kinds: Vec<ViewKind> = Vec::new();
    for rule in DEFAULT_VIEW_RULES.iter() {
        if !kinds.contains(&rule.kind) {
            kinds.push(rule.kind);
        }
    }
    for kind in kinds {
        let rules: Vec<&ViewRule> = DEFAULT_VIEW_RULES
            .iter()
            .filter(|rule| rule.kind == kind)
            .collect();
        write!(
            page,
            "\n### {}\n\n| words | with | arguments | but not |\n|---|---|---|---|\n",
            kind.as_str()
        )?;
        for rule in rules {
            let args: Vec<&String> = rule.when.args.iter().chain(&rule.when.given).collect();
            let not: Vec<&String> = rule.not.command.iter().chain(&rule.not.args).collect();
            writeln!(
                page,
                "| {} | {} | {} | {} |",
                listed(&rule.when.command),
                listed(&rule.when.with),
                listed(&args),
                listed(&not)
            )?;
        }
    }
    Ok(vec![Wanted::new(PAGE, page)])
}

fn listed(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    words.join(", ")
}
