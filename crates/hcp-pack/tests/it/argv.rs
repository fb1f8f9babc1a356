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
        ("git -- push o", ""),
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
