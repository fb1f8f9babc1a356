//! Characters that are not plainly visible alone and yet belong to the text: joiners between letters of the
//! scripts that spell with them (UAX 31, rules A1, A2 and B) and whole emoji sequences (UTS 51). What is not
//! certainly one of these is left to be escaped.

use super::class;

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';
const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
/// The longest sequences: a family of four, two people with a heart and a kiss.
const MOST_ELEMENTS: usize = 4;

/// Whether a joiner stands between letters that are spelled with it.
pub(super) fn is_spelled(before: &[char], joiner: char, after: &[char]) -> bool {
    let Some(next) = after.first().copied() else {
        return false;
    };
    let Some(script) = class::joining_script(next) else {
        return false;
    };
    let same = |c: char| class::joining_script(c) == Some(script);
    let Some(previous) = before.last().copied().filter(|c| same(*c)) else {
        return false;
    };
    if class::is_virama(previous) {
        // क्‍ष: the letter that carries the virama, then a letter (A2, B).
        return letter_before(before) && class::is_letter(next);
    }
    match joiner {
        ZWNJ => breaks_a_join(before, after),
        // Bengali র‍্য: the joiner stands before the virama and a letter follows it.
        ZWJ => {
            class::is_letter(previous)
                && class::is_virama(next)
                && after.get(1).is_some_and(|c| class::is_letter(*c))
        }
        _ => false,
    }
}

fn letter_before(before: &[char]) -> bool {
    before
        .iter()
        .rev()
        .find(|c| !class::is_mark(**c))
        .is_some_and(|c| class::is_letter(*c))
}

/// A1: two letters that would join without it.
fn breaks_a_join(before: &[char], after: &[char]) -> bool {
    let first = before.iter().rev().find(|c| !class::is_mark(**c));
    let second = after.iter().find(|c| !class::is_mark(**c));
    first.is_some_and(|c| class::is_cursive(*c) && !class::joins_no_next(*c))
        && second.is_some_and(|c| class::is_cursive(*c))
        && !after.first().is_some_and(|c| class::is_mark(*c))
}

/// How many characters the emoji sequence at the start takes, where it is a whole one of several characters.
pub(super) fn emoji_sequence(chars: &[char]) -> Option<usize> {
    keycap(chars)
        .or_else(|| nation_flag(chars))
        .or_else(|| region_flag(chars))
        .or_else(|| joined_emoji(chars))
}

/// A key: a digit, the style and the enclosing cap.
fn keycap(chars: &[char]) -> Option<usize> {
    match chars {
        ['0'..='9' | '#' | '*', EMOJI_STYLE, KEYCAP, ..] => Some(3),
        _ => None,
    }
}

/// Two regional indicators.
pub(super) fn region_flag(chars: &[char]) -> Option<usize> {
    let letter = '\u{1f1e6}'..='\u{1f1ff}';
    match chars {
        [a, b, ..] if letter.contains(a) && letter.contains(b) => Some(2),
        _ => None,
    }
}

/// England, Scotland and Wales: a black flag and tag characters. No other tags are known to anybody.
fn nation_flag(chars: &[char]) -> Option<usize> {
    let rest = chars.strip_prefix(&['\u{1f3f4}'])?;
    ["gbeng", "gbsct", "gbwls"].iter().find_map(|nation| {
        let tags = nation
            .chars()
            .filter_map(|c| char::from_u32(0xe_0000 + u32::from(c)))
            .chain(['\u{e007f}']);
        let count = nation.len() + 1;
        (rest.len() >= count && rest.iter().copied().take(count).eq(tags)).then_some(count + 1)
    })
}

/// Emoji with a style or a skin tone, and such emoji joined into one picture.
fn joined_emoji(chars: &[char]) -> Option<usize> {
    let first = Element::read(chars)?;
    let (mut last, mut len, mut elements) = (first, first.len, 1);
    while elements < MOST_ELEMENTS && chars.get(len) == Some(&ZWJ) {
        let Some(next) = chars.get(len + 1..).and_then(Element::read) else {
            break;
        };
        if !(last.qualified && next.qualified && are_joined(last.base, next.base)) {
            break;
        }
        len += 1 + next.len;
        last = next;
        elements += 1;
    }
    (len > 1).then_some(len)
}

/// One emoji with its style or skin tone.
#[derive(Clone, Copy)]
struct Element {
    base: char,
    len: usize,
    /// Whether it is certainly drawn as an emoji.
    qualified: bool,
}

impl Element {
    fn read(chars: &[char]) -> Option<Self> {
        let base = *chars.first()?;
        if base.is_ascii() || !class::is_emoji(base) || ('\u{1f1e6}'..='\u{1f1ff}').contains(&base)
        {
            return None;
        }
        let own = class::is_emoji_presentation(base);
        let next = chars.get(1).copied();
        let styled = next == Some(EMOJI_STYLE) && !own;
        let toned = next.is_some_and(|c| ('\u{1f3fb}'..='\u{1f3ff}').contains(&c))
            && class::takes_skin_tone(base);
        Some(Self {
            base,
            len: if styled || toned { 2 } else { 1 },
            qualified: own || styled || toned,
        })
    }
}

