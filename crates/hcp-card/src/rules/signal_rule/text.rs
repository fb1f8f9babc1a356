//! The text of a signal, with places for the counted number and the values found.

use crate::signal::detect::Found;
use crate::signal::texts::grouped;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::string;
use hcp_core::json::Node;
use hcp_core::text::{quoted, safe_message};

/// The most values that one signal names.
const NAMED: usize = 5;

/// A text with placeholders: `{count}`, `{count:person:people}`, `{value}`, `{values}`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// As it was written.
    pub(crate) written: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Fixed(String),
    Count,
    Counted { one: String, many: String },
    Value,
    Values,
}

impl Text {
    pub(crate) fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let written = string(node, faults)?;
        if written.trim().is_empty() {
            faults
                .push(Fault::at(node.span, "a signal needs a text").help("say the fact in words"));
            return None;
        }
        let mut parts = Vec::new();
        let mut rest = written;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                parts.push(Part::Fixed(before.to_owned()));
            }
            let Some((name, tail)) = after.split_once('}') else {
                faults.push(
                    Fault::at(node.span, "a placeholder is never closed")
                        .help("close it with \"}\""),
                );
                return None;
            };
            let Some(part) = Part::parse(name) else {
                faults.push(
                    Fault::at(node.span, format!("the text has no placeholder {}", quoted(name))).help(
                        "use {count}, {count:ONE:MANY} (\"{count:person:people}\"), {value} or {values}",
                    ),
                );
                return None;
            };
            parts.push(part);
            rest = tail;
        }
        if !rest.is_empty() {
            parts.push(Part::Fixed(rest.to_owned()));
        }
        Some(Self {
            written: written.to_owned(),
            parts,
        })
    }

    pub(crate) fn wants_count(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Count | Part::Counted { .. }))
    }

    pub(crate) fn wants_value(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Value | Part::Values))
    }

    /// The text for one finding. Values in it are safe already.
    pub(crate) fn fill(&self, found: &Found) -> String {
        let text: String = self.parts.iter().map(|part| part.fill(found)).collect();
        // A list that nothing stands in needs no colon before it.
        if self.wants_value() && found.values.is_empty() {
            return text.trim_end_matches([' ', ':']).to_owned();
        }
        text
    }
}

impl Part {
    fn parse(name: &str) -> Option<Self> {
        let mut words = name.split(':');
        match (words.next()?, words.next(), words.next(), words.next()) {
            ("count", None, None, None) => Some(Self::Count),
            ("count", Some(one), Some(many), None) if !one.is_empty() && !many.is_empty() => {
                Some(Self::Counted {
                    one: one.to_owned(),
                    many: many.to_owned(),
                })
            }
            ("value", None, None, None) => Some(Self::Value),
            ("values", None, None, None) => Some(Self::Values),
            _ => None,
        }
    }

    fn fill(&self, found: &Found) -> String {
        match self {
            Self::Fixed(text) => safe_message(text).to_string(),
            Self::Count => grouped(found.count),
            Self::Counted { one, many } => {
                let noun = if found.count == 1 { one } else { many };
                format!("{} {}", grouped(found.count), safe_message(noun))
            }
            Self::Value => found.values.first().cloned().unwrap_or_default(),
            Self::Values => named(&found.values),
        }
    }
}

/// The first values by name, and how many more there are.
fn named(values: &[String]) -> String {
    let names: Vec<&str> = values.iter().take(NAMED).map(String::as_str).collect();
    let more = values.len().saturating_sub(NAMED);
    if more == 0 {
        return names.join(", ");
    }
    format!(
        "{} and {} more",
        names.join(", "),
        grouped(u64::try_from(more).unwrap_or(u64::MAX))
    )
}
