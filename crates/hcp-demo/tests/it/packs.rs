//! The bundled packs of the demo tools say what the tools really take.

use super::{home, run};
use hcp_core::json::Object;
use hcp_pack::{Pack, PackFiles};
use std::path::Path;

fn load(id: &str) -> Pack {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../packs")
        .join(id);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let files = PackFiles {
        folder: id.to_owned(),
        pack: read("pack.json"),
        surface: read("surface.json"),
        policy: read("policy.json"),
        skill: Some(read("SKILL.md")),
    };
    Pack::read(&files).unwrap()
}

fn line(pack: &Pack, command: &str, args: &[&str]) -> Vec<String> {
    let found = pack.commands.iter().find(|(n, _)| n.as_str() == command);
    let (_, command) = found.unwrap();
    let args: Vec<String> = args.iter().map(|word| (*word).to_owned()).collect();
    let args = match args.is_empty() {
        true => Object::new(),
        false => command.read_named(&args).unwrap(),
    };
    let rendered = command.render(&command.check_args(args).unwrap()).unwrap();
    rendered.words.into_iter().map(|word| word.text).collect()
}

#[test]
fn every_declared_command_is_taken_with_every_argument() {
    let home = home();
    let calls: [(&str, &str, &[&str]); 14] = [
        ("ledger", "balance", &[]),
        ("ledger", "payees", &[]),
        ("ledger", "transfer", &["amount=2.80", "payee=demo-transit"]),
        (
            "ledger",
            "transfer",
            &["payee=demo-rent", "memo=May rent", "amount=3"],
        ),
        ("ledger", "list", &[]),
        ("transit", "routes", &[]),
        ("transit", "fare", &["route=airport"]),
        ("transit", "buy", &["route=city"]),
        ("notes", "list", &[]),
        ("notes", "show", &["name=keys"]),
        ("notes", "add", &["name=-odd", "text=--text"]),
        ("notes", "edit", &["name=-odd", "text="]),
        ("notes", "show", &["name=-odd"]),
        ("notes", "delete", &["name=-odd"]),
    ];
    for (id, command, args) in calls {
        let words = line(&load(id), command, args);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = run(home.path(), &words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{words:?}");
    }
    for id in ["ledger", "transit", "notes"] {
        for name in load(id).commands.keys() {
            let called = calls
                .iter()
                .any(|(i, c, _)| *i == id && *c == name.as_str());
            assert!(called, "{id}.{name}");
        }
    }
}
