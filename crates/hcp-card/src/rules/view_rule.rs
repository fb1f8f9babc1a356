//! One view rule: its parts, its JSON, and whether its names fit those of a call.

use super::CallWords;
use crate::names::{argument, is_act, usual, words};
use crate::view::ViewKind;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{Fields, string, strings};
use hcp_core::json::{Kind, Limits, Member, Node, Object, Value, parse};
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;
use std::sync::LazyLock;

/// A view rule: commands with these names are of this kind, and these arguments stand behind its fields.
///
/// Names are compared by their words, whatever the spelling: `rm` is `delete`, `toAddress` is `to`.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewRule {
    /// The kind of view.
    pub kind: ViewKind,
    /// What must be there. All parts that the rule has must hold.
    pub when: When,
    /// What keeps the rule away.
    pub not: WhenNot,
    /// For each field the arguments that may stand behind it: the first that has a value does. A text that
    /// begins with `=` is taken literally, and has no argument behind it. A rule that is written without fields
    /// has the usual ones of its kind.
    pub fields: Vec<(String, Vec<String>)>,
    /// The title, with `{{field}}` or `{{argument}}` in it. Where a value for it is missing, and where there is
    /// none, the kind's usual title serves.
    pub title: Option<String>,
    /// Calls that the rule must and must not fit.
    pub examples: Examples,
    pub(super) compiled: Compiled,
}

/// What must be there for a view rule to fit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct When {
    /// One of these must be among the words of `pack.command`; of one with several words all must.
    pub command: Vec<String>,
    /// One of these as well.
    pub with: Vec<String>,
    /// Each of these must be an argument of the command.
    pub args: Vec<String>,
    /// One of these must be given, with a value other than `false`, `null`, `""` or `[]`.
    pub given: Vec<String>,
}

/// What keeps a view rule away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WhenNot {
    /// Any of these among the words of `pack.command`.
    pub command: Vec<String>,
    /// Any of these among the arguments.
    pub args: Vec<String>,
}

/// Calls that a rule must and must not fit, each a verb key and the names of its arguments: `mail.send to subject`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Examples {
    /// Calls that it must fit.
    pub matches: Vec<String>,
    /// Calls that it must not fit.
    pub not: Vec<String>,
}

/// The names in the one spelling in which they are compared.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Compiled {
    pub(super) command: Vec<Vec<String>>,
    with: Vec<Vec<String>>,
    args: Vec<String>,
    given: Vec<String>,
    not_command: Vec<Vec<String>>,
    not_args: Vec<String>,
    /// For each field its sources, in the rule's order.
    fields: Vec<Vec<Source>>,
}

/// What may stand behind a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// An argument, in the usual spelling of its name.
    Argument(String),
    /// A text of the rule's own.
    Literal(String),
}

