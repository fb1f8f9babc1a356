//! What a command is, guessed from whole words of its name and description.
//!
//! A guess is for a person to judge. Where the words leave a doubt the command writes and asks: a question
//! too many is cheap, a deletion taken for a look is not.

mod lists;
mod words;

use hcp_core::policy::{Confirm, Operation};
use lists::*;
use words::{is_any, name_words, prose_words};

/// A guess and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) operation: Operation,
    pub(crate) confirm: Confirm,
    /// Whether it says that the command cannot be undone.
    pub(crate) final_: bool,
    pub(crate) reason: String,
}

/// Guesses from a command's words and its description.
pub(crate) fn guess(path: &[String], description: &str, runs_words: bool) -> Guess {
    let told = Told::of(path, description);
    always(&told)
        .or_else(|| loses(&told))
        .or_else(|| runs_words.then(|| ask("it runs a command that it is given".to_owned())))
        .or_else(|| secret(&told))
        .or_else(|| reaches(&told))
        .unwrap_or_else(|| ask("nothing in its words says that it is harmless".to_owned()))
}

/// The words that a guess goes by.
struct Told {
    path: Vec<Vec<String>>,
    /// All words of the name.
    names: Vec<String>,
    /// The words of the name's last part.
    last: Vec<String>,
    prose: Vec<String>,
}

impl Told {
    fn of(path: &[String], description: &str) -> Self {
        let words = |part: &String| name_words(std::slice::from_ref(part));
        let mut prose = prose_words(description);
        // "DEPRECATED: Print a manifest".
        while prose
            .first()
            .is_some_and(|w| STANDING.contains(&w.as_str()))
        {
            prose.remove(0);
        }
        Self {
            path: path.iter().map(words).collect(),
            names: name_words(path),
            last: path.last().map(words).unwrap_or_default(),
            prose,
        }
    }

    fn verb(&self) -> &str {
        self.prose.first().map(String::as_str).unwrap_or_default()
    }

    fn named(&self, list: &[&str]) -> Option<String> {
        self.names.iter().find(|w| is_any(w, list)).cloned()
    }

    fn last_named(&self, list: &[&str]) -> Option<String> {
        self.last.iter().find(|w| is_any(w, list)).cloned()
    }

    fn said(&self, list: &[&str]) -> Option<String> {
        self.prose.iter().find(|w| is_any(w, list)).cloned()
    }

    fn begins(&self, list: &[&str]) -> Option<String> {
        is_any(self.verb(), list).then(|| self.verb().to_owned())
    }

    /// A word of these where a verb stands: at the beginning, or behind a word that links verbs.
    fn said_as_verb(&self, list: &[&str]) -> Option<String> {
        let linked = self.prose.windows(2).find_map(|pair| match pair {
            [link, word] if LINKS.contains(&link.as_str()) => is_any(word, list).then_some(word),
            _ => None,
        });
        self.begins(list).or_else(|| linked.cloned())
    }

    /// Whether the command is about one of these: its name says so, or the beginning of its description.
    fn about(&self, list: &[&str]) -> bool {
        let near = self.prose.iter().take(8);
        self.names.iter().chain(near).any(|w| is_any(w, list))
    }

    /// Whether the group that the command stands in is one of these.
    fn grouped(&self, list: &[&str]) -> bool {
        let group = self.path.first().filter(|_| self.path.len() > 1);
        group.is_some_and(|words| words.iter().any(|w| is_any(w, list)))
    }

    /// The word of the name by which it reaches others or runs something. `get-…` and `view-…` only show.
    fn reach(&self) -> Option<String> {
        let first = self.last.first()?;
        let alone = self.last.len() == 1;
        let shows = is_any(first, READS) || is_any(first, READ_NAMES);
        let counts = |word: &&String| {
            is_any(word, REACHING) && (alone || !THINGS_TOO.contains(&word.as_str()))
        };
        let found = self.last.iter().find(counts)?;
        (alone || !shows).then(|| found.clone())
    }

