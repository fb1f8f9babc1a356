//! The one renderer of cards: every face of the program shows a card through it.
//!
//! No row can be forged: a label stands two columns in and its value behind it, a line break inside a
//! value goes on under a `│`, a line that was too long under a `›`, and no label can begin with either. No
//! line is wider than the terminal, which would break it where a value chose.

use crate::card::Card;
use crate::view::View;
use hcp_core::canonical;
use hcp_core::json::Value;
use hcp_core::text::{SafeText, quoted, safe, safe_lines, width};

/// The narrowest card that is still laid out in columns.
const NARROWEST: usize = 24;
/// Longer texts show their two ends and their length.
const LONG_TEXT: usize = 1_000;

/// The card as text, at most `columns` wide where words allow it.
#[must_use]
pub fn render(card: &Card, columns: usize) -> SafeText {
    let columns = columns.max(NARROWEST);
    let mut out = String::new();
    let heading = format!("{} · {}", safe(&card.pack_name), safe(&card.summary));
    push_free(&mut out, &heading, columns);
    push(&mut out, "");
    push_free(&mut out, safe(&card.view.title).as_str(), columns);
    for signal in &card.view.signals {
        for (i, line) in wrap(safe(&signal.text).as_str(), columns.saturating_sub(2))
            .iter()
            .enumerate()
        {
            push(
                &mut out,
                &format!("{} {line}", if i == 0 { '·' } else { '›' }),
            );
        }
    }
    let rows = rows(card);
    let label = rows
        .iter()
        .map(|(name, _)| width(name))
        .max()
        .unwrap_or(0)
        .min(columns / 2);
    for (name, lines) in &rows {
        push_row(&mut out, name, lines, label, columns);
    }
    push(&mut out, "");
    for line in cli_lines(safe_cli(&card.cli).as_str(), columns) {
        push(&mut out, &line);
    }
    // Every piece is safe already; this keeps the one way into `SafeText`.
    SafeText::join(out.trim_end())
}

/// The command line is quoted so that unsafe characters stand in it as `$'…'`; it has none left.
fn safe_cli(cli: &str) -> SafeText {
    if cli.chars().any(hcp_core::text::is_unsafe) {
        safe(cli)
    } else {
        SafeText::join(cli)
    }
}

/// The command line in lines that fit: broken between words, as a shell reads it when it is pasted. A word
/// that is too long goes on under a `›`, so that no part of a value ever begins a line of the terminal.
fn cli_lines(cli: &str, columns: usize) -> Vec<String> {
    let whole = format!("  $ {cli}");
    if width(&whole) <= columns {
        return vec![whole];
    }
    let room = columns.saturating_sub(" \\".len());
    let mut lines = Vec::new();
    let mut current = "  $ ".to_owned();
    let mut used = width(&current);
    let mut begun = false;
    for word in shell_words(cli) {
        let word = shortened(word);
        if begun && used + 1 + width(&word) > room {
            lines.push(format!("{current} \\"));
            current = "    ".to_owned();
            used = width(&current);
        } else if begun {
            current.push(' ');
            used += 1;
        }
        for c in word.chars() {
            let more = width(c.encode_utf8(&mut [0; 4]));
            if used + more > room {
                lines.push(std::mem::replace(&mut current, "  › ".to_owned()));
                used = width(&current);
            }
            current.push(c);
            used += more;
        }
        begun = true;
    }
    lines.push(current);
    lines
}

/// The words of a line that was quoted for a shell, still quoted.
fn shell_words(cli: &str) -> Vec<&str> {
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
    let count = word.chars().count();
    if count <= LONG_TEXT {
        return word.to_owned();
    }
    let start: String = word.chars().take(LONG_TEXT / 4).collect();
    let end: String = word.chars().skip(count - LONG_TEXT / 8).collect();
    let left_out = count - LONG_TEXT / 4 - LONG_TEXT / 8;
    format!("{start}…[{left_out} of {count} characters not shown here; --json has them all]…{end}")
}

/// A label: a name that could be read as anything but one word is quoted.
fn label_of(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !name.is_empty() && name.chars().all(plain) {
        safe(name).to_string()
    } else {
        quoted(name)
    }
}

type Lines = Vec<(char, String)>;

fn rows(card: &Card) -> Vec<(String, Lines)> {
    let View {
        fields,
        rest,
        display: _,
        ..
    } = &card.view;
    let mut rows = Vec::new();
    let mut text_row =
        |name: &str, text: &str| rows.push((name.to_owned(), value_lines(&Value::from(text))));
    if let Some(account) = &card.account {
        text_row("as", account);
    }
    if let Some(cwd) = &card.cwd {
        text_row("in", cwd);
    }
    rows.extend(
        fields
            .iter()
            .map(|(name, value)| (label_of(name), value_lines(value))),
    );
    rows.extend(
        rest.iter()
            .map(|row| (label_of(&row.name), value_lines(&row.value))),
    );
    let mut text_row =
        |name: &str, text: &str| rows.push((name.to_owned(), value_lines(&Value::from(text))));
    for (name, fact) in &card.files {
        text_row(&format!("{} is", label_of(name)), fact);
    }
    if let Some(stdin) = &card.stdin {
        text_row("stdin", stdin);
    }
    rows
}

