//! The view of a call whose pack declares none: kind, title and fields from the names of command and arguments.
//!
//! Names say what a call is, values only fill the fields: no value of an argument makes a kind milder, and what no
//! field shows has its row.

mod names;

use crate::call::CardCall;
use crate::declared::{Fit, fit};
use crate::names::{action, argument};
use crate::rules::ViewRule;
use crate::rules::view_rule::Source;
use crate::title::{self, Facts};
use crate::view::{ViewKind, first_sentence};
use hcp_core::json::{Object, Value};
use names::{Found, Names};
use std::collections::BTreeMap;

/// What the view rules make of a call.
pub(crate) struct Inferred {
    pub(crate) kind: ViewKind,
    pub(crate) title: String,
    pub(crate) fields: Object,
    pub(crate) sources: BTreeMap<String, Vec<String>>,
}

/// The first view rule that fits, filled in; `None` where none does.
pub(crate) fn infer(call: &CardCall<'_>) -> Option<Inferred> {
    let names = Names::of(call);
    let found = names.find(call)?;
    Some(Filling::new(call, &names, &found).finish())
}

/// The kind that the names of a call tell, without a view of it; `None` where no rule fits.
pub(crate) fn kind(call: &CardCall<'_>) -> Option<ViewKind> {
    Names::of(call).find(call).map(|found| found.rule.kind)
}

/// A rule being filled in with a call's arguments.
struct Filling<'c, 'f> {
    call: &'c CardCall<'c>,
    found: &'f Found<'c>,
    rule: &'c ViewRule,
    fields: Object,
    sources: BTreeMap<String, Vec<String>>,
    /// Whether a value was of a sort that its field cannot show.
    wrong: bool,
}

impl<'c, 'f> Filling<'c, 'f> {
    fn new(call: &'c CardCall<'c>, names: &Names<'c>, found: &'f Found<'c>) -> Self {
        let mut filling = Self {
            call,
            found,
            rule: found.rule,
            fields: Object::new(),
            sources: BTreeMap::new(),
            wrong: false,
        };
        let kind = found.rule.kind;
        for field in kind.fields() {
            filling.fill(field, names);
        }
        match kind {
            ViewKind::Event => filling.act("action", found.action()),
            ViewKind::File => filling.act("action", Some(found.verb.as_str())),
            ViewKind::Run if !filling.fields.contains_key("program") => {
                filling.act("program", found.program());
            }
            ViewKind::Change => filling.name_the_field(),
            ViewKind::Run
            | ViewKind::Message
            | ViewKind::Payment
            | ViewKind::Removal
            | ViewKind::Publish
            | ViewKind::Share
            | ViewKind::Command => {}
        }
        filling.in_order();
        filling
    }

    /// Sets one field: from the argument that the command is about, then from the rule's own names.
    fn fill(&mut self, field: &'static str, names: &Names<'c>) {
        let kind = self.rule.kind;
        if is_main(kind, field)
            && let Some(name) = names.named_by_noun(&self.found.noun)
            && !(kind == ViewKind::Share && self.belongs_elsewhere(field, name))
        {
            self.take(field, name);
        }
        for source in self.rule.sources(field) {
            if self.fields.contains_key(field) {
                return;
            }
            match source {
                Source::Literal(text) => self.fields.insert(field, text.as_str()),
                Source::Argument(wanted) => {
                    for name in names.given_as(wanted) {
                        self.take(field, name);
                    }
                }
            }
        }
        if is_main(kind, field)
            && !self.fields.contains_key(field)
            && let Some(name) = names.first_required(self.call)
            && !self.belongs_elsewhere(field, name)
        {
            self.take(field, name);
        }
    }

    /// Whether another field of the rule wants this argument.
    fn belongs_elsewhere(&self, field: &str, name: &str) -> bool {
        let usual = argument(name);
        self.rule
            .kind
            .fields()
            .iter()
            .filter(|other| **other != field)
            .flat_map(|other| self.rule.sources(other))
            .any(|source| matches!(source, Source::Argument(wanted) if *wanted == usual))
    }

    /// Puts an argument behind a field, unless the field is filled or the argument shown already.
    fn take(&mut self, field: &str, name: &str) {
        let shown = self.sources.values().flatten().any(|s| s == name);
        if shown || self.fields.contains_key(field) {
            return;
        }
        let Some(value) = self.call.args.get(name) else {
            return;
        };
        if value.as_str() == Some("") {
            return;
        }
        match fit(self.rule.kind, field, value) {
            Fit::Shows => {
                self.fields.insert(field, value.clone());
                self.sources.insert(field.to_owned(), vec![name.to_owned()]);
            }
            Fit::Nothing => {}
            Fit::Wrong => self.wrong = true,
        }
    }

    /// Sets a field that the command's own words fill, where no argument does.
    fn act(&mut self, field: &str, word: Option<&str>) {
        if let Some(word) = word.filter(|word| !word.is_empty())
            && !self.fields.contains_key(field)
        {
            self.fields.insert(field, word);
        }
    }

