//! Verifying: whether every line is as it was written, none is missing, and where not.

mod walk;

use super::append::AuditLog;
use super::file::{Identity, open_to_read, rotated};
use super::{AuditError, FILE_NAME};
use crate::fsutil::lock_file;
use hcp_core::canonical::Digest;
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use walk::Walk;

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// It was changed after it was written.
    Edited,
    /// Lines are missing before it.
    Dropped,
    /// It stands in another place than it was written in.
    Reordered,
    /// The line break between it and the next is gone.
    Glued,
    /// Its end is missing.
    Torn,
    /// It was written after the same line as another: the log was split, or a line repeated.
    Forked,
    /// It is no line of this log.
    Foreign,
    /// The log does not begin with its first line.
    MissingStart,
    /// The log ends before the head that was kept elsewhere.
    Cut,
}

impl FaultKind {
    /// The word in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Edited => "edited",
            Self::Dropped => "dropped",
            Self::Reordered => "reordered",
            Self::Glued => "glued",
            Self::Torn => "torn",
            Self::Forked => "forked",
            Self::Foreign => "foreign",
            Self::MissingStart => "missing_start",
            Self::Cut => "cut",
        }
    }
}

/// One fault and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The file's name.
    pub file: String,
    /// The line in it, from 1.
    pub line: u64,
    /// The number that the line has, or had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What is wrong.
    pub kind: FaultKind,
    /// The same in words.
    pub message: String,
}

/// What verifying found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct VerifyReport {
    /// How many lines were read.
    pub lines: u64,
    /// In how many files.
    pub files: u64,
    /// The number of the last line.
    pub seq: Option<u64>,
    /// The digest of the last line.
    pub head: Option<Digest>,
    /// What is wrong, in the order of the log; the first thousand.
    pub faults: Vec<Fault>,
    /// What a person should know and is no fault: old files that are gone, torn lines that were closed
    /// off.
    pub notes: Vec<String>,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.faults.is_empty()
    }
}

/// The opened files of a log.
struct Snapshot {
    /// The one that is written to, and its size.
    current: Option<(File, u64)>,
    /// The rotated ones, oldest first.
    older: Vec<(PathBuf, File)>,
}

impl AuditLog {
    /// Verifies the whole log, across rotated files; with a head that was kept elsewhere also that its
    /// end was not cut off.
    ///
    /// # Errors
    /// [`AuditError`] when a file cannot be read.
    pub fn verify(&self, head: Option<&Digest>) -> Result<VerifyReport, AuditError> {
        let Snapshot { current, older } = self.snapshot()?;
        let mut walk = Walk::new(head);
        walk.present(older.iter().map(|(path, _)| name(path)).collect());
        for (path, file) in older {
            walk.file(&path, file)?;
        }
        let path = self.home.join(FILE_NAME);
        match current {
            Some((file, size)) => {
                walk.file(&path, file.take(size))?;
                if size == 0 {
                    walk.current_is_empty();
                }
            }
            None => walk.current_is_empty(),
        }
        Ok(walk.finish())
    }

    /// All files of the log at one moment.
    fn snapshot(&self) -> Result<Snapshot, AuditError> {
        let path = self.home.join(FILE_NAME);
        let mut identity: Option<Identity> = None;
        let current = loop {
            let Some((file, id)) = open_to_read(&path)? else {
                break None;
            };
            lock_file(&file, self.options.patience).map_err(|e| AuditError::io(&path, &e))?;
            let now = open_to_read(&path)?.map(|(_, id)| id);
            if now == Some(id) {
                identity = Some(id);
                break Some(file);
            }
        };
        let mut older = Vec::new();
        for (_, path) in rotated(&self.home)? {
            if let Some((file, id)) = open_to_read(&path)?
                && Some(id) != identity
            {
                older.push((path, file));
            }
        }
        let Some(file) = current else {
            return Ok(Snapshot {
                current: None,
                older,
            });
        };
        let size = file
            .metadata()
            .map_err(|e| AuditError::io(&path, &e))?
            .len();
        file.unlock().map_err(|e| AuditError::io(&path, &e))?;
        Ok(Snapshot {
            current: Some((file, size)),
            older,
        })
    }
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
