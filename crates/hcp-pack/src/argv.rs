//! Arguments from a tool's own spelling: the words of a command line back into named values, and the command that
//! a line belongs to.
//!
//! The declaration decides the parse. What it does not decide is said to be unread and never guessed: a person
//! must not say yes to one call while the tool reads another. Rendering has its own module, and this one must
//! give back what that one wrote.

mod bare;
mod choose;
mod collect;
mod line;
#[cfg(test)]
mod naive;
mod options;
mod pieces;
mod reader;
mod scan;
mod slots;
mod value;

pub(crate) use reader::{Finder, Reader};

use crate::pack::{Command, Pack};
use hcp_core::gate::Reading;
use hcp_core::json::Object;

/// What a command line says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argv {
    /// The arguments by name; a switch that nobody declared by its own name without dashes, bare words that are
    /// left over as a list under `_`.
    pub args: Object,
    /// How far the line was understood.
    pub reading: Reading,
    /// The words that were not understood, as written.
    pub unread: Vec<String>,
}

/// Reads what follows a command's own words into named arguments.
///
/// Options are found by the spellings of `cli`, then by `x-alias`, then by the argument's name (`--node-id` for
/// `node_id`, `node-id` or `nodeId`), the command's own before the global ones. Bare words fill arguments by
/// `x-position`, then the bare placeholders of `cli` in their order. Words that cannot be told for certain leave
/// the call not fully read; values are never checked against the schema here.
///
/// ```
/// use hcp_pack::{Pack, PackFiles, args_from_argv};
/// let pack = Pack::read(&PackFiles {
///     pack: br#"{ "id": "ledger", "name": "Ledger", "version": "1", "summary": "Payments." }"#.to_vec(),
///     surface: br#"{ "commands": { "transfer": {
///         "cli": ["ledger", "transfer", "{{amount}}", "--to", "{{payee}}", "--confirm"],
///         "args": { "properties": { "amount": { "type": "string" }, "payee": { "type": "string" } } }
///     } } }"#.to_vec(),
///     policy: br#"{ "commands": { "transfer": { "confirm": "always" } } }"#.to_vec(),
///     ..PackFiles::default()
/// }).map_err(|all| format!("{all:?}"))?;
/// let transfer = pack.command("transfer").ok_or("no such command")?;
/// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
///
/// let read = args_from_argv(&pack, transfer, &words("2.80 --to demo-transit --confirm"));
/// assert_eq!(read.args.get("payee").and_then(|v| v.as_str()), Some("demo-transit"));
/// assert!(read.reading.fully_read);
///
/// let read = args_from_argv(&pack, transfer, &words("--note 5 2.80 --to demo-transit"));
/// assert_eq!(read.unread, ["--note", "2.80"]);
/// assert!(!read.reading.fully_read && read.reading.untold.contains("amount"));
/// # Ok::<(), String>(())
/// ```
#[must_use]
pub fn args_from_argv(_pack: &Pack, command: &Command, argv: &[String]) -> Argv {
    // The pack's global options come with each of its commands.
    command.read_argv(argv)
}

impl Command {
    /// Reads what follows the command's own words, like [`args_from_argv`].
    #[must_use]
    pub fn read_argv(&self, argv: &[String]) -> Argv {
        line::read(self, argv).argv
    }

    /// The numbers of the words that are neither options nor their values, up to a `--`.
    #[must_use]
    pub fn bare_words(&self, argv: &[String]) -> Vec<usize> {
        line::bare_words(self, argv)
    }

    /// Every spelling of an option that the command takes, as `cli`, `x-alias` and the arguments' names give it.
    #[must_use]
    pub fn option_spellings(&self) -> Vec<String> {
        options::Options::of(self).spellings()
    }
}

impl Pack {
    /// The commands that a whole line, its program first, may belong to, each with its arguments.
    ///
    /// A line belongs to the command whose own words begin it, global options aside, and whose literal words all
    /// stand on it; of several, to the one with the most of them. Several that remain and read the whole line all
    /// come back, those before others that have all they require, and the strictest answer must stand. Where no
    /// such command reads the whole line, every command with those own words comes back, and so do those with more
    /// own words that lack their literal options. Before the own words, what begins with a dash is passed over, and
    /// one word behind an option that nobody declared: where that word may be its value or an own word, the
    /// commands of both readings come back. A line that begins none gives nothing.
    #[must_use]
    pub fn commands_of_line(&self, words: &[String]) -> Vec<(&Command, Argv)> {
        line::commands(self, words)
    }
}
