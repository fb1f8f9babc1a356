//! The preview to declare for a command that has none: kind, title and fields as templates.
//!
//! The card's view rules know best. What they do not know is told by words here, and never milder than a run.

use crate::guess::{self, is_amount, is_named, is_recipient};
use crate::inferred;
use crate::subject::placeholders;
use hcp_card::view::ViewKind;
use hcp_core::json::{Object, Value};
use hcp_pack::{Argument, Command, Pack};

/// The exact preview to write for a command; `None` for one that has no words to show.
///
/// Where the card's view rules know the names it is the view that they infer. A command whose names tell nothing is
/// shown as the run of its own words, which is what it is: no kind that is milder is guessed.
#[must_use]
pub fn suggest_preview(pack: &Pack, command: &Command) -> Option<Value> {
    let (kind, title, fields) = match inferred::inferred(pack, command) {
        Some(view) => {
            // What only some calls run is not what the command is.
            // Nor is a sentence of the description a title: a draft has it from the program itself.
            let found = inferred::title(pack, command, &view)
                .filter(|title| !command.description.starts_with(title.trim_end_matches('.')));
            let fields = if found.is_none() && view.kind == ViewKind::Run {
                fields(view.kind, pack, command)
            } else {
                view.fields
            };
            let title = found.filter(|words| is_whole(words, command));
            let title = title.unwrap_or_else(|| title_of(view.kind, pack, command));
            (view.kind, title, fields)
        }
        None => {
            let kind = guess::by_words(&pack.id, command).unwrap_or(ViewKind::Run);
            let title = title_of(kind, pack, command);
            (kind, title, fields(kind, pack, command))
        }
    };
    (!title.is_empty()).then(|| {
        Value::Object(
            Object::new()
                .with("kind", kind.as_str())
                .with("title", title)
                .with("fields", fields),
        )
    })
}

/// Whether a title holds its placeholders unshortened: of a very long name a title leaves none.
fn is_whole(title: &str, command: &Command) -> bool {
    let mut names = placeholders(title).into_iter();
    names.all(|(_, name)| command.argument(name).is_some()) && !title.contains('…')
}

fn fields(kind: ViewKind, pack: &Pack, command: &Command) -> Object {
    let mut fields = Object::new();
    for field in kind.fields() {
        if let Some(text) = field_text(kind, field, pack, command) {
            fields.insert(*field, text);
        }
    }
    fields
}

fn placeholder(argument: &Argument) -> String {
    format!("{{{{{}}}}}", argument.name)
}

/// The template of a field: the argument that it is for, or a literal that the kind calls for.
fn field_text(kind: ViewKind, field: &str, pack: &Pack, command: &Command) -> Option<String> {
    if let Some(argument) = argument_for(kind, field, command) {
        return Some(placeholder(argument));
    }
    match (kind, field) {
        (ViewKind::Run, "program") => Some(command.own_words.join(" ")),
        (ViewKind::File | ViewKind::Event, "action") => Some(verb(command)),
        (ViewKind::Removal, "from") => Some(pack.name.clone()),
        _ => None,
    }
}

/// The argument that a field is for. Secrets stay in rows of their own.
fn argument_for<'c>(kind: ViewKind, field: &str, command: &'c Command) -> Option<&'c Argument> {
    let open = || command.arguments.iter().filter(|a| !a.secret && !a.global);
    let named = names_of(kind, field);
    let by_name = open().find(|a| is_named(a, named));
    let runs = |a: &&Argument| a.schema.contains_key("x-command");
    let found = by_name.or_else(|| match (kind, field) {
        (ViewKind::Payment, "amount") => open().find(|a| is_amount(a)),
        (ViewKind::Run, "program") => open().filter(|a| a.required).find(runs),
        (ViewKind::Payment | ViewKind::Message, "to") => open().find(|a| is_recipient(a)),
        (ViewKind::Removal | ViewKind::Publish | ViewKind::Share | ViewKind::Change, "what")
        | (ViewKind::File, "path")
        | (ViewKind::Run, "target") => main_argument(command),
        _ => None,
    })?;
    Some(found)
}

/// The argument that a command is about: the first bare word, else the first that must be given.
fn main_argument(command: &Command) -> Option<&Argument> {
    let open = || {
        command
            .arguments
            .iter()
            .filter(|a| !a.secret && !a.global && a.kind.as_deref() != Some("boolean"))
            .filter(|a| !a.schema.contains_key("x-command"))
    };
    open()
        .filter(|a| a.position.is_some())
        .min_by_key(|a| a.position)
        .or_else(|| open().find(|a| a.required))
        .or_else(|| {
            command
                .cli()
                .iter()
                .find_map(|w| command.argument(w.alone()?))
                .filter(|a| !a.secret && a.kind.as_deref() != Some("boolean"))
        })
}

