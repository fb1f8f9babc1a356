//! The `hcpx` program. It parses words, finds the place, hands over to one command and prints its answer;
//! it holds no rule of its own.

mod cli;
mod commands;
mod error;
mod output;
mod usage;

use clap::Parser;
use cli::{Cli, Global};
use error::CliError;
use hcp_core::text::safe_lines;
use output::{Output, Text};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

/// The names by which the demo programs call this binary.
const DEMO_TOOLS: [&str; 3] = ["ledger", "transit", "notes"];

/// Where a fault of our own happened.
static FAULT: OnceLock<String> = OnceLock::new();

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = demo_tool(&words) {
        return code;
    }
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(refuse_words(&error, &words)),
    };
    hcp::platform::outlive_file_limits();
    let output = Output::new(&cli.global);
    // What a panic says may hold a value, and goes past the one place that makes text safe: only where it was is kept.
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        // The first one is what matters.
        let _ = FAULT.set(place.unwrap_or_default());
    }));
    let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        commands::run(&cli, &output)
    }));
    let code = code.unwrap_or_else(|_| {
        CliError::new(
            hcp_core::code::Code::Internal,
            "hcpx met a fault of its own; nothing more was done",
        )
        .hint(format!(
            "please report what you ran, and this place: {}",
            FAULT.get().map_or("", String::as_str)
        ))
        .print(&output)
    });
    ExitCode::from(code)
}

/// Plays a demo tool when the program was called by its name.
fn demo_tool(words: &[OsString]) -> Option<ExitCode> {
    let called = words.first()?;
    let name = Path::new(called).file_name()?.to_str()?;
    let tool = DEMO_TOOLS.iter().find(|t| **t == name)?;
    let rest = words.iter().skip(1).cloned().collect();
    let code = hcp_demo::run(
        tool,
        called,
        rest,
        &mut std::io::stdout().lock(),
        &mut std::io::stderr().lock(),
    );
    Some(ExitCode::from(code))
}

/// Prints what clap has to say, made safe: help on standard output, a slip as a usage error.
fn refuse_words(error: &clap::Error, words: &[OsString]) -> u8 {
    let global = Global::guess(words);
    let output = Output::new(&global);
    if !error.use_stderr() {
        let rendered = error.render().to_string();
        return output.text(&Text::new().safe(safe_lines(rendered.trim_end())));
    }
    let error = usage::error(error, words);
    if Global::guess_raw(words) {
        return commands::raw_refusal(&error, &output);
    }
    error.print(&output)
}
