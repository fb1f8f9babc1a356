//! The process table from `ps`, for systems without `/proc`. Environments of other processes stay unseen.

use super::{Environment, ProcessStatus, ProcessTable};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One look at the process table through `ps`.
#[derive(Debug, Clone, Default)]
pub struct PsTable {
    rows: HashMap<u32, (ProcessStatus, Vec<OsString>)>,
}

impl PsTable {
    /// Asks `ps` once. A table that cannot be had is empty.
    #[must_use]
    pub fn read() -> Self {
        let output = Command::new("/bin/ps")
            .args(["-A", "-ww", "-o", "pid=,ppid=,tty=,args="])
            .env_clear()
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        match output {
            Ok(output) => Self::parse(&String::from_utf8_lossy(&output.stdout)),
            Err(_) => Self::default(),
        }
    }

    fn parse(text: &str) -> Self {
        Self {
            rows: text.lines().filter_map(parse_row).collect(),
        }
    }
}

/// Words of a command line are told apart by blanks here, which suffices to find a program's name.
fn parse_row(line: &str) -> Option<(u32, (ProcessStatus, Vec<OsString>))> {
    let mut fields = line.split_ascii_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let terminal = !fields.next()?.starts_with(['?', '-']);
    let words: Vec<OsString> = fields.map(OsString::from).collect();
    let name = words
        .first()
        .and_then(|w| Path::new(w).file_name())
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let status = ProcessStatus {
        parent,
        name,
        terminal,
    };
    Some((pid, (status, words)))
}

impl ProcessTable for PsTable {
    fn this(&self) -> u32 {
        std::process::id()
    }

    fn status(&self, pid: u32) -> Option<ProcessStatus> {
        self.rows.get(&pid).map(|(status, _)| status.clone())
    }

    fn environment(&self, pid: u32) -> Option<Environment> {
        (pid == self.this()).then(Environment::current)
    }

    fn words(&self, pid: u32) -> Vec<OsString> {
        self.rows
            .get(&pid)
            .map(|(_, words)| words.clone())
            .unwrap_or_default()
    }

    fn program(&self, pid: u32) -> Option<PathBuf> {
        self.words(pid).into_iter().next().map(PathBuf::from)
    }

    fn folder(&self, pid: u32) -> Option<PathBuf> {
        (pid == self.this())
            .then(|| std::env::current_dir().ok())
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read() {
        let table = PsTable::parse(
            "    1     0 ?        /sbin/launchd\n  77     1 ttys001 -zsh\n  78 77 ttys001 node /opt/x/claude --resume\n broken\n",
        );
        assert_eq!(table.status(78).unwrap().parent, 77);
        assert_eq!(table.status(78).unwrap().name, "node");
        assert!(table.status(77).unwrap().terminal);
        assert!(!table.status(1).unwrap().terminal);
        assert_eq!(table.words(78)[1], "/opt/x/claude");
        assert!(table.environment(77).is_none());
        assert!(table.status(2).is_none());
    }
}
