//! Packs with faults, each with the exact place, message and way out.

use crate::support::files;
use hcp_pack::{Pack, PackFiles};

const SURFACE: &str = r#"{"commands": {"go": {"cli": ["go", "--force", "{{force}}"], "args": {"properties": {"force": {"type": "boolean"}}}}}}"#;

/// The pack with one file replaced.
fn with(file: &str, content: &str) -> PackFiles {
    let good = files(SURFACE, r#"{"commands": {"go": {}}}"#);
    let content = content.as_bytes().to_vec();
    match file {
        "pack" => PackFiles {
            pack: content,
            ..good
        },
        "surface" => PackFiles {
            surface: content,
            ..good
        },
        _ => PackFiles {
            policy: content,
            ..good
        },
    }
}

/// Each diagnostic on a line: file, line, column, message, and the way out in brackets.
fn faults(files: &PackFiles) -> String {
    let all: Vec<String> = match Pack::read(files) {
        Ok(_) => Vec::new(),
        Err(all) => all.iter().map(ToString::to_string).collect(),
    };
    all.join("\n")
}

#[test]
fn the_pack_they_vary_is_good() {
    assert_eq!(faults(&files(SURFACE, r#"{"commands": {"go": {}}}"#)), "");
}

#[test]
fn every_fault_is_located() {
    let wrong: Vec<String> = TABLE
        .iter()
        .map(|(file, content, wanted)| (content, faults(&with(file, content)), wanted))
        .filter(|(_, got, wanted)| got != *wanted)
        .map(|(content, got, wanted)| format!("{content}\n got {got}\nwant {wanted}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fault_of_a_spelling_is_located() {
    let policy = r#"{"commands": {"go": {}, "get": {}, "ls": {}}}"#;
    for (spellings, wanted) in SPELLINGS {
        let surface = format!(
            r#"{{"commands": {{"go": {{"cli": ["p", "go", "up"]}}, "get": {{"cli": ["p", "get"]}}, "ls": {{"cli": ["p", "box", "ls"]}}}},
"spellings": {spellings}}}"#
        );
        assert_eq!(faults(&files(&surface, policy)), *wanted, "{spellings}");
    }
    // Where a command has faults of its own, nothing is said of keys that may mean it.
    let surface = r#"{"spellings": {"go": ["g"]}, "commands": {"go": {"cli": ["p", "go", "{{"]}}}"#;
    assert_eq!(
        faults(&with("surface", surface)),
        "shop/surface.json:1:69: a placeholder is not closed (write it like {{name}})"
    );
}

#[rustfmt::skip]
const TABLE: &[(&str, &str, &str)] = &[
    // The files themselves.
    (
        "pack",
        r#""#,
        r#"shop/pack.json:1:1: pack.json is missing or empty (a pack has pack.json, surface.json and policy.json)"#,
    ),
    (
        "surface",
        r#""#,
        r#"shop/surface.json:1:1: surface.json is missing or empty (a pack has pack.json, surface.json and policy.json)"#,
    ),
    (
        "policy",
        r#""#,
        r#"shop/policy.json:1:1: policy.json is missing or empty (a pack has pack.json, surface.json and policy.json)"#,
    ),
    (
        "pack",
        r#"[]"#,
        r#"shop/pack.json:1:1: pack.json must be an object, and this is an array"#,
    ),
    (
        "pack",
        r#"{"id": "shop",}"#,
        r#"shop/pack.json:1:15: a comma stands before the } (take the comma out)"#,
    ),
    (
        "surface",
        r#"{"commands": {}, "commands": {}}"#,
        r#"shop/surface.json:1:18: the key "commands" stands twice in this object (keep one of the two: readers differ in which one they take)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {}}} x"#,
        r#"shop/policy.json:1:26: there is more text after the value (keep one JSON value)"#,
    ),
    (
        "pack",
        "\u{feff}{}",
        r#"shop/pack.json:1:1: the text begins with a byte order mark (save it as UTF-8 without a byte order mark)"#,
    ),
    (
        "surface",
        r#"{'commands': {}}"#,
        r#"shop/surface.json:1:2: "'" stands where a key in double quotes should stand (keys stand in double quotes)"#,
    ),
    (
        "surface",
        "{\n  \"commands\": {\n    \"go\": {\"cli\": [\"go\"], \"cli\": [\"stop\"]}\n  }\n}",
        r#"shop/surface.json:3:27: the key "cli" stands twice in this object (keep one of the two: readers differ in which one they take)"#,
    ),
    // pack.json.
    (
        "pack",
        r#"{"id": "shop", "name": "Shop"}"#,
        "shop/pack.json:1:1: pack.json has no \"version\" (add \"version\")\n\
         shop/pack.json:1:1: pack.json has no \"summary\" (add \"summary\")",
    ),
    (
        "pack",
        r#"{"id": "My Shop", "name": "Shop", "version": "1", "summary": "S."}"#,
        r#"shop/pack.json:1:8: "My Shop" cannot be a pack's id (use a-z and 0-9, in parts joined by one - or _, 64 characters at most, like "pr_merge")"#,
    ),
    (
        "pack",
        r#"{"id": 5, "name": "", "version": 1.0, "summary": null}"#,
        "shop/pack.json:1:8: this must be a string, and is a number\n\
         shop/pack.json:1:19: this text is empty (write it, or take the key out)\n\
         shop/pack.json:1:34: this must be a string, and is a number\n\
         shop/pack.json:1:50: this must be a string, and is null",
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "homepag": "x"}"#,
        r#"shop/pack.json:1:65: pack.json has no key "homepag" (did you mean "homepage"?)"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "zzz": "x"}"#,
        r#"shop/pack.json:1:65: pack.json has no key "zzz" (pack.json may hold: $schema, id, name, version, summary, homepage, connect, env, timeout, programs, runs)"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "$schema": 1}"#,
        r#"shop/pack.json:1:76: this must be a string, and is a number"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "rules": []}"#,
        r#"shop/pack.json:1:65: "rules": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "api_key": "x"}"#,
        r#"shop/pack.json:1:65: "api_key": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "mode": "run"}"#,
        r#"shop/pack.json:1:65: "mode": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "timeout": -1}"#,
        r#"shop/pack.json:1:76: this must be a whole number from 0 to 31536000"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "timeout": "10"}"#,
        r#"shop/pack.json:1:76: this must be a number, and is a string"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "timeout": 1.5}"#,
        r#"shop/pack.json:1:76: this must be a whole number from 0 to 31536000"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "env": "TOKEN"}"#,
        r#"shop/pack.json:1:72: this must be an array, and is a string"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "env": ["A", "A", "B C", 5]}"#,
        "shop/pack.json:1:78: \"A\" stands twice here (keep one of the two)\n\
         shop/pack.json:1:83: \"B C\" cannot name a variable (use letters, digits and _, like \"API_TOKEN\")\n\
         shop/pack.json:1:90: this must be a string, and is a number",
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "programs": [""]}"#,
        r#"shop/pack.json:1:78: this word is empty or holds a NUL character (write it, or take it out)"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "runs": {}}"#,
        r#"shop/pack.json:1:73: this must be an array, and is an object"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "connect": {"cli": ["shop", "login"]}}"#,
        r#"shop/pack.json:1:76: "connect" has no "identity" (add "identity")"#,
    ),
    (
        "pack",
        r#"{"id": "shop", "name": "Shop", "version": "1", "summary": "S.", "connect": {"cli": [], "identity": ["x"], "token": "x"}}"#,
        "shop/pack.json:1:84: this command has no words (begin with the program, like [\"gh\", \"auth\", \"login\"])\n\
         shop/pack.json:1:107: \"token\": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)",
    ),
    // surface.json: commands.
    (
        "surface",
        r#"{}"#,
        r#"shop/surface.json:1:1: surface.json has no "commands" (add "commands")"#,
    ),
    (
        "surface",
        r#"{"commands": []}"#,
        r#"shop/surface.json:1:14: "commands" must be an object, and this is an array"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"]}}, "command": {}}"#,
        r#"shop/surface.json:1:39: surface.json has no key "command" (did you mean "commands"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"]}}, "allow": ["*"]}"#,
        r#"shop/surface.json:1:39: "allow": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"]}, "Go On": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:38: "Go On" cannot be a command's name (use a-z and 0-9, in parts joined by one - or _, 64 characters at most, like "pr_merge")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"]}, "stop": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:38: the command "stop" is not in policy.json (add "stop": { "operation": "write" } to its "commands")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"description": "Goes."}}}"#,
        r#"shop/surface.json:1:21: a command has no "cli" (add "cli")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": "go on"}}}"#,
        r#"shop/surface.json:1:29: this must be a list of words, and is a string (write each word by itself, like ["ledger", "list"]: no shell reads it)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": []}}}"#,
        r#"shop/surface.json:1:29: "cli" must begin with the name of a program (write it first, like ["ledger", "transfer", …])"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", 5]}}}"#,
        r#"shop/surface.json:1:36: this must be a string, and is a number"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["--go"]}}}"#,
        r#"shop/surface.json:1:30: "cli" must begin with the name of a program (write it first, like ["ledger", "transfer", …])"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": [" "]}}}"#,
        r#"shop/surface.json:1:30: "cli" must begin with the name of a program (write it first, like ["ledger", "transfer", …])"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "arg": {}}}}"#,
        r#"shop/surface.json:1:37: a command has no key "arg" (did you mean "args"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "role": "admin"}}}"#,
        r#"shop/surface.json:1:37: "role": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "description": 5}}}"#,
        r#"shop/surface.json:1:52: this must be a string, and is a number"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "preview": "x"}}}"#,
        r#"shop/surface.json:1:48: a preview must be an object, and this is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "preview": {"kind": 1, "titel": "x", "fields": {"to": 5}}}}}"#,
        "shop/surface.json:1:57: this must be a string, and is a number\n\
         shop/surface.json:1:60: a preview has no key \"titel\" (did you mean \"title\"?)\n\
         shop/surface.json:1:91: this must be a string, and is a number",
    ),
    // surface.json: templates.
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{a}}"]}}}"#,
        r#"shop/surface.json:1:36: the placeholder {{a}} has no argument (declare it under "properties" of "args")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["{{a}}"], "args": {"properties": {"a": {}}}}}}"#,
        r#"shop/surface.json:1:30: "cli" must begin with the name of a program (write it first, like ["ledger", "transfer", …])"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{amount}}", "{{amuont}}"], "args": {"properties": {"amount": {}}}}}}"#,
        r#"shop/surface.json:1:50: the placeholder {{amuont}} has no argument (did you mean {{amount}}?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{ a }}", "{{a"]}}}"#,
        "shop/surface.json:1:36: \" a \" is no name of an argument (write it without blanks: {{a}})\n\
         shop/surface.json:1:47: a placeholder is not closed (write it like {{name}})",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "-D|delete"]}}}"#,
        r#"shop/surface.json:1:36: the spelling "delete" is no option (write spellings like "-D|--delete")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "-D|--delete={{a}}"], "args": {"properties": {"a": {}}}}}}"#,
        "shop/surface.json:1:36: an option with several spellings must be a word of its own (write the option and its placeholder as two words)\n\
         shop/surface.json:1:82: the argument \"a\" never reaches the tool (write {{a}} in \"cli\", \"env\" or \"stdin\", or take it out)",
    ),
    (
        "surface",
        "{\"commands\": {\"go\": {\"cli\": [\"go\", \"a\\u0000\"]}}}",
        r#"shop/surface.json:1:36: a NUL character cannot reach a program (take it out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--{{a}}"], "args": {"properties": {"a": {"type": "string"}}}}}}"#,
        r#"shop/surface.json:1:36: the value of "a" would choose the option (write it like "--name={{…}}", or list its values with "enum")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"properties": {"a": {}}}}}}"#,
        r#"shop/surface.json:1:61: the argument "a" never reaches the tool (write {{a}} in "cli", "env" or "stdin", or take it out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"properties": {"a": {}}, "required": ["a"]}}}}"#,
        r#"shop/surface.json:1:61: the required argument "a" never reaches the tool (write {{a}} in "cli", "env" or "stdin", or take it out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{a}}:{{b}}"], "args": {"properties": {"a": {}, "b": {"type": ["array", "null"]}}}}}}"#,
        r#"shop/surface.json:1:36: the array "b" cannot stand in this text (give it a word of its own)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "env": {"A-B": "x", "PATH": "{{a}}", "HCP_MODE": "run", "OK": "{{b}}"}, "args": {"properties": {"a": {}}}}}}"#,
        "shop/surface.json:1:45: \"A-B\" cannot name a variable (use letters, digits and _, like \"API_TOKEN\")\n\
         shop/surface.json:1:57: \"PATH\" may not come from a call (it decides which program runs, or what hcpx allows; take it out)\n\
         shop/surface.json:1:74: \"HCP_MODE\" may not come from a call (it decides which program runs, or what hcpx allows; take it out)\n\
         shop/surface.json:1:99: the placeholder {{b}} has no argument (did you mean {{a}}?)",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "stdin": "{{a}}", "args": {"properties": {"a": {"type": "array"}}}}}}"#,
        r#"shop/surface.json:1:46: the array "a" cannot stand in this text (give it a word of its own)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "stdin": ["x"]}}}"#,
        r#"shop/surface.json:1:46: this must be a string, and is an array"#,
    ),
    // surface.json: args.
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": []}}}"#,
        r#"shop/surface.json:1:45: "args" must be an object, and this is an array"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"type": "array"}}}}"#,
        r#"shop/surface.json:1:54: "array" is no type of "args" (it is one of: object)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"additionalProperties": true}}}}"#,
        r#"shop/surface.json:1:70: "additionalProperties" can only be false here (take it out: an argument that is not declared is always refused)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"minProperties": 1}}}}"#,
        r#"shop/surface.json:1:46: "args" has no key "minProperties" (did you mean "properties"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"propertys": {}}}}}"#,
        r#"shop/surface.json:1:46: "args" has no key "propertys" (did you mean "properties"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"properties": []}}}}"#,
        r#"shop/surface.json:1:60: "properties" must be an object, and this is an array"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{amount}}"], "args": {"properties": {"amount": {}}, "required": ["amuont", "amount", "amount", 5]}}}}"#,
        "shop/surface.json:1:103: \"amuont\" is required and not declared (did you mean \"amount\"?)\n\
         shop/surface.json:1:123: \"amount\" stands twice here (keep one of the two)\n\
         shop/surface.json:1:133: this must be a string, and is a number",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{a}}", "{{A}}"], "args": {"properties": {"a": {}, "A": {}}}}}}"#,
        r#"shop/surface.json:1:88: "A" and "a" differ only in -, _ or case (rename one: on a command line the two are one option)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{node_id}}", "{{nodeId}}"], "args": {"properties": {"node_id": {}, "nodeId": {}}}}}}"#,
        r#"shop/surface.json:1:105: "nodeId" and "node_id" differ only in -, _ or case (rename one: on a command line the two are one option)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go"], "args": {"properties": {"1a": {}}}}}}"#,
        r#"shop/surface.json:1:61: "1a" cannot be an argument's name (begin with a letter; go on with letters, digits, - and _, 64 characters at most)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": true}}}}}"#,
        "shop/surface.json:1:36: the placeholder {{a}} has no argument (declare it under \"properties\" of \"args\")\n\
         shop/surface.json:1:79: an argument must be an object, and this is a boolean",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"minimun": 5}}}}}}"#,
        r#"shop/surface.json:1:80: an argument has no key "minimun" (did you mean "minimum"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"zzz": 5}}}}}}"#,
        r#"shop/surface.json:1:80: an argument has no key "zzz" (use the keywords of JSON Schema 2020-12)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-sekret": true}}}}}}"#,
        r#"shop/surface.json:1:80: an argument has no key "x-sekret" (did you mean "x-secret"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-secret": "yes"}}}}}}"#,
        r#"shop/surface.json:1:92: this must be true or false, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"items": {"x-secret": true}}}}}}}"#,
        r#"shop/surface.json:1:90: "x-secret" can only stand on an argument itself (move it up to the argument, or take it out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-position": -1}}}}}}"#,
        r#"shop/surface.json:1:94: this must be a whole number from 0 to 1000"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-position": "0"}}}}}}"#,
        r#"shop/surface.json:1:94: this must be a number, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-alias": "-f"}}}}}}"#,
        r#"shop/surface.json:1:91: this must be an array, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-alias": ["f", "--", "-f", "-f", "--a=b"]}}}}}}"#,
        "shop/surface.json:1:92: \"f\" is no option (write a spelling like \"-f\" or \"--file\")\n\
         shop/surface.json:1:97: \"--\" is no option (write a spelling like \"-f\" or \"--file\")\n\
         shop/surface.json:1:109: \"-f\" stands twice here (keep one of the two)\n\
         shop/surface.json:1:115: \"--a=b\" is no option (write a spelling like \"-f\" or \"--file\")",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-command": "shell"}}}}}}"#,
        r#"shop/surface.json:1:93: "shell" is no form of a command (it is one of: line, words)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"x-cwd": true}}}}}}"#,
        r#"shop/surface.json:1:89: only a global option can be the working directory (declare it under "globals", or take "x-cwd" out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "{{a}}", "{{b}}"], "args": {"properties": {"a": {"x-position": 0, "x-alias": ["-f"]}, "b": {"x-position": 0, "x-alias": ["-f"]}}}}}}"#,
        "shop/surface.json:1:142: \"a\" has the same \"x-position\" (give each its own place among the bare words)\n\
         shop/surface.json:1:156: \"-f\" is a spelling of \"a\" too (give each spelling to one argument)",
    ),
    // surface.json: JSON Schema.
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"type": "strnig"}}}}}}"#,
        r#"shop/surface.json:1:88: "strnig" is no type (did you mean "string"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"type": []}}}}}}"#,
        r#"shop/surface.json:1:88: this list is empty (name a type, or take it out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"type": ["string", "string"]}}}}}}"#,
        r#"shop/surface.json:1:99: "string" stands twice here (keep one of the two)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"pattern": "("}}}}}}"#,
        r#"shop/surface.json:1:91: "(" is no pattern that can be judged (write a regular expression without look-around and back-references)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"pattern": "(?=a)b"}}}}}}"#,
        r#"shop/surface.json:1:91: "(?=a)b" is no pattern that can be judged (write a regular expression without look-around and back-references)"#,
    ),
    (
        "surface",
        "{\"commands\": {\"go\": {\"cli\": [\"go\", \"--a={{a}}\"], \"args\": {\"properties\": {\"a\": {\"pattern\": \"(a)\\\\1\"}}}}}}",
        "shop/surface.json:1:91: \"(a)\\1\" is no pattern that can be judged (write a regular expression without look-around and back-references)",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"patternProperties": {"[": {}}}}}}}}"#,
        r#"shop/surface.json:1:102: "[" is no pattern that can be judged (write a regular expression without look-around and back-references)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"minimum": "5"}}}}}}"#,
        r#"shop/surface.json:1:91: this must be a number, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"multipleOf": 0}}}}}}"#,
        r#"shop/surface.json:1:94: this must be above 0 (write a step like 0.01)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"minLength": -1, "maxLength": 1.5}}}}}}"#,
        "shop/surface.json:1:93: this must be a whole number from 0 (write a count like 3)\n\
         shop/surface.json:1:110: this must be a whole number from 0 (write a count like 3)",
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"enum": []}}}}}}"#,
        r#"shop/surface.json:1:88: no value can fit an empty list (list the values)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"enum": "x"}}}}}}"#,
        r#"shop/surface.json:1:88: this must be an array, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"anyOf": []}}}}}}"#,
        r#"shop/surface.json:1:89: this list is empty (add a schema, or take it out)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"anyOf": [5]}}}}}}"#,
        r#"shop/surface.json:1:90: this must be a schema, and is a number (write an object of keywords, or true)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"not": "x"}}}}}}"#,
        r#"shop/surface.json:1:87: this must be a schema, and is a string (write an object of keywords, or true)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"required": "k"}}}}}}"#,
        r#"shop/surface.json:1:92: this must be an array, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"dependentRequired": {"k": "l"}}}}}}}"#,
        r#"shop/surface.json:1:107: this must be an array, and is a string"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"uniqueItems": 1}}}}}}"#,
        r#"shop/surface.json:1:95: this must be true or false, and is a number"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$ref": "https://example.org/x.json"}}}}}}"#,
        r##"shop/surface.json:1:88: "https://example.org/x.json" refers to no schema of these arguments (write it like "#/$defs/NAME", with NAME under "$defs" of this "args")"##,
    ),
    (
        "surface",
        r##"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$ref": "#/$defs/money"}}}}}}"##,
        r##"shop/surface.json:1:88: "#/$defs/money" refers to no schema of these arguments (write it like "#/$defs/NAME", with NAME under "$defs" of this "args")"##,
    ),
    (
        "surface",
        r##"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$ref": "#/properties/a/default", "default": {}}}}}}}"##,
        r##"shop/surface.json:1:88: "#/properties/a/default" refers to no schema of these arguments (write it like "#/$defs/NAME", with NAME under "$defs" of this "args")"##,
    ),
    (
        "surface",
        r##"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$ref": "#money"}}}}}}"##,
        r##"shop/surface.json:1:88: "#money" refers to no schema of these arguments (write it like "#/$defs/NAME", with NAME under "$defs" of this "args")"##,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$id": "x"}}}}}}"#,
        r#"shop/surface.json:1:80: "$id" cannot stand in an argument (take it out: references work within the arguments only)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"definitions": {}}}}}}}"#,
        r#"shop/surface.json:1:80: "definitions" cannot stand in an argument (write "$defs" at the top of "args")"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$anchor": "1"}}}}}}"#,
        r#"shop/surface.json:1:91: "1" cannot be an anchor (begin with a letter; go on with letters, digits, -, _ and .)"#,
    ),
    (
        "surface",
        r##"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"maximun": 5}}}}}}"##,
        r#"shop/surface.json:1:119: an argument has no key "maximun" (did you mean "maximum"?)"#,
    ),
    (
        "surface",
        r#"{"commands": {"go": {"cli": ["go", "--a={{a}}"], "args": {"properties": {"a": {"description": 5}}}}}}"#,
        r#"shop/surface.json:1:95: this must be a string, and is a number"#,
    ),
    // surface.json: globals.
    (
        "surface",
        r#"{"globals": [], "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:13: "globals" must be an object, and this is an array"#,
    ),
    (
        "surface",
        r#"{"globals": {"args": {}}, "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:13: "globals" has no "cli" (add "cli")"#,
    ),
    (
        "surface",
        r#"{"globals": {"cli": ["{{dir}}"], "args": {"properties": {"dir": {}}}}, "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:22: a global placeholder needs its option before it (write the option first, like ["-C", "{{dir}}"])"#,
    ),
    (
        "surface",
        r#"{"globals": {"cli": ["-v", "--"]}, "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:28: "--" would end the options before the command's own words (take it out)"#,
    ),
    (
        "surface",
        r#"{"globals": {"cli": [], "args": {"properties": {"dir": {}}}}, "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:49: the argument "dir" never reaches the tool (write {{dir}} in the "cli" of "globals", or take it out)"#,
    ),
    (
        "surface",
        r#"{"globals": {"cli": ["-C", "{{dir}}"], "args": {"properties": {"dir": {"x-position": 0}}}}, "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:86: a global option has no position (take "x-position" out)"#,
    ),
    (
        "surface",
        r#"{"globals": {"cli": ["-C"], "flags": 1}, "commands": {"go": {"cli": ["go"]}}}"#,
        r#"shop/surface.json:1:29: "globals" has no key "flags" ("globals" may hold: cli, args)"#,
    ),
    (
        "surface",
        r#"{"globals": {"cli": ["-C", "{{dir}}"], "args": {"properties": {"dir": {"x-alias": ["-d"]}}}}, "commands": {"go": {"cli": ["go", "{{Dir}}"], "args": {"properties": {"Dir": {"x-alias": ["-d"]}}}}}}"#,
        "shop/surface.json:1:165: \"Dir\" and \"dir\" differ only in -, _ or case (rename one: on a command line the two are one option)\n\
         shop/surface.json:1:165: \"-d\" is a spelling of the global \"dir\" too (give each spelling to one argument)",
    ),
    (
        "surface",
        r#"{"globals": {"cli": ["-C", "{{dir}}"], "args": {"properties": {"dir": {}}}}, "commands": {"go": {"cli": ["go", "{{dir}}"]}}}"#,
        r#"shop/surface.json:1:112: the placeholder {{dir}} has no argument (it is a global option, which stands in "globals" alone)"#,
    ),
    // policy.json.
    (
        "policy",
        r#"{}"#,
        r#"shop/policy.json:1:1: policy.json has no "commands" (add "commands")"#,
    ),
    (
        "policy",
        r#"{"commands": {}}"#,
        r#"shop/surface.json:1:15: the command "go" is not in policy.json (add "go": { "operation": "write" } to its "commands")"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {}, "gone": {}}}"#,
        r#"shop/policy.json:1:25: the command "gone" is not in surface.json (add it there, or take it out here)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {}, "Go": {}}}"#,
        r#"shop/policy.json:1:25: "Go" cannot be a command's name (use a-z and 0-9, in parts joined by one - or _, 64 characters at most, like "pr_merge")"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": []}}"#,
        r#"shop/policy.json:1:21: a Policy must be an object, and this is an array"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {}}, "default": {}}"#,
        r#"shop/policy.json:1:26: policy.json has no key "default" (did you mean "defaults"?)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {}}, "defaults": {"operation": "reed"}}"#,
        r#"shop/policy.json:1:52: "reed" is no operation (did you mean "read"?)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {}}, "rules": [{"match": "*"}]}"#,
        r#"shop/policy.json:1:26: "rules": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"operation": "delete"}}}"#,
        r#"shop/policy.json:1:35: "delete" is no operation (it is one of: read, write)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"confirm": "allways"}}}"#,
        r#"shop/policy.json:1:33: "allways" is no confirm word (did you mean "always"?)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"confirm": null}}}"#,
        r#"shop/policy.json:1:33: this must be a string, and is null"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"undo": "unknown"}}}"#,
        r#"shop/policy.json:1:30: "unknown" is no undo word (it is one of: yes, no)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"undo": false}}}"#,
        r#"shop/policy.json:1:30: this must be a string, and is a boolean"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"land": "private"}}}"#,
        r#"shop/policy.json:1:30: "private" is no land (it is one of: personal, brain)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"scope": "cwdd"}}}"#,
        r#"shop/policy.json:1:31: "cwdd" is no scope (did you mean "cwd"?)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"comfirm": "ask"}}}"#,
        r#"shop/policy.json:1:22: a Policy has no key "comfirm" (did you mean "confirm"?)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"allow": true, "grants": [], "roles": ["x"]}}}"#,
        "shop/policy.json:1:22: \"allow\": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)\n\
         shop/policy.json:1:37: \"grants\": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)\n\
         shop/policy.json:1:51: \"roles\": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)",
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": {}}}}"#,
        r#"shop/policy.json:1:31: this must be an array, and is an object"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"confirm": "always"}]}}}"#,
        r#"shop/policy.json:1:32: a raise has no "when" (add "when")"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {}, "confirm": "always"}]}}}"#,
        r#"shop/policy.json:1:41: an empty set of conditions would raise every call (name a condition, or set the key for the whole command)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {"only": true}}]}}}"#,
        r#"shop/policy.json:1:32: this raise raises nothing (give it "confirm" or "undo")"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {"args": {}}, "undo": "no"}]}}}"#,
        r#"shop/policy.json:1:50: "args" is empty (name an argument in it, or take "args" out)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {"op": "write"}, "undo": "no"}]}}}"#,
        r#"shop/policy.json:1:48: a raise has no condition "op" (the operation is the command's own; take it out)"#,
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {"max": {"a": "5"}}, "undo": "no"}]}}}"#,
        "shop/policy.json:1:50: \"go\" has no argument \"a\" (name one that surface.json declares)\n\
         shop/policy.json:1:55: this must be a number, and is a string (write a limit as a JSON number, without quotes)",
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {"one_of": {"forse": []}}, "undo": "no"}]}}}"#,
        "shop/policy.json:1:53: \"go\" has no argument \"forse\" (did you mean \"force\"?)\n\
         shop/policy.json:1:62: \"one_of\" has no value to choose from (name at least one value)",
    ),
    (
        "policy",
        r#"{"commands": {"go": {"raise": [{"when": {"args": {"forse": true}}, "confirm": "always", "decision": "allow"}]}}}"#,
        "shop/policy.json:1:51: \"go\" has no argument \"forse\" (did you mean \"force\"?)\n\
         shop/policy.json:1:89: \"decision\": packs cannot grant themselves anything (take it out: grants say who may act, and access says what runs without asking)",
    ),
];

