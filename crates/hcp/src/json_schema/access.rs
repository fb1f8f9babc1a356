//! `access.json`.
#![expect(
    dead_code,
    reason = "the fields exist for their schema; the reader works on positions"
)]

use schemars::JsonSchema;
use std::collections::BTreeMap;

/// Settings of the access layer: what runs without asking.
#[derive(JsonSchema)]
#[schemars(title = "access.json", deny_unknown_fields)]
pub(super) struct Access {
    /// Where this schema is found.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What runs without a question: `manual` asks before every write, `auto` where the Policy says so, `run` only for confirm "always".
    mode: Option<Mode>,
    /// Modes for single packs.
    packs: Option<BTreeMap<String, PackSettings>>,
    /// Whose answer counts.
    approvals: Option<Approvals>,
    /// The rules, in order.
    rules: Option<Vec<Rule>>,
    /// View and signal rules of the person's own.
    views: Option<serde_json::Value>,
    /// How long a request and an approval last, in minutes.
    #[schemars(range(min = 1, max = 1440))]
    approval_minutes: Option<u64>,
}

/// Settings of one pack.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PackSettings {
    /// The mode for this pack.
    mode: Mode,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Mode {
    Manual,
    Auto,
    Run,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Approvals {
    /// The agent may pass on the person's yes.
    Agent,
    /// Only a person's own answer counts.
    Human,
}

/// A rule: what it matches, what it says, and under which conditions.
#[derive(JsonSchema)]
#[schemars(
    deny_unknown_fields,
    extend("if" = { "required": ["by"] }, "then" = { "properties": { "decision": { "const": "ask" } } })
)]
struct Rule {
    /// `*`, `pack.*` or `pack.command`.
    #[schemars(regex(
        pattern = r"^(\*|[a-z0-9]+([_-][a-z0-9]+)*\.(\*|[a-z0-9]+([_-][a-z0-9]+)*))$"
    ))]
    r#match: String,
    /// What it says.
    decision: Decision,
    /// Conditions, all of which must hold.
    when: Option<Conditions>,
    /// The rule is not for a call that meets one of these sets of conditions.
    #[schemars(extend("items" = { "$ref": "#/$defs/Conditions", "minProperties": 1 }))]
    except: Option<Vec<Conditions>>,
    /// The moment at which the rule ends (RFC 3339).
    #[schemars(extend("format" = "date-time"))]
    until: Option<String>,
    /// For an ask rule: only a person's own answer counts.
    by: Option<By>,
    /// Free text, shown wherever the rule is.
    note: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Decision {
    Allow,
    Ask,
    Deny,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum By {
    Human,
}

/// A set of conditions.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Conditions {
    /// The command's operation.
    op: Option<Operation>,
    /// Arguments that equal a value; null wants the argument absent.
    #[schemars(extend("minProperties" = 1))]
    args: Option<BTreeMap<String, serde_json::Value>>,
    /// Numbers not above a limit.
    #[schemars(extend("minProperties" = 1))]
    max: Option<BTreeMap<String, f64>>,
    /// Numbers not below a limit.
    #[schemars(extend("minProperties" = 1))]
    min: Option<BTreeMap<String, f64>>,
    /// Arguments that equal one of several values.
    #[schemars(extend(
        "minProperties" = 1,
        "additionalProperties" = { "type": "array", "minItems": 1, "items": { "not": { "type": "null" } } }
    ))]
    one_of: Option<BTreeMap<String, Vec<serde_json::Value>>>,
    /// Strings that a whole glob matches: `*` any run without `/`, `**` any run.
    #[schemars(extend("minProperties" = 1))]
    like: Option<BTreeMap<String, String>>,
    /// No argument is present but those that this set names.
    #[schemars(extend("const" = true))]
    only: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Operation {
    Read,
    Write,
}
