//! The options of a command: every spelling, and what it stands for.

use super::value;
use crate::args::Argument;
use crate::pack::Command;
use crate::template::{Piece, Template, is_option};
use std::collections::{HashMap, HashSet};

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
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target<'c> {
    /// An argument's value, or a switch.
    Value(&'c Argument, Place),
    /// What the template writes right behind the option, `=` or nothing between.
    Filled {
        pieces: &'c [Piece],
        place: Place,
        equals: bool,
    },
    /// A literal option, and the literal word that the template has right after it.
    Literal {
        at: Place,
        next: Option<(usize, &'c str)>,
    },
}

/// A target by the numbers of the words and arguments that it is made of.
#[derive(Debug, Clone)]
enum Held {
    Value(usize, Place),
    Filled {
        pieces: Vec<Piece>,
        place: Place,
        equals: bool,
    },
    Literal {
        at: Place,
        next: Option<usize>,
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

/// The spellings of one source, in the order of the files.
type Tier = Vec<(String, Held)>;

/// How many tiers the command's own spellings have; the global ones have as many behind them.
const OWN: usize = 3;

/// All spellings of a command, made once: they hold numbers of its words and arguments.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    /// Those of `cli`, of `x-alias` and of the names, the command's own and then the global ones.
    tiers: [Tier; 2 * OWN],
    /// Where each spelling stands: its tier, and its place there, in that order.
    places: HashMap<String, Vec<(usize, usize)>>,
    /// Templates that are read as whole words: `-{{n}}`, `--level{{n}}`.
    whole: Vec<Place>,
    /// Global words without a dash, which stand before the own words alone: `+{{toolchain}}`.
    leading: Vec<Place>,
}

impl Spellings {
    pub(crate) fn of(command: &Command) -> Self {
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
        let leading = globals.iter().filter(|(_, word)| word.leads_globals());
        let leading = leading.map(|(place, _)| *place).collect();
        let own = written(command, &own, &mut whole);
        let global = written(command, &globals, &mut whole);
        let [own_aliases, own_names] = declared(command, false);
        let [global_aliases, global_names] = declared(command, true);
        let tiers = [
            own,
            own_aliases,
            own_names,
            global,
            global_aliases,
            global_names,
        ];
        let mut places: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for (number, tier) in tiers.iter().enumerate() {
            for (at, (spelling, _)) in tier.iter().enumerate() {
                let known = places.entry(spelling.clone()).or_default();
                known.push((number, at));
            }
        }
        Self {
            tiers,
            places,
            whole,
            leading,
        }
    }
}

/// A tier with the place of each spelling.
#[cfg(test)]
pub(super) type Listed = Vec<(String, (usize, usize))>;

#[cfg(test)]
impl Spellings {
    /// Every spelling and its place, the command's own tiers and the global ones.
    pub(super) fn listed(&self) -> [Vec<Listed>; 2] {
        let tiers = self.tiers.iter().enumerate().map(|(number, tier)| {
            let all = tier.iter().enumerate();
            all.map(|(at, (spelling, _))| (spelling.clone(), (number, at)))
                .collect()
        });
        let mut tiers: Vec<_> = tiers.collect();
        let global = tiers.split_off(OWN);
        [tiers, global]
    }
}

/// The spellings that arguments have by `x-alias` and by their names.
fn declared(command: &Command, global: bool) -> [Tier; 2] {
    let arguments = || {
        let all = command.arguments.iter().enumerate();
        all.filter(move |(_, argument)| argument.global == global)
    };
    let aliases = arguments().flat_map(|(number, argument)| {
        let spellings = argument.aliases.iter();
        spellings.map(move |alias| (alias.clone(), Held::Value(number, Place::Name)))
    });
    let names = arguments().flat_map(|(number, argument)| {
        let mut names = vec![argument.name.clone(), kebab(&argument.name)];
        names.dedup();
        let names = names.into_iter();
        names.map(move |name| (format!("--{name}"), Held::Value(number, Place::Name)))
    });
    [aliases.collect(), names.collect()]
}

/// The options of a command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options<'c> {
    command: &'c Command,
    spellings: &'c Spellings,
}

impl<'c> Options<'c> {
    pub(super) fn of(command: &'c Command) -> Self {
        Self {
            command,
            spellings: &command.reader().spellings,
        }
    }

    /// What a spelling stands for: several where the pack gives it to several. The command's own spellings go
    /// first, before its own words the global ones.
    pub(super) fn find(&self, spelling: &str, side: Side) -> Vec<Target<'c>> {
        let Some(places) = self.spellings.places.get(spelling) else {
            return Vec::new();
        };
        let is_own = |place: &&(usize, usize)| place.0 < OWN;
        let (own, global) = (
            places.iter().find(is_own),
            places.iter().find(|p| p.0 >= OWN),
        );
        let first = match side {
            Side::Before => global.or(own),
            Side::After => own.or(global),
        };
        let Some((first, _)) = first else {
            return Vec::new();
        };
        // Without own words between them nothing tells the two sides apart.
        let together = self.command.own_words.len() == 1 && *first < OWN;
        let found = places
            .iter()
            .filter(|(tier, _)| tier == first || (together && *tier >= OWN));
        found.filter_map(|place| self.target(*place)).collect()
    }

    pub(super) fn target(&self, (tier, at): (usize, usize)) -> Option<Target<'c>> {
        let (_, held) = self.spellings.tiers.get(tier)?.get(at)?;
        Some(match held {
            Held::Value(argument, place) => {
                Target::Value(self.command.arguments.get(*argument)?, *place)
            }
            Held::Filled {
                pieces,
                place,
                equals,
            } => Target::Filled {
                pieces,
                place: *place,
                equals: *equals,
            },
            Held::Literal { at, next } => Target::Literal {
                at: *at,
                next: next.and_then(|at| Some((at, self.command.cli().get(at)?.literal()?))),
            },
        })
    }

    /// Of a switch and an argument that is written onto the same spelling, `--stat` and `--stat={{width}}`, the one
    /// that a word means: such an option takes its value in the same word or has none.
    pub(super) fn narrowed(&self, mut found: Vec<Target<'c>>, valued: bool) -> Vec<Target<'c>> {
        let is_switch = |target: &Target<'c>| match target {
            Target::Value(argument, _) => value::is_switch(self.command, argument),
            Target::Filled { .. } | Target::Literal { .. } => false,
        };
        let is_filled = |target: &Target<'c>| matches!(target, Target::Filled { .. });
        if let [a, b] = found.as_slice()
            && (is_switch(a) && is_filled(b) || is_filled(a) && is_switch(b))
        {
            found.retain(|target| is_filled(target) == valued);
        }
        found
    }

    /// All spellings, each once, in the order in which they count.
    pub(super) fn spellings(&self) -> Vec<String> {
        let mut seen: HashSet<&str> = HashSet::new();
        let all = self.spellings.tiers.iter().flatten();
        all.filter(|(spelling, _)| seen.insert(spelling))
            .map(|(spelling, _)| spelling.clone())
            .collect()
    }

    /// The switch that `--no-draft` puts off.
    pub(super) fn negated(&self, word: &str, side: Side) -> Option<(&'c Argument, Place)> {
        let spelling = format!("--{}", word.strip_prefix("--no-")?);
        let found = self.narrowed(self.find(&spelling, side), false);
        match found.as_slice() {
            [Target::Value(argument, place)] => Some((*argument, *place)),
            [Target::Filled { pieces, place, .. }] => match pieces {
                [Piece::Argument(name)] => Some((self.command.argument(name)?, *place)),
                [] | [Piece::Text(_)] | [_, _, ..] => None,
            },
            _ => None,
        }
        .filter(|(argument, _)| value::is_switch(self.command, argument))
    }

    pub(super) fn leading(&self) -> impl Iterator<Item = (&'c Template, Place)> + use<'c> {
        self.templates(&self.spellings.leading)
    }

    pub(super) fn whole(&self) -> impl Iterator<Item = (&'c Template, Place)> + use<'c> {
        self.templates(&self.spellings.whole)
    }

    fn templates(
        &self,
        places: &'c [Place],
    ) -> impl Iterator<Item = (&'c Template, Place)> + use<'c> {
        let command = self.command;
        places.iter().filter_map(move |place| {
            let word = match place {
                Place::Own(at) => command.cli().get(*at),
                Place::Global(at) => command.globals().get(*at),
                Place::Name => None,
            };
            Some((word?, *place))
        })
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
fn written(command: &Command, words: &[(Place, &Template)], whole: &mut Vec<Place>) -> Tier {
    let mut tier = Vec::new();
    let mut words = words.iter().peekable();
    let number = |name: &str| command.arguments.iter().position(|a| a.name == name);
    while let Some((place, word)) = words.next() {
        if word.option().is_some() {
            let next = words.peek().filter(|_| word.lead().is_some());
            let argument = next.and_then(|(_, next)| number(next.alone()?));
            let held = match (argument, next) {
                (Some(argument), Some((at, _))) => Held::Value(argument, *at),
                (None, Some((Place::Own(own), next))) => Held::Literal {
                    at: *place,
                    next: next.literal().filter(|t| !is_option(t)).map(|_| *own),
                },
                (None, Some((Place::Global(_) | Place::Name, _)) | None) | (Some(_), None) => {
                    Held::Literal {
                        at: *place,
                        next: None,
                    }
                }
            };
            let spellings = word.spellings();
            tier.extend(spellings.map(|text| (text.to_owned(), held.clone())));
            if argument.is_some() {
                words.next();
            }
        } else if word.prefix().starts_with('-') && word.names().next().is_some() {
            match filled(word, *place) {
                Some(entry) => tier.push(entry),
                None => whole.push(*place),
            }
        }
    }
    tier
}

/// The option of `--x={{a}}` or `-x{{a}}`, and what is written behind it.
fn filled(word: &Template, place: Place) -> Option<(String, Held)> {
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
    let held = Held::Filled {
        pieces,
        place,
        equals,
    };
    Some((spelling.to_owned(), held))
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
