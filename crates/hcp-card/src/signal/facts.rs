//! The facts of one call that signal rules ask for, gathered once.

use super::detect::Found;
use super::identifiers::{self, Identifier};
use super::sets::{Words, bit};
use crate::call::{CardCall, FileRow, Past};
use crate::names::key;
use crate::view::{View, ViewKind, ViewOrigin};
use hcp_core::json::{Object, Value};
use hcp_core::policy::{Operation, Undo};
use hcp_pack::Command;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// One argument.
#[derive(Debug)]
pub(crate) struct ArgFact<'a> {
    pub(crate) name: &'a str,
    /// The name in its one spelling.
    pub(crate) key: Cow<'a, str>,
    /// The option that it is written with and its aliases, in the same form.
    pub(crate) spellings: Vec<Cow<'a, str>>,
    /// The fields that it stands behind, in the same form.
    pub(crate) behind: Vec<Cow<'a, str>>,
    pub(crate) value: &'a Value,
    pub(crate) secret: bool,
}

impl<'a> ArgFact<'a> {
    /// An argument by its name alone: no option and no field is known of it.
    pub(crate) fn named(name: &'a str, value: &'a Value, secret: bool) -> Self {
        Self {
            name,
            key: key(name),
            spellings: Vec::new(),
            behind: Vec::new(),
            value,
            secret,
        }
    }

    /// The fields behind which an argument stands.
    pub(crate) fn behind(
        name: &str,
        sources: &'a BTreeMap<String, Vec<String>>,
    ) -> Vec<Cow<'a, str>> {
        let fields = sources.iter();
        let own = fields.filter(|(_, names)| names.iter().any(|n| n == name));
        own.map(|(field, _)| key(field)).collect()
    }
}

/// What rules look at.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    /// The words of `pack.command`.
    pub(crate) words: Words,
    pub(crate) operation: Operation,
    pub(crate) undo: Undo,
    pub(crate) kind: ViewKind,
    pub(crate) inferred: Option<ViewKind>,
    /// Whether nobody knew what the call is.
    pub(crate) plain: bool,
    pub(crate) fields: &'a Object,
    pub(crate) sources: &'a BTreeMap<String, Vec<String>>,
    /// The fields that no argument stands behind: their names in the same form, and their values.
    pub(crate) own_fields: Vec<(Cow<'a, str>, &'a Value)>,
    pub(crate) args: Vec<ArgFact<'a>>,
    /// The bits of the names of arguments and fields.
    pub(crate) names_mask: u64,
    /// The options that the command always gives.
    pub(crate) literals: Vec<&'a str>,
    pub(crate) fully_read: bool,
    /// The words that were not understood; where there are none, the arguments.
    pub(crate) unread: Vec<&'a str>,
    pub(crate) files: &'a [FileRow],
    pub(crate) past: &'a Past,
    /// Whether the call stands in a loop.
    pub(crate) in_a_loop: bool,
    pub(crate) identifiers: OnceCell<Cow<'a, [Identifier]>>,
    /// The findings that several rules ask for.
    pub(crate) secrets: OnceCell<Vec<Found>>,
    pub(crate) hosts: OnceCell<Vec<String>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn of(call: &CardCall<'a>, view: &'a View, past: &'a Past) -> Self {
        let (literals, led) = options(call.command);
        let args: Vec<ArgFact<'a>> = call
            .args
            .iter()
            .map(|(name, value)| arg_fact(call.command, &view.sources, &led, name, value))
            .collect();
        // The words tell why arguments cannot be told; only where there are none, these stand for themselves.
        let unread = match call.unread {
            [] => call.reading.untold.iter().map(String::as_str).collect(),
            words => words.iter().map(String::as_str).collect(),
        };
        Self {
            words: Words::of(&format!("{}.{}", call.pack, call.command.name)),
            operation: call.policy.operation,
            undo: call.policy.undo,
            kind: view.kind,
            inferred: view.inferred,
            plain: view.origin == ViewOrigin::Plain,
            fields: &view.fields,
            sources: &view.sources,
            own_fields: own_fields(&view.fields, &view.sources),
            names_mask: names_mask(&args, &view.fields),
            args,
            literals,
            fully_read: call.reading.fully_read && call.reading.untold.is_empty(),
            unread,
            files: call.files,
            past,
            in_a_loop: false,
            identifiers: OnceCell::new(),
            secrets: OnceCell::new(),
            hosts: OnceCell::new(),
        }
    }

    /// The same facts, whose identifiers were gathered before.
    pub(crate) fn with_identifiers(self, identifiers: &'a [Identifier]) -> Self {
        Self {
            identifiers: OnceCell::from(Cow::Borrowed(identifiers)),
            ..self
        }
    }

    /// The identifiers of the call.
    pub(crate) fn identifiers(&self) -> &[Identifier] {
        self.identifiers.get_or_init(|| {
            Cow::Owned(identifiers::of(&identifiers::Named {
                args: &self.args,
                kind: self.kind,
                inferred: self.inferred,
                sources: self.sources,
            }))
        })
    }

    /// Whether the call is of a kind, by its declaration or by its names.
    pub(crate) fn is(&self, kind: ViewKind) -> bool {
        self.kind == kind || self.inferred == Some(kind)
    }

    /// The arguments behind a field.
    pub(crate) fn is_source(&self, field: &str, argument: &str) -> bool {
        self.sources
            .get(field)
            .is_some_and(|names| names.iter().any(|n| n == argument))
    }
}

/// The fields that no argument stands behind.
pub(crate) fn own_fields<'a>(
    fields: &'a Object,
    sources: &BTreeMap<String, Vec<String>>,
) -> Vec<(Cow<'a, str>, &'a Value)> {
    fields
        .iter()
        .filter(|(field, _)| !sources.contains_key(*field))
        .map(|(field, value)| (key(field), value))
        .collect()
}

fn arg_fact<'a>(
    command: &'a Command,
    sources: &'a BTreeMap<String, Vec<String>>,
    led: &[(&'a str, &'a str)],
    name: &'a str,
    value: &'a Value,
) -> ArgFact<'a> {
    let declared = command.argument(name);
    let aliases = declared.map(|a| a.aliases.as_slice()).unwrap_or_default();
    ArgFact {
        name,
        key: key(name),
        spellings: led
            .iter()
            .filter(|(argument, _)| *argument == name)
            .map(|(_, option)| key(option))
            .chain(aliases.iter().map(|alias| key(alias)))
            .collect(),
        behind: ArgFact::behind(name, sources),
        value,
        secret: declared.is_some_and(|a| a.secret),
    }
}

/// The bits of the names of arguments and fields.
pub(crate) fn names_mask(args: &[ArgFact<'_>], fields: &Object) -> u64 {
    let of_fields = fields.keys().fold(0, |mask, name| mask | bit(&key(name)));
    args.iter()
        .flat_map(|arg| std::iter::once(&arg.key).chain(&arg.spellings))
        .fold(of_fields, |mask, name| mask | bit(name))
}

/// The options that a command always gives, and those that belong to an argument, with its name.
fn options(command: &Command) -> (Vec<&str>, Vec<(&str, &str)>) {
    let (mut always, mut led) = (Vec::new(), Vec::new());
    for cli in [command.globals(), command.cli()] {
        let mut rest = cli.iter().peekable();
        while let Some(word) = rest.next() {
            let Some(option) = word.option() else {
                continue;
            };
            match (word.lead(), rest.peek().and_then(|next| next.alone())) {
                (Some(lead), Some(argument)) => led.push((argument, lead)),
                (Some(_), None) | (None, _) => always.push(option),
            }
        }
    }
    (always, led)
}
