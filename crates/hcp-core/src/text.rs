//! The one function that makes text safe to read.
//!
//! Characters that are not plainly visible never reach a terminal, a page or a log raw. They are
//! chosen by Unicode property, not by a hand list, and shown as visible escapes (`\u{202e}`).
//! Output takes [`SafeText`] only, so that text which did not pass here does not compile.
//!
//! | form | for | line breaks | joiners, emoji sequences | blanks |
//! |---|---|---|---|---|
//! | [`safe`] | identifiers and other values on one line | escaped | escaped | runs counted, ends marked |
//! | [`safe_prose`] | texts that people write | escaped | stand | runs counted, ends marked |
//! | [`quoted`], [`quoted_whole`] | a value between quotes | escaped | escaped | runs counted |
//! | [`safe_lines`], [`safe_message`] | the program's own messages | kept, escaped | escaped | U+0020 is layout |

mod class;
mod joined;
mod scan;
mod units;

pub use units::{Unit, units};

use scan::{Blanks, Breaks, Form, Letters, Slashes, escape};
use std::fmt;
use unicode_width::UnicodeWidthStr;

/// Text that is safe to show: it came through one of the forms of this module.
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
        Self(escape(
            text,
            Form {
                breaks: Breaks::Keep,
                ..REVIEW
            },
        ))
    }

    /// The same for one line: a line break is escaped too.
    #[must_use]
    pub fn line(text: &str) -> Self {
        Self(escape(text, REVIEW))
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

/// A value on one line.
const VALUE: Form = Form {
    breaks: Breaks::Escape,
    letters: Letters::Identifier,
    blanks: Blanks::Marked,
    slashes: Slashes::Double,
};

/// Text that came through a form before.
const REVIEW: Form = Form {
    letters: Letters::Prose,
    blanks: Blanks::Layout,
    slashes: Slashes::Leave,
    ..VALUE
};

/// Makes a value safe on one line, as identifiers and short values need it: unsafe characters and line
/// breaks become visible escapes, a run of blanks is counted, a blank at either end is marked, and a
/// backslash is doubled wherever the text would otherwise read like an escape.
///
/// ```
/// use hcp_core::text::safe;
/// assert_eq!(safe("a\u{202e}b\n").as_str(), r"a\u{202e}b\n");
/// assert_eq!(safe(r"C:\temp").as_str(), r"C:\\temp");
/// assert_eq!(safe("Grüße, 你好").as_str(), "Grüße, 你好");
/// assert_eq!(safe("pay    me ").as_str(), r"pay[4 spaces]me\u{20}");
/// assert_eq!(safe("[4 spaces]").as_str(), r"\[4 spaces]");
/// ```
#[must_use]
pub fn safe(text: &str) -> SafeText {
    SafeText(escape(text, VALUE))
}

/// Makes a text that people write safe on one line. As [`safe`], but joiners between the letters of scripts
/// that spell with them stand, and so do whole emoji sequences and U+3000 in East Asian text.
///
/// ```
/// use hcp_core::text::{safe, safe_prose};
/// let persian = "می\u{200c}خواهم";
/// assert_eq!(safe_prose(persian).as_str(), persian);
/// assert_eq!(safe(persian).as_str(), r"می\u{200c}خواهم");
/// assert_eq!(safe_prose("pay\u{200d}pal").as_str(), r"pay\u{200d}pal");
/// ```
#[must_use]
pub fn safe_prose(text: &str) -> SafeText {
    SafeText(escape(
        text,
        Form {
            letters: Letters::Prose,
            ..VALUE
        },
    ))
}

/// Makes a message of the program safe and keeps its line breaks and its blanks, which are layout.
#[must_use]
pub fn safe_lines(text: &str) -> SafeText {
    SafeText(escape(
        text,
        Form {
            breaks: Breaks::Keep,
            blanks: Blanks::Layout,
            ..VALUE
        },
    ))
}

/// Makes a piece of a message safe on one line and keeps its blanks, which are layout.
#[must_use]
pub fn safe_message(text: &str) -> SafeText {
    SafeText(escape(
        text,
        Form {
            blanks: Blanks::Layout,
            ..VALUE
        },
    ))
}

/// A value between quotes.
const QUOTED: Form = Form {
    blanks: Blanks::Between,
    slashes: Slashes::Quote,
    ..VALUE
};

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
    format!("\"{}{more}\"", escape(&short, QUOTED))
}

/// A value in double quotes on one line, safe and whole: what stands between the quotes can be read back.
///
/// ```
/// use hcp_core::text::quoted_whole;
/// assert_eq!(quoted_whole("say \"hi\"\n"), r#""say \"hi\"\n""#);
/// ```
#[must_use]
pub fn quoted_whole(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(text, &mut out);
    out
}

