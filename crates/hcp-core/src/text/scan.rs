//! The scanner behind every safe form: it cuts a text into pieces and says how each is shown.
//!
//! The map from text to shown text is one to one in each form: what is shown can be read back, and no text
//! can be made to look like the escape or the mark of another.

use super::{class, is_unsafe, joined};
use unicode_width::UnicodeWidthChar;

/// The most marks that stand on one character.
const MOST_MARKS: usize = 4;
/// The most joiners in so many characters; no word has more.
const MOST_JOINERS: usize = 3;
const JOINERS_NEAR: usize = 8;
/// So many blanks in a row are counted instead of shown.
const BLANK_RUN: usize = 3;

/// What becomes of line breaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Breaks {
    Keep,
    Escape,
}

/// Whether joiners and emoji sequences belong to the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Letters {
    Identifier,
    Prose,
}

/// What becomes of blanks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Blanks {
    /// Runs are counted and both ends are marked.
    Marked,
    /// Runs are counted; the ends stand between quotes.
    Between,
    /// U+0020 is layout.
    Layout,
}

/// What becomes of backslashes and of what they escape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Slashes {
    /// Doubled where one could be read as the start of an escape.
    Double,
    /// The same for a text between quotes, in which `"` is an escape too.
    Quote,
    /// The text is safe already; its escapes are its own.
    Leave,
}

/// How a text is made safe.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) breaks: Breaks,
    pub(super) letters: Letters,
    pub(super) blanks: Blanks,
    pub(super) slashes: Slashes,
}

/// A piece of a text: how it is written, and how it is shown where that differs.
pub(super) struct Piece {
    /// Bytes of the text that it takes.
    pub(super) len: usize,
    pub(super) shown: Option<String>,
}

