//! Yeses that a host states under ids of its own, given before a run or with it: over random steps and times no more
//! runs than yeses, and each id for one call alone.

use crate::store::{YES, clock, request};
use hcp::clock::FixedClock;
use hcp::store::{Answered, ApprovalStore, Confirm, NewRequest, Settled, SqliteStore, Verdict};
use hcp_core::approval::{AnsweredBy, Record};
use proptest::prelude::*;
use std::collections::HashMap;
use std::time::Duration;

#[derive(Debug, Clone)]
enum Step {
    /// The call is run without a word.
    Plain(usize),
    /// It is run with a host's statement.
    Run(usize, usize),
    /// A host answers the call's newest request.
    State(usize, usize),
    /// A person answers it elsewhere.
    Yes(usize),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let (call, id) = (0..2_usize, 0..3_usize);
    prop_oneof![
        4 => call.clone().prop_map(Step::Plain),
        4 => (call.clone(), id.clone()).prop_map(|(c, i)| Step::Run(c, i)),
        4 => (call.clone(), id).prop_map(|(c, i)| Step::State(c, i)),
        1 => call.prop_map(Step::Yes),
        1 => (1..16_u64).prop_map(Step::Wait),
    ]
}

fn call(n: usize) -> NewRequest {
    request("p.c", &format!("amount-{n}"))
}

fn statement(id: usize) -> String {
    format!("ui-{id}")
}

struct World {
    clock: FixedClock,
    store: SqliteStore,
    newest: HashMap<usize, Record>,
    /// The call that each id was first said of.
    said: HashMap<usize, usize>,
    yeses: usize,
    runs: usize,
    runs_of: HashMap<usize, usize>,
}

impl World {
    fn new() -> Self {
        Self {
            clock: clock(),
            store: SqliteStore::in_memory().unwrap(),
            newest: HashMap::new(),
            said: HashMap::new(),
            yeses: 0,
            runs: 0,
            runs_of: HashMap::new(),
        }
    }

    fn settle(&mut self, n: usize, confirm: &Confirm) -> Settled {
        let settled = self.store.settle(&call(n), confirm, &self.clock).unwrap();
        match &settled {
            Settled::Taken { .. } => self.runs += 1,
            Settled::Asked(record) => {
                self.newest.insert(n, record.clone());
            }
            Settled::Refused { asked, .. } => {
                self.newest.extend(asked.clone().map(|record| (n, record)));
            }
            Settled::Rejected(_) | Settled::TooMany { .. } => {}
        }
        settled
    }

    /// An id counts as one yes, for the call of which it was first said.
    fn say(&mut self, n: usize, id: usize) {
        if self.said.insert(id, n).is_none() {
            self.yeses += 1;
        }
    }

    fn run(&mut self, step: &Step) {
        match *step {
            Step::Plain(n) => {
                self.settle(n, &Confirm::None);
            }
            Step::Run(n, id) => {
                let was_said_of = self.said.get(&id).copied();
                let settled = self.settle(n, &Confirm::ByHuman(statement(id)));
                if let Settled::Taken { approval_id, .. } = settled {
                    assert_eq!(approval_id, statement(id));
                    assert!(
                        was_said_of.is_none_or(|of| of == n),
                        "{id} was said of another call"
                    );
                    self.say(n, id);
                    let runs = self.runs_of.entry(id).or_default();
                    *runs += 1;
                    assert_eq!(*runs, 1, "{id} ran twice");
                }
            }
            Step::State(n, id) => {
                let Some(record) = self.newest.get(&n) else {
                    return;
                };
                let verdict = Verdict::Stated {
                    card_digest: record.card_digest,
                    statement: statement(id),
                };
                match self.answer(n, &verdict) {
                    Answered::Done(_) | Answered::Already(_) => {
                        assert!(self.said.get(&id).is_none_or(|of| *of == n));
                        self.say(n, id);
                    }
                    Answered::StatementUsed(_) => assert!(self.said.contains_key(&id)),
                    Answered::Over(_) => {}
                    other => panic!("{other:?}"),
                }
            }
            Step::Yes(n) => {
                if self.newest.contains_key(&n)
                    && let Answered::Done(_) = self.answer(n, &YES)
                {
                    self.yeses += 1;
                }
            }
            Step::Wait(minutes) => self.clock.advance(Duration::from_secs(60 * minutes)),
        }
        assert!(
            self.runs <= self.yeses,
            "{} runs of {} yeses",
            self.runs,
            self.yeses
        );
    }

    fn answer(&self, n: usize, verdict: &Verdict) -> Answered {
        let id = &self.newest[&n].id;
        self.store
            .answer(id, verdict, AnsweredBy::Human, &self.clock)
            .unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_more_runs_than_yeses(steps in proptest::collection::vec(step(), 1..24)) {
        let mut world = World::new();
        for step in &steps {
            world.run(step);
        }
    }
}
