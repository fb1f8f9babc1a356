//! What a card is made from: the call, how far its line was understood, the rules in force, and what is
//! known from earlier calls. Everything comes in as data; nothing is looked up here.

use crate::rules::Rules;
use hcp_core::gate::Reading;
use hcp_core::json::Object;
use hcp_core::names::PackId;
use hcp_core::policy::CallPolicy;
use hcp_pack::Command;

/// A call, as its card needs to know it.
#[derive(Debug, Clone, Copy)]
pub struct CardCall<'a> {
    /// The pack.
    pub pack: &'a PackId,
    /// The command.
    pub command: &'a Command,
    /// The checked arguments as they may be shown: secrets stand in them by their display form already.
    pub args: &'a Object,
    /// The call's own Policy, raises applied.
    pub policy: CallPolicy,
    /// How far the call was understood.
    pub reading: &'a Reading,
    /// The words of a line that were not understood, as written.
    pub unread: &'a [String],
    /// What stands behind each path argument.
    pub files: &'a [FileRow],
    /// The rules by which kind, fields and signals are found.
    pub rules: &'a Rules,
}

/// What stands behind a path argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// The argument.
    pub argument: String,
    /// The path, as the argument gives it.
    pub path: String,
    /// Its size in bytes, where a regular file is there.
    pub size: Option<u64>,
    /// What is there, in words: size and digest, `absent`, a folder.
    pub words: String,
}

/// What is known from earlier calls and from the person's rules. Empty where nobody looked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Past {
    /// Whether this command was approved before in this project.
    pub approved_before: bool,
    /// Identifiers of the call (as written) that no approved call of this command in this project had.
    pub first_time: Vec<String>,
    /// Identifiers of the call that only look like one of an earlier approved call.
    pub look_like_approved: Vec<String>,
    /// Texts of the person's rules and words of the pack: an identifier that only looks like one of them is named.
    pub known: Vec<String>,
    /// How often the same call was rejected or ran out lately.
    pub unanswered: u32,
}
