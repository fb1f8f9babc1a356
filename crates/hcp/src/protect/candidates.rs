//! The parts of a word that a tool might read as a path.

use std::collections::BTreeSet;

/// No path is longer, as the system counts.
const LONGEST_PATH: usize = 4096;

/// More separators than this are not all combined with each other.
const MOST_COMBINED: usize = 24;

/// Characters that tools put between a path and what stands beside it.
const SEPARATORS: &[char] = &[
    '=', ':', ',', '@', ';', '|', '"', '\'', '(', ')', '[', ']', '{', '}', '<', '>', '?', '#', '&',
    '+',
];

/// Every part of a word that could be a path: the whole word, what follows the letters of a short option, and
/// what stands between separators. A text with white space is read as prose behind its first blank.
pub(super) fn candidates(word: &str) -> BTreeSet<String> {
    let word = word.trim_matches(|c: char| c.is_control());
    let mut found = BTreeSet::new();
    push(&mut found, word);
    push(&mut found, word.trim());
    if word.starts_with('-') {
        glued(word, &mut found);
    }
    between(word, &mut found);
    for uri in uris(word) {
        push(&mut found, &uri);
    }
    found
}

fn push(found: &mut BTreeSet<String>, text: &str) {
    let fits = !text.is_empty() && text.len() <= LONGEST_PATH && !text.contains('\0');
    if fits && !found.contains(text) {
        found.insert(text.to_owned());
    }
}

/// `-o/path`, `-rC../path`, `-I~/path`, `-f.hcp/access.json`: a path may begin behind any of the letters.
fn glued(word: &str, found: &mut BTreeSet<String>) {
    const MOST_LETTERS: usize = 8;
    for (at, _) in word.char_indices().skip(2).take(MOST_LETTERS) {
        push(found, word.get(at..).unwrap_or_default());
    }
    for start in ["/", "~", "$", "./", "../"] {
        if let Some(at) = word.find(start) {
            push(found, word.get(at..).unwrap_or_default());
        }
    }
}

/// What stands between separators, up to the first white space of the word: from behind each to the next one
/// and to the end, and to every other one as long as there are few.
fn between(word: &str, found: &mut BTreeSet<String>) {
    let prose = word.find(char::is_whitespace).unwrap_or(word.len());
    let cuts: Vec<(usize, usize)> = word
        .char_indices()
        .filter(|(at, c)| *at < prose && SEPARATORS.contains(c))
        .map(|(at, c)| (at, at + c.len_utf8()))
        .collect();
    let starts = std::iter::once(0).chain(cuts.iter().map(|(_, behind)| *behind));
    for (nth, start) in starts.enumerate() {
        let from = word.get(start..).unwrap_or_default();
        if is_web_address(word, start) {
            continue;
        }
        push(found, from);
        let ends = cuts.iter().map(|(at, _)| *at).filter(|at| *at >= start);
        let most = if nth < MOST_COMBINED {
            MOST_COMBINED
        } else {
            1
        };
        for end in ends.take(most) {
            push(found, word.get(start..end).unwrap_or_default());
        }
    }
}

/// Whether here stands `//host/path` of an address other than a file's.
fn is_web_address(word: &str, start: usize) -> bool {
    let before = word.get(..start).unwrap_or_default();
    let from = word.get(start..).unwrap_or_default();
    from.starts_with("//") && before.ends_with(':') && !before.ends_with("file:")
}

/// The paths of `file:` addresses in a word, percent-encoding resolved.
fn uris(word: &str) -> Vec<String> {
    let lower = word.to_ascii_lowercase();
    lower
        .match_indices("file:")
        .filter_map(|(at, scheme)| word.get(at + scheme.len()..))
        .map(|rest| match rest.strip_prefix("//") {
            // An address with a host: the path begins at the next slash.
            Some(host) => host
                .find('/')
                .and_then(|at| host.get(at..))
                .unwrap_or_default(),
            None => rest,
        })
        .map(decoded)
        .collect()
}

fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                out.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