    /// Whether something that others see stands in the description, other than as where a thing comes from.
    fn outward(&self) -> bool {
        let mut from = false;
        self.prose.iter().any(|word| {
            match word.as_str() {
                "from" => from = true,
                "to" | "," | "and" | "on" | "in" => from = false,
                _ => {}
            }
            !from && is_any(word, OUTWARD)
        })
    }
}

/// What asks in every mode: money, messages, publishing, rights.
fn always(told: &Told) -> Option<Guess> {
    if let Some(word) = told.named(ALWAYS).or_else(|| told.begins(ALWAYS)) {
        let reason = format!("\"{word}\" destroys for good, pays or reaches others");
        return Some(write(Confirm::Always, is_any(&word, FINAL), reason));
    }
    // Only an object counts: `create` something *from* a registry puts nothing there.
    let group = told.grouped(SHELVES);
    let shelf = told.prose.windows(3).any(|words| match words {
        [to, a, shelf] => to == "to" && (is_any(shelf, SHELVES) || is_any(a, SHELVES)),
        _ => false,
    });
    let put = told.last_named(PUTS_OUT);
    if let Some(word) = put.filter(|word| group || (shelf && word != "create")) {
        let reason = format!("\"{word}\" puts it where others get it");
        return Some(write(Confirm::Always, false, reason));
    }
    let word = told.named(HANDS_OUT).or_else(|| told.begins(HANDS_OUT))?;
    let reason = format!("\"{word}\" changes who may do what");
    Some(write(Confirm::Always, false, reason))
}

/// What loses something, as far as its words tell: asked once, or in every mode where the loss stays.
fn loses(told: &Told) -> Option<Guess> {
    let found = |list| told.named(list).or_else(|| told.begins(list));
    if let Some(word) = found(DESTRUCTIVE).or_else(|| found(AMBIGUOUS)) {
        let final_ = is_any(&word, FINAL);
        let cheap = told.grouped(CHEAP) || told.about(CHEAP) && told.named(PRECIOUS).is_none();
        let whole = told.named(STRONG).is_some() && !cheap;
        let precious = final_ && !cheap && told.about(PRECIOUS);
        let rights = told.named(RIGHTS).or_else(|| told.named(SECRET));
        return Some(if let Some(thing) = rights {
            let reason = format!("\"{word}\" and \"{thing}\": it changes who may do what");
            write(Confirm::Always, final_, reason)
        } else if whole || precious {
            let reason = format!("\"{word}\" loses something that is not made again");
            write(Confirm::Always, final_, reason)
        } else {
            write(
                Confirm::Ask,
                final_,
                format!("\"{word}\" can lose something"),
            )
        });
    }
    let said = told.said(ALWAYS).or_else(|| told.said(DESTRUCTIVE));
    let word = said
        .or_else(|| told.said_as_verb(AMBIGUOUS))
        .or_else(|| told.said_as_verb(HANDS_OUT))?;
    Some(ask(format!("its description speaks of \"{word}\"")))
}

/// What shows or changes a secret, or a right.
fn secret(told: &Told) -> Option<Guess> {
    let look = read(told);
    let lists = told.last_named(LISTINGS).is_some() || told.begins(LISTINGS).is_some();
    if let Some(word) = told.named(SECRET).or_else(|| told.said(SECRET)) {
        let reason = format!("it deals with a secret (\"{word}\")");
        let shown = look.is_some() || told.begins(READS).is_some();
        let grave = !lists && (shown || told.named(SECRET).is_some());
        let confirm = if grave { Confirm::Always } else { Confirm::Ask };
        return Some(write(confirm, false, reason));
    }
    let word = told.named(RIGHTS).or_else(|| told.said(ROLES));
    let word = word.filter(|_| look.is_none())?;
    let reason = format!("it changes who may do what (\"{word}\")");
    Some(write(Confirm::Always, false, reason))
}

