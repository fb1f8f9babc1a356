//! Usage lines: `prog [OPTIONS] <name> [FILE]...` into options and words.
//!
//! The grammar is the one that people write and no standard fixes: brackets mean optional, `|` means or,
//! dots mean repeated, angle brackets, capitals or nothing mark what the reader has to replace.

mod found;
mod head;
mod parts;
mod token;

use crate::model::{Family, Opt, Takes, Usage};
use found::Found;
use head::{take_words, without_path};
use token::tokens;

/// Words of a usage line that stand for options in general.
const OPTION_WORDS: &[&str] = &[
    "option",
    "options",
    "flag",
    "flags",
    "opts",
    "opt",
    "switches",
    "global options",
    "global flags",
    "global opts",
    "common options",
    "general options",
    "log-options",
    "diff-options",
    "global_options",
];

/// A part of a usage line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    /// A word in lower case, which may stand for itself.
    Word(String),
    /// A word that stands for a value.
    Meta(String),
    /// One of these words.
    Choice(Vec<String>),
    /// An option with its other spellings and its value.
    Option(Opt),
    /// `--`
    Dashes,
    /// Brackets.
    Group {
        ways: Vec<Vec<Part>>,
        optional: bool,
    },
}

/// A part, and whether dots follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    item: Item,
    repeats: bool,
}

/// Reads one usage line. `path` are the words of the command itself, the program's name first; `takes` says
/// of an option, where the help's own rows tell it, whether it takes a value.
pub(crate) fn read(
    line: &str,
    path: &[String],
    family: Family,
    takes: &dyn Fn(&str) -> Option<bool>,
) -> Usage {
    let mut tokens = tokens(line).into_iter().peekable();
    let mut ways = parts::sequence(&mut tokens, None, 0, takes);
    // A bar outside of brackets: the first way is the line, the others add their options.
    let rest = ways.split_off(ways.len().min(1));
    let parts = ways.into_iter().next().unwrap_or_default();
    let mut usage = Usage::default();
    let (parts, own) = without_path(parts, path);
    usage.foreign = !own && family.bare_words_are_literal();
    let parts = if family.bare_words_are_literal() {
        take_words(parts, &mut usage.words)
    } else {
        parts
    };
    Found::of(usage, &parts, &rest)
}

fn is_short(option: &Opt) -> bool {
    option.takes == Takes::Nothing
        && option
            .spellings
            .iter()
            .all(|s| s.chars().count() == 2 && !s.starts_with("--"))
}

/// `-m | --message` is one option of two spellings: the letter begins a part of the name. Other options of a
/// group stand for themselves; `None` where something else is among them.
fn options_of(ways: &[Vec<Part>]) -> Option<Vec<Opt>> {
    let mut found: Vec<Opt> = Vec::new();
    for way in ways {
        let [
            Part {
                item: Item::Option(option),
                ..
            },
        ] = way.as_slice()
        else {
            return None;
        };
        let letter = found
            .last()
            .filter(|last| is_short(last))
            .and_then(|last| last.main().chars().nth(1));
        let long = option.main().replace("[no-]", "");
        let long = long.strip_prefix("--").unwrap_or_default();
        let begins = |c: char| {
            long.split('-')
                .any(|part| part.starts_with([c.to_ascii_lowercase(), c.to_ascii_uppercase()]))
        };
        match found.last_mut() {
            Some(last) if letter.is_some_and(begins) => {
                let mut both = option.clone();
                both.spellings = [last.spellings.clone(), option.spellings.clone()].concat();
                *last = both;
            }
            Some(_) | None => found.push(option.clone()),
        }
    }
    Some(found)
}

/// Whether a word is in capitals, as those are that stand for a value.
fn is_meta(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic());
    letters.clone().next().is_some() && letters.clone().all(char::is_uppercase)
}

fn is_one_of(name: &str, words: &[&str]) -> bool {
    let name = name
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_ascii_lowercase();
    words.contains(&name.as_str())
}

fn is_optionlike(part: &Part) -> bool {
    match &part.item {
        Item::Option(_) => true,
        Item::Group { ways, .. } => only_options(ways),
        Item::Word(_) | Item::Meta(_) | Item::Choice(_) | Item::Dashes => false,
    }
}

fn only_options(ways: &[Vec<Part>]) -> bool {
    ways.iter().flatten().all(|part| match &part.item {
        Item::Option(_) => true,
        Item::Group { ways, .. } => only_options(ways),
        Item::Word(_) | Item::Meta(_) | Item::Choice(_) | Item::Dashes => false,
    })
}

#[cfg(test)]
mod tests;
