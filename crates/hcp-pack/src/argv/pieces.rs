//! A word with text around its placeholders, taken apart again.

use super::value::is_possible;
use crate::pack::Command;
use crate::template::Piece;

/// How a word fits a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Split<'c, 'w> {
    /// It does not.
    No,
    /// In exactly one way.
    Once(Vec<(&'c str, &'w str)>),
    /// In several ways, or in more than are worth looking for.
    Several,
}

/// The most steps that one word is worth.
const STEPS_MAX: usize = 20_000;

/// Takes a text apart by the pieces of a template.
pub(super) fn split<'c, 'w>(
    command: &Command,
    pieces: &'c [Piece],
    text: &'w str,
) -> Split<'c, 'w> {
    let mut search = Search {
        command,
        found: None,
        several: false,
        steps: 0,
    };
    search.go(pieces, text, &mut Vec::new());
    match search.found {
        Some(_) if search.several => Split::Several,
        Some(values) => Split::Once(values),
        None if search.several => Split::Several,
        None => Split::No,
    }
}

/// Where a text stands in another, overlapping places included; an empty one stands everywhere.
fn occurrences(text: &str, wanted: &str) -> impl Iterator<Item = usize> {
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places.filter(move |at| text.get(*at..).is_some_and(|rest| rest.starts_with(wanted)))
}

struct Search<'k, 'c, 'w> {
    command: &'k Command,
    found: Option<Vec<(&'c str, &'w str)>>,
    several: bool,
    steps: usize,
}

impl<'c, 'w> Search<'_, 'c, 'w> {
    fn go(&mut self, pieces: &'c [Piece], text: &'w str, taken: &mut Vec<(&'c str, &'w str)>) {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            self.several = true;
        }
        if self.several {
            return;
        }
        match pieces {
            [] if text.is_empty() => self.take(taken),
            [] => {}
            [Piece::Text(literal), rest @ ..] => {
                if let Some(after) = text.strip_prefix(literal.as_str()) {
                    self.go(rest, after, taken);
                }
            }
            // An end that is fixed is found from behind, so that one placeholder has one reading.
            [Piece::Argument(name), Piece::Text(end)] => {
                if let Some(value) = text.strip_suffix(end.as_str()) {
                    self.with(name, value, &[], "", taken);
                }
            }
            [Piece::Argument(name)] => self.with(name, text, &[], "", taken),
            [Piece::Argument(name), rest @ ..] => {
                let next = match rest.first() {
                    Some(Piece::Text(literal)) => literal.as_str(),
                    Some(Piece::Argument(_)) | None => "",
                };
                for end in occurrences(text, next) {
                    if let Some((value, after)) = text.split_at_checked(end) {
                        self.with(name, value, rest, after, taken);
                    }
                    if self.several {
                        return;
                    }
                }
            }
        }
    }

    fn with(
        &mut self,
        name: &'c str,
        value: &'w str,
        rest: &'c [Piece],
        after: &'w str,
        taken: &mut Vec<(&'c str, &'w str)>,
    ) {
        let known = taken.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        let argument = self.command.argument(name);
        let fits = known.is_none_or(|known| known == value)
            && argument.is_none_or(|a| is_possible(self.command, a, value));
        if fits {
            taken.push((name, value));
            self.go(rest, after, taken);
            taken.pop();
        }
    }

    fn take(&mut self, taken: &[(&'c str, &'w str)]) {
        let mut values: Vec<(&'c str, &'w str)> = Vec::new();
        for (name, value) in taken {
            if !values.iter().any(|(n, _)| n == name) {
                values.push((name, value));
            }
        }
        if self.found.is_some() {
            self.several = true;
        } else {
            self.found = Some(values);
        }
    }
}
