//! `hcpx access test`: rules under test, and the vectors that every implementation must meet.

use crate::HCPX;
use hcp_core::json::Value;
use hcp_testkit::{Answer, World};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

fn tested(world: &World, text: &str) -> Answer {
    world.write("work/table.json", text);
    world.person(&["access", "test", "table.json"])
}

/// Runs a table whose one case is this, and gives the case's answer.
fn case(world: &World, head: &str, case: &str) -> Answer {
    tested(world, &format!("{{{head}\"cases\":[{case}]}}"))
}

const FARE: &str =
    r#""pack":"ledger","command":"transfer","args":{"amount":"2.80","payee":"demo-transit"}"#;
const RULES: &str = r#"{"rules":[{"match":"ledger.transfer","decision":"allow","when":{"args":{"payee":"demo-transit"},"max":{"amount":5}},"note":"fares"}]}"#;

#[test]
fn the_vectors_pass() {
    let world = World::with_packs(HCPX, &["ledger", "transit", "notes", "git"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/access");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let answer = world.person(&["access", "test", &path.to_string_lossy()]);
        assert_eq!(answer.exit, 0, "{}: {}", path.display(), answer.stdout);
        assert_eq!(answer.value("failed").to_string(), "0");
        assert_ne!(
            answer.value("passed").to_string(),
            "0",
            "{}",
            path.display()
        );
        files += 1;
    }
    assert!(files >= 10);
}

#[test]
fn a_case_gives_its_decision_code_and_reason() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let head = format!("\"layers\":{{\"user\":{RULES}}},\"now\":\"2026-12-01T12:00:00Z\",");
    let answer = case(
        &world,
        &head,
        &format!(
            "{{\"name\":\"fares\",{FARE},\"agent\":true,\"expect\":\"allow\",\"code\":\"rule\"}}"
        ),
    );
    answer.expect_code("ok");
    assert_eq!(answer.value("passed").to_string(), "1");
    assert_eq!(answer.value("failed").to_string(), "0");
    assert_eq!(answer.text("cases.0.name"), "fares");
    assert_eq!(answer.text("cases.0.decision"), "allow");
    assert_eq!(answer.text("cases.0.code"), "rule");
    assert!(
        answer.text("cases.0.reason").contains("fares"),
        "{}",
        answer.stdout
    );
    assert_eq!(answer.value("cases.0.ok"), Value::Bool(true));
}

#[test]
fn a_case_that_differs_is_listed_with_its_trace() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let rest = r#""pack":"ledger","command":"transfer","args":{"amount":"6","payee":"demo-transit"},"expect":"allow""#;
    let text = format!(
        "{{\"layers\":{{\"user\":{RULES}}},\"cases\":[{{\"name\":\"six\",{rest}}},{{{FARE},\"expect\":\"allow\"}}]}}"
    );
    let answer = tested(&world, &text);
    assert_eq!(answer.exit, 1);
    assert_eq!(answer.value("passed").to_string(), "1");
    assert_eq!(answer.value("failed").to_string(), "1");
    assert_eq!(answer.value("cases.0.ok"), Value::Bool(false));
    assert_eq!(answer.text("cases.0.decision"), "ask");
    assert_eq!(answer.text("cases.0.code"), "confirm_always");
    assert_eq!(answer.text("cases.0.expected"), "allow");
    assert_eq!(answer.text("cases.0.trace.0.outcome"), "not_matched");
    assert!(answer.text("cases.0.trace.0.why").contains("amount"));
    assert_eq!(answer.value("cases.1.ok"), Value::Bool(true));
    let shown = world.person(&["--text", "access", "test", "table.json"]);
    assert_eq!(shown.exit, 1);
    for part in [
        "failed: six",
        "expected allow, got ask (confirm_always)",
        "user:0",
        "amount is above the limit",
    ] {
        assert!(shown.stdout.contains(part), "{part} in {}", shown.stdout);
    }
    assert!(
        shown.stdout.trim_end().ends_with("1 passed, 1 failed"),
        "{}",
        shown.stdout
    );
    assert!(
        !shown.stdout.contains("case 1"),
        "a case that passes is not listed: {}",
        shown.stdout
    );
}

