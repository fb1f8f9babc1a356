//! Signal rules: the facts that a person should weigh, as data. A rule says when it holds in a small closed
//! vocabulary, of which all that is named must hold, and what the card then says.
//!
//! ```json
//! { "code": "recipients", "level": "care", "text": "Goes to {count:person:people}",
//!   "when": { "kind": ["message"], "count": { "fields": ["to", "cc", "bcc"], "at_least": 2 } },
//!   "examples": { "match": [{ "command": "mail.send", "kind": "message", "args": { "to": ["a", "b"] } }] } }
//! ```

mod example;
mod judge;
mod text;

pub(crate) use judge::holds;

use crate::names::{of_role, roles};
use crate::signal::Level;
use crate::signal::detect::{Detector, Found};
use crate::signal::sets::{TextSet, WordSet};
use crate::view::ViewKind;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{Fields, array, string, strings, whole, word};
use hcp_core::json::{Limits, Node, Object, Value};
use hcp_core::names::is_name;
use hcp_core::policy::{Operation, Undo};
use hcp_core::text::quoted;
use std::sync::LazyLock;
use text::Text;

/// The built-in signal rules, in the order in which signals of one level stand on a card.
///
/// On a card with a danger a person types a word, so that level is kept for what a later look does not mend: money
/// that moved, data that is gone, what others saw, got or may now enter, a key that is out, a guard that is down, a
/// call that is not what it seems or was not understood, and production. `care` is for what makes a call wider or
/// longer than it looks, and can be taken back: many people or items, repetition, a check passed over, data copied
/// out. `note` is for what only helps to read.
pub static DEFAULT_SIGNAL_RULES: LazyLock<Vec<SignalRule>> =
    LazyLock::new(|| read_builtin(&mut Vec::new()));

/// Every kind of view.
const KINDS: &[ViewKind] = &[
    ViewKind::Message,
    ViewKind::Event,
    ViewKind::Payment,
    ViewKind::Removal,
    ViewKind::Publish,
    ViewKind::Share,
    ViewKind::Change,
    ViewKind::File,
    ViewKind::Run,
    ViewKind::Command,
];

const BUILTIN: &str = include_str!("../../rules/signals.json");

fn read_builtin(faults: &mut Vec<Fault>) -> Vec<SignalRule> {
    match hcp_core::json::parse(
        BUILTIN,
        Limits {
            bytes: BUILTIN.len(),
            depth: 64,
        },
    ) {
        Ok(node) => SignalRule::parse_list(&node, faults),
        Err(fault) => {
            faults.push(Fault::at(
                hcp_core::json::Span::default(),
                format!("{fault:?}"),
            ));
            Vec::new()
        }
    }
}

/// One rule for a signal.
#[derive(Debug, Clone, PartialEq)]
pub struct SignalRule {
    /// The stable word of the signal.
    pub code: String,
    /// How much it weighs.
    pub level: Level,
    text: Text,
    pub(crate) when: When,
    examples: Option<Value>,
}

/// What must hold, all of it. A list is met by any of its entries.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct When {
    pub(crate) kind: Vec<ViewKind>,
    pub(crate) not_kind: Vec<ViewKind>,
    pub(crate) operation: Option<Operation>,
    pub(crate) undo: Vec<Undo>,
    pub(crate) command: WordSet,
    pub(crate) not_command: WordSet,
    pub(crate) action: WordSet,
    pub(crate) args: TextSet,
    pub(crate) without: TextSet,
    pub(crate) values: TextSet,
    pub(crate) words: WordSet,
    pub(crate) not_words: WordSet,
    pub(crate) switch: TextSet,
    pub(crate) switch_off: TextSet,
    pub(crate) count: Option<Count>,
    pub(crate) found: Option<Detector>,
}

/// How many single entries stand behind fields, each counted once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Count {
    pub(crate) fields: Vec<&'static str>,
    pub(crate) names: TextSet,
    pub(crate) at_least: u64,
}

