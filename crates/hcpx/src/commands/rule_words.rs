//! From the words of `allow`, `ask` and `deny` to a rule. The rule is built as JSON and read by the
//! settings' own reader, so that the command line can write nothing that a file may not hold.

use crate::cli::{ConditionWords, ExceptWords, RuleWords};
use crate::error::CliError;
use hcp_core::diagnostic::Fault;
use hcp_core::json::{Limits, Number, Object, Value, parse};
use hcp_core::mode::Decision;
use hcp_core::rule::{Match, Rule, parse_time};
use hcp_core::text::quoted;
use hcp_pack::{Argument, Pack};
use jiff::{SignedDuration, Timestamp};

/// A rule from the words of the command line.
pub(crate) fn rule(
    decision: Decision,
    words: &RuleWords,
    by_human: bool,
    packs: &[&Pack],
    now: Timestamp,
) -> Result<Rule, CliError> {
    let matches = matches(&words.matches, decision)?;
    let arguments = declared(&matches, packs);
    let mut object = Object::new()
        .with("match", matches.to_string())
        .with("decision", decision.as_str());
    let when = conditions(&words.when, &arguments)?;
    if !when.is_empty() {
        object.insert("when", when);
    }
    let except = except(&words.except, &arguments)?;
    if !except.is_empty() {
        object.insert("except", except);
    }
    if let Some(until) = until(words, now)? {
        object.insert("until", until.to_string());
    }
    if by_human {
        object.insert("by", "human");
    }
    if let Some(note) = &words.note {
        object.insert("note", note.as_str());
    }
    read(&object)
}

/// An allow rule for one command from its conditions.
pub(crate) fn allow(
    matches: &Match,
    words: &ConditionWords,
    arguments: &[&Argument],
) -> Result<Rule, CliError> {
    let object = Object::new()
        .with("match", matches.to_string())
        .with("decision", Decision::Allow.as_str())
        .with("when", conditions(words, arguments)?);
    read(&object)
}

/// Reads a rule object through the settings' reader.
pub(crate) fn read(object: &Object) -> Result<Rule, CliError> {
    let text = Value::Object(object.clone()).to_string();
    let fault = |f: &Fault| {
        CliError::usage(f.message.clone()).hint(
            f.help
                .clone()
                .unwrap_or_else(|| "see hcpx allow --help".to_owned()),
        )
    };
    let node = parse(&text, Limits::default()).map_err(|f| fault(&f))?;
    let mut faults = Vec::new();
    match (Rule::parse(&node, &mut faults), faults.first()) {
        (Some(rule), None) => Ok(rule),
        (_, Some(first)) => Err(fault(first)),
        (None, None) => Err(CliError::usage("this is no rule")),
    }
}

/// What the rule matches: `*`, `pack.*` (or the bare pack) or `pack.command`.
fn matches(words: &[String], decision: Decision) -> Result<Match, CliError> {
    let line = format!("hcpx {decision} '*'");
    match words {
        [one] => match_word(one).ok_or_else(|| {
            CliError::usage(format!("{} is no match", quoted(one)))
                .hint("write '*' for everything, PACK.* for a pack, PACK.COMMAND for one command")
        }),
        many => Err(CliError::usage(format!(
            "{} words stand where one match should: the shell expanded the star",
            many.len()
        ))
        .hint(format!("quote the star: {line}"))),
    }
}

/// A match from one word; a bare pack means the whole pack.
pub(crate) fn match_word(word: &str) -> Option<Match> {
    Match::parse(word).or_else(|| Match::parse(&format!("{word}.*")))
}

fn declared<'p>(matches: &Match, packs: &[&'p Pack]) -> Vec<&'p Argument> {
    match matches {
        Match::Command(verb) => packs
            .iter()
            .filter(|p| p.id == verb.pack)
            .filter_map(|p| p.commands.get(&verb.command))
            .flat_map(|c| &c.arguments)
            .collect(),
        Match::Pack(_) | Match::Everything => Vec::new(),
    }
}

