//! The smallest parts into which shown text may be cut or broken: an escape, a mark of ours, or a character
//! with all that stands on it.

use super::{class, joined, width};

/// A part of shown text that stays whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'t> {
    /// The part.
    pub text: &'t str,
    /// How many characters of the true text it stands for.
    pub stands_for: usize,
    /// Columns on a terminal.
    pub width: usize,
}

/// The units of a text that is safe already.
///
/// ```
/// use hcp_core::text::{safe, units};
/// let shown = safe("a\u{202e}e\u{301}    b");
/// let parts: Vec<&str> = units(shown.as_str()).iter().map(|u| u.text).collect();
/// assert_eq!(parts, ["a", r"\u{202e}", "e\u{301}", "[4 spaces]", "b"]);
/// ```
#[must_use]
pub fn units(shown: &str) -> Vec<Unit<'_>> {
    let chars: Vec<char> = shown.chars().collect();
    let mut found = Vec::new();
    let (mut at, mut bytes) = (0, 0);
    // Of the blanks that the last mark counted, those of which the kind is not told yet.
    let mut untold = 0;
    while let Some(rest) = chars.get(at..).filter(|rest| !rest.is_empty()) {
        let (count, stands_for) = match told(rest, untold) {
            Some((count, blanks)) => {
                untold -= blanks;
                (count, 0)
            }
            None => {
                let mark = counted(rest);
                untold = mark.map_or(0, |(_, blanks)| blanks);
                mark.unwrap_or_else(|| unit(rest))
            }
        };
        let part = rest.get(..count).unwrap_or(rest);
        let len: usize = part.iter().map(|c| c.len_utf8()).sum();
        let text = shown.get(bytes..bytes + len).unwrap_or_default();
        found.push(Unit {
            text,
            stands_for,
            width: width(text),
        });
        at += part.len();
        bytes += len;
    }
    found
}

/// Characters of the unit at the start, and how many characters it stands for.
fn unit(chars: &[char]) -> (usize, usize) {
    match chars {
        ['\\', 'n' | 't' | 'r' | '\\' | '[' | '"', ..] => (2, 1),
        ['\\', 'u', '{', ..] => escape(chars).map_or((1, 1), |len| (len, 1)),
        [c, ..] if c.is_ascii() && chars.get(1).is_none_or(char::is_ascii) => (1, 1),
        _ => {
            let len = cluster(chars);
            (len, len)
        }
    }
}

/// The length of `\u{…}`.
fn escape(chars: &[char]) -> Option<usize> {
    let inside = chars.strip_prefix(&['\\', 'u', '{'])?;
    let digits = inside.iter().take_while(|c| c.is_ascii_hexdigit()).count();
    (digits > 0 && inside.get(digits) == Some(&'}')).then_some(digits + 4)
}

/// The length of the escape of a blank: behind a mark it says which blank was counted.
fn escape_of_blank(chars: &[char]) -> Option<usize> {
    let len = escape(chars)?;
    let digits: String = chars.get(3..len - 1)?.iter().collect();
    let c = u32::from_str_radix(&digits, 16)
        .ok()
        .and_then(char::from_u32)?;
    class::is_blank(c).then_some(len)
}

/// `[400 spaces]`: its length, and how many it counts.
fn counted(chars: &[char]) -> Option<(usize, usize)> {
    let inside = chars.strip_prefix(&['['])?;
    let (digits, count) = number(inside)?;
    let words = " spaces]";
    let end = inside.iter().copied().skip(digits).take(words.len());
    (digits > 0 && words.chars().eq(end)).then_some((1 + digits + words.len(), count))
}

/// Behind such a mark, `\u{a0}{399}`: its length, and of how many blanks it tells the kind.
fn told(chars: &[char], untold: usize) -> Option<(usize, usize)> {
    let len = escape_of_blank(chars).filter(|_| untold > 0)?;
    let times = chars
        .get(len..)
        .and_then(|rest| rest.strip_prefix(&['{']))
        .filter(|_| untold > 1)
        .and_then(number)
        .filter(|(digits, times)| *digits > 0 && *times <= untold);
    Some(times.map_or((len, 1), |(digits, times)| (len + digits + 2, times)))
}

fn number(chars: &[char]) -> Option<(usize, usize)> {
    let digits: String = chars.iter().take_while(|c| c.is_ascii_digit()).collect();
    Some((digits.len(), digits.parse().unwrap_or(0)))
}

/// A character with its marks, an emoji sequence, a syllable, a word joined by joiners.
fn cluster(chars: &[char]) -> usize {
    let mut len = joined::emoji_sequence(chars).unwrap_or(1);
    while let Some(c) = chars.get(len) {
        let joins = class::is_mark(*c)
            || class::is_joined_jamo(*c)
            || matches!(c, '\u{200c}' | '\u{200d}')
            || chars
                .get(len - 1)
                .is_some_and(|before| matches!(before, '\u{200c}' | '\u{200d}'));
        if !joins {
            break;
        }
        len += 1;
    }
    len
}
