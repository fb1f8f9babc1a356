//! Words into arguments: each row of the table, and the command that a line belongs to.

use crate::support::{command, files, object};
use hcp_core::json::Object;
use hcp_pack::{Argv, Command, Pack, args_from_argv};

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

fn read(command: &Command, line: &str) -> Argv {
    command.read_argv(&words(line))
}

/// Line, arguments, words not understood, arguments of which nothing can be told.
type Row<'a> = (&'a str, &'a str, &'a str, &'a str);

fn check(command: &Command, rows: &[Row<'_>]) {
    for (line, args, unread, untold) in rows {
        let argv = read(command, line);
        assert_eq!(argv.args, object(args), "{line}");
        assert_eq!(argv.unread.join(" "), *unread, "{line}");
        assert_eq!(argv.reading.fully_read, unread.is_empty(), "{line}");
        let untold_now: Vec<&str> = argv.reading.untold.iter().map(String::as_str).collect();
        assert_eq!(untold_now.join(" "), *untold, "{line}");
    }
}

fn ledger() -> Command {
    command(
        r#""cli": ["go", "transfer", "{{amount}}", "--to", "{{payee}}", "--memo|-m", "{{memo}}", "--confirm"],
        "args": {"properties": {
            "amount": {"type": "string", "x-position": 0}, "payee": {"type": "string"},
            "memo": {"type": "string"}}, "required": ["amount", "payee"]}"#,
    )
}

#[test]
fn the_demo_payment_is_read() {
    check(
        &ledger(),
        &[
            (
                "2.80 --to x --confirm",
                r#"{"amount": "2.80", "payee": "x"}"#,
                "",
                "",
            ),
            ("2.80 --to x", r#"{"amount": "2.80", "payee": "x"}"#, "", ""),
            (
                "--to=x 2.80 --confirm",
                r#"{"amount": "2.80", "payee": "x"}"#,
                "",
                "",
            ),
            (
                "2.80 --payee x",
                r#"{"amount": "2.80", "payee": "x"}"#,
                "",
                "",
            ),
            (
                "--amount 2.80 --payee=x",
                r#"{"amount": "2.80", "payee": "x"}"#,
                "",
                "",
            ),
            (
                "2.80 --to x -m hi",
                r#"{"amount": "2.80", "payee": "x", "memo": "hi"}"#,
                "",
                "",
            ),
            (
                "2.80 --to x -mhi",
                r#"{"amount": "2.80", "payee": "x", "memo": "hi"}"#,
                "",
                "",
            ),
            (
                "2.80 --to x --to y",
                r#"{"amount": "2.80", "payee": ["x", "y"]}"#,
                "",
                "",
            ),
            (
                "2.80 --pay x",
                r#"{"amount": "2.80", "pay": true, "_": ["x"]}"#,
                "--pay x",
                "",
            ),
            (
                "--note 5 2.80 --to x",
                r#"{"amount": "5", "payee": "x", "note": true, "_": ["2.80"]}"#,
                "--note 2.80",
                "amount",
            ),
            (
                "2.80 --note=5 --to x",
                r#"{"amount": "2.80", "payee": "x", "note": "5"}"#,
                "--note=5",
                "",
            ),
            ("2.80 --to", r#"{"amount": "2.80"}"#, "--to", "payee"),
            (
                "2.80 --to --confirm",
                r#"{"amount": "2.80"}"#,
                "--to",
                "payee",
            ),
            ("2.80 --to= ", r#"{"amount": "2.80", "payee": ""}"#, "", ""),
            ("--to x -- -5", r#"{"amount": "-5", "payee": "x"}"#, "", ""),
            (
                "2.80 -5 --to x",
                r#"{"amount": "2.80", "payee": "x", "5": true}"#,
                "-5",
                "",
            ),
            (
                "2.80 --to x --confirm=now",
                r#"{"amount": "2.80", "payee": "x", "confirm": "now"}"#,
                "--confirm=now",
                "",
            ),
            (
                "2.80 --to x -amount=9",
                r#"{"amount": "2.80", "payee": "x", "-amount": "9"}"#,
                "-amount=9",
                "",
            ),
            (
                "2.80 --to x --_=1 y",
                r#"{"amount": "2.80", "payee": "x", "--_": "1", "_": ["y"]}"#,
                "--_=1 y",
                "",
            ),
            (
                "2.80 --to x -vz",
                r#"{"amount": "2.80", "payee": "x", "vz": true}"#,
                "-vz",
                "",
            ),
            (
                "2.80 --to x -m=hi",
                r#"{"amount": "2.80", "payee": "x", "memo": "hi"}"#,
                "-m=hi",
                "memo",
            ),
        ],
    );
}

#[test]
fn names_switches_and_numbers_are_read() {
    let node = command(
        r#""cli": ["go", "--node={{node_id}}", "--count", "{{count}}", "--ratio", "{{ratio}}", "--draft|-d", "{{draft}}",
                   "--quiet|-q", "{{quiet}}", "--tag", "{{tags}}", "--no-verify", "{{no_verify}}", "--spec", "{{spec}}", "{{nodeTwo}}"],
        "args": {"properties": {
            "node_id": {"type": "string", "x-alias": ["-n"]}, "nodeTwo": {"type": "string"},
            "count": {"type": "integer", "x-alias": ["-c"]}, "ratio": {"type": "number"},
            "draft": {"type": "boolean"}, "quiet": {"type": "boolean"}, "no_verify": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}}, "spec": {"type": "object"}}}"#,
    );
    check(
        &node,
        &[
            ("--node-id=n-7", r#"{"node_id": "n-7"}"#, "", ""),
            ("--node-id n-7", r#"{"node_id": "n-7"}"#, "", ""),
            ("--node_id n-7", r#"{"node_id": "n-7"}"#, "", ""),
            ("--node n-7", r#"{"node_id": "n-7"}"#, "", ""),
            ("-n n-7", r#"{"node_id": "n-7"}"#, "", ""),
            ("-nn-7", r#"{"node_id": "n-7"}"#, "", ""),
            ("--node-two x", r#"{"nodeTwo": "x"}"#, "", ""),
            (
                "--NODE-ID x",
                r#"{"NODE-ID": true, "nodeTwo": "x"}"#,
                "--NODE-ID",
                "nodeTwo",
            ),
            ("--draft", r#"{"draft": true}"#, "", ""),
            ("--no-draft", r#"{"draft": false}"#, "", ""),
            ("--draft=false", r#"{"draft": false}"#, "", ""),
            ("--draft=true", r#"{"draft": true}"#, "", ""),
            ("--draft x", r#"{"draft": true, "nodeTwo": "x"}"#, "", ""),
            ("--draft=yes", r#"{"draft": "yes"}"#, "--draft=yes", "draft"),
            ("--draft --draft", r#"{"draft": [true, true]}"#, "", ""),
            ("--no-verify", r#"{"no_verify": true}"#, "", ""),
            ("--verify", r#"{"verify": true}"#, "--verify", ""),
            ("-dq", r#"{"draft": true, "quiet": true}"#, "", ""),
            (
                "-dqc5",
                r#"{"draft": true, "quiet": true, "count": 5}"#,
                "",
                "",
            ),
            (
                "-dc 5 x",
                r#"{"draft": true, "count": 5, "nodeTwo": "x"}"#,
                "",
                "",
            ),
            ("-dz", r#"{"dz": true}"#, "-dz", ""),
            ("--count 5", r#"{"count": 5}"#, "", ""),
            ("--count -5", r#"{"count": -5}"#, "", ""),
            ("--count 05", r#"{"count": "05"}"#, "", ""),
            ("--count five", r#"{"count": "five"}"#, "", ""),
            ("--ratio 2.50", r#"{"ratio": 2.50}"#, "", ""),
            ("--ratio 1e3", r#"{"ratio": "1e3"}"#, "--ratio", "ratio"),
            ("--tag a --tag=b", r#"{"tags": ["a", "b"]}"#, "", ""),
            ("--tag a", r#"{"tags": ["a"]}"#, "", ""),
            (
                r#"--spec {"a":1e400,"b":null}"#,
                r#"{"spec": {"a": 1e400}}"#,
                "",
                "",
            ),
            (
                r#"--spec {"a":1,"a":2}"#,
                r#"{"spec": "{\"a\":1,\"a\":2}"}"#,
                "--spec",
                "spec",
            ),
            ("-- --draft", r#"{"nodeTwo": "--draft"}"#, "", ""),
        ],
    );
}

#[test]
fn bare_words_go_to_their_places() {
    let copy = command(
        r#""cli": ["go", "{{from}}", "{{to}}"], "args": {"properties": {
            "from": {"type": "array", "items": {"type": "string"}}, "to": {"type": "string"}}, "required": ["from", "to"]}"#,
    );
    check(
        &copy,
        &[
            ("a b c", r#"{"from": ["a", "b"], "to": "c"}"#, "", ""),
            ("a", r#"{"from": ["a"]}"#, "", ""),
        ],
    );
    let list = command(
        r#""cli": ["go", "{{from}}", "{{to}}"], "args": {"properties": {
            "from": {"type": "array", "items": {"type": "string"}}, "to": {"type": "string"}}}"#,
    );
    check(&list, &[("a b", r#"{"from": ["a", "b"]}"#, "a b", "from")]);
    let checkout = command(
        r#""cli": ["go", "{{target}}", "--", "{{paths}}"], "args": {"properties": {
            "target": {"type": "string"}, "paths": {"type": "array", "items": {"type": "string"}}}}"#,
    );
    check(
        &checkout,
        &[
            ("-- f", r#"{"paths": ["f"]}"#, "", ""),
            (
                "main -- f g",
                r#"{"target": "main", "paths": ["f", "g"]}"#,
                "",
                "",
            ),
            ("main f", r#"{"target": "main", "paths": ["f"]}"#, "", ""),
            (
                "main x -- f",
                r#"{"target": "main", "paths": ["f"], "_": ["x"]}"#,
                "x",
                "",
            ),
            ("-- f -- g", r#"{"paths": ["f", "--", "g"]}"#, "", ""),
        ],
    );
    let position = command(
        r#""cli": ["go", "--env", "{{env}}", "--region={{region}}"], "args": {"properties": {
            "env": {"type": "string", "x-position": 1}, "region": {"type": "string", "x-position": 0}}}"#,
    );
    check(
        &position,
        &[
            ("eu prod", r#"{"region": "eu", "env": "prod"}"#, "", ""),
            (
                "eu prod x",
                r#"{"region": "eu", "env": "prod", "_": ["x"]}"#,
                "x",
                "",
            ),
        ],
    );
    let grep = command(
        r#""cli": ["go", "-e", "{{pattern}}", "{{revision}}", "--", "{{paths}}"], "args": {"properties": {
            "pattern": {"type": "string", "x-position": 0}, "revision": {"type": "string", "x-position": 1},
            "paths": {"type": "array", "items": {"type": "string"}}}, "required": ["pattern"]}"#,
    );
    check(
        &grep,
        &[
            ("x", r#"{"pattern": "x"}"#, "", ""),
            ("x main", r#"{"pattern": "x", "revision": "main"}"#, "", ""),
            (
                "x main f",
                r#"{"pattern": "x", "revision": "main", "paths": ["f"]}"#,
                "",
                "",
            ),
            (
                "-e x main",
                r#"{"pattern": "x", "revision": "main"}"#,
                "",
                "",
            ),
            ("-e x -- f", r#"{"pattern": "x", "paths": ["f"]}"#, "", ""),
            ("x -- f", r#"{"pattern": "x", "paths": ["f"]}"#, "", ""),
        ],
    );
    let twisted = command(
        r#""cli": ["go", "{{a}}", "{{b}}"], "args": {"properties": {
            "a": {"type": "string", "x-position": 1}, "b": {"type": "string", "x-position": 0}}}"#,
    );
    check(
        &twisted,
        &[("1 2", r#"{"b": "1", "a": "2"}"#, "1 2", "a b")],
    );
}

#[test]
fn words_with_text_around_are_taken_apart() {
    let ports = command(
        r#""cli": ["go", "--map={{host}}:{{port}}", "-D{{key}}={{value}}", "-{{n}}", "{{left}}..{{right}}", "x{{tail}}"],
        "args": {"properties": {
            "host": {"type": "string"}, "port": {"type": "integer"}, "key": {"type": "string"}, "value": {"type": "string"},
            "n": {"type": "integer"}, "left": {"type": "string"}, "right": {"type": "string"}, "tail": {"type": "string"}}}"#,
    );
    check(
        &ports,
        &[
            ("--map=a:80", r#"{"host": "a", "port": 80}"#, "", ""),
            ("--map=::1:80", r#"{"host": "::1", "port": 80}"#, "", ""),
            ("--map=a:80:81", r#"{"host": "a:80", "port": 81}"#, "", ""),
            ("--map a:80", r#"{"host": "a", "port": 80}"#, "", ""),
            ("--map=a", "{}", "--map=a", "host port"),
            ("-Dk=v", r#"{"key": "k", "value": "v"}"#, "", ""),
            ("-Dk=v=w", "{}", "-Dk=v=w", "key value"),
            ("-5", r#"{"n": 5}"#, "", ""),
            ("a..b", r#"{"left": "a", "right": "b"}"#, "", ""),
            (
                "a..b xc",
                r#"{"left": "a", "right": "b", "tail": "c"}"#,
                "",
                "",
            ),
            ("a..b..c", r#"{"_": ["a..b..c"]}"#, "a..b..c", ""),
            (
                "x..y",
                r#"{"left": "x", "right": "y"}"#,
                "x..y",
                "left right",
            ),
        ],
    );
}

#[test]
fn a_command_that_runs_another_takes_what_follows_it() {
    let run = command(
        r#""cli": ["go", "run", "-c", "{{c}}", "--root", "{{root}}", "--", "{{image}}", "{{command}}"],
        "args": {"properties": {"c": {"type": "string"}, "root": {"type": "boolean"}, "image": {"type": "string"},
          "command": {"type": "array", "items": {"type": "string"}, "x-command": "words"}}}"#,
    );
    check(
        &run,
        &[
            (
                "-c 5 a sh -c ls --root",
                r#"{"c": "5", "image": "a", "command": ["sh", "-c", "ls", "--root"]}"#,
                "",
                "",
            ),
            (
                "--root -- a sh -c ls",
                r#"{"root": true, "image": "a", "command": ["sh", "-c", "ls"]}"#,
                "",
                "",
            ),
            (
                "a -- --root",
                r#"{"image": "a", "command": ["--", "--root"]}"#,
                "",
                "",
            ),
            ("--root", r#"{"root": true}"#, "", ""),
        ],
    );
    // A word of the command's own may stand behind its options.
    let project = command(
        r#""cli": ["go", "-f", "{{f}}", "run", "--", "{{image}}", "{{command}}"],
        "args": {"properties": {"f": {"type": "string"}, "image": {"type": "string"},
          "command": {"type": "array", "items": {"type": "string"}, "x-command": "words"}}}"#,
    );
    check(
        &project,
        &[(
            "-f x run a ls -f",
            r#"{"f": "x", "image": "a", "command": ["ls", "-f"]}"#,
            "",
            "",
        )],
    );
    // Where the `--` stands between the two, options may stand on either side of the first.
    let exec = command(
        r#""cli": ["go", "exec", "--root", "{{root}}", "{{pod}}", "--", "{{command}}"],
        "args": {"properties": {"root": {"type": "boolean"}, "pod": {"type": "string"},
          "command": {"type": "array", "items": {"type": "string"}, "x-command": "words"}}}"#,
    );
    check(
        &exec,
        &[(
            "a --root -- sh -c",
            r#"{"root": true, "pod": "a", "command": ["sh", "-c"]}"#,
            "",
            "",
        )],
    );
}

#[test]
fn literal_words_belong_to_the_command() {
    let pods = command(
        r#""cli": ["go", "get", "-o|--output", "json", "--force|-f", "--limit=5", "{{name}}", "status", "--", "sh", "-c", "{{script}}"],
        "args": {"properties": {"name": {"type": "string"}, "script": {"type": "string"}}}"#,
    );
    check(
        &pods,
        &[
            (
                "-o json -f --limit=5 a status -- sh -c ls",
                r#"{"name": "a", "script": "ls"}"#,
                "",
                "",
            ),
            ("--output=json -f a", r#"{"name": "a"}"#, "", ""),
            ("-ojson a", r#"{"name": "a"}"#, "", ""),
            ("a", r#"{"name": "a"}"#, "", ""),
            ("-o=yaml a", r#"{"name": "a", "o": "yaml"}"#, "-o=yaml", ""),
            ("-o yaml a", r#"{"name": "yaml", "_": ["a"]}"#, "a", ""),
            (
                "--limit=6 a",
                r#"{"name": "a", "limit": "6"}"#,
                "--limit=6",
                "name",
            ),
            ("a -- sh -c", r#"{"name": "a", "_": ["-c"]}"#, "-c", ""),
        ],
    );
}

const GIT: &str = r#"{"globals": {"cli": ["-C", "{{dir}}", "--quiet", "{{silent}}", "--no-pager"],
      "args": {"properties": {"dir": {"type": "string", "x-cwd": true}, "silent": {"type": "boolean"}}}},
    "commands": {
      "branch": {"cli": ["git", "branch", "{{name}}"], "args": {"properties": {"name": {"type": "string"}}}},
      "branch_delete": {"cli": ["git", "branch", "-D|--delete-force", "--", "{{name}}"], "args": {"properties": {"name": {"type": "string"}}}},
      "branch_copy": {"cli": ["git", "branch", "-C", "--", "{{names}}"], "args": {"properties": {"names": {"type": "array", "items": {"type": "string"}}}}},
      "stash": {"cli": ["git", "stash", "-u", "{{u}}"], "args": {"properties": {"u": {"type": "boolean"}}}},
      "stash_push": {"cli": ["git", "stash", "push", "-m", "{{message}}"], "args": {"properties": {"message": {"type": "string"}}}},
      "push": {"cli": ["git", "push", "--force|-f", "{{force}}", "{{remote}}"], "args": {"properties": {"force": {"type": "boolean"}, "remote": {"type": "string"}}}},
      "push_force": {"cli": ["git", "push", "--force|-f", "--", "{{remote}}"], "args": {"properties": {"remote": {"type": "string"}}}},
      "config_get": {"cli": ["git", "config", "--get", "--", "{{key}}"], "args": {"properties": {"key": {"type": "string"}}}}
    }}"#;

fn git() -> Pack {
    let names = [
        "branch",
        "branch_delete",
        "branch_copy",
        "stash",
        "stash_push",
        "push",
        "push_force",
        "config_get",
    ];
    let policy: Vec<String> = names.iter().map(|n| format!("\"{n}\": {{}}")).collect();
    let policy = format!("{{\"commands\": {{{}}}}}", policy.join(", "));
    Pack::read(&files(GIT, &policy)).unwrap()
}

#[test]
fn a_line_belongs_to_a_command() {
    let pack = git();
    for (line, wanted) in [
        ("git branch x", r#"branch {"name":"x"}"#),
        ("git branch -D x", r#"branch_delete {"name":"x"}"#),
        (
            "git branch x --delete-force",
            r#"branch_delete {"name":"x"}"#,
        ),
        (
            "git -C /r branch -D x",
            r#"branch_delete {"dir":"/r","name":"x"}"#,
        ),
        ("git branch -C a b", r#"branch_copy {"names":["a","b"]}"#),
        ("git -C a branch b", r#"branch {"dir":"a","name":"b"}"#),
        ("git push -C a b", r#"push {"dir":"a","remote":"b"}"#),
        ("git --no-pager stash -u", r#"stash {"u":true}"#),
        ("git stash push -m hi", r#"stash_push {"message":"hi"}"#),
        ("git push -f o", r#"push_force {"remote":"o"}"#),
        ("git push o", r#"push {"remote":"o"}"#),
        (
            "git branch -qD x",
            r#"branch {"name":"x","qD":true}? | branch_copy {"names":["x"],"qD":true}? | branch_delete {"name":"x","qD":true}?"#,
        ),
        ("git config user.name", r#"config_get {"key":"user.name"}?"#),
        (
            "git -x push o",
            r#"push {"remote":"o","x":true}? | push_force {"remote":"o","x":true}?"#,
        ),
        (
            "git -x push branch o",
            r#"branch {"name":"o","x":true,"_":["push"]}? | branch_copy {"names":["o"],"x":true,"_":["push"]}? | branch_delete {"name":"o","x":true,"_":["push"]}? | push {"remote":"branch","x":true,"_":["o"]}? | push_force {"remote":"branch","x":true,"_":["o"]}?"#,
        ),
        ("git y push o", ""),
        // Some programs take their own words behind `--` all the same.
        (
            "git -- push o",
            r#"push {"remote":"o","--":true}? | push_force {"remote":"o","--":true}?"#,
        ),
        ("git -- frob push o", ""),
        ("git frob", ""),
        ("git", ""),
        ("hg push", ""),
        ("", ""),
    ] {
        let found: Vec<String> = pack
            .commands_of_line(&words(line))
            .into_iter()
            .map(|(command, argv)| {
                let mark = if argv.reading.fully_read { "" } else { "?" };
                let args = serde_json::to_string(&argv.args).unwrap();
                format!("{} {args}{mark}", command.name)
            })
            .collect();
        assert_eq!(found.join(" | "), wanted, "{line}");
    }
}

#[test]
fn what_a_command_requires_tells_it_from_others() {
    const SURFACE: &str = r#"{"commands": {
      "list": {"cli": ["git", "branch", "-a", "{{all}}"], "args": {"properties": {"all": {"type": "boolean"}}}},
      "create": {"cli": ["git", "branch", "--", "{{name}}"], "args": {"properties": {"name": {"type": "string"}}, "required": ["name"]}},
      "follow": {"cli": ["git", "branch", "--upstream={{upstream}}", "--", "{{branch}}"], "args": {"properties": {"upstream": {"type": "string"}, "branch": {"type": "string"}}, "required": ["upstream"]}},
      "login": {"cli": ["git", "login"], "stdin": "{{token}}", "args": {"properties": {"token": {"type": "string"}}, "required": ["token"]}}
    }}"#;
    let policy = r#"{"commands": {"list": {}, "create": {}, "follow": {}, "login": {}}}"#;
    let pack = Pack::read(&files(SURFACE, policy)).unwrap();
    for (line, wanted) in [
        ("git branch", "list"),
        ("git branch -a", "list"),
        ("git branch x", "create"),
        ("git branch --upstream=o/x", "follow"),
        ("git branch --upstream o/x x", "follow"),
        // Nobody reads it whole: it may be any of them.
        ("git branch -z x", "create? follow? list?"),
        // What a line cannot hold is no mark of it.
        ("git login", "login"),
    ] {
        let found: Vec<String> = pack
            .commands_of_line(&words(line))
            .into_iter()
            .map(|(command, argv)| {
                let mark = if argv.reading.fully_read { "" } else { "?" };
                format!("{}{mark}", command.name)
            })
            .collect();
        assert_eq!(found.join(" "), wanted, "{line}");
    }
}

#[test]
fn the_function_is_the_method() {
    let pack = git();
    let push = pack.command("push").unwrap();
    let argv = words("-C /prod -f origin");
    let read = args_from_argv(&pack, push, &argv);
    assert_eq!(read, push.read_argv(&argv));
    let args: Object = object(r#"{"dir": "/prod", "force": true, "remote": "origin"}"#);
    assert_eq!(read.args, args);
    let line: Vec<String> = push
        .render(&read.args)
        .unwrap()
        .words
        .into_iter()
        .map(|w| w.text)
        .collect();
    assert_eq!(
        line.join(" "),
        "git -C /prod --no-pager push --force origin"
    );
}

/// Own words may have other spellings, and a global word without a dash stands before them alone.
#[test]
fn own_words_have_spellings_and_a_global_word_may_lead_them() {
    let pack = Pack::read(&files(
        r#"{
        "globals": { "cli": ["+{{toolchain}}", "--offline", "{{offline}}"],
            "args": { "properties": { "toolchain": { "type": "string" }, "offline": { "type": "boolean" } } } },
        "spellings": { "publish": ["pub"], "cart add": ["a", "i"] },
        "commands": {
            "publish": { "cli": ["shop", "publish"] },
            "publish_dry_run": { "cli": ["shop", "publish", "--dry-run"] },
            "box_add": { "cli": ["shop", "box", "add"] },
            "add": { "cli": ["shop", "cart", "add", "{{item}}"],
                "args": { "properties": { "item": { "type": "string" } } } },
            "keys": { "cli": ["shop", "keys|length", "{{file}}"],
                "args": { "properties": { "file": { "type": "string" } } } }
        } }"#,
        r#"{ "commands": { "publish": {}, "publish_dry_run": {}, "add": {}, "box_add": {}, "keys": {} } }"#,
    ))
    .unwrap();
    for (line, wanted) in [
        ("shop publish", "publish {}"),
        ("shop pub", "publish {}"),
        ("shop pub --dry-run", "publish_dry_run {}"),
        ("shop publish|pub", ""),
        // A literal stays itself: this one is a program of another language.
        ("shop keys|length x.json", r#"keys {"file":"x.json"}"#),
        ("shop keys x.json", ""),
        ("shop length x.json", ""),
        // A key with several words means the last of them there alone.
        ("shop box add", "box_add {}"),
        ("shop box a", ""),
        ("shop p", ""),
        ("shop cart i x", r#"add {"item":"x"}"#),
        ("shop cart add a", r#"add {"item":"a"}"#),
        ("shop i cart x", ""),
        ("shop +nightly pub", r#"publish {"toolchain":"nightly"}"#),
        (
            "shop +nightly --offline cart a +x",
            r#"add {"item":"+x","offline":true,"toolchain":"nightly"}"#,
        ),
        (
            "shop --offline +nightly pub",
            r#"publish {"offline":true,"toolchain":"nightly"}"#,
        ),
        // Behind the own words it is a word like any other.
        (
            "shop pub +nightly",
            r#"publish {"_":["+nightly"]}? | publish_dry_run {"_":["+nightly"]}?"#,
        ),
        ("shop nightly pub", ""),
    ] {
        let found: Vec<String> = pack
            .commands_of_line(&words(line))
            .into_iter()
            .map(|(command, argv)| {
                let mark = if argv.reading.fully_read { "" } else { "?" };
                let mut args: Vec<(String, String)> = argv
                    .args
                    .iter()
                    .map(|(k, v)| (k.to_owned(), serde_json::to_string(v).unwrap()))
                    .collect();
                args.sort();
                let args: Vec<String> = args
                    .into_iter()
                    .map(|(k, v)| format!("\"{k}\":{v}"))
                    .collect();
                format!("{} {{{}}}{mark}", command.name, args.join(","))
            })
            .collect();
        assert_eq!(found.join(" | "), wanted, "{line}");
    }
    let written = |name: &str, args: &str| -> String {
        let command = pack.command(name).unwrap();
        let rendered = command
            .render(&command.check_args(object(args)).unwrap())
            .unwrap();
        let words: Vec<String> = rendered.words.into_iter().map(|w| w.text).collect();
        words.join(" ")
    };
    assert_eq!(
        written("add", r#"{"item": "x", "toolchain": "1.95"}"#),
        "shop +1.95 cart add x"
    );
    // Rendered is what `cli` writes.
    assert_eq!(written("publish", "{}"), "shop publish");
    assert_eq!(written("keys", r#"{"file": "x"}"#), "shop keys|length x");
    let spelled = |name: &str, at: usize| -> Vec<String> {
        let own = pack.command(name).unwrap().own_templates();
        own[at].spellings().map(str::to_owned).collect()
    };
    assert_eq!(spelled("publish", 1), ["publish", "pub"]);
    assert_eq!(spelled("add", 2), ["add", "a", "i"]);
    assert!(spelled("keys", 1).is_empty());
}

/// Each line with the commands that it may belong to, and how each reads it.
fn assert_owners(surface: &str, lines: &[(&str, &str)]) {
    let parsed: serde_json::Value = serde_json::from_str(surface).unwrap();
    let names = parsed.get("commands").and_then(|c| c.as_object()).unwrap();
    let names = names.keys();
    let policies: Vec<String> = names.map(|name| format!("{name:?}: {{}}")).collect();
    let policy = format!("{{\"commands\": {{{}}}}}", policies.join(", "));
    let pack = Pack::read(&files(surface, &policy)).unwrap();
    for (line, wanted) in lines {
        let found: Vec<String> = pack
            .commands_of_line(&words(line))
            .into_iter()
            .map(|(command, argv)| {
                let mark = if argv.reading.fully_read { "" } else { "?" };
                format!("{}{mark}", command.name)
            })
            .collect();
        assert_eq!(found.join(" "), *wanted, "{line}");
    }
}

/// A word behind an option that nobody declared there may be its value or an own word: both stay.
#[test]
fn a_word_that_may_be_a_value_hides_no_command() {
    let surface = r#"{
        "globals": { "cli": ["-C", "{{dir}}", "--color", "{{color}}"],
            "args": { "properties": { "dir": { "type": "string" }, "color": { "type": ["boolean", "string"] } } } },
        "spellings": { "push": ["p"] },
        "commands": {
            "push": { "cli": ["shop", "push", "{{to}}", "{{what}}"],
                "args": { "properties": { "to": { "type": "string" }, "what": { "type": "integer" } } } },
            "status": { "cli": ["shop", "status", "--odd", "{{odd}}"],
                "args": { "properties": { "odd": { "type": "string" } } } },
            "stash": { "cli": ["shop", "stash"] },
            "stash_list": { "cli": ["shop", "stash", "list", "--short"] },
            "stash_drop": { "cli": ["shop", "stash", "drop"] }
        } }"#;
    assert_owners(
        surface,
        &[
            ("shop push a 1", "push"),
            ("shop -C push status", "status"),
            // The milder one has more literal words, and reads its own option before its own words.
            ("shop --new push stash list --short", "push? stash_list?"),
            ("shop --new p stash list --short", "push? stash_list?"),
            ("shop --odd push status", "push? status?"),
            ("shop --odd=push status", "status"),
            (
                "shop stash --new drop list --short",
                "stash_drop? stash_list?",
            ),
            // Nothing but the kind of the own words stays.
            ("shop --new x push a", "push?"),
            ("shop stash drop --new list", "stash_drop?"),
            ("shop --new stash drop", "stash_drop?"),
            // An option that can do without its value.
            ("shop --color push a", "push?"),
            ("shop --color push status", "push? status?"),
            ("shop --color always push a", "push?"),
            ("shop --color=always push a", "push"),
            // What begins with a dash is passed over before the own words, whatever it is.
            ("shop -5 push a 1", "push?"),
            ("shop - push a", "push?"),
            ("shop -- push a", "push?"),
            ("shop -- status --odd x", "status?"),
            ("shop x push a", ""),
        ],
    );
}

/// Own words that stand without their literal option are not outdone by shorter ones that read the line.
#[test]
fn own_words_without_their_literal_option_stay() {
    let surface = r#"{ "commands": {
        "run": { "cli": ["shop", "db", "{{what}}"], "args": { "properties": { "what": { "type": "string" } } } },
        "drop": { "cli": ["shop", "db", "drop", "--yes"] },
        "drop_now": { "cli": ["shop", "db", "drop", "--now", "{{what}}", "all"],
            "args": { "properties": { "what": { "type": "string" } } } },
        "keep": { "cli": ["shop", "db", "keep"] }
    } }"#;
    assert_owners(
        surface,
        &[
            ("shop db show", "run"),
            ("shop db drop --yes", "drop"),
            ("shop db drop", "drop? drop_now? run"),
            ("shop db drop --no", "drop? drop_now? run?"),
            ("shop db keep", "keep"),
            ("shop db keep --yes", "keep?"),
        ],
    );
}

/// Only where the image is the first bare word does it end the options.
#[test]
fn options_end_where_the_template_says_which_word_it_is() {
    let commands = |cli: &str| {
        format!(
            r#"{{ "commands": {{ "run": {{ "cli": ["box", {cli}], "args": {{ "properties": {{
                "at": {{ "type": "string" }}, "bare": {{ "type": "boolean" }}, "image": {{ "type": "string" }},
                "command": {{ "type": "array", "items": {{ "type": "string" }}, "x-command": "words" }} }} }} }} }} }}"#
        )
    };
    let args = |cli: &str, line: &str| -> String {
        let pack = Pack::read(&files(&commands(cli), r#"{ "commands": { "run": {} } }"#)).unwrap();
        let found = pack.commands_of_line(&words(line));
        let (_, argv) = &found[0];
        serde_json::to_string(argv.args.get("bare").unwrap_or(&false.into())).unwrap()
    };
    let declared =
        r#""run", "--at={{at}}", "--bare", "{{bare}}", "--", "{{image}}", "{{command}}""#;
    assert_eq!(args(declared, "box run img --bare"), "false");
    assert_eq!(args(declared, "box run --bare img ls"), "true");
    let another = r#""run", "--bare", "{{bare}}", "{{at}}", "--", "{{image}}", "{{command}}""#;
    assert_eq!(args(another, "box run here --bare img ls"), "true");
}

/// An option whose value may be left out has two arguments: a switch, and what is written onto it.
#[test]
fn a_value_that_may_be_left_out_is_written_onto_its_option() {
    let show = command(
        r#""cli": ["go", "show", "--stat", "{{stat}}", "--stat={{width}}", "-n", "{{notes}}", "-n{{lines}}",
            "-v", "{{verbose}}", "{{what}}"],
        "args": {"properties": {
            "stat": {"type": "boolean"}, "width": {"type": "integer"}, "notes": {"type": "boolean"},
            "lines": {"type": "integer"}, "verbose": {"type": "boolean"}, "what": {"type": "string"}}}"#,
    );
    check(
        &show,
        &[
            ("--stat x", r#"{"stat": true, "what": "x"}"#, "", ""),
            ("--stat=80 x", r#"{"width": 80, "what": "x"}"#, "", ""),
            ("-n x", r#"{"notes": true, "what": "x"}"#, "", ""),
            ("-n5 x", r#"{"lines": 5, "what": "x"}"#, "", ""),
            ("-vn5", r#"{"lines": 5, "verbose": true}"#, "", ""),
            (
                "-vn 5",
                r#"{"notes": true, "verbose": true, "what": "5"}"#,
                "",
                "",
            ),
            ("--no-stat", r#"{"stat": false}"#, "", ""),
        ],
    );
}
