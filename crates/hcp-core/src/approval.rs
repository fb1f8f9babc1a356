//! What an approval binds, the states of a request, and the limits against flooding.
//!
//! Pure: a store calls these functions inside its own atomic steps and gives them the time.

use crate::canonical::Digest;
use crate::json::Value;
use crate::mode::{Approvals, words};
use crate::moment::{Moment, add_minutes};
use crate::names::VerbKey;
use crate::principal::Principal;
use jiff::Timestamp;

/// How long a no answers the same call.
pub const REJECTED_MINUTES: u64 = 15;
/// The most requests that wait for one Principal.
pub const PENDING_PER_PRINCIPAL: usize = 20;
/// The most requests that wait for one command of one Principal.
pub const PENDING_PER_COMMAND: usize = 5;

/// How many bad ends (rejected, expired) within an hour make the next request of a command wait.
const BAD_ENDS: usize = 3;
const HOUR_MINUTES: u64 = 60;

words! {
    /// The state of a request.
    State, "state" {
        /// It waits for a person.
        Pending = "pending",
        /// A person said yes; the next run of the same call uses it.
        Approved = "approved",
        /// A person said no.
        Rejected = "rejected",
        /// A run took it.
        Used = "used",
        /// Its time is over.
        Expired = "expired",
        /// A rule allows or denies the call now.
        Withdrawn = "withdrawn",
    }
}

impl State {
    /// Whether it can still lead to a run.
    #[must_use]
    pub fn is_live(self) -> bool {
        match self {
            Self::Pending | Self::Approved => true,
            Self::Rejected | Self::Used | Self::Expired | Self::Withdrawn => false,
        }
    }
}

words! {
    /// Who gave an answer.
    AnsweredBy, "answerer" {
        /// An agent, for the person in its conversation.
        Agent = "agent",
        /// A person.
        Human = "human",
    }
}

/// What an approval binds: one keyed digest over everything, and one for each fact, so that a refusal
/// can name which fact changed without any value being kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The digest over all facts.
    pub digest: Digest,
    /// Each fact by name (`pack_digest`, `cwd`, `args.amount`…) with its own keyed digest.
    pub facts: Vec<(String, Digest)>,
}

impl Binding {
    /// The names of the facts in which another binding differs from this one: first those of this
    /// binding in their order, then those that only the other has.
    #[must_use]
    pub fn changed(&self, other: &Self) -> Vec<String> {
        let find = |facts: &[(String, Digest)], name: &str| {
            facts.iter().find(|(n, _)| n == name).map(|(_, d)| *d)
        };
        let mine = self
            .facts
            .iter()
            .filter(|(name, digest)| find(&other.facts, name) != Some(*digest));
        let theirs = other
            .facts
            .iter()
            .filter(|(name, _)| find(&self.facts, name).is_none());
        mine.chain(theirs).map(|(name, _)| name.clone()).collect()
    }
}

/// One request as a store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Eight hexadecimal digits.
    pub id: String,
    /// The state that was kept. Ask [`Record::state_at`] for the one that counts.
    pub state: State,
    /// The tenant.
    pub tenant: String,
    /// Who asked.
    pub principal: Principal,
    /// The project it was asked in.
    pub project: Option<String>,
    /// The command.
    pub verb: VerbKey,
    /// What an approval of it covers. The facts go with the values when the request ends.
    pub binding: Binding,
    /// The call as it was stored; only while the request is live, and only when it may be stored.
    pub call: Option<Value>,
    /// Whether the call carried a secret, which is never stored.
    pub carried_secret: bool,
    /// Whether the call carried standard input, which is never stored.
    pub carried_stdin: bool,
    /// The digest of the card that a yes belongs to.
    pub card_digest: Digest,
    /// Whose answer counts.
    pub approvals: Approvals,
    /// How long the request lasts, and the approval after it.
    pub minutes: u64,
    /// When it was made; `None` where the kept time cannot be read.
    pub made: Option<Moment>,
    /// When it was answered; `None` before that, or where the kept time cannot be read.
    pub answered: Option<Moment>,
    /// Who answered.
    pub answered_by: Option<AnsweredBy>,
    /// What the person wrote beside a no.
    pub note: Option<String>,
    /// Whether a person took their no back.
    pub forgotten: bool,
}

