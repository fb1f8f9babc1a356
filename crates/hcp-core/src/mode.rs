//! The words of the settings: modes, decisions, who may answer.

/// An enum whose variants are words of files, JSON and the log: reads, writes and displays them.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// What such a word is called in messages.
            pub const WHAT: &'static str = $what;

            /// Every word with its meaning.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)*];

            /// The word as it stands in files and JSON.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The meaning of a word; `None` for every other text.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(w, _)| *w == text).map(|(_, v)| *v)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What runs without a question. Ordered by strictness: `run < auto < manual`.
    Mode, "mode" {
        /// Only `confirm: always` asks.
        Run = "run",
        /// Reads and plain writes run; what the Policy marks asks.
        Auto = "auto",
        /// Every write asks.
        Manual = "manual",
    }
}

words! {
    /// What the gate says of a call. Ordered by strictness: where two meet, the larger stands.
    Decision, "decision" {
        /// It runs.
        Allow = "allow",
        /// It waits for a person's yes.
        Ask = "ask",
        /// It never runs.
        Deny = "deny",
    }
}

words! {
    /// Whose answer counts for a call that asks. Ordered by strictness.
    Approvals, "approvals word" {
        /// The agent may pass on the person's yes.
        Agent = "agent",
        /// Only a person's own answer counts.
        Human = "human",
    }
}
