//! The real binary in a throw-away home, on a terminal of its own: what it prints there is what a
//! person sees.

use crate::tools::{self, Result};
use nix::pty::{Winsize, openpty};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest that one command may take.
const PATIENCE: Duration = Duration::from_secs(120);
const COLUMNS: u16 = 80;

/// How `hcpx` is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// As the tests build it.
    Dev,
    /// As it is shipped.
    Release,
}

/// Builds `hcpx` and gives its path.
pub(crate) fn build(build: Build) -> Result<PathBuf> {
    let mut command = tools::cargo(&[
        "build",
        "--quiet",
        "--package=hcpx",
        "--message-format=json-render-diagnostics",
    ]);
    match build {
        Build::Dev => {}
        Build::Release => {
            command.arg("--release");
        }
    }
    let messages = tools::output(&mut command)?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| {
            message
                .get("executable")
                .and_then(|path| path.as_str())
                .map(PathBuf::from)
        })
        .next_back()
        .ok_or_else(|| "cargo built no hcpx".into())
}

/// A home that nobody else uses, gone when dropped.
pub(crate) struct Home {
    folder: TempDir,
    hcpx: PathBuf,
}

/// What a command printed and how it ended.
pub(crate) struct Shown {
    /// The text as it stood on the terminal, line ends made plain.
    pub(crate) text: String,
    /// How it ended.
    pub(crate) status: ExitStatus,
}

impl Home {
    /// A fresh, empty home for this binary.
    pub(crate) fn new(hcpx: &Path) -> Result<Self> {
        let hcpx = hcpx
            .canonicalize()
            .map_err(|e| format!("cannot find {}: {e}", hcpx.display()))?;
        let folder = tempfile::Builder::new().prefix("hcpx-").tempdir()?;
        std::fs::create_dir(folder.path().join("work"))?;
        Ok(Self { folder, hcpx })
    }

    /// The folder that `HOME` names.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs `hcpx` with these words on a terminal 80 columns wide, without input.
    pub(crate) fn run(&self, words: &[String]) -> Result<Shown> {
        let size = Winsize {
            ws_row: 50,
            ws_col: COLUMNS,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let terminal = openpty(Some(&size), None)?;
        let mut command = self.command(words);
        command
            .stdin(Stdio::null())
            .stdout(terminal.slave.try_clone()?)
            .stderr(terminal.slave);
        let child = command.spawn();
        // The terminal ends for the reader when no process holds its other side any more.
        drop(command);
        let reader = std::thread::spawn(move || read_all(File::from(terminal.master)));
        let status = wait(child?, words)?;
        let bytes = reader
            .join()
            .map_err(|_| "the reader of the terminal failed")?;
        let text = String::from_utf8(bytes)?.replace("\r\n", "\n");
        Ok(Shown { text, status })
    }

    /// Runs `hcpx` with these words as a program would, and gives its standard output.
    pub(crate) fn capture(&self, words: &[&str]) -> Result<String> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        tools::output(&mut self.command(&words))
    }

    fn command(&self, words: &[String]) -> Command {
        let mut path = self.path().join(".local/bin").into_os_string();
        path.push(":");
        path.push(self.hcpx.parent().unwrap_or(Path::new("/")));
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin")));
        let mut command = Command::new(&self.hcpx);
        command
            .args(words)
            .current_dir(self.path().join("work"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.path())
            .env("HCP_HOME", self.path().join(".hcp"))
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("COLUMNS", COLUMNS.to_string());
        command
    }
}

fn read_all(mut terminal: File) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Linux reports the end of a terminal as an error; what came before it is whole.
    let _ = terminal.read_to_end(&mut bytes);
    bytes
}

fn wait(mut child: Child, words: &[String]) -> Result<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Err(format!(
                "hcpx {} did not end within {} s",
                words.join(" "),
                PATIENCE.as_secs()
            )
            .into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
