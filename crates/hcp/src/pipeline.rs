//! The one way a call goes, whoever calls.
//!
//! 1 scope · 2 pack and command · 3 grants · 4 arguments and command line · 5 gate · 6 approval ·
//! 7 audit · 8 driver. Each step has one place: 2 to 5 in [`prepare`], 6 in [`approve`], 7 in
//! [`record`], 8 in [`run`]. A refusal at any step is recorded too.

mod account;
mod answer;
pub mod approve;
pub(crate) mod card;
mod connect;
mod in_time;
pub(crate) mod past;
pub mod prepare;
pub mod record;
pub mod refusal;
pub mod request;
pub mod result;
pub mod run;
mod session;
pub(crate) mod stored;
mod words;

pub(crate) use account::unusable;
pub use connect::{Connected, Forgotten, Login};
pub use prepare::Prepared;
pub use refusal::Refusal;
pub use request::Request;
pub use result::{CallResult, RunOutput};
pub use session::Session;

use crate::audit::AuditSink;
use crate::bindings::Bindings;
use crate::clock::Clock;
use crate::driver::{Driver, OutputMode};
use crate::event::Via;
use crate::ports::{Authorize, PackSource};
use crate::protect::Protected;
use crate::store::{ApprovalStore, StoreError};
use hcp_card::Rules;
use hcp_core::canonical::Key;
use hcp_core::code::Code;
use hcp_core::grants::{Actor, GrantIndex};
use hcp_core::json::{Limits, Object, Value, parse};
use hcp_core::mode::Decision;
use hcp_core::principal::Principal;
use hcp_core::settings::Effective;
use prepare::{Attempt, Purpose};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Opens the approval store, which happens only when a call asks.
pub type OpenStore = Arc<dyn Fn() -> Result<Arc<dyn ApprovalStore>, StoreError> + Send + Sync>;
/// Reads the store's key, which happens only when a call asks or carries a secret.
pub type OpenKey = Arc<dyn Fn() -> Result<Key, String> + Send + Sync>;

/// Gives the approval store and its key where both are there already and can be used: for a card that is only
/// looked at, which makes neither and fails for neither.
pub type OpenKept = Arc<dyn Fn() -> Option<(Arc<dyn ApprovalStore>, Key)> + Send + Sync>;

/// Everything around a call that the pipeline reaches for.
#[derive(Clone)]
pub struct Ports {
    /// Where packs come from.
    pub packs: Arc<dyn PackSource>,
    /// May a Principal act at all.
    pub authorize: Arc<dyn Authorize>,
    /// Where requests and approvals are kept.
    pub store: OpenStore,
    /// The key of bindings and secrets.
    pub key: OpenKey,
    /// The same two, where they are there already.
    pub kept: OpenKept,
    /// As which accounts packs are connected.
    pub bindings: Arc<dyn Bindings>,
    /// Where decisions are recorded.
    pub audit: Arc<dyn AuditSink>,
    /// What runs commands.
    pub driver: Arc<dyn Driver>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
}

/// Step 1: whose call this is, and where it stands.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Who acts.
    pub principal: Principal,
    /// The tenant.
    pub tenant: String,
    /// The project.
    pub project: Option<String>,
    /// What the Principal may do at all, for the default authoriser.
    pub grants: Arc<GrantIndex>,
    /// By which way the call came.
    pub via: Via,
    /// The working directory.
    pub cwd: PathBuf,
    /// Further folders whose project's rules count for the caller.
    pub folders: Vec<PathBuf>,
    /// What no call inside an agent may touch; `None` outside an agent.
    pub protected: Option<Protected>,
    /// The folder of the programs that the store itself brings.
    pub bin: PathBuf,
    /// The caller's environment, from which the tool's is picked.
    pub environment: crate::platform::Environment,
}

impl Scope {
    /// Whether the call comes from inside an agent.
    #[must_use]
    pub fn inside_agent(&self) -> bool {
        self.protected.is_some()
    }

    /// The Principal as an authoriser sees it.
    #[must_use]
    pub fn actor(&self) -> Actor<'_> {
        Actor {
            principal: &self.principal,
            tenant_id: &self.tenant,
            project_id: self.project.as_deref(),
            grants: &self.grants,
        }
    }
}

/// The arguments of a call.
#[derive(Debug, Clone)]
pub enum CallArgs {
    /// Named values.
    Object(Object),
    /// Words: all `NAME=text` and `NAME:=JSON`, or all in the tool's own spelling.
    Words(Vec<String>),
}

/// One call.
#[derive(Debug, Clone)]
pub struct CallRequest {
    /// The pack's id.
    pub pack: String,
    /// The command's name.
    pub command: String,
    /// The arguments.
    pub args: CallArgs,
    /// How it is to run.
    pub options: ExecOptions,
}