    /// A change whose new value stands in an argument with a name of its own (`status`) changes that. Where
    /// several could be meant, none is named, and each has its row.
    fn name_the_field(&mut self) {
        const MAKES: [&str; 4] = ["create", "generate", "register", "init"];
        const PLAIN: [&str; 7] = [
            "to",
            "value",
            "new_value",
            "new_name",
            "body",
            "content",
            "data",
        ];
        if self.fields.contains_key("field") {
            return;
        }
        let Some(name) = self.sources.get("to").and_then(|s| s.first()).cloned() else {
            return;
        };
        // What is new has no value that changes: each part of it has its row.
        if MAKES.contains(&crate::names::usual(&self.found.verb).as_ref()) {
            self.fields.remove("to");
            self.sources.remove("to");
            return;
        }
        let usual = argument(&name).into_owned();
        if PLAIN.contains(&usual.as_str()) {
            return;
        }
        let others = self.call.args.iter().any(|(other, value)| {
            other != name
                && !self.sources.values().flatten().any(|s| s == other)
                && fit(ViewKind::Change, "to", value) == Fit::Shows
                && self
                    .rule
                    .sources("to")
                    .contains(&Source::Argument(argument(other).into_owned()))
        });
        if others {
            self.fields.remove("to");
            self.sources.remove("to");
        } else {
            self.fields.insert("field", name);
        }
    }

    /// Fields in the order of the card.
    fn in_order(&mut self) {
        let mut ordered = Object::new();
        for name in self.rule.kind.fields() {
            if let Some(value) = self.fields.remove(name) {
                ordered.insert(*name, value);
            }
        }
        self.fields = ordered;
    }

    fn finish(self) -> Inferred {
        let kind = self.rule.kind;
        if self.wrong {
            return Inferred {
                kind,
                title: self.plain_title(),
                fields: Object::new(),
                sources: BTreeMap::new(),
            };
        }
        // Of a removal or a publication that the description alone tells, the names make no title.
        let is_told = matches!(kind, ViewKind::Removal | ViewKind::Publish) && self.found.is_told;
        let usual = || title::usual(&self.facts()).filter(|_| !is_told);
        let title = self
            .own_title()
            .or_else(usual)
            .unwrap_or_else(|| self.plain_title());
        Inferred {
            kind,
            title,
            fields: self.fields,
            sources: self.sources,
        }
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            kind: self.rule.kind,
            fields: &self.fields,
            verb: &self.found.verb,
            noun: &self.found.noun,
            words: &self.found.words,
            overwrites: self.overwrites(),
        }
    }

    /// Whether the file behind `path` is there already, where the call says that it writes it.
    fn overwrites(&self) -> bool {
        const WRITES: [&str; 5] = ["write", "save", "create", "overwrite", "export"];
        let behind = self.sources.get("path").and_then(|s| s.first());
        WRITES.contains(&self.found.verb.as_str())
            && behind.is_some_and(|name| {
                self.call
                    .files
                    .iter()
                    .any(|file| file.argument == *name && file.size.is_some())
            })
    }

    /// The rule's own title, where each of its placeholders has a value.
    fn own_title(&self) -> Option<String> {
        let template = self.rule.title.as_deref()?;
        let value = |name: &str| -> Option<&Value> {
            self.fields.get(name).or_else(|| {
                let wanted = argument(name);
                let found = self
                    .call
                    .args
                    .iter()
                    .find(|(own, _)| argument(own) == wanted);
                found.map(|(_, value)| value)
            })
        };
        let whole = title::parts(template)
            .iter()
            .filter_map(title::Part::name)
            .all(|name| value(name).is_some());
        whole.then(|| title::fill(template, value))
    }

    /// The title of a call about which no more can be said.
    fn plain_title(&self) -> String {
        let sentence = first_sentence(&self.call.command.description);
        if !sentence.is_empty() {
            return sentence;
        }
        let verb = crate::names::begin(&self.found.verb);
        match self.found.noun.as_str() {
            "" => verb,
            noun => format!("{verb} {noun}"),
        }
    }
}

/// Whether a field names the thing that the command is about.
fn is_main(kind: ViewKind, field: &str) -> bool {
    match kind {
        ViewKind::Event
        | ViewKind::Removal
        | ViewKind::Publish
        | ViewKind::Share
        | ViewKind::Change => field == "what",
        ViewKind::File => field == "path",
        ViewKind::Message | ViewKind::Payment | ViewKind::Run | ViewKind::Command => false,
    }
}

impl Found<'_> {
    /// The action on a calendar that the command's words tell.
    fn action(&self) -> Option<&'static str> {
        action(&self.verb).or_else(|| self.words.iter().find_map(|word| action(word)))
    }
}

#[cfg(test)]
mod tests;
