//! Names into words: how the names of commands and arguments are compared.
//!
//! Whole words only: `gh.pr_merge` has the words gh, pr and merge, and `unpublish` is a word of its own that
//! never holds `publish`. Which words mean the same is data, in `rules/names.json`. Names alone are read
//! here; no value of an argument is.

use hcp_core::json::{Limits, Value, parse};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// The words of a name, in lower case: parted at everything but letters and digits, and where capitals begin.
///
/// ```
/// use hcp_card::names::words;
/// assert_eq!(words("gh.pr_merge"), ["gh", "pr", "merge"]);
/// assert_eq!(words("PRMerge"), ["pr", "merge"]);
/// assert_eq!(words("toAddress"), ["to", "address"]);
/// assert_eq!(words("unpublish"), ["unpublish"]);
/// ```
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    if name
        .bytes()
        .all(|b| b.is_ascii() && !b.is_ascii_uppercase())
    {
        return name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
    }
    let mut out = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            push(&mut out, &mut word);
            before = None;
            continue;
        }
        let begins = c.is_uppercase()
            && before.is_some_and(|b| {
                !b.is_uppercase() || chars.peek().is_some_and(|next| next.is_lowercase())
            });
        if begins {
            push(&mut out, &mut word);
        }
        word.extend(c.to_lowercase());
        before = Some(c);
    }
    push(&mut out, &mut word);
    out
}

fn push(out: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        out.push(std::mem::take(word));
    }
}

/// The one spelling that stands for a word: the singular, and the usual word among those that mean the same.
///
/// ```
/// use hcp_card::names::usual;
/// assert_eq!(usual("rm"), "delete");
/// assert_eq!(usual("instances"), "instance");
/// assert_eq!(usual("revoke"), "revoke");
/// ```
#[must_use]
pub fn usual(word: &str) -> Cow<'_, str> {
    let table = &TABLES.words;
    if let Some(usual) = table.get(word) {
        return Cow::Borrowed(usual);
    }
    let single = singular(word);
    match table.get(single.as_ref()) {
        Some(usual) => Cow::Borrowed(usual),
        None => single,
    }
}

/// The same as [`usual`], kept apart from the word that it was asked for.
pub(crate) fn usual_word<'w>(word: &str) -> Cow<'w, str> {
    let table = &TABLES.words;
    let known = table
        .get(word)
        .or_else(|| table.get(singular(word).as_ref()));
    match known {
        Some(usual) => Cow::Borrowed(usual.as_str()),
        None => Cow::Owned(singular(word).into_owned()),
    }
}

/// The one spelling that stands for an argument's name: `recipients`, `toAddress` and `to_email` are all `to`.
///
/// ```
/// use hcp_card::names::argument;
/// assert_eq!(argument("recipients"), "to");
/// assert_eq!(argument("toAddress"), "to");
/// assert_eq!(argument("To"), "to");
/// assert_eq!(argument("topic"), "topic");
/// ```
#[must_use]
pub fn argument(name: &str) -> Cow<'_, str> {
    let table = &TABLES.arguments;
    if is_spelled_plainly(name) {
        let single = singular_at_the_end(name);
        return match table.get(single.as_ref()) {
            Some(usual) => Cow::Borrowed(usual),
            None => single,
        };
    }
    let mut words = words(name);
    if let Some(last) = words.last_mut() {
        let single = singular(last).into_owned();
        *last = single;
    }
    let joined = words.join("_");
    match table.get(&joined) {
        Some(usual) => Cow::Borrowed(usual),
        None => Cow::Owned(joined),
    }
}

/// Whether a name is words of small ASCII letters and digits with a `_` between each two, as most are: then it
/// parts into words and joins again to itself.
fn is_spelled_plainly(name: &str) -> bool {
    name.split('_').all(|word| {
        !word.is_empty()
            && word
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    })
}

/// A name whose last word is in the singular.
fn singular_at_the_end(name: &str) -> Cow<'_, str> {
    let Some((head, last)) = name.rsplit_once('_') else {
        return singular(name);
    };
    match singular(last) {
        same if same == last => Cow::Borrowed(name),
        single => Cow::Owned(format!("{head}_{single}")),
    }
}

/// The one spelling of an argument's name without marks between its words: `to_address` and `toaddress` are `to`.
pub(crate) fn key(name: &str) -> Cow<'_, str> {
    let joined = match argument(name) {
        marked if marked.contains('_') => Cow::Owned(marked.split('_').collect::<String>()),
        plain => plain,
    };
    match TABLES.arguments.get(joined.as_ref()) {
        Some(usual) if usual.contains('_') => Cow::Owned(usual.split('_').collect()),
        Some(usual) => Cow::Borrowed(usual.as_str()),
        // `assumeyes` is one word where `assume_yes` is two, and the last is no plural.
        None => match joined {
            Cow::Borrowed(joined) => singular(joined),
            Cow::Owned(joined) => Cow::Owned(singular(&joined).into_owned()),
        },
    }
}

