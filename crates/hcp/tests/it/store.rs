//! The approval store: real files, real processes.

use crate::child::{report, reports, start};
use hcp::clock::{Clock, FixedClock, SystemClock};
use hcp::store::{
    Answered, ApprovalStore, Confirm, Disconnected, FILE_NAME, Found, NewRequest, Settled,
    SqliteStore, StoreError, Verdict,
};
use hcp_core::approval::{AnsweredBy, Binding, Record, State};
use hcp_core::canonical::{Digest, Key, Tag, keyed_digest, sha256};
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Approvals;
use hcp_core::moment::Moment;
use hcp_core::names::{PackId, VerbKey};
use hcp_core::principal::{Principal, PrincipalKind};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
const MINUTE: Duration = Duration::from_secs(60);

pub(crate) fn clock() -> FixedClock {
    FixedClock::new("2026-12-01T12:00:00Z".parse().unwrap())
}

/// A call of `ledger.transfer` with one argument.
pub(crate) fn transfer(amount: &str) -> NewRequest {
    request("ledger.transfer", amount)
}

pub(crate) fn request(verb: &str, amount: &str) -> NewRequest {
    let key = Key::new([7; 32]);
    let args = Object::new().with("amount", amount).with("payee", "demo");
    let call = Value::from(Object::new().with("args", args.clone()).with("cwd", "/w"));
    let facts = [("cwd", Value::from("/w"))]
        .into_iter()
        .map(|(n, v)| (n.to_owned(), v))
        .chain(args.iter().map(|(n, v)| (format!("args.{n}"), v.clone())))
        .map(|(n, v)| (n, keyed_digest(&key, Tag::Binding, &v)))
        .collect();
    let whole = Value::from(Object::new().with("verb", verb).with("call", call.clone()));
    NewRequest {
        binding: Binding {
            digest: keyed_digest(&key, Tag::Binding, &whole),
            facts,
        },
        tenant: "local".into(),
        principal: Principal {
            id: "u1".into(),
            kind: PrincipalKind::Agent,
        },
        project: None,
        verb: VerbKey::parse(verb).unwrap(),
        call: Some(call),
        carried_secret: false,
        carried_stdin: false,
        card_digest: sha256(amount.as_bytes()),
        approvals: Approvals::Agent,
        minutes: 15,
        identifiers: Vec::new(),
    }
}

pub(crate) const YES: Verdict = Verdict::Yes { card_digest: None };
const NO: Verdict = Verdict::No { note: None };

struct Fixture {
    home: TempDir,
    clock: FixedClock,
    store: SqliteStore,
}

impl Fixture {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        let clock = clock();
        let store = SqliteStore::open(home.path(), PATIENCE, &clock).unwrap();
        Self { home, clock, store }
    }

    fn plain(&self, ask: &NewRequest) -> Settled {
        self.store.settle(ask, &Confirm::None, &self.clock).unwrap()
    }

    fn confirm(&self, ask: &NewRequest, id: &str) -> Settled {
        let confirm = Confirm::Id(id.to_owned());
        self.store.settle(ask, &confirm, &self.clock).unwrap()
    }

    fn by_human(&self, ask: &NewRequest, id: &str) -> Settled {
        let confirm = Confirm::ByHuman(id.to_owned());
        self.store.settle(ask, &confirm, &self.clock).unwrap()
    }

    fn asked(&self, ask: &NewRequest) -> Record {
        asked(self.plain(ask))
    }

    fn answer(&self, id: &str, verdict: &Verdict) -> Answered {
        self.store
            .answer(id, verdict, AnsweredBy::Human, &self.clock)
            .unwrap()
    }
}

fn asked(settled: Settled) -> Record {
    match settled {
        Settled::Asked(record) => record,
        other => panic!("not asked: {other:?}"),
    }
}

fn is_taken(settled: &Settled) -> bool {
    matches!(settled, Settled::Taken { .. })
}

