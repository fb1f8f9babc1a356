//! JSON Schemas (2020-12) of a pack's files, so that an editor completes and checks a pack while it is
//! written. The types here mirror what the readers take; they are never read into.

use crate::schema::{keyword_names, keyword_schema};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::collections::BTreeMap;

/// The schema of `pack.json`.
#[must_use]
pub fn pack() -> serde_json::Value {
    of::<PackFile>("urn:hcp:schema:pack.json")
}

/// The schema of `surface.json`.
#[must_use]
pub fn surface() -> serde_json::Value {
    let mut schema = of::<SurfaceFile>("urn:hcp:schema:surface.json");
    if let Some(definitions) = schema.get_mut("$defs").and_then(|d| d.as_object_mut()) {
        definitions.insert("Schema".to_owned(), strict_schema());
    }
    schema
}

/// The schema of `policy.json`.
#[must_use]
pub fn policy() -> serde_json::Value {
    of::<PolicyFile>("urn:hcp:schema:policy.json")
}

/// The schema of a file that people write, from the type that mirrors it.
#[must_use]
pub fn of<T: JsonSchema>(id: &str) -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), id.into());
    let mut schema = schema.to_value();
    without_null(&mut schema);
    schema
}

/// An optional key is absent, never null: what the generator says of `Option` is taken out again.
fn without_null(schema: &mut serde_json::Value) {
    if let Some(object) = schema.as_object_mut() {
        if object
            .get("default")
            .is_some_and(serde_json::Value::is_null)
        {
            object.remove("default");
        }
        if let Some(types) = object.get_mut("type").and_then(|t| t.as_array_mut()) {
            types.retain(|word| word != "null");
            if let [one] = types.as_slice() {
                let one = one.clone();
                object.insert("type".to_owned(), one);
            }
        }
        let nullable = object.get("anyOf").and_then(|any| any.as_array()).cloned();
        if let Some([first, second]) = nullable.as_deref()
            && *second == serde_json::json!({ "type": "null" })
            && let Some(first) = first.as_object()
        {
            object.remove("anyOf");
            object.extend(first.clone());
        }
        object.values_mut().for_each(without_null);
    } else if let Some(items) = schema.as_array_mut() {
        items.iter_mut().for_each(without_null);
    }
}

/// Who a pack is.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "pack.json", inline)]
#[expect(dead_code, reason = "only its schema is used")]
struct PackFile {
    /// The schema that an editor checks this file with.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// The pack's id: `pack.command` names a command everywhere.
    #[schemars(schema_with = "name")]
    id: String,
    /// The pack's name for people.
    #[schemars(length(min = 1))]
    name: String,
    /// The pack's version.
    #[schemars(length(min = 1))]
    version: String,
    /// What the pack is for, in one sentence.
    #[schemars(length(min = 1))]
    summary: String,
    /// Where to read more.
    homepage: Option<String>,
    /// How the pack is connected to an account.
    connect: Option<ConnectEntry>,
    /// Names of variables that the tool gets and an approval binds.
    #[schemars(schema_with = "variables", default)]
    env: Option<Vec<String>>,
    /// Seconds after which a run is ended; 0 for never.
    #[schemars(schema_with = "timeout", default)]
    timeout: Option<u64>,
    /// Other names of the program.
    #[schemars(schema_with = "words", default)]
    programs: Option<Vec<String>>,
    /// Variables and settings by which the program runs other programs.
    #[schemars(schema_with = "words", default)]
    runs: Option<Vec<String>>,
}

/// How a pack is connected to an account.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Connect")]
#[expect(dead_code, reason = "only its schema is used")]
struct ConnectEntry {
    /// The words of the command that signs in.
    #[schemars(schema_with = "command_words")]
    cli: Vec<String>,
    /// The words of the command that prints who one is connected as.
    #[schemars(schema_with = "command_words")]
    identity: Vec<String>,
}

/// What the commands look like.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "surface.json", inline)]
#[expect(dead_code, reason = "only its schema is used")]
struct SurfaceFile {
    /// The schema that an editor checks this file with.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// Options of the program that may stand before or after the own words of every command.
    globals: Option<GlobalsEntry>,
    /// Other spellings of the commands' own words, to read lines by: `{ "install": ["i", "add"] }` wherever the word
    /// stands, `{ "remote add": ["plus"] }` behind these own words alone.
    #[schemars(schema_with = "spellings", default)]
    spellings: Option<BTreeMap<String, Vec<String>>>,
    /// The commands by their names.
    #[schemars(schema_with = "commands::<CommandEntry>")]
    commands: BTreeMap<String, CommandEntry>,
}

