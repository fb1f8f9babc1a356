//! Whole words, and the forms that English gives a verb.

/// The words of names: `ls-files`, `deleteAll`, `rm_all`.
pub(super) fn name_words(names: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for name in names {
        let mut word = String::new();
        let mut lower = false;
        for c in name.chars() {
            let ends = !c.is_alphanumeric() || (lower && c.is_uppercase());
            if ends && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            }
            lower = c.is_lowercase();
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    words
}

/// The words of a sentence in lower case; commas are words of their own.
pub(super) fn prose_words(text: &str) -> Vec<String> {
    let spaced = text.replace([',', ';', '/'], " , ");
    let words = spaced.split(|c: char| !(c.is_alphanumeric() || c == ',' || c == '\''));
    words
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .take(60)
        .collect()
}

/// Whether a word is one of these verbs in any form.
pub(super) fn is_any(word: &str, verbs: &[&str]) -> bool {
    verbs.iter().any(|verb| is_form(word, verb))
}

/// `remove`: remove, removes, removed, removing, removal; `drop`: dropping; `deny`: denies.
fn is_form(word: &str, verb: &str) -> bool {
    let Some(rest) = word.strip_prefix(verb) else {
        return other_stem(word, verb);
    };
    let doubled = verb.chars().next_back();
    matches!(
        rest,
        "" | "s" | "es" | "d" | "ed" | "ing" | "er" | "ion" | "ment"
    ) || doubled.is_some_and(|c| {
        [format!("{c}ed"), format!("{c}ing")]
            .iter()
            .any(|form| form == rest)
    })
}

fn other_stem(word: &str, verb: &str) -> bool {
    if let Some(stem) = verb.strip_suffix('e') {
        return ["ing", "ion", "al", "able"]
            .iter()
            .any(|end| word == format!("{stem}{end}"));
    }
    if let Some(stem) = verb.strip_suffix('y') {
        return ["ies", "ied"]
            .iter()
            .any(|end| word == format!("{stem}{end}"));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_in_every_form() {
        for word in ["remove", "removes", "removed", "removing", "removal"] {
            assert!(is_any(word, &["remove"]), "{word}");
        }
        assert!(
            is_any("dropping", &["drop"])
                && is_any("denies", &["deny"])
                && is_any("deletion", &["delete"])
        );
        assert!(
            !is_any("dropbox", &["drop"])
                && !is_any("premove", &["remove"])
                && !is_any("rmdir", &["rm"])
        );
        assert_eq!(
            name_words(&["ls-files".to_owned(), "deleteAll".to_owned()]),
            ["ls", "files", "delete", "all"]
        );
    }
}
