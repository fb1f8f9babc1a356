//! A second implementation of the decision, as dumb as possible: every step looks at every rule, and each
//! condition is asked with the direction in which it would err. It shares nothing with the first but the
//! types, the decimals and the property of characters.

use hcp_core::canonical;
use hcp_core::decimal::Decimal;
use hcp_core::gate::{Call, ReasonCode};
use hcp_core::json::{Object, Value};
use hcp_core::mode::{Approvals, Decision, Mode};
use hcp_core::policy::{Confirm, Operation};
use hcp_core::rule::{Conditions, Match, Rule};
use hcp_core::settings::Layers;
use hcp_core::text::is_control_or_format;
use std::collections::BTreeSet;

/// Which way holding would move the call.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Loosen,
    Tighten,
}
use Way::{Loosen, Tighten};

impl Way {
    fn other(self) -> Self {
        match self {
            Loosen => Tighten,
            Tighten => Loosen,
        }
    }
    /// What cannot be told fails one way and holds the other.
    fn untold(self) -> bool {
        self == Tighten
    }
}

// ---- conditions ----

pub(crate) fn holds(set: &Conditions, call: &Call<'_>, way: Way) -> bool {
    let mut named = BTreeSet::new();
    for (k, _) in &set.args {
        named.insert(k.clone());
    }
    for (k, _) in set.max.iter().chain(&set.min) {
        named.insert(k.clone());
    }
    for (k, _) in &set.one_of {
        named.insert(k.clone());
    }
    for (k, _) in &set.like {
        named.insert(k.clone());
    }

    let mut all = true;
    if let Some(op) = set.op {
        all = all && op == call.policy.operation;
    }
    for (k, v) in &set.args {
        if *v == Value::Null {
            all = all && absent(k, call, way);
        } else {
            all = all && value_holds(k, call, way, |c| equal(v, c, way));
        }
    }
    for (k, n) in &set.max {
        let has_min = set.min.iter().any(|(m, _)| m == k);
        all = all
            && value_holds(k, call, way, |c| {
                each(c, way, &|c| match number(c) {
                    None => way.untold(),
                    Some(d) if d > n.decimal() => false,
                    Some(d) if d.is_negative() && !has_min => way == Tighten,
                    Some(_) => true,
                })
            });
    }
    for (k, n) in &set.min {
        all = all
            && value_holds(k, call, way, |c| {
                each(c, way, &|c| match number(c) {
                    None => way.untold(),
                    Some(d) => d >= n.decimal(),
                })
            });
    }
    for (k, list) in &set.one_of {
        all = all && value_holds(k, call, way, |c| list.iter().any(|v| equal(v, c, way)));
    }
    for (k, glob) in &set.like {
        all = all
            && value_holds(k, call, way, |c| {
                each(c, way, &|c| match c {
                    Value::String(s) => like(glob, s, way),
                    _ => way.untold(),
                })
            });
    }
    if set.only {
        all = all && only(&named, call, way);
    }
    all
}

fn value_holds(k: &str, call: &Call<'_>, way: Way, test: impl Fn(&Value) -> bool) -> bool {
    if call.reading.untold.contains(k) {
        return way.untold();
    }
    match call.args.get(k) {
        None | Some(Value::Null) => !call.reading.fully_read && way.untold(),
        Some(c) => test(c),
    }
}

fn absent(k: &str, call: &Call<'_>, way: Way) -> bool {
    if call.reading.untold.contains(k) {
        return way.untold();
    }
    match call.args.get(k) {
        None | Some(Value::Null) => call.reading.fully_read || way.untold(),
        Some(c) => nothing(c) && way == Tighten,
    }
}

fn nothing(c: &Value) -> bool {
    match c {
        Value::Bool(b) => !b,
        Value::Array(items) => items.iter().all(|i| *i == Value::Null),
        _ => false,
    }
}