/// Options of the program that belong to every command.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Globals")]
#[expect(dead_code, reason = "only its schema is used")]
struct GlobalsEntry {
    /// The words, rendered right after the program: options, each before its placeholder.
    cli: Vec<String>,
    /// The arguments of these options.
    args: Option<ArgsEntry>,
}

/// What a command looks like.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Command")]
#[expect(dead_code, reason = "only its schema is used")]
struct CommandEntry {
    /// What the command does, for people.
    description: Option<String>,
    /// The words, the program first. `{{name}}` stands for an argument; no shell reads them.
    #[schemars(schema_with = "command_words")]
    cli: Vec<String>,
    /// Variables that the tool gets: `{ "TOKEN": "{{token}}" }`.
    #[schemars(schema_with = "environment", default)]
    env: Option<BTreeMap<String, String>>,
    /// What the tool reads on standard input.
    stdin: Option<String>,
    /// The arguments.
    args: Option<ArgsEntry>,
    /// The view that a person is shown.
    preview: Option<PreviewEntry>,
}

/// The arguments of a command: JSON Schema 2020-12 for one object. What is not declared is refused.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Args")]
#[expect(dead_code, reason = "only its schema is used")]
struct ArgsEntry {
    /// Always an object.
    #[schemars(rename = "type", schema_with = "only_object", default)]
    kind: Option<String>,
    /// What the arguments are, together.
    description: Option<String>,
    /// The arguments by their names.
    #[schemars(schema_with = "properties", default)]
    properties: Option<BTreeMap<String, serde_json::Value>>,
    /// The arguments that must be given.
    #[schemars(schema_with = "names", default)]
    required: Option<Vec<String>>,
    /// Schemas to refer to as `#/$defs/NAME`.
    #[schemars(rename = "$defs", schema_with = "definitions", default)]
    definitions: Option<BTreeMap<String, serde_json::Value>>,
    /// False, as it is without.
    #[schemars(rename = "additionalProperties", schema_with = "only_false", default)]
    closed: Option<bool>,
}

/// The view that a person is shown before a command runs.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Preview")]
#[expect(dead_code, reason = "only its schema is used")]
struct PreviewEntry {
    /// The kind of view.
    #[schemars(schema_with = "view_kind", default)]
    kind: Option<String>,
    /// The title, a template over the arguments.
    title: Option<String>,
    /// The fields of the view, templates over the arguments.
    fields: Option<BTreeMap<String, String>>,
}

/// What the commands are. A Policy never grants anything.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "policy.json", inline)]
#[expect(dead_code, reason = "only its schema is used")]
struct PolicyFile {
    /// The schema that an editor checks this file with.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What holds where a command's own Policy says nothing; its raises always hold.
    defaults: Option<PolicyEntry>,
    /// The Policies by the names of their commands, the same as in `surface.json`.
    #[schemars(schema_with = "commands::<PolicyEntry>")]
    commands: BTreeMap<String, PolicyEntry>,
}

/// What a command is.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Policy")]
#[expect(dead_code, reason = "only its schema is used")]
struct PolicyEntry {
    /// Whether it changes anything; a command that nobody classified is a write.
    #[schemars(schema_with = "operation", default)]
    operation: Option<String>,
    /// When a person must say yes.
    #[schemars(schema_with = "confirm", default)]
    confirm: Option<String>,
    /// Which scope is checked: the Principal's own, or the project's.
    #[schemars(schema_with = "land", default)]
    land: Option<String>,
    /// Whether what it did can be undone.
    #[schemars(schema_with = "undo", default)]
    undo: Option<String>,
    /// What it acts on beside its arguments.
    #[schemars(schema_with = "scope", default)]
    scope: Option<String>,
    /// What makes the command graver for some calls.
    raise: Option<Vec<RaiseEntry>>,
}

/// Makes a command graver for calls that meet the conditions, or where they cannot be told.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Raise")]
#[expect(dead_code, reason = "only its schema is used")]
struct RaiseEntry {
    /// The conditions, all of which must hold.
    when: WhenEntry,
    /// The least `confirm` then.
    #[schemars(schema_with = "confirm", default)]
    confirm: Option<String>,
    /// The least `undo` then.
    #[schemars(schema_with = "undo", default)]
    undo: Option<String>,
}

