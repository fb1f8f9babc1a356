//! Many rules with one match, told apart by the value of an argument.
//!
//! A look-up gives every rule that could apply and perhaps some that cannot; whoever asks still judges each.
//! It must never leave one out: where a value could meet a rule in a way that no table holds, the answer is
//! "all of them".

use crate::condition::{is_separator, number_in_any_spelling};
use crate::decimal::Decimal;
use crate::gate::Call;
use crate::json::Value;
use crate::mode::Decision;
use crate::rule::Rule;
use std::collections::{HashMap, HashSet};

/// The rules of one chain by the values that they want.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    by_name: HashMap<String, ByValue>,
    /// Rules that want no value that could be looked up.
    others: Vec<u32>,
}

/// The rules that are looked up by one argument.
#[derive(Debug, Clone, Default)]
struct ByValue {
    exact: HashMap<Key, Vec<u32>>,
    /// Rules that tighten, by the kind of value that they want: a value of another kind may meet them all.
    numbers: Vec<u32>,
    booleans: Vec<u32>,
    decimals: Vec<u32>,
    texts: Vec<u32>,
}

/// What equal values share, however they are spelled. Values that are not equal may share it too.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Number(Decimal),
    Text(String),
}

impl Key {
    /// `None` for what is not one plain value.
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(b) => Some(Self::Text(b.to_string())),
            Value::Number(n) => Some(Self::Number(n.decimal())),
            Value::String(s) => Some(Self::of_text(s)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn of_text(text: &str) -> Self {
        number_in_any_spelling(text).map_or_else(|| Self::Text(text.to_owned()), Self::Number)
    }
}

/// The values of one argument, of which a rule wants one.
struct Anchor<'a> {
    name: &'a str,
    values: Vec<(&'a Value, Key)>,
}

fn anchors(rule: &Rule) -> impl Iterator<Item = Anchor<'_>> {
    let one = rule.when.args.iter().filter_map(|(name, value)| {
        let values = vec![(value, Key::of(value)?)];
        Some(Anchor { name, values })
    });
    let several = rule.when.one_of.iter().filter_map(|(name, list)| {
        let values: Option<Vec<_>> = list.iter().map(|v| Some((v, Key::of(v)?))).collect();
        Some(Anchor {
            name,
            values: values?,
        })
    });
    one.chain(several)
}

impl Values {
    pub(super) fn new<'a>(rules: impl Iterator<Item = (u32, &'a Rule)> + Clone) -> Self {
        let mut distinct: HashMap<&str, HashSet<Key>> = HashMap::new();
        for (_, rule) in rules.clone() {
            for anchor in anchors(rule) {
                let keys = anchor.values.into_iter().map(|(_, key)| key);
                distinct.entry(anchor.name).or_default().extend(keys);
            }
        }
        let mut values = Self::default();
        for (number, rule) in rules {
            // The argument that tells most rules apart is the one to look up.
            let spread = |anchor: &Anchor<'_>| distinct.get(anchor.name).map_or(0, HashSet::len);
            match anchors(rule).max_by_key(spread) {
                Some(anchor) => values.add(number, rule, anchor),
                None => values.others.push(number),
            }
        }
        values
    }

    fn add(&mut self, number: u32, rule: &Rule, anchor: Anchor<'_>) {
        let entry = self.by_name.entry(anchor.name.to_owned()).or_default();
        for (value, key) in anchor.values {
            entry.exact.entry(key).or_default().push(number);
            if rule.decision != Decision::Allow {
                entry.list_for(value).push(number);
            }
        }
    }

    /// Calls `found` with every rule that could apply to the call. False, and nothing called, where only
    /// looking at all of them will do.
    pub(super) fn look_up(&self, call: &Call<'_>, mut found: impl FnMut(u32)) -> bool {
        let mut lists: Vec<&[u32]> = vec![&self.others];
        for (name, by_value) in &self.by_name {
            if call.reading.untold.contains(name) {
                return false;
            }
            match call.args.get(name) {
                None | Some(Value::Null) if !call.reading.fully_read => return false,
                None | Some(Value::Null) => {}
                Some(value) => {
                    if !by_value.look_up(value, &mut lists) {
                        return false;
                    }
                }
            }
        }
        lists
            .into_iter()
            .flatten()
            .for_each(|number| found(*number));
        true
    }
}

impl ByValue {
    fn list_for(&mut self, value: &Value) -> &mut Vec<u32> {
        match value {
            Value::Number(_) => &mut self.numbers,
            Value::Bool(_) => &mut self.booleans,
            Value::String(s) if Decimal::from_plain(s).is_some() => &mut self.decimals,
            Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => &mut self.texts,
        }
    }

    fn look_up<'a>(&'a self, value: &Value, lists: &mut Vec<&'a [u32]>) -> bool {
        let key = match value {
            Value::String(s) if s.chars().any(is_separator) => return false,
            Value::Null | Value::Array(_) | Value::Object(_) => return false,
            Value::Bool(_) | Value::Number(_) | Value::String(_) => Key::of(value),
        };
        lists.extend(key.and_then(|key| self.exact.get(&key)).map(Vec::as_slice));
        match value {
            Value::Bool(_) => lists.extend([&self.numbers[..], &self.decimals, &self.texts]),
            Value::Number(_) => lists.extend([&self.booleans[..], &self.texts]),
            Value::String(s) => {
                if Decimal::from_plain(s).is_none() {
                    lists.push(&self.numbers);
                }
                if s != "true" && s != "false" {
                    lists.push(&self.booleans);
                }
            }
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
        true
    }
}