fn only(named: &BTreeSet<String>, call: &Call<'_>, way: Way) -> bool {
    if !call.reading.fully_read {
        return way.untold();
    }
    let mut result = true;
    for k in &call.reading.untold {
        if !named.contains(k) {
            result = result && way.untold();
        }
    }
    for (k, c) in call.args.iter() {
        if *c == Value::Null || named.contains(k) || call.reading.untold.contains(k) {
            continue;
        }
        result = result && nothing(c) && way == Tighten;
    }
    result
}

/// A list against a single thing: fails one way, any item (nested lists opened) the other.
fn each(c: &Value, way: Way, test: &dyn Fn(&Value) -> bool) -> bool {
    match c {
        Value::Array(items) => way == Tighten && items.iter().any(|i| each(i, way, test)),
        c => test(c),
    }
}

fn number(v: &Value) -> Option<Decimal> {
    match v {
        Value::Number(n) => Some(n.decimal()),
        Value::String(s) => Decimal::from_plain(s),
        _ => None,
    }
}

fn equal(rule: &Value, call: &Value, way: Way) -> bool {
    use Value::{Array, Bool, Number, Object, String};
    if way == Loosen {
        return match (rule, call) {
            (Array(a), Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, way))
            }
            (Object(a), Object(b)) => {
                let keys: BTreeSet<&str> = a.keys().chain(b.keys()).collect();
                keys.iter().all(|k| match (a.get(k), b.get(k)) {
                    (Some(a), Some(b)) => equal(a, b, way),
                    _ => false,
                })
            }
            (Number(_), String(_)) | (String(_), Number(_)) | (Number(_), Number(_)) => {
                number(rule).is_some() && number(rule) == number(call)
            }
            (Bool(b), String(s)) | (String(s), Bool(b)) => *s == b.to_string(),
            (a, b) => a == b,
        };
    }
    match (rule, call) {
        (Array(a), Array(b)) => a.iter().all(|a| b.iter().any(|b| equal(a, b, way))),
        (a, Array(b)) => b.iter().any(|b| equal(a, b, way)),
        (Bool(a), Bool(b)) => a == b,
        (Bool(b), String(s)) | (String(s), Bool(b)) => {
            if s == "true" || s == "false" {
                *s == b.to_string()
            } else {
                true
            }
        }
        (Bool(_), _) | (_, Bool(_)) => true,
        (Array(_), Value::Null) => false,
        // One thing is taken as a list of one.
        (Array(a), b) => a.iter().all(|a| equal(a, b, way)),
        (Number(a), Number(b)) => a.decimal() == b.decimal(),
        (Number(n), String(s)) | (String(s), Number(n)) => match Decimal::from_plain(s) {
            Some(d) => d == n.decimal(),
            None => true,
        },
        (String(a), String(b)) => text_equal(a, b),
        (Object(a), Object(b)) => {
            let (a, b) = (drop_nulls(a), drop_nulls(b));
            let keys: BTreeSet<&str> = a.keys().chain(b.keys()).collect();
            keys.iter().all(|k| match (a.get(k), b.get(k)) {
                (Some(a), Some(b)) => equal(a, b, way),
                _ => false,
            })
        }
        (Object(o), String(s)) | (String(s), Object(o)) => {
            canonical::encode(&Object(drop_nulls(o))) == *s
        }
        (Value::Null, Value::Null) => true,
        (Number(_) | String(_) | Object(_), Value::Null)
        | (Value::Null, Number(_) | String(_) | Object(_))
        | (Number(_), Object(_))
        | (Object(_), Number(_)) => false,
    }
}

fn drop_nulls(o: &Object) -> Object {
    o.iter()
        .filter(|(_, v)| **v != Value::Null)
        .map(|(k, v)| (k.to_owned(), v.clone()))
        .collect()
}

fn separator(c: char) -> bool {
    c == ',' || c.is_whitespace() || is_control_or_format(c)
}

/// The whole and everything that stands between two separators.
fn text_equal(rule: &str, call: &str) -> bool {
    let chars: Vec<char> = call.chars().collect();
    let mut starts = vec![0];
    let mut ends = vec![chars.len()];
    for (i, c) in chars.iter().enumerate() {
        if separator(*c) {
            starts.push(i + 1);
            ends.push(i);
        }
    }
    for s in &starts {
        for e in &ends {
            if s <= e {
                let part: String = chars[*s..*e].iter().collect();
                let rule_number = Decimal::from_any_spelling(rule);
                if part == rule
                    || (rule_number.is_some() && Decimal::from_any_spelling(&part) == rule_number)
                {
                    return true;
                }
            }
        }
    }
    false
}

