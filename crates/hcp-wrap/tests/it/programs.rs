//! What the drafts of real programs hold.

use crate::recorded::{Recorded, draft};
use hcp_core::json::Value;
use hcp_wrap::{Bounds, Draft, Family, Only, walk};

const PROGRAMS: &[(&str, Family)] = &[
    ("git", Family::Git),
    ("gh", Family::Cobra),
    ("cargo", Family::Clap),
    ("npm", Family::Npm),
    ("docker", Family::Cobra),
    ("kubectl", Family::Cobra),
    ("terraform", Family::GoFlag),
    ("venv", Family::Argparse),
    ("flask", Family::Click),
    ("grep", Family::Getopt),
];

/// A command as it is written: its Policy, its command line, and the types of its arguments.
fn shown(draft: &Draft, name: &str) -> String {
    let entry = |file: &Value| {
        file.as_object()?
            .get("commands")?
            .as_object()?
            .get(name)
            .cloned()
    };
    let surface = entry(&draft.surface).unwrap_or_else(|| panic!("no {name}"));
    let policy = entry(&draft.policy).unwrap();
    let surface = surface.as_object().unwrap();
    let words: Vec<&str> = surface
        .get("cli")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w.as_str().unwrap())
        .collect();
    let args = surface.get("args").and_then(Value::as_object);
    let list = |key: &str| {
        args.and_then(|a| a.get(key))
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    format!("{} | {} | {}", policy, words.join(" "), list("required"))
}

#[test]
fn each_family_is_told() {
    for (program, family) in PROGRAMS {
        let mut recorded = Recorded::of(program);
        let tool = walk(program, &Only::default(), &Bounds::default(), &mut recorded).unwrap();
        assert_eq!(tool.family(), *family, "{program}");
    }
}

#[test]
fn every_draft_is_a_pack_that_says_what_each_thing_is() {
    for (program, _) in PROGRAMS {
        let (_, pack) = draft(program);
        for command in pack.commands.values() {
            assert!(!command.description.is_empty());
            assert!(command.arguments.iter().all(|a| !a.description.is_empty()));
        }
    }
}

#[test]
fn only_named_words_and_help_are_run() {
    let own = [
        "--help",
        "-h",
        "__complete",
        "",
        "-",
        "--list",
        "--git-completion-helper",
    ];
    for (program, _) in PROGRAMS {
        let mut recorded = Recorded::of(program);
        walk(program, &Only::default(), &Bounds::default(), &mut recorded).unwrap();
        for word in recorded.asked.iter().flatten() {
            let plain = word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.:+".contains(&b));
            let option = word.starts_with('-');
            let known = own.contains(&word.as_str()) || word.starts_with("--list-cmds=");
            assert!(known || (plain && !option), "{program} {word}");
        }
    }
}

#[test]
fn commands_as_they_are_written() {
    let mut drafts: Vec<(&str, Draft)> = Vec::new();
    for (program, command, wanted) in ROWS {
        if !drafts.iter().any(|(known, _)| known == program) {
            drafts.push((program, draft(program).0));
        }
        let (_, draft) = drafts.iter().find(|(known, _)| known == program).unwrap();
        assert_eq!(shown(draft, command), *wanted, "{program}.{command}");
    }
}

include!("rows.rs");
