//! What a help text says, before anything is made of it.

/// Which kind of library printed a help text. It tells what a command line may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Family {
    /// clap and its like (Rust).
    Clap,
    /// cobra and pflag (Go).
    Cobra,
    /// argparse (Python).
    Argparse,
    /// click (Python).
    Click,
    /// git's own.
    Git,
    /// GNU's `getopt_long`.
    Getopt,
    /// npm's own.
    Npm,
    /// Go's `flag`: long options with one dash.
    GoFlag,
    /// None that is known.
    #[default]
    Plain,
}

impl Family {
    /// The name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clap => "clap",
            Self::Cobra => "cobra",
            Self::Argparse => "argparse",
            Self::Click => "click",
            Self::Git => "git",
            Self::Getopt => "getopt_long",
            Self::Npm => "npm",
            Self::GoFlag => "Go flags",
            Self::Plain => "unknown",
        }
    }

    /// Whether `--` ends the options wherever it stands, so that no word after it can be one. In git it also
    /// parts revisions from paths, so there it stands only where the usage line shows it.
    pub(crate) fn ends_options(self) -> bool {
        match self {
            Self::Clap
            | Self::Cobra
            | Self::Argparse
            | Self::Click
            | Self::Getopt
            | Self::Npm
            | Self::GoFlag => true,
            Self::Git | Self::Plain => false,
        }
    }

    /// Whether a bare lower-case word in a usage line stands for itself.
    pub(crate) fn bare_words_are_literal(self) -> bool {
        match self {
            Self::Git | Self::Npm => true,
            Self::Clap
            | Self::Cobra
            | Self::Argparse
            | Self::Click
            | Self::Getopt
            | Self::GoFlag
            | Self::Plain => false,
        }
    }
}

/// What an option takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Takes {
    /// Nothing.
    #[default]
    Nothing,
    /// A value, by the name that the help gives it.
    Value(String),
    /// A value that may be left out.
    Maybe(String),
    /// `true` or `false`, written out, because it is on by itself.
    Truth,
}

/// One option of a help text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Opt {
    /// Its spellings with their dashes, as the help lists them.
    pub(crate) spellings: Vec<String>,
    pub(crate) takes: Takes,
    /// Whether `--no-…` turns it off.
    pub(crate) negatable: bool,
    /// A spelling that turns it off, where the help names one.
    pub(crate) opposite: Option<String>,
    pub(crate) description: String,
    /// The values to choose from.
    pub(crate) choices: Vec<String>,
    /// Whether it may be given several times.
    pub(crate) repeats: bool,
    pub(crate) required: bool,
    /// Whether the help says that it belongs to every command.
    pub(crate) global: bool,
}

impl Opt {
    /// The spelling that goes into the command line: the first long one, else the first.
    pub(crate) fn main(&self) -> &str {
        let long = self.spellings.iter().find(|s| s.starts_with("--"));
        let longish = self.spellings.iter().find(|s| s.len() > 2);
        long.or(longish)
            .or_else(|| self.spellings.first())
            .map_or("", String::as_str)
    }

    pub(crate) fn has(&self, spelling: &str) -> bool {
        self.spellings.iter().any(|s| s == spelling)
    }
}

/// A word that stands by itself on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Positional {
    /// Its name as the help writes it, without brackets.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) choices: Vec<String>,
    pub(crate) required: bool,
    pub(crate) repeats: bool,
    /// Whether a `--` of the usage line stands before it.
    pub(crate) after_dashes: bool,
    /// Whether it stands for a subcommand or what follows one, where there are any.
    pub(crate) of_command: bool,
}

/// A subcommand that a help text names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sub {
    pub(crate) name: String,
    pub(crate) description: String,
}

/// One line of usage: the subcommand's words that it shows, its options and words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    /// Literal words after the command's own.
    pub(crate) words: Vec<String>,
    pub(crate) options: Vec<Opt>,
    pub(crate) positionals: Vec<Positional>,
    /// Whether the line is for another command than the one that was asked.
    pub(crate) foreign: bool,
    /// Whether a word that must be given stands for a subcommand.
    pub(crate) needs_command: bool,
}

/// A whole help text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Help {
    pub(crate) family: Family,
    pub(crate) about: String,
    pub(crate) usages: Vec<Usage>,
    pub(crate) commands: Vec<Sub>,
    pub(crate) options: Vec<Opt>,
    pub(crate) positionals: Vec<Positional>,
}

impl Help {
    /// Whether nothing could be read.
    pub(crate) fn is_empty(&self) -> bool {
        self.usages.is_empty()
            && self.commands.is_empty()
            && self.options.is_empty()
            && self.positionals.is_empty()
    }
}
