//! Reading `grants.json`: grants, each for some Principals or for all.

use super::{Capability, Grant};
use crate::diagnostic::Fault;
use crate::fields::{Fields, array, string, word};
use crate::json::Node;
use crate::names::{PackId, VerbKey};
use crate::principal::{Principal, PrincipalKind};
use crate::text::quoted;

/// The body of `grants.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrantFile {
    /// The grants, in order.
    pub grants: Vec<GrantFor>,
}

/// A grant and whom it is for; an absent filter means any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantFor {
    /// The grant.
    pub grant: Grant,
    /// The Principal's id.
    pub principal: Option<String>,
    /// The Principal's kind.
    pub kind: Option<PrincipalKind>,
    /// The tenant.
    pub tenant: Option<String>,
    /// The project.
    pub project: Option<String>,
}

impl GrantFile {
    /// Reads the file's body.
    ///
    /// # Errors
    /// Every fault, at least one.
    pub fn parse(node: &Node) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let file = read(node, &mut faults).unwrap_or_default();
        if faults.is_empty() {
            Ok(file)
        } else {
            Err(faults)
        }
    }

    /// The grants of one Principal in one tenant and project.
    #[must_use]
    pub fn of(&self, principal: &Principal, tenant: &str, project: Option<&str>) -> Vec<Grant> {
        self.grants
            .iter()
            .filter(|entry| entry.is_for(principal, tenant, project))
            .map(|entry| entry.grant.clone())
            .collect()
    }
}

impl GrantFor {
    fn is_for(&self, principal: &Principal, tenant: &str, project: Option<&str>) -> bool {
        self.principal.as_ref().is_none_or(|id| *id == principal.id)
            && self.kind.is_none_or(|kind| kind == principal.kind)
            && self.tenant.as_ref().is_none_or(|id| id == tenant)
            && self
                .project
                .as_ref()
                .is_none_or(|id| project == Some(id.as_str()))
    }
}

fn read(node: &Node, faults: &mut Vec<Fault>) -> Option<GrantFile> {
    let mut fields = Fields::open(node, "a grants file", faults)?;
    if let Some(schema) = fields.optional("$schema") {
        string(schema, faults);
    }
    let list = fields.required("grants", faults);
    let grants = list
        .and_then(|n| array(n, faults))
        .unwrap_or_default()
        .iter()
        .filter_map(|item| read_grant(item, faults))
        .collect();
    fields.finish(faults);
    Some(GrantFile { grants })
}

fn read_grant(node: &Node, faults: &mut Vec<Fault>) -> Option<GrantFor> {
    let mut fields = Fields::open(node, "a grant", faults)?;
    let capability = fields
        .required("capability", faults)
        .and_then(|n| word(n, Capability::WHAT, Capability::WORDS, faults));
    let pack_id = fields.optional("pack_id").map(|n| read_pack_id(n, faults));
    let verb_keys = fields
        .optional("verb_keys")
        .map(|n| read_verb_keys(n, pack_id.as_ref().and_then(Option::as_ref), faults));
    let mut text = |key| {
        let node = fields.optional(key)?;
        string(node, faults).map(str::to_owned)
    };
    let (principal, tenant, project) = (text("principal"), text("tenant"), text("project"));
    let kind = fields
        .optional("kind")
        .and_then(|n| word(n, PrincipalKind::WHAT, PrincipalKind::WORDS, faults));
    fields.finish(faults);
    Some(GrantFor {
        grant: Grant {
            capability: capability?,
            // A pack id that could not be read must never stand for any pack.
            pack_id: match pack_id {
                Some(id) => Some(id?),
                None => None,
            },
            verb_keys,
        },
        principal,
        kind,
        tenant,
        project,
    })
}

fn read_pack_id(node: &Node, faults: &mut Vec<Fault>) -> Option<PackId> {
    let text = string(node, faults)?;
    let id = PackId::new(text);
    if id.is_none() {
        faults.push(
            Fault::at(node.span, format!("{} is no pack id", quoted(text)))
                .help("leave pack_id out for any pack"),
        );
    }
    id
}

fn read_verb_keys(node: &Node, pack: Option<&PackId>, faults: &mut Vec<Fault>) -> Vec<VerbKey> {
    let items = array(node, faults).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| {
            let text = string(item, faults)?;
            let verb = VerbKey::parse(text);
            match (&verb, pack) {
                (None, _) => faults.push(
                    Fault::at(item.span, format!("{} is no verb key", quoted(text)))
                        .help("write pack.command, for example \"mail.send\""),
                ),
                (Some(verb), Some(pack)) if verb.pack != *pack => faults.push(
                    Fault::at(
                        item.span,
                        format!("{verb} is no command of the pack {pack}"),
                    )
                    .help("change pack_id, or leave it out"),
                ),
                (Some(_), _) => {}
            }
            verb
        })
        .collect()
}