fn conditions(words: &ConditionWords, arguments: &[&Argument]) -> Result<Object, CliError> {
    let mut when = Object::new();
    if let Some(op) = &words.op {
        when.insert("op", op.as_str());
    }
    let mut args = Object::new();
    for pair in &words.when {
        let (name, value) = split(pair, "--when")?;
        put(&mut args, name, typed(name, value, arguments)?, "--when")?;
    }
    for name in &words.without {
        put(&mut args, name, Value::Null, "--without")?;
    }
    insert_some(&mut when, "args", args);
    insert_some(&mut when, "max", numbers(&words.max, "--max")?);
    insert_some(&mut when, "min", numbers(&words.min, "--min")?);
    let mut one_of = Object::new();
    for pair in &words.one_of {
        let (name, list) = split(pair, "--one-of")?;
        if list.is_empty() {
            return Err(
                CliError::usage(format!("--one-of {name}= names no value to choose from")).hint(
                    format!("write it like --one-of {name}=a,b; for an empty value --when {name}="),
                ),
            );
        }
        let values = list
            .split(',')
            .map(|v| typed(name, v, arguments))
            .collect::<Result<Vec<_>, _>>()?;
        put(&mut one_of, name, Value::Array(values), "--one-of")?;
    }
    insert_some(&mut when, "one_of", one_of);
    let mut like = Object::new();
    for pair in &words.like {
        let (name, glob) = split(pair, "--like")?;
        put(&mut like, name, Value::from(glob), "--like")?;
    }
    insert_some(&mut when, "like", like);
    if words.only {
        when.insert("only", true);
    }
    Ok(when)
}

/// Each exception option makes a set of conditions of its own: a call that meets one of them is excepted.
fn except(words: &ExceptWords, arguments: &[&Argument]) -> Result<Vec<Value>, CliError> {
    let mut sets = Vec::new();
    let mut add = |set: ConditionWords| -> Result<(), CliError> {
        sets.push(Value::Object(conditions(&set, arguments)?));
        Ok(())
    };
    for pair in &words.except_when {
        add(ConditionWords {
            when: vec![pair.clone()],
            ..ConditionWords::default()
        })?;
    }
    for name in &words.except_without {
        add(ConditionWords {
            without: vec![name.clone()],
            ..ConditionWords::default()
        })?;
    }
    for pair in &words.except_max {
        add(ConditionWords {
            max: vec![pair.clone()],
            ..ConditionWords::default()
        })?;
    }
    for pair in &words.except_min {
        add(ConditionWords {
            min: vec![pair.clone()],
            ..ConditionWords::default()
        })?;
    }
    for pair in &words.except_one_of {
        add(ConditionWords {
            one_of: vec![pair.clone()],
            ..ConditionWords::default()
        })?;
    }
    for pair in &words.except_like {
        add(ConditionWords {
            like: vec![pair.clone()],
            ..ConditionWords::default()
        })?;
    }
    if words.except_only {
        add(ConditionWords {
            only: true,
            ..ConditionWords::default()
        })?;
    }
    if let Some(op) = &words.except_op {
        add(ConditionWords {
            op: Some(op.clone()),
            ..ConditionWords::default()
        })?;
    }
    Ok(sets)
}

fn split<'w>(pair: &'w str, option: &str) -> Result<(&'w str, &'w str), CliError> {
    pair.split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| {
            CliError::usage(format!(
                "{option} wants NAME=VALUE, and {} is not that",
                quoted(pair)
            ))
            .hint(format!("for example {option} amount=5"))
        })
}

fn put(object: &mut Object, name: &str, value: Value, option: &str) -> Result<(), CliError> {
    if object.contains_key(name) {
        return Err(
            CliError::usage(format!("{option} names {} twice", quoted(name)))
                .hint("all conditions must hold; for one of several values use --one-of"),
        );
    }
    object.insert(name, value);
    Ok(())
}

fn insert_some(when: &mut Object, key: &str, object: Object) {
    if !object.is_empty() {
        when.insert(key, object);
    }
}

fn numbers(pairs: &[String], option: &str) -> Result<Object, CliError> {
    let mut object = Object::new();
    for pair in pairs {
        let (name, text) = split(pair, option)?;
        let number = Number::new(text).ok_or_else(|| {
            CliError::usage(format!(
                "{option} wants a number, and {} is none",
                quoted(text)
            ))
            .hint(format!(
                "write it like {option} {name}=5 or {option} {name}=2.80"
            ))
        })?;
        put(&mut object, name, Value::Number(number), option)?;
    }
    Ok(object)
}

