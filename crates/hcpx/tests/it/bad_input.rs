//! What is wrong is refused: with its code, its place and a way out; nothing runs, and nothing is lost.

use crate::HCPX;
use hcp_core::code::Code;
use hcp_testkit::{Answer, Who, World};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

/// A text that is refused: what it is, the text, line and column, a part of the message, a part of the help.
type Text = (
    &'static str,
    &'static [u8],
    usize,
    usize,
    &'static str,
    &'static str,
);

/// Faults of JSON itself; every file is read by the same reader.
const JSON: &[Text] = &[
    (
        "a key twice",
        br#"{"mode":"auto","mode":"run"}"#,
        1,
        16,
        "\"mode\" stands twice",
        "keep one",
    ),
    (
        "a key twice by an escape",
        br#"{"mode":"auto","mo\u0064e":"run"}"#,
        1,
        16,
        "\"mode\" stands twice",
        "keep one",
    ),
    (
        "a byte order mark",
        b"\xef\xbb\xbf{}",
        1,
        1,
        "byte order mark",
        "without",
    ),
    (
        "no UTF-8",
        b"{\"mode\":\"\xff\"}",
        1,
        10,
        "not UTF-8",
        "as UTF-8",
    ),
    (
        "a comment first",
        b"// mine\n{}",
        1,
        1,
        "\"/\" stands where",
        "no comments",
    ),
    (
        "a comment inside",
        b"{\n  // mine\n}",
        2,
        3,
        "\"/\" stands where",
        "no comments",
    ),
    (
        "a comment behind a value",
        b"{\"mode\":\"auto\" /* x */}",
        1,
        16,
        "\"/\" stands where",
        "no comments",
    ),
    (
        "a comma too many",
        b"{\n  \"mode\": \"auto\",\n}",
        3,
        1,
        "a comma stands before",
        "take the comma out",
    ),
    (
        "a comma too many in a list",
        br#"{"rules":[{"match":"*","decision":"ask"},]}"#,
        1,
        42,
        "a comma stands before",
        "take the comma out",
    ),
    (
        "no comma",
        br#"{"mode":"auto" "approvals":"human"}"#,
        1,
        16,
        "a comma or }",
        "put a comma",
    ),
    (
        "single quotes",
        b"{'mode':'auto'}",
        1,
        2,
        "double quotes",
        "double quotes",
    ),
    (
        "a bare key",
        b"{mode:\"auto\"}",
        1,
        2,
        "a key in double quotes",
        "double quotes",
    ),
    (
        "a bare word",
        b"{\"mode\":auto}",
        1,
        9,
        "where a value should stand",
        "double quotes",
    ),
    ("nothing", b"", 1, 1, "the text is empty", "{}"),
    ("blanks alone", b"  \n\t", 2, 2, "the text is empty", "{}"),
    (
        "two values",
        b"{} {}",
        1,
        4,
        "more text after the value",
        "one JSON value",
    ),
    (
        "cut off",
        b"{\"mode\":\"auto\"",
        1,
        15,
        "the text ends",
        "cut",
    ),
    ("cut off in a string", b"{\"mode\":\"au", 1, 9, "", ""),
    (
        "a raw line break",
        b"{\"mode\":\"au\nto\"}",
        1,
        12,
        "control character",
        "\\u000a",
    ),
    (
        "a NUL byte",
        b"{\"mode\":\"au\0to\"}",
        1,
        12,
        "control character",
        "\\u0000",
    ),
    (
        "an escape of another language",
        br#"{"mode":"\x41"}"#,
        1,
        10,
        "no such escape",
        "",
    ),
    (
        "half a surrogate pair",
        br#"{"rules":[{"match":"*","decision":"ask","note":"\ud800"}]}"#,
        1,
        49,
        "half a surrogate pair",
        "both halves",
    ),
    (
        "NaN",
        b"{\"approval_minutes\":NaN}",
        1,
        21,
        "where a value should stand",
        "a value is",
    ),
    (
        "a number with a zero before",
        b"{\"approval_minutes\":015}",
        1,
        21,
        "not a JSON number",
        "write it like",
    ),
    (
        "an exponent without end",
        b"{\"approval_minutes\":1e9999999999999999999}",
        1,
        21,
        "exponent of this number is too large",
        "15 digits",
    ),
];

