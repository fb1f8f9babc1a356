//! Lines that fit: broken at blanks, and inside a word only where the word alone is too long.

use hcp_core::text::{units, width};

/// A part of a line that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Whether it goes on inside the word with which the piece before it ends.
    pub(super) in_word: bool,
}

/// Breaks one line at blanks, and inside a word only where the word alone is too long; an escape, an emoji or a
/// letter with its marks stays whole. Nothing is lost: the pieces joined by one blank (or by nothing, inside a
/// word) are the line.
#[must_use]
pub fn wrap(line: &str, columns: usize) -> Vec<String> {
    pieces(line, columns)
        .into_iter()
        .map(|piece| piece.text)
        .collect()
}

/// The same, with what stood between the pieces: two lines never give the same pieces.
pub(super) fn pieces(line: &str, columns: usize) -> Vec<Piece> {
    let mut wrapped = Wrapped {
        pieces: Vec::new(),
        current: Piece {
            text: String::new(),
            in_word: false,
        },
        used: 0,
    };
    if width(line) <= columns {
        wrapped.push(line, 0);
        return wrapped.finished();
    }
    for (i, word) in words(line).into_iter().enumerate() {
        let wide = width(word);
        if i > 0 && wrapped.used + 1 + wide <= columns {
            wrapped.push(" ", 1);
            wrapped.push(word, wide);
            continue;
        }
        if i > 0 {
            wrapped.end(false);
        }
        for unit in units(word) {
            if unit.width <= columns {
                wrapped.go_on(unit.text, unit.width, columns);
                continue;
            }
            // A mark that alone is too wide for the line.
            for c in unit.text.chars() {
                let c = c.to_string();
                wrapped.go_on(&c, width(&c), columns);
            }
        }
    }
    wrapped.finished()
}

struct Wrapped {
    pieces: Vec<Piece>,
    current: Piece,
    used: usize,
}

impl Wrapped {
    fn push(&mut self, text: &str, wide: usize) {
        self.current.text.push_str(text);
        self.used += wide;
    }

    /// Goes on in a word, on a new line where this one is full.
    fn go_on(&mut self, text: &str, wide: usize, columns: usize) {
        if self.used + wide > columns && !self.current.text.is_empty() {
            self.end(true);
        }
        self.push(text, wide);
    }

    fn end(&mut self, in_word: bool) {
        let next = Piece {
            text: String::new(),
            in_word,
        };
        self.pieces.push(std::mem::replace(&mut self.current, next));
        self.used = 0;
    }

    fn finished(mut self) -> Vec<Piece> {
        self.pieces.push(self.current);
        self.pieces
    }
}

/// The words between blanks; of several blanks in a row the first parts two words, the others begin the second,
/// so that no line ends with a blank. A mark of ours such as `[400 spaces]` is one word.
fn words(line: &str) -> Vec<&str> {
    let (mut found, mut from, mut at) = (Vec::new(), 0, 0);
    let mut after_blank = false;
    for unit in units(line) {
        let blank = unit.text == " ";
        if blank && !after_blank {
            found.extend(line.get(from..at));
            from = at + 1;
        }
        after_blank = blank;
        at += unit.text.len();
    }
    found.extend(line.get(from..));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The line, from its pieces.
    fn joined(pieces: &[Piece]) -> String {
        let mut line = String::new();
        for (i, piece) in pieces.iter().enumerate() {
            if i > 0 && !piece.in_word {
                line.push(' ');
            }
            line.push_str(&piece.text);
        }
        line
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_line(line in "([a-c日]{1,12} {0,2}|\\\\u\\{202e\\} {0,2}){0,12}", columns in 10_usize..30) {
            let pieces = pieces(&line, columns);
            prop_assert_eq!(joined(&pieces), line.as_str());
            for piece in &pieces {
                prop_assert!(width(&piece.text) <= columns, "{:?}", piece);
                let loses_a_blank = piece.text.ends_with(' ') && piece.text != " ";
                prop_assert!(!loses_a_blank || line.ends_with(' '), "{:?}", pieces);
            }
        }
    }

    #[test]
    fn a_line_is_broken_at_blanks_where_there_are_any() {
        for (line, broken) in [
            ("aaaa bbb cc", vec![("aaaa bbb", false), ("cc", false)]),
            ("aaaaaaaaaab", vec![("aaaaaaaaaa", false), ("b", true)]),
            ("aaaaaaaaaa b", vec![("aaaaaaaaaa", false), ("b", false)]),
            ("aaaaaaaaaa  b", vec![("aaaaaaaaaa", false), (" b", false)]),
            (
                "a bbbbbbbbbbbb",
                vec![("a", false), ("bbbbbbbbbb", false), ("bb", true)],
            ),
        ] {
            let found = pieces(line, 10);
            let found: Vec<_> = found.iter().map(|p| (p.text.as_str(), p.in_word)).collect();
            assert_eq!(found, broken, "{line}");
        }
    }
}
