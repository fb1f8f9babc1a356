//! What a person answers in a host's own interface: each yes runs once, a session rule lets through what the person
//! saw and ends with its pack, and no answer counts that was not offered.

use crate::pipeline::{Rig, outside};
use hcp::event::{AnswerWord, ByKind, Detail};
use hcp::pipeline::Request;
use hcp::{Answer, Approval, CallResult, Code, ExecOptions, Hcp, Pack, SessionRule, access};
use hcp_core::principal::{Principal, PrincipalKind};
use hcp_pack::PackFiles;
use std::time::Duration;

const LUNCH: &str = r#"{ "to": "ana@example.org", "subject": "Lunch", "body": "At noon?" }"#;

fn mail(version: &str) -> Pack {
    Pack::read(&PackFiles {
        pack: format!(r#"{{ "id": "mail", "name": "Mail", "version": "{version}", "summary": "Mail." }}"#).into_bytes(),
        surface: br#"{ "commands": {
            "send": {
              "description": "Send a message.",
              "cli": ["mail", "send", "--to={{to}}", "--bcc={{bcc}}", "--subject={{subject}}", "--body={{body}}"],
              "args": { "type": "object", "properties": {
                "to": { "type": "string" }, "bcc": { "type": "string" },
                "subject": { "type": "string" }, "body": { "type": "string" } } },
              "preview": { "kind": "message", "title": "Send",
                "fields": { "to": "{{to}}", "bcc": "{{bcc}}", "subject": "{{subject}}", "body": "{{body}}" } } },
            "erase": {
              "description": "Erase a message.",
              "cli": ["mail", "erase", "--id={{id}}"],
              "args": { "type": "object", "properties": { "id": { "type": "string" } } },
              "preview": { "kind": "removal", "title": "Erase", "fields": { "what": "{{id}}" } } },
            "run": {
              "description": "Run a filter over standard input.",
              "cli": ["mail", "run"],
              "preview": { "kind": "run", "title": "Run", "fields": {} } } } }"#
            .to_vec(),
        policy: br#"{ "defaults": { "operation": "write", "confirm": "ask" }, "commands": { "send": {}, "erase": {}, "run": {} } }"#.to_vec(),
        ..PackFiles::default()
    })
    .unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn host(rig: &Rig, settings: &str) -> Hcp {
    outside(rig.builder(settings).packs([mail("1")]).build().unwrap())
}

fn call(hcp: &Hcp, command: &str, args: &str, options: ExecOptions) -> CallResult {
    pollster::block_on(hcp.exec_with("mail", command, args, options)).unwrap()
}

fn send(hcp: &Hcp, args: &str) -> CallResult {
    call(hcp, "send", args, ExecOptions::default())
}

fn stated(hcp: &Hcp, args: &str, id: &str) -> CallResult {
    let options = ExecOptions {
        approval: Some(Approval::by_human(id)),
        ..ExecOptions::default()
    };
    call(hcp, "send", args, options)
}

fn asked(hcp: &Hcp, args: &str) -> Request {
    let result = send(hcp, args);
    assert_eq!(result.code, Code::ConfirmRequired, "{}", result.message);
    *result.approval.unwrap()
}

fn kept(hcp: &Hcp) -> SessionRule {
    let answer = hcp.answer(&asked(hcp, LUNCH), Answer::AllowSession, "ui-kept");
    answer.unwrap().unwrap()
}

#[test]
fn a_yes_once_runs_once_however_it_is_called() {
    for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
        let rig = Rig::new();
        let hcp = host(&rig, "{}");
        let request = asked(&hcp, LUNCH);
        assert_eq!(
            hcp.answer(&request, Answer::AllowOnce, "ui-1").unwrap(),
            None
        );
        let run = |by_id: bool| match by_id {
            true => stated(&hcp, LUNCH, "ui-1"),
            false => send(&hcp, LUNCH),
        };
        assert_eq!(run(first).code, Code::Ok);
        let by = rig
            .events
            .lock()
            .unwrap()
            .iter()
            .rev()
            .find_map(|e| e.by.clone())
            .unwrap();
        assert_eq!(by.kind, ByKind::Human);
        let again = run(second).code;
        assert!(
            matches!(again, Code::ApprovalUsed | Code::ConfirmRequired),
            "{again}"
        );
        assert_eq!(stated(&hcp, LUNCH, "ui-1").code, Code::ApprovalUsed);
        assert_eq!(rig.runs(), 1, "{first} {second}");
    }
}

