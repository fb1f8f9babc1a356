//! A whole line: what follows a command's own words, and which command a line belongs to.

use super::Argv;
use super::bare::{Assigned, Bare, assign, assign_moved};
use super::choose::{Candidate, Candidates};
use super::collect::Found;
use super::options::Place;
use super::pieces::{Split, split};
use super::scan::{Scanned, scan};
use super::slots::{Slot, Slots};
use super::value;
use crate::args::Argument;
use crate::pack::{Command, Pack};
use crate::template::Template;
use hcp_core::json::Value;
use std::collections::HashSet;

/// A line as one command reads it.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) argv: Argv,
    /// Whether every literal word of the command stands on it.
    pub(super) stands: bool,
    /// Where the own words stand.
    pub(super) own: Vec<usize>,
}

/// Reads what follows a command's own words.
pub(super) fn read(command: &Command, argv: &[String]) -> Line {
    read_after(command, &[], argv).unwrap_or_default()
}

/// The numbers of the bare words up to a `--`.
pub(super) fn bare_words(command: &Command, argv: &[String]) -> Vec<usize> {
    let scanned = scan(command, &[], argv);
    let bare = scanned.map(|scanned| scanned.bare).unwrap_or_default();
    let bare = bare.iter().filter(|word| !word.beside);
    bare.map(|word| word.at).collect()
}

/// Reads a line of which some own words are still to come; `None` where they do not.
fn read_after(command: &Command, own: &[Template], words: &[String]) -> Option<Line> {
    let mut scanned = scan(command, own, words)?;
    let taken: Vec<usize> = scanned.literals.iter().copied().collect();
    let given = scanned.found.given();
    let slots = Slots::of(command, &[], &given);
    let without = match taken.as_slice() {
        [] => slots.clone(),
        _ => Slots::of(command, &taken, &given),
    };
    let lacks_word = assign_all(command, &slots, &without, &mut scanned);
    let mut literals = command.reader().literals.iter();
    let stands = !lacks_word && literals.all(|at| scanned.literals.contains(at));
    Some(Line {
        argv: scanned.found.finish(words),
        stands,
        own: scanned.own,
    })
}

/// The literal options of a command before a `--`, by their place in `cli`.
pub(super) fn literal_options(command: &Command) -> impl Iterator<Item = usize> + '_ {
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

/// The required arguments that a line can hold, by their numbers.
pub(super) fn on_lines(command: &Command) -> Vec<usize> {
    let words = || command.cli().iter().chain(command.globals());
    let held = |name: &str| words().any(|word| word.names().any(|n| n == name));
    let required = command.arguments.iter().enumerate();
    let required = required.filter(|(_, a)| a.required && held(&a.name));
    required.map(|(number, _)| number).collect()
}

/// How many bare words a line may have before the one that ends its options, where a command runs another whose own
/// options follow: `-- {{image}} {{command}}`, the last of them `x-command` `words`. The `--` before the image says
/// that the tool reads no option behind it, whether or not it is written: `docker run alpine ls -l`. Where anything
/// but literal words stands before the `--`, it cannot be told which bare word the image is.
pub(super) fn ends_options(slots: &Slots<'_>) -> Option<usize> {
    let (last, first) = slots.behind.as_ref()?.split_last()?;
    let runs = match last {
        Slot::Argument { argument, .. } => argument.schema.get("x-command")?.as_str(),
        Slot::Literal { .. } | Slot::Lead { .. } | Slot::Filled { .. } => None,
    };
    let single = |slot: &Slot<'_>| match slot {
        Slot::Argument { many, .. } => !many,
        Slot::Literal { .. } | Slot::Lead { .. } | Slot::Filled { .. } => false,
    };
    let literal = |slot: &Slot<'_>| match slot {
        Slot::Literal { .. } => true,
        Slot::Argument { .. } | Slot::Lead { .. } | Slot::Filled { .. } => false,
    };
    let named = !first.is_empty() && first.iter().all(single) && !slots.contradict;
    let ends = runs == Some("words") && named && slots.before.iter().all(literal);
    ends.then_some(slots.before.len())
}

/// Whether the literal words of a command are on a line, but for those that may be written onto their option.
fn may_stand(command: &Command, line: &HashSet<&str>) -> bool {
    let cli = command.cli();
    let beside = |at: usize| {
        at.checked_sub(1)
            .and_then(|at| cli.get(at))
            .is_some_and(|word| word.option().is_some())
    };
    let mut words = cli.iter().enumerate().skip(command.own_words.len());
    words.all(|(at, word)| match word.literal() {
        Some("--") | None => true,
        Some(text) => word.option().is_some() || beside(at) || line.contains(text),
    })
}

/// The commands that a whole line may belong to.
pub(super) fn commands<'p>(pack: &'p Pack, words: &[String]) -> Vec<(&'p Command, Argv)> {
    let Some((program, rest)) = words.split_first() else {
        return Vec::new();
    };
    let found = pack.commands.finder().find(rest.iter().map(String::as_str));
    let found = found.filter_map(|name| pack.commands.get(name));
    among(pack, found, program, rest)
}

/// Those of some commands, in the order of their names, that a line may belong to.
pub(super) fn among<'p>(
    pack: &'p Pack,
    commands: impl Iterator<Item = &'p Command>,
    program: &String,
    rest: &[String],
) -> Vec<(&'p Command, Argv)> {
    let line: HashSet<&str> = rest.iter().map(String::as_str).collect();
    let named = commands.filter_map(|command| {
        let (first, own) = command.own_templates().split_first()?;
        let called = first.literal() == Some(program) || pack.programs.contains(program);
        let stands = |own: &Template| {
            let mut spellings = own.literal().into_iter().chain(own.others());
            spellings.any(|spelling| line.contains(spelling))
        };
        let may = called && own.iter().all(stands);
        may.then_some((command, own))
    });
    // A command that lacks a literal word does not stand, and has no say where others read the whole line.
    let (may, cannot): (Vec<_>, Vec<_>) = named.partition(|(command, _)| may_stand(command, &line));
    let read = |(command, own): (&'p Command, &[Template])| {
        let line = read_after(command, own, rest)?;
        Some(Candidate { command, line })
    };
    let candidates = Candidates(may.into_iter().filter_map(read).collect());
    let longer = |least: usize| cannot.iter().any(|(_, own)| own.len() > least);
    match candidates.settled() {
        Some(least) if !longer(least) => candidates.chosen(),
        Some(_) | None => {
            let mut all = candidates.0;
            all.extend(cannot.into_iter().filter_map(read));
            all.sort_by(|left, right| left.command.name.cmp(&right.command.name));
            Candidates(all).chosen()
        }
    }
}
