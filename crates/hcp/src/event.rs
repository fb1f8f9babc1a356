//! Events of the audit log: what is written down of each decision.
//!
//! No field can hold a value of an argument. Rules appear by layer, index, match and note, arguments by
//! their declared names and one digest.

mod line;

pub use line::time_text;

use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::mode::{Decision, Mode};
use hcp_core::policy::Operation;
use hcp_core::principal::Principal;
use hcp_core::settings::RuleRef;
use hcp_core::words;
use jiff::Timestamp;

words! {
    /// What happened.
    #[non_exhaustive]
    EventKind, "kind of event" {
        /// A call was decided.
        Call = "call",
        /// A command that ran has ended.
        Outcome = "outcome",
        /// A person answered a request.
        Answer = "answer",
        /// Settings, rules or grants changed.
        Settings = "settings",
        /// A pack was installed, accepted, uninstalled or connected.
        Pack = "pack",
        /// An access command was refused inside an agent.
        Refused = "refused",
        /// Something happened to the log itself.
        Audit = "audit",
    }
}

words! {
    /// By which way a call came.
    #[non_exhaustive]
    Via, "way" {
        /// `hcpx` at a terminal or in a script.
        Cli = "cli",
        /// The MCP server.
        Mcp = "mcp",
        /// A host's hook.
        Hook = "hook",
        /// A program that uses the library.
        Library = "library",
    }
}

words! {
    /// Who or what let a call run.
    #[non_exhaustive]
    ByKind, "kind of permission" {
        /// An agent passed on a person's yes.
        Agent = "agent",
        /// A person.
        Human = "human",
        /// A rule.
        Rule = "rule",
        /// The mode.
        Mode = "mode",
    }
}

words! {
    /// What a person answered.
    #[non_exhaustive]
    AnswerWord, "answer" {
        /// Yes.
        Approve = "approve",
        /// No.
        Reject = "reject",
        /// The no was taken back.
        Forget = "forget",
    }
}

words! {
    /// What happened to a pack.
    #[non_exhaustive]
    PackAct, "act" {
        /// It was installed.
        Install = "install",
        /// A changed version was accepted.
        Accept = "accept",
        /// It was taken away.
        Uninstall = "uninstall",
        /// It was connected to an account.
        Connect = "connect",
        /// A draft was written from a tool's help.
        Wrap = "wrap",
    }
}

/// Who or what let a call run.
#[derive(Debug, Clone, PartialEq)]
pub struct By {
    /// Agent, human, rule or mode.
    pub kind: ByKind,
    /// The approval it rests on.
    pub approval_id: Option<String>,
    /// The rule it rests on.
    pub rule: Option<RuleRef>,
}

/// The digest by which equal arguments are found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgsDigest {
    /// A bare digest.
    Sha256(Digest),
    /// A digest under the log's own key.
    Hmac(Digest),
}

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When it was decided.
    pub time: Timestamp,
    /// The call it belongs to.
    pub call: Option<String>,
    /// By which way it came.
    pub via: Option<Via>,
    /// Who acted.
    pub principal: Option<Principal>,
    /// The tenant.
    pub tenant: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// The account that the pack is connected as.
    pub binding: Option<String>,
    /// The pack.
    pub pack: Option<String>,
    /// The command in it.
    pub command: Option<String>,
    /// Read or write.
    pub operation: Option<Operation>,
    /// What the gate said.
    pub decision: Option<Decision>,
    /// The result code.
    pub code: Option<Code>,
    /// Why, in words that hold no value of an argument.
    pub reason: Option<String>,
    /// The mode in force.
    pub mode: Option<Mode>,
    /// Who or what let it run.
    pub by: Option<By>,
    /// Whether it runs.
    pub ran: Option<bool>,
    /// The declared names of the arguments that the call had; they are sorted when written.
    pub args: Vec<String>,
    /// The digest of the arguments.
    pub args_digest: Option<ArgsDigest>,
    /// How many arguments had undeclared names.
    pub undeclared: usize,
    /// What belongs to this kind of event alone.
    pub detail: Detail,
}

/// What belongs to one kind of event alone; it tells the kind.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Detail {
    /// A call was decided.
    Call,
    /// A command that ran has ended.
    Outcome {
        /// Its exit code.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// How long it ran.
        duration_ms: u64,
        /// Bytes on its standard output.
        stdout_bytes: u64,
        /// Bytes on its standard error.
        stderr_bytes: u64,
    },
    /// A person answered.
    Answer {
        /// What.
        answer: AnswerWord,
        /// Whether the card was shown before; `None` where that does not matter.
        card_shown: Option<bool>,
    },
    /// Settings changed.
    Settings {
        /// The file.
        file: String,
        /// What was done, in words.
        change: String,
        /// The digest of the file before.
        before: Option<Digest>,
        /// The digest of the file after.
        after: Option<Digest>,
    },
    /// Something happened to a pack.
    Pack {
        /// What.
        act: PackAct,
        /// The digest before.
        before: Option<Digest>,
        /// The digest after.
        after: Option<Digest>,
    },
    /// An access command was refused inside an agent.
    Refused {
        /// The command's name.
        act: String,
    },
    /// The log goes on in a new file.
    Rotation {
        /// The name of the old file.
        file: String,
    },
    /// A torn last line was closed off.
    Torn {
        /// How many bytes it had.
        bytes: u64,
        /// Their digest.
        sha256: Digest,
        /// The digest of the whole line before them, which the chain would not cover otherwise.
        after: Option<Digest>,
    },
    /// Digests of arguments are keyed from now on.
    Key,
}

impl Event {
    /// An event about which nothing is known yet but its time and detail.
    #[must_use]
    pub fn new(time: Timestamp, detail: Detail) -> Self {
        Self {
            time,
            call: None,
            via: None,
            principal: None,
            tenant: None,
            project: None,
            binding: None,
            pack: None,
            command: None,
            operation: None,
            decision: None,
            code: None,
            reason: None,
            mode: None,
            by: None,
            ran: None,
            args: Vec::new(),
            args_digest: None,
            undeclared: 0,
            detail,
        }
    }

    /// What kind of event it is.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        match self.detail {
            Detail::Call => EventKind::Call,
            Detail::Outcome { .. } => EventKind::Outcome,
            Detail::Answer { .. } => EventKind::Answer,
            Detail::Settings { .. } => EventKind::Settings,
            Detail::Pack { .. } => EventKind::Pack,
            Detail::Refused { .. } => EventKind::Refused,
            Detail::Rotation { .. } | Detail::Torn { .. } | Detail::Key => EventKind::Audit,
        }
    }
}

/// A new id for a call: sixteen hexadecimal digits from the system's random source.
///
/// # Errors
/// When the system gives no random bytes.
pub fn new_call_id() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:016x}", u64::from_be_bytes(bytes)))
}
