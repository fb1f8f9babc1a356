//! The audit log: one line for each decision, written before anything runs, in one chain.
//!
//! [`AuditSink`] is the port; [`AuditLog`] is the file `audit.jsonl` of a home folder. Nothing here
//! edits or deletes a line that was written.

mod append;
mod chain;
mod file;
mod follow;
mod key;
mod read;
mod rotate;
mod verify;

pub use append::{AuditLog, AuditOptions};
pub use chain::Head;
pub use follow::Followed;
pub use key::KEY_NAME;
pub use read::{Filter, ReadLines};
pub use verify::{Fault, FaultKind, VerifyReport};

use crate::event::{ArgsDigest, Event};
use hcp_core::canonical::{Tag, digest};
use hcp_core::code::Code;
use hcp_core::json::Value;
use std::path::{Path, PathBuf};

/// The name of the file that is written to.
pub const FILE_NAME: &str = "audit.jsonl";

/// Takes the events of every decision.
pub trait AuditSink: Send + Sync {
    /// Whether an event could be recorded now: called before an approval is spent.
    ///
    /// # Errors
    /// [`AuditError`] when it could not; nothing may run or be spent then.
    fn ready(&self) -> Result<(), AuditError>;

    /// Records an event. With [`Flush::Now`] it is on the disk when this returns.
    ///
    /// # Errors
    /// [`AuditError`] when it is not recorded; what it tells of must not run then.
    fn record(&self, event: &Event, flush: Flush) -> Result<Recorded, AuditError>;

    /// The digest by which arguments are recorded.
    ///
    /// # Errors
    /// [`AuditError`] when a key is to be used and cannot be read.
    fn args_digest(&self, args: &Value) -> Result<ArgsDigest, AuditError> {
        Ok(ArgsDigest::Sha256(digest(Tag::Audit, args)))
    }
}

/// Whether a line must be on the disk before the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flush {
    /// It must: something that changes the world follows.
    Now,
    /// The system may write it when it likes.
    Later,
}

/// An event's place in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// Its number, from 1.
    pub seq: u64,
}

/// Why the log cannot be used. Calls are refused then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// It cannot be opened, read or written.
    #[error("the audit log {} cannot be used: {reason} ({help})", path.display())]
    Unavailable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// How to mend it.
        help: String,
    },
}

impl AuditError {
    /// The result code of a call that was refused for it.
    #[must_use]
    pub fn code(&self) -> Code {
        Code::AuditUnavailable
    }

    pub(crate) fn new(path: &Path, reason: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Unavailable {
            path: path.to_owned(),
            reason: reason.into(),
            help: help.into(),
        }
    }

    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull, TimedOut};
        let kind = error.kind();
        let help = if [FileTooLarge, QuotaExceeded, StorageFull].contains(&kind) {
            "free some space, or rotate the log and move old files away"
        } else if kind == TimedOut {
            "try again"
        } else {
            "check the folder's permissions and the free space"
        };
        Self::new(path, error.to_string(), help)
    }
}
