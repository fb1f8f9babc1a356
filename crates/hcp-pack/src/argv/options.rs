//! The options of a command: every spelling, and what it stands for.

use super::value;
use crate::args::Argument;
use crate::pack::Command;
use crate::template::{Piece, Template, is_option};

/// Where on the line an argument got a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A word of the command's `cli`.
    Own(usize),
    /// A word of the pack's global options.
    Global(usize),
    /// A spelling that no template holds.
    Name,
}

/// What a spelling stands for.
#[derive(Debug, Clone)]
pub(super) enum Target<'c> {
    /// An argument's value, or a switch.
    Value(&'c Argument, Place),
    /// What the template writes right behind the option, `=` or nothing between.
    Filled {
        pieces: Vec<Piece>,
        place: Place,
        equals: bool,
    },
    /// A literal option, and the literal word that the template has right after it.
    Literal {
        at: Place,
        next: Option<(usize, &'c str)>,
    },
}

/// On which side of the own words an option stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Before they are all there.
    Before,
    /// After them.
    After,
}

type Tier<'c> = Vec<(String, Target<'c>)>;

/// All spellings of a command.
#[derive(Debug)]
pub(super) struct Options<'c> {
    command: &'c Command,
    own: [Tier<'c>; 3],
    global: [Tier<'c>; 3],
    /// Templates that are read as whole words: `-{{n}}`, `--level{{n}}`.
    whole: Vec<(&'c Template, Place)>,
}

impl<'c> Options<'c> {
    pub(super) fn of(command: &'c Command) -> Self {
        let mut whole = Vec::new();
        let own: Vec<(Place, &Template)> = command
            .cli()
            .iter()
            .enumerate()
            .skip(command.own_words.len())
            .take_while(|(_, word)| word.literal() != Some("--"))
            .map(|(at, word)| (Place::Own(at), word))
            .collect();
        let globals = command.globals().iter().enumerate();
        let globals: Vec<(Place, &Template)> = globals
            .map(|(at, word)| (Place::Global(at), word))
            .collect();
        let written = [
            written(command, &own, &mut whole),
            written(command, &globals, &mut whole),
        ];
        let [own, global] = written;
        let tiers = |cli: Tier<'c>, global: bool| {
            let arguments = || command.arguments.iter().filter(move |a| a.global == global);
            let aliases = arguments().flat_map(|a| {
                let spellings = a.aliases.iter();
                spellings.map(move |alias| (alias.clone(), Target::Value(a, Place::Name)))
            });
            let names = arguments().flat_map(|a| {
                let mut names = vec![a.name.clone(), kebab(&a.name)];
                names.dedup();
                let names = names.into_iter();
                names.map(move |name| (format!("--{name}"), Target::Value(a, Place::Name)))
            });
            [cli, aliases.collect(), names.collect()]
        };
        Self {
            command,
            own: tiers(own, false),
            global: tiers(global, true),
            whole,
        }
    }

    /// What a spelling stands for: several where the pack gives it to several. The command's own spellings go
    /// first, before its own words the global ones.
    pub(super) fn find(&self, spelling: &str, side: Side) -> Vec<&Target<'c>> {
        let tiers = match side {
            Side::Before => self.global.iter().chain(&self.own),
            Side::After => self.own.iter().chain(&self.global),
        };
        let found = tiers.map(|tier| {
            let fitting = tier.iter().filter(|(s, _)| s == spelling);
            fitting.map(|(_, target)| target).collect::<Vec<_>>()
        });
        let mut found = found.filter(|found| !found.is_empty());
        let mut first = found.next().unwrap_or_default();
        // Without own words between them nothing tells the two sides apart.
        if self.command.own_words.len() == 1 {
            let global = self.global.iter().flatten().filter(|(s, _)| s == spelling);
            let missing = global.map(|(_, target)| target);
            let other: Vec<_> = missing
                .filter(|t| !first.iter().any(|f| std::ptr::eq(*f, *t)))
                .collect();
            let is_own = first
                .iter()
                .any(|f| self.own.iter().flatten().any(|(_, t)| std::ptr::eq(*f, t)));
            if is_own {
                first.extend(other);
            }
        }
        first
    }

    /// All spellings, each once, in the order in which they count.
    pub(super) fn spellings(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for (spelling, _) in self.own.iter().chain(&self.global).flatten() {
            if !all.contains(spelling) {
                all.push(spelling.clone());
            }
        }
        all
    }

    /// The switch that `--no-draft` puts off.
    pub(super) fn negated(&self, word: &str, side: Side) -> Option<(&'c Argument, Place)> {
        let spelling = format!("--{}", word.strip_prefix("--no-")?);
        let found = self.find(&spelling, side);
        match found.as_slice() {
            [Target::Value(argument, place)] => Some((*argument, *place)),
            [Target::Filled { pieces, place, .. }] => match pieces.as_slice() {
                [Piece::Argument(name)] => Some((self.command.argument(name)?, *place)),
                [] | [Piece::Text(_)] | [_, _, ..] => None,
            },
            _ => None,
        }
        .filter(|(argument, _)| value::is_switch(self.command, argument))
    }

    pub(super) fn whole(&self) -> &[(&'c Template, Place)] {
        &self.whole
    }
}

/// `node-id` for `node_id` and `nodeId`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    let mut small = false;
    for c in name.chars() {
        if c == '_' {
            kebab.push('-');
        } else if small && c.is_ascii_uppercase() {
            kebab.push('-');
            kebab.push(c.to_ascii_lowercase());
        } else {
            kebab.push(c);
        }
        small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    kebab
}

/// The spellings that templates hold; what can only be read as a whole word goes to `whole`.
fn written<'c>(
    command: &'c Command,
    words: &[(Place, &'c Template)],
    whole: &mut Vec<(&'c Template, Place)>,
) -> Tier<'c> {
    let mut tier = Vec::new();
    let mut words = words.iter().peekable();
    while let Some((place, word)) = words.next() {
        if word.option().is_some() {
            let next = words.peek().filter(|_| word.lead().is_some());
            let argument = next.and_then(|(_, next)| command.argument(next.alone()?));
            let target = match (argument, next) {
                (Some(argument), Some((at, _))) => Target::Value(argument, *at),
                (None, Some((Place::Own(own), next))) => Target::Literal {
                    at: *place,
                    next: next.literal().filter(|t| !is_option(t)).map(|t| (*own, t)),
                },
                (None, Some((Place::Global(_) | Place::Name, _)) | None) | (Some(_), None) => {
                    Target::Literal {
                        at: *place,
                        next: None,
                    }
                }
            };
            let spellings = word.spellings();
            tier.extend(spellings.map(|text| (text.to_owned(), target.clone())));
            if argument.is_some() {
                words.next();
            }
        } else if word.prefix().starts_with('-') && word.names().next().is_some() {
            match filled(word, *place) {
                Some(entry) => tier.push(entry),
                None => whole.push((word, *place)),
            }
        }
    }
    tier
}

/// The option of `--x={{a}}` or `-x{{a}}`, and what is written behind it.
fn filled<'c>(word: &'c Template, place: Place) -> Option<(String, Target<'c>)> {
    let (prefix, rest) = word.pieces().split_first()?;
    let Piece::Text(prefix) = prefix else {
        return None;
    };
    let mut letters = prefix.strip_prefix('-')?.chars();
    let short = letters.next().is_some_and(|c| c != '-' && c != '=') && letters.next().is_none();
    let (spelling, literal, equals) = match prefix.split_once('=') {
        Some((spelling, literal)) if is_option(spelling) => (spelling, literal, true),
        None if short => (prefix.as_str(), "", false),
        Some(_) | None => return None,
    };
    let mut pieces = Vec::new();
    if !literal.is_empty() {
        pieces.push(Piece::Text(literal.to_owned()));
    }
    pieces.extend(rest.iter().cloned());
    let target = Target::Filled {
        pieces,
        place,
        equals,
    };
    Some((spelling.to_owned(), target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_options() {
        for (name, option) in [
            ("node_id", "node-id"),
            ("nodeId", "node-id"),
            ("node-id", "node-id"),
            ("node2Id", "node2-id"),
            ("URL", "URL"),
            ("to", "to"),
        ] {
            assert_eq!(kebab(name), option);
        }
    }
}
