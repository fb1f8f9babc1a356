//! The rows of a card: a label, and the lines of a value behind it.

use super::long::{self, LINE_BREAK, Limit};
use crate::call::FileRow;
use crate::card::Card;
use crate::display::{Declared, is_quoted, is_text, shown};
use crate::view::{Row, View};
use hcp_core::json::Value;
use hcp_core::text::{SafeText, quoted_whole, safe, shortened, units, width};

/// The most units of a text, and how much of a longer one is shown.
const LONG_TEXT: Limit = Limit {
    most: 1_000,
    start: 500,
    end: 250,
};
/// The same for one item of an array.
const LONG_ITEM: Limit = Limit {
    most: 200,
    start: 120,
    end: 60,
};
/// The most lines of a text: more would push what stands above them off the screen.
const MANY_LINES: Limit = Limit {
    most: 24,
    start: 14,
    end: 6,
};
/// The same for one item of an array.
const ITEM_LINES: Limit = Limit {
    most: 6,
    start: 3,
    end: 2,
};
/// The most items of an array.
const MANY_ITEMS: Limit = Limit {
    most: 30,
    start: 12,
    end: 8,
};
/// The longest label; a longer name is cut, and `--json` has it.
const LONGEST_LABEL: usize = 200;

/// A row of the card.
pub(super) struct CardRow {
    pub(super) label: String,
    pub(super) lines: Vec<Line>,
}

/// One line of a value before it is fitted to the terminal.
pub(super) struct Line {
    /// Columns that it stands further in.
    pub(super) indent: usize,
    pub(super) lead: Lead,
    pub(super) text: String,
}

/// What a line begins with when it is not the first of its row.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Lead {
    /// An item of its own.
    Item,
    /// It goes on after a line break.
    Bar,
}

/// The rows: where the call acts, the fields, the other arguments, what stands behind paths and input.
pub(super) fn rows(card: &Card) -> Vec<CardRow> {
    let View {
        fields,
        rest,
        display,
        ..
    } = &card.view;
    let mut rows = Vec::new();
    let row = |label: &str, text: String| CardRow {
        label: label.to_owned(),
        lines: text_lines(&text, false, WHOLE_TEXT),
    };
    if let Some(account) = &card.account {
        rows.push(row("as", fact(account)));
    }
    if let Some(cwd) = &card.cwd {
        rows.push(row("in", fact(cwd)));
    }
    for (name, value) in fields.iter() {
        let form = display.get(name).and_then(Value::as_str);
        rows.push(CardRow {
            label: label_of(name),
            lines: value_lines(name, value, form),
        });
    }
    for Row {
        name,
        value,
        display,
    } in rest
    {
        let taken = matches!(name.as_str(), "as" | "in" | "stdin") || fields.contains_key(name);
        let label = label_of(name);
        rows.push(CardRow {
            label: if taken {
                format!("{label} (argument)")
            } else {
                label
            },
            lines: value_lines(name, value, display.as_deref()),
        });
    }
    for files in card.files.chunk_by(|a, b| a.argument == b.argument) {
        rows.extend(file_row(files));
    }
    if let Some(stdin) = &card.stdin {
        rows.push(row("stdin", words(stdin)));
    }
    rows
}

/// What stands behind the paths of one argument; of several paths under the numbers that they have in its array.
fn file_row(files: &[FileRow]) -> Option<CardRow> {
    let argument = &files.first()?.argument;
    let lines = match files {
        [file] => text_lines(&words(&file.words), false, WHOLE_TEXT),
        several => numbered(several, |file| {
            text_lines(&words(&file.words), false, ONE_ITEM)
        }),
    };
    Some(CardRow {
        label: format!("{} is", label_of(argument)),
        lines,
    })
}

/// A label: a name that could be read as anything but one word is quoted.
fn label_of(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let label = if !name.is_empty() && name.chars().all(plain) {
        safe(name).to_string()
    } else {
        quoted_whole(name)
    };
    shortened(&label, LONGEST_LABEL)
}

