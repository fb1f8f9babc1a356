//! The one place that prints. It takes only text that went through the core's safe-text function.

use crate::cli::{Color, Global};
use anstyle::{AnsiColor, Style};
use hcp_card::{Card, Level, Role};
use hcp_core::json::{Object, Value};
use hcp_core::text::{SafeText, safe, safe_lines, safe_message, visible_json, width};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// Prose is never squeezed below this.
const NARROWEST_PROSE: usize = 20;

/// How a piece of text looks on a terminal with colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Strong,
    Faint,
    Good,
    Care,
    Danger,
}

impl Look {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Strong => Style::new().bold(),
            Self::Faint => Style::new().dimmed(),
            Self::Good => Style::new().fg_color(Some(AnsiColor::Green.into())),
            Self::Care => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
            Self::Danger => Style::new().fg_color(Some(AnsiColor::Red.into())).bold(),
        }
    }
}

/// How a line of the card looks. What a person must read to decide is never fainter than plain text.
fn look_of(role: Role) -> Look {
    match role {
        Role::Heading => Look::Faint,
        Role::Title => Look::Strong,
        Role::Signal(Level::Danger) => Look::Danger,
        Role::Signal(Level::Care) => Look::Care,
        Role::Signal(Level::Note) | Role::Row | Role::Command | Role::Blank => Look::Plain,
    }
}

/// Text for people: safe pieces, each with its look.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text(Vec<(Look, SafeText)>);

impl Text {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a piece to the current line.
    pub(crate) fn piece(mut self, look: Look, text: &str) -> Self {
        self.0.push((look, safe_message(text)));
        self
    }

    /// Adds a whole line (or several).
    pub(crate) fn line(self, text: impl AsRef<str>) -> Self {
        self.styled(Look::Plain, text)
    }

    /// Adds a whole line with a look.
    pub(crate) fn styled(mut self, look: Look, text: impl AsRef<str>) -> Self {
        self.0.push((look, safe_lines(text.as_ref())));
        self.end()
    }

    /// Adds prose, broken at blanks so that it fits; further lines stand `indent` columns in.
    pub(crate) fn prose(
        mut self,
        look: Look,
        text: &SafeText,
        columns: usize,
        indent: usize,
    ) -> Self {
        let room = columns.saturating_sub(indent).max(NARROWEST_PROSE);
        for (i, line) in hcp_card::render::wrap(text.as_str(), room)
            .iter()
            .enumerate()
        {
            if i > 0 {
                self = self.piece(Look::Plain, &" ".repeat(indent));
            }
            self.0.push((look, SafeText::join(line)));
            self = self.end();
        }
        self
    }

    /// Adds text that is safe already.
    pub(crate) fn safe(self, text: SafeText) -> Self {
        self.looking(Look::Plain, text)
    }

    /// Adds a card, each line in the look of what it is.
    pub(crate) fn card(self, card: &Card, columns: usize) -> Self {
        hcp_card::lines(card, columns)
            .into_iter()
            .fold(self, |text, line| {
                text.looking(look_of(line.role), line.text)
            })
    }

    /// Adds a whole line that is safe already, with a look.
    pub(crate) fn looking(mut self, look: Look, text: SafeText) -> Self {
        self.0.push((look, text));
        self.end()
    }

    /// Adds a line that is safe already, with a look.
    pub(crate) fn safe_styled(mut self, look: Look, text: SafeText) -> Self {
        self.0.push((look, text));
        self.end()
    }

    /// Ends the current line.
    pub(crate) fn end(mut self) -> Self {
        self.0.push((Look::Plain, SafeText::fixed("\n")));
        self
    }

    /// Adds an empty line.
    pub(crate) fn gap(self) -> Self {
        self.end()
    }

    /// Adds another text.
    pub(crate) fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Rows that the text takes on a terminal, which breaks what is too long for it.
    pub(crate) fn rows(&self, columns: usize) -> usize {
        let rows = |line: &str| width(line).div_ceil(columns.max(1)).max(1);
        self.plain().lines().map(rows).sum()
    }