/// The names of arguments that a field is usually filled from.
fn names_of(kind: ViewKind, field: &str) -> &'static [&'static str] {
    match (kind, field) {
        (ViewKind::Message, "cc") => &["cc"],
        (ViewKind::Message, "bcc") => &["bcc"],
        (ViewKind::Message, "channel") => &["channel", "room"],
        (ViewKind::Message, "subject") => &["subject", "title"],
        (ViewKind::Message | ViewKind::Event, "body") => {
            &["body", "text", "message", "content", "description"]
        }
        (ViewKind::Message, "attachments") => &["attachment", "attach", "file"],
        (ViewKind::Message | ViewKind::Payment, "when") => &["when", "at", "date"],
        (ViewKind::Message, "to") => &["to", "recipient"],
        (ViewKind::Message | ViewKind::Payment, "from") => {
            &["from", "fromaccount", "account", "sender"]
        }
        (ViewKind::Event, "what") => &["what", "title", "event", "summary", "id", "name"],
        (ViewKind::Event, "when") => &["when", "start", "date", "begin"],
        (ViewKind::Event | ViewKind::Share, "until") => &["until", "end", "expire"],
        (ViewKind::Event, "where") => &["where", "location", "place"],
        (ViewKind::Event, "who") => &["who", "attendee", "guest", "invitee", "participant"],
        (ViewKind::Event, "calendar") => &["calendar"],
        (ViewKind::Payment, "amount") => &["amount"],
        (ViewKind::Payment, "to") => &["to", "payee", "recipient"],
        (ViewKind::Payment, "currency") => &["currency"],
        (ViewKind::Payment, "memo") => &["memo", "note", "reference", "description"],
        (ViewKind::Publish, "version") => &["version", "tag"],
        (ViewKind::Publish, "where") => &["where", "registry", "environment", "env", "remote"],
        (ViewKind::Publish, "audience") => &["audience", "visibility"],
        (ViewKind::Publish, "notes") => &["note", "changelog"],
        (ViewKind::Share, "with") => &["with", "user", "email", "member", "invitee", "to"],
        (ViewKind::Share, "role") => &["role", "permission", "acces"],
        (ViewKind::Change, "field") => &["field", "key", "setting"],
        (ViewKind::Change, "to") => &["value", "to", "new", "newname", "text"],
        (ViewKind::File, "to") => &["to", "destination", "dest", "target"],
        (ViewKind::File, "path") => &["path", "file", "filename", "source", "src"],
        (ViewKind::Run, "where") => &["where", "environment", "env", "host", "cluster"],
        _ => &[],
    }
}

/// The act in a word: the last of the own words, else of the name.
fn verb(command: &Command) -> String {
    let own = command.own_words.iter().skip(1).next_back();
    own.cloned()
        .unwrap_or_else(|| command.name.as_str().to_owned())
}

/// The act in words. Only arguments that must be given stand in it: an absent one would leave a hole.
fn title_of(kind: ViewKind, pack: &Pack, command: &Command) -> String {
    let given = |field: &str| {
        argument_for(kind, field, command)
            .filter(|a| a.required)
            .map(placeholder)
    };
    let with = |text: &str, join: &str, field: &str| match given(field) {
        Some(value) => format!("{text}{join}{value}"),
        None => text.to_owned(),
    };
    let words = sentence(command);
    let title = match kind {
        ViewKind::Payment => with(&with("Pay", " ", "amount"), " to ", "to"),
        ViewKind::Removal => with(&words, " ", "what"),
        ViewKind::Publish => with(&with("Publish", " ", "what"), " to ", "where"),
        ViewKind::Share => with(&with("Share", " ", "what"), " with ", "with"),
        ViewKind::Message => with(&with("Send", " ", "subject"), " to ", "to"),
        ViewKind::Run => {
            return format!("Run {}", command.own_words.join(" "))
                .trim_end()
                .to_owned();
        }
        ViewKind::Event => with(&words, " ", "what"),
        ViewKind::File => with(&words, " ", "path"),
        ViewKind::Change => with(&words, " ", "what"),
        ViewKind::Command => words,
    };
    match title.as_str() {
        "Publish" | "Share" | "Send" => format!("{title} with {}", pack.name),
        _ => title,
    }
}

/// A command's name as the beginning of a sentence: `branch_delete` gives "Delete branch".
fn sentence(command: &Command) -> String {
    let mut words = guess::words(command.name.as_str());
    if words.len() > 1 && !guess::is_act(words.first()) && guess::is_act(words.last()) {
        words.rotate_right(1);
    }
    let text = words.join(" ");
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcp_pack::PackFiles;

    /// The preview suggested for the only command of a pack.
    fn suggested(entry: &str) -> String {
        let files = PackFiles {
            pack: br#"{ "id": "git", "name": "Git", "version": "1.0.0", "summary": "x" }"#.to_vec(),
            surface: format!(r#"{{ "commands": {{ "it": {entry} }} }}"#).into_bytes(),
            policy: br#"{ "commands": { "it": { "operation": "write", "confirm": "ask" } } }"#
                .to_vec(),
            ..PackFiles::default()
        };
        let pack = Pack::read(&files).unwrap();
        let command = pack.command("it").unwrap();
        suggest_preview(&pack, command).unwrap().to_string()
    }

    #[test]
    fn an_argument_that_may_be_absent_makes_no_title_and_no_program() {
        let entry = r#"{ "description": "x", "cli": ["git", "archive", "--exec={{exec}}", "--", "{{tree}}"], "args": { "properties": {
            "exec": { "type": "string", "description": "x" }, "tree": { "type": "string", "description": "x", "x-position": 0 } },
            "required": ["tree"] } }"#;
        assert_eq!(
            suggested(entry),
            r#"{"kind":"run","title":"Run git archive","fields":{"program":"git archive","target":"{{tree}}"}}"#
        );
    }

    #[test]
    fn a_description_is_no_title() {
        let entry = r#"{ "description": "Nothing to see. Go on.", "cli": ["box", "run"], "args": { "properties": {} } }"#;
        let shown = suggested(entry);
        assert!(!shown.contains("Nothing"), "{shown}");
    }

    #[test]
    fn a_command_in_an_argument_is_the_program() {
        let entry = r#"{ "description": "x", "cli": ["box", "within", "{{name}}", "{{words}}"], "args": { "properties": {
            "name": { "type": "string", "description": "x", "x-position": 0 },
            "words": { "type": "array", "items": { "type": "string" }, "description": "x", "x-command": "words" } },
            "required": ["name", "words"] } }"#;
        assert_eq!(
            suggested(entry),
            r#"{"kind":"run","title":"Run box within","fields":{"program":"{{words}}","target":"{{name}}"}}"#
        );
    }
}
