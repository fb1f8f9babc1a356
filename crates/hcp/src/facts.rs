//! What an approval binds of the world around a call: program, folder, variables, input, files.
//!
//! Each fact is a value that goes into the canonical form. It reads files and folders and changes nothing.

use crate::program::Program;
use hcp_core::canonical::{Digest, Tag, digest, sha256};
use hcp_core::json::{Object, Value};
use hcp_core::text::safe;
use sha2::{Digest as _, Sha256};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The largest file whose content is bound.
pub const LARGEST_FILE: u64 = 256 << 20;

/// Why a fact cannot be bound.
#[derive(Debug, thiserror::Error)]
pub enum FactError {
    /// A device, pipe or socket: its content is no fact.
    #[error("{} is {kind}, not a file or folder; give a regular file", safe(&path.to_string_lossy()))]
    Special {
        /// The path.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// More than is read for a question.
    #[error("{} has {bytes} bytes, and a file that is bound by its content may have 268435456; the pack can say \"x-content\": false", safe(&path.to_string_lossy()))]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// It changed while it was read.
    #[error("{} changed while it was read; try again", safe(&path.to_string_lossy()))]
    Changing {
        /// The path.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {error}", safe(&path.to_string_lossy()))]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

fn failed(path: &Path) -> impl Fn(io::Error) -> FactError + '_ {
    |error| FactError::Io {
        path: path.to_owned(),
        error,
    }
}

/// A text of the system as a value. One that is no UTF-8 becomes an object of its bytes, so that no two share a
/// value.
#[must_use]
pub fn os_value(text: &OsStr) -> Value {
    match text.to_str() {
        Some(text) => text.into(),
        None => {
            let hex: String = text.as_bytes().iter().map(|b| format!("{b:02x}")).collect();
            Object::new().with("bytes", hex).into()
        }
    }
}

/// The program's path, device, inode, size and time of change.
#[must_use]
pub fn program_fact(program: &Program) -> Value {
    Object::new()
        .with("path", os_value(program.path.as_os_str()))
        .with("dev", program.dev)
        .with("ino", program.ino)
        .with("size", program.size)
        .with("mtime_ns", program.mtime_ns.to_string())
        .into()
}

/// The working directory's path, device and inode.
///
/// # Errors
/// A folder that is gone or cannot be read.
pub fn cwd_fact(cwd: &Path) -> Result<Value, FactError> {
    let real = cwd.canonicalize().map_err(failed(cwd))?;
    let meta = real.metadata().map_err(failed(cwd))?;
    Ok(entry(&real, &meta).into())
}

/// The digest of the variables that a pack declares, those that are not set included. `null` for a pack that
/// declares none.
#[must_use]
pub fn env_fact(declared: &[String], env: &[(OsString, OsString)]) -> Value {
    if declared.is_empty() {
        return Value::Null;
    }
    let variables: Object = declared
        .iter()
        .map(|name| {
            let value = env.iter().find(|(n, _)| n == name.as_str());
            let value = value.map_or(Value::Null, |(_, v)| os_value(v));
            (name.clone(), value)
        })
        .collect();
    let fact = Object::new().with("env", variables);
    digest(Tag::Binding, &fact.into()).to_string().into()
}

/// The digest and length of standard input, `null` for none.
#[must_use]
pub fn stdin_fact(stdin: Option<&[u8]>) -> Value {
    stdin.map_or(Value::Null, |bytes| {
        Object::new()
            .with("sha256", sha256(bytes).to_string())
            .with("bytes", bytes.len() as u64)
            .into()
    })
}

/// What a path argument stands for at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFact {
    /// The path with links followed, as far as it is there.
    pub path: PathBuf,
    /// What is there.
    pub state: FileState,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Nothing.
    Absent,
    /// A folder: bound as an entry, not by what is in it.
    Folder {
        /// Its device.
        dev: u64,
        /// Its inode.
        ino: u64,
    },
    /// A file that is bound by its content.
    File {
        /// Its size in bytes.
        bytes: u64,
        /// The content's SHA-256.
        digest: Digest,
    },
    /// A file that is bound as an entry, because its pack says that the content does not matter.
    Entry {
        /// Its device.
        dev: u64,
        /// Its inode.
        ino: u64,
    },
}

impl FileFact {
    /// The fact as it is bound.
    #[must_use]
    pub fn value(&self) -> Value {
        let fact = Object::new().with("path", os_value(self.path.as_os_str()));
        match &self.state {
            FileState::Absent => fact.with("state", "absent"),
            FileState::Folder { dev, ino } => fact
                .with("state", "folder")
                .with("dev", *dev)
                .with("ino", *ino),
            FileState::File { bytes, digest } => fact
                .with("state", "file")
                .with("bytes", *bytes)
                .with("sha256", digest.to_string()),
            FileState::Entry { dev, ino } => fact
                .with("state", "entry")
                .with("dev", *dev)
                .with("ino", *ino),
        }
        .into()
    }

