//! The rules of all layers, where each stands and what part it plays.

use super::{Layer, SESSION_NOTE};
use crate::mode::Decision;
use crate::rule::Rule;

/// The rules of one file, or of the session.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) layer: Layer,
    pub(crate) file: Option<String>,
    /// The index of the first rule in its layer: project files are counted on.
    pub(crate) first: usize,
    pub(crate) rules: Vec<Rule>,
}

/// What part a rule plays in the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// In the one list of user and project.
    Own,
    /// Answers the mode and the Policy.
    Session,
    /// In the operator's file, decided on its own.
    Operator,
    /// None, and why.
    Void(&'static str),
}

impl Source {
    pub(crate) fn role_of(&self, rule: &Rule) -> Role {
        let allows = rule.decision == Decision::Allow;
        let noted = allows && rule.note.as_deref() == Some(SESSION_NOTE);
        match self.layer {
            Layer::Operator if noted => {
                Role::Void("a session rule stands in the user's file or with the host")
            }
            Layer::Operator => Role::Operator,
            Layer::User if noted => Role::Session,
            Layer::User => Role::Own,
            Layer::Session if allows => Role::Session,
            Layer::Session => Role::Void("a session keeps allow rules only"),
            Layer::Project if allows => Role::Void("a project only tightens"),
            Layer::Project => Role::Own,
            Layer::Process | Layer::Default => Role::Void("this layer has no rules"),
        }
    }
}

/// One rule with its place.
#[derive(Debug, Clone, Copy)]
pub struct RuleListing<'a> {
    /// The layer.
    pub layer: Layer,
    /// Its index in the layer, from 0.
    pub index: usize,
    /// The file, where the layer has one.
    pub file: Option<&'a str>,
    /// The rule.
    pub rule: &'a Rule,
    /// Why it plays no part, where it plays none.
    pub void: Option<&'static str>,
}

impl RuleListing<'_> {
    /// Whether it counts at this moment: it plays a part and is not over.
    #[must_use]
    pub fn counts(&self, now: jiff::Timestamp) -> bool {
        self.void.is_none() && !self.rule.is_over(now)
    }
}
