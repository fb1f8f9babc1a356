//! Values that try to deceive, through the real program: whatever it prints, for a person or for a program, holds
//! no character that is not plainly visible.

use crate::HCPX;
use hcp_core::text::{is_unsafe, safe_prose, units, width};
use hcp_testkit::{Answer, Who, World};

/// Units and columns of the values to a call: the card shows so much whole.
const BATCH: usize = 900;

/// Whole sequences that stand in texts as they are.
const WHOLE: &[&str] = &[
    "می\u{200c}خ",
    "क्\u{200d}ष",
    "র\u{200d}্য",
    "ශ්\u{200d}ර",
    "ꦥ꧀\u{200d}ꦥ",
    "👩\u{200d}👩\u{200d}👧\u{200d}👦",
    "👩\u{200d}💻",
    "❤\u{fe0f}",
    "1\u{fe0f}\u{20e3}",
    "🏳\u{fe0f}\u{200d}🌈",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
];

/// The table of the card's own tests, in batches, without NUL, which no word of a process can hold.
fn batches() -> Vec<String> {
    let values: Vec<String> = include_str!("../../../hcp-card/tests/data/hostile.txt")
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(unescaped)
        .filter(|value| !value.contains('\0'))
        .collect();
    assert!(values.len() >= 200);
    let mut batches = vec!["x".to_owned()];
    for value in values {
        let batch = batches.last_mut().unwrap();
        let longer = format!("{batch}|{value}");
        let shown = safe_prose(&longer);
        if units(shown.as_str()).len() <= BATCH && width(shown.as_str()) <= 2 * BATCH {
            *batch = longer;
        } else {
            batches.push(format!("x|{value}"));
        }
    }
    batches
}

fn unescaped(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next().unwrap() {
            'u' => {
                let digits: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
            }
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            c => c,
        });
    }
    out
}

fn assert_visible(answer: &Answer) {
    let mut printed = format!("{}{}", answer.stdout, answer.stderr);
    let unseen = |c: char| c != '\n' && is_unsafe(c);
    if !printed.contains(unseen) {
        return;
    }
    for whole in WHOLE {
        printed = printed.replace(whole, "");
    }
    let left: Vec<char> = printed.chars().filter(|c| unseen(*c)).collect();
    assert!(left.is_empty(), "{left:?} in {}\n{printed}", answer.words);
}

#[test]
fn nothing_invisible_is_printed_whatever_a_call_holds() {
    let batches = batches();
    // Most of the time goes by in waiting for other processes.
    std::thread::scope(|scope| {
        for part in batches.chunks(batches.len().div_ceil(4)) {
            scope.spawn(move || part.iter().for_each(|batch| ask_with(batch)));
        }
    });
}

fn ask_with(batch: &str) {
    // Of one command only so many requests may wait, or be refused, in one store.
    let world = World::with_packs(HCPX, &["ledger"]);
    let memo = format!("memo={batch}");
    let payee = format!("payee={batch}");
    let call = ["ledger", "transfer", "--", "amount=2.80"];
    let with = |verb: &[&str], given: &[&str]| -> Answer {
        let words: Vec<&str> = verb.iter().chain(&call).chain(given).copied().collect();
        world.agent(&words)
    };
    for look in ["--text", "--json"] {
        let shown = with(&["preview", look], &["payee=demo-transit", &memo]);
        assert_eq!(shown.exit, 0, "{}", shown.stderr);
        assert_visible(&shown);
    }
    assert_visible(&with(&["preview", "--text"], &[&payee]));
    assert_visible(&with(&["explain", "--text"], &[&payee]));
    let request = with(&["exec", "--json"], &["payee=demo-transit", &memo]);
    request.expect_code("confirm_required");
    assert_visible(&request);
    for look in ["--text", "--json"] {
        let waiting = world.person(&["approvals", look]);
        assert!(waiting.stdout.contains("transfer"), "{}", waiting.stdout);
        assert_visible(&waiting);
    }
    for words in [
        &["reject", &request.text("approval_id"), "--text"][..],
        &["audit", "--text"],
        &["audit", "--json"],
    ] {
        assert_visible(&world.person(words));
    }
}

#[test]
fn nothing_invisible_is_printed_when_names_and_words_are_refused() {
    let world = World::with_packs(HCPX, &["notes"]);
    for batch in batches() {
        for words in [
            &["exec", batch.as_str(), "x", "--text"][..],
            &["exec", "notes", batch.as_str(), "--json"],
            &[
                "exec",
                "notes",
                "add",
                "--text",
                "--",
                &format!("{batch}=1"),
            ],
            &["approve", batch.as_str(), "--text"],
            &["allow", batch.as_str(), "--text"],
        ] {
            let refused = world.person(words);
            assert_ne!(refused.exit, 0, "{words:?}");
            assert_visible(&refused);
        }
    }
}

/// Folders and files have names of somebody else's choice, and a pack has its texts.
#[test]
fn nothing_invisible_is_printed_of_folders_files_and_packs() {
    const HOSTILE: &str = "a\u{1b}[2J\u{202e}\n  amount  1.00\u{2800}";
    let json = |text: &str| hcp_core::json::Value::from(text).to_string();
    let world = World::new(HCPX);
    let name = json(&format!("Box {HOSTILE}"));
    world.write(
        "packs/box/pack.json",
        &format!(r#"{{ "id": "box", "name": {name}, "version": "1.0.0", "summary": {name} }}"#),
    );
    world.write(
        "packs/box/policy.json",
        r#"{ "commands": { "put": { "operation": "write", "confirm": "ask", "scope": "cwd" } } }"#,
    );
    world.write(
        "packs/box/surface.json",
        &format!(
            r#"{{ "commands": {{ "put": {{ "description": {name}, "cli": ["true", "--file={{{{file}}}}"],
                "args": {{ "type": "object", "properties": {{ "file": {{ "type": "string", "format": "path" }} }} }} }} }} }}"#
        ),
    );
    let source = world.root().join("packs/box");
    let installed = world.person(&["install", source.to_str().unwrap(), "--text"]);
    assert_visible(&installed);
    assert_eq!(installed.exit, 0, "{}", installed.stderr);
    let folder = world.work().join(HOSTILE);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join(HOSTILE), "x").unwrap();
    let file = format!("file={HOSTILE}");
    for (verb, look) in [
        ("preview", "--text"),
        ("preview", "--json"),
        ("exec", "--json"),
        ("explain", "--text"),
    ] {
        let words = [verb, look, "box", "put", "--", &file];
        let output = world
            .command(Who::Agent)
            .current_dir(&folder)
            .args(words)
            .output()
            .unwrap();
        let answer = Answer::of(&words, output);
        assert_visible(&answer);
        if look == "--text" {
            let forged = answer.stdout.lines().any(|l| l.starts_with("  amount"));
            assert!(!forged, "{}", answer.stdout);
        }
    }
    for words in [
        &["approvals", "--text"][..],
        &["commands", "--text"],
        &["packs", "--text"],
    ] {
        assert_visible(&world.person(words));
    }
}
