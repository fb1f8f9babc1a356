//! The words by which `exec`, `preview` and `explain` name a call.

use crate::cli::CallWords;
use crate::error::CliError;
use hcp::pipeline::{CallArgs, CallRequest, ExecOptions};
use hcp_core::diagnostic::Source;
use hcp_core::json::{Limits, parse};
use hcp_core::text::quoted;
use std::io::Read;

/// The most that is read from standard input or a file for a call.
pub(crate) const MAX_INPUT: u64 = 16 << 20;

/// A call from its words; `verb` is the hcpx command, for messages.
pub(crate) fn request(
    words: &CallWords,
    verb: &str,
    options: ExecOptions,
) -> Result<CallRequest, CliError> {
    let (pack, command) = target(&words.target, verb)?;
    let args = match &words.args {
        None => CallArgs::Words(words.words.clone()),
        Some(_) if !words.words.is_empty() => {
            return Err(
                CliError::usage("--args and words after -- both give arguments").hint(format!(
                    "keep one of the two: hcpx {verb} {pack} {command} --args JSON, or -- NAME=VALUE …"
                )),
            );
        }
        Some(text) => CallArgs::Object(json_args(text)?),
    };
    Ok(CallRequest {
        pack,
        command,
        args,
        options,
    })
}

/// The names of pack and command that the words hold, as far as they hold any.
pub(crate) fn names(words: &CallWords) -> (Option<&str>, Option<&str>) {
    match words.target.as_slice() {
        [one] => match one.split_once('.') {
            Some((pack, command)) => (Some(pack), Some(command)),
            None => (Some(one), None),
        },
        [pack, command, ..] => (Some(pack), Some(command)),
        [] => (None, None),
    }
}

fn target(words: &[String], verb: &str) -> Result<(String, String), CliError> {
    match words {
        [name, word] if name.contains('.') || word.contains('=') => Err(CliError::usage(format!(
            "{} stands where a command's name should",
            quoted(word)
        ))
        .hint(format!(
            "arguments stand behind --: hcpx {verb} PACK COMMAND -- NAME=VALUE …"
        ))),
        [pack, command] => Ok((pack.clone(), command.clone())),
        [one] => match one.split_once('.') {
            Some((pack, command)) => Ok((pack.to_owned(), command.to_owned())),
            None => Err(CliError::usage(format!(
                "{} is a pack; which of its commands?",
                quoted(one)
            ))
            .hint(format!(
                "hcpx commands {one} lists them; then hcpx {verb} {one} COMMAND"
            ))),
        },
        _ => Err(CliError::usage("which command?").hint(format!(
            "hcpx {verb} PACK COMMAND -- NAME=VALUE …; hcpx commands lists what there is"
        ))),
    }
}

fn json_args(text: &str) -> Result<hcp_core::json::Object, CliError> {
    let (name, text) = if text == "-" {
        ("standard input", read_all(&mut std::io::stdin().lock())?)
    } else {
        ("--args", text.to_owned().into_bytes())
    };
    let shown = String::from_utf8_lossy(&text).into_owned();
    let source = Source::new(name, &shown);
    let limits = Limits {
        bytes: MAX_INPUT as usize,
        depth: 64,
    };
    let bad = |message: &str| {
        CliError::new(hcp_core::code::Code::InvalidArgs, message)
            .hint("for example --args '{\"amount\": \"2.80\", \"payee\": \"demo-transit\"}'")
    };
    let node = hcp_core::json::parse_bytes(&text, limits)
        .map_err(|f| bad("the arguments are not one JSON object").at(vec![source.locate(&f)]))?;
    node.to_value().as_object().cloned().ok_or_else(|| {
        bad(&format!(
            "the arguments must be one JSON object, and are {}",
            node.kind_name()
        ))
    })
}

/// Reads all of an input, refusing more than [`MAX_INPUT`].
pub(crate) fn read_all(from: &mut dyn Read) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    from.take(MAX_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| CliError::usage(format!("standard input cannot be read: {e}")))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(CliError::new(
            hcp_core::code::Code::InvalidArgs,
            "standard input has more than 16 MiB",
        )
        .hint("hand the tool a file instead"));
    }
    Ok(bytes)
}

/// Parses a JSON text of ours.
pub(crate) fn parse_value(text: &str) -> Option<hcp_core::json::Value> {
    parse(
        text,
        Limits {
            bytes: usize::MAX,
            depth: 256,
        },
    )
    .ok()
    .map(|n| n.to_value())
}
