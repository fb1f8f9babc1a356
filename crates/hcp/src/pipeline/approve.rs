//! Step 6 of a call: it asks. It takes its approval, or leaves a request and stops.

use super::card::stdin_of;
use super::past::{self, Memory};
use super::prepare::{Attempt, Prepared};
use super::refusal::Refusal;
use super::request::Request;
use super::result::CallResult;
use super::run::Target;
use super::{Approval, CallRequest, Hcp, record};
use crate::facts;
use crate::store::{Confirm, IdentifierDigest, NewRequest, Settled, StoreError};
use hcp_core::approval::{Binding, Record};
use hcp_core::canonical::{self, Digest, Key, Tag};
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Approvals;

impl Hcp {
    /// A call that asks.
    pub(crate) async fn ask(
        &self,
        call: &CallRequest,
        prepared: &Prepared,
        target: Target,
        attempt: &mut Attempt,
    ) -> Result<CallResult, Refusal> {
        let confirm = self.confirm(call.options.approval.as_ref())?;
        let key = self.key()?;
        let binding = self.bind(call, prepared, &target, &key)?;
        if let Err(mut refusal) = self.still_connected(prepared).await {
            if refusal.is_other_account()
                && let Err(e) = self.end_requests(&prepared.verb.pack, Some(&binding.digest))
            {
                let told = format!(" Its approval could not be ended: {}", e.message);
                refusal.message.push_str(&told);
            }
            return Err(refusal);
        }
        // A full disk must burn no yes: the log is looked at before an approval is taken.
        self.ports
            .audit
            .ready()
            .map_err(|e| record::unavailable(&e))?;
        let store = (self.ports.store)().map_err(|e| store_refusal(&e))?;
        let sketch = self.sketch(prepared);
        let identifiers = past::digests(&key, &sketch.identifiers);
        let memory = Memory {
            store: store.as_ref(),
            binding: Some(&binding.digest),
            identifiers: &identifiers,
        };
        let past = self
            .past(prepared, &sketch, &memory)
            .map_err(|e| store_refusal(&e))?;
        let request = self.request(prepared, stdin_of(call), sketch, &past);
        let new = self.new_request(call, prepared, &request, binding, identifiers);
        let settled = store
            .settle(&new, &confirm, self.ports.clock.as_ref())
            .map_err(|e| store_refusal(&e))?;
        match settled {
            Settled::Taken {
                by, approval_id, ..
            } => {
                let by = record::by_approval(by, &approval_id);
                self.run(call, prepared, target, attempt, by, Some(approval_id))
                    .await
            }
            Settled::Asked(kept) => {
                Ok(self.asked(attempt, Code::ConfirmRequired, None, request, &kept)?)
            }
            Settled::Rejected(kept) => Err(rejected(prepared, &kept)),
            Settled::TooMany { message, retry_at } => Err(too_many(
                prepared,
                &message,
                retry_at.map(record::time_after),
            )),
            Settled::Refused {
                code,
                message,
                changed,
                asked,
            } => {
                let mut refusal = Refusal::new(
                    code,
                    format!("{}. Nothing ran.", super::refusal::sentence(&message)),
                );
                if !changed.is_empty() {
                    let words: Vec<String> = changed.iter().map(ToString::to_string).collect();
                    refusal.message = format!(
                        "{}: {}. Nothing ran.",
                        super::refusal::sentence(&message),
                        words.join("; ")
                    );
                    refusal.log_reason = format!(
                        "changed: {}",
                        changed
                            .iter()
                            .map(|c| c.fact.as_str())
                            .collect::<Vec<_>>()
                            .join(", ")
                    );
                    refusal.extra.insert(
                        "changed",
                        changed.iter().map(|c| c.fact.clone()).collect::<Vec<_>>(),
                    );
                }
                refusal.answer = Some(prepared.answer.clone());
                match asked {
                    Some(kept) => self.asked(attempt, code, Some(refusal), request, &kept),
                    None => Err(refusal.hint("hcpx approvals lists what waits for an answer")),
                }
            }
        }
    }

