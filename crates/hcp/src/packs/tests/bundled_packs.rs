//! Every bundled pack loads, and each of its commands becomes a command line.

#![allow(clippy::type_complexity, reason = "a table of cases reads best as one")]

use crate::packs::bundled;
use hcp_core::json::{Object, Value};
use hcp_core::policy::{Confirm, Operation, Raise, Undo};
use hcp_pack::{Command, Pack};

/// The programs that come with a pack's own one and are commands of the same pack.
const COMPANIONS: &[(&str, &[&str])] = &[(
    "psql",
    &[
        "clusterdb",
        "createdb",
        "createuser",
        "dropdb",
        "dropuser",
        "pg_dump",
        "pg_dumpall",
        "pg_isready",
        "pg_restore",
        "reindexdb",
        "vacuumdb",
    ],
)];

pub(super) fn load(id: &str) -> Pack {
    let pack = bundled().iter().find(|pack| pack.id == id).unwrap();
    Pack::read(&pack.files()).unwrap_or_else(|found| {
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    })
}

fn command<'p>(pack: &'p Pack, name: &str) -> &'p Command {
    let found = pack.commands.iter().find(|(n, _)| n.as_str() == name);
    found.unwrap_or_else(|| panic!("{}.{name}", pack.id)).1
}

pub(super) fn words(pack: &Pack, name: &str, args: &[(&str, Value)]) -> Vec<String> {
    let args: Object = args
        .iter()
        .map(|(k, v)| ((*k).to_owned(), v.clone()))
        .collect();
    let command = command(pack, name);
    let args = command.check_args(args).unwrap();
    let rendered = command.render(&args).unwrap();
    rendered.words.into_iter().map(|word| word.text).collect()
}

#[test]
fn every_bundled_pack_loads_and_says_what_it_is() {
    for bundled in bundled() {
        let pack = load(bundled.id);
        assert_eq!(pack.id.as_str(), bundled.id);
        assert!(!pack.summary.is_empty() && pack.skill.is_some());
        for (name, command) in &pack.commands {
            assert!(!command.description.is_empty(), "{name}");
            let program = command.own_words[0].as_str();
            let comes_with = |(pack, programs): &(&str, &[&str])| {
                *pack == bundled.id && programs.contains(&program)
            };
            let known = program == bundled.id || COMPANIONS.iter().any(comes_with);
            assert!(known, "{name}: {program}");
            for argument in &command.arguments {
                assert!(!argument.description.is_empty(), "{name}.{}", argument.name);
            }
            let policy = &command.policy;
            if policy.confirm > Confirm::Never {
                assert_eq!(policy.operation, Operation::Write, "{name}");
                assert!(command.preview.is_some(), "{name}");
            }
            for argument in command
                .arguments
                .iter()
                .filter(|a| a.schema.contains_key("const"))
            {
                let raised = |r: &Raise| r.when.args.iter().any(|(k, _)| *k == argument.name);
                assert!(policy.raise.iter().any(raised), "{name}.{}", argument.name);
            }
            if policy.undo == Undo::No {
                assert!(policy.confirm > Confirm::Never, "{name}");
            }
        }
    }
}

#[test]
fn the_demo_commands_become_their_lines() {
    let text = |value: &str| Value::from(value);
    type Line<'a> = (&'a str, &'a str, &'a [(&'a str, Value)], &'a str);
    let lines: [Line<'_>; 10] = [
        ("ledger", "balance", &[], "ledger balance"),
        ("ledger", "list", &[], "ledger list"),
        (
            "ledger",
            "transfer",
            &[("amount", text("2.80")), ("payee", text("demo-transit"))],
            "ledger transfer 2.80 --to demo-transit --confirm",
        ),
        (
            "ledger",
            "transfer",
            &[
                ("memo", text("bus")),
                ("amount", text("2.80")),
                ("payee", text("demo-rent")),
            ],
            "ledger transfer 2.80 --to demo-rent --memo bus --confirm",
        ),
        ("transit", "routes", &[], "transit routes"),
        (
            "transit",
            "buy",
            &[("route", text("city"))],
            "transit buy -- city",
        ),
        ("notes", "list", &[], "notes list"),
        ("notes", "show", &[("name", text("-x"))], "notes show -- -x"),
        (
            "notes",
            "add",
            &[("name", text("a")), ("text", text("-b"))],
            "notes add --text=-b -- a",
        ),
        (
            "notes",
            "delete",
            &[("name", text("keys"))],
            "notes delete -- keys",
        ),
    ];
    for (pack, name, args, line) in lines {
        assert_eq!(words(&load(pack), name, args).join(" "), line);
    }
}

#[test]
fn a_transfer_needs_amount_and_payee_and_takes_no_options() {
    let ledger = load("ledger");
    let transfer = command(&ledger, "transfer");
    let args =
        |amount: &str, payee: &str| Object::new().with("amount", amount).with("payee", payee);
    assert!(transfer.check_args(args("1", "x")).is_ok());
    assert!(
        transfer
            .check_args(Object::new().with("amount", "1"))
            .is_err()
    );
    assert!(
        transfer
            .check_args(args("1", "x").with("approved", true))
            .is_err()
    );
    assert!(transfer.render(&args("-1", "x")).is_err());
    assert!(transfer.render(&args("1", "--confirm")).is_err());
    assert_eq!(
        (
            transfer.policy.operation,
            transfer.policy.confirm,
            transfer.policy.undo
        ),
        (Operation::Write, Confirm::Always, Undo::Unknown)
    );
    assert_eq!(
        transfer.description,
        "Pay a saved payee. Refused until a person confirms the amount and payee."
    );
}
