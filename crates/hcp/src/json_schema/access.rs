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
    /// View and signal rules of the person's own, ahead of the built-in ones. They count in the person's file alone.
    views: Option<Views>,
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

/// Rules by which cards are made where a pack declares no preview.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Views {
    /// What sort of act a call is, and what its fields are: the first rule that fits counts.
    rules: Option<Vec<ViewRule>>,
    /// The facts that a card names.
    signals: Option<Vec<SignalRule>>,
}

/// A rule that tells by names what sort of act a call is. Names are compared word by word, in any usual spelling.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ViewRule {
    /// The sort of act.
    kind: ViewKind,
    /// The names that a call must have: all parts must hold.
    when: ViewWhen,
    /// The names that keep the rule away.
    not: Option<ViewNot>,
    /// For each field of the kind the arguments that may stand behind it: the first that has a value does. A text
    /// that begins with `=` is taken literally.
    fields: Option<BTreeMap<String, Vec<String>>>,
    /// The act in words, with `{{field}}` or `{{argument}}` for values.
    title: Option<String>,
    /// Calls that the rule must and must not fit, each a verb key and the names of its arguments. They are checked.
    examples: Option<ViewExamples>,
}

/// The names that a view rule wants.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ViewWhen {
    /// One of these must be among the words of `pack.command`; of one with several words all must.
    command: Option<Vec<String>>,
    /// One of these as well.
    with: Option<Vec<String>>,
    /// Each of these must be an argument of the command.
    args: Option<Vec<String>>,
    /// One of these must have a value.
    given: Option<Vec<String>>,
}

/// The names that keep a view rule away.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ViewNot {
    /// Any of these among the words of `pack.command`.
    command: Option<Vec<String>>,
    /// Any of these among the arguments.
    args: Option<Vec<String>>,
}

/// Calls that show what a view rule is for.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ViewExamples {
    /// Calls that it must fit.
    r#match: Option<Vec<String>>,
    /// Calls that it must not fit.
    not: Option<Vec<String>>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum ViewKind {
    Message,
    Event,
    Payment,
    Removal,
    Publish,
    Share,
    Change,
    File,
    Run,
    Command,
}

/// A rule that names a fact to weigh.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SignalRule {
    /// A stable word.
    #[schemars(regex(pattern = r"^[a-z0-9]+([_-][a-z0-9]+)*$"))]
    code: String,
    /// How much the fact weighs.
    level: Level,
    /// The fact in words, with `{count}`, `{value}` or `{values}` for what was found.
    text: String,
    /// The calls that it is for: all parts must hold, a list holds by any of its entries.
    #[schemars(extend("minProperties" = 1))]
    when: SignalWhen,
    /// Calls that the rule must and must not hold for, under `match` and `not`. They are checked.
    examples: Option<BTreeMap<String, Vec<serde_json::Value>>>,
}

/// What a signal rule wants of a call.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SignalWhen {
    /// The kind of view, declared or found by the names.
    kind: Option<Vec<ViewKind>>,
    /// Kinds of view that it must not have.
    not_kind: Option<Vec<ViewKind>>,
    /// The command's operation.
    operation: Option<Operation>,
    /// Whether it can be undone.
    undo: Option<Vec<Undo>>,
    /// Words of the command's name.
    command: Option<Vec<String>>,
    /// Words that must not be in it.
    not_command: Option<Vec<String>>,
    /// What an event or file rule says is done.
    action: Option<Vec<String>>,
    /// Names of arguments with a value.
    args: Option<Vec<String>>,
    /// Names of arguments that must be absent.
    without: Option<Vec<String>>,
    /// Whole values.
    values: Option<Vec<String>>,
    /// Words within values.
    words: Option<Vec<String>>,
    /// Words that must not be within values.
    not_words: Option<Vec<String>>,
    /// Switches that are on.
    switch: Option<Vec<String>>,
    /// Switches that are off.
    switch_off: Option<Vec<String>>,
    /// How many single entries stand behind fields.
    count: Option<Count>,
    /// What the program looks for itself, by its word.
    found: Option<String>,
}

/// How many single entries stand behind fields, each counted once.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Count {
    /// The fields.
    fields: Vec<String>,
    /// The fewest of them.
    #[schemars(range(min = 1, max = 1_000_000))]
    at_least: u64,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Undo {
    Yes,
    No,
    Unknown,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Level {
    /// Good to know.
    Note,
    /// Look twice.
    Care,
    /// Money, data for good, production.
    Danger,
}