/// Faults of settings.
const SETTINGS: &[Text] = &[
    ("a list", b"[]", 1, 1, "must be an object", ""),
    ("null", b"null", 1, 1, "must be an object", ""),
    (
        "a slip in a key",
        br#"{"mdoe":"auto"}"#,
        1,
        2,
        "no key \"mdoe\"",
        "did you mean \"mode\"?",
    ),
    (
        "an unknown key",
        br#"{"colour":"red"}"#,
        1,
        2,
        "no key \"colour\"",
        "may hold: ",
    ),
    (
        "a key with control characters",
        b"{\"a\\u001b[31m\\u202e\":1}",
        1,
        2,
        "a\\u{1b}[31m\\u{202e}",
        "may hold",
    ),
    (
        "a mode that is a number",
        b"{\"mode\":3}",
        1,
        9,
        "must be a string",
        "",
    ),
    (
        "an unknown mode",
        b"{\"mode\":\"fast\"}",
        1,
        9,
        "\"fast\" is no mode",
        "it is one of: run, auto, manual",
    ),
    (
        "a slip in a mode",
        b"{\"mode\":\"maunal\"}",
        1,
        9,
        "\"maunal\" is no mode",
        "did you mean \"manual\"?",
    ),
    (
        "a mode in capitals",
        b"{\"mode\":\"RUN\"}",
        1,
        9,
        "\"RUN\" is no mode",
        "",
    ),
    (
        "a mode that is null",
        b"{\"mode\":null}",
        1,
        9,
        "must be a string",
        "",
    ),
    (
        "who approves",
        b"{\"approvals\":\"humans\"}",
        1,
        14,
        "\"humans\" is no approvals word",
        "did you mean \"human\"?",
    ),
    (
        "no minutes",
        b"{\"approval_minutes\":0}",
        1,
        21,
        "from 1 to 1440",
        "",
    ),
    (
        "minutes past a day",
        b"{\"approval_minutes\":1441}",
        1,
        21,
        "from 1 to 1440",
        "",
    ),
    (
        "half minutes",
        b"{\"approval_minutes\":1.5}",
        1,
        21,
        "from 1 to 1440",
        "",
    ),
    (
        "minutes in words",
        b"{\"approval_minutes\":\"15\"}",
        1,
        21,
        "must be a number",
        "",
    ),
    (
        "a pack id in capitals",
        br#"{"packs":{"Ledger":{"mode":"run"}}}"#,
        1,
        11,
        "\"Ledger\" is no pack id",
        "lower case",
    ),
    (
        "a bare pack mode",
        br#"{"packs":{"ledger":"run"}}"#,
        1,
        20,
        "must be an object",
        "",
    ),
    (
        "rules of a pack",
        br#"{"packs":{"ledger":{"mode":"run","rules":[]}}}"#,
        1,
        34,
        "no key \"rules\"",
        "mode",
    ),
    (
        "rules that are no list",
        br#"{"rules":{}}"#,
        1,
        10,
        "must be an array",
        "",
    ),
    (
        "a rule that is a word",
        br#"{"rules":["deny *"]}"#,
        1,
        11,
        "must be an object",
        "",
    ),
    (
        "a bare pack as match",
        br#"{"rules":[{"match":"ledger","decision":"ask"}]}"#,
        1,
        20,
        "\"ledger\" is no match",
        "write \"ledger.*\"",
    ),
    (
        "a star for the pack",
        br#"{"rules":[{"match":"*.x","decision":"ask"}]}"#,
        1,
        20,
        "\"*.x\" is no match",
        "pack.command",
    ),
    (
        "three parts",
        br#"{"rules":[{"match":"ledger.transfer.x","decision":"ask"}]}"#,
        1,
        20,
        "is no match",
        "pack.command",
    ),
    (
        "a match in capitals",
        br#"{"rules":[{"match":"Ledger.*","decision":"ask"}]}"#,
        1,
        20,
        "\"Ledger.*\" is no match",
        "pack.command",
    ),
    (
        "no match",
        br#"{"rules":[{"decision":"ask"}]}"#,
        1,
        11,
        "has no \"match\"",
        "add \"match\"",
    ),
    (
        "no decision",
        br#"{"rules":[{"match":"*"}]}"#,
        1,
        11,
        "has no \"decision\"",
        "add \"decision\"",
    ),
    (
        "a slip in a decision",
        br#"{"rules":[{"match":"*","decision":"alow"}]}"#,
        1,
        35,
        "\"alow\" is no decision",
        "did you mean \"allow\"?",
    ),
    (
        "a slip in a rule's key",
        br#"{"rules":[{"match":"*","decision":"ask","whne":{}}]}"#,
        1,
        41,
        "no key \"whne\"",
        "did you mean \"when\"?",
    ),
    (
        "a slip in a condition",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"mx":{"amount":5}}}]}"#,
        1,
        49,
        "no key \"mx\"",
        "did you mean \"max\"?",
    ),
    (
        "an empty one_of",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"one_of":{"payee":[]}}}]}"#,
        1,
        67,
        "no value to choose from",
        "at least one",
    ),
    (
        "a one_of of nothing",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"one_of":{}}}]}"#,
        1,
        58,
        "\"one_of\" is empty",
        "",
    ),
    (
        "empty args",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"args":{}}}]}"#,
        1,
        56,
        "\"args\" is empty",
        "",
    ),
    (
        "a limit in words",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"max":{"amount":"5"}}}]}"#,
        1,
        65,
        "must be a number",
        "without quotes",
    ),
    (
        "a glob that is a number",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"like":{"path":5}}}]}"#,
        1,
        64,
        "must be a string",
        "",
    ),
    (
        "only: false",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"only":false}}]}"#,
        1,
        56,
        "only be true",
        "take it out",
    ),
    (
        "an unknown operation",
        br#"{"rules":[{"match":"*","decision":"ask","when":{"op":"writes"}}]}"#,
        1,
        54,
        "\"writes\" is no operation",
        "did you mean \"write\"?",
    ),
    (
        "an exception from everything",
        br#"{"rules":[{"match":"*","decision":"deny","except":[{}]}]}"#,
        1,
        52,
        "empty set of conditions",
        "name a condition",
    ),
    (
        "an end without a time",
        br#"{"rules":[{"match":"*","decision":"ask","until":"2026-12-01"}]}"#,
        1,
        49,
        "is no moment",
        "RFC 3339",
    ),
    (
        "an end in words",
        br#"{"rules":[{"match":"*","decision":"ask","until":"tomorrow"}]}"#,
        1,
        49,
        "\"tomorrow\" is no moment",
        "RFC 3339",
    ),
    (
        "a note that is a number",
        br#"{"rules":[{"match":"*","decision":"ask","note":5}]}"#,
        1,
        48,
        "must be a string",
        "",
    ),
    (
        "an allow rule by a human",
        br#"{"rules":[{"match":"*","decision":"allow","by":"human"}]}"#,
        1,
        48,
        "only an ask rule",
        "take \"by\" out",
    ),
    (
        "views that are no object",
        br#"{"views":5}"#,
        1,
        10,
        "must be an object",
        "",
    ),
];

