//! The pages about lints: what `--explain` prints and what the documents hold, made from the records.

use crate::finding::Level;
use crate::lint::{Example, Lint};
use crate::lints::ALL;
use std::fmt::Write;

/// What `hcpx check --explain` prints, in plain text.
///
/// ```
/// let lint = hcp_lint::find("P007").unwrap();
/// assert!(hcp_lint::explanation(lint).starts_with("P007 · warning · policy\n"));
/// ```
#[must_use]
pub fn explanation(lint: &Lint) -> String {
    let mut out = format!(
        "{} · {} · {}\n{}\n\n{}\n\n{}\n",
        lint.code,
        lint.level,
        lint.family.as_str(),
        sentence(lint.summary),
        lint.why,
        lint.mend
    );
    for (title, example) in [("Fails", &lint.failing), ("Passes", &lint.passing)] {
        out.push_str(&format!("\n{title}:\n"));
        for (name, text) in parts(lint, example) {
            out.push_str(&format!("\n  {name}\n"));
            for line in text.lines() {
                out.push_str(&format!("    {line}\n"));
            }
        }
        for spot in example.finds {
            let (file, line, column) = (spot.file, spot.line, spot.column);
            out.push_str(&format!("\n  {file}:{line}:{column}: {}\n", spot.message));
        }
    }
    out
}

/// The page of one lint, as Markdown.
#[must_use]
pub fn page(lint: &Lint) -> String {
    let mut page = format!(
        "<!-- Written by `cargo xtask generate`; do not edit. -->\n\n# {}: {}\n\n",
        lint.code, lint.summary
    );
    let _ = writeln!(
        page,
        "Level `{}`, family {}.{}\n",
        lint.level,
        lint.family.as_str(),
        if lint.fixes {
            " `hcpx check --fix` mends it."
        } else {
            ""
        }
    );
    let _ = writeln!(
        page,
        "## Why\n\n{}\n\n## What to do\n\n{}\n",
        lint.why, lint.mend
    );
    for (title, example) in [("Fails", &lint.failing), ("Passes", &lint.passing)] {
        let _ = writeln!(page, "## {title}\n");
        for (name, text) in parts(lint, example) {
            let _ = writeln!(page, "`{name}`\n\n```json\n{text}\n```\n");
        }
        for spot in example.finds {
            let _ = writeln!(
                page,
                "`{}:{}:{}`: {}\n",
                spot.file, spot.line, spot.column, spot.message
            );
        }
    }
    format!("{}\n", page.trim_end())
}

/// The list of all lints, as Markdown. Links lead to the pages in `folder`.
#[must_use]
pub fn index(folder: &str) -> String {
    let mut page = String::from(
        "<!-- Written by `cargo xtask generate`; do not edit. -->\n\n# Lints\n\n\
         `hcpx check` looks for these in packs. Family P is about the Policy, family M about the manifest and the \
         Surface. `hcpx install` refuses a pack for an error of family M, never for one of family P. \
         `hcpx check --explain CODE` prints what a lint is for, `--level CODE=LEVEL` gives it another level \
         (`error`, `warning`, `note`, `off`); what the loader refuses stays an error.\n\n\
         | code | level | finds | `--fix` |\n|---|---|---|---|\n",
    );
    for lint in ALL {
        let _ = writeln!(
            page,
            "| [{0}]({folder}/{0}.md) | {1} | {2} | {3} |",
            lint.code,
            lint.level,
            lint.summary.replace('|', "\\|"),
            if lint.fixes { "yes" } else { "" }
        );
    }
    let count = |level: Level| ALL.iter().filter(|lint| lint.level == level).count();
    let _ = write!(
        page,
        "\n{} lints: {} errors, {} warnings, {} notes.\n",
        ALL.len(),
        count(Level::Error),
        count(Level::Warning),
        count(Level::Note)
    );
    page
}

/// The files of an example that matter to its lint.
fn parts(lint: &Lint, example: &Example) -> Vec<(&'static str, &'static str)> {
    let policy_matters = lint.family == crate::lint::Family::Policy
        || lint.code == "M025"
        || example
            .finds
            .iter()
            .any(|s| s.file == crate::document::FileName::Policy);
    let mut parts = Vec::new();
    if !example.pack.is_empty() {
        parts.push(("pack.json", example.pack));
    }
    parts.push(("surface.json", example.surface));
    if policy_matters {
        parts.push(("policy.json", example.policy));
    }
    parts
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).chain(['.']).collect(),
        None => String::new(),
    }
}
