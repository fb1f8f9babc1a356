//! What a card is told of earlier calls, over the library's own store, and the texts that are known of rules and packs.

use super::*;
use crate::driver::{Captured, Driver, Ended, RenderedCall, RunResult};
use crate::event::Event;
use crate::pipeline::prepare::{Attempt, Purpose};
use crate::pipeline::{Approval, CallArgs, ExecOptions};
use crate::store::{Found, SqliteStore, Verdict};
use crate::{Code, access, bundled_pack};
use hcp_core::approval::AnsweredBy;
use hcp_core::json::{Limits, parse};
use hcp_pack::{Pack, PackFiles};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

struct Runs;

impl Driver for Runs {
    fn run<'a>(
        &'a self,
        _call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        Box::pin(std::future::ready(RunResult::Exited(Ended {
            code: Some(0),
            signal: None,
            stdout: Captured::default(),
            stderr: Captured::default(),
            duration: Duration::ZERO,
        })))
    }

    fn runs_programs(&self) -> bool {
        false
    }
}

fn pack(surface: &str) -> Pack {
    let manifest = r#"{ "id": "bank", "name": "Bank", "version": "1.0.0", "summary": "Pays.", "programs": ["bnk"] }"#;
    let policy =
        r#"{ "defaults": { "operation": "write", "confirm": "ask" }, "commands": { "pay": {} } }"#;
    Pack::read(&PackFiles {
        pack: manifest.into(),
        surface: surface.into(),
        policy: policy.into(),
        ..PackFiles::default()
    })
    .unwrap()
}

fn hcp(settings: &str, packs: impl IntoIterator<Item = Pack>) -> Hcp {
    let hcp = crate::Hcp::builder()
        .driver(Runs)
        .packs(packs)
        .access(access(settings).unwrap())
        .audit(|_: &Event| Ok::<(), String>(()))
        .build()
        .unwrap();
    let mut inner = hcp.pipeline().clone();
    // The tests may themselves run inside an agent.
    inner.scope.protected = None;
    inner
}

fn ledger(settings: &str) -> Hcp {
    hcp(settings, [bundled_pack("ledger").unwrap()])
}

fn call(pack: &str, command: &str, args: &str) -> CallRequest {
    let args = parse(args, Limits::default()).unwrap().to_value();
    CallRequest {
        pack: pack.to_owned(),
        command: command.to_owned(),
        args: CallArgs::Object(args.as_object().unwrap().clone()),
        options: ExecOptions::default(),
    }
}

