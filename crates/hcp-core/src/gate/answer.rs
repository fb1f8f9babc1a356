//! The answer with its words and its provenance.

use super::standing::{Standing, standing};
use super::{Answer, Call, Ground, Judgement, ReasonCode};
use crate::condition::Why;
use crate::mode::{Decision, Mode};
use crate::policy::Confirm;
use crate::settings::{Effective, Origin, RuleListing};
use crate::text::quoted;

impl Effective {
    /// Decides a call and says in words what decided.
    #[must_use]
    pub fn decide(&self, call: &Call<'_>, now: jiff::Timestamp) -> Answer {
        let judgement = self.judge(call, now);
        self.answer(&judgement, call, now)
    }

    pub(super) fn answer(
        &self,
        judgement: &Judgement,
        call: &Call<'_>,
        now: jiff::Timestamp,
    ) -> Answer {
        let (own_mode, own_origin) = self.own_mode(&call.verb.pack);
        let floor = self.floor_mode(&call.verb.pack);
        let mut rule = None;
        let (reason, from) = match judgement.ground {
            Ground::Rule(number) => match self.rule(number) {
                Some(found) => {
                    rule = Some(found.reference());
                    let untold = untold_of(&found, call, now);
                    (rule_reason(&found, untold), found.origin())
                }
                None => (String::new(), Origin::default_value()),
            },
            Ground::Policy => (
                "Policy confirm \"always\": every mode asks".to_owned(),
                Origin::default_value(),
            ),
            Ground::Mode => (
                mode_reason(judgement, call, *own_mode, own_origin),
                own_origin.clone(),
            ),
            Ground::FloorMode => {
                let (mode, origin) = floor.unwrap_or(self.own_mode(&call.verb.pack));
                (mode_reason(judgement, call, *mode, origin), origin.clone())
            }
        };
        Answer {
            decision: judgement.decision,
            reason_code: judgement.reason_code,
            reason,
            mode: self.mode_in_force(&call.verb.pack),
            approvals: judgement.approvals,
            rule,
            from,
        }
    }
}

/// What the deciding rule could not read, where that made it apply.
fn untold_of<'a>(
    found: &RuleListing<'a>,
    call: &Call<'a>,
    now: jiff::Timestamp,
) -> Option<Why<'a>> {
    match standing(found.rule, call, now) {
        Standing::Applies(untold) => untold,
        Standing::Fails(_) | Standing::Excepted(_) | Standing::NotFullyRead | Standing::Over => {
            None
        }
    }
}

/// The rule with its index, scope and note; never its conditions, for the reason goes into the log.
fn rule_reason(found: &RuleListing<'_>, untold: Option<Why<'_>>) -> String {
    let rule = found.rule;
    let mut out = format!(
        "rule {} ({}): {} {}",
        found.index, found.layer, rule.decision, rule.matches
    );
    if let Some(note) = &rule.note {
        out.push_str(&format!(", note {}", quoted(note)));
    }
    if let Some(why) = untold {
        out.push_str(&format!("; counted as met: {why}"));
    }
    out
}

fn mode_reason(judgement: &Judgement, call: &Call<'_>, mode: Mode, origin: &Origin) -> String {
    let operation = call.policy.operation;
    match (judgement.reason_code, judgement.decision) {
        (ReasonCode::Confirm, _) => {
            format!("Policy confirm \"ask\": mode {mode} asks ({origin})")
        }
        (ReasonCode::ConfirmAlways, _) => {
            format!("Policy confirm \"always\": mode {mode} asks ({origin})")
        }
        (
            ReasonCode::Mode
            | ReasonCode::ModeManual
            | ReasonCode::Rule
            | ReasonCode::Session
            | ReasonCode::DeniedByRule
            | ReasonCode::RuleAsk,
            Decision::Ask | Decision::Deny,
        ) => format!("mode {mode} asks before every {operation} ({origin})"),
        (
            ReasonCode::Mode
            | ReasonCode::ModeManual
            | ReasonCode::Rule
            | ReasonCode::Session
            | ReasonCode::DeniedByRule
            | ReasonCode::RuleAsk,
            Decision::Allow,
        ) => match call.policy.confirm {
            Confirm::Ask => {
                format!("mode {mode} runs what Policy confirm \"ask\" marks ({origin})")
            }
            Confirm::Never | Confirm::Always => {
                format!("mode {mode} runs a {operation} ({origin})")
            }
        },
    }
}
