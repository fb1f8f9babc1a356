//! Reading the body of one settings file.

use super::{AccessFile, MAX_APPROVAL_MINUTES};
use crate::diagnostic::Fault;
use crate::fields::{Fields, array, string, whole, word};
use crate::json::{Kind, Node, Value};
use crate::mode::{Approvals, Mode};
use crate::names::PackId;
use crate::rule::Rule;
use crate::text::quoted;

impl AccessFile {
    /// Reads a settings file's body.
    ///
    /// ```
    /// use hcp_core::{json, settings::AccessFile};
    /// let node = json::parse(r#"{ "mode": "fast", "rulez": [] }"#, json::Limits::default()).unwrap();
    /// let faults = AccessFile::parse(&node).unwrap_err();
    /// assert_eq!(faults.len(), 2);
    /// assert_eq!(faults[1].help.as_deref(), Some("did you mean \"rules\"?"));
    /// ```
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
}

fn read(node: &Node, faults: &mut Vec<Fault>) -> Option<AccessFile> {
    let mut fields = Fields::open(node, "a settings file", faults)?;
    if let Some(schema) = fields.optional("$schema") {
        string(schema, faults);
    }
    let mode = fields
        .optional("mode")
        .and_then(|n| word(n, Mode::WHAT, Mode::WORDS, faults));
    let packs = match fields.optional("packs") {
        Some(n) => pack_modes(n, faults),
        None => Vec::new(),
    };
    let approvals = fields
        .optional("approvals")
        .and_then(|n| word(n, Approvals::WHAT, Approvals::WORDS, faults));
    let rules = match fields.optional("rules") {
        Some(n) => array(n, faults)
            .unwrap_or_default()
            .iter()
            .filter_map(|item| Rule::parse(item, faults))
            .collect(),
        None => Vec::new(),
    };
    let views = fields.optional("views").and_then(|n| views(n, faults));
    let approval_minutes = fields
        .optional("approval_minutes")
        .and_then(|n| whole(n, 1, MAX_APPROVAL_MINUTES, faults));
    fields.finish(faults);
    Some(AccessFile {
        mode,
        packs,
        approvals,
        rules,
        views,
        approval_minutes,
    })
}

fn pack_modes(node: &Node, faults: &mut Vec<Fault>) -> Vec<(PackId, Mode)> {
    let Some(fields) = Fields::open(node, "the packs", faults) else {
        return Vec::new();
    };
    fields
        .members()
        .iter()
        .filter_map(|member| {
            let id = PackId::new(&member.key);
            if id.is_none() {
                faults.push(
                    Fault::at(
                        member.key_span,
                        format!("{} is no pack id", quoted(&member.key)),
                    )
                    .help("a pack id is lower case letters and digits, parted by - or _"),
                );
            }
            let mut entry = Fields::open(&member.value, "a pack's settings", faults)?;
            let mode = entry
                .required("mode", faults)
                .and_then(|n| word(n, Mode::WHAT, Mode::WORDS, faults));
            entry.finish(faults);
            Some((id?, mode?))
        })
        .collect()
}

/// The views are read where cards are made; here they only must be an object.
fn views(node: &Node, faults: &mut Vec<Fault>) -> Option<Value> {
    match &node.kind {
        Kind::Object(_) => Some(node.to_value()),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Array(_) => {
            faults.push(
                Fault::at(
                    node.span,
                    format!(
                        "the views must be an object, and this is {}",
                        node.kind_name()
                    ),
                )
                .help("it may hold \"rules\" and \"signals\""),
            );
            None
        }
    }
}

#[cfg(test)]
mod tests;
