//! Drivers: whatever really runs a command.
//!
//! A driver gets a call that was judged and rendered, runs it, and says how it ended. It decides
//! nothing: what may run was settled before. The driver of this crate is [`ProcessDriver`].

mod capture;
mod environment;
mod limits;
mod process;
mod signals;

pub use environment::base_environment;
pub use limits::{TooLong, check_length};
pub use process::ProcessDriver;

use crate::bindings::Whose;
use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

/// Runs rendered calls.
pub trait Driver: Send + Sync {
    /// Runs one call to its end. What went wrong is told in the result, too.
    fn run<'a>(
        &'a self,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>>;

    /// Asks who an account is: `call` is what the pack says prints it, and its standard output is the answer. Nothing
    /// that is left of it when its time is over may go on.
    ///
    /// The default runs it as any other call. A driver that knows by itself as whom a Principal's calls of a pack act
    /// answers with that, as if a program had printed it.
    fn identity<'a>(
        &'a self,
        whose: &'a Whose<'a>,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        let _ = whose;
        self.run(call)
    }

    /// Whether it runs programs of this machine: then the program is found, bound and run by its path. A driver
    /// that runs calls elsewhere gets the program's name as the pack writes it.
    fn runs_programs(&self) -> bool {
        true
    }
}

/// A call as it is run: nothing is expanded, looked up or added any more.
#[derive(Clone, PartialEq, Eq)]
pub struct RenderedCall {
    /// The program's file.
    pub program: PathBuf,
    /// The name that the program is called by.
    pub argv0: OsString,
    /// The words after the program's name.
    pub words: Vec<String>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub cwd: PathBuf,
    /// What the program reads.
    pub stdin: StdinSource,
    /// How long it may take; `None` for as long as it likes.
    pub timeout: Option<Duration>,
    /// Where its output goes.
    pub output: OutputMode,
}

impl std::fmt::Debug for RenderedCall {
    /// Words and variables are counted, not shown: they hold values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RenderedCall")
            .field("program", &self.program)
            .field("words", &self.words.len())
            .field("env", &self.env.len())
            .field("cwd", &self.cwd)
            .field("timeout", &self.timeout)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

/// What a program reads.
#[derive(Clone, PartialEq, Eq)]
pub enum StdinSource {
    /// Nothing: it is at its end at once.
    Closed,
    /// These bytes.
    Bytes(Vec<u8>),
}

impl std::fmt::Debug for StdinSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("Closed"),
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
        }
    }
}

/// Where a program's output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputMode {
    /// It is kept, at most so many bytes of each stream; all of it is counted.
    Capture {
        /// The most bytes that are kept of each stream.
        limit: usize,
    },
    /// It is passed on to this process's own streams as it comes, and counted.
    Stream,
    /// The program gets this process's terminal and streams: for a person's own tools.
    Inherit,
    /// The same, but what the program prints goes to this process's standard error: standard output stays this
    /// process's own.
    Aside,
}

/// What became of one output stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// What was kept.
    pub bytes: Vec<u8>,
    /// Whether there was more than was kept.
    pub truncated: bool,
    /// How many bytes there were.
    pub len: u64,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code, where it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Its output.
    pub stdout: Captured,
    /// Its messages.
    pub stderr: Captured,
    /// How long it took.
    pub duration: Duration,
}

impl Ended {
    /// The exit code as a shell gives it: 128 and the signal's number for a program that a signal ended.
    #[must_use]
    pub fn exit_code(&self) -> i32 {
        match (self.code, self.signal) {
            (Some(code), _) => code,
            (None, Some(signal)) => 128 + signal,
            (None, None) => 1,
        }
    }
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunResult {
    /// The program ended.
    Exited(Ended),
    /// It was never started.
    SpawnFailed {
        /// Why, in words, without any argument.
        message: String,
    },
    /// It took too long and was ended; the output is what came until then.
    TimedOut(Ended),
}
