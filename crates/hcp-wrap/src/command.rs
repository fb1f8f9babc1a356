//! From a command that was found to its entries in Surface and Policy.

use crate::argument::{Argument, Taken, named_option, of_option, of_word};
use crate::guess::{self, Guess};
use crate::model::{Family, Opt, Positional, Takes};
use crate::text::describe;
use crate::walk::{Found, Tool};
use hcp_core::json::{Object, Value};
use hcp_core::policy::{Confirm, Operation};

/// The longest description of a command.
const DESCRIPTION: usize = 240;

/// A command of the draft.
#[derive(Debug, Clone)]
pub(crate) struct Drafted {
    pub(crate) name: String,
    pub(crate) surface: Value,
    pub(crate) policy: Value,
    pub(crate) guess: Guess,
    /// What options made graver, and why.
    pub(crate) raised: Vec<(String, String)>,
    pub(crate) arguments: usize,
}

/// Makes the entries of a command. `taken` are the names and spellings of the program's own options.
pub(crate) fn draft(found: &Found, tool: &Tool, name: &str, taken: &Taken) -> Drafted {
    let (program, label) = (tool.program.as_str(), tool.label.as_str());
    let mut taken = taken.clone();
    let own = |spellings: &[String]| !spellings.iter().any(|s| taken.has_spelling(s));
    let options: Vec<_> = found
        .options
        .iter()
        .filter(|o| own(&o.spellings))
        .cloned()
        .collect();
    let options: Vec<Argument> = options
        .iter()
        .flat_map(|option| of_option(option, found.family, &mut taken))
        .collect();
    let words = words(found, &mut taken);
    let description = describe(&found.description, DESCRIPTION);
    let description = if description.is_empty() {
        format!("{label} {}", found.words.join(" "))
            .trim()
            .to_owned()
    } else {
        description
    };
    let runs = words.iter().any(|w| w.runs_words);
    let path = if found.words.is_empty() {
        vec![label.to_owned()]
    } else {
        found.words.clone()
    };
    // What the command above says of all its subcommands tells nothing of one.
    let said = if found.described {
        &*found.description
    } else {
        ""
    };
    let guess = guess::guess(&path, said, runs);
    let (policy, guess, raised) = policy(guess, &options);
    let arguments = options.len() + words.len();
    let surface = surface(found, program, &description, options, words);
    Drafted {
        name: name.to_owned(),
        surface,
        policy,
        guess,
        raised,
        arguments,
    }
}

/// The words of all usage lines as arguments, in their order.
fn words(found: &Found, taken: &mut Taken) -> Vec<Argument> {
    let words = by_place(found).unwrap_or_else(|| by_name(found));
    let (words, command) = join_command(words);
    let mut position = Some(0);
    let mut arguments = Vec::new();
    for word in words
        .iter()
        .filter(|w| !w.after_dashes)
        .chain(words.iter().filter(|w| w.after_dashes))
    {
        let mut argument = of_word(word, position, taken);
        // After a word that repeats no other has a place of its own.
        position = position.filter(|_| !word.repeats).map(|at| at + 1);
        if command.as_deref() == Some(word.name.as_str()) {
            argument.schema.insert("x-command", "words");
            argument.runs_words = true;
        }
        arguments.push(argument);
    }
    arguments
}

/// The words of several usage lines that have equally many of them and differ in their names alone:
/// `SRC CONTAINER:DEST` and `CONTAINER:SRC DEST`.
fn by_place(found: &Found) -> Option<Vec<Positional>> {
    let [first, rest @ ..] = found.usages.as_slice() else {
        return None;
    };
    let shape = |p: &Positional| (p.required, p.repeats, p.after_dashes);
    let alike = rest.iter().all(|usage| {
        let pairs = usage.positionals.iter().zip(&first.positionals);
        usage.positionals.len() == first.positionals.len()
            && pairs
                .into_iter()
                .all(|(one, other)| shape(one) == shape(other))
    });
    if rest.is_empty() || !alike {
        return None;
    }
    let mut words = first.positionals.clone();
    for usage in rest {
        for (word, other) in words.iter_mut().zip(&usage.positionals) {
            if !word.name.eq_ignore_ascii_case(&other.name) {
                word.name = format!("{}-or-{}", word.name, other.name);
                word.choices.clear();
            }
        }
    }
    Some(words)
}

/// The words of all usage lines, each name once; required where every line requires it.
fn by_name(found: &Found) -> Vec<Positional> {
    let mut words: Vec<Positional> = Vec::new();
    for usage in &found.usages {
        for word in &usage.positionals {
            match words
                .iter_mut()
                .find(|w| w.name.eq_ignore_ascii_case(&word.name))
            {
                Some(known) => {
                    known.repeats |= word.repeats;
                    known.after_dashes |= word.after_dashes;
                }
                None => words.push(word.clone()),
            }
        }
    }
    for word in &mut words {
        word.required = found.usages.iter().all(|usage| {
            let same = |p: &&Positional| p.name.eq_ignore_ascii_case(&word.name);
            usage
                .positionals
                .iter()
                .find(same)
                .is_some_and(|p| p.required)
        });
    }
    words
}

