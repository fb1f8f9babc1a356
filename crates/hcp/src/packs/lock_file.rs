//! The lock file: what is installed, in which state a person took it, and from where.
//!
//! It is the word of a person, so it is read strictly and fails closed, and nobody else may write it.

use super::files::read_file;
use super::{Listed, Origin, PackError, error::shown};
use crate::fsutil::write_atomically;
use hcp_core::canonical::Digest;
use hcp_core::diagnostic::{Fault, Source};
use hcp_core::fields::{self, Fields};
use hcp_core::json::{self, Limits, Member, Node, Object};
use hcp_core::names::PackId;
use hcp_core::text::quoted;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The source of a bundled pack.
const BUNDLED: &str = "bundled";

/// One installed pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: PackId,
    pub(super) version: String,
    pub(super) digest: Digest,
    /// `bundled`, or a folder.
    pub(super) source: String,
    pub(super) linked: Option<PathBuf>,
    pub(super) installed_at: jiff::Timestamp,
}

/// All installed packs.
#[derive(Debug, Default)]
pub(super) struct LockFile(Vec<Entry>);

impl Entry {
    pub(super) fn origin(&self) -> Origin {
        match &self.linked {
            Some(folder) => Origin::Linked(folder.clone()),
            None if self.source == BUNDLED => Origin::Bundled,
            None => Origin::Copied(PathBuf::from(&self.source)),
        }
    }

    pub(super) fn listed(self) -> Listed {
        Listed {
            id: self.id,
            version: self.version,
            digest: self.digest,
            source: self.source,
            linked: self.linked.map(|path| path.display().to_string()),
            installed_at: self.installed_at,
        }
    }

    fn to_object(&self) -> Object {
        let mut object = Object::new()
            .with("version", self.version.as_str())
            .with("digest", self.digest.to_string())
            .with("source", self.source.as_str());
        if let Some(folder) = self.linked.as_deref().and_then(Path::to_str) {
            object.insert("linked", folder);
        }
        object.with("installed_at", self.installed_at.to_string())
    }
}

/// The two ways to write where a pack came from.
pub(super) fn origin_text(origin: &Origin) -> Result<(String, Option<PathBuf>), PackError> {
    let text = |path: &Path| match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(PackError::PathNotText(path.to_owned())),
    };
    match origin {
        Origin::Bundled => Ok((BUNDLED.to_owned(), None)),
        Origin::Copied(folder) => Ok((text(folder)?, None)),
        Origin::Linked(folder) => Ok((text(folder)?, Some(folder.clone()))),
    }
}

impl LockFile {
    /// Reads the lock file; without one nothing is installed.
    pub(super) fn read(path: &Path) -> Result<Self, PackError> {
        let Some(bytes) = read_file(path)? else {
            return Ok(Self::default());
        };
        check_owner(path)?;
        let mut faults = Vec::new();
        let entries = match json::parse_bytes(&bytes, Limits::default()) {
            Ok(node) => read_entries(&node, &mut faults),
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        match entries {
            Some(entries) if faults.is_empty() => Ok(Self(entries)),
            Some(_) | None => {
                let text = String::from_utf8_lossy(&bytes);
                let source = Source::new(shown(path), &text);
                let found = faults.iter().map(|fault| source.locate(fault)).collect();
                Err(PackError::Invalid(found))
            }
        }
    }

    /// Replaces the lock file.
    pub(super) fn write(&self, path: &Path) -> Result<(), PackError> {
        let packs: Object = self
            .0
            .iter()
            .map(|entry| (entry.id.to_string(), entry.to_object().into()))
            .collect();
        let failed = |source| PackError::Write {
            path: path.to_owned(),
            source,
        };
        let mut bytes = serde_json::to_vec_pretty(&Object::new().with("packs", packs))
            .map_err(|e| failed(e.into()))?;
        bytes.push(b'\n');
        write_atomically(path, &bytes).map_err(failed)
    }

    /// The entry of an id, or all the ids that there are.
    pub(super) fn take(self, id: &str) -> Result<Entry, Vec<PackId>> {
        let found = self.0.iter().find(|entry| entry.id.as_str() == id).cloned();
        found.ok_or_else(|| self.ids())
    }

    /// The entry of an id.
    pub(super) fn get(&self, id: &PackId) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.id == *id)
    }

    /// All ids.
    pub(super) fn ids(&self) -> Vec<PackId> {
        self.0.iter().map(|entry| entry.id.clone()).collect()
    }

    /// Sets the entry of an id.
    pub(super) fn set(&mut self, entry: Entry) {
        self.remove(&entry.id);
        self.0.push(entry);
        self.0.sort_by(|a, b| a.id.cmp(&b.id));
    }

    /// Takes the entry of an id out.
    pub(super) fn remove(&mut self, id: &PackId) {
        self.0.retain(|entry| entry.id != *id);
    }
}

