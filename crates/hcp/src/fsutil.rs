//! Small file operations that must not go wrong: locks with patience, atomic writes, owner and permission checks.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a lock is waited for, unless the caller is in a hurry.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How the names of files begin that are written beside the one they replace.
const BESIDE: &str = ".hcp-new-";
/// From which age on such a file is nobody's any more.
const LEFT_OVER: Duration = Duration::from_secs(3_600);

/// The owner that files have whose real owner the user namespace does not show.
pub const OVERFLOW_UID: u32 = 65534;

/// An exclusive lock on a file of its own, held until dropped.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "held for its drop, which releases the lock")] File);

/// Takes the exclusive lock `path`, creating the file (mode 0600) when it is not there.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] when somebody else holds it longer than `patience`.
pub fn lock(path: &Path, patience: Duration) -> io::Result<Lock> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_CLOEXEC)
        .open(path)?;
    lock_file(&file, patience)?;
    Ok(Lock(file))
}

/// Takes the exclusive lock of a folder itself, so that no lock file is left in it.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] when somebody else holds it longer than `patience`.
pub fn lock_folder(path: &Path, patience: Duration) -> io::Result<Lock> {
    let folder = File::open(path)?;
    lock_file(&folder, patience)?;
    Ok(Lock(folder))
}

/// Locks an open file, waiting at most `patience`.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] when somebody else holds it longer.
pub fn lock_file(file: &File, patience: Duration) -> io::Result<()> {
    let end = Instant::now() + patience;
    let mut pause = Duration::from_micros(100);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(std::fs::TryLockError::WouldBlock) => {}
            Err(std::fs::TryLockError::Error(e)) => return Err(e),
        }
        if Instant::now() >= end {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "another process holds the lock",
            ));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Writes a file so that a reader, or a crash at any moment, sees the old content or the new one:
/// write beside, flush, rename, flush the folder. The file gets mode 0600.
///
/// # Errors
/// Whatever the file system says; the old file then stands as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_as(path, bytes, 0o600)
}

/// Like [`write_atomically`], with a mode of the caller's.
///
/// # Errors
/// Whatever the file system says; the old file then stands as it was.
pub fn write_atomically_as(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let beside = written_beside(path, bytes, mode)?;
    beside.persist(path).map_err(|e| e.error)?;
    sync_folder_of(path)
}

/// Writes a file that must not be there yet, whole or not at all. The file gets mode 0600.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when somebody else was first.
pub fn create_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = written_beside(path, bytes, 0o600)?;
    beside.persist_noclobber(path).map_err(|e| e.error)?;
    sync_folder_of(path)
}

fn written_beside(path: &Path, bytes: &[u8], mode: u32) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut beside = tempfile::Builder::new()
        .prefix(BESIDE)
        .tempfile_in(folder)?;
    beside.write_all(bytes)?;
    if mode != 0o600 {
        beside
            .as_file()
            .set_permissions(Permissions::from_mode(mode))?;
    }
    beside.as_file().sync_all()?;
    Ok(beside)
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    File::open(folder)?.sync_all()
}

/// Removes what a process that was killed while it wrote beside a file left in this folder. Only what is
/// an hour old: younger files may still be written.
///
/// # Errors
/// Whatever the file system says.
pub fn remove_left_over(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let ours = entry.file_name().to_string_lossy().starts_with(BESIDE);
        if !ours || !entry.file_type()?.is_file() {
            continue;
        }
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age >= LEFT_OVER {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether a private folder is there and is what it should be; false where nothing is there.
///
/// # Errors
/// No folder, another owner, write permission for others, and whatever the file system says.
pub fn check_private_folder(path: &Path) -> io::Result<bool> {
    let meta = match path.metadata() {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(e),
    };
    let wrong = if !meta.is_dir() {
        "it is no folder"
    } else if !owned_by_reader_or_root(&meta) {
        "it belongs to somebody else"
    } else if loosely_writable(&meta) {
        "group or others may write it"
    } else {
        return Ok(true);
    };
    Err(io::Error::other(wrong))
}

/// Makes a folder for the owner alone (mode 0700), with those above it, when it is not there.
///
/// # Errors
/// Whatever the file system says.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Whether group or others may write.
#[must_use]
pub fn loosely_writable(meta: &Metadata) -> bool {
    meta.mode() & 0o022 != 0
}

/// Whether the owner is the reader or root.
#[must_use]
pub fn owned_by_reader_or_root(meta: &Metadata) -> bool {
    meta.uid() == 0 || meta.uid() == nix::unistd::Uid::effective().as_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_created_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        create_atomically(&path, b"one").unwrap();
        let second = create_atomically(&path, b"two").unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, 0o600);
        // Nothing is left beside it.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_replaced_file_gets_the_mode_it_should_have() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        write_atomically(&path, b"1").unwrap();
        write_atomically_as(&path, b"2", 0o644).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, 0o644);
    }

    #[test]
    fn what_a_killed_process_left_goes_after_an_hour() {
        let folder = tempfile::tempdir().unwrap();
        let names = [".hcp-new-old", ".hcp-new-young", "access.json"];
        for name in names {
            let file = File::create(folder.path().join(name)).unwrap();
            if name != ".hcp-new-young" {
                let then = std::time::SystemTime::now() - LEFT_OVER;
                file.set_modified(then).unwrap();
            }
        }
        remove_left_over(folder.path()).unwrap();
        let there = names.map(|name| folder.path().join(name).exists());
        assert_eq!(there, [false, true, true]);
    }

    #[test]
    fn a_folder_is_locked_without_a_file_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let held = lock_folder(folder.path(), PATIENCE).unwrap();
        let late = lock_folder(folder.path(), Duration::from_millis(20)).unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        drop(held);
        lock_folder(folder.path(), Duration::from_millis(20)).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
