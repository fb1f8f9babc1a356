//! What a request keeps of its call while it waits, so that a person sees the card that the asker's call
//! draws, and so that the call can be run again as it was.
//!
//! Secrets stand in it by their display form alone, and standard input by its ends. A request with a secret is
//! shown from what is kept here, for it cannot be prepared again without it.

use super::approve::fact_digest;
use super::prepare::{Attempt, Prepared, Purpose};
use super::refusal::Refusal;
use super::request::Request;
use super::{CallRequest, Hcp};
use crate::facts::{self, os_value};
use hcp_core::approval::Record;
use hcp_core::gate::{Answer, Reading, ReasonCode};
use hcp_core::json::{Object, Value};
use hcp_core::mode::{Decision, Mode};
use hcp_core::policy::{CallPolicy, Confirm, Land, Operation, Scope as ActsOn, Undo};
use hcp_core::settings::Origin;
use std::path::PathBuf;

/// The call of a request, as the store keeps it.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// The arguments, secrets by their display form.
    pub(crate) args: Object,
    /// The folder it was asked in.
    pub(crate) cwd: PathBuf,
    /// Further folders whose project's rules counted for it.
    pub(crate) folders: Vec<PathBuf>,
    stdin: Option<String>,
    cli: String,
    policy: CallPolicy,
    reason_code: ReasonCode,
    reason: String,
    mode: Mode,
}

impl Stored {
    /// The kept call of a record; `None` once its values are erased.
    pub(crate) fn read(record: &Record) -> Option<Self> {
        let call = record.call.as_ref()?;
        let text = |from: &Value, key: &str| from.get(key)?.as_str().map(str::to_owned);
        let (policy, asked) = (call.get("policy")?, call.get("asked")?);
        let folders = call.get("folders").and_then(Value::as_array);
        Some(Self {
            args: call.get("args")?.as_object()?.clone(),
            cwd: PathBuf::from(call.get("cwd")?.as_str()?),
            folders: folders
                .unwrap_or_default()
                .iter()
                .filter_map(Value::as_str)
                .map(PathBuf::from)
                .collect(),
            stdin: text(call, "stdin"),
            cli: text(call, "cli")?,
            policy: CallPolicy {
                operation: Operation::parse(&text(policy, "operation")?)?,
                confirm: Confirm::parse(&text(policy, "confirm")?)?,
                land: Land::parse(&text(policy, "land")?)?,
                undo: Undo::parse(&text(policy, "undo")?)?,
                scope: ActsOn::parse(&text(policy, "scope")?)?,
            },
            reason_code: ReasonCode::parse(&text(asked, "reason_code")?)?,
            reason: text(asked, "reason")?,
            mode: Mode::parse(&text(asked, "mode")?)?,
        })
    }

    /// The answer by which the call asked.
    fn answer(&self, record: &Record) -> Answer {
        Answer {
            decision: Decision::Ask,
            reason_code: self.reason_code,
            reason: self.reason.clone(),
            mode: self.mode,
            approvals: record.approvals,
            rule: None,
            from: Origin::default_value(),
        }
    }
}

impl Hcp {
    /// What the store keeps of a call that asks; `None` for a folder whose name cannot be kept exactly.
    pub(crate) fn to_store(&self, prepared: &Prepared, stdin: Option<String>) -> Option<Value> {
        let folders: Vec<Value> = self
            .scope
            .folders
            .iter()
            .filter_map(|folder| folder.to_str().map(Value::from))
            .collect();
        let (policy, answer) = (&prepared.policy, &prepared.answer);
        let cwd = os_value(self.scope.cwd.as_os_str());
        cwd.as_str()?;
        let mut call = Object::new()
            .with("args", prepared.shown.clone())
            .with("cwd", cwd)
            .with("cli", prepared.cli.as_str())
            .with(
                "policy",
                Object::new()
                    .with("operation", policy.operation.as_str())
                    .with("confirm", policy.confirm.as_str())
                    .with("land", policy.land.as_str())
                    .with("undo", policy.undo.as_str())
                    .with("scope", policy.scope.as_str()),
            )
            .with(
                "asked",
                Object::new()
                    .with("reason_code", answer.reason_code.as_str())
                    .with("reason", answer.reason.as_str())
                    .with("mode", answer.mode.as_str()),
            );
        if !folders.is_empty() {
            call.insert("folders", folders);
        }
        if let Some(stdin) = stdin {
            call.insert("stdin", stdin);
        }
        Some(call.into())
    }

    /// The request of a kept call as it is drawn now, and what the gate says of it now. For one with a secret
    /// the gate is not asked: it could judge only a value that is not there.
    ///
    /// # Errors
    /// The call can no longer be shown: its pack or command is gone, or its arguments do not fit any more.
    pub(crate) async fn redraw(
        &self,
        record: &Record,
        stored: &Stored,
        call: &CallRequest,
    ) -> Result<(Request, Answer), Refusal> {
        let asked = stored.answer(record);
        let mut attempt = Attempt::new();
        let mut prepared = if record.carried_secret {
            let located = self.locate(call, &mut attempt).await?;
            Prepared {
                installed: located.installed,
                account: located.account,
                verb: located.verb,
                args: stored.args.clone(),
                policy: stored.policy,
                rendered: hcp_pack::Rendered {
                    words: Vec::new(),
                    env: Vec::new(),
                    stdin: None,
                },
                cli: stored.cli.clone(),
                answer: asked.clone(),
                trace: Vec::new(),
                shown: stored.args.clone(),
                reading: Reading::default(),
                unread: Vec::new(),
            }
        } else {
            self.prepare(call, Purpose::Run, &mut attempt).await?
        };
        if self.speaks_for_asker(record, &prepared)?
            && let Err(fault) = self.still_connected(&prepared).await
        {
            prepared.account.fault = Some(Box::new(fault));
        }
        let now = prepared.answer.clone();
        if now.decision != Decision::Ask {
            // The mode of whoever looks says nothing of the asker's: the request still asks.
            prepared.answer = asked;
        }
        prepared.answer.approvals = prepared.answer.approvals.max(record.approvals);
        let sketch = self.sketch(&prepared);
        let past = self.past_of_record(record, &prepared, &sketch);
        let drawn = self.request(&prepared, stored.stdin.clone(), sketch, &past);
        Ok((drawn, now))
    }

    /// Whether the tool would say here as whom the asker's call acts. In a shell whose variables for the tool are
    /// others, or that finds another program by its name, it would speak of this shell: it is not asked, since the one
    /// who took its word would end a request over somebody else's account. What the asker runs asks it there.
    fn speaks_for_asker(&self, record: &Record, prepared: &Prepared) -> Result<bool, Refusal> {
        let Some(binding) = &prepared.account.binding else {
            return Ok(true);
        };
        let from = self.told_from(&prepared.installed);
        if binding.told_from.is_some() && from.as_ref() != binding.told_from.as_ref() {
            return Ok(false);
        }
        let declared = &prepared.installed.pack.env;
        let env = facts::env_fact(declared, &self.scope.environment.to_pairs());
        let env = fact_digest(&self.key()?, "env", &env);
        let mut facts = record.binding.facts.iter();
        Ok(facts.any(|(name, digest)| name == "env" && *digest == env))
    }
}
