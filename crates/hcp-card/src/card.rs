//! A card: the view with all that surrounds it, and its digest.

use crate::call::FileRow;
use crate::signal::Level;
use crate::view::{View, ViewKind};
use hcp_core::canonical::{self, Digest, Tag};
use hcp_core::json::{Limits, Object, Value};

/// The kinds in the order of gravity, with the word for each.
const GRAVITY: &[(ViewKind, &str)] = &[
    (ViewKind::Removal, "delete"),
    (ViewKind::Payment, "pay"),
    (ViewKind::Publish, "publish"),
    (ViewKind::Share, "share"),
    (ViewKind::Event, "invite"),
    (ViewKind::Run, "run"),
    (ViewKind::File, "write"),
    (ViewKind::Change, "change"),
    (ViewKind::Message, "send"),
    (ViewKind::Command, "run"),
];

/// What a person reads about one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The pack's name for people.
    pub pack_name: String,
    /// What the command does, as its pack says.
    pub summary: String,
    /// The view.
    pub view: View,
    /// The account that the pack is connected as.
    pub account: Option<String>,
    /// The working directory, for a command that acts on it.
    pub cwd: Option<String>,
    /// What stands behind each path argument.
    pub files: Vec<FileRow>,
    /// Standard input in words, where the call carries any.
    pub stdin: Option<String>,
    /// The exact command line, quoted for a shell.
    pub cli: String,
}

impl Card {
    /// The digest that a yes belongs to: every fact that the card shows.
    #[must_use]
    pub fn digest(&self) -> Digest {
        canonical::digest(Tag::Card, &self.facts())
    }

    /// Whether the card has a signal of danger.
    #[must_use]
    pub fn is_danger(&self) -> bool {
        self.view.signals.iter().any(|s| s.level == Level::Danger)
    }

    /// The word that a person types instead of `y` on a card with a danger signal: what the call does, of the
    /// declared and the inferred kind the graver. No word begins with a letter that answers no.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let kinds = GRAVITY.iter().find(|(kind, _)| self.view.is(*kind));
        match kinds {
            Some((ViewKind::Event, word)) => self.event_word().unwrap_or(word),
            Some((_, word)) => word,
            None => "run",
        }
    }

    /// The word of an event, by its action.
    fn event_word(&self) -> Option<&'static str> {
        let action = self.view.fields.get("action")?.as_str()?.to_lowercase();
        ["cancel", "delete", "move", "invite", "create", "change"]
            .into_iter()
            .find(|word| action.starts_with(word))
    }

    fn facts(&self) -> Value {
        let limits = Limits {
            bytes: usize::MAX,
            depth: 1_024,
        };
        // Two calls that differ only in the order of keys are one; what is nested too deep for that is told
        // apart by its text.
        let view =
            serde_json::to_string(&self.view).map_or(
                Value::Null,
                |text| match hcp_core::json::parse(&text, limits) {
                    Ok(node) => node.to_value(),
                    Err(_) => Value::String(text),
                },
            );
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|row| {
                let facts = [&row.argument, &row.path, &row.words];
                Value::Array(
                    facts
                        .iter()
                        .map(|fact| Value::from(fact.as_str()))
                        .collect(),
                )
            })
            .collect();
        Object::new()
            .with("pack_name", self.pack_name.as_str())
            .with("summary", self.summary.as_str())
            .with("view", view)
            .with("as", self.account.clone())
            .with("in", self.cwd.clone())
            .with("files", files)
            .with("stdin", self.stdin.clone())
            .with("cli", self.cli.as_str())
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(kind: ViewKind, inferred: Option<ViewKind>, action: &str) -> &'static str {
        let mut view = View::plain(&Object::new());
        view.kind = kind;
        view.inferred = inferred;
        view.fields.insert("action", action);
        card(view, Vec::new()).word()
    }

    fn card(view: View, files: Vec<FileRow>) -> Card {
        Card {
            pack_name: String::new(),
            summary: String::new(),
            view,
            account: None,
            cwd: None,
            files,
            stdin: None,
            cli: String::new(),
        }
    }

    #[test]
    fn each_of_several_files_is_a_fact_of_the_card() {
        let file = |path: &str, words: &str| FileRow {
            argument: "files".to_owned(),
            path: path.to_owned(),
            size: None,
            words: words.to_owned(),
        };
        let with = |first: &str| {
            let files = vec![file("a", first), file("b", "5 bytes")];
            card(View::plain(&Object::new()), files).digest()
        };
        assert_ne!(with("5 bytes, #1"), with("5 bytes, #2"));
    }

    #[test]
    fn what_is_nested_deep_is_a_fact_of_the_card() {
        let with = |inner: &str| {
            let deep = (0..300).fold(Value::from(inner), |value, _| Value::Array(vec![value]));
            let args = Object::new().with("deep", deep);
            card(View::plain(&args), Vec::new()).digest()
        };
        assert_ne!(with("a"), with("b"));
        assert_eq!(with("a"), with("a"));
    }

    #[test]
    fn a_danger_card_wants_the_word_for_the_graver_kind() {
        for (kind, inferred, action, expected) in [
            (ViewKind::Payment, None, "", "pay"),
            (ViewKind::Message, None, "", "send"),
            (ViewKind::Message, Some(ViewKind::Payment), "", "pay"),
            (ViewKind::Payment, Some(ViewKind::Message), "", "pay"),
            (ViewKind::Command, Some(ViewKind::Removal), "", "delete"),
            (ViewKind::Event, None, "Cancel", "cancel"),
            (ViewKind::Event, None, "Moved", "move"),
            (ViewKind::Event, None, "", "invite"),
            (ViewKind::Command, None, "", "run"),
        ] {
            assert_eq!(word(kind, inferred, action), expected);
        }
    }

    #[test]
    fn no_word_begins_like_a_no() {
        assert!(
            GRAVITY
                .iter()
                .all(|(_, word)| !word.starts_with(['n', 'q']))
        );
    }
}
