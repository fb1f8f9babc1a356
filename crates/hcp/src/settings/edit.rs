//! Changing a settings file: lock, read anew, change, validate, write beside, rename.

use super::{SettingsError, Trust, parse, read_bytes};
use crate::fsutil::{self, PATIENCE};
use hcp_core::canonical::{Digest, Tag, digest_bytes};
use hcp_core::code::Code;
use hcp_core::json::{self, Kind, Limits, Object, Value};
use hcp_core::text::safe;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<T> {
    /// Digest of the file before; `None` when there was none.
    pub before: Option<Digest>,
    /// Digest of the file after.
    pub after: Digest,
    /// What the change gave back.
    pub value: T,
}

/// Why settings were not changed. The file stands as it was.
#[derive(Debug, thiserror::Error)]
pub enum EditError<E> {
    /// The file as it stands, or as it would be, is not valid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The change itself was refused.
    #[error("{0}")]
    Refused(E),
    /// The file system.
    #[error("{}: these settings cannot be written: {error}", safe(&path.to_string_lossy()))]
    Io {
        /// The file or its folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl<E> EditError<E> {
    /// The result code of a command that stops for this; `None` where the change itself refused.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Settings(_) | Self::Io { .. } => Some(Code::AccessInvalid),
            Self::Refused(_) => None,
        }
    }
}

/// Changes a settings file. The order of keys and rules stays, and a file that is not there begins empty.
///
/// # Errors
/// The file's faults before or after the change, what `change` refuses, and whatever the file system says.
pub fn edit<T, E>(
    path: &Path,
    trust: Trust,
    change: impl FnOnce(&mut Object) -> Result<T, E>,
) -> Result<Change<T>, EditError<E>> {
    edit_within(path, trust, PATIENCE, change)
}

/// Like [`edit`], and calls `record` with the digests before and after when the change is sure to be valid
/// and not made yet: what cannot be recorded is not done.
///
/// # Errors
/// As there, and what `record` refuses.
pub fn edit_recorded<T, E>(
    path: &Path,
    trust: Trust,
    change: impl FnOnce(&mut Object) -> Result<T, E>,
    record: impl FnOnce(Option<Digest>, Digest) -> Result<(), E>,
) -> Result<Change<T>, EditError<E>> {
    edit_with(path, trust, PATIENCE, change, record)
}

/// Like [`edit`], with a patience of the caller's for the lock.
///
/// # Errors
/// As there.
pub fn edit_within<T, E>(
    path: &Path,
    trust: Trust,
    patience: Duration,
    change: impl FnOnce(&mut Object) -> Result<T, E>,
) -> Result<Change<T>, EditError<E>> {
    edit_with(path, trust, patience, change, |_, _| Ok(()))
}

fn edit_with<T, E>(
    path: &Path,
    trust: Trust,
    patience: Duration,
    change: impl FnOnce(&mut Object) -> Result<T, E>,
    record: impl FnOnce(Option<Digest>, Digest) -> Result<(), E>,
) -> Result<Change<T>, EditError<E>> {
    let failed = |error| EditError::Io {
        path: path.to_owned(),
        error,
    };
    // A link (as people keep who version their settings) stays one: its target is what changes.
    let target = target(path).map_err(failed)?;
    let folder = target.parent().ok_or(io::ErrorKind::InvalidInput.into());
    let folder = folder.map_err(failed)?;
    fsutil::make_private_folder(folder).map_err(failed)?;
    let lock = fsutil::lock_folder(folder, patience).map_err(failed)?;
    // What cannot be cleared away changes nothing about these settings.
    let _ = fsutil::remove_left_over(folder);
    let name = path.to_string_lossy();
    let before = read_bytes(&target, trust)?;
    let mut body = match &before {
        Some(bytes) => object(&name, bytes)?,
        None => Object::new(),
    };
    let value = change(&mut body).map_err(EditError::Refused)?;
    let after = pretty(&body).map_err(failed)?;
    parse(&name, &after)?;
    let digest = |bytes: &Vec<u8>| digest_bytes(Tag::Settings, bytes);
    record(before.as_ref().map(digest), digest(&after)).map_err(EditError::Refused)?;
    if before.as_ref() != Some(&after) {
        let mode = mode_of(&target);
        fsutil::write_atomically_as(&target, &after, mode).map_err(failed)?;
    }
    drop(lock);
    Ok(Change {
        before: before.as_ref().map(digest),
        after: digest(&after),
        value,
    })
}

fn target(path: &Path) -> io::Result<PathBuf> {
    match path.symlink_metadata() {
        Ok(meta) if meta.file_type().is_symlink() => path.canonicalize(),
        Ok(_) => Ok(path.to_owned()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(e) => Err(e),
    }
}

fn object(name: &str, bytes: &[u8]) -> Result<Object, SettingsError> {
    // Validated first, so that what is kept in the text is what the rules mean.
    parse(name, bytes)?;
    let limits = Limits {
        bytes: super::LARGEST,
        ..Limits::default()
    };
    match json::parse_bytes(bytes, limits) {
        Ok(node) if matches!(node.kind, Kind::Object(_)) => match node.to_value() {
            Value::Object(object) => Ok(object),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Ok(Object::new()),
        },
        Ok(_) | Err(_) => Err(SettingsError::one(
            name,
            "these settings are no object",
            None,
        )),
    }
}

fn pretty(body: &Object) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(body)?;
    text.push(b'\n');
    Ok(text)
}

/// A new file is the person's alone; one that others may read stays readable, and is never left writable.
fn mode_of(path: &Path) -> u32 {
    path.metadata()
        .map_or(0o600, |meta| (meta.permissions().mode() & 0o755) | 0o600)
}
