//! Who acts.

use crate::mode::words;
use serde::Serialize;

words! {
    /// What a Principal is.
    PrincipalKind, "kind of Principal" {
        /// A person.
        Human = "human",
        /// An AI agent.
        Agent = "agent",
        /// An unattended program.
        Service = "service",
    }
}

/// Who acts: an id inside a tenant, and what kind of actor it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Principal {
    /// Unique inside the tenant.
    pub id: String,
    /// Recorded, and never part of what an approval binds: a person may run what their agent asked for.
    pub kind: PrincipalKind,
}
