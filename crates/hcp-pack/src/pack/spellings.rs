//! `spellings` of `surface.json`: other spellings of the commands' own words. They serve to read a line; a command
//! is always rendered as its `cli` writes it, where a literal stays itself.

use super::surface::Entry;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Member, Node, Span};
use hcp_core::names::{CommandName, did_you_mean};
use hcp_core::text::quoted;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// One key with its spellings.
struct Listed<'n> {
    /// The own words up to the one that is spelled otherwise; one alone stands for that word in any place.
    path: Vec<&'n str>,
    key: &'n str,
    span: Span,
    spellings: Vec<(&'n str, Span)>,
}

impl Listed<'_> {
    /// Whether the key means this own word behind these.
    fn means(&self, before: &[String], word: &str) -> bool {
        match self.path.split_last() {
            Some((last, [])) => *last == word,
            // The program, which stands first, is not part of a key.
            Some((last, path)) => *last == word && before.get(1..).is_some_and(|own| own == path),
            None => false,
        }
    }
}

/// The own words of commands by the words that stand before them.
type Places = BTreeMap<Vec<String>, BTreeSet<String>>;

/// Reads the spellings and gives them to the commands; `complete` where every command could be read.
pub(crate) fn apply(
    node: &Node,
    entries: &mut BTreeMap<CommandName, Entry>,
    complete: bool,
    faults: &mut Vec<Fault>,
) {
    let Some(fields) = Fields::open(node, "\"spellings\"", faults) else {
        return;
    };
    let members = fields.members().iter();
    let listed: Vec<Listed<'_>> = members.map(|member| read(member, faults)).collect();
    let places = places(entries.values());
    let mut given: BTreeMap<(&Vec<String>, &String), Vec<String>> = BTreeMap::new();
    let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, entry) in listed.iter().enumerate() {
        let last = entry.path.last().copied().unwrap_or_default();
        by_word.entry(last).or_default().push(number);
    }
    let mut used: HashSet<usize> = HashSet::new();
    for (before, words) in &places {
        let mut taken: BTreeMap<&str, &str> = words.iter().map(|w| (w.as_str(), &**w)).collect();
        for word in words {
            for number in by_word.get(word.as_str()).into_iter().flatten() {
                let Some(entry) = listed.get(*number).filter(|l| l.means(before, word)) else {
                    continue;
                };
                used.insert(*number);
                for (spelling, span) in &entry.spellings {
                    match taken.insert(spelling, word) {
                        None => given
                            .entry((before, word))
                            .or_default()
                            .push((*spelling).to_owned()),
                        Some(other) => {
                            taken.insert(spelling, other);
                            refuse(spelling, *span, word, other, faults);
                        }
                    }
                }
            }
        }
    }
    for (number, entry) in listed.iter().enumerate() {
        if complete && !used.contains(&number) && !entry.path.is_empty() {
            faults.push(no_own_word(entry, &places));
        }
    }
    for entry in entries.values_mut() {
        let own = own_words(entry);
        for (at, template) in entry.cli.iter_mut().enumerate().take(own.len()).skip(1) {
            let (Some(before), Some(word)) = (own.get(..at), own.get(at)) else {
                continue;
            };
            if let Some(others) = given.get(&(&before.to_vec(), word)) {
                template.spell(others.clone());
            }
        }
    }
}

fn own_words(entry: &Entry) -> Vec<String> {
    let own = entry.cli.iter().take_while(|word| !word.ends_own_words());
    own.filter_map(|word| word.literal().map(str::to_owned))
        .collect()
}

fn places<'e>(entries: impl Iterator<Item = &'e Entry>) -> Places {
    let mut places = Places::new();
    for entry in entries {
        let own = own_words(entry);
        for (at, word) in own.iter().enumerate().skip(1) {
            let before = own.get(..at).unwrap_or_default().to_vec();
            places.entry(before).or_default().insert(word.clone());
        }
    }
    places
}

/// One key; what is wrong in it is told, and left out.
fn read<'n>(member: &'n Member, faults: &mut Vec<Fault>) -> Listed<'n> {
    let key = member.key.as_str();
    let path: Vec<&str> = key.split(' ').collect();
    let good = path.iter().all(|word| is_plain(word));
    if !good {
        faults.push(
            Fault::at(
                member.key_span,
                format!("{} is no own word that can have spellings", quoted(key)),
            )
            .help("write the word as \"cli\" does, like \"install\", or with the own words before it, like \"remote add\""),
        );
    }
    let mut spellings: Vec<(&str, Span)> = Vec::new();
    let items = fields::array(&member.value, faults);
    if items.is_some_and(<[Node]>::is_empty) {
        faults.push(
            Fault::at(member.value.span, "this list of spellings is empty")
                .help("write one, like [\"i\"], or take the key out"),
        );
    }
    for item in items.unwrap_or_default() {
        let Some(text) = fields::string(item, faults) else {
            continue;
        };
        if !is_plain(text) {
            faults.push(
                Fault::at(item.span, format!("the spelling {} is no plain word", quoted(text)))
                    .help("a spelling begins with a letter or digit and has letters, digits, \".\", \"_\" and \"-\" alone"),
            );
        } else if spellings.iter().any(|(known, _)| *known == text) {
            faults.push(
                Fault::at(item.span, format!("{} stands twice", quoted(text)))
                    .help("take one of them out"),
            );
        } else {
            spellings.push((text, item.span));
        }
    }
    Listed {
        path: if good { path } else { Vec::new() },
        key,
        span: member.key_span,
        spellings,
    }
}

fn is_plain(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

/// A line with this spelling would belong to two commands, or the spelling says nothing new. Told once.
fn refuse(spelling: &str, span: Span, word: &str, other: &str, faults: &mut Vec<Fault>) {
    if faults.iter().any(|fault| fault.span == span) {
        return;
    }
    let (message, help) = if other == word {
        (
            format!("{} spells {} already", quoted(spelling), quoted(word)),
            "take it out".to_owned(),
        )
    } else if other == spelling {
        (
            format!(
                "{} is another command's own word where {} stands",
                quoted(spelling),
                quoted(word)
            ),
            "take it out: a line can belong to one of them only".to_owned(),
        )
    } else {
        (
            format!(
                "{} spells {} too where {} stands",
                quoted(spelling),
                quoted(other),
                quoted(word)
            ),
            "give it to one of them, or write the own words before it in the key, like \"remote add\""
                .to_owned(),
        )
    };
    faults.push(Fault::at(span, message).help(help));
}

fn no_own_word(entry: &Listed<'_>, places: &Places) -> Fault {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (before, words) in places {
        for word in words {
            if entry.path.len() > 1 {
                let path = before.iter().skip(1).chain(std::iter::once(word));
                known.insert(path.cloned().collect::<Vec<_>>().join(" "));
            } else {
                known.insert(word.clone());
            }
        }
    }
    let near = did_you_mean(entry.key, known.iter().map(String::as_str));
    Fault::at(
        entry.span,
        format!("{} is no own word of a command", quoted(entry.key)),
    )
    .help(match near {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => {
            "name a word that stands in \"cli\" between the program and the first option or placeholder"
                .to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words() {
        for (word, plain) in [
            ("install", true),
            ("i", true),
            ("enable-2fa", true),
            ("1.x_y", true),
            ("", false),
            ("-i", false),
            ("_x", false),
            ("a|b", false),
            ("a b", false),
            ("{{a}}", false),
            ("é", false),
        ] {
            assert_eq!(is_plain(word), plain, "{word}");
        }
    }
}