impl ViewRule {
    /// Reads a rule; `None` where it has faults, which are collected with their places.
    pub fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let before = faults.len();
        let mut fields = Fields::open(node, "a view rule", faults)?;
        let kind = fields
            .required("kind", faults)
            .and_then(|n| kind(n, faults));
        let when = fields
            .required("when", faults)
            .and_then(|n| When::parse(n, faults));
        let not = fields
            .optional("not")
            .and_then(|n| WhenNot::parse(n, faults));
        let behind = match fields.optional("fields") {
            Some(n) => sources(n, kind, faults),
            None => kind.map(usual_fields).unwrap_or_default(),
        };
        let title = fields
            .optional("title")
            .and_then(|n| string(n, faults))
            .map(str::to_owned);
        let examples = fields
            .optional("examples")
            .and_then(|n| Examples::parse(n, faults));
        fields.finish(faults);
        let rule = Self {
            kind: kind?,
            when: when?,
            not: not.unwrap_or_default(),
            fields: behind,
            title,
            examples: examples.unwrap_or_default(),
            compiled: Compiled::default(),
        }
        .compile();
        if faults.len() == before {
            rule.check_examples(node, faults);
        }
        (faults.len() == before).then_some(rule)
    }

    /// The rule as it stands in files.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut when = Object::new();
        let mut not = Object::new();
        let mut examples = Object::new();
        for (key, list) in [
            ("command", &self.when.command),
            ("with", &self.when.with),
            ("args", &self.when.args),
            ("given", &self.when.given),
        ] {
            insert_list(&mut when, key, list);
        }
        insert_list(&mut not, "command", &self.not.command);
        insert_list(&mut not, "args", &self.not.args);
        insert_list(&mut examples, "match", &self.examples.matches);
        insert_list(&mut examples, "not", &self.examples.not);
        let fields: Object = self
            .fields
            .iter()
            .map(|(name, from)| (name.clone(), Value::from(from.clone())))
            .collect();
        let mut out = Object::new()
            .with("kind", self.kind.as_str())
            .with("when", when);
        for (key, part) in [("not", not), ("fields", fields)] {
            if !part.is_empty() {
                out.insert(key, part);
            }
        }
        if let Some(title) = &self.title {
            out.insert("title", title.as_str());
        }
        if !examples.is_empty() {
            out.insert("examples", examples);
        }
        out.into()
    }

    /// Whether the rule fits a call.
    pub(crate) fn fits(&self, call: &CallWords<'_>) -> bool {
        let phrases = self.compiled.command.len().max(1);
        (0..phrases).any(|phrase| self.says(phrase, call)) && self.fits_beside(call)
    }

    /// Whether a call has one of the phrases of `command`; a rule without any asks for none.
    pub(super) fn says(&self, phrase: usize, call: &CallWords<'_>) -> bool {
        let found = self.compiled.command.get(phrase);
        found.is_none_or(|words| words.iter().all(|word| call.says(word)))
    }

    /// Whether all conditions but `command` hold.
    pub(super) fn fits_beside(&self, call: &CallWords<'_>) -> bool {
        let c = &self.compiled;
        let says = |phrase: &Vec<String>| phrase.iter().all(|word| call.says(word));
        let objects = |phrase: &Vec<String>| phrase.iter().all(|word| call.objects(word));
        (c.with.is_empty() || c.with.iter().any(says))
            && !c.not_command.iter().any(objects)
            && c.args.iter().all(|name| call.has(name))
            && (c.given.is_empty() || c.given.iter().any(|name| call.is_given(name)))
            && !c.not_args.iter().any(|name| call.has(name))
    }

    /// The words of that `command` of the rule that the call has, one with an act in it ahead of others; empty where
    /// the rule has none.
    pub(crate) fn phrase(&self, call: &CallWords<'_>) -> &[String] {
        let all = &self.compiled.command;
        let mut found = all
            .iter()
            .filter(|phrase| phrase.iter().all(|word| call.says(word)));
        let acts = |phrase: &&Vec<String>| phrase.iter().any(|word| is_act(word));
        found
            .clone()
            .find(acts)
            .or_else(|| found.next())
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// What may stand behind a field.
    pub(crate) fn sources(&self, field: &str) -> &[Source] {
        let at = self.fields.iter().position(|(name, _)| name == field);
        at.and_then(|at| self.compiled.fields.get(at))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    fn compile(mut self) -> Self {
        let phrases = |list: &[String]| list.iter().map(|text| phrase(text)).collect();
        let names = |list: &[String]| list.iter().map(|n| argument(n).into_owned()).collect();
        let source = |text: &String| match text.strip_prefix('=') {
            Some(literal) => Source::Literal(literal.to_owned()),
            None => Source::Argument(argument(text).into_owned()),
        };
        self.compiled = Compiled {
            command: phrases(&self.when.command),
            with: phrases(&self.when.with),
            args: names(&self.when.args),
            given: names(&self.when.given),
            not_command: phrases(&self.not.command),
            not_args: names(&self.not.args),
            fields: self
                .fields
                .iter()
                .map(|(_, from)| from.iter().map(source).collect())
                .collect(),
        };
        self
    }

    fn check_examples(&self, node: &Node, faults: &mut Vec<Fault>) {
        let wanted = [(&self.examples.matches, true), (&self.examples.not, false)];
        for (list, must) in wanted {
            for example in list {
                let mut parts = example.split_whitespace();
                let key = parts.next().unwrap_or_default();
                let names: Vec<&str> = parts.collect();
                if self.fits(&CallWords::example(key, &names)) != must {
                    let verb = if must { "does not fit" } else { "fits" };
                    faults.push(Fault::at(
                        node.span,
                        format!("the rule {verb} its example {}", quoted(example)),
                    ));
                }
            }
        }
    }
}

/// For each field of a kind the arguments that usually stand behind it.
fn usual_fields(kind: ViewKind) -> Vec<(String, Vec<String>)> {
    let all = USUAL.get(kind.as_str());
    kind.fields()
        .iter()
        .filter_map(|name| {
            let names = all?.get(name)?.as_array()?.iter();
            let names = names.filter_map(|n| n.as_str().map(str::to_owned));
            Some(((*name).to_owned(), names.collect()))
        })
        .collect()
}

static USUAL: LazyLock<Value> = LazyLock::new(|| {
    parse(include_str!("../../rules/fields.json"), Limits::default())
        .map_or(Value::Null, |node| node.to_value())
});

fn phrase(text: &str) -> Vec<String> {
    words(text).iter().map(|w| usual(w).into_owned()).collect()
}

fn insert_list(out: &mut Object, key: &str, list: &[String]) {
    if !list.is_empty() {
        out.insert(key, list.to_vec());
    }
}

impl When {
    fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "the \"when\" of a view rule", faults)?;
        let mut list = |key| {
            fields
                .optional(key)
                .map(|n| names(n, faults))
                .unwrap_or_default()
        };
        let when = Self {
            command: list("command"),
            with: list("with"),
            args: list("args"),
            given: list("given"),
        };
        fields.finish(faults);
        if when == Self::default() {
            let message = "a view rule without a condition would fit every command";
            faults.push(Fault::at(node.span, message).help("add \"command\" or \"args\""));
        }
        Some(when)
    }
}

