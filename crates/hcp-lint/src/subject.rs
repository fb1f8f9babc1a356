//! What lints look at: a pack that the loader took, and beside each of its commands the places in the files.

use crate::document::Document;
use crate::guess;
use hcp_card::view::ViewKind;
use hcp_core::json::{Kind, Member, Node, Span};
use hcp_core::policy::{Confirm, Operation};
use hcp_pack::{Argument, Command, Pack, Template};
use std::collections::HashMap;

/// A pack and its files.
pub(crate) struct Subject<'a> {
    pub(crate) pack: &'a Pack,
    /// Programs that were looked for and not found.
    pub(crate) not_found: &'a [String],
    /// The commands in the order of `surface.json`.
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) surface: &'a Document<'a>,
    /// `globals` of `surface.json`.
    pub(crate) globals: Option<&'a Node>,
    /// `defaults` of `policy.json`.
    pub(crate) defaults: Option<&'a Node>,
}

/// One command and where it stands.
pub(crate) struct Entry<'a> {
    pub(crate) command: &'a Command,
    /// Its name in `surface.json`.
    pub(crate) name_span: Span,
    /// Its entry in `surface.json`.
    pub(crate) node: &'a Node,
    /// Its name and entry in `policy.json`.
    pub(crate) policy: &'a Member,
    /// What its names say it does; nothing for a command that only shows.
    pub(crate) guessed: Option<ViewKind>,
    /// The known kind that its preview declares.
    pub(crate) declared: Option<ViewKind>,
}

/// The members of an object; of anything else none.
pub(crate) fn members(node: Option<&Node>) -> &[Member] {
    match node.map(|node| &node.kind) {
        Some(Kind::Object(members)) => members,
        Some(Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Array(_))
        | None => &[],
    }
}

/// The items of an array; of anything else none.
pub(crate) fn items(node: Option<&Node>) -> &[Node] {
    match node.map(|node| &node.kind) {
        Some(Kind::Array(items)) => items,
        Some(Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Object(_))
        | None => &[],
    }
}

impl<'a> Subject<'a> {
    pub(crate) fn new(
        pack: &'a Pack,
        (surface, looks): (&'a Document<'a>, &'a Node),
        policies: &'a Node,
        not_found: &'a [String],
    ) -> Self {
        let policies_by_name: HashMap<&str, &Member> = members(policies.get("commands"))
            .iter()
            .map(|member| (member.key.as_str(), member))
            .collect();
        let entries = members(looks.get("commands"))
            .iter()
            .filter_map(|member| {
                let command = pack.command(&member.key)?;
                let policy = policies_by_name.get(member.key.as_str())?;
                Some(Entry::new(pack, command, member, policy))
            })
            .collect();
        Self {
            pack,
            not_found,
            entries,
            surface,
            globals: looks.get("globals"),
            defaults: policies.get("defaults"),
        }
    }

    /// The global arguments, with their places.
    pub(crate) fn global_properties(&self) -> &'a [Member] {
        properties(self.globals)
    }

    /// A text inside a string of `surface.json`, where it is written there as it is; else the whole string.
    pub(crate) fn inside(&self, node: &Node, part: &str) -> Span {
        let written = self.surface.text.get(node.span.start..node.span.end);
        match written.and_then(|written| written.find(part)) {
            Some(at) => Span {
                start: node.span.start + at,
                end: node.span.start + at + part.len(),
            },
            None => node.span,
        }
    }
}

fn properties(node: Option<&Node>) -> &[Member] {
    members(
        node.and_then(|node| node.get("args"))
            .and_then(|args| args.get("properties")),
    )
}

impl<'a> Entry<'a> {
    fn new(pack: &Pack, command: &'a Command, member: &'a Member, policy: &'a Member) -> Self {
        let kind = command.preview.as_ref().and_then(|p| p.get("kind"));
        Self {
            command,
            name_span: member.key_span,
            node: &member.value,
            policy,
            guessed: guess::kind(pack, command),
            declared: kind
                .and_then(hcp_core::json::Value::as_str)
                .and_then(ViewKind::parse),
        }
    }