/// The code of a refusal, and the fresh request where one was made.
fn refused(settled: Settled) -> (Code, Option<Record>, String) {
    match settled {
        Settled::Refused {
            code,
            asked,
            message,
            ..
        } => (code, asked, message),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn asking_again_gives_the_same_request() {
    let f = Fixture::new();
    let first = f.asked(&transfer("2.80"));
    f.clock.advance(MINUTE);
    let second = f.asked(&transfer("2.80"));
    assert_eq!(first, second);
    assert_eq!(first.id.len(), 8);
    assert_eq!(
        first.expires_at().unwrap().to_string(),
        "2026-12-01T12:15:00Z"
    );
    assert_eq!(f.store.list(&f.clock).unwrap(), vec![first]);
}

#[test]
fn a_confirm_takes_it_once() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    let taken = f.confirm(&transfer("2.80"), &record.id);
    let Settled::Taken {
        by, approval_id, ..
    } = taken
    else {
        panic!("{taken:?}")
    };
    assert_eq!((by, approval_id), (AnsweredBy::Agent, record.id.clone()));
    let (code, fresh, _) = refused(f.confirm(&transfer("2.80"), &record.id));
    assert_eq!(code, Code::ApprovalUsed);
    assert_ne!(fresh.unwrap().id, record.id);
}

#[test]
fn a_rerun_without_an_id_takes_what_a_person_approved() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    assert!(matches!(f.answer(&record.id, &YES), Answered::Done(r) if r.state == State::Approved));
    assert!(matches!(f.answer(&record.id, &YES), Answered::Already(_)));
    assert!(matches!(
        f.plain(&transfer("2.80")),
        Settled::Taken {
            by: AnsweredBy::Human,
            ..
        }
    ));
    assert!(matches!(f.plain(&transfer("2.80")), Settled::Asked(r) if r.id != record.id));
}

#[test]
fn under_human_an_id_is_no_answer() {
    let f = Fixture::new();
    let ask = NewRequest {
        approvals: Approvals::Human,
        ..transfer("2.80")
    };
    let record = f.asked(&ask);
    let (code, waiting, _) = refused(f.confirm(&ask, &record.id));
    assert_eq!(
        (code, waiting.unwrap().id),
        (Code::HumanOnly, record.id.clone())
    );
    // A looser setting since then does not loosen what was asked.
    let (code, ..) = refused(f.confirm(&transfer("2.80"), &record.id));
    assert_eq!(code, Code::HumanOnly);
    let agent = f
        .store
        .answer(&record.id, &YES, AnsweredBy::Agent, &f.clock)
        .unwrap();
    assert!(matches!(agent, Answered::HumanOnly(_)));
    f.answer(&record.id, &YES);
    assert!(is_taken(&f.plain(&ask)));
}

#[test]
fn a_stricter_setting_reaches_a_request_that_waits() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    let strict = NewRequest {
        approvals: Approvals::Human,
        ..transfer("2.80")
    };
    assert_eq!(refused(f.confirm(&strict, &record.id)).0, Code::HumanOnly);
    assert_eq!(
        refused(f.confirm(&transfer("2.80"), &record.id)).0,
        Code::HumanOnly
    );
}

#[test]
fn an_agents_yes_counts_for_nothing_once_only_people_answer() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    f.store
        .answer(&record.id, &YES, AnsweredBy::Agent, &f.clock)
        .unwrap();
    let strict = NewRequest {
        approvals: Approvals::Human,
        ..transfer("2.80")
    };
    assert_ne!(f.asked(&strict).id, record.id);
}

#[test]
fn a_mismatch_names_what_changed_and_leaves_the_yes() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    f.answer(&record.id, &YES);
    let settled = f.confirm(&transfer("2.81"), &record.id);
    let Settled::Refused {
        code,
        changed,
        asked,
        message,
    } = settled
    else {
        panic!("{settled:?}")
    };
    assert_eq!(code, Code::ApprovalMismatch);
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].fact, "args.amount");
    assert_eq!(changed[0].to_string(), "amount: approved 2.80, now 2.81");
    assert!(
        message.contains("amount") && !message.contains("2.8"),
        "{message}"
    );
    assert_ne!(asked.unwrap().id, record.id);
    assert!(is_taken(&f.plain(&transfer("2.80"))));
}

#[test]
fn an_unknown_or_foreign_id_gets_its_code_and_a_request() {
    let f = Fixture::new();
    let other = NewRequest {
        principal: Principal {
            id: "u2".into(),
            kind: PrincipalKind::Human,
        },
        ..transfer("9")
    };
    let foreign = f.asked(&other);
    for id in ["00000000", "", "nonsense; DROP TABLE requests", &foreign.id] {
        let (code, fresh, _) = refused(f.confirm(&transfer("2.80"), id));
        assert_eq!(code, Code::ApprovalUnknown, "{id}");
        assert!(fresh.is_some());
    }
    // A wrong id never uses the approval of the call at hand.
    let own = f.asked(&transfer("2.80"));
    f.answer(&own.id, &YES);
    assert_eq!(
        refused(f.confirm(&transfer("2.80"), &foreign.id)).0,
        Code::ApprovalUnknown
    );
    assert!(is_taken(&f.plain(&transfer("2.80"))));
}

