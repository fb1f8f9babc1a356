//! The result of a call, as `hcpx exec` prints it.
#![expect(
    dead_code,
    reason = "the fields exist for their schema; results are written by the pipeline"
)]

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// What became of a call.
#[derive(JsonSchema)]
#[schemars(title = "result")]
pub(super) struct CallResult {
    /// Whether it ran and ended with 0.
    ok: bool,
    /// What happened, as a stable word.
    code: Code,
    /// What happened, in a sentence.
    message: Option<String>,
    /// What to do next, with a whole line to run.
    hint: Option<String>,
    /// The tool's own exit code; null where a signal or a deadline ended it.
    exit_code: Option<i64>,
    /// Standard output, bounded.
    stdout: Option<String>,
    /// Standard output where it is not UTF-8.
    stdout_base64: Option<String>,
    /// The whole length of standard output where it was cut.
    stdout_length: Option<u64>,
    /// Standard error, bounded.
    stderr: Option<String>,
    /// Standard error where it is not UTF-8.
    stderr_base64: Option<String>,
    /// The whole length of standard error where it was cut.
    stderr_length: Option<u64>,
    /// Whether a stream was cut.
    truncated: Option<bool>,
    /// How long it ran.
    duration_ms: Option<u64>,
    /// The exact command, for a call that asks.
    preview: Option<Preview>,
    /// The id under which the request waits.
    approval_id: Option<String>,
    /// The gate's answer.
    access: Option<AccessAnswer>,
    /// The gate's reason, in words.
    reason: Option<String>,
    /// The rule that decided.
    rule: Option<RuleRef>,
    /// Who let it run.
    by: Option<Map<String, Value>>,
    /// The whole request, for a call that asks.
    approval: Option<Map<String, Value>>,
    /// The account that the pack was connected as, where the tool is another one's by now.
    was: Option<String>,
    /// The account that the tool names now.
    is: Option<String>,
    /// Places that are at fault.
    diagnostics: Option<Vec<Diagnostic>>,
}

/// The command, its arguments and the exact command line.
#[derive(JsonSchema)]
struct Preview {
    /// The command's name.
    command: String,
    /// The arguments.
    args: Map<String, Value>,
    /// The command line, quoted for a POSIX shell.
    cli: String,
}

/// The gate's answer.
#[derive(JsonSchema)]
struct AccessAnswer {
    /// The mode in force.
    mode: String,
    /// Why, in words.
    reason: String,
    /// Why, as a stable word.
    reason_code: String,
    /// Whose answer counts.
    approvals: String,
    /// allow, ask or deny.
    decision: String,
    /// Where it was set.
    from: Map<String, Value>,
}

/// A rule by its place.
#[derive(JsonSchema)]
struct RuleRef {
    /// The layer.
    layer: String,
    /// Its index in the layer.
    index: u64,
    /// What it matches.
    r#match: String,
    /// What it says.
    decision: String,
    /// Its note.
    note: Option<String>,
}

/// A place that is at fault.
#[derive(JsonSchema)]
struct Diagnostic {
    /// The file.
    file: String,
    /// Line, from 1.
    line: u64,
    /// Column in characters, from 1.
    column: u64,
    /// What is wrong.
    message: String,
    /// How to mend it.
    help: Option<String>,
}

/// Every result code.
struct Code;

impl JsonSchema for Code {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let codes: Vec<&str> = hcp_core::code::Code::ALL
            .iter()
            .map(|c| c.as_str())
            .collect();
        schemars::json_schema!({ "type": "string", "enum": codes })
    }
}