#[test]
fn of_many_runs_at_once_one_has_the_yes() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    hcp.answer(&asked(&hcp, LUNCH), Answer::AllowOnce, "ui-1")
        .unwrap();
    std::thread::scope(|scope| {
        for at in 0..16 {
            let hcp = &hcp;
            scope.spawn(move || match at % 2 {
                0 => stated(hcp, LUNCH, "ui-1"),
                _ => send(hcp, LUNCH),
            });
        }
    });
    assert_eq!(rig.runs(), 1);
}

#[test]
fn a_yes_covers_its_own_request_alone() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    let lunch = asked(&hcp, LUNCH);
    let dinner = asked(&hcp, r#"{ "to": "bo@example.org", "body": "At eight?" }"#);
    hcp.answer(&lunch, Answer::AllowOnce, "ui-1").unwrap();
    // Said twice it is the same yes; for another request the id was used.
    hcp.answer(&lunch, Answer::AllowOnce, "ui-1").unwrap();
    let used = hcp.answer(&dinner, Answer::AllowOnce, "ui-1").unwrap_err();
    assert_eq!(used.code, Code::ApprovalUsed);
    let other = r#"{ "to": "bo@example.org", "body": "At eight?" }"#;
    assert_eq!(stated(&hcp, other, "ui-1").code, Code::ApprovalUsed);
    assert_eq!(rig.runs(), 0);
    // A card that was drawn anew since is another card.
    let mut stale = dinner.clone();
    stale.card.summary.push('!');
    let mismatch = hcp.answer(&stale, Answer::AllowOnce, "ui-2").unwrap_err();
    assert_eq!(mismatch.code, Code::ApprovalMismatch);
    rig.clock.advance(Duration::from_secs(15 * 60));
    let over = hcp.answer(&dinner, Answer::AllowOnce, "ui-3").unwrap_err();
    assert_eq!(over.code, Code::ApprovalExpired);
    assert_eq!(stated(&hcp, LUNCH, "ui-1").code, Code::ApprovalUsed);
    assert_eq!(rig.runs(), 0);
}

#[test]
fn a_yes_of_another_principal_is_none() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    let request = asked(&hcp, LUNCH);
    let stranger = Principal {
        id: "u2".into(),
        kind: PrincipalKind::Human,
    };
    let other = rig.builder("{}").packs([mail("1")]).principal(stranger);
    let refused = outside(other.build().unwrap()).answer(&request, Answer::AllowOnce, "ui-1");
    assert_eq!(refused.unwrap_err().code, Code::ApprovalUnknown);
    assert_eq!(send(&hcp, LUNCH).code, Code::ConfirmRequired);
}

#[test]
fn a_no_is_kept() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    assert_eq!(
        hcp.answer(&asked(&hcp, LUNCH), Answer::Reject, "ui-1")
            .unwrap(),
        None
    );
    let event = rig.last();
    let word = AnswerWord::Reject;
    assert_eq!(
        event.detail,
        Detail::Answer {
            answer: word,
            card_shown: None
        }
    );
    assert_eq!(send(&hcp, LUNCH).code, Code::Rejected);
    assert_eq!(stated(&hcp, LUNCH, "ui-2").code, Code::Rejected);
    assert_eq!(rig.runs(), 0);
}

