//! Signals: the facts that a person should weigh.

use crate::view::ViewKind;
use hcp_core::policy::{CallPolicy, Confirm, Undo};
use serde::Serialize;

/// How much a signal weighs. Ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Note,
    /// Look twice.
    Care,
    /// Money, data for good, production.
    Danger,
}

/// One fact to weigh.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signal {
    /// A stable word.
    pub code: &'static str,
    /// How much it weighs.
    pub level: Level,
    /// The fact in words.
    pub text: String,
}

impl Signal {
    fn danger(code: &'static str, text: &str) -> Self {
        Self {
            code,
            level: Level::Danger,
            text: text.to_owned(),
        }
    }
}

/// The signals of a call, the worst first.
pub(crate) fn signals(kind: ViewKind, policy: CallPolicy) -> Vec<Signal> {
    let mut found = Vec::new();
    if kind == ViewKind::Payment {
        found.push(Signal::danger("moves_money", "Moves money"));
    }
    let for_good = match policy.undo {
        Undo::No => true,
        Undo::Unknown => kind == ViewKind::Removal,
        Undo::Yes => false,
    };
    if for_good {
        found.push(Signal::danger("cannot_be_undone", "Cannot be undone"));
    }
    // A command that asks in every mode is grave by its Policy even where no value says why.
    if policy.confirm == Confirm::Always && found.is_empty() {
        found.push(Signal::danger("asks_always", "Asks in every mode"));
    }
    found.sort_by_key(|s| std::cmp::Reverse(s.level));
    found
}
