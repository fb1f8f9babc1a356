//! The table of templates, row by row.

use crate::support::{command, object, only, words};

/// A command with an argument for each name, of any type.
fn cli(cli: &str, names: &[&str]) -> hcp_pack::Command {
    let properties: Vec<String> = names.iter().map(|n| format!("\"{n}\": {{}}")).collect();
    command(&format!(
        "\"cli\": [{cli}], \"args\": {{\"properties\": {{{}}}}}",
        properties.join(", ")
    ))
}

#[test]
fn each_row_of_the_table() {
    for (template, args, wanted) in [
        // A literal.
        (r#""list", "-v", "a|b", """#, "{}", "list|-v|a/b|"),
        // A placeholder alone.
        (r#""{{a}}""#, "{}", ""),
        (r#""{{a}}""#, r#"{"a": null}"#, ""),
        (r#""--memo", "{{a}}""#, "{}", ""),
        (r#""-m", "{{a}}", "x""#, "{}", "x"),
        (r#""memo", "{{a}}""#, "{}", "memo"),
        (r#""--", "{{a}}""#, "{}", "--"),
        (r#""-", "{{a}}""#, "{}", "-"),
        (
            r#""{{a}}""#,
            r#"{"a": "two words $HOME"}"#,
            "two words $HOME",
        ),
        (r#""{{a}}""#, r#"{"a": "{{b}}{{a}}"}"#, "{{b}}{{a}}"),
        (r#""-m", "{{a}}""#, r#"{"a": ""}"#, "-m|"),
        (r#""-n", "{{a}}""#, r#"{"a": 2.80}"#, "-n|2.80"),
        (r#""-n", "{{a}}""#, r#"{"a": 1e3}"#, "-n|1e3"),
        (r#""--draft", "{{a}}""#, r#"{"a": true}"#, "--draft"),
        (r#""draft", "{{a}}""#, r#"{"a": true}"#, "draft|true"),
        (r#""{{a}}""#, r#"{"a": true}"#, "true"),
        (r#""--draft", "{{a}}""#, r#"{"a": false}"#, ""),
        (r#""draft", "{{a}}""#, r#"{"a": false}"#, "draft"),
        (
            r#""{{a}}""#,
            r#"{"a": ["x", 2, true, false]}"#,
            "x|2|true|false",
        ),
        (
            r#""--to", "{{a}}""#,
            r#"{"a": ["x", "y"]}"#,
            "--to|x|--to|y",
        ),
        (r#""--to", "{{a}}""#, r#"{"a": []}"#, ""),
        (r#""{{a}}""#, r#"{"a": []}"#, ""),
        (
            r#""{{a}}""#,
            r#"{"a": {"b": 1.50, "a": null, "c": {"d": null}}}"#,
            r#"{"b":1.50,"c":{}}"#,
        ),
        (
            r#""--j", "{{a}}""#,
            r#"{"a": [[1, {"x": null}]]}"#,
            r#"--j|[1,{}]"#,
        ),
        // Text around it.
        (r#""--x={{a}}""#, "{}", ""),
        (r#""--x={{a}}""#, r#"{"a": []}"#, ""),
        (r#""--x={{a}}""#, r#"{"a": ["p", "-q"]}"#, "--x=p|--x=-q"),
        (r#""--x={{a}}""#, r#"{"a": "-rf"}"#, "--x=-rf"),
        (r#""--x={{a}}""#, r#"{"a": true}"#, "--x=true"),
        (r#""--x={{a}}""#, r#"{"a": false}"#, "--x=false"),
        (r#""--x={{a}}""#, r#"{"a": {"k": "v"}}"#, r#"--x={"k":"v"}"#),
        (r#""at:{{a}}:{{a}}""#, r#"{"a": 5}"#, "at:5:5"),
        // An option stays with what is not its placeholder.
        (r#""--flag", "x={{a}}""#, "{}", "--flag"),
        (r#""--flag", "x={{a}}""#, r#"{"a": 1}"#, "--flag|x=1"),
        // An option that has its value already takes no other.
        (r#""--format=x", "{{a}}""#, "{}", "--format=x"),
        // Spellings: the first is written.
        (r#""-m|--message", "{{a}}""#, r#"{"a": "hi"}"#, "-m|hi"),
        (r#""-D|--delete", "x", "{{a}}""#, "{}", "-D|x"),
    ] {
        let names: &[&str] = if template.contains("{{a}}") {
            &["a"]
        } else {
            &[]
        };
        let command = cli(&format!("\"go\", {template}"), names);
        let words = words(&command, args).unwrap();
        let mut shown: Vec<String> = words.iter().map(|w| w.replace('|', "/")).collect();
        assert_eq!(shown.remove(0), "go");
        assert_eq!(shown.join("|"), wanted, "{template} {args}");
    }
}

#[test]
fn several_placeholders_are_given_together_or_not_at_all() {
    let command = cli(r#""go", "{{a}}:{{b}}""#, &["a", "b"]);
    assert_eq!(words(&command, "{}").unwrap(), ["go"]);
    assert_eq!(
        words(&command, r#"{"a": "x", "b": false}"#).unwrap(),
        ["go", "x:false"]
    );
    let fault = words(&command, r#"{"a": "x"}"#).unwrap_err();
    assert_eq!(fault.keyword, "together");
    assert_eq!(fault.argument.as_deref(), Some("b"));
    assert_eq!(
        fault.message,
        "b: must be given where a is: they make one word"
    );
    let fault = words(&command, r#"{"a": ["x"], "b": 1}"#).unwrap_err();
    assert_eq!(
        (fault.keyword.as_str(), fault.argument.as_deref()),
        ("array", Some("a"))
    );
}

#[test]
fn a_value_never_turns_into_an_option() {
    let text = r#""args": {"properties": {"a": {"type": "string"}}}"#;
    let number = r#""args": {"properties": {"a": {"type": "number"}}}"#;
    let any = r#""args": {"properties": {"a": {}}}"#;
    for (template, args, value, allowed) in [
        (r#""{{a}}""#, text, r#""-rf""#, false),
        (r#""{{a}}""#, text, r#""-""#, false),
        (r#""--memo", "{{a}}""#, text, r#""--confirm""#, false),
        (r#""--memo={{a}}""#, text, r#""--confirm""#, true),
        (r#""--", "{{a}}""#, text, r#""-rf""#, true),
        (r#""{{a}}", "--""#, text, r#""-rf""#, false),
        (r#""{{a}}""#, text, r#""-5""#, false),
        (r#""{{a}}""#, number, "-5", true),
        (r#""{{a}}""#, number, "-5.25", true),
        (r#""--n", "{{a}}""#, number, "-5", true),
        (r#""{{a}}""#, number, "-1e5", false),
        (r#""-{{a}}""#, number, "5", true),
        (r#""-{{a}}""#, number, "-5", false),
        (r#""{{a}}""#, any, "-5", false),
        (r#""{{a}}""#, any, r#"["ok", "-x"]"#, false),
        (r#""{{a}}x""#, any, r#""-""#, false),
        (r#""x{{a}}""#, any, r#""-x""#, true),
    ] {
        let command = command(&format!("\"cli\": [\"go\", {template}], {args}"));
        let result = words(&command, &format!("{{\"a\": {value}}}"));
        match result {
            Ok(_) => assert!(allowed, "{template} {value}"),
            Err(fault) => {
                assert!(!allowed, "{template} {value} {fault}");
                assert_eq!(fault.keyword, "injection");
                assert_eq!(
                    fault.message,
                    "a: begins with \"-\", and the program would read it as an option"
                );
            }
        }
    }
}

/// What is left of `-m{{a}}` for an empty value would take the next word.
#[test]
fn a_bare_option_for_an_empty_value_is_refused() {
    for (template, value, allowed) in [
        (r#""-m{{a}}", "x""#, r#""""#, false),
        (r#""-m{{a}}", "x""#, r#"["y", ""]"#, false),
        (r#""-m{{a}}{{a}}", "x""#, r#""""#, false),
        (r#""-m{{a}}s", "x""#, r#""""#, true),
        (r#""-m={{a}}", "x""#, r#""""#, true),
        (r#""--m={{a}}", "x""#, r#""""#, true),
        (r#""-m", "{{a}}", "x""#, r#""""#, true),
        (r#""+{{a}}", "x""#, r#""""#, true),
        (r#""--", "-m{{a}}", "x""#, r#""""#, true),
    ] {
        let command = command(&format!(
            r#""cli": ["go", {template}], "args": {{"properties": {{"a": {{}}}}}}"#
        ));
        match words(&command, &format!("{{\"a\": {value}}}")) {
            Ok(_) => assert!(allowed, "{template} {value}"),
            Err(fault) => {
                assert!(!allowed, "{template} {value} {fault}");
                assert_eq!(fault.keyword, "empty");
                assert_eq!(
                    fault.message,
                    "a: is empty, and the program would take the next word for the value of -m"
                );
            }
        }
    }
    // A choice of the pack's own is no way round it: `--` would end the options.
    let choice = command(
        r#""cli": ["go", "--{{a}}", "x"], "args": {"properties": {"a": {"enum": ["", "all"]}}}"#,
    );
    assert_eq!(words(&choice, r#"{"a": ""}"#).unwrap_err().keyword, "empty");
    assert_eq!(
        words(&choice, r#"{"a": "all"}"#).unwrap(),
        ["go", "--all", "x"]
    );
}

#[test]
fn the_way_out_of_an_injection_is_named() {
    let command = command(
        r#""cli": ["go", "--memo", "{{a}}"], "args": {"properties": {"a": {"type": "string"}}}"#,
    );
    let fault = words(&command, r#"{"a": "-x"}"#).unwrap_err();
    assert_eq!(
        fault.help.as_deref(),
        Some(
            "begin it otherwise (a path with \"./\"); a pack takes such values with \
             \"--memo={{a}}\" in its cli"
        )
    );
}

#[test]
fn globals_stand_right_after_the_program() {
    let command = only(
        r#"{
        "globals": {
            "cli": ["-C", "{{dir}}", "--context={{context}}", "--no-pager"],
            "args": {"properties": {"dir": {"type": "string", "x-cwd": true}, "context": {"type": "string"}}}
        },
        "commands": {"go": {"cli": ["git", "push", "{{remote}}"], "args": {"properties": {"remote": {"type": "string"}}}}}
    }"#,
    );
    assert_eq!(command.own_words, ["git", "push"]);
    assert_eq!(
        words(&command, "{}").unwrap(),
        ["git", "--no-pager", "push"]
    );
    assert_eq!(
        words(
            &command,
            r#"{"remote": "origin", "dir": "/prod", "context": "c"}"#
        )
        .unwrap(),
        [
            "git",
            "-C",
            "/prod",
            "--context=c",
            "--no-pager",
            "push",
            "origin"
        ]
    );
    let listed: Vec<(&str, bool, bool)> = command
        .arguments
        .iter()
        .map(|a| (a.name.as_str(), a.global, a.cwd))
        .collect();
    assert_eq!(
        listed,
        [
            ("remote", false, false),
            ("dir", true, true),
            ("context", true, false)
        ]
    );
    assert_eq!(
        words(&command, r#"{"dir": 5}"#).unwrap_err().message,
        "dir: must be a string"
    );
}

#[test]
fn own_words_end_at_the_first_option_or_placeholder() {
    for (template, own) in [
        (r#""ledger", "transfer", "{{a}}", "now""#, "ledger transfer"),
        (r#""gh", "api", "-X", "DELETE", "{{a}}""#, "gh api"),
        (r#""rm", "--", "{{a}}""#, "rm"),
        (r#""go", "x{{a}}""#, "go"),
    ] {
        assert_eq!(cli(template, &["a"]).own_words.join(" "), own);
    }
}

#[test]
fn secrets_are_marked_and_reach_env_and_stdin() {
    let command = command(
        r#""cli": ["go", "--as={{user}}:{{pin}}", "--pin", "{{pin}}"],
           "env": {"TOKEN": "{{token}}", "FLAG": "{{flag}}", "NONE": "{{none}}"}, "stdin": "{{token}}\n",
           "args": {"properties": {
             "user": {"type": "string"}, "pin": {"type": "string", "x-secret": true},
             "token": {"type": "string", "x-secret": true}, "flag": {"type": "boolean"},
             "none": {"type": "string"}}}"#,
    );
    let args = object(r#"{"user": "ana", "pin": "1234", "token": "t0k", "flag": false}"#);
    let rendered = command.render(&args).unwrap();
    let marked: Vec<(&str, Vec<String>)> = rendered
        .words
        .iter()
        .map(|w| (w.text.as_str(), w.secrets.clone()))
        .collect();
    let pin = vec!["pin".to_owned()];
    assert_eq!(
        marked,
        [
            ("go", vec![]),
            ("--as=ana:1234", pin.clone()),
            ("--pin", vec![]),
            ("1234", pin),
        ]
    );
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(rendered.env, [pair("TOKEN", "t0k"), pair("FLAG", "false")]);
    assert_eq!(rendered.stdin.as_deref(), Some("t0k\n"));
    let none = command.render(&object("{}")).unwrap();
    assert!(none.env.is_empty() && none.stdin.is_none());
    let array = command.render(&object(r#"{"token": ["a"]}"#)).unwrap_err();
    assert_eq!(
        (array.keyword.as_str(), array.argument.as_deref()),
        ("array", Some("token"))
    );
}

#[test]
fn what_no_program_takes_is_refused() {
    let command = cli(r#""go", "--a={{a}}", "--b={{b}}""#, &["a", "b"]);
    let with = |len: usize| object(&format!("{{\"a\": \"{}\"}}", "x".repeat(len)));
    // The option and its sign are four bytes of the word.
    assert!(command.render(&with((128 << 10) - 5)).is_ok());
    let fault = command.render(&with((128 << 10) - 4)).unwrap_err();
    assert_eq!(fault.keyword, "too_long");
    assert_eq!(
        fault.message,
        "word 2 of go has 131072 bytes, and a program takes less than 131072"
    );
    let item = format!("\"{}\"", "x".repeat(100 << 10));
    let many = object(&format!("{{\"b\": [{}]}}", vec![item; 12].join(",")));
    assert_eq!(command.render(&many).unwrap_err().keyword, "too_long");
    for args in [r#"{"a": "x\u0000"}"#, r#"{"a": ["\u0000"]}"#] {
        assert_eq!(command.render(&object(args)).unwrap_err().keyword, "nul");
    }
    let fault = command.render(&object(r#"{"a": [null]}"#)).unwrap_err();
    assert_eq!(fault.keyword, "null");
}

#[test]
fn the_command_line_of_a_payment() {
    let command = command(
        r#""cli": ["ledger", "transfer", "{{amount}}", "--to", "{{payee}}", "--memo", "{{memo}}", "--confirm"],
           "args": {"type": "object", "properties": {
             "amount": {"type": "string", "x-position": 0}, "payee": {"type": "string"}, "memo": {"type": "string"}},
             "required": ["amount", "payee"]}"#,
    );
    let line = |args: &str| hcp_pack::shell_line(&words(&command, args).unwrap());
    assert_eq!(
        line(r#"{"amount": "2.80", "payee": "demo-transit"}"#),
        "ledger transfer 2.80 --to demo-transit --confirm"
    );
    assert_eq!(
        line(r#"{"amount": "2.80", "payee": "a b", "memo": "it's\nlunch"}"#),
        r"ledger transfer 2.80 --to 'a b' --memo $'it\'s\x0alunch' --confirm"
    );
}
