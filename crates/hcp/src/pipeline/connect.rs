//! Connecting a pack: a person signs in with the tool, and the tool's own word for who that is becomes the binding.
//!
//! It goes the same way as a call, as far as that goes: pack, grants, log, driver. Nothing is stored before the tool
//! named the account.

use super::account::{Told, said, unusable};
use super::prepare::Attempt;
use super::record;
use super::refusal::Refusal;
use super::result::RunOutput;
use super::{Hcp, account::Account};
use crate::audit::Flush;
use crate::bindings::PackBinding;
use crate::driver::{OutputMode, RenderedCall, RunResult};
use crate::event::{Detail, Event, PackAct};
use crate::packs::InstalledPack;
use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::grants::{Act, ActKind};
use hcp_core::mode::Decision;
use hcp_core::names::PackId;
use hcp_core::policy::{Land, Operation};
use hcp_core::text::{SafeText, quoted};
use hcp_pack::Connect;
use std::time::Duration;

/// How a person signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Login {
    /// Where the tool's output goes. With [`OutputMode::Inherit`] or [`OutputMode::Aside`] it gets the terminal, and
    /// else a closed standard input.
    pub output: OutputMode,
    /// How long it may take; `None` for as long as it likes.
    pub timeout: Option<Duration>,
}

/// A pack that was connected.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Connected {
    /// The pack.
    pub pack: PackId,
    /// The account.
    pub identity: String,
    /// The account before.
    pub was: Option<String>,
    /// What the tool gave when it signed in.
    pub login: RunOutput,
    /// How many requests of the account before were ended.
    pub ended: usize,
}

/// A pack whose account was forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forgotten {
    /// The account that it was connected as.
    pub was: String,
    /// How many requests of that account were ended.
    pub ended: usize,
}

impl Hcp {
    /// Connects a pack for this scope's Principal: runs its `connect.cli`, then its `connect.identity`, and keeps what
    /// that names.
    ///
    /// # Errors
    /// `human_only` inside an agent, `usage` for a pack that acts for no account, `not_authorized` without
    /// `pack.connect`, what the tool's sign-in comes to, `not_connected` where the account cannot be told, a log or a
    /// store that cannot be used. Nothing is stored then.
    pub async fn connect(&self, pack: &str, login: Login) -> Result<Connected, Refusal> {
        let mut attempt = Attempt::default();
        let done = self.try_connect(pack, login, &mut attempt).await;
        done.map_err(|refusal| self.refused_connect(&attempt, refusal))
    }

    /// Takes this Principal's binding of a pack away, and ends the requests that were made under it. The tool itself
    /// stays signed in.
    ///
    /// # Errors
    /// As [`Hcp::connect`]; `not_connected` where there is none.
    pub async fn disconnect(&self, pack: &str) -> Result<Forgotten, Refusal> {
        let mut attempt = Attempt::default();
        let done = self.try_disconnect(pack, &mut attempt).await;
        done.map_err(|refusal| self.refused_connect(&attempt, refusal))
    }

