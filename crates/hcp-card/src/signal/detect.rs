//! What no list of names and values can find: the detectors that signal rules name under `found`. Each is linear in
//! the size of the call.

pub(crate) mod blank;
pub(crate) mod link;
pub(crate) mod secret;
pub(crate) mod time;
mod wildcard;

use super::facts::{ArgFact, Facts};
use super::look_alike::skeleton;
use super::look_alike::{self, Disguise};
use super::sets::TextSet;
use super::texts::{each, size};
use crate::names::of_role;
use crate::title::short;
use crate::view::ViewKind;
use hcp_core::canonical;
use hcp_core::json::Value;
use hcp_core::policy::Operation;
use hcp_core::text;
use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

hcp_core::words! {
    /// What a detector finds.
    Detector, "detector" {
        /// A secret argument, or a value that looks like a key or token.
        Secret = "secret",
        /// A link in a text.
        Link = "link",
        /// Characters that cannot be seen.
        Invisible = "invisible",
        /// Three or more blanks in a row.
        BlankRun = "blank_run",
        /// A text of over 1,000 characters.
        LongText = "long_text",
        /// An attachment, or a path that exists.
        File = "file",
        /// An identifier that only looks like a known one.
        LooksLike = "looks_like",
        /// An identifier that only looks like one of an earlier approved call.
        LooksApproved = "looks_like_approved",
        /// A word whose letters are of scripts that are not written together.
        MixedScripts = "mixed_scripts",
        /// A payee or recipient that no approved call of this command had.
        FirstTime = "first_time",
        /// A command line that is not fully read.
        NotFullyRead = "not_fully_read",
        /// A value that stands for everything of its sort.
        Wildcard = "wildcard",
        /// An array as the object.
        ManyItems = "many_items",
        /// A time at which the call takes effect.
        Scheduled = "scheduled",
        /// A value in the form of a rhythm: cron, a recurrence rule.
        Repeats = "repeats",
        /// The same call was rejected or ran out lately.
        AskedBefore = "asked_before",
        /// A write of which nobody knows what it is.
        NotRecognised = "not_recognised",
        /// The call stands in a loop.
        Loop = "loop",
    }
}

/// One finding: the number and values that go into a signal's text. Values are safe and short.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Found {
    pub(crate) count: u64,
    pub(crate) values: Vec<String>,
}

impl Found {
    fn value(text: &str) -> Self {
        Self {
            count: 1,
            values: vec![short(text)],
        }
    }

    fn count(count: usize) -> Self {
        Self {
            count: u64::try_from(count).unwrap_or(u64::MAX),
            values: Vec::new(),
        }
    }

    /// One finding where something holds.
    fn when(holds: bool) -> Vec<Self> {
        if holds {
            vec![Self::default()]
        } else {
            Vec::new()
        }
    }
}

/// What a detector finds in a call.
pub(crate) fn find(detector: Detector, facts: &Facts<'_>) -> Vec<Found> {
    match detector {
        Detector::Secret => facts.secrets.get_or_init(|| secret::secrets(facts)).clone(),
        Detector::Link => links(facts),
        Detector::Invisible => Found::when(has_invisible(facts)),
        Detector::BlankRun => blank_run(facts),
        Detector::LongText => long_text(facts),
        Detector::File => files(facts),
        Detector::LooksLike => looks_like(facts),
        Detector::LooksApproved => values(&facts.past.look_like_approved),
        Detector::MixedScripts => mixed_scripts(facts),
        Detector::FirstTime => first_time(facts),
        Detector::NotFullyRead => not_fully_read(facts),
        Detector::Wildcard => wildcard::wildcards(facts),
        Detector::ManyItems => many_items(facts),
        Detector::Scheduled => scheduled(facts),
        Detector::Repeats => repeats(facts),
        Detector::AskedBefore => match facts.past.unanswered {
            0 => Vec::new(),
            times => vec![Found::count(usize::try_from(times).unwrap_or(usize::MAX))],
        },
        Detector::NotRecognised => Found::when(facts.plain && facts.operation == Operation::Write),
        Detector::Loop => Found::when(facts.in_a_loop),
    }
}

/// The roles of those whom a message goes to or comes from.
const ADDRESSES: &[&str] = &["to", "cc", "bcc", "channel", "from"];

struct Names {
    text: TextSet,
    addresses: TextSet,
    when: TextSet,
    objects: TextSet,
    attachments: TextSet,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let all = |roles: &[&str]| {
        let names = roles.iter().flat_map(|role| of_role(role));
        TextSet::names(names.cloned().collect())
    };
    Names {
        text: all(&["text"]),
        addresses: all(ADDRESSES),
        when: all(&["when"]),
        objects: all(&["what", "path"]),
        attachments: all(&["attachments"]),
    }
});

