//! The library's front: a runtime of one's own gets modes, rules, approvals, grants and audit.
//!
//! It only puts ports together; every call goes through the one [pipeline](crate::pipeline). Nothing here reads
//! settings files: whoever embeds it says what is in force.

mod args;
mod builder;
mod gate;
mod sink;

pub use args::{ArgsError, IntoArgs};
pub use builder::{AccessOptions, BuildError, Builder, with_access};
pub use gate::{Gated, gate_command};

use crate::packs::{self, PackError};
use crate::pipeline::{
    self, CallArgs, CallRequest, CallResult, Connected, ExecOptions, Forgotten, Login, Refusal,
    Request,
};
use crate::settings::{self, SettingsError};
use hcp_card::{OptionKind as Answer, SessionRule};
use hcp_core::names::did_you_mean;
use hcp_core::settings::{Effective, Layers, Sourced};
use hcp_pack::Pack;

/// The access layer in a program of one's own.
///
/// ```
/// use hcp::driver::{Driver, RenderedCall, RunResult};
/// use hcp::{Approval, Code, ExecOptions, Hcp, access, bundled_pack};
/// # use hcp::driver::{Captured, Ended};
/// # use std::{future::Future, pin::Pin, time::Duration};
///
/// struct MyDriver;
/// impl Driver for MyDriver {
///     fn run<'a>(&'a self, call: &'a RenderedCall) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
///         // … send call.words to where they run …
/// #       Box::pin(std::future::ready(RunResult::Exited(Ended {
/// #           code: Some(0), signal: None, stdout: Captured::default(), stderr: Captured::default(),
/// #           duration: Duration::ZERO,
/// #       })))
///     }
///     fn runs_programs(&self) -> bool {
///         false
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let hcp = Hcp::builder()
///     .driver(MyDriver)
///     .packs([bundled_pack("ledger")?])
///     .access(access(r#"{ "mode": "auto", "approvals": "human" }"#)?)
///     .audit(|event| {
///         // One JSON object for each decision: write it where it lasts.
///         let _line = event.to_object();
///         Ok::<(), std::io::Error>(())
///     })
///     .build()?;
///
/// let args = r#"{ "amount": "2.80", "payee": "demo-transit" }"#;
/// let res = pollster::block_on(hcp.exec("ledger", "transfer", args))?;
/// assert_eq!(res.code, Code::ConfirmRequired);
/// let request = res.approval.ok_or("a request")?;
/// assert_eq!(request.card.cli, "ledger transfer 2.80 --to demo-transit --confirm");
///
/// // After the person presses Approve in your own UI:
/// let yes = ExecOptions { approval: Some(Approval::by_human("ui-1")), ..ExecOptions::default() };
/// let res = pollster::block_on(hcp.exec_with("ledger", "transfer", args, yes.clone()))?;
/// # // Inside an agent no host's word counts.
/// # if hcp.is_inside_agent() { assert_eq!(res.code, Code::HumanOnly); return Ok(()); }
/// assert_eq!(res.code, Code::Ok);
/// let again = pollster::block_on(hcp.exec_with("ledger", "transfer", args, yes))?;
/// assert_eq!(again.code, Code::ApprovalUsed);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Hcp(pipeline::Hcp);

impl Hcp {
    /// A builder.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// Runs one command through the pipeline. A refusal is a result, too.
    ///
    /// # Errors
    /// Arguments that are no JSON object.
    pub async fn exec(
        &self,
        pack: &str,
        command: &str,
        args: impl IntoArgs,
    ) -> Result<CallResult, ArgsError> {
        self.exec_with(pack, command, args, ExecOptions::default())
            .await
    }

    /// Like [`Hcp::exec`], with what the caller says of an approval, a time limit and the like.
    ///
    /// # Errors
    /// As there.
    pub async fn exec_with(
        &self,
        pack: &str,
        command: &str,
        args: impl IntoArgs,
        options: ExecOptions,
    ) -> Result<CallResult, ArgsError> {
        let request = call(pack, command, args, options)?;
        Ok(self.0.exec(&request).await)
    }

    /// The request that a call would make: its card, before anything runs. It changes and records nothing.
    ///
    /// # Errors
    /// Arguments that are no JSON object, and within a call that cannot be judged.
    pub async fn preview(
        &self,
        pack: &str,
        command: &str,
        args: impl IntoArgs,
    ) -> Result<Result<Request, Refusal>, ArgsError> {
        let request = call(pack, command, args, ExecOptions::default())?;
        Ok(self.0.preview(&request).await.map(|(request, _)| request))
    }

    /// Connects a pack to an account for this Principal: runs what its `pack.json` says signs a person in, asks the
    /// tool who that is, and keeps the answer as the binding. It needs the grant `pack.connect`.
    ///
    /// # Errors
    /// `human_only` inside an agent, `usage` for a pack that acts for no account, `not_authorized`, a sign-in that
    /// fails, `not_connected` where the account cannot be told. Nothing is kept then.
    pub async fn connect(&self, pack: &str, login: Login) -> Result<Connected, Refusal> {
        self.0.connect(pack, login).await
    }

    /// Takes this Principal's binding of a pack away, and ends what was asked or approved under it.
    ///
    /// # Errors
    /// As [`Hcp::connect`]; `not_connected` where there is none.
    pub async fn disconnect(&self, pack: &str) -> Result<Forgotten, Refusal> {
        self.0.disconnect(pack).await
    }

