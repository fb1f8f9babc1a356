//! The places of a command line that words fill by their order: what stands before a literal `--` of the template,
//! and what stands behind it.

use super::options::Place;
use super::value;
use crate::args::Argument;
use crate::pack::Command;
use crate::template::{Template, is_option};
use std::collections::BTreeSet;

/// One place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot<'c> {
    /// `{{a}}` as a word of its own.
    Argument {
        argument: &'c Argument,
        place: Place,
        /// Whether it takes several words.
        many: bool,
        /// Whether every valid call has a word for it.
        required: bool,
    },
    /// A literal word.
    Literal { text: &'c str },
    /// An option behind `--` with its placeholder: there it is a word like any other.
    Lead {
        option: &'c Template,
        argument: &'c Argument,
        place: Place,
    },
    /// A word with text around its placeholders.
    Filled {
        template: &'c Template,
        place: Place,
        many: bool,
    },
}

impl Slot<'_> {
    fn is_of(&self, name: &str) -> bool {
        match self {
            Slot::Argument { argument, .. } => argument.name == name,
            Slot::Literal { .. } | Slot::Lead { .. } | Slot::Filled { .. } => false,
        }
    }

    fn place(&self) -> Option<Place> {
        match self {
            Slot::Argument { place, .. }
            | Slot::Lead { place, .. }
            | Slot::Filled { place, .. } => Some(*place),
            Slot::Literal { .. } => None,
        }
    }
}

/// The places of a command.
#[derive(Debug, Clone)]
pub(super) struct Slots<'c> {
    /// Those before the template's `--`, or all.
    pub(super) before: Vec<Slot<'c>>,
    /// Those behind it, where there is one.
    pub(super) behind: Option<Vec<Slot<'c>>>,
    /// Whether `x-position` and the order of `cli` say different things, so that no order is certain.
    pub(super) contradict: bool,
}

impl<'c> Slots<'c> {
    /// The places of a command; `taken` are words of `cli` that were found beside their option, `given` the
    /// arguments that were found by an option.
    pub(super) fn of(command: &'c Command, taken: &[usize], given: &BTreeSet<String>) -> Self {
        let first = command.own_words.len();
        let cli = command.cli();
        let end = cli.iter().position(|word| word.literal() == Some("--"));
        let end = end.filter(|at| *at >= first);
        let own = |from: usize, to: usize| {
            let words = cli.iter().enumerate().take(to).skip(from);
            words.filter(|(at, _)| !taken.contains(at)).collect()
        };
        let mut slots = Self {
            before: before(command, own(first, end.unwrap_or(cli.len()))),
            behind: end.map(|end| behind(command, own(end + 1, cli.len()))),
            contradict: false,
        };
        slots.arrange(command, given);
        slots
    }

    /// Whether a bare word can be a negative number.
    pub(super) fn has_number(&self) -> bool {
        let all = self.before.iter().chain(self.behind.iter().flatten());
        all.into_iter().any(|slot| match slot {
            Slot::Argument { argument, .. } => argument.is_numeric(),
            Slot::Literal { .. } | Slot::Lead { .. } | Slot::Filled { .. } => false,
        })
    }

    /// Brings the places into the order that `x-position` gives them, and adds those that only it gives: of
    /// arguments that the template writes with an option, and that the line has not `given` so.
    fn arrange(&mut self, command: &'c Command, given: &BTreeSet<String>) {
        let written: Vec<&'c Argument> = self.arguments().collect();
        let is_written = |a: &Argument| written.iter().any(|w| w.name == a.name);
        let mut positioned: Vec<&'c Argument> = command
            .arguments
            .iter()
            .filter(|a| a.position.is_some())
            .collect();
        positioned.sort_by_key(|a| a.position);
        let mut wanted = wanted(&positioned, &written);
        wanted.retain(|a| is_written(a) || !given.contains(&a.name));
        let kept: Vec<&'c Argument> = wanted.iter().copied().filter(|a| is_written(a)).collect();
        let names = |list: &[&'c Argument]| -> Vec<&'c str> {
            list.iter().map(|a| a.name.as_str()).collect()
        };
        if !positioned.is_empty() && names(&kept) != names(&written) {
            self.reorder(command, &kept);
        }
        let mut rest = wanted.as_slice();
        while let Some((argument, after)) = rest.split_first() {
            rest = after;
            if !is_written(argument) {
                let next = after.iter().find(|a| is_written(a));
                // A call as the template writes it has an optional one perhaps not, and the next word in its place.
                self.contradict |= next.is_some() && !argument.required;
                self.insert(
                    slot_of(command, argument, Place::Name),
                    next.map(|a| a.name.as_str()),
                );
            }
        }
    }

    /// Where `x-position` turns the template's own order round, no order is certain.
    fn reorder(&mut self, command: &'c Command, order: &[&'c Argument]) {
        let (arguments, others): (Vec<Slot<'c>>, Vec<Slot<'c>>) =
            self.all().partition(|slot| match slot {
                Slot::Argument { .. } => true,
                Slot::Literal { .. } | Slot::Lead { .. } | Slot::Filled { .. } => false,
            });
        let place = |name: &str| {
            let found = arguments.iter().find(|slot| slot.is_of(name));
            found.and_then(Slot::place).unwrap_or(Place::Name)
        };
        let in_order = order.iter().map(|a| slot_of(command, a, place(&a.name)));
        self.before = in_order.chain(others).collect();
        self.behind = None;
        self.contradict = true;
    }

