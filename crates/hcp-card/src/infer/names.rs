//! What the names of a call say: which rule they fit, which word is the act and which the thing.

use crate::call::CardCall;
use crate::names::{
    argument, is_act, is_lead_reader, is_reader, may_be_noun, singular, usual, usual_word, words,
};
use crate::rules::{CallWords, Rules, ViewRule};
use crate::view::ViewKind;
use hcp_core::json::Value;
use hcp_core::policy::Operation;
use std::borrow::Cow;

/// The names of a call in words.
pub(super) struct Names<'c> {
    /// The words of the pack's id.
    pack: Vec<String>,
    /// The words of the command's name.
    command: Vec<String>,
    /// The words with which its line begins.
    line: Vec<String>,
    /// The given arguments: the usual spelling and the name as given.
    given: Vec<(Cow<'c, str>, &'c str)>,
    /// What the rules are held against.
    key: CallWords<'c>,
}

/// The rule that fits, and what its title needs of the names.
pub(super) struct Found<'c> {
    pub(super) rule: &'c ViewRule,
    /// The word that says what is done, as the command writes it.
    pub(super) verb: String,
    /// The thing that it is done to, in the singular; empty where the names do not say.
    pub(super) noun: String,
    /// The command's words.
    pub(super) words: Vec<String>,
    /// Whether the act stands in the description alone, which then says it best.
    pub(super) is_told: bool,
}

impl<'c> Names<'c> {
    pub(super) fn of(call: &CardCall<'c>) -> Self {
        let pack = words(call.pack.as_str());
        let command = words(call.command.name.as_str());
        let own_words = call.command.own_words.iter();
        let line: Vec<String> = own_words
            .map(|word| word.rsplit('/').next().unwrap_or_default())
            .flat_map(words)
            .collect();
        let given: Vec<(Cow<'c, str>, &'c str)> = call
            .args
            .iter()
            .filter(|(_, value)| says_something(value))
            .map(|(name, _)| (argument(name), name))
            .collect();
        let declared = call.command.arguments.iter().filter(|a| !a.global);
        let all = declared
            .map(|a| argument(&a.name))
            .chain(call.args.keys().map(argument))
            .collect();
        let key = CallWords {
            words: pack.iter().chain(&command).map(|w| usual_word(w)).collect(),
            against: Vec::new(),
            args: all,
            given: given.iter().map(|(usual, _)| usual.clone()).collect(),
        };
        Self {
            pack,
            command,
            line,
            given,
            key,
        }
    }

