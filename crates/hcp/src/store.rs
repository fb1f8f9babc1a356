//! Where requests and approvals are kept: a port made of whole atomic operations, and its embedded
//! default on one SQLite file. A store judges nothing about commands; whether a call asks at all was
//! decided before it is opened.

mod answer;
mod past;
mod place;
mod rows;
mod settle;
mod sqlite;
mod step;

pub use sqlite::{FILE_NAME, SqliteStore};

use crate::clock::Clock;
use hcp_core::approval::{AnsweredBy, Binding, Record};
use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::json::Value;
use hcp_core::mode::Approvals;
use hcp_core::names::{PackId, VerbKey};
use hcp_core::principal::Principal;
use jiff::Timestamp;
use std::fmt;
use std::path::PathBuf;

/// Keeps requests and approvals. Each method is one atomic step: whatever many processes do at once,
/// the outcome is as if they had come one after the other. The clock is read inside the step, so that
/// waiting for others never lengthens a time.
pub trait ApprovalStore: Send + Sync {
    /// What becomes of a call that asks: it takes its approval, or it leaves or finds a request.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read or written; nothing may run then.
    fn settle(
        &self,
        ask: &NewRequest,
        confirm: &Confirm,
        clock: &dyn Clock,
    ) -> Result<Settled, StoreError>;

    /// The requests that wait for a person, newest last.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    fn list(&self, clock: &dyn Clock) -> Result<Vec<Record>, StoreError>;

    /// The request whose id begins so. At least four digits; those that are live come first, so that
    /// old records do not make a prefix ambiguous.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    fn find(&self, prefix: &str, clock: &dyn Clock) -> Result<Found, StoreError>;

    /// A person's answer to one request, by its whole id.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read or written; the answer then does not count.
    fn answer(
        &self,
        id: &str,
        verdict: &Verdict,
        by: AnsweredBy,
        clock: &dyn Clock,
    ) -> Result<Answered, StoreError>;

    /// Takes a no back: the same call may be asked anew at once, and the no no longer counts among
    /// those that make a command wait.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read or written.
    fn forget(&self, id: &str, clock: &dyn Clock) -> Result<Answered, StoreError>;

    /// Withdraws a request that waits, because a rule allows or denies its call now.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read or written.
    fn withdraw(&self, id: &str, clock: &dyn Clock) -> Result<Answered, StoreError>;

    /// Ends what waits or was approved under an account that a pack is no longer connected as; how many those were.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read or written.
    fn end_connected(
        &self,
        ended: &Disconnected<'_>,
        clock: &dyn Clock,
    ) -> Result<usize, StoreError>;

    /// Puts the card that is drawn now in the place of the one that a request was made with.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read or written.
    fn replace_card(
        &self,
        id: &str,
        card_digest: &Digest,
        call: Option<&Value>,
        clock: &dyn Clock,
    ) -> Result<Answered, StoreError>;

    /// What is known of a call from earlier ones. It changes nothing.
    ///
    /// While a request of the call waits, its facts only grow: what was told when it was made is told again, so
    /// that asking again gives the same card, and what came since comes on top. Once the yes is given, they are
    /// those of the moment of the yes: what other calls do between the yes and the run does not undo it.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    fn familiar(&self, query: &PastQuery<'_>, clock: &dyn Clock) -> Result<Familiar, StoreError>;
}

/// Whose requests end since the account of a pack is another.
#[derive(Debug, Clone, Copy)]
pub struct Disconnected<'e> {
    /// The tenant.
    pub tenant: &'e str,
    /// The id of the Principal.
    pub principal: &'e str,
    /// The pack.
    pub pack: &'e PackId,
    /// Only those of the call with this binding; `None` for all of the pack.
    pub binding: Option<&'e Digest>,
}

/// An identifier (a payee, a host, a package), as keyed digests: all that is kept of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdentifierDigest {
    /// Of the value.
    pub value: Digest,
    /// Of the value in lower case: a text does not only look like another that is written in capitals.
    pub folded: Digest,
    /// Of its skeleton, which it shares with every value that looks like it.
    pub skeleton: Digest,
}

/// A call, as one asks what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct PastQuery<'q> {
    /// The tenant.
    pub tenant: &'q str,
    /// The id of the Principal.
    pub principal: &'q str,
    /// The project.
    pub project: Option<&'q str>,
    /// The command.
    pub verb: &'q VerbKey,
    /// What an approval of the call would cover; `None` where that cannot be told.
    pub binding: Option<&'q Digest>,
    /// Its identifiers.
    pub identifiers: &'q [IdentifierDigest],
}

/// What is known of a call from earlier ones of its Principal in its project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Familiar {
    /// Whether a call of this command had its yes before.
    pub approved_before: bool,
    /// For each identifier asked about, whether there were yeses for this command and none with it.
    pub first_time: Vec<bool>,
    /// For each, whether a call that had its yes had another one that looks the same.
    pub looks_like: Vec<bool>,
    /// How often the very same call was rejected or ran out within a day.
    pub unanswered: u32,
}