    /// What is there, for the card: "absent", "folder", "file, 2100 bytes, #a1b2c3d4".
    #[must_use]
    pub fn in_words(&self) -> String {
        match &self.state {
            FileState::File { bytes, digest } => {
                format!("file, {bytes} bytes, #{}", digest.short())
            }
            FileState::Absent | FileState::Folder { .. } | FileState::Entry { .. } => {
                self.word().to_owned()
            }
        }
    }

    /// The size of a file whose content is bound.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self.state {
            FileState::File { bytes, .. } => Some(bytes),
            FileState::Absent | FileState::Folder { .. } | FileState::Entry { .. } => None,
        }
    }

    /// What is there, in a word: "absent", "folder", "file".
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.state {
            FileState::Absent => "absent",
            FileState::Folder { .. } => "folder",
            FileState::File { .. } | FileState::Entry { .. } => "file",
        }
    }
}

/// What a path argument stands for. `content` says whether a file's content is bound.
///
/// # Errors
/// A special file, one that is too large, one that cannot be read.
pub fn file_fact(path: &str, cwd: &Path, content: bool) -> Result<FileFact, FactError> {
    let whole = cwd.join(path);
    let meta = match whole.metadata() {
        Ok(meta) => meta,
        Err(e) if is_absent(&e) => {
            return Ok(FileFact {
                path: crate::protect::real_path(&whole),
                state: FileState::Absent,
            });
        }
        Err(e) => return Err(failed(&whole)(e)),
    };
    let real = whole.canonicalize().map_err(failed(&whole))?;
    let (dev, ino) = (meta.dev(), meta.ino());
    let state = match special(&meta) {
        Some(kind) => return Err(FactError::Special { path: whole, kind }),
        None if meta.is_dir() => FileState::Folder { dev, ino },
        None if !content => FileState::Entry { dev, ino },
        None => content_of(&real, &meta)?,
    };
    Ok(FileFact { path: real, state })
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn special(meta: &Metadata) -> Option<&'static str> {
    let kind = meta.file_type();
    if kind.is_file() || kind.is_dir() {
        return None;
    }
    let names = [
        (kind.is_fifo(), "a pipe"),
        (kind.is_socket(), "a socket"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
    ];
    let name = names.iter().find(|(is, _)| *is).map(|(_, name)| *name);
    Some(name.unwrap_or("a special file"))
}

fn content_of(path: &Path, looked_at: &Metadata) -> Result<FileState, FactError> {
    let too_large = |bytes| FactError::TooLarge {
        path: path.to_owned(),
        bytes,
    };
    let changing = || FactError::Changing {
        path: path.to_owned(),
    };
    if looked_at.len() > LARGEST_FILE {
        return Err(too_large(looked_at.len()));
    }
    let file = open(path).map_err(failed(path))?;
    let before = file.metadata().map_err(failed(path))?;
    if identity(&before) != identity(looked_at) {
        return Err(changing());
    }
    let (bytes, digest) = digest_of(&file).map_err(failed(path))?;
    if bytes > LARGEST_FILE {
        return Err(too_large(bytes));
    }
    let after = file.metadata().map_err(failed(path))?;
    if identity(&after) != identity(&before) {
        return Err(changing());
    }
    Ok(FileState::File { bytes, digest })
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        // What became a pipe since it was looked at must not make the program wait.
        .custom_flags(nix::libc::O_CLOEXEC | nix::libc::O_NONBLOCK | nix::libc::O_NOFOLLOW)
        .open(path)
}

fn identity(meta: &Metadata) -> (u64, u64, u64, i64, i64) {
    (
        meta.dev(),
        meta.ino(),
        meta.len(),
        meta.mtime(),
        meta.mtime_nsec(),
    )
}

/// Length and SHA-256, read in blocks and never past the bound.
fn digest_of(file: &File) -> io::Result<(u64, Digest)> {
    let mut hasher = Sha256::new();
    let bytes = io::copy(&mut file.take(LARGEST_FILE + 1), &mut Writer(&mut hasher))?;
    let hex: String = hasher
        .finalize()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let digest = Digest::from_hex(&hex).ok_or(io::ErrorKind::InvalidData)?;
    Ok((bytes, digest))
}

struct Writer<'h>(&'h mut Sha256);

impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn entry(path: &Path, meta: &Metadata) -> Object {
    Object::new()
        .with("path", os_value(path.as_os_str()))
        .with("dev", meta.dev())
        .with("ino", meta.ino())
}

#[cfg(test)]
mod tests;
