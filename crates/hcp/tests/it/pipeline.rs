//! The pipeline with a driver, a log and a clock of the test's own: what runs, what is recorded, and what a yes
//! is worth when something else fails.

use hcp::clock::FixedClock;
use hcp::driver::{Captured, Driver, Ended, RenderedCall, RunResult};
use hcp::event::{ByKind, Detail, Event};
use hcp::ports::Later;
use hcp::store::{SqliteStore, Verdict};
use hcp::{
    Approval, ApprovalStore, Authorize, Builder, CallResult, Code, ExecOptions, Gated, Hcp,
    VerbKey, access, bundled_pack, gate_command,
};
use hcp_core::approval::AnsweredBy;
use hcp_core::canonical::Key;
use hcp_core::grants::{Act, Actor, Authorization};
use hcp_core::mode::Decision;
use hcp_core::principal::{Principal, PrincipalKind};
use hcp_core::settings::{Effective, Layers, Sourced};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const FARE: &str = r#"{ "amount": "2.80", "payee": "demo-transit" }"#;

/// Counts the runs; it can fail to start.
#[derive(Clone, Default)]
pub(crate) struct Fake {
    runs: Arc<AtomicUsize>,
    refuses: Arc<AtomicBool>,
}

impl Driver for Fake {
    fn run<'a>(
        &'a self,
        _call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        if self.refuses.load(Ordering::SeqCst) {
            return Box::pin(std::future::ready(RunResult::SpawnFailed {
                message: "out of order".to_owned(),
            }));
        }
        self.runs.fetch_add(1, Ordering::SeqCst);
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

/// A machine of the test's own.
pub(crate) struct Rig {
    driver: Fake,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) events: Arc<Mutex<Vec<Event>>>,
    /// From which event on the log takes none.
    full_from: Arc<AtomicUsize>,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self {
            driver: Fake::default(),
            clock: Arc::new(FixedClock::new("2026-12-01T12:00:00Z".parse().unwrap())),
            store: Arc::new(SqliteStore::in_memory().unwrap()),
            events: Arc::default(),
            full_from: Arc::new(AtomicUsize::new(usize::MAX)),
        }
    }

    pub(crate) fn builder(&self, settings: &str) -> Builder {
        let (events, full_from) = (Arc::clone(&self.events), Arc::clone(&self.full_from));
        Hcp::builder()
            .driver(self.driver.clone())
            .packs([bundled_pack("ledger").unwrap()])
            .access(access(settings).unwrap())
            .approvals(Arc::clone(&self.store) as Arc<dyn ApprovalStore>)
            .key(Key::new([7; 32]))
            .clock(Arc::clone(&self.clock) as Arc<dyn hcp::Clock>)
            .principal(Principal {
                id: "u1".into(),
                kind: PrincipalKind::Human,
            })
            .audit(move |event: &Event| {
                let mut events = events.lock().unwrap();
                if events.len() >= full_from.load(Ordering::SeqCst) {
                    return Err("no space left");
                }
                events.push(event.clone());
                Ok(())
            })
    }

    fn hcp(&self, settings: &str) -> Hcp {
        outside(self.builder(settings).build().unwrap())
    }

    pub(crate) fn runs(&self) -> usize {
        self.driver.runs.load(Ordering::SeqCst)
    }

    pub(crate) fn last(&self) -> Event {
        self.events.lock().unwrap().last().unwrap().clone()
    }

    pub(crate) fn approve(&self, id: &str) {
        let yes = Verdict::Yes { card_digest: None };
        self.store
            .answer(id, &yes, AnsweredBy::Human, &*self.clock)
            .unwrap();
    }
}

/// The tests may themselves run inside an agent; the library then takes no host's word.
pub(crate) fn outside(hcp: Hcp) -> Hcp {
    let mut inner = hcp.pipeline().clone();
    inner.scope.protected = None;
    Hcp::from(inner)
}

