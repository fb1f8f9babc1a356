//! Settings: one file's body, the layers, and the merge that makes them effective.
//!
//! A file's body and the effective settings are different types, and only [`Effective::merge`] makes the
//! second. Each value keeps where it came from, and whatever does not count is listed with the reason.

mod file;
mod index;
mod merge;
mod modes;
mod sources;

pub use merge::Effective;
pub use sources::RuleListing;

pub(crate) use sources::{Role, Source};

use crate::json::Value;
use crate::mode::{Approvals, Decision, Mode, words};
use crate::names::PackId;
use crate::rule::{Match, Rule};
use serde::Serialize;
use std::fmt;

/// The body of one `access.json`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AccessFile {
    /// The mode for everything.
    pub mode: Option<Mode>,
    /// Modes for single packs.
    pub packs: Vec<(PackId, Mode)>,
    /// Whose answer counts.
    pub approvals: Option<Approvals>,
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// View and signal rules of the person's own, kept as they stand.
    pub views: Option<Value>,
    /// How long a request and an approval last, 1 to 1440 minutes.
    pub approval_minutes: Option<u64>,
}

words! {
    /// Where a setting comes from.
    Layer, "layer" {
        /// The machine's operator: a floor.
        Operator = "operator",
        /// The person.
        User = "user",
        /// `HCP_MODE` and `HCP_APPROVALS`.
        Process = "process",
        /// A host's session.
        Session = "session",
        /// The project's files: they only tighten.
        Project = "project",
        /// Nobody set it.
        Default = "default",
    }
}

/// A body and the name of the file it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Sourced<T> {
    /// The file, as a person knows it.
    pub file: String,
    /// What it holds.
    pub body: T,
}

/// Everything that settings are made of, unmerged.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    /// `/etc/hcp/access.json`.
    pub operator: Option<Sourced<AccessFile>>,
    /// `$HCP_HOME/access.json`.
    pub user: Option<Sourced<AccessFile>>,
    /// `HCP_MODE`.
    pub process_mode: Option<Mode>,
    /// `HCP_APPROVALS`.
    pub process_approvals: Option<Approvals>,
    /// Allow rules that a host keeps until its session ends; anything else in it is ignored and listed.
    pub session: Vec<Rule>,
    /// Project files, nearest first.
    pub project: Vec<Sourced<AccessFile>>,
    /// Whether the caller is inside an agent, where the process layer only tightens.
    pub agent: bool,
}

/// A value and where it was set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// The file, or the variable's name, where the layer has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A setting that does not count, and why. Nothing is dropped silently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ignored {
    /// The file it stands in (or the variable's name).
    pub file: String,
    /// What it is, in words.
    pub what: String,
    /// Why it does not count.
    pub reason: String,
}

/// A rule by its place, as the log and reasons name it. It never carries conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleRef {
    /// The layer.
    pub layer: Layer,
    /// Its index in the layer, from 0 (project files are counted on, nearest first).
    pub index: usize,
    /// What it matches.
    #[serde(rename = "match")]
    pub matches: Match,
    /// What it says.
    pub decision: Decision,
    /// Its note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How long a request and an approval last when nobody says otherwise.
pub const DEFAULT_APPROVAL_MINUTES: u64 = 15;

/// The longest time that settings can give a request, in minutes.
pub const MAX_APPROVAL_MINUTES: u64 = 1440;

/// The note that makes an allow rule of the user's file a session rule.
pub const SESSION_NOTE: &str = "session";

impl Origin {
    /// Nobody set it.
    #[must_use]
    pub fn default_value() -> Self {
        Self {
            layer: Layer::Default,
            file: None,
        }
    }

    pub(crate) fn of_variable(name: &str) -> Self {
        Self {
            layer: Layer::Process,
            file: Some(name.to_owned()),
        }
    }

    pub(crate) fn of_file<T>(layer: Layer, source: &Sourced<T>) -> Self {
        Self {
            layer,
            file: Some(source.file.clone()),
        }
    }
}

/// Where something was set, in words: "set by the user in FILE", "set by HCP_MODE", "the default".
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |f: &mut fmt::Formatter<'_>, who: &str| match &self.file {
            Some(file) => write!(f, "set by {who} in {}", crate::text::safe(file)),
            None => write!(f, "set by {who}"),
        };
        match self.layer {
            Layer::Operator => place(f, "the operator"),
            Layer::User => place(f, "the user"),
            Layer::Process => match &self.file {
                Some(variable) => write!(f, "set by {}", crate::text::safe(variable)),
                None => f.write_str("set for this process"),
            },
            Layer::Session => f.write_str("set for this session"),
            Layer::Project => place(f, "the project"),
            Layer::Default => f.write_str("the default"),
        }
    }
}