    /// Puts a place before that of an argument, or at the end.
    fn insert(&mut self, slot: Slot<'c>, next: Option<&str>) {
        let at = |slots: &[Slot<'c>]| slots.iter().position(|s| next.is_some_and(|n| s.is_of(n)));
        if let Some(at) = at(&self.before) {
            self.before.insert(at, slot);
            return;
        }
        match &mut self.behind {
            Some(behind) => {
                let at = at(behind).unwrap_or(behind.len());
                behind.insert(at, slot);
            }
            None => self.before.push(slot),
        }
    }

    /// All places in their order.
    pub(super) fn all(&self) -> impl Iterator<Item = Slot<'c>> + '_ {
        self.before
            .iter()
            .chain(self.behind.iter().flatten())
            .copied()
    }

    fn arguments(&self) -> impl Iterator<Item = &'c Argument> + '_ {
        self.all().filter_map(|slot| match slot {
            Slot::Argument { argument, .. } => Some(argument),
            Slot::Literal { .. } | Slot::Lead { .. } | Slot::Filled { .. } => None,
        })
    }
}

/// The order of the bare words: each position at its number, the others in between in their own order.
fn wanted<'c>(positioned: &[&'c Argument], written: &[&'c Argument]) -> Vec<&'c Argument> {
    let mut placed = positioned.iter().copied().peekable();
    let mut seen: Vec<&str> = Vec::new();
    let mut others = written.iter().copied().filter(|a| {
        let new = a.position.is_none() && !seen.contains(&a.name.as_str());
        seen.push(&a.name);
        new
    });
    let mut wanted: Vec<&'c Argument> = Vec::new();
    loop {
        let here = wanted.len() as u64;
        let due = placed.next_if(|a| a.position.is_some_and(|at| at <= here));
        match due.or_else(|| others.next()).or_else(|| placed.next()) {
            Some(next) => wanted.push(next),
            None => return wanted,
        }
    }
}

fn slot_of<'c>(command: &'c Command, argument: &'c Argument, place: Place) -> Slot<'c> {
    let many = value::takes_many(command, argument);
    Slot::Argument {
        argument,
        place,
        many,
        required: argument.required && !many && !value::may_be_switch(command, argument),
    }
}

/// What a word of its own, no option, is a place for.
fn bare<'c>(command: &'c Command, at: usize, word: &'c Template) -> Option<Slot<'c>> {
    let place = Place::Own(at);
    if let Some(name) = word.alone() {
        return Some(slot_of(command, command.argument(name)?, place));
    }
    if let Some(text) = word.literal() {
        return Some(Slot::Literal { text });
    }
    let mut names: Vec<&str> = word.names().collect();
    names.dedup();
    let many = match names.as_slice() {
        [one] => command
            .argument(one)
            .is_some_and(|a| value::takes_many(command, a)),
        _ => false,
    };
    Some(Slot::Filled {
        template: word,
        place,
        many,
    })
}

fn before<'c>(command: &'c Command, words: Vec<(usize, &'c Template)>) -> Vec<Slot<'c>> {
    let mut slots = Vec::new();
    let mut led = false;
    for (at, word) in words {
        let belongs_to_option = led && word.alone().is_some();
        led = word.lead().is_some();
        let dashed = word.literal().unwrap_or(word.prefix()).starts_with('-');
        let option = dashed && word.literal() != Some("-");
        if !belongs_to_option && !option {
            slots.extend(bare(command, at, word));
        }
    }
    slots
}

fn behind<'c>(command: &'c Command, words: Vec<(usize, &'c Template)>) -> Vec<Slot<'c>> {
    let mut slots = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some((at, word)) = words.next() {
        let led = word.lead().and_then(|_| {
            let (at, next) = words.peek()?;
            Some((*at, command.argument(next.alone()?)?))
        });
        if let Some((at, argument)) = led {
            words.next();
            slots.push(Slot::Lead {
                option: word,
                argument,
                place: Place::Own(at),
            });
        } else {
            slots.extend(bare(command, at, word));
        }
    }
    slots
}

/// Whether a literal word is one that the words before it must not take the place of.
pub(super) fn keeps_its_place(text: &str) -> bool {
    !is_option(text)
}