    async fn try_connect(
        &self,
        pack: &str,
        login: Login,
        attempt: &mut Attempt,
    ) -> Result<Connected, Refusal> {
        let (installed, connect) = self.to_connect(pack, attempt).await?;
        let pack = &installed.pack.id;
        let login = self.sign_in(&installed, &connect, login).await?;
        let told = self.identity(&installed, None).await.map_err(|why| {
            let mut refusal = self.not_connected(
                pack,
                format!("As whom {pack} is connected cannot be told: {why}"),
                "the identity cannot be told",
            );
            refusal.message = refusal
                .message
                .replace("Nothing ran.", "Nothing was stored.");
            refusal.hint(format!(
                "see that the tool is signed in, then: hcpx connect {pack}"
            ))
        })?;
        let Told { identity, from } = told;
        let before = self.ports.bindings.get(&self.scope.whose(pack));
        let before = before.map_err(|e| not_stored(unusable(&e)))?;
        let was = before.map(|b| b.identity);
        attempt.binding = Some(identity.clone());
        let said = match &was {
            Some(was) if *was != identity => format!("was {}", SafeText::line(was)),
            Some(_) => "the same account".to_owned(),
            None => "connected".to_owned(),
        };
        // What was asked for under the other account ends first: should this stop half-way, less runs and not more.
        let ended = match &was {
            Some(was) if *was != identity => self.end_requests(pack, None).map_err(not_stored)?,
            Some(_) | None => 0,
        };
        self.record_connect(attempt, Some(installed.pack.digest), &said)?;
        let binding = PackBinding {
            tenant: self.scope.tenant.clone(),
            principal: self.scope.principal.id.clone(),
            pack: pack.clone(),
            identity: identity.clone(),
            told_by: connect.identity,
            told_from: from,
            connected_at: self.ports.clock.now().wall,
        };
        let kept = self.ports.bindings.set(&binding);
        kept.map_err(|e| not_stored(unusable(&e)))?;
        Ok(Connected {
            pack: pack.clone(),
            identity,
            was,
            login,
            ended,
        })
    }

    async fn try_disconnect(
        &self,
        pack: &str,
        attempt: &mut Attempt,
    ) -> Result<Forgotten, Refusal> {
        if self.scope.inside_agent() {
            return Err(self.refused_to_agent());
        }
        let Some(id) = PackId::new(pack) else {
            return Err(self.unknown_pack(pack));
        };
        // Nothing of the pack is run, so a pack that may not run is no reason to keep its account.
        let installed = self.find_pack(pack, attempt);
        self.may_connect(&id).await?;
        let whose = self.scope.whose(&id);
        let bindings = &self.ports.bindings;
        let found = bindings.get(&whose).map_err(|e| not_stored(unusable(&e)))?;
        let Some(found) = found.filter(|b| b.is_of(&whose)) else {
            let installed = installed?;
            connect_of(&installed)?;
            return Err(no_account(&id));
        };
        attempt.pack = Some(id.to_string());
        attempt.binding = Some(found.identity.clone());
        let ended = self.end_requests(&id, None).map_err(not_stored)?;
        let digest = installed.ok().map(|installed| installed.pack.digest);
        self.record_connect(attempt, digest, "forgotten")?;
        let gone = bindings.forget(&whose);
        gone.map_err(|e| not_stored(unusable(&e)))?;
        Ok(Forgotten {
            was: found.identity,
            ended,
        })
    }

    /// The pack, and whether this Principal may connect it: told before anything runs.
    async fn to_connect(
        &self,
        pack: &str,
        attempt: &mut Attempt,
    ) -> Result<(std::sync::Arc<InstalledPack>, Connect), Refusal> {
        if self.scope.inside_agent() {
            return Err(self.refused_to_agent());
        }
        let installed = self.find_pack(pack, attempt)?;
        let connect = connect_of(&installed)?;
        self.may_connect(&installed.pack.id).await?;
        Ok((installed, connect))
    }

    /// Whether this Principal may say as whom a pack acts, and whether that can be recorded.
    async fn may_connect(&self, pack_id: &PackId) -> Result<(), Refusal> {
        let act = Act {
            pack_id,
            verb_key: None,
            operation: Operation::Write,
            land: Land::Personal,
            kind: ActKind::Connect,
        };
        // The binding is this Principal's own, or is to be.
        self.authorise(act, &Account::default())
            .await
            .map_err(not_stored)?;
        let ready = self.ports.audit.ready();
        ready.map_err(|e| not_stored(record::unavailable(&e)))
    }

