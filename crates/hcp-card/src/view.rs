//! The view of a call: kind, title, fields, rest, signals, and which arguments stand behind each field.

use crate::call::{CardCall, Past};
use crate::declared;
use crate::display::{Declared, NOT_GIVEN, display};
use crate::infer;
use crate::signal::{self, Identifier, Signal, identifiers};
use hcp_core::json::{Object, Value};
use hcp_core::text::safe_prose;
use hcp_pack::{Argument, Command};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $word:literal, [$($field:literal),*];)*) => {
        /// The kinds of view, with the fields of each in the order of the card.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ViewKind { $($(#[$doc])* $variant,)* }

        impl ViewKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word in JSON.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The kind of a word.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$variant),)* _ => None }
            }

            /// The fields, in the order of the card.
            #[must_use]
            pub fn fields(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($field),*],)* }
            }
        }
    };
}

kinds! {
    /// Mail, chat and the like.
    Message = "message", ["to", "cc", "bcc", "channel", "from", "subject", "body", "attachments", "when"];
    /// A calendar's entry.
    Event = "event", ["action", "what", "when", "until", "where", "who", "calendar", "body"];
    /// Money that moves.
    Payment = "payment", ["amount", "currency", "to", "from", "memo", "when"];
    /// Something goes away.
    Removal = "removal", ["what", "from", "count"];
    /// Something goes live.
    Publish = "publish", ["what", "where", "version", "audience", "notes"];
    /// Somebody gets access.
    Share = "share", ["what", "with", "role", "until"];
    /// A value changes.
    Change = "change", ["what", "field", "from", "to"];
    /// A file is written.
    File = "file", ["action", "path", "to", "size"];
    /// A program runs somewhere.
    Run = "run", ["program", "target", "where"];
    /// Anything else: every argument is in `rest`.
    Command = "command", [];
}

impl Serialize for ViewKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Where a view comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewOrigin {
    /// The pack declares it.
    Declared,
    /// A view rule knows the names of command and arguments.
    Inferred,
    /// Nobody did: the plain view.
    Plain,
}

/// An argument with a row of its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The argument's name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// How the value is shown, where that differs from the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
}

/// What a person says yes to, in a typed form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// What sort of act this is.
    pub kind: ViewKind,
    /// The act in words.
    pub title: String,
    /// The fields, in the order of the card.
    pub fields: Object,
    /// The arguments that no field shows.
    pub rest: Vec<Row>,
    /// The facts to weigh, the worst first.
    pub signals: Vec<Signal>,
    /// The arguments behind each field.
    pub sources: BTreeMap<String, Vec<String>>,
    /// Where the view comes from.
    pub origin: ViewOrigin,
    /// Display forms of fields that differ from their values.
    #[serde(skip_serializing_if = "Object::is_empty")]
    pub display: Object,
    /// The kind that the view rules find beside a declared one: whatever weighs by kind weighs for both.
    #[serde(skip)]
    pub inferred: Option<ViewKind>,
}

impl View {
    /// The view that says nothing but the arguments.
    #[must_use]
    pub fn plain(args: &Object) -> Self {
        Self {
            rest: rest(args, &BTreeMap::new(), &[]),
            ..Self::empty()
        }
    }

    fn empty() -> Self {
        Self {
            kind: ViewKind::Command,
            title: String::new(),
            fields: Object::new(),
            rest: Vec::new(),
            signals: Vec::new(),
            sources: BTreeMap::new(),
            origin: ViewOrigin::Plain,
            display: Object::new(),
            inferred: None,
        }
    }

    /// The same view with the signals of the call that it was made from, and of that call's [`identifiers`].
    #[must_use]
    pub fn weighed(mut self, call: &CardCall<'_>, past: &Past, identifiers: &[Identifier]) -> Self {
        self.signals = signal::signals(call, &self, past, identifiers);
        self
    }

    /// Whether the call is of a kind, by its declaration or by its names.
    #[must_use]
    pub fn is(&self, kind: ViewKind) -> bool {
        self.kind == kind || self.inferred == Some(kind)
    }
}

/// The view of a call.
#[must_use]
pub fn view(call: &CardCall<'_>, past: &Past) -> View {
    let outline = outline(call);
    let identifiers = identifiers(call, &outline);
    outline.weighed(call, past, &identifiers)
}

/// The view of a call before its signals are found: enough to tell what it names.
#[must_use]
pub fn outline(call: &CardCall<'_>) -> View {
    let args = call.args;
    let arguments = call.command.arguments.as_slice();
    if let Some(d) = declared::read(call.command, args) {
        return View {
            inferred: infer::kind(call),
            kind: d.kind,
            title: d.title,
            rest: rest(args, &d.sources, arguments),
            display: displays(&d.fields, &d.sources, call),
            fields: d.fields,
            sources: d.sources,
            origin: ViewOrigin::Declared,
            ..View::empty()
        };
    }
    match infer::infer(call) {
        Some(i) => View {
            inferred: Some(i.kind),
            kind: i.kind,
            title: i.title,
            rest: rest(args, &i.sources, arguments),
            display: displays(&i.fields, &i.sources, call),
            fields: i.fields,
            sources: i.sources,
            origin: ViewOrigin::Inferred,
            ..View::empty()
        },
        None => View {
            title: first_sentence(&call.command.description),
            rest: rest(args, &BTreeMap::new(), arguments),
            ..View::empty()
        },
    }
}

/// A row for each argument that no field shows, and for each absent one that the tool fills in by itself, in
/// the order in which they are declared.
fn rest(
    args: &Object,
    sources: &BTreeMap<String, Vec<String>>,
    arguments: &[Argument],
) -> Vec<Row> {
    let place = |name: &str| arguments.iter().position(|a| a.name == name);
    let declared = |name: &str| Declared::of(arguments.iter().find(|a| a.name == name));
    let mut rows: Vec<Row> = args
        .iter()
        .filter(|(name, _)| !sources.values().flatten().any(|s| s == name))
        .map(|(name, value)| Row {
            name: name.to_owned(),
            value: value.clone(),
            display: display(name, value, declared(name)),
        })
        .collect();
    let given = rows.len();
    rows.extend(
        arguments
            .iter()
            .filter(|a| a.schema.contains_key("default") && !args.contains_key(&a.name))
            .map(|a| Row {
                name: a.name.clone(),
                value: Value::Null,
                display: Some(NOT_GIVEN.to_owned()),
            }),
    );
    if rows.len() > given {
        rows.sort_by_key(|row| place(&row.name).unwrap_or(usize::MAX));
    }
    rows
}

/// The display forms of fields, where they differ from the values.
fn displays(
    fields: &Object,
    sources: &BTreeMap<String, Vec<String>>,
    call: &CardCall<'_>,
) -> Object {
    fields
        .iter()
        .filter_map(|(name, value)| {
            let source = sources.get(name).and_then(|s| s.first());
            let declared = source.map_or(Declared::TEXT, |source| {
                let declared = Declared::of(argument(call.command, source));
                // A field that is more than the argument's own value is a text.
                if call.args.get(source) == Some(value) {
                    declared
                } else {
                    declared.as_text()
                }
            });
            let form = display(name, value, declared)?;
            Some((name.to_owned(), Value::String(form)))
        })
        .collect()
}

fn argument<'c>(command: &'c Command, name: &str) -> Option<&'c Argument> {
    command.arguments.iter().find(|a| a.name == name)
}

/// The first sentence of a description, without its full stop.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let end = text.find(". ").unwrap_or(text.len());
    let sentence = text.get(..end).unwrap_or(text);
    safe_prose(sentence.trim_end_matches('.')).to_string()
}
