//! Grants: may a Principal act at all. Asked before any mode or rule.
//!
//! A list of grants is one Principal's, in one tenant and project. What is not granted is refused; an empty
//! list refuses everything. Read, write and connect are never one leave.

mod file;
mod index;

pub use file::{GrantFile, GrantFor};
pub use index::GrantIndex;

use crate::mode::words;
use crate::names::{PackId, VerbKey};
use crate::policy::{Land, Operation};
use crate::principal::Principal;
use serde::Serialize;

words! {
    /// What a grant allows.
    Capability, "capability" {
        /// Installing a pack.
        PackInstall = "pack.install",
        /// Connecting a pack to an account.
        PackConnect = "pack.connect",
        /// Running commands that only show.
        VerbExecRead = "verb.exec.read",
        /// Running commands that change something. It does not include reading.
        VerbExecWrite = "verb.exec.write",
        /// Letting a pack watch and report.
        SenseEnable = "sense.enable",
    }
}

words! {
    /// What kind of act is asked for.
    ActKind, "kind of act" {
        /// Running a command.
        Exec = "exec",
        /// Installing a pack.
        Install = "install",
        /// Connecting a pack.
        Connect = "connect",
        /// Enabling a sense.
        Sense = "sense",
    }
}

words! {
    /// Why an act is not authorised, as a stable word.
    DenialCode, "denial code" {
        /// No grant covers the act.
        NoGrant = "no_grant",
        /// The act is in another tenant.
        WrongTenant = "wrong_tenant",
        /// The binding is another Principal's.
        NotOwnBinding = "not_own_binding",
        /// The act is a project's, and there is none.
        ProjectRequired = "project_required",
        /// The adopter's own authoriser failed.
        AuthorizerFailed = "authorizer_failed",
    }
}

/// One capability, for any pack or one, for any of its commands or some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grant {
    /// What it allows.
    pub capability: Capability,
    /// The pack; absent for any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack_id: Option<PackId>,
    /// The commands; absent for any. An empty list grants nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verb_keys: Option<Vec<VerbKey>>,
}

/// Who acts, and what they were given.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// The Principal.
    pub principal: &'a Principal,
    /// The tenant.
    pub tenant_id: &'a str,
    /// The project, where there is one.
    pub project_id: Option<&'a str>,
    /// The Principal's grants in this tenant and project.
    pub grants: &'a GrantIndex,
}

/// What is to be done.
#[derive(Debug, Clone, Copy)]
pub struct Act<'a> {
    /// The pack.
    pub pack_id: &'a PackId,
    /// The command; absent for an act on the whole pack.
    pub verb_key: Option<&'a VerbKey>,
    /// Read or write; counts for running a command alone.
    pub operation: Operation,
    /// Which scope is checked.
    pub land: Land,
    /// What kind of act it is.
    pub kind: ActKind,
}

impl Act<'_> {
    /// The capability that the act needs.
    #[must_use]
    pub fn capability(&self) -> Capability {
        match (self.kind, self.operation) {
            (ActKind::Exec, Operation::Read) => Capability::VerbExecRead,
            (ActKind::Exec, Operation::Write) => Capability::VerbExecWrite,
            (ActKind::Install, _) => Capability::PackInstall,
            (ActKind::Connect, _) => Capability::PackConnect,
            (ActKind::Sense, _) => Capability::SenseEnable,
        }
    }
}

/// Whether an act is authorised, and if not, why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Authorization {
    /// Whether it is.
    pub allow: bool,
    /// Why not, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why not, as a stable word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<DenialCode>,
}

impl Authorization {
    /// Yes.
    #[must_use]
    pub fn allow() -> Self {
        Self {
            allow: true,
            reason: None,
            code: None,
        }
    }

    /// No, and why.
    #[must_use]
    pub fn deny(code: DenialCode, reason: impl Into<String>) -> Self {
        Self {
            allow: false,
            reason: Some(reason.into()),
            code: Some(code),
        }
    }
}

