//! What stands behind the paths of a call: a yes binds the files that the tool will read, wherever it reads them from.

use crate::pipeline::{Rig, outside};
use hcp::{CallResult, Code, Hcp, Pack};
use hcp_core::json::Value;
use hcp_pack::PackFiles;
use std::fs;
use std::path::Path;

/// A tool that goes into a folder of its caller's choice, and that reads one file and several.
fn tool() -> Pack {
    Pack::read(&PackFiles {
        pack: br#"{ "id": "tool", "name": "Tool", "version": "1", "summary": "Reads files." }"#.to_vec(),
        surface: br#"{
            "globals": { "cli": ["-C", "{{dir}}"], "args": { "type": "object", "properties": {
                "dir": { "type": "string", "format": "path", "x-cwd": true } } } },
            "commands": { "apply": {
              "description": "Apply files.",
              "cli": ["tool", "apply", "--file={{file}}", "--loose={{loose}}", "--", "{{more}}"],
              "args": { "type": "object", "properties": {
                "file": { "type": "string", "format": "path" },
                "loose": { "type": "string", "format": "path", "x-content": false },
                "more": { "type": "array", "items": { "type": "string", "format": "path" } } } } } } }"#
            .to_vec(),
        policy: br#"{ "commands": { "apply": { "operation": "write", "confirm": "ask", "scope": "cwd" } } }"#
            .to_vec(),
        ..PackFiles::default()
    })
    .unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn host(rig: &Rig, cwd: &Path) -> Hcp {
    let hcp = outside(rig.builder("{}").packs([tool()]).build().unwrap());
    let mut inner = hcp.pipeline().clone();
    inner.scope.cwd = cwd.to_owned();
    Hcp::from(inner)
}

fn apply(hcp: &Hcp, args: &str) -> CallResult {
    pollster::block_on(hcp.exec("tool", "apply", args)).unwrap()
}

/// Asks, has a yes, lets something happen, and runs the same call again.
fn after_a_yes(cwd: &Path, args: &str, then: impl FnOnce()) -> Code {
    let rig = Rig::new();
    let hcp = host(&rig, cwd);
    let asked = apply(&hcp, args);
    assert_eq!(asked.code, Code::ConfirmRequired, "{}", asked.message);
    rig.approve(&asked.approval.unwrap().approval_id.unwrap());
    then();
    apply(&hcp, args).code
}

#[test]
fn a_yes_binds_the_files_that_the_tool_reads() {
    for args in [
        r#"{ "file": "a" }"#,
        r#"{ "more": ["b", "a"] }"#,
        r#"{ "dir": "sub", "file": "../a" }"#,
        // The tool reads its paths from the folder that it goes into.
        r#"{ "dir": "sub", "file": "inner" }"#,
        r#"{ "dir": "sub", "more": ["inner"] }"#,
        r#"{ "dir": "link", "file": "inner" }"#,
    ] {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path();
        fs::create_dir(cwd.join("sub")).unwrap();
        std::os::unix::fs::symlink("sub", cwd.join("link")).unwrap();
        for file in ["a", "b", "sub/inner"] {
            fs::write(cwd.join(file), "as it was").unwrap();
        }
        assert_eq!(after_a_yes(cwd, args, || {}), Code::Ok, "{args}");
        let changed = || {
            let file = if args.contains("inner") {
                "sub/inner"
            } else {
                "a"
            };
            fs::write(cwd.join(file), "another").unwrap();
        };
        assert_eq!(
            after_a_yes(cwd, args, changed),
            Code::ConfirmRequired,
            "{args}"
        );
    }
}

#[test]
fn a_link_that_leads_elsewhere_is_another_file_and_loose_content_is_not() {
    let home = tempfile::tempdir().unwrap();
    let cwd = home.path();
    for file in ["a", "b"] {
        fs::write(cwd.join(file), "the same").unwrap();
    }
    let link = |to: &str| {
        let _ = fs::remove_file(cwd.join("link"));
        std::os::unix::fs::symlink(to, cwd.join("link")).unwrap();
    };
    for args in [r#"{ "file": "link" }"#, r#"{ "loose": "link" }"#] {
        link("a");
        assert_eq!(
            after_a_yes(cwd, args, || link("b")),
            Code::ConfirmRequired,
            "{args}"
        );
        assert_eq!(
            after_a_yes(cwd, args, || fs::remove_file(cwd.join("link")).unwrap()),
            Code::ConfirmRequired,
            "{args}"
        );
    }
    link("a");
    let written = || fs::write(cwd.join("a"), "another").unwrap();
    assert_eq!(
        after_a_yes(cwd, r#"{ "loose": "link" }"#, written),
        Code::Ok
    );
}

#[test]
fn the_card_says_where_the_call_acts_and_what_is_there() {
    let home = tempfile::tempdir().unwrap();
    let cwd = home.path().canonicalize().unwrap();
    fs::create_dir(cwd.join("sub")).unwrap();
    fs::write(cwd.join("sub/inner"), "four").unwrap();
    let rig = Rig::new();
    let hcp = host(&rig, &cwd);
    for (args, folder, file) in [
        (r#"{ "file": "inner" }"#, cwd.clone(), "absent"),
        (
            r#"{ "dir": "sub", "file": "inner" }"#,
            cwd.join("sub"),
            "file, 4 bytes",
        ),
        (
            r#"{ "dir": "sub/..", "file": "sub/inner" }"#,
            cwd.clone(),
            "file, 4 bytes",
        ),
    ] {
        let request = *apply(&hcp, args).approval.unwrap();
        let folder = folder.display().to_string();
        assert_eq!(
            request.to_object().get("in").and_then(Value::as_str),
            Some(folder.as_str()),
            "{args}"
        );
        let row = request
            .card
            .files
            .iter()
            .find(|row| row.argument == "file")
            .unwrap();
        assert!(row.words.starts_with(file), "{args}: {}", row.words);
    }
}