    /// Keeps what a person answered in your own interface: the host sends back the kind of the answer and nothing
    /// else, under its own id of that answer.
    ///
    /// After [`Answer::AllowOnce`] the call runs once, when it is run again unchanged, with or without
    /// [`Approval::by_human`](crate::Approval::by_human) under the same id. [`Answer::AllowSession`] says the same and gives the rule of the
    /// option besides: keep it with [`Hcp::with_session`] until the session ends, and let no agent set one.
    /// [`Answer::Reject`] refuses the same call for a quarter of an hour.
    ///
    /// ```
    /// # use hcp::driver::{Captured, Driver, Ended, RenderedCall, RunResult};
    /// # use std::{future::Future, pin::Pin, time::Duration};
    /// use hcp::{Answer, Code, Hcp, access, bundled_pack};
    /// # struct MyDriver;
    /// # impl Driver for MyDriver {
    /// #     fn run<'a>(&'a self, _: &'a RenderedCall) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
    /// #         Box::pin(std::future::ready(RunResult::Exited(Ended {
    /// #             code: Some(0), signal: None, stdout: Captured::default(), stderr: Captured::default(),
    /// #             duration: Duration::ZERO,
    /// #         })))
    /// #     }
    /// #     fn runs_programs(&self) -> bool {
    /// #         false
    /// #     }
    /// # }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let hcp = Hcp::builder()
    ///     .driver(MyDriver)
    ///     .packs([bundled_pack("notes")?])
    ///     .access(access(r#"{ "mode": "manual" }"#)?)
    ///     .audit(|_| Ok::<(), std::io::Error>(()))
    ///     .build()?;
    ///
    /// let edit = |name: &str, text: &str| format!(r#"{{ "name": "{name}", "text": "{text}" }}"#);
    /// let res = pollster::block_on(hcp.exec("notes", "edit", &*edit("milk", "two litres")))?;
    /// assert_eq!(res.code, Code::ConfirmRequired);
    /// let request = res.approval.ok_or("a request")?;
    ///
    /// // The person pressed "Yes, until this session ends".
    /// # if hcp.is_inside_agent() { return Ok(()); }
    /// let kept = hcp.answer(&request, Answer::AllowSession, "ui-1")?.ok_or("a rule to keep")?;
    /// let hcp = hcp.with_session([kept]);
    /// let res = pollster::block_on(hcp.exec("notes", "edit", &*edit("milk", "three litres")))?;
    /// assert_eq!(res.code, Code::Ok);
    /// // Another note is another decision.
    /// let res = pollster::block_on(hcp.exec("notes", "edit", &*edit("keys", "under the mat")))?;
    /// assert_eq!(res.code, Code::ConfirmRequired);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An answer that was not offered, or is not offered any more since settings or pack changed; a request that is
    /// over or of another Principal; an id that was used before; `human_only` inside an agent; a store or a log that
    /// cannot be used.
    pub fn answer(
        &self,
        request: &Request,
        answer: Answer,
        ui_id: impl AsRef<str>,
    ) -> Result<Option<SessionRule>, Refusal> {
        self.0.answer(request, answer, ui_id.as_ref())
    }

    /// The same access layer with rules that [`Hcp::answer`] gave, above its settings. Each counts as long as its
    /// pack stays what it was; when the session ends, go on with the one from before.
    ///
    /// A host that judges by [`gate_command`] gives it settings with the rules ([`Effective::with_session`]), and asks
    /// [`EndsWith::holds`](crate::EndsWith::holds) of each itself.
    #[must_use]
    pub fn with_session(&self, rules: impl IntoIterator<Item = SessionRule>) -> Self {
        let mut inner = self.0.clone();
        inner.session = std::sync::Arc::new(inner.session.with(&inner.access, rules));
        Self(inner)
    }

    /// Whether this process is inside an agent, where no host's word for a person counts.
    #[must_use]
    pub fn is_inside_agent(&self) -> bool {
        self.0.scope.inside_agent()
    }

    /// The pipeline below, with its ports.
    #[must_use]
    pub fn pipeline(&self) -> &pipeline::Hcp {
        &self.0
    }
}

impl From<pipeline::Hcp> for Hcp {
    /// Over ports and a scope of one's own.
    fn from(inner: pipeline::Hcp) -> Self {
        Self(inner)
    }
}

fn call(
    pack: &str,
    command: &str,
    args: impl IntoArgs,
    options: ExecOptions,
) -> Result<CallRequest, ArgsError> {
    Ok(CallRequest {
        pack: pack.to_owned(),
        command: command.to_owned(),
        args: CallArgs::Object(args.into_args()?),
        options,
    })
}

/// Settings from the text of an `access.json`, as if a person had written it.
///
/// ```
/// let access = hcp::access(r#"{ "mode": "manual" }"#)?;
/// assert_eq!(access.mode().0, hcp::Mode::Manual);
/// assert!(hcp::access(r#"{ "mode": "fast" }"#).is_err());
/// # Ok::<(), hcp::settings::SettingsError>(())
/// ```
///
/// # Errors
/// Every fault with its line and column.
pub fn access(text: &str) -> Result<Effective, SettingsError> {
    let body = settings::parse("access", text.as_bytes())?;
    Ok(Effective::merge(Layers {
        user: Some(Sourced {
            file: "access".to_owned(),
            body,
        }),
        ..Layers::default()
    }))
}

/// One of the packs that the library brings, by its id.
///
/// # Errors
/// No such pack.
pub fn bundled_pack(id: &str) -> Result<Pack, PackError> {
    let known = packs::bundled();
    let found = known.iter().find(|pack| pack.id == id);
    let found = found.ok_or_else(|| PackError::NoSource {
        name: id.to_owned(),
        did_you_mean: did_you_mean(id, known.iter().map(|pack| pack.id)).map(str::to_owned),
    })?;
    Pack::read(&found.files()).map_err(PackError::Invalid)
}
