//! Each kind's usual title in words, made of the fields that a call has.

use super::{moment, plain_text, short};
use crate::names::{begin, singular};
use crate::view::ViewKind;
use hcp_core::json::{Object, Value};
use std::collections::BTreeSet;

/// What a usual title is made of.
pub(crate) struct Facts<'f> {
    pub(crate) kind: ViewKind,
    pub(crate) fields: &'f Object,
    /// The word of the command that says what it does.
    pub(crate) verb: &'f str,
    /// What it is done to, where the names say it: `note`.
    pub(crate) noun: &'f str,
    /// The words of the command's name.
    pub(crate) words: &'f [String],
    /// Whether the file that is written is there already.
    pub(crate) overwrites: bool,
}

/// The usual title of a kind. `None` where too little is known for one.
pub(crate) fn usual(facts: &Facts<'_>) -> Option<String> {
    match facts.kind {
        ViewKind::Message => Some(facts.message()),
        ViewKind::Event => Some(facts.event()),
        ViewKind::Payment => facts.payment(),
        ViewKind::Removal => facts.removal(),
        ViewKind::Publish => facts.publish(),
        ViewKind::Share => facts.share(),
        ViewKind::Change => facts.change(),
        ViewKind::File => facts.file(),
        ViewKind::Run => facts.run(),
        ViewKind::Command => None,
    }
}