/// The names of arguments that have a role; empty where nobody knows it.
pub(crate) fn of_role(role: &str) -> &'static [String] {
    let all = TABLES.roles.iter();
    let found = all.clone().find(|(word, _)| word == role);
    found.map_or(&[], |(_, names)| names)
}

/// The words of the roles, for the reader.
pub(crate) fn roles() -> impl Iterator<Item = &'static str> {
    TABLES.roles.iter().map(|(word, _)| word.as_str())
}

/// The singular of a plural in `s`; every other word as it is.
pub(crate) fn singular(word: &str) -> Cow<'_, str> {
    let keeps = word.len() < 4
        || !word.ends_with('s')
        || ["ss", "us", "is", "ws"]
            .iter()
            .any(|end| word.ends_with(end))
            && word != "views";
    if word == "ids" {
        return Cow::Borrowed("id");
    }
    if keeps {
        return Cow::Borrowed(word);
    }
    if let Some(stem) = word.strip_suffix("ies")
        && stem.len() > 1
    {
        return Cow::Owned(format!("{stem}y"));
    }
    for end in ["xes", "ches", "shes", "sses"] {
        if word.ends_with(end) {
            return Cow::Borrowed(word.strip_suffix("es").unwrap_or(word));
        }
    }
    Cow::Borrowed(word.strip_suffix('s').unwrap_or(word))
}

/// Whether a word tells of showing rather than doing.
pub(crate) fn is_reader(word: &str) -> bool {
    TABLES.readers.contains(word)
}

/// Whether a word that begins a command's name says that the command only shows.
pub(crate) fn is_lead_reader(word: &str) -> bool {
    TABLES.lead_readers.contains(word)
}

/// Whether a word is an act and never a thing.
pub(crate) fn is_act(word: &str) -> bool {
    TABLES.acts.contains(word)
}

/// Whether a word may name a thing as well as an act.
pub(crate) fn may_be_noun(word: &str) -> bool {
    TABLES.nouns.contains(word)
}

/// The action on a calendar that a word stands for.
pub(crate) fn action(word: &str) -> Option<&'static str> {
    TABLES.actions.get(word).map(String::as_str)
}

/// How a word of a command begins a title: `rm` as "Remove", `merge` as "Merge".
pub(crate) fn begin(word: &str) -> String {
    if let Some(text) = TABLES.display.get(word) {
        return text.clone();
    }
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// A quick hash for short words. Nobody but this crate's own data fills a table, so that no one can make its words
/// collide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A table by words.
pub(crate) type ByWord<T> = HashMap<String, T, BuildHasherDefault<Fnv>>;
type Words = HashSet<String, BuildHasherDefault<Fnv>>;

struct Tables {
    words: ByWord<String>,
    arguments: ByWord<String>,
    /// What an argument is to a call, by its name, where no field shows it.
    roles: Vec<(String, Vec<String>)>,
    readers: Words,
    lead_readers: Words,
    acts: Words,
    nouns: Words,
    actions: ByWord<String>,
    display: ByWord<String>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let value = parse(include_str!("../rules/names.json"), Limits::default())
        .map_or(Value::Null, |node| node.to_value());
    let all = |key: &str| texts(value.get(key)).collect();
    Tables {
        words: groups(value.get("words")),
        arguments: joined(groups(value.get("arguments"))),
        roles: entries(value.get("roles"))
            .map(|(role, names)| (role.to_owned(), texts(Some(names)).collect()))
            .collect(),
        readers: all("readers"),
        lead_readers: all("lead_readers"),
        acts: all("acts"),
        nouns: all("nouns"),
        actions: groups(value.get("actions")),
        display: entries(value.get("display"))
            .filter_map(|(word, text)| Some((word.to_owned(), text.as_str()?.to_owned())))
            .collect(),
    }
});

fn texts(list: Option<&Value>) -> impl Iterator<Item = String> + '_ {
    list.and_then(Value::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(|v| v.as_str().map(str::to_owned))
}

/// From each word of a group to the group's own name.
fn groups(value: Option<&Value>) -> ByWord<String> {
    let mut out = ByWord::default();
    for (name, members) in entries(value) {
        out.insert(name.to_owned(), name.to_owned());
        for member in texts(Some(members)) {
            out.insert(member, name.to_owned());
        }
    }
    out
}

fn entries(value: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    let object = value.and_then(Value::as_object);
    object.into_iter().flat_map(|object| object.iter())
}

