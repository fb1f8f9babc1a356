//! Which known agent's program a process runs, told from its file and command line.

use super::data::{INTERPRETERS, OPTIONS_WITH_VALUE, PROGRAMS, ProgramMark};
use crate::platform::ProcessTable;
use std::ffi::OsString;
use std::path::Path;

/// No script stands further behind its interpreter than this.
const WORDS_LOOKED_AT: usize = 24;

/// The known agent whose program this is.
pub(super) fn program_mark(table: &dyn ProcessTable, pid: u32) -> Option<&'static str> {
    let words = table.words(pid);
    let file = table.program(pid);
    let file = file
        .as_deref()
        .map(|p| base(&p.to_string_lossy()))
        .unwrap_or_default();
    let first = words
        .first()
        .map(|w| base(&w.to_string_lossy()))
        .unwrap_or_default();
    let mut rest = words.iter().skip(1).map(|w| w.to_string_lossy());
    let next = rest.find(|w| !w.starts_with('-'));
    if let Some(mark) = [&file, &first]
        .iter()
        .find_map(|name| named(name, next.as_deref()))
    {
        return Some(mark.name);
    }
    if !is_interpreter(&file) && !is_interpreter(&first) {
        return None;
    }
    let (script, after) = script(&words)?;
    let mark = named(&base(&script), after.as_deref()).or_else(|| packaged(&script));
    mark.map(|mark| mark.name)
}

fn named(name: &str, next: Option<&str>) -> Option<&'static ProgramMark> {
    PROGRAMS.iter().find(|mark| {
        mark.name == name
            && mark
                .first_word
                .is_none_or(|wanted| next.is_some_and(|word| word == wanted))
    })
}

fn packaged(script: &str) -> Option<&'static ProgramMark> {
    PROGRAMS.iter().find(|mark| {
        mark.package
            .is_some_and(|part| script.starts_with(part) || script.contains(&format!("/{part}")))
    })
}

/// A file's name without its folder, a login shell's dash, a script's ending and a deleted file's mark.
fn base(path: &str) -> String {
    let path = path.strip_suffix(" (deleted)").unwrap_or(path);
    let name = Path::new(path)
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let name = name.strip_prefix('-').unwrap_or(&name);
    [".js", ".mjs", ".cjs", ".ts", ".py", ".rb", ".sh", ".exe"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
        .to_owned()
}

/// `python3.12` is `python3`.
fn is_interpreter(name: &str) -> bool {
    let plain = name.split_once('.').map_or(name, |(before, _)| before);
    INTERPRETERS.contains(&plain)
}

/// The script (or the module after `-m`) that an interpreter was given, and the word after it.
fn script(words: &[OsString]) -> Option<(String, Option<String>)> {
    let mut rest = words
        .iter()
        .skip(1)
        .take(WORDS_LOOKED_AT)
        .map(|w| w.to_string_lossy().into_owned());
    while let Some(word) = rest.next() {
        if word == "-c" || word == "-e" || word == "--eval" {
            return None;
        }
        if OPTIONS_WITH_VALUE.contains(&word.as_str()) {
            rest.next();
        } else if !is_passed_over(&word) {
            return Some((word, rest.next()));
        }
    }
    None
}

/// Options, variables before `env`'s program, and the words by which runners say "run this".
fn is_passed_over(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1
        || (word.contains('=') && !word.starts_with('/'))
        || ["run", "x", "exec", "tool"].contains(&word)
        || is_interpreter(&base(word))
}
