//! Blanks in a row, behind which a person does not look.

/// The fewest blanks of a run.
const BLANKS: u64 = 3;
/// The fewest line breaks of a run: one empty line, or two, are a paragraph.
const BREAKS: u64 = 4;

/// The longest run of blanks in a text, in words: `400 spaces`, `6 blanks`, `40 line breaks`.
pub(crate) fn longest(text: &str) -> Option<(u64, &'static str)> {
    let mut best: Option<(u64, &'static str)> = None;
    let mut run = Run::default();
    let mut breaks = 0_u64;
    let mut keep = |count: u64, least: u64, word: &'static str| {
        if count >= least && best.is_none_or(|(most, _)| count > most) {
            best = Some((count, word));
        }
    };
    for c in text.chars() {
        if matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        ) {
            breaks += u64::from(c != '\r');
            keep(breaks, BREAKS, "line breaks");
            run = Run::default();
        } else if is_blank(c) {
            run.take(c);
            keep(run.count, BLANKS, run.word());
        } else {
            (run, breaks) = (Run::default(), 0);
        }
    }
    best
}

/// A blank of any kind: what Unicode calls white space, and what shows as nothing and has width.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{2800}' | '\u{3164}' | '\u{115f}' | '\u{1160}' | '\u{ffa0}'
        )
}

#[derive(Default)]
struct Run {
    count: u64,
    spaces: u64,
    tabs: u64,
}

impl Run {
    fn take(&mut self, c: char) {
        self.count += 1;
        self.spaces += u64::from(c == ' ');
        self.tabs += u64::from(c == '\t');
    }

    fn word(&self) -> &'static str {
        if self.spaces == self.count {
            "spaces"
        } else if self.tabs == self.count {
            "tabs"
        } else {
            "blanks"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_is_told() {
        let wide = format!("a{}b", " ".repeat(400));
        for (text, expected) in [
            ("a b  c", None),
            ("a   b", Some((3, "spaces"))),
            (wide.as_str(), Some((400, "spaces"))),
            ("a\t\t\tb", Some((3, "tabs"))),
            ("a \u{a0}\u{3000}\tb", Some((4, "blanks"))),
            ("a\u{2800}\u{2800}\u{2800}b", Some((3, "blanks"))),
            ("a\n\nb\r\n\r\nc", None),
            ("a\n\n \n\nb", Some((4, "line breaks"))),
            ("", None),
        ] {
            assert_eq!(longest(text), expected, "{text:?}");
        }
    }
}
