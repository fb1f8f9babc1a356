//! Installed packs: the folder, the lock file, install, accept, uninstall.
//!
//! The lock file says what is a pack and in which state a person took it. A folder that it does not
//! name is no pack, and a pack whose files differ from it does not run: whoever can write the folder
//! could otherwise turn a write into a read. Nothing here decides what a pack may do.

mod author;
mod bundled;
mod change;
mod error;
mod files;
mod install;
mod lock_file;
mod source;
mod tools;

#[cfg(test)]
mod tests;

pub use author::{
    is_pack_folder, pack_folders_below, programs_not_found, read_unfinished, write_mended,
};
pub use bundled::{BundledPack, bundled};
pub use change::{Change, ChangeKind};
pub use error::PackError;
pub use install::{Diff, Installed, Replace};
pub use source::Source;

use crate::fsutil::{self, Lock};
use hcp_core::canonical::Digest;
use hcp_core::names::{PackId, did_you_mean};
use hcp_pack::{Pack, PackFiles};
use lock_file::{Entry, LockFile};
use serde::Serialize;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a reader waits for somebody who is installing.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// Who loads a pack. An agent gets a linked pack only in the state that a person took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A person.
    Person,
    /// An agent, or something below one.
    Agent,
}

/// Where an installed pack came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It was bundled in the binary.
    Bundled,
    /// It was copied from this folder.
    Copied(PathBuf),
    /// It follows this folder.
    Linked(PathBuf),
}

/// A pack that was read and found to be what a person installed.
#[derive(Debug, Clone)]
pub struct InstalledPack {
    /// The pack.
    pub pack: Pack,
    /// Where it came from.
    pub origin: Origin,
}

impl InstalledPack {
    /// Whether its program is one of the demo tools, which stand in the store's `bin` folder.
    #[must_use]
    pub fn uses_store_bin(&self) -> bool {
        self.origin == Origin::Bundled && bundled::is_demo(self.pack.id.as_str())
    }
}

/// One line of the lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The pack's id.
    pub id: PackId,
    /// Its version.
    pub version: String,
    /// The digest of what a person installed or accepted.
    pub digest: Digest,
    /// Where it came from: `bundled`, or a folder.
    pub source: String,
    /// The folder that it follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linked: Option<String>,
    /// When a person installed or accepted it.
    #[serde(serialize_with = "as_text")]
    pub installed_at: jiff::Timestamp,
}

/// The packs of a store.
#[derive(Debug, Clone)]
pub struct PacksFolder {
    home: PathBuf,
}

impl PacksFolder {
    /// The packs of the store at `home`.
    #[must_use]
    pub fn new(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
        }
    }

    /// The lock file.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.home.join("packs.lock.json")
    }

    /// The folder with the links to the demo tools.
    #[must_use]
    pub fn bin(&self) -> PathBuf {
        self.home.join("bin")
    }

    /// Every installed pack, by id. No pack is read.
    ///
    /// # Errors
    /// A lock file that cannot be read, or that others can write.
    pub fn list(&self) -> Result<Vec<Listed>, PackError> {
        let lock_file = LockFile::read(&self.lock_file())?;
        Ok(lock_file.into_iter().map(Entry::listed).collect())
    }

    /// Loads one pack; no other is read.
    ///
    /// # Errors
    /// An id that the lock file does not name, files that cannot be read or are no pack, and a state
    /// that no person took.
    pub fn load(&self, id: &str, caller: Caller) -> Result<InstalledPack, PackError> {
        match self.load_once(id, caller) {
            // Files and lock file are replaced one after the other: what was seen may be half of an
            // install that goes on right now. Behind its lock the two belong together.
            Err(PackError::Changed { .. } | PackError::Invalid(_) | PackError::Read { .. }) => {
                let _held = match self.lock(READER_PATIENCE) {
                    Ok(lock) => Some(lock),
                    Err(PackError::Busy) => return Err(PackError::Busy),
                    // A store that cannot be written has no lock, and nobody installs there.
                    Err(_) => None,
                };
                self.load_once(id, caller)
            }
            other => other,
        }
    }

    fn load_once(&self, id: &str, caller: Caller) -> Result<InstalledPack, PackError> {
        let entry = self.entry(id)?;
        let (pack, _) = self.read_current(&entry)?;
        let must_match = entry.linked.is_none() || caller == Caller::Agent;
        if must_match && pack.digest != entry.digest {
            return Err(PackError::Changed { id: entry.id });
        }
        let origin = entry.origin();
        Ok(InstalledPack { pack, origin })
    }

    fn entry(&self, id: &str) -> Result<Entry, PackError> {
        LockFile::read(&self.lock_file())?
            .take(id)
            .map_err(|all| unknown(id, &all))
    }

    /// The pack as its files stand now, whatever its digest is.
    fn read_current(&self, entry: &Entry) -> Result<(Pack, PackFiles), PackError> {
        let files = files::read(&self.files_of(entry))?;
        let pack = Pack::read(&files).map_err(PackError::Invalid)?;
        if pack.id != entry.id {
            return Err(PackError::Changed {
                id: entry.id.clone(),
            });
        }
        Ok((pack, files))
    }

    /// The folder of an installed pack's files: its own, or the one that it follows.
    ///
    /// # Errors
    /// A lock file that cannot be read, and an id that it does not name.
    pub fn folder_of(&self, id: &str) -> Result<PathBuf, PackError> {
        self.entry(id).map(|entry| self.files_of(&entry))
    }

    fn files_of(&self, entry: &Entry) -> PathBuf {
        entry
            .linked
            .clone()
            .unwrap_or_else(|| self.copy_of(&entry.id))
    }

    fn copy_of(&self, id: &PackId) -> PathBuf {
        self.home.join("packs").join(id.as_str())
    }

    /// The content that a person took, kept so that a change can be shown. No id begins with a dot.
    fn accepted_of(&self, id: &PackId) -> PathBuf {
        self.home.join("packs/.accepted").join(id.as_str())
    }

    fn lock(&self, patience: Duration) -> Result<Lock, PackError> {
        let path = self.home.join("packs.lock");
        fsutil::lock(&path, patience).map_err(|source| {
            if source.kind() == io::ErrorKind::TimedOut {
                PackError::Busy
            } else {
                PackError::Write { path, source }
            }
        })
    }

    /// Creates the store when it is not there, and takes the lock for a change.
    fn lock_to_change(&self) -> Result<Lock, PackError> {
        create_private(&self.home)?;
        self.lock(fsutil::PATIENCE)
    }
}

/// Reads a pack from a folder, without installing it.
///
/// # Errors
/// Files that cannot be read or are no pack.
pub fn read_folder(folder: &Path) -> Result<Pack, PackError> {
    Pack::read(&files::read(folder)?).map_err(PackError::Invalid)
}

fn as_text<S: serde::Serializer>(time: &jiff::Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(time)
}

/// Creates a folder and those above it, for the owner alone.
fn create_private(folder: &Path) -> Result<(), PackError> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|source| PackError::Write {
            path: folder.to_owned(),
            source,
        })
}

fn unknown(name: &str, known: &[PackId]) -> PackError {
    let near = did_you_mean(name, known.iter().map(PackId::as_str));
    PackError::Unknown {
        name: name.to_owned(),
        did_you_mean: near.map(str::to_owned),
        bundled: bundled().iter().any(|pack| pack.id == name),
    }
}