fn values(texts: &[String]) -> Vec<Found> {
    texts.iter().map(|text| Found::value(text)).collect()
}

/// Whether an argument is prose: by its name, by its field, or because it holds words.
fn is_prose(facts: &Facts<'_>, arg: &ArgFact<'_>) -> bool {
    const FIELDS: &[&str] = &["body", "subject", "memo", "notes"];
    NAMES.text.has(&arg.key) || FIELDS.iter().any(|field| facts.is_source(field, arg.name))
}

fn links(facts: &Facts<'_>) -> Vec<Found> {
    let hosts = facts.hosts.get_or_init(|| hosts(facts));
    hosts.iter().map(|host| Found::value(host)).collect()
}

/// The hosts that texts of the call link to, each once.
fn hosts(facts: &Facts<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for arg in &facts.args {
        // Of a message every text is read, but for whom it goes to: an address may be a URL.
        let is_address = NAMES.addresses.has(&arg.key)
            || ADDRESSES.iter().any(|role| facts.is_source(role, arg.name));
        let prose = is_prose(facts, arg) || facts.is(ViewKind::Message) && !is_address;
        each(arg.value, &mut |text| {
            // A URL alone is seen as what it is.
            if prose || text.trim().contains(char::is_whitespace) {
                found.extend(
                    link::hosts(text)
                        .into_iter()
                        .filter(|host| seen.insert(host.clone())),
                );
            }
        });
    }
    found
}

fn has_invisible(facts: &Facts<'_>) -> bool {
    let mut found = facts.unread.iter().any(|word| text::has_invisible(word));
    for arg in &facts.args {
        found |= text::has_invisible(arg.name);
        each(arg.value, &mut |text| {
            found = found || text::has_invisible(text)
        });
    }
    found
}

fn blank_run(facts: &Facts<'_>) -> Vec<Found> {
    let mut best: Option<(u64, &'static str)> = None;
    for arg in &facts.args {
        each(arg.value, &mut |text| {
            best = best.max(blank::longest(text));
        });
    }
    best.map(|(count, word)| Found {
        count,
        values: vec![format!("{} {word}", super::texts::grouped(count))],
    })
    .into_iter()
    .collect()
}

fn long_text(facts: &Facts<'_>) -> Vec<Found> {
    const LONG: usize = 1000;
    let mut longest = 0;
    for arg in &facts.args {
        each(arg.value, &mut |text| {
            if text.len() > LONG {
                longest = longest.max(text.chars().count());
            }
        });
    }
    if longest > LONG {
        vec![Found::count(longest)]
    } else {
        Vec::new()
    }
}

fn files(facts: &Facts<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let attached = |arg: &ArgFact<'_>| {
        NAMES.attachments.has(&arg.key) || facts.is_source("attachments", arg.name)
    };
    for row in facts.files {
        // What goes away is not carried anywhere.
        let Some(bytes) = row.size.filter(|_| !facts.is(ViewKind::Removal)) else {
            continue;
        };
        found.push(Found {
            count: bytes,
            values: vec![format!("{}, {}", short(&row.path), size(bytes))],
        });
    }
    for arg in facts.args.iter().filter(|arg| attached(arg)) {
        each(arg.value, &mut |path| {
            let told = facts.files.iter().any(|row| row.argument == arg.name);
            if !told && !path.trim().is_empty() {
                found.push(Found::value(path));
            }
        });
    }
    found
}

/// Each identifier, and each host of a link, of which a whole or a word only looks like a known text.
fn looks_like(facts: &Facts<'_>) -> Vec<Found> {
    let identifiers = facts.identifiers();
    let hosts = facts.hosts.get_or_init(|| hosts(facts));
    let whole: Vec<&str> = identifiers
        .iter()
        .map(|i| i.value.as_str())
        .chain(hosts.iter().map(String::as_str))
        .collect();
    let mut found = imitations(&whole, &facts.past.known);
    for text in whole {
        if let Some(Disguise::Reads(latin)) = look_alike::disguise(text) {
            found.push(latin);
        }
    }
    let mut seen = HashSet::new();
    found.retain(|text| seen.insert(text.clone()));
    found.iter().map(|text| Found::value(text)).collect()
}

