//! Rendering and reading are one: random packs, random calls, random lines.

use crate::support::only;
use hcp_core::json::{Number, Object, Value};
use hcp_pack::Command;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;

/// One declared argument: its kind of template word and its type.
#[derive(Debug, Clone)]
struct Declared {
    name: String,
    shape: u8,
    kind: &'static str,
    required: bool,
    global: bool,
}

const KINDS: [&str; 8] = [
    r#""type": "string""#,
    r#""type": "integer""#,
    r#""type": "number""#,
    r#""type": "boolean""#,
    r#""type": "array", "items": {"type": "string"}"#,
    r#""type": "array", "items": {"type": "integer"}"#,
    r#""type": "object""#,
    r#""type": "array", "items": {"type": "array"}"#,
];

const NAMES: [&str; 8] = [
    "a",
    "b",
    "node_id",
    "nodeTwo",
    "to",
    "x",
    "no-verify",
    "verbose",
];

fn any_declared() -> impl Strategy<Value = Vec<Declared>> {
    let one = (
        0u8..14,
        prop::sample::select(&KINDS[..]),
        any::<bool>(),
        0u8..8,
    );
    prop::collection::vec(one, 0..6).prop_map(|all| {
        all.into_iter()
            .zip(NAMES)
            .map(|((shape, kind, required, global), name)| Declared {
                name: name.to_owned(),
                shape,
                kind,
                required,
                global: global == 0 && shape < 6,
            })
            .collect()
    })
}

impl Declared {
    fn words(&self) -> String {
        let name = &self.name;
        let hole = format!("{{{{{name}}}}}");
        let letter = name.chars().next().unwrap();
        let numeric = self.kind.contains("\"integer\"") || self.kind.contains("\"number\"");
        let words: Vec<String> = match self.shape {
            0 => vec![format!("--{name}"), hole],
            1 => vec![format!("--{name}={hole}")],
            2 => vec![format!("-{letter}|--long-{letter}"), hole],
            3 => vec![format!("--other-{letter}"), hole],
            4 => vec![format!("-{letter}{hole}")],
            5 => vec![format!("--pre-{letter}=p{hole}s")],
            6 => vec!["--flag".to_owned(), "lit".to_owned(), hole],
            7 => vec![format!("at:{hole}")],
            8 if numeric && !self.kind.contains("array") => vec![format!("-{hole}")],
            9 => vec!["--".to_owned(), hole],
            10 => vec![hole, "lit".to_owned()],
            _ => vec![hole],
        };
        let words: Vec<String> = words.iter().map(|w| format!("{w:?}")).collect();
        words.join(", ")
    }

    fn schema(&self, position: Option<usize>) -> String {
        let position = match position {
            Some(at) => format!(", \"x-position\": {at}"),
            None => String::new(),
        };
        format!("\"{}\": {{{}{position}}}", self.name, self.kind)
    }
}

/// A command of these arguments, where they make a pack.
fn build(declared: &[Declared], literals: u8, positioned: bool) -> String {
    let block = |global: bool| {
        let mut at = 0;
        let own: Vec<&Declared> = declared.iter().filter(|d| d.global == global).collect();
        let properties: Vec<String> = own
            .iter()
            .map(|d| {
                let bare = positioned && d.shape > 8;
                at += usize::from(bare);
                d.schema(bare.then(|| at - 1))
            })
            .collect();
        let required: Vec<String> = own
            .iter()
            .filter(|d| d.required && !global)
            .map(|d| format!("{:?}", d.name))
            .collect();
        format!(
            "{{\"properties\": {{{}}}, \"required\": [{}]}}",
            properties.join(", "),
            required.join(", ")
        )
    };
    let words = |global: bool| {
        let own = declared.iter().filter(|d| d.global == global);
        own.map(Declared::words).collect::<Vec<_>>()
    };
    let mut cli = vec!["\"go\"".to_owned()];
    if literals & 1 > 0 {
        cli.push("\"on\"".to_owned());
    }
    if literals & 2 > 0 {
        cli.push("\"--confirm\", \"--yes|-y\", \"--format=x\", \"-o\", \"json\"".to_owned());
    }
    cli.extend(words(false));
    if literals & 4 > 0 {
        cli.push("\"--confirm2\"".to_owned());
    }
    format!(
        "{{\"globals\": {{\"cli\": [{}], \"args\": {}}}, \"commands\": {{\"go\": {{\"cli\": [{}], \"args\": {}}}}}}}",
        words(true).join(", "),
        block(true),
        cli.join(", "),
        block(false)
    )
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,3}",
        1 => "[a-z=:., ]{0,4}",
        1 => "(lit|json|--|-y|on|at:a|true|false|-a|5|--confirm|_|p|s|)",
        1 => any::<String>(),
    ]
    .prop_map(|t| t.replace('\0', ""))
}

