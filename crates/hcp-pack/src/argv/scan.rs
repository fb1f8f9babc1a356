//! The first pass over a line: own words, options and their values; bare words are put aside.

use super::bare::Bare;
use super::collect::Found;
use super::options::{Options, Place, Side, Target};
use super::pieces::{Split, split};
use super::value;
use crate::args::Argument;
use crate::pack::Command;
use crate::template::{Piece, Template, is_option};
use hcp_core::decimal::Decimal;
use hcp_core::json::Value;
use std::collections::BTreeSet;

/// A line after its first pass.
#[derive(Debug)]
pub(super) struct Scanned<'c, 'w> {
    pub(super) found: Found<'c>,
    /// The bare words before a `--`, or all.
    pub(super) bare: Vec<Bare<'w>>,
    /// The words behind a `--`, where there is one.
    pub(super) behind: Option<Vec<Bare<'w>>>,
    /// The literal words of `cli`, options and what stands beside them, that were found.
    pub(super) literals: BTreeSet<usize>,
    /// Where the own words stand on the line.
    pub(super) own: Vec<usize>,
}

/// How a value stands by its option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attached<'w> {
    /// `--x=v`
    Equals(&'w str),
    /// `-xv`
    Glued(&'w str),
    /// The next word, or none is needed.
    No,
}

/// A word of several letters, each an option.
struct Cluster<'c, 'w> {
    read: Vec<(Target<'c>, Attached<'w>)>,
    /// Whether a letter belongs to several arguments.
    doubtful: bool,
}

struct Scan<'k, 'c, 'w> {
    command: &'c Command,
    options: Options<'c>,
    words: &'w [String],
    /// Whether a bare word may be a negative number.
    numbers: bool,
    /// The number of the bare word that ends the options, where one does.
    last: Option<usize>,
    next: usize,
    side: Side,
    /// The own word that comes next.
    awaited: Option<&'k Template>,
    shaken: bool,
    out: Scanned<'c, 'w>,
}

/// Reads a line for a command, of whose own words these are still to come. `None` when they do not.
pub(super) fn scan<'c, 'w>(
    command: &'c Command,
    own: &[Template],
    words: &'w [String],
) -> Option<Scanned<'c, 'w>> {
    let scan = Scan {
        command,
        options: Options::of(command),
        words,
        numbers: command.reader().numbers,
        last: command.reader().last,
        next: 0,
        side: Side::After,
        awaited: None,
        shaken: false,
        out: Scanned {
            found: Found::new(command),
            bare: Vec::new(),
            behind: None,
            literals: BTreeSet::new(),
            own: Vec::new(),
        },
    };
    scan.run(own)
}

impl<'k, 'c, 'w> Scan<'k, 'c, 'w> {
    fn run(mut self, own: &'k [Template]) -> Option<Scanned<'c, 'w>> {
        let mut own = own.iter().peekable();
        // A word right behind an option that nobody declared may be its value.
        let mut may_pass = false;
        while let Some(word) = self.words.get(self.next) {
            let (at, word) = (self.next, word.as_str());
            self.next += 1;
            let shaken = self.shaken;
            let bare = Bare {
                text: word,
                at,
                shaken,
                beside: false,
            };
            if let Some(behind) = &mut self.out.behind {
                behind.push(bare);
                continue;
            }
            self.awaited = own.peek().copied();
            self.side = match self.awaited {
                Some(_) => Side::Before,
                None => Side::After,
            };
            if matches!(word, "--" | "-") && self.side == Side::Before {
                // Some programs take their own words behind it all the same.
                self.undeclared(word, at);
                may_pass = false;
            } else if word == "--" {
                self.out.behind = Some(Vec::new());
            } else if is_option(word) && !self.is_number(word) {
                self.shaken = false;
                self.option(word, at);
                may_pass = self.shaken;
                self.shaken |= shaken;
            } else if own.peek().is_none() && self.last == Some(self.out.bare.len()) {
                self.out.behind = Some(vec![bare]);
            } else if own.peek().is_none() {
                self.out.bare.push(bare);
            } else if own.next_if(|next| next.is_spelled(word)).is_some() {
                self.out.own.push(at);
                may_pass = false;
            } else if self.leading(word, at) {
                may_pass = false;
            } else if std::mem::take(&mut may_pass) {
                self.out.found.left(word, at);
            } else {
                return None;
            }
        }
        own.peek().is_none().then_some(self.out)
    }

