//! Generated files: each part gives the files it wants to see; they are written, or compared.

mod blocks;
mod card_rules;
mod codes;
mod commands;
mod lints;
mod packs;
mod pictures;
mod schemas;

use crate::binary::{self, Build};
use crate::tools::{self, Result};
use std::path::{Path, PathBuf};

/// What can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// docs/reference/codes.md
    Codes,
    /// docs/reference/cards.md
    CardRules,
    /// docs/reference/lints.md and docs/lints/*.md
    Lints,
    /// docs/reference/packs.md and docs/packs/*.md
    Packs,
    /// schemas/*.json
    Schemas,
    /// docs/reference/cli.md
    Cli,
    /// The output shown in README.md and docs/
    Blocks,
    /// The cards in docs/concepts/cards/*.svg
    Pictures,
}

impl Part {
    fn needs_the_program(self) -> bool {
        match self {
            Self::Codes | Self::CardRules | Self::Lints | Self::Packs => false,
            Self::Schemas | Self::Cli | Self::Blocks | Self::Pictures => true,
        }
    }
}

const ALL: &[Part] = &[
    Part::Codes,
    Part::CardRules,
    Part::Lints,
    Part::Packs,
    Part::Schemas,
    Part::Cli,
    Part::Blocks,
    Part::Pictures,
];

/// One file as it should be, its path from the repository's root.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    path: PathBuf,
    text: String,
}

impl Wanted {
    fn new(path: impl Into<PathBuf>, text: String) -> Self {
        let path = path.into();
        Self { path, text }
    }
}

/// Generates the parts (all when none is named), or checks that they are current.
pub(crate) fn run(check: bool, hcpx: Option<&Path>, parts: &[Part]) -> Result {
    let parts = if parts.is_empty() { ALL } else { parts };
    let hcpx = match hcpx {
        Some(path) => path.to_path_buf(),
        None if parts.iter().all(|part| !part.needs_the_program()) => PathBuf::new(),
        None => binary::build(Build::Dev)?,
    };
    let mut faults = Vec::new();
    let mut files = 0;
    for part in parts {
        match wanted(*part, &hcpx) {
            Err(fault) => faults.push(format!("{part:?}: {fault}")),
            Ok(wanted) => {
                files += wanted.len();
                for file in wanted {
                    faults.extend(settle(check, &file)?);
                }
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults.join("\n  ").into());
    }
    println!("{files} generated files are current");
    Ok(())
}

fn wanted(part: Part, hcpx: &Path) -> Result<Vec<Wanted>> {
    match part {
        Part::Codes => codes::wanted(),
        Part::CardRules => card_rules::wanted(),
        Part::Lints => lints::wanted(),
        Part::Packs => packs::wanted(),
        Part::Schemas => schemas::wanted(hcpx),
        Part::Cli => commands::wanted(hcpx),
        Part::Blocks => blocks::wanted(hcpx),
        Part::Pictures => pictures::wanted(hcpx),
    }
}

/// Writes the file where it differs; a check says instead where it does.
fn settle(check: bool, file: &Wanted) -> Result<Option<String>> {
    let path = tools::root().join(&file.path);
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    if current == file.text {
        return Ok(None);
    }
    if !check {
        tools::write(&path, &file.text)?;
        println!("wrote {}", file.path.display());
        return Ok(None);
    }
    Ok(Some(format!(
        "{}: {}; run `cargo xtask generate` and commit what it writes",
        file.path.display(),
        difference(&current, &file.text)
    )))
}

/// Where two texts part, in words.
fn difference(current: &str, wanted: &str) -> String {
    if current.is_empty() {
        return "is not there".to_owned();
    }
    let (mut old, mut new) = (current.lines(), wanted.lines());
    let mut number = 1;
    loop {
        match (old.next(), new.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (None, None) => return "differs in its last line break".to_owned(),
            (a, b) => {
                return format!(
                    "is stale from line {number} on: it has {:?}, and now it would be {:?}",
                    a.unwrap_or_default(),
                    b.unwrap_or_default()
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_file_is_told_with_its_line() {
        assert_eq!(difference("", "a\n"), "is not there");
        assert!(difference("a\nb\n", "a\nc\n").contains("line 2"));
        assert!(difference("a\n", "a\nc\n").contains("line 2"));
        assert!(difference("a", "a\n").contains("last line break"));
    }
}