#[test]
fn the_reason_code_is_compared_where_it_is_given() {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    let add = r#""pack":"notes","command":"add","args":{"name":"a","text":"b"}"#;
    let delete = r#""pack":"notes","command":"delete","args":{"name":"a"}"#;
    let rule = |decision: &str| {
        format!(r#"{{"user":{{"rules":[{{"match":"notes.add","decision":"{decision}"}}]}}}}"#)
    };
    let rows: Vec<(String, &str, &str, &str)> = vec![
        ("{}".to_owned(), add, "allow", "mode"),
        (rule("allow"), add, "allow", "rule"),
        (
            r#"{"user":{"mode":"manual"},"session":[{"match":"notes.add","decision":"allow"}]}"#
                .to_owned(),
            add,
            "allow",
            "session",
        ),
        (rule("deny"), add, "deny", "denied_by_rule"),
        ("{}".to_owned(), FARE, "ask", "confirm_always"),
        ("{}".to_owned(), delete, "ask", "confirm"),
        (
            r#"{"process":{"mode":"manual"}}"#.to_owned(),
            add,
            "ask",
            "mode_manual",
        ),
        (rule("ask"), add, "ask", "rule_ask"),
        (
            r#"{"process":{"mode":"run"}}"#.to_owned(),
            delete,
            "allow",
            "mode",
        ),
        (
            r#"{"operator":{"mode":"manual"},"user":{"mode":"run"}}"#.to_owned(),
            add,
            "ask",
            "mode_manual",
        ),
        (
            r#"{"project":{"rules":[{"match":"*","decision":"deny"}]}}"#.to_owned(),
            add,
            "deny",
            "denied_by_rule",
        ),
        (
            r#"{"project":{"mode":"run"}}"#.to_owned(),
            delete,
            "ask",
            "confirm",
        ),
    ];
    for (layers, call, expect, code) in &rows {
        let head = format!("\"layers\":{layers},");
        let right = case(
            &world,
            &head,
            &format!("{{{call},\"expect\":\"{expect}\",\"code\":\"{code}\"}}"),
        );
        assert_eq!(right.exit, 0, "{layers} {call}: {}", right.stdout);
        let other = if *code == "rule" { "mode" } else { "rule" };
        let wrong = case(
            &world,
            &head,
            &format!("{{{call},\"expect\":\"{expect}\",\"code\":\"{other}\"}}"),
        );
        assert_eq!(wrong.exit, 1, "{layers} {call}: {}", wrong.stdout);
        // The same layers in the case replace the file's.
        let strict = r#""layers":{"operator":{"rules":[{"match":"*","decision":"deny"}]}},"#;
        let own =
            format!("{{{call},\"layers\":{layers},\"expect\":\"{expect}\",\"code\":\"{code}\"}}");
        assert_eq!(case(&world, strict, &own).exit, 0, "{own}");
    }
}

#[test]
fn an_agents_process_layer_only_tightens() {
    let world = World::with_packs(HCPX, &["notes"]);
    let head = r#""layers":{"user":{"mode":"manual"},"process":{"mode":"run"}},"#;
    let add = r#""pack":"notes","command":"add","args":{"name":"a","text":"b"}"#;
    for (agent, expect) in [("true", "ask"), ("false", "allow")] {
        let answer = case(
            &world,
            head,
            &format!("{{{add},\"agent\":{agent},\"expect\":\"{expect}\"}}"),
        );
        assert_eq!(answer.exit, 0, "{}", answer.stdout);
    }
}

#[test]
fn time_is_what_the_table_says() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let head = r#""now":"2026-12-01T12:00:00Z","layers":{"user":{"rules":[{"match":"ledger.transfer","decision":"allow","until":"2026-12-01T12:00:01Z"}]}},"#;
    let rows = [
        ("", "allow"),
        (r#","now":"2026-12-01T12:00:01Z""#, "ask"),
        (r#","now":"2020-01-01T00:00:00+01:00""#, "allow"),
    ];
    for (now, expect) in rows {
        let answer = case(
            &world,
            head,
            &format!("{{{FARE}{now},\"expect\":\"{expect}\"}}"),
        );
        assert_eq!(answer.exit, 0, "{}", answer.stdout);
    }
}

#[test]
fn without_layers_the_settings_in_force_serve() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world.settings(RULES);
    let one = format!("{{{FARE},\"expect\":\"allow\",\"code\":\"rule\"}}");
    assert_eq!(case(&world, "", &one).exit, 0);
    world.write(
        "work/.hcp/access.json",
        r#"{"rules":[{"match":"ledger.*","decision":"ask"}]}"#,
    );
    assert_eq!(
        case(&world, "", &one).exit,
        0,
        "the rule for the command is more specific"
    );
    world.write(
        "work/.hcp/access.json",
        r#"{"rules":[{"match":"ledger.*","decision":"deny"}]}"#,
    );
    let answer = case(&world, "", &one);
    assert_eq!(answer.text("cases.0.code"), "denied_by_rule");
    world.settings("{");
    case(&world, "", &one).expect_code("access_invalid");
}

#[test]
fn packs_of_the_file_are_read_from_beside_it_and_win() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let folder = "work/tests/packs/mine";
    world.write(
        &format!("{folder}/pack.json"),
        r#"{"id":"ledger","name":"Mine","version":"1.0.0","summary":"Mine."}"#,
    );
    world.write(
        &format!("{folder}/surface.json"),
        r#"{"commands":{"wipe":{"description":"Wipe.","cli":["sh","-c","wipe"]}}}"#,
    );
    world.write(
        &format!("{folder}/policy.json"),
        r#"{"commands":{"wipe":{"operation":"write","confirm":"ask"}}}"#,
    );
    let table = r#"{"packs":["./packs/mine"],"layers":{},"cases":[
        {"pack":"ledger","command":"wipe","expect":"ask","code":"confirm"}]}"#;
    world.write("work/tests/table.json", table);
    let answer = world.person(&["access", "test", "tests/table.json"]);
    assert_eq!(answer.exit, 0, "{}", answer.stdout);
    let installed = world.person(&["commands", "ledger"]);
    assert!(
        !installed.stdout.contains("wipe"),
        "nothing is installed: {}",
        installed.stdout
    );
    // A pack that is not there is named.
    world.write(
        "work/tests/table.json",
        r#"{"packs":["./packs/other"],"layers":{},"cases":[]}"#,
    );
    let answer = world.person(&["access", "test", "tests/table.json"]);
    answer.expect_code("pack_invalid");
    assert!(
        answer
            .text("diagnostics.0.file")
            .ends_with("tests/./packs/other/pack.json"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_call_refused_before_the_gate_counts_as_failed() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let rows = [
        (
            r#""pack":"ledger","command":"transfer","args":{"amount":"5"}"#,
            "invalid_args",
            "payee",
        ),
        (
            r#""pack":"ledger","command":"transfer","args":{"amount":"-5","payee":"x"}"#,
            "invalid_args",
            "amount",
        ),
        (
            r#""pack":"ledger","command":"transfer","args":{"amount":"5","payee":"x","colour":"red"}"#,
            "invalid_args",
            "colour",
        ),
        (
            r#""pack":"ledger","command":"tranfer""#,
            "unknown_command",
            "did you mean transfer?",
        ),
        (
            r#""pack":"legder","command":"transfer""#,
            "unknown_pack",
            "did you mean ledger?",
        ),
        (
            r#""pack":"Ledger","command":"transfer""#,
            "unknown_pack",
            "no pack id",
        ),
    ];
    for (call, code, reason) in rows {
        for expect in ["allow", "ask", "deny"] {
            let answer = case(
                &world,
                "\"layers\":{},",
                &format!("{{{call},\"expect\":\"{expect}\"}}"),
            );
            assert_eq!(answer.exit, 1, "{call}");
            assert_eq!(answer.value("failed").to_string(), "1");
            assert_eq!(answer.value("cases.0.decision"), Value::Null);
            assert_eq!(answer.text("cases.0.code"), code);
            let told = answer.text("cases.0.reason");
            assert!(
                told.contains("before the gate") && told.contains(reason),
                "{told}"
            );
        }
    }
    // A null is an absent argument, here too.
    let with_null = r#"{"pack":"ledger","command":"transfer","args":{"amount":"5","payee":"x","memo":null},"expect":"ask"}"#;
    assert_eq!(case(&world, "\"layers\":{},", with_null).exit, 0);
}

#[test]
fn a_pack_that_changed_since_it_was_accepted_fails_its_cases() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let policy = world.store().join("packs/ledger/policy.json");
    let text = std::fs::read_to_string(&policy).unwrap();
    std::fs::write(&policy, text.replace("always", "never")).unwrap();
    let answer = case(
        &world,
        "\"layers\":{},",
        &format!("{{{FARE},\"expect\":\"allow\"}}"),
    );
    assert_eq!(answer.exit, 1);
    assert_eq!(answer.text("cases.0.code"), "pack_changed");
}

