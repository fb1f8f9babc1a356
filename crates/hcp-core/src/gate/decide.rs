//! The decision itself: deny, rules, session, Policy and mode, then the operator's floor.

use super::standing::standing;
use super::{Call, ReasonCode};
use crate::mode::{Approvals, Decision, Mode};
use crate::policy::{CallPolicy, Confirm, Operation};
use crate::rule::{Match, Rule};
use crate::settings::{Effective, Role};

/// What an answer rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A rule, by its number in the settings.
    Rule(u32),
    /// The Policy alone.
    Policy,
    /// The mode of user, process and projects.
    Mode,
    /// The operator's mode.
    FloorMode,
}

/// The decision without its words: what a program needs that only wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// Allow, ask or deny.
    pub decision: Decision,
    /// Why, as a stable word.
    pub reason_code: ReasonCode,
    /// What it rests on.
    pub ground: Ground,
    /// Whose answer counts for this call.
    pub approvals: Approvals,
}

/// One side's answer.
type Found = (Decision, ReasonCode, Ground);

/// How specific a rule is; where two meet, the larger decides: first by what it matches, then one with
/// conditions, then ask before allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    breadth: Breadth,
    has_conditions: bool,
    decision: Decision,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Breadth {
    Everything,
    Pack,
    Command,
}

fn rank(rule: &Rule) -> Rank {
    Rank {
        breadth: match rule.matches {
            Match::Everything => Breadth::Everything,
            Match::Pack(_) => Breadth::Pack,
            Match::Command(_) => Breadth::Command,
        },
        has_conditions: !rule.when.is_empty(),
        decision: rule.decision,
    }
}

impl Effective {
    /// Decides a call. It reads nothing but its arguments and answers every call.
    #[must_use]
    pub fn judge(&self, call: &Call<'_>, now: jiff::Timestamp) -> Judgement {
        self.judgement(&self.tally(call, now), call)
    }

    /// The decision with every session rule left out of account.
    pub(super) fn judge_without_session(&self, call: &Call<'_>, now: jiff::Timestamp) -> Judgement {
        let tally = Tally {
            session: None,
            ..self.tally(call, now)
        };
        self.judgement(&tally, call)
    }

    /// The decision as it would be with one more rule in the session: what a session rule is tried by before
    /// it is offered. Nothing is merged anew. Anything but an allow rule plays no part in a session.
    ///
    /// ```
    /// use hcp_core::gate::{Call, Reading};
    /// use hcp_core::json::Object;
    /// use hcp_core::mode::Decision;
    /// use hcp_core::names::VerbKey;
    /// use hcp_core::policy::{CallPolicy, Confirm, Land, Operation, Scope, Undo};
    /// use hcp_core::rule::{Match, Rule};
    /// use hcp_core::settings::{Effective, Layers};
    ///
    /// let verb = VerbKey::parse("mail.send").ok_or("a verb key")?;
    /// let policy = CallPolicy {
    ///     operation: Operation::Write,
    ///     confirm: Confirm::Ask,
    ///     land: Land::Personal,
    ///     undo: Undo::Unknown,
    ///     scope: Scope::Args,
    /// };
    /// let (args, reading) = (Object::new(), Reading::default());
    /// let call = Call { verb: &verb, args: &args, policy, reading: &reading };
    /// let access = Effective::merge(Layers::default());
    /// let rule = Rule::new(Match::Command(verb.clone()), Decision::Allow);
    /// let now = jiff::Timestamp::UNIX_EPOCH;
    /// assert_eq!(access.judge(&call, now).decision, Decision::Ask);
    /// assert_eq!(access.decision_with(&rule, &call, now), Decision::Allow);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn decision_with(&self, session: &Rule, call: &Call<'_>, now: jiff::Timestamp) -> Decision {
        let mut tally = self.tally(call, now);
        let takes_part = session.decision == Decision::Allow
            && session.matches.fits(call.verb)
            && call.reading.fully_read;
        if takes_part && standing(session, call, now).applies() {
            // It has no number of its own, and only the decision is told.
            tally.session = first(tally.session, u32::MAX);
        }
        self.judgement(&tally, call).decision
    }

    fn judgement(&self, tally: &Tally, call: &Call<'_>) -> Judgement {
        let sofar = self.own_answer(tally, call);
        let (decision, reason_code, ground) = match self.floor_answer(tally, call) {
            Some(floor) => stricter(sofar, floor),
            None => sofar,
        };
        let approvals = match decision {
            Decision::Ask if tally.by_human => Approvals::Human,
            Decision::Ask | Decision::Allow | Decision::Deny => self.base_approvals(),
        };
        Judgement {
            decision,
            reason_code,
            ground,
            approvals,
        }
    }

    /// Steps 1 to 4: deny rules, the most specific rule, the session, Policy and mode.
    fn own_answer(&self, tally: &Tally, call: &Call<'_>) -> Found {
        if let Some(found) = tally.own.answer() {
            return found;
        }
        let (mode, _) = self.own_mode(&call.verb.pack);
        let found = by_table(*mode, call.policy);
        match tally.session {
            Some(rule) if found.0 == Decision::Ask && call.policy.confirm != Confirm::Always => {
                (Decision::Allow, ReasonCode::Session, Ground::Rule(rule))
            }
            Some(_) | None => found,
        }
    }

    /// Step 5: the operator's file, decided on its own. `None` where it has no objection to make.
    fn floor_answer(&self, tally: &Tally, call: &Call<'_>) -> Option<Found> {
        if let Some(found) = tally.operator.answer() {
            return Some(found);
        }
        let (mode, _) = self.floor_mode(&call.verb.pack)?;
        let milder = CallPolicy {
            confirm: call.policy.confirm.min(Confirm::Ask),
            ..call.policy
        };
        let (decision, code, _) = by_table(*mode, milder);
        let code = match (decision, call.policy.confirm) {
            (Decision::Ask, Confirm::Always) => ReasonCode::ConfirmAlways,
            (Decision::Ask | Decision::Allow | Decision::Deny, _) => code,
        };
        Some((decision, code, Ground::FloorMode))
    }

    fn tally(&self, call: &Call<'_>, now: jiff::Timestamp) -> Tally {
        let mut tally = Tally::default();
        self.candidates(call, |number, source, rule| {
            let role = source.role_of(rule);
            let takes_part = match role {
                Role::Void(_) => false,
                // What was not fully read is no call that a person has seen before.
                Role::Session => call.reading.fully_read,
                Role::Own | Role::Operator => !is_dropped(rule, call),
            };
            if takes_part && standing(rule, call, now).applies() {
                tally.count(number, role, rule);
            }
        });
        tally
    }
}