    /// The lines of the text, each as a text of its own.
    pub(crate) fn by_line(self) -> Vec<Self> {
        let mut lines = Vec::new();
        let mut line = Self::new();
        for (look, text) in self.0 {
            let ends = text.as_str().ends_with('\n');
            line.0.push((look, text));
            if ends {
                lines.push(std::mem::take(&mut line));
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text without its looks.
    pub(crate) fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    fn write(&self, out: &mut dyn Write, colour: bool) -> io::Result<()> {
        for (look, text) in &self.0 {
            if colour && *look != Look::Plain && !text.is_empty() {
                write!(
                    out,
                    "{}{text}{}",
                    look.style().render(),
                    look.style().render_reset()
                )?;
            } else {
                write!(out, "{text}")?;
            }
        }
        out.flush()
    }
}

/// What a command answers: the same facts for programs and for people.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) exit: u8,
    pub(crate) json: Object,
    pub(crate) human: Text,
    /// The key of `json` that holds the list, for `--jsonl`.
    pub(crate) list: Option<&'static str>,
}

impl Reply {
    /// A reply that went well.
    pub(crate) fn ok(json: Object, human: Text) -> Self {
        Self {
            exit: 0,
            json: Object::new()
                .with("ok", true)
                .with("code", "ok")
                .joined(json),
            human,
            list: None,
        }
    }

    pub(crate) fn list(mut self, key: &'static str) -> Self {
        self.list = Some(key);
        self
    }

    pub(crate) fn exit(mut self, exit: u8) -> Self {
        self.exit = exit;
        self
    }
}

/// Joining two objects, later keys winning.
pub(crate) trait Joined {
    fn joined(self, other: Object) -> Object;
}

impl Joined for Object {
    fn joined(mut self, other: Object) -> Object {
        for (key, value) in other {
            self.insert(key, value);
        }
        self
    }
}

/// One of our own types as a value.
pub(crate) fn to_value(value: &impl Serialize) -> Value {
    let limits = hcp_core::json::Limits {
        bytes: usize::MAX,
        depth: 256,
    };
    serde_json::to_string(value)
        .ok()
        .and_then(|text| hcp_core::json::parse(&text, limits).ok())
        .map_or(Value::Null, |node| node.to_value())
}

/// Where and how to print.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// One JSON object (or lines of them) instead of text for people.
    pub(crate) json: bool,
    jsonl: bool,
    quiet: bool,
    colour_out: bool,
    colour_err: bool,
    err_terminal: bool,
    /// Columns of the terminal.
    pub(crate) columns: usize,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let out_terminal = io::stdout().is_terminal();
        let err_terminal = io::stderr().is_terminal();
        let colour = |terminal: bool| match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        };
        Self {
            json: global.json || global.jsonl || !(out_terminal || global.text),
            jsonl: global.jsonl,
            quiet: global.quiet,
            colour_out: colour(out_terminal),
            colour_err: colour(err_terminal),
            err_terminal,
            columns: columns(out_terminal || err_terminal),
        }
    }

    /// Prints a reply and gives its exit code. A closed pipe is no error.
    pub(crate) fn reply(&self, reply: &Reply) -> u8 {
        let printed = if self.json {
            self.print_json(reply)
        } else {
            self.print_text(reply)
        };
        match printed {
            Ok(()) => reply.exit,
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => reply.exit,
            Err(_) => hcp_core::code::Code::Internal.exit(),
        }
    }

    fn print_text(&self, reply: &Reply) -> io::Result<()> {
        reply.human.write(&mut io::stdout().lock(), self.colour_out)
    }

    fn print_json(&self, reply: &Reply) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match reply
            .list
            .and_then(|key| reply.json.get(key))
            .and_then(Value::as_array)
        {
            Some(items) if self.jsonl => {
                for item in items {
                    writeln!(out, "{}", visible_json(&item.to_string()))?;
                }
            }
            _ => {
                let json = Value::Object(reply.json.clone()).to_string();
                writeln!(out, "{}", visible_json(&json))?;
            }
        }
        out.flush()
    }

    /// Prints text whatever reads it: help, completions, schemas.
    pub(crate) fn text(&self, text: &Text) -> u8 {
        match text.write(&mut io::stdout().lock(), self.colour_out) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                hcp_core::code::Code::Internal.exit()
            }
            _ => 0,
        }
    }

    /// Prints what a generator of ours made of the program's own words.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> u8 {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                hcp_core::code::Code::Internal.exit()
            }
            _ => 0,
        }
    }

    /// Prints one JSON value on a line of its own, for what goes on and on.
    pub(crate) fn json_line(&self, value: &Value) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", visible_json(&value.to_string()))?;
        out.flush()
    }

    /// Prints text for people on standard output.
    pub(crate) fn show(&self, text: &Text) -> io::Result<()> {
        text.write(&mut io::stdout().lock(), self.colour_out)
    }

    /// Prints a message for people on standard error, unless they want none.
    pub(crate) fn say(&self, text: &Text) {
        if !self.quiet {
            self.tell(text);
        }
    }

    /// Prints on standard error what a person must see, `--quiet` or not: a card that they are asked
    /// about, the question itself, and why something did not happen.
    pub(crate) fn tell(&self, text: &Text) {
        // Nobody is left to tell when standard error itself is closed.
        let _ = text.write(&mut io::stderr().lock(), self.colour_err);
    }

    /// Shows on a terminal how far something is, on one line that the next call replaces; an empty text clears it.
    pub(crate) fn progress(&self, text: &str) {
        if self.quiet || !self.err_terminal {
            return;
        }
        let room = self.columns.saturating_sub(1);
        let shown: String = safe(text).as_str().chars().take(room).collect();
        let mut out = io::stderr().lock();
        let _ = crossterm::execute!(
            out,
            crossterm::cursor::MoveToColumn(0),
            crossterm::terminal::Clear(crossterm::terminal::ClearType::CurrentLine),
            crossterm::style::Print(SafeText::join(&shown))
        );
    }

    /// Draws a whole screen on a terminal in raw mode, where a line end needs its carriage return.
    pub(crate) fn screen(&self, text: &Text) {
        let mut out = io::stderr().lock();
        let mut drawn = Vec::new();
        // Nobody is left to tell when the terminal itself is gone; the next key read says so.
        let _ = text.write(&mut drawn, self.colour_err);
        let lines = String::from_utf8_lossy(&drawn).replace('\n', "\r\n");
        let _ = crossterm::execute!(
            out,
            crossterm::terminal::Clear(crossterm::terminal::ClearType::All),
            crossterm::cursor::MoveTo(0, 0),
            crossterm::style::Print(lines)
        );
    }

    /// Whether messages for people reach a person although the answer goes to a program.
    pub(crate) fn person_reads_errors(&self) -> bool {
        self.err_terminal
    }
}

