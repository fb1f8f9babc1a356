//! A line of `audit.jsonl`.
#![expect(
    dead_code,
    reason = "the fields exist for their schema; lines are written by the log"
)]

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// One event of the audit log. No field holds a value of an argument.
#[derive(JsonSchema)]
#[schemars(title = "audit line")]
pub(super) struct Line {
    /// The line's number in the chain, from 1.
    seq: u64,
    /// SHA-256 of the line before, without its newline; null for the first.
    prev: Option<String>,
    /// When it was decided (RFC 3339, UTC, milliseconds).
    time: String,
    /// What happened.
    event: EventKind,
    /// The call it belongs to.
    call: Option<String>,
    /// By which way it came.
    via: Option<Via>,
    /// Who acted.
    principal: Option<Principal>,
    /// The tenant.
    tenant: Option<String>,
    /// The project.
    project: Option<String>,
    /// The account that the pack is connected as.
    binding: Option<String>,
    /// The pack.
    pack: Option<String>,
    /// The command in it.
    command: Option<String>,
    /// Read or write.
    operation: Option<String>,
    /// What the gate said.
    decision: Option<Decision>,
    /// The result code.
    code: Option<String>,
    /// Why, in words.
    reason: Option<String>,
    /// The mode in force.
    mode: Option<String>,
    /// Who let it run.
    by: Option<By>,
    /// Whether it ran; null where somebody else decides that.
    ran: Option<bool>,
    /// The declared names of the arguments, sorted.
    args: Option<Vec<String>>,
    /// SHA-256 of the arguments' canonical form, tagged.
    args_sha256: Option<String>,
    /// The same under the log's own key.
    args_hmac: Option<String>,
    /// How many arguments had undeclared names.
    undeclared: Option<u64>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum EventKind {
    Call,
    Outcome,
    Answer,
    Settings,
    Pack,
    Refused,
    Audit,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Via {
    Cli,
    Mcp,
    Hook,
    Library,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Decision {
    Allow,
    Ask,
    Deny,
}

/// Who acted.
#[derive(JsonSchema)]
struct Principal {
    /// Unique inside the tenant.
    id: String,
    /// human, agent or service.
    kind: String,
}

/// Who or what let a call run.
#[derive(JsonSchema)]
struct By {
    /// agent, human, rule or mode.
    kind: String,
    /// The approval it rests on.
    approval_id: Option<String>,
    /// The rule it rests on, by its place; never its conditions.
    rule: Option<Map<String, Value>>,
}
