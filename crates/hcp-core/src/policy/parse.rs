//! Reading a Policy from JSON.

use super::{Confirm, Land, Operation, Policy, Raise, Scope, Undo};
use crate::diagnostic::Fault;
use crate::fields::{Fields, array, word};
use crate::json::{Kind, Node};
use crate::rule::Conditions;
use crate::text::quoted;

/// Keys by which a pack would give itself, or somebody, leave to act; sorted, without `-`, `_` and case.
const GRANTING: &[&str] = &[
    "access",
    "acl",
    "admin",
    "allow",
    "allowed",
    "allowedusers",
    "allowlist",
    "apikey",
    "apikeys",
    "approval",
    "approvals",
    "approve",
    "ask",
    "authorize",
    "by",
    "capabilities",
    "capability",
    "credential",
    "credentials",
    "decision",
    "deny",
    "except",
    "grant",
    "granted",
    "grants",
    "group",
    "groups",
    "key",
    "keys",
    "mode",
    "modes",
    "owner",
    "owners",
    "password",
    "permission",
    "permissions",
    "permit",
    "principal",
    "principals",
    "role",
    "roles",
    "rule",
    "rules",
    "secret",
    "secrets",
    "token",
    "tokens",
    "trust",
    "trusted",
    "until",
    "user",
    "users",
    "whitelist",
];

/// Whether a key of a pack's file would grant something. A pack that holds one is refused by name.
#[must_use]
pub fn is_granting_key(key: &str) -> bool {
    let bare: String = key.chars().filter(|c| !matches!(c, '-' | '_')).collect();
    GRANTING
        .binary_search(&bare.to_ascii_lowercase().as_str())
        .is_ok()
}

impl Policy {
    /// Reads one command's entry of `policy.json` over the defaults: each key replaces singly, and its
    /// raises are added to those of the defaults. `None` when it is no object.
    pub fn parse_entry(node: &Node, base: &Self, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "a Policy", faults)?;
        let mut policy = base.clone();
        let mut replace = |key, read: &mut dyn FnMut(&Node)| {
            if let Some(value) = fields.optional(key) {
                read(value);
            }
        };
        replace("operation", &mut |n| {
            let found = word(n, Operation::WHAT, Operation::WORDS, faults);
            policy.operation = found.unwrap_or(policy.operation);
        });
        replace("confirm", &mut |n| {
            policy.confirm = parse_confirm(n, faults).unwrap_or(policy.confirm);
        });
        replace("land", &mut |n| {
            policy.land = word(n, Land::WHAT, Land::WORDS, faults).unwrap_or(policy.land);
        });
        replace("undo", &mut |n| {
            policy.undo = parse_undo(n, faults).unwrap_or(policy.undo);
        });
        replace("scope", &mut |n| {
            policy.scope = word(n, Scope::WHAT, Scope::WORDS, faults).unwrap_or(policy.scope);
        });
        replace("raise", &mut |n| {
            let items = array(n, faults).unwrap_or_default();
            let own = items.iter().filter_map(|item| Raise::parse(item, faults));
            policy.raise.extend(own.collect::<Vec<_>>());
        });
        close_pack_object(fields, faults);
        Some(policy)
    }
}

/// Refuses every key of a pack's object that was never asked for, those that would grant with the words
/// that say why. Every object of a pack's files is closed by it.
pub fn close_pack_object(fields: Fields<'_>, faults: &mut Vec<Fault>) {
    let members = fields.members();
    let mut unknown = Vec::new();
    fields.finish(&mut unknown);
    for fault in unknown {
        let granting = members
            .iter()
            .find(|m| m.key_span == fault.span && is_granting_key(&m.key));
        faults.push(match granting {
            Some(member) => Fault::at(
                member.key_span,
                format!(
                    "{}: packs cannot grant themselves anything",
                    quoted(&member.key)
                ),
            )
            .help("take it out: grants say who may act, and access says what runs without asking"),
            None => fault,
        });
    }
}

impl Raise {
    /// Reads a raise. `None` when something needed could not be read.
    pub fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "a raise", faults)?;
        let when_node = fields.required("when", faults);
        let before = faults.len();
        let when = when_node.and_then(|n| Conditions::parse(n, faults));
        if let (Some(n), Some(set), true) = (when_node, &when, faults.len() == before) {
            check_raise_conditions(n, set, faults);
        }
        let confirm_node = fields.optional("confirm");
        let confirm = confirm_node.and_then(|n| parse_confirm(n, faults));
        let undo_node = fields.optional("undo");
        let undo = undo_node.and_then(|n| parse_undo(n, faults));
        if confirm_node.is_none() && undo_node.is_none() {
            faults.push(
                Fault::at(node.span, "this raise raises nothing")
                    .help("give it \"confirm\" or \"undo\""),
            );
        }
        close_pack_object(fields, faults);
        Some(Self {
            when: when?,
            confirm,
            undo,
        })
    }
}

fn check_raise_conditions(node: &Node, set: &Conditions, faults: &mut Vec<Fault>) {
    if let Some(op) = node.get("op") {
        faults.push(
            Fault::at(op.span, "a raise has no condition \"op\"")
                .help("the operation is the command's own; take it out"),
        );
    } else if set.is_empty() {
        faults.push(
            Fault::at(
                node.span,
                "an empty set of conditions would raise every call",
            )
            .help("name a condition, or set the key for the whole command"),
        );
    }
}

fn parse_confirm(node: &Node, faults: &mut Vec<Fault>) -> Option<Confirm> {
    match node.kind {
        Kind::Bool(true) => Some(Confirm::Ask),
        Kind::Bool(false) => Some(Confirm::Never),
        Kind::Null | Kind::Number(_) | Kind::String(_) | Kind::Array(_) | Kind::Object(_) => {
            word(node, Confirm::WHAT, Confirm::WORDS, faults)
        }
    }
}

/// `unknown` is what nobody said; it is no word of the file.
fn parse_undo(node: &Node, faults: &mut Vec<Fault>) -> Option<Undo> {
    let words = [("yes", Undo::Yes), ("no", Undo::No)];
    word(node, Undo::WHAT, &words, faults)
}

#[cfg(test)]
mod tests;
