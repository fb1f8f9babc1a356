//! Bare words onto the places that the template has for them.
//!
//! Every way in which a template could have written these words is counted. Where there is one, it is the reading;
//! where there are several, none is certain.

use super::pieces::{Split, split};
use super::slots::{Slot, keeps_its_place};
use super::value;
use crate::pack::Command;

/// A bare word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bare<'w> {
    pub(super) text: &'w str,
    /// Its place on the line.
    pub(super) at: usize,
    /// Whether a word before it may have swallowed one, so that its place is not certain.
    pub(super) shaken: bool,
    /// Whether it is a literal word that stands right by its option.
    pub(super) beside: bool,
}

/// What became of the bare words.
#[derive(Debug, Default)]
pub(super) struct Assigned<'c> {
    /// Slot and words (by number) that fill it, in order.
    pub(super) taken: Vec<(Slot<'c>, usize)>,
    /// Words for which there is no place.
    pub(super) left: Vec<usize>,
    /// Whether a literal word of the template is missing.
    pub(super) lacks_literal: bool,
    /// Whether the words could be read in another way too.
    pub(super) several: bool,
}

impl Assigned<'_> {
    /// What each argument got, to compare two readings: argument and place of the word.
    fn says(&self, words: &[Bare<'_>]) -> Vec<(String, usize)> {
        let mut says = Vec::new();
        for (slot, number) in &self.taken {
            let name = match slot {
                Slot::Argument { argument, .. } | Slot::Lead { argument, .. } => &argument.name,
                Slot::Filled { template, .. } => {
                    let names = template.names().map(str::to_owned);
                    says.extend(names.map(|name| (name, *number)));
                    continue;
                }
                Slot::Literal { .. } => continue,
            };
            says.push((name.clone(), *number));
        }
        let at = |number: usize| words.get(number).map_or(number, |word| word.at);
        says.into_iter()
            .map(|(name, number)| (name, at(number)))
            .collect()
    }
}

/// Above this many cells the ways are not counted.
const CELLS_MAX: usize = 4_000_000;

/// Gives the words to the places, where some literal words may have moved together with their options: `without`
/// are the places without these. In both readings the words must say the same.
pub(super) fn assign_moved<'c, 'w>(
    command: &'c Command,
    slots: &[Slot<'c>],
    without: &[Slot<'c>],
    words: &mut Vec<Bare<'w>>,
) -> Assigned<'c> {
    let all = words.clone();
    words.retain(|word| !word.beside);
    if words.len() == all.len() {
        return assign(command, slots, words);
    }
    let mut moved = assign(command, without, words);
    let placed = Ways::count(command, slots, &all);
    match placed.total() {
        0 => {}
        1 => {
            let placed = placed.follow(slots);
            moved.several |= placed.says(&all) != moved.says(words);
            moved.left.clear();
            if moved.several {
                // Shown as the template would have written it.
                let bare = |number: usize| {
                    let at = all.get(number).map(|word| word.at);
                    words.iter().position(|word| Some(word.at) == at)
                };
                let taken = placed.taken.into_iter();
                moved.taken = taken
                    .filter_map(|(slot, number)| Some((slot, bare(number)?)))
                    .collect();
            }
        }
        _ => moved.several = true,
    }
    moved
}

/// Gives the words to the places.
pub(super) fn assign<'c>(
    command: &'c Command,
    slots: &[Slot<'c>],
    words: &[Bare<'_>],
) -> Assigned<'c> {
    if (slots.len() + 1).saturating_mul(words.len() + 1) > CELLS_MAX {
        let mut assigned = in_order(command, slots, words);
        assigned.several = true;
        return assigned;
    }
    let ways = Ways::count(command, slots, words);
    if ways.total() == 1 {
        return ways.follow(slots);
    }
    let mut assigned = in_order(command, slots, words);
    assigned.several = ways.total() > 1;
    if !assigned.lacks_literal {
        return assigned;
    }
    // Literal words that a line leaves out are written all the same.
    let stands = |slot: &&Slot<'_>| match slot {
        Slot::Literal { text } => words.iter().any(|word| word.text == *text),
        Slot::Argument { .. } | Slot::Lead { .. } | Slot::Filled { .. } => true,
    };
    let there: Vec<Slot<'c>> = slots.iter().filter(stands).copied().collect();
    let ways = Ways::count(command, &there, words);
    if ways.total() == 1 {
        assigned = ways.follow(&there);
    } else {
        assigned.several = ways.total() > 1;
    }
    assigned.lacks_literal = true;
    assigned
}

