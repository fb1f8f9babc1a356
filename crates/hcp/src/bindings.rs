//! Bindings: the account that a pack is connected as, for one Principal.
//!
//! A port with two implementations: a small file in the store, read only for a pack that acts for an account, and
//! one in memory. Neither asks a tool anything, and neither judges: what a binding is worth is for the pipeline.

mod file;
mod memory;

pub use file::FileBindings;
pub use memory::MemoryBindings;

use hcp_core::diagnostic::Diagnostic;
use hcp_core::names::PackId;
use hcp_core::text::safe;
use jiff::Timestamp;
use std::path::PathBuf;

/// Keeps bindings. Each method is one atomic step.
pub trait Bindings: Send + Sync {
    /// The binding that serves a Principal's calls of a pack. It may be another's, where a project shares one: a
    /// `personal` command is refused then.
    ///
    /// # Errors
    /// They cannot be read; nothing runs then.
    fn get(&self, whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError>;

    /// Keeps a binding in the place of the one before, which comes back.
    ///
    /// # Errors
    /// They cannot be read or written; the one before then stands.
    fn set(&self, binding: &PackBinding) -> Result<Option<PackBinding>, BindingsError>;

    /// Takes a Principal's own binding away; it comes back.
    ///
    /// # Errors
    /// They cannot be read or written.
    fn forget(&self, whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError>;
}

/// Whose binding of which pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whose<'w> {
    /// The tenant.
    pub tenant: &'w str,
    /// The id of the Principal.
    pub principal: &'w str,
    /// The project of the call, where there is one.
    pub project: Option<&'w str>,
    /// The pack.
    pub pack: &'w PackId,
}

/// The account that a pack is connected as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackBinding {
    /// The tenant.
    pub tenant: String,
    /// The Principal whose it is.
    pub principal: String,
    /// The pack.
    pub pack: PackId,
    /// The account, as the pack's own program told it and made safe to read.
    pub identity: String,
    /// The words that told it: another program's word would be another identity.
    pub told_by: Vec<String>,
    /// Where the program that told it was found; `None` for a driver that runs no program of this machine. One of the
    /// same name elsewhere would be another's word.
    pub told_from: Option<String>,
    /// Since when.
    pub connected_at: Timestamp,
}

impl PackBinding {
    /// Whether it is this Principal's own, for this pack.
    #[must_use]
    pub fn is_of(&self, whose: &Whose<'_>) -> bool {
        self.tenant == whose.tenant && self.principal == whose.principal && self.pack == *whose.pack
    }
}

/// Why bindings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindingsError {
    /// The file cannot be read or written.
    #[error("the bindings in {} cannot be used: {reason}", safe(&path.to_string_lossy()))]
    Unavailable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file is not what was written there.
    #[error("the bindings cannot be used: {}", .0.first().map_or_else(String::new, ToString::to_string))]
    Invalid(Vec<Diagnostic>),
    /// A host's own bindings failed.
    #[error("the bindings cannot be used: {0}")]
    Failed(String),
}