#[test]
fn a_malformed_table_is_refused_with_every_place() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let rows: &[(&str, usize, &str, &str)] = &[
        ("[]", 1, "must be an object", ""),
        ("{}", 1, "has no \"cases\"", "add \"cases\""),
        ("{\"cases\":{}}", 10, "must be an array", ""),
        (
            "{\"cases\":[],\"casess\":[]}",
            13,
            "\"casess\"",
            "did you mean \"cases\"?",
        ),
        (
            "{\"cases\":[],\"cases\":[]}",
            13,
            "stands twice",
            "keep one",
        ),
        (
            "{\"cases\":[],}",
            13,
            "a comma stands before",
            "take the comma out",
        ),
        (
            "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\"}]}",
            11,
            "has no \"expect\"",
            "add \"expect\"",
        ),
        (
            "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"alow\"}]}",
            46,
            "\"alow\"",
            "did you mean \"allow\"?",
        ),
        (
            "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"ask\",\"code\":\"rules\"}]}",
            59,
            "\"rules\"",
            "did you mean \"rule\"?",
        ),
        (
            "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"ask\",\"agnet\":true}]}",
            52,
            "\"agnet\"",
            "did you mean \"agent\"?",
        ),
        (
            "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"ask\",\"agent\":\"yes\"}]}",
            60,
            "true or false",
            "",
        ),
        (
            "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"ask\",\"args\":[]}]}",
            59,
            "args must be an object",
            "",
        ),
        (
            "{\"cases\":[],\"now\":\"noon\"}",
            19,
            "\"noon\" is no time",
            "2026-12-01T12:00:00Z",
        ),
        (
            "{\"cases\":[],\"layers\":{\"usr\":{}}}",
            23,
            "\"usr\"",
            "did you mean \"user\"?",
        ),
        (
            "{\"cases\":[],\"layers\":{\"user\":{\"mdoe\":\"run\"}}}",
            31,
            "\"mdoe\"",
            "did you mean \"mode\"?",
        ),
        (
            "{\"cases\":[],\"layers\":{\"process\":{\"rules\":[{\"match\":\"*\",\"decision\":\"ask\"}]}}}",
            33,
            "mode and approvals only",
            "",
        ),
        (
            "{\"cases\":[],\"layers\":{\"session\":[{\"match\":\"ledger\",\"decision\":\"allow\"}]}}",
            43,
            "\"ledger\" is no match",
            "ledger.*",
        ),
        (
            "{\"cases\":[],\"packs\":\"./packs\"}",
            21,
            "must be an array",
            "",
        ),
    ];
    for (text, column, message, help) in rows {
        let answer = tested(&world, text);
        answer.expect_code("access_invalid");
        assert_eq!(answer.text("diagnostics.0.file"), "table.json");
        assert_eq!(
            answer.value("diagnostics.0.column").to_string(),
            column.to_string(),
            "{text}: {}",
            answer.stdout
        );
        let told = answer.text("diagnostics.0.message");
        assert!(told.contains(message), "{text}: {told}");
        let told = answer.text("diagnostics.0.help");
        assert!(told.contains(help), "{text}: {told}");
    }
    // All faults at once.
    let two = tested(
        &world,
        "{\"cases\":[{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"x\"},{\"pack\":\"a\",\"command\":\"b\",\"expect\":\"y\"}]}",
    );
    assert_eq!(two.value("diagnostics").as_array().unwrap().len(), 2);
}

