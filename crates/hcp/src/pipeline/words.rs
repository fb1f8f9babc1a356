//! The words of a call: arguments by name, or a line in the tool's own spelling.
//!
//! It only reads: what the values may be is for the schema, and what they mean for the gate.

use super::prepare::Purpose;
use super::refusal::Refusal;
use hcp_core::code::Code;
use hcp_core::gate::Reading;
use hcp_core::json::{Object, Value};
use hcp_core::names::{did_you_mean, is_argument_name};
use hcp_core::text::quoted;
use hcp_pack::template::{Rendered, Word, is_option};
use hcp_pack::{ArgFault, Argv, Command, Pack, shell_line};

/// Arguments as they came, before the schema sees them.
#[derive(Debug, Default)]
pub(crate) struct ReadCall {
    pub(crate) args: Object,
    pub(crate) reading: Reading,
    /// The words that were not understood.
    pub(crate) unread: Vec<String>,
    /// Where it is no call for certain: the line as written, in place of what would run.
    pub(crate) written: Option<Rendered>,
}

impl ReadCall {
    /// Named values.
    pub(crate) fn named(args: Object) -> Self {
        Self {
            args,
            ..Self::default()
        }
    }
}

/// Reads words that are all `NAME=text` or `NAME:=JSON`.
pub(crate) fn by_name(
    command: &Command,
    words: &[String],
    refused: impl Fn(ArgFault) -> Refusal,
) -> Result<ReadCall, Refusal> {
    match command.read_named(words) {
        Ok(args) => Ok(ReadCall::named(args)),
        Err(fault) => Err(misplaced_beside_names(words).unwrap_or_else(|| refused(fault))),
    }
}

/// Takes a line in the tool's own spelling; one that is not fully read is refused where it is to run.
pub(crate) fn by_line(
    command: &Command,
    words: &[String],
    argv: Argv,
    purpose: Purpose,
) -> Result<ReadCall, Refusal> {
    if let Some(id) = misplaced(command, words, &argv.unread) {
        return Err(misplaced_id(id));
    }
    if let Some(mixed) = mixed(command, words) {
        return Err(mixed);
    }
    if argv.reading.fully_read {
        return Ok(ReadCall::named(argv.args));
    }
    match purpose {
        Purpose::Run => Err(not_read(command, &argv.unread)),
        Purpose::Show => Ok(ReadCall {
            written: Some(written(command, &argv.args, words)),
            args: argv.args,
            reading: argv.reading,
            unread: argv.unread,
        }),
    }
}

/// Whether a refused call is just an approval id.
pub(crate) fn only_an_id(words: &[String]) -> Option<Refusal> {
    match words {
        [one] if is_id(one) => Some(misplaced_id(one)),
        _ => None,
    }
}

/// The line for another command of the pack, where the words are that one's.
pub(crate) fn whose(pack: &Pack, command: &Command, words: &[String]) -> Option<String> {
    let line: Vec<String> = command.own_words.iter().chain(words).cloned().collect();
    let owners = pack.commands_of_line(&line);
    let (owner, argv) = owners.first()?;
    let whole = owners.len() == 1 && argv.reading.fully_read && owner.name != command.name;
    whole.then(|| {
        format!(
            "these words are {}'s: hcpx exec {} {} -- {}",
            owner.name,
            pack.id,
            owner.name,
            shell_line(words)
        )
    })
}

fn is_id(word: &str) -> bool {
    word.len() == 8 && word.bytes().all(|b| b.is_ascii_hexdigit())
}

/// An approval id that the tool's own spelling has no place for, or that follows a `--confirm` which takes no value.
fn misplaced<'w>(command: &Command, words: &'w [String], unread: &[String]) -> Option<&'w str> {
    let bare = command.bare_words(words);
    words.iter().enumerate().find_map(|(at, word)| {
        let given = word.strip_prefix("--confirm=");
        let id = given.unwrap_or(word);
        let behind = || {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            before.is_some_and(|b| b == "--confirm") && bare.contains(&at)
        };
        let slipped = is_id(id) && ((given.is_none() && behind()) || unread.contains(word));
        slipped.then_some(id)
    })
}

/// The same among words that are `NAME=text` otherwise.
fn misplaced_beside_names(words: &[String]) -> Option<Refusal> {
    words
        .iter()
        .map(|word| word.strip_prefix("--confirm=").unwrap_or(word))
        .find(|word| is_id(word))
        .map(misplaced_id)
}

