//! What is wrong with the words of a command line, in the program's own words: what was typed, what it may
//! be, and the line that says more. It judges nothing; clap found the slip.

use crate::cli::Cli;
use crate::error::CliError;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};
use hcp_core::text::quoted;
use std::ffi::OsString;

/// The commands whose words behind `--` are a tool's.
const RUN_A_TOOL: [&str; 3] = ["hcpx exec", "hcpx preview", "hcpx explain"];

/// A slip as a usage error.
pub(crate) fn error(error: &Error, words: &[OsString]) -> CliError {
    let command = command(error).unwrap_or_else(|| named(words));
    let argument = text(error, ContextKind::InvalidArg);
    let help = format!("{command} --help says more");
    let (message, way) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(error, ContextKind::InvalidSubcommand);
            let message = match command.strip_prefix("hcpx ") {
                Some(parent) => format!("{parent} has no command {}", quoted(&word)),
                None => format!("there is no command {}", quoted(&word)),
            };
            (message, near(error, ContextKind::SuggestedSubcommand))
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            let near = near(error, ContextKind::SuggestedArg).or_else(|| behind_dashes(&command));
            (
                format!("{command} has no option {}", quoted(&argument)),
                near,
            )
        }
        ErrorKind::UnknownArgument => (
            format!("{} is one word too many for {command}", quoted(&argument)),
            None,
        ),
        ErrorKind::TooManyValues => {
            let word = text(error, ContextKind::InvalidValue);
            let message = format!("{} is one word too many for {command}", quoted(&word));
            (message, behind_dashes(&command))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            (format!("{command} needs a command behind it"), None)
        }
        ErrorKind::InvalidValue => invalid_value(error, &argument),
        ErrorKind::ValueValidation => {
            let value = text(error, ContextKind::InvalidValue);
            let wanted = if value == "0" {
                "it is a whole number from 1 up"
            } else {
                "it is a whole number"
            };
            (
                format!("{argument} cannot be {}", quoted(&value)),
                Some(wanted.to_owned()),
            )
        }
        ErrorKind::MissingRequiredArgument if !argument.is_empty() => {
            (format!("{argument} is missing"), None)
        }
        ErrorKind::ArgumentConflict => {
            let other = text(error, ContextKind::PriorArg);
            let message = if other == argument || other.is_empty() {
                format!("{argument} may stand only once")
            } else {
                format!("{argument} and {other} cannot stand together")
            };
            (message, Some("keep one of them".to_owned()))
        }
        // clap's kinds are another crate's, and may grow.
        ErrorKind::NoEquals | ErrorKind::TooFewValues | _ => return rendered(error),
    };
    CliError::usage(message).hint(match way {
        Some(way) if way.ends_with('?') => format!("{way} {help}"),
        Some(way) => format!("{way}; {help}"),
        None => help,
    })
}

fn behind_dashes(command: &str) -> Option<String> {
    RUN_A_TOOL
        .contains(&command)
        .then(|| format!("arguments stand behind --: {command} PACK COMMAND -- NAME=VALUE …"))
}

fn invalid_value(error: &Error, argument: &str) -> (String, Option<String>) {
    let value = text(error, ContextKind::InvalidValue);
    let valid = list(error, ContextKind::ValidValue);
    let message = if value.is_empty() {
        format!("{argument} needs a value")
    } else {
        format!("{argument} cannot be {}", quoted(&value))
    };
    let way = near(error, ContextKind::SuggestedValue)
        .or_else(|| (!valid.is_empty()).then(|| format!("it is one of: {}", valid.join(", "))));
    (message, way)
}

/// A slip of a kind that has no words here: clap's own.
fn rendered(error: &Error) -> CliError {
    let rendered = error.render().to_string();
    let mut parts = rendered.trim().splitn(2, "\n\n");
    let message = parts.next().unwrap_or_default();
    let hint = parts.next().unwrap_or_default().trim();
    CliError::usage(message.trim_start_matches("error: ")).hint(hint.replace("\n\n", "\n"))
}

/// The command that the slip is in, from the head of its usage line.
fn command(error: &Error) -> Option<String> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return None;
    };
    let usage = usage.to_string();
    let words: Vec<&str> = usage
        .trim_start_matches("Usage: ")
        .split_whitespace()
        .take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The command that the words name, as far as they name one.
fn named(words: &[OsString]) -> String {
    let root = Cli::command();
    let (mut found, mut at) = ("hcpx".to_owned(), &root);
    for word in words.iter().skip(1).take_while(|word| *word != "--") {
        if let Some(next) = word.to_str().and_then(|w| at.find_subcommand(w)) {
            found.push(' ');
            found.push_str(next.get_name());
            at = next;
        }
    }
    found
}

fn near(error: &Error, kind: ContextKind) -> Option<String> {
    list(error, kind)
        .first()
        .map(|word| format!("did you mean {word}?"))
}

fn text(error: &Error, kind: ContextKind) -> String {
    list(error, kind).join(", ")
}

fn list(error: &Error, kind: ContextKind) -> Vec<String> {
    // clap writes a place as "[MODE]" or "<MATCH>..."; an option keeps its value's name.
    let plain = |word: &String| {
        let word = word.trim_end_matches("...");
        if word.starts_with(['[', '<']) {
            word.trim_matches(['[', ']', '<', '>']).to_owned()
        } else {
            word.to_owned()
        }
    };
    match error.get(kind) {
        Some(ContextValue::String(one)) => vec![plain(one)],
        Some(ContextValue::Strings(all)) => all.iter().map(plain).collect(),
        _ => Vec::new(),
    }
}
