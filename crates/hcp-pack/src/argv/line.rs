//! A whole line: what follows a command's own words, and which command a line belongs to.

use super::Argv;
use super::bare::{Assigned, Bare, assign, assign_moved};
use super::collect::Found;
use super::options::{Options, Place};
use super::pieces::{Split, split};
use super::scan::{Scanned, scan};
use super::slots::{Slot, Slots};
use super::value;
use crate::args::Argument;
use crate::pack::{Command, Pack};
use hcp_core::json::Value;
use std::collections::BTreeSet;

/// A line as one command reads it.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) argv: Argv,
    /// Whether every literal word of the command stands on it.
    stands: bool,
}

/// Reads what follows a command's own words.
pub(super) fn read(command: &Command, argv: &[String]) -> Line {
    read_after(command, &[], argv).unwrap_or_default()
}

/// The numbers of the bare words up to a `--`.
pub(super) fn bare_words(command: &Command, argv: &[String]) -> Vec<usize> {
    let numbers = Slots::of(command, &[], &BTreeSet::new()).has_number();
    let scanned = scan(command, &Options::of(command), &[], argv, numbers);
    let bare = scanned.map(|scanned| scanned.bare).unwrap_or_default();
    let bare = bare.iter().filter(|word| !word.beside);
    bare.map(|word| word.at).collect()
}

/// Reads a line of which some own words are still to come; `None` where they do not.
fn read_after(command: &Command, own: &[String], words: &[String]) -> Option<Line> {
    let options = Options::of(command);
    let numbers = Slots::of(command, &[], &BTreeSet::new()).has_number();
    let mut scanned = scan(command, &options, own, words, numbers)?;
    let taken: Vec<usize> = scanned.literals.iter().copied().collect();
    let given = scanned.found.given();
    let slots = Slots::of(command, &[], &given);
    let without = Slots::of(command, &taken, &given);
    let lacks_word = assign_all(command, &slots, &without, &mut scanned);
    let stands = !lacks_word && literal_options(command).all(|at| scanned.literals.contains(&at));
    Some(Line {
        argv: scanned.found.finish(words),
        stands,
    })
}

/// The literal options of a command before a `--`, by their place in `cli`.
fn literal_options(command: &Command) -> impl Iterator<Item = usize> + '_ {
    let cli = command.cli();
    let before = cli.iter().take_while(|word| word.literal() != Some("--"));
    let owned = |at: usize| cli.get(at + 1).is_some_and(|next| next.alone().is_some());
    before.enumerate().filter_map(move |(at, word)| {
        let literal = word.option().is_some() && !(word.lead().is_some() && owned(at));
        literal.then_some(at)
    })
}

/// Gives the bare words to their places; whether a literal word is missing among them.
fn assign_all<'c>(
    command: &'c Command,
    slots: &Slots<'c>,
    without: &Slots<'c>,
    scanned: &mut Scanned<'c, '_>,
) -> bool {
    let behind = scanned.behind.take();
    match (&slots.behind, behind) {
        // Both have a `--`: what stands on one side belongs to that side alone.
        (Some(places), Some(words)) => {
            let before = assign_moved(command, &slots.before, &without.before, &mut scanned.bare);
            let after = assign(command, places, &words);
            let lacks = before.lacks_literal || after.lacks_literal;
            take(command, &scanned.bare, before, false, &mut scanned.found);
            take(command, &words, after, false, &mut scanned.found);
            lacks
        }
        // The template's `--` only keeps values from being options, and the line does without: the places in
        // their order, the first list taking what it can.
        (Some(_), None) => {
            let all: Vec<Slot<'c>> = without.all().collect();
            scanned.bare.retain(|word| !word.beside);
            let mut assigned = assign(command, &all, &scanned.bare);
            assigned.several = false;
            let lacks = assigned.lacks_literal;
            take(command, &scanned.bare, assigned, false, &mut scanned.found);
            lacks
        }
        (None, behind) => {
            scanned.bare.extend(behind.into_iter().flatten());
            let assigned = assign_moved(command, &slots.before, &without.before, &mut scanned.bare);
            let lacks = assigned.lacks_literal;
            take(
                command,
                &scanned.bare,
                assigned,
                slots.contradict,
                &mut scanned.found,
            );
            lacks
        }
    }
}

