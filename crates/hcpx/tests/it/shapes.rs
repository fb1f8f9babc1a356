//! What programs read: one JSON object, its keys, the codes and the exit codes.

use crate::HCPX;
use hcp_core::json::Value;
use hcp_testkit::{Answer, Who, World};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

const FARE: [&str; 4] = ["ledger", "transfer", "--", "amount=2.80"];

fn fare(verb: &str) -> Vec<&str> {
    let mut words = vec![verb];
    words.extend(FARE);
    words.push("payee=demo-transit");
    words
}

/// Paths of an answer, each with the kind of value that stands there.
type Paths = &'static [(&'static str, &'static str)];

/// What kind of value stands at a path.
fn kind(answer: &Answer, path: &str) -> &'static str {
    match answer.value(path) {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Wants these paths, each with its kind of value.
fn wants(answer: &Answer, paths: &[(&str, &str)]) {
    for (path, wanted) in paths {
        assert_eq!(
            kind(answer, path),
            *wanted,
            "{path} of hcpx {}:\n{}",
            answer.words,
            answer.stdout
        );
    }
}

/// A pack of one command for `sh -c`, given as a script.
fn tool(world: &World, script: &str, policy: &str) {
    world.write("tools/probe", &format!("#!/bin/sh\n{script}\n"));
    let file = world.root().join("tools/probe");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    world.write(
        "probe/pack.json",
        r#"{ "id": "probe", "name": "Probe", "version": "1.0.0", "summary": "A probe." }"#,
    );
    world.write(
        "probe/policy.json",
        &format!(r#"{{ "commands": {{ "go": {policy} }} }}"#),
    );
    world.write(
        "probe/surface.json",
        r#"{ "commands": { "go": { "description": "Go.", "cli": ["probe", "{{a}}"],
             "args": { "type": "object", "properties": { "a": { "type": "string" } } } } } }"#,
    );
    let source = world.root().join("probe").display().to_string();
    world
        .person(&["install", "--replace", &source])
        .expect_code("ok");
}

const READ: &str = r#"{ "operation": "read" }"#;

/// Runs hcpx with the tool's folder on its path.
fn probe(world: &World, words: &[&str]) -> Answer {
    Answer::of(words, probe_command(world, words).output().unwrap())
}

fn probe_command(world: &World, words: &[&str]) -> std::process::Command {
    let mut command = world.command(Who::Person);
    let path = format!(
        "{}:{}",
        world.root().join("tools").display(),
        std::env::var("PATH").unwrap()
    );
    command.env("PATH", path).args(words);
    command
}

#[test]
fn everything_that_lists_answers_with_one_object() {
    let world = World::with_packs(HCPX, &["ledger", "notes", "transit"]);
    world
        .person(&[
            "allow",
            "ledger.transfer",
            "--max",
            "amount=1",
            "--note",
            "small",
        ])
        .expect_code("ok");
    world.agent(&fare("exec")).expect_code("confirm_required");
    world
        .agent(&["exec", "ledger", "balance"])
        .expect_code("ok");
    let shapes: &[(&[&str], Paths)] = &[
        (
            &[],
            &[
                ("mode", "string"),
                ("packs", "array"),
                ("waiting", "number"),
            ],
        ),
        (
            &["rules"],
            &[
                ("rules", "array"),
                ("rules.0.index", "number"),
                ("rules.0.scope", "string"),
                ("rules.0.match", "string"),
                ("rules.0.decision", "string"),
                ("rules.0.when.max.amount", "number"),
                ("rules.0.note", "string"),
            ],
        ),
        (
            &["approvals"],
            &[
                ("approvals", "array"),
                ("approvals.0.approval_id", "string"),
            ],
        ),
        (
            &["commands"],
            &[
                ("commands", "array"),
                ("commands.0.verb_key", "string"),
                ("commands.0.access", "string"),
                ("commands.0.reason", "string"),
                ("commands.0.operation", "string"),
                ("commands.0.args", "array"),
            ],
        ),
        (
            &["mode"],
            &[("mode", "string"), ("from", "string"), ("packs", "object")],
        ),
        (
            &["access"],
            &[
                ("mode", "string"),
                ("approvals", "string"),
                ("approval_minutes", "number"),
                ("agent", "bool"),
                ("caller.kind", "string"),
                ("caller.looked", "string"),
                ("layers", "array"),
                ("rules", "array"),
                ("rules.0.scope", "string"),
                ("ignored", "array"),
                ("grants", "string"),
            ],
        ),
        (
            &["packs"],
            &[
                ("packs", "array"),
                ("packs.0.id", "string"),
                ("packs.0.version", "string"),
                ("packs.0.digest", "string"),
            ],
        ),
        (
            &["audit"],
            &[
                ("events", "array"),
                ("events.0.time", "string"),
                ("events.0.event", "string"),
                ("events.0.seq", "number"),
                ("events.0.principal.id", "string"),
                ("events.0.principal.kind", "string"),
            ],
        ),
        (&["audit", "head"], &[("seq", "number"), ("head", "string")]),
        (&["audit", "verify"], &[("faults", "array")]),
        (
            &["doctor"],
            &[
                ("findings", "array"),
                ("findings.0.about", "string"),
                ("findings.0.level", "string"),
                ("findings.0.what", "string"),
            ],
        ),
    ];
    for (words, paths) in shapes {
        for who in [Who::Person, Who::Agent] {
            let mut command = world.command(who);
            let answer = Answer::of(words, command.args(*words).output().unwrap());
            answer.expect_code("ok");
            assert_eq!(answer.value("ok"), Value::Bool(true));
            assert_eq!(answer.stdout.lines().count(), 1, "{}", answer.stdout);
            assert!(answer.stdout.ends_with('\n'));
            assert_eq!(answer.stderr, "", "hcpx {}", answer.words);
            wants(&answer, paths);
        }
    }
}