fn pay(amount: &str, payee: &str) -> CallRequest {
    let args = format!(r#"{{ "amount": "{amount}", "payee": "{payee}" }}"#);
    call("ledger", "transfer", &args)
}

/// What the card of a call is told.
fn told(hcp: &Hcp, call: &CallRequest) -> Past {
    let prepared =
        pollster::block_on(hcp.prepare(call, Purpose::Run, &mut Attempt::new())).unwrap();
    let sketch = hcp.sketch(&prepared);
    hcp.past_of_preview(call, &prepared, &sketch)
}

fn exec(hcp: &Hcp, call: &CallRequest) -> crate::CallResult {
    pollster::block_on(hcp.exec(call))
}

fn ask(hcp: &Hcp, call: &CallRequest) -> String {
    let result = exec(hcp, call);
    assert_eq!(result.code, Code::ConfirmRequired);
    result.approval.unwrap().approval_id.unwrap()
}

fn approve(hcp: &Hcp, id: &str) {
    let yes = Verdict::Yes { card_digest: None };
    let store = (hcp.ports.store)().unwrap();
    store
        .answer(id, &yes, AnsweredBy::Human, hcp.ports.clock.as_ref())
        .unwrap();
}

fn run(hcp: &Hcp, call: &CallRequest) {
    approve(hcp, &ask(hcp, call));
    assert_eq!(exec(hcp, call).code, Code::Ok);
}

#[test]
fn the_first_payee_is_no_news_and_the_second_is() {
    let hcp = ledger("{}");
    let first = pay("1", "ana");
    assert_eq!(told(&hcp, &first).first_time, Vec::<String>::new());
    let id = ask(&hcp, &first);
    approve(&hcp, &id);
    let before = told(&hcp, &first);
    assert!(!before.approved_before && before.first_time.is_empty());
    assert_eq!(exec(&hcp, &first).code, Code::Ok);
    let after = told(&hcp, &pay("2", "ana"));
    assert!(after.approved_before && after.first_time.is_empty());
    let second = told(&hcp, &pay("2", "ben"));
    assert!(second.approved_before);
    assert_eq!(second.first_time, ["ben"]);
    assert_eq!(second.look_like_approved, Vec::<String>::new());
}

#[test]
fn the_same_call_counts_its_noes_and_no_other_does() {
    let hcp = ledger("{}");
    let id = ask(&hcp, &pay("1", "ana"));
    let store = (hcp.ports.store)().unwrap();
    let no = Verdict::No { note: None };
    store
        .answer(&id, &no, AnsweredBy::Human, hcp.ports.clock.as_ref())
        .unwrap();
    assert_eq!(told(&hcp, &pay("1", "ana")).unanswered, 1);
    assert_eq!(told(&hcp, &pay("2", "ana")).unanswered, 0);
}

#[test]
fn whoever_looks_at_a_request_is_told_what_its_caller_was() {
    let hcp = ledger("{}");
    run(&hcp, &pay("0", "zoe"));
    let (one, two) = (pay("1", "ana"), pay("2", "ana"));
    let ids = [ask(&hcp, &one), ask(&hcp, &two)];
    let look = |id: &str, call: &CallRequest| {
        let store = (hcp.ports.store)().unwrap();
        let Found::One(record) = store.find(id, hcp.ports.clock.as_ref()).unwrap() else {
            panic!("no record");
        };
        let prepared =
            pollster::block_on(hcp.prepare(call, Purpose::Run, &mut Attempt::new())).unwrap();
        let sketch = hcp.sketch(&prepared);
        (
            hcp.past_of_record(&record, &prepared, &sketch),
            record.card_digest,
        )
    };
    for (id, call) in ids.iter().zip([&one, &two]) {
        let (past, digest) = look(id, call);
        assert_eq!(past, told(&hcp, call));
        assert_eq!(past.first_time, ["ana"]);
        let preview = pollster::block_on(hcp.preview(call)).unwrap().0;
        assert_eq!(preview.card.digest(), digest);
        approve(&hcp, id);
    }
    // The first run makes the payee a known one; the yes to the second card counts all the same.
    assert_eq!(exec(&hcp, &one).code, Code::Ok);
    assert_eq!(look(&ids[1], &two).0.first_time, ["ana"]);
    assert_eq!(exec(&hcp, &two).code, Code::Ok);
    assert_eq!(told(&hcp, &two).first_time, Vec::<String>::new());
}

/// The same pipeline over a store that counts how often it is opened, and one that cannot be.
fn counted(mut hcp: Hcp) -> (Hcp, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let store: Arc<dyn ApprovalStore> = Arc::new(SqliteStore::in_memory().unwrap());
    let (count, kept) = (Arc::clone(&opened), Arc::clone(&store));
    hcp.ports.kept = Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
        Some((Arc::clone(&kept), Key::new([7; 32])))
    });
    let count = Arc::clone(&opened);
    hcp.ports.store = Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(Arc::clone(&store))
    });
    (hcp, opened)
}

#[test]
fn a_call_that_runs_or_is_refused_opens_no_store() {
    let rules = r#"{ "rules": [
        { "match": "ledger.transfer", "decision": "allow", "when": { "args": { "payee": "ana" } } },
        { "match": "ledger.transfer", "decision": "deny", "when": { "args": { "payee": "ben" } } } ] }"#;
    let (hcp, opened) = counted(ledger(rules));
    for (payee, code) in [("ana", Code::Ok), ("ben", Code::DeniedByRule)] {
        assert_eq!(exec(&hcp, &pay("1", payee)).code, code);
        told(&hcp, &pay("1", payee));
    }
    assert_eq!(opened.load(Ordering::SeqCst), 0);
    ask(&hcp, &pay("1", "cem"));
    assert_eq!(opened.load(Ordering::SeqCst), 1);
}

