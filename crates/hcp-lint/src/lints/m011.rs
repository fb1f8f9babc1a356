//! Two commands that no line can tell apart.

use crate::check::Found;
use crate::document::FileName;
use crate::finding::Level;
use crate::lint::{Example, Family, Lint, Spot, none};
use crate::subject::{Entry, Subject};
use hcp_core::text::quoted;
use std::collections::BTreeMap;

pub(super) static LINT: Lint = Lint {
    code: "M011",
    family: Family::Manifest,
    level: Level::Warning,
    summary: "two commands that no line can tell apart",
    why: "A line is matched by a command's own words and its literal options. Where two commands have the same ones, \
          a typed line is judged as both and the stricter answer stands: the milder of the two can never be reached.",
    mend: "Make one command of them, or give each a literal word or option that the other has not.",
    fixes: false,
    claims: none,
    check,
    failing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "show": {
      "description": "Show a thing.",
      "cli": ["shop", "thing", "--", "{{name}}"],
      "args": { "properties": { "name": { "type": "string", "description": "The thing" } } }
    },
    "touch": {
      "description": "Touch a thing.",
      "cli": ["shop", "thing", "--", "{{name}}"],
      "args": { "properties": { "name": { "type": "string", "description": "The thing" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "show": { "operation": "read" }, "touch": { "operation": "write" } } }"#,
        finds: &[Spot {
            file: FileName::Surface,
            line: 8,
            column: 5,
            message: "no line can tell \"touch\" from \"show\"",
        }],
    },
    passing: Example {
        pack: "",
        surface: r#"{
  "commands": {
    "show": {
      "description": "Show a thing.",
      "cli": ["shop", "thing", "--", "{{name}}"],
      "args": { "properties": { "name": { "type": "string", "description": "The thing" } } }
    },
    "touch": {
      "description": "Touch a thing.",
      "cli": ["shop", "thing", "--touch", "--", "{{name}}"],
      "args": { "properties": { "name": { "type": "string", "description": "The thing" } } }
    }
  }
}"#,
        policy: r#"{ "commands": { "show": { "operation": "read" }, "touch": { "operation": "write" } } }"#,
        finds: &[],
    },
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mut alike: BTreeMap<Vec<&str>, Vec<&Entry<'_>>> = BTreeMap::new();
    for entry in &subject.entries {
        let before = alike.entry(literals(entry)).or_default();
        if let Some(other) = before
            .iter()
            .find(|other| overlap(bare(entry), bare(other)) && !apart(entry, other))
        {
            let message = format!(
                "no line can tell {} from {}",
                quoted(entry.name()),
                quoted(other.name())
            );
            let help = "give one of them a literal word or option of its own";
            found.about(entry, FileName::Surface, entry.name_span, message, help);
        }
        // Of a thousand alike each is told once; comparing them all would take long and say no more.
        if before.len() < 16 {
            before.push(entry);
        }
    }
}

/// How many bare words a line has at least and at most, behind the own words.
fn bare(entry: &Entry<'_>) -> (usize, usize) {
    let (mut least, mut most) = (0, 0);
    let mut led = false;
    for word in entry.command.cli() {
        let argument = word
            .alone()
            .filter(|_| !led)
            .and_then(|name| entry.command.argument(name));
        led = word.lead().is_some();
        if let Some(argument) = argument {
            least += usize::from(argument.required);
            most = match argument.kind.as_deref() {
                Some("array") | None => usize::MAX,
                Some(_) => most.saturating_add(1),
            };
        }
    }
    (least, most)
}

/// Whether one of two commands requires an option that the other does not know.
fn apart(one: &Entry<'_>, other: &Entry<'_>) -> bool {
    requires_alone(one, other) || requires_alone(other, one)
}

fn requires_alone(one: &Entry<'_>, other: &Entry<'_>) -> bool {
    let known = other.command.option_spellings();
    let required = one.command.arguments.iter().filter(|a| a.required);
    required.map(|a| written(one, &a.name)).any(|spellings| {
        !spellings.is_empty() && spellings.iter().all(|s| !known.iter().any(|k| k == s))
    })
}

/// The options by which `cli` writes an argument.
fn written<'a>(entry: &Entry<'a>, name: &str) -> Vec<&'a str> {
    let mut all = Vec::new();
    let mut leads: Vec<&str> = Vec::new();
    for word in entry.command.cli() {
        if word.alone() == Some(name) {
            all.append(&mut leads);
        } else if word.prefix().starts_with('-') && word.names().any(|n| n == name) {
            all.push(word.prefix().trim_end_matches('='));
        }
        leads = word
            .lead()
            .map_or_else(Vec::new, |_| word.spellings().collect());
    }
    all
}

fn overlap(one: (usize, usize), other: (usize, usize)) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

/// The words that must stand on a line: the own words, and the literal options that lead no value.
fn literals<'a>(entry: &Entry<'a>) -> Vec<&'a str> {
    let own = entry.command.own_words.len();
    let words: Vec<_> = entry.command.cli().iter().collect();
    let leads = |at: usize| words.get(at + 1).is_some_and(|next| next.alone().is_some());
    let mut more: Vec<&str> = words
        .iter()
        .enumerate()
        .skip(own)
        .filter(|(at, word)| !(word.lead().is_some() && leads(*at)))
        .filter_map(|(_, word)| word.literal())
        .filter(|text| *text != "--")
        .collect();
    more.sort_unstable();
    let mut all: Vec<&str> = entry.command.own_words.iter().map(String::as_str).collect();
    all.extend(more);
    all
}
