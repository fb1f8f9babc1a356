//! What can go wrong with installed packs, and the result code of each.

use super::Change;
use hcp_core::code::Code;
use hcp_core::diagnostic::Diagnostic;
use hcp_core::names::PackId;
use hcp_core::text::{quoted, safe};
use std::io;
use std::path::{Path, PathBuf};

/// Why a pack was not loaded, installed, accepted or taken away.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The lock file names no such pack.
    #[error("no pack {} is installed{}", quoted(name), unknown_help(did_you_mean.as_deref(), *bundled, name))]
    Unknown {
        /// The id that was asked for.
        name: String,
        /// The installed id that was most likely meant.
        did_you_mean: Option<String>,
        /// Whether a pack of this name is bundled.
        bundled: bool,
    },
    /// Nothing to install goes by this name.
    #[error("there is no bundled pack {}{}", quoted(name), bundled_help(did_you_mean.as_deref()))]
    NoSource {
        /// What was asked for.
        name: String,
        /// The bundled pack that was most likely meant.
        did_you_mean: Option<String>,
    },
    /// The files are not what a person installed or accepted.
    #[error(
        "the files of pack {id} are not what was installed, so it does not run: see `hcpx packs diff {id}`, and take the change with `hcpx packs accept {id}`"
    )]
    Changed {
        /// The pack.
        id: PackId,
    },
    /// The files are no pack, or the lock file is broken.
    #[error("{}", lines(.0))]
    Invalid(Vec<Diagnostic>),
    /// Lints find what no pack may hold.
    #[error("{}", lines(.0))]
    Lints(Vec<Diagnostic>),
    /// A file that others can write decides nothing.
    #[error("{} {what}: {mend}", shown(path))]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
        /// The line that mends it.
        mend: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", shown(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", shown(path))]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Somebody else is installing.
    #[error("another process is changing the packs; try again")]
    Busy,
    /// A pack with this id is installed.
    #[error(
        "a pack {id} is installed already; `--replace` puts the new one in its place, and the rules that name {id} then serve the new one"
    )]
    Exists {
        /// The id.
        id: PackId,
        /// What would change.
        changes: Vec<Change>,
    },
    /// The content that a person took last is gone, so that no difference can be shown.
    #[error(
        "what was accepted of pack {id} is not there any more, so no difference can be shown; read its files and install it again with `--replace`"
    )]
    NotKept {
        /// The pack.
        id: PackId,
    },
    /// A path that a JSON file cannot hold.
    #[error("{} is not UTF-8 text; move the pack to another folder", shown(.0))]
    PathNotText(PathBuf),
}

impl PackError {
    /// The result code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Unknown { .. } | Self::NoSource { .. } => Code::UnknownPack,
            Self::Changed { .. } => Code::PackChanged,
            Self::Invalid(_)
            | Self::Lints(_)
            | Self::Unsafe { .. }
            | Self::Read { .. }
            | Self::NotKept { .. } => Code::PackInvalid,
            Self::Write { .. } | Self::Busy => Code::StoreUnavailable,
            Self::Exists { .. } | Self::PathNotText(_) => Code::Usage,
        }
    }
}

/// A path for people.
pub(super) fn shown(path: &Path) -> String {
    safe(&path.to_string_lossy()).to_string()
}

fn lines(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    if lines.is_empty() {
        return "the pack cannot be read".to_owned();
    }
    lines.join("\n")
}

fn unknown_help(near: Option<&str>, bundled: bool, name: &str) -> String {
    match (near, bundled) {
        (Some(near), _) => format!("; did you mean {near}?"),
        (None, true) => format!("; install it with `hcpx install {name}`"),
        (None, false) => "; `hcpx packs` lists those that are".to_owned(),
    }
}

fn bundled_help(near: Option<&str>) -> String {
    near.map_or_else(
        || "; for a folder write its path with a slash, such as ./my-pack".to_owned(),
        |near| format!("; did you mean {near}?"),
    )
}