/// How a call is to run.
#[derive(Debug, Clone)]
pub struct ExecOptions {
    /// What the caller says of an approval, where it says anything.
    pub approval: Option<Approval>,
    /// The end of the run, where the caller sets one.
    pub timeout: Option<Duration>,
    /// Standard input.
    pub stdin: Option<Vec<u8>>,
    /// The file that standard input came from.
    pub stdin_path: Option<String>,
    /// Where the tool's output goes.
    pub output: OutputMode,
}

impl Default for ExecOptions {
    fn default() -> Self {
        Self {
            approval: None,
            timeout: None,
            stdin: None,
            stdin_path: None,
            output: OutputMode::Capture { limit: 1 << 20 },
        }
    }
}

/// What a caller says of an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// The id of an approval, or of a request whose yes the agent passes on.
    Id(String),
    /// The host's statement that its own UI collected a person's yes for exactly this call.
    ByHuman {
        /// The host's own id of that yes.
        id: String,
    },
}

impl Approval {
    /// The host's statement that its own UI collected a person's yes for exactly this call, under the host's own
    /// id. It counts once, and never from inside an agent.
    #[must_use]
    pub fn by_human(id: impl Into<String>) -> Self {
        Self::ByHuman { id: id.into() }
    }

    /// The id of an approval, or of a request whose yes the agent passes on.
    #[must_use]
    pub fn id(id: impl Into<String>) -> Self {
        Self::Id(id.into())
    }
}

/// The access layer over a set of ports, for one scope under one set of settings.
#[derive(Clone)]
pub struct Hcp {
    /// The ports.
    pub ports: Ports,
    /// Whose calls.
    pub scope: Scope,
    /// The settings in force.
    pub access: Arc<Effective>,
    /// What the host keeps until its session ends, above the settings.
    pub session: Arc<Session>,
    /// The rules by which cards are made.
    pub rules: Arc<Rules>,
}

impl Hcp {
    /// Runs one call through the whole pipeline.
    pub async fn exec(&self, request: &CallRequest) -> CallResult {
        let mut attempt = Attempt::new();
        match self.try_exec(request, &mut attempt).await {
            Ok(result) => result,
            Err(refusal) => self.refuse(&attempt, refusal),
        }
    }

    /// The request that a call would make: its card, before anything runs. Changes and records nothing; a pack that
    /// acts for an account is asked which.
    ///
    /// # Errors
    /// The call cannot be judged: unknown names, arguments that do not fit, no grant.
    pub async fn preview(&self, request: &CallRequest) -> Result<(Request, Prepared), Refusal> {
        let mut attempt = Attempt::new();
        let mut prepared = self.prepare(request, Purpose::Show, &mut attempt).await?;
        // What is denied acts as nobody.
        if prepared.answer.decision != Decision::Deny
            && let Err(fault) = self.still_connected(&prepared).await
        {
            prepared.account.fault = Some(Box::new(fault));
        }
        Ok((self.drawn(request, &prepared), prepared))
    }

    /// The same for the decision alone: no program is asked anything.
    ///
    /// # Errors
    /// As there.
    pub async fn judged(&self, request: &CallRequest) -> Result<(Request, Prepared), Refusal> {
        let mut attempt = Attempt::new();
        let prepared = self.prepare(request, Purpose::Show, &mut attempt).await?;
        Ok((self.drawn(request, &prepared), prepared))
    }

    fn drawn(&self, request: &CallRequest, prepared: &Prepared) -> Request {
        let sketch = self.sketch(prepared);
        let past = self.past_of_preview(request, prepared, &sketch);
        self.request(prepared, card::stdin_of(request), sketch, &past)
    }

    async fn try_exec(
        &self,
        request: &CallRequest,
        attempt: &mut Attempt,
    ) -> Result<CallResult, Refusal> {
        let prepared = self.prepare(request, Purpose::Run, attempt).await?;
        match prepared.answer.decision {
            Decision::Deny => Err(Refusal::denied(&prepared.answer)),
            Decision::Allow => {
                self.may_run_unasked(&prepared).await?;
                let target = self.target(&prepared)?;
                let by = record::by_gate(&prepared.answer);
                self.run(request, &prepared, target, attempt, by, None)
                    .await
            }
            Decision::Ask => {
                // Who is connected to nothing leaves no request that nobody could use.
                if let Some(fault) = &prepared.account.fault {
                    return Err(Refusal::clone(fault));
                }
                let target = self.target(&prepared)?;
                self.ask(request, &prepared, target, attempt).await
            }
        }
    }

    pub(crate) fn key(&self) -> Result<Key, Refusal> {
        (self.ports.key)().map_err(|message| {
            Refusal::new(Code::StoreUnavailable, format!("{message}. Nothing ran."))
                .hint("hcpx doctor says what is wrong with the store")
        })
    }
}

/// One of our own types as a value: through its JSON text, so that the exact numbers of values stay.
pub(crate) fn own_value(value: &impl serde::Serialize) -> Value {
    let limits = Limits {
        bytes: usize::MAX,
        depth: 256,
    };
    serde_json::to_string(value)
        .ok()
        .and_then(|text| parse(&text, limits).ok())
        .map_or(Value::Null, |node| node.to_value())
}
