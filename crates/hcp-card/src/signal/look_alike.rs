//! Texts that look like others: skeletons after Unicode Technical Standard 39, and words of mixed scripts.

use hcp_core::text::is_unsafe;
use std::sync::LazyLock;
use unicode_security::mixed_script::MixedScript;
use unicode_security::restriction_level::{RestrictionLevel, RestrictionLevelDetection};

/// The fewest characters that a look-alike is told of: shorter ones meet by chance.
const SHORTEST: usize = 3;

/// What a text looks like: its skeleton (UTS 39, section 4) without regard to letter case. Two texts that look
/// alike have the same one. Characters that cannot be seen do not count.
///
/// ```
/// use hcp_card::skeleton;
/// assert_eq!(skeleton("pаypal"), skeleton("paypal")); // the first has a Cyrillic letter
/// assert_eq!(skeleton("PAYPA1"), skeleton("paypal"));
/// assert_ne!(skeleton("paypa"), skeleton("paypal"));
/// ```
#[must_use]
pub fn skeleton(text: &str) -> String {
    if text.is_ascii() {
        let mut out = String::with_capacity(text.len() + 8);
        for byte in text.bytes() {
            match ASCII.get(usize::from(byte)) {
                Some(shape) => out.push_str(shape),
                None => out.push(char::from(byte)),
            }
        }
        return out;
    }
    shape(text)
}

/// The shape of each ASCII character, so that the usual text costs a look-up a character.
static ASCII: LazyLock<Vec<String>> = LazyLock::new(|| {
    (0..=127_u8)
        .map(|byte| shape(char::from(byte).encode_utf8(&mut [0; 4])))
        .collect()
});

fn shape(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_unsafe(*c)).collect();
    let first: String = unicode_security::skeleton(&seen).collect();
    unicode_security::skeleton(&first.to_lowercase()).collect()
}

/// Whether a text only looks like another: the same to the eye and not the same but for letter case.
pub(crate) fn only_looks_like(text: &str, text_shape: &str, known: &str) -> bool {
    text.chars().nth(SHORTEST - 1).is_some()
        && known.chars().nth(SHORTEST - 1).is_some()
        && has_letter(text)
        && has_letter(known)
        && skeleton(known) == text_shape
        && !same(text, known)
}

/// Whether two texts are the same but for letter case.
pub(crate) fn same(left: &str, right: &str) -> bool {
    left == right || left.to_lowercase() == right.to_lowercase()
}

fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

/// The words of an identifier: what stands between characters that are no letters or digits.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !is_mark(c))
        .filter(|part| !part.is_empty())
}

/// What belongs to the letter before it: combining marks of the usual blocks, and what cannot be seen.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && (matches!(c, '\u{300}'..='\u{36f}') || is_unsafe(c))
}

/// What a text of mixed or borrowed letters is made to look like: `Some` for a word whose letters are of several
/// scripts that are not written together, and for the name of a host that is made of foreign letters only and
/// reads as Latin. Han with Kana, Hangul or Latin is ordinary.
pub(crate) fn disguise(text: &str) -> Option<Disguise> {
    if text.is_ascii() {
        return None;
    }
    let host_like = text.chars().any(|c| c == '.' || c == '@');
    for part in parts(text).filter(|part| !part.is_ascii()) {
        let shape = skeleton(part);
        let reads_as_latin = shape.is_ascii() && has_letter(&shape);
        if is_mixed(part) {
            return Some(if reads_as_latin {
                Disguise::Reads(latin(text))
            } else {
                Disguise::Mixed
            });
        }
        let foreign_only = !part.chars().any(|c| c.is_ascii_alphabetic());
        if host_like && reads_as_latin && foreign_only && part.chars().any(char::is_alphabetic) {
            return Some(Disguise::Reads(latin(text)));
        }
    }
    None
}

/// How a text is disguised.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Disguise {
    /// It reads as this text.
    Reads(String),
    /// Its letters are of several scripts.
    Mixed,
}

fn is_mixed(word: &str) -> bool {
    // Full-width forms are Latin in another width, ordinary beside Han and Kana.
    let narrow: String = word
        .chars()
        .map(|c| match u32::from(c) {
            wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect();
    match narrow.as_str().detect_restriction_level() {
        RestrictionLevel::ASCIIOnly
        | RestrictionLevel::SingleScript
        | RestrictionLevel::HighlyRestrictive
        | RestrictionLevel::ModeratelyRestrictive => false,
        RestrictionLevel::MinimallyRestrictive | RestrictionLevel::Unrestricted => {
            !narrow.as_str().is_single_script()
        }
    }
}

/// A text with each letter that looks like an ASCII one replaced by that one.
fn latin(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii() {
                return c.to_string();
            }
            let shape: String = unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect();
            if shape.is_ascii() {
                shape
            } else {
                c.to_string()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_alike_have_one_skeleton() {
        for (left, right) in [
            ("paypal", "pаypal"),
            ("paypal", "paypa1"),
            ("PayPal", "paypaI"),
            ("paypal", "рауpаl"),
            ("paypal", "ｐａｙｐａｌ"),
            ("paypal", "pay\u{200b}pal"),
            ("paypal", "pay\u{202e}pal"),
            ("google", "g0ogle"),
            ("amazon", "arnazon"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("apple", "аррӏе"),
        ] {
            assert_eq!(skeleton(left), skeleton(right), "{left} {right}");
        }
        for (left, right) in [("paypal", "paypall"), ("demo", "memo"), ("cafe", "café")] {
            assert_ne!(skeleton(left), skeleton(right), "{left} {right}");
        }
    }

    #[test]
    fn ordinary_mixes_are_no_disguise() {
        for text in [
            "paypal",
            "Иван Smith <ivan@x.org>",
            "東京タワー",
            "Tシャツ",
            "日本語text",
            "한국어",
            "ＡＢＣ日本",
            "naïve",
            "Zoë",
            "проект-v2",
            "поиск.рф",
            "münchen.de",
            "中文abc",
            "👍ok",
            "日本ひらがなカタカナ",
            "α",
            "Ελλάδα",
            "हिन्दी",
            "עברית",
            "ไทย",
        ] {
            assert_eq!(disguise(text), None, "{text}");
        }
    }

    #[test]
    fn foreign_letters_in_a_latin_word_are_a_disguise() {
        let reads = |text: &str| Some(Disguise::Reads(text.to_owned()));
        assert_eq!(disguise("pаypal"), reads("paypal"));
        assert_eq!(disguise("info@pаypal.com"), reads("info@paypal.com"));
        assert_eq!(disguise("аррӏе.com"), reads("apple.com"));
        assert_eq!(disguise("gооgle-pay"), reads("google-pay"));
        assert_eq!(disguise("USBкабель"), Some(Disguise::Mixed));
    }

    #[test]
    fn a_text_does_not_look_like_itself() {
        let looks = |text: &str, known: &str| only_looks_like(text, &skeleton(text), known);
        assert!(looks("paypa1", "paypal") && looks("pаypal", "PayPal"));
        assert!(!looks("PayPal", "paypal") && !looks("paypal", "paypal"));
        assert!(
            !looks("1011", "1O11") && !looks("lO", "l0"),
            "no letters, or too short"
        );
    }
}
