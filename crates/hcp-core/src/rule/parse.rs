//! Reading rules and conditions from JSON. Every fault is collected; nothing unknown is passed over.

use super::{Conditions, Match, Rule};
use crate::diagnostic::Fault;
use crate::fields::{Fields, array, boolean, number, string, word};
use crate::json::{Kind, Member, Node, Number, Value};
use crate::mode::Decision;
use crate::names::{PackId, VerbKey};
use crate::policy::Operation;
use crate::text::quoted;

impl Match {
    /// A match from its text: `*`, `pack.*` or `pack.command`; `None` for everything else.
    ///
    /// ```
    /// use hcp_core::rule::Match;
    /// assert_eq!(Match::parse("gh.*").map(|m| m.to_string()), Some("gh.*".to_owned()));
    /// assert!(Match::parse("gh").is_none() && Match::parse("*.merge").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Everything);
        }
        match text.strip_suffix(".*") {
            Some(pack) => PackId::new(pack).map(Self::Pack),
            None => VerbKey::parse(text).map(Self::Command),
        }
    }
}

/// A moment in the form of RFC 3339, with an offset or `Z`; `None` for everything else.
#[must_use]
pub fn parse_time(text: &str) -> Option<jiff::Timestamp> {
    let shape_fits = |pattern: &str, text: &str| {
        pattern.len() == text.len()
            && pattern.bytes().zip(text.bytes()).all(|(p, b)| match p {
                b'0' => b.is_ascii_digit(),
                b'+' => b == b'+' || b == b'-',
                p => p.eq_ignore_ascii_case(&b),
            })
    };
    let (head, tail) = text.split_at_checked("2026-12-01T12:00:00".len())?;
    let offset = match tail.strip_prefix('.') {
        Some(rest) => {
            let offset = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            (offset.len() < rest.len()).then_some(offset)?
        }
        None => tail,
    };
    let fits = shape_fits("0000-00-00T00:00:00", head)
        && (shape_fits("Z", offset) || shape_fits("+00:00", offset));
    fits.then(|| text.parse().ok()).flatten()
}

impl Rule {
    /// Reads a rule. `None` when something needed could not be read; the faults say what.
    pub fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "a rule", faults)?;
        let matches = fields
            .required("match", faults)
            .and_then(|n| parse_match(n, faults));
        let decision = fields
            .required("decision", faults)
            .and_then(|n| word(n, Decision::WHAT, Decision::WORDS, faults));
        let when = match fields.optional("when") {
            Some(n) => Conditions::parse(n, faults),
            None => Some(Conditions::default()),
        };
        let except = match fields.optional("except") {
            Some(n) => parse_except(n, faults),
            None => Vec::new(),
        };
        let until = fields.optional("until").map(|n| parse_until(n, faults));
        let by_human = match fields.optional("by") {
            Some(n) => parse_by(n, decision, faults),
            None => false,
        };
        let note = match fields.optional("note") {
            Some(n) => string(n, faults).map(str::to_owned),
            None => None,
        };
        fields.finish(faults);
        Some(Self {
            matches: matches?,
            decision: decision?,
            when: when?,
            except,
            by_human,
            until: match until {
                Some(time) => Some(time?),
                None => None,
            },
            note,
        })
    }
}

fn parse_match(node: &Node, faults: &mut Vec<Fault>) -> Option<Match> {
    let text = string(node, faults)?;
    let found = Match::parse(text);
    if found.is_none() {
        let bare = PackId::new(text).map(|id| format!("write \"{id}.*\" for the whole pack"));
        let help = bare.unwrap_or_else(|| "write *, pack.* or pack.command".to_owned());
        faults.push(Fault::at(node.span, format!("{} is no match", quoted(text))).help(help));
    }
    found
}

fn parse_except(node: &Node, faults: &mut Vec<Fault>) -> Vec<Conditions> {
    let items = array(node, faults).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| {
            let before = faults.len();
            let set = Conditions::parse(item, faults)?;
            if set.is_empty() && faults.len() == before {
                faults.push(
                    Fault::at(
                        item.span,
                        "an empty set of conditions would except every call",
                    )
                    .help("name a condition, or take the set out"),
                );
            }
            Some(set)
        })
        .collect()
}

