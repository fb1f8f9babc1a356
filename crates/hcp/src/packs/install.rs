//! Install, accept, uninstall, and the difference to what was accepted.

use super::lock_file::{Entry, LockFile, origin_text};
use super::{Change, Origin, PackError, PacksFolder, Source, bundled, change, files, unknown};
use hcp_core::canonical::Digest;
use hcp_core::names::PackId;
use hcp_pack::{Pack, PackFiles};
use std::fs;
use std::path::{Path, PathBuf};

/// Whether a pack may take the place of one with its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// It may not: old rules would serve the new pack.
    No,
    /// A person said so.
    Yes,
}

/// What was installed.
#[derive(Debug)]
pub struct Installed {
    /// The pack.
    pub pack: Pack,
    /// The pack that stood there before, where its content is still known.
    pub before: Option<Pack>,
    /// What changed against it; empty for a first install.
    pub changes: Vec<Change>,
}

/// How a pack's files differ from what a person took.
#[derive(Debug)]
pub struct Diff {
    /// The pack as its files stand.
    pub pack: Pack,
    /// The digest that was taken.
    pub accepted: Digest,
    /// What changed.
    pub changes: Vec<Change>,
}

impl PacksFolder {
    /// Installs a pack. `program` is the running `hcpx`, to which a demo tool's link leads.
    ///
    /// # Errors
    /// A pack that the loader or an error of the lints' family M refuses; an id that is there, without [`Replace::Yes`] (the error says
    /// what would change); a store that cannot be written.
    pub fn install(
        &self,
        source: &Source,
        replace: Replace,
        now: jiff::Timestamp,
        program: &Path,
    ) -> Result<Installed, PackError> {
        self.install_checked(None, source, replace, now, program)
    }

    /// Like [`PacksFolder::install`], and only if the pack is still the one with this id: what a person may
    /// install was judged by it.
    ///
    /// # Errors
    /// As there; another id than this one.
    pub fn install_as(
        &self,
        id: &PackId,
        source: &Source,
        replace: Replace,
        now: jiff::Timestamp,
        program: &Path,
    ) -> Result<Installed, PackError> {
        self.install_checked(Some(id), source, replace, now, program)
    }

    fn install_checked(
        &self,
        id: Option<&PackId>,
        source: &Source,
        replace: Replace,
        now: jiff::Timestamp,
        program: &Path,
    ) -> Result<Installed, PackError> {
        let (origin, files) = read_source(source)?;
        let (source, linked) = origin_text(&origin)?;
        let pack = Pack::read(&files).map_err(PackError::Invalid)?;
        let refusals = hcp_lint::refusals(&files, &pack);
        if !refusals.is_empty() {
            return Err(PackError::Lints(refusals));
        }
        if let Some(id) = id.filter(|id| **id != pack.id) {
            return Err(PackError::Changed { id: id.clone() });
        }
        let _lock = self.lock_to_change()?;
        let mut lock_file = LockFile::read(&self.lock_file())?;
        let before = lock_file.get(&pack.id).cloned();
        let known = before.as_ref().and_then(|entry| self.accepted(entry));
        let changes = match (&before, &known) {
            (None, _) => Vec::new(),
            (Some(_), None) => vec![change::not_known()],
            (Some(_), Some((old, old_files))) => change::between((old, old_files), (&pack, &files)),
        };
        if before.is_some() && replace == Replace::No {
            return Err(PackError::Exists {
                id: pack.id,
                changes,
            });
        }
        match &linked {
            Some(_) => files::remove(&self.copy_of(&pack.id))?,
            None => files::write(&self.copy_of(&pack.id), &files)?,
        }
        files::write(&self.accepted_of(&pack.id), &files)?;
        self.set_tool(&pack.id, &origin, program)?;
        lock_file.set(Entry {
            id: pack.id.clone(),
            version: pack.version.clone(),
            digest: pack.digest,
            source,
            linked,
            installed_at: now,
        });
        lock_file.write(&self.lock_file())?;
        Ok(Installed {
            pack,
            before: known.map(|(pack, _)| pack),
            changes,
        })
    }

    /// What differs between a pack's files and what a person took.
    ///
    /// # Errors
    /// A pack that is not installed or cannot be read; content that is not kept any more.
    pub fn diff(&self, id: &str) -> Result<Diff, PackError> {
        let entry = self.entry(id)?;
        self.diff_of(&entry).map(|(diff, _)| diff)
    }

