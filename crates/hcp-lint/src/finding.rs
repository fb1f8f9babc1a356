//! What a lint found.

use crate::document::{FileName, Place};
use crate::edit::Edit;
use hcp_core::json::Span;
use std::fmt;

/// How much a finding weighs. Ordered by gravity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Good to know; nothing fails on it.
    Note,
    /// It ought to be mended; `--strict` fails on it.
    Warning,
    /// It must be mended.
    Error,
}

impl Level {
    /// The word in JSON, SARIF and on a command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The level of a word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Note, Self::Warning, Self::Error]
            .into_iter()
            .find(|level| level.as_str() == text)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding, with its place and, where it is safe, the edit that mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The lint's code.
    pub code: &'static str,
    /// How much it weighs here.
    pub level: Level,
    /// The file.
    pub file: FileName,
    /// The bytes it is about.
    pub span: Span,
    /// Where they stand.
    pub place: Place,
    /// What is wrong, in words, without a final stop.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    /// The command it is about.
    pub command: Option<String>,
    /// The edit that mends it and does nothing else.
    pub fix: Option<Edit>,
}
