//! The head of a usage line: the program's name and the command's own words.

use super::{Item, OPTION_WORDS, Part, is_one_of, only_options};

/// The parts after the program's name and the command's own words, what stands for options between them passed
/// over; and whether all of these words stood there.
pub(super) fn without_path(parts: Vec<Part>, path: &[String]) -> (Vec<Part>, bool) {
    let mut wanted = path.iter().skip(1).peekable();
    let mut rest = Vec::new();
    let mut begun = false;
    let mut parts = parts.into_iter();
    for part in parts.by_ref() {
        let word = match &part.item {
            Item::Word(word) | Item::Meta(word) => Some(word.as_str()),
            Item::Choice(_) | Item::Option(_) | Item::Dashes | Item::Group { .. } => None,
        };
        if !begun {
            // However the program calls itself, its first word is its name.
            begun = true;
            if word.is_some() {
                continue;
            }
        }
        match (word, wanted.peek()) {
            (Some(word), Some(next)) if word.eq_ignore_ascii_case(next) => {
                wanted.next();
            }
            (None, Some(_)) if stands_for_options(&part) => {}
            _ => {
                rest.push(part);
                break;
            }
        }
    }
    rest.extend(parts);
    (rest, wanted.peek().is_none())
}

fn stands_for_options(part: &Part) -> bool {
    match &part.item {
        Item::Group { ways, .. } => {
            let named: Vec<String> = ways
                .iter()
                .map(|way| {
                    let words = way.iter().map(|p| match &p.item {
                        Item::Word(w) | Item::Meta(w) => w.as_str(),
                        Item::Choice(_) | Item::Option(_) | Item::Dashes | Item::Group { .. } => "",
                    });
                    words.collect::<Vec<_>>().join(" ")
                })
                .collect();
            named.iter().all(|name| is_one_of(name, OPTION_WORDS))
        }
        Item::Meta(name) => is_one_of(name, OPTION_WORDS),
        Item::Word(_) | Item::Choice(_) | Item::Option(_) | Item::Dashes => false,
    }
}

/// Takes the literal words at the head of a line, options before them passed over: `[-v] show <name>`,
/// `[push [-p]]`.
pub(super) fn take_words(parts: Vec<Part>, words: &mut Vec<String>) -> Vec<Part> {
    let mut kept = Vec::new();
    let mut parts = parts.into_iter();
    for part in parts.by_ref() {
        match &part.item {
            Item::Word(word) if crate::text::is_command_word(word) => words.push(word.clone()),
            Item::Option(_) if words.is_empty() => kept.push(part),
            Item::Group { ways, .. } if words.is_empty() && only_options(ways) => kept.push(part),
            Item::Group {
                ways,
                optional: true,
            } if words.is_empty() => {
                let head = match ways.as_slice() {
                    [way] => way.first().map(|p| &p.item),
                    [] | [_, _, ..] => None,
                };
                if let (Some(Item::Word(_)), [way]) = (head, ways.as_slice()) {
                    let inner = take_words(way.clone(), words);
                    kept.extend(inner);
                } else {
                    kept.push(part);
                }
                break;
            }
            Item::Word(_)
            | Item::Meta(_)
            | Item::Choice(_)
            | Item::Option(_)
            | Item::Dashes
            | Item::Group { .. } => {
                kept.push(part);
                break;
            }
        }
    }
    kept.extend(parts);
    kept
}