    fn diff_of(&self, entry: &Entry) -> Result<(Diff, PackFiles), PackError> {
        let (pack, files) = self.read_current(entry)?;
        let changes = match self.accepted(entry) {
            Some((old, old_files)) => change::between((&old, &old_files), (&pack, &files)),
            None if pack.digest == entry.digest => Vec::new(),
            None => {
                return Err(PackError::NotKept {
                    id: entry.id.clone(),
                });
            }
        };
        let diff = Diff {
            pack,
            accepted: entry.digest,
            changes,
        };
        Ok((diff, files))
    }

    /// Takes a pack's files as they stand. With `shown`, only in the state whose digest a person saw.
    ///
    /// # Errors
    /// A pack that is not installed or cannot be read, files that changed since they were shown, a
    /// store that cannot be written.
    pub fn accept(
        &self,
        id: &str,
        shown: Option<&Digest>,
        now: jiff::Timestamp,
    ) -> Result<Diff, PackError> {
        let _lock = self.lock_to_change()?;
        let mut lock_file = LockFile::read(&self.lock_file())?;
        let entry = self.entry(id)?;
        let (diff, files) = self.diff_of(&entry)?;
        if shown.is_some_and(|digest| *digest != diff.pack.digest) {
            return Err(PackError::Changed { id: entry.id });
        }
        if entry.linked.is_none() {
            // The bytes that were read and judged, whatever stands in the folder meanwhile.
            files::write(&self.copy_of(&entry.id), &files)?;
        }
        files::write(&self.accepted_of(&entry.id), &files)?;
        lock_file.set(Entry {
            version: diff.pack.version.clone(),
            digest: diff.pack.digest,
            installed_at: now,
            ..entry
        });
        lock_file.write(&self.lock_file())?;
        Ok(diff)
    }

    /// Takes a pack away. A linked pack's own folder stays.
    ///
    /// # Errors
    /// A pack that is not installed, a store that cannot be written.
    pub fn uninstall(&self, id: &str) -> Result<(), PackError> {
        let _lock = self.lock_to_change()?;
        let mut lock_file = LockFile::read(&self.lock_file())?;
        let known = lock_file.ids();
        let id = PackId::new(id)
            .filter(|id| lock_file.get(id).is_some())
            .ok_or_else(|| unknown(id, &known))?;
        // First the word, then the files: what is left behind by a crash is no pack.
        lock_file.remove(&id);
        lock_file.write(&self.lock_file())?;
        files::remove(&self.copy_of(&id))?;
        files::remove(&self.accepted_of(&id))?;
        if bundled::is_demo(id.as_str()) {
            self.unlink_tool(id.as_str())?;
        }
        Ok(())
    }

    /// What a person took, when it is kept and still is what they took.
    fn accepted(&self, entry: &Entry) -> Option<(Pack, PackFiles)> {
        let files = files::read(&self.accepted_of(&entry.id)).ok()?;
        let pack = Pack::read(&files).ok()?;
        (pack.digest == entry.digest).then_some((pack, files))
    }

    /// A demo tool's link serves the bundled pack alone.
    fn set_tool(&self, id: &PackId, origin: &Origin, program: &Path) -> Result<(), PackError> {
        if !bundled::is_demo(id.as_str()) {
            return Ok(());
        }
        match origin {
            Origin::Bundled => self.link_tool(id.as_str(), program),
            Origin::Copied(_) | Origin::Linked(_) => self.unlink_tool(id.as_str()),
        }
    }
}

fn read_source(source: &Source) -> Result<(Origin, PackFiles), PackError> {
    match source {
        Source::Bundled(pack) => Ok((Origin::Bundled, pack.files())),
        Source::Path(path) => {
            let folder = resolved(path)?;
            let files = files::read(&folder)?;
            Ok((Origin::Copied(folder), files))
        }
        Source::Link(path) => {
            let folder = resolved(path)?;
            let files = files::read(&folder)?;
            Ok((Origin::Linked(folder), files))
        }
    }
}

fn resolved(path: &Path) -> Result<PathBuf, PackError> {
    let failed = |source| PackError::Read {
        path: path.to_owned(),
        source,
    };
    let folder = fs::canonicalize(path).map_err(failed)?;
    if !folder.is_dir() {
        return Err(failed(std::io::Error::other("a pack is a folder")));
    }
    Ok(folder)
}
