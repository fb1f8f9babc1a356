//! The one function that makes text safe to read.
//!
//! Characters that are not plainly visible never reach a terminal, a page or a log raw. They are
//! chosen by Unicode property, not by a hand list, and shown as visible escapes (`\u{202e}`).
//! Output takes [`SafeText`] only, so that text which did not pass here does not compile.

use regex_syntax::hir::{Class, HirKind};
use std::fmt;
use std::sync::OnceLock;
use unicode_width::UnicodeWidthChar;

/// Text that is safe to show: it came through [`safe`], [`safe_lines`] or is fixed in the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SafeText(String);

impl SafeText {
    /// Text that the program itself holds. It is checked all the same.
    #[must_use]
    pub fn fixed(text: &'static str) -> Self {
        safe_lines(text)
    }

    /// Text put together from safe pieces. It is checked all the same: should an unsafe character be
    /// left in it, that character is escaped; line breaks stay.
    #[must_use]
    pub fn join(text: &str) -> Self {
        if text.chars().all(|c| c == '\n' || !is_unsafe(c)) {
            return Self(text.to_owned());
        }
        Self(
            text.split('\n')
                .map(|line| {
                    line.chars()
                        .map(|c| {
                            if is_unsafe(c) {
                                format!("\\u{{{:x}}}", u32::from(c))
                            } else {
                                c.to_string()
                            }
                        })
                        .collect::<String>()
                })
                .collect::<Vec<_>>()
                .join("\n"),
        )
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Columns on a terminal, counting the widest line.
    #[must_use]
    pub fn width(&self) -> usize {
        self.0.lines().map(width).max().unwrap_or(0)
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Makes text safe on one line: unsafe characters and line breaks become visible escapes, and a
/// backslash is doubled wherever the text would otherwise read like an escape.
///
/// ```
/// use hcp_core::text::safe;
/// assert_eq!(safe("a\u{202e}b\n").as_str(), r"a\u{202e}b\n");
/// assert_eq!(safe(r"C:\temp").as_str(), r"C:\\temp");
/// assert_eq!(safe("Grüße, 你好").as_str(), "Grüße, 你好");
/// ```
#[must_use]
pub fn safe(text: &str) -> SafeText {
    escape(text, LineBreaks::Escape)
}

/// Makes text safe and keeps its line breaks: for messages of the program and long texts.
#[must_use]
pub fn safe_lines(text: &str) -> SafeText {
    escape(text, LineBreaks::Keep)
}

#[derive(Clone, Copy, PartialEq)]
enum LineBreaks {
    Keep,
    Escape,
}

fn escape(text: &str, breaks: LineBreaks) -> SafeText {
    if text
        .bytes()
        .all(|b| (b' '..=b'~').contains(&b) && b != b'\\')
    {
        return SafeText(text.to_owned());
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' if breaks == LineBreaks::Keep => out.push('\n'),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Doubled where an escape of ours could be meant, so that none can be forged.
            '\\' if matches!(chars.peek(), Some('u' | 'n' | 't' | 'r' | '\\' | '[')) => {
                out.push_str("\\\\")
            }
            c if is_unsafe(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    SafeText(out)
}

/// A value in double quotes on one line, safe: for messages that name what somebody wrote.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    let short: String = text.chars().take(LONGEST).collect();
    let more = if text.chars().count() > LONGEST {
        "…"
    } else {
        ""
    };
    format!("\"{}{more}\"", safe(&short).as_str().replace('"', "\\\""))
}

/// A single character in quotes, safe.
#[must_use]
pub fn quoted_char(c: char) -> String {
    quoted(c.encode_utf8(&mut [0; 4]))
}

/// Whether a character is not plainly visible: categories Cc, Cf, Zl, Zp, Cs, Co, Cn, every
/// Default_Ignorable code point, and U+2800 (an empty Braille cell).
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    in_class(
        c,
        &TABLE,
        r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\x{2800}]",
    )
}

/// Whether a character is a decimal digit of any script (category Nd).
#[must_use]
pub fn is_decimal_digit(c: char) -> bool {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    in_class(c, &TABLE, r"\p{Nd}")
}

/// Whether a character is a control or format character (categories Cc and Cf).
#[must_use]
pub fn is_control_or_format(c: char) -> bool {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    in_class(c, &TABLE, r"[\p{Cc}\p{Cf}]")
}

fn in_class(c: char, table: &'static OnceLock<Vec<(char, char)>>, class: &str) -> bool {
    let ranges = table.get_or_init(|| class_ranges(class));
    ranges
        .binary_search_by(|(low, high)| {
            if *high < c {
                std::cmp::Ordering::Less
            } else if *low > c {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// The ranges of a Unicode class, from the property tables of `regex-syntax`.
fn class_ranges(class: &str) -> Vec<(char, char)> {
    let Ok(hir) = regex_syntax::parse(class) else {
        return every_char();
    };
    match hir.kind() {
        HirKind::Class(Class::Unicode(ranges)) => {
            ranges.iter().map(|r| (r.start(), r.end())).collect()
        }
        HirKind::Class(Class::Bytes(_))
        | HirKind::Empty
        | HirKind::Literal(_)
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => every_char(),
    }
}

/// The failing side of a class that cannot be read: everything is in it, so everything is escaped.
fn every_char() -> Vec<(char, char)> {
    vec![('\0', char::MAX)]
}

/// Columns that one line of safe text takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_that_escape_debug_lets_through_are_caught() {
        for c in [
            '\u{3164}',
            '\u{115f}',
            '\u{2800}',
            '\u{fe0f}',
            '\u{200d}',
            '\u{e0041}',
            '\u{ad}',
            '\u{2028}',
            '\u{9b}',
            '\u{34f}',
        ] {
            assert!(is_unsafe(c), "U+{:04X}", u32::from(c));
        }
        for c in ['a', 'é', '你', '😀', '\u{3000}', '‰'] {
            assert!(!is_unsafe(c), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn escapes_cannot_be_forged() {
        assert_ne!(safe("\u{202e}"), safe(r"\u{202e}"));
        assert_ne!(safe("a\nb"), safe(r"a\nb"));
    }

    proptest! {
        #[test]
        fn nothing_unsafe_comes_out_and_nothing_is_lost(a in any::<String>(), b in any::<String>()) {
            let shown = safe(&a);
            prop_assert!(!shown.as_str().chars().any(is_unsafe));
            prop_assert_eq!(shown == safe(&b), a == b);
        }
    }
}