    /// Whether a word that begins with a dash is a bare number.
    fn is_number(&self, word: &'w str) -> bool {
        // Before the own words no bare word stands, and what begins with a dash is passed over.
        if self.side == Side::Before {
            return false;
        }
        let spelled = word.chars().nth(1).is_some_and(|c| {
            let letter = format!("-{c}");
            !self.options.find(&letter, self.side).is_empty()
        });
        let number = self.numbers && !spelled && Decimal::from_plain(word).is_some();
        number && self.whole(word).is_empty()
    }

    fn option(&mut self, word: &'w str, at: usize) {
        let whole = self.whole(word);
        let exact = self.options.find(word, self.side);
        if !exact.is_empty() {
            let glued = self.is_glued(word) || !whole.is_empty();
            let exact = self.options.narrowed(exact, false);
            self.apply_first(&exact, word, Attached::No, at);
            if glued {
                self.out.found.unread(word, at);
            }
            return;
        }
        if let Some((spelling, value)) = word.split_once('=') {
            let found = self.options.find(spelling, self.side);
            if !found.is_empty() {
                let found = self.options.narrowed(found, true);
                self.apply_first(&found, word, Attached::Equals(value), at);
                if !whole.is_empty() {
                    self.out.found.unread(word, at);
                }
                return;
            }
        }
        if let Some((argument, place)) = self.options.negated(word, self.side) {
            self.out
                .found
                .value(argument, place, Value::Bool(false), at);
            return;
        }
        let cluster = self.cluster(word);
        match (whole.as_slice(), cluster) {
            ([(place, values)], None) if !self.numbers || Decimal::from_plain(word).is_none() => {
                for (argument, text) in values {
                    self.fill(argument, *place, text, word, at);
                }
            }
            ([], Some(letters)) => {
                for (target, attached) in letters.read {
                    self.apply(&target, word, attached, at);
                }
                if letters.doubtful {
                    self.out.found.unread(word, at);
                }
            }
            ([], None) => self.undeclared(word, at),
            _ => {
                self.out.found.undeclared(word, at);
                self.shaken = true;
            }
        }
    }

    /// A word before the own words that is a whole global one without a dash: `+nightly`.
    fn leading(&mut self, word: &'w str, at: usize) -> bool {
        let leading = self.options.leading();
        let read =
            leading.map(|(template, place)| (place, split(self.command, template.pieces(), word)));
        let mut read: Vec<_> = read.filter(|(_, read)| *read != Split::No).collect();
        let (Some((place, split)), true) = (read.pop(), read.is_empty()) else {
            return false;
        };
        let Split::Once(values) = split else {
            return false;
        };
        for (argument, text) in self.arguments(values) {
            self.fill(argument, place, text, word, at);
        }
        true
    }

    fn undeclared(&mut self, word: &str, at: usize) {
        self.out.found.undeclared(word, at);
        self.shaken = true;
    }

    /// What a word can be as the whole word of a template.
    fn whole(&self, word: &'w str) -> Vec<(Place, Vec<(&'c Argument, &'w str)>)> {
        let mut all = Vec::new();
        for (template, place) in self.options.whole() {
            match split(self.command, template.pieces(), word) {
                Split::No => {}
                Split::Once(values) => all.push((place, self.arguments(values))),
                // Two entries: it is read in no one way.
                Split::Several => all.extend([(place, Vec::new()), (place, Vec::new())]),
            }
        }
        all
    }