impl IntoIterator for LockFile {
    type Item = Entry;
    type IntoIter = std::vec::IntoIter<Entry>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

fn check_owner(path: &Path) -> Result<(), PackError> {
    let found = fs::symlink_metadata(path).map_err(|source| PackError::Read {
        path: path.to_owned(),
        source,
    })?;
    let me = nix::unistd::geteuid().as_raw();
    if found.uid() != me && found.uid() != 0 {
        return Err(PackError::Unsafe {
            path: path.to_owned(),
            what: "belongs to another user, so it decides nothing",
            mend: "look who put it there, and install the packs again".to_owned(),
        });
    }
    if found.mode() & 0o022 != 0 {
        return Err(PackError::Unsafe {
            path: path.to_owned(),
            what: "can be written by others, so it decides nothing",
            mend: format!("chmod go-w {}", shown(path)),
        });
    }
    Ok(())
}

fn read_entries(node: &Node, faults: &mut Vec<Fault>) -> Option<Vec<Entry>> {
    let mut object = Fields::open(node, "the lock file", faults)?;
    let packs = object.required("packs", faults);
    object.finish(faults);
    let packs = Fields::open(packs?, "the list of packs", faults)?;
    let entries = packs.members().iter();
    Some(entries.filter_map(|m| read_entry(m, faults)).collect())
}

fn read_entry(member: &Member, faults: &mut Vec<Fault>) -> Option<Entry> {
    let id = PackId::new(&member.key);
    if id.is_none() {
        let message = format!("{} is no pack id", quoted(&member.key));
        faults.push(Fault::at(member.key_span, message));
    }
    let mut object = Fields::open(&member.value, "an installed pack", faults)?;
    let version = object.required("version", faults);
    let digest = object.required("digest", faults);
    let source = object.required("source", faults);
    let linked = object.optional("linked");
    let installed_at = object.required("installed_at", faults);
    object.finish(faults);
    let version = version.and_then(|node| fields::string(node, faults));
    let digest = digest.and_then(|node| {
        let what = "this must be a digest of 64 hexadecimal digits";
        read_as(node, what, Digest::from_hex, faults)
    });
    let source = source.and_then(|node| fields::string(node, faults));
    let linked = linked.and_then(|node| {
        let absolute = |text: &str| Some(PathBuf::from(text)).filter(|path| path.is_absolute());
        read_as(node, "this must be an absolute path", absolute, faults)
    });
    let installed_at = installed_at.and_then(|node| {
        let what = "this must be a time such as 2026-01-31T12:00:00Z";
        read_as(node, what, |text| text.parse().ok(), faults)
    });
    Some(Entry {
        id: id?,
        version: version?.to_owned(),
        digest: digest?,
        source: source?.to_owned(),
        linked,
        installed_at: installed_at?,
    })
}

fn read_as<T>(
    node: &Node,
    message: &str,
    read: impl FnOnce(&str) -> Option<T>,
    faults: &mut Vec<Fault>,
) -> Option<T> {
    let value = read(fields::string(node, faults)?);
    if value.is_none() {
        faults.push(Fault::at(node.span, message));
    }
    value
}
