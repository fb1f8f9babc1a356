//! What a person answered in a host's own interface. The host sends back the kind of the answer and nothing else:
//! the rule that goes with it is the one that was computed for the request.

use super::approve::store_refusal;
use super::prepare::Attempt;
use super::refusal::Refusal;
use super::request::Request;
use super::{Hcp, record};
use crate::audit::Flush;
use crate::event::{AnswerWord, By, ByKind, Detail};
use crate::store::{Answered, Found, Verdict};
use hcp_card::{OptionKind, SessionRule};
use hcp_core::approval::AnsweredBy;
use hcp_core::code::Code;
use hcp_core::gate::{Call, Reading};
use hcp_core::json::Object;
use hcp_core::mode::Decision;
use hcp_core::text::{quoted, safe};

impl Hcp {
    /// Keeps a person's answer to a request under the host's own id of it, and records it. For a session the rule
    /// comes back, for the host to keep.
    ///
    /// # Errors
    /// `human_only` inside an agent, `usage` for an answer that was not offered, `approval_…` for a request that is
    /// over, was drawn anew or is another's, `audit_unavailable`, `store_unavailable`.
    pub fn answer(
        &self,
        request: &Request,
        answer: OptionKind,
        ui_id: &str,
    ) -> Result<Option<SessionRule>, Refusal> {
        if self.scope.inside_agent() {
            return Err(self.refused_inside(request));
        }
        let Some(option) = request.options.iter().find(|o| o.kind == answer) else {
            return Err(Refusal::new(
                Code::Usage,
                format!(
                    "The answer {} was not offered for this request.",
                    answer.as_str()
                ),
            )
            .hint("offer the person what the request's options list"));
        };
        if let Some(kept) = &option.rule {
            self.still_offered(request, kept)?;
        }
        self.ports
            .audit
            .ready()
            .map_err(|e| record::unavailable(&e))?;
        if let Some(id) = &request.approval_id {
            self.keep(request, id, answer, ui_id)?;
        }
        self.record_answer(request, answer, ui_id)?;
        Ok(option.rule.clone())
    }

    /// A rule is tried once more before it is given away: settings and pack may be others since the card was made.
    fn still_offered(&self, request: &Request, kept: &SessionRule) -> Result<(), Refusal> {
        let args: Object = request
            .args
            .iter()
            .map(|arg| (arg.name.clone(), arg.value.clone()))
            .collect();
        // It is offered only for calls that were fully read.
        let reading = Reading::default();
        let call = Call {
            verb: &request.verb,
            args: &args,
            policy: request.policy,
            reading: &reading,
        };
        let now = self.ports.clock.now().wall;
        let pack = self.ports.packs.load(&request.verb.pack);
        let holds = pack.is_ok_and(|installed| {
            let digest = installed.pack.digest.to_string();
            let account = self.account(&installed);
            account.is_ok_and(|account| kept.ends_with.holds(&digest, account.identity()))
        });
        if holds && self.access.decision_with(&kept.rule, &call, now) == Decision::Allow {
            return Ok(());
        }
        Err(Refusal::new(
            Code::ApprovalMismatch,
            "The settings or the pack changed since the card was made, and this answer is no longer offered.",
        )
        .hint("show the person the card anew"))
    }

    fn keep(
        &self,
        request: &Request,
        id: &str,
        answer: OptionKind,
        ui_id: &str,
    ) -> Result<(), Refusal> {
        let unavailable = |e| store_refusal(&e);
        let store = (self.ports.store)().map_err(unavailable)?;
        let clock = self.ports.clock.as_ref();
        let own = match store.find(id, clock).map_err(unavailable)? {
            Found::One(record) => {
                record.id == *id
                    && record.tenant == self.scope.tenant
                    && record.principal.id == self.scope.principal.id
                    && record.verb == request.verb
            }
            Found::None | Found::Many(_) => false,
        };
        if !own {
            return Err(unknown(id));
        }
        let verdict = match answer {
            OptionKind::AllowOnce | OptionKind::AllowSession => Verdict::Stated {
                card_digest: request.card.digest(),
                statement: ui_id.to_owned(),
            },
            OptionKind::Reject => Verdict::No { note: None },
        };
        let answered = store
            .answer(id, &verdict, AnsweredBy::Human, clock)
            .map_err(unavailable)?;
        let refused = |code, words: &str| Err(Refusal::new(code, format!("{} {words}.", safe(id))));
        match answered {
            Answered::Done(_) | Answered::Already(_) => Ok(()),
            Answered::CardChanged(_) => refused(
                Code::ApprovalMismatch,
                "was drawn anew since this card was shown, so the answer does not count",
            ),
            Answered::StatementUsed(_) => refused(
                Code::ApprovalUsed,
                "was answered under an id that was used before; each counts once",
            ),
            Answered::HumanOnly(_) => refused(Code::HumanOnly, "wants a person's own answer"),
            Answered::Over(record) => {
                use hcp_core::approval::State;
                let code = match record.state {
                    State::Rejected => Code::Rejected,
                    State::Expired | State::Withdrawn => Code::ApprovalExpired,
                    State::Used | State::Pending | State::Approved => Code::ApprovalUsed,
                };
                refused(code, &format!("is {} already", record.state))
            }
            Answered::Unknown => Err(unknown(id)),
        }
    }

    fn record_answer(
        &self,
        request: &Request,
        answer: OptionKind,
        ui_id: &str,
    ) -> Result<(), Refusal> {
        let (word, card_shown, reason) = match answer {
            OptionKind::AllowOnce => (AnswerWord::Approve, Some(true), "once"),
            OptionKind::AllowSession => (AnswerWord::Approve, Some(true), "until the session ends"),
            OptionKind::Reject => (AnswerWord::Reject, None, "no"),
        };
        let detail = Detail::Answer {
            answer: word,
            card_shown,
        };
        let mut event = self.event(&attempt(request), detail);
        event.call = None;
        event.reason = Some(match &request.approval_id {
            Some(id) => format!("{reason} (request {id})"),
            None => reason.to_owned(),
        });
        event.by = Some(By {
            kind: ByKind::Human,
            approval_id: Some(ui_id.to_owned()),
            rule: None,
        });
        self.ports
            .audit
            .record(&event, Flush::Now)
            .map(drop)
            .map_err(|e| record::unavailable(&e))
    }

    /// An agent that answers for its person is the clearest sign of an attack: it has its line.
    fn refused_inside(&self, request: &Request) -> Refusal {
        let detail = Detail::Refused {
            act: "answer".to_owned(),
        };
        let mut event = self.event(&attempt(request), detail);
        event.call = None;
        match self.ports.audit.record(&event, Flush::Now) {
            Ok(_) => Refusal::new(
                Code::HumanOnly,
                "This process is inside an agent, so its word for a person's answer does not count.",
            ),
            Err(e) => record::unavailable(&e),
        }
    }
}

fn attempt(request: &Request) -> Attempt {
    Attempt {
        pack: Some(request.verb.pack.to_string()),
        command: Some(request.verb.command.to_string()),
        operation: Some(request.policy.operation),
        binding: request.card.account.clone(),
        ..Attempt::default()
    }
}

fn unknown(id: &str) -> Refusal {
    Refusal::new(
        Code::ApprovalUnknown,
        format!("No request {} of this Principal is known.", quoted(id)),
    )
}