fn fact(text: &str) -> String {
    shown("", &Value::from(text), Declared::TEXT)
}

/// What the program put into words, values in it made safe; what is not so is made safe as a value.
fn words(text: &str) -> String {
    if text.trim() == text && !text.is_empty() && !text.contains("   ") {
        SafeText::line(text).to_string()
    } else {
        fact(text)
    }
}

fn first(text: String) -> Line {
    Line {
        indent: 0,
        lead: Lead::Item,
        text,
    }
}

/// The lines of a value: arrays item by item, a text line by line, anything else as its display form says.
fn value_lines(name: &str, value: &Value, form: Option<&str>) -> Vec<Line> {
    let safe_form = |declared| {
        form.map_or_else(
            || shown(name, value, declared),
            |form| SafeText::line(form).to_string(),
        )
    };
    match value {
        Value::Array(items) if !items.is_empty() => numbered(items, |item| {
            let breaks = item.as_str().is_some_and(|text| is_text(name, text));
            text_lines(&shown(name, item, Declared::NOTHING), breaks, ONE_ITEM)
        }),
        Value::String(text) => {
            text_lines(&safe_form(Declared::TEXT), is_text(name, text), WHOLE_TEXT)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            text_lines(&safe_form(Declared::NOTHING), false, WHOLE_TEXT)
        }
    }
}

/// Items, one to a line, numbered; of very many the first and the last.
fn numbered<T>(items: &[T], lines_of: impl Fn(&T) -> Vec<Line>) -> Vec<Line> {
    let (places, left_out) = long::ends(items.len(), MANY_ITEMS);
    let mut lines = Vec::new();
    for place in places {
        if let Some((at, count)) = left_out
            && place == at + count
        {
            lines.push(first(long::note(count, items.len(), "items")));
        }
        let Some(item) = items.get(place) else {
            continue;
        };
        let number = format!("{}. ", place + 1);
        for (i, line) in lines_of(item).into_iter().enumerate() {
            lines.push(if i == 0 {
                first(format!("{number}{}", line.text))
            } else {
                Line {
                    indent: width(&number),
                    ..line
                }
            });
        }
    }
    lines
}

/// How much of a text is shown.
#[derive(Clone, Copy)]
struct Shown {
    text: Limit,
    lines: Limit,
}

const WHOLE_TEXT: Shown = Shown {
    text: LONG_TEXT,
    lines: MANY_LINES,
};

const ONE_ITEM: Shown = Shown {
    text: LONG_ITEM,
    lines: ITEM_LINES,
};

/// A shown text in lines: broken at its line breaks where it is a text, cut where it is long or has many lines.
fn text_lines(form: &str, breaks: bool, limit: Shown) -> Vec<Line> {
    let breaks = breaks && !is_quoted(form);
    let lines = breaks.then_some(limit.lines);
    let pieces = match long::cut_lines(form, limit.text, lines) {
        None => broken(form, breaks),
        Some(cut) => {
            let mut pieces = broken(cut.start, breaks);
            pieces.push(cut.note("characters"));
            pieces.extend(broken(cut.end, breaks));
            pieces
        }
    };
    pieces
        .into_iter()
        .enumerate()
        .map(|(i, text)| Line {
            indent: 0,
            lead: if i == 0 { Lead::Item } else { Lead::Bar },
            text,
        })
        .collect()
}

/// The lines of a shown text, in which a line break is an escape.
fn broken(form: &str, breaks: bool) -> Vec<String> {
    if !breaks || !form.contains(LINE_BREAK) {
        return vec![form.to_owned()];
    }
    let mut lines = vec![String::new()];
    for unit in units(form) {
        if unit.text == LINE_BREAK {
            lines.push(String::new());
        } else if let Some(line) = lines.last_mut() {
            line.push_str(unit.text);
        }
    }
    lines
}
