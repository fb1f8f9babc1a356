//! Beside a real reader of command lines: what is fully read here is read the same by git's own option parser
//! (`git rev-parse --parseopt`), which most tools in C read like.

use crate::support::command;
use hcp_core::canonical;
use hcp_core::json::{Object, Value};
use hcp_pack::Command;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{self, Stdio};

/// The options as git's parser wants them told.
const SPEC: &str = "go [options]\n--\nt,to=x t\nm,msg=x m\nf,force f\nn,count=x n\nd,dry-run d\n\n";

const ARGS: &str = r#""args": {"properties": {
    "to": {"type": "string"},
    "msg": {"type": "array", "items": {"type": "string"}},
    "force": {"type": "boolean"},
    "count": {"type": "integer"},
    "dry_run": {"type": "boolean"},
    "words": {"type": "array", "items": {"type": "string"}}}}"#;

/// The same options in templates of several forms.
const TEMPLATES: [&str; 4] = [
    r#"["go", "--to|-t", "{{to}}", "--msg|-m", "{{msg}}", "-f|--force", "{{force}}", "--count|-n", "{{count}}", "--dry-run|-d", "{{dry_run}}", "--", "{{words}}"]"#,
    r#"["go", "-t|--to", "{{to}}", "-m|--msg", "{{msg}}", "--force|-f", "{{force}}", "-n|--count", "{{count}}", "-d|--dry-run", "{{dry_run}}", "{{words}}"]"#,
    r#"["go", "-t{{to}}", "--msg|-m", "{{msg}}", "--force|-f", "{{force}}", "--count={{count}}", "--dry-run|-d", "{{dry_run}}", "--", "{{words}}"]"#,
    r#"["go", "--to|-t", "{{to}}", "{{words}}", "-m|--msg", "{{msg}}", "--force|-f", "{{force}}", "--dry-run|-d", "{{dry_run}}", "--count|-n", "{{count}}"]"#,
];

/// Words from which lines are made: options in every form, their values, and what is neither.
const WORDS: [&str; 44] = [
    "-t",
    "-tana",
    "-t=ana",
    "--to",
    "--to=ana",
    "--to=",
    "-t-",
    "-m",
    "-mtext",
    "-mf",
    "--msg",
    "--msg=-x",
    "-f",
    "--force",
    "--no-force",
    "--force=true",
    "--fo",
    "-n",
    "-n3",
    "-n-3",
    "--count",
    "--count=3",
    "--count=007",
    "-d",
    "--dry-run",
    "--dry_run",
    "--no-dry-run",
    "-fd",
    "-fdm",
    "-fmx",
    "-ftana",
    "-df3",
    "-fz",
    "--",
    "--",
    "-",
    "a",
    "b",
    "3",
    "-3",
    "",
    "to=x",
    "f",
    "--no-to",
];

/// What a reader made of a line: each option with its values, and the bare words.
type Read = BTreeMap<String, Vec<String>>;

fn by_git(line: &[&str]) -> Option<Read> {
    let mut git = process::Command::new("git")
        .args(["rev-parse", "--parseopt", "--"])
        .args(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    git.stdin
        .take()
        .unwrap()
        .write_all(SPEC.as_bytes())
        .unwrap();
    let ended = git.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    let said = said
        .trim()
        .strip_prefix("set -- ")
        .filter(|_| ended.status.success())?;
    let mut words = said
        .split(' ')
        .map(|word| word.trim_matches('\'').to_owned());
    let mut read = Read::new();
    while let Some(option) = words.next().filter(|word| word != "--") {
        let (name, value) = match option.as_str() {
            "-t" => ("to", words.next().unwrap()),
            "-m" => ("msg", words.next().unwrap()),
            "-n" => ("count", words.next().unwrap()),
            "-f" => ("force", "true".to_owned()),
            "-d" => ("dry_run", "true".to_owned()),
            "--no-force" => ("force", "false".to_owned()),
            "--no-dry-run" => ("dry_run", "false".to_owned()),
            other => (other, String::new()),
        };
        read.entry(name.to_owned()).or_default().push(value);
    }
    let bare: Vec<String> = words.collect();
    if !bare.is_empty() {
        read.insert("words".to_owned(), bare);
    }
    Some(read)
}

fn by_us(args: &Object) -> Read {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| canonical::encode(value), str::to_owned)
    };
    let texts = |value: &Value| match value {
        Value::Array(items) => items.iter().map(text).collect(),
        other => vec![text(other)],
    };
    args.iter()
        .map(|(name, value)| (name.to_owned(), texts(value)))
        .collect()
}

fn commands() -> Vec<Command> {
    let all = TEMPLATES.iter();
    all.map(|cli| command(&format!(r#""cli": {cli}, {ARGS}"#)))
        .collect()
}

#[test]
fn what_is_fully_read_is_what_git_reads() {
    let commands = commands();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(300));
    let line = prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6);
    runner
        .run(&line, |line| {
            let words: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            let read = commands.iter().map(|command| command.read_argv(&words));
            let whole: Vec<_> = read.filter(|argv| argv.reading.fully_read).collect();
            if whole.is_empty() {
                return Ok(());
            }
            // A line that git refuses does nothing, however it is read.
            let Some(git) = by_git(&line) else {
                return Ok(());
            };
            for argv in whole {
                prop_assert_eq!(by_us(&argv.args), git.clone(), "{:?}", line);
            }
            Ok(())
        })
        .unwrap();
}
