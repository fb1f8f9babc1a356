//! The life of requests against a small model, over random steps and times.

use crate::store::{PATIENCE, YES, clock, request};
use hcp::clock::FixedClock;
use hcp::store::{
    Answered, ApprovalStore, Confirm, Disconnected, Found, NewRequest, Settled, SqliteStore,
    Verdict,
};
use hcp_core::approval::{AnsweredBy, Record, State};
use hcp_core::code::Code;
use hcp_core::names::PackId;
use proptest::prelude::*;
use std::time::Duration;
use tempfile::TempDir;

const MINUTES: u64 = 15;

#[derive(Debug, Clone)]
enum Step {
    Rerun(usize),
    Confirm(usize, usize),
    Yes(usize),
    No(usize),
    Forget(usize),
    Withdraw(usize),
    /// Another account: of one call, or of all.
    Account(Option<usize>),
    Wait(u64),
    OpenAnew,
}

fn step() -> impl Strategy<Value = Step> {
    let call = 0..4_usize;
    let nth = 0..6_usize;
    prop_oneof![
        4 => call.clone().prop_map(Step::Rerun),
        4 => (call, nth.clone()).prop_map(|(c, n)| Step::Confirm(c, n)),
        3 => nth.clone().prop_map(Step::Yes),
        2 => nth.clone().prop_map(Step::No),
        1 => nth.clone().prop_map(Step::Forget),
        1 => nth.prop_map(Step::Withdraw),
        1 => proptest::option::of(0..4_usize).prop_map(Step::Account),
        3 => (1..20_u64).prop_map(Step::Wait),
        1 => Just(Step::OpenAnew),
    ]
}

/// Calls 0 and 1 are of one command, 2 and 3 of another.
fn call(n: usize) -> NewRequest {
    request(&format!("p.c{}", n / 2), &format!("amount-{n}"))
}

/// A request as the model knows it.
#[derive(Debug, Clone)]
struct Known {
    id: String,
    call: usize,
    state: State,
    since: u64,
    forgotten: bool,
}

struct World {
    home: TempDir,
    clock: FixedClock,
    store: SqliteStore,
    now: u64,
    known: Vec<Known>,
}

