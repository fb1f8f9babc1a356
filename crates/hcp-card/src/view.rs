//! The view of a call: kind, title, fields, rest, signals, and which arguments stand behind each field.

use crate::declared::{self, Declared};
use crate::signal::{self, Signal};
use hcp_core::json::{Object, Value};
use hcp_core::policy::CallPolicy;
use hcp_core::text::safe;
use hcp_pack::Command;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $word:literal, [$($field:literal),*];)*) => {
        /// The kinds of view, with the fields of each in the order of the card.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ViewKind { $($(#[$doc])* $variant,)* }

        impl ViewKind {
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
}

impl View {
    /// The view that says nothing but the arguments.
    #[must_use]
    pub fn plain(args: &Object) -> Self {
        Self {
            kind: ViewKind::Command,
            title: String::new(),
            fields: Object::new(),
            rest: rest(args, &BTreeMap::new()),
            signals: Vec::new(),
            sources: BTreeMap::new(),
            origin: ViewOrigin::Plain,
            display: Object::new(),
        }
    }
}

/// The view of a call. `args` are the checked arguments as they may be shown: secrets stand in them
/// by their display form already.
#[must_use]
pub fn view(command: &Command, args: &Object, policy: CallPolicy) -> View {
    let declared = command
        .preview
        .as_ref()
        .and_then(|p| declared::read(p, args));
    let mut view = match declared {
        Some(Declared {
            kind,
            title,
            fields,
            sources,
        }) => View {
            kind,
            title,
            rest: rest(args, &sources),
            display: displays(&fields),
            fields,
            signals: Vec::new(),
            sources,
            origin: ViewOrigin::Declared,
        },
        None => View {
            title: first_sentence(&command.description),
            ..View::plain(args)
        },
    };
    view.signals = signal::signals(view.kind, policy);
    view
}

fn rest(args: &Object, sources: &BTreeMap<String, Vec<String>>) -> Vec<Row> {
    args.iter()
        .filter(|(name, _)| !sources.values().flatten().any(|s| s == name))
        .map(|(name, value)| Row {
            name: name.to_owned(),
            value: value.clone(),
            display: display(value),
        })
        .collect()
}

fn displays(fields: &Object) -> Object {
    fields
        .iter()
        .filter_map(|(name, value)| Some((name.to_owned(), Value::String(display(value)?))))
        .collect()
}

/// The safe form of a value, where it differs from the value itself.
fn display(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let shown = safe(text);
    (shown.as_str() != text).then(|| shown.to_string())
}

/// The first sentence of a description, without its full stop.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let end = text.find(". ").unwrap_or(text.len());
    let sentence = text.get(..end).unwrap_or(text);
    safe(sentence.trim_end_matches('.')).to_string()
}
