//! The links by which the demo tools are started: the `hcpx` binary, called by their names.

use super::{PackError, PacksFolder, create_private};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

impl PacksFolder {
    /// Sees to it that the link of a demo tool leads to `program`, the running `hcpx`. It is made
    /// when it is not there and replaced when it leads elsewhere.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn link_tool(&self, tool: &str, program: &Path) -> Result<(), PackError> {
        let link = self.bin().join(tool);
        if fs::read_link(&link).is_ok_and(|target| target == program) {
            return Ok(());
        }
        create_private(&self.bin())?;
        self.replace_link(&link, program)
            .map_err(|source| PackError::Write { path: link, source })
    }

    fn replace_link(&self, link: &Path, program: &Path) -> io::Result<()> {
        // A name of its own inside a fresh folder: nobody else can have made it.
        let beside = tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(self.bin())?;
        let fresh = beside.path().join("link");
        symlink(program, &fresh)?;
        fs::rename(&fresh, link)
    }

    /// Takes the link of a demo tool away.
    pub(super) fn unlink_tool(&self, tool: &str) -> Result<(), PackError> {
        let link: PathBuf = self.bin().join(tool);
        match fs::remove_file(&link) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(PackError::Write { path: link, source })
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}
