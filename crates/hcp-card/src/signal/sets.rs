//! Sets of names as the signals compare them: words of a command, and names of arguments, in the one spelling that
//! the crate's table of names gives them. Each set knows by one word of bits what it cannot match, so that most
//! rules cost one comparison.

use crate::names::{key, usual, words};

/// One bit for a word, by its length and first and last letters.
pub(crate) fn bit(word: &str) -> u64 {
    let bytes = word.as_bytes();
    let of = |b: Option<&u8>| u32::from(b.copied().unwrap_or(0).to_ascii_lowercase());
    let mixed = of(bytes.first())
        .wrapping_mul(31)
        .wrapping_add(of(bytes.last()).wrapping_mul(7))
        .wrapping_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    1 << (mixed % 64)
}

/// Texts of which one must be met, each compared as a whole and without regard to letter case.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TextSet {
    /// As they were written.
    pub(crate) written: Vec<String>,
    keys: Vec<String>,
    mask: u64,
}

impl TextSet {
    /// Names of arguments and fields.
    pub(crate) fn names(written: Vec<String>) -> Self {
        Self::keyed(written, |name| key(name).into_owned())
    }

    /// Values.
    pub(crate) fn values(written: Vec<String>) -> Self {
        Self::keyed(written, |text| text.to_ascii_lowercase())
    }

    fn keyed(written: Vec<String>, key: fn(&str) -> String) -> Self {
        let keys: Vec<String> = written.iter().map(|w| key(w)).collect();
        let mask = keys.iter().fold(0, |mask, k| mask | bit(k));
        Self {
            written,
            keys,
            mask,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn may_meet(&self, mask: u64) -> bool {
        self.mask & mask != 0
    }

    /// Whether a name in its one spelling, or a value, is in the set.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.mask & bit(key) != 0 && self.keys.iter().any(|k| k.eq_ignore_ascii_case(key))
    }
}

/// The words of a name: as they are written, and in the one spelling that each has.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Words {
    written: Vec<String>,
    usual: Vec<String>,
    mask: u64,
}

impl Words {
    pub(crate) fn of(name: &str) -> Self {
        let written = words(name);
        let usual: Vec<String> = written.iter().map(|w| usual(w).into_owned()).collect();
        let all = written.iter().chain(&usual);
        Self {
            mask: all.fold(0, |mask, word| mask | bit(word)),
            written,
            usual,
        }
    }
}

/// Words of which one must stand among the words of a name; one entry of several words wants all of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct WordSet {
    /// As they were written.
    pub(crate) written: Vec<String>,
    split: Vec<Vec<String>>,
    is_usual: bool,
    mask: u64,
}

impl WordSet {
    /// Words in any spelling: `keys` and `key`, `rm` and `delete`.
    pub(crate) fn usual(written: Vec<String>) -> Self {
        Self::new(written, true)
    }

    /// Words as they are written. What keeps a rule away is compared so, lest it reaches too far.
    pub(crate) fn exact(written: Vec<String>) -> Self {
        Self::new(written, false)
    }

    fn new(written: Vec<String>, is_usual: bool) -> Self {
        let spell = |word: String| match is_usual {
            true => usual(&word).into_owned(),
            false => word,
        };
        let split: Vec<Vec<String>> = written
            .iter()
            .map(|entry| words(entry).into_iter().map(spell).collect())
            .collect();
        let firsts = split.iter().filter_map(|words| words.first());
        Self {
            mask: firsts.fold(0, |mask, word| mask | bit(word)),
            is_usual,
            written,
            split,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.split.is_empty()
    }

    /// Whether an entry's words all stand among these.
    pub(crate) fn meets(&self, words: &Words) -> bool {
        let among = if self.is_usual {
            &words.usual
        } else {
            &words.written
        };
        self.mask & words.mask != 0
            && self
                .split
                .iter()
                .any(|entry| !entry.is_empty() && entry.iter().all(|word| among.contains(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_meet_whole_words_only() {
        let set = WordSet::usual(vec!["key create".to_owned(), "purge".to_owned()]);
        let meets = |text: &str| set.meets(&Words::of(text));
        assert!(meets("iam.create_access_keys") && meets("cdn.purge") && meets("keys.new"));
        assert!(!meets("iam.keyboard_create") && !meets("cdn.purged") && !meets("create"));
        let exact = WordSet::exact(vec!["list".to_owned()]);
        assert!(exact.meets(&Words::of("key_list")) && !exact.meets(&Words::of("lists_create")));
        let names = TextSet::names(vec!["no-verify".to_owned(), "recipients".to_owned()]);
        assert!(names.has(&key("noVerify")) && !names.has(&key("verify")));
        assert!(names.has(&key("to_address")) && names.has(&key("toaddress")));
    }
}
