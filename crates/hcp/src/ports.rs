//! The ports of the pipeline: what an embedder may replace.

use crate::packs::{InstalledPack, PackError};
use hcp_core::grants::{Act, Actor, Authorization, DenialCode, default_authorize};
use hcp_core::names::PackId;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

/// A future that a port gives back; the port's methods stay object-safe this way.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where packs come from.
pub trait PackSource: Send + Sync {
    /// The pack with this id, checked against what was installed.
    ///
    /// # Errors
    /// No such pack, a changed one, one that cannot be read.
    fn load(&self, id: &PackId) -> Result<Arc<InstalledPack>, PackError>;

    /// The ids of all packs, sorted.
    ///
    /// # Errors
    /// The list of packs cannot be read.
    fn ids(&self) -> Result<Vec<PackId>, PackError>;
}

/// May a Principal act at all. Asked before the gate; modes, rules and approvals come after it.
pub trait Authorize: Send + Sync {
    /// Judges one act of one Principal.
    fn authorize<'a>(&'a self, actor: Actor<'a>, act: Act<'a>) -> Later<'a, Authorization>;
}

/// What an authoriser says; one that panics, while it is asked or while it thinks, says no.
pub(crate) async fn authorized<'a>(
    authorize: &'a dyn Authorize,
    actor: Actor<'a>,
    act: Act<'a>,
) -> Authorization {
    let failed = |_| {
        Authorization::deny(
            DenialCode::AuthorizerFailed,
            "the authoriser failed, so nothing is authorised",
        )
    };
    let asked = catch_unwind(AssertUnwindSafe(|| authorize.authorize(actor, act)));
    let mut thinking = match asked {
        Ok(thinking) => thinking,
        Err(panic) => return failed(panic),
    };
    poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| thinking.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(failed(panic)))
    })
    .await
}

/// The default: the actor's grants, by [`default_authorize`].
#[derive(Debug, Clone, Copy, Default)]
pub struct ByGrants;

impl Authorize for ByGrants {
    fn authorize<'a>(&'a self, actor: Actor<'a>, act: Act<'a>) -> Later<'a, Authorization> {
        Box::pin(std::future::ready(default_authorize(&actor, &act)))
    }
}