#[rustfmt::skip]
const SPELLINGS: &[(&str, &str)] = &[
    (r#"{}"#, ""),
    (r#"{"go": ["g"], "go up": ["u"], "ls": ["list"], "box": ["b"]}"#, ""),
    // The same spelling in two places tells them apart.
    (r#"{"go": ["x"], "up": ["x"], "box ls": ["x"]}"#, ""),
    (
        r#"[]"#,
        r#"shop/surface.json:2:14: "spellings" must be an object, and this is an array"#,
    ),
    (
        r#"{"go": "g"}"#,
        r#"shop/surface.json:2:21: this must be an array, and is a string"#,
    ),
    (
        r#"{"go": []}"#,
        r#"shop/surface.json:2:21: this list of spellings is empty (write one, like ["i"], or take the key out)"#,
    ),
    (
        r#"{"go": [1]}"#,
        r#"shop/surface.json:2:22: this must be a string, and is a number"#,
    ),
    (
        r#"{"go": ["g", "-g"]}"#,
        r#"shop/surface.json:2:27: the spelling "-g" is no plain word (a spelling begins with a letter or digit and has letters, digits, ".", "_" and "-" alone)"#,
    ),
    (
        r#"{"go": ["a|b"]}"#,
        r#"shop/surface.json:2:22: the spelling "a|b" is no plain word (a spelling begins with a letter or digit and has letters, digits, ".", "_" and "-" alone)"#,
    ),
    (
        r#"{"go": ["g", "g"]}"#,
        r#"shop/surface.json:2:27: "g" stands twice (take one of them out)"#,
    ),
    (
        r#"{"go": ["go"]}"#,
        r#"shop/surface.json:2:22: "go" spells "go" already (take it out)"#,
    ),
    (
        r#"{"go": ["get"]}"#,
        r#"shop/surface.json:2:22: "get" is another command's own word where "go" stands (take it out: a line can belong to one of them only)"#,
    ),
    (
        r#"{"go": ["g"], "get": ["g"]}"#,
        r#"shop/surface.json:2:22: "g" spells "get" too where "go" stands (give it to one of them, or write the own words before it in the key, like "remote add")"#,
    ),
    (
        r#"{"got": ["g"]}"#,
        r#"shop/surface.json:2:15: "got" is no own word of a command (did you mean "get"?)"#,
    ),
    (
        r#"{"p": ["q"]}"#,
        r#"shop/surface.json:2:15: "p" is no own word of a command (did you mean "up"?)"#,
    ),
    (
        r#"{"a|b": ["g"]}"#,
        r#"shop/surface.json:2:15: "a|b" is no own word that can have spellings (write the word as "cli" does, like "install", or with the own words before it, like "remote add")"#,
    ),
    (
        r#"{"box l": ["x"]}"#,
        r#"shop/surface.json:2:15: "box l" is no own word of a command (did you mean "box ls"?)"#,
    ),
    (
        r#"{"ls": ["x"], "box ls": ["x"]}"#,
        r#"shop/surface.json:2:39: "x" spells "ls" already (take it out)"#,
    ),
    (
        r#"{"go ": ["x"]}"#,
        r#"shop/surface.json:2:15: "go " is no own word that can have spellings (write the word as "cli" does, like "install", or with the own words before it, like "remote add")"#,
    ),
    (
        r#"{"box": ["go"]}"#,
        r#"shop/surface.json:2:23: "go" is another command's own word where "box" stands (take it out: a line can belong to one of them only)"#,
    ),
    (
        r#"{"up": ["x"], "up": ["y"]}"#,
        r#"shop/surface.json:2:28: the key "up" stands twice in this object (keep one of the two: readers differ in which one they take)"#,
    ),
];