#[test]
fn a_rule_with_conditions_shows_what_it_lets_run() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world
        .person(&[
            "allow",
            "ledger.transfer",
            "--when",
            "payee=demo-transit",
            "--max",
            "amount=5",
        ])
        .expect_code("ok");
    let listed = world.agent(&["commands", "ledger"]).value("commands");
    let transfer = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c.get("verb_key").and_then(Value::as_str) == Some("ledger.transfer"))
        .cloned()
        .unwrap();
    assert_eq!(transfer.get("access").and_then(Value::as_str), Some("ask"));
    let words = transfer.get("words").and_then(Value::as_str).unwrap();
    assert_eq!(words, "ask · runs when payee=demo-transit, amount ≤ 5");
}

#[test]
fn a_call_that_asks_hands_a_host_everything() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let asked = world.agent(&fare("exec"));
    asked.expect_code("confirm_required");
    let top = asked.json();
    let keys: Vec<&str> = top.as_object().unwrap().keys().collect();
    assert_eq!(&keys[..4], ["ok", "code", "message", "hint"]);
    wants(
        &asked,
        &[
            ("message", "string"),
            ("hint", "string"),
            ("preview.command", "string"),
            ("preview.args", "object"),
            ("preview.cli", "string"),
            ("approval_id", "string"),
            ("access.mode", "string"),
            ("access.reason", "string"),
            ("access.approvals", "string"),
            ("reason", "string"),
            ("approval.args.0.value", "string"),
            ("approval.args.0.display", "string"),
            ("approval.view.kind", "string"),
            ("approval.view.title", "string"),
            ("approval.view.fields", "object"),
            ("approval.view.rest", "array"),
            ("approval.view.signals", "array"),
            ("approval.view.sources", "object"),
            ("approval.options", "array"),
            ("approval.options.0.kind", "string"),
        ],
    );
    for (path, text) in [
        ("approval.pack_id", "ledger"),
        ("approval.pack_name", "Ledger"),
        ("approval.command", "transfer"),
        ("approval.verb_key", "ledger.transfer"),
        (
            "approval.summary",
            "Pay a saved payee. Refused until a person confirms the amount and payee.",
        ),
        ("approval.operation", "write"),
        ("approval.confirm", "always"),
        ("approval.args.0.name", "amount"),
        ("approval.args.0.description", "Amount in EUR"),
        (
            "approval.cli",
            "ledger transfer 2.80 --to demo-transit --confirm",
        ),
        (
            "approval.reason",
            "Policy confirm \"always\": every mode asks",
        ),
        ("approval.reason_code", "confirm_always"),
        ("approval.mode", "auto"),
        ("approval.approvals", "agent"),
        (
            "access.reason",
            "Policy confirm \"always\": every mode asks",
        ),
    ] {
        assert_eq!(asked.text(path), text, "{path}");
    }
    let id = asked.text("approval_id");
    assert_eq!(asked.text("approval.approval_id"), id);
    assert_eq!(id.len(), 8);
    assert!(id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
    let expires: jiff::Timestamp = asked.text("approval.expires_at").parse().unwrap();
    let left = expires.duration_since(jiff::Timestamp::now()).as_secs();
    assert!((880..=900).contains(&left), "{left}");
    assert!(
        asked
            .text("hint")
            .contains(&format!("hcpx exec --confirm {id}"))
    );
}