/// Faults of grants.
const GRANTS: &[Text] = &[
    ("a list", b"[]", 1, 1, "must be an object", ""),
    ("no grants", b"{}", 1, 1, "has no \"grants\"", "add \"grants\""),
    ("a slip in a key", br#"{"grants":[],"grnats":[]}"#, 1, 14, "no key \"grnats\"", "did you mean \"grants\"?"),
    ("a slip in a capability", br#"{"grants":[{"capability":"verb.exec.raed"}]}"#, 1, 26, "verb.exec.raed", "did you mean \"verb.exec.read\"?"),
    ("no capability", br#"{"grants":[{"pack_id":"ledger"}]}"#, 1, 12, "has no \"capability\"", "add \"capability\""),
    ("a pack id in capitals", br#"{"grants":[{"capability":"verb.exec.read","pack_id":"Ledger"}]}"#, 1, 53, "\"Ledger\"", ""),
    ("verb keys that are no list", br#"{"grants":[{"capability":"verb.exec.read","pack_id":"ledger","verb_keys":"ledger.list"}]}"#, 1, 74, "must be an array", ""),
    ("a slip in a kind", br#"{"grants":[{"capability":"verb.exec.read","kind":"agnet"}]}"#, 1, 50, "\"agnet\"", "did you mean \"agent\"?"),
];

/// A store with the demo packs, and a balance in it.
fn world() -> World {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world
        .person(&["exec", "ledger", "balance"])
        .expect_code("ok");
    world
}

/// Every file of the store but the log, with its content.
pub(crate) fn store_of(world: &World) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let meta = path.symlink_metadata().unwrap();
            let name = path.to_string_lossy().into_owned();
            if meta.is_dir() {
                walk(&path, found);
            } else if meta.is_symlink() {
                let target = std::fs::read_link(&path).unwrap();
                found.insert(name, target.to_string_lossy().into_owned().into_bytes());
            } else if !name.ends_with("audit.jsonl") && !name.contains(".lock") && meta.is_file() {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&world.store(), &mut found);
    found
}

fn put(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// The first place that an answer names.
fn place_of(answer: &Answer) -> (String, String, String) {
    let number = |key: &str| answer.value(&format!("diagnostics.0.{key}")).to_string();
    (
        answer.text("diagnostics.0.file"),
        number("line"),
        number("column"),
    )
}

/// Holds an answer to a row of a table.
fn expect_place(answer: &Answer, code: &str, file: &Path, row: &Text) {
    let (what, _, line, column, message, help) = row;
    answer.expect_code(code);
    let file = file.to_string_lossy().into_owned();
    assert_eq!(
        place_of(answer),
        (file.clone(), line.to_string(), column.to_string()),
        "{what}: {}",
        answer.stdout
    );
    let told = answer.text("diagnostics.0.message");
    assert!(told.contains(message), "{what}: {told}");
    let told = answer.text("diagnostics.0.help");
    assert!(told.contains(help), "{what}: {told}");
    // Whoever reads the message alone knows the place too.
    let place = format!("{file}:{line}:{column}: ");
    assert!(
        answer.text("message").contains(&place),
        "{what}: {}",
        answer.stdout
    );
    assert!(!answer.text("hint").is_empty(), "{what}");
    expect_plain(&answer.stdout);
}

/// Nothing that a terminal would act on.
fn expect_plain(text: &str) {
    let bad = text.chars().find(|c| {
        (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c) || *c == '\u{2066}'
    });
    assert_eq!(bad, None, "{text:?}");
}

const WRITE: [&str; 6] = ["exec", "notes", "add", "--", "name=milk", "text=two litres"];

#[test]
fn broken_settings_of_the_person_stop_everything_and_stay_as_they_were() {
    let world = world();
    let file = world.store().join("access.json");
    for row in JSON.iter().chain(SETTINGS) {
        put(&file, row.1);
        let before = store_of(&world);
        expect_place(&world.agent(&WRITE), "access_invalid", &file, row);
        expect_place(
            &world.person(&["deny", "notes.delete"]),
            "access_invalid",
            &file,
            row,
        );
        assert_eq!(store_of(&world), before, "{}", row.0);
    }
}

#[test]
fn a_call_stopped_by_broken_settings_is_recorded_and_the_home_screen_names_the_place() {
    let world = world();
    world.person(&WRITE).expect_code("ok");
    put(&world.store().join("access.json"), b"{\"mdoe\":1}");
    world.agent(&WRITE).expect_code("access_invalid");
    let log = world.person(&["audit", "--decision", "deny"]);
    assert_eq!(log.text("events.0.code"), "access_invalid");
    assert_eq!(log.text("events.0.pack"), "notes");
    assert_eq!(log.text("events.0.command"), "add");
    assert_eq!(log.value("events.0.ran").to_string(), "false");
    let home = world.person(&[]).with_code("ok");
    assert_eq!(home.value("mode").to_string(), "null");
    assert!(
        home.text("wrong.0").contains("access.json:1:2: "),
        "{}",
        home.stdout
    );
    let doctor = world.person(&["--text", "doctor"]);
    assert!(
        doctor.stdout.contains("wrong settings"),
        "{}",
        doctor.stdout
    );
    world.person(&["audit", "verify"]).expect_code("ok");
}

#[test]
fn broken_settings_of_a_project_stop_everything_and_a_file_can_be_checked_before() {
    let world = world();
    let file = world.work().join(".hcp/access.json");
    for row in JSON.iter().chain(SETTINGS).step_by(2) {
        put(&file, row.1);
        let before = store_of(&world);
        expect_place(&world.agent(&WRITE), "access_invalid", &file, row);
        let named = file.to_string_lossy().into_owned();
        expect_place(
            &world.person(&["access", "check", &named]),
            "access_invalid",
            &file,
            row,
        );
        assert_eq!(store_of(&world), before, "{}", row.0);
        assert_eq!(std::fs::read(&file).unwrap(), row.1, "{}", row.0);
    }
}

#[test]
fn broken_settings_of_the_operator_stop_everything() {
    use hcp::agent::AgentStatus;
    use hcp::home::Home;
    use hcp::platform::Environment;
    use hcp::settings::{ReadPlan, read_layers};
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("store"));
    let file = folder.path().join("operator.json");
    let (agent, environment) = (AgentStatus::outside(), Environment::default());
    for (what, bytes, line, column, message, _) in JSON.iter().chain(SETTINGS) {
        put(&file, bytes);
        let plan = ReadPlan {
            operator: &file,
            ..ReadPlan::new(&home, folder.path(), &agent, &environment)
        };
        let wrong = read_layers(&plan).expect_err(what);
        assert_eq!(wrong.code(), Code::AccessInvalid);
        let first = &wrong.diagnostics[0];
        assert_eq!(first.file, file.to_string_lossy());
        if file.metadata().unwrap().uid() == 0 {
            assert_eq!((first.line, first.column), (*line, *column), "{what}");
            assert!(first.message.contains(message), "{what}: {first}");
        } else {
            // Only root can write what the operator says.
            assert!(
                first.message.contains("belongs to somebody"),
                "{what}: {first}"
            );
        }
    }
}

#[test]
fn broken_grants_stop_everything() {
    let world = world();
    let file = world.store().join("grants.json");
    for row in JSON.iter().step_by(3).chain(GRANTS) {
        put(&file, row.1);
        let before = store_of(&world);
        // What is wrong with JSON stands at the same place whatever the file is for.
        expect_place(&world.agent(&WRITE), "access_invalid", &file, row);
        assert_eq!(store_of(&world), before, "{}", row.0);
    }
}

#[test]
fn values_nest_64_deep_and_no_deeper() {
    let world = world();
    let deep = |n: usize| {
        format!(
            "{{\"views\":{{\"rules\":{}{}}}}}",
            "[".repeat(n),
            "]".repeat(n)
        )
    };
    let file = world.store().join("access.json");
    put(&file, deep(63).as_bytes());
    let answer = world.agent(&WRITE).with_code("access_invalid");
    assert!(
        answer
            .text("diagnostics.0.message")
            .contains("deeper than 64"),
        "{}",
        answer.stdout
    );
    put(&file, deep(100_000).as_bytes());
    world.agent(&WRITE).expect_code("access_invalid");
}

/// What may stand in a settings file's place, how it is put there, and what is said of it.
#[test]
fn a_settings_file_must_be_a_file_of_the_persons_own() {
    let world = world();
    let file = world.store().join("access.json");
    let expect = |message: &str, help: &str| {
        for answer in [world.agent(&WRITE), world.person(&["mode", "run"])] {
            let answer = answer.with_code("access_invalid");
            assert_eq!(answer.text("diagnostics.0.file"), file.to_string_lossy());
            let told = answer.text("diagnostics.0.message");
            assert!(told.contains(message), "{told}");
            let told = answer.text("diagnostics.0.help");
            assert!(told.contains(help), "{told}");
        }
    };
    std::fs::create_dir(&file).unwrap();
    expect("not a regular file", "regular file");
    std::fs::remove_dir(&file).unwrap();
    symlink("/nowhere/at/all", &file).unwrap();
    expect("cannot be read", "remove it");
    assert_eq!(
        std::fs::read_link(&file).unwrap(),
        Path::new("/nowhere/at/all")
    );
    std::fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    expect("not a regular file", "regular file");
    std::fs::remove_file(&file).unwrap();
    for mode in [0o620, 0o602, 0o666] {
        put(&file, b"{\"mode\":\"run\"}");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        expect(
            "group or others may write",
            &format!("chmod go-w {}", file.display()),
        );
        assert_eq!(std::fs::read(&file).unwrap(), b"{\"mode\":\"run\"}");
    }
    // Only root can give a file away.
    put(&file, b"{\"mode\":\"run\"}");
    if file.metadata().unwrap().uid() == 0 {
        std::os::unix::fs::chown(&file, Some(12_345), None).unwrap();
        expect("belongs to somebody", "chown 0 ");
    } else {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
        expect("cannot be read", "readable");
    }
    std::fs::remove_file(&file).unwrap();
    // A link to a file of the person's own is how people keep their settings elsewhere; it stays one.
    let real = world.root().join("kept.json");
    put(&real, b"{\"mode\":\"manual\"}");
    symlink(&real, &file).unwrap();
    assert_eq!(world.person(&["mode"]).text("mode"), "manual");
    world.person(&["mode", "auto"]).expect_code("ok");
    assert_eq!(std::fs::read_link(&file).unwrap(), real);
    assert!(std::fs::read_to_string(&real).unwrap().contains("auto"));
}

#[test]
fn what_a_project_would_loosen_is_ignored_and_listed() {
    let world = world();
    world.write(
        "work/.hcp/access.json",
        r#"{"mode":"run","approvals":"agent","rules":[
            {"match":"ledger.transfer","decision":"allow","note":"session"},
            {"match":"notes.delete","decision":"allow"}]}"#,
    );
    let answer = world.person(&["access"]).with_code("ok");
    let ignored = answer.value("ignored");
    let reasons: Vec<String> = ignored
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(reasons.len() >= 4, "{reasons:?}");
    assert_eq!(answer.text("mode"), "auto");
}

/// A pack of three files, one of them as given.
fn pack(world: &World, name: &str, file: &str, text: &[u8]) -> String {
    let files: [(&str, &[u8]); 3] = [
        (
            "pack.json",
            br#"{"id":"shop","name":"Shop","version":"1.0.0","summary":"A shop."}"#,
        ),
        (
            "surface.json",
            br#"{"commands":{"buy":{"description":"Buy.","cli":["true","buy"]}}}"#,
        ),
        (
            "policy.json",
            br#"{"commands":{"buy":{"operation":"write"}}}"#,
        ),
    ];
    let folder = world.root().join(name);
    for (own, whole) in files {
        put(&folder.join(own), if own == file { text } else { whole });
    }
    folder.to_string_lossy().into_owned()
}

#[test]
fn a_broken_pack_is_not_installed() {
    let world = world();
    pack(&world, "whole", "", b"");
    let before = store_of(&world);
    let of_pack: &[(&str, Text)] = &[
        ("pack.json", ("no id", br#"{"name":"Shop","version":"1.0.0","summary":"A shop."}"#, 1, 1, "no \"id\"", "add \"id\"")),
        ("pack.json", ("an id in capitals", br#"{"id":"Shop","name":"Shop","version":"1.0.0","summary":"A shop."}"#, 1, 7, "\"Shop\"", "")),
        ("pack.json", ("an id with a dot", br#"{"id":"a.b","name":"Shop","version":"1.0.0","summary":"A shop."}"#, 1, 7, "\"a.b\"", "")),
        ("pack.json", ("a slip in a key", br#"{"id":"shop","nmae":"Shop","name":"S","version":"1.0.0","summary":"A shop."}"#, 1, 14, "\"nmae\"", "did you mean \"name\"?")),
        ("policy.json", ("an allow-list", br#"{"commands":{"buy":{"operation":"write","allow":["ana"]}}}"#, 1, 41, "\"allow\"", "")),
        ("policy.json", ("a mode", br#"{"mode":"run","commands":{"buy":{"operation":"write"}}}"#, 1, 2, "\"mode\"", "")),
        ("policy.json", ("an unknown operation", br#"{"commands":{"buy":{"operation":"raed"}}}"#, 1, 33, "\"raed\"", "did you mean \"read\"?")),
        ("policy.json", ("a command too many", br#"{"commands":{"buy":{"operation":"write"},"sell":{"operation":"write"}}}"#, 1, 42, "sell", "")),
        ("surface.json", ("a command without a Policy", br#"{"commands":{"buy":{"description":"Buy.","cli":["true","buy"]},"sell":{"description":"Sell.","cli":["true","sell"]}}}"#, 1, 64, "\"sell\" is not in policy.json", "add \"sell\"")),
        ("surface.json", ("no command line", br#"{"commands":{"buy":{"description":"Buy."}}}"#, 1, 20, "no \"cli\"", "add \"cli\"")),
        ("surface.json", ("a placeholder without an argument", br#"{"commands":{"buy":{"description":"Buy.","cli":["true","buy","{{what}}"]}}}"#, 1, 62, "what", "")),
        ("surface.json", ("a command name in capitals", br#"{"commands":{"Buy":{"description":"Buy.","cli":["true","buy"]}}}"#, 1, 14, "\"Buy\"", "")),
    ];
    for (file, row) in of_pack {
        let folder = pack(&world, "broken", file, row.1);
        let answer = world
            .person(&["install", &folder])
            .with_code("pack_invalid");
        assert_eq!(answer.exit, 6);
        let found = answer.value("diagnostics").to_string();
        let named = Path::new(&folder).join(file);
        let (what, _, line, column, message, help) = row;
        let place = format!(
            "\"file\":\"{}\",\"line\":{line},\"column\":{column}",
            named.display()
        );
        assert!(found.contains(&place), "{what}: wanted {place} in {found}");
        for part in [message, help] {
            let part = part.replace('"', "\\\"");
            assert!(found.contains(&part), "{what}: wanted {part} in {found}");
        }
        assert_eq!(store_of(&world), before, "{what}");
    }
    // A file without a byte is as if it were missing.
    for row in JSON.iter().filter(|row| !row.1.is_empty()) {
        let folder = pack(&world, "broken", "pack.json", row.1);
        let file = Path::new(&folder).join("pack.json");
        expect_place(
            &world.person(&["install", &folder]),
            "pack_invalid",
            &file,
            row,
        );
        assert_eq!(store_of(&world), before, "{}", row.0);
    }
    let whole = world.root().join("whole").to_string_lossy().into_owned();
    world.person(&["install", &whole]).expect_code("ok");
}

/// Words that are refused: the words, the code, a part of the message, a part of the hint.
type Words = (
    &'static [&'static str],
    &'static str,
    &'static str,
    &'static str,
);

const WORDS: &[Words] = &[
    // Commands and options of the program.
    (
        &["exe", "ledger", "balance"],
        "usage",
        "no command \"exe\"",
        "did you mean exec?",
    ),
    (
        &["frobnicate"],
        "usage",
        "no command \"frobnicate\"",
        "hcpx --help",
    ),
    (
        &["rules", "rmm", "0"],
        "usage",
        "rules has no command \"rmm\"",
        "did you mean rm?",
    ),
    (
        &["exec", "--wiat", "ledger", "balance"],
        "usage",
        "no option \"--wiat\"",
        "did you mean --wait?",
    ),
    (
        &["exec", "ledger", "list", "--oneline"],
        "usage",
        "no option \"--oneline\"",
        "stand behind --",
    ),
    (
        &["exec", "ledger", "balance", "extra"],
        "usage",
        "one word too many",
        "stand behind --",
    ),
    (
        &["--jsn"],
        "usage",
        "no option \"--jsn\"",
        "did you mean --json?",
    ),
    (&["mode", "fast"], "usage", "\"fast\"", "manual, auto, run"),
    (
        &["mode", "maunal"],
        "usage",
        "\"maunal\"",
        "did you mean manual?",
    ),
    (
        &["mode", "run", "--clear"],
        "usage",
        "cannot stand together",
        "keep one",
    ),
    (
        &["mode", "run", "--pack", "Ledger"],
        "usage",
        "\"Ledger\" is no pack id",
        "small letters",
    ),
    (
        &["schema", "acess"],
        "usage",
        "\"acess\"",
        "did you mean access?",
    ),
    (&["audit", "--limit", "x"], "usage", "\"x\"", "whole number"),
    (
        &["audit", "--decision", "maybe"],
        "usage",
        "\"maybe\"",
        "allow, ask, deny",
    ),
    (
        &["audit", "--since", "yesterday"],
        "usage",
        "\"yesterday\"",
        "2026-12-31T18:00:00Z",
    ),
    (&["audit", "show", "zz"], "usage", "\"zz\"", "hcpx audit"),
    (
        &["audit", "verify", "--head", "zz"],
        "usage",
        "\"zz\" is no head",
        "hcpx audit head",
    ),
    (
        &["access", "set", "approvals", "robots"],
        "usage",
        "\"robots\"",
        "agent or human",
    ),
    (
        &["access", "set", "approval_minutes", "0"],
        "usage",
        "\"0\"",
        "1 to 1440",
    ),
    (
        &["access", "set", "minutes", "5"],
        "usage",
        "\"minutes\"",
        "approval_minutes",
    ),
    (
        &["access", "check", "/nowhere/at/all"],
        "usage",
        "/nowhere/at/all",
        "name a file",
    ),
    (
        &["access", "test", "/"],
        "usage",
        "not a regular file",
        "name a file",
    ),
    (
        &["commands", "legder"],
        "unknown_pack",
        "legder",
        "hcpx packs",
    ),
    (
        &["install", "ledgr"],
        "unknown_pack",
        "did you mean ledger?",
        "",
    ),
    (&["uninstall", "nosuch"], "unknown_pack", "nosuch", ""),
    (&["packs", "diff", "nosuch"], "unknown_pack", "nosuch", ""),
    (&["packs", "accept", "nosuch"], "unknown_pack", "nosuch", ""),
    // Requests.
    (
        &["approve", "zzzz"],
        "approval_unknown",
        "\"zzzz\"",
        "hcpx approvals",
    ),
    (
        &["approve", "12345678"],
        "approval_unknown",
        "\"12345678\"",
        "hcpx approvals",
    ),
    (&["approve"], "approval_unknown", "nothing waits", ""),
    (
        &["reject", "12345678"],
        "approval_unknown",
        "\"12345678\"",
        "hcpx approvals",
    ),
    (
        &["approvals", "forget", "12345678"],
        "approval_unknown",
        "\"12345678\"",
        "hcpx approvals",
    ),
    (
        &["exec", "--confirm", "12345678"],
        "approval_unknown",
        "\"12345678\"",
        "hcpx approvals",
    ),
    // Rules.
    (&["allow"], "usage", "MATCH is missing", "hcpx allow --help"),
    (
        &["allow", "led ger"],
        "usage",
        "\"led ger\" is no match",
        "PACK.COMMAND",
    ),
    (
        &["allow", "*.transfer"],
        "usage",
        "is no match",
        "PACK.COMMAND",
    ),
    (
        &["ask", "a.txt", "b.txt"],
        "usage",
        "2 words",
        "quote the star: hcpx ask '*'",
    ),
    (
        &["allow", "ledger.transfer", "--max", "amount=five"],
        "usage",
        "\"five\" is none",
        "--max amount=5",
    ),
    (
        &[
            "allow",
            "ledger.transfer",
            "--max",
            "amount=1e99999999999999999999",
        ],
        "usage",
        "is none",
        "--max amount=5",
    ),
    (
        &["allow", "ledger.transfer", "--when", "payee"],
        "usage",
        "--when wants NAME=VALUE",
        "--when amount=5",
    ),
    (
        &["allow", "ledger.transfer", "--when", "=x"],
        "usage",
        "--when wants NAME=VALUE",
        "--when amount=5",
    ),
    (
        &[
            "allow",
            "ledger.transfer",
            "--when",
            "payee=a",
            "--when",
            "payee=b",
        ],
        "usage",
        "names \"payee\" twice",
        "--one-of",
    ),
    (
        &["allow", "ledger.transfer", "--one-of", "payee="],
        "usage",
        "no value to choose from",
        "--one-of payee=a,b",
    ),
    (
        &["allow", "ledger.transfer", "--for", "5x"],
        "usage",
        "\"5x\" is no length of time",
        "30m",
    ),
    (
        &["allow", "ledger.transfer", "--for", "99999999999999d"],
        "usage",
        "beyond the calendar",
        "shorter",
    ),
    (
        &["allow", "ledger.transfer", "--until", "yesterday"],
        "usage",
        "\"yesterday\" is none",
        "2026-12-31T18:00:00Z",
    ),
    (
        &[
            "allow",
            "ledger.transfer",
            "--until",
            "2020-01-01T00:00:00Z",
        ],
        "usage",
        "is over already",
        "to come",
    ),
    (
        &[
            "allow",
            "ledger.transfer",
            "--for",
            "1h",
            "--until",
            "2099-01-01T00:00:00Z",
        ],
        "usage",
        "cannot stand together",
        "keep one",
    ),
    (
        &["allow", "ledger.transfer", "--op", "writes"],
        "usage",
        "\"writes\"",
        "did you mean write?",
    ),
    (
        &["allow", "ledger.transfer", "--project"],
        "usage",
        "only tightens",
        "leave --project out",
    ),
    (
        &["deny", "legder.*"],
        "usage",
        "did you mean ledger?",
        "hcpx deny 'legder.*' --anyway",
    ),
    (
        &["deny", "ledger.tranfer"],
        "usage",
        "did you mean transfer?",
        "hcpx deny ledger.tranfer --anyway",
    ),
    (
        &["deny", "ledger.transfer", "--when", "amuont=5"],
        "usage",
        "did you mean amount?",
        "--when amuont=5 --anyway",
    ),
    (
        &["rules", "rm", "x"],
        "usage",
        "\"x\" is no place of a rule",
        "project:0",
    ),
    (
        &["rules", "rm", "99"],
        "usage",
        "no rule \"99\"",
        "hcpx rules",
    ),
    (
        &["rules", "rm", "operator:0"],
        "usage",
        "operator",
        "/etc/hcp/access.json",
    ),
    (&["rules", "rm", "-1"], "usage", "\"-1\"", "--help"),
    // Calls.
    (&["exec"], "usage", "which command?", "PACK COMMAND"),
    (
        &["exec", "notes"],
        "usage",
        "\"notes\" is a pack",
        "hcpx commands notes",
    ),
    (
        &["preview", "notes"],
        "usage",
        "\"notes\" is a pack",
        "hcpx preview notes COMMAND",
    ),
    (
        &["exec", "note", "add"],
        "unknown_pack",
        "\"note\"",
        "did you mean notes?",
    ),
    (
        &["exec", "transit", "routes"],
        "unknown_pack",
        "\"transit\"",
        "hcpx install transit",
    ),
    (
        &["exec", "Notes", "add"],
        "unknown_pack",
        "\"Notes\"",
        "did you mean notes?",
    ),
    (
        &["exec", "notes", "ad"],
        "unknown_command",
        "\"ad\"",
        "did you mean add?",
    ),
    (
        &["exec", "notes.frob"],
        "unknown_command",
        "\"frob\"",
        "hcpx commands notes",
    ),
    (
        &["explain", "notes.frob"],
        "unknown_command",
        "\"frob\"",
        "hcpx commands notes",
    ),
    (
        &["exec", "notes", "add", "--", "name=milk"],
        "invalid_args",
        "text: must be given",
        "add text=",
    ),
    (
        &["preview", "ledger", "transfer", "--", "amount=5"],
        "invalid_args",
        "payee: must be given",
        "add payee=",
    ),
    (
        &["explain", "ledger", "transfer", "--", "amount=5"],
        "invalid_args",
        "payee: must be given",
        "add payee=",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--",
            "name=milk",
            "text=x",
            "colour=red",
        ],
        "invalid_args",
        "no argument \"colour\"",
        "it takes: name, text",
    ),
    (
        &["exec", "notes", "add", "--", "name=milk", "txet=x"],
        "invalid_args",
        "no argument \"txet\"",
        "did you mean \"text\"?",
    ),
    (
        &["exec", "notes", "add", "--", "name=milk", "--text=x"],
        "invalid_args",
        "Word 2",
        "all in the tool's own spelling",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--",
            "name=milk",
            "name=bread",
            "text=x",
        ],
        "invalid_args",
        "given twice",
        "keep one",
    ),
    (
        &["exec", "notes", "add", "--", "name:={", "text=x"],
        "invalid_args",
        "is not JSON",
        "name=text",
    ),
    (
        &["exec", "notes", "add", "--", "name:=5", "text=x"],
        "invalid_args",
        "must be a string",
        "",
    ),
    (
        &[
            "exec",
            "ledger",
            "transfer",
            "--",
            "amount=-1",
            "payee=demo-transit",
        ],
        "invalid_args",
        "amount: begins with \"-\"",
        "otherwise",
    ),
    (
        &[
            "exec",
            "ledger",
            "transfer",
            "--",
            "amount=1",
            "payee=--evil",
        ],
        "invalid_args",
        "payee: begins with \"-\"",
        "--to={{payee}}",
    ),
    (
        &["exec", "notes", "add", "--args", "{\"name\":"],
        "invalid_args",
        "--args:1:9: the text ends",
        "for example",
    ),
    (
        &["exec", "notes", "add", "--args", "[1]"],
        "invalid_args",
        "an array",
        "for example",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--args",
            "{\"name\":\"a\",\"name\":\"b\"}",
        ],
        "invalid_args",
        "stands twice",
        "for example",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--args",
            "{\"name\":\"a\\u0000b\",\"text\":\"x\"}",
        ],
        "invalid_args",
        "name: holds a NUL",
        "take it out",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--args",
            "{\"name\":\"\\ud800\",\"text\":\"x\"}",
        ],
        "invalid_args",
        "half a surrogate",
        "for example",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--args",
            "{\"name\":1e400,\"text\":\"x\"}",
        ],
        "invalid_args",
        "name: must be a string",
        "",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--args",
            "{\"name\":\"a\",\"text\":\"x\"}",
            "--",
            "name=b",
        ],
        "usage",
        "both give arguments",
        "keep one",
    ),
    (
        &["exec", "notes", "add", "--args", "-"],
        "invalid_args",
        "standard input:1:1",
        "for example",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--stdin",
            "/nowhere/at/all",
            "--",
            "name=a",
            "text=x",
        ],
        "usage",
        "/nowhere/at/all",
        "name a file",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--timeout",
            "0",
            "--",
            "name=a",
            "text=x",
        ],
        "usage",
        "\"0\"",
        "from 1 up",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--",
            "name=milk",
            "text=x",
            "--confirm",
            "5ea7eb29",
        ],
        "usage",
        "approval id stands behind --",
        "hcpx exec --confirm 5ea7eb29",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--",
            "name=milk",
            "text=x",
            "--confirm=5ea7eb29",
        ],
        "usage",
        "approval id stands behind --",
        "hcpx exec --confirm 5ea7eb29",
    ),
    (
        &[
            "exec",
            "notes",
            "add",
            "--",
            "name=milk",
            "text=x",
            "5ea7eb29",
        ],
        "usage",
        "approval id stands behind --",
        "hcpx exec --confirm 5ea7eb29",
    ),
    (
        &["exec", "notes", "add", "--", "5ea7eb29"],
        "usage",
        "approval id stands behind --",
        "hcpx exec --confirm 5ea7eb29",
    ),
    (
        &["exec", "notes\u{1b}[31m", "add\u{202e}"],
        "unknown_pack",
        "notes\\u{1b}[31m",
        "",
    ),
    (
        &["exec", "notes", "add\u{202e}"],
        "unknown_command",
        "add\\u{202e}",
        "",
    ),
    (&["frob\u{1b}[31m"], "usage", "frob\\u{1b}[31m", ""),
];

#[test]
fn wrong_words_run_and_change_nothing() {
    let world = world();
    let before = store_of(&world);
    for (words, code, message, hint) in WORDS {
        let answer = world.person(words);
        answer.expect_code(code);
        let told = answer.text("message");
        assert!(told.contains(message), "hcpx {}: {told}", answer.words);
        let told = answer.text("hint");
        assert!(told.contains(hint), "hcpx {}: {told}", answer.words);
        expect_plain(&answer.stdout);
        assert_eq!(store_of(&world), before, "hcpx {}", answer.words);
    }
    let verified = world.person(&["audit", "verify"]);
    verified.expect_code("ok");
}

#[test]
fn people_read_the_same_in_plain_lines() {
    let world = world();
    for words in [
        &["--text", "exec", "notes\u{1b}[31m", "x"][..],
        &["--text", "frob\u{1b}]0;x\u{7}"],
        &["--text", "allow", "a\u{202e}b"],
        &["--text", "mode", "fast\u{9b}1m"],
    ] {
        let answer = world.person(words);
        assert_eq!(answer.exit, 2, "{}", answer.stderr);
        assert!(
            answer.stdout.is_empty() && answer.stderr.starts_with("error: "),
            "{answer:?}"
        );
        expect_plain(&answer.stderr);
    }
    put(
        &world.store().join("access.json"),
        b"{\n  \"mdoe\": \"run\"\n}",
    );
    let answer = world.person(&["--text", "mode"]);
    assert_eq!(answer.exit, 6);
    let place = format!("{}:2:3: ", world.store().join("access.json").display());
    assert!(answer.stderr.contains(&place), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("did you mean \"mode\"?"),
        "{}",
        answer.stderr
    );
}

fn with(world: &World, who: Who, variables: &[(&str, &str)], words: &[&str]) -> Answer {
    let mut command = world.command(who);
    command.envs(variables.iter().copied());
    Answer::of(words, command.args(words).output().unwrap())
}

#[test]
fn wrong_variables_stop_every_call() {
    let world = world();
    let before = store_of(&world);
    let file = world
        .store()
        .join("packs.lock.json")
        .to_string_lossy()
        .into_owned();
    let below = format!("{file}/deeper");
    let rows: &[(&str, &str, &str, &str)] = &[
        (
            "HCP_MODE",
            "fast",
            "HCP_MODE:1:1: \"fast\" is no mode",
            "run, auto, manual",
        ),
        (
            "HCP_MODE",
            "Run",
            "\"Run\" is no mode",
            "did you mean \"run\"?",
        ),
        ("HCP_MODE", " run", "\" run\" is no mode", ""),
        ("HCP_MODE", "run\u{1b}[1m", "run\\u{1b}[1m", ""),
        (
            "HCP_APPROVALS",
            "robot",
            "HCP_APPROVALS:1:1: \"robot\"",
            "agent, human",
        ),
        (
            "HCP_HOME",
            "relative",
            "HCP_HOME must be an absolute path",
            "begins with /",
        ),
        (
            "HCP_HOME",
            &file,
            "is no folder",
            "set HCP_HOME to a folder",
        ),
        (
            "HCP_HOME",
            &below,
            "is no folder",
            "set HCP_HOME to a folder",
        ),
        (
            "HCP_PROJECT",
            "relative",
            "HCP_PROJECT must be an absolute path",
            "",
        ),
        (
            "HCP_PROJECT",
            "/nowhere/at/all",
            "the project cannot be read",
            "unset it",
        ),
    ];
    for (name, value, message, help) in rows {
        for words in [&WRITE[..], &["mode"], &["deny", "notes.delete"]] {
            let answer = with(&world, Who::Person, &[(name, value)], words);
            answer.expect_code("access_invalid");
            let whole = answer.text("message") + &answer.text("hint");
            assert!(
                whole.contains(message) && whole.contains(help),
                "{name}={value}: {whole}"
            );
            expect_plain(&answer.stdout);
        }
    }
    assert_eq!(store_of(&world), before);
    // An empty variable is as if it were not there.
    let empty = [("HCP_MODE", ""), ("HCP_APPROVALS", ""), ("HCP_PROJECT", "")];
    with(&world, Who::Person, &empty, &WRITE).expect_code("ok");
}

#[test]
fn what_comes_by_standard_input_is_held_to_the_same() {
    let world = world();
    let before = store_of(&world);
    let long = format!("{{\"name\":\"milk\",\"text\":\"{}\"}}", "x".repeat(200_000));
    let huge = format!(
        "{{\"name\":\"milk\",\"text\":\"{}\"}}",
        "x".repeat(17 << 20)
    );
    let nested = format!("{{\"name\":{}1{}}}", "[".repeat(70), "]".repeat(70));
    let rows: &[(&str, &[u8], &str)] = &[
        ("a word of 200 kB", long.as_bytes(), "131072"),
        ("17 MiB", huge.as_bytes(), "16 MiB"),
        ("no UTF-8", b"{\"name\":\"\xff\"}", "not UTF-8"),
        ("a byte order mark", b"\xef\xbb\xbf{}", "byte order mark"),
        ("too deep", nested.as_bytes(), "deeper"),
        ("not an object", b"\"name\"", "one JSON object"),
    ];
    for (what, bytes, message) in rows {
        for verb in ["exec", "preview"] {
            let words = [verb, "notes", "add", "--args", "-"];
            let mut child = world
                .command(Who::Agent)
                .args(words)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // It may stop reading before the end.
            let _ = child.stdin.take().unwrap().write_all(bytes);
            let answer = Answer::of(&words, child.wait_with_output().unwrap());
            answer.expect_code("invalid_args");
            let told = answer.text("message");
            assert!(told.contains(message), "{verb} {what}: {told}");
        }
    }
    assert_eq!(store_of(&world), before);
}
