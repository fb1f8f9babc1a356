//! View rules found by the words of a call, so that a call is held against the few rules that could fit.

use super::ViewRule;
use crate::names::{ByWord, argument, usual, words};
use std::borrow::Cow;

/// Rules in order, and for each word those that want it first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Index {
    rules: Vec<ViewRule>,
    /// Each a rule and one of its phrases.
    by_word: ByWord<Vec<(usize, usize)>>,
    /// Rules that want no word of the command.
    always: Vec<(usize, usize)>,
}

impl Index {
    pub(crate) fn new(rules: Vec<ViewRule>) -> Self {
        let mut by_word: ByWord<Vec<(usize, usize)>> = ByWord::default();
        let mut always = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            for (phrase, words) in rule.compiled.command.iter().enumerate() {
                if let Some(word) = words.first() {
                    by_word.entry(word.clone()).or_default().push((at, phrase));
                }
            }
            if rule.compiled.command.is_empty() {
                always.push((at, 0));
            }
        }
        Self {
            rules,
            by_word,
            always,
        }
    }

    pub(crate) fn rules(&self) -> &[ViewRule] {
        &self.rules
    }

    /// The first rule that fits.
    pub(crate) fn first(
        &self,
        call: &CallWords<'_>,
        allowed: impl Fn(&ViewRule) -> bool,
    ) -> Option<&ViewRule> {
        let named = call
            .words
            .iter()
            .filter_map(|w| self.by_word.get(w.as_ref()));
        let mut candidates: Vec<(usize, usize)> =
            named.chain([&self.always]).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates
            .into_iter()
            .filter_map(|(at, phrase)| Some((self.rules.get(at)?, phrase)))
            .find(|(rule, phrase)| {
                rule.says(*phrase, call) && allowed(rule) && rule.fits_beside(call)
            })
            .map(|(rule, _)| rule)
    }
}

/// The names of a call in the one spelling in which they are compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallWords<'a> {
    /// The words of `pack.command`, and whatever else may speak for a rule.
    pub(crate) words: Vec<Cow<'a, str>>,
    /// Words that speak against a rule and never for one.
    pub(crate) against: Vec<Cow<'a, str>>,
    /// The arguments that the command declares or the call gives.
    pub(crate) args: Vec<Cow<'a, str>>,
    /// The arguments that are given, with a value that says something.
    pub(crate) given: Vec<Cow<'a, str>>,
}

impl CallWords<'_> {
    /// The call of an example: a verb key, and arguments that all are given.
    pub(super) fn example(key: &str, names: &[&str]) -> CallWords<'static> {
        let args: Vec<Cow<'static, str>> = names
            .iter()
            .map(|name| Cow::Owned(argument(name).into_owned()))
            .collect();
        CallWords {
            words: words(key)
                .iter()
                .map(|w| Cow::Owned(usual(w).into_owned()))
                .collect(),
            against: Vec::new(),
            given: args.clone(),
            args,
        }
    }

    pub(crate) fn says(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// Whether a word speaks against a rule that will not have it.
    pub(crate) fn objects(&self, word: &str) -> bool {
        self.says(word) || self.against.iter().any(|w| w == word)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.args.iter().any(|a| a == name)
    }

    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|a| a == name)
    }
}
