//! The command line on the card: whole words, broken so that it can be pasted.

use super::long;
use hcp_core::text::{safe, units, width};

/// The most units of a word that are shown whole.
const LONG_WORD: long::Limit = long::Limit {
    most: 1_000,
    start: 250,
    end: 125,
};

/// The command line in lines that fit: broken between words, as a shell reads it when it is pasted. A word
/// that is too long goes on under a `›`, so that no part of a value ever begins a line of the terminal.
pub(super) fn cli_lines(cli: &str, columns: usize) -> Vec<String> {
    // A line that was quoted for a shell holds nothing that safe text would show otherwise.
    let cli = safe(cli);
    let cli = cli.as_str();
    let words: Vec<String> = shell_words(cli).into_iter().map(shortened).collect();
    let whole = format!("  $ {}", words.join(" "));
    if width(&whole) <= columns {
        return vec![whole];
    }
    let room = columns.saturating_sub(" \\".len());
    let mut lines = Vec::new();
    let mut current = "  $ ".to_owned();
    let mut used = width(&current);
    let mut begun = false;
    for word in &words {
        if begun && used + 1 + width(word) > room {
            lines.push(format!("{current} \\"));
            current = "    ".to_owned();
            used = width(&current);
        } else if begun {
            current.push(' ');
            used += 1;
        }
        for part in parts(word) {
            let wide = width(&part);
            if used + wide > room {
                lines.push(std::mem::replace(&mut current, "  › ".to_owned()));
                used = width(&current);
            }
            current.push_str(&part);
            used += wide;
        }
        begun = true;
    }
    lines.push(current);
    lines
}

/// The parts of a word that stay whole: its units, and a shell's own escape of a byte.
fn parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for unit in units(word) {
        let goes_on = |part: &String| match part.as_bytes() {
            [b'\\'] => unit.text == "x",
            [b'\\', b'x'] | [b'\\', b'x', _] => {
                unit.text.bytes().all(|byte| byte.is_ascii_hexdigit())
            }
            _ => false,
        };
        match parts.last_mut().filter(|part| goes_on(part)) {
            Some(part) => part.push_str(unit.text),
            None => parts.push(unit.text.to_owned()),
        }
    }
    parts
}

/// The words of a line that was quoted for a shell, still quoted.
pub(super) fn shell_words(cli: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum In {
        Plain,
        Single,
        Dollar,
    }
    let (mut state, mut escaped, mut start, mut words) = (In::Plain, false, 0, Vec::new());
    let mut before = ' ';
    for (at, c) in cli.char_indices() {
        match state {
            In::Plain if escaped => escaped = false,
            In::Plain if c == '\\' => escaped = true,
            In::Plain if c == '\'' && before == '$' => state = In::Dollar,
            In::Plain if c == '\'' => state = In::Single,
            In::Plain if c == ' ' => {
                words.extend(cli.get(start..at));
                start = at + 1;
            }
            In::Dollar if escaped => escaped = false,
            In::Dollar if c == '\\' => escaped = true,
            In::Single | In::Dollar if c == '\'' => state = In::Plain,
            In::Plain | In::Single | In::Dollar => {}
        }
        before = c;
    }
    words.extend(cli.get(start..));
    words
}

/// A word of the command line; a very long one shows its two ends and how much lies between.
fn shortened(word: &str) -> String {
    match long::cut(word, LONG_WORD) {
        None => word.to_owned(),
        Some(cut) => format!("{}…{}…{}", cut.start, cut.note("characters"), cut.end),
    }
}
