//! What can go wrong in a demo tool, and the exit code of each.

use hcp_core::diagnostic::Diagnostic;
use std::io;

/// Why a tool did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The words are off.
    #[error("{0}")]
    Usage(String),
    /// It understood and will not.
    #[error("{0}")]
    Refused(String),
    /// A file cannot be read or written.
    #[error("{what}: {source}")]
    Io {
        /// The file or what was done.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// A state file is not what this program writes.
    #[error("the state cannot be read: {}", list(.0))]
    State(Vec<Diagnostic>),
}

impl Fault {
    /// The exit code.
    pub(crate) fn exit(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Refused(_) | Self::Io { .. } | Self::State(_) => 1,
        }
    }
}

fn list(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    lines.join("; ")
}
