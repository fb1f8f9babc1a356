//! Free text as a bare word without `--` before it.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::guess;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::Subject;
use hcp_core::json::{Object, Value};
use hcp_core::text::quoted;
use hcp_pack::Argument;

pub(super) static LINT: Lint = Lint {
    code: "M004",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "free text as a bare word without `--`",
    why: "A value that begins with `-` is refused where it would stand as a word of its own, because the tool would \
          take it for an option. For text that people write, that refuses honest calls: a note that begins with a \
          dash, a search for `-1`.",
    mend: "Put `\"--\"` before the placeholder when the tool knows it, or pass the value as `\"--name={{name}}\"`. \
           Where the value is no free text, say so: with `enum`, `pattern` or `format`.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "search": {
      "description": "Search for a text.",
      "cli": ["shop", "search", "{{query}}"],
      "args": { "properties": { "query": { "type": "string", "description": "The text" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "search": { "operation": "read" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 5,
            column: 33,
            message: "\"query\" is free text and stands as a bare word: one that begins with - is refused",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "search": {
      "description": "Search for a text.",
      "cli": ["shop", "search", "--", "{{query}}"],
      "args": { "properties": { "query": { "type": "string", "description": "The text" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "search": { "operation": "read" } } }"#,
        finds: &[],
    },
};

/// What says how much, how many, which one or when is no free text, whatever its type.
const NOT_TEXT: &[&str] = &[
    "id", "number", "count", "limit", "index", "port", "size", "date", "time", "when", "currency",
    "version", "pid", "page", "year", "month", "day",
];

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for entry in &subject.entries {
        let mut before_leads = false;
        for (word, span) in entry.words() {
            if word.literal() == Some("--") {
                break;
            }
            let bare = word.alone().filter(|_| !before_leads);
            before_leads = word.lead().is_some();
            let Some(argument) = bare.and_then(|name| entry.command.argument(name)) else {
                continue;
            };
            if is_free_text(argument) {
                let message = format!(
                    "{} is free text and stands as a bare word: one that begins with - is refused",
                    quoted(&argument.name)
                );
                let help = format!(
                    "put \"--\" before it, or write \"--{0}={{{{{0}}}}}\"",
                    argument.name
                );
                found.about(entry, FileName::Surface, span, message, help);
            }
        }
    }
}

fn is_free_text(argument: &Argument) -> bool {
    let items = argument.schema.get("items").and_then(Value::as_object);
    let text = match argument.kind.as_deref() {
        Some("string") | None => !is_bound(&argument.schema),
        Some("array") => !items.is_some_and(is_bound) && !is_bound(&argument.schema),
        Some(_) => false,
    };
    text && !argument.path && !guess::is_amount(argument) && !guess::is_named(argument, NOT_TEXT)
}

/// Whether a schema says more of a text than that it is one.
fn is_bound(schema: &Object) -> bool {
    [
        "enum",
        "const",
        "pattern",
        "format",
        "$ref",
        "x-command",
        "anyOf",
        "oneOf",
    ]
    .iter()
    .any(|key| schema.contains_key(key))
        || schema
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| matches!(kind, "integer" | "number" | "boolean"))
}
