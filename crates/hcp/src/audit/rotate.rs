//! Rotation: the log goes on in a new file. Old files are never deleted or changed.

use super::append::{AuditLog, Writer, rotation};
use super::file::{LogFile, flush_folder, open_to_read, rotated, rotated_name};
use super::{AuditError, FILE_NAME, Flush};
use crate::event::Event;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::time::Instant;

impl AuditLog {
    /// Rotates the log: what was written so far is kept under a name with its last number, and the new
    /// file begins with a line that goes on with the chain. Returns the old file's new path, or nothing
    /// when the log was empty.
    ///
    /// # Errors
    /// [`AuditError`] when the log cannot be read or written; it then stands as it was.
    pub fn rotate(&self, now: Timestamp) -> Result<Option<PathBuf>, AuditError> {
        let mut writer = self.writer()?;
        if writer.size == 0 {
            return Ok(None);
        }
        let old = self.rotate_locked(&mut writer, now)?;
        writer.finish(Flush::Now)?;
        Ok(Some(old))
    }

    /// The log's path always leads to a whole log: the old file gets its second name first, then the
    /// new one takes the first name in one step.
    pub(super) fn rotate_locked(
        &self,
        writer: &mut Writer<'_>,
        now: Timestamp,
    ) -> Result<PathBuf, AuditError> {
        writer.close_torn(now)?;
        let current = self.home.join(FILE_NAME);
        writer
            .log
            .file
            .sync_all()
            .map_err(|e| AuditError::io(&current, &e))?;
        self.drop_second_names(writer)?;
        let seq = writer.head.map_or(0, |head| head.seq);
        let old = free_name(&self.home, seq);
        std::fs::hard_link(&current, &old).map_err(|e| AuditError::io(&old, &e))?;
        let beside = tempfile::Builder::new()
            .prefix(".hcp-new-")
            .append(true)
            .tempfile_in(&self.home)
            .map_err(|e| AuditError::io(&self.home, &e))?;
        let file = beside
            .as_file()
            .try_clone()
            .map_err(|e| AuditError::io(&self.home, &e))?;
        let log = LogFile::checked(current.clone(), file)?;
        let lock = log.lock(Instant::now())?;
        // The old file stays locked until the new one stands in its place.
        let _old_lock = writer.replace(log, lock);
        writer.append(&Event::new(now, rotation(&old)))?;
        writer
            .log
            .file
            .sync_all()
            .map_err(|e| AuditError::io(&current, &e))?;
        beside
            .persist(&current)
            .map_err(|e| AuditError::io(&current, &e.error))?;
        flush_folder(&self.home)?;
        Ok(old)
    }

    /// Takes away the second names that a rotation, killed half way, gave to the file that is still
    /// written to. The file itself stays.
    fn drop_second_names(&self, writer: &Writer<'_>) -> Result<(), AuditError> {
        for (_, path) in rotated(&self.home)? {
            let same = open_to_read(&path)?.is_some_and(|(_, id)| id == writer.log.identity);
            if same {
                std::fs::remove_file(&path).map_err(|e| AuditError::io(&path, &e))?;
            }
        }
        Ok(())
    }
}

/// A name for the old file that nothing has yet.
fn free_name(home: &Path, seq: u64) -> PathBuf {
    (seq..)
        .map(|n| home.join(rotated_name(n)))
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_else(|| home.join(rotated_name(seq)))
}