#[test]
fn preview_shows_the_request_whatever_the_gate_says() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let shown = world.agent(&fare("preview"));
    shown.expect_code("ok");
    assert_eq!(shown.text("verb_key"), "ledger.transfer");
    assert_eq!(shown.value("approval_id"), Value::Null);
    assert_eq!(
        world.person(&["approvals"]).value("approvals"),
        Value::Array(vec![]),
        "a preview makes no request"
    );
    let text = world.agent(
        &[
            fare("preview")[..3].to_vec(),
            vec!["--text"],
            fare("preview")[3..].to_vec(),
        ]
        .concat(),
    );
    assert_eq!(
        text.stdout,
        "Ledger · Pay a saved payee. Refused until a person confirms the amount and payee.\n\n\
         Pay demo-transit\n· Moves money\n  amount    2.80\n  currency  EUR\n  \
         to        demo-transit\n  from      Demo account DEMO-0001\n\n  \
         $ ledger transfer 2.80 --to demo-transit --confirm\n\n\
         Asks first: Policy confirm \"always\": every mode asks\n"
    );
    world.person(&["deny", "ledger.*"]).expect_code("ok");
    let denied = world.agent(&fare("preview"));
    denied.expect_code("ok");
    assert_eq!(denied.text("reason_code"), "denied_by_rule");
    world.agent(&["preview", "notes", "list"]).expect_code("ok");
    for (words, code) in [
        (
            vec!["preview", "ledger", "transfer", "--", "amount=1"],
            "invalid_args",
        ),
        (vec!["preview", "ledger", "transfers"], "unknown_command"),
        (vec!["preview", "leger", "transfer"], "unknown_pack"),
        (vec!["preview"], "usage"),
    ] {
        world.agent(&words).expect_code(code);
    }
}

#[test]
fn explain_tells_the_decision_and_its_trace() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for words in [
        vec!["allow", "ledger.transfer", "--when", "payee=demo-rent"],
        vec!["ask", "ledger.*"],
        vec!["allow", "ledger.transfer", "--max", "amount=5"],
    ] {
        world.person(&words).expect_code("ok");
    }
    let explained = world.agent(&fare("explain"));
    explained.expect_code("ok");
    assert_eq!(explained.text("decision"), "allow");
    assert_eq!(explained.text("reason_code"), "rule");
    assert_eq!(explained.value("rule.index").to_string(), "2");
    wants(
        &explained,
        &[
            ("reason", "string"),
            ("mode", "string"),
            ("approvals", "string"),
            ("from.layer", "string"),
            ("trace", "array"),
            ("trace.0.layer", "string"),
            ("trace.0.index", "number"),
            ("trace.0.decision", "string"),
            ("trace.0.outcome", "string"),
            ("trace.0.why", "string"),
        ],
    );
    let trace = explained.value("trace");
    assert_eq!(trace.as_array().unwrap().len(), 3, "each rule that fits");
}

