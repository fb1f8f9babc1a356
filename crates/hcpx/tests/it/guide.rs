//! The guide to a first pack, done word by word in a fresh home.

use crate::HCPX;
use hcp_testkit::{Who, World};
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;

const GUIDE: &str = include_str!("../../../../docs/guides/first-pack.md");

/// What the reader does.
#[derive(Debug)]
enum Step {
    /// Types these lines into a shell.
    Shell(String),
    /// Writes a file.
    Write(String, String),
    /// Types a command, and sees this.
    See(String, String),
}

/// The steps of a page, from its blocks of code.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut file = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("<!-- file: ") {
            file = Some(path.strip_suffix(" -->").unwrap().to_owned());
        }
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = inside.iter().map(|line| format!("{line}\n")).collect();
        steps.push(match (file.take(), language) {
            (Some(path), _) => Step::Write(path, text),
            (None, "sh") => Step::Shell(text),
            (None, "console") => {
                let command = inside[0].strip_prefix("$ ").unwrap().to_owned();
                Step::See(command, inside[1..].join("\n"))
            }
            (None, other) => panic!("nobody is told what to do with a block of {other:?}"),
        });
    }
    steps
}

struct Reader {
    world: World,
    ids: Regex,
    clock: Regex,
    /// An id as the page writes it, and as it really is.
    known: Vec<(String, String)>,
}

impl Reader {
    fn new() -> Self {
        Self {
            world: World::new(HCPX),
            ids: Regex::new(r"\b[0-9a-f]{8}\b").unwrap(),
            clock: Regex::new(r"\b[0-9]{2}:[0-9]{2}\b").unwrap(),
            known: Vec::new(),
        }
    }

    fn home(&self) -> PathBuf {
        self.world.root().join("user").canonicalize().unwrap()
    }

    fn path(&self, named: &str) -> PathBuf {
        match named.strip_prefix("~/") {
            Some(below) => self.home().join(below),
            None => self.world.work().join(named),
        }
    }

    /// A shell with what the reader has: the tool's folder and hcpx on the path.
    fn shell(&self, line: &str) -> Command {
        let home = self.home();
        let path = format!(
            "{}:{}:{}",
            home.join(".local/bin").display(),
            Path::new(HCPX).parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let hcpx = self.world.command(Who::Person);
        let mut shell = Command::new("sh");
        shell.env_clear();
        shell.envs(hcpx.get_envs().filter_map(|(k, v)| Some((k, v?))));
        shell.env("PATH", path).env("HOME", &home);
        shell.args(["-c", &format!("umask 022\n{line}")]);
        shell.current_dir(self.world.work());
        shell
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Shell(lines) => {
                let done = self.shell(&format!("set -e\n{lines}")).status().unwrap();
                assert!(done.success(), "{lines}");
            }
            // The folder must be there: the page has its reader make it.
            Step::Write(path, text) => std::fs::write(self.path(&path), text).unwrap(),
            Step::See(command, wanted) => self.see(&command, &wanted),
        }
    }

    fn see(&mut self, command: &str, wanted: &str) {
        let words = command.strip_prefix("hcpx ").unwrap();
        let words = self
            .known
            .iter()
            .fold(words.to_owned(), |words, (id, real)| {
                words.replace(id, real)
            });
        let output = self
            .shell(&format!("exec 2>&1; hcpx --text {words} < /dev/null"))
            .output()
            .unwrap();
        let seen = String::from_utf8(output.stdout).unwrap();
        assert_eq!(self.plain(&seen), self.plain(wanted), "$ {command}");
        let ids = |text: &str| -> Vec<String> {
            let found = self.ids.find_iter(text);
            found.map(|id| id.as_str().to_owned()).collect()
        };
        let pairs: Vec<(String, String)> = ids(wanted).into_iter().zip(ids(&seen)).collect();
        self.known.extend(pairs);
    }

    /// A text without what differs from run to run.
    fn plain(&self, text: &str) -> String {
        let text = text.replace(&*self.home().to_string_lossy(), "~");
        let text = self.ids.replace_all(&text, "ID");
        self.clock.replace_all(&text, "TIME").trim_end().to_owned()
    }
}

#[test]
fn the_first_pack_guide_works_as_written() {
    let mut reader = Reader::new();
    let steps = steps(GUIDE);
    assert!(steps.len() > 15, "{}", steps.len());
    for step in steps {
        reader.take(step);
    }
    // What the story says has come about.
    let tasks = std::fs::read_to_string(reader.path("~/todo.txt")).unwrap();
    assert_eq!(tasks, "");
    assert!(!reader.path("~/hall.txt").exists());
}
