//! Where the tools keep their state: one folder, one JSON file for each, one lock over all.
//!
//! A file is replaced whole (written beside, flushed, renamed), under the lock, so that two processes
//! lose nothing and a crash leaves the old state or the new one.

use crate::fault::Fault;
use hcp_core::diagnostic::{Diagnostic, Fault as Spot, Source};
use hcp_core::json::{self, Limits, Node, Object};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(5);
const LARGEST: usize = 64 << 20;

/// The folder of the state.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

/// The folder, locked: nobody else reads or writes until it is dropped.
#[derive(Debug)]
pub(crate) struct Locked<'f> {
    folder: &'f Folder,
    _lock: File,
}

impl Folder {
    /// The folder that belongs to a program: `demo` beside the folder that the program was started
    /// from, else in the store.
    pub(crate) fn of(program_path: &OsStr) -> Self {
        let path = Path::new(program_path);
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        Self(match folder {
            Some(bin) if bin.file_name().is_some() => bin.with_file_name("demo"),
            Some(bin) => bin.join("..").join("demo"),
            None => store_folder().join("demo"),
        })
    }

    /// Locks the folder, creating it when it is not there.
    pub(crate) fn lock(&self) -> Result<Locked<'_>, Fault> {
        let io = |source| self.io(&self.0, source);
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.0)
            .map_err(io)?;
        let path = self.0.join(".lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(io)?;
        wait_for(&file).map_err(|source| self.io(&path, source))?;
        Ok(Locked {
            folder: self,
            _lock: file,
        })
    }

    fn io(&self, path: &Path, source: io::Error) -> Fault {
        Fault::Io {
            what: path.display().to_string(),
            source,
        }
    }
}

fn store_folder() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    match (set("HCP_HOME"), set("HOME")) {
        (Some(store), _) => PathBuf::from(store),
        (None, Some(home)) => PathBuf::from(home).join(".hcp"),
        (None, None) => PathBuf::from(".hcp"),
    }
}

fn wait_for(file: &File) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(e)) => return Err(e),
            Err(TryLockError::WouldBlock) if Instant::now() >= end => {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "another process holds the lock; try again",
                ));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

impl Locked<'_> {
    /// Reads a state file by `read`; `None` when it is not there yet.
    pub(crate) fn load<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Node, &mut Vec<Spot>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let path = self.folder.0.join(name);
        let bytes = match read_capped(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(self.folder.io(&path, e)),
        };
        let mut spots = Vec::new();
        let limits = Limits {
            bytes: LARGEST,
            ..Limits::default()
        };
        let state = match json::parse_bytes(&bytes, limits) {
            Ok(node) => read(&node, &mut spots),
            Err(spot) => {
                spots.push(spot);
                None
            }
        };
        match state {
            Some(state) if spots.is_empty() => Ok(Some(state)),
            Some(_) | None => Err(Fault::State(located(&path, &bytes, &spots))),
        }
    }

    /// Replaces a state file.
    pub(crate) fn save(&self, name: &str, state: &Object) -> Result<(), Fault> {
        let path = self.folder.0.join(name);
        self.replace(&path, state)
            .map_err(|source| self.folder.io(&path, source))
    }

    fn replace(&self, path: &Path, state: &Object) -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(state)?;
        bytes.push(b'\n');
        let mut beside = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(&self.folder.0)?;
        beside.write_all(&bytes)?;
        beside.as_file().sync_all()?;
        beside.persist(path).map_err(|e| e.error)?;
        File::open(&self.folder.0)?.sync_all()
    }
}

fn read_capped(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("this is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LARGEST as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn located(path: &Path, bytes: &[u8], spots: &[Spot]) -> Vec<Diagnostic> {
    let text = String::from_utf8_lossy(bytes);
    let source = Source::new(path.display().to_string(), &text);
    spots.iter().map(|spot| source.locate(spot)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_stands_beside_the_program() {
        for (program, folder) in [
            ("/store/bin/ledger", "/store/demo"),
            ("bin/ledger", "demo"),
            ("./ledger", "./../demo"),
            ("/ledger", "/../demo"),
        ] {
            let found = Folder::of(OsStr::new(program));
            assert_eq!(found.0, PathBuf::from(folder), "{program}");
        }
    }
}