fn number(whole: bool) -> impl Strategy<Value = Value> {
    let pattern = if whole {
        "-?(0|[1-9][0-9]{0,3})"
    } else {
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,2})?"
    };
    pattern.prop_map(|t| Value::Number(Number::new(&t).unwrap()))
}

/// Values for the kinds, one of each.
fn values() -> impl Strategy<Value = Vec<Value>> {
    let strings = prop::collection::vec(text().prop_map(Value::String), 0..3);
    let numbers = prop::collection::vec(number(true), 0..3);
    let members = prop::collection::vec((text(), number(false)), 0..3);
    let lists = prop::collection::vec(prop::collection::vec(number(false), 0..2), 0..3);
    (
        text(),
        number(true),
        number(false),
        any::<bool>(),
        strings,
        numbers,
        members,
        lists,
    )
        .prop_map(|(s, i, n, b, strings, numbers, members, lists)| {
            vec![
                Value::String(s),
                i,
                n,
                Value::Bool(b),
                Value::Array(strings),
                Value::Array(numbers),
                Value::Object(members.into_iter().collect()),
                Value::Array(lists.into_iter().map(Value::Array).collect()),
            ]
        })
}

/// The tool gets nothing for them, so no line can tell.
fn without_nothings(args: &Object) -> Object {
    args.iter()
        .filter(|(_, v)| **v != Value::Bool(false) && **v != Value::Array(vec![]))
        .map(|(k, v)| (k.to_owned(), v.clone()))
        .collect()
}

/// The words behind the program, the global options and the own words among them.
fn line(command: &Command, args: &Object) -> Option<Vec<String>> {
    let args = command.check_args(args.clone()).ok()?;
    let rendered = command.render(&args).ok()?;
    Some(rendered.words.into_iter().map(|w| w.text).collect())
}