fn transfer(hcp: &Hcp, args: &str, approval: Option<Approval>) -> CallResult {
    let options = ExecOptions {
        approval,
        ..ExecOptions::default()
    };
    pollster::block_on(hcp.exec_with("ledger", "transfer", args, options)).unwrap()
}

fn id_of(result: &CallResult) -> String {
    let request = result.approval.as_ref().unwrap();
    request.approval_id.clone().unwrap()
}

#[test]
fn a_line_that_fails_after_the_yes_was_taken_says_that_it_is_spent() {
    let rig = Rig::new();
    let hcp = rig.hcp("{}");
    let id = id_of(&transfer(&hcp, FARE, None));
    rig.approve(&id);
    rig.full_from.store(1, Ordering::SeqCst);
    let failed = transfer(&hcp, FARE, None);
    assert_eq!(failed.code, Code::AuditUnavailable);
    assert!(
        failed
            .message
            .contains(&format!("The approval {id} is spent.")),
        "{}",
        failed.message
    );
    assert_eq!(rig.runs(), 0);
    rig.full_from.store(usize::MAX, Ordering::SeqCst);
    assert_eq!(transfer(&hcp, FARE, None).code, Code::ConfirmRequired);
    assert_eq!(
        transfer(&hcp, FARE, Some(Approval::id(&id))).code,
        Code::ApprovalUsed
    );
    assert_eq!(rig.runs(), 0);
}

#[test]
fn a_program_that_does_not_start_spends_the_yes_and_corrects_its_line() {
    let rig = Rig::new();
    let hcp = rig.hcp("{}");
    let id = id_of(&transfer(&hcp, FARE, None));
    rig.approve(&id);
    rig.driver.refuses.store(true, Ordering::SeqCst);
    let failed = transfer(&hcp, FARE, None);
    assert_eq!(failed.code, Code::SpawnFailed);
    assert!(failed.message.contains("is spent"), "{}", failed.message);
    let events = rig.events.lock().unwrap().clone();
    let [ran, corrected] = &events[events.len() - 2..] else {
        panic!("two lines");
    };
    assert_eq!((ran.ran, corrected.ran), (Some(true), Some(false)));
    assert_eq!(ran.call, corrected.call);
    rig.driver.refuses.store(false, Ordering::SeqCst);
    assert_eq!(transfer(&hcp, FARE, None).code, Code::ConfirmRequired);
    assert_eq!(rig.runs(), 0);
}