/// All five capabilities for every pack: for a local demo, and wrong for anything with more than one tenant.
#[must_use]
pub fn permissive_grants() -> Vec<Grant> {
    Capability::WORDS
        .iter()
        .map(|(_, capability)| Grant {
            capability: *capability,
            pack_id: None,
            verb_keys: None,
        })
        .collect()
}

/// Whether the actor's grants cover the act.
///
/// ```
/// use hcp_core::grants::*;
/// use hcp_core::names::{PackId, VerbKey};
/// use hcp_core::policy::{Land, Operation};
/// use hcp_core::principal::{Principal, PrincipalKind};
///
/// let principal = Principal { id: "u1".into(), kind: PrincipalKind::Human };
/// let grants = GrantIndex::new(&[]);
/// let actor = Actor { principal: &principal, tenant_id: "t1", project_id: None, grants: &grants };
/// let act = Act {
///     pack_id: &PackId::new("mail").unwrap(),
///     verb_key: Some(&VerbKey::parse("mail.send").unwrap()),
///     operation: Operation::Write,
///     land: Land::Personal,
///     kind: ActKind::Exec,
/// };
/// let answer = default_authorize(&actor, &act);
/// assert_eq!(answer.reason.as_deref(), Some("missing verb.exec.write for mail.mail.send"));
/// ```
#[must_use]
pub fn default_authorize(actor: &Actor<'_>, act: &Act<'_>) -> Authorization {
    if act.land == Land::Brain && actor.project_id.is_none() {
        return Authorization::deny(
            DenialCode::ProjectRequired,
            format!("{} acts on a project, and there is none", object_of(act)),
        );
    }
    if actor
        .grants
        .covers(act.capability(), act.pack_id, act.verb_key)
    {
        return Authorization::allow();
    }
    Authorization::deny(
        DenialCode::NoGrant,
        format!("missing {} for {}", act.capability(), object_of(act)),
    )
}

/// Whose binding a call would act by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BindingOwner<'b> {
    /// The tenant that it is in.
    pub tenant_id: &'b str,
    /// The id of the Principal whose it is.
    pub principal_id: &'b str,
}

/// Whether the actor may act by a binding: one of its own tenant, and for what lands with the Principal its own.
/// What lands with the project may go by a binding that the project shares.
///
/// ```
/// use hcp_core::grants::*;
/// use hcp_core::names::PackId;
/// use hcp_core::policy::{Land, Operation};
/// use hcp_core::principal::{Principal, PrincipalKind};
///
/// let principal = Principal { id: "u1".into(), kind: PrincipalKind::Agent };
/// let grants = GrantIndex::new(&permissive_grants());
/// let actor = Actor { principal: &principal, tenant_id: "t1", project_id: Some("p1"), grants: &grants };
/// let pack = PackId::new("mail").unwrap();
/// let act = |land| Act { pack_id: &pack, verb_key: None, operation: Operation::Write, land, kind: ActKind::Exec };
/// let other = BindingOwner { tenant_id: "t1", principal_id: "u2" };
/// let answer = authorize_binding(&actor, &act(Land::Personal), other);
/// assert_eq!(answer.code, Some(DenialCode::NotOwnBinding));
/// assert!(authorize_binding(&actor, &act(Land::Brain), other).allow);
/// ```
#[must_use]
pub fn authorize_binding(
    actor: &Actor<'_>,
    act: &Act<'_>,
    owner: BindingOwner<'_>,
) -> Authorization {
    if owner.tenant_id != actor.tenant_id {
        return Authorization::deny(
            DenialCode::WrongTenant,
            format!("the binding of {} is of another tenant", act.pack_id),
        );
    }
    match act.land {
        Land::Personal if owner.principal_id != actor.principal.id => Authorization::deny(
            DenialCode::NotOwnBinding,
            format!("the binding of {} is another Principal's", act.pack_id),
        ),
        Land::Personal | Land::Brain => Authorization::allow(),
    }
}

/// Pack id and verb key; without a verb key the pack id.
fn object_of(act: &Act<'_>) -> String {
    match act.verb_key {
        Some(verb) => format!("{}.{verb}", act.pack_id),
        None => act.pack_id.to_string(),
    }
}

#[cfg(test)]
mod tests;
