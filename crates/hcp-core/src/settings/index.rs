//! Rules by what they match, so that a decision looks only at those that fit its call.

mod values;

use crate::gate::Call;
use crate::names::VerbKey;
use crate::rule::{Match, Rule};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use values::Values;

/// No further rule in a chain.
const END: u32 = u32::MAX;

/// Below so many rules with one match, looking at each costs less than looking up.
const FEW: usize = 4;

/// Chains of rule numbers, one for each match, in the order of the rules.
///
/// Rules are numbered through all sources. A chain is found by the hash of what it matches; two matches
/// that share a hash share a chain, so whoever walks one still asks each rule whether it fits.
#[derive(Debug, Clone)]
pub(super) struct Index {
    hasher: RandomState,
    chains: HashMap<u64, Chain, Direct>,
    next: Vec<u32>,
    /// The long chains by the values that their rules want, where that was asked for.
    values: HashMap<u64, Values, Direct>,
}

#[derive(Debug, Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
}

impl Index {
    pub(super) fn new<'a>(rules: impl Iterator<Item = &'a Rule>, count: usize) -> Self {
        let mut index = Self {
            hasher: RandomState::new(),
            chains: HashMap::with_capacity_and_hasher(count, Direct),
            next: Vec::with_capacity(count),
            values: HashMap::with_hasher(Direct),
        };
        for (number, rule) in (0..END).zip(rules) {
            index.add(number, &rule.matches);
        }
        index
    }

    fn add(&mut self, number: u32, matches: &Match) {
        let key = match matches {
            Match::Everything => self.key("", ""),
            Match::Pack(pack) => self.key(pack.as_str(), ""),
            Match::Command(verb) => self.key(verb.pack.as_str(), verb.command.as_str()),
        };
        self.next.push(END);
        let chain = self.chains.entry(key).or_insert(Chain {
            first: number,
            last: number,
        });
        if chain.last != number {
            let before = std::mem::replace(&mut chain.last, number);
            if let Some(slot) = self.next.get_mut(before as usize) {
                *slot = number;
            }
        }
    }

    fn key(&self, pack: &str, command: &str) -> u64 {
        self.hasher.hash_one((pack, command))
    }

    /// Indexes the long chains by value too; `rule` gives a rule by its number.
    pub(super) fn index_values<'a>(&mut self, rule: impl Fn(u32) -> Option<&'a Rule>) {
        let mut values = HashMap::with_hasher(Direct);
        for (key, chain) in &self.chains {
            if self.walk(chain.first).nth(FEW).is_some() {
                let numbers: Vec<u32> = self.walk(chain.first).collect();
                let rules = numbers.iter().filter_map(|n| Some((*n, rule(*n)?)));
                values.insert(*key, Values::new(rules));
            }
        }
        self.values = values;
    }

    /// Whether long chains are indexed by value.
    pub(super) fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// Calls `found` with every rule that could apply to the call, and perhaps with some that cannot.
    pub(super) fn candidates(&self, call: &Call<'_>, mut found: impl FnMut(u32)) {
        for key in self.keys(call.verb) {
            let looked_up = self
                .values
                .get(&key)
                .is_some_and(|values| values.look_up(call, &mut found));
            if !looked_up && let Some(chain) = self.chains.get(&key) {
                self.walk(chain.first).for_each(&mut found);
            }
        }
    }

    /// The chains for everything, for the pack, for the command.
    fn keys(&self, verb: &VerbKey) -> [u64; 3] {
        [
            self.key("", ""),
            self.key(verb.pack.as_str(), ""),
            self.key(verb.pack.as_str(), verb.command.as_str()),
        ]
    }

    /// The numbers of all rules that may fit.
    pub(super) fn chains(&self, verb: &VerbKey) -> impl Iterator<Item = u32> + '_ {
        self.keys(verb)
            .into_iter()
            .filter_map(|key| self.chains.get(&key))
            .flat_map(|chain| self.walk(chain.first))
    }

    fn walk(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(first), |number| {
            self.next
                .get(*number as usize)
                .copied()
                .filter(|next| *next != END)
        })
    }
}

/// Takes a key that is a hash already as its own hash.
#[derive(Debug, Clone, Copy, Default)]
struct Direct;

impl BuildHasher for Direct {
    type Hasher = DirectHasher;
    fn build_hasher(&self) -> DirectHasher {
        DirectHasher(0)
    }
}

struct DirectHasher(u64);

impl std::hash::Hasher for DirectHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