impl SignalRule {
    /// Reads one rule. `None` where it cannot serve; every fault is told, with its place. Examples that it brings
    /// are checked.
    pub fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let before = faults.len();
        let mut fields = Fields::open(node, "a signal rule", faults)?;
        let code = fields
            .required("code", faults)
            .and_then(|n| read_code(n, faults));
        let level = fields
            .required("level", faults)
            .and_then(|n| word(n, Level::WHAT, Level::WORDS, faults));
        let text_node = fields.required("text", faults);
        let text = text_node.and_then(|n| Text::parse(n, faults));
        let when_node = fields.required("when", faults);
        let when = when_node.and_then(|n| When::parse(n, faults));
        let examples = fields.optional("examples");
        fields.finish(faults);
        let rule = Self {
            code: code?,
            level: level?,
            text: text?,
            when: when?,
            examples: examples.map(Node::to_value),
        };
        if let Some(node) = text_node {
            rule.check_text(node, faults);
        }
        if let Some(node) = examples {
            example::check(&rule, node, faults);
        }
        (faults.len() == before).then_some(rule)
    }

    /// Reads a list of rules; a rule with a fault is told and left out.
    pub fn parse_list(node: &Node, faults: &mut Vec<Fault>) -> Vec<Self> {
        array(node, faults)
            .unwrap_or_default()
            .iter()
            .filter_map(|item| Self::parse(item, faults))
            .collect()
    }

    /// The rule as JSON, in the form in which it is read.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut out = Object::new()
            .with("code", self.code.as_str())
            .with("level", self.level.as_str())
            .with("text", self.text.written.as_str())
            .with("when", self.when.to_value());
        if let Some(examples) = &self.examples {
            out.insert("examples", examples.clone());
        }
        out.into()
    }

    /// The text with its placeholders, as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text.written
    }

    /// The text for one finding.
    pub(crate) fn fill(&self, found: &Found) -> String {
        self.text.fill(found)
    }

    fn check_text(&self, node: &Node, faults: &mut Vec<Fault>) {
        let when = &self.when;
        let has_values = when.found.is_some()
            || [&when.args, &when.values, &when.switch, &when.switch_off]
                .iter()
                .any(|s| !s.is_empty())
            || !when.words.is_empty();
        let has_count = has_values || when.count.is_some();
        if self.text.wants_count() && !has_count || self.text.wants_value() && !has_values {
            faults.push(
                Fault::at(node.span, "the text holds a placeholder for which \"when\" finds nothing")
                    .help("{count} needs \"count\", \"found\" or a list of names; {value} and {values} need \"found\" or a list of names or values"),
            );
        }
    }
}

fn read_code(node: &Node, faults: &mut Vec<Fault>) -> Option<String> {
    let code = string(node, faults)?;
    if !is_name(code) {
        faults.push(
            Fault::at(
                node.span,
                format!("{} cannot be a signal's code", quoted(code)),
            )
            .help("use small letters, digits and _, at most 64 of them"),
        );
        return None;
    }
    Some(code.to_owned())
}

impl When {
    fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let before = faults.len();
        let mut fields = Fields::open(node, "a signal rule's \"when\"", faults)?;
        if fields.members().is_empty() {
            faults.push(
                Fault::at(
                    node.span,
                    "a signal rule without a condition would hold for every call",
                )
                .help("name at least one condition"),
            );
        }
        let kinds: Vec<(&'static str, ViewKind)> = KINDS.iter().map(|k| (k.as_str(), *k)).collect();
        let mut list = |key, faults: &mut Vec<Fault>| {
            fields
                .optional(key)
                .map(|n| texts(n, faults))
                .unwrap_or_default()
        };
        let when = Self {
            command: WordSet::usual(list("command", faults)),
            not_command: WordSet::exact(list("not_command", faults)),
            action: WordSet::usual(list("action", faults)),
            args: TextSet::names(list("args", faults)),
            without: TextSet::names(list("without", faults)),
            values: TextSet::values(list("values", faults)),
            words: WordSet::exact(list("words", faults)),
            not_words: WordSet::exact(list("not_words", faults)),
            switch: TextSet::names(list("switch", faults)),
            switch_off: TextSet::names(list("switch_off", faults)),
            kind: fields
                .optional("kind")
                .map(|n| closed(n, "kind of view", &kinds, faults))
                .unwrap_or_default(),
            not_kind: fields
                .optional("not_kind")
                .map(|n| closed(n, "kind of view", &kinds, faults))
                .unwrap_or_default(),
            operation: fields
                .optional("operation")
                .and_then(|n| word(n, Operation::WHAT, Operation::WORDS, faults)),
            undo: fields
                .optional("undo")
                .map(|n| closed(n, Undo::WHAT, Undo::WORDS, faults))
                .unwrap_or_default(),
            count: fields
                .optional("count")
                .and_then(|n| Count::parse(n, faults)),
            found: fields
                .optional("found")
                .and_then(|n| word(n, Detector::WHAT, Detector::WORDS, faults)),
        };
        fields.finish(faults);
        (faults.len() == before).then_some(when)
    }