fn pack(surface: &str) -> Option<hcp_pack::Pack> {
    let files = crate::support::files(surface, r#"{"commands": {"go": {}}}"#);
    hcp_pack::Pack::read(&files).ok()
}

#[test]
fn a_rendered_call_reads_back() {
    let config = Config {
        cases: 800,
        ..Config::default()
    };
    let (told, untold) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(config);
    let call = prop::collection::vec((any::<bool>(), values()), 6);
    runner
        .run(
            &(any_declared(), any::<u8>(), any::<bool>(), call),
            |(declared, literals, positioned, call)| {
                let surface = build(&declared, literals, positioned);
                let Some(pack) = pack(&surface) else {
                    return Ok(());
                };
                let command = pack.command("go").unwrap();
                let mut args = Object::new();
                for (d, (there, values)) in declared.iter().zip(&call) {
                    if *there || d.required {
                        let kind = KINDS.iter().position(|k| *k == d.kind).unwrap();
                        args.insert(d.name.as_str(), values[kind].clone());
                    }
                }
                let Some(words) = line(command, &args) else {
                    return Ok(());
                };
                let wanted = without_nothings(&args);
                let found = pack.commands_of_line(&words);
                prop_assert_eq!(found.len(), 1, "{} {:?}", surface, words);
                let argv = &found[0].1;
                if argv.reading.fully_read {
                    prop_assert_eq!(
                        &without_nothings(&argv.args),
                        &wanted,
                        "{} {:?}",
                        surface,
                        words
                    );
                    told.set(told.get() + 1);
                } else {
                    untold.set(untold.get() + 1);
                }
                Ok(())
            },
        )
        .unwrap();
    assert!(told.get() > 3 * untold.get(), "{told:?} {untold:?}");
}

/// An empty value in every shape of word: it is refused, or it reads back as it is and takes no word of another.
#[test]
fn an_empty_value_reads_back() {
    let mut refused = Vec::new();
    for (shape, global) in (0u8..12).flat_map(|shape| [(shape, false), (shape, true)]) {
        if global && shape >= 6 {
            continue;
        }
        let declared = |name: &str, shape: u8, global: bool| Declared {
            name: name.to_owned(),
            shape,
            kind: KINDS[0],
            required: false,
            global,
        };
        let surface = build(
            &[declared("b", shape, global), declared("x", 11, false)],
            1,
            false,
        );
        let pack = pack(&surface).unwrap();
        let command = pack.command("go").unwrap();
        let args = Object::new().with("b", "").with("x", "word");
        let Some(words) = line(command, &args) else {
            refused.push((shape, global));
            continue;
        };
        let found = pack.commands_of_line(&words);
        assert_eq!(found.len(), 1, "{surface}");
        let argv = &found[0].1;
        assert!(
            argv.args == args || !argv.reading.fully_read,
            "{surface} {words:?}"
        );
    }
    // `-b` alone is left of `-b{{b}}`.
    assert_eq!(refused, [(4, false), (4, true)]);
}

#[test]
fn a_line_that_is_fully_read_says_one_call() {
    let word = prop_oneof![
        text(),
        prop::sample::select(vec![
            "--a",
            "-a",
            "--a=1",
            "-b",
            "--node-id",
            "--node-id=x",
            "--node-two",
            "--long-a",
            "--other-t",
            "-t5",
            "--to",
            "--x",
            "--x=",
            "--no-verify",
            "--no-x",
            "--verbose",
            "--pre-b=pxs",
            "at:1",
            "lit",
            "--flag",
            "-o",
            "json",
            "-ojson",
            "--yes",
            "-ay",
            "-5",
            "--",
            "on",
            "{\"a\":1}",
            "[1]",
            "5",
            "true",
        ])
        .prop_map(str::to_owned),
    ];
    let words = prop::collection::vec(word, 0..7);
    let (read, unread) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(Config {
        cases: 800,
        ..Config::default()
    });
    runner
        .run(
            &(any_declared(), any::<u8>(), any::<bool>(), words),
            |(declared, literals, positioned, argv)| {
                let surface = build(&declared, literals, positioned);
                let Some(pack) = pack(&surface) else {
                    return Ok(());
                };
                let command = pack.command("go").unwrap();
                let first = command.read_argv(&argv);
                prop_assert_eq!(first.reading.fully_read, first.unread.is_empty());
                prop_assert!(first.unread.iter().all(|word| argv.contains(word)));
                for name in first.args.keys() {
                    let known = command.argument(name).is_some();
                    prop_assert!(known || !first.reading.fully_read, "{}", name);
                }
                let mut line: Vec<String> = command.own_words.clone();
                line.extend(argv.clone());
                let _ = pack.commands_of_line(&line);
                let _ = pack.commands_of_line(&argv);
                if !first.reading.fully_read {
                    unread.set(unread.get() + 1);
                    return Ok(());
                }
                let Some(words) = self::line(command, &first.args) else {
                    return Ok(());
                };
                let found = pack.commands_of_line(&words);
                prop_assert_eq!(found.len(), 1, "{} {:?}", surface, words);
                let second = &found[0].1;
                if second.reading.fully_read {
                    prop_assert_eq!(
                        without_nothings(&second.args),
                        without_nothings(&first.args),
                        "{} {:?} {:?}",
                        surface,
                        argv,
                        words
                    );
                    read.set(read.get() + 1);
                }
                Ok(())
            },
        )
        .unwrap();
    assert!(read.get() > 20, "{read:?}");
}

#[test]
fn one_word_of_any_text_never_panics() {
    let command = only(
        r#"{"commands": {"go": {"cli": ["go", "--m={{k}}:{{k}}:{{v}}", "-{{n}}", "{{one}}x{{one}}", "{{rest}}"],
        "args": {"properties": {"k": {}, "v": {}, "n": {"type": "integer"}, "one": {}, "rest": {"type": "array"}}}}}}"#,
    );
    let mut runner = TestRunner::default();
    runner
        .run(&prop::collection::vec(any::<String>(), 0..4), |words| {
            let _ = command.read_argv(&words);
            let dashed: Vec<String> = words.iter().map(|w| format!("--m={w}")).collect();
            let _ = command.read_argv(&dashed);
            Ok(())
        })
        .unwrap();
    let long = vec![format!("--m={}", ":".repeat(100_000)), "x".repeat(100_000)];
    assert!(!command.read_argv(&long).reading.fully_read);
    let many: Vec<String> = (0..100_000).map(|n| format!("w{n}")).collect();
    let argv = command.read_argv(&many);
    assert_eq!(
        argv.args
            .get("rest")
            .and_then(Value::as_array)
            .map(<[Value]>::len),
        Some(100_000)
    );
}

/// However many words a line has, each is looked at a few times and not once for every other.
#[test]
fn long_lines_are_read_in_a_few_passes() {
    let command = only(
        r#"{"commands": {"go": {"cli": ["go", "--a|-a", "{{a}}", "--", "{{b}}"],
            "args": {"properties": {"a": {"type": "array"}, "b": {"type": "array"}}}}}}"#,
    );
    for form in ["--z%", "-a%", "--a=%", "b%", "--z=%"] {
        let words: Vec<String> = (0..30_000)
            .map(|n| form.replace('%', &n.to_string()))
            .collect();
        let read = command.read_argv(&words);
        assert_eq!(read.reading.fully_read, !form.starts_with("--z"), "{form}");
    }
}
