use super::*;
use crate::walk::testing::tool;

/// A draft from a help text.
fn draft(help: &str) -> Draft {
    Draft::make(&tool("tool", &[(&["--help"], help)])).unwrap()
}

const OLD: &str =
    "Usage: tool [OPTION]... FILE\n\n  -f, --force   overwrite\n      --dry-run   show only\n";
const NEW: &str = "Usage: tool [OPTION]... FILE\n\n  -f, --force   overwrite\n      --dry-run   show only\n      --fast   be fast\n";

fn update(new: Draft, old: &Draft, edit: impl Fn(&str, String) -> String) -> Update {
    let memory = Memory::parse(&Memory::of(old).to_text()).unwrap();
    let texts: Vec<String> = old
        .files()
        .into_iter()
        .map(|(name, text)| edit(name, text))
        .collect();
    Update::make(
        new,
        [&texts[0], &texts[1], &texts[2]],
        Some(&texts[3]),
        &memory,
    )
    .unwrap()
}

#[test]
fn what_a_person_left_alone_is_written_anew() {
    let old = draft(OLD);
    let done = update(draft(NEW), &old, |_, text| text);
    assert_eq!(done.changed, ["run"]);
    assert_eq!(done.draft.surface, draft(NEW).surface);
    let again = update(old.clone(), &old, |_, text| text);
    assert!(again.changed.is_empty() && again.kept.is_empty() && again.added.is_empty());
    assert_eq!(again.draft.files()[..4], old.files()[..4]);
}

#[test]
fn what_a_person_changed_stays() {
    let old = draft(OLD);
    let done = update(draft(NEW), &old, |name, text| match name {
        "surface.json" => text.replace("show only", "only show"),
        "policy.json" => text.replace("\"ask\"", "\"always\""),
        "SKILL.md" => "mine\n".to_owned(),
        _ => text,
    });
    assert_eq!(done.kept, ["run"]);
    let surface = done.draft.surface.to_string();
    assert!(
        surface.contains("only show") && !surface.contains("fast"),
        "{surface}"
    );
    assert!(done.draft.policy.to_string().contains("always"));
    assert_eq!(done.draft.skill, "mine\n");
    // The next time the program says the same, there is nothing to tell.
    let files = done.draft.files();
    let again = Update::make(
        draft(NEW),
        [&files[0].1, &files[1].1, &files[2].1],
        None,
        &done.memory,
    )
    .unwrap();
    assert!(again.kept.is_empty() && again.changed.is_empty());
}

#[test]
fn other_spellings_that_a_person_wrote_stay() {
    let tool = |row: &str| {
        let top = format!("Usage: tool COMMAND\n\nCommands:\n  list   Show all\n{row}");
        let own = "Usage: tool list [OPTION]...\n";
        let more = "Usage: tool drop [OPTION]...\n";
        let answers: [(&[&str], &str); 3] = [
            (&["--help"], &top),
            (&["list", "--help"], own),
            (&["drop", "--help"], more),
        ];
        Draft::make(&tool("tool", &answers)).unwrap()
    };
    let done = update(tool("  drop   Remove one\n"), &tool(""), |name, text| {
        if name != "surface.json" {
            return text;
        }
        text.replacen('{', r#"{ "spellings": { "list": ["ls"] },"#, 1)
    });
    assert_eq!(done.added, ["drop"]);
    let surface = done.draft.surface.to_string();
    assert!(
        surface.contains(r#""spellings":{"list":["ls"]}"#),
        "{surface}"
    );
}

#[test]
fn new_commands_come_and_lost_ones_are_told() {
    let many = |names: &[&str]| {
        let rows: String = names
            .iter()
            .map(|n| format!("  {n}   Show {n}\n"))
            .collect();
        let top = format!("Usage: tool COMMAND\n\nCommands:\n{rows}");
        let own: Vec<(Vec<&str>, String)> = names
            .iter()
            .map(|n| {
                (
                    vec![*n, "--help"],
                    format!("Usage: tool {n} [OPTION]... FILE\n"),
                )
            })
            .collect();
        let mut answers: Vec<(&[&str], &str)> = vec![(&["--help"], &top)];
        answers.extend(own.iter().map(|(w, t)| (w.as_slice(), t.as_str())));
        Draft::make(&tool("tool", &answers)).unwrap()
    };
    let old = many(&["aa", "bb", "cc"]);
    // A person took `bb` out.
    let done = update(many(&["aa", "bb", "dd"]), &old, |name, text| {
        if !name.ends_with("e.json") && name != "policy.json" {
            return text;
        }
        let mut file = parse(&text, Limits::default())
            .unwrap()
            .to_value()
            .as_object()
            .cloned()
            .unwrap();
        let mut commands = file.get("commands").unwrap().as_object().cloned().unwrap();
        commands.remove("bb");
        file.insert("commands", commands);
        Value::Object(file).to_string()
    });
    assert_eq!(done.added, ["dd"]);
    assert_eq!(done.vanished, ["cc"]);
    let pack = done.draft.read().unwrap();
    let names: Vec<&str> = pack.commands.keys().map(|n| n.as_str()).collect();
    assert_eq!(names, ["aa", "cc", "dd"]);
}
