//! Whether a signal rule holds for a call, and what it found.

use super::{Count, When};
use crate::names::key;
use crate::signal::audience::addresses;
use crate::signal::detect::{self, Found};
use crate::signal::facts::{ArgFact, Facts};
use crate::signal::sets::{TextSet, Words};
use crate::signal::texts::each;
use crate::title::short;
use hcp_core::canonical;
use hcp_core::json::Value;
use std::collections::HashSet;

/// What a rule found: nothing where it does not hold, one finding or more where it does. The cheap conditions
/// are judged first.
pub(crate) fn holds(when: &When, facts: &Facts<'_>) -> Vec<Found> {
    if !fits(when, facts) {
        return Vec::new();
    }
    let mut found = Found::default();
    for names in [(&when.switch, true), (&when.switch_off, false)] {
        if !names.0.is_empty() {
            let switches = switches(names.0, names.1, facts);
            if switches.is_empty() {
                return Vec::new();
            }
            found.values.extend(switches);
        }
    }
    let by_value = !when.values.is_empty() || !when.words.is_empty();
    if !when.args.is_empty() || by_value {
        let values = matching(when, facts);
        if values.is_empty() {
            return Vec::new();
        }
        found.values.extend(values);
    }
    found.count = u64::try_from(found.values.len()).unwrap_or(u64::MAX);
    if let Some(count) = &when.count {
        found.count = counted(count, facts);
        if found.count < count.at_least {
            return Vec::new();
        }
    }
    match when.found {
        Some(detector) => detect::find(detector, facts),
        None => vec![found],
    }
}

fn fits(when: &When, facts: &Facts<'_>) -> bool {
    when.operation
        .is_none_or(|operation| operation == facts.operation)
        && (when.undo.is_empty() || when.undo.contains(&facts.undo))
        && (when.kind.is_empty() || when.kind.iter().any(|kind| facts.is(*kind)))
        && !when.not_kind.contains(&facts.kind)
        && (when.command.is_empty() || when.command.meets(&facts.words))
        && !when.not_command.meets(&facts.words)
        && (when.action.is_empty() || acts(when, facts))
        && (when.without.is_empty() || named(&when.without, facts).next().is_none())
}

/// Whether one of the words is the call's action: in the command's name, or in an argument or field `action`.
fn acts(when: &When, facts: &Facts<'_>) -> bool {
    if when.action.meets(&facts.words) {
        return true;
    }
    let of_args = facts
        .args
        .iter()
        .filter(|a| a.key == "action")
        .map(|a| a.value);
    facts
        .fields
        .get("action")
        .into_iter()
        .chain(of_args)
        .any(|value| {
            value
                .as_str()
                .is_some_and(|text| when.action.meets(&Words::of(text)))
        })
}

/// Whether a value is there: an empty list or text and `false` are none.
fn is_given(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !["", "false", "none", "never", "off", "no", "null"]
            .iter()
            .any(|w| text.trim().eq_ignore_ascii_case(w)),
        Value::Array(items) => items.iter().any(is_given),
        Value::Object(object) => !object.is_empty(),
    }
}

/// The values of arguments and fields so named, each argument once.
fn named<'f>(names: &'f TextSet, facts: &'f Facts<'_>) -> impl Iterator<Item = &'f Value> {
    let met = names.may_meet(facts.names_mask);
    let of_args = facts
        .args
        .iter()
        .filter(move |arg| met && (is_named(names, arg) || is_behind(names, arg)))
        .map(|arg| arg.value);
    let of_fields = facts
        .own_fields
        .iter()
        .filter(move |(field, _)| met && names.has(field))
        .map(|(_, value)| *value);
    of_args.chain(of_fields).filter(|value| is_given(value))
}

fn is_named(names: &TextSet, arg: &ArgFact<'_>) -> bool {
    names.has(&arg.key)
        || arg
            .spellings
            .iter()
            .any(|name| name.len() > 1 && names.has(name))
}

fn is_behind(names: &TextSet, arg: &ArgFact<'_>) -> bool {
    arg.behind.iter().any(|field| names.has(field))
}

