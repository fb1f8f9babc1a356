//! What a command *is*: a pack's Policy. It never grants anything.

mod parse;

pub use parse::{close_pack_object, is_granting_key};

use crate::condition::Facts;
use crate::gate::Reading;
use crate::json::Object;
use crate::mode::words;
use crate::rule::Conditions;

words! {
    /// Whether a command changes anything.
    Operation, "operation" {
        /// It only shows.
        Read = "read",
        /// It changes something, or nobody said that it does not.
        Write = "write",
    }
}

words! {
    /// When a person must say yes. Ordered by gravity.
    Confirm, "confirm word" {
        /// As the mode says.
        Never = "never",
        /// In the modes `manual` and `auto`.
        Ask = "ask",
        /// In every mode.
        Always = "always",
    }
}

words! {
    /// Which scope the runtime checks.
    Land, "land" {
        /// The Principal's own.
        Personal = "personal",
        /// The project's.
        Brain = "brain",
    }
}

words! {
    /// Whether what a command did can be undone. Ordered by gravity.
    Undo, "undo word" {
        /// It can.
        Yes = "yes",
        /// Nobody said.
        Unknown = "unknown",
        /// It cannot.
        No = "no",
    }
}

words! {
    /// What a command acts on beside its arguments.
    Scope, "scope" {
        /// Nothing.
        Args = "args",
        /// The working directory.
        Cwd = "cwd",
    }
}

/// A command's Policy as its pack wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Read or write.
    pub operation: Operation,
    /// When a person must say yes.
    pub confirm: Confirm,
    /// Which scope is checked.
    pub land: Land,
    /// Whether it can be undone.
    pub undo: Undo,
    /// What it acts on beside its arguments.
    pub scope: Scope,
    /// What makes it graver for some calls.
    pub raise: Vec<Raise>,
}

impl Default for Policy {
    /// A command that nobody classified: a write of the Principal's own.
    fn default() -> Self {
        Self {
            operation: Operation::Write,
            confirm: Confirm::Never,
            land: Land::Personal,
            undo: Undo::Unknown,
            scope: Scope::Args,
            raise: Vec::new(),
        }
    }
}

/// Makes a command graver for the calls that meet its conditions, or where they cannot be told.
#[derive(Debug, Clone, PartialEq)]
pub struct Raise {
    /// The conditions; never an empty set.
    pub when: Conditions,
    /// The `confirm` at least.
    pub confirm: Option<Confirm>,
    /// The `undo` at least.
    pub undo: Option<Undo>,
}

/// The Policy of one call: the pack's, made graver by the raises that it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallPolicy {
    /// Read or write.
    pub operation: Operation,
    /// When a person must say yes.
    pub confirm: Confirm,
    /// Which scope is checked.
    pub land: Land,
    /// Whether it can be undone.
    pub undo: Undo,
    /// What it acts on beside its arguments.
    pub scope: Scope,
}

impl Policy {
    /// The Policy of one call: every raise whose conditions the call meets, or of which that cannot be
    /// told, makes it graver. Nothing makes it milder.
    #[must_use]
    pub fn for_call(&self, args: &Object, reading: &Reading) -> CallPolicy {
        let facts = Facts {
            operation: self.operation,
            args,
            reading,
        };
        let mut call = CallPolicy {
            operation: self.operation,
            confirm: self.confirm,
            land: self.land,
            undo: self.undo,
            scope: self.scope,
        };
        for raise in &self.raise {
            if raise.when.judge(&facts).is_possible() {
                call.confirm = call.confirm.max(raise.confirm.unwrap_or(call.confirm));
                call.undo = call.undo.max(raise.undo.unwrap_or(call.undo));
            }
        }
        call
    }
}