impl Facts<'_> {
    fn field(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.field(name).map(first_and_more)
    }

    /// A word and a field behind it, with a blank ahead; nothing where the field is not there.
    fn tail(&self, word: &str, name: &str) -> String {
        self.text(name)
            .map(|text| format!(" {word} {text}"))
            .unwrap_or_default()
    }

    fn begin(&self) -> String {
        begin(self.verb)
    }

    fn message(&self) -> String {
        let verb = match self.verb {
            "reply" | "forward" | "draft" | "comment" | "post" | "broadcast" | "notify"
            | "invite" => self.begin(),
            _ => "Send".to_owned(),
        };
        let drafts = self.words.iter().any(|word| singular(word) == "draft") && self.verb != "send";
        let verb = if drafts { "Draft".to_owned() } else { verb };
        let subject = match self.text("subject") {
            Some(subject) => format!(" {}", in_quotes(&subject)),
            None if verb == "Send" => " a message".to_owned(),
            None => String::new(),
        };
        let mut to = people(self.fields);
        if verb == "Comment" {
            to = to.replacen(" to ", " on ", 1);
        } else if verb == "Notify" {
            to = to.replacen(" to ", " ", 1);
        }
        if to.is_empty() {
            to = self.tail("to", "channel");
        }
        format!("{verb}{subject}{to}")
    }

    fn event(&self) -> String {
        let verb = match self.text("action").as_deref() {
            Some("create") | None => "Create".to_owned(),
            Some("invite") => "Invite to".to_owned(),
            Some("respond") if self.verb == "rsvp" => "Answer".to_owned(),
            Some("respond") => self.begin(),
            Some(other) => begin(other),
        };
        let what = match self.text("what") {
            Some(what) => in_quotes(&what),
            None => "an event".to_owned(),
        };
        let when = match self.field("when").and_then(Value::as_str).and_then(moment) {
            Some(words) => format!(" on {words}"),
            None => self.tail("at", "when"),
        };
        format!("{verb} {what}{when}")
    }

    fn payment(&self) -> Option<String> {
        const OWN: [&str; 14] = [
            "refund",
            "charge",
            "buy",
            "purchase",
            "donate",
            "withdraw",
            "capture",
            "reimburse",
            "renew",
            "deposit",
            "tip",
            "sell",
            "swap",
            "stake",
        ];
        let own = self
            .words
            .iter()
            .map(|word| singular(word))
            .find(|word| OWN.contains(&word.as_ref()));
        let verb = own.map_or_else(|| "Pay".to_owned(), |word| begin(&word));
        let amount = self.text("amount").map(|amount| {
            let currency = self
                .text("currency")
                .map(|c| format!(" {c}"))
                .unwrap_or_default();
            format!(" {amount}{currency}")
        });
        match (amount, self.text("to")) {
            (Some(amount), _) => Some(format!("{verb}{amount}{}", self.tail("to", "to"))),
            (None, Some(to)) => Some(format!("{verb} {to}")),
            (None, None) => None,
        }
    }

    /// The thing that it is done to: its sort and its name.
    fn object(&self) -> Option<String> {
        let what = self.field("what")?;
        if let Value::Array(items) = what
            && items.len() > 1
        {
            return Some(format!("{} {}", items.len(), plural(self.noun)));
        }
        let name = first_and_more(what);
        let shown = if is_reference(&name) {
            name
        } else {
            in_quotes(&name)
        };
        Some(join(self.noun, &shown))
    }

    fn removal(&self) -> Option<String> {
        let from = self.tail("from", "from");
        let object = match self.object() {
            Some(object) => object,
            None if !self.noun.is_empty() => self.noun.to_owned(),
            None => return None,
        };
        Some(format!("{} {object}{from}", self.begin()))
    }

    fn publish(&self) -> Option<String> {
        let what = match self.text("what") {
            Some(what)
                if is_reference(&what)
                    || matches!(self.verb, "create" | "merge" | "edit" | "update" | "start") =>
            {
                join(self.noun, &what)
            }
            Some(what) => what,
            None if self.field("version").is_some() || self.field("where").is_some() => {
                self.noun.to_owned()
            }
            None => return None,
        };
        let version = self
            .text("version")
            .map(|v| format!(" {v}"))
            .unwrap_or_default();
        let verb = self.begin();
        Some(format!(
            "{}{version}{}",
            join(&verb, &what),
            self.tail("to", "where")
        ))
    }

    fn share(&self) -> Option<String> {
        let role = self
            .text("role")
            .map(|role| format!("{role} "))
            .unwrap_or_default();
        match (self.text("with"), self.text("what")) {
            (Some(with), what) => {
                let to = what.map(|what| format!(" to {what}")).unwrap_or_default();
                Some(format!("Give {with} {role}access{to}"))
            }
            (None, Some(what)) => Some(format!("Share {what}")),
            (None, None) => None,
        }
    }

    fn change(&self) -> Option<String> {
        // The verbs that go with a new value.
        const TO: [&str; 15] = [
            "set",
            "rename",
            "change",
            "move",
            "update",
            "edit",
            "assign",
            "reassign",
            "convert",
            "transition",
            "modify",
            "transfer",
            "switch",
            "resize",
            "scale",
        ];
        let what = self.field("what").map(|what| match what {
            Value::Array(items) if items.len() > 1 => {
                format!("{} {}", items.len(), plural(self.noun))
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => join(self.noun, &first_and_more(what)),
        });
        let to = self.tail("to", "to");
        match (self.text("field"), what) {
            (Some(field), Some(what)) => {
                Some(format!("Change {} of {what}{to}", in_quotes(&field)))
            }
            (Some(field), None) => Some(format!("Change {}{to}", in_quotes(&field))),
            (None, Some(what)) if TO.contains(&self.verb) => {
                Some(format!("{} {what}{to}", self.begin()))
            }
            (None, Some(what)) => Some(format!("{} {what}", self.begin())),
            (None, None) => None,
        }
    }

    fn file(&self) -> Option<String> {
        let path = self.text("path")?;
        let verb = if self.overwrites && self.field("to").is_none() {
            "Overwrite".to_owned()
        } else {
            self.text("action")
                .map_or_else(|| self.begin(), |action| begin(&action))
        };
        Some(format!("{verb} {path}{}", self.tail("to", "to")))
    }

    /// What runs. The words of a command line stand in a row.
    fn program(&self) -> Option<String> {
        let words = self.field("program")?.as_array();
        let words: Option<Vec<&str>> = words.and_then(|w| w.iter().map(Value::as_str).collect());
        match words {
            Some(words) if words.len() > 1 => Some(short(&words.join(" "))),
            Some(_) | None => self.text("program"),
        }
    }

    fn run(&self) -> Option<String> {
        let program = self.program()?;
        let on = match self.text("target") {
            Some(target) => format!(" on {target}"),
            None => self.tail("on", "where"),
        };
        let verb = match self.verb {
            "restart" | "start" | "install" | "reinstall" | "build" | "rebuild" | "upgrade"
            | "launch" | "trigger" | "reboot" | "rerun" | "retry" | "replay" | "test"
            | "compile" | "kill" | "killall" | "pkill" | "drain" | "stop" | "shutdown"
            | "poweroff" | "halt" | "flush" | "downgrade" | "activate" | "debug"
                if program != self.verb =>
            {
                self.begin()
            }
            _ => "Run".to_owned(),
        };
        Some(format!("{verb} {program}{on}"))
    }
}

