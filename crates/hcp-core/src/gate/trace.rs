//! The trace of a decision: each rule whose match fits the call, and what became of it.

use super::decide::is_dropped;
use super::standing::{Standing, standing};
use super::{Answer, Call, Ground, Judgement};
use crate::mode::{Decision, words};
use crate::rule::{Match, Rule};
use crate::settings::{Effective, Layer, Role, Source};
use serde::Serialize;

words! {
    /// What became of a rule in a decision.
    Outcome, "outcome" {
        /// It decided.
        Decided = "decided",
        /// It applies, and what it says was not needed.
        Matched = "matched",
        /// It applies, and a rule that goes before it decided.
        Outranked = "outranked",
        /// An allow rule that does not name an `always` command exactly.
        Dropped = "dropped",
        /// Its conditions are not met, or the call is one of its exceptions.
        NotMatched = "not_matched",
        /// Its time is over.
        Over = "over",
        /// It plays no part.
        Ignored = "ignored",
    }
}

/// One rule in the trace of a decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceEntry {
    /// The rule's layer.
    pub layer: Layer,
    /// Its index in the layer, from 0.
    pub index: usize,
    /// The file, where the layer has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What it matches.
    #[serde(rename = "match")]
    pub matches: Match,
    /// What it says.
    pub decision: Decision,
    /// Its note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why, in words that hold no value.
    pub why: String,
}

impl Effective {
    /// Decides a call and tells of every rule whose match fits it what became of it.
    #[must_use]
    pub fn explain(&self, call: &Call<'_>, now: jiff::Timestamp) -> (Answer, Vec<TraceEntry>) {
        self.explained(self.judge(call, now), call, now)
    }

    /// The same with every session rule left out of account: for a call that brings along what no rule can bind,
    /// such as standard input.
    #[must_use]
    pub fn explain_without_session(
        &self,
        call: &Call<'_>,
        now: jiff::Timestamp,
    ) -> (Answer, Vec<TraceEntry>) {
        self.explained(self.judge_without_session(call, now), call, now)
    }

    fn explained(
        &self,
        judgement: Judgement,
        call: &Call<'_>,
        now: jiff::Timestamp,
    ) -> (Answer, Vec<TraceEntry>) {
        let answer = self.answer(&judgement, call, now);
        let mut found: Vec<(u32, &Source, &Rule)> = self.fitting(call.verb).collect();
        found.sort_by_key(|(number, ..)| *number);
        let trace = found
            .into_iter()
            .filter_map(|(number, source, rule)| {
                let listed = self.rule(number)?;
                let (outcome, why) = match source.role_of(rule) {
                    Role::Void(why) => (Outcome::Ignored, why.to_owned()),
                    role @ (Role::Own | Role::Session | Role::Operator) => {
                        let standing = standing(rule, call, now);
                        if judgement.ground == Ground::Rule(number) {
                            (Outcome::Decided, met(standing))
                        } else {
                            let decider = self.decider(judgement.ground);
                            outcome(rule, role, standing, call, &decider)
                        }
                    }
                };
                Some(TraceEntry {
                    layer: listed.layer,
                    index: listed.index,
                    file: listed.file.map(str::to_owned),
                    matches: rule.matches.clone(),
                    decision: rule.decision,
                    note: rule.note.clone(),
                    outcome,
                    why,
                })
            })
            .collect();
        (answer, trace)
    }

    /// What decided, in a few words.
    fn decider(&self, ground: Ground) -> String {
        let rule = match ground {
            Ground::Rule(number) => self.rule(number),
            Ground::Policy | Ground::Mode | Ground::FloorMode => None,
        };
        match (rule, ground) {
            (Some(found), _) => format!("rule {} ({}) decided", found.index, found.layer),
            (None, Ground::FloorMode) => "the operator's mode decided".to_owned(),
            (None, Ground::Rule(_) | Ground::Policy | Ground::Mode) => {
                "the Policy or the mode decided".to_owned()
            }
        }
    }
}

fn outcome(
    rule: &Rule,
    role: Role,
    standing: Standing<'_>,
    call: &Call<'_>,
    decider: &str,
) -> (Outcome, String) {
    match standing {
        Standing::Over => (Outcome::Over, format!("over since {}", until(rule))),
        Standing::NotFullyRead => (
            Outcome::NotMatched,
            "no allow rule with conditions decides a call that was not fully read".to_owned(),
        ),
        Standing::Fails(why) => (
            Outcome::NotMatched,
            why.map_or_else(
                || "its conditions are not met".to_owned(),
                |why| why.to_string(),
            ),
        ),
        Standing::Excepted(why) => (
            Outcome::NotMatched,
            match why {
                Some(why) => format!("the call may be one of its exceptions: {why}"),
                None => "the call is one of its exceptions".to_owned(),
            },
        ),
        Standing::Applies(_) if is_dropped(rule, call) => (
            Outcome::Dropped,
            "Policy confirm \"always\": only an allow rule that names the command counts"
                .to_owned(),
        ),
        Standing::Applies(_) => match (role, rule.decision) {
            (Role::Session, _) if !call.reading.fully_read => (
                Outcome::NotMatched,
                "no session rule decides a call that was not fully read".to_owned(),
            ),
            (Role::Session, _) => (
                Outcome::Matched,
                format!(
                    "a session rule answers only the mode and Policy confirm \"ask\"; {decider}"
                ),
            ),
            (Role::Own | Role::Operator | Role::Void(_), Decision::Deny) => {
                (Outcome::Matched, format!("it applies too; {decider}"))
            }
            (Role::Own | Role::Operator | Role::Void(_), Decision::Allow | Decision::Ask) => {
                (Outcome::Outranked, format!("it applies; {decider}"))
            }
        },
    }
}

/// Why the deciding rule applies.
fn met(standing: Standing<'_>) -> String {
    match standing {
        Standing::Applies(Some(why)) => format!("counted as met: {why}"),
        Standing::Applies(None)
        | Standing::Fails(_)
        | Standing::Excepted(_)
        | Standing::NotFullyRead
        | Standing::Over => "it applies".to_owned(),
    }
}

fn until(rule: &Rule) -> String {
    rule.until.map(|t| t.to_string()).unwrap_or_default()
}
