//! The files of a pack on disk: read once, without following a link at the end; written whole.

use super::{PackError, create_private};
use crate::fsutil::write_atomically;
use hcp_core::diagnostic::Diagnostic;
use hcp_pack::PackFiles;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The longest file that the reader takes; one byte more is read, so that it can say so.
const LARGEST: u64 = 4 << 20;

pub(super) const PACK: &str = "pack.json";
pub(super) const SURFACE: &str = "surface.json";
pub(super) const POLICY: &str = "policy.json";
pub(super) const SKILL: &str = "SKILL.md";

/// Reads the files of a pack. Those that must be there and are not are all named.
pub(super) fn read(folder: &Path) -> Result<PackFiles, PackError> {
    let mut missing = Vec::new();
    let mut must = |name| match read_file(&folder.join(name)) {
        Ok(None) => {
            missing.push(no_such_file(folder, name));
            Ok(Vec::new())
        }
        Ok(Some(bytes)) => Ok(bytes),
        Err(e) => Err(e),
    };
    let (pack, surface, policy) = (must(PACK)?, must(SURFACE)?, must(POLICY)?);
    let skill = read_file(&folder.join(SKILL))?;
    if !missing.is_empty() {
        return Err(PackError::Invalid(missing));
    }
    Ok(PackFiles {
        folder: folder.display().to_string(),
        pack,
        surface,
        policy,
        skill,
    })
}

/// Reads one regular file; `None` where there is none.
pub(super) fn read_file(path: &Path) -> Result<Option<Vec<u8>>, PackError> {
    let failed = |source| PackError::Read {
        path: path.to_owned(),
        source,
    };
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    let flags = nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK | nix::libc::O_CLOEXEC;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) if e.raw_os_error() == Some(nix::libc::ELOOP) => {
            return Err(failed(io::Error::other(
                "this is a link, and links are not followed here",
            )));
        }
        Err(e) => return Err(failed(e)),
    };
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("this is not a regular file")));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(Some(bytes))
}

/// Writes the files of a pack. Each is replaced whole; until the lock file names their digest, a mix
/// of old and new is a pack that does not run.
pub(super) fn write(folder: &Path, files: &PackFiles) -> Result<(), PackError> {
    let failed = |source| PackError::Write {
        path: folder.to_owned(),
        source,
    };
    if fs::symlink_metadata(folder).is_ok_and(|m| !m.is_dir()) {
        fs::remove_file(folder).map_err(failed)?;
    }
    create_private(folder)?;
    for (name, bytes) in [
        (PACK, &files.pack),
        (SURFACE, &files.surface),
        (POLICY, &files.policy),
    ] {
        write_atomically(&folder.join(name), bytes).map_err(failed)?;
    }
    let skill = folder.join(SKILL);
    match &files.skill {
        Some(bytes) => write_atomically(&skill, bytes).map_err(failed),
        None => match fs::remove_file(&skill) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(e)),
            Ok(()) | Err(_) => Ok(()),
        },
    }
}

/// Takes a folder away, or a link in its place.
pub(super) fn remove(folder: &Path) -> Result<(), PackError> {
    let removed = match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(folder),
        Ok(_) => fs::remove_file(folder),
        Err(e) => Err(e),
    };
    match removed {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(PackError::Write {
            path: folder.to_owned(),
            source,
        }),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn no_such_file(folder: &Path, name: &str) -> Diagnostic {
    Diagnostic {
        file: folder.join(name).display().to_string(),
        line: 1,
        column: 1,
        message: "the pack has no such file".to_owned(),
        help: Some(format!(
            "a pack is a folder with {PACK}, {SURFACE} and {POLICY}"
        )),
    }
}