fn like(glob: &str, text: &str, way: Way) -> bool {
    let dots = text
        .split(|c| c == '/' || separator(c))
        .any(|s| s == "." || s == "..");
    if dots || (text.contains("//") && !glob.contains("//")) {
        return way.untold();
    }
    let foreign = |c: char| separator(c) && !glob.contains(c);
    let (g, t): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    if !text.chars().any(foreign) {
        return glob_matches(&g, &t);
    }
    way == Tighten
        && (glob_matches(&g, &t)
            || text
                .split(foreign)
                .any(|part| glob_matches(&g, &part.chars().collect::<Vec<_>>())))
}

fn glob_matches(g: &[char], t: &[char]) -> bool {
    match g {
        [] => t.is_empty(),
        ['*', '*', rest @ ..] => (0..=t.len()).any(|n| glob_matches(rest, &t[n..])),
        ['*', rest @ ..] => (0..=t.len())
            .take_while(|n| !t[..*n].contains(&'/'))
            .any(|n| glob_matches(rest, &t[n..])),
        [c, rest @ ..] => t.first() == Some(c) && glob_matches(rest, &t[1..]),
    }
}

// ---- rules ----

fn matches(rule: &Rule, call: &Call<'_>, now: jiff::Timestamp) -> bool {
    let fits = match &rule.matches {
        Match::Everything => true,
        Match::Pack(p) => *p == call.verb.pack,
        Match::Command(v) => v == call.verb,
    };
    let in_time = match rule.until {
        None => true,
        Some(until) => now < until,
    };
    let way = if rule.decision == Decision::Allow {
        Loosen
    } else {
        Tighten
    };
    let conditional = !rule.when.is_empty() || !rule.except.is_empty();
    if way == Loosen && conditional && !call.reading.fully_read {
        return false;
    }
    fits && in_time
        && holds(&rule.when, call, way)
        && !rule.except.iter().any(|set| holds(set, call, way.other()))
}

fn is_exact(rule: &Rule) -> bool {
    matches!(rule.matches, Match::Command(_))
}

/// The most specific of ask and allow rules, by trying the kinds from the top.
fn most_specific(rules: &[&Rule]) -> Option<Decision> {
    for kind in 0..3 {
        for with_conditions in [true, false] {
            for decision in [Decision::Ask, Decision::Allow] {
                let found = rules.iter().any(|r| {
                    let own = match r.matches {
                        Match::Command(_) => 0,
                        Match::Pack(_) => 1,
                        Match::Everything => 2,
                    };
                    own == kind && r.when.is_empty() != with_conditions && r.decision == decision
                });
                if found {
                    return Some(decision);
                }
            }
        }
    }
    None
}

// ---- modes ----

fn pack_word(packs: &[(hcp_core::names::PackId, Mode)], call: &Call<'_>) -> Option<Mode> {
    packs
        .iter()
        .filter(|(p, _)| *p == call.verb.pack)
        .map(|(_, m)| *m)
        .max()
}

fn own_mode(layers: &Layers, call: &Call<'_>) -> Mode {
    let mut mode = Mode::Auto;
    if let Some(user) = &layers.user {
        mode = pack_word(&user.body.packs, call)
            .or(user.body.mode)
            .unwrap_or(Mode::Auto);
    }
    if let Some(process) = layers.process_mode {
        mode = if layers.agent {
            mode.max(process)
        } else {
            process
        };
    }
    for file in &layers.project {
        if let Some(m) = file.body.mode {
            mode = mode.max(m);
        }
        if let Some(m) = pack_word(&file.body.packs, call) {
            mode = mode.max(m);
        }
    }
    mode
}