/// A value typed by the argument's declared type; text where none is declared.
fn typed(name: &str, text: &str, arguments: &[&Argument]) -> Result<Value, CliError> {
    let Some(argument) = arguments.iter().find(|a| a.name == name) else {
        return Ok(Value::from(text));
    };
    let wrong = |what: &str| {
        CliError::usage(format!(
            "{name} is declared as {what}, and {} is none",
            quoted(text)
        ))
    };
    match argument.kind.as_deref() {
        Some("integer" | "number") => Number::new(text)
            .map(Value::Number)
            .ok_or_else(|| wrong("a number")),
        Some("boolean") => match text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(wrong("true or false")),
        },
        Some("array" | "object") if text.starts_with(['[', '{']) => parse(text, Limits::default())
            .map(|node| node.to_value())
            .map_err(|f| wrong("JSON").hint(f.message)),
        Some("array") => Ok(Value::Array(vec![Value::from(text)])),
        _ => Ok(Value::from(text)),
    }
}

fn until(words: &RuleWords, now: Timestamp) -> Result<Option<Timestamp>, CliError> {
    if let Some(text) = &words.duration {
        let span = duration(text)?;
        return now.checked_add(span).map(Some).map_err(|_| {
            CliError::usage(format!("--for {} ends beyond the calendar", quoted(text)))
                .hint("take a shorter time, or leave --for out for a rule without an end")
        });
    }
    let Some(text) = &words.until else {
        return Ok(None);
    };
    let time = parse_time(text).ok_or_else(|| {
        CliError::usage(format!(
            "--until wants a time, and {} is none",
            quoted(text)
        ))
        .hint("write it like 2026-12-31T18:00:00Z")
    })?;
    if time <= now {
        return Err(CliError::usage(format!("--until {time} is over already"))
            .hint("name a moment that is still to come"));
    }
    Ok(Some(time))
}

/// `90s`, `30m`, `2h`, `1d`, also put together (`1h30m`).
pub(crate) fn duration(text: &str) -> Result<SignedDuration, CliError> {
    let bad = || {
        CliError::usage(format!("{} is no length of time", quoted(text)))
            .hint("write it like 30m, 2h or 1d")
    };
    let mut total: i64 = 0;
    let mut digits = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        let unit: i64 = match c {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return Err(bad()),
        };
        let number: i64 = std::mem::take(&mut digits).parse().map_err(|_| bad())?;
        total = number
            .checked_mul(unit)
            .and_then(|n| total.checked_add(n))
            .ok_or_else(bad)?;
    }
    if !digits.is_empty() || total <= 0 {
        return Err(bad());
    }
    Ok(SignedDuration::from_secs(total))
}

/// The options that write a rule again; what the command line cannot say is left to the settings file.
pub(crate) fn options(rule: &Rule) -> Vec<String> {
    let mut words = condition_options(&rule.when, "--");
    for set in &rule.except {
        words.extend(condition_options(set, "--except-"));
    }
    if let Some(until) = rule.until {
        words.extend(["--until".to_owned(), until.to_string()]);
    }
    if rule.by_human {
        words.push("--human".to_owned());
    }
    if let Some(note) = &rule.note {
        words.extend(["--note".to_owned(), note.clone()]);
    }
    words
}

fn condition_options(when: &hcp_core::rule::Conditions, prefix: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |option: &str, text: String| words.extend([format!("{prefix}{option}"), text]);
    if let Some(op) = when.op {
        add("op", op.to_string());
    }
    for (name, value) in &when.args {
        match value {
            Value::Null => add("without", name.clone()),
            Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => {
                add("when", format!("{name}={}", plain(value)));
            }
        }
    }
    for (name, number) in &when.max {
        add("max", format!("{name}={number}"));
    }
    for (name, number) in &when.min {
        add("min", format!("{name}={number}"));
    }
    for (name, values) in &when.one_of {
        let list: Vec<String> = values.iter().map(plain).collect();
        add("one-of", format!("{name}={}", list.join(",")));
    }
    for (name, glob) in &when.like {
        add("like", format!("{name}={glob}"));
    }
    if when.only {
        words.push(format!("{prefix}only"));
    }
    words
}

/// How many conditions a set has.
pub(crate) fn count(set: &hcp_core::rule::Conditions) -> usize {
    usize::from(set.op.is_some())
        + set.args.len()
        + set.max.len()
        + set.min.len()
        + set.one_of.len()
        + set.like.len()
        + usize::from(set.only)
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
