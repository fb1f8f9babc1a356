//! The rules by which a card is made where the pack declares nothing. They are data; the built-in ones stand in
//! `rules/*.json`, in the same form in which a host or a person writes their own, and own ones stand ahead.

mod index;
pub mod signal_rule;
pub mod view_rule;

pub use signal_rule::{DEFAULT_SIGNAL_RULES, SignalRule};
pub use view_rule::{Examples, ViewRule, When, WhenNot};

use hcp_core::diagnostic::Fault;
use hcp_core::fields::{Fields, array};
use hcp_core::json::{Limits, Node, parse};
pub(crate) use index::{CallWords, Index};
use std::sync::{Arc, LazyLock};

/// The built-in view rules, in order of gravity.
///
/// ```
/// use hcp_card::{ViewKind, rules::DEFAULT_VIEW_RULES};
/// assert_eq!(DEFAULT_VIEW_RULES.first().map(|rule| rule.kind), Some(ViewKind::Removal));
/// ```
pub static DEFAULT_VIEW_RULES: LazyLock<Vec<ViewRule>> = LazyLock::new(|| {
    // That the embedded text has no fault is a test; a rule that could not be read would be left out.
    parse(include_str!("../rules/views.json"), Limits::default())
        .map(|node| list(&node, &mut Vec::new()))
        .unwrap_or_default()
});

static BUILTIN: LazyLock<Index> = LazyLock::new(|| Index::new(DEFAULT_VIEW_RULES.clone()));

/// The rules in force: a host's or a person's own, ahead of the built-in ones, which are always there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    views: Arc<Index>,
    signals: Arc<Vec<SignalRule>>,
}

impl Rules {
    /// The built-in rules alone.
    #[must_use]
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Reads own rules from `{ "rules": [ view rules ], "signals": [ signal rules ] }`, with every fault collected.
    ///
    /// ```
    /// use hcp_card::Rules;
    /// use hcp_core::json::{Limits, parse};
    /// let node = parse(
    ///     r#"{"rules":[{"kind":"mesage","when":{"command":["page"]}}]}"#,
    ///     Limits::default(),
    /// ).unwrap();
    /// let mut faults = Vec::new();
    /// Rules::parse(&node, &mut faults);
    /// assert_eq!(faults[0].help.as_deref(), Some("did you mean \"message\"?"));
    /// ```
    pub fn parse(node: &Node, faults: &mut Vec<Fault>) -> Self {
        let Some(mut fields) = Fields::open(node, "the views", faults) else {
            return Self::default();
        };
        let views = fields
            .optional("rules")
            .map(|n| list(n, faults))
            .unwrap_or_default();
        let signals = fields
            .optional("signals")
            .map(|n| SignalRule::parse_list(n, faults))
            .unwrap_or_default();
        fields.finish(faults);
        Self::of(views, signals)
    }

    /// Own rules from their lists.
    #[must_use]
    pub fn of(views: Vec<ViewRule>, signals: Vec<SignalRule>) -> Self {
        Self {
            views: Arc::new(Index::new(views)),
            signals: Arc::new(signals),
        }
    }

    /// These rules with others ahead of them: of two that fit a call, the one of `own` is taken.
    #[must_use]
    pub fn with_own(self, own: Self) -> Self {
        if self == Self::builtin() {
            return own;
        }
        let views = own.views.rules().iter().chain(self.views.rules());
        let signals = own.signals.iter().chain(self.signals.iter());
        Self::of(views.cloned().collect(), signals.cloned().collect())
    }

    /// All view rules in the order in which they are tried.
    pub fn views(&self) -> impl Iterator<Item = &ViewRule> + '_ {
        self.views.rules().iter().chain(BUILTIN.rules())
    }

    /// All signal rules in the order in which they are looked at.
    pub fn signals(&self) -> impl Iterator<Item = &SignalRule> + '_ {
        self.signals.iter().chain(DEFAULT_SIGNAL_RULES.iter())
    }

    /// The first own rule that fits.
    pub(crate) fn first_own(&self, call: &CallWords<'_>) -> Option<&ViewRule> {
        self.views.first(call, |_| true)
    }

    /// The first built-in rule that fits, among those that `allowed` lets in.
    pub(crate) fn first_builtin(
        call: &CallWords<'_>,
        allowed: impl Fn(&ViewRule) -> bool,
    ) -> Option<&'static ViewRule> {
        BUILTIN.first(call, allowed)
    }
}

fn list(node: &Node, faults: &mut Vec<Fault>) -> Vec<ViewRule> {
    let items = array(node, faults).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| ViewRule::parse(item, faults))
        .collect()
}

#[cfg(test)]
mod tests;