fn parse_until(node: &Node, faults: &mut Vec<Fault>) -> Option<jiff::Timestamp> {
    let text = string(node, faults)?;
    let time = parse_time(text);
    if time.is_none() {
        faults.push(
            Fault::at(node.span, format!("{} is no moment", quoted(text)))
                .help("write it as in \"2026-12-01T12:00:00Z\" (RFC 3339)"),
        );
    }
    time
}

fn parse_by(node: &Node, decision: Option<Decision>, faults: &mut Vec<Fault>) -> bool {
    let human = word(node, "word for who answers", &[("human", true)], faults);
    let asks = match decision {
        Some(Decision::Ask) | None => true,
        Some(Decision::Allow | Decision::Deny) => false,
    };
    if !asks {
        faults.push(
            Fault::at(node.span, "only an ask rule says who answers")
                .help("take \"by\" out, or make the decision \"ask\""),
        );
    }
    human.unwrap_or(false)
}

impl Conditions {
    /// Reads a set of conditions. `None` when it is no object; the faults say what else is wrong.
    pub fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "a set of conditions", faults)?;
        let op = fields
            .optional("op")
            .and_then(|n| word(n, Operation::WHAT, Operation::WORDS, faults));
        let args = map(&mut fields, "args", faults, |n, _| Some(n.to_value()));
        let max = map(&mut fields, "max", faults, limit);
        let min = map(&mut fields, "min", faults, limit);
        let one_of = map(&mut fields, "one_of", faults, choices);
        let like = map(&mut fields, "like", faults, |n, faults| {
            string(n, faults).map(str::to_owned)
        });
        let only = match fields.optional("only") {
            Some(n) => parse_only(n, faults),
            None => false,
        };
        fields.finish(faults);
        Some(Self {
            op,
            args,
            max,
            min,
            one_of,
            like,
            only,
        })
    }
}

/// The members of an object under `key`, each read by `read`; an empty object is a fault.
fn map<'n, T>(
    fields: &mut Fields<'n>,
    key: &'static str,
    faults: &mut Vec<Fault>,
    read: impl Fn(&'n Node, &mut Vec<Fault>) -> Option<T>,
) -> Vec<(String, T)> {
    let Some(node) = fields.optional(key) else {
        return Vec::new();
    };
    let members: &[Member] = match &node.kind {
        Kind::Object(members) => members,
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Array(_) => {
            faults.push(
                Fault::at(
                    node.span,
                    format!(
                        "{} must be an object, and this is {}",
                        quoted(key),
                        node.kind_name()
                    ),
                )
                .help("its keys are names of arguments"),
            );
            return Vec::new();
        }
    };
    if members.is_empty() {
        faults.push(
            Fault::at(node.span, format!("{} is empty", quoted(key))).help(format!(
                "name an argument in it, or take {} out",
                quoted(key)
            )),
        );
    }
    members
        .iter()
        .filter_map(|m| Some((m.key.clone(), read(&m.value, faults)?)))
        .collect()
}

fn limit(node: &Node, faults: &mut Vec<Fault>) -> Option<Number> {
    let before = faults.len();
    let found = number(node, faults).cloned();
    if let (None, Some(fault)) = (&found, faults.get_mut(before)) {
        fault.help = Some("write a limit as a JSON number, without quotes".to_owned());
    }
    found
}

fn choices(node: &Node, faults: &mut Vec<Fault>) -> Option<Vec<Value>> {
    let items = array(node, faults)?;
    if items.is_empty() {
        faults.push(
            Fault::at(node.span, "\"one_of\" has no value to choose from")
                .help("name at least one value"),
        );
    }
    for item in items.iter().filter(|item| item.kind == Kind::Null) {
        faults.push(
            Fault::at(item.span, "null is no value that an argument can have")
                .help("for an argument that must be absent write \"args\": {\"NAME\": null}"),
        );
    }
    Some(items.iter().map(Node::to_value).collect())
}

fn parse_only(node: &Node, faults: &mut Vec<Fault>) -> bool {
    let found = boolean(node, faults);
    if found == Some(false) {
        faults.push(
            Fault::at(node.span, "\"only\" may only be true").help("take it out, or write true"),
        );
    }
    found.unwrap_or(false)
}

#[cfg(test)]
mod tests;