fn misplaced_id(id: &str) -> Refusal {
    Refusal::new(
        Code::Usage,
        "An approval id stands behind --, where it would go to the tool. Nothing ran.",
    )
    .hint(format!(
        "hcpx exec --confirm {id} runs the approved call; or put --confirm {id} before the --"
    ))
}

/// A bare word that gives a declared argument by name, among words in the tool's own spelling.
fn mixed(command: &Command, words: &[String]) -> Option<Refusal> {
    let names = || command.arguments.iter().map(|a| a.name.as_str());
    let bare = command.bare_words(words);
    let named = bare.iter().find_map(|at| {
        let (name, _) = words.get(*at)?.split_once('=')?;
        let name = name.strip_suffix(':').unwrap_or(name);
        let slip = *at == 0 && is_argument_name(name) && did_you_mean(name, names()).is_some();
        (slip || names().any(|n| n == name)).then_some(name)
    })?;
    if names().any(|n| n == named) {
        let refusal = invalid(
            format!("{named}=… stands among words in the tool's own spelling"),
            "mixed",
        );
        return Some(refusal.hint(
            "write all arguments as NAME=text or NAME:=JSON, or all in the tool's own spelling (a value that looks like NAME=text stands behind a -- of its own)",
        ));
    }
    let near = did_you_mean(named, names()).unwrap_or_default();
    let refusal = invalid(
        format!("The command has no argument {}", quoted(named)),
        "undeclared",
    );
    Some(refusal.hint(format!("did you mean {}?", quoted(near))))
}

fn invalid(message: String, keyword: &str) -> Refusal {
    let mut refusal =
        Refusal::new(Code::InvalidArgs, format!("{message}. Nothing ran.")).log(keyword);
    refusal.extra.insert("keyword", keyword);
    refusal
}

/// The refusal of a line that is not fully read: the first word that is not understood, by name.
fn not_read(command: &Command, unread: &[String]) -> Refusal {
    let word = unread.first().map(String::as_str).unwrap_or_default();
    let option = word.split_once('=').map_or(word, |(name, _)| name);
    let spellings = command.option_spellings();
    let known = spellings.iter().any(|s| s == option);
    let by_name = "or give all arguments as NAME=text";
    let (message, hint) = if !is_option(word) {
        (
            format!("The word {} has no place in {}", quoted(word), command.name),
            format!("leave it out, {by_name}"),
        )
    } else if known {
        (
            format!("The value of {} cannot be told for certain", quoted(option)),
            format!("write {option}=VALUE, once, {by_name}"),
        )
    } else {
        let near = did_you_mean(option, spellings.iter().map(String::as_str));
        (
            format!("{} has no option {}", command.name, quoted(option)),
            match near {
                Some(near) => format!("did you mean {near}?"),
                None if spellings.is_empty() => format!("it takes none; {by_name}"),
                None => format!("it takes {}; {by_name}", spellings.join(", ")),
            },
        )
    };
    let mut refusal = invalid(message, "not_fully_read").hint(hint);
    refusal.extra.insert("word", option);
    refusal
}

/// The words as they were written, each with the secrets that stand in it.
fn written(command: &Command, args: &Object, words: &[String]) -> Rendered {
    let secrets: Vec<(&str, Vec<String>)> = command
        .arguments
        .iter()
        .filter(|a| a.secret)
        .filter_map(|a| {
            Some((
                a.name.as_str(),
                super::prepare::plain_pieces(args.get(&a.name)?),
            ))
        })
        .collect();
    let all = command.own_words.iter().chain(words);
    let words = all.map(|word| Word {
        text: word.clone(),
        secrets: secrets
            .iter()
            .filter(|(_, pieces)| pieces.iter().any(|piece| word.contains(piece.as_str())))
            .map(|(name, _)| (*name).to_owned())
            .collect(),
    });
    Rendered {
        words: words.collect(),
        ..Rendered::default()
    }
}

/// The arguments of a line that the pack declares.
pub(crate) fn declared(command: &Command, args: &Object) -> Object {
    let members = args.iter();
    let known = members.filter(|(name, _)| command.argument(name).is_some());
    known
        .map(|(name, value)| (name.to_owned(), Value::clone(value)))
        .collect()
}