    /// What the caller says of an approval. A host's word for a person counts only outside agents.
    fn confirm(&self, approval: Option<&Approval>) -> Result<Confirm, Refusal> {
        match approval {
            None => Ok(Confirm::None),
            Some(Approval::Id(id)) => Ok(Confirm::Id(id.clone())),
            Some(Approval::ByHuman { .. }) if self.scope.inside_agent() => Err(Refusal::new(
                Code::HumanOnly,
                "This process is inside an agent, so its word for a person's yes does not count. Nothing ran.",
            )),
            Some(Approval::ByHuman { id }) => Ok(Confirm::ByHuman(id.clone())),
        }
    }

    fn new_request(
        &self,
        call: &CallRequest,
        prepared: &Prepared,
        request: &Request,
        binding: Binding,
        identifiers: Vec<IdentifierDigest>,
    ) -> NewRequest {
        NewRequest {
            binding,
            tenant: self.scope.tenant.clone(),
            principal: self.scope.principal.clone(),
            project: self.scope.project.clone(),
            verb: prepared.verb.clone(),
            call: self.to_store(prepared, stdin_of(call)),
            carried_secret: prepared.has_secret(),
            carried_stdin: call.options.stdin.is_some(),
            card_digest: request.card.digest(),
            approvals: prepared.answer.approvals,
            minutes: self.access.approval_minutes().0,
            identifiers,
        }
    }

    /// What an approval of this call covers: every fact, each with a digest of its own beside the whole.
    pub(crate) fn bind(
        &self,
        call: &CallRequest,
        prepared: &Prepared,
        target: &Target,
        key: &Key,
    ) -> Result<Binding, Refusal> {
        let unreadable = |e: facts::FactError| {
            Refusal::new(
                Code::SpawnFailed,
                format!("{}. Nothing ran.", super::refusal::sentence(&e.to_string())),
            )
            .log("a fact cannot be read")
        };
        let declared = &prepared.installed.pack.env;
        let env = facts::env_fact(declared, &self.scope.environment.to_pairs());
        let (program, cwd) = match &target.program {
            Some(program) => (
                facts::program_fact(program),
                facts::cwd_fact(&self.scope.cwd).map_err(unreadable)?,
            ),
            // What a driver does not have is null.
            None => (Value::Null, Value::Null),
        };
        let whole = Object::new()
            .with("v", 1u64)
            .with("tenant", self.scope.tenant.as_str())
            .with("principal", self.scope.principal.id.as_str())
            .with("project", self.scope.project.clone())
            .with("identity", prepared.account.identity().map(str::to_owned))
            .with("pack_id", prepared.verb.pack.as_str())
            .with("pack_digest", prepared.installed.pack.digest.to_string())
            .with("verb_key", prepared.verb.to_string())
            .with("args", prepared.args.clone())
            .with("argv", prepared.words())
            .with("program", program)
            .with("cwd", cwd)
            .with("env", env)
            .with("stdin", facts::stdin_fact(call.options.stdin.as_deref()))
            .with("files", self.file_facts(prepared)?);
        let mut parts = Vec::new();
        for (name, value) in whole.iter() {
            let digest =
                |fact: &str, value: &Value| (fact.to_owned(), fact_digest(key, fact, value));
            match (name, value.as_object()) {
                // Arguments and files are told apart one by one, so that a refusal can name the one.
                ("args" | "files", Some(object)) => {
                    parts.extend(
                        object
                            .iter()
                            .map(|(n, v)| digest(&format!("{name}.{n}"), v)),
                    );
                }
                // The words follow from the arguments, and a change in them needs no second name.
                ("v" | "argv", _) => {}
                _ => parts.push(digest(name, value)),
            }
        }
        let digest = canonical::keyed_digest(key, Tag::Binding, &Value::Object(whole));
        Ok(Binding {
            digest,
            facts: parts,
        })
    }