#[test]
fn a_run_gives_its_output_and_end() {
    let world = World::new(HCPX);
    tool(&world, "printf 'out'; printf 'err' >&2; exit 7", READ);
    let ran = probe(&world, &["exec", "probe", "go"]);
    ran.expect_code("command_failed");
    assert_eq!(ran.value("ok"), Value::Bool(false));
    assert_eq!(ran.value("exit_code").to_string(), "7");
    assert_eq!(ran.text("stdout"), "out");
    assert_eq!(ran.text("stderr"), "err");
    wants(
        &ran,
        &[
            ("duration_ms", "number"),
            ("truncated", "null"),
            ("stdout_base64", "null"),
            ("access.decision", "string"),
            ("by.kind", "string"),
        ],
    );

    tool(&world, r"printf '\377\000a'", READ);
    let bytes = probe(&world, &["exec", "probe.go"]);
    bytes.expect_code("ok");
    assert_eq!(bytes.text("stdout_base64"), "/wBh");
    assert_eq!(bytes.value("stdout"), Value::Null);

    tool(
        &world,
        "head -c 1500000 /dev/zero | tr '\\0' a; printf b >&2",
        READ,
    );
    let long = probe(&world, &["exec", "probe", "go"]);
    long.expect_code("ok");
    assert_eq!(long.value("truncated"), Value::Bool(true));
    assert_eq!(long.value("stdout_length").to_string(), "1500000");
    assert_eq!(long.text("stdout").len(), 1 << 20);
    assert_eq!(long.value("stderr_length"), Value::Null);

    tool(&world, "kill -TERM $$", READ);
    let killed = probe(&world, &["exec", "probe", "go"]);
    killed.expect_code("command_failed");
    assert_eq!(killed.value("exit_code").to_string(), "143");

    tool(&world, "printf early; exec sleep 30", READ);
    let late = probe(&world, &["exec", "probe", "go", "--timeout", "1"]);
    late.expect_code("timeout");
    assert_eq!(late.value("exit_code"), Value::Null);
    assert_eq!(late.text("stdout"), "early");

    std::fs::remove_file(world.root().join("tools/probe")).unwrap();
    let gone = probe(&world, &["exec", "probe", "go"]);
    gone.expect_code("spawn_failed");
    wants(
        &gone,
        &[
            ("message", "string"),
            ("hint", "string"),
            ("stdout", "null"),
        ],
    );
    world.write("tools/probe", "#!/no/such/interpreter\n");
    let file = world.root().join("tools/probe");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    probe(&world, &["exec", "probe", "go"]).expect_code("spawn_failed");
}