/// The people of a message in words: the first, and how many more there are in `to`, `cc` and `bcc` together.
fn people(fields: &Object) -> String {
    let mut all = BTreeSet::new();
    let mut first = None;
    for name in ["to", "cc", "bcc"] {
        for person in fields.get(name).map(addressees).unwrap_or_default() {
            if all.insert(person.to_lowercase()) && first.is_none() {
                first = Some(person);
            }
        }
    }
    match (first, all.len()) {
        (None, _) => String::new(),
        (Some(one), 1) => format!(" to {}", short(&one)),
        (Some(one), n) => format!(" to {} and {} more", short(&one), n - 1),
    }
}

/// The addressees of a value. A text is parted at commas and semicolons where each part is an address.
fn addressees(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(addressees).collect(),
        Value::String(text) => {
            let parts: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
            if parts.iter().all(|part| part.contains('@')) {
                parts.into_iter().map(str::to_owned).collect()
            } else {
                vec![text.clone()]
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            vec![plain_text(value)]
        }
    }
}

/// A value's text; of a list the first item and how many more there are.
fn first_and_more(value: &Value) -> String {
    match value {
        Value::Array(items) => match items.as_slice() {
            [one] => first_and_more(one),
            [one, more @ ..] => format!("{} and {} more", short(&plain_text(one)), more.len()),
            [] => String::new(),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            short(&plain_text(value))
        }
    }
}

/// Whether a text is a number or the like (`12`, `#12`), which needs no quotation marks.
fn is_reference(text: &str) -> bool {
    let digits = text.strip_prefix(['#', '!']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn join(before: &str, text: &str) -> String {
    if before.is_empty() {
        text.to_owned()
    } else if text.is_empty() {
        before.to_owned()
    } else {
        format!("{before} {text}")
    }
}

fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if noun.is_empty() => "items".to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A text in quotation marks; marks of its own are written so that they do not end it, and so are the
/// backslashes ahead of a mark.
fn in_quotes(text: &str) -> String {
    let mut out = "\"".to_owned();
    let mut slashes = 0;
    for c in text.chars() {
        if c == '"' {
            out.push_str(&"\\".repeat(slashes + 1));
        }
        slashes = if c == '\\' { slashes + 1 } else { 0 };
        out.push(c);
    }
    out.push_str(&"\\".repeat(slashes));
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_counted_once() {
        let fields = Object::new()
            .with("to", "Ana@example.org, bo@example.org")
            .with("bcc", vec!["ana@example.org", "cy@example.org"]);
        assert_eq!(people(&fields), " to Ana@example.org and 2 more");
    }

    #[test]
    fn a_text_cannot_end_its_quotation_marks() {
        for (text, quoted) in [
            (r#"a" to "b"#, r#""a\" to \"b""#),
            (r#"a\" to "b"#, r#""a\\\" to \"b""#),
            (r"a\", r#""a\\""#),
            (r"a\b", r#""a\b""#),
        ] {
            assert_eq!(in_quotes(text), quoted);
        }
    }

    #[test]
    fn nouns_have_a_plural() {
        for (noun, many) in [
            ("note", "notes"),
            ("policy", "policies"),
            ("key", "keys"),
            ("box", "boxes"),
            ("", "items"),
        ] {
            assert_eq!(plural(noun), many);
        }
    }
}