fn table(mode: Mode, confirm: Confirm, operation: Operation) -> (Decision, ReasonCode) {
    if confirm == Confirm::Always {
        (Decision::Ask, ReasonCode::ConfirmAlways)
    } else if confirm == Confirm::Ask && mode != Mode::Run {
        (Decision::Ask, ReasonCode::Confirm)
    } else if confirm == Confirm::Never && mode == Mode::Manual && operation == Operation::Write {
        (Decision::Ask, ReasonCode::ModeManual)
    } else {
        (Decision::Allow, ReasonCode::Mode)
    }
}

// ---- the decision ----

pub(crate) fn decide(
    layers: &Layers,
    call: &Call<'_>,
    now: jiff::Timestamp,
) -> (Decision, ReasonCode, Approvals) {
    let session_note = |r: &Rule| r.note.as_deref() == Some("session");
    let allows = |r: &Rule| r.decision == Decision::Allow;
    let always = call.policy.confirm == Confirm::Always;

    let mut own: Vec<&Rule> = Vec::new();
    let mut session: Vec<&Rule> = Vec::new();
    let mut operator: Vec<&Rule> = Vec::new();
    if let Some(user) = &layers.user {
        for rule in &user.body.rules {
            if allows(rule) && session_note(rule) {
                session.push(rule);
            } else {
                own.push(rule);
            }
        }
    }
    for file in &layers.project {
        own.extend(file.body.rules.iter().filter(|r| !allows(r)));
    }
    session.extend(layers.session.iter().filter(|r| allows(r)));
    if let Some(file) = &layers.operator {
        operator.extend(
            file.body
                .rules
                .iter()
                .filter(|r| !(allows(r) && session_note(r))),
        );
    }
    for list in [&mut own, &mut session, &mut operator] {
        list.retain(|r| matches(r, call, now));
    }

    let judge = |rules: &[&Rule]| -> Option<(Decision, ReasonCode)> {
        if rules.iter().any(|r| r.decision == Decision::Deny) {
            return Some((Decision::Deny, ReasonCode::DeniedByRule));
        }
        let left: Vec<&Rule> = rules
            .iter()
            .copied()
            .filter(|r| !(always && allows(r) && !is_exact(r)))
            .collect();
        most_specific(&left).map(|d| match d {
            Decision::Allow => (d, ReasonCode::Rule),
            _ => (d, ReasonCode::RuleAsk),
        })
    };

    let sofar = match judge(&own) {
        Some(found) => found,
        None => {
            let found = table(
                own_mode(layers, call),
                call.policy.confirm,
                call.policy.operation,
            );
            let by_session = found.0 == Decision::Ask
                && !always
                && call.reading.fully_read
                && !session.is_empty();
            if by_session {
                (Decision::Allow, ReasonCode::Session)
            } else {
                found
            }
        }
    };

    let floor = judge(&operator).or_else(|| {
        let body = &layers.operator.as_ref()?.body;
        let mode = pack_word(&body.packs, call).or(body.mode)?;
        let confirm = if always {
            Confirm::Ask
        } else {
            call.policy.confirm
        };
        let (decision, code) = table(mode, confirm, call.policy.operation);
        if decision == Decision::Ask && always {
            return Some((decision, ReasonCode::ConfirmAlways));
        }
        Some((decision, code))
    });
    let (decision, code) = match floor {
        Some(f) if f.0 > sofar.0 => f,
        Some(f) if f.0 == sofar.0 && f.0 == Decision::Ask => f,
        _ => sofar,
    };

    let mut approvals = Approvals::Agent;
    if let Some(user) = &layers.user {
        approvals = user.body.approvals.unwrap_or(approvals);
    }
    if let Some(process) = layers.process_approvals {
        approvals = if layers.agent {
            approvals.max(process)
        } else {
            process
        };
    }
    for file in layers.project.iter().chain(&layers.operator) {
        if file.body.approvals == Some(Approvals::Human) {
            approvals = Approvals::Human;
        }
    }
    let by_human = own
        .iter()
        .chain(&operator)
        .any(|r| r.by_human && r.decision == Decision::Ask);
    if decision == Decision::Ask && by_human {
        approvals = Approvals::Human;
    }
    (decision, code, approvals)
}
