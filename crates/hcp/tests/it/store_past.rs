//! What the store remembers of earlier yeses: what it teaches, whom it tells, how long, and in which file.

use crate::store::{PATIENCE, YES, clock, request};
use hcp::clock::{Clock, FixedClock};
use hcp::store::{
    ApprovalStore, Confirm, FILE_NAME, Familiar, IdentifierDigest, NewRequest, PastQuery, Settled,
    SqliteStore, Verdict,
};
use hcp_core::approval::{AnsweredBy, Record};
use hcp_core::canonical::{Digest, sha256};
use proptest::prelude::*;
use std::collections::HashMap;
use std::time::Duration;
use tempfile::TempDir;

const NO: Verdict = Verdict::No { note: None };
const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An identifier: `ana`, `ana'` and `Ana` look the same, and the last differs from the first in its case alone.
fn identifier(name: &str) -> IdentifierDigest {
    let folded = name.to_lowercase();
    IdentifierDigest {
        value: sha256(name.as_bytes()),
        folded: sha256(folded.as_bytes()),
        skeleton: sha256(folded.trim_end_matches('\'').as_bytes()),
    }
}

fn call(verb: &str, amount: &str, names: &[&str]) -> NewRequest {
    NewRequest {
        identifiers: names.iter().map(|name| identifier(name)).collect(),
        ..request(verb, amount)
    }
}

/// A payment; payments of different amounts are different calls.
fn pay(amount: &str, payee: &str) -> NewRequest {
    call("ledger.transfer", &format!("{amount} {payee}"), &[payee])
}

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

    fn settle(&self, ask: &NewRequest) -> Settled {
        self.store.settle(ask, &Confirm::None, &self.clock).unwrap()
    }

    fn ask(&self, ask: &NewRequest) -> Record {
        match self.settle(ask) {
            Settled::Asked(record) => record,
            other => panic!("not asked: {other:?}"),
        }
    }

    fn answer(&self, id: &str, verdict: &Verdict) {
        self.store
            .answer(id, verdict, AnsweredBy::Human, &self.clock)
            .unwrap();
    }

    fn take(&self, ask: &NewRequest) {
        assert!(matches!(self.settle(ask), Settled::Taken { .. }));
    }

    /// Asks, has the yes, and runs.
    fn run(&self, ask: &NewRequest) {
        let record = self.ask(ask);
        self.answer(&record.id, &YES);
        self.take(ask);
    }

    fn familiar(&self, ask: &NewRequest) -> Familiar {
        familiar(&self.store, ask, &self.clock)
    }
}

fn familiar(store: &SqliteStore, ask: &NewRequest, clock: &dyn Clock) -> Familiar {
    let query = PastQuery {
        tenant: &ask.tenant,
        principal: &ask.principal.id,
        project: ask.project.as_deref(),
        verb: &ask.verb,
        binding: Some(&ask.binding.digest),
        identifiers: &ask.identifiers,
    };
    store.familiar(&query, clock).unwrap()
}

/// Facts of a call with one identifier.
fn facts(approved_before: bool, first_time: bool, looks_like: bool) -> Familiar {
    Familiar {
        approved_before,
        first_time: vec![first_time],
        looks_like: vec![looks_like],
        unanswered: 0,
    }
}

const NOTHING: (bool, bool, bool) = (false, false, false);
const KNOWN: (bool, bool, bool) = (true, false, false);
const NEW: (bool, bool, bool) = (true, true, false);
const TWIN: (bool, bool, bool) = (true, true, true);

#[track_caller]
fn expect(found: &Familiar, (approved_before, first_time, looks_like): (bool, bool, bool)) {
    assert_eq!(*found, facts(approved_before, first_time, looks_like));
}

#[test]
fn a_yes_that_is_taken_teaches_and_nothing_else_does() {
    let f = Fixture::new();
    let first = pay("1", "ana");
    expect(&f.familiar(&first), NOTHING);
    let record = f.ask(&first);
    expect(&f.familiar(&first), NOTHING);
    f.answer(&record.id, &YES);
    expect(&f.familiar(&first), NOTHING);
    expect(&f.familiar(&pay("2", "ben")), NOTHING);
    f.take(&first);
    expect(&f.familiar(&first), KNOWN);
    expect(&f.familiar(&pay("2", "ana")), KNOWN);
    expect(&f.familiar(&pay("2", "ben")), NEW);
    expect(&f.familiar(&pay("2", "ana'")), TWIN);
    expect(&f.familiar(&pay("2", "Ana")), NEW);
    expect(&f.familiar(&pay("2", "Ana'")), TWIN);

    let no = pay("3", "cem");
    let record = f.ask(&no);
    f.answer(&record.id, &NO);
    f.ask(&pay("4", "dan"));
    f.clock.advance(16 * MINUTE);
    for never in ["cem", "dan", "cem'"] {
        expect(&f.familiar(&pay("5", never)), NEW);
    }
}

