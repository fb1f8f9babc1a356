//! What is known of a call from earlier ones, for its card: from the store, from the rules that a person wrote,
//! from the pack.
//!
//! Identifiers go into the store as keyed digests and never as they are. A card that is only looked at opens the
//! store where there is one and does without it where it cannot be used; a call that asks does not.

use super::card::Sketch;
use super::prepare::Prepared;
use super::{CallRequest, Hcp};
use crate::store::{ApprovalStore, Familiar, IdentifierDigest, PastQuery, StoreError};
use hcp_card::{Identifier, Past};
use hcp_core::approval::Record;
use hcp_core::canonical::{Digest, Key, Tag, keyed_digest};
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::rule::Conditions;

/// Where a call's past is looked up, and as which call.
pub(crate) struct Memory<'m> {
    pub(crate) store: &'m dyn ApprovalStore,
    /// What an approval of the call covers, where that can be told.
    pub(crate) binding: Option<&'m Digest>,
    /// The digests of its identifiers.
    pub(crate) identifiers: &'m [IdentifierDigest],
}

/// The keyed digests of identifiers. The three are made from texts of different form, so that none stands for another.
pub(crate) fn digests(key: &Key, identifiers: &[Identifier]) -> Vec<IdentifierDigest> {
    let digest = |part: &str, text: &str| {
        let whole = Object::new().with(part, text);
        keyed_digest(key, Tag::Identifier, &Value::Object(whole))
    };
    identifiers
        .iter()
        .map(|identifier| IdentifierDigest {
            value: digest("value", &identifier.value),
            folded: digest("folded", &identifier.value.to_lowercase()),
            skeleton: digest("skeleton", &identifier.skeleton),
        })
        .collect()
}

impl Hcp {
    /// What is known of a call.
    pub(crate) fn past(
        &self,
        prepared: &Prepared,
        sketch: &Sketch,
        memory: &Memory<'_>,
    ) -> Result<Past, StoreError> {
        let query = PastQuery {
            tenant: &self.scope.tenant,
            principal: &self.scope.principal.id,
            project: self.scope.project.as_deref(),
            verb: &prepared.verb,
            binding: memory.binding,
            identifiers: memory.identifiers,
        };
        let familiar = memory.store.familiar(&query, self.ports.clock.as_ref())?;
        Ok(self.told(prepared, sketch, familiar))
    }

    /// What is known of a call that is only looked at. One that runs, or is refused, asks nobody, and so no store.
    pub(crate) fn past_of_preview(
        &self,
        call: &CallRequest,
        prepared: &Prepared,
        sketch: &Sketch,
    ) -> Past {
        if prepared.answer.decision != Decision::Ask {
            return self.told(prepared, sketch, Familiar::default());
        }
        self.past_where_kept(prepared, sketch, |key| {
            let target = self.target(prepared).ok()?;
            let binding = self.bind(call, prepared, &target, key).ok()?;
            Some(binding.digest)
        })
    }

    /// What is known of a call whose request waits.
    pub(crate) fn past_of_record(
        &self,
        record: &Record,
        prepared: &Prepared,
        sketch: &Sketch,
    ) -> Past {
        self.past_where_kept(prepared, sketch, |_| Some(record.binding.digest))
    }

    fn past_where_kept(
        &self,
        prepared: &Prepared,
        sketch: &Sketch,
        binding: impl FnOnce(&Key) -> Option<Digest>,
    ) -> Past {
        let looked_up = (self.ports.kept)().and_then(|(store, key)| {
            let binding = binding(&key);
            let memory = Memory {
                store: store.as_ref(),
                binding: binding.as_ref(),
                identifiers: &digests(&key, &sketch.identifiers),
            };
            self.past(prepared, sketch, &memory).ok()
        });
        looked_up.unwrap_or_else(|| self.told(prepared, sketch, Familiar::default()))
    }

    /// What the store told, in the words of the call.
    fn told(&self, prepared: &Prepared, sketch: &Sketch, familiar: Familiar) -> Past {
        let those = |marks: &[bool]| -> Vec<String> {
            let marked = sketch.identifiers.iter().zip(marks);
            let marked = marked.filter(|(_, marked)| **marked);
            marked.map(|(found, _)| found.value.clone()).collect()
        };
        let mut look_like_approved = those(&familiar.looks_like);
        look_like_approved.retain(|text| can_imitate(text));
        Past {
            approved_before: familiar.approved_before,
            first_time: those(&familiar.first_time),
            look_like_approved,
            known: self.known(prepared),
            unanswered: familiar.unanswered,
        }
    }

    /// The texts of the rules that are for the command, and the words of its pack. What a rule wants of a secret
    /// stays out: a card would show it.
    fn known(&self, prepared: &Prepared) -> Vec<String> {
        let pack = &prepared.installed.pack;
        let mut known = vec![pack.id.to_string(), pack.name.clone()];
        known.extend(pack.programs.iter().cloned());
        known.extend(pack.commands.keys().map(ToString::to_string));
        let command = prepared.command();
        let arguments = command.iter().flat_map(|c| &c.arguments);
        for argument in arguments.filter(|a| !a.secret) {
            words_of_schema(&argument.schema, &mut known);
        }
        let is_secret = |name: &str| {
            let mut arguments = command.iter().flat_map(|c| &c.arguments);
            arguments.any(|a| a.secret && a.name == name)
        };
        for rule in self.access.rules_for(&prepared.verb) {
            for conditions in std::iter::once(&rule.when).chain(&rule.except) {
                texts_of(conditions, &is_secret, &mut known);
            }
        }
        known.retain(|text| !text.is_empty());
        known.sort_unstable();
        known.dedup();
        known
    }
}

/// Whether a text is one that others are mistaken for: numbers and texts of one or two characters meet by chance.
fn can_imitate(text: &str) -> bool {
    const SHORTEST: usize = 3;
    text.chars().nth(SHORTEST - 1).is_some() && text.chars().any(char::is_alphabetic)
}

/// The strings that a set of conditions wants an argument to equal. A glob is no text of a call.
fn texts_of(conditions: &Conditions, is_secret: &impl Fn(&str) -> bool, out: &mut Vec<String>) {
    let single = conditions.args.iter().map(|(name, v)| (name, v));
    let several = conditions.one_of.iter();
    let several = several.flat_map(|(name, values)| values.iter().map(move |v| (name, v)));
    for (_, value) in single.chain(several).filter(|(name, _)| !is_secret(name)) {
        strings(value, out);
    }
}

/// The words that a schema allows: `enum` and `const`, of the argument or of its items.
fn words_of_schema(schema: &Object, out: &mut Vec<String>) {
    let items = schema.get("items").and_then(Value::as_object);
    for schema in std::iter::once(schema).chain(items) {
        for word in ["enum", "const"] {
            if let Some(value) = schema.get(word) {
                strings(value, out);
            }
        }
    }
}

fn strings(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
    }
}

#[cfg(test)]
mod tests;