#[test]
fn each_refusal_has_its_code_and_exit_code() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    for (words, code) in [
        (vec!["exec", "ledgr", "balance"], "unknown_pack"),
        (vec!["exec", "ledger", "balanc"], "unknown_command"),
        (vec!["exec", "ledger", "transfer"], "invalid_args"),
        (
            vec![
                "exec", "ledger", "transfer", "--", "amount=1", "payee=x", "to=y",
            ],
            "invalid_args",
        ),
        (
            vec!["exec", "ledger", "transfer", "--args", "[]"],
            "invalid_args",
        ),
        (
            vec![
                "exec",
                "ledger",
                "transfer",
                "--args",
                "{\"amount\":1,\"amount\":2}",
            ],
            "invalid_args",
        ),
        (vec!["exec", "ledger"], "usage"),
        (vec!["exec"], "usage"),
        (
            vec!["exec", "ledger", "transfer", "amount=1", "payee=x"],
            "usage",
        ),
        (vec!["exec", "ledger.transfer", "amount=1"], "usage"),
        (vec!["exce", "ledger", "balance"], "usage"),
        (vec!["exec", "ledger", "balance", "--rawr"], "usage"),
        (vec!["mode", "fast"], "usage"),
        (vec!["schema", "fridge"], "usage"),
        (vec!["rules", "rm", "0"], "usage"),
        (vec!["rules", "rm", "first"], "usage"),
        (vec!["rules", "rm", "operator:0"], "usage"),
        (vec!["access", "set", "approvals", "nobody"], "usage"),
        (vec!["access", "set", "approval_minutes", "0"], "usage"),
        (vec!["access", "set", "approval_minutes", "1441"], "usage"),
        (vec!["commands", "ledgr"], "unknown_pack"),
    ] {
        let refused = world.person(&words);
        refused.expect_code(code);
        assert_eq!(refused.value("ok"), Value::Bool(false));
        wants(&refused, &[("message", "string")]);
        assert_eq!(refused.stdout.lines().count(), 1);
    }
    for (words, near) in [
        (vec!["exec", "ledgr", "balance"], "ledger"),
        (vec!["exec", "ledger", "balanc"], "balance"),
        (vec!["exce"], "exec"),
        (
            vec!["exec", "ledger", "balance", "--tmeout", "1"],
            "--timeout",
        ),
        (
            vec!["exec", "ledger", "transfer", "--", "amount=1", "paye=x"],
            "payee",
        ),
    ] {
        let refused = world.person(&words);
        assert!(refused.stdout.contains(near), "{}", refused.stdout);
    }
    for words in [
        vec!["exec", "ledger", "transfer", "amount=1", "payee=x"],
        vec!["exec", "ledger.transfer", "amount=1"],
        vec!["preview", "ledger", "transfer", "--amount", "1"],
    ] {
        let slip = world.agent(&words);
        assert!(slip.text("hint").contains("behind --"), "{}", slip.stdout);
    }
    let typed = world.agent(&[
        "exec",
        "ledger",
        "transfer",
        "--args",
        r#"{"amount":1,"payee":"x"}"#,
    ]);
    assert_eq!(
        typed.text("message"),
        "amount: must be a string. Nothing ran."
    );
    let slip = world.person(&["mode", "manual", "--pack", "ledgr"]);
    assert!(
        slip.text("advice.0").contains("did you mean ledger?"),
        "{}",
        slip.stdout
    );
    world
        .person(&["mode", "--clear", "--pack", "ledgr"])
        .expect_code("ok");
    let idle = world.person(&["mode", "run", "--project"]);
    assert!(
        !idle.value("ignored").as_array().unwrap().is_empty(),
        "{}",
        idle.stdout
    );
    // What a person typed is made safe before it is echoed.
    let odd = world.person(&["exec", "led\u{1b}[31mger\u{202e}", "x", "--text"]);
    assert_eq!(odd.exit, 2);
    assert!(
        !odd.stderr.contains(['\u{1b}', '\u{202e}']),
        "{:?}",
        odd.stderr
    );
    let odd = world.person(&["\u{1b}[31mexec\u{202e}", "--text"]);
    assert_eq!(odd.exit, 2);
    assert!(
        !odd.stderr.contains(['\u{1b}', '\u{202e}']),
        "{:?}",
        odd.stderr
    );

    let surface = world.store().join("packs/notes/surface.json");
    let text = std::fs::read_to_string(&surface).unwrap();
    std::fs::write(&surface, text.replace("Add a note.", "Add it.")).unwrap();
    world
        .agent(&["exec", "notes", "list"])
        .expect_code("pack_changed");
    std::fs::write(&surface, "{").unwrap();
    let broken = world.agent(&["exec", "notes", "list"]);
    assert!(["pack_invalid", "pack_changed"].contains(&broken.code().as_str()));
    assert_eq!(broken.exit, 6);

    // Whatever cannot be recorded does not run.
    let log = world.store().join("audit.jsonl");
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    let before = world.agent(&["exec", "ledger", "balance"]);
    before.expect_code("audit_unavailable");
    assert_eq!(before.value("stdout"), Value::Null);
    world.agent(&fare("exec")).expect_code("audit_unavailable");
    std::fs::remove_dir(&log).unwrap();
    let store = world.store().join("approvals.db");
    std::fs::create_dir(&store).unwrap();
    world.agent(&fare("exec")).expect_code("store_unavailable");
    world
        .agent(&["exec", "ledger", "balance"])
        .expect_code("ok");
}

#[test]
fn lists_come_one_object_a_line_when_asked() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world.person(&["deny", "notes.delete"]).expect_code("ok");
    world.person(&["ask", "notes.*"]).expect_code("ok");
    for (words, lines, key) in [
        (vec!["rules", "--jsonl"], 2, "match"),
        (vec!["commands", "--jsonl"], 9, "verb_key"),
        (vec!["packs", "--jsonl"], 2, "digest"),
        (vec!["audit", "--jsonl"], 4, "time"),
        (vec!["approvals", "--jsonl"], 0, "approval_id"),
    ] {
        let listed = world.person(&words);
        assert_eq!(listed.exit, 0);
        assert_eq!(listed.stdout.lines().count(), lines, "{}", listed.stdout);
        for line in listed.stdout.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(value.get(key).is_some(), "{line}");
        }
    }
    world
        .person(&["rules", "--json", "--jsonl"])
        .expect_code("usage");
}