/// The values that a rule's names, values and words meet.
fn matching(when: &When, facts: &Facts<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut judge = |value: &Value| {
        if when.values.is_empty() && when.words.is_empty() {
            found.push(short(&plain(value)));
            return;
        }
        let mut keep = |text: &str| {
            if meets(when, text) {
                found.push(short(text));
            }
        };
        match value {
            Value::Bool(_) | Value::Number(_) => keep(&canonical::encode(value)),
            Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                each(value, &mut |text| pieces(text, &mut keep));
            }
        }
    };
    if when.args.is_empty() {
        facts.args.iter().for_each(|arg| judge(arg.value));
        facts.own_fields.iter().for_each(|(_, value)| judge(value));
    } else if when.values.is_empty() {
        named(&when.args, facts).for_each(judge);
    } else {
        // Here a value of `false` may be the one that is looked for.
        let met = when.args.may_meet(facts.names_mask);
        let args = facts.args.iter();
        args.filter(|a| met && (is_named(&when.args, a) || is_behind(&when.args, a)))
            .for_each(|arg| judge(arg.value));
        let fields = facts.own_fields.iter();
        fields
            .filter(|(field, _)| met && when.args.has(field))
            .for_each(|(_, value)| judge(value));
    }
    found
}

/// A longer text is no value that a rule names.
const LONGEST: usize = 500;

fn meets(when: &When, text: &str) -> bool {
    if !when.values.is_empty() && when.values.has(text) {
        return true;
    }
    if when.words.is_empty() || text.len() > LONGEST {
        return false;
    }
    let words = Words::of(text);
    when.words.meets(&words) && !when.not_words.meets(&words)
}

/// The parts of a text that can be a value of their own: the whole, the entries of a list, and of `key=value`,
/// `key:value` the value.
fn pieces(text: &str, keep: &mut impl FnMut(&str)) {
    let whole = text.trim();
    if whole.len() <= LONGEST {
        keep(whole);
    }
    for entry in whole.split([',', ';', ' ', '\n']).map(str::trim) {
        // What is too long is no value, and the only entry is the whole.
        if entry.is_empty() || entry.len() > LONGEST {
            continue;
        }
        if entry.len() < whole.len() {
            keep(entry);
        }
        for sign in ['=', ':'] {
            if let Some((_, value)) = entry.split_once(sign)
                && !value.is_empty()
            {
                keep(value.trim_matches(['"', '\'']));
            }
        }
        // Of `allUsers:objectViewer` the first part says who.
        if let Some((who, _)) = entry.split_once(':') {
            keep(who);
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            canonical::encode(value)
        }
    }
}

fn counted(count: &Count, facts: &Facts<'_>) -> u64 {
    let mut seen = HashSet::new();
    let behind = |arg: &ArgFact<'_>| {
        count.names.has(&arg.key) || count.fields.iter().any(|f| facts.is_source(f, arg.name))
    };
    for arg in facts.args.iter().filter(|arg| behind(arg)) {
        seen.extend(addresses(arg.value));
    }
    for field in &count.fields {
        if !facts.sources.contains_key(*field) {
            seen.extend(facts.fields.get(field).map(addresses).unwrap_or_default());
        }
    }
    u64::try_from(seen.len()).unwrap_or(u64::MAX)
}

/// The switches of a set that a call turns on (or off), as they are spelled.
fn switches(names: &TextSet, on: bool, facts: &Facts<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let turned = |value: &Value| if on { is_on(value) } else { is_off(value) };
    if names.may_meet(facts.names_mask) {
        for arg in facts
            .args
            .iter()
            .filter(|arg| is_named(names, arg) && turned(arg.value))
        {
            found.push(short(&spelled(arg.name, on)));
        }
    }
    for option in &facts.literals {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let own = key(name);
        let off = own.strip_prefix("no").filter(|_| !on).map(key);
        let holds = if value.is_empty() {
            on && names.has(&own) || off.is_some_and(|off| names.has(&off))
        } else {
            names.has(&own) && turned(&Value::from(value))
        };
        if holds {
            found.push(short(option));
        }
    }
    found
}

fn spelled(name: &str, on: bool) -> String {
    let name = name.replace('_', "-");
    match (name.chars().count(), on) {
        (1 | 2, _) => format!("-{name}"),
        (_, true) => format!("--{name}"),
        (_, false) => format!("--no-{name}"),
    }
}

/// Whether a value turns a switch on: anything plain that does not turn it off.
fn is_on(value: &Value) -> bool {
    const LONGEST: usize = 12;
    match value {
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_str() != "0",
        Value::String(text) => {
            !is_off(value)
                && text.len() <= LONGEST
                && text.chars().all(|c| c.is_ascii_alphanumeric())
        }
        Value::Array(items) => items.iter().any(is_on),
        Value::Null | Value::Object(_) => false,
    }
}

fn is_off(value: &Value) -> bool {
    const WORDS: &[&str] = &[
        "false", "no", "off", "0", "none", "disabled", "never", "skip",
    ];
    match value {
        Value::Bool(on) => !*on,
        Value::Number(number) => number.as_str() == "0",
        Value::String(text) => WORDS.iter().any(|w| text.trim().eq_ignore_ascii_case(w)),
        Value::Array(items) => items.iter().any(is_off),
        Value::Null | Value::Object(_) => false,
    }
}
