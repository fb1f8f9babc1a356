//! The one renderer of cards: every face of the program shows a card through it.
//!
//! No row can be forged: a label stands two columns in and its value behind it, a line break inside a
//! text goes on under a `│`, a line that was too long under a `›` where it was broken at a blank and under a
//! `»` where it was broken inside a word, and no label can begin with any of them. No line is wider than the terminal, which would break it where a value chose; but for the heading, which a
//! pack wrote and in which nothing can be taken for a row wherever it is broken.
//!
//! How a value is shown is decided in [`crate::display`]; here it is laid out, and cut where it is long.

mod cli;
mod long;
mod rows;
mod wrap;

pub use wrap::wrap;

use crate::card::Card;
use crate::signal::Level;
use hcp_core::text::{SafeText, safe, safe_prose, width};
use rows::{CardRow, Lead};
use wrap::{Piece, pieces};

/// The narrowest card that is still laid out.
const NARROWEST: usize = 20;
/// The least room for a value: the widest escape fits in it.
const LEAST_ROOM: usize = 10;
/// Columns of a row beside its label and its value: two blanks ahead of each, and a mark.
const AROUND_LABEL: usize = 6;
/// From this width on a heading is left to the terminal to break,
const HEADING_WHOLE_FROM: usize = 80;
/// up to this length.
const HEADING_LONGEST: usize = 120;

/// The most units of a heading, a title or a signal.
const LONG_LINE: long::Limit = long::Limit {
    most: 1_000,
    start: 500,
    end: 250,
};

/// What a line of the card is, for a face that can show it in colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Pack and description.
    Heading,
    /// The act in words.
    Title,
    /// A signal of this level.
    Signal(Level),
    /// A row: where the call acts, a field, an argument.
    Row,
    /// The exact command.
    Command,
    /// Nothing stands on it.
    Blank,
}

/// One line of the card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardLine {
    /// What it is.
    pub role: Role,
    /// What stands on it.
    pub text: SafeText,
}

/// The card as text, at most `columns` wide where words allow it.
#[must_use]
pub fn render(card: &Card, columns: usize) -> SafeText {
    let lines = lines(card, columns);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    // Every piece is safe already; this keeps the one way into `SafeText`.
    SafeText::join(&texts.join("\n"))
}

/// The lines of [`render`], each with what it is.
#[must_use]
pub fn lines(card: &Card, columns: usize) -> Vec<CardLine> {
    let columns = columns.max(NARROWEST);
    let mut out = Lines::default();
    heading(&mut out, card, columns);
    out.push(Role::Blank, "");
    let title = whole_or_ends(SafeText::line(&card.view.title).as_str());
    for (i, piece) in pieces(&title, columns.saturating_sub(2)).iter().enumerate() {
        out.push_free(
            Role::Title,
            if i == 0 { "" } else { mark(piece) },
            &piece.text,
        );
    }
    for signal in &card.view.signals {
        let text = whole_or_ends(SafeText::line(&signal.text).as_str());
        for (i, piece) in pieces(&text, columns.saturating_sub(2)).iter().enumerate() {
            let lead = if i == 0 { "· " } else { mark(piece) };
            out.push(Role::Signal(signal.level), &format!("{lead}{}", piece.text));
        }
    }
    let rows = rows::rows(card);
    let widest = (columns / 2).min(columns.saturating_sub(AROUND_LABEL + LEAST_ROOM));
    let label = rows
        .iter()
        .map(|row| width(&row.label))
        .filter(|wide| *wide <= widest)
        .max()
        .unwrap_or(0);
    for row in &rows {
        push_row(&mut out, row, label, columns);
    }
    out.push(Role::Blank, "");
    for line in cli::cli_lines(&card.cli, columns) {
        out.push(Role::Command, &line);
    }
    out.0
}

/// The lines that stand so far.
#[derive(Default)]
struct Lines(Vec<CardLine>);

impl Lines {
    fn push(&mut self, role: Role, line: &str) {
        let text = SafeText::line(line.trim_end());
        self.0.push(CardLine { role, text });
    }

    /// Text that stands at the left edge. What could be read as a row or a signal there gets the mark of a
    /// line that goes on.
    fn push_free(&mut self, role: Role, lead: &str, line: &str) {
        let lead = if lead.is_empty() && (line.starts_with(' ') || line.starts_with(LEADS)) {
            "› "
        } else {
            lead
        };
        self.push(role, &format!("{lead}{line}"));
    }
}

/// What a line begins with that goes on where the one above it was full.
fn mark(piece: &Piece) -> &'static str {
    if piece.in_word { "» " } else { "› " }
}

/// `Ledger · Pay a saved payee.` A terminal breaks a heading that is a little too long by itself. Where
/// what it breaks off could look like a row or a signal, the heading is broken here instead.
fn heading(out: &mut Lines, card: &Card, columns: usize) {
    let name = whole_or_ends(safe(&card.pack_name).as_str());
    let summary = whole_or_ends(safe_prose(&card.summary).as_str());
    let heading = format!("{name} · {summary}");
    let harmless = |text: &str| !text.contains("  ") && !text.contains(LEADS);
    let left_to_the_terminal = columns >= HEADING_WHOLE_FROM
        && width(&heading) <= HEADING_LONGEST
        && harmless(&name)
        && harmless(&summary);
    if left_to_the_terminal {
        out.push(Role::Heading, &heading);
        return;
    }
    for line in wrap(&heading, columns.saturating_sub(2)) {
        out.push_free(Role::Heading, "", &line);
    }
}

/// A line of free text; of a very long one its two ends.
fn whole_or_ends(shown: &str) -> String {
    match long::cut(shown, LONG_LINE) {
        None => shown.to_owned(),
        Some(cut) => format!("{}…{}…{}", cut.start, cut.note("characters"), cut.end),
    }
}

/// What lines begin with that are not free text.
const LEADS: [char; 5] = ['·', '›', '»', '│', '$'];

fn push_row(out: &mut Lines, row: &CardRow, label: usize, columns: usize) {
    let mut name = row.label.as_str();
    if width(name) > label {
        // A name that is too wide stands above its value.
        for (i, piece) in pieces(name, columns.saturating_sub(4)).iter().enumerate() {
            let lead = if i == 0 { "" } else { mark(piece) };
            out.push(Role::Row, &format!("  {lead}{}", piece.text));
        }
        name = "";
    }
    let room = columns.saturating_sub(label + AROUND_LABEL);
    let mut first = true;
    for line in &row.lines {
        let indent = line.indent.min(room.saturating_sub(LEAST_ROOM));
        let fitted = pieces(&line.text, room.saturating_sub(indent));
        let indent = " ".repeat(indent);
        for (i, piece) in fitted.iter().enumerate() {
            let name = if first { name } else { "" };
            let lead = match (first, i, line.lead) {
                (true, _, _) | (false, 0, Lead::Item) => "",
                (false, 0, Lead::Bar) => "│ ",
                (false, _, _) => mark(piece),
            };
            let blanks = " ".repeat(label.saturating_sub(width(name)));
            out.push(
                Role::Row,
                &format!("  {name}{blanks}  {indent}{lead}{}", piece.text),
            );
            first = false;
        }
    }
}

#[cfg(test)]
mod tests;
