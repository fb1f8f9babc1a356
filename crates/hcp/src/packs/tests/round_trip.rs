//! Every command of every bundled pack: what its template writes, its declaration reads back.

use super::bundled_packs::load;
use crate::packs::bundled;
use hcp_core::json::{Object, Value};
use hcp_pack::{Argument, Command, args_from_argv};

/// Values that fit an argument by its schema.
fn samples(command: &Command, argument: &Argument) -> Vec<Value> {
    let name = argument.name.as_str();
    let listed = argument.schema.get("enum").and_then(Value::as_array);
    let mut all: Vec<Value> = listed.unwrap_or_default().to_vec();
    all.extend(argument.schema.get("const").cloned());
    for text in [
        "word",
        "two words",
        "user.name",
        "x=y",
        "2020-01-01",
        "",
        "-x",
    ] {
        all.push(text.into());
        all.push(vec![text.to_owned()].into());
    }
    all.push(vec!["a".to_owned(), "b".to_owned()].into());
    all.extend([true.into(), 0u64.into(), 7u64.into()]);
    all.retain(|value| {
        let args = Object::new().with(name, value.clone());
        // For false the tool gets nothing.
        *value != Value::Bool(false) && command.check_given(&args).is_ok()
    });
    if all.is_empty() {
        return vec![Value::Null];
    }
    all
}

fn line(command: &Command, args: &Object) -> Option<Vec<String>> {
    let args = command.check_args(args.clone()).ok()?;
    let rendered = command.render(&args).ok()?;
    Some(rendered.words.into_iter().map(|w| w.text).collect())
}

/// Reads a line back, alone and among all the commands of its pack.
fn read_back(pack: &hcp_pack::Pack, command: &Command, args: &Object, has_global: bool) -> bool {
    let mut args = args.clone();
    args.retain(|_, value| *value != Value::Null);
    let args = &args;
    let Some(words) = line(command, args) else {
        return false;
    };
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
        let again = line(owner, &argv.args).map(|words| pack.commands_of_line(&words));
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

#[test]
fn every_line_of_the_bundled_packs_is_read_back() {
    let mut count = 0;
    for bundled in bundled() {
        let pack = load(bundled.id);
        for command in pack.commands.values() {
            let required = command.arguments.iter().filter(|a| a.required);
            let least: Object = required
                .map(|a| (a.name.clone(), samples(command, a).swap_remove(0)))
                .collect();
            assert!(read_back(&pack, command, &least, false), "{}", command.name);
            let mut most = least.clone();
            for argument in &command.arguments {
                for sample in samples(command, argument) {
                    let args = least.clone().with(argument.name.as_str(), sample.clone());
                    count += usize::from(read_back(&pack, command, &args, argument.global));
                    let more = most.clone().with(argument.name.as_str(), sample);
                    if !argument.global && read_back(&pack, command, &more, false) {
                        most = more;
                    }
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
}
