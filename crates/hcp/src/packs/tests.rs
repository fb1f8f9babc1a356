//! The packs folder against real files, and the bundled packs against the loader and the real tools.

mod bundled_packs;
mod folder;
mod git;
mod lock_file;
mod round_trip;

use super::{Caller, Installed, PackError, PacksFolder, Replace, Source};
use std::path::{Path, PathBuf};

/// A store of its own, and a folder beside it.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn packs(&self) -> PacksFolder {
        PacksFolder::new(&self.path())
    }

    fn install(&self, word: &str) -> Result<Installed, PackError> {
        self.install_from(&Source::resolve(word)?, Replace::No)
    }

    fn install_from(&self, source: &Source, replace: Replace) -> Result<Installed, PackError> {
        let program = Path::new("/opt/hcpx");
        self.packs().install(source, replace, now(), program)
    }

    /// A pack of one's own outside the store.
    fn write_pack(&self, name: &str, policy: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).unwrap();
        write(
            "pack.json",
            r#"{ "id": "shop", "name": "Shop", "version": "1.0.0", "summary": "A shop." }"#,
        );
        write(
            "surface.json",
            r#"{ "commands": { "buy": { "description": "Buy a thing.", "cli": ["shop", "buy", "--", "{{thing}}"],
                "args": { "type": "object", "properties": { "thing": { "type": "string", "description": "What" } },
                "required": ["thing"] } } } }"#,
        );
        write("policy.json", policy);
        folder
    }
}

const ASKS: &str = r#"{ "commands": { "buy": { "operation": "write", "confirm": "ask" } } }"#;
const NEVER: &str = r#"{ "commands": { "buy": { "operation": "read" } } }"#;

fn now() -> jiff::Timestamp {
    "2026-12-01T12:00:00Z".parse().unwrap()
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {}", path.display());
    std::fs::write(path, text.replace(from, to)).unwrap();
}
