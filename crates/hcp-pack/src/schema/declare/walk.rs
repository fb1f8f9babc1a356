//! The walk over one block's schemas: every keyword has its shape, every pattern and reference holds.

use super::names;
use crate::schema::keywords::{
    EXTRAS, KEYWORDS, REFUSED, Shape, TYPES, decode_fragment, escape, regex, shape,
};
use crate::schema::plain;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Kind, Member, Node, Span, Value};
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;
use std::collections::HashSet;

/// The walk over one block's schemas.
pub(super) struct Walk<'f> {
    faults: &'f mut Vec<Fault>,
    /// Pointers of all schemas, which a reference may name.
    schemas_at: HashSet<String>,
    anchors: HashSet<String>,
    references: Vec<(String, Span)>,
}

impl<'f> Walk<'f> {
    pub(super) fn new(faults: &'f mut Vec<Fault>) -> Self {
        Self {
            faults,
            // The whole block is a schema too.
            schemas_at: HashSet::from([String::new()]),
            anchors: HashSet::new(),
            references: Vec::new(),
        }
    }

    fn fault(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(Fault::at(span, message).help(help));
    }

    /// One argument: a schema object, with the keys of our own.
    pub(super) fn property(&mut self, member: &Member) {
        let pointer = format!("/properties/{}", escape(&member.key));
        self.schemas_at.insert(pointer.clone());
        if let Some(fields) = Fields::open(&member.value, "an argument", self.faults) {
            for keyword in fields.members() {
                if EXTRAS.contains(&keyword.key.as_str()) {
                    self.extra(keyword);
                } else {
                    self.keyword(keyword, &pointer);
                }
            }
        }
    }

    fn extra(&mut self, member: &Member) {
        let node = &member.value;
        match member.key.as_str() {
            "x-position" => {
                fields::whole(node, 0, 1000, self.faults);
            }
            "x-alias" => self.aliases(node),
            "x-command" => {
                let words = [("line", ()), ("words", ())];
                fields::word(node, "form of a command", &words, self.faults);
            }
            _ => {
                fields::boolean(node, self.faults);
            }
        }
    }

    fn aliases(&mut self, node: &Node) {
        for (alias, span) in names(node, self.faults) {
            let name = alias.trim_start_matches('-');
            let dashes = alias.len() - name.len();
            let short = dashes == 1 && name.chars().count() == 1;
            let long = (1..=2).contains(&dashes) && !name.is_empty();
            let word = !name.contains(|c: char| c == '=' || c == '|' || c.is_whitespace());
            if !(short || long) || !word {
                self.fault(
                    span,
                    format!("{} is no option", quoted(&alias)),
                    "write a spelling like \"-f\" or \"--file\"",
                );
            }
        }
    }

    fn schema(&mut self, node: &Node, pointer: &str) {
        self.schemas_at.insert(pointer.to_owned());
        match &node.kind {
            Kind::Bool(_) => {}
            Kind::Object(members) => {
                for member in members {
                    self.keyword(member, pointer);
                }
            }
            Kind::Null | Kind::Number(_) | Kind::String(_) | Kind::Array(_) => self.fault(
                node.span,
                format!("this must be a schema, and is {}", node.kind_name()),
                "write an object of keywords, or true",
            ),
        }
    }

    pub(super) fn schema_map(&mut self, node: &Node, pointer: &str, patterns: bool) {
        let Some(map) = Fields::open(node, "this", self.faults) else {
            return;
        };
        for member in map.members() {
            if patterns {
                self.pattern(&member.key, member.key_span);
            }
            self.schema(&member.value, &format!("{pointer}/{}", escape(&member.key)));
        }
    }

    fn keyword(&mut self, member: &Member, pointer: &str) {
        let Some(shape) = shape(&member.key) else {
            self.unknown(member);
            return;
        };
        let node = &member.value;
        let below = format!("{pointer}/{}", escape(&member.key));
        match shape {
            Shape::Schema => self.schema(node, &below),
            Shape::Schemas => self.schemas(node, &below),
            Shape::SchemaMap => self.schema_map(node, &below, false),
            Shape::PatternMap => self.schema_map(node, &below, true),
            Shape::Count => self.count(node),
            Shape::Number => {
                fields::number(node, self.faults);
            }
            Shape::Step => self.step(node),
            Shape::Pattern => {
                if let Some(pattern) = fields::string(node, self.faults) {
                    self.pattern(pattern, node.span);
                }
            }
            Shape::Type => self.types(node),
            Shape::Truth => {
                fields::boolean(node, self.faults);
            }
            Shape::Text => {
                fields::string(node, self.faults);
            }
            Shape::Names => {
                names(node, self.faults);
            }
            Shape::NamesMap => {
                if let Some(map) = Fields::open(node, "this", self.faults) {
                    for needs in map.members() {
                        names(&needs.value, self.faults);
                    }
                }
            }
            Shape::Choices => self.choices(node),
            Shape::Constant | Shape::Note => {}
            Shape::Reference => self.reference(node),
            Shape::Anchor => self.anchor(node),
        }
    }