/// A call that asks, as the store needs to know it.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// What an approval covers.
    pub binding: Binding,
    /// The tenant.
    pub tenant: String,
    /// Who asks.
    pub principal: Principal,
    /// The project it is asked in.
    pub project: Option<String>,
    /// The command.
    pub verb: VerbKey,
    /// The call as it may be kept and shown: arguments with secrets by their display form, the folder,
    /// standard input in words. `None` when it must not be stored at all.
    pub call: Option<Value>,
    /// Whether it carries a secret.
    pub carried_secret: bool,
    /// Whether it carries standard input.
    pub carried_stdin: bool,
    /// The digest of its card.
    pub card_digest: Digest,
    /// Whose answer counts.
    pub approvals: Approvals,
    /// How long the request lasts, and the approval after it.
    pub minutes: u64,
    /// Its identifiers: kept in the step that takes its approval, so that later calls can be told from it.
    pub identifiers: Vec<IdentifierDigest>,
}

/// What a call brings along as its approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirm {
    /// Nothing; an approval that was given is used all the same.
    None,
    /// The id of a request to which, so the caller says, the person said yes.
    Id(String),
    /// A host's statement that its own interface collected a person's yes for exactly this call, under
    /// the host's own id. Only the library takes it, and never from inside an agent.
    ByHuman(String),
}

/// What became of a call that asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// Its approval is taken, and spent whatever happens next. The call may run once.
    Taken {
        /// The request as it stood when it was taken.
        record: Record,
        /// Whose yes it was.
        by: AnsweredBy,
        /// The id under which the yes is recorded: the request's own, or the host's.
        approval_id: String,
    },
    /// It waits for a person.
    Asked(Record),
    /// A person said no.
    Rejected(Record),
    /// No request was made, since too many wait or were refused of late.
    TooMany {
        /// Why, in words.
        message: String,
        /// When it may be tried again.
        retry_at: Option<Timestamp>,
    },
    /// The id it brought does not serve.
    Refused {
        /// Why, as a code.
        code: Code,
        /// Why, in words and without a value.
        message: String,
        /// The facts that changed since the approval, for `approval_mismatch`.
        changed: Vec<Change>,
        /// The request that waits for the call at hand, unless it could not be made.
        asked: Option<Record>,
    },
}

/// A fact in which a call differs from the one that was approved.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The fact's name.
    pub fact: String,
    /// Its value in the stored call, where that holds it.
    pub approved: Option<Value>,
    /// Its value in the call at hand, where that may be shown.
    pub now: Option<Value>,
}

impl fmt::Display for Change {
    /// "amount: approved 2.80, now 2.81". It holds values: for the caller's eyes, never for the log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.fact.strip_prefix("args.").unwrap_or(&self.fact);
        match (&self.approved, &self.now) {
            (Some(old), Some(new)) if old != new => {
                write!(f, "{name}: approved {}, now {}", shown(old), shown(new))
            }
            (None, Some(new)) => write!(f, "{name}: approved without it, now {}", shown(new)),
            (Some(old), None) => write!(f, "{name}: approved {}, now absent", shown(old)),
            (Some(_), Some(_)) | (None, None) => write!(f, "{name} changed"),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => hcp_core::text::safe(text).as_str().to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            hcp_core::text::safe(&value.to_string()).as_str().to_owned()
        }
    }
}

/// What a prefix of an id leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Nothing begins so, or it is no prefix of at least four hexadecimal digits.
    None,
    /// One request.
    One(Box<Record>),
    /// Several; these are their ids.
    Many(Vec<String>),
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Yes, to the card with this digest; `None` where the command itself is the yes.
    Yes {
        /// The digest of the card that was shown.
        card_digest: Option<Digest>,
    },
    /// Yes, as a host says under an id of its own: its statement of a person's yes, which counts once.
    Stated {
        /// The digest of the card that was shown.
        card_digest: Digest,
        /// The host's id.
        statement: String,
    },
    /// No.
    No {
        /// What the agent is to be told.
        note: Option<String>,
    },
}

/// What became of a step on one request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// It is done; the record as it stands now.
    Done(Record),
    /// It had that answer before; nothing changed.
    Already(Record),
    /// The card is another than the one shown: the yes does not count.
    CardChanged(Record),
    /// Only a person's own answer counts for it.
    HumanOnly(Record),
    /// The host's statement was used before; each counts once.
    StatementUsed(Record),
    /// Its state does not take this step; ended states never change.
    Over(Record),
    /// No such request.
    Unknown,
}

/// Why the store cannot be used. Calls that ask are refused then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be opened, read or written.
    #[error("the approval store {} cannot be used: {reason} ({help})", path.display())]
    Unavailable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// How to mend it.
        help: String,
    },
    /// Others kept it locked for too long.
    #[error("the approval store {} is busy: other processes kept it locked (try again)", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

impl StoreError {
    /// The result code of a call that was refused for it.
    #[must_use]
    pub fn code(&self) -> Code {
        Code::StoreUnavailable
    }
}