/// The names also without the marks between their words.
fn joined(mut table: ByWord<String>) -> ByWord<String> {
    let more: Vec<(String, String)> = table
        .iter()
        .filter(|(name, _)| name.contains('_'))
        .map(|(name, usual)| (name.replace('_', ""), usual.clone()))
        .collect();
    for (name, usual) in more {
        table.entry(name).or_insert(usual);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_part_into_whole_words() {
        for (name, expected) in [
            ("pr_merge", "pr merge"),
            ("pr-merge", "pr merge"),
            ("prMerge", "pr merge"),
            ("PRMerge", "pr merge"),
            ("to_address", "to address"),
            ("gh.pr_merge", "gh pr merge"),
            ("TO", "to"),
            ("--dry-run", "dry run"),
            ("s3api", "s3api"),
            ("HTTPServerURL", "http server url"),
            ("undelete", "undelete"),
            ("", ""),
            ("__", ""),
            ("Straße", "straße"),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    /// The same, letter by letter.
    fn naive_words(name: &str) -> Vec<String> {
        let chars: Vec<char> = name.chars().collect();
        let mut out = vec![String::new()];
        for (i, c) in chars.iter().enumerate() {
            let before = i.checked_sub(1).map(|b| chars[b]);
            let next = chars.get(i + 1);
            let after_small = before.is_some_and(|b| b.is_alphanumeric() && !b.is_uppercase());
            let before_small =
                before.is_some_and(char::is_uppercase) && next.is_some_and(|n| n.is_lowercase());
            if !c.is_alphanumeric() || c.is_uppercase() && (after_small || before_small) {
                out.push(String::new());
            }
            if c.is_alphanumeric() {
                out.last_mut().unwrap().extend(c.to_lowercase());
            }
        }
        out.retain(|word| !word.is_empty());
        out
    }

    fn naive_argument(name: &str) -> String {
        let mut words = naive_words(name);
        if let Some(last) = words.last_mut() {
            *last = singular(last).into_owned();
        }
        let joined = words.join("_");
        TABLES.arguments.get(&joined).cloned().unwrap_or(joined)
    }

    fn naive_key(name: &str) -> String {
        let joined = naive_argument(name).replace('_', "");
        match TABLES.arguments.get(&joined) {
            Some(usual) => usual.replace('_', ""),
            None => singular(&joined).into_owned(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_quick_ways_give_what_the_plain_ones_give(
            name in prop_oneof![
                "[a-z0-9_]{0,12}",
                "[a-zA-Z0-9_.-]{0,12}",
                "\\PC{0,8}",
                proptest::sample::select(TABLES.arguments.keys().cloned().collect::<Vec<_>>()),
                proptest::sample::select(TABLES.words.keys().cloned().collect::<Vec<_>>()),
            ],
            end in "|s|_s|es|ies|_ids",
        ) {
            let name = format!("{name}{end}");
            prop_assert_eq!(words(&name), naive_words(&name));
            prop_assert_eq!(argument(&name), naive_argument(&name));
            prop_assert_eq!(key(&name), naive_key(&name));
            prop_assert_eq!(usual_word(&name), usual(&name));
        }
    }

    #[test]
    fn a_word_with_an_undoing_prefix_is_its_own() {
        for word in [
            "unpublish",
            "unshare",
            "revoke",
            "undelete",
            "disable",
            "unsend",
        ] {
            assert_eq!(usual(word), word);
        }
    }

    #[test]
    fn plurals_and_synonyms_have_one_spelling() {
        for (word, expected) in [
            ("removes", "delete"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("status", "status"),
            ("dns", "dns"),
            ("news", "news"),
            ("access", "access"),
            ("boxes", "box"),
            ("emails", "mail"),
        ] {
            assert_eq!(usual(word), expected, "{word}");
        }
        for (name, expected) in [
            ("recipients", "to"),
            ("to_addresses", "to"),
            ("toEmails", "to"),
            ("ccAddresses", "cc"),
            ("attendees", "attendee"),
            ("file-path", "path"),
            ("total", "total"),
        ] {
            assert_eq!(argument(name), expected, "{name}");
        }
    }

    #[test]
    fn the_tables_are_read_whole() {
        let t = &*TABLES;
        assert!(t.words.len() > 20 && t.arguments.len() > 60 && t.readers.len() > 20);
        assert!(t.lead_readers.len() > 10 && t.acts.len() > 40 && t.nouns.len() > 15);
        assert!(t.actions.len() > 10 && t.display.len() > 10);
        // A word of two groups would mean one thing or the other by chance.
        let value = parse(include_str!("../rules/names.json"), Limits::default())
            .unwrap()
            .to_value();
        for table in ["words", "arguments", "actions"] {
            let mut seen = HashSet::new();
            for (name, members) in value.get(table).unwrap().as_object().unwrap().iter() {
                let own = texts(Some(members)).filter(|m| m != name);
                for word in std::iter::once(name.to_owned()).chain(own) {
                    assert!(seen.insert(word.clone()), "{word} stands twice in {table}");
                }
            }
        }
    }
}
