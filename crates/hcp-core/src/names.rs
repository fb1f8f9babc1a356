//! Names: pack ids, command names, verb keys, argument names; and "did you mean".

use std::fmt;

const NAME_MAX: usize = 64;

/// Whether a text can be a pack id or a command name: `[a-z0-9]+([_-][a-z0-9]+)*`, at most 64 characters.
///
/// ```
/// use hcp_core::names::is_name;
/// assert!(is_name("pr_merge") && is_name("gh"));
/// assert!(!is_name("") && !is_name("a__b") && !is_name("-a") && !is_name("A") && !is_name("a.b"));
/// ```
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.len() <= NAME_MAX
        && text.split(['_', '-']).all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// Whether a text can be an argument's name: `[A-Za-z][A-Za-z0-9_-]{0,63}`.
#[must_use]
pub fn is_argument_name(text: &str) -> bool {
    text.len() <= NAME_MAX
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// A name from text; `None` where the text breaks the pattern.
            #[must_use]
            pub fn new(text: &str) -> Option<Self> {
                is_name(text).then(|| Self(text.to_owned()))
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

name_type! {
    /// The id of a pack.
    PackId
}
name_type! {
    /// The name of a command inside its pack.
    CommandName
}

/// `pack.command`: the name of a command everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VerbKey {
    /// The pack.
    pub pack: PackId,
    /// The command in it.
    pub command: CommandName,
}

impl VerbKey {
    /// A verb key from `pack.command`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (pack, command) = text.split_once('.')?;
        Some(Self {
            pack: PackId::new(pack)?,
            command: CommandName::new(command)?,
        })
    }
}

impl fmt::Display for VerbKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pack, self.command)
    }
}

impl serde::Serialize for VerbKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The candidate that a typing mistake most likely meant, if any is near enough.
///
/// ```
/// use hcp_core::names::did_you_mean;
/// assert_eq!(did_you_mean("amuont", ["amount", "payee"]), Some("amount"));
/// assert_eq!(did_you_mean("xyz", ["amount", "payee"]), None);
/// ```
pub fn did_you_mean<'c>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    if typed.len() > 4 * NAME_MAX {
        return None;
    }
    let lower = typed.to_lowercase();
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(&lower, &c.to_lowercase()), c))
        .filter(|(distance, c)| *distance <= 1 + c.chars().count().min(typed.chars().count()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}
