//! Bindings in this process's memory: for programs that keep none, and for tests.

use super::{Bindings, BindingsError, PackBinding, Whose};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bindings that end with the process.
#[derive(Debug, Default)]
pub struct MemoryBindings(Mutex<Vec<PackBinding>>);

impl MemoryBindings {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn all(&self) -> MutexGuard<'_, Vec<PackBinding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bindings for MemoryBindings {
    fn get(&self, whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError> {
        Ok(self.all().iter().find(|b| b.is_of(whose)).cloned())
    }

    fn set(&self, binding: &PackBinding) -> Result<Option<PackBinding>, BindingsError> {
        Ok(put(&mut self.all(), binding))
    }

    fn forget(&self, whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError> {
        Ok(take(&mut self.all(), whose))
    }
}

/// Puts a binding in the place of the one before.
pub(super) fn put(all: &mut Vec<PackBinding>, binding: &PackBinding) -> Option<PackBinding> {
    let before = take(
        all,
        &Whose {
            tenant: &binding.tenant,
            principal: &binding.principal,
            project: None,
            pack: &binding.pack,
        },
    );
    all.push(binding.clone());
    before
}

/// Takes one binding out.
pub(super) fn take(all: &mut Vec<PackBinding>, whose: &Whose<'_>) -> Option<PackBinding> {
    let at = all.iter().position(|b| b.is_of(whose))?;
    Some(all.remove(at))
}