impl Record {
    /// The state that counts at `now`: a live request whose time is over has expired, whether or not
    /// anybody wrote that down. A time that cannot be read is over.
    #[must_use]
    pub fn state_at(&self, now: &Moment) -> State {
        if self.state.is_live() && is_over(self.began(), self.minutes, now) {
            return State::Expired;
        }
        self.state
    }

    /// Whether the same call is still answered with this no.
    #[must_use]
    pub fn refuses_at(&self, now: &Moment) -> bool {
        self.state == State::Rejected
            && !self.forgotten
            && !is_over(self.answered.as_ref(), REJECTED_MINUTES, now)
    }

    /// The wall time at which a live request or a no is over.
    #[must_use]
    pub fn expires_at(&self) -> Option<Timestamp> {
        let minutes = match self.state {
            State::Pending | State::Approved => self.minutes,
            State::Rejected => REJECTED_MINUTES,
            State::Used | State::Expired | State::Withdrawn => return None,
        };
        self.began().map(|start| start.after(minutes))
    }

    /// When the present state began to run out.
    fn began(&self) -> Option<&Moment> {
        match self.state {
            State::Pending => self.made.as_ref(),
            State::Approved | State::Rejected | State::Used | State::Expired | State::Withdrawn => {
                self.answered.as_ref()
            }
        }
    }
}

/// Whether a kept time of so many minutes is over; one that cannot be read is.
#[must_use]
pub fn is_over(start: Option<&Moment>, minutes: u64, now: &Moment) -> bool {
    start.is_none_or(|start| start.is_over(minutes, now))
}

/// Why no new request may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flood {
    /// Too many wait for this Principal.
    Principal,
    /// Too many wait for this command.
    Command,
    /// The last ones were rejected or ran out; the next may be made at this time.
    CoolDown(Timestamp),
}

/// Whether a new request may be made: `principal` and `command` count those that wait already, `ends`
/// are the times at which earlier ones of the command were rejected or expired, in order.
#[must_use]
pub fn flood(
    principal: usize,
    command: usize,
    ends: &[Timestamp],
    now: Timestamp,
) -> Option<Flood> {
    if command >= PENDING_PER_COMMAND {
        return Some(Flood::Command);
    }
    if principal >= PENDING_PER_PRINCIPAL {
        return Some(Flood::Principal);
    }
    cool_down(ends, now)
        .filter(|until| now < *until)
        .map(Flood::CoolDown)
}