/// One move of the count: words taken, the state after it, and the ways that it opens (of words taken into a place
/// that may take more, the place stays).
struct Move {
    words: usize,
    next: State,
    ways: u8,
}

/// Where the count stands: a place, a word, whether an empty place stands before (`gap`: what comes after it would
/// be taken for it), and whether this place has taken a word already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    slot: usize,
    word: usize,
    gap: bool,
    inside: bool,
}

/// The ways from each state to the end: none, one, or several.
struct Ways<'k, 'c, 'w> {
    command: &'c Command,
    slots: &'k [Slot<'c>],
    words: &'k [Bare<'w>],
    counts: Vec<[u8; 4]>,
}

impl<'k, 'c, 'w> Ways<'k, 'c, 'w> {
    fn count(command: &'c Command, slots: &'k [Slot<'c>], words: &'k [Bare<'w>]) -> Self {
        let mut ways = Self {
            command,
            slots,
            words,
            counts: vec![[0; 4]; (slots.len() + 1) * (words.len() + 1)],
        };
        for slot in (0..=slots.len()).rev() {
            for word in (0..=words.len()).rev() {
                for (inside, gap) in [(true, true), (true, false), (false, true), (false, false)] {
                    let state = State {
                        slot,
                        word,
                        gap,
                        inside,
                    };
                    let count = ways.from(state);
                    let cell = ways.cell(state);
                    if let Some(counts) = ways.counts.get_mut(cell)
                        && let Some(slot) = counts.get_mut(kind(state))
                    {
                        *slot = count;
                    }
                }
            }
        }
        ways
    }

    fn cell(&self, state: State) -> usize {
        state.slot * (self.words.len() + 1) + state.word
    }

    fn known(&self, state: State) -> u8 {
        let counts = self.counts.get(self.cell(state));
        counts
            .and_then(|c| c.get(kind(state)))
            .copied()
            .unwrap_or(0)
    }

    /// All ways.
    fn total(&self) -> u8 {
        self.known(State {
            slot: 0,
            word: 0,
            gap: false,
            inside: false,
        })
    }

    fn from(&self, state: State) -> u8 {
        if state.slot == self.slots.len() {
            return u8::from(state.word == self.words.len());
        }
        let moves = self.moves(state);
        let total = moves
            .iter()
            .map(|m| m.ways.saturating_mul(self.known(m.next)));
        total.fold(0, u8::saturating_add).min(2)
    }

    fn text(&self, word: usize) -> Option<&'w str> {
        self.words.get(word).map(|w| w.text)
    }

    /// What a place can do with the next word.
    fn moves(&self, state: State) -> Vec<Move> {
        let Some(slot) = self.slots.get(state.slot) else {
            return Vec::new();
        };
        let text = self.text(state.word);
        let mut moves = Vec::new();
        let on = |words: usize, gap: bool, ways: u8| Move {
            words,
            next: State {
                slot: state.slot + 1,
                word: state.word + words,
                gap,
                inside: false,
            },
            ways,
        };
        let stay = |words: usize, gap: bool, ways: u8| Move {
            words,
            next: State {
                word: state.word + words,
                gap,
                inside: true,
                ..state
            },
            ways,
        };
        match slot {
            Slot::Argument { many, required, .. } => {
                if state.inside {
                    moves.push(on(0, false, 1));
                } else if !required {
                    moves.push(on(0, true, 1));
                }
                if text.is_some() && !state.gap {
                    moves.push(if *many {
                        stay(1, false, 1)
                    } else {
                        on(1, false, 1)
                    });
                }
            }
            Slot::Literal { text: literal, .. } => {
                if text == Some(literal) {
                    moves.push(on(1, state.gap && !keeps_its_place(literal), 1));
                }
            }
            Slot::Lead {
                option, argument, ..
            } => {
                moves.push(on(0, state.gap, 1));
                if text.is_some_and(|t| option.spellings().any(|s| s == t)) {
                    let many = value::takes_many(self.command, argument);
                    if value::may_be_switch(self.command, argument) && !state.inside {
                        moves.push(on(1, state.gap, 1));
                    }
                    let valued = !value::is_switch(self.command, argument);
                    if valued && self.text(state.word + 1).is_some() {
                        moves.push(if many {
                            stay(2, state.gap, 1)
                        } else {
                            on(2, state.gap, 1)
                        });
                    }
                }
            }
            Slot::Filled { template, many, .. } => {
                moves.push(on(0, state.gap, 1));
                let fits = text.map(|t| split(self.command, template.pieces(), t));
                let ways = match fits {
                    None | Some(Split::No) => 0,
                    Some(Split::Once(_)) => 1,
                    Some(Split::Several) => 2,
                };
                if ways > 0 {
                    moves.push(if *many {
                        stay(1, state.gap, ways)
                    } else {
                        on(1, state.gap, ways)
                    });
                }
            }
        }
        moves
    }

    /// The one way there is.
    fn follow(&self, slots: &[Slot<'c>]) -> Assigned<'c> {
        let mut assigned = Assigned::default();
        let mut state = State {
            slot: 0,
            word: 0,
            gap: false,
            inside: false,
        };
        while let Some(slot) = slots.get(state.slot) {
            let moves = self.moves(state);
            let open = moves
                .into_iter()
                .find(|m| m.ways > 0 && self.known(m.next) > 0);
            let Some(step) = open else {
                break;
            };
            assigned
                .taken
                .extend((state.word..state.word + step.words).map(|word| (*slot, word)));
            state = step.next;
        }
        assigned
    }
}

fn kind(state: State) -> usize {
    usize::from(state.inside) * 2 + usize::from(state.gap)
}

/// The places in their order, each taking what it can: for lines that no template writes in just this form.
fn in_order<'c>(command: &'c Command, slots: &[Slot<'c>], words: &[Bare<'_>]) -> Assigned<'c> {
    let mut assigned = Assigned::default();
    let mut at = 0;
    for slot in slots {
        let text = words.get(at).map(|w| w.text);
        let takes = match slot {
            Slot::Argument { many: true, .. } => words.len() - at.min(words.len()),
            Slot::Argument { .. } => usize::from(text.is_some()),
            Slot::Literal { text: literal, .. } => {
                let stands = text == Some(literal);
                assigned.lacks_literal |= !stands;
                usize::from(stands)
            }
            Slot::Lead {
                option, argument, ..
            } => {
                let stands = text.is_some_and(|t| option.spellings().any(|s| s == t));
                match (stands, words.get(at + 1)) {
                    (true, _) if value::is_switch(command, argument) => 1,
                    (true, Some(_)) => 2,
                    (true, None) | (false, _) => 0,
                }
            }
            Slot::Filled { template, .. } => {
                let fits = text.map(|t| split(command, template.pieces(), t));
                usize::from(matches!(fits, Some(Split::Once(_))))
            }
        };
        assigned
            .taken
            .extend((at..at + takes).map(|word| (*slot, word)));
        at += takes;
    }
    assigned.left = (at..words.len()).collect();
    assigned
}