#[test]
fn a_word_passed_on_and_a_hosts_statement_teach_too() {
    let f = Fixture::new();
    let passed = pay("1", "ana");
    let record = f.ask(&passed);
    let settled = f.store.settle(&passed, &Confirm::Id(record.id), &f.clock);
    assert!(matches!(settled.unwrap(), Settled::Taken { .. }));
    expect(&f.familiar(&pay("2", "ana")), KNOWN);
    let stated = Confirm::ByHuman("ui-1".into());
    let settled = f.store.settle(&pay("3", "ben"), &stated, &f.clock);
    assert!(matches!(settled.unwrap(), Settled::Taken { .. }));
    expect(&f.familiar(&pay("4", "ben")), KNOWN);
}

#[test]
fn twins_that_both_had_a_yes_are_still_told() {
    let f = Fixture::new();
    f.run(&pay("1", "ana"));
    f.run(&pay("1", "ana'"));
    for name in ["ana", "ana'"] {
        expect(&f.familiar(&pay("2", name)), (true, false, true));
    }
}

#[test]
fn each_tenant_principal_project_and_command_learns_for_itself() {
    let f = Fixture::new();
    f.run(&pay("1", "ana"));
    let mut others = vec![
        NewRequest {
            tenant: "other".into(),
            ..pay("2", "ana")
        },
        NewRequest {
            project: Some("/p".into()),
            ..pay("2", "ana")
        },
        NewRequest {
            project: Some(String::new()),
            ..pay("2", "ana")
        },
        call("ledger.refund", "2", &["ana"]),
    ];
    let mut somebody = pay("2", "ana");
    somebody.principal.id = "u2".into();
    others.push(somebody);
    for other in &others {
        expect(&f.familiar(other), NOTHING);
    }
    for other in &others {
        f.run(other);
        expect(&f.familiar(other), KNOWN);
    }
}

#[test]
fn a_command_without_identifiers_counts_as_approved_before() {
    let f = Fixture::new();
    let bare = call("ledger.transfer", "1", &[]);
    f.run(&bare);
    assert_eq!(
        f.familiar(&bare),
        Familiar {
            approved_before: true,
            ..Familiar::default()
        }
    );
    expect(&f.familiar(&pay("2", "ana")), NEW);
}

#[test]
fn each_identifier_of_a_call_is_told_apart() {
    let f = Fixture::new();
    f.run(&call("mail.send", "1", &["ana", "ben"]));
    let found = f.familiar(&call("mail.send", "2", &["ben", "cem", "ana'"]));
    assert_eq!(found.first_time, [false, true, true]);
    assert_eq!(found.looks_like, [false, false, true]);
}

#[test]
fn what_a_waiting_request_was_told_stays_and_what_came_since_comes_on_top() {
    let f = Fixture::new();
    f.run(&pay("0", "zoe"));
    let (one, two, twin) = (pay("1", "ana"), pay("2", "ana"), pay("3", "ana'"));
    for ask in [&one, &two, &twin] {
        f.ask(ask);
        expect(&f.familiar(ask), NEW);
    }
    let record = f.ask(&one);
    f.answer(&record.id, &YES);
    f.take(&one);
    // It was new when it was asked, and the person who looks at it reads the same card.
    expect(&f.familiar(&two), NEW);
    // That it looks like one approved since is news that a person must have.
    expect(&f.familiar(&twin), TWIN);
    // The call that ran is asked anew, and a call that never waited sees what there is.
    expect(&f.familiar(&one), KNOWN);
    expect(&f.familiar(&pay("4", "ana")), KNOWN);
}