#[test]
fn a_no_answers_for_fifteen_minutes() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    let no = Verdict::No {
        note: Some("wrong payee".into()),
    };
    assert!(matches!(f.answer(&record.id, &no), Answered::Done(r) if r.state == State::Rejected));
    assert!(matches!(f.answer(&record.id, &YES), Answered::Over(_)));
    f.clock.advance(15 * MINUTE - Duration::from_millis(1));
    for settled in [
        f.plain(&transfer("2.80")),
        f.confirm(&transfer("2.80"), &record.id),
        f.confirm(&transfer("9"), &record.id),
        f.confirm(&transfer("2.80"), "00000000"),
        f.by_human(&transfer("2.80"), "ui-1"),
    ] {
        let Settled::Rejected(r) = settled else {
            panic!("{settled:?}")
        };
        assert_eq!(r.note.as_deref(), Some("wrong payee"));
    }
    f.clock.advance(Duration::from_millis(1));
    let (code, fresh, _) = refused(f.confirm(&transfer("2.80"), &record.id));
    assert_eq!(code, Code::ApprovalExpired);
    assert_eq!(f.asked(&transfer("2.80")).id, fresh.unwrap().id);
}

#[test]
fn an_approval_may_be_rejected_before_its_use() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    f.answer(&record.id, &YES);
    assert!(matches!(f.answer(&record.id, &NO), Answered::Done(_)));
    assert!(matches!(f.plain(&transfer("2.80")), Settled::Rejected(_)));
}

#[test]
fn forgetting_a_no_lets_the_call_be_asked_at_once() {
    let f = Fixture::new();
    let record = f.asked(&transfer("2.80"));
    assert!(matches!(
        f.store.forget(&record.id, &f.clock).unwrap(),
        Answered::Over(_)
    ));
    f.answer(&record.id, &NO);
    assert!(matches!(
        f.store.forget(&record.id, &f.clock).unwrap(),
        Answered::Done(_)
    ));
    assert!(matches!(
        f.store.forget(&record.id, &f.clock).unwrap(),
        Answered::Already(_)
    ));
    assert!(matches!(
        f.store.forget("ffffffff", &f.clock).unwrap(),
        Answered::Unknown
    ));
    let fresh = f.asked(&transfer("2.80"));
    assert_ne!(fresh.id, record.id);
    assert_eq!(
        refused(f.confirm(&transfer("2.80"), &record.id)).0,
        Code::ApprovalExpired
    );
}

#[test]
fn both_clocks_and_both_times_end_it() {
    let f = Fixture::new();
    let start = f.clock.now();
    let moment = |wall_ms: i64, boot_ms: u64| Moment {
        wall: jiff::Timestamp::from_millisecond(start.wall.as_millisecond() + wall_ms).unwrap(),
        boot_id: start.boot_id.clone(),
        boot_ms: start.boot_ms + boot_ms,
    };
    let other_boot = Moment {
        boot_id: "other".into(),
        ..start.clone()
    };
    for (what, now, over) in [
        ("just before", moment(899_999, 899_999), false),
        ("wall at equality", moment(900_000, 1), true),
        ("boot at equality", moment(1, 900_000), true),
        ("clock set back a little", moment(-2_000, 1), false),
        ("clock set back", moment(-2_001, 1), true),
        ("started anew", other_boot, true),
    ] {
        for approved in [false, true] {
            let f = Fixture::new();
            let record = f.asked(&transfer("1"));
            if approved {
                f.answer(&record.id, &YES);
            }
            f.clock.set(now.clone());
            assert_eq!(
                f.store.list(&f.clock).unwrap().is_empty(),
                over || approved,
                "{what}"
            );
            let settled = f.confirm(&transfer("1"), &record.id);
            if over {
                assert_eq!(refused(settled).0, Code::ApprovalExpired, "{what}");
                assert!(
                    matches!(f.answer(&record.id, &YES), Answered::Over(_)),
                    "{what}"
                );
            } else {
                assert!(is_taken(&settled), "{what}");
            }
        }
    }
}