    fn arguments<'t>(&self, values: Vec<(&str, &'t str)>) -> Vec<(&'c Argument, &'t str)> {
        let named = values.into_iter();
        let named = named.map(|(name, text)| Some((self.command.argument(name)?, text)));
        named.flatten().collect()
    }

    /// Whether a word that is an option as it stands could also be a short one with its value written on.
    fn is_glued(&self, word: &str) -> bool {
        let letter: String = word.chars().take(2).collect();
        let found = self.options.find(&letter, self.side);
        let glued = |target: &Target<'c>| match target {
            Target::Filled { equals, .. } => !equals,
            Target::Value(..) | Target::Literal { .. } => false,
        };
        letter.len() < word.len() && !letter.starts_with("--") && found.iter().any(glued)
    }

    /// `-abc`, letter by letter; `None` where a letter is unknown.
    fn cluster(&self, word: &'w str) -> Option<Cluster<'c, 'w>> {
        let letters = word
            .strip_prefix('-')
            .filter(|rest| !rest.starts_with('-'))?;
        let mut cluster = Cluster {
            read: Vec::new(),
            doubtful: false,
        };
        for (at, letter) in letters.char_indices() {
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let found = self.options.find(&format!("-{letter}"), self.side);
            let found = self.options.narrowed(found, !rest.is_empty());
            let target = found.first()?;
            cluster.doubtful |= found.len() > 1 && !are_literals(&found);
            let takes_rest = match target {
                Target::Value(argument, _) => !value::is_switch(self.command, argument),
                Target::Filled { .. } => true,
                Target::Literal { next, .. } => next.is_some_and(|(_, text)| text == rest),
            };
            let value = match (takes_rest, rest.strip_prefix('=')) {
                (true, _) if rest.is_empty() => Attached::No,
                (true, Some(value)) => Attached::Equals(value),
                (true, None) => Attached::Glued(rest),
                (false, Some(value)) => {
                    cluster.read.push((*target, Attached::Equals(value)));
                    return Some(cluster);
                }
                (false, None) => Attached::No,
            };
            cluster.read.push((*target, value));
            if takes_rest {
                return Some(cluster);
            }
        }
        Some(cluster)
    }

    fn apply_first(
        &mut self,
        found: &[Target<'c>],
        word: &'w str,
        attached: Attached<'w>,
        at: usize,
    ) {
        let literals = are_literals(found);
        // A spelling of several arguments says none of them for certain.
        if found.len() > 1 && !literals {
            self.out.found.unread(word, at);
        }
        let few = if literals { found.len() } else { 1 };
        for target in found.iter().take(few) {
            self.apply(target, word, attached, at);
        }
    }

    fn apply(&mut self, target: &Target<'c>, word: &'w str, attached: Attached<'w>, at: usize) {
        match target {
            Target::Literal { at: place, next } => self.literal(*place, *next, word, attached, at),
            Target::Value(argument, place) => self.valued(argument, *place, word, attached, at),
            Target::Filled {
                pieces,
                place,
                equals,
            } => self.filled(pieces, *place, *equals, word, attached, at),
        }
    }

    fn literal(
        &mut self,
        place: Place,
        next: Option<(usize, &str)>,
        word: &'w str,
        attached: Attached<'w>,
        at: usize,
    ) {
        let beside = match attached {
            Attached::Equals(text) | Attached::Glued(text) => Some(text),
            Attached::No => self.words.get(self.next).map(String::as_str),
        };
        let stands = next.filter(|(_, text)| beside == Some(text));
        match (attached, stands) {
            (Attached::No, None) => {}
            (_, Some((beside, _))) => self.beside(beside, attached),
            (Attached::Equals(_) | Attached::Glued(_), None) => {
                self.out.found.undeclared(word, at);
                return;
            }
        }
        match place {
            Place::Own(own) => {
                self.out.literals.insert(own);
            }
            Place::Global(_) | Place::Name => {}
        }
    }

    /// A literal word of the template right beside its option. On the line the two may have been moved together,
    /// so the word also stands among the bare ones, marked.
    fn beside(&mut self, place: usize, attached: Attached<'w>) {
        self.out.literals.insert(place);
        let (text, at) = match attached {
            Attached::Equals(text) | Attached::Glued(text) => (text, self.next.saturating_sub(1)),
            Attached::No => {
                let at = self.next;
                self.next += 1;
                (
                    self.words.get(at).map(String::as_str).unwrap_or_default(),
                    at,
                )
            }
        };
        self.out.bare.push(Bare {
            text,
            at,
            shaken: self.shaken,
            beside: true,
        });
    }

    fn valued(
        &mut self,
        argument: &'c Argument,
        place: Place,
        word: &'w str,
        attached: Attached<'w>,
        at: usize,
    ) {
        let switch = value::is_switch(self.command, argument);
        match attached {
            Attached::Equals(text) => {
                self.fill(argument, place, text, word, at);
                self.doubt_equals(&[argument], word, at);
            }
            Attached::Glued(text) => self.fill(argument, place, text, word, at),
            Attached::No if switch => {
                self.out.found.value(argument, place, Value::Bool(true), at);
            }
            // The word of a switch that may also have a value may be the command's own.
            Attached::No if self.next_is_own(argument) => {
                self.out.found.value(argument, place, Value::Bool(true), at);
                self.doubt(argument, word, at);
            }
            Attached::No => match self.next_value(argument) {
                Some(text) => {
                    self.fill(argument, place, text, word, at);
                    // A switch that may also have a value: nobody can say whose word this is.
                    if value::may_be_switch(self.command, argument) {
                        self.doubt(argument, word, at);
                        self.shaken = true;
                    }
                }
                None if value::may_be_switch(self.command, argument) => {
                    self.out.found.value(argument, place, Value::Bool(true), at);
                }
                None => self.lacks_value(&[argument], word, at),
            },
        }
    }

    fn filled(
        &mut self,
        pieces: &[Piece],
        place: Place,
        equals: bool,
        word: &'w str,
        attached: Attached<'w>,
        at: usize,
    ) {
        let arguments: Vec<&'c Argument> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Argument(name) => self.command.argument(name),
                Piece::Text(_) => None,
            })
            .collect();
        let text = match (attached, arguments.as_slice()) {
            (Attached::Equals(text) | Attached::Glued(text), _) => Some(text),
            (Attached::No, [one]) if value::is_switch(self.command, one) => {
                self.out.found.value(one, place, Value::Bool(true), at);
                return;
            }
            (Attached::No, [one, ..]) => self.next_value(one),
            (Attached::No, []) => None,
        };
        let Some(text) = text else {
            return self.lacks_value(&arguments, word, at);
        };
        match split(self.command, pieces, text) {
            Split::Once(values) => {
                for (argument, text) in self.arguments(values) {
                    self.fill(argument, place, text, word, at);
                }
            }
            Split::No | Split::Several => self.lacks_value(&arguments, word, at),
        }
        if matches!(attached, Attached::Equals(_)) && !equals {
            self.doubt_equals(&arguments, word, at);
        }
    }

    /// `-m=x`: some programs take `x`, others `=x`.
    fn doubt_equals(&mut self, arguments: &[&'c Argument], word: &str, at: usize) {
        let short = !word.starts_with("--") && word.find('=').is_some_and(|at| at == 2);
        let cluster =
            !word.starts_with("--") && self.options.find(name_of(word), self.side).is_empty();
        for argument in arguments {
            if (short || cluster) && !value::is_switch(self.command, argument) {
                self.doubt(argument, word, at);
            }
        }
    }

    fn doubt(&mut self, argument: &Argument, word: &str, at: usize) {
        self.out.found.unread(word, at);
        self.out.found.untold(argument);
    }

    /// An option whose value is missing, or is none that it can have.
    fn lacks_value(&mut self, arguments: &[&Argument], word: &str, at: usize) {
        self.out.found.unread(word, at);
        for argument in arguments {
            self.out.found.untold(argument);
        }
        self.shaken = true;
    }

    fn fill(&mut self, argument: &'c Argument, place: Place, text: &str, word: &str, at: usize) {
        if !self.out.found.text(argument, place, text, at) {
            self.out.found.unread(word, at);
        }
    }

    /// Whether the next word is the own word that comes next, and the option may do without a value.
    fn next_is_own(&self, argument: &Argument) -> bool {
        let next = self.words.get(self.next);
        let own = self.awaited.zip(next);
        own.is_some_and(|(own, word)| own.is_spelled(word))
            && value::may_be_switch(self.command, argument)
    }

    /// The next word, where it can be the value of an option.
    fn next_value(&mut self, argument: &Argument) -> Option<&'w str> {
        let text = self.words.get(self.next)?.as_str();
        let number = argument.is_numeric() && Decimal::from_plain(text).is_some();
        let fits = number || (!is_option(text) && text != "--");
        fits.then(|| {
            self.next += 1;
            text
        })
    }
}

/// Whether a spelling is a literal one wherever it stands.
fn are_literals(found: &[Target<'_>]) -> bool {
    found.iter().all(|target| match target {
        Target::Literal { .. } => true,
        Target::Value(..) | Target::Filled { .. } => false,
    })
}

fn name_of(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}
