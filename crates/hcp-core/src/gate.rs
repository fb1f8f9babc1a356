//! The gate: the pure, total function that turns a call and the effective settings into allow, ask or deny.
//!
//! Here are the types of its input and its answer. The steps stand in `gate/decide.rs`, one rule's part in
//! `gate/standing.rs`, the words in `gate/answer.rs` and the trace in `gate/trace.rs`. Time is an input.

mod answer;
mod decide;
mod standing;
mod trace;

pub use decide::{Ground, Judgement};
pub use trace::{Outcome, TraceEntry};

use crate::json::Object;
use crate::mode::{Approvals, Decision, Mode, words};
use crate::names::VerbKey;
use crate::policy::CallPolicy;
use crate::settings::{Origin, RuleRef};
use serde::Serialize;
use std::collections::BTreeSet;

/// How far a command line was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Whether every word was read.
    pub fully_read: bool,
    /// Arguments of which nothing can be told (a shell would still expand them, or they were filled by
    /// position after an undeclared switch).
    pub untold: BTreeSet<String>,
}

impl Default for Reading {
    /// Everything was read.
    fn default() -> Self {
        Self {
            fully_read: true,
            untold: BTreeSet::new(),
        }
    }
}

/// One call, as the gate sees it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The command.
    pub verb: &'a VerbKey,
    /// The arguments, nulls dropped.
    pub args: &'a Object,
    /// The call's own Policy, raises applied.
    pub policy: CallPolicy,
    /// How far it was understood.
    pub reading: &'a Reading,
}

words! {
    /// What decided, as a stable word.
    ReasonCode, "reason code" {
        /// The mode lets it run.
        Mode = "mode",
        /// A rule lets it run.
        Rule = "rule",
        /// A session rule lets it run.
        Session = "session",
        /// A deny rule.
        DeniedByRule = "denied_by_rule",
        /// The Policy says `confirm: "always"`.
        ConfirmAlways = "confirm_always",
        /// The Policy says `confirm: "ask"`.
        Confirm = "confirm",
        /// The mode is `manual`.
        ModeManual = "mode_manual",
        /// An ask rule.
        RuleAsk = "rule_ask",
    }
}

/// The gate's answer and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Allow, ask or deny.
    pub decision: Decision,
    /// Why, as a stable word.
    pub reason_code: ReasonCode,
    /// Why, in words: names the Policy word, the mode and where it was set, or the rule.
    pub reason: String,
    /// The mode in force for the pack.
    pub mode: Mode,
    /// Whose answer counts for this call.
    pub approvals: Approvals,
    /// The rule that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleRef>,
    /// The layer and file that decided.
    pub from: Origin,
}