/// Conditions over the arguments of a call.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Conditions", extend("minProperties" = 1))]
#[expect(dead_code, reason = "only its schema is used")]
struct WhenEntry {
    /// Arguments that equal a value; null wants the argument absent.
    #[schemars(schema_with = "any_by_name", default)]
    args: Option<BTreeMap<String, serde_json::Value>>,
    /// Numbers not above a limit.
    #[schemars(schema_with = "numbers_by_name", default)]
    max: Option<BTreeMap<String, f64>>,
    /// Numbers not below a limit.
    #[schemars(schema_with = "numbers_by_name", default)]
    min: Option<BTreeMap<String, f64>>,
    /// Arguments that equal one of several values.
    #[schemars(schema_with = "lists_by_name", default)]
    one_of: Option<BTreeMap<String, Vec<serde_json::Value>>>,
    /// Strings that a whole glob matches.
    #[schemars(schema_with = "texts_by_name", default)]
    like: Option<BTreeMap<String, String>>,
    /// No argument beside those that these conditions name.
    only: Option<bool>,
}

const NAME: &str = "^[a-z0-9]+([_-][a-z0-9]+)*$";
const ARGUMENT: &str = "^[A-Za-z][A-Za-z0-9_-]{0,63}$";
const VARIABLE: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": NAME, "maxLength": 64 })
}

fn variables(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array", "uniqueItems": true, "items": { "type": "string", "pattern": VARIABLE }
    })
}

fn timeout(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "minimum": 0, "maximum": 31_536_000 })
}

fn words(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "string", "minLength": 1 } })
}

fn command_words(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "minItems": 1, "items": { "type": "string" } })
}

fn spellings(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*( [A-Za-z0-9][A-Za-z0-9._-]*)*$" },
        "additionalProperties": {
            "type": "array", "minItems": 1, "uniqueItems": true,
            "items": { "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$" }
        }
    })
}

fn environment(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object", "propertyNames": { "pattern": VARIABLE },
        "additionalProperties": { "type": "string" }
    })
}

fn commands<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let entry = generator.subschema_for::<T>();
    json_schema!({
        "type": "object", "propertyNames": { "pattern": NAME, "maxLength": 64 },
        "additionalProperties": entry
    })
}

fn only_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": "object" })
}

fn only_false(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": false })
}

fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "uniqueItems": true, "items": { "type": "string" } })
}

fn view_kind(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "examples": [
            "message", "event", "payment", "removal", "publish", "share", "change", "file", "run", "command"
        ]
    })
}

fn operation(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["read", "write"] })
}

fn confirm(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["never", "ask", "always", false, true] })
}

fn land(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["personal", "brain"] })
}

fn undo(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["yes", "no"] })
}

fn scope(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["args", "cwd"] })
}

fn by_name(value: serde_json::Value) -> Schema {
    json_schema!({
        "type": "object", "minProperties": 1, "propertyNames": { "pattern": ARGUMENT },
        "additionalProperties": value
    })
}

fn any_by_name(_: &mut SchemaGenerator) -> Schema {
    by_name(true.into())
}

fn numbers_by_name(_: &mut SchemaGenerator) -> Schema {
    by_name(serde_json::json!({ "type": "number" }))
}

fn texts_by_name(_: &mut SchemaGenerator) -> Schema {
    by_name(serde_json::json!({ "type": "string" }))
}

fn lists_by_name(_: &mut SchemaGenerator) -> Schema {
    by_name(serde_json::json!({ "type": "array", "minItems": 1 }))
}

/// One argument: the vocabulary of JSON Schema, and the keys of our own.
fn properties(_: &mut SchemaGenerator) -> Schema {
    let mut argument = vocabulary();
    argument.extend(extras());
    json_schema!({
        "type": "object", "propertyNames": { "pattern": ARGUMENT },
        "additionalProperties": { "type": "object", "additionalProperties": false, "properties": argument }
    })
}

fn definitions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/Schema" } })
}

/// A schema below an argument: the same vocabulary, and no key beside it.
fn strict_schema() -> serde_json::Value {
    serde_json::json!({
        "description": "A JSON Schema (2020-12) whose references stay within the arguments.",
        "type": ["object", "boolean"], "additionalProperties": false, "properties": vocabulary()
    })
}

/// Each keyword with what may stand behind it.
fn vocabulary() -> serde_json::Map<String, serde_json::Value> {
    keyword_names()
        .map(|keyword| {
            (
                keyword.to_owned(),
                keyword_schema(keyword, "#/$defs/Schema"),
            )
        })
        .collect()
}