    pub(crate) fn name(&self) -> &'a str {
        self.command.name.as_str()
    }

    pub(crate) fn is_write(&self) -> bool {
        self.command.policy.operation == Operation::Write
    }

    /// Whether it is a write of a kind, by its names or by its preview. One that always has `--dry-run` on its line
    /// does what it is named after to nothing.
    pub(crate) fn writes(&self, kind: ViewKind) -> bool {
        self.is_write()
            && !self.only_tries()
            && (self.guessed == Some(kind) || self.declared == Some(kind))
    }

    fn only_tries(&self) -> bool {
        let cli = self.command.cli();
        let owned = |at: usize| cli.get(at + 1).is_some_and(|next| next.alone().is_some());
        let end = cli.iter().position(|word| word.literal() == Some("--"));
        let mut options = cli.iter().enumerate().take(end.unwrap_or(cli.len()));
        options.any(|(at, word)| word.option() == Some("--dry-run") && !owned(at))
    }

    /// Whether a write runs in the mode `auto` without a question.
    pub(crate) fn never_asks(&self) -> bool {
        self.command.policy.confirm == Confirm::Never
    }

    /// Whether one of its own raises, over an argument of its own, makes some of its calls ask. A raise over the
    /// program's own options (in `defaults`, or over a global) says nothing of what this command does.
    pub(crate) fn asks_by_raise(&self) -> bool {
        let own = |member: &Member| self.property(&member.key).is_some();
        let names = |when: &Node| {
            members(Some(when))
                .iter()
                .any(|m| members(Some(&m.value)).iter().any(own))
        };
        let asks = |raise: &Node| {
            raise
                .get("confirm")
                .is_some_and(|c| !matches!(c.as_str(), Some("never")))
        };
        items(self.policy.value.get("raise"))
            .iter()
            .any(|raise| asks(raise) && raise.get("when").is_some_and(names))
    }

    /// A key of its Policy, or the name where the key is not given.
    pub(crate) fn policy_span(&self, key: &str) -> Span {
        match self.policy.value.get(key) {
            Some(node) => node.span,
            None => self.policy.key_span,
        }
    }

    /// Its own words, each template with its place.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'a Template, Span)> + use<'a> {
        let places = items(self.node.get("cli"));
        self.command
            .cli()
            .iter()
            .zip(places)
            .map(|(word, node)| (word, node.span))
    }

    /// Its own arguments, without the globals.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &'a Argument> + use<'a> {
        self.command.arguments.iter().filter(|a| !a.global)
    }

    /// Where one of its own arguments is declared.
    pub(crate) fn property(&self, name: &str) -> Option<&'a Member> {
        properties(Some(self.node)).iter().find(|m| m.key == name)
    }

    /// The place of an own argument's name.
    pub(crate) fn argument_span(&self, name: &str) -> Span {
        match self.property(name) {
            Some(member) => member.key_span,
            None => self.name_span,
        }
    }

    /// The declared preview.
    pub(crate) fn preview(&self) -> Option<&'a Node> {
        self.node.get("preview")
    }
}

/// The placeholders of a preview's text: as written, and the name in it.
pub(crate) fn placeholders(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else {
            break;
        };
        let from = before.len();
        let written = rest.get(from..from + name.len() + "{{}}".len());
        found.push((written.unwrap_or_default(), name.trim()));
        rest = tail;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_as_the_card_fills_them() {
        assert_eq!(
            placeholders("Pay {{a}} to {{ b }}{{c}}, {{d"),
            [("{{a}}", "a"), ("{{ b }}", "b"), ("{{c}}", "c")]
        );
        assert!(placeholders("}} none").is_empty());
    }
}