/// What reaches others, what only shows, and what writes files of one's own.
fn reaches(told: &Told) -> Option<Guess> {
    let reaching = |word: String| {
        ask(format!(
            "\"{word}\" changes what others see or runs something"
        ))
    };
    if let Some(word) = told.reach() {
        return Some(reaching(word));
    }
    if let Some(guess) = read(told).or_else(|| local(told)) {
        return Some(guess);
    }
    told.begins(REACHING).map(reaching)
}

/// What writes files of the person's own and nothing else.
fn local(told: &Told) -> Option<Guess> {
    let own = |word: &str| {
        let reason = format!("\"{word}\" writes files of your own");
        write(Confirm::Never, false, reason)
    };
    if told.outward() || told.said(RIGHTS).is_some() {
        return None;
    }
    // The act stands first: `generate-lockfile`, and not `receive-build`.
    let named = told
        .last
        .first()
        .filter(|word| is_any(word, LOCAL))
        .cloned();
    let begins = told.begins(LOCAL);
    // `release download`: beside a word that reaches others a local one is in doubt, unless both say it.
    let doubt = told.named(REACHING).is_some();
    if let Some(word) = named.as_deref().filter(|_| !doubt || begins.is_some()) {
        return Some(own(word));
    }
    let acts = |word: &String| is_any(word, REACHING) || is_any(word, OTHER_WRITES);
    let more = told.prose.iter().skip(1).any(acts);
    if let Some(word) = begins.filter(|_| !doubt && !more) {
        return Some(own(&word));
    }
    let makes = ["create", "make", "add", "initialize", "start", "set"];
    let [word] = told.last.as_slice() else {
        return None;
    };
    let entry = ENTRIES.contains(&word.as_str()) && told.said(OWN_FILES).is_some();
    (entry && told.begins(&makes).is_some()).then(|| own(word))
}

fn ask(reason: String) -> Guess {
    write(Confirm::Ask, false, reason)
}

fn write(confirm: Confirm, final_: bool, reason: String) -> Guess {
    Guess {
        operation: Operation::Write,
        confirm,
        final_,
        reason,
    }
}

/// A look: its first word says so, and no other verb beside it says more.
fn read(told: &Told) -> Option<Guess> {
    let prose = &told.prose;
    let verb = told.verb();
    let asks_whether = verb == "check" || verb == "checks" || verb == "test" || verb == "tests";
    let whether = prose
        .get(1)
        .is_some_and(|w| ["whether", "if"].contains(&w.as_str()));
    let shows = is_any(verb, READS) || (asks_whether && whether);
    let acts = |word: &String| is_any(word, REACHING) || is_any(word, OTHER_WRITES);
    // "List, create, or delete": each verb of a row of verbs counts.
    let row = prose
        .chunks(2)
        .take_while(|pair| pair.get(1).is_some_and(|link| link == ","));
    let in_row = row.filter_map(|pair| pair.first()).find(|word| acts(word));
    let linked = prose.windows(2).find_map(|pair| match pair {
        [link, word] if ["or", "and", "then"].contains(&link.as_str()) => {
            acts(word).then_some(word)
        }
        _ => None,
    });
    let more = in_row.or(linked);
    // What is opened in a browser is another program's to do.
    if prose.iter().any(|word| is_any(word, &["browser"])) {
        return None;
    }
    let sure = told.last_named(SURE_NAMES);
    let sure = sure.filter(|name| is_any(verb, NEUTRAL) || verb == name);
    let reason = match (shows, sure) {
        (true, _) if more.is_none() => format!("its description begins \"{verb}\""),
        (false, Some(name)) if !prose.iter().any(acts) => {
            format!("its name says \"{name}\", and its description nothing else")
        }
        _ if prose.is_empty() => format!("its name says \"{}\"", shows_by_name(told)?),
        _ => return None,
    };
    Some(Guess {
        operation: Operation::Read,
        confirm: Confirm::Never,
        final_: false,
        reason,
    })
}

