//! Rules and conditions in words, for people. They hold the values that the rule's writer named; nothing
//! here is for the log.

use super::{Conditions, Rule};
use crate::json::Value;
use crate::text::{quoted, safe};

impl Rule {
    /// The rule in words: `allow ledger.transfer when payee=demo-transit, amount ≤ 5 (fares)`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut out = format!("{} {}", self.decision, self.matches);
        if !self.when.is_empty() {
            out.push_str(" when ");
            out.push_str(&self.when.in_words());
        }
        for (i, set) in self.except.iter().enumerate() {
            out.push_str(if i == 0 {
                " except when "
            } else {
                "; or when "
            });
            out.push_str(&set.in_words());
        }
        if self.by_human {
            out.push_str(", answered by a person");
        }
        if let Some(until) = self.until {
            out.push_str(&format!(", until {until}"));
        }
        if let Some(note) = &self.note {
            out.push_str(&format!(" ({})", safe(note)));
        }
        out
    }
}

impl Conditions {
    /// The conditions in words: `payee=demo-transit, amount ≤ 5`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.op.map(|op| format!("it is a {op}")));
        parts.extend(self.args.iter().map(|(name, v)| match v {
            Value::Null => format!("without {}", safe(name)),
            Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => format!("{}={}", safe(name), value(v)),
        }));
        parts.extend(bounds("≤", &self.max));
        parts.extend(bounds("≥", &self.min));
        parts.extend(self.one_of.iter().map(|(name, values)| {
            let list: Vec<String> = values.iter().map(value).collect();
            format!("{} one of {}", safe(name), list.join("|"))
        }));
        parts.extend(self.like.iter().map(|(name, glob)| match glob.as_str() {
            // A glob that fits every text asks only whether the argument stands there.
            "**" => format!("{} is given", safe(name)),
            glob => format!("{} like {}", safe(name), text(glob)),
        }));
        if self.only {
            parts.push("nothing else".to_owned());
        }
        parts.join(", ")
    }
}

fn bounds<'a, T: std::fmt::Display>(
    sign: &'a str,
    members: &'a [(String, T)],
) -> impl Iterator<Item = String> + 'a {
    members
        .iter()
        .map(move |(name, limit)| format!("{} {sign} {limit}", safe(name)))
}

fn value(value: &Value) -> String {
    match value {
        Value::String(s) => text(s),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(_) | Value::Object(_) => safe(&value.to_string()).to_string(),
    }
}

/// A text as it stands where it cannot be misread, else in quotes.
fn text(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/@:+*#%€$~".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        safe(text).to_string()
    } else {
        quoted(text)
    }
}