#[test]
fn a_hosts_word_counts_once_for_one_call_and_is_recorded_with_its_id() {
    let rig = Rig::new();
    let hcp = rig.hcp(r#"{ "approvals": "human" }"#);
    let word = || Some(Approval::by_human("ui-1"));
    let ran = transfer(&hcp, FARE, word());
    assert_eq!(ran.code, Code::Ok);
    let line = rig.events.lock().unwrap()[0].clone();
    let by = line.by.unwrap();
    assert_eq!(by.kind, ByKind::Human);
    assert_eq!(by.approval_id.as_deref(), Some("ui-1"));
    for args in [FARE, r#"{ "amount": "2.81", "payee": "demo-transit" }"#] {
        assert_eq!(transfer(&hcp, args, word()).code, Code::ApprovalUsed);
    }
    assert_eq!(rig.runs(), 1);
    // Another Principal's host may use the same id.
    let other = outside(
        rig.builder("{}")
            .principal(Principal {
                id: "u2".into(),
                kind: PrincipalKind::Human,
            })
            .build()
            .unwrap(),
    );
    assert_eq!(transfer(&other, FARE, word()).code, Code::Ok);
}

#[test]
fn a_hosts_word_goes_past_no_deny_rule_no_rejection_and_no_agent() {
    let rig = Rig::new();
    let word = || Some(Approval::by_human("ui-2"));
    let denied = rig.hcp(r#"{ "rules": [{ "match": "ledger.*", "decision": "deny" }] }"#);
    assert_eq!(transfer(&denied, FARE, word()).code, Code::DeniedByRule);
    let hcp = rig.hcp("{}");
    let id = id_of(&transfer(&hcp, FARE, None));
    let no = Verdict::No { note: None };
    rig.store
        .answer(&id, &no, AnsweredBy::Human, &*rig.clock)
        .unwrap();
    assert_eq!(transfer(&hcp, FARE, word()).code, Code::Rejected);
    let inside = rig.builder("{}").within("a server").build().unwrap();
    let other = r#"{ "amount": "3", "payee": "demo-transit" }"#;
    assert_eq!(transfer(&inside, other, word()).code, Code::HumanOnly);
    assert_eq!(rig.last().code, Some(Code::HumanOnly));
    assert_eq!(rig.runs(), 0);
    // The word was not spent on any of them.
    assert_eq!(transfer(&hcp, other, word()).code, Code::Ok);
}

struct Fails(&'static str);

impl Authorize for Fails {
    fn authorize<'a>(&'a self, _actor: Actor<'a>, _act: Act<'a>) -> Later<'a, Authorization> {
        assert!(self.0 != "at once", "the adopter's own fault");
        Box::pin(async {
            assert!(self.0 != "later", "the adopter's own fault");
            Authorization::allow()
        })
    }
}

#[test]
fn an_authoriser_that_fails_authorises_nothing() {
    let rig = Rig::new();
    for (when, code) in [
        ("at once", Code::NotAuthorized),
        ("later", Code::NotAuthorized),
        ("never", Code::ConfirmRequired),
    ] {
        let hcp = rig.builder("{}").authorize(Fails(when)).build().unwrap();
        let result = transfer(&outside(hcp), FARE, None);
        assert_eq!(result.code, code, "{when}");
        if code == Code::NotAuthorized {
            assert_eq!(
                result.extra.get("denial").and_then(|v| v.as_str()),
                Some("authorizer_failed")
            );
        }
    }
}

#[test]
fn no_grant_no_act_and_every_refusal_has_its_line() {
    let rig = Rig::new();
    let hcp = outside(rig.builder("{}").grants(&[]).build().unwrap());
    let refused = transfer(&hcp, FARE, None);
    assert_eq!(refused.code, Code::NotAuthorized);
    assert!(
        refused
            .message
            .contains("missing verb.exec.write for ledger.ledger.transfer")
    );
    let hcp = rig.hcp("{}");
    for (pack, command, args, code) in [
        ("mail", "send", "{}", Code::UnknownPack),
        ("ledger", "burn", "{}", Code::UnknownCommand),
        ("ledger", "transfer", "{}", Code::InvalidArgs),
        (
            "ledger",
            "balance",
            r#"{ "secretname": 1 }"#,
            Code::InvalidArgs,
        ),
    ] {
        let result = pollster::block_on(hcp.exec(pack, command, args)).unwrap();
        assert_eq!(result.code, code);
        let line = rig.last();
        assert_eq!(line.code, Some(code));
        assert_eq!(line.decision, Some(Decision::Deny));
        assert_eq!(line.ran, Some(false));
        assert!(
            !line
                .to_object()
                .get("reason")
                .unwrap()
                .to_string()
                .contains("secretname")
        );
    }
    assert_eq!(rig.last().undeclared, 1);
}

#[test]
fn a_yes_lasts_its_minutes_and_not_a_moment_longer() {
    let rig = Rig::new();
    let hcp = rig.hcp(r#"{ "approval_minutes": 2 }"#);
    let minute = Duration::from_secs(60);
    let id = id_of(&transfer(&hcp, FARE, None));
    rig.clock.advance(minute);
    rig.approve(&id);
    rig.clock.advance(2 * minute);
    let late = transfer(&hcp, FARE, None);
    assert_eq!(late.code, Code::ConfirmRequired);
    assert_ne!(id_of(&late), id);
    rig.approve(&id_of(&late));
    rig.clock.advance(2 * minute - Duration::from_millis(1));
    assert_eq!(transfer(&hcp, FARE, None).code, Code::Ok);
    assert_eq!(rig.runs(), 1);
}

#[test]
fn every_run_has_a_line_before_it_and_one_after() {
    let rig = Rig::new();
    let hcp = rig.hcp("{}");
    let ran = pollster::block_on(hcp.exec("ledger", "balance", "{}")).unwrap();
    assert_eq!(ran.code, Code::Ok);
    let events = rig.events.lock().unwrap().clone();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].detail, Detail::Call);
    assert!(matches!(
        events[1].detail,
        Detail::Outcome {
            exit_code: Some(0),
            ..
        }
    ));
    rig.full_from.store(2, Ordering::SeqCst);
    let refused = pollster::block_on(hcp.exec("ledger", "balance", "{}")).unwrap();
    assert_eq!(refused.code, Code::AuditUnavailable);
    assert_eq!(rig.runs(), 1);
    // Only the outcome fails: the run stands.
    rig.full_from.store(3, Ordering::SeqCst);
    let ran = pollster::block_on(hcp.exec("ledger", "balance", "{}")).unwrap();
    assert_eq!(ran.code, Code::Ok);
    assert!(ran.extra.get("outcome_unrecorded").is_some());
    assert_eq!(rig.runs(), 2);
}

