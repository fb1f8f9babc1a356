//! The record of a lint.

use crate::check::{Found, Surroundings};
use crate::document::FileName;
use crate::finding::Level;
use crate::subject::Subject;
use hcp_pack::PackFiles;

/// What a lint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Policy: what a command is said to be. None of these ever refuses a pack.
    Policy,
    /// Manifest and Surface. Those marked error refuse a pack.
    Manifest,
}

impl Family {
    /// The letter that its codes begin with.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Policy => 'P',
            Self::Manifest => 'M',
        }
    }

    /// What the letter stands for.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Manifest => "manifest and Surface",
        }
    }
}

/// One lint: its code, what it is for, its check, and its examples.
#[derive(Debug)]
pub struct Lint {
    /// The code, which never changes: `P007`.
    pub code: &'static str,
    /// The family; its letter begins the code.
    pub family: Family,
    /// How much it weighs unless somebody says otherwise.
    pub level: Level,
    /// What it finds, in a few words.
    pub summary: &'static str,
    /// Why that matters.
    pub why: &'static str,
    /// How to mend it.
    pub mend: &'static str,
    /// Whether `--fix` mends it.
    pub fixes: bool,
    /// Whether a fault of the loader, by its message, is this one. Such a pack is refused whatever the level.
    pub(crate) claims: fn(&str) -> bool,
    /// Looks for it in a pack that the loader took.
    pub(crate) check: fn(&Subject<'_>, &mut Found<'_>),
    /// A pack that fails it.
    pub failing: Example,
    /// The same pack, mended.
    pub passing: Example,
}

/// A small pack as an example.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// `pack.json`; empty for one in which nothing matters.
    pub pack: &'static str,
    /// `surface.json`
    pub surface: &'static str,
    /// `policy.json`
    pub policy: &'static str,
    /// What the lint finds in it.
    pub finds: &'static [Spot],
}

/// Where an example fails, and with which words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub file: FileName,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message.
    pub message: &'static str,
}

/// The `pack.json` of examples in which nothing of it matters.
const PLAIN_PACK: &str =
    r#"{ "id": "shop", "name": "Shop", "version": "1.0.0", "summary": "An example." }"#;

impl Example {
    /// The files of the example.
    #[must_use]
    pub fn files(&self) -> PackFiles {
        let pack = if self.pack.is_empty() {
            PLAIN_PACK
        } else {
            self.pack
        };
        PackFiles {
            folder: "shop".to_owned(),
            pack: pack.into(),
            surface: self.surface.into(),
            policy: self.policy.into(),
            skill: None,
        }
    }

    /// What is known beside the files: the program that no machine has is not found.
    #[must_use]
    pub fn surroundings(&self) -> Surroundings {
        let missing = self.surface.contains(NO_SUCH_PROGRAM);
        Surroundings {
            not_found: missing
                .then(|| NO_SUCH_PROGRAM.to_owned())
                .into_iter()
                .collect(),
            levels: Vec::new(),
        }
    }
}

/// The program of examples that no machine has.
const NO_SUCH_PROGRAM: &str = "no-such-program";

/// For lints whose faults the loader finds.
pub(crate) fn nothing(_: &Subject<'_>, _: &mut Found<'_>) {}

/// For lints whose faults the loader lets through.
pub(crate) fn none(_: &str) -> bool {
    false
}
