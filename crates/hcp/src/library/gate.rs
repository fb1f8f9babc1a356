//! The gate alone, for a host that runs commands its own way.

use super::{Hcp, IntoArgs};
use crate::driver::{Driver, RenderedCall, RunResult};
use crate::event::Event;
use crate::pipeline::{ExecOptions, Refusal, Request};
use hcp_core::code::Code;
use hcp_core::gate::Answer;
use hcp_core::mode::Decision;
use hcp_core::names::VerbKey;
use hcp_core::settings::Effective;
use hcp_pack::Pack;
use std::future::Future;
use std::pin::Pin;

/// What the gate says of a call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Gated {
    /// It may run.
    Allow(Answer),
    /// A person must say yes to this request.
    Ask(Box<Request>),
    /// It must not run.
    Deny(Answer),
}

/// Judges one call under some settings, as [`Hcp::exec`] would, and does nothing else: nothing runs, nothing is
/// recorded, and no approval is looked for.
///
/// ```
/// use hcp::{Gated, VerbKey};
///
/// let pack = hcp::bundled_pack("ledger")?;
/// let verb = VerbKey::parse("ledger.transfer").ok_or("a verb key")?;
/// let access = hcp::access(r#"{ "mode": "run" }"#)?;
/// let args = r#"{ "amount": "2.80", "payee": "demo-transit" }"#;
/// assert!(matches!(hcp::gate_command(&pack, &verb, args, &access)?, Gated::Ask(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A command that the pack has not, and arguments that do not fit it.
pub fn gate_command(
    pack: &Pack,
    verb_key: &VerbKey,
    args: impl IntoArgs,
    access: &Effective,
) -> Result<Gated, Refusal> {
    let invalid = |e: String| Refusal::new(Code::InvalidArgs, format!("{e}. Nothing ran."));
    let hcp = Hcp::builder()
        .driver(Nothing)
        .packs([pack.clone()])
        .access(access.clone())
        .audit(|_: &Event| Ok::<(), String>(()))
        .build()
        .map_err(|e| Refusal::new(Code::Internal, format!("{e}. Nothing ran.")))?;
    let command = verb_key.command.as_str();
    let call = super::call(
        verb_key.pack.as_str(),
        command,
        args,
        ExecOptions::default(),
    )
    .map_err(|e| invalid(e.to_string()))?;
    let (mut request, _) = pollster::block_on(hcp.pipeline().judged(&call))?;
    // As whom the call acts is for the host that runs it.
    request.not_connected = None;
    let answer = request.answer.clone();
    Ok(match answer.decision {
        Decision::Allow => Gated::Allow(answer),
        Decision::Ask => Gated::Ask(Box::new(request)),
        Decision::Deny => Gated::Deny(answer),
    })
}

/// A driver for what is only judged.
struct Nothing;

impl Driver for Nothing {
    fn run<'a>(
        &'a self,
        _call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        Box::pin(std::future::ready(RunResult::SpawnFailed {
            message: "calls are only judged here".to_owned(),
        }))
    }

    fn runs_programs(&self) -> bool {
        false
    }
}