/// Until when the next request of a command waits after the ends so far: 1, 2, 4 … 60 minutes from the
/// third bad end within an hour on. One more within an hour after a wait goes on with the series.
/// An end that lies in the future was written by a clock that was set back since: it counts for nothing.
fn cool_down(ends: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    let ends: Vec<Timestamp> = ends
        .iter()
        .copied()
        .filter(|end| end.as_nanosecond() <= now.as_nanosecond() + 2_000_000_000)
        .collect();
    let mut last: Option<(Timestamp, u64)> = None;
    for (i, end) in ends.iter().enumerate() {
        let third = (i + 1)
            .checked_sub(BAD_ENDS)
            .and_then(|first| ends.get(first))
            .is_some_and(|first| *end < add_minutes(*first, HOUR_MINUTES));
        last = match last {
            Some((before, wait)) if *end < add_minutes(before, wait + HOUR_MINUTES) => {
                Some((*end, (wait * 2).min(HOUR_MINUTES)))
            }
            Some(_) | None if third => Some((*end, 1)),
            Some(_) | None => None,
        };
    }
    last.map(|(end, wait)| add_minutes(end, wait))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::sha256;
    use crate::principal::PrincipalKind;

    fn minute(n: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + n * 60).unwrap()
    }

    fn moment(n: i64) -> Moment {
        Moment {
            wall: minute(n),
            boot_id: "b".into(),
            boot_ms: u64::try_from(n * 60_000 + 10_000_000).unwrap(),
        }
    }

    fn record(state: State, made: i64, answered: Option<i64>) -> Record {
        Record {
            id: "5ea7eb29".into(),
            state,
            tenant: "local".into(),
            principal: Principal {
                id: "u".into(),
                kind: PrincipalKind::Agent,
            },
            project: None,
            verb: VerbKey::parse("ledger.transfer").unwrap(),
            binding: Binding {
                digest: sha256(b"b"),
                facts: Vec::new(),
            },
            call: None,
            carried_secret: false,
            carried_stdin: false,
            card_digest: sha256(b"c"),
            approvals: Approvals::Agent,
            minutes: 15,
            made: Some(moment(made)),
            answered: answered.map(moment),
            answered_by: None,
            note: None,
            forgotten: false,
        }
    }

    #[test]
    fn a_live_state_runs_out_and_an_ended_one_stays() {
        for (what, record, now, want) in [
            (
                "pending",
                record(State::Pending, 0, None),
                14,
                State::Pending,
            ),
            (
                "pending over",
                record(State::Pending, 0, None),
                15,
                State::Expired,
            ),
            (
                "approved counts from the yes",
                record(State::Approved, 0, Some(14)),
                28,
                State::Approved,
            ),
            (
                "approved over",
                record(State::Approved, 0, Some(14)),
                29,
                State::Expired,
            ),
            (
                "approved without a time",
                record(State::Approved, 0, None),
                1,
                State::Expired,
            ),
            ("used", record(State::Used, 0, Some(1)), 99, State::Used),
            (
                "withdrawn",
                record(State::Withdrawn, 0, None),
                99,
                State::Withdrawn,
            ),
            (
                "rejected",
                record(State::Rejected, 0, Some(1)),
                99,
                State::Rejected,
            ),
        ] {
            assert_eq!(record.state_at(&moment(now)), want, "{what}");
        }
        let mut unreadable = record(State::Pending, 0, None);
        unreadable.made = None;
        assert_eq!(unreadable.state_at(&moment(0)), State::Expired);
    }

    #[test]
    fn a_no_lasts_fifteen_minutes_unless_it_is_taken_back() {
        let mut no = record(State::Rejected, 0, Some(5));
        assert!(no.refuses_at(&moment(19)));
        assert!(!no.refuses_at(&moment(20)));
        assert_eq!(no.expires_at(), Some(minute(20)));
        no.forgotten = true;
        assert!(!no.refuses_at(&moment(6)));
        assert!(!record(State::Used, 0, Some(5)).refuses_at(&moment(6)));
    }

    #[test]
    fn the_waits_double_up_to_an_hour() {
        let mut ends = vec![minute(0), minute(1)];
        assert_eq!(cool_down(&ends, minute(1)), None);
        let mut now = 2;
        for wait in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            ends.push(minute(now));
            assert_eq!(
                flood(0, 0, &ends, minute(now)),
                Some(Flood::CoolDown(minute(now + wait)))
            );
            assert_eq!(flood(0, 0, &ends, minute(now + wait)), None, "wait {wait}");
            now += wait + 1;
        }
    }

    #[test]
    fn the_series_ends_after_a_quiet_hour() {
        let spread = [minute(0), minute(30), minute(60)];
        assert_eq!(flood(0, 0, &spread, minute(60)), None);
        let near = [minute(0), minute(30), minute(59)];
        assert_eq!(
            flood(0, 0, &near, minute(59)),
            Some(Flood::CoolDown(minute(60)))
        );
        // The wait of a minute and a quiet hour after it: the next one starts from nothing.
        let later = [minute(0), minute(30), minute(59), minute(120)];
        assert_eq!(flood(0, 0, &later, minute(120)), None);
        let future = [minute(10), minute(10), minute(10)];
        assert_eq!(flood(0, 0, &future, minute(0)), None);
    }

    #[test]
    fn so_many_wait_and_no_more() {
        for (principal, command, want) in [
            (0, 0, None),
            (19, 4, None),
            (20, 4, Some(Flood::Principal)),
            (20, 0, Some(Flood::Principal)),
            (5, 5, Some(Flood::Command)),
            (19, 6, Some(Flood::Command)),
        ] {
            assert_eq!(flood(principal, command, &[], minute(0)), want);
        }
    }

    #[test]
    fn a_change_is_named_whichever_side_has_it() {
        let binding = |facts: &[(&str, &str)]| Binding {
            digest: sha256(b"x"),
            facts: facts
                .iter()
                .map(|(n, v)| ((*n).to_owned(), sha256(v.as_bytes())))
                .collect(),
        };
        let old = binding(&[("cwd", "/a"), ("args.amount", "2.80"), ("args.memo", "x")]);
        let new = binding(&[("cwd", "/a"), ("args.amount", "2.81"), ("args.cc", "y")]);
        assert_eq!(old.changed(&new), ["args.amount", "args.memo", "args.cc"]);
        assert_eq!(old.changed(&old), Vec::<String>::new());
    }
}
