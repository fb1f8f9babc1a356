//! The answers that a host may put beside a card. A host sends back only the kind that the person picked.
//!
//! Everything is computed here from the pack, the call and its view; nothing is stored, and no rule comes from
//! whoever asks.

mod bind;
mod label;

use crate::call::CardCall;
use crate::view::View;
use hcp_core::gate::{Answer, ReasonCode};
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::names::VerbKey;
use hcp_core::policy::{Confirm, Scope};
use hcp_core::rule::{Conditions, Match, Rule};
use hcp_core::settings::{Layer, SESSION_NOTE};

/// What a person may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// This run, and no other.
    AllowOnce,
    /// Calls of this sort until the host's session ends.
    AllowSession,
    /// Not this call.
    Reject,
}

impl OptionKind {
    /// The word in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::AllowSession => "allow_session",
            Self::Reject => "reject",
        }
    }

    /// The answer of a word, as a host sends it back.
    ///
    /// ```
    /// use hcp_card::OptionKind;
    /// assert_eq!(OptionKind::parse("allow_once"), Some(OptionKind::AllowOnce));
    /// assert_eq!(OptionKind::parse("allow_always"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::AllowOnce, Self::AllowSession, Self::Reject]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// What ends a session rule before its session does: a change of either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndsWith {
    /// The pack's digest.
    pub pack_digest: String,
    /// The identity that the pack is connected as.
    pub identity: Option<String>,
}

impl EndsWith {
    /// Whether the pack and the identity are still what they were.
    ///
    /// ```
    /// use hcp_card::EndsWith;
    /// let ends_with = EndsWith { pack_digest: "d1".to_owned(), identity: Some("ana".to_owned()) };
    /// assert!(ends_with.holds("d1", Some("ana")));
    /// assert!(!ends_with.holds("d2", Some("ana")) && !ends_with.holds("d1", None));
    /// ```
    #[must_use]
    pub fn holds(&self, pack_digest: &str, identity: Option<&str>) -> bool {
        self.pack_digest == pack_digest && self.identity.as_deref() == identity
    }

    /// As it stands in JSON.
    #[must_use]
    pub fn to_object(&self) -> Object {
        Object::new()
            .with("pack_digest", self.pack_digest.as_str())
            .with("identity", self.identity.clone())
    }
}

/// The rule of an answer that lasts until the session ends: an allow rule for one command, and what ends it
/// before the session does.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRule {
    /// The rule. Its note is `session`.
    pub rule: Rule,
    /// What ends it.
    pub ends_with: EndsWith,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerOption {
    /// What the host sends back.
    pub kind: OptionKind,
    /// What stands on the button.
    pub label: String,
    /// The rule that it stands for.
    pub rule: Option<SessionRule>,
}

impl AnswerOption {
    fn new(kind: OptionKind, label: &str) -> Self {
        Self {
            kind,
            label: label.to_owned(),
            rule: None,
        }
    }

    /// As it stands in JSON: `kind`, `label`, and for a session `rule` and `ends_with`.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let mut object = Object::new()
            .with("kind", self.kind.as_str())
            .with("label", self.label.as_str());
        if let Some(session) = &self.rule {
            object.insert("rule", session.rule.to_object());
            object.insert("ends_with", session.ends_with.to_object());
        }
        object
    }
}

/// The answers beside a card. `allows` runs the gate once more on the same call under a rule added to the session:
/// what would not let this very call run is not offered.
pub fn options(
    verb: &VerbKey,
    call: &CardCall<'_>,
    view: &View,
    answer: &Answer,
    ends_with: EndsWith,
    allows: impl FnOnce(&Rule) -> bool,
) -> Vec<AnswerOption> {
    let session = session(verb, call, view, answer, ends_with, allows);
    std::iter::once(AnswerOption::new(OptionKind::AllowOnce, "Yes, once"))
        .chain(session)
        .chain([AnswerOption::new(OptionKind::Reject, "No")])
        .collect()
}

fn session(
    verb: &VerbKey,
    call: &CardCall<'_>,
    view: &View,
    answer: &Answer,
    ends_with: EndsWith,
    allows: impl FnOnce(&Rule) -> bool,
) -> Option<AnswerOption> {
    if !may_last(call, answer) {
        return None;
    }
    let cover = bind::cover(call, view)?;
    let rule = Rule {
        when: Conditions {
            // Nothing to bind: then nothing may come along either.
            only: cover.bound.is_empty() && cover.free.is_empty(),
            args: cover.bound.clone(),
            ..Conditions::default()
        },
        note: Some(SESSION_NOTE.to_owned()),
        ..Rule::new(Match::Command(verb.clone()), Decision::Allow)
    };
    allows(&rule).then(|| AnswerOption {
        label: format!(
            "Yes, until this session ends: {}",
            label::cover(verb, call, view, &cover)
        ),
        rule: Some(SessionRule { rule, ends_with }),
        kind: OptionKind::AllowSession,
    })
}

/// Whether an answer to this call may last at all, whatever its view.
fn may_last(call: &CardCall<'_>, answer: &Answer) -> bool {
    // Who wrote a rule that asks wants to be asked; the operator does, too.
    let by_mode_or_policy = match answer.reason_code {
        ReasonCode::Confirm | ReasonCode::ModeManual => answer.from.layer != Layer::Operator,
        ReasonCode::Mode
        | ReasonCode::Rule
        | ReasonCode::Session
        | ReasonCode::DeniedByRule
        | ReasonCode::ConfirmAlways
        | ReasonCode::RuleAsk => false,
    };
    let is_read =
        call.reading.fully_read && call.reading.untold.is_empty() && call.unread.is_empty();
    answer.decision == Decision::Ask
        && by_mode_or_policy
        && is_read
        && call.policy.confirm != Confirm::Always
        && call.policy.scope != Scope::Cwd
}

/// Whether a value gives the tool nothing.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Bool(true) | Value::Number(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests;
