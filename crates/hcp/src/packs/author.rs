//! The folders of packs that are being written: found, read as they stand, and mended in place.
//!
//! Nothing here installs, and no link is followed: a folder that a link leads to is somebody else's.

use super::files::{self, POLICY, SURFACE};
use super::{PackError, bundled};
use crate::fsutil::write_atomically_as;
use crate::program::{ProgramError, SearchIn, resolve};
use hcp_core::json::{Limits, parse_bytes};
use hcp_pack::PackFiles;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How deep packs are looked for below a folder.
const DEPTH_MAX: usize = 6;
/// How many folders are looked into.
const FOLDERS_MAX: usize = 20_000;

/// Whether a folder holds a pack, whole or begun.
#[must_use]
pub fn is_pack_folder(folder: &Path) -> bool {
    let there = |name: &str| fs::symlink_metadata(folder.join(name)).is_ok_and(|m| !m.is_dir());
    (there(files::PACK) || (there(SURFACE) && there(POLICY))) && !holds_schemas(folder)
}

/// Whether the file is a JSON Schema of that name: `hcpx schema pack > pack.json` writes one.
fn holds_schemas(folder: &Path) -> bool {
    let bytes = files::read_file(&folder.join(files::PACK)).ok().flatten();
    let node = bytes.and_then(|bytes| parse_bytes(&bytes, Limits::default()).ok());
    node.is_some_and(|node| node.get("id").is_none() && node.get("properties").is_some())
}

/// The packs below a folder, in order. Hidden folders, links and the folders of build tools are passed over.
#[must_use]
pub fn pack_folders_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = waiting.pop() {
        seen += 1;
        if is_pack_folder(&folder) {
            found.push(folder);
            continue;
        }
        if depth == DEPTH_MAX || seen > FOLDERS_MAX {
            continue;
        }
        // A folder that cannot be listed holds nothing that could be checked.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let passed = name.as_encoded_bytes().starts_with(b".")
                || ["node_modules", "target"].iter().any(|n| name == *n);
            if !passed && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push((entry.path(), depth + 1));
            }
        }
    }
    found.sort();
    found
}

/// The files of a pack as they stand; one that is missing is empty, which the reader of packs then says.
///
/// # Errors
/// A file that is a link or no regular file, or cannot be read.
pub fn read_unfinished(folder: &Path) -> Result<PackFiles, PackError> {
    let read = |name: &str| files::read_file(&folder.join(name));
    Ok(PackFiles {
        folder: folder.display().to_string(),
        pack: read(files::PACK)?.unwrap_or_default(),
        surface: read(SURFACE)?.unwrap_or_default(),
        policy: read(POLICY)?.unwrap_or_default(),
        skill: read(files::SKILL)?,
    })
}

/// Writes the Surface and the Policy of a pack where they differ from what was read. Each file keeps its mode.
///
/// # Errors
/// A file that somebody changed meanwhile, that has become a link, or that cannot be written.
pub fn write_mended(folder: &Path, before: &PackFiles, after: &PackFiles) -> Result<(), PackError> {
    for (name, old, new) in [
        (SURFACE, &before.surface, &after.surface),
        (POLICY, &before.policy, &after.policy),
    ] {
        if old == new {
            continue;
        }
        let path = folder.join(name);
        let failed = |source| PackError::Write {
            path: path.clone(),
            source,
        };
        if files::read_file(&path)?.as_ref() != Some(old) {
            return Err(failed(io::Error::other("it was changed meanwhile")));
        }
        let mode = fs::symlink_metadata(&path)
            .map_err(failed)?
            .permissions()
            .mode();
        write_atomically_as(&path, new, mode & 0o777).map_err(failed)?;
    }
    Ok(())
}

/// Of the programs of a pack those that this machine does not have. The demo tools are part of `hcpx`.
#[must_use]
pub fn programs_not_found(programs: &[String], search: &OsStr, cwd: &Path) -> Vec<String> {
    let missing = |name: &str| {
        !bundled::is_demo(name)
            && matches!(
                resolve(name, SearchIn::Path(search), cwd),
                Err(ProgramError::NotFound { .. })
            )
    };
    programs
        .iter()
        .filter(|name| missing(name))
        .cloned()
        .collect()
}