/// Whether fonts draw two emoji with a joiner between them as one picture: the pairs of Unicode's list of
/// recommended sequences. Any other pair is drawn as two, and the joiner is not seen.
fn are_joined(first: char, second: char) -> bool {
    let adult = |c: char| matches!(c, '\u{1f468}' | '\u{1f469}' | '\u{1f9d1}');
    let person = |c: char| adult(c) || matches!(c, '\u{1f466}' | '\u{1f467}' | '\u{1f9d2}');
    let sign = |c: char| matches!(c, '\u{2640}' | '\u{2642}');
    match second {
        c if sign(c) => {
            !person(first)
                && (class::takes_skin_tone(first)
                    || matches!(first, '\u{1f46f}' | '\u{1f93c}' | '\u{1f9de}' | '\u{1f9df}'))
        }
        // Facing right.
        '\u{27a1}' => {
            sign(first)
                || matches!(
                    first,
                    '\u{1f6b6}'
                        | '\u{1f3c3}'
                        | '\u{1f9ce}'
                        | '\u{1f9af}'
                        | '\u{1f9bc}'
                        | '\u{1f9bd}'
                )
        }
        // A person at work, with this hair, on these wheels.
        '\u{2695}'
        | '\u{2696}'
        | '\u{2708}'
        | '\u{1f33e}'
        | '\u{1f373}'
        | '\u{1f37c}'
        | '\u{1f384}'
        | '\u{1f393}'
        | '\u{1f3a4}'
        | '\u{1f3a8}'
        | '\u{1f3eb}'
        | '\u{1f3ed}'
        | '\u{1f4bb}'
        | '\u{1f4bc}'
        | '\u{1f527}'
        | '\u{1f52c}'
        | '\u{1f680}'
        | '\u{1f692}'
        | '\u{1f91d}'
        | '\u{1f9af}'
        | '\u{1f9b0}'..='\u{1f9b3}'
        | '\u{1f9bc}'
        | '\u{1f9bd}'
        | '\u{2764}' => adult(first),
        '\u{1f48b}' => first == '\u{2764}',
        c if person(c) => {
            person(first) || (adult(c) && matches!(first, '\u{2764}' | '\u{1f48b}' | '\u{1f91d}'))
        }
        _ => OTHER_PAIRS.contains(&(first, second)),
    }
}

const OTHER_PAIRS: &[(char, char)] = &[
    ('\u{1f3f3}', '\u{1f308}'),
    ('\u{1f3f3}', '\u{26a7}'),
    ('\u{1f3f4}', '\u{2620}'),
    ('\u{1f415}', '\u{1f9ba}'),
    ('\u{1f408}', '\u{2b1b}'),
    ('\u{1f426}', '\u{2b1b}'),
    ('\u{1f426}', '\u{1f525}'),
    ('\u{1f43b}', '\u{2744}'),
    ('\u{1f62e}', '\u{1f4a8}'),
    ('\u{1f635}', '\u{1f4ab}'),
    ('\u{1f636}', '\u{1f32b}'),
    ('\u{1f441}', '\u{1f5e8}'),
    ('\u{1f34b}', '\u{1f7e9}'),
    ('\u{1f344}', '\u{1f7eb}'),
    ('\u{26d3}', '\u{1f4a5}'),
    ('\u{1f642}', '\u{2194}'),
    ('\u{1f642}', '\u{2195}'),
    ('\u{2764}', '\u{1f525}'),
    ('\u{2764}', '\u{1fa79}'),
    ('\u{1faf1}', '\u{1faf2}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        emoji_sequence(&chars) == Some(chars.len())
    }

    #[test]
    fn whole_emoji_are_known_and_others_are_not() {
        for text in [
            "❤️",
            "1️⃣",
            "#️⃣",
            "🇩🇪",
            "👍🏽",
            "👩‍👩‍👧‍👦",
            "👩🏽‍💻",
            "🏳️‍🌈",
            "🏴‍☠️",
            "🤷🏽‍♀️",
            "🏃🏽‍♀️‍➡️",
            "👩‍❤️‍💋‍👨",
            "🐕‍🦺",
            "👁️‍🗨️",
            "🧑🏽‍🤝‍🧑🏻",
            "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
            "🫱🏻‍🫲🏿",
            "😶‍🌫️",
        ] {
            assert!(whole(text), "{}", text.escape_unicode());
        }
        for text in [
            "😀\u{200d}😀",
            "1\u{fe0f}",
            "😀\u{fe0f}",
            "a\u{fe0f}",
            "🏳\u{200d}🌈",
            "👩\u{200d}",
            "❤\u{fe0e}",
            "🇩",
            "🏴\u{e0067}\u{e007f}",
            "💻\u{200d}👩",
            "👩‍👩‍👧‍👦\u{200d}👦",
        ] {
            assert!(!whole(text), "{}", text.escape_unicode());
        }
    }
}
