//! Where a command line hands a text to a program that runs it as code.

use crate::subject::Entry;
use hcp_core::json::{Span, Value};
use hcp_core::text::safe;
use hcp_pack::Template;

const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "pwsh",
    "powershell",
    "cmd",
    "busybox",
];
const INTERPRETERS: &[&str] = &[
    "python",
    "python3",
    "node",
    "perl",
    "ruby",
    "php",
    "lua",
    "deno",
    "osascript",
];

/// A text that is run as code.
pub(super) struct Script<'a> {
    /// The program that runs it.
    pub(super) program: String,
    pub(super) word: &'a Template,
    pub(super) span: Span,
    /// Whether the program is a shell.
    pub(super) shell: bool,
}

impl Script<'_> {
    /// Whether a value stands in it that is not itself declared to be a command.
    pub(super) fn takes_value(&self, entry: &Entry<'_>) -> bool {
        self.word.names().any(|name| {
            let declared = entry
                .command
                .argument(name)
                .and_then(|a| a.schema.get("x-command"));
            self.word.alone().is_none() || declared.and_then(Value::as_str).is_none()
        })
    }
}

/// The first script of a command line.
pub(super) fn script<'a>(entry: &Entry<'a>) -> Option<Script<'a>> {
    let words: Vec<(&Template, Span)> = entry.words().collect();
    let mut program: Option<(&str, bool)> = None;
    for (at, (word, _)) in words.iter().enumerate() {
        let Some(text) = word.literal() else {
            continue;
        };
        let name = text.rsplit('/').next().unwrap_or_default();
        if SHELLS.contains(&name) || INTERPRETERS.contains(&name) {
            program = Some((name, SHELLS.contains(&name)));
            continue;
        }
        let Some((name, shell)) = program else {
            continue;
        };
        if takes_code(text, shell) {
            let (word, span) = words.get(at + 1)?;
            return Some(Script {
                program: format!("{name} {}", safe(text)),
                word,
                span: *span,
                shell,
            });
        }
    }
    None
}

/// Whether an option says that the next word is code: `-c`, `-lc`, `-e`.
fn takes_code(option: &str, shell: bool) -> bool {
    if matches!(
        option,
        "/c" | "/C" | "-Command" | "--command" | "--eval" | "-e" | "-r" | "-p"
    ) {
        return !shell || !matches!(option, "-e" | "-r" | "-p");
    }
    option.strip_prefix('-').is_some_and(|letters| {
        letters.len() < 6 && letters.ends_with('c') && !letters.starts_with('-')
    })
}
