//! What a condition rests on, in words that never hold a value.

use crate::text::safe;
use std::fmt;

/// Why a condition fails or cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why<'a> {
    /// The argument that it is about, where it is about one.
    pub argument: Option<&'a str>,
    /// What is the matter.
    pub what: What,
}

impl<'a> Why<'a> {
    pub(super) fn of_argument(name: &'a str, what: What) -> Self {
        Self {
            argument: Some(name),
            what,
        }
    }

    pub(super) fn of_the_call(what: What) -> Self {
        Self {
            argument: None,
            what,
        }
    }
}

/// What is the matter with an argument or a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The operation is the other one.
    Operation,
    /// The argument is not given.
    Absent,
    /// The argument is given.
    Present,
    /// The argument is another value.
    Differs,
    /// The argument is none of the values.
    NoneOfThem,
    /// The number is above the limit.
    AboveLimit,
    /// The number is below the limit.
    BelowLimit,
    /// No item of a list is within the limit.
    OutsideLimit,
    /// The text does not match the glob.
    NotLike,
    /// Another argument is given.
    Another,
    /// It is no number that can be read exactly.
    NoNumber,
    /// A negative number under a `max` without a `min`.
    Negative,
    /// It is a list where the condition has one value.
    List,
    /// It may be another spelling of the same value.
    Spelling,
    /// It is of another kind than the condition's value.
    Kind,
    /// It holds commas, white space or control characters.
    Separators,
    /// It is no text.
    NoText,
    /// It holds `.` or `..` as a segment.
    Dots,
    /// It holds `//`.
    DoubleSlash,
    /// It is given, and the tool gets nothing for it.
    GivesNothing,
    /// A shell would still expand it, or it was filled by position after an undeclared switch.
    Expands,
    /// The call was not fully read.
    NotFullyRead,
}

impl What {
    fn words(self) -> &'static str {
        match self {
            Self::Operation => "the operation is another",
            Self::Absent => "is not given",
            Self::Present => "is given",
            Self::Differs => "is another value",
            Self::NoneOfThem => "is none of the values",
            Self::AboveLimit => "is above the limit",
            Self::BelowLimit => "is below the limit",
            Self::OutsideLimit => "has no item within the limit",
            Self::NotLike => "does not match the glob",
            Self::Another => "is given too",
            Self::NoNumber => "is no number that can be read exactly",
            Self::Negative => "is negative, and the rule sets no min",
            Self::List => "is a list",
            Self::Spelling => "may be another spelling of the value",
            Self::Kind => "is of another kind than the value",
            Self::Separators => "holds commas, white space or control characters",
            Self::NoText => "is no text",
            Self::Dots => "holds a . or .. segment",
            Self::DoubleSlash => "holds //",
            Self::GivesNothing => "is given, but the tool gets nothing for it",
            Self::Expands => "cannot be read before it runs",
            Self::NotFullyRead => "the call was not fully read",
        }
    }
}

impl fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.argument, self.what) {
            (Some(name), What::NotFullyRead) => {
                write!(f, "{} may be given: {}", safe(name), self.what.words())
            }
            (Some(name), what) => write!(f, "{} {}", safe(name), what.words()),
            (None, what) => f.write_str(what.words()),
        }
    }
}