/// Whether an allow rule has no say because an `always` command needs one that names it exactly.
pub(super) fn is_dropped(rule: &Rule, call: &Call<'_>) -> bool {
    let exact = match rule.matches {
        Match::Command(_) => true,
        Match::Everything | Match::Pack(_) => false,
    };
    rule.decision == Decision::Allow && call.policy.confirm == Confirm::Always && !exact
}

/// The table of modes.
fn by_table(mode: Mode, policy: CallPolicy) -> Found {
    let asks = |code| (Decision::Ask, code, Ground::Mode);
    match (policy.confirm, mode, policy.operation) {
        (Confirm::Always, ..) => (Decision::Ask, ReasonCode::ConfirmAlways, Ground::Policy),
        (Confirm::Ask, Mode::Manual | Mode::Auto, _) => asks(ReasonCode::Confirm),
        (Confirm::Never, Mode::Manual, Operation::Write) => asks(ReasonCode::ModeManual),
        (Confirm::Ask, Mode::Run, _)
        | (Confirm::Never, Mode::Auto | Mode::Run, _)
        | (Confirm::Never, Mode::Manual, Operation::Read) => {
            (Decision::Allow, ReasonCode::Mode, Ground::Mode)
        }
    }
}

/// The stricter of the answer so far and the operator's. Between equals the operator's is named, but for
/// two allows, where it merely has no objection.
fn stricter(sofar: Found, floor: Found) -> Found {
    match floor.0.cmp(&sofar.0) {
        std::cmp::Ordering::Greater => floor,
        std::cmp::Ordering::Equal if floor.0 != Decision::Allow => floor,
        std::cmp::Ordering::Equal | std::cmp::Ordering::Less => sofar,
    }
}

/// The rules that apply to a call, as far as the decision needs them.
#[derive(Debug, Default)]
struct Tally {
    own: List,
    operator: List,
    session: Option<u32>,
    by_human: bool,
}

/// The first deny rule and the most specific ask or allow rule of one list.
#[derive(Debug, Default)]
struct List {
    deny: Option<u32>,
    best: Option<(Rank, u32)>,
}

impl Tally {
    fn count(&mut self, number: u32, role: Role, rule: &Rule) {
        let list = match role {
            Role::Own => &mut self.own,
            Role::Operator => &mut self.operator,
            Role::Session => {
                self.session = first(self.session, number);
                return;
            }
            Role::Void(_) => return,
        };
        self.by_human |= rule.by_human && rule.decision == Decision::Ask;
        if rule.decision == Decision::Deny {
            list.deny = first(list.deny, number);
            return;
        }
        let rank = rank(rule);
        let better = list
            .best
            .is_none_or(|(old, at)| rank > old || (rank == old && number < at));
        if better {
            list.best = Some((rank, number));
        }
    }
}

impl List {
    fn answer(&self) -> Option<Found> {
        if let Some(number) = self.deny {
            let ground = Ground::Rule(number);
            return Some((Decision::Deny, ReasonCode::DeniedByRule, ground));
        }
        let (rank, number) = self.best?;
        let code = match rank.decision {
            Decision::Allow => ReasonCode::Rule,
            Decision::Ask | Decision::Deny => ReasonCode::RuleAsk,
        };
        Some((rank.decision, code, Ground::Rule(number)))
    }
}

fn first(old: Option<u32>, number: u32) -> Option<u32> {
    Some(old.map_or(number, |old| old.min(number)))
}