/// The text as the form shows it.
pub(super) fn escape(text: &str, form: Form) -> String {
    if is_plain(text, form) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut slash = false;
    let mut at = 0;
    for piece in pieces(text, form) {
        let raw = text.get(at..at + piece.len).unwrap_or_default();
        at += piece.len;
        let shown = piece.shown.as_deref().unwrap_or(raw);
        if slash {
            let doubled = match form.slashes {
                Slashes::Double => shown.starts_with(['u', 'n', 't', 'r', '\\', '[']),
                Slashes::Quote => shown.starts_with(['u', 'n', 't', 'r', '\\', '[', '"']),
                Slashes::Leave => false,
            };
            out.push_str(if doubled { r"\\" } else { r"\" });
        }
        slash = piece.shown.is_none() && raw == "\\";
        if !slash {
            out.push_str(shown);
        }
    }
    if slash {
        // Before the closing quote a single one would escape it.
        out.push_str(if form.slashes == Slashes::Quote {
            r"\\"
        } else {
            r"\"
        });
    }
    out
}

/// Printable ASCII in which the form changes nothing.
pub(super) fn is_plain(text: &str, form: Form) -> bool {
    let bytes = text.as_bytes();
    let quote = form.slashes == Slashes::Quote;
    let plain =
        |b: &u8| (b' '..=b'~').contains(b) && !matches!(b, b'\\' | b'[') && !(quote && *b == b'"');
    let ends = || bytes.first() != Some(&b' ') && bytes.last() != Some(&b' ');
    let runs = || !text.contains("   ");
    bytes.iter().all(plain)
        && match form.blanks {
            Blanks::Marked => ends() && runs(),
            Blanks::Between => runs(),
            Blanks::Layout => true,
        }
}

/// The pieces of a text, in order and without gaps.
pub(super) fn pieces(text: &str, form: Form) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().collect();
    let mut scan = Scan {
        chars: &chars,
        form,
        at: 0,
        marks: None,
    };
    let mut found = Vec::new();
    while scan.at < chars.len() {
        let from = scan.at;
        let shown = scan.next();
        let len = chars
            .get(from..scan.at)
            .unwrap_or_default()
            .iter()
            .map(|c| c.len_utf8())
            .sum();
        found.push(Piece { len, shown });
    }
    found
}

struct Scan<'c> {
    chars: &'c [char],
    form: Form,
    at: usize,
    /// How many marks the character before has, where it can carry one.
    marks: Option<usize>,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &[char] {
        self.chars.get(self.at..).unwrap_or_default()
    }

    fn before(&self) -> &[char] {
        self.chars.get(..self.at).unwrap_or_default()
    }

    /// Takes at least one character, and says how it is shown where that differs.
    fn next(&mut self) -> Option<String> {
        let c = self.peek(0)?;
        if is_ordinary(c) {
            // A word at a time: each of its characters stands, whatever follows it.
            let run = self.rest().iter().take_while(|c| is_ordinary(**c)).count();
            return self.stands(run);
        }
        if self.form.letters == Letters::Prose
            && let Some(len) = joined::emoji_sequence(self.rest())
        {
            return self.stands(len);
        }
        match c {
            ' ' => self.blanks(),
            '\n' if self.form.breaks == Breaks::Keep => {
                self.stands(1);
                self.marks = None;
                None
            }
            '\n' => self.shown(r"\n"),
            '\t' => self.shown(r"\t"),
            '\r' => self.shown(r"\r"),
            '"' if self.form.slashes == Slashes::Quote => self.shown("\\\""),
            '[' if self.is_like_a_mark() => self.shown(r"\["),
            c if (' '..='~').contains(&c) => self.stands(1),
            c if class::is_blank(c) => self.blanks(),
            '\u{200c}' | '\u{200d}' => self.joiner(c),
            c if is_unsafe(c) => self.escaped(c),
            c if class::is_mark(c) => self.mark(c),
            c => self.character(c),
        }
    }

    /// So many characters stand as they are.
    fn stands(&mut self, count: usize) -> Option<String> {
        self.at += count;
        self.marks = Some(0);
        None
    }

    /// One character is shown by a text of ours, on which no mark can stand.
    fn shown(&mut self, text: impl Into<String>) -> Option<String> {
        self.at += 1;
        self.marks = None;
        Some(text.into())
    }

    fn escaped(&mut self, c: char) -> Option<String> {
        self.shown(escape_of(c))
    }

    fn joiner(&mut self, c: char) -> Option<String> {
        let after = self.chars.get(self.at + 1..).unwrap_or_default();
        if self.form.letters == Letters::Prose
            && self.marks.is_some()
            && self.joiners_before() < MOST_JOINERS
            && joined::is_spelled(self.before(), c, after)
        {
            self.at += 1;
            return None;
        }
        self.escaped(c)
    }

    fn joiners_before(&self) -> usize {
        let near = self.before().iter().rev().take(JOINERS_NEAR);
        near.filter(|c| matches!(c, '\u{200c}' | '\u{200d}'))
            .count()
    }

    fn mark(&mut self, c: char) -> Option<String> {
        match self.marks {
            Some(count) if count < MOST_MARKS && !class::is_overlay(c) => {
                self.at += 1;
                self.marks = Some(count + 1);
                None
            }
            Some(_) | None => self.escaped(c),
        }
    }

    fn character(&mut self, c: char) -> Option<String> {
        if class::is_joined_jamo(c) {
            let joins =
                self.marks.is_some() && self.before().last().is_some_and(|b| class::takes_jamo(*b));
            return if joins {
                self.stands(1)
            } else {
                self.escaped(c)
            };
        }
        if let Some(len) = joined::region_flag(self.rest()) {
            return self.stands(len);
        }
        // What takes no column although it is no mark, or more than two, is drawn differently everywhere.
        let width = c.width().unwrap_or(0);
        if class::is_of_unknown_width(c) || !(1..=2).contains(&width) {
            return self.escaped(c);
        }
        self.stands(1)
    }

    fn blanks(&mut self) -> Option<String> {
        if self.form.blanks == Blanks::Layout && self.peek(0) == Some(' ') {
            self.at += 1;
            self.marks = None;
            return None;
        }
        let run: Vec<char> = self
            .rest()
            .iter()
            .copied()
            .take_while(|c| class::is_blank(*c))
            .collect();
        let after = self.peek(run.len());
        let at_an_end = self.at == 0 || matches!(after, None | Some('\n'));
        if self.form.blanks != Blanks::Layout && run.len() >= BLANK_RUN {
            self.at += run.len();
            self.marks = None;
            return Some(counted(&run));
        }
        let first = self.peek(0)?;
        let stands = match (self.form.blanks, first) {
            (Blanks::Marked, ' ') => !at_an_end && !self.is_in_a_run_at_an_end(),
            (Blanks::Between | Blanks::Layout, ' ') => true,
            // Text that is safe already was broken where the lines end.
            (Blanks::Layout, '\u{3000}') => self.form.slashes == Slashes::Leave,
            (_, '\u{3000}') => self.form.letters == Letters::Prose && self.is_between_east_asian(),
            (_, _) => false,
        };
        if stands {
            self.at += 1;
            self.marks = None;
            return None;
        }
        self.escaped(first)
    }

    /// The second of two blanks with which a text begins.
    fn is_in_a_run_at_an_end(&self) -> bool {
        self.before().iter().all(|c| class::is_blank(*c))
    }

    fn is_between_east_asian(&self) -> bool {
        let before = self
            .before()
            .last()
            .is_some_and(|c| class::is_east_asian(*c));
        before && self.peek(1).is_some_and(class::is_east_asian)
    }

    /// Whether a bracket begins what could be read as a mark of ours: `[400 spaces]`, `[12 of 90 …`.
    fn is_like_a_mark(&self) -> bool {
        let inside = self.rest().get(1..).unwrap_or_default();
        let digits = inside.iter().take_while(|c| c.is_ascii_digit()).count();
        self.form.blanks != Blanks::Layout && digits > 0 && inside.get(digits) == Some(&' ')
    }
}

/// Whether a character stands as it is wherever it stands: most of all text, known by one look. What the
/// program's own layout is made of needs no table at all, so that plain output never reads one.
fn is_ordinary(c: char) -> bool {
    match c {
        '0'..='9' | '#' | '*' => false,
        ' ' | '"' | '[' | '\\' => false,
        '!'..='~' | '·' | '›' | '│' | '…' => true,
        c if c.is_ascii() => false,
        c => class::is_ordinary(c) && matches!(c.width(), Some(1 | 2)),
    }
}

/// `\u{202e}`
fn escape_of(c: char) -> String {
    format!("\\u{{{:x}}}", u32::from(c))
}

/// `[400 spaces]`; where they are not all U+0020, which they are and how many of each in a row.
fn counted(run: &[char]) -> String {
    let mut out = format!("[{} spaces]", run.len());
    if run.iter().all(|c| *c == ' ') {
        return out;
    }
    for same in run.chunk_by(|a, b| a == b) {
        out.extend(same.first().map(|c| escape_of(*c)));
        if same.len() > 1 {
            out.push_str(&format!("{{{}}}", same.len()));
        }
    }
    out
}