#[test]
fn a_time_that_cannot_be_read_is_over() {
    let f = Fixture::new();
    let record = f.asked(&transfer("1"));
    sql(f.home.path(), "UPDATE requests SET made = 'soon'");
    assert_eq!(f.store.list(&f.clock).unwrap(), vec![]);
    assert!(matches!(f.answer(&record.id, &YES), Answered::Over(_)));
    let approved = f.asked(&transfer("2"));
    f.answer(&approved.id, &YES);
    sql(f.home.path(), "UPDATE requests SET answered = ''");
    assert!(matches!(f.plain(&transfer("2")), Settled::Asked(_)));
}

#[test]
fn a_damaged_record_stops_everything() {
    let f = Fixture::new();
    f.asked(&transfer("1"));
    for damage in [
        "verb = 'nothing'",
        "binding = ''",
        "minutes = 15, kind = 'x'",
    ] {
        let home = TempDir::new().unwrap();
        let store = SqliteStore::open(home.path(), PATIENCE, &f.clock).unwrap();
        store
            .settle(&transfer("1"), &Confirm::None, &f.clock)
            .unwrap();
        sql(home.path(), &format!("UPDATE requests SET {damage}"));
        let error = store
            .settle(&transfer("1"), &Confirm::None, &f.clock)
            .unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}

fn sql(home: &Path, statement: &str) {
    let connection = rusqlite::Connection::open(home.join(FILE_NAME)).unwrap();
    connection.execute(statement, []).unwrap();
}

#[test]
fn a_yes_belongs_to_the_card_that_was_shown() {
    let f = Fixture::new();
    let record = f.asked(&transfer("1"));
    let shown = Verdict::Yes {
        card_digest: Some(sha256(b"other")),
    };
    assert!(matches!(
        f.answer(&record.id, &shown),
        Answered::CardChanged(_)
    ));
    let call = Value::from("drawn anew");
    let replaced = f
        .store
        .replace_card(&record.id, &sha256(b"other"), Some(&call), &f.clock)
        .unwrap();
    assert!(matches!(replaced, Answered::Done(r) if r.call == Some(call)));
    assert!(matches!(f.answer(&record.id, &shown), Answered::Done(_)));
    // The same for an id that an agent passes on.
    let record = f.asked(&transfer("2"));
    let redrawn = NewRequest {
        card_digest: sha256(b"new card"),
        ..transfer("2")
    };
    let Settled::Asked(again) = f.confirm(&redrawn, &record.id) else {
        panic!("the yes was to another card")
    };
    assert_eq!(
        (again.id.as_str(), again.card_digest),
        (record.id.as_str(), sha256(b"new card"))
    );
    assert!(is_taken(&f.confirm(&redrawn, &record.id)));
}

#[test]
fn a_withdrawn_request_is_over() {
    let f = Fixture::new();
    let record = f.asked(&transfer("1"));
    assert!(matches!(
        f.store.withdraw(&record.id, &f.clock).unwrap(),
        Answered::Done(_)
    ));
    assert!(matches!(f.answer(&record.id, &YES), Answered::Over(_)));
    let (code, fresh, message) = refused(f.confirm(&transfer("1"), &record.id));
    assert_eq!(code, Code::ApprovalExpired);
    assert!(message.contains("withdrawn"));
    let fresh = fresh.unwrap();
    f.answer(&fresh.id, &YES);
    assert!(matches!(
        f.store.withdraw(&fresh.id, &f.clock).unwrap(),
        Answered::Over(_)
    ));
}

#[test]
fn another_account_ends_what_waits_and_what_was_approved() {
    let f = Fixture::new();
    let pack = |id: &str| PackId::new(id).unwrap();
    let (ledger, notes) = (pack("ledger"), pack("notes"));
    let other = |tenant: &str, principal: &str| {
        let mut ask = transfer("1");
        ask.tenant = tenant.to_owned();
        ask.principal.id = principal.to_owned();
        let text = format!("{tenant} {principal}").into();
        ask.binding.digest = keyed_digest(&Key::new([7; 32]), Tag::Binding, &text);
        ask
    };
    let [pending, approved, used, rejected] = ["1", "2", "3", "4"].map(|n| f.asked(&transfer(n)));
    f.answer(&approved.id, &YES);
    f.confirm(&transfer("3"), &used.id);
    f.answer(&rejected.id, &NO);
    let spared = [
        f.asked(&request("notes.add", "1")),
        f.asked(&other("local", "u2")),
        f.asked(&other("t2", "u1")),
    ];
    let end = |pack: &PackId, binding: Option<&Digest>| {
        let (tenant, principal) = ("local", "u1");
        let ended = Disconnected {
            tenant,
            principal,
            pack,
            binding,
        };
        f.store.end_connected(&ended, &f.clock).unwrap()
    };
    let state = |record: &Record| match f.store.find(&record.id, &f.clock).unwrap() {
        Found::One(found) => found.state,
        found => panic!("{found:?}"),
    };
    // One call's alone, and then all that is left.
    assert_eq!(end(&notes, Some(&pending.binding.digest)), 0);
    assert_eq!(end(&ledger, Some(&approved.binding.digest)), 1);
    assert_eq!(
        (state(&approved), state(&pending)),
        (State::Withdrawn, State::Pending)
    );
    assert_eq!(end(&ledger, None), 1);
    assert_eq!(end(&ledger, None), 0);
    assert_eq!(state(&pending), State::Withdrawn);
    assert_eq!(
        (state(&used), state(&rejected)),
        (State::Used, State::Rejected)
    );
    assert!(spared.iter().all(|record| state(record) == State::Pending));
    let (code, fresh, message) = refused(f.confirm(&transfer("2"), &approved.id));
    assert_eq!(code, Code::ApprovalExpired);
    assert!(message.contains("account"), "{message}");
    assert_ne!(fresh.unwrap().id, approved.id);
}

#[test]
fn a_hosts_statement_counts_once() {
    let f = Fixture::new();
    let taken = f.by_human(&transfer("1"), "ui-1");
    assert!(
        matches!(taken, Settled::Taken { by: AnsweredBy::Human, ref approval_id, .. } if approval_id == "ui-1")
    );
    for amount in ["1", "2"] {
        assert_eq!(
            refused(f.by_human(&transfer(amount), "ui-1")).0,
            Code::ApprovalUsed
        );
    }
    let other = NewRequest {
        tenant: "other".into(),
        ..transfer("1")
    };
    assert!(is_taken(&f.by_human(&other, "ui-1")));
    // The request's own id may be the host's id; it is then bound like one.
    let record = f.asked(&transfer("3"));
    assert_eq!(
        refused(f.by_human(&transfer("4"), &record.id)).0,
        Code::ApprovalMismatch
    );
    assert!(is_taken(&f.by_human(&transfer("3"), &record.id)));
    assert_eq!(
        refused(f.by_human(&transfer("3"), &record.id)).0,
        Code::ApprovalUsed
    );
    // Waiting longer does not bring it back.
    f.clock.advance(Duration::from_secs(40 * 24 * 3600));
    assert_eq!(
        refused(f.by_human(&transfer("1"), "ui-1")).0,
        Code::ApprovalUsed
    );
}

#[test]
fn twenty_wait_and_five_of_one_command() {
    let f = Fixture::new();
    for n in 0..5 {
        f.asked(&transfer(&n.to_string()));
    }
    let settled = f.plain(&transfer("5"));
    assert!(
        matches!(settled, Settled::TooMany { retry_at: Some(at), .. } if at.to_string() == "2026-12-01T12:15:00Z")
    );
    for n in 0..15 {
        f.asked(&request(&format!("notes.c{}", n % 3), &n.to_string()));
    }
    assert!(matches!(
        f.plain(&request("gh.merge", "1")),
        Settled::TooMany { .. }
    ));
    assert_eq!(f.store.list(&f.clock).unwrap().len(), 20);
    let other = NewRequest {
        principal: Principal {
            id: "u2".into(),
            kind: PrincipalKind::Agent,
        },
        ..request("gh.merge", "1")
    };
    f.asked(&other);
    // A code is given even where no request may follow.
    let (code, fresh, _) = refused(f.confirm(&transfer("6"), "00000000"));
    assert_eq!((code, fresh), (Code::ApprovalUnknown, None));
}

#[test]
fn three_bad_ends_make_the_next_one_wait() {
    let f = Fixture::new();
    for n in 0..2 {
        let record = f.asked(&transfer(&n.to_string()));
        f.answer(&record.id, &NO);
    }
    f.asked(&transfer("2"));
    f.clock.advance(15 * MINUTE);
    let settled = f.plain(&transfer("3"));
    assert!(
        matches!(settled, Settled::TooMany { retry_at: Some(at), .. } if at.to_string() == "2026-12-01T12:16:00Z")
    );
    f.asked(&request("ledger.other", "1"));
    f.clock.advance(MINUTE);
    let last = f.asked(&transfer("3"));
    f.answer(&last.id, &NO);
    assert!(
        matches!(f.plain(&transfer("4")), Settled::TooMany { retry_at: Some(at), .. } if at.to_string() == "2026-12-01T12:18:00Z")
    );
    f.store.forget(&last.id, &f.clock).unwrap();
    assert!(matches!(f.plain(&transfer("4")), Settled::Asked(_)));
}

#[test]
fn a_prefix_of_four_digits_finds_it() {
    let f = Fixture::new();
    let record = f.asked(&transfer("1"));
    let find = |prefix: &str| f.store.find(prefix, &f.clock).unwrap();
    assert_eq!(find(&record.id[..4]), Found::One(Box::new(record.clone())));
    assert_eq!(
        find(&record.id.to_uppercase()),
        Found::One(Box::new(record.clone()))
    );
    for none in [&record.id[..3], "", "%%%%", "____", "zzzz", "000000000"] {
        assert_eq!(find(none), Found::None, "{none}");
    }
    let second = f.asked(&transfer("2"));
    sql(
        f.home.path(),
        &format!(
            "UPDATE requests SET id = 'abcd0001' WHERE id = '{}'",
            record.id
        ),
    );
    sql(
        f.home.path(),
        &format!(
            "UPDATE requests SET id = 'abcd0002' WHERE id = '{}'",
            second.id
        ),
    );
    assert_eq!(
        find("abcd"),
        Found::Many(vec!["abcd0001".into(), "abcd0002".into()])
    );
    // What ended does not stand in the way of what waits.
    f.answer("abcd0001", &NO);
    assert!(matches!(find("abcd"), Found::One(r) if r.id == "abcd0002"));
    f.clock.advance(16 * MINUTE);
    assert!(
        matches!(find("abcd0002"), Found::One(r) if r.state == State::Expired && r.call.is_none())
    );
}

#[test]
fn old_records_go() {
    let f = Fixture::new();
    let record = f.asked(&transfer("1"));
    f.answer(&record.id, &NO);
    f.clock.advance(Duration::from_secs(30 * 24 * 3600 + 1));
    drop(SqliteStore::open(f.home.path(), PATIENCE, &f.clock).unwrap());
    assert_eq!(f.store.find(&record.id, &f.clock).unwrap(), Found::None);
}

/// Whether any file of the store holds the bytes.
fn holds(home: &Path, needle: &str) -> bool {
    std::fs::read_dir(home).unwrap().any(|entry| {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        bytes.windows(needle.len()).any(|w| w == needle.as_bytes())
    })
}

#[test]
fn values_go_with_the_request() {
    for ending in [
        "take",
        "confirm",
        "reject",
        "withdraw",
        "account",
        "by_human",
        "expire",
        "expire, opened anew",
    ] {
        let f = Fixture::new();
        let secret = format!("s3cr3t-{ending}-value");
        let record = f.asked(&transfer(&secret));
        assert!(holds(f.home.path(), &secret), "{ending}");
        match ending {
            "take" => {
                f.answer(&record.id, &YES);
                f.plain(&transfer(&secret));
            }
            "confirm" => drop(f.confirm(&transfer(&secret), &record.id)),
            "reject" => drop(f.answer(&record.id, &NO)),
            "withdraw" => drop(f.store.withdraw(&record.id, &f.clock)),
            "account" => {
                let pack = PackId::new("ledger").unwrap();
                let ended = Disconnected {
                    tenant: "local",
                    principal: "u1",
                    pack: &pack,
                    binding: None,
                };
                f.store.end_connected(&ended, &f.clock).unwrap();
            }
            "by_human" => drop(f.by_human(&transfer(&secret), "ui")),
            "expire" => {
                f.clock.advance(20 * MINUTE);
                f.plain(&request("notes.add", "1"));
            }
            _ => {
                f.clock.advance(20 * MINUTE);
                drop(SqliteStore::open(f.home.path(), PATIENCE, &f.clock).unwrap());
            }
        }
        assert!(!holds(f.home.path(), &secret), "{ending}");
    }
}

#[test]
fn values_of_many_sizes_leave_nothing_behind() {
    let f = Fixture::new();
    let mut waiting: Vec<(String, String)> = Vec::new();
    let mut sizes = 1_u32;
    for n in 0..50_u32 {
        sizes = sizes.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        let marker = format!("<marker-{n:04}>");
        let text = marker.repeat(1 + usize::try_from(sizes >> 16).unwrap() % 300);
        let record = f.asked(&request(&format!("p.c{n}"), &text));
        waiting.push((record.id, marker));
        if waiting.len() > 12 {
            let (id, marker) = waiting.remove(usize::try_from(sizes >> 8).unwrap() % waiting.len());
            f.answer(&id, if n % 2 == 0 { &NO } else { &YES });
            if n % 2 == 1 {
                f.answer(&id, &NO);
            }
            assert!(!holds(f.home.path(), &marker), "{marker} after {n}");
        }
    }
}

#[test]
fn a_log_left_by_a_killed_process_is_emptied_at_the_next_opening() {
    let f = Fixture::new();
    f.asked(&transfer("left-in-the-log"));
    // As a kill leaves it: values erased and committed, the log not emptied.
    sql_without_closing(
        f.home.path(),
        "UPDATE requests SET state = 'used', call = NULL",
    );
    let copy = TempDir::new().unwrap();
    for name in [FILE_NAME, "approvals.db-wal"] {
        std::fs::copy(f.home.path().join(name), copy.path().join(name)).unwrap();
    }
    assert!(holds(copy.path(), "left-in-the-log"));
    let store = SqliteStore::open(copy.path(), PATIENCE, &f.clock).unwrap();
    assert!(!holds(copy.path(), "left-in-the-log"));
    drop(store);
}

fn sql_without_closing(home: &Path, statement: &str) {
    let connection = rusqlite::Connection::open(home.join(FILE_NAME)).unwrap();
    connection
        .execute_batch("PRAGMA secure_delete = ON")
        .unwrap();
    connection.execute(statement, []).unwrap();
    std::mem::forget(connection);
}

#[test]
fn only_a_file_of_ones_own_is_opened() {
    let reason = |home: &Path| match SqliteStore::open(home, PATIENCE, &clock()) {
        Err(e @ StoreError::Unavailable { .. }) => e.to_string(),
        other => panic!("{other:?}"),
    };
    let home = TempDir::new().unwrap();
    let file = home.path().join(FILE_NAME);
    let real = home.path().join("real");
    drop(SqliteStore::open(home.path(), PATIENCE, &clock()).unwrap());
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );

    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o620)).unwrap();
    assert!(reason(home.path()).contains("chmod 600"));
    std::fs::rename(&file, &real).unwrap();
    symlink(&real, &file).unwrap();
    assert!(reason(home.path()).contains("symbolic link"));
    std::fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(reason(home.path()).contains("pipe"));
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(reason(home.path()).contains("folder"));
    std::fs::remove_dir(&file).unwrap();
    std::fs::write(
        &file,
        "this is no database, and long enough to be read as one",
    )
    .unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(reason(home.path()).contains("damaged"));
    std::fs::remove_file(&file).unwrap();
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch("CREATE TABLE other (x)")
        .unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(reason(home.path()).contains("not made by"));
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::chown(&file, Some(12_345), None).unwrap();
        assert!(reason(home.path()).contains("belongs to user 12345"));
    }
}

