//! The pages of the bundled packs: what each command is and when it asks, as the packs themselves say.

use super::Wanted;
use crate::tools::Result;
use hcp_core::policy::{Confirm, Operation, Raise, Undo};
use hcp_pack::{Command, Pack};
use std::fmt::Write;

const LIST: &str = "docs/reference/packs.md";
const PAGES: &str = "docs/packs";

pub(super) fn wanted() -> Result<Vec<Wanted>> {
    let mut packs = Vec::new();
    for bundled in hcp::packs::bundled() {
        packs.push(Pack::read(&bundled.files()).map_err(|faults| format!("{faults:?}"))?);
    }
    let pages = packs
        .iter()
        .map(|pack| Wanted::new(format!("{PAGES}/{}.md", pack.id), page(pack)));
    Ok(std::iter::once(Wanted::new(LIST, list(&packs)))
        .chain(pages)
        .collect())
}

const HEAD: &str = "<!-- Written by `cargo xtask generate packs` from packs/; do not edit. -->\n\n";

fn list(packs: &[Pack]) -> String {
    let mut out = HEAD.to_owned();
    out.push_str(
        "# Bundled packs\n\n\
         `hcpx install NAME` takes one of these. Each describes a real program, judged command by command; how many \
         of its commands read, run, ask once a call, and ask in every mode stands here for mode `auto` without \
         rules. A command that some options make graver counts as what it is without them.\n\n\
         | pack | what it is | commands | read | run | ask | always ask |\n|---|---|---:|---:|---:|---:|---:|\n",
    );
    for pack in packs {
        let count = |sort: Sort| {
            let of_sort = pack.commands.values().filter(|c| Sort::of(c) == sort);
            of_sort.count()
        };
        let _ = writeln!(
            out,
            "| [{0}](../packs/{0}.md) | {1} | {2} | {3} | {4} | {5} | {6} |",
            pack.id,
            cell(&pack.summary),
            pack.commands.len(),
            count(Sort::Reads),
            count(Sort::Runs),
            count(Sort::Asks),
            count(Sort::AlwaysAsks),
        );
    }
    out
}

fn page(pack: &Pack) -> String {
    let mut out = HEAD.to_owned();
    let _ = write!(out, "# {}\n\n{}\n", pack.name, pack.summary);
    if let Some(homepage) = &pack.homepage {
        let _ = writeln!(out, "Its documentation: <{homepage}>");
    }
    let _ = write!(
        out,
        "\n`hcpx install {}` installs it, `hcpx commands {}` shows its commands under your settings.\n",
        pack.id, pack.id
    );
    let shared = shared(pack);
    let graver = raised(&shared, Confirm::Never);
    if !graver.is_empty() {
        let _ = write!(out, "\nWhatever the command, it {}.\n", graver.join("; "));
    }
    out.push_str("\n| command | what it does | without rules, in mode `auto` |\n|---|---|---|\n");
    for command in pack.commands.values() {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            command.name,
            cell(&command.description),
            cell(&verdict(command, &shared))
        );
    }
    out
}

/// What becomes of a command that no rule names.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Reads,
    Runs,
    Asks,
    AlwaysAsks,
}

impl Sort {
    fn of(command: &Command) -> Self {
        match (command.policy.confirm, command.policy.operation) {
            (Confirm::Always, Operation::Read | Operation::Write) => Self::AlwaysAsks,
            (Confirm::Ask, Operation::Read | Operation::Write) => Self::Asks,
            (Confirm::Never, Operation::Read) => Self::Reads,
            (Confirm::Never, Operation::Write) => Self::Runs,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Runs => "runs",
            Self::Asks => "asks",
            Self::AlwaysAsks => "always asks",
        }
    }
}

/// What makes every command of a pack graver, where it has several.
fn shared(pack: &Pack) -> Vec<Raise> {
    let mut all = pack.commands.values();
    let first = all.next().map(|c| c.policy.raise.clone());
    let mut shared = first.unwrap_or_default();
    shared.retain(|raise| {
        let mut others = all.clone();
        pack.commands.len() > 1 && others.all(|c| c.policy.raise.contains(raise))
    });
    shared
}

/// `asks; always asks when force=true`, without what every command of its pack has.
fn verdict(command: &Command, shared: &[Raise]) -> String {
    let policy = &command.policy;
    let sort = Sort::of(command);
    let mut out = sort.word().to_owned();
    if policy.undo == Undo::No {
        out.push_str(", cannot be undone");
    }
    let own: Vec<Raise> = policy
        .raise
        .iter()
        .filter(|raise| !shared.contains(raise))
        .cloned()
        .collect();
    for graver in raised(&own, policy.confirm) {
        let _ = write!(out, "; {graver}");
    }
    out
}

/// `always asks when force=true`, for each question graver than the command's own.
fn raised(raises: &[Raise], own: Confirm) -> Vec<String> {
    let questions = [(Confirm::Ask, "asks"), (Confirm::Always, "always asks")];
    let graver = questions.into_iter().filter(|(confirm, _)| *confirm > own);
    let told = graver.map(|(confirm, word)| {
        let of_it = raises.iter().filter(|raise| raise.confirm == Some(confirm));
        let when: Vec<String> = of_it.map(|raise| raise.when.in_words()).collect();
        (word, when)
    });
    told.filter(|(_, when)| !when.is_empty())
        .map(|(word, when)| format!("{word} when {}", when.join("; or when ")))
        .collect()
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
        .replace('*', "\\*")
        .replace('<', "\\<")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_has_a_page_with_each_of_its_commands() {
        let files = wanted().unwrap();
        assert_eq!(files.len(), hcp::packs::bundled().len() + 1);
        let page = |id: &str| {
            let path = format!("{PAGES}/{id}.md");
            let found = files.iter().find(|f| f.path.to_str() == Some(&path));
            found.unwrap().text.clone()
        };
        assert!(page("ledger").contains("| `transfer` | Pay a saved payee."));
        assert!(page("ledger").contains("| always asks |"));
        let push = page("git");
        let push = push.lines().find(|l| l.starts_with("| `push` ")).unwrap();
        assert!(push.contains("| asks; always asks when"), "{push}");
    }
}
