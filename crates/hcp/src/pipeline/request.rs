//! The request that a call which asks leaves behind: everything a host needs to ask a person.

use super::{Refusal, own_value};
use hcp_card::{AnswerOption, Card};
use hcp_core::gate::Answer;
use hcp_core::json::{Object, Value};
use hcp_core::names::VerbKey;
use hcp_core::policy::CallPolicy;

/// A call as a person is asked about it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request {
    /// The command.
    pub verb: VerbKey,
    /// The call's own Policy.
    pub policy: CallPolicy,
    /// Each argument with its description from the pack.
    pub args: Vec<RequestArg>,
    /// The gate's answer.
    pub answer: Answer,
    /// The card.
    pub card: Card,
    /// The answers that a host may put beside it.
    pub options: Vec<AnswerOption>,
    /// Why the call would act as nobody, or as somebody else than it was connected as.
    pub not_connected: Option<Box<Refusal>>,
    /// The id under which the request waits.
    pub approval_id: Option<String>,
    /// When it ends (RFC 3339).
    pub expires_at: Option<String>,
}

/// One argument of a request.
#[derive(Debug, Clone)]
pub struct RequestArg {
    /// Its name.
    pub name: String,
    /// Its value; a secret by its display form.
    pub value: Value,
    /// Its value as a person reads it.
    pub display: String,
    /// Its description from the pack.
    pub description: String,
}

impl Request {
    /// `preview` of a result: the command, its arguments and the exact command line.
    #[must_use]
    pub fn preview(&self) -> Object {
        let args: Object = self
            .args
            .iter()
            .map(|a| (a.name.clone(), a.value.clone()))
            .collect();
        Object::new()
            .with("command", self.verb.command.as_str())
            .with("args", args)
            .with("cli", self.card.cli.as_str())
    }

    /// The request as JSON.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let args: Vec<Value> = self
            .args
            .iter()
            .map(|arg| {
                Object::new()
                    .with("name", arg.name.as_str())
                    .with("value", arg.value.clone())
                    .with("display", arg.display.as_str())
                    .with("description", arg.description.as_str())
                    .into()
            })
            .collect();
        let mut object = Object::new()
            .with("pack_id", self.verb.pack.as_str())
            .with("pack_name", self.card.pack_name.as_str())
            .with("command", self.verb.command.as_str())
            .with("verb_key", self.verb.to_string())
            .with("summary", self.card.summary.as_str())
            .with("operation", self.policy.operation.as_str())
            .with("confirm", self.policy.confirm.as_str())
            .with("args", args)
            .with("cli", self.card.cli.as_str())
            .with("decision", self.answer.decision.as_str())
            .with("reason", self.answer.reason.as_str())
            .with("reason_code", self.answer.reason_code.as_str())
            .with("mode", self.answer.mode.as_str())
            .with("approvals", self.answer.approvals.as_str())
            .with("view", own_value(&self.card.view))
            .with("options", options(&self.options));
        if let Some(account) = &self.card.account {
            object.insert("as", account.as_str());
        }
        if let Some(refusal) = &self.not_connected {
            object.insert("not_connected", refusal.message.as_str());
        }
        if let Some(cwd) = &self.card.cwd {
            object.insert("in", cwd.as_str());
        }
        if !self.card.files.is_empty() {
            let files = self.card.files.iter().map(|file| {
                Object::new()
                    .with("argument", file.argument.as_str())
                    .with("content", file.words.as_str())
                    .into()
            });
            object.insert("files", files.collect::<Vec<Value>>());
        }
        if let Some(stdin) = &self.card.stdin {
            object.insert("stdin", stdin.as_str());
        }
        if let Some(id) = &self.approval_id {
            object.insert("approval_id", id.as_str());
        }
        if let Some(expires) = &self.expires_at {
            object.insert("expires_at", expires.as_str());
        }
        object
    }
}

fn options(options: &[AnswerOption]) -> Vec<Value> {
    options
        .iter()
        .map(|option| option.to_object().into())
        .collect()
}