    async fn sign_in(
        &self,
        installed: &InstalledPack,
        connect: &Connect,
        login: Login,
    ) -> Result<RunOutput, Refusal> {
        let target = self.tool(installed, &connect.cli, &[]);
        let call = RenderedCall {
            timeout: login.timeout.filter(|t| !t.is_zero()),
            output: login.output,
            ..self.plain_call(&connect.cli, target.map_err(not_stored)?)
        };
        let name = quoted(connect.cli.first().map(String::as_str).unwrap_or_default());
        let (code, why) = match self.ports.driver.run(&call).await {
            RunResult::Exited(ended) if ended.exit_code() == 0 => {
                return Ok(RunOutput {
                    exit_code: Some(0),
                    ended,
                });
            }
            RunResult::Exited(ended) => (
                Code::CommandFailed,
                format!(
                    "{name} ended with {}{}",
                    ended.exit_code(),
                    said(&ended.stderr)
                ),
            ),
            RunResult::TimedOut(ended) => (
                Code::Timeout,
                format!("{name} was ended after {} s", ended.duration.as_secs()),
            ),
            RunResult::SpawnFailed { message } => (Code::SpawnFailed, message),
        };
        let id = &installed.pack.id;
        Err(Refusal::new(
            code,
            format!("The pack {id} was not connected: {why}. Nothing was stored."),
        )
        .log("the sign-in failed")
        .hint(format!("hcpx connect {id} tries again, best in a terminal")))
    }

    fn connect_event(&self, attempt: &Attempt, reason: &str) -> Event {
        let detail = Detail::Pack {
            act: PackAct::Connect,
            before: None,
            after: None,
        };
        let mut event = self.event(attempt, detail);
        event.call = None;
        event.reason = Some(reason.to_owned());
        event
    }

    fn record_connect(
        &self,
        attempt: &Attempt,
        after: Option<Digest>,
        reason: &str,
    ) -> Result<(), Refusal> {
        let mut event = self.connect_event(attempt, reason);
        event.detail = Detail::Pack {
            act: PackAct::Connect,
            before: None,
            after,
        };
        let recorded = self.ports.audit.record(&event, Flush::Now);
        recorded
            .map(drop)
            .map_err(|e| not_stored(record::unavailable(&e)).recorded())
    }

    /// A refusal to connect is recorded as every other; one that cannot be says so.
    fn refused_connect(&self, attempt: &Attempt, mut refusal: Refusal) -> Refusal {
        if refusal.is_recorded || refusal.code == Code::Usage {
            return refusal;
        }
        let mut event = self.connect_event(attempt, &refusal.log_reason);
        event.decision = Some(Decision::Deny);
        event.code = Some(refusal.code);
        if let Err(e) = self.ports.audit.record(&event, Flush::Now) {
            let told = format!(" It could not be recorded: {e}.");
            refusal.message.push_str(&told);
        }
        refusal
    }

    /// An agent that signs in for its person is refused and recorded like one that answers for them.
    fn refused_to_agent(&self) -> Refusal {
        let detail = Detail::Refused {
            act: "connect".to_owned(),
        };
        let mut event = self.event(&Attempt::default(), detail);
        event.call = None;
        match self.ports.audit.record(&event, Flush::Now) {
            Ok(_) => Refusal::new(
                Code::HumanOnly,
                "This process is inside an agent, and only a person connects a pack to an account. Nothing changed.",
            )
            .recorded(),
            Err(e) => record::unavailable(&e).recorded(),
        }
    }
}

/// How a person signs in with a pack.
fn connect_of(installed: &InstalledPack) -> Result<Connect, Refusal> {
    let id = &installed.pack.id;
    installed.pack.connect.clone().ok_or_else(|| {
        Refusal::new(
            Code::Usage,
            format!("The pack {id} needs no connecting: it acts for no account."),
        )
        .hint(format!("hcpx commands {id} shows what it can do as it is"))
    })
}

fn no_account(pack: &PackId) -> Refusal {
    Refusal::new(
        Code::NotConnected,
        format!("The pack {pack} is connected to no account, so there is none to forget."),
    )
    .log("not connected")
    .hint(format!("hcpx connect {pack} connects it"))
}

/// The same refusal of an act that runs no command.
fn not_stored(mut refusal: Refusal) -> Refusal {
    refusal.message = refusal
        .message
        .replace(" Nothing ran", " Nothing was stored");
    refusal
}