    /// The rule that the names fit. The words of the command line and of the description speak only for something
    /// graver than what the name says.
    pub(super) fn find(&self, call: &CardCall<'c>) -> Option<Found<'c>> {
        if let Some(rule) = call.rules.first_own(&self.key) {
            return Some(self.found(rule, &self.key));
        }
        if self.only_shows(call.policy.operation) {
            // A word that may name a thing (`trash`) says nothing beside a word of showing.
            let removes = |rule: &ViewRule| {
                let phrase = rule.phrase(&self.key);
                rule.kind == ViewKind::Removal && !phrase.iter().all(|word| may_be_noun(word))
            };
            let rule = Rules::first_builtin(&self.key, removes)?;
            return Some(self.found(rule, &self.key));
        }
        // Of a command that its pack calls a read, only what would be graver than that is said: it changes nothing,
        // and what it exports or dumps without an output goes to whoever reads.
        let is_read = call.policy.operation == Operation::Read;
        let may_be = |rule: &ViewRule| {
            !is_read
                || match rule.kind {
                    ViewKind::Change => false,
                    ViewKind::File => self.writes_somewhere(),
                    ViewKind::Removal
                    | ViewKind::Payment
                    | ViewKind::Publish
                    | ViewKind::Share
                    | ViewKind::Event
                    | ViewKind::Run
                    | ViewKind::Message
                    | ViewKind::Command => true,
                }
        };
        let mut best =
            Rules::first_builtin(&self.key, may_be).map(|rule| (rule, Cow::Borrowed(&self.key)));
        let others = [(self.by_line(), 0), (self.by_description(call), GRAVE)];
        for (other, least) in others {
            let own = best.as_ref().map_or(0, |(rule, _)| gravity(rule.kind));
            let graver = |rule: &ViewRule| gravity(rule.kind) > own.max(least) && may_be(rule);
            if let Some(other) = other
                && let Some(rule) = Rules::first_builtin(&other, graver)
            {
                best = Some((rule, Cow::Owned(other)));
            }
        }
        best.map(|(rule, key)| self.found(rule, &key))
    }

    /// Whether an argument is given that may name what is written.
    fn writes_somewhere(&self) -> bool {
        const OUTPUTS: [&str; 9] = [
            "to",
            "destination",
            "output",
            "output_file",
            "output_dir",
            "output_path",
            "out",
            "path",
            "file",
        ];
        OUTPUTS.iter().any(|name| self.key.is_given(name))
    }

    /// Whether the names say that the command only shows something. A command that its pack calls a read is
    /// believed sooner; in both cases a removal is still seen.
    fn only_shows(&self, operation: Operation) -> bool {
        let (Some(first), Some(last)) = (self.command.first(), self.command.last()) else {
            return false;
        };
        let plural = |word: &String| word.ends_with('s') && may_be_noun(&singular(word));
        let acts = |word: &String| is_act(word) || is_act(&usual(word)) && !plural(word);
        match operation {
            Operation::Read => {
                // What comes first is the verb: `get_send_quota` shows, and `send_list` sends.
                let verb = self.command.iter().find(|w| is_lead_reader(w) || acts(w));
                let leads = verb.is_some_and(|word| is_lead_reader(word))
                    || self.line.get(1).is_some_and(|word| is_lead_reader(word));
                let mut all = self.command.iter().chain(&self.line);
                let reads = all.any(|word| is_reader(word) || plural(word));
                leads || reads && !self.command.iter().any(acts)
            }
            Operation::Write => {
                (is_reader(last) || is_lead_reader(first)) && !self.command.iter().any(acts)
            }
        }
    }

    /// The names with the words of the command line, where these add any.
    fn by_line(&self) -> Option<CallWords<'c>> {
        let new = self.line.iter().any(|word| {
            !self.pack.contains(word)
                && !self.command.contains(word)
                && !self.key.says(&usual(word))
        });
        new.then(|| {
            let mut wide = self.key.clone();
            wide.words.extend(self.line.iter().map(|w| usual_word(w)));
            wide
        })
    }

    /// The first word of the description, which says what the command does: only as a sign of something grave. What
    /// the names say, and the words right after that one (`Release a stuck lock`), speak against it alone.
    fn by_description(&self, call: &CardCall<'c>) -> Option<CallWords<'c>> {
        const TELLING: [&str; 14] = [
            "delete",
            "destroy",
            "pay",
            "buy",
            "purchase",
            "transfer",
            "refund",
            "donate",
            "publish",
            "release",
            "share",
            "grant",
            "uninstall",
            "unpublish",
        ];
        const AFTER: usize = 3;
        if call.policy.operation == Operation::Read {
            return None;
        }
        let mut sentence = call.command.description.split_whitespace();
        let word = words(sentence.next()?).into_iter().next()?;
        let word = usual(&word).into_owned();
        if !TELLING.contains(&word.as_str()) || self.key.says(&word) {
            return None;
        }
        let after = sentence.take(AFTER).flat_map(words);
        let against = after.map(|word| usual_word(&word));
        Some(CallWords {
            words: vec![Cow::Owned(word)],
            against: self.key.words.iter().cloned().chain(against).collect(),
            ..self.key.clone()
        })
    }

    fn found(&self, rule: &'c ViewRule, key: &CallWords<'_>) -> Found<'c> {
        let phrase = rule.phrase(key);
        // The words of the rule's phrase as the call writes them, an act ahead of all others.
        let written = |words: &[String], wanted: &String| {
            let found = words.iter().find(|word| *wanted == usual(word));
            found.map(|word| singular(word).into_owned())
        };
        let wanted: Vec<&String> = phrase.iter().filter(|w| is_act(w)).chain(phrase).collect();
        let own = [&self.command, &self.line, &self.pack]
            .iter()
            .find_map(|words| wanted.iter().find_map(|word| written(words, word)));
        let is_told = own.is_none() && !phrase.is_empty();
        let verb = own
            .or_else(|| phrase.first().cloned())
            .or_else(|| self.command.last().cloned())
            .unwrap_or_default();
        Found {
            rule,
            noun: self.noun(&verb),
            verb,
            words: self.command.clone(),
            is_told,
        }
    }

