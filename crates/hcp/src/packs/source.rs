//! What can be installed: a bundled pack by its name, or a folder by its path.

use super::{BundledPack, PackError, bundled};
use hcp_core::names::did_you_mean;
use std::path::PathBuf;

/// What to install.
#[derive(Debug, Clone)]
pub enum Source {
    /// A bundled pack.
    Bundled(&'static BundledPack),
    /// A copy of this folder.
    Path(PathBuf),
    /// This folder itself, followed as it changes: for the authors of packs.
    Link(PathBuf),
}

impl Source {
    /// What a word of a command line stands for: the name of a bundled pack, else a folder, when it
    /// has a slash or is there.
    ///
    /// # Errors
    /// A word that is neither.
    pub fn resolve(word: &str) -> Result<Self, PackError> {
        if let Some(pack) = bundled().iter().find(|pack| pack.id == word) {
            return Ok(Self::Bundled(pack));
        }
        let path = PathBuf::from(word);
        if word.contains('/') || path.is_dir() {
            return Ok(Self::Path(path));
        }
        let near = did_you_mean(word, bundled().iter().map(|pack| pack.id));
        Err(PackError::NoSource {
            name: word.to_owned(),
            did_you_mean: near.map(str::to_owned),
        })
    }
}