#[test]
fn ten_thousand_cases() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let mut cases = String::new();
    for i in 0..10_000_u32 {
        let (payee, amount) = (
            if i % 2 == 0 {
                "demo-transit"
            } else {
                "demo-rent"
            },
            i % 10,
        );
        let expect = if i % 2 == 0 && amount < 5 {
            "allow"
        } else {
            "ask"
        };
        let comma = if i == 0 { "" } else { "," };
        write!(cases, r#"{comma}{{"name":"{i}","pack":"ledger","command":"transfer","args":{{"amount":"{amount}.50","payee":"{payee}"}},"agent":{},"expect":"{expect}"}}"#, i % 3 == 0).unwrap();
    }
    // Rules for one command, told apart by a value, are looked up and not walked through.
    let others: String = (0..1_000)
        .map(|i| format!(r#"{{"match":"ledger.transfer","decision":"allow","when":{{"args":{{"payee":"p{i}"}}}}}},"#))
        .collect();
    let fares = RULES.replace("\"rules\":[", &format!("\"rules\":[{others}"));
    for (what, rules) in [("one rule", RULES), ("a thousand rules", &fares)] {
        let text = format!("{{\"layers\":{{\"user\":{rules}}},\"cases\":[{cases}]}}");
        world.write("work/table.json", &text);
        let start = Instant::now();
        let answer = world.person(&["access", "test", "table.json"]);
        println!("10,000 cases, {what}: {:?}", start.elapsed());
        assert_eq!(answer.exit, 0, "{:.600}", answer.stdout);
        assert!(answer.stdout.contains("\"passed\":10000,\"failed\":0"));
    }
    // One that fails as a whole says so, and does not fill the memory.
    let text = format!(
        "{{\"layers\":{{\"user\":{fares}}},\"cases\":[{}]}}",
        cases
            .replace("\"allow\"", "\"deny\"")
            .replace("\"ask\"", "\"deny\"")
    );
    let answer = tested(&world, &text);
    assert_eq!(answer.exit, 1);
    assert!(answer.stdout.contains("\"passed\":0,\"failed\":10000"));
    assert!(answer.stdout.len() < 60 << 20);
}
