//! Requests that wait in the store of a place, drawn and judged for whoever asked.

use super::Place;
use crate::agent::AgentStatus;
use crate::pipeline::stored::Stored;
use crate::pipeline::{CallArgs, CallRequest, ExecOptions, Refusal, Request};
use crate::store::Found;
use hcp_core::approval::Record;
use hcp_core::code::Code;
use hcp_core::gate::ReasonCode;
use hcp_core::json::Object;
use hcp_core::mode::Decision;
use hcp_core::rule::Rule;
use hcp_core::settings::{AccessFile, Effective, Sourced};
use hcp_core::text::quoted;
use std::sync::Arc;

/// A stored request, judged by the settings as they are now.
pub enum Judged {
    /// It still asks; this is its card as it is now.
    Asks(Box<Request>),
    /// A rule or mode decides it by now.
    Decided(Decision, String),
    /// It can no longer be judged: its pack or its values are gone.
    Gone(String),
}

impl Place {
    /// A request by its id or the first digits of it.
    ///
    /// # Errors
    /// `approval_unknown`, an ambiguous prefix, a store that cannot be used.
    pub fn record_of(&self, id: &str) -> Result<Record, Refusal> {
        let unknown = || {
            Refusal::new(Code::ApprovalUnknown, format!("No request {} is known.", quoted(id)))
                .hint("hcpx approvals lists what waits; an id has 8 hexadecimal digits, of which the first 4 serve")
        };
        if !self.home.approvals().exists() {
            return Err(unknown());
        }
        let store = self
            .store()
            .map_err(|e| crate::pipeline::approve::store_refusal(&e))?;
        match store
            .find(id, self.clock())
            .map_err(|e| crate::pipeline::approve::store_refusal(&e))?
        {
            Found::One(record) => Ok(*record),
            Found::None => Err(unknown()),
            Found::Many(ids) => Err(Refusal::new(
                Code::Usage,
                format!("{} could be any of: {}.", quoted(id), ids.join(", ")),
            )
            .hint("write more of its digits")),
        }
    }

    /// The values of a stored call, while they are kept.
    #[must_use]
    pub fn stored_args(&self, record: &Record) -> Option<Object> {
        record.call.as_ref()?.get("args")?.as_object().cloned()
    }

    /// A stored call, and the place it was asked for in, to be run there. The rules of the folder that this
    /// process stands in go on counting beside those of that place.
    #[must_use]
    pub fn stored_call(
        &self,
        record: &Record,
        options: ExecOptions,
    ) -> Option<(Self, CallRequest)> {
        let stored = Stored::read(record)?;
        let mut place = self.at(stored.cwd.clone());
        place.folders.push(self.cwd.clone());
        Some((place, call_of(record, stored.args, options)))
    }

    /// The place that a request was asked in, as whoever answers it looks at it: the asker's folder, project
    /// files and Principal, and nothing of what was set for the process of the one who looks.
    fn of_asker(&self, record: &Record, stored: &Stored) -> Self {
        let mut place = self.at(stored.cwd.clone());
        place.folders.clone_from(&stored.folders);
        place.acting = Some(record.principal.clone());
        place.agent = AgentStatus::outside();
        place.environment = self.environment.without(&[
            "HCP_MODE",
            "HCP_APPROVALS",
            "HCP_PROJECT",
            "CLAUDE_PROJECT_DIR",
        ]);
        place
    }

    /// Whether one more allow rule in the user's own file would let a stored call run, by the settings as they are
    /// now: tried before the rule is proposed to a person.
    #[must_use]
    pub fn would_run_under(&self, record: &Record, rule: &Rule) -> bool {
        let Some(stored) = Stored::read(record) else {
            return false;
        };
        let place = self.of_asker(record, &stored);
        let (Ok(mut layers), Ok(mut hcp)) = (place.layers(), place.hcp()) else {
            return false;
        };
        let user = layers.user.get_or_insert_with(|| Sourced {
            file: self.home.access().display().to_string(),
            body: AccessFile::default(),
        });
        user.body.rules.push(rule.clone());
        hcp.access = Arc::new(Effective::merge(layers));
        let call = call_of(record, stored.args, ExecOptions::default());
        pollster::block_on(hcp.judged(&call))
            .is_ok_and(|(request, _)| request.answer.decision == Decision::Allow)
    }

    /// Judges a stored request by the settings as they are now, in the folder it was asked in.
    #[must_use]
    pub fn judge(&self, record: &Record) -> Judged {
        let Some(stored) = Stored::read(record) else {
            return Judged::Gone("its values are not kept".to_owned());
        };
        let hcp = match self.of_asker(record, &stored).hcp() {
            Ok(hcp) => hcp,
            Err(refusal) => return Judged::Gone(in_one_line(&refusal)),
        };
        let call = call_of(record, stored.args.clone(), ExecOptions::default());
        match pollster::block_on(hcp.redraw(record, &stored, &call)) {
            Err(refusal) => Judged::Gone(in_one_line(&refusal)),
            Ok((mut request, now)) => {
                // Only a rule withdraws a request: the mode may have been set for the asker's process alone.
                if matches!(
                    now.reason_code,
                    ReasonCode::Rule | ReasonCode::Session | ReasonCode::DeniedByRule
                ) {
                    return Judged::Decided(now.decision, now.reason);
                }
                request.approval_id = Some(record.id.clone());
                request.expires_at = record.expires_at().map(crate::pipeline::record::time);
                Judged::Asks(Box::new(request))
            }
        }
    }
}

fn call_of(record: &Record, args: Object, options: ExecOptions) -> CallRequest {
    CallRequest {
        pack: record.verb.pack.to_string(),
        command: record.verb.command.to_string(),
        args: CallArgs::Object(args),
        options,
    }
}

/// A refusal with the places that it is about.
fn in_one_line(refusal: &Refusal) -> String {
    let places = refusal.diagnostics.iter().map(ToString::to_string);
    std::iter::once(refusal.message.clone())
        .chain(places)
        .collect::<Vec<_>>()
        .join(" ")
}