/// Adds what [`quoted_whole`] gives to a text.
pub fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    if scan::is_plain(text, QUOTED) {
        out.push_str(text);
    } else {
        out.push_str(&escape(text, QUOTED));
    }
    out.push('"');
}

/// Whether a text is printable ASCII that stands as it is in every safe form, between quotes as well.
///
/// ```
/// use hcp_core::text::is_plain;
/// assert!(is_plain("See you at noon."));
/// assert!(!is_plain("a  \"b\"") && !is_plain(" a") && !is_plain("[1]") && !is_plain("ä"));
/// ```
#[must_use]
pub fn is_plain(text: &str) -> bool {
    let strictest = Form {
        slashes: Slashes::Quote,
        ..VALUE
    };
    scan::is_plain(text, strictest)
}

/// A single character in quotes, safe.
#[must_use]
pub fn quoted_char(c: char) -> String {
    quoted(c.encode_utf8(&mut [0; 4]))
}

/// JSON text with every character that is not plainly visible as an escape of JSON's own. Such characters
/// stand only inside strings, so the text means what it meant.
///
/// ```
/// use hcp_core::text::visible_json;
/// assert_eq!(visible_json("[\"a\u{202e}\"]"), r#"["a\u202e"]"#);
/// ```
#[must_use]
pub fn visible_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unsafe(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The pieces of a value inside a longer line, and whether [`safe`] would show each as it stands. A piece that does
/// may be several characters long; a backslash is always one of its own.
///
/// ```
/// use hcp_core::text::plain_pieces;
/// let pieces: Vec<(&str, bool)> = plain_pieces("a\u{7}b").collect();
/// assert_eq!(pieces, [("a", true), ("\u{7}", false), ("b", true)]);
/// ```
pub fn plain_pieces(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let form = Form {
        blanks: Blanks::Between,
        ..VALUE
    };
    let mut at = 0;
    scan::pieces(text, form).into_iter().map(move |piece| {
        let raw = text.get(at..at + piece.len).unwrap_or_default();
        at += piece.len;
        (raw, piece.shown.is_none())
    })
}

/// Whether a text that people write holds a character that cannot be seen: zero-width and direction controls,
/// variation selectors, tags, other controls. Blanks and line breaks are none of these, and neither is what
/// [`safe_prose`] leaves as it stands: joiners where a script spells with them, and whole emoji sequences.
///
/// ```
/// use hcp_core::text::has_invisible;
/// assert!(has_invisible("a\u{200b}b"));
/// assert!(!has_invisible("two\nlines, \u{1f469}\u{200d}\u{1f4bb}"));
/// ```
#[must_use]
pub fn has_invisible(text: &str) -> bool {
    let hides = |c: char| !matches!(c, '\n' | '\r' | '\t' | '\u{2800}') && is_unsafe(c);
    // Nearly every text holds none, whatever stands around it, and most are plain ASCII.
    let is_plain = |b: u8| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    if text.bytes().all(is_plain) || !text.chars().any(hides) {
        return false;
    }
    let form = Form {
        letters: Letters::Prose,
        ..VALUE
    };
    let mut at = 0;
    scan::pieces(text, form).into_iter().any(|piece| {
        let raw = text.get(at..at + piece.len).unwrap_or_default();
        at += piece.len;
        piece.shown.is_some() && raw.chars().any(hides)
    })
}

/// A shown text on at most `most` characters, cut between its units and ended with `…` where it is longer.
#[must_use]
pub fn shortened(shown: &str, most: usize) -> String {
    if shown.chars().count() <= most {
        return shown.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for unit in units(shown) {
        used += unit.text.chars().count();
        if used >= most {
            break;
        }
        out.push_str(unit.text);
    }
    out.push('…');
    out
}

/// Whether a character is not plainly visible: categories Cc, Cf, Zl, Zp, Cs, Co, Cn, every
/// Default_Ignorable code point, and what is drawn as nothing: U+2800 (an empty Braille cell), U+1D159, U+13441
/// and U+13442.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    !class::is_visible(c)
}

/// Whether a character is a decimal digit of any script (category Nd).
#[must_use]
pub fn is_decimal_digit(c: char) -> bool {
    class::is_digit(c)
}

/// Whether a character is a control or format character (categories Cc and Cf).
#[must_use]
pub fn is_control_or_format(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    class::is_control_or_format(c)
}

/// Columns that one line of safe text takes on a terminal, emoji sequences counted as one picture.
#[must_use]
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

#[cfg(test)]
mod tests;