/// The lines of a value, each with the mark under which it goes on.
fn value_lines(value: &Value) -> Lines {
    match value {
        Value::String(text) => text_lines(text),
        Value::Array(items) if !items.is_empty() => items
            .iter()
            .enumerate()
            .flat_map(|(i, item)| {
                let mut lines = value_lines_of_item(item);
                if let Some((_, first)) = lines.first_mut() {
                    *first = format!("{}. {first}", i + 1);
                }
                lines
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            vec![(' ', safe(&canonical::encode(value)).to_string())]
        }
    }
}

fn value_lines_of_item(item: &Value) -> Lines {
    match item {
        Value::String(text) => text_lines(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            vec![(' ', safe(&canonical::encode(item)).to_string())]
        }
    }
}

fn text_lines(text: &str) -> Lines {
    if text.is_empty() {
        return vec![(' ', "\"\"".to_owned())];
    }
    let count = text.chars().count();
    if count > LONG_TEXT {
        let start: String = text.chars().take(LONG_TEXT / 2).collect();
        let end: String = text.chars().skip(count - LONG_TEXT / 4).collect();
        let left_out = count - LONG_TEXT / 2 - LONG_TEXT / 4;
        let mut lines = broken(&start);
        lines.push((
            '│',
            format!("[{left_out} of {count} characters not shown here; --json has them all]"),
        ));
        lines.extend(broken(&end).into_iter().map(|(_, line)| ('│', line)));
        return lines;
    }
    broken(text)
}

fn broken(text: &str) -> Lines {
    safe_lines(text)
        .as_str()
        .split('\n')
        .enumerate()
        .map(|(i, line)| (if i == 0 { ' ' } else { '│' }, line.to_owned()))
        .collect()
}

fn push_row(out: &mut String, name: &str, lines: &Lines, label: usize, columns: usize) {
    let room = columns.saturating_sub(label + 4).max(NARROWEST / 2);
    let mut first = true;
    let mut name = name;
    if width(name) > label {
        // A name that is too wide stands above its value.
        for (i, piece) in wrap(name, columns.saturating_sub(4)).iter().enumerate() {
            push(out, &format!("  {}{piece}", if i == 0 { "" } else { "› " }));
        }
        name = "";
    }
    for (mark, line) in lines {
        for (i, piece) in wrap(line, room.saturating_sub(2)).into_iter().enumerate() {
            let lead = if first {
                pad(name, label)
            } else {
                " ".repeat(label)
            };
            let mark = match (first, i) {
                (true, _) => String::new(),
                (false, 0) if *mark == ' ' => String::new(),
                (false, 0) => format!("{mark} "),
                (false, _) => "› ".to_owned(),
            };
            push(out, format!("  {lead}  {mark}{piece}").trim_end());
            first = false;
        }
    }
}

/// Text that stands at the left edge. What could be read as a row or a signal there gets the mark of a
/// line that goes on.
fn push_free(out: &mut String, text: &str, columns: usize) {
    for line in wrap(text, columns.saturating_sub(2)) {
        let lead = if line.starts_with([' ', '·', '›', '│']) {
            "› "
        } else {
            ""
        };
        push(out, format!("{lead}{line}").trim_end());
    }
}

fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Breaks one line at blanks, and inside a word only where the word alone is too long. Nothing is lost:
/// the pieces joined by one blank (or by nothing, inside a word) are the line.
#[must_use]
pub fn wrap(line: &str, columns: usize) -> Vec<String> {
    if width(line) <= columns {
        return vec![line.to_owned()];
    }
    let mut lines = Vec::new();
    let mut current = String::new();
    for (i, word) in line.split(' ').enumerate() {
        let begins_anew = current.is_empty() && !lines.is_empty();
        let blank = usize::from(i > 0 && !begins_anew);
        if width(&current) + blank + width(word) <= columns
            || current.is_empty() && width(word) <= columns
        {
            if blank == 1 {
                current.push(' ');
            }
            current.push_str(word);
            continue;
        }
        if !current.is_empty() {
            lines.push(std::mem::take(&mut current));
        }
        for c in word.chars() {
            if width(&current) + width(c.encode_utf8(&mut [0; 4])) > columns && !current.is_empty()
            {
                lines.push(std::mem::take(&mut current));
            }
            current.push(c);
        }
    }
    lines.push(current);
    lines
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests;