#[test]
fn the_gate_alone_says_what_exec_would() {
    let pack = bundled_pack("ledger").unwrap();
    let verb = VerbKey::parse("ledger.transfer").unwrap();
    let fares = r#"{ "rules": [{ "match": "ledger.transfer", "decision": "allow",
        "when": { "args": { "payee": "demo-transit" }, "max": { "amount": 5 } } }] }"#;
    let gate =
        |args: &str, settings: &str| gate_command(&pack, &verb, args, &access(settings).unwrap());
    assert!(matches!(gate(FARE, fares), Ok(Gated::Allow(_))));
    let above = r#"{ "amount": "5.01", "payee": "demo-transit" }"#;
    match gate(above, fares) {
        Ok(Gated::Ask(request)) => {
            assert_eq!(request.answer.reason_code.as_str(), "confirm_always");
            assert_eq!(request.approval_id, None);
        }
        other => panic!("{other:?}"),
    }
    let deny = r#"{ "rules": [{ "match": "*", "decision": "deny" }] }"#;
    assert!(matches!(gate(FARE, deny), Ok(Gated::Deny(_))));
    assert_eq!(gate("{}", fares).unwrap_err().code, Code::InvalidArgs);
    let list = gate("[]", fares).unwrap_err();
    assert_eq!(list.code, Code::InvalidArgs);
    let elsewhere = VerbKey::parse("mail.send").unwrap();
    let none = gate_command(&pack, &elsewhere, "{}", &access("{}").unwrap());
    assert_eq!(none.unwrap_err().code, Code::UnknownPack);
}

#[test]
fn under_an_operators_floor_only_a_persons_own_answer_counts() {
    let rig = Rig::new();
    let body = hcp::settings::parse(
        "operator",
        br#"{ "approvals": "human", "approval_minutes": 1 }"#,
    );
    let user = hcp::settings::parse(
        "user",
        br#"{ "approvals": "agent", "approval_minutes": 600 }"#,
    );
    let file = |file: &str, body| Sourced {
        file: file.to_owned(),
        body,
    };
    let settings = Effective::merge(Layers {
        operator: Some(file("operator", body.unwrap())),
        user: Some(file("user", user.unwrap())),
        ..Layers::default()
    });
    let hcp = outside(rig.builder("{}").access(settings).build().unwrap());
    let id = id_of(&transfer(&hcp, FARE, None));
    let passed_on = transfer(&hcp, FARE, Some(Approval::id(&id)));
    assert_eq!(passed_on.code, Code::HumanOnly);
    assert_eq!(rig.runs(), 0);
    rig.approve(&id);
    rig.clock.advance(Duration::from_secs(59));
    assert_eq!(transfer(&hcp, FARE, None).code, Code::Ok);
    let id = id_of(&transfer(&hcp, FARE, None));
    rig.approve(&id);
    rig.clock.advance(Duration::from_secs(60));
    assert_eq!(transfer(&hcp, FARE, None).code, Code::ConfirmRequired);
}