    fn unknown(&mut self, member: &Member) {
        let key = member.key.as_str();
        if EXTRAS.contains(&key) {
            self.fault(
                member.key_span,
                format!("{} can only stand on an argument itself", quoted(key)),
                "move it up to the argument, or take it out",
            );
            return;
        }
        if let Some((_, mend)) = REFUSED.iter().find(|(name, _)| *name == key) {
            self.fault(
                member.key_span,
                format!("{} cannot stand in an argument", quoted(key)),
                *mend,
            );
            return;
        }
        let known = EXTRAS
            .iter()
            .copied()
            .chain(KEYWORDS.iter().map(|(k, _)| *k));
        let help = match did_you_mean(key, known) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "use the keywords of JSON Schema 2020-12".to_owned(),
        };
        self.fault(
            member.key_span,
            format!("an argument has no key {}", quoted(key)),
            help,
        );
    }

    fn schemas(&mut self, node: &Node, pointer: &str) {
        let Some(items) = fields::array(node, self.faults) else {
            return;
        };
        if items.is_empty() {
            self.fault(
                node.span,
                "this list is empty",
                "add a schema, or take it out",
            );
        }
        for (at, item) in items.iter().enumerate() {
            self.schema(item, &format!("{pointer}/{at}"));
        }
    }

    fn count(&mut self, node: &Node) {
        if let Some(number) = fields::number(node, self.faults)
            && plain::count(&Value::Number(number.clone())).is_none()
        {
            self.fault(
                node.span,
                "this must be a whole number from 0",
                "write a count like 3",
            );
        }
    }

    fn step(&mut self, node: &Node) {
        if let Some(number) = fields::number(node, self.faults) {
            let step = number.decimal();
            if step.is_zero() || step.is_negative() {
                self.fault(node.span, "this must be above 0", "write a step like 0.01");
            }
        }
    }

    fn pattern(&mut self, pattern: &str, span: Span) {
        if regex(pattern).is_none() {
            self.fault(
                span,
                format!("{} is no pattern that can be judged", quoted(pattern)),
                "write a regular expression without look-around and back-references",
            );
        }
    }

    fn types(&mut self, node: &Node) {
        let words: Vec<(&'static str, ())> = TYPES.iter().map(|t| (*t, ())).collect();
        if let Kind::Array(items) = &node.kind {
            if items.is_empty() {
                self.fault(
                    node.span,
                    "this list is empty",
                    "name a type, or take it out",
                );
            }
            for (name, span) in names(node, self.faults) {
                let word = Node {
                    span,
                    kind: Kind::String(name),
                };
                fields::word(&word, "type", &words, self.faults);
            }
        } else {
            fields::word(node, "type", &words, self.faults);
        }
    }

    fn choices(&mut self, node: &Node) {
        if let Some([]) = fields::array(node, self.faults) {
            self.fault(
                node.span,
                "no value can fit an empty list",
                "list the values",
            );
        }
    }

    fn reference(&mut self, node: &Node) {
        if let Some(target) = fields::string(node, self.faults) {
            self.references.push((target.to_owned(), node.span));
        }
    }

    fn anchor(&mut self, node: &Node) {
        let Some(name) = fields::string(node, self.faults) else {
            return;
        };
        let good = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
        if !good {
            self.fault(
                node.span,
                format!("{} cannot be an anchor", quoted(name)),
                "begin with a letter; go on with letters, digits, -, _ and .",
            );
        } else if !self.anchors.insert(name.to_owned()) {
            self.fault(
                node.span,
                format!("the anchor {} stands twice", quoted(name)),
                "rename one of the two",
            );
        }
    }

    pub(super) fn resolve_references(&mut self) {
        for (target, span) in std::mem::take(&mut self.references) {
            let found = target.strip_prefix('#').is_some_and(|fragment| {
                if fragment.is_empty() || fragment.starts_with('/') {
                    decode_fragment(fragment).is_some_and(|at| self.schemas_at.contains(&at))
                } else {
                    self.anchors.contains(fragment)
                }
            });
            if !found {
                self.fault(
                    span,
                    format!("{} refers to no schema of these arguments", quoted(&target)),
                    "write it like \"#/$defs/NAME\", with NAME under \"$defs\" of this \"args\"",
                );
            }
        }
    }
}