impl WhenNot {
    fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "the \"not\" of a view rule", faults)?;
        let mut list = |key| {
            fields
                .optional(key)
                .map(|n| names(n, faults))
                .unwrap_or_default()
        };
        let not = Self {
            command: list("command"),
            args: list("args"),
        };
        fields.finish(faults);
        Some(not)
    }
}

impl Examples {
    fn parse(node: &Node, faults: &mut Vec<Fault>) -> Option<Self> {
        let mut fields = Fields::open(node, "the examples of a view rule", faults)?;
        let mut list = |key| {
            fields
                .optional(key)
                .map(|n| names(n, faults))
                .unwrap_or_default()
        };
        let examples = Self {
            matches: list("match"),
            not: list("not"),
        };
        fields.finish(faults);
        Some(examples)
    }
}

/// Strings that hold a word each: one without would fit everything or nothing.
fn names(node: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let found = strings(node, faults);
    if found.iter().any(|text| words(text).is_empty()) {
        faults.push(Fault::at(node.span, "a name must hold a letter or a digit"));
    }
    found
}

fn kind(node: &Node, faults: &mut Vec<Fault>) -> Option<ViewKind> {
    let text = string(node, faults)?;
    let found = ViewKind::parse(text);
    if found.is_none() {
        let all = ViewKind::ALL.iter().map(|kind| kind.as_str());
        let help = match did_you_mean(text, all.clone()) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => format!("it is one of: {}", all.collect::<Vec<_>>().join(", ")),
        };
        faults
            .push(Fault::at(node.span, format!("{} is no kind of view", quoted(text))).help(help));
    }
    found
}

/// The arguments behind each field. A field that the kind has not is a fault.
fn sources(
    node: &Node,
    kind: Option<ViewKind>,
    faults: &mut Vec<Fault>,
) -> Vec<(String, Vec<String>)> {
    let Kind::Object(members) = &node.kind else {
        let message = format!(
            "the fields must be an object, and this is {}",
            node.kind_name()
        );
        faults.push(Fault::at(node.span, message));
        return Vec::new();
    };
    let mut out = Vec::new();
    for member in members {
        if let Some(kind) = kind
            && !kind.fields().contains(&member.key.as_str())
        {
            faults.push(no_field(kind, member));
        }
        out.push((member.key.clone(), names(&member.value, faults)));
    }
    out
}

fn no_field(kind: ViewKind, member: &Member) -> Fault {
    let key = &member.key;
    let help = match did_you_mean(key, kind.fields().iter().copied()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None if kind.fields().is_empty() => "leave the fields out".to_owned(),
        None => format!("it has: {}", kind.fields().join(", ")),
    };
    let message = format!(
        "a view of kind {} has no field {}",
        kind.as_str(),
        quoted(key)
    );
    Fault::at(member.key_span, message).help(help)
}
