//! Every command of every bundled pack: what its template writes, its declaration reads back.

use super::bundled_packs::load;
use hcp_core::json::{Object, Value};
use hcp_pack::{Argument, Command, Pack, args_from_argv};

/// So many values of a kind are tried for one argument, others for the next one.
const EACH: usize = 3;
/// Each global argument is tried with one command in so many.
const GLOBALS_EVERY: usize = 8;

/// Values that fit an argument by its schema: some of those that it lists, and some texts, other ones each `turn`.
fn samples(command: &Command, argument: &Argument, turn: usize) -> Vec<Value> {
    let name = argument.name.as_str();
    let list = |key: &str| argument.schema.get(key).and_then(Value::as_array);
    let mut listed: Vec<Value> = list("enum").unwrap_or_default().to_vec();
    listed.extend_from_slice(list("examples").unwrap_or_default());
    listed.extend(argument.schema.get("const").cloned());
    let items = argument.schema.get("items").and_then(|i| i.get("enum"));
    let items = items.and_then(Value::as_array).unwrap_or_default();
    listed.extend(items.iter().map(|item| Value::from(vec![item.clone()])));
    let texts = [
        "word",
        "two words",
        "WORD",
        "user.name",
        "x=y",
        "2020-01-01",
        "",
        "-x",
    ];
    let texts: Vec<Value> = texts
        .iter()
        .flat_map(|text| [Value::from(*text), vec![(*text).to_owned()].into()])
        .collect();
    let others: Vec<Value> = vec![
        true.into(),
        7u64.into(),
        0u64.into(),
        vec!["a".to_owned(), "b".to_owned()].into(),
    ];
    let fits = |value: &Value| {
        let args = Object::new().with(name, value.clone());
        // For false the tool gets nothing.
        *value != Value::Bool(false) && command.check_given(&args).is_ok()
    };
    let some = |all: Vec<Value>| {
        let mut all: Vec<Value> = all.into_iter().filter(fits).collect();
        if !all.is_empty() {
            let length = all.len();
            all.rotate_left(turn % length);
        }
        all.truncate(EACH);
        all
    };
    let found = [some(listed), some(texts), some(others)].concat();
    if found.is_empty() {
        return vec![Value::Null];
    }
    found
}

fn line(command: &Command, args: &Object) -> Option<Vec<String>> {
    let args = command.check_args(args.clone()).ok()?;
    let rendered = command.render(&args).ok()?;
    Some(rendered.words.into_iter().map(|w| w.text).collect())
}

/// The arguments that stand on the line: what a variable or standard input brings does not.
fn on_line(command: &Command, args: &Object) -> Object {
    let templates = || command.cli().iter().chain(command.globals());
    let written = |name: &str| templates().any(|word| word.names().any(|n| n == name));
    let mut args = args.clone();
    args.retain(|name, value| *value != Value::Null && written(name));
    args
}

/// Reads a line back, alone and among all the commands of its pack.
fn read_back(pack: &Pack, command: &Command, args: &Object, has_global: bool) -> bool {
    let mut given = args.clone();
    given.retain(|_, value| *value != Value::Null);
    let Some(words) = line(command, &given) else {
        return false;
    };
    let args = &on_line(command, args);
    if !has_global {
        let argv = args_from_argv(pack, command, &words[command.own_words.len()..]);
        assert!(argv.reading.fully_read, "{words:?} {:?}", argv.unread);
        assert_eq!(argv.args, *args, "{words:?}");
    }
    let found = pack.commands_of_line(&words);
    assert!(!found.is_empty(), "{words:?}");
    for (owner, argv) in found {
        assert!(
            argv.reading.fully_read,
            "{words:?} {} {:?}",
            owner.name, argv.unread
        );
        if owner.name == command.name {
            assert_eq!(argv.args, *args, "{words:?}");
        }
        // Whichever command has it: it is the same line again.
        let again = line(owner, &argv.args).filter(|again| *again != words);
        let again = again.map(|words| pack.commands_of_line(&words));
        let again = again.map(|all| {
            all.into_iter()
                .map(|(c, a)| (c.name.clone(), a.args))
                .collect::<Vec<_>>()
        });
        assert!(
            again.is_none_or(|all| all.contains(&(owner.name.clone(), argv.args.clone()))),
            "{words:?}"
        );
    }
    true
}

/// Every command of a pack with its least arguments, and each of its arguments with some values, alone and beside
/// all others.
fn every_line_is_read_back(id: &str) {
    let pack = load(id);
    let mut count = 0;
    for (number, command) in pack.commands.values().enumerate() {
        let required = command.arguments.iter().filter(|a| a.required);
        let least: Object = required
            .map(|a| (a.name.clone(), samples(command, a, 0).swap_remove(0)))
            .collect();
        assert!(read_back(&pack, command, &least, false), "{}", command.name);
        let mut most = least.clone();
        for (at, argument) in command.arguments.iter().enumerate() {
            if argument.global && (number + at) % GLOBALS_EVERY != 0 {
                continue;
            }
            for sample in samples(command, argument, number + at) {
                let args = least.clone().with(argument.name.as_str(), sample.clone());
                count += usize::from(read_back(&pack, command, &args, argument.global));
                let more = most.clone().with(argument.name.as_str(), sample);
                if !argument.global && read_back(&pack, command, &more, false) {
                    most = more;
                }
            }
        }
    }
    assert!(count >= pack.commands.len(), "{count}");
}

macro_rules! packs {
    ($($id:ident),* $(,)?) => {
        const TESTED: &[&str] = &[$(stringify!($id)),*];
        mod every_line_of {
            $(#[test] fn $id() { super::every_line_is_read_back(stringify!($id)); })*
        }
    };
}

packs!(
    cargo, docker, gh, git, himalaya, khal, kubectl, ledger, notes, npm, npx, psql, terraform,
    transit
);

#[test]
fn every_bundled_pack_is_tested() {
    let bundled: Vec<&str> = crate::packs::bundled().iter().map(|b| b.id).collect();
    assert_eq!(bundled, TESTED);
}