/// `COMMAND [ARG...]` is one command line in words; gives the name of the word that it is.
fn join_command(mut words: Vec<Positional>) -> (Vec<Positional>, Option<String>) {
    let is_command =
        |w: &Positional| ["command", "cmd"].contains(&w.name.to_ascii_lowercase().as_str());
    let Some(at) = words.iter().position(is_command) else {
        return (words, None);
    };
    let is_args = |w: &Positional| {
        ["arg", "args", "arguments"].contains(&w.name.to_ascii_lowercase().as_str())
    };
    let ended = words.get(at).is_some_and(|w| w.after_dashes);
    let followed = words
        .get(at + 1)
        .is_some_and(|w| is_args(w) && w.after_dashes == ended);
    if followed {
        words.remove(at + 1);
    }
    let command = words.get_mut(at).map(|word| {
        word.repeats |= followed;
        (word.name.clone(), word.repeats)
    });
    (
        words,
        command
            .filter(|(_, repeats)| *repeats)
            .map(|(name, _)| name),
    )
}

fn surface(
    found: &Found,
    program: &str,
    description: &str,
    options: Vec<Argument>,
    words: Vec<Argument>,
) -> Value {
    let mut cli: Vec<Value> = vec![Value::from(program)];
    cli.extend(found.words.iter().map(|w| Value::from(w.as_str())));
    cli.extend(
        options
            .iter()
            .flat_map(|o| &o.cli)
            .map(|w| Value::from(w.as_str())),
    );
    let explicit = words.iter().position(|w| w.after_dashes);
    let dashes =
        explicit.or_else(|| (found.family.ends_options() && !words.is_empty()).then_some(0));
    let mut words = words;
    for word in words.iter_mut().take(dashes.unwrap_or(usize::MAX)) {
        word.refuse_options();
    }
    for (at, word) in words.iter().enumerate() {
        if dashes == Some(at) {
            cli.push(Value::from("--"));
        }
        cli.extend(word.cli.iter().map(|w| Value::from(w.as_str())));
    }
    let mut properties = Object::new();
    let mut required: Vec<Value> = Vec::new();
    for argument in words.into_iter().chain(options) {
        if argument.required {
            required.push(Value::from(argument.name.as_str()));
        }
        properties.insert(argument.name, argument.schema);
    }
    let mut entry = Object::new()
        .with("description", description)
        .with("cli", Value::Array(cli));
    if !properties.is_empty() {
        let mut args = Object::new()
            .with("type", "object")
            .with("properties", properties);
        if !required.is_empty() {
            args.insert("required", Value::Array(required));
        }
        entry.insert("args", args);
    }
    Value::Object(entry)
}

/// The Policy of a guess, raised by the options that make it graver.
fn policy(mut guess: Guess, options: &[Argument]) -> (Value, Guess, Vec<(String, String)>) {
    let mut raises: Vec<Value> = Vec::new();
    let mut raised = Vec::new();
    let mut loses = false;
    if guess.confirm == Confirm::Never {
        for option in options {
            let grave = guess::grave_option(&option.spelling, &option.description, option.is_path);
            let Some(grave) = grave else {
                continue;
            };
            loses |= grave.loses;
            if option.is_number {
                // No condition tells a number that is there from one that is not.
                guess.confirm = Confirm::Ask;
            } else {
                raises.push(raise(option, "ask"));
            }
            raised.push((option.name.clone(), grave.reason));
        }
    }
    if !raised.is_empty() && guess.operation == Operation::Read {
        // A look stays one for what its options only write or run: those calls ask.
        if loses || guess.confirm != Confirm::Never {
            guess.operation = Operation::Write;
        }
        guess.reason.push_str(", and some of its options do more");
    }
    let mut entry = Object::new().with("operation", guess.operation.as_str());
    if guess.confirm != Confirm::Never {
        entry.insert("confirm", guess.confirm.as_str());
    }
    if guess.final_ {
        entry.insert("undo", "no");
    }
    if !raises.is_empty() {
        entry.insert("raise", Value::Array(raises));
    }
    (Value::Object(entry), guess, raised)
}

/// A raise for every call that has this option.
pub(crate) fn raise(option: &Argument, confirm: &str) -> Value {
    let when = if option.is_flag {
        Object::new().with("args", Object::new().with(option.name.as_str(), true))
    } else {
        Object::new().with("like", Object::new().with(option.name.as_str(), "**"))
    };
    Value::Object(Object::new().with("when", when).with("confirm", confirm))
}

/// The arguments of the program's own options, as far as they may stand before every command.
pub(crate) fn globals(options: &[Opt], family: Family, taken: &mut Taken) -> Vec<Argument> {
    let mut found = Vec::new();
    for option in options {
        let verb = option
            .description
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        // `--list`, `--info-path`: they print something and end.
        let prints = matches!(
            verb.as_str(),
            "print" | "prints" | "show" | "shows" | "list" | "lists" | "display" | "displays"
        );
        // What only the usage line knows, or explains and ends, is no option of every command.
        let alone = family == Family::Clap && option.description.is_empty()
            || matches!(option.main(), "--explain" | "--list" | "--completions");
        let prints = prints || alone;
        let valueless = alone || option.takes == Takes::Nothing;
        if valueless && (prints || option.main().ends_with("-path")) {
            continue;
        }
        let mut option = option.clone();
        option.required = false;
        option.takes = match option.takes {
            // The bare form prints a setting and ends: `--exec-path`.
            Takes::Maybe(value) => Takes::Value(value),
            Takes::Value(_) | Takes::Nothing | Takes::Truth => option.takes,
        };
        let own = option.main().trim_start_matches('-').len() == 1;
        let named = match &option.takes {
            Takes::Value(value) if own && !value.is_empty() => value.clone(),
            Takes::Value(_) | Takes::Maybe(_) | Takes::Nothing | Takes::Truth => {
                option.main().trim_start_matches('-').to_owned()
            }
        };
        // A letter says too little, and its value's name is often that of a command's own word.
        let name = if own {
            format!("global-{named}")
        } else {
            named
        };
        found.extend(named_option(&option, &name, family, taken));
    }
    found
}