impl World {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        let clock = clock();
        let store = SqliteStore::open(home.path(), PATIENCE, &clock).unwrap();
        Self {
            home,
            clock,
            store,
            now: 0,
            known: Vec::new(),
        }
    }

    fn run(&mut self, step: &Step) {
        match step {
            Step::Rerun(n) => {
                let got = self.settle(*n, &Confirm::None);
                self.check_plain(*n, &got);
            }
            Step::Confirm(n, nth) => {
                let Some(record) = self.nth(*nth) else { return };
                let got = self.settle(*n, &Confirm::Id(record.id.clone()));
                self.check_confirm(*n, &record, &got);
            }
            Step::Yes(nth) => self.answer(*nth, &YES, State::Approved),
            Step::No(nth) => self.answer(*nth, &Verdict::No { note: None }, State::Rejected),
            Step::Forget(nth) => {
                let Some(record) = self.nth(*nth) else { return };
                let got = self.store.forget(&record.id, &self.clock).unwrap();
                let done = matches!(got, Answered::Done(_));
                let due = record.state == State::Rejected && !record.forgotten;
                assert_eq!(done, due, "{record:?}");
                self.known_mut(&record.id).forgotten |= done;
            }
            Step::Withdraw(nth) => {
                let Some(record) = self.nth(*nth) else { return };
                let got = self.store.withdraw(&record.id, &self.clock).unwrap();
                let done = matches!(got, Answered::Done(_));
                assert_eq!(done, record.state == State::Pending, "{record:?}");
                if done {
                    self.known_mut(&record.id).state = State::Withdrawn;
                }
            }
            Step::Account(only) => {
                let binding = only.map(|n| call(n).binding.digest);
                let pack = PackId::new("p").unwrap();
                let ended = Disconnected {
                    tenant: "local",
                    principal: "u1",
                    pack: &pack,
                    binding: binding.as_ref(),
                };
                let got = self.store.end_connected(&ended, &self.clock).unwrap();
                let mut due = 0;
                for known in &mut self.known {
                    if known.state.is_live() && only.is_none_or(|n| n == known.call) {
                        known.state = State::Withdrawn;
                        due += 1;
                    }
                }
                assert_eq!(got, due);
            }
            Step::Wait(minutes) => {
                self.clock.advance(Duration::from_secs(60 * minutes));
                self.now += minutes;
                for known in &mut self.known {
                    if known.state.is_live() && self.now - known.since >= MINUTES {
                        known.state = State::Expired;
                    }
                }
            }
            Step::OpenAnew => {
                self.store = SqliteStore::open(self.home.path(), PATIENCE, &self.clock).unwrap();
            }
        }
    }

    fn settle(&self, n: usize, confirm: &Confirm) -> Settled {
        self.store.settle(&call(n), confirm, &self.clock).unwrap()
    }

    /// The nth newest request.
    fn nth(&self, nth: usize) -> Option<Known> {
        self.known.iter().rev().nth(nth).cloned()
    }

    fn known_mut(&mut self, id: &str) -> &mut Known {
        self.known.iter_mut().find(|k| k.id == id).unwrap()
    }

    fn live(&self, n: usize) -> Option<Known> {
        let mut live = self
            .known
            .iter()
            .filter(|k| k.call == n && k.state.is_live());
        let found = live.next().cloned();
        assert!(live.next().is_none(), "two live requests of one call");
        found
    }

    fn refuses(&self, record: &Known) -> bool {
        record.state == State::Rejected && !record.forgotten && self.now - record.since < MINUTES
    }

    fn answer(&mut self, nth: usize, verdict: &Verdict, to: State) {
        let Some(record) = self.nth(nth) else { return };
        let got = self
            .store
            .answer(&record.id, verdict, AnsweredBy::Human, &self.clock)
            .unwrap();
        let due = record.state == State::Pending
            || (record.state == State::Approved && to == State::Rejected);
        let done = matches!(got, Answered::Done(_));
        assert_eq!(done, due, "{record:?} {got:?}");
        if done {
            let now = self.now;
            let known = self.known_mut(&record.id);
            known.state = to;
            known.since = now;
        }
    }

    fn check_plain(&mut self, n: usize, got: &Settled) {
        match (self.live(n), got) {
            (Some(live), Settled::Taken { record, .. }) if live.state == State::Approved => {
                assert_eq!(record.id, live.id);
                self.known_mut(&live.id).state = State::Used;
            }
            (Some(live), Settled::Asked(record)) if live.state == State::Pending => {
                assert_eq!(record.id, live.id);
            }
            (None, got) => self.check_fresh(n, got),
            (live, got) => panic!("{live:?} {got:?}"),
        }
    }

    /// Nothing is live: a standing no answers, else a new request is made unless the command must wait.
    fn check_fresh(&mut self, n: usize, got: &Settled) {
        let no = self.known.iter().any(|k| k.call == n && self.refuses(k));
        match got {
            Settled::Rejected(_) => assert!(no),
            Settled::Asked(record) => {
                assert!(!no);
                self.learn(n, record);
            }
            Settled::TooMany { .. } => {
                assert!(!no);
                self.check_wait_is_due(n);
            }
            other => panic!("{other:?}"),
        }
    }

    fn check_wait_is_due(&self, n: usize) {
        let bad = self.known.iter().filter(|k| {
            let ended = k.state == State::Expired || (k.state == State::Rejected && !k.forgotten);
            k.call / 2 == n / 2 && ended
        });
        assert!(bad.count() >= 3, "a wait without three bad ends");
    }

    fn learn(&mut self, n: usize, record: &Record) {
        assert!(
            self.known.iter().all(|k| k.id != record.id),
            "an id came twice"
        );
        self.known.push(Known {
            id: record.id.clone(),
            call: n,
            state: State::Pending,
            since: self.now,
            forgotten: false,
        });
    }

    fn check_confirm(&mut self, n: usize, record: &Known, got: &Settled) {
        if self.refuses(record) {
            assert!(
                matches!(got, Settled::Rejected(r) if r.id == record.id),
                "{got:?}"
            );
            return;
        }
        let want = match record.state {
            State::Used => Code::ApprovalUsed,
            State::Expired | State::Withdrawn | State::Rejected => Code::ApprovalExpired,
            State::Pending | State::Approved if record.call == n => {
                assert!(matches!(got, Settled::Taken { record: r, .. } if r.id == record.id));
                self.known_mut(&record.id).state = State::Used;
                return;
            }
            State::Pending | State::Approved => Code::ApprovalMismatch,
        };
        match got {
            Settled::Rejected(_) => self.check_fresh(n, got),
            Settled::Refused { code, asked, .. } => {
                assert_eq!(*code, want);
                match (self.live(n), asked) {
                    (Some(live), Some(asked)) => assert_eq!(live.id, asked.id),
                    (None, Some(asked)) => self.check_fresh(n, &Settled::Asked(asked.clone())),
                    (None, None) => self.check_wait_is_due(n),
                    (Some(live), None) => panic!("{live:?} was not named"),
                }
            }
            other => panic!("{other:?} instead of {want}"),
        }
    }

    /// The store and the model agree about every request.
    fn check_all(&self) {
        for known in &self.known {
            let Found::One(record) = self.store.find(&known.id, &self.clock).unwrap() else {
                panic!("{known:?} is gone")
            };
            assert_eq!(record.state, known.state, "{known:?}");
            assert_eq!(record.call.is_some(), known.state.is_live(), "{known:?}");
        }
        let waiting: Vec<String> = self
            .known
            .iter()
            .filter(|k| k.state == State::Pending)
            .map(|k| k.id.clone())
            .collect();
        let listed = self.store.list(&self.clock).unwrap();
        let listed: Vec<String> = listed.into_iter().map(|r| r.id).collect();
        assert_eq!(listed, waiting);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_store_lives_as_the_model_does(steps in prop::collection::vec(step(), 1..60)) {
        let mut world = World::new();
        for step in &steps {
            world.run(step);
            world.check_all();
        }
    }
}
