//! Rules: what they match, under which conditions, and how they read in words.
//!
//! Here are the types and their JSON; whether a call meets a rule is judged in [`crate::condition`] and
//! [`crate::gate`].

mod parse;
mod words;

pub use parse::parse_time;

use crate::json::{Number, Object, Value};
use crate::mode::Decision;
use crate::names::{PackId, VerbKey};
use crate::policy::Operation;

/// What a rule is for. Ordered by how specific it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// `*`
    Everything,
    /// `pack.*`
    Pack(PackId),
    /// `pack.command`
    Command(VerbKey),
}

/// A set of conditions, all of which must hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conditions {
    /// The command's operation.
    pub op: Option<Operation>,
    /// Arguments that equal a value; `null` wants the argument absent.
    pub args: Vec<(String, Value)>,
    /// Numbers not above a limit.
    pub max: Vec<(String, Number)>,
    /// Numbers not below a limit.
    pub min: Vec<(String, Number)>,
    /// Arguments that equal one of several values.
    pub one_of: Vec<(String, Vec<Value>)>,
    /// Strings that a whole glob matches.
    pub like: Vec<(String, String)>,
    /// No argument beside those that this set names.
    pub only: bool,
}

/// One rule of a settings file.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The calls it is for.
    pub matches: Match,
    /// What it says of them.
    pub decision: Decision,
    /// Its conditions; an empty set is no condition.
    pub when: Conditions,
    /// The calls it is not for.
    pub except: Vec<Conditions>,
    /// For an ask rule: only a person's own answer counts.
    pub by_human: bool,
    /// The moment it ends.
    pub until: Option<jiff::Timestamp>,
    /// Free text, shown wherever the rule is.
    pub note: Option<String>,
}

impl std::fmt::Display for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Everything => f.write_str("*"),
            Self::Pack(id) => write!(f, "{id}.*"),
            Self::Command(verb) => write!(f, "{verb}"),
        }
    }
}

impl serde::Serialize for Match {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Match {
    /// Whether it is for this command.
    #[must_use]
    pub fn fits(&self, verb: &VerbKey) -> bool {
        match self {
            Self::Everything => true,
            Self::Pack(id) => *id == verb.pack,
            Self::Command(own) => own == verb,
        }
    }
}

impl Conditions {
    /// Whether there is no condition at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.op.is_none() && !self.only && self.names().next().is_none()
    }

    /// The names of the arguments that the set mentions, in its order; a name may come twice.
    pub fn names(&self) -> impl Iterator<Item = &str> + '_ {
        let numbers = self.max.iter().chain(&self.min).map(|(name, _)| name);
        let values = self.args.iter().map(|(name, _)| name);
        values
            .chain(numbers)
            .chain(self.one_of.iter().map(|(name, _)| name))
            .chain(self.like.iter().map(|(name, _)| name))
            .map(String::as_str)
    }

    /// The set as it stands in files.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let mut out = Object::new();
        if let Some(op) = self.op {
            out.insert("op", op.as_str());
        }
        insert_map(&mut out, "args", &self.args, Clone::clone);
        insert_map(&mut out, "max", &self.max, |n| Value::Number(n.clone()));
        insert_map(&mut out, "min", &self.min, |n| Value::Number(n.clone()));
        insert_map(&mut out, "one_of", &self.one_of, |v| {
            Value::Array(v.clone())
        });
        insert_map(&mut out, "like", &self.like, |g| Value::String(g.clone()));
        if self.only {
            out.insert("only", true);
        }
        out
    }
}

fn insert_map<T>(
    out: &mut Object,
    key: &str,
    members: &[(String, T)],
    value: impl Fn(&T) -> Value,
) {
    if !members.is_empty() {
        let object: Object = members
            .iter()
            .map(|(name, v)| (name.clone(), value(v)))
            .collect();
        out.insert(key, object);
    }
}

impl Rule {
    /// A rule without conditions.
    #[must_use]
    pub fn new(matches: Match, decision: Decision) -> Self {
        Self {
            matches,
            decision,
            when: Conditions::default(),
            except: Vec::new(),
            by_human: false,
            until: None,
            note: None,
        }
    }

    /// The rule as it stands in files: the keys in the order match, decision, when, except, until, by, note.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let mut out = Object::new()
            .with("match", self.matches.to_string())
            .with("decision", self.decision.as_str());
        if !self.when.is_empty() {
            out.insert("when", self.when.to_object());
        }
        if !self.except.is_empty() {
            let sets: Vec<Object> = self.except.iter().map(Conditions::to_object).collect();
            out.insert("except", sets);
        }
        if let Some(until) = self.until {
            out.insert("until", until.to_string());
        }
        if self.by_human {
            out.insert("by", "human");
        }
        if let Some(note) = &self.note {
            out.insert("note", note.as_str());
        }
        out
    }
}

impl Rule {
    /// Whether its time is over: a rule counts while now is before `until`.
    #[must_use]
    pub fn is_over(&self, now: jiff::Timestamp) -> bool {
        self.until.is_some_and(|until| now >= until)
    }
}
