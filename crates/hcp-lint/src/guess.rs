//! What a command does, told by the names of the command and of its arguments.
//!
//! Names are compared as whole words. Where a name misleads in either direction the lints only suggest, so a
//! word that is as often a thing as an act (`transfer`, `release`) counts only where the other names bear it out.

mod words;

use crate::inferred::inferred;
use hcp_card::view::ViewKind;
use hcp_core::names::PackId;
use hcp_pack::{Argument, Command, Pack};
use words::{
    ACTS, AMOUNTS, CALENDARS, DRY, LOOKS_LIKE_WRITING, NOT_MONEY, READERS, RECIPIENTS, SENDS_KEYS,
    TARGETS, THINGS, has,
};

/// The words of a name, in lower case.
pub(crate) fn words(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect()
}

/// An argument's name as one word of its own: without `-`, `_`, case and a plural's `s`.
fn bare(name: &str) -> String {
    let bare: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match bare.strip_suffix('s') {
        Some(one) if !one.ends_with('s') && one.len() > 2 => one.to_owned(),
        Some(_) | None => bare,
    }
}

/// Whether an argument says how much.
pub(crate) fn is_amount(argument: &Argument) -> bool {
    has(AMOUNTS, &bare(&argument.name))
}

/// Whether an argument says to whom.
pub(crate) fn is_recipient(argument: &Argument) -> bool {
    has(RECIPIENTS, &bare(&argument.name))
}

/// Whether an argument has one of these names, given as [`bare`] makes them.
pub(crate) fn is_named(argument: &Argument, names: &[&str]) -> bool {
    names.contains(&bare(&argument.name).as_str())
}

/// The kind of act of a command: what the card's view rules say, else what its words tell. `None` where the names
/// tell nothing, or tell of showing only.
pub(crate) fn kind(pack: &Pack, command: &Command) -> Option<ViewKind> {
    match inferred(pack, command) {
        Some(view) => Some(view.kind),
        None => by_words(&pack.id, command),
    }
}

/// The kind of act by the words of the name, else by the command's own words.
pub(crate) fn by_words(pack: &PackId, command: &Command) -> Option<ViewKind> {
    let named = Named::of(pack, command);
    let by_name = named.act(&words(command.name.as_str()));
    let own: Vec<String> = command
        .own_words
        .iter()
        .skip(1)
        .flat_map(|w| words(w))
        .collect();
    by_name.or_else(|| named.act(&own))
}

/// Whether an argument says where or upon what a command acts, so that a rule may hang on it.
pub(crate) fn is_target(argument: &Argument) -> bool {
    is_named(argument, TARGETS)
}

/// The word by which a command's name or own words say that it changes something, where they do.
pub(crate) fn writing_word(command: &Command) -> Option<String> {
    let name = words(command.name.as_str());
    if is_dry(&name) {
        return None;
    }
    let mut own = command.own_words.iter();
    let program = own.next().and_then(|word| word.rsplit('/').next());
    let own: Vec<String> = own.flat_map(|word| words(word)).collect();
    // What is called a list and runs `delete` is no list.
    let alone = program.filter(|word| is_plain_act(word)).map(str::to_owned);
    let behind = || own.iter().find(|word| is_plain_act(word)).cloned();
    if only_shows(&name) {
        return alone.or_else(|| behind().filter(|_| !only_shows(&own)));
    }
    ends_in_writing(&name)
        .or_else(|| ends_in_writing(&own))
        .or(alone)
}

/// A word at either end that tells of writing. Before a word like `list` only one that is never a thing counts.
fn ends_in_writing(words: &[String]) -> Option<String> {
    let misleads = only_shows(words) || words.windows(2).any(|two| two == ["merge", "base"]);
    let lists = words.last().is_some_and(|word| has(READERS, word));
    let writes = |word: &&String| has(LOOKS_LIKE_WRITING, word) && (!lists || is_plain_act(word));
    let mut ends = [words.first(), words.last()].into_iter().flatten();
    ends.find(|word| !misleads && writes(word)).cloned()
}

/// Whether a word is an act of removing, paying or sending, and never a thing.
fn is_plain_act(word: &str) -> bool {
    let grave = |kind| {
        matches!(
            kind,
            ViewKind::Removal | ViewKind::Payment | ViewKind::Message
        )
    };
    !has(THINGS, word)
        && ACTS
            .iter()
            .any(|(known, kind, sure)| *known == word && *sure && grave(*kind))
}

fn is_dry(words: &[String]) -> bool {
    words.iter().any(|word| has(DRY, word)) || words.windows(2).any(|w| w == ["dry", "run"])
}