#[test]
fn raw_passes_bytes_and_exit_code_on() {
    let world = World::new(HCPX);
    tool(&world, r"printf '\377out'; printf 'err' >&2; exit 7", READ);
    let raw = ["exec", "--raw", "probe", "go"];
    let ran = probe_command(&world, &raw).output().unwrap();
    assert_eq!(ran.stdout, b"\xffout");
    assert_eq!(ran.stderr, b"err");
    assert_eq!(ran.status.code(), Some(7));

    for (code, words) in [
        ("denied", vec!["deny", "probe.go"]),
        ("asks", vec!["ask", "probe.go"]),
    ] {
        probe(&world, &words).expect_code("ok");
        let refused = probe_command(&world, &raw).output().unwrap();
        assert_eq!(refused.stdout, b"", "{code}");
        assert!(!refused.stderr.is_empty(), "{code}");
        assert_eq!(refused.status.code(), Some(125), "{code}");
        probe(&world, &["rules", "rm", "0"]).expect_code("ok");
    }
    for words in [
        vec!["exec", "--raw", "probe", "gone"],
        vec!["exec", "--raw", "nothing", "go"],
        vec!["exec", "--raw", "probe", "go", "--", "b=1"],
        vec!["exec", "--raw", "probe"],
        vec!["exec", "--raw", "--confirm", "deadbeef"],
        vec!["exec", "--raw", "probe", "go", "--stdin", "not-there"],
        vec!["exec", "--raw", "probe", "go", "--rawr"],
        vec!["exec", "--raw", "probe", "go", "too", "many"],
    ] {
        let refused = probe_command(&world, &words).output().unwrap();
        assert_eq!(refused.stdout, b"", "{words:?}");
        assert!(!refused.stderr.is_empty(), "{words:?}");
        assert_eq!(refused.status.code(), Some(125), "{words:?}");
    }
    tool(&world, "exec sleep 30", READ);
    let late = probe_command(&world, &["exec", "--raw", "--timeout", "1", "probe", "go"])
        .output()
        .unwrap();
    assert_eq!(late.status.code(), Some(125));
    tool(&world, "cat", READ);
    let mut command = probe_command(&world, &["exec", "--raw", "--stdin", "-", "probe", "go"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"a\0b").unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(
        (out.stdout.as_slice(), out.status.code()),
        (&b"a\0b"[..], Some(0))
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let world = World::with_packs(HCPX, &["git", "ledger"]);
    for words in [
        vec!["commands"],
        vec!["commands", "--text"],
        vec!["man"],
        vec!["completions", "bash"],
        vec!["schema", "result"],
        vec!["--help"],
    ] {
        let mut child = world
            .command(Who::Person)
            .args(&words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{words:?}: {errors}");
        assert_eq!(errors, "", "{words:?}");
    }
    // A tool whose reader went away ends, and hcpx with it.
    tool(&world, "yes", READ);
    let mut child = probe_command(&world, &["exec", "--raw", "probe", "go"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    drop(reader);
    child.wait().unwrap();
    assert_eq!(line, "y\n");
}

#[test]
fn a_table_of_calls_is_tested() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world.write(
        "work/cases.json",
        r#"{ "layers": { "user": { "rules": [
               { "match": "ledger.transfer", "decision": "allow",
                 "when": { "args": { "payee": "demo-transit" }, "max": { "amount": 5 } } },
               { "match": "ledger.list", "decision": "deny" } ] } },
             "now": "2026-12-01T12:00:00Z",
             "cases": [
               { "name": "fares", "pack": "ledger", "command": "transfer",
                 "args": { "amount": "2.80", "payee": "demo-transit" }, "expect": "allow", "code": "rule" },
               { "name": "above", "pack": "ledger", "command": "transfer",
                 "args": { "amount": "5.01", "payee": "demo-transit" }, "expect": "ask", "code": "confirm_always" },
               { "name": "list", "pack": "ledger", "command": "list", "expect": "deny", "code": "denied_by_rule" },
               { "name": "balance", "pack": "ledger", "command": "balance", "agent": true, "expect": "allow", "code": "mode" } ] }"#,
    );
    let passed = world.agent(&["access", "test", "cases.json"]);
    passed.expect_code("ok");
    assert_eq!(passed.value("passed").to_string(), "4");
    assert_eq!(passed.value("failed").to_string(), "0");
    wants(
        &passed,
        &[
            ("cases.0.name", "string"),
            ("cases.0.decision", "string"),
            ("cases.0.code", "string"),
            ("cases.0.reason", "string"),
            ("cases.0.ok", "bool"),
        ],
    );
    assert_eq!(passed.text("cases.1.code"), "confirm_always");
    let text = world.agent(&["access", "test", "cases.json", "--text"]);
    assert_eq!(text.stdout, "4 passed, 0 failed\n");

    world.write(
        "work/wrong.json",
        r#"{ "cases": [
               { "name": "wrong", "pack": "ledger", "command": "balance", "expect": "deny" },
               { "name": "wrong code", "pack": "ledger", "command": "balance", "expect": "allow", "code": "rule" },
               { "name": "no such command", "pack": "ledger", "command": "bal", "expect": "ask" },
               { "name": "bad arguments", "pack": "ledger", "command": "transfer", "expect": "ask" } ] }"#,
    );
    let failed = world.agent(&["access", "test", "wrong.json"]);
    assert_eq!(failed.exit, 1);
    assert_eq!(failed.value("failed").to_string(), "4", "{}", failed.stdout);
    assert_eq!(failed.value("cases.0.ok"), Value::Bool(false));
    let text = world.agent(&["access", "test", "wrong.json", "--text"]);
    assert_eq!(text.exit, 1);
    assert!(
        text.stdout.ends_with("0 passed, 4 failed\n"),
        "{}",
        text.stdout
    );

    world.write(
        "work/bad.json",
        r#"{ "cases": [ { "name": "x", "expects": "deny" } ] }"#,
    );
    let bad = world.agent(&["access", "test", "bad.json"]);
    bad.expect_code("access_invalid");
    wants(&bad, &[("diagnostics.0.line", "number")]);
    world
        .agent(&["access", "test", "not-there.json"])
        .expect_code("usage");
    world.write("work/good.json", r#"{ "mode": "run" }"#);
    world
        .agent(&["access", "check", "good.json"])
        .expect_code("ok");
    let checked = world.agent(&["access", "check", "bad.json"]);
    checked.expect_code("access_invalid");
}

