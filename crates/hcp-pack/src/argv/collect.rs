//! What was found on a line, gathered into arguments.

use super::options::Place;
use super::value::{self, Typed};
use crate::args::Argument;
use crate::pack::Command;
use hcp_core::json::{Object, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One value found for an argument.
#[derive(Debug, Clone)]
struct Fill<'c> {
    argument: &'c Argument,
    value: Value,
    place: Place,
    at: usize,
}

/// What was found so far.
#[derive(Debug)]
pub(super) struct Found<'c> {
    command: &'c Command,
    fills: Vec<Fill<'c>>,
    undeclared: Vec<(String, Value)>,
    left: Vec<(usize, String)>,
    unread: BTreeMap<usize, String>,
    untold: BTreeSet<String>,
}

impl<'c> Found<'c> {
    pub(super) fn new(command: &'c Command) -> Self {
        Self {
            command,
            fills: Vec::new(),
            undeclared: Vec::new(),
            left: Vec::new(),
            unread: BTreeMap::new(),
            untold: BTreeSet::new(),
        }
    }

    /// The names of the arguments found so far.
    pub(super) fn given(&self) -> BTreeSet<String> {
        let names = self.fills.iter().map(|fill| fill.argument.name.clone());
        names.collect()
    }

    /// A value from the text of the word at this place of the line.
    pub(super) fn text(
        &mut self,
        argument: &'c Argument,
        place: Place,
        text: &str,
        at: usize,
    ) -> bool {
        let Typed { value, sure } = value::read(self.command, argument, text);
        self.value(argument, place, value, at);
        if !sure {
            self.untold(argument);
        }
        sure
    }

    /// A value.
    pub(super) fn value(&mut self, argument: &'c Argument, place: Place, value: Value, at: usize) {
        self.fills.push(Fill {
            argument,
            value,
            place,
            at,
        });
    }

    /// A switch that nobody declared.
    pub(super) fn undeclared(&mut self, word: &str, at: usize) {
        let (written, value) = match word.split_once('=') {
            Some((name, value)) => (name, Value::from(value)),
            None => (word, Value::Bool(true)),
        };
        let name = written.trim_start_matches('-');
        // Where the bare name is taken it keeps its dashes, which no declared name has.
        let taken = name.is_empty() || name == "_" || self.command.argument(name).is_some();
        let name = if taken { written } else { name };
        self.undeclared.push((name.to_owned(), value));
        self.unread(word, at);
    }

    /// A bare word that nothing takes.
    pub(super) fn left(&mut self, word: &str, at: usize) {
        self.left.push((at, word.to_owned()));
        self.unread(word, at);
    }

    /// A word that was not understood.
    pub(super) fn unread(&mut self, word: &str, at: usize) {
        self.unread.insert(at, word.to_owned());
    }

    /// Nothing can be told of this argument.
    pub(super) fn untold(&mut self, argument: &Argument) {
        self.untold.insert(argument.name.clone());
    }

    /// Everything as arguments, in the order of the line.
    pub(super) fn finish(mut self, words: &[String]) -> super::Argv {
        self.fills.sort_by_key(|fill| fill.at);
        let fills = std::mem::take(&mut self.fills).into_iter();
        let fills = grouped(fills.map(|fill| (fill.argument.name.clone(), fill)));
        let mut args: Vec<(String, Value)> = Vec::new();
        for (name, fills) in fills {
            args.push((name, self.gather(fills, words)));
        }
        let switches = grouped(std::mem::take(&mut self.undeclared));
        args.extend(switches.map(|(name, values)| (name, one_or_all(values))));
        self.left.sort();
        if !self.left.is_empty() {
            let left = self.left.into_iter().map(|(_, word)| word);
            args.push(("_".to_owned(), left.collect::<Vec<String>>().into()));
        }
        let args: Object = args.into_iter().collect();
        super::Argv {
            args,
            reading: hcp_core::gate::Reading {
                fully_read: self.unread.is_empty(),
                untold: self.untold,
            },
            unread: self.unread.into_values().collect(),
        }
    }

    /// The value of one argument. One that the template writes in several places has it in each of them.
    fn gather(&mut self, fills: Vec<Fill<'c>>, words: &[String]) -> Value {
        let Some(argument) = fills.first().map(|fill| fill.argument) else {
            return Value::Null;
        };
        let mut places: BTreeMap<Place, Vec<&Value>> = BTreeMap::new();
        for fill in fills.iter().filter(|fill| fill.place != Place::Name) {
            places.entry(fill.place).or_default().push(&fill.value);
        }
        let mut lists = places.values();
        let first = lists.next();
        let alike = lists.all(|list| Some(list) == first);
        let values: Vec<Value> = match first {
            Some(list) if alike && places.len() > 1 => {
                let named = fills.iter().filter(|fill| fill.place == Place::Name);
                let named = named.map(|fill| &fill.value);
                list.iter().copied().chain(named).cloned().collect()
            }
            Some(_) | None => {
                if places.len() > 1 {
                    for fill in &fills {
                        let word = words.get(fill.at).cloned().unwrap_or_default();
                        self.unread(&word, fill.at);
                    }
                    self.untold(argument);
                }
                fills.into_iter().map(|fill| fill.value).collect()
            }
        };
        if argument.kind.as_deref() == Some("array") {
            return Value::Array(values);
        }
        one_or_all(values)
    }
}

/// What belongs to each name, the names in the order in which they first came.
fn grouped<T>(
    named: impl IntoIterator<Item = (String, T)>,
) -> impl Iterator<Item = (String, Vec<T>)> {
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (name, item) in named {
        let place = places.get(&name).copied().unwrap_or(groups.len());
        match groups.get_mut(place) {
            Some((_, items)) => items.push(item),
            None => {
                places.insert(name.clone(), place);
                groups.push((name, vec![item]));
            }
        }
    }
    groups.into_iter()
}

fn one_or_all(mut values: Vec<Value>) -> Value {
    match values.pop() {
        Some(one) if values.is_empty() => one,
        Some(last) => {
            values.push(last);
            Value::Array(values)
        }
        None => Value::Null,
    }
}
