//! Which file a program's name stands for.
//!
//! A name is resolved once, and that file is bound and run. A program that somebody else could have
//! put in place is refused: one in the working directory, and one in a folder that others can write.

use crate::fsutil::{OVERFLOW_UID, loosely_writable, owned_by_reader_or_root};
use hcp_core::text::{quoted, safe};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where a name is looked for.
#[derive(Debug, Clone, Copy)]
pub enum SearchIn<'s> {
    /// The folders of `PATH`.
    Path(&'s OsStr),
    /// One folder alone, for programs that the store itself brings.
    Folder(&'s Path),
}

/// A program's file, as it was when it was looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its path with every link followed: what is run.
    pub path: PathBuf,
    /// Its path as it was found: what a person knows it by.
    pub found: PathBuf,
    /// Its device.
    pub dev: u64,
    /// Its inode.
    pub ino: u64,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub mtime_ns: i128,
}

/// Why there is no program to run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// No folder holds it.
    #[error("the program {} was not found; install it, or add its folder to PATH", quoted(.name))]
    NotFound {
        /// The name.
        name: String,
    },
    /// It is no name and no absolute path.
    #[error("the program {} is a relative path; name it alone or by its whole path", quoted(.name))]
    Relative {
        /// The name.
        name: String,
    },
    /// The only one found stands where the call would run.
    #[error("{} stands in the working directory, where a project could have put it; go to another folder or install it", safe(&path.to_string_lossy()))]
    InWorkingDirectory {
        /// The file.
        path: PathBuf,
    },
    /// The only one found could have been put there by others.
    #[error("others could have put {} in place ({reason}); {mend}", safe(&path.to_string_lossy()))]
    Writable {
        /// The file.
        path: PathBuf,
        /// Which folder or file is open to others.
        reason: String,
        /// What to do.
        mend: String,
    },
    /// A file of that name is there and cannot be run.
    #[error("{} is not a program that you may run; chmod +x it, or name another", safe(&path.to_string_lossy()))]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
}

/// Looks a program up. Folders whose program is refused are passed over; when no other holds one, the
/// first refusal is the answer.
///
/// # Errors
/// A name that nothing stands for, or only what may not be run.
pub fn resolve(name: &str, search: SearchIn<'_>, cwd: &Path) -> Result<Program, ProgramError> {
    if name.contains('/') {
        return by_path(name, cwd);
    }
    let missing = || ProgramError::NotFound {
        name: name.to_owned(),
    };
    if name.is_empty() || name == "." || name == ".." || name.contains('\0') {
        return Err(missing());
    }
    let mut refused: Option<ProgramError> = None;
    for folder in folders(search) {
        // An empty or relative entry of PATH means a place under the working directory.
        let relative = !folder.is_absolute();
        let candidate = cwd.join(&folder).join(name);
        let found = if relative {
            candidate.symlink_metadata().is_ok().then(|| {
                let path = candidate.clone();
                Err(ProgramError::InWorkingDirectory { path })
            })
        } else {
            examine(&candidate, cwd)
        };
        match found {
            Some(Ok(program)) => return Ok(program),
            Some(Err(error)) => refused = Some(refused.unwrap_or(error)),
            None => {}
        }
    }
    Err(refused.unwrap_or_else(missing))
}

fn folders(search: SearchIn<'_>) -> Vec<PathBuf> {
    match search {
        SearchIn::Path(path) => std::env::split_paths(path).collect(),
        SearchIn::Folder(folder) => vec![folder.to_owned()],
    }
}

fn by_path(name: &str, cwd: &Path) -> Result<Program, ProgramError> {
    let path = Path::new(name);
    if !path.is_absolute() {
        return Err(ProgramError::Relative {
            name: name.to_owned(),
        });
    }
    examine(path, cwd).unwrap_or_else(|| {
        Err(ProgramError::NotFound {
            name: name.to_owned(),
        })
    })
}

/// The program at a path, `None` when nothing is there.
fn examine(found: &Path, cwd: &Path) -> Option<Result<Program, ProgramError>> {
    found.symlink_metadata().ok()?;
    Some(checked(found, cwd))
}

fn checked(found: &Path, cwd: &Path) -> Result<Program, ProgramError> {
    let unfit = || ProgramError::NotExecutable {
        path: found.to_owned(),
    };
    let path = found.canonicalize().map_err(|_| unfit())?;
    let meta = path.metadata().map_err(|_| unfit())?;
    if !meta.is_file() || !may_run(&path) {
        return Err(unfit());
    }
    if is_folder_of(&path, cwd) || is_folder_of(found, cwd) {
        return Err(ProgramError::InWorkingDirectory {
            path: found.to_owned(),
        });
    }
    for file in [found, path.as_path()] {
        let folder = file.parent().unwrap_or(file);
        let folder_meta = folder.metadata().map_err(|_| unfit())?;
        open_to_others(found, folder, &folder_meta)?;
    }
    open_to_others(found, &path, &meta)?;
    Ok(Program {
        dev: meta.dev(),
        ino: meta.ino(),
        size: meta.size(),
        mtime_ns: i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()),
        path,
        found: found.to_owned(),
    })
}

fn may_run(path: &Path) -> bool {
    nix::unistd::access(path, nix::unistd::AccessFlags::X_OK).is_ok()
}

fn is_folder_of(file: &Path, cwd: &Path) -> bool {
    let Some(folder) = file.parent() else {
        return false;
    };
    match (folder.metadata(), cwd.metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => folder == cwd,
    }
}

/// Refuses what group or others may write, a sticky folder included: there anyone may add a file.
fn open_to_others(found: &Path, what: &Path, meta: &Metadata) -> Result<(), ProgramError> {
    let shown = safe(&what.to_string_lossy());
    let (reason, mend) = if loosely_writable(meta) {
        (
            format!("group or others may write {shown}"),
            format!("chmod go-w {shown}"),
        )
    } else if !owned_by_reader_or_root(meta) && meta.uid() != OVERFLOW_UID {
        (
            format!("{shown} belongs to another user"),
            "install it in a folder of your own or root's".to_owned(),
        )
    } else {
        return Ok(());
    };
    Err(ProgramError::Writable {
        path: found.to_owned(),
        reason,
        mend,
    })
}

#[cfg(test)]
mod tests;