#[test]
fn a_preview_does_without_a_store_that_cannot_be_used() {
    let mut hcp = ledger("{}");
    run(&hcp, &pay("1", "ana"));
    let kept = Arc::clone(&hcp.ports.kept);
    hcp.ports.kept = Arc::new(|| None);
    let past = told(&hcp, &pay("2", "ben"));
    assert!(!past.approved_before && past.first_time.is_empty());
    assert!(past.known.contains(&"ledger".to_owned()));
    hcp.ports.kept = kept;
    assert_eq!(told(&hcp, &pay("2", "ben")).first_time, ["ben"]);
}

#[test]
fn a_preview_makes_no_store() {
    let hcp = ledger("{}");
    assert!((hcp.ports.kept)().is_none());
    told(&hcp, &pay("1", "ana"));
    assert!((hcp.ports.kept)().is_none());
    ask(&hcp, &pay("1", "ana"));
    assert!((hcp.ports.kept)().is_some());
}

#[test]
fn a_hosts_statement_teaches() {
    let hcp = ledger("{}");
    let mut stated = pay("1", "ana");
    stated.options.approval = Some(Approval::by_human("ui-1"));
    assert_eq!(exec(&hcp, &stated).code, Code::Ok);
    assert_eq!(told(&hcp, &pay("2", "ben")).first_time, ["ben"]);
}

const SURFACE: &str = r#"{ "commands": {
    "pay": { "description": "Pay.", "cli": ["bnk", "pay", "--to={{to}}", "--kind={{kind}}", "--tags={{tags}}"],
        "env": { "PIN": "{{pin}}" },
        "args": { "type": "object", "properties": {
            "to": { "type": "string", "description": "To" },
            "kind": { "type": "string", "description": "Kind", "enum": ["sepa", "swift"] },
            "tags": { "type": "array", "description": "Tags", "items": { "type": "string", "enum": ["rent", "fare"] } },
            "pin": { "type": "string", "description": "PIN", "x-secret": true, "enum": ["0000", "1111"] } },
            "required": ["to"] } } } }"#;

#[test]
fn known_are_the_words_of_the_pack_and_the_texts_of_the_rules_for_the_command() {
    let rules = r#"{ "rules": [
        { "match": "bank.pay", "decision": "ask", "when": { "args": { "to": "ana", "pin": "9876" } } },
        { "match": "bank.*", "decision": "ask", "when": { "one_of": { "to": ["ben", 5, ["cem"]] } } },
        { "match": "*", "decision": "deny", "when": { "args": { "to": null }, "like": { "to": "glob*" } } },
        { "match": "bank.pay", "decision": "ask", "until": "2000-01-01T00:00:00Z",
          "except": [ { "args": { "to": "dan" } } ] },
        { "match": "other.pay", "decision": "ask", "when": { "args": { "to": "eve" } } } ] }"#;
    let hcp = hcp(rules, [pack(SURFACE)]);
    let past = told(
        &hcp,
        &call("bank", "pay", r#"{ "to": "x", "pin": "0000" }"#),
    );
    assert_eq!(
        past.known,
        [
            "Bank", "ana", "bank", "ben", "bnk", "cem", "dan", "fare", "pay", "rent", "sepa",
            "swift"
        ]
    );
}

#[test]
fn digests_are_keyed_and_tell_value_from_skeleton() {
    let hcp = ledger("{}");
    let prepared =
        pollster::block_on(hcp.prepare(&pay("1", "ana"), Purpose::Run, &mut Attempt::new()))
            .unwrap();
    let found = hcp.sketch(&prepared).identifiers;
    let one = digests(&Key::new([7; 32]), &found);
    let [digest] = one[..] else {
        panic!("one digest: {one:?}");
    };
    assert_ne!(digest.value, digest.skeleton);
    assert_ne!(digest.value, digest.folded);
    assert_ne!(digest.folded, digest.skeleton);
    let other = digests(&Key::new([8; 32]), &found)[0];
    assert_ne!(other.value, digest.value);
    assert_ne!(other.folded, digest.folded);
    assert_ne!(other.skeleton, digest.skeleton);
}

#[test]
fn short_texts_and_numbers_imitate_nobody() {
    for (text, can) in [
        ("ana", true),
        ("a1", false),
        ("101", false),
        ("\u{430}na", true),
        ("", false),
    ] {
        assert_eq!(can_imitate(text), can, "{text}");
    }
}
