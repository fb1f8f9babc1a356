//! Reading an object field by field, with every fault collected and unknown keys refused.
//!
//! Settings, packs, grants and test files all read their JSON through [`Fields`], so that the same
//! mistake gives the same message everywhere.

use crate::diagnostic::Fault;
use crate::json::{Kind, Member, Node, Number, Span};
use crate::names::did_you_mean;
use crate::text::quoted;

/// The fields of one object that were not read yet.
#[derive(Debug)]
pub struct Fields<'n> {
    what: &'static str,
    span: Span,
    members: &'n [Member],
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// Opens an object; `what` names it in messages ("a rule", "the settings").
    /// Anything but an object is a fault and gives `None`.
    pub fn open(node: &'n Node, what: &'static str, faults: &mut Vec<Fault>) -> Option<Self> {
        match &node.kind {
            Kind::Object(members) => Some(Self {
                what,
                span: node.span,
                members,
                known: Vec::new(),
            }),
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Array(_) => {
                faults.push(Fault::at(
                    node.span,
                    format!("{what} must be an object, and this is {}", node.kind_name()),
                ));
                None
            }
        }
    }

    /// Where the whole object stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// A key that may be absent.
    pub fn optional(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        self.members.iter().find(|m| m.key == key).map(|m| &m.value)
    }

    /// A key that must be there.
    pub fn required(&mut self, key: &'static str, faults: &mut Vec<Fault>) -> Option<&'n Node> {
        let found = self.optional(key);
        if found.is_none() {
            faults.push(
                Fault::at(
                    Span {
                        start: self.span.start,
                        end: self.span.start + 1,
                    },
                    format!("{} has no {}", self.what, quoted(key)),
                )
                .help(format!("add {}", quoted(key))),
            );
        }
        found
    }

    /// The members, for objects whose keys are names of the writer's own.
    #[must_use]
    pub fn members(&self) -> &'n [Member] {
        self.members
    }

    /// Refuses every key that was never asked for.
    pub fn finish(self, faults: &mut Vec<Fault>) {
        for member in self.members {
            if self.known.contains(&member.key.as_str()) {
                continue;
            }
            let help = match did_you_mean(&member.key, self.known.iter().copied()) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => format!("{} may hold: {}", self.what, self.known.join(", ")),
            };
            faults.push(
                Fault::at(
                    member.key_span,
                    format!("{} has no key {}", self.what, quoted(&member.key)),
                )
                .help(help),
            );
        }
    }
}

fn wrong_type(node: &Node, wanted: &str, faults: &mut Vec<Fault>) {
    faults.push(Fault::at(
        node.span,
        format!("this must be {wanted}, and is {}", node.kind_name()),
    ));
}

/// The text of a string, or a fault.
pub fn string<'n>(node: &'n Node, faults: &mut Vec<Fault>) -> Option<&'n str> {
    let text = node.as_str();
    if text.is_none() {
        wrong_type(node, "a string", faults);
    }
    text
}

/// A boolean, or a fault.
pub fn boolean(node: &Node, faults: &mut Vec<Fault>) -> Option<bool> {
    match node.kind {
        Kind::Bool(b) => Some(b),
        Kind::Null | Kind::Number(_) | Kind::String(_) | Kind::Array(_) | Kind::Object(_) => {
            wrong_type(node, "true or false", faults);
            None
        }
    }
}

/// A JSON number, or a fault.
pub fn number<'n>(node: &'n Node, faults: &mut Vec<Fault>) -> Option<&'n Number> {
    match &node.kind {
        Kind::Number(n) => Some(n),
        Kind::Null | Kind::Bool(_) | Kind::String(_) | Kind::Array(_) | Kind::Object(_) => {
            wrong_type(node, "a number", faults);
            None
        }
    }
}

/// A whole number within bounds, or a fault.
pub fn whole(node: &Node, min: u64, max: u64, faults: &mut Vec<Fault>) -> Option<u64> {
    let found = number(node, faults)?;
    match found.as_str().parse::<u64>() {
        Ok(n) if (min..=max).contains(&n) => Some(n),
        _ => {
            faults.push(Fault::at(
                node.span,
                format!("this must be a whole number from {min} to {max}"),
            ));
            None
        }
    }
}

/// The items of an array, or a fault.
pub fn array<'n>(node: &'n Node, faults: &mut Vec<Fault>) -> Option<&'n [Node]> {
    match &node.kind {
        Kind::Array(items) => Some(items),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Object(_) => {
            wrong_type(node, "an array", faults);
            None
        }
    }
}

/// The strings of an array of strings; every item that is none is a fault.
pub fn strings(node: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let items = array(node, faults).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| string(item, faults).map(str::to_owned))
        .collect()
}

/// One of a few words, or a fault that lists them ("did you mean").
pub fn word<T: Copy>(
    node: &Node,
    what: &str,
    words: &[(&'static str, T)],
    faults: &mut Vec<Fault>,
) -> Option<T> {
    let text = string(node, faults)?;
    if let Some((_, value)) = words.iter().find(|(w, _)| *w == text) {
        return Some(*value);
    }
    let list: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
    let help = match did_you_mean(text, list.iter().copied()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => format!("it is one of: {}", list.join(", ")),
    };
    faults.push(Fault::at(node.span, format!("{} is no {what}", quoted(text))).help(help));
    None
}
