//! What reading a command's lines needs and what only the pack decides: made once for each command, and for all
//! commands of a pack the words by which they are found.

use super::line::{ends_options, literal_options, on_lines};
use super::options::Spellings;
use super::slots::Slots;
use crate::pack::Command;
use hcp_core::names::CommandName;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What reading a command's lines needs. It holds numbers of the command's words and arguments.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// Every spelling of its options.
    pub(super) spellings: Spellings,
    /// Whether a bare word can be a negative number.
    pub(super) numbers: bool,
    /// How many bare words stand before the one that ends the options, where one does.
    pub(super) last: Option<usize>,
    /// The literal options before a `--`, by their place in `cli`.
    pub(super) literals: Vec<usize>,
    /// How many literal words it has, the own words among them.
    pub(super) weight: usize,
    /// The required arguments that a line can hold, by their numbers.
    pub(super) required: Vec<usize>,
}

impl Reader {
    pub(crate) fn of(command: &Command) -> Self {
        let slots = Slots::of(command, &[], &BTreeSet::new());
        let cli = command.cli();
        let literals: Vec<usize> = literal_options(command).collect();
        let words = cli.iter().filter(|word| word.option().is_none());
        let words = words.filter(|word| word.literal().is_some_and(|text| text != "--"));
        let weight = literals.len() + words.count();
        Self {
            spellings: Spellings::of(command),
            numbers: slots.has_number(),
            last: ends_options(&slots),
            weight,
            literals,
            required: on_lines(command),
        }
    }
}

/// The commands of a pack by their first own word behind the program, in each of its spellings.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    names: Vec<CommandName>,
    by_word: HashMap<String, Vec<usize>>,
    /// Those without one.
    always: Vec<usize>,
}

impl Finder {
    pub(crate) fn of(commands: &BTreeMap<CommandName, Command>) -> Self {
        let mut finder = Self::default();
        for (number, (name, command)) in commands.iter().enumerate() {
            finder.names.push(name.clone());
            match command.own_templates().get(1) {
                None => finder.always.push(number),
                Some(own) => {
                    for spelling in own.literal().into_iter().chain(own.others()) {
                        let known = finder.by_word.entry(spelling.to_owned()).or_default();
                        known.push(number);
                    }
                }
            }
        }
        finder
    }

    /// The commands that can own a line of these words, in the order of their names.
    pub(super) fn find<'a>(
        &'a self,
        words: impl Iterator<Item = &'a str>,
    ) -> impl Iterator<Item = &'a CommandName> {
        let mut found: BTreeSet<usize> = self.always.iter().copied().collect();
        for numbers in words.filter_map(|word| self.by_word.get(word)) {
            found.extend(numbers);
        }
        found
            .into_iter()
            .filter_map(|number| self.names.get(number))
    }
}