#[test]
fn a_lock_is_waited_for_only_so_long() {
    let f = Fixture::new();
    let other = rusqlite::Connection::open(f.home.path().join(FILE_NAME)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let impatient = SqliteStore::open(f.home.path(), Duration::from_millis(100), &f.clock).unwrap();
    let since = Instant::now();
    let settled = impatient.settle(&transfer("1"), &Confirm::None, &f.clock);
    assert!(
        matches!(settled, Err(StoreError::Busy { .. })),
        "{settled:?}"
    );
    assert!(since.elapsed() < Duration::from_secs(2));
    other.execute_batch("ROLLBACK").unwrap();
    impatient
        .settle(&transfer("1"), &Confirm::None, &f.clock)
        .unwrap();
}

/// A process of its own that reruns one call.
pub(crate) fn take_one(home: &Path, confirm: &str) {
    let open = || SqliteStore::open(home, PATIENCE, &SystemClock).unwrap();
    let opened = (confirm != "new").then(open);
    // All begin together, when the parent says so.
    while !home.join("go").exists() {
        std::thread::sleep(Duration::from_micros(200));
    }
    let confirm = match confirm {
        "" | "new" => Confirm::None,
        id => Confirm::Id(id.to_owned()),
    };
    let store = opened.unwrap_or_else(open);
    let since = Instant::now();
    let settled = store
        .settle(&transfer("2.80"), &confirm, &SystemClock)
        .unwrap();
    let micros = since.elapsed().as_micros();
    report(&format!("{} {micros}", is_taken(&settled)));
}

#[test]
fn twenty_processes_and_one_yes() {
    for by_id in [false, true] {
        let home = TempDir::new().unwrap();
        let store = SqliteStore::open(home.path(), PATIENCE, &SystemClock).unwrap();
        let record = asked(
            store
                .settle(&transfer("2.80"), &Confirm::None, &SystemClock)
                .unwrap(),
        );
        if !by_id {
            store
                .answer(&record.id, &YES, AnsweredBy::Human, &SystemClock)
                .unwrap();
        }
        let confirm = if by_id { record.id.as_str() } else { "" };
        let children: Vec<_> = (0..20)
            .map(|_| start("take", home.path(), confirm))
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        std::fs::write(home.path().join("go"), "").unwrap();
        let outcomes: Vec<String> = children.into_iter().flat_map(reports).collect();
        assert_eq!(outcomes.len(), 20, "{outcomes:?}");
        let taken = outcomes.iter().filter(|o| o.starts_with("true")).count();
        assert_eq!(taken, 1, "{outcomes:?}");
        let mut micros: Vec<u64> = outcomes
            .iter()
            .map(|o| o.split_once(' ').unwrap().1.parse().unwrap())
            .collect();
        micros.sort_unstable();
        println!("median of a settle among 20 processes: {} µs", micros[10]);
    }
}

#[test]
fn a_new_store_is_made_by_many_at_once() {
    for _ in 0..3 {
        let home = TempDir::new().unwrap();
        let children: Vec<_> = (0..10).map(|_| start("take", home.path(), "new")).collect();
        std::thread::sleep(Duration::from_millis(150));
        std::fs::write(home.path().join("go"), "").unwrap();
        let outcomes: Vec<String> = children.into_iter().flat_map(reports).collect();
        assert_eq!(outcomes.len(), 10, "{outcomes:?}");
        let store = SqliteStore::open(home.path(), PATIENCE, &SystemClock).unwrap();
        assert_eq!(store.list(&SystemClock).unwrap().len(), 1);
    }
}

/// A process of its own that asks and takes without end, until it is killed.
pub(crate) fn churn(home: &Path, seed: &str) {
    for n in 0.. {
        let store = SqliteStore::open(home, PATIENCE, &SystemClock).unwrap();
        let ask = request(&format!("p.c{}", n % 4), &format!("{seed}-{n}"));
        if let Settled::Asked(record) = store.settle(&ask, &Confirm::None, &SystemClock).unwrap() {
            let confirm = Confirm::Id(record.id.clone());
            report(&format!("try {}", record.id));
            if is_taken(&store.settle(&ask, &confirm, &SystemClock).unwrap()) {
                report(&format!("took {}", record.id));
            }
        }
    }
}

#[test]
fn a_kill_at_any_moment_loses_no_take() {
    let home = TempDir::new().unwrap();
    for round in 0..12_u64 {
        let mut child = start("churn", home.path(), &round.to_string());
        std::thread::sleep(Duration::from_millis(30 + 7 * round));
        child.kill().unwrap();
        let lines = reports(child);
        let store = SqliteStore::open(home.path(), PATIENCE, &SystemClock).unwrap();
        for id in lines.iter().filter_map(|l| l.strip_prefix("took ")) {
            let found = store.find(id, &SystemClock).unwrap();
            assert!(
                matches!(&found, Found::One(r) if r.state == State::Used),
                "{id}: {found:?}"
            );
        }
        for record in store.list(&SystemClock).unwrap() {
            store.withdraw(&record.id, &SystemClock).unwrap();
        }
        let connection = rusqlite::Connection::open(home.path().join(FILE_NAME)).unwrap();
        let sound: String = connection
            .query_row("PRAGMA integrity_check", [], |r| r.get(0))
            .unwrap();
        assert_eq!(sound, "ok");
        let kept: i64 = connection
            .query_row(
                "SELECT count(*) FROM requests WHERE call IS NOT NULL AND state NOT IN ('pending', 'approved')",
                [],
                |r| r.get(0),
            )
            .unwrap();
        assert_eq!(kept, 0);
    }
}
