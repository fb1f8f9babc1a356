//! Examples of calls that a signal rule must and must not hold for, read and checked with the rule.

use super::{SignalRule, holds};
use crate::call::{FileRow, Past};
use crate::signal::facts::{ArgFact, Facts, names_mask, own_fields};
use crate::signal::sets::Words;
use crate::view::ViewKind;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{Fields, array, boolean, string, strings, whole, word};
use hcp_core::json::{Node, Object, Value};
use hcp_core::policy::{Operation, Undo};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A call as an example tells it: `{ "command": "mail.send", "args": {…}, "kind": "message" }` and what else matters.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    command: String,
    kind: ViewKind,
    inferred: Option<ViewKind>,
    args: Object,
    fields: Object,
    sources: BTreeMap<String, Vec<String>>,
    operation: Operation,
    undo: Undo,
    secret: Vec<String>,
    literals: Vec<String>,
    unread: Vec<String>,
    files: Vec<FileRow>,
    past: Past,
    in_a_loop: bool,
    text: Option<String>,
}

/// Reads `{ "match": [...], "not": [...] }` and holds the rule to it.
pub(super) fn check(rule: &SignalRule, node: &Node, faults: &mut Vec<Fault>) {
    let Some(mut lists) = Fields::open(node, "\"examples\"", faults) else {
        return;
    };
    for (key, must) in [("match", true), ("not", false)] {
        let Some(list) = lists.optional(key) else {
            continue;
        };
        for item in array(list, faults).unwrap_or_default() {
            if let Some(example) = Example::parse(item, faults) {
                judge(rule, &example, must, item, faults);
            }
        }
    }
    lists.finish(faults);
}

fn judge(rule: &SignalRule, example: &Example, must: bool, node: &Node, faults: &mut Vec<Fault>) {
    let texts = example.texts(rule);
    if texts.is_empty() == must {
        let message = if must {
            "the rule does not hold for this example, and it should"
        } else {
            "the rule holds for this example, and it should not"
        };
        faults.push(Fault::at(node.span, message).help("change the rule or the example"));
    } else if let Some(expected) = example
        .text
        .as_ref()
        .filter(|text| must && !texts.contains(text))
    {
        faults.push(
            Fault::at(
                node.span,
                format!("the example's text is another: {}", texts.join("; ")),
            )
            .help(format!("the example says: {expected}")),
        );
    }
}

impl Example {
    fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let before = faults.len();
        let kinds: Vec<(&'static str, ViewKind)> =
            super::KINDS.iter().map(|k| (k.as_str(), *k)).collect();
        let mut fields = Fields::open(node, "an example", faults)?;
        let command = fields
            .required("command", faults)
            .and_then(|n| string(n, faults));
        let mut kind_of = |key, faults: &mut Vec<Fault>| {
            fields
                .optional(key)
                .and_then(|n| word(n, "kind of view", &kinds, faults))
        };
        let kind = kind_of("kind", faults);
        let inferred = kind_of("inferred", faults);
        let mut list = |key, faults: &mut Vec<Fault>| {
            fields
                .optional(key)
                .map(|n| strings(n, faults))
                .unwrap_or_default()
        };
        let past = Past {
            first_time: list("first_time", faults),
            look_like_approved: list("look_like_approved", faults),
            known: list("known", faults),
            ..Past::default()
        };
        let (secret, literals, unread) = (
            list("secret", faults),
            list("literals", faults),
            list("unread", faults),
        );
        let object = |node: Option<&Node>, faults: &mut Vec<Fault>| -> Object {
            node.and_then(|n| {
                Fields::open(n, "an example's object", faults)?;
                n.to_value().as_object().cloned()
            })
            .unwrap_or_default()
        };
        let unanswered = fields
            .optional("unanswered")
            .and_then(|n| whole(n, 0, 1000, faults));
        let example = Self {
            command: command.unwrap_or_default().to_owned(),
            kind: kind.unwrap_or(ViewKind::Command),
            inferred,
            args: object(fields.optional("args"), faults),
            fields: object(fields.optional("fields"), faults),
            sources: sources(&object(fields.optional("sources"), faults)),
            operation: fields
                .optional("operation")
                .and_then(|n| word(n, Operation::WHAT, Operation::WORDS, faults))
                .unwrap_or(Operation::Write),
            undo: fields
                .optional("undo")
                .and_then(|n| word(n, Undo::WHAT, Undo::WORDS, faults))
                .unwrap_or(Undo::Unknown),
            secret,
            literals,
            unread,
            files: files(&object(fields.optional("files"), faults)),
            past: Past {
                unanswered: unanswered.and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
                ..past
            },
            in_a_loop: fields
                .optional("in_a_loop")
                .and_then(|n| boolean(n, faults))
                .unwrap_or(false),
            text: fields
                .optional("text")
                .and_then(|n| string(n, faults))
                .map(str::to_owned),
        };
        fields.finish(faults);
        (faults.len() == before).then_some(example)
    }

    /// What the rule says of the call.
    fn texts(&self, rule: &SignalRule) -> Vec<String> {
        let found = holds(&rule.when, &self.facts());
        found.iter().map(|found| rule.text.fill(found)).collect()
    }

    /// The facts of the call.
    pub(crate) fn facts(&self) -> Facts<'_> {
        let args: Vec<ArgFact<'_>> = self
            .args
            .iter()
            .map(|(name, value)| {
                let secret = self.secret.iter().any(|s| s == name);
                ArgFact {
                    behind: ArgFact::behind(name, &self.sources),
                    ..ArgFact::named(name, value, secret)
                }
            })
            .collect();
        Facts {
            words: Words::of(&self.command),
            operation: self.operation,
            undo: self.undo,
            kind: self.kind,
            inferred: self.inferred,
            plain: self.kind == ViewKind::Command,
            fields: &self.fields,
            sources: &self.sources,
            own_fields: own_fields(&self.fields, &self.sources),
            names_mask: names_mask(&args, &self.fields),
            args,
            literals: self.literals.iter().map(String::as_str).collect(),
            fully_read: self.unread.is_empty(),
            unread: self.unread.iter().map(String::as_str).collect(),
            files: &self.files,
            past: &self.past,
            in_a_loop: self.in_a_loop,
            identifiers: OnceCell::new(),
            secrets: OnceCell::new(),
            hosts: OnceCell::new(),
        }
    }
}

/// `{ "to": "payee" }`: the argument behind a field, or several in a list.
fn sources(object: &Object) -> BTreeMap<String, Vec<String>> {
    object
        .iter()
        .map(|(field, value)| {
            let names = match value {
                Value::Array(items) => items
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                Value::String(name) => vec![name.clone()],
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
            };
            (field.to_owned(), names)
        })
        .collect()
}

/// `{ "report.pdf": 2100000 }`: files by path, with their sizes; `null` where none is there.
fn files(object: &Object) -> Vec<FileRow> {
    object
        .iter()
        .map(|(path, size)| FileRow {
            argument: "file".to_owned(),
            path: path.to_owned(),
            size: size.as_u64(),
            words: String::new(),
        })
        .collect()
}
