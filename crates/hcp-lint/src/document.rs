//! A file of a pack as a text: its name, its lines, and the places in it.

use hcp_core::json::Span;
use std::fmt;

/// The files of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileName {
    /// `pack.json`
    Pack,
    /// `surface.json`
    Surface,
    /// `policy.json`
    Policy,
    /// `SKILL.md`
    Skill,
}

impl FileName {
    /// All of them, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Pack, Self::Surface, Self::Policy, Self::Skill];

    /// The name on disk.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pack => "pack.json",
            Self::Surface => "surface.json",
            Self::Policy => "policy.json",
            Self::Skill => "SKILL.md",
        }
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a span begins and ends: lines from 1, columns in characters from 1, the end behind the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The first line.
    pub line: usize,
    /// The column in it.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// The column behind the last character.
    pub end_column: usize,
}

/// A text whose lines are known, so that many places in it are cheap.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(crate) text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Document<'t> {
    /// The readable part of a file: up to the first byte that is no UTF-8.
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => bytes
                .get(..error.valid_up_to())
                .and_then(|good| std::str::from_utf8(good).ok())
                .unwrap_or_default(),
        };
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Self { text, starts }
    }

    /// The place of a span.
    pub(crate) fn place(&self, span: Span) -> Place {
        let (line, column) = self.position(span.start);
        let (end_line, end_column) = self.position(span.end.max(span.start));
        Place {
            line,
            column,
            end_line,
            end_column,
        }
    }

    fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.line_start(line);
        let before = self.text.get(start..offset.min(self.text.len()));
        (line, before.unwrap_or_default().chars().count() + 1)
    }

    fn line_start(&self, line: usize) -> usize {
        let at = line.checked_sub(1).and_then(|i| self.starts.get(i));
        at.copied().unwrap_or(self.text.len())
    }

    /// What stands at a line and column: a whole string, else one character.
    pub(crate) fn token(&self, line: usize, column: usize) -> Span {
        let from = self.line_start(line);
        let rest = self.text.get(from..).unwrap_or_default();
        let start = rest
            .char_indices()
            .nth(column.saturating_sub(1))
            .map_or(self.text.len(), |(at, _)| from + at);
        Span {
            start,
            end: start + token_length(self.text.get(start..).unwrap_or_default()),
        }
    }
}

fn token_length(rest: &str) -> usize {
    let line = rest.split('\n').next().unwrap_or_default();
    if !line.starts_with('"') {
        return line.chars().next().map_or(0, char::len_utf8);
    }
    let mut escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let document = Document::new("{\n  \"ä\": \"b\"\n}\n".as_bytes());
        let place = document.place(Span { start: 10, end: 13 });
        assert_eq!((place.line, place.column), (2, 8));
        assert_eq!((place.end_line, place.end_column), (2, 11));
        assert_eq!(document.token(2, 8), Span { start: 10, end: 13 });
        assert_eq!(document.token(2, 3), Span { start: 4, end: 8 });
        assert_eq!(document.token(1, 1), Span { start: 0, end: 1 });
        assert_eq!(document.token(9, 9), Span { start: 16, end: 16 });
    }

    #[test]
    fn what_is_no_text_ends_the_text() {
        assert_eq!(Document::new(b"{\xff}").text, "{");
        assert_eq!(Document::new(b"").place(Span::default()).line, 1);
    }
}