#[test]
fn between_the_yes_and_the_run_nothing_changes() {
    let f = Fixture::new();
    let (one, two, twin) = (pay("1", "ana"), pay("2", "ben"), pay("3", "ana'"));
    let ids: Vec<String> = [&one, &two, &twin].map(|ask| f.ask(ask).id).to_vec();
    for id in &ids {
        f.answer(id, &YES);
    }
    f.take(&one);
    for ask in [&two, &twin] {
        expect(&f.familiar(ask), NOTHING);
        f.take(ask);
    }
    expect(&f.familiar(&twin), (true, false, true));
}

#[test]
fn noes_and_requests_that_ran_out_are_counted_for_the_very_same_call() {
    let f = Fixture::new();
    let ask = pay("1", "ana");
    let count = |ask: &NewRequest| f.familiar(ask).unanswered;
    let record = f.ask(&ask);
    assert_eq!(count(&ask), 0);
    f.answer(&record.id, &NO);
    assert_eq!(count(&ask), 1);
    f.clock.advance(15 * MINUTE);
    f.ask(&ask);
    assert_eq!(count(&ask), 1, "the one that waits is not among them");
    f.clock.advance(15 * MINUTE);
    assert_eq!(count(&ask), 2, "it ran out, though no step ended it yet");
    let record = f.ask(&ask);
    f.answer(&record.id, &NO);
    f.store.forget(&record.id, &f.clock).unwrap();
    assert_eq!(
        count(&ask),
        3,
        "a no that was taken back was asked all the same"
    );
    assert_eq!(count(&pay("2", "ana")), 0);
    let mut other = ask.clone();
    other.principal.id = "u2".into();
    assert_eq!(count(&other), 0);
}

#[test]
fn the_count_of_a_waiting_request_is_that_of_the_day_before_it() {
    let f = Fixture::new();
    let ask = NewRequest {
        minutes: 1440,
        ..pay("1", "ana")
    };
    let record = f.ask(&ask);
    f.answer(&record.id, &NO);
    f.clock.advance(20 * MINUTE);
    f.ask(&ask);
    assert_eq!(f.familiar(&ask).unanswered, 1);
    f.clock.advance(DAY - 2 * MINUTE);
    assert_eq!(f.familiar(&ask).unanswered, 1, "while it waits");
    f.clock.advance(2 * MINUTE);
    assert_eq!(f.familiar(&ask).unanswered, 1, "the one that ran out alone");
    f.clock.advance(DAY);
    assert_eq!(f.familiar(&ask).unanswered, 0);
}

#[test]
fn identifiers_outlive_requests_and_are_forgotten_in_the_end() {
    let f = Fixture::new();
    f.run(&pay("1", "ana"));
    f.clock.advance(399 * DAY);
    let store = SqliteStore::open(f.home.path(), PATIENCE, &f.clock).unwrap();
    expect(&familiar(&store, &pay("2", "ana"), &f.clock), KNOWN);
    f.run(&pay("2", "ben"));
    expect(&f.familiar(&pay("3", "ana")), KNOWN);
    f.clock.advance(2 * DAY);
    f.ask(&pay("4", "cem"));
    expect(&f.familiar(&pay("5", "ana")), NEW);
    expect(&f.familiar(&pay("5", "ben")), KNOWN);
    f.clock.advance(400 * DAY);
    f.ask(&pay("6", "cem"));
    expect(&f.familiar(&pay("7", "ben")), NOTHING);
}