#[test]
fn an_answer_leaves_its_line_and_no_value() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    kept(&hcp);
    let event = rig.last();
    assert_eq!(
        event.detail,
        Detail::Answer {
            answer: AnswerWord::Approve,
            card_shown: Some(true)
        }
    );
    assert_eq!(
        event.by.as_ref().unwrap().approval_id.as_deref(),
        Some("ui-kept")
    );
    assert!(
        event
            .reason
            .unwrap()
            .starts_with("until the session ends (request ")
    );
    for event in rig.events.lock().unwrap().iter() {
        let line = hcp_core::json::Value::Object(event.to_object()).to_string();
        assert!(
            !line.contains("example.org") && !line.contains("Lunch"),
            "{line}"
        );
    }
}

#[test]
fn what_was_not_offered_is_refused() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    let result = call(&hcp, "erase", r#"{ "id": "7" }"#, ExecOptions::default());
    let refused = hcp
        .answer(&result.approval.unwrap(), Answer::AllowSession, "ui-1")
        .unwrap_err();
    assert_eq!(refused.code, Code::Usage);
    // Offered under other settings, and refused under those that stand now.
    let request = asked(&hcp, LUNCH);
    for rules in [
        r#"{ "match": "mail.*", "decision": "ask" }"#,
        r#"{ "match": "*", "decision": "deny" }"#,
    ] {
        let stricter = host(&rig, &format!(r#"{{ "rules": [{rules}] }}"#));
        let refused = stricter
            .answer(&request, Answer::AllowSession, "ui-1")
            .unwrap_err();
        assert_eq!(refused.code, Code::ApprovalMismatch);
    }
    let newer = outside(rig.builder("{}").packs([mail("2")]).build().unwrap());
    let refused = newer
        .answer(&request, Answer::AllowSession, "ui-1")
        .unwrap_err();
    assert_eq!(refused.code, Code::ApprovalMismatch);
    assert_eq!(rig.runs(), 0);
}

#[test]
fn inside_an_agent_nobody_answers() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    let request = asked(&hcp, LUNCH);
    let inside = rig
        .builder("{}")
        .packs([mail("1")])
        .within("a server")
        .build()
        .unwrap();
    for answer in [Answer::AllowOnce, Answer::AllowSession, Answer::Reject] {
        let refused = inside.answer(&request, answer, "ui-1").unwrap_err();
        assert_eq!(refused.code, Code::HumanOnly);
        assert!(matches!(rig.last().detail, Detail::Refused { .. }));
    }
    assert_eq!(send(&hcp, LUNCH).code, Code::ConfirmRequired);
}

#[test]
fn a_session_rule_lets_through_what_the_person_saw() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    let session = hcp.with_session([kept(&hcp)]);
    for (args, wanted) in [
        (LUNCH, Code::Ok),
        (
            r#"{ "to": "ana@example.org", "subject": "Dinner" }"#,
            Code::Ok,
        ),
        (
            r#"{ "to": "eve@example.org", "subject": "Lunch" }"#,
            Code::ConfirmRequired,
        ),
        (
            r#"{ "to": "ana@example.org", "bcc": "eve@example.org" }"#,
            Code::ConfirmRequired,
        ),
    ] {
        assert_eq!(send(&session, args).code, wanted, "{args}");
    }
    assert_eq!(rig.runs(), 2);
    assert_eq!(
        rig.events
            .lock()
            .unwrap()
            .iter()
            .filter(|e| e.by.as_ref().is_some_and(|b| b.kind == ByKind::Rule))
            .count(),
        2
    );
    // The host ends the session by going on without it.
    assert_eq!(
        send(&hcp, r#"{ "to": "ana@example.org", "subject": "Dinner" }"#).code,
        Code::ConfirmRequired
    );
}

#[test]
fn a_deny_or_ask_rule_wins_over_a_session_rule() {
    let rig = Rig::new();
    let rule = kept(&host(&rig, "{}"));
    for (settings, wanted) in [
        (
            r#"{ "rules": [ { "match": "mail.send", "decision": "deny" } ] }"#,
            Code::DeniedByRule,
        ),
        (
            r#"{ "rules": [ { "match": "*", "decision": "ask" } ] }"#,
            Code::ConfirmRequired,
        ),
    ] {
        let other = r#"{ "to": "ana@example.org", "body": "x" }"#;
        assert_eq!(
            send(&host(&rig, settings).with_session([rule.clone()]), other).code,
            wanted
        );
    }
}

#[test]
fn a_session_rule_ends_with_its_pack() {
    let rig = Rig::new();
    let rule = kept(&host(&rig, "{}"));
    let other = r#"{ "to": "ana@example.org", "body": "x" }"#;
    let with = |version: &str, rules: Vec<SessionRule>| {
        outside(
            rig.builder("{}")
                .packs([mail(version)])
                .session(rules)
                .build()
                .unwrap(),
        )
    };
    assert_eq!(send(&with("1", vec![rule.clone()]), other).code, Code::Ok);
    assert_eq!(
        send(&with("2", vec![rule.clone()]), other).code,
        Code::ConfirmRequired
    );
    // The yes to the new pack counts, and the old one stays over.
    let fresh = kept_again(&with("2", Vec::new()));
    let both = with("2", vec![rule.clone(), fresh.clone()]);
    assert_eq!(
        send(&both, r#"{ "to": "bo@example.org", "body": "x" }"#).code,
        Code::Ok
    );
    assert_eq!(send(&both, other).code, Code::ConfirmRequired);
    let mut as_another = rule;
    as_another.ends_with.identity = Some("ops".to_owned());
    assert_eq!(
        send(&with("1", vec![as_another]), other).code,
        Code::ConfirmRequired
    );
}

fn kept_again(hcp: &Hcp) -> SessionRule {
    let request = asked(hcp, r#"{ "to": "bo@example.org", "body": "y" }"#);
    hcp.answer(&request, Answer::AllowSession, "ui-again")
        .unwrap()
        .unwrap()
}

#[test]
fn a_session_rule_decides_no_call_with_standard_input() {
    let rig = Rig::new();
    let hcp = host(&rig, "{}");
    let with_input = || ExecOptions {
        stdin: Some(b"s/a/b/".to_vec()),
        ..ExecOptions::default()
    };
    let request = |result: CallResult| *result.approval.unwrap();
    let has = |request: &Request| {
        request
            .options
            .iter()
            .any(|o| o.kind == Answer::AllowSession)
    };
    assert!(!has(&request(call(&hcp, "run", "{}", with_input()))));
    let plain = request(call(&hcp, "run", "{}", ExecOptions::default()));
    assert!(has(&plain));
    let rule = hcp
        .answer(&plain, Answer::AllowSession, "ui-1")
        .unwrap()
        .unwrap();
    let settings = format!(
        r#"{{ "rules": [ {} ] }}"#,
        hcp_core::json::Value::Object(rule.rule.to_object())
    );
    for session in [hcp.with_session([rule]), host(&rig, &settings)] {
        assert_eq!(
            call(&session, "run", "{}", with_input()).code,
            Code::ConfirmRequired
        );
        assert_eq!(
            call(&session, "run", "{}", ExecOptions::default()).code,
            Code::Ok
        );
    }
}

#[test]
fn the_options_stand_in_the_request() {
    let rig = Rig::new();
    let request = asked(&host(&rig, "{}"), LUNCH).to_object();
    let options = request.get("options").unwrap().as_array().unwrap();
    let rule = options[1].get("rule").unwrap();
    assert_eq!(
        rule.to_string(),
        r#"{"match":"mail.send","decision":"allow","when":{"args":{"to":"ana@example.org","bcc":null}},"note":"session"}"#
    );
    let ends_with = options[1].get("ends_with").unwrap();
    assert_eq!(
        ends_with.get("pack_digest").unwrap().as_str(),
        Some(mail("1").digest.to_string().as_str())
    );
    let access = access(&format!(r#"{{ "rules": [ {rule} ] }}"#)).unwrap();
    assert_eq!(access.ignored().len(), 0);
}
