//! Test-only: a home of its own for the real `hcpx`, and what the program answered.
//!
//! Nothing of the machine's own settings reaches the program: it gets a store, a home folder, a working
//! folder and a fixed environment that are thrown away with the [`World`].

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test's set-up that fails is a failed test"
)]

use hcp_core::json::{Limits, Value, parse};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Who starts the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// A person.
    Person,
    /// An agent: `HCP_AGENT=1`.
    Agent,
}

/// A machine's corner of its own.
#[derive(Debug)]
pub struct World {
    root: tempfile::TempDir,
    program: PathBuf,
}

impl World {
    /// An empty world for the program at `program`.
    ///
    /// # Panics
    /// When the folders cannot be made.
    #[must_use]
    pub fn new(program: &str) -> Self {
        let root = tempfile::Builder::new()
            .prefix("hcpx-test-")
            .tempdir()
            .expect("a folder");
        for folder in ["user", "work"] {
            std::fs::create_dir(root.path().join(folder)).expect("a folder");
        }
        Self {
            root,
            program: PathBuf::from(program),
        }
    }

    /// A world in which these bundled packs are installed.
    ///
    /// # Panics
    /// When one cannot be installed.
    #[must_use]
    pub fn with_packs(program: &str, packs: &[&str]) -> Self {
        let world = Self::new(program);
        for pack in packs {
            world.person(&["install", pack]).expect_code("ok");
        }
        world
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.root.path().join("store")
    }

    /// The working folder.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// The folder of everything.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The program, ready to be given words.
    #[must_use]
    pub fn command(&self, who: Who) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.path().join("user"))
            .env("HCP_HOME", self.store())
            .env("LANG", "C.UTF-8")
            .env("COLUMNS", "80")
            .stdin(Stdio::null())
            .current_dir(self.work());
        if who == Who::Agent {
            command.env("HCP_AGENT", "1");
        }
        command
    }

    /// Runs the program as a person.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn person(&self, words: &[&str]) -> Answer {
        Answer::of(
            words,
            self.command(Who::Person)
                .args(words)
                .output()
                .expect("the program starts"),
        )
    }

    /// Runs the program as an agent.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn agent(&self, words: &[&str]) -> Answer {
        Answer::of(
            words,
            self.command(Who::Agent)
                .args(words)
                .output()
                .expect("the program starts"),
        )
    }

    /// Writes a file below the root, with the folders above it.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.path().join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        std::fs::write(path, text).expect("a file");
    }

    /// Writes the person's settings.
    pub fn settings(&self, text: &str) {
        self.write("store/access.json", text);
    }
}

/// What the program answered.
#[derive(Debug)]
pub struct Answer {
    /// The words it was given.
    pub words: String,
    /// Its exit code.
    pub exit: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Answer {
    /// An answer from a process's output.
    #[must_use]
    pub fn of(words: &[&str], output: Output) -> Self {
        Self {
            words: words.join(" "),
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The answer as JSON: exactly one object.
    ///
    /// # Panics
    /// When it is not.
    #[must_use]
    pub fn json(&self) -> Value {
        match parse(
            &self.stdout,
            Limits {
                bytes: usize::MAX,
                depth: 256,
            },
        ) {
            Ok(node) => node.to_value(),
            Err(e) => panic!(
                "hcpx {} gave no JSON ({}):\n{}\n{}",
                self.words, e.message, self.stdout, self.stderr
            ),
        }
    }

    /// The result code.
    #[must_use]
    pub fn code(&self) -> String {
        self.text("code")
    }

    /// A text of the answer by its keys, `a.b.c`; empty where it is none.
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        self.value(path).as_str().unwrap_or_default().to_owned()
    }

    /// A value of the answer by its keys, `a.b.c` or `a.0.b`; null where there is none.
    #[must_use]
    pub fn value(&self, path: &str) -> Value {
        let mut value = self.json();
        for key in path.split('.') {
            let next = match key.parse::<usize>() {
                Ok(index) => value.as_array().and_then(|a| a.get(index)).cloned(),
                Err(_) => value.get(key).cloned(),
            };
            value = next.unwrap_or_default();
        }
        value
    }

    /// The same answer, if its code is this one.
    ///
    /// # Panics
    /// When it is another.
    #[must_use]
    pub fn with_code(self, code: &str) -> Self {
        assert_eq!(
            self.code(),
            code,
            "hcpx {}\n{}\n{}",
            self.words,
            self.stdout,
            self.stderr
        );
        self
    }

    /// Wants this code, and the exit code that belongs to it.
    ///
    /// # Panics
    /// When it is another.
    pub fn expect_code(&self, code: &str) {
        assert_eq!(
            self.code(),
            code,
            "hcpx {}\n{}\n{}",
            self.words,
            self.stdout,
            self.stderr
        );
        let known = hcp_core::code::Code::ALL
            .iter()
            .find(|c| c.as_str() == code);
        let exit = known.map_or(-1, |c| i32::from(c.exit()));
        assert_eq!(
            self.exit, exit,
            "hcpx {} ended with {}",
            self.words, self.exit
        );
    }
}
