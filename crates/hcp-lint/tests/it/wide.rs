//! Large packs, levels, and what the answer for programs holds.

use crate::support::files;
use hcp_lint::{Level, Surroundings, check, find, refusals, report};
use hcp_pack::Pack;

/// A pack of so many commands, each with findings.
fn large(count: usize) -> hcp_pack::PackFiles {
    let mut surface = Vec::new();
    let mut policy = Vec::new();
    for n in 0..count {
        surface.push(format!(
            r#"    "note{n}_delete": {{
      "description": "Delete note {n}.",
      "cli": ["notes", "note{n}", "delete", "--force", "{{{{name}}}}", "--at={{{{at}}}}"],
      "args": {{ "properties": {{ "name": {{ "type": "string" }}, "at": {{ "type": "string", "description": "When" }} }} }}
    }}"#
        ));
        policy.push(format!(r#"    "note{n}_delete": {{ "undo": "no" }}"#));
    }
    files(
        &format!(
            "{{\n  \"commands\": {{\n{}\n  }}\n}}\n",
            surface.join(",\n")
        ),
        &format!("{{\n  \"commands\": {{\n{}\n  }}\n}}\n", policy.join(",\n")),
    )
}

#[test]
fn a_thousand_commands_are_checked_and_mended() {
    let files = large(1000);
    let checked = check(&files, &Surroundings::default());
    assert_eq!(
        checked.findings.iter().filter(|f| f.code == "P003").count(),
        1000
    );
    let last = checked.findings.iter().rfind(|f| f.code == "M007").unwrap();
    assert_eq!(last.place.line, 2 + 1000 * 5 - 1);
    let fixed = hcp_lint::fix(&files, &Surroundings::default());
    assert!(
        check(&fixed.files, &Surroundings::default())
            .findings
            .iter()
            .all(|f| f.fix.is_none())
    );
}

#[test]
fn levels_can_be_given_and_the_last_word_counts() {
    let files = large(1);
    let with = |levels: Vec<(&'static str, Option<Level>)>| {
        let around = Surroundings {
            levels,
            ..Surroundings::default()
        };
        let found = check(&files, &around).findings;
        found.iter().find(|f| f.code == "P003").map(|f| f.level)
    };
    assert_eq!(with(Vec::new()), Some(Level::Warning));
    assert_eq!(with(vec![("P003", Some(Level::Error))]), Some(Level::Error));
    assert_eq!(with(vec![("P003", None)]), None);
    assert_eq!(
        with(vec![("P003", None), ("P003", Some(Level::Note))]),
        Some(Level::Note)
    );
    // What the loader refuses cannot be switched off.
    let broken = find("M001").unwrap().failing.files();
    let around = Surroundings {
        levels: vec![("M001", None)],
        ..Surroundings::default()
    };
    let told = check(&broken, &around).findings;
    assert!(
        told.iter()
            .any(|f| f.code == "M001" && f.level == Level::Error)
    );
}

#[test]
fn only_errors_of_family_m_refuse_an_install() {
    for lint in hcp_lint::ALL {
        let files = lint.failing.files();
        let Ok(pack) = Pack::read(&files) else {
            assert!(
                lint.level == Level::Error || lint.code == "M009",
                "{}",
                lint.code
            );
            continue;
        };
        let refused: Vec<String> = refusals(&files, &pack)
            .iter()
            .map(ToString::to_string)
            .collect();
        let wanted = lint.level == Level::Error && lint.code.starts_with('M');
        assert_eq!(!refused.is_empty(), wanted, "{}: {refused:?}", lint.code);
        assert!(
            refused.iter().all(|text| text.contains(lint.code)),
            "{refused:?}"
        );
    }
}

#[test]
fn the_answer_for_programs_is_one_object() {
    let checked = [check(&large(2), &Surroundings::default())];
    let loose = report(&checked, false);
    assert_eq!(loose.get("ok").and_then(|v| v.as_bool()), Some(true));
    assert_eq!(
        report(&checked, true).get("ok").and_then(|v| v.as_bool()),
        Some(false)
    );
    let first = loose.get("findings").unwrap().as_array().unwrap()[0]
        .as_object()
        .unwrap()
        .clone();
    let keys: Vec<&str> = first.keys().collect();
    for key in [
        "code",
        "level",
        "message",
        "help",
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "pack",
        "command",
    ] {
        assert!(keys.contains(&key), "{key}");
    }
    assert_eq!(loose.get("errors").and_then(|v| v.as_u64()), Some(0));
}

#[test]
fn a_command_that_only_tries_is_held_to_nothing_it_would_do() {
    let found = |cli: &str, args: &str| {
        let files = files(
            &format!(
                r#"{{ "commands": {{ "go": {{ "description": "Publish it.", "cli": {cli}, "args": {{ "properties": {{ {args} }} }} }} }} }}"#
            ),
            r#"{ "commands": { "go": { "operation": "write" } } }"#,
        );
        let found = check(&files, &Surroundings::default()).findings;
        found.iter().any(|f| f.code == "P004")
    };
    let dry = r#""dry": { "type": "boolean", "description": "Only try" }"#;
    assert!(found(r#"["shop", "publish"]"#, ""));
    assert!(!found(r#"["shop", "publish", "--dry-run|-n"]"#, ""));
    // An option that a call may leave out makes no call harmless, nor does a word behind `--`.
    assert!(found(r#"["shop", "publish", "--dry-run", "{{dry}}"]"#, dry));
    assert!(found(r#"["shop", "publish", "--", "--dry-run"]"#, ""));
}