#[test]
fn of_one_command_the_newest_ten_thousand_stay() {
    let f = Fixture::new();
    let many = |from: usize, to: usize| -> NewRequest {
        let names: Vec<String> = (from..to).map(|n| format!("n{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        call("mail.send", &format!("{from}-{to}"), &names)
    };
    f.run(&call("mail.send", "first", &["old"]));
    f.run(&call("mail.send", "second", &["kept"]));
    f.run(&many(0, 9_998));
    expect(&f.familiar(&call("mail.send", "x", &["old"])), KNOWN);
    f.run(&call("mail.send", "again", &["kept", "new"]));
    expect(&f.familiar(&call("mail.send", "x", &["old"])), NEW);
    for kept in ["kept", "new", "n0", "n9997"] {
        expect(&f.familiar(&call("mail.send", "x", &[kept])), KNOWN);
    }
}

/// The tables as the first version made them.
const VERSION_1: &str = "
CREATE TABLE requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL
        CHECK (state IN ('pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn')),
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    kind TEXT NOT NULL,
    project TEXT,
    verb TEXT NOT NULL,
    binding TEXT NOT NULL,
    facts TEXT,
    call TEXT,
    carried_secret INTEGER NOT NULL,
    carried_stdin INTEGER NOT NULL,
    card TEXT NOT NULL,
    approvals TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    made TEXT NOT NULL,
    answered TEXT,
    answered_by TEXT,
    ended TEXT,
    note TEXT,
    forgotten INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX one_live ON requests (tenant, principal, binding)
    WHERE state IN ('pending', 'approved');
CREATE INDEX by_binding ON requests (binding);
CREATE INDEX by_command ON requests (tenant, principal, verb);
CREATE INDEX by_state ON requests (state);
CREATE TABLE statements (digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1751347297;
PRAGMA user_version = 1;
";

/// A home whose store the first version left: one request waits, one is approved.
fn home_of_version_1(waiting: &NewRequest, approved: &NewRequest) -> TempDir {
    let home = TempDir::new().unwrap();
    let path = home.path().join(FILE_NAME);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
        .unwrap();
    connection.execute_batch(VERSION_1).unwrap();
    let now = clock().now().to_text();
    for (id, state, ask, answered) in [
        ("0000aaaa", "pending", waiting, None),
        ("0000bbbb", "approved", approved, Some(&now)),
    ] {
        connection
            .execute(
                "INSERT INTO requests (id, state, tenant, principal, kind, verb, binding, call, \
                 carried_secret, carried_stdin, card, approvals, minutes, made, answered, answered_by) \
                 VALUES (?1, ?2, ?3, ?4, 'agent', ?5, ?6, ?7, 0, 0, ?8, 'agent', 15, ?9, ?10, 'human')",
                rusqlite::params![
                    id,
                    state,
                    ask.tenant,
                    ask.principal.id,
                    ask.verb.to_string(),
                    ask.binding.digest.to_string(),
                    ask.call.as_ref().map(ToString::to_string),
                    ask.card_digest.to_string(),
                    now,
                    answered,
                ],
            )
            .unwrap();
    }
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&path, mode).unwrap();
    home
}

#[test]
fn a_store_of_the_first_version_goes_on_working() {
    let (waiting, approved) = (pay("1", "ana"), pay("2", "ben"));
    let home = home_of_version_1(&waiting, &approved);
    let clock = clock();
    let store = SqliteStore::open(home.path(), PATIENCE, &clock).unwrap();
    assert_eq!(store.list(&clock).unwrap()[0].id, "0000aaaa");
    for ask in [&waiting, &approved] {
        expect(&familiar(&store, ask, &clock), NOTHING);
    }
    let settled = store.settle(&approved, &Confirm::None, &clock).unwrap();
    assert!(matches!(settled, Settled::Taken { .. }));
    expect(&familiar(&store, &pay("3", "ben"), &clock), KNOWN);
    match store.settle(&waiting, &Confirm::None, &clock).unwrap() {
        Settled::Asked(record) => assert_eq!(record.id, "0000aaaa"),
        other => panic!("not the same request: {other:?}"),
    }
    expect(&familiar(&store, &waiting, &clock), NEW);
}

#[test]
fn those_who_open_an_old_store_at_once_bring_it_up_to_date_once() {
    let home = home_of_version_1(&pay("1", "ana"), &pay("2", "ben"));
    std::thread::scope(|scope| {
        for n in 0..8 {
            let home = &home;
            scope.spawn(move || {
                let clock = clock();
                let store = SqliteStore::open(home.path(), PATIENCE, &clock).unwrap();
                let ask = call("mail.send", &n.to_string(), &["cem"]);
                let stated = Confirm::ByHuman(n.to_string());
                let settled = store.settle(&ask, &stated, &clock).unwrap();
                assert!(matches!(settled, Settled::Taken { .. }));
            });
        }
    });
    let file = rusqlite::Connection::open(home.path().join(FILE_NAME)).unwrap();
    let count = |sql: &str| -> i64 { file.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(count("SELECT yeses FROM counter"), 8);
    assert_eq!(count("SELECT count(*) FROM approved"), 1);
    assert_eq!(count("SELECT count(*) FROM identifiers"), 1);
    assert_eq!(count("PRAGMA user_version"), 2);
}

/// The rules once more and as plainly as can be: every yes in a list, every fact by looking through it.
#[derive(Default)]
struct Naive {
    /// Verb and identifiers of each call that ran.
    yeses: Vec<(String, Vec<IdentifierDigest>)>,
    /// Of each live request, how many yeses there were when it was made and when it was answered.
    live: HashMap<Digest, (usize, Option<usize>)>,
}

impl Naive {
    fn at(&self, ask: &NewRequest, yeses: usize) -> Familiar {
        let verb = ask.verb.to_string();
        let earlier = self.yeses[..yeses].iter().filter(|(v, _)| *v == verb);
        let earlier: Vec<&IdentifierDigest> = earlier.clone().flat_map(|(_, ids)| ids).collect();
        let approved_before = self.yeses[..yeses].iter().any(|(v, _)| *v == verb);
        let of = |test: &dyn Fn(&IdentifierDigest) -> bool| -> Vec<bool> {
            ask.identifiers.iter().map(test).collect()
        };
        Familiar {
            approved_before,
            first_time: of(&|own| approved_before && !earlier.contains(&own)),
            looks_like: of(&|own| {
                let mut earlier = earlier.iter();
                earlier.any(|e| e.skeleton == own.skeleton && e.folded != own.folded)
            }),
            unanswered: 0,
        }
    }

    fn familiar(&self, ask: &NewRequest) -> Familiar {
        let all = self.yeses.len();
        let Some((made, answered)) = self.live.get(&ask.binding.digest) else {
            return self.at(ask, all);
        };
        let (first, last) = (self.at(ask, *made), self.at(ask, answered.unwrap_or(all)));
        let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a || *b).collect();
        Familiar {
            approved_before: first.approved_before || last.approved_before,
            first_time: both(&first.first_time, &last.first_time),
            looks_like: both(&first.looks_like, &last.looks_like),
            unanswered: 0,
        }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Ask(usize),
    Yes(usize),
    State(usize),
}

fn calls() -> Vec<NewRequest> {
    let names = [&["a"][..], &["a'"], &["b", "a"], &["b'", "A"], &[]];
    let verbs = ["p.one", "p.two"];
    let pairs = verbs
        .iter()
        .flat_map(|verb| names.iter().map(move |names| (verb, names)));
    pairs
        .enumerate()
        .map(|(n, (verb, names))| call(verb, &n.to_string(), names))
        .collect()
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..10_usize).prop_map(Step::Ask),
        3 => (0..10_usize).prop_map(Step::Yes),
        1 => (0..10_usize).prop_map(Step::State),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn the_store_tells_what_the_naive_list_tells(steps in prop::collection::vec(step(), 1..50)) {
        let (clock, store, calls) = (clock(), SqliteStore::in_memory().unwrap(), calls());
        let mut naive = Naive::default();
        let mut ids: HashMap<Digest, String> = HashMap::new();
        for (number, step) in steps.iter().enumerate() {
            let (n, confirm) = match step {
                Step::Ask(n) => (*n, Confirm::None),
                Step::State(n) => (*n, Confirm::ByHuman(format!("ui-{number}"))),
                Step::Yes(n) => {
                    let binding = calls[*n].binding.digest;
                    if let Some(id) = ids.get(&binding) {
                        store.answer(id, &YES, AnsweredBy::Human, &clock).unwrap();
                        let all = naive.yeses.len();
                        if let Some((_, answered)) = naive.live.get_mut(&binding) {
                            answered.get_or_insert(all);
                        }
                    }
                    continue;
                }
            };
            let ask = &calls[n];
            prop_assert_eq!(familiar(&store, ask, &clock), naive.familiar(ask), "before {}", number);
            match store.settle(ask, &confirm, &clock).unwrap() {
                Settled::Asked(record) => {
                    let all = naive.yeses.len();
                    naive.live.entry(ask.binding.digest).or_insert((all, None));
                    ids.insert(ask.binding.digest, record.id);
                }
                Settled::Taken { .. } => {
                    naive.live.remove(&ask.binding.digest);
                    naive.yeses.push((ask.verb.to_string(), ask.identifiers.clone()));
                }
                Settled::TooMany { .. } => {}
                other => prop_assert!(false, "{:?}", other),
            }
            for ask in &calls {
                prop_assert_eq!(familiar(&store, ask, &clock), naive.familiar(ask), "after {}", number);
            }
        }
    }
}
