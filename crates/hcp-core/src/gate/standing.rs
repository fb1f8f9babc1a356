//! Whether one rule applies to one call.

use super::Call;
use crate::condition::{Facts, Truth, Why};
use crate::mode::Decision;
use crate::rule::Rule;

/// How a rule whose match fits stands to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing<'a> {
    /// It applies; where that rests on something that could not be told, on what.
    Applies(Option<Why<'a>>),
    /// Its conditions are not met.
    Fails(Option<Why<'a>>),
    /// The call is one of its exceptions; where that could not be told, why.
    Excepted(Option<Why<'a>>),
    /// An allow rule with conditions decides no call that was not fully read.
    NotFullyRead,
    /// Its time is over.
    Over,
}

impl Standing<'_> {
    pub(super) fn applies(self) -> bool {
        match self {
            Self::Applies(_) => true,
            Self::Fails(_) | Self::Excepted(_) | Self::NotFullyRead | Self::Over => false,
        }
    }
}

/// How `rule` stands to `call`, its match taken as fitting.
pub(super) fn standing<'a>(rule: &'a Rule, call: &Call<'a>, now: jiff::Timestamp) -> Standing<'a> {
    if rule.is_over(now) {
        return Standing::Over;
    }
    if rule.when.is_empty() && rule.except.is_empty() {
        return Standing::Applies(None);
    }
    let loosens = rule.decision == Decision::Allow;
    if loosens && !call.reading.fully_read {
        return Standing::NotFullyRead;
    }
    let facts = Facts {
        operation: call.policy.operation,
        args: call.args,
        reading: call.reading,
    };
    let when = rule.when.judge(&facts);
    let met = match loosens {
        true => when.is_certain(),
        false => when.is_possible(),
    };
    if !met {
        return Standing::Fails(when.why());
    }
    // An exception of an allow rule tightens, one of an ask or deny rule loosens.
    let mut untold = when.why();
    for set in &rule.except {
        let truth = set.judge(&facts);
        let excepted = match loosens {
            true => truth.is_possible(),
            false => truth.is_certain(),
        };
        if excepted {
            return Standing::Excepted(truth.why());
        }
        if let Truth::Untold(why) = truth {
            untold = untold.or(Some(why));
        }
    }
    Standing::Applies(untold)
}
