//! A bundled pack against the help of the installed program: each command is there, and so is each option it writes.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// How many help pages are asked for at once.
const AT_ONCE: usize = 4;

/// The options that a pack writes, by a command's own words.
type Options = BTreeMap<Vec<String>, BTreeSet<String>>;

/// What the program's help lacks of what the pack says, in words.
///
/// `passed_over` tells of own words that this build or version of the program does not have, and `newer` of an option
/// that came later.
pub(super) fn lacks(
    program: &Path,
    pack: &str,
    passed_over: impl Fn(&[String]) -> bool,
    newer: &[&str],
) -> Vec<String> {
    let mut wanted: Vec<_> = options(pack).into_iter().collect();
    wanted.retain(|(own, _)| !passed_over(own));
    assert!(!wanted.is_empty(), "{pack} has no commands here");
    let part = wanted.len().div_ceil(AT_ONCE);
    std::thread::scope(|scope| {
        let parts: Vec<_> = wanted
            .chunks(part)
            .map(|some| {
                scope.spawn(move || {
                    some.iter()
                        .flat_map(|w| lack(program, w, newer))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    })
}

fn lack(
    program: &Path,
    (own, options): &(Vec<String>, BTreeSet<String>),
    newer: &[&str],
) -> Vec<String> {
    let Some(help) = help(program, own) else {
        return vec![format!("{own:?} is no command")];
    };
    let known: BTreeSet<&str> = help
        .split(|c: char| c.is_whitespace() || "[]=,|/".contains(c))
        .collect();
    options
        .iter()
        .filter(|option| !known.contains(option.as_str()) && !newer.contains(&option.as_str()))
        .map(|option| format!("{own:?} has no option {option}"))
        .collect()
}

/// The help of a command, where the program knows the command.
pub(super) fn help(program: &Path, own: &[String]) -> Option<String> {
    let answer = Command::new(program)
        .args(own)
        .arg("--help")
        .env("COLUMNS", "200")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    answer
        .status
        .success()
        .then(|| String::from_utf8(answer.stdout).unwrap())
}

fn options(pack: &str) -> Options {
    let bundled = hcp::packs::bundled().iter().find(|p| p.id == pack).unwrap();
    let surface: Value = serde_json::from_str(bundled.surface).unwrap();
    let mut found = Options::new();
    for command in surface["commands"].as_object().unwrap().values() {
        let words: Vec<&str> = command["cli"]
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w.as_str().unwrap())
            .collect();
        let plain = |word: &&&str| !word.starts_with('-') && !word.contains("{{");
        let own = words
            .iter()
            .skip(1)
            .take_while(plain)
            .map(|w| (*w).to_owned())
            .collect();
        let written = words
            .iter()
            .filter(|word| word.starts_with('-') && **word != "--")
            .flat_map(|word| word.split('=').next().unwrap_or_default().split('|'))
            .map(str::to_owned);
        found.entry(own).or_default().extend(written);
    }
    found
}
