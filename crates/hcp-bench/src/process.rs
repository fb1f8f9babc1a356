//! `hcpx exec` of an allowed read, as a process, against starting the same tool directly.

use crate::Result;
use crate::measure::{Runner, by_turns};
use crate::report::{Section, ratio, time};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The most that `hcpx exec` may add to the tool's own time.
const ADDED_MS: f64 = 3.0;
/// How much faster than starting an interpreter it must be.
const INTERPRETER: f64 = 5.0;

/// A home with one pack, `probe`, whose command `run` is a read that runs the program `true`.
pub struct Home {
    folder: TempDir,
    hcpx: PathBuf,
}

impl Home {
    pub fn new(hcpx: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let pack = folder.path().join("probe");
        std::fs::create_dir(&pack)?;
        let write = |name: &str, value: serde_json::Value| {
            std::fs::write(pack.join(name), value.to_string())
        };
        write(
            "pack.json",
            serde_json::json!({ "id": "probe", "name": "Probe", "version": "1.0.0",
                "summary": "A program that does nothing." }),
        )?;
        write(
            "surface.json",
            serde_json::json!({ "commands": { "run": { "description": "Do nothing.", "cli": ["true"] } } }),
        )?;
        write(
            "policy.json",
            serde_json::json!({ "commands": { "run": { "operation": "read" } } }),
        )?;
        let hcpx = hcpx.to_path_buf();
        let home = Self { folder, hcpx };
        let mut install = home.command(&["install"]);
        install.arg(&pack);
        let out = install.stdin(Stdio::null()).output()?;
        if !out.status.success() {
            return Err(format!(
                "hcpx install ended with {}: {}{}",
                out.status,
                String::from_utf8_lossy(&out.stdout),
                String::from_utf8_lossy(&out.stderr)
            )
            .into());
        }
        Ok(home)
    }

    /// The folder of the store.
    pub fn store(&self) -> PathBuf {
        self.folder.path().join(".hcp")
    }

    /// `hcpx` with these words, in this home.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.hcpx);
        command.args(words).current_dir(self.folder.path());
        command
            .env("HOME", self.folder.path())
            .env("HCP_HOME", self.store());
        command
    }
}

pub fn measure(hcpx: &Path, quick: bool) -> Result<Vec<Section>> {
    let home = Home::new(hcpx)?;
    let mut runners = vec![
        Runner {
            name: "true".to_owned(),
            make: Box::new(|| Command::new("true")),
        },
        Runner {
            name: "hcpx exec probe run".to_owned(),
            make: Box::new(move || home.command(&["exec", "probe", "run"])),
        },
    ];
    for (program, words, itself) in [
        ("python3", ["-c", "0"], "import sys; print(sys.executable)"),
        ("node", ["-e", "0"], "console.log(process.execPath)"),
    ] {
        let [option, nothing] = words;
        if let Some(path) = real_program(program, option, itself) {
            runners.push(Runner {
                name: format!("{program} {option} {nothing}"),
                make: Box::new(move || {
                    let mut command = Command::new(&path);
                    command.args(words);
                    command
                }),
            });
        }
    }
    let times = by_turns(&runners, if quick { 20 } else { 400 })?;
    let (Some(&tool), Some(&ours)) = (times.first(), times.get(1)) else {
        return Err("nothing was measured".into());
    };
    let added = (ours.as_secs_f64() - tool.as_secs_f64()) * 1e3;
    let rows = runners
        .iter()
        .zip(&times)
        .enumerate()
        .map(|(number, (runner, taken))| {
            let verdict = match number {
                0 => String::new(),
                1 => format!(
                    "{added:+.2} ms (at most {ADDED_MS} ms: {})",
                    if added <= ADDED_MS { "met" } else { "missed" }
                ),
                _ => crate::report::at_least(ratio(*taken, ours), INTERPRETER),
            };
            vec![
                format!("`{}`", runner.name),
                time(*taken),
                format!("{:.2}×", ratio(*taken, tool)),
                verdict,
            ]
        })
        .collect();
    Ok(vec![Section {
        title: "An allowed read, as a process".to_owned(),
        text: "The median from start to end of each process, started by turns. The read is recorded in the \
               audit log; `true` does nothing. The last column says how much `hcpx` adds to it, and how much \
               longer an interpreter takes to start."
            .to_owned(),
        columns: vec!["process", "time", "÷ `true`", "target"],
        rows,
    }])
}

/// The interpreter's own file, as it names itself: the name in PATH may be a script that looks for it, and
/// would make the peer slower than it is.
fn real_program(program: &str, option: &str, itself: &str) -> Option<PathBuf> {
    let out = Command::new(program)
        .args([option, itself])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|out| out.status.success())?;
    let path = PathBuf::from(String::from_utf8(out.stdout).ok()?.trim());
    path.is_file().then_some(path)
}
