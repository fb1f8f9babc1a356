//! The folder that a draft is written into: never in a protected place, and never over files that no draft wrote.

use super::{Done, not_merged};
use crate::error::CliError;
use hcp::fsutil::write_atomically_as;
use hcp::local::Place;
use hcp_core::code::Code;
use hcp_core::text::safe;
use hcp_wrap::{Draft, Memory, Update};
use std::path::{Path, PathBuf};

/// Where a draft remembers what it wrote.
const MEMORY: &str = ".wrap.json";

/// The most bytes of a file that is read.
const LONGEST: u64 = 16 << 20;

pub(super) struct Folder {
    path: PathBuf,
    named: PathBuf,
    files: Option<Files>,
}

/// What stands in the folder of an earlier draft.
pub(super) struct Files {
    pack: String,
    surface: String,
    policy: String,
    skill: Option<String>,
    memory: Memory,
}

impl Folder {
    /// Looks at the folder before anything is run.
    pub(super) fn open(place: &Place, out: &Path, update: bool) -> Result<Self, CliError> {
        let path = place.cwd.join(out);
        place.check_written(&path)?;
        let mut folder = Self {
            path,
            named: out.to_owned(),
            files: None,
        };
        if update {
            folder.files = Some(folder.read()?);
            return Ok(folder);
        }
        let filled = match std::fs::read_dir(&folder.path) {
            Ok(mut entries) => entries.next().is_some(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => false,
            Err(e) => return Err(folder.fault(&e)),
        };
        if filled {
            let message = format!("{} is there already and holds files", folder.shown());
            return Err(CliError::usage(message).hint(
                "--update keeps what you changed in a draft; --out DIR names another folder",
            ));
        }
        Ok(folder)
    }

    /// The folder as the person named it.
    pub(super) fn shown(&self) -> String {
        safe(&self.named.to_string_lossy()).to_string()
    }

    pub(super) fn files(&self) -> Option<&Files> {
        self.files.as_ref()
    }

    fn fault(&self, error: &std::io::Error) -> CliError {
        CliError::usage(format!("{}: {error}", self.shown()))
            .hint("name another folder with --out DIR")
    }

    fn read(&self) -> Result<Files, CliError> {
        let text = |name: &str| -> Result<String, CliError> {
            let path = self.path.join(name);
            let fault = |e: std::io::Error| {
                CliError::usage(format!("{}/{name}: {e}", self.shown()))
                    .hint("--update is for a folder that hcpx wrap wrote")
            };
            if std::fs::metadata(&path).map_err(fault)?.len() > LONGEST {
                return Err(fault(std::io::ErrorKind::FileTooLarge.into()));
            }
            std::fs::read_to_string(&path).map_err(fault)
        };
        let memory = Memory::parse(&text(MEMORY)?).ok_or_else(|| {
            CliError::new(
                Code::PackInvalid,
                format!("{}/{MEMORY} is not what hcpx wrap writes", self.shown()),
            )
            .hint("write the draft anew into another folder: --out DIR")
        })?;
        Ok(Files {
            pack: text("pack.json")?,
            surface: text("surface.json")?,
            policy: text("policy.json")?,
            skill: text("SKILL.md").ok(),
            memory,
        })
    }

    /// Writes the draft, each file whole or not at all. The memory comes last: without it nothing is overwritten.
    pub(super) fn write(&self, draft: &Draft, memory: &Memory) -> Result<(), CliError> {
        std::fs::create_dir_all(&self.path).map_err(|e| self.fault(&e))?;
        let mut files = draft.files();
        files.push((MEMORY, memory.to_text()));
        for (name, text) in files {
            let path = self.path.join(name);
            // What did not change keeps its time.
            if std::fs::read_to_string(&path).is_ok_and(|there| there == text) {
                continue;
            }
            write_atomically_as(&path, text.as_bytes(), 0o644).map_err(|e| self.fault(&e))?;
        }
        Ok(())
    }
}

impl Files {
    pub(super) fn update(&self, draft: Draft) -> Result<Done, CliError> {
        let texts = [self.pack.as_str(), &self.surface, &self.policy];
        let skill = self.skill.as_deref();
        Update::make(draft, texts, skill, &self.memory)
            .map(Done::updated)
            .map_err(not_merged)
    }
}
