//! What differs between operating systems, in one place: the process table, the account database, ignored signals.
//!
//! Linux answers from `/proc`. Elsewhere the process table comes from one call of `ps`, which shows parents,
//! terminals and command lines but no other process's environment: markers are then seen in this process's own
//! environment and as programs among its ancestors. It judges nothing; [`crate::agent`] does.

mod environment;
mod procfs;
mod ps;

pub use environment::Environment;
pub use procfs::ProcFs;
pub use ps::PsTable;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// What the process table says of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessStatus {
    /// The parent's id; 0 at the top.
    pub parent: u32,
    /// The short name of the program.
    pub name: String,
    /// Whether it has a controlling terminal.
    pub terminal: bool,
}

/// The processes of this machine, as far as they can be seen.
pub trait ProcessTable {
    /// The id of the process that asks.
    fn this(&self) -> u32;
    /// Parent, name and terminal; `None` when the process cannot be seen.
    fn status(&self, pid: u32) -> Option<ProcessStatus>;
    /// The environment that the process was started with; `None` when it cannot be read.
    fn environment(&self, pid: u32) -> Option<Environment>;
    /// Its command line, empty when it cannot be read.
    fn words(&self, pid: u32) -> Vec<OsString>;
    /// The file that it runs.
    fn program(&self, pid: u32) -> Option<PathBuf>;
    /// Its working directory.
    fn folder(&self, pid: u32) -> Option<PathBuf>;
}

/// The process table of this machine.
#[must_use]
pub fn process_table() -> Box<dyn ProcessTable> {
    if cfg!(target_os = "linux") {
        Box::new(ProcFs::default())
    } else {
        Box::new(PsTable::read())
    }
}

/// The file that standard input was redirected from, where the system tells it.
#[must_use]
pub fn behind_stdin() -> Option<PathBuf> {
    // A pipe has no path: the link then holds a word that is no absolute path.
    stdin_path().filter(|path| path.is_absolute())
}

#[cfg(target_os = "macos")]
fn stdin_path() -> Option<PathBuf> {
    let mut path = PathBuf::new();
    let asked = nix::fcntl::FcntlArg::F_GETPATH(&mut path);
    nix::fcntl::fcntl(std::io::stdin(), asked).ok()?;
    Some(path)
}

#[cfg(not(target_os = "macos"))]
fn stdin_path() -> Option<PathBuf> {
    std::fs::read_link("/proc/self/fd/0").ok()
}

/// An entry of the account database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The user's number.
    pub uid: u32,
    /// The user's name; the number in digits where the database has no entry.
    pub name: String,
    /// The user's home folder, where the database has an entry.
    pub home: Option<PathBuf>,
}

impl Account {
    /// The account of this process's effective user.
    #[must_use]
    pub fn current() -> Self {
        let uid = nix::unistd::Uid::effective();
        let entry = nix::unistd::User::from_uid(uid).ok().flatten();
        let (name, home) = entry.map_or((None, None), |e| (Some(e.name), Some(e.dir)));
        Self {
            uid: uid.as_raw(),
            name: name.unwrap_or_else(|| uid.to_string()),
            home: home.filter(|h| h.is_absolute()),
        }
    }
}

/// The signals that this process was told to ignore when it started (as `nohup` does), as a bit mask
/// with signal 1 in the lowest bit; 0 where the system does not say.
#[must_use]
pub fn ignored_signals() -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return 0;
    };
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok())
        .unwrap_or(0)
}

/// Makes a write beyond a limit on the size of files fail like any other, where the system would end the
/// process in the middle of its work. What this process starts is not concerned.
pub fn outlive_file_limits() {
    let signal = nix::libc::SIGXFSZ;
    if ignored_signals() & (1 << (signal - 1)) == 0 {
        // Where it cannot be heard the limit goes on ending the process: nothing is written then either.
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
}

/// Throws away what was typed and not read yet, so that it cannot answer a question asked after it.
pub fn discard_typed() {
    // Where standard input is no terminal there is nothing typed.
    let _ = nix::sys::termios::tcflush(std::io::stdin(), nix::sys::termios::FlushArg::TCIFLUSH);
}
