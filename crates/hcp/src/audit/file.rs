//! The log's file: opened without following a link, checked, locked, and never taken for another.

use super::{AuditError, FILE_NAME};
use crate::fsutil::lock_file;
use std::fs::{File, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A file by what it is, whatever its name is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    pub(super) fn of(meta: &Metadata) -> Self {
        Self {
            device: meta.dev(),
            inode: meta.ino(),
        }
    }
}

/// An open log file.
#[derive(Debug, Clone)]
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    pub(super) file: Arc<File>,
    pub(super) identity: Identity,
}

/// The lock on a log file; dropping it lets others write.
#[derive(Debug)]
pub(super) struct Locked(Arc<File>);

impl Drop for Locked {
    fn drop(&mut self) {
        // A lock that cannot be released goes with the file; there is nobody to tell.
        drop(self.0.unlock());
    }
}

impl LogFile {
    /// Opens the log of a home folder for appending, and makes it (0600) when it is not there.
    pub(super) fn open(home: &Path) -> Result<Self, AuditError> {
        let path = home.join(FILE_NAME);
        match Self::open_existing(&path) {
            Ok(Some(log)) => return Ok(log),
            Ok(None) => {}
            Err(e) => return Err(e),
        }
        let made = options(true).create_new(true).mode(0o600).open(&path);
        match made {
            Ok(file) => {
                flush_folder(home)?;
                Self::checked(path, file)
            }
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Self::open_existing(&path)?
                .ok_or_else(|| AuditError::new(&path, "it comes and goes", "try again")),
            Err(e) => Err(AuditError::io(&path, &e)),
        }
    }

    /// Opens a log that is there already.
    pub(super) fn open_existing(path: &Path) -> Result<Option<Self>, AuditError> {
        match options(true).open(path) {
            Ok(file) => Self::checked(path.to_owned(), file).map(Some),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) if e.raw_os_error() == Some(nix::libc::ELOOP) => Err(AuditError::new(
                path,
                "it is a symbolic link, not a regular file",
                "move it away",
            )),
            Err(e) => Err(AuditError::io(path, &e)),
        }
    }

    /// Takes an opened file as a log, if it may be one.
    pub(super) fn checked(path: PathBuf, file: File) -> Result<Self, AuditError> {
        let meta = file.metadata().map_err(|e| AuditError::io(&path, &e))?;
        check(&path, &meta)?;
        Ok(Self {
            path,
            file: Arc::new(file),
            identity: Identity::of(&meta),
        })
    }

    /// Takes the lock, waiting until `end`.
    pub(super) fn lock(&self, end: Instant) -> Result<Locked, AuditError> {
        let patience = end.saturating_duration_since(Instant::now());
        lock_file(&self.file, patience).map_err(|e| AuditError::io(&self.path, &e))?;
        Ok(Locked(Arc::clone(&self.file)))
    }

    /// Whether the path still leads to this file: a rotation may have moved it.
    pub(super) fn is_current(&self) -> bool {
        self.path
            .symlink_metadata()
            .is_ok_and(|meta| Identity::of(&meta) == self.identity)
    }

    pub(super) fn size(&self) -> Result<u64, AuditError> {
        self.file
            .metadata()
            .map(|meta| meta.len())
            .map_err(|e| AuditError::io(&self.path, &e))
    }
}

/// Opens and locks the current log: `cached` when it still is the one.
pub(super) fn lock_current(
    home: &Path,
    cached: Option<LogFile>,
    end: Instant,
) -> Result<(LogFile, Locked), AuditError> {
    let mut log = match cached {
        Some(log) => log,
        None => LogFile::open(home)?,
    };
    loop {
        let lock = log.lock(end)?;
        if log.is_current() {
            return Ok((log, lock));
        }
        drop(lock);
        if Instant::now() >= end {
            return Err(AuditError::new(
                &log.path,
                "it was moved again and again",
                "try again",
            ));
        }
        log = LogFile::open(home)?;
    }
}

/// A log file opened for reading only, checked like the one that is written.
pub(super) fn open_to_read(path: &Path) -> Result<Option<(File, Identity)>, AuditError> {
    let file = match options(false).open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(AuditError::io(path, &e)),
    };
    let meta = file.metadata().map_err(|e| AuditError::io(path, &e))?;
    if !meta.is_file() {
        return Err(AuditError::new(
            path,
            "it is not a regular file",
            "move it away",
        ));
    }
    Ok(Some((file, Identity::of(&meta))))
}

fn options(write: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    // Without O_NONBLOCK the opening of a pipe in the log's place would wait for ever.
    let flags = nix::libc::O_NOFOLLOW | nix::libc::O_CLOEXEC | nix::libc::O_NONBLOCK;
    options.read(true).append(write).custom_flags(flags);
    options
}

fn check(path: &Path, meta: &Metadata) -> Result<(), AuditError> {
    if !meta.is_file() {
        return Err(AuditError::new(
            path,
            "it is not a regular file",
            "move it away",
        ));
    }
    let me = nix::unistd::geteuid().as_raw();
    if meta.uid() != me {
        return Err(AuditError::new(
            path,
            format!("it belongs to user {}, and this is user {me}", meta.uid()),
            "move it away, or set HCP_HOME to a folder of your own",
        ));
    }
    if meta.mode() & 0o022 != 0 {
        return Err(AuditError::new(
            path,
            "others may write it",
            format!("chmod 600 {}", path.display()),
        ));
    }
    Ok(())
}

/// Flushes a folder, so that a new name in it survives a power loss.
pub(super) fn flush_folder(folder: &Path) -> Result<(), AuditError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|e| AuditError::io(folder, &e))
}

/// The rotated files of a home folder, oldest first, with the number of the last line of each.
pub(super) fn rotated(home: &Path) -> Result<Vec<(u64, PathBuf)>, AuditError> {
    let entries = match std::fs::read_dir(home) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(AuditError::io(home, &e)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| AuditError::io(home, &e))?;
        if let Some(seq) = entry.file_name().to_str().and_then(rotated_seq) {
            files.push((seq, entry.path()));
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// The name of a rotated file whose last line has this number.
pub(super) fn rotated_name(seq: u64) -> String {
    format!("audit-{seq:012}.jsonl")
}

fn rotated_seq(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("audit-")?.strip_suffix(".jsonl")?;
    digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| digits.parse().ok())?
}
