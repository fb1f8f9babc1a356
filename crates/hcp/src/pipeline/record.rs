//! Step 7 of a call, and every other line that a call leaves in the audit log. No line holds a value.

use super::prepare::{Attempt, Prepared};
use super::refusal::Refusal;
use super::result::{CallResult, RunOutput};
use super::{Hcp, own_value};
use crate::audit::{AuditError, Flush, Recorded};
use crate::event::{By, ByKind, Detail, Event, time_text};
use hcp_core::approval::{AnsweredBy, Record};
use hcp_core::code::Code;
use hcp_core::gate::{Answer, ReasonCode};
use hcp_core::json::Value;
use hcp_core::mode::Decision;
use hcp_core::policy::Operation;
use jiff::{SignedDuration, Timestamp};

/// A time as results and the log write it.
#[must_use]
pub fn time(time: Timestamp) -> String {
    time_text(time)
}

/// A time from which something is possible, as results write it: never before it really is.
pub(crate) fn time_after(time: Timestamp) -> String {
    let last = SignedDuration::from_nanos(999_999);
    time_text(time.saturating_add(last).unwrap_or(Timestamp::MAX))
}

/// Who let a call run that the gate allows.
pub(crate) fn by_gate(answer: &Answer) -> By {
    match answer.reason_code {
        ReasonCode::Rule | ReasonCode::Session => By {
            kind: ByKind::Rule,
            approval_id: None,
            rule: answer.rule.clone(),
        },
        ReasonCode::Mode
        | ReasonCode::DeniedByRule
        | ReasonCode::ConfirmAlways
        | ReasonCode::Confirm
        | ReasonCode::ModeManual
        | ReasonCode::RuleAsk => By {
            kind: ByKind::Mode,
            approval_id: None,
            rule: None,
        },
    }
}

/// Who let a call run that took an approval.
pub(crate) fn by_approval(by: AnsweredBy, id: &str) -> By {
    let kind = match by {
        AnsweredBy::Agent => ByKind::Agent,
        AnsweredBy::Human => ByKind::Human,
    };
    By {
        kind,
        approval_id: Some(id.to_owned()),
        rule: None,
    }
}

/// `by` as it stands in a result.
pub(crate) fn by_value(by: &By) -> Value {
    let mut object = hcp_core::json::Object::new().with("kind", by.kind.as_str());
    if let Some(id) = &by.approval_id {
        object.insert("approval_id", id.as_str());
    }
    if let Some(rule) = &by.rule {
        object.insert("rule", own_value(rule));
    }
    object.into()
}

/// A call that could not be recorded, and so did not run.
pub(crate) fn unavailable(error: &AuditError) -> Refusal {
    Refusal::new(
        error.code(),
        format!(
            "{}. Nothing ran, because it could not be recorded.",
            super::refusal::sentence(&error.to_string())
        ),
    )
    .hint("make room, or mend the log's file, and try again; hcpx doctor says what is wrong")
}

impl Hcp {
    pub(crate) fn event(&self, attempt: &Attempt, detail: Detail) -> Event {
        let mut event = Event::new(self.ports.clock.now().wall, detail);
        event.call = Some(attempt.call.clone());
        event.via = Some(self.scope.via);
        event.principal = Some(self.scope.principal.clone());
        event.tenant = Some(self.scope.tenant.clone());
        event.project = self.scope.project.clone();
        event.binding = attempt.binding.clone();
        event.pack = attempt.pack.clone();
        event.command = attempt.command.clone();
        event.operation = attempt.operation;
        event
    }

    /// The line of a decision, its reason and arguments' names included.
    fn decision(
        &self,
        attempt: &Attempt,
        decision: Decision,
        code: Code,
        reason: &str,
    ) -> Result<Event, AuditError> {
        let mut event = self.event(attempt, Detail::Call);
        event.decision = Some(decision);
        event.code = Some(code);
        event.reason = Some(reason.to_owned());
        event.mode = attempt.answer.as_ref().map(|a| a.mode);
        event.ran = Some(false);
        event.args = attempt.args.clone();
        event.undeclared = attempt.undeclared;
        if let Some(args) = &attempt.args_for_digest {
            event.args_digest = Some(self.ports.audit.args_digest(args)?);
        }
        Ok(event)
    }

    /// Records a call that is about to run. A write's line is on disk before it runs.
    pub(crate) fn record_run(
        &self,
        attempt: &Attempt,
        prepared: &Prepared,
        by: &By,
    ) -> Result<Recorded, AuditError> {
        let mut event =
            self.decision(attempt, Decision::Allow, Code::Ok, &prepared.answer.reason)?;
        event.ran = Some(true);
        event.by = Some(by.clone());
        let flush = match prepared.policy.operation {
            Operation::Write => Flush::Now,
            Operation::Read => Flush::Later,
        };
        self.ports.audit.record(&event, flush)
    }

    /// Corrects the line of a call whose program never started.
    pub(crate) fn record_not_run(
        &self,
        attempt: &Attempt,
        by: &By,
    ) -> Result<Recorded, AuditError> {
        let mut event = self.decision(
            attempt,
            Decision::Allow,
            Code::SpawnFailed,
            "the program could not be started",
        )?;
        event.by = Some(by.clone());
        self.ports.audit.record(&event, Flush::Now)
    }

    /// Records how a run ended. A log that fails now changes nothing about the run.
    pub(crate) fn record_outcome(
        &self,
        attempt: &Attempt,
        code: Code,
        output: &RunOutput,
    ) -> Result<Recorded, AuditError> {
        let ended = &output.ended;
        let mut event = self.event(
            attempt,
            Detail::Outcome {
                exit_code: output.exit_code,
                signal: ended.signal,
                duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
                stdout_bytes: ended.stdout.len,
                stderr_bytes: ended.stderr.len,
            },
        );
        event.code = Some(code);
        self.ports.audit.record(&event, Flush::Later)
    }

    /// Records a call that now waits for a person.
    pub(crate) fn record_ask(
        &self,
        attempt: &Attempt,
        code: Code,
        reason: &str,
        kept: &Record,
    ) -> Result<(), Refusal> {
        let mut event = self
            .decision(attempt, Decision::Ask, code, reason)
            .map_err(|e| unavailable(&e).recorded())?;
        event.reason = Some(format!("{reason} (request {})", kept.id));
        self.ports
            .audit
            .record(&event, Flush::Now)
            .map(drop)
            .map_err(|e| unavailable(&e).recorded())
    }

    /// Records a refusal and turns it into its result. One that cannot be recorded says so instead.
    pub(crate) fn refuse(&self, attempt: &Attempt, refusal: Refusal) -> CallResult {
        if refusal.is_recorded {
            return refusal.into_result();
        }
        let event = self.decision(attempt, Decision::Deny, refusal.code, &refusal.log_reason);
        let recorded = event.and_then(|mut event| {
            event.by = refusal
                .answer
                .as_ref()
                .and_then(|a| a.rule.clone())
                .map(|rule| By {
                    kind: ByKind::Rule,
                    approval_id: None,
                    rule: Some(rule),
                });
            self.ports.audit.record(&event, Flush::Later)
        });
        match recorded {
            Ok(_) => refusal.into_result(),
            Err(e) => {
                let mut failed = unavailable(&e);
                failed.message = format!(
                    "{} It would have been refused anyway: {}",
                    failed.message, refusal.message
                );
                failed.into_result()
            }
        }
    }
}
