//! Whether a set of conditions is met by a call: yes, no, or it cannot be told.
//!
//! One three-valued answer serves both directions. What loosens a call must be met for certain; what
//! tightens it must only not be ruled out. So "cannot be told" fails where holding would loosen and
//! holds where it would tighten, and the two readings can never contradict each other.
//!
//! No reason given here quotes a value of an argument.

mod equality;
mod glob;
mod why;

pub(crate) use equality::{is_separator, number_in_any_spelling};
pub use why::{What, Why};

use crate::decimal::Decimal;
use crate::gate::Reading;
use crate::json::{Number, Object, Value};
use crate::policy::Operation;
use crate::rule::Conditions;

/// What became of a condition or of a whole set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth<'a> {
    /// It is met for certain.
    Holds,
    /// It cannot be told, or is met only under a wider reading than a loosening rule may take.
    Untold(Why<'a>),
    /// It is not met under any reading.
    Fails(Why<'a>),
}

impl<'a> Truth<'a> {
    /// Whether it counts as met where that would loosen the call.
    #[must_use]
    pub fn is_certain(self) -> bool {
        match self {
            Self::Holds => true,
            Self::Untold(_) | Self::Fails(_) => false,
        }
    }

    /// Whether it counts as met where that would tighten the call.
    #[must_use]
    pub fn is_possible(self) -> bool {
        match self {
            Self::Holds | Self::Untold(_) => true,
            Self::Fails(_) => false,
        }
    }

    /// What it rests on, where it is not met for certain.
    #[must_use]
    pub fn why(self) -> Option<Why<'a>> {
        match self {
            Self::Holds => None,
            Self::Untold(why) | Self::Fails(why) => Some(why),
        }
    }

    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Fails(_) => self,
            Self::Holds => other(),
            Self::Untold(_) => match other() {
                fails @ Self::Fails(_) => fails,
                Self::Holds | Self::Untold(_) => self,
            },
        }
    }
}

/// What conditions look at.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The command's operation.
    pub operation: Operation,
    /// The arguments; a null one is absent.
    pub args: &'a Object,
    /// How far the call was understood.
    pub reading: &'a Reading,
}

/// What is known of one argument.
enum Given<'a> {
    Value(&'a Value),
    Absent,
    Unread,
    Expands,
}

impl<'a> Facts<'a> {
    fn given(&self, name: &str) -> Given<'a> {
        if self.reading.untold.contains(name) {
            return Given::Expands;
        }
        match self.args.get(name) {
            Some(Value::Null) | None if self.reading.fully_read => Given::Absent,
            Some(Value::Null) | None => Given::Unread,
            Some(value) => Given::Value(value),
        }
    }
}

impl Conditions {
    /// Whether the set is met; an empty set is.
    #[must_use]
    pub fn judge<'a>(&'a self, facts: &Facts<'a>) -> Truth<'a> {
        let mut truth = match self.op {
            Some(op) if op != facts.operation => {
                return Truth::Fails(Why::of_the_call(What::Operation));
            }
            Some(_) | None => Truth::Holds,
        };
        for (name, wanted) in &self.args {
            truth = truth.and(|| argument(facts, name, wanted));
        }
        for (name, limit) in &self.max {
            let bounded_below = self.min.iter().any(|(n, _)| n == name);
            let side = Side::Max { bounded_below };
            truth = truth.and(|| present(facts, name, |v| within(v, limit, side)));
        }
        for (name, limit) in &self.min {
            truth = truth.and(|| present(facts, name, |v| within(v, limit, Side::Min)));
        }
        for (name, values) in &self.one_of {
            truth = truth.and(|| present(facts, name, |v| one_of(v, values)));
        }
        for (name, glob) in &self.like {
            truth = truth.and(|| present(facts, name, |v| like(v, glob)));
        }
        if self.only {
            truth = truth.and(|| self.nothing_else(facts));
        }
        truth
    }

    fn nothing_else<'a>(&'a self, facts: &Facts<'a>) -> Truth<'a> {
        // An undeclared switch may be another spelling of an argument that is named here.
        if !facts.reading.fully_read {
            return Truth::Untold(Why::of_the_call(What::NotFullyRead));
        }
        let unread = facts.reading.untold.iter().map(|name| {
            (
                name.as_str(),
                Truth::Untold(Why::of_argument(name, What::Expands)),
            )
        });
        let given = facts
            .args
            .iter()
            .filter(|(name, value)| **value != Value::Null && !facts.reading.untold.contains(*name))
            .map(|(name, value)| {
                let why = |what| Why::of_argument(name, what);
                let truth = match gives_nothing(value) {
                    true => Truth::Untold(why(What::GivesNothing)),
                    false => Truth::Fails(why(What::Another)),
                };
                (name, truth)
            });
        unread
            .chain(given)
            .filter(|(name, _)| !self.mentions(name))
            .fold(Truth::Holds, |sofar, (_, truth)| sofar.and(|| truth))
    }

    fn mentions(&self, name: &str) -> bool {
        self.names().any(|n| n == name)
    }
}

/// What one value says of one condition, without the argument's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    Yes,
    Maybe(What),
    No(What),
}