/// Whether a name tells of showing: it begins or ends with such a word, and no act stands at its other end.
fn only_shows(words: &[String]) -> bool {
    if is_dry(words) {
        return true;
    }
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let act = |word: &str, kinds: fn(ViewKind) -> bool| {
        ACTS.iter()
            .any(|(known, kind, sure)| *known == word && *sure && kinds(*kind))
    };
    // Behind "show" an "update" is a thing, and a "delete" still an act.
    let shows_first = has(READERS, first) && !act(last, |kind| kind != ViewKind::Change);
    shows_first || (has(READERS, last) && !act(first, |_| true))
}

/// Whether a word is an act wherever it stands.
pub(crate) fn is_act(word: Option<&String>) -> bool {
    word.is_some_and(|word| ACTS.iter().any(|(known, _, sure)| known == word && *sure))
}

/// The names around a command's own.
struct Named<'c> {
    command: &'c Command,
    calendar: bool,
}

impl<'c> Named<'c> {
    fn of(pack: &PackId, command: &'c Command) -> Self {
        let name = words(command.name.as_str());
        let all = words(pack.as_str()).into_iter().chain(name);
        Self {
            command,
            calendar: all.into_iter().any(|word| has(CALENDARS, &word)),
        }
    }

    fn any(&self, is: impl Fn(&Argument) -> bool) -> bool {
        self.command.arguments.iter().filter(|a| !a.global).any(is)
    }

    /// The gravest act among the words, as far as the arguments bear it out.
    fn act(&self, words: &[String]) -> Option<ViewKind> {
        if only_shows(words) {
            return None;
        }
        let mut found: Option<ViewKind> = None;
        for (at, word) in words.iter().enumerate() {
            let at_end = at == 0 || at + 1 == words.len();
            for (_, kind, sure) in ACTS.iter().filter(|(known, ..)| known == word) {
                let holds = if *sure { true } else { at_end };
                if let Some(kind) = self.settled(*kind, word, words, *sure).filter(|_| holds) {
                    found = Some(found.map_or(kind, |before| graver(before, kind)));
                }
            }
        }
        found
    }

    /// The kind of one act, with what misleads taken out.
    fn settled(
        &self,
        kind: ViewKind,
        word: &str,
        words: &[String],
        sure: bool,
    ) -> Option<ViewKind> {
        match kind {
            ViewKind::Payment => {
                let pays = sure || self.any(is_amount) || word == "transfer";
                let other = !self.any(is_amount)
                    && (words.iter().any(|w| has(NOT_MONEY, w))
                        || self.any(|a| has(NOT_MONEY, &bare(&a.name))));
                (pays && !other).then_some(kind)
            }
            ViewKind::Message if words.iter().any(|w| has(SENDS_KEYS, w)) => Some(ViewKind::Run),
            ViewKind::Message if self.any(is_amount) => Some(ViewKind::Payment),
            ViewKind::Message => (sure || self.any(is_recipient)).then_some(kind),
            ViewKind::Publish if word == "push" => {
                let alone = words
                    .iter()
                    .all(|w| w == "push" || w == "force" || w == "tags");
                alone.then_some(kind)
            }
            // What is released by name is published; a lock is released too.
            ViewKind::Publish if word == "release" => words
                .first()
                .is_some_and(|first| first == "release")
                .then_some(kind),
            ViewKind::File => {
                let files = ["path", "file", "filename", "destination", "dest"];
                self.any(|a| a.path || is_named(a, &files)).then_some(kind)
            }
            ViewKind::Event => self.calendar.then_some(kind),
            ViewKind::Change if self.calendar => Some(ViewKind::Event),
            ViewKind::Removal
            | ViewKind::Publish
            | ViewKind::Share
            | ViewKind::Change
            | ViewKind::Run
            | ViewKind::Command => Some(kind),
        }
    }
}

/// How grave a kind is: the smaller the graver.
pub(crate) fn gravity(kind: ViewKind) -> usize {
    match kind {
        ViewKind::Removal => 0,
        ViewKind::Payment => 1,
        ViewKind::Publish => 2,
        ViewKind::Share => 3,
        ViewKind::Event => 4,
        ViewKind::Run => 5,
        ViewKind::File => 6,
        ViewKind::Change => 7,
        ViewKind::Message => 8,
        ViewKind::Command => 9,
    }
}

fn graver(one: ViewKind, other: ViewKind) -> ViewKind {
    if gravity(one) <= gravity(other) {
        one
    } else {
        other
    }
}

#[cfg(test)]
mod tests;
