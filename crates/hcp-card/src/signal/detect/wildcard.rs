//! Values that stand for everything of their sort.

use super::super::facts::{ArgFact, Facts};
use super::super::texts::each;
use super::{Found, NAMES, time};
use crate::names::words;

/// The values of a call that stand for everything.
pub(super) fn wildcards(facts: &Facts<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for arg in facts.args.iter().filter(|arg| !NAMES.text.has(&arg.key)) {
        each(arg.value, &mut |text| {
            if is_wildcard(text) && !(is_word_all(text) && is_setting(arg)) {
                found.push(Found::value(text));
            }
        });
    }
    found
}

fn is_word_all(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("all")
}

/// Whether an argument says how a call tells of itself (`sendUpdates: all`), and not what it acts on.
fn is_setting(arg: &ArgFact<'_>) -> bool {
    const WORDS: &[&str] = &[
        "send",
        "notify",
        "notification",
        "notifications",
        "format",
        "output",
        "verbosity",
        "fields",
    ];
    words(arg.name)
        .iter()
        .any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a value stands for everything: it is or ends in a wildcard, or is the whole of a place.
fn is_wildcard(text: &str) -> bool {
    const LONGEST: usize = 4096;
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST || text.contains('\n') || time::is_rhythm(text) {
        return false;
    }
    let ends = text.trim_end_matches(['/', '"', '\'']);
    if ends.ends_with('*') || is_word_all(text) {
        return true;
    }
    // `./`, `/.` and `../..` are the places that `.`, `/` and `..` are.
    let is_place = text.chars().all(|c| matches!(c, '/' | '.')) && !text.contains("...");
    is_place
        || matches!(
            text,
            "~" | "~/" | "%" | "%%" | "$HOME" | "0.0.0.0/0" | "::/0" | ":/" | "C:\\" | "C:/"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_are_told_from_names() {
        for text in [
            "*",
            "logs/*",
            "**",
            "a.*",
            "all",
            "ALL",
            "/",
            "~",
            "~/",
            ".",
            "./",
            "..",
            "../..",
            "/.",
            "%",
            "'*'",
            "dir/*/",
            "0.0.0.0/0",
            "//",
        ] {
            assert!(is_wildcard(text), "{text}");
        }
        for text in [
            "", "a", "a.txt", "/tmp", "*.txt", "…", "...", "tall", "all.txt", "50%", "~ana", "*a",
        ] {
            assert!(!is_wildcard(text), "{text}");
        }
    }
}
