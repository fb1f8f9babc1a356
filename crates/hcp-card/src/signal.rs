//! Signals: the facts that a person should weigh. What makes one is data (`rules/signals.json`); here the rules
//! are applied to a call. Nothing here decides whether a call runs.

pub(crate) mod audience;
pub(crate) mod detect;
pub(crate) mod facts;
mod identifiers;
mod look_alike;
pub(crate) mod sets;
pub(crate) mod texts;

pub use detect::secret::holds_issued_key;
pub use identifiers::{Identifier, identifiers};
pub use look_alike::skeleton;

use crate::call::{CardCall, Past};
use crate::rules::signal_rule::{DEFAULT_SIGNAL_RULES, SignalRule, holds};
use crate::view::View;
use detect::{Detector, Found};
use facts::Facts;
use serde::Serialize;

/// The most signals that one rule gives; what is more is counted in one signal.
const MOST: usize = 8;

hcp_core::words! {
    /// How much a signal weighs. Ordered.
    Level, "level" {
        /// Good to know.
        Note = "note",
        /// Look twice.
        Care = "care",
        /// Money, data for good, production.
        Danger = "danger",
    }
}

/// One fact to weigh.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signal {
    /// A stable word.
    pub code: String,
    /// How much it weighs.
    pub level: Level,
    /// The fact in words, safe to show as it stands.
    pub text: String,
}

/// The signals of a call with these identifiers, the worst first.
pub(crate) fn signals(
    call: &CardCall<'_>,
    view: &View,
    past: &Past,
    identifiers: &[Identifier],
) -> Vec<Signal> {
    let facts = Facts::of(call, view, past).with_identifiers(identifiers);
    judge(call.rules.signals(), &facts)
}

/// Adds the signal that a call stands in a loop or the like, which nobody can tell from the call alone.
pub fn in_a_loop(view: &mut View) {
    let looped = |rule: &&SignalRule| rule.when.found == Some(Detector::Loop);
    if let Some(rule) = DEFAULT_SIGNAL_RULES.iter().find(looped)
        && view.signals.iter().all(|s| s.code != rule.code)
    {
        view.signals.extend(told(rule, &[Found::default()]));
        sort(&mut view.signals);
    }
}

/// The signals that rules make of facts. A code that several rules give stands once, from the gravest of them
/// that holds; of equally grave ones, from the first.
pub(crate) fn judge<'r>(
    rules: impl IntoIterator<Item = &'r SignalRule>,
    facts: &Facts<'_>,
) -> Vec<Signal> {
    let mut signals: Vec<Signal> = Vec::new();
    for rule in rules {
        let said = signals
            .iter()
            .find(|s| s.code == rule.code)
            .map(|s| s.level);
        if said.is_some_and(|level| level >= rule.level) {
            continue;
        }
        let found = holds(&rule.when, facts);
        if found.is_empty() {
            continue;
        }
        signals.retain(|s| s.code != rule.code);
        signals.extend(told(rule, &found));
    }
    sort(&mut signals);
    signals
}

/// The worst first; of one level in the order of the rules.
fn sort(signals: &mut [Signal]) {
    signals.sort_by_key(|s| std::cmp::Reverse(s.level));
}

/// A rule's findings in words, each text once.
fn told(rule: &SignalRule, found: &[Found]) -> Vec<Signal> {
    let mut texts: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut more = 0_u64;
    for finding in found {
        let text = rule.fill(finding);
        if !seen.insert(text.clone()) {
            continue;
        }
        if texts.len() < MOST {
            texts.push(text);
        } else {
            more += 1;
        }
    }
    if more > 0 {
        texts.push(format!(
            "{} more of these, in the rows below",
            texts::grouped(more)
        ));
    }
    texts
        .into_iter()
        .map(|text| Signal {
            code: rule.code.clone(),
            level: rule.level,
            text,
        })
        .collect()
}

#[cfg(test)]
mod tests;
