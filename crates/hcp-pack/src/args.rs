//! Arguments: what a command declares, and the check of a call's values against it.

mod check;
mod named;

pub(crate) use check::{check, check_given};
pub(crate) use named::{is_named, read, typed, word_types};

use hcp_core::json::Object;
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;

/// A call's arguments do not fit the command. The message never quotes a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ArgFault {
    /// The argument, where one is at fault.
    pub argument: Option<String>,
    /// The JSON Schema keyword or rule that was broken (`type`, `required`, `undeclared`, `injection`…):
    /// what the audit log may hold of it.
    pub keyword: String,
    /// What is wrong, in words.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl ArgFault {
    pub(crate) fn nul(name: &str) -> Self {
        Self {
            argument: Some(name.to_owned()),
            keyword: "nul".to_owned(),
            message: format!("{name}: holds a NUL character, which no program can be given"),
            help: Some("take it out".to_owned()),
        }
    }

    pub(crate) fn undeclared(name: &str, declared: &[Argument]) -> Self {
        let alike = declared.iter().find(|a| is_alike(&a.name, name));
        let near = alike.map(|a| a.name.as_str()).or_else(|| {
            let names = declared.iter().map(|a| a.name.as_str());
            did_you_mean(name, names)
        });
        let help = match near {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None if declared.is_empty() => "it takes none".to_owned(),
            None => {
                let names: Vec<&str> = declared.iter().map(|a| a.name.as_str()).collect();
                format!("it takes: {}", names.join(", "))
            }
        };
        Self {
            argument: Some(name.to_owned()),
            keyword: "undeclared".to_owned(),
            message: format!("the command has no argument {}", quoted(name)),
            help: Some(help),
        }
    }
}

/// Whether two names are alike without `-`, `_` and case.
#[must_use]
pub fn is_alike(left: &str, right: &str) -> bool {
    bare_name(left) == bare_name(right)
}

/// A name without `-`, `_` and case: what no two arguments of a command may share.
pub(crate) fn bare_name(name: &str) -> String {
    name.chars()
        .filter(|c| *c != '-' && *c != '_')
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// One declared argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its description, empty where the pack gives none.
    pub description: String,
    /// Its property schema, as the pack wrote it (merged with nothing).
    pub schema: Object,
    /// The declared `type`, where it is one word (`null` beside it does not count, and a `$ref` within
    /// the file is followed).
    pub kind: Option<String>,
    /// Whether it must be given.
    pub required: bool,
    /// `x-secret`.
    pub secret: bool,
    /// `"format": "path"`, on the argument or on its items.
    pub path: bool,
    /// `x-content`, true unless the pack says false.
    pub content: bool,
    /// `x-cwd`.
    pub cwd: bool,
    /// `x-position`.
    pub position: Option<u64>,
    /// `x-alias`.
    pub aliases: Vec<String>,
    /// Whether it stands in the pack's `globals`.
    pub global: bool,
}

impl Argument {
    /// Whether the declared type is a number.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind.as_deref(), Some("integer" | "number"))
    }
}