    fn to_value(&self) -> Value {
        let mut out = Object::new();
        let mut list = |key: &str, texts: Vec<&str>| {
            if !texts.is_empty() {
                out.insert(key, texts);
            }
        };
        list("kind", self.kind.iter().map(|k| k.as_str()).collect());
        list(
            "not_kind",
            self.not_kind.iter().map(|k| k.as_str()).collect(),
        );
        list("undo", self.undo.iter().map(|u| u.as_str()).collect());
        for (key, texts) in [
            ("command", &self.command.written),
            ("not_command", &self.not_command.written),
            ("action", &self.action.written),
            ("args", &self.args.written),
            ("without", &self.without.written),
            ("values", &self.values.written),
            ("words", &self.words.written),
            ("not_words", &self.not_words.written),
            ("switch", &self.switch.written),
            ("switch_off", &self.switch_off.written),
        ] {
            if !texts.is_empty() {
                out.insert(key, texts.clone());
            }
        }
        if let Some(operation) = self.operation {
            out.insert("operation", operation.as_str());
        }
        if let Some(count) = &self.count {
            let fields = Object::new()
                .with("fields", count.fields.clone())
                .with("at_least", count.at_least);
            out.insert("count", fields);
        }
        if let Some(found) = self.found {
            out.insert("found", found.as_str());
        }
        out.into()
    }
}

impl Count {
    fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut object = Fields::open(node, "\"count\"", faults)?;
        let roles: Vec<(&str, &str)> = roles().map(|role| (role, role)).collect();
        let fields = object
            .required("fields", faults)
            .map(|n| closed(n, "field that can be counted", &roles, faults))
            .unwrap_or_default();
        let at_least = object
            .required("at_least", faults)
            .and_then(|n| whole(n, 1, 1_000_000, faults));
        object.finish(faults);
        let names = fields
            .iter()
            .flat_map(|role| of_role(role))
            .cloned()
            .collect();
        Some(Self {
            fields,
            names: TextSet::names(names),
            at_least: at_least?,
        })
    }
}

/// A list of texts, none of them empty. An empty list would hold for nothing, or for everything.
fn texts(node: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let found = strings(node, faults);
    not_empty(node, faults);
    for item in array(node, &mut Vec::new()).unwrap_or_default() {
        if item.as_str().is_some_and(|text| text.trim().is_empty()) {
            faults.push(Fault::at(item.span, "this text names nothing").help("take it out"));
        }
    }
    found
}

fn not_empty(node: &Node, faults: &mut Vec<Fault>) {
    if matches!(&node.kind, hcp_core::json::Kind::Array(items) if items.is_empty()) {
        faults.push(
            Fault::at(node.span, "this list is empty").help("name something, or leave the key out"),
        );
    }
}

/// A list of words of a closed set.
fn closed<T: Copy>(
    node: &Node,
    what: &str,
    known: &[(&'static str, T)],
    faults: &mut Vec<Fault>,
) -> Vec<T> {
    not_empty(node, faults);
    array(node, faults)
        .unwrap_or_default()
        .iter()
        .filter_map(|item| word(item, what, known, faults))
        .collect()
}

#[cfg(test)]
mod tests;