    /// The result of a call that now waits, recorded.
    fn asked(
        &self,
        attempt: &Attempt,
        code: Code,
        refusal: Option<Refusal>,
        mut request: Request,
        kept: &Record,
    ) -> Result<CallResult, Refusal> {
        request.approval_id = Some(kept.id.clone());
        request.expires_at = kept.expires_at().map(record::time);
        let answer = request.answer.clone();
        let log = refusal
            .as_ref()
            .map_or_else(|| answer.reason.clone(), |r| r.log_reason.clone());
        self.record_ask(attempt, code, &log, kept)?;
        let mut result = match refusal {
            Some(refusal) => refusal.into_result(),
            None => CallResult::new(
                code,
                format!(
                    "{} asks first: {}. Nothing ran.",
                    request.verb,
                    answer.reason.trim_end_matches('.')
                ),
            ),
        };
        result.hint = Some(hint(kept, answer.approvals, self.scope.inside_agent()));
        result.answer = Some(answer);
        result.approval = Some(Box::new(request));
        Ok(result)
    }
}

/// One fact of a binding by its own digest.
pub(crate) fn fact_digest(key: &Key, fact: &str, value: &Value) -> Digest {
    let tagged = Object::new()
        .with("fact", fact)
        .with("value", value.clone());
    canonical::keyed_digest(key, Tag::Binding, &tagged.into())
}

/// What to do about a request that waits, as a whole line to run.
fn hint(kept: &Record, approvals: Approvals, agent: bool) -> String {
    let id = &kept.id;
    let again = if kept.carried_secret || kept.carried_stdin {
        format!("the same command again with --confirm {id}")
    } else {
        format!("hcpx exec --confirm {id}")
    };
    match (approvals, agent) {
        (Approvals::Agent, true) => {
            format!("show the person the card and ask; after their yes run: {again}")
        }
        (Approvals::Human, true) => format!(
            "a person must answer (hcpx approve {id} in a terminal of their own); wait for it, then run: {again}"
        ),
        (_, false) => format!("hcpx approve {id}, then run the command again; or hcpx reject {id}"),
    }
}

fn rejected(prepared: &Prepared, kept: &Record) -> Refusal {
    let mut refusal = said_no(kept);
    refusal.answer = Some(prepared.answer.clone());
    refusal
}

/// The refusal of a call to which a person said no, with their note.
#[must_use]
pub fn said_no(kept: &Record) -> Refusal {
    let note = kept
        .note
        .as_ref()
        .map_or_else(String::new, |n| format!(": {}", hcp_core::text::safe(n)));
    let mut refusal = Refusal::new(Code::Rejected, format!("A person said no to this call{note}. Nothing ran."))
        .hint("stop, and do something else; a person who said no by mistake takes it back with hcpx approvals forget");
    refusal.extra.insert("approval_id", kept.id.as_str());
    if let Some(note) = &kept.note {
        refusal.extra.insert("note", note.as_str());
    }
    refusal
}

fn too_many(prepared: &Prepared, message: &str, retry_at: Option<String>) -> Refusal {
    let mut refusal = Refusal::new(
        Code::TooManyRequests,
        format!("{}. Nothing ran.", super::refusal::sentence(message)),
    );
    refusal.hint = Some(match &retry_at {
        Some(time) => format!("wait until {time}"),
        None => "wait until a person answered what waits (hcpx approvals)".to_owned(),
    });
    refusal.answer = Some(prepared.answer.clone());
    if let Some(time) = retry_at {
        refusal.extra.insert("retry_at", time);
    }
    refusal
}

/// A store that cannot be used.
pub(crate) fn store_refusal(error: &StoreError) -> Refusal {
    Refusal::new(
        error.code(),
        format!(
            "{}. Nothing ran.",
            super::refusal::sentence(&error.to_string())
        ),
    )
    .hint("hcpx doctor says what is wrong with the store")
}
