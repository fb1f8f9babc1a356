//! A card: the view with all that surrounds it, and its digest.

use crate::signal::Level;
use crate::view::{View, ViewKind};
use hcp_core::canonical::{self, Digest, Tag};
use hcp_core::json::{Limits, Object, Value};

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
    /// Facts of files that the call names: what stands behind each path.
    pub files: Vec<(String, String)>,
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

    /// The word that a person types instead of `y` on a card with a danger signal.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.view.kind {
            ViewKind::Payment => "pay",
            ViewKind::Removal => "delete",
            ViewKind::Message => "send",
            ViewKind::Publish => "publish",
            ViewKind::Share => "share",
            ViewKind::Event
            | ViewKind::Change
            | ViewKind::File
            | ViewKind::Run
            | ViewKind::Command => "yes",
        }
    }

    fn facts(&self) -> Value {
        let view = serde_json::to_string(&self.view)
            .ok()
            .and_then(|text| {
                hcp_core::json::parse(
                    &text,
                    Limits {
                        bytes: usize::MAX,
                        depth: 128,
                    },
                )
                .ok()
            })
            .map_or(Value::Null, |node| node.to_value());
        let files: Object = self
            .files
            .iter()
            .map(|(k, v)| (k.clone(), Value::from(v.as_str())))
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
