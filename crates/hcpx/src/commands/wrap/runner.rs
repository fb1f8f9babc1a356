//! Runs a program for its help: without a shell, terminal and input, bounded in time and bytes, in an empty
//! folder and a session of its own, of which nothing stays.

use super::strays;
use crate::error::CliError;
use crate::output::Output;
use hcp::driver::{
    OutputMode, ProcessDriver, RenderedCall, RunResult, StdinSource, base_environment,
};
use hcp::local::Place;
use hcp::program::{Program, ProgramError, SearchIn, resolve};
use hcp_core::code::Code;
use hcp_wrap::{Answer, RunHelp};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The longest that one run may take.
const RUN: Duration = Duration::from_secs(5);

/// The longest that all runs may take together.
const ALL: Duration = Duration::from_secs(240);

/// The most bytes of an output stream that are read.
const OUTPUT: usize = 1 << 20;

/// What a help text needs to come plain, whole and in English.
const PLAIN: &[(&str, &str)] = &[
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("COLUMNS", "160"),
    ("MANWIDTH", "160"),
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("LC_ALL", "C.UTF-8"),
    ("LANG", "C.UTF-8"),
];

/// Variables that no help needs: by them a program acts for the person.
const LEFT_OUT: &[&str] = &["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "XDG_SESSION_ID"];

pub(super) struct Runner<'o> {
    program: Program,
    name: OsString,
    env: Vec<(OsString, OsString)>,
    folder: tempfile::TempDir,
    begun: Instant,
    runs: usize,
    output: &'o Output,
}

impl<'o> Runner<'o> {
    pub(super) fn new(place: &Place, program: &str, output: &'o Output) -> Result<Self, CliError> {
        let search = place
            .environment
            .get("PATH")
            .map(OsString::from)
            .unwrap_or_default();
        let found = resolve(program, SearchIn::Path(&search), &place.cwd)
            .map_err(|error| not_found(place, program, &error))?;
        let folder = tempfile::Builder::new()
            .prefix("hcpx-wrap-")
            .tempdir()
            .map_err(|e| {
                CliError::new(Code::Internal, format!("no empty folder can be made: {e}"))
            })?;
        let mut env = base_environment(std::env::vars_os(), &[], place.agent.inside);
        env.retain(|(name, _)| {
            let set = PLAIN.iter().any(|(plain, _)| name == plain);
            let left_out = LEFT_OUT.iter().any(|out| name == out);
            !set && !left_out && !name.to_string_lossy().starts_with("LC_")
        });
        env.extend(
            PLAIN
                .iter()
                .map(|(n, v)| (OsString::from(n), OsString::from(v))),
        );
        strays::adopt();
        Ok(Self {
            program: found,
            name: OsString::from(program),
            env,
            folder,
            begun: Instant::now(),
            runs: 0,
            output,
        })
    }
}

/// A program that cannot be run, and the way out: its whole path is what a person most often left out.
fn not_found(place: &Place, program: &str, error: &ProgramError) -> CliError {
    let told = CliError::new(Code::SpawnFailed, error.to_string());
    match error {
        ProgramError::Relative { .. } => {
            let whole = place.cwd.join(program);
            let whole = whole.canonicalize().unwrap_or(whole);
            told.hint(format!(
                "hcpx wrap {}",
                hcp_pack::shell_line(&[whole.to_string_lossy().into_owned()])
            ))
        }
        ProgramError::InWorkingDirectory { .. } => told.hint(
            "put it into a folder of your PATH, such as ~/.local/bin; the commands of a pack run it from there too",
        ),
        ProgramError::NotFound { .. }
        | ProgramError::Writable { .. }
        | ProgramError::NotExecutable { .. } => told,
    }
}

impl RunHelp for Runner<'_> {
    fn run(&mut self, words: &[String]) -> Answer {
        let left = ALL.saturating_sub(self.begun.elapsed());
        if left.is_zero() {
            return Answer::NoTimeLeft;
        }
        self.runs += 1;
        let shown = format!(
            "{} {}  ({})",
            self.name.to_string_lossy(),
            words.join(" "),
            self.runs
        );
        self.output.progress(&shown);
        let call = RenderedCall {
            program: self.program.path.clone(),
            argv0: self.name.clone(),
            words: words.to_vec(),
            env: self.env.clone(),
            cwd: self.folder.path().to_owned(),
            stdin: StdinSource::Closed,
            timeout: Some(RUN.min(left)),
            output: OutputMode::Capture { limit: OUTPUT },
        };
        let result = ProcessDriver::leaving_nothing().run_blocking(&call);
        strays::end();
        match result {
            RunResult::Exited(ended) => Answer::Said {
                cut: ended.stdout.truncated || ended.stderr.truncated,
                out: ended.stdout.bytes,
                err: ended.stderr.bytes,
            },
            RunResult::TimedOut(_) => Answer::TimedOut,
            RunResult::SpawnFailed { message } => Answer::Failed(message),
        }
    }
}