/// Takes over what the bare words say.
fn take<'c>(
    command: &'c Command,
    words: &[Bare<'_>],
    assigned: Assigned<'c>,
    contradict: bool,
    found: &mut Found<'c>,
) {
    let doubtful = contradict || assigned.several;
    let mut taken = assigned.taken.iter().peekable();
    while let Some((slot, number)) = taken.next() {
        let Some(word) = words.get(*number) else {
            continue;
        };
        let filled = fill(command, slot, word, &mut taken, words, found);
        for argument in filled {
            if word.shaken || doubtful {
                found.untold(argument);
            }
        }
        if doubtful {
            found.unread(word.text, word.at);
        }
    }
    for word in assigned.left.iter().filter_map(|number| words.get(*number)) {
        found.left(word.text, word.at);
    }
}

/// Fills one place, and gives the arguments that got something.
fn fill<'c, 'a>(
    command: &'c Command,
    slot: &Slot<'c>,
    word: &Bare<'_>,
    rest: &mut std::iter::Peekable<impl Iterator<Item = &'a (Slot<'c>, usize)>>,
    words: &[Bare<'_>],
    found: &mut Found<'c>,
) -> Vec<&'c Argument>
where
    'c: 'a,
{
    let mut text = |argument: &'c Argument, place: Place, text: &str| {
        if !found.text(argument, place, text, word.at) {
            found.unread(word.text, word.at);
        }
        argument
    };
    match slot {
        Slot::Literal { .. } => Vec::new(),
        Slot::Argument {
            argument, place, ..
        } => vec![text(argument, *place, word.text)],
        Slot::Lead {
            argument, place, ..
        } => {
            let valued = !value::is_switch(command, argument);
            let next = rest.next_if(|(slot, _)| {
                let same = match slot {
                    Slot::Lead { place: other, .. } => other == place,
                    Slot::Argument { .. } | Slot::Literal { .. } | Slot::Filled { .. } => false,
                };
                same && valued
            });
            match next.and_then(|(_, number)| words.get(*number)) {
                Some(next) => vec![text(argument, *place, next.text)],
                None => {
                    found.value(argument, *place, Value::Bool(true), word.at);
                    vec![*argument]
                }
            }
        }
        Slot::Filled {
            template, place, ..
        } => match split(command, template.pieces(), word.text) {
            Split::Once(values) => values
                .into_iter()
                .filter_map(|(name, value)| Some(text(command.argument(name)?, *place, value)))
                .collect(),
            Split::No | Split::Several => Vec::new(),
        },
    }
}

/// A candidate for a whole line.
struct Candidate<'p> {
    command: &'p Command,
    line: Line,
}

impl Candidate<'_> {
    /// How many literal words of the command the line has, the own words among them.
    fn weight(&self) -> usize {
        let cli = self.command.cli();
        let literal = |word: &&crate::template::Template| word.literal().is_some_and(|t| t != "--");
        let options = literal_options(self.command).count();
        let words = cli.iter().filter(literal).filter(|w| w.option().is_none());
        options + words.count()
    }
}

/// The commands that a whole line may belong to.
pub(super) fn commands<'p>(pack: &'p Pack, words: &[String]) -> Vec<(&'p Command, Argv)> {
    let Some((program, rest)) = words.split_first() else {
        return Vec::new();
    };
    let candidates: Vec<Candidate<'p>> = pack
        .commands
        .values()
        .filter_map(|command| {
            let (first, own) = command.own_words.split_first()?;
            let called = first == program || pack.programs.contains(program);
            let may = called && own.iter().all(|word| rest.contains(word));
            let line = may.then(|| read_after(command, own, rest)).flatten()?;
            Some(Candidate { command, line })
        })
        .collect();
    let standing = || candidates.iter().filter(|c| c.line.stands);
    let most = standing().map(Candidate::weight).max();
    let best = || standing().filter(|c| Some(c.weight()) == most);
    let whole: Vec<&Command> = best()
        .filter(|c| c.line.argv.reading.fully_read)
        .map(|c| c.command)
        .collect();
    let best: Vec<&Command> = best().map(|c| c.command).collect();
    let longest = candidates.iter().map(|c| c.command.own_words.len()).max();
    let belongs = |candidate: &Candidate<'p>| {
        let own = &candidate.command.own_words;
        if !whole.is_empty() {
            return whole.iter().any(|c| c.name == candidate.command.name);
        }
        best.iter().any(|c| c.own_words == *own) || (best.is_empty() && Some(own.len()) == longest)
    };
    let chosen = candidates.into_iter().filter(belongs);
    chosen
        .map(|candidate| {
            let mut argv = candidate.line.argv;
            // A line without a literal word of the command is only perhaps that command.
            argv.reading.fully_read &= candidate.line.stands;
            (candidate.command, argv)
        })
        .collect()
}
