//! The process table from `/proc`.

use super::{Environment, ProcessStatus, ProcessTable};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Linux's process table.
#[derive(Debug, Clone)]
pub struct ProcFs {
    root: PathBuf,
}

impl Default for ProcFs {
    fn default() -> Self {
        Self {
            root: PathBuf::from("/proc"),
        }
    }
}

impl ProcFs {
    fn file(&self, pid: u32, name: &str) -> PathBuf {
        self.root.join(pid.to_string()).join(name)
    }
}

impl ProcessTable for ProcFs {
    fn this(&self) -> u32 {
        std::process::id()
    }

    fn status(&self, pid: u32) -> Option<ProcessStatus> {
        parse_stat(&read(&self.file(pid, "stat")).ok()?)
    }

    fn environment(&self, pid: u32) -> Option<Environment> {
        let block = read(&self.file(pid, "environ")).ok()?;
        Some(Environment::from_block(block))
    }

    fn words(&self, pid: u32) -> Vec<OsString> {
        let Ok(mut block) = read(&self.file(pid, "cmdline")) else {
            return Vec::new();
        };
        if block.last() == Some(&0) {
            block.pop();
        }
        block
            .split(|b| *b == 0)
            .map(|word| OsString::from_vec(word.to_vec()))
            .collect()
    }

    fn program(&self, pid: u32) -> Option<PathBuf> {
        std::fs::read_link(self.file(pid, "exe")).ok()
    }

    fn folder(&self, pid: u32) -> Option<PathBuf> {
        std::fs::read_link(self.file(pid, "cwd")).ok()
    }
}

/// Reads a whole file of `/proc`. These have no size to ask for, and each read costs much, so it begins with a
/// block in which most fit.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = vec![0; 16 << 10];
    let mut filled = 0;
    loop {
        if filled == bytes.len() {
            bytes.resize(2 * filled, 0);
        }
        let room = bytes.get_mut(filled..).unwrap_or_default();
        match file.read(room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Reads `PID (NAME) STATE PPID PGRP SESSION TTY …`. The name may hold anything, brackets too, so the
/// last closing one ends it.
fn parse_stat(stat: &[u8]) -> Option<ProcessStatus> {
    let open = stat.iter().position(|b| *b == b'(')?;
    let close = stat.iter().rposition(|b| *b == b')')?;
    let name = String::from_utf8_lossy(stat.get(open + 1..close)?).into_owned();
    let rest = std::str::from_utf8(stat.get(close + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace().skip(1);
    let parent = fields.next()?.parse().ok()?;
    let terminal: i64 = fields.nth(2)?.parse().ok()?;
    Some(ProcessStatus {
        parent,
        name,
        terminal: terminal != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_the_fields_after_it() {
        let status = parse_stat(b"12 (a) S 1 (b) R 7 7 7 34816 9 0").unwrap();
        assert_eq!(status.parent, 7);
        assert_eq!(status.name, "a) S 1 (b");
        assert!(status.terminal);
        assert!(!parse_stat(b"12 (sh) S 1 1 1 0 -1").unwrap().terminal);
        assert_eq!(parse_stat(b"12 (sh"), None);
        assert_eq!(parse_stat(b""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_sees_itself() {
        let table = ProcFs::default();
        let this = table.this();
        assert!(table.status(this).unwrap().parent > 0);
        assert!(table.environment(this).is_some());
        assert!(!table.words(this).is_empty());
        assert_eq!(table.program(this), std::env::current_exe().ok());
        assert_eq!(table.folder(this), std::env::current_dir().ok());
    }
}