fn present<'a>(
    facts: &Facts<'a>,
    name: &'a str,
    judge: impl FnOnce(&'a Value) -> Met,
) -> Truth<'a> {
    let met = match facts.given(name) {
        Given::Value(value) => judge(value),
        Given::Absent => Met::No(What::Absent),
        Given::Unread => Met::Maybe(What::NotFullyRead),
        Given::Expands => Met::Maybe(What::Expands),
    };
    truth_of(name, met)
}

fn truth_of(name: &str, met: Met) -> Truth<'_> {
    match met {
        Met::Yes => Truth::Holds,
        Met::Maybe(what) => Truth::Untold(Why::of_argument(name, what)),
        Met::No(what) => Truth::Fails(Why::of_argument(name, what)),
    }
}

fn argument<'a>(facts: &Facts<'a>, name: &'a str, wanted: &'a Value) -> Truth<'a> {
    if *wanted != Value::Null {
        return present(facts, name, |value| equal(value, wanted));
    }
    let met = match facts.given(name) {
        Given::Value(value) if gives_nothing(value) => Met::Maybe(What::GivesNothing),
        Given::Value(_) => Met::No(What::Present),
        Given::Absent => Met::Yes,
        Given::Unread => Met::Maybe(What::NotFullyRead),
        Given::Expands => Met::Maybe(What::Expands),
    };
    truth_of(name, met)
}

/// Whether the tool gets nothing for a value that is there.
fn gives_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.iter().all(|item| *item == Value::Null),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    }
}

fn equal(value: &Value, wanted: &Value) -> Met {
    if equality::is_equal(wanted, value) {
        Met::Yes
    } else if equality::may_be_equal(wanted, value) {
        Met::Maybe(widened(value))
    } else {
        Met::No(What::Differs)
    }
}

fn one_of(value: &Value, values: &[Value]) -> Met {
    if values.iter().any(|v| equality::is_equal(v, value)) {
        Met::Yes
    } else if values.iter().any(|v| equality::may_be_equal(v, value)) {
        Met::Maybe(widened(value))
    } else {
        Met::No(What::NoneOfThem)
    }
}

/// Why an equality holds only when read widely, by the kind of the call's value.
fn widened(value: &Value) -> What {
    match value {
        Value::Array(_) => What::List,
        Value::String(text) if text.chars().any(is_separator) => What::Separators,
        Value::String(_) | Value::Number(_) => What::Spelling,
        Value::Null | Value::Bool(_) | Value::Object(_) => What::Kind,
    }
}

#[derive(Clone, Copy)]
enum Side {
    Max { bounded_below: bool },
    Min,
}

fn within(value: &Value, limit: &Number, side: Side) -> Met {
    if let Value::Array(items) = value {
        return any_item(items, What::OutsideLimit, |item| within(item, limit, side));
    }
    let Some(number) = exact_number(value) else {
        return Met::Maybe(What::NoNumber);
    };
    let limit = limit.decimal();
    match side {
        Side::Min if number < limit => Met::No(What::BelowLimit),
        Side::Min => Met::Yes,
        Side::Max { .. } if number > limit => Met::No(What::AboveLimit),
        Side::Max {
            bounded_below: false,
        } if number.is_negative() => Met::Maybe(What::Negative),
        Side::Max { .. } => Met::Yes,
    }
}

/// The number that a value is: a JSON number, or a plain decimal string.
pub(crate) fn exact_number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(n) => Some(n.decimal()),
        Value::String(s) => Decimal::from_plain(s),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A list is never met for certain by a condition on one value; it may be met by any of its items.
fn any_item(items: &[Value], otherwise: What, judge: impl Fn(&Value) -> Met) -> Met {
    let possible = items.iter().any(|item| match judge(item) {
        Met::Yes | Met::Maybe(_) => true,
        Met::No(_) => false,
    });
    match possible {
        true => Met::Maybe(What::List),
        false => Met::No(otherwise),
    }
}

fn like(value: &Value, pattern: &str) -> Met {
    match value {
        Value::String(text) => like_text(text, pattern),
        Value::Array(items) => any_item(items, What::NotLike, |item| like(item, pattern)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            Met::Maybe(What::NoText)
        }
    }
}

fn like_text(text: &str, pattern: &str) -> Met {
    // A tool that takes the text for a path walks elsewhere than its letters say.
    if text
        .split(|c| c == '/' || is_separator(c))
        .any(|segment| segment == "." || segment == "..")
    {
        return Met::Maybe(What::Dots);
    }
    if text.contains("//") && !pattern.contains("//") {
        return Met::Maybe(What::DoubleSlash);
    }
    // A tool may split the text at such a character and act on the parts.
    let foreign = |c: char| is_separator(c) && !pattern.contains(c);
    let whole = glob::matches(pattern, text);
    if !text.contains(foreign) {
        return match whole {
            true => Met::Yes,
            false => Met::No(What::NotLike),
        };
    }
    match whole || text.split(foreign).any(|part| glob::matches(pattern, part)) {
        true => Met::Maybe(What::Separators),
        false => Met::No(What::NotLike),
    }
}

#[cfg(test)]
mod tests;