/// The word by which a name without a description says that its command shows: `remote get-url`, `trust list
/// package`. What stands behind it may be no act.
fn shows_by_name(told: &Told) -> Option<&String> {
    let own = told.path.get(usize::from(told.path.len() > 1)..)?;
    let at = own.iter().position(|part| {
        let alone = part.len() == 1;
        part.first().is_some_and(|w| {
            READ_NAMES.contains(&w.as_str()) && (alone || is_any(w, READS))
                || alone && is_any(w, READ_NAMES)
        }) || part.last().is_some_and(|w| is_any(w, SURE_NAMES))
    })?;
    let acts = |word: &String| is_any(word, REACHING) || is_any(word, OTHER_WRITES);
    let part = own.get(at)?;
    let word = part.iter().find(|w| is_any(w, READ_NAMES))?;
    let more = own
        .get(at..)?
        .iter()
        .flatten()
        .filter(|w| *w != word)
        .any(acts);
    (!more).then_some(word)
}

/// An option that makes a command graver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grave {
    pub(crate) reason: String,
    /// Whether something is lost by it, so that a command that has it is no look.
    pub(crate) loses: bool,
}

/// Whether an option makes a command graver, and why.
pub(crate) fn grave_option(spelling: &str, description: &str, is_path: bool) -> Option<Grave> {
    let words = name_words(std::slice::from_ref(
        &spelling.trim_start_matches('-').to_owned(),
    ));
    let prose = prose_words(description);
    let verb = prose.first().cloned().unwrap_or_default();
    // `--no-clean`, `--no-force`: the option holds something back.
    let held = words.first().is_some_and(|w| w == "no");
    // What an option leaves out of a list it does not lose: `--prune`, `--irreversible-delete` of a diff.
    let display = prose.iter().any(|w| OF_DISPLAY.contains(&w.as_str()));
    // `--deleted`, `--removed` choose what is in that state.
    let order = |w: &&String| is_any(w, GRAVE_ANYWHERE) && !w.ends_with("ed") || *w == "hard";
    let anywhere = words.iter().find(order).filter(|_| !display);
    let shows = is_any(&verb, READS) || verb == "quote";
    // Other forms at the head of an option are no orders: `--fixed-strings`, `--renames`.
    let first = words
        .first()
        .filter(|w| GRAVE_FIRST.contains(&w.as_str()) && !shows);
    let says = |word: &str| format!("{spelling} says \"{word}\"");
    if let Some(word) = anywhere.or(first).filter(|_| !held) {
        let (reason, loses) = (says(word), anywhere.is_some());
        return Some(Grave { reason, loses });
    }
    let short = words.iter().all(|w| w.len() == 1);
    let loses = is_any(&verb, GRAVE_ANYWHERE);
    if short && (loses || is_any(&verb, GRAVE_FIRST)) {
        let reason = says(&verb);
        return Some(Grave { reason, loses });
    }
    let out = words
        .iter()
        .any(|w| ["output", "out", "outfile", "write"].contains(&w.as_str()));
    (out && is_path).then(|| Grave {
        reason: format!("{spelling} writes a file"),
        loses: false,
    })
}

/// Whether an option sets a setting, by which many programs run others.
pub(crate) fn grave_setting(spelling: &str, name: &str) -> Option<String> {
    let words = name_words(&[spelling.trim_start_matches('-').to_owned(), name.to_owned()]);
    let sets = words
        .iter()
        .any(|w| ["config", "setting", "set", "name_value"].contains(&w.as_str()));
    let pair = name.contains("value") && spelling.len() == 2;
    let programs = spelling.contains("exec-path");
    (sets || pair || programs)
        .then(|| format!("{spelling} changes a setting, and some settings run other programs"))
}

#[cfg(test)]
mod tests;