    /// The thing that is acted on: the command's other words, or a pack that is named after its things (`notes`).
    fn noun(&self, verb: &str) -> String {
        let rest: Vec<&String> = self
            .command
            .iter()
            .filter(|word| singular(word) != verb && !is_act(&usual(word)) && !is_filler(word))
            .collect();
        if let [head @ .., last] = rest.as_slice() {
            if rest.len() > 3 {
                return String::new();
            }
            let mut noun: Vec<&str> = head.iter().map(|w| w.as_str()).collect();
            let last = singular(last);
            noun.push(&last);
            return noun.join(" ");
        }
        match self.pack.as_slice() {
            [only] if singular(only) != only.as_str() => singular(only).into_owned(),
            _ => String::new(),
        }
    }

    /// The given argument that is named after the thing: `note` or `note_id` for a note.
    pub(super) fn named_by_noun(&self, noun: &str) -> Option<&'c str> {
        let last = noun.rsplit(' ').next().filter(|word| !word.is_empty())?;
        let last = argument(last);
        const ENDS: [&str; 8] = [
            "id",
            "name",
            "number",
            "url",
            "uri",
            "arn",
            "key",
            "identifier",
        ];
        let (_, name) = self.given.iter().find(|(usual, _)| {
            let stem = match usual.rsplit_once('_') {
                Some((stem, end)) if ENDS.contains(&end) => stem,
                _ => usual,
            };
            stem.rsplit('_').next() == Some(last.as_ref())
        })?;
        Some(name)
    }

    /// The given arguments of a usual spelling.
    pub(super) fn given_as<'n>(&'n self, wanted: &'n str) -> impl Iterator<Item = &'c str> + 'n {
        self.given
            .iter()
            .filter(move |(usual, _)| usual == wanted)
            .map(|(_, name)| *name)
    }

    /// The argument that the command is about, if no name tells: the one that stands first on the line, the first
    /// that must be given, or the only one that is given.
    pub(super) fn first_required(&self, call: &CardCall<'c>) -> Option<&'c str> {
        let given = |name: &str| self.given.iter().any(|(_, own)| *own == name);
        let of_text = |kind: Option<&str>| !matches!(kind, Some("boolean" | "object"));
        let arguments = call
            .command
            .arguments
            .iter()
            .filter(|a| !a.global && of_text(a.kind.as_deref()));
        let first = arguments.clone().find(|a| a.position == Some(0));
        if let Some(argument) = first.or_else(|| arguments.clone().find(|a| a.required)) {
            return given(&argument.name).then_some(argument.name.as_str());
        }
        let mut only = arguments.filter(|a| given(&a.name));
        let one = only.next()?;
        only.next().is_none().then_some(one.name.as_str())
    }
}

impl Found<'_> {
    /// The program that a command without a named one runs: its own verb (`migrate`).
    pub(super) fn program(&self) -> Option<&str> {
        const PLAIN: [&str; 10] = [
            "run", "exec", "execute", "invoke", "start", "trigger", "dispatch", "rerun", "launch",
            "call",
        ];
        if !PLAIN.contains(&self.verb.as_str()) {
            return Some(self.verb.as_str());
        }
        (!self.noun.is_empty()).then_some(self.noun.as_str())
    }
}

/// How grave the mildest kind is that a description alone does not tell.
const GRAVE: u8 = 5;

fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "to" | "from"
            | "the"
            | "a"
            | "an"
            | "of"
            | "in"
            | "on"
            | "all"
            | "for"
            | "with"
            | "by"
            | "force"
            | "and"
            | "or"
            | "id"
            | "batch"
            | "bulk"
            | "v1"
            | "v2"
            | "v3"
            | "api"
    )
}

/// Whether a value says more than that there is none.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) | Value::Object(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
    }
}

/// How grave a kind is; the built-in rules stand in this order.
pub(crate) fn gravity(kind: ViewKind) -> u8 {
    match kind {
        ViewKind::Removal => 9,
        ViewKind::Payment => 8,
        ViewKind::Publish => 7,
        ViewKind::Share => 6,
        ViewKind::Event => 5,
        ViewKind::Run => 4,
        ViewKind::File => 3,
        ViewKind::Change => 2,
        ViewKind::Message => 1,
        ViewKind::Command => 0,
    }
}