/// Columns of the text: COLUMNS, the terminal's own word, or 80; into a pipe or file a little more. What is too
/// narrow to be meant is passed over.
fn columns(terminal: bool) -> usize {
    let meant = |columns: &usize| *columns >= 20;
    let from_env = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let own_word = || {
        terminal
            .then(crossterm::terminal::size)
            .and_then(Result::ok)
            .map(|(columns, _)| columns.into())
    };
    from_env
        .filter(meant)
        .or_else(|| own_word().filter(meant))
        .unwrap_or(if terminal { 80 } else { 100 })
}

/// `1 write`, `3 writes`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {one}{s}")
}

/// A table for people: each column as wide as its widest cell, the last one wrapped under itself.
/// Where even that does not fit, each row is written as a block.
pub(crate) fn table(header: &[&str], rows: &[Vec<(Look, String)>], columns: usize) -> Text {
    let count = header.len();
    let widths: Vec<usize> = (0..count)
        .map(|i| {
            let cells = rows
                .iter()
                .filter_map(|row| row.get(i))
                .map(|(_, cell)| width(safe(cell).as_str()));
            cells
                .chain(header.get(i).map(|h| width(h)))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let fixed: usize = widths
        .iter()
        .take(count.saturating_sub(1))
        .map(|w| w + 2)
        .sum();
    let room = columns.saturating_sub(fixed);
    let mut text = Text::new();
    if room < 16 {
        return blocks(header, rows, columns);
    }
    for (i, name) in header.iter().enumerate() {
        text = cell(
            text,
            Look::Faint,
            name,
            widths.get(i).copied().filter(|_| i + 1 < count),
        );
    }
    text = text.end();
    for row in rows {
        let lines = row
            .last()
            .map(|(_, last)| hcp_card::render::wrap(safe(last).as_str(), room))
            .unwrap_or_default();
        for (i, (look, content)) in row.iter().enumerate().take(count.saturating_sub(1)) {
            text = cell(text, *look, content, widths.get(i).copied());
        }
        let look = row.last().map_or(Look::Plain, |(look, _)| *look);
        for (i, line) in lines.iter().enumerate() {
            if i > 0 {
                text = text.piece(Look::Plain, &" ".repeat(fixed));
            }
            text.0.push((look, SafeText::join(line)));
            text = text.end();
        }
    }
    text
}

fn cell(text: Text, look: Look, content: &str, to: Option<usize>) -> Text {
    let shown = safe(content);
    let blanks = to.map_or(0, |to| to.saturating_sub(width(shown.as_str())) + 2);
    let mut text = text;
    text.0.push((look, shown));
    text.piece(Look::Plain, &" ".repeat(blanks))
}

fn blocks(header: &[&str], rows: &[Vec<(Look, String)>], columns: usize) -> Text {
    let label = header.iter().map(|h| width(h)).max().unwrap_or(0);
    let mut text = Text::new();
    for (n, row) in rows.iter().enumerate() {
        if n > 0 {
            text = text.gap();
        }
        for (name, (look, content)) in header.iter().zip(row) {
            let room = columns.saturating_sub(label + 2).max(8);
            for (i, line) in hcp_card::render::wrap(safe(content).as_str(), room)
                .iter()
                .enumerate()
            {
                let lead = if i == 0 { *name } else { "" };
                text = text.piece(
                    Look::Faint,
                    &format!("{lead}{}", " ".repeat(label + 2 - width(lead))),
                );
                text.0.push((*look, SafeText::join(line)));
                text = text.end();
            }
        }
    }
    text
}