fn extras() -> serde_json::Map<String, serde_json::Value> {
    let extra = |text: &str, mut schema: serde_json::Value| {
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), text.into());
        }
        schema
    };
    let truth = || serde_json::json!({ "type": "boolean" });
    [
        (
            "x-position",
            extra(
                "Which bare word of a command line fills it, from 0.",
                serde_json::json!({ "type": "integer", "minimum": 0, "maximum": 1000 }),
            ),
        ),
        (
            "x-alias",
            extra(
                "More spellings of its option.",
                serde_json::json!({
                    "type": "array", "uniqueItems": true,
                    "items": { "type": "string", "pattern": "^--?[^-=|\\s][^=|\\s]*$" }
                }),
            ),
        ),
        ("x-secret", extra("Its value is shown nowhere.", truth())),
        (
            "x-cwd",
            extra("A global option that is the working directory.", truth()),
        ),
        (
            "x-content",
            extra(
                "False binds a path's folder entry, not its content.",
                truth(),
            ),
        ),
        (
            "x-command",
            extra(
                "The argument is itself a command: a line that a shell reads, or words.",
                serde_json::json!({ "enum": ["line", "words"] }),
            ),
        ),
    ]
    .into_iter()
    .map(|(key, schema)| (key.to_owned(), schema))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn valid(schema: &serde_json::Value, file: &serde_json::Value) -> bool {
        jsonschema::draft202012::new(schema).unwrap().is_valid(file)
    }

    #[test]
    fn good_files_validate_and_unknown_keys_do_not() {
        let pack_file = json!({
            "$schema": "x", "id": "my-shop", "name": "Shop", "version": "1", "summary": "S.",
            "connect": {"cli": ["a"], "identity": ["b"]}, "env": ["A"], "timeout": 0
        });
        let surface_file = json!({
            "globals": {"cli": ["-C", "{{dir}}"], "args": {"properties": {"dir": {"type": "string", "x-cwd": true}}}},
            "spellings": {"run": ["r"], "run all": ["a"]},
            "commands": {"go": {
                "cli": ["go", "{{a}}"], "env": {"T": "x"}, "stdin": "x", "description": "Goes.",
                "args": {"type": "object", "required": ["a"], "additionalProperties": false,
                         "$defs": {"m": {"minimum": 5}, "t": true},
                         "properties": {"a": {"$ref": "#/$defs/m", "x-alias": ["-f", "--file"], "items": {"type": "string"}}}},
                "preview": {"kind": "payment", "title": "x", "fields": {"to": "{{a}}"}}
            }}
        });
        let policy_file = json!({
            "defaults": {"operation": "read"},
            "commands": {"go": {"confirm": true, "undo": "no", "raise": [
                {"when": {"args": {"a": null}, "max": {"a": 5}, "one_of": {"a": [1]}, "like": {"a": "*"}, "only": true}, "confirm": "always"}
            ]}}
        });
        for (schema, file, places) in [
            (pack(), pack_file, &["", "/connect"][..]),
            (
                surface(),
                surface_file,
                &[
                    "",
                    "/globals",
                    "/commands/go",
                    "/commands/go/args",
                    "/commands/go/args/properties/a",
                    "/commands/go/args/$defs/m",
                    "/commands/go/args/properties/a/items",
                    "/commands/go/preview",
                ],
            ),
            (
                policy(),
                policy_file,
                &[
                    "",
                    "/defaults",
                    "/commands/go",
                    "/commands/go/raise/0",
                    "/commands/go/raise/0/when",
                ],
            ),
        ] {
            jsonschema::meta::validate(&schema).unwrap();
            assert!(valid(&schema, &file), "{file}");
            for place in places {
                let mut spoiled = file.clone();
                spoiled.pointer_mut(place).unwrap()["zzz"] = json!(1);
                assert!(!valid(&schema, &spoiled), "{place}");
            }
        }
    }

    #[test]
    fn spellings_are_plain_words() {
        for (spellings, good) in [
            (json!({}), true),
            (json!({"install": ["i"], "remote add": ["plus"]}), true),
            (json!({"install": []}), false),
            (json!({"install": ["i", "i"]}), false),
            (json!({"install": ["-i"]}), false),
            (json!({"install": "i"}), false),
            (json!({"a|b": ["i"]}), false),
            (json!({"a  b": ["i"]}), false),
        ] {
            let file = json!({"spellings": spellings, "commands": {}});
            assert_eq!(valid(&surface(), &file), good, "{file}");
        }
    }

    #[test]
    fn a_name_that_breaks_the_pattern_does_not_validate() {
        assert!(!valid(
            &surface(),
            &json!({"commands": {"Go": {"cli": ["go"]}}})
        ));
        assert!(!valid(
            &policy(),
            &json!({"commands": {"go": {"confirm": "sometimes"}}})
        ));
        assert!(!valid(
            &pack(),
            &json!({"id": "a b", "name": "x", "version": "1", "summary": "s"})
        ));
    }
}
