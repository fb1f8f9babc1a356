//! Grants by what they cover, so that a look-up costs the same among ten and among a hundred thousand.

use super::{Capability, Grant};
use crate::names::{PackId, VerbKey};
use std::collections::HashSet;

/// What a list of grants covers.
#[derive(Debug, Clone, Default)]
pub struct GrantIndex {
    any_pack: HashSet<Capability>,
    packs: HashSet<(Capability, PackId)>,
    commands: HashSet<(Capability, VerbKey)>,
}

impl GrantIndex {
    /// Indexes a list of grants.
    #[must_use]
    pub fn new(grants: &[Grant]) -> Self {
        let mut index = Self::default();
        for grant in grants {
            index.add(grant);
        }
        index
    }

    fn add(&mut self, grant: &Grant) {
        match (&grant.pack_id, &grant.verb_keys) {
            (None, None) => {
                self.any_pack.insert(grant.capability);
            }
            (Some(pack), None) => {
                self.packs.insert((grant.capability, pack.clone()));
            }
            // A command of another pack than the grant's is never covered by it.
            (pack, Some(verbs)) => self.commands.extend(
                verbs
                    .iter()
                    .filter(|verb| pack.as_ref().is_none_or(|pack| *pack == verb.pack))
                    .map(|verb| (grant.capability, verb.clone())),
            ),
        }
    }

    /// Whether a grant covers this capability for the command, or without one for the whole pack.
    #[must_use]
    pub fn covers(&self, capability: Capability, pack: &PackId, verb: Option<&VerbKey>) -> bool {
        self.any_pack.contains(&capability)
            || self.packs.contains(&(capability, pack.clone()))
            || verb.is_some_and(|verb| {
                verb.pack == *pack && self.commands.contains(&(capability, verb.clone()))
            })
    }
}