/// A schema that the program prints, ready to check with.
fn schema(world: &World, name: &str) -> jsonschema::Validator {
    let printed = world.agent(&["schema", name]);
    assert_eq!(printed.exit, 0);
    let schema: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
    assert!(
        jsonschema::meta::is_valid(&schema),
        "{name} is no JSON Schema"
    );
    jsonschema::validator_for(&schema).unwrap()
}

fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn valid(schema: &jsonschema::Validator, instance: &serde_json::Value) {
    let errors: Vec<String> = schema
        .iter_errors(instance)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{instance}");
}

#[test]
fn what_is_printed_and_read_fits_its_schema() {
    let world = World::with_packs(HCPX, &["git", "ledger", "notes", "transit"]);
    let result = schema(&world, "result");
    for words in [
        fare("exec"),
        vec!["exec", "ledger", "balance"],
        vec!["exec", "notes", "show", "--", "name=nix"],
        vec!["exec", "nothing", "there"],
        vec!["exec", "ledger", "transfer"],
        vec!["exec", "--confirm", "deadbeef"],
        vec!["rules", "rm", "7"],
    ] {
        valid(&result, &value(&world.agent(&words).stdout));
    }
    for pack in ["git", "ledger", "notes", "transit"] {
        for file in ["pack", "surface", "policy"] {
            let path = world.store().join(format!("packs/{pack}/{file}.json"));
            let text = std::fs::read_to_string(&path).unwrap();
            valid(&schema(&world, file), &value(&text));
        }
    }
    for words in [
        vec![
            "allow",
            "ledger.transfer",
            "--when",
            "payee=demo-transit",
            "--max",
            "amount=5",
            "--note",
            "x",
        ],
        vec!["allow", "notes.*", "--op", "read", "--for", "30m"],
        vec!["ask", "ledger.*", "--human"],
        vec![
            "deny",
            "notes.delete",
            "--except-like",
            "name=tmp*",
            "--except-one-of",
            "name=a,b",
        ],
        vec!["mode", "manual", "--pack", "notes"],
        vec!["mode", "run"],
        vec!["access", "set", "approvals", "human"],
        vec!["access", "set", "approval_minutes", "30"],
    ] {
        world.person(&words).expect_code("ok");
    }
    let access = schema(&world, "access");
    let settings = std::fs::read_to_string(world.store().join("access.json")).unwrap();
    valid(&access, &value(&settings));
    let grants = schema(&world, "grants");
    valid(
        &grants,
        &value(r#"{ "grants": [ { "capability": "verb.exec.read", "kind": "agent" } ] }"#),
    );
    // What the readers refuse, the schemas refuse as well.
    for bad in [
        r#"{ "mode": "fast" }"#,
        r#"{ "mod": "run" }"#,
        r#"{ "rules": [ { "match": "ledger", "decision": "deny" } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "maybe" } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "deny", "when": { "max": {} } } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "deny", "when": { "max": { "a": "5" } } } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "deny", "when": { "one_of": { "a": [] } } } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "deny", "except": [ {} ] } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "deny", "when": { "only": false } } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "allow", "by": "human" } ] }"#,
        r#"{ "rules": [ { "match": "*", "decision": "ask", "by": "agent" } ] }"#,
        r#"{ "mode": null }"#,
        r#"{ "approval_minutes": 0 }"#,
        r#"{ "approval_minutes": 1.5 }"#,
        r#"[]"#,
    ] {
        world.write("work/bad.json", bad);
        world
            .agent(&["access", "check", "bad.json"])
            .expect_code("access_invalid");
        assert!(
            !access.is_valid(&value(bad)),
            "the schema lets through {bad}"
        );
    }
    for bad in [
        r#"{}"#,
        r#"{ "grants": [ { "capability": "verb.exec" } ] }"#,
        r#"{ "grants": [ { "capability": "pack.install", "packs": [] } ] }"#,
        r#"{ "grants": [ { "pack_id": "mail" } ] }"#,
    ] {
        assert!(
            !grants.is_valid(&value(bad)),
            "the schema lets through {bad}"
        );
    }
    let audit = schema(&world, "audit");
    let log = std::fs::read_to_string(world.store().join("audit.jsonl")).unwrap();
    assert!(log.lines().count() > 10);
    for line in log.lines() {
        valid(&audit, &value(line));
    }
}

#[test]
fn a_line_of_the_log_has_its_keys() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world.agent(&fare("exec")).expect_code("confirm_required");
    world
        .person(&["exec", "ledger", "balance"])
        .expect_code("ok");
    let listed = world.person(&["audit", "--limit", "3", "--pack", "ledger"]);
    let events = listed.value("events");
    let events = events.as_array().unwrap();
    assert_eq!(events.len(), 3);
    let [asked, ran, outcome] = events else {
        panic!()
    };
    let text = |line: &Value, key: &str| {
        line.get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    for key in [
        "time",
        "event",
        "call",
        "via",
        "principal",
        "tenant",
        "project",
        "binding",
        "pack",
        "command",
        "operation",
        "decision",
        "code",
        "reason",
        "mode",
        "ran",
        "args",
        "args_sha256",
        "seq",
        "prev",
    ] {
        assert!(asked.get(key).is_some(), "{key}: {asked}");
        assert!(ran.get(key).is_some(), "{key}: {ran}");
    }
    assert_eq!(text(asked, "event"), "call");
    assert_eq!(text(asked, "decision"), "ask");
    assert_eq!(text(asked, "code"), "confirm_required");
    assert_eq!(asked.get("ran"), Some(&Value::Bool(false)));
    assert_eq!(
        asked.get("args").unwrap().to_string(),
        r#"["amount","payee"]"#
    );
    assert_eq!(text(ran, "decision"), "allow");
    assert_eq!(ran.get("ran"), Some(&Value::Bool(true)));
    assert_eq!(ran.get("by").unwrap().to_string(), r#"{"kind":"mode"}"#);
    assert_eq!(text(outcome, "event"), "outcome");
    assert_eq!(text(outcome, "call"), text(ran, "call"));
    let log = std::fs::read_to_string(world.store().join("audit.jsonl")).unwrap();
    assert!(
        !log.contains("2.80") && !log.contains("demo-transit"),
        "a value stands in the log"
    );
}
