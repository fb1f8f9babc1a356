//! Files that are too large, too deep, or no text.

use crate::support::files;
use hcp_pack::{Pack, PackFiles};

fn faults(files: &PackFiles) -> Vec<String> {
    match Pack::read(files) {
        Ok(_) => Vec::new(),
        Err(all) => all.iter().map(ToString::to_string).collect(),
    }
}

fn good() -> PackFiles {
    let files = files(
        r#"{"commands": {"go": {"cli": ["go"]}}}"#,
        r#"{"commands": {"go": {}}}"#,
    );
    assert_eq!(faults(&files), Vec::<String>::new());
    files
}

#[test]
fn a_file_has_at_most_4_mib_and_64_levels() {
    let mut files = good();
    files.surface = format!("{{\"zzz\": \"{}\"}}", "x".repeat(4 << 20)).into();
    files.policy = format!("{{\"commands\":\n{}", "[".repeat(70)).into();
    assert_eq!(
        faults(&files),
        [
            "shop/surface.json:1:1: the text has 4194315 bytes, more than the 4194304 allowed \
             (split it, or take out what is not needed)",
            "shop/policy.json:2:64: values nest deeper than 64 levels (flatten the value)",
        ]
    );
}

#[test]
fn files_are_utf8() {
    let mut files = good();
    files.skill = Some(b"ab\n\xff".to_vec());
    assert_eq!(
        faults(&files),
        ["shop/SKILL.md:2:1: this is not UTF-8 text (save the file as UTF-8)"]
    );
    files.skill = None;
    files.policy = b"{\"a\": \"\xff\"}".to_vec();
    files.pack = b"{\"id\": 5".to_vec();
    files.folder = String::new();
    assert_eq!(
        faults(&files),
        [
            "pack.json:1:9: the text ends where a comma or } should stand (the text was cut, or a bracket is not closed)",
            "policy.json:1:8: this is not UTF-8 text (save the file as UTF-8)",
        ]
    );
}

#[test]
fn large_packs_are_read_in_fair_time() {
    let many = |one: &dyn Fn(usize) -> String| -> String {
        (0..20_000).map(one).collect::<Vec<_>>().join(",")
    };
    let commands = many(&|n| format!("\"c{n}\": {{\"cli\": [\"go\"]}}"));
    let mut files = good();
    files.surface = format!("{{\"commands\": {{{commands}}}}}").into();
    files.policy = format!(
        "{{\"commands\": {{{}}}}}",
        many(&|n| format!("\"c{n}\": {{}}"))
    )
    .into();
    assert_eq!(Pack::read(&files).unwrap().commands.len(), 20_000);
    let properties = many(&|n| format!("\"a{n}\": {{}}"));
    files.surface = format!(
        "{{\"commands\": {{\"go\": {{\"cli\": [\"go\"], \"args\": {{\"properties\": {{{properties}}}}}}}}}}}"
    )
    .into();
    let all = faults(&files);
    assert!(
        all.iter()
            .any(|f| f.contains("these are more than 1000 arguments"))
    );
}