/// The known texts that some text, or a word of it, only looks like.
fn imitations(texts: &[&str], known: &[String]) -> Vec<String> {
    if texts.is_empty() || known.is_empty() {
        return Vec::new();
    }
    let mut by_shape: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for text in texts {
        for part in std::iter::once(*text).chain(look_alike::parts(text)) {
            let parts = by_shape.entry(skeleton(part)).or_default();
            if !parts.contains(&part) && parts.len() < 8 {
                parts.push(part);
            }
        }
    }
    let mut genuine: HashSet<&str> = HashSet::new();
    let mut found: Vec<(&str, &str)> = Vec::new();
    for name in known {
        let shape = skeleton(name);
        for part in by_shape.get(&shape).into_iter().flatten() {
            if look_alike::same(part, name) {
                genuine.insert(part);
            } else if look_alike::only_looks_like(part, &shape, name) {
                found.push((part, name));
            }
        }
    }
    // What is known itself imitates nobody.
    found.retain(|(part, _)| !genuine.contains(part));
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn mixed_scripts(facts: &Facts<'_>) -> Vec<Found> {
    let identifiers = facts.identifiers();
    identifiers
        .iter()
        .filter(|i| look_alike::disguise(&i.value) == Some(Disguise::Mixed))
        .map(|i| Found::value(&i.value))
        .collect()
}

/// The payees and recipients that are new; other identifiers are new with every call.
fn first_time(facts: &Facts<'_>) -> Vec<Found> {
    let new = &facts.past.first_time;
    if new.is_empty() {
        return Vec::new();
    }
    let new: HashSet<&str> = new.iter().map(String::as_str).collect();
    facts
        .identifiers()
        .iter()
        .filter(|i| i.audience && new.contains(i.value.as_str()))
        .map(|i| Found::value(&i.value))
        .collect()
}

fn not_fully_read(facts: &Facts<'_>) -> Vec<Found> {
    if facts.fully_read {
        return Vec::new();
    }
    vec![Found {
        count: u64::try_from(facts.unread.len()).unwrap_or(u64::MAX),
        values: facts.unread.iter().map(|word| short(word)).collect(),
    }]
}

fn many_items(facts: &Facts<'_>) -> Vec<Found> {
    const AUDIENCE: &[&str] = &["to", "cc", "bcc", "channel", "who", "with", "attachments"];
    let is_object = |arg: &ArgFact<'_>| {
        ["what", "path", "target", "field"]
            .iter()
            .any(|f| facts.is_source(f, arg.name))
            || NAMES.objects.has(&arg.key)
            || facts.is(ViewKind::Removal)
    };
    let items: usize = facts
        .args
        .iter()
        .filter(|arg| is_object(arg) && !AUDIENCE.iter().any(|f| facts.is_source(f, arg.name)))
        .filter(|arg| !(facts.is(ViewKind::Message) && NAMES.text.has(&arg.key)))
        .filter_map(|arg| arg.value.as_array())
        .map(<[Value]>::len)
        .sum();
    if items >= 2 && facts.operation == Operation::Write {
        return vec![Found::count(items)];
    }
    Vec::new()
}

/// Whether an argument tells when the call takes effect. The `time` of a run is that, and of other calls a fact.
fn is_when(facts: &Facts<'_>, arg: &ArgFact<'_>) -> bool {
    NAMES.when.has(&arg.key)
        || facts.is_source("when", arg.name)
        || arg.key == "time" && facts.is(ViewKind::Run)
}

fn scheduled(facts: &Facts<'_>) -> Vec<Found> {
    // The time of an event is when it is, and not when the call takes effect.
    if facts.kind == ViewKind::Event {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut keep = |value: &Value| {
        let text = match value {
            Value::Null | Value::Bool(_) => return,
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Array(_) | Value::Object(_) => canonical::encode(value),
        };
        if let Some(words) = time::later(&text).filter(|_| !time::is_rhythm(&text)) {
            found.push(Found::value(&words));
        }
    };
    if !facts.sources.contains_key("when") {
        facts.fields.get("when").into_iter().for_each(&mut keep);
    }
    facts
        .args
        .iter()
        .filter(|arg| is_when(facts, arg))
        .for_each(|arg| keep(arg.value));
    found
}

fn repeats(facts: &Facts<'_>) -> Vec<Found> {
    const SPOKEN: &[&str] = &[
        "time",
        "due",
        "duestring",
        "schedule",
        "frequency",
        "interval",
    ];
    let mut found = false;
    for arg in facts.args.iter().filter(|arg| !is_prose(facts, arg)) {
        let tells_when = is_when(facts, arg) || SPOKEN.contains(&arg.key.as_ref());
        each(arg.value, &mut |text| {
            found |= time::is_rhythm(text) || tells_when && time::is_spoken_rhythm(text);
        });
    }
    Found::when(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imitation_is_found_in_the_words_of_a_text() {
        let known = vec!["paypal".to_owned(), "demo-transit".to_owned()];
        assert_eq!(imitations(&["info@paypa1.com"], &known), ["paypal"]);
        assert_eq!(imitations(&["dem0-transit"], &known), ["demo-transit"]);
        assert_eq!(imitations(&["раураl"], &known), ["paypal"]);
        assert!(imitations(&["paypal", "PayPal", "demo-transit", "ana"], &known).is_empty());
        let both = vec!["paypal".to_owned(), "paypa1".to_owned()];
        assert!(imitations(&["paypa1"], &both).is_empty());
    }
}
