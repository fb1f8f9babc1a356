//! Sets of characters by Unicode property, from the tables of `regex-syntax`. Nothing here is shown or escaped.

use regex_syntax::hir::{Class, HirKind};
use std::sync::OnceLock;

/// A set of characters, read from its Unicode class when it is first asked.
struct Set {
    class: &'static str,
    ranges: OnceLock<Vec<(char, char)>>,
}

impl Set {
    const fn new(class: &'static str) -> Self {
        Self {
            class,
            ranges: OnceLock::new(),
        }
    }

    fn has(&self, c: char) -> bool {
        self.ranges
            .get_or_init(|| class_ranges(self.class))
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
}

/// The ranges of a Unicode class.
fn class_ranges(class: &str) -> Vec<(char, char)> {
    let Ok(hir) = regex_syntax::parse(class) else {
        return Vec::new();
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
        | HirKind::Alternation(_) => Vec::new(),
    }
}

macro_rules! sets {
    ($($(#[$doc:meta])* $name:ident = $class:literal;)*) => {
        $($(#[$doc])*
        pub(super) fn $name(c: char) -> bool {
            static SET: Set = Set::new($class);
            SET.has(c)
        })*

        #[cfg(test)]
        pub(super) const CLASSES: &[&str] = &[$($class),*];
    };
}

sets! {
    /// What shows where the class of unsafe characters is turned round: everything plainly visible. A
    /// class that cannot be read is empty, and then everything is escaped. Four characters have a property that
    /// is drawn and a picture that is empty: a Braille cell, a note without a head, and two blanks among the
    /// Egyptian hieroglyphs.
    is_visible = r"[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\x{2800}\x{1D159}\x{13441}\x{13442}]";
    /// Letters, numbers and punctuation that are in no other set here.
    is_ordinary = r"[[\p{L}\p{N}\p{P}\p{Sc}]--[\p{Default_Ignorable_Code_Point}\p{Emoji}\x{1160}-\x{11FF}\x{D7B0}-\x{D7FB}\x{FDFD}\x{2E3A}\x{2E3B}\x{17D8}\x{12031}\x{1242B}\x{12219}\x{12436}\x{13441}\x{13442}]]";
    /// Decimal digits of any script.
    is_digit = r"\p{Nd}";
    /// Control and format characters.
    is_control_or_format = r"[\p{Cc}\p{Cf}]";
    /// Blanks: every space separator.
    is_wide_blank = r"[\p{Zs}--\x20]";
    /// Marks that stand on a character before them.
    is_mark = r"\p{M}";
    /// Letters of any script.
    is_letter = r"\p{L}";
    /// Marks that enclose or strike through what they stand on, so that it can be read as something else.
    is_overlay = r"[\p{Me}\x{334}-\x{338}\x{20D0}-\x{20FF}]";
    /// Characters that terminals draw wider than they count them.
    is_of_unknown_width = r"[\x{FDFD}\x{2E3A}\x{2E3B}\x{17D8}\x{12031}\x{1242B}\x{12219}\x{12436}\x{1F1E6}-\x{1F1FF}]";
    /// Characters of East Asian text, beside which U+3000 is the ordinary blank.
    is_east_asian = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\x{3001}-\x{3020}\x{30FB}\x{30FC}\x{FF01}-\x{FFEE}]";
    /// Characters that are or can become emoji.
    is_emoji = r"\p{Emoji}";
    /// Characters that are drawn as emoji on their own.
    is_emoji_presentation = r"\p{Emoji_Presentation}";
    /// Emoji that take a skin tone.
    takes_skin_tone = r"\p{Emoji_Modifier_Base}";
    /// Letters of cursive scripts.
    is_cursive = r"[[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Nko}\p{Mandaic}\p{Phags_Pa}\p{Manichaean}\p{Adlam}\p{Hanifi_Rohingya}\p{Sogdian}]&&\p{L}]";
    /// Letters of cursive scripts that do not join the letter after them (Joining_Type R and U).
    joins_no_next = r"[\x{621}-\x{625}\x{627}\x{629}\x{62F}-\x{632}\x{648}\x{671}-\x{677}\x{688}-\x{699}\x{6C0}\x{6C3}-\x{6CB}\x{6CD}\x{6CF}\x{6D2}\x{6D3}\x{6D5}\x{6EE}\x{6EF}\x{710}\x{715}-\x{719}\x{71E}\x{728}\x{72A}\x{72C}\x{72F}\x{74D}\x{759}-\x{75B}\x{76B}\x{76C}\x{771}\x{773}\x{774}\x{778}\x{779}\x{840}\x{846}\x{847}\x{849}\x{854}\x{856}-\x{858}\x{870}-\x{888}\x{88E}\x{8AA}-\x{8AE}\x{8B1}\x{8B2}\x{8B9}\x{FB50}-\x{FDFF}\x{FE70}-\x{FEFF}\x{10D22}]";
    /// Viramas (canonical combining class 9): the sign that joins a consonant to the next.
    is_virama = r"[\x{94D}\x{9CD}\x{A4D}\x{ACD}\x{B4D}\x{BCD}\x{C4D}\x{CCD}\x{D3B}\x{D3C}\x{D4D}\x{DCA}\x{F84}\x{1039}\x{103A}\x{17D2}\x{1A60}\x{1B44}\x{1BAA}\x{A806}\x{A8C4}\x{A953}\x{A9C0}\x{AAF6}\x{ABED}\x{11046}\x{110B9}\x{11133}\x{11134}\x{111C0}\x{1134D}\x{11442}\x{114C2}\x{115BF}\x{1163F}\x{116B6}]";
    /// Hangul letters that combine with the one before them into one syllable.
    is_joined_jamo = r"[\x{1160}-\x{11FF}\x{D7B0}-\x{D7FB}]";
    /// Hangul that takes such a letter.
    takes_jamo = r"[\x{1100}-\x{115E}\x{A960}-\x{A97C}\x{1161}-\x{11FF}\x{D7B0}-\x{D7FB}\x{AC00}-\x{D7A3}]";
}

/// Blanks of any kind.
pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || (!c.is_ascii() && is_wide_blank(c))
}

/// The scripts that spell with joiners: two letters can be joined only within one of them.
pub(super) fn joining_script(c: char) -> Option<usize> {
    macro_rules! scripts {
        ($($class:literal),* $(,)?) => { [$(Set::new($class)),*] };
    }
    static SCRIPTS: [Set; 21] = scripts![
        r"[\p{Arabic}\x{64B}-\x{655}\x{670}]",
        r"\p{Syriac}",
        r"\p{Mongolian}",
        r"\p{Nko}",
        r"\p{Mandaic}",
        r"\p{Adlam}",
        r"\p{Hanifi_Rohingya}",
        r"\p{Devanagari}",
        r"\p{Bengali}",
        r"\p{Gurmukhi}",
        r"\p{Gujarati}",
        r"\p{Oriya}",
        r"\p{Tamil}",
        r"\p{Telugu}",
        r"\p{Kannada}",
        r"\p{Malayalam}",
        r"\p{Sinhala}",
        r"\p{Khmer}",
        r"\p{Myanmar}",
        r"\p{Balinese}",
        r"\p{Javanese}",
    ];
    SCRIPTS.iter().position(|set| set.has(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_can_be_read() {
        for class in CLASSES {
            assert!(!class_ranges(class).is_empty(), "{class}");
        }
        for c in '\0'..=char::MAX {
            if is_ordinary(c) {
                let other = is_mark(c)
                    || is_blank(c)
                    || is_emoji(c)
                    || is_of_unknown_width(c)
                    || is_joined_jamo(c);
                assert!(is_visible(c) && !other, "U+{:04X}", u32::from(c));
            }
        }
        for c in ['ی', 'ܐ', 'ᠠ', 'क', 'ক', 'ක', 'മ', 'ក', 'က'] {
            assert!(joining_script(c).is_some(), "{c}");
        }
        assert!(joining_script('a').is_none() && joining_script('漢').is_none());
    }
}
