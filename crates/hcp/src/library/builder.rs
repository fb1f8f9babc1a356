//! Putting the ports together.

use super::Hcp;
use super::sink::Callback;
use crate::agent::AgentStatus;
use crate::audit::AuditSink;
use crate::bindings::{Bindings, MemoryBindings};
use crate::clock::{Clock, SystemClock};
use crate::driver::Driver;
use crate::event::{Event, Via};
use crate::home::Home;
use crate::packs::{InstalledPack, Origin, PackError};
use crate::pipeline::{self, OpenKept, OpenKey, OpenStore, Ports, Scope, Session};
use crate::platform::{Account, Environment};
use crate::ports::{Authorize, ByGrants, PackSource};
use crate::protect::Protected;
use crate::settings::{self, SettingsError};
use crate::store::{ApprovalStore, SqliteStore, StoreError};
use hcp_card::{Rules, SessionRule, SignalRule, ViewRule};
use hcp_core::canonical::Key;
use hcp_core::grants::{Grant, GrantIndex, permissive_grants};
use hcp_core::names::{PackId, did_you_mean};
use hcp_core::principal::{Principal, PrincipalKind};
use hcp_core::settings::{Effective, Layers};
use hcp_pack::Pack;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a builder makes nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Nothing would run the calls.
    #[error("no driver was given: call driver(…)")]
    NoDriver,
    /// Nothing would record the calls.
    #[error("nothing says where decisions are recorded: call audit(…) or audit_sink(…)")]
    NoAudit,
    /// Nothing is there to be called.
    #[error("no packs were given: call packs(…) or pack_source(…)")]
    NoPacks,
    /// The system gives no random bytes for a key.
    #[error("no key can be made: {0}")]
    NoKey(getrandom::Error),
    /// The view and signal rules of the settings are wrong.
    #[error(transparent)]
    Views(#[from] SettingsError),
}

/// Builds an [`Hcp`].
pub struct Builder {
    driver: Option<Arc<dyn Driver>>,
    packs: Option<Arc<dyn PackSource>>,
    access: Effective,
    session: Vec<SessionRule>,
    authorize: Arc<dyn Authorize>,
    grants: Vec<Grant>,
    audit: Option<Arc<dyn AuditSink>>,
    bindings: Arc<dyn Bindings>,
    store: Option<Arc<dyn ApprovalStore>>,
    key: Option<Key>,
    views: Option<Rules>,
    clock: Arc<dyn Clock>,
    principal: Principal,
    tenant: String,
    project: Option<String>,
    environment: Environment,
    agent: AgentStatus,
}

impl Builder {
    pub(super) fn new() -> Self {
        let agent = AgentStatus::current();
        let kind = if agent.inside {
            PrincipalKind::Agent
        } else {
            PrincipalKind::Service
        };
        Self {
            driver: None,
            packs: None,
            access: Effective::merge(Layers::default()),
            session: Vec::new(),
            authorize: Arc::new(ByGrants),
            grants: permissive_grants(),
            audit: None,
            bindings: Arc::new(MemoryBindings::new()),
            store: None,
            key: None,
            views: None,
            clock: Arc::new(SystemClock),
            principal: Principal {
                id: Account::current().name,
                kind,
            },
            tenant: "local".to_owned(),
            project: None,
            environment: Environment::current(),
            agent,
        }
    }

    /// What runs commands.
    #[must_use]
    pub fn driver(mut self, driver: impl Driver + 'static) -> Self {
        self.driver = Some(Arc::new(driver));
        self
    }

    /// The packs that can be called.
    #[must_use]
    pub fn packs(self, packs: impl IntoIterator<Item = Pack>) -> Self {
        self.pack_source(Arc::new(Fixed::new(packs)))
    }

    /// Where packs come from.
    #[must_use]
    pub fn pack_source(mut self, packs: Arc<dyn PackSource>) -> Self {
        self.packs = Some(packs);
        self
    }

    /// The settings in force; without them the mode is `auto`, with no rule.
    #[must_use]
    pub fn access(mut self, access: Effective) -> Self {
        self.access = access;
        self
    }

    /// Rules that [`Hcp::answer`] gave, kept since; see [`Hcp::with_session`].
    #[must_use]
    pub fn session(mut self, rules: impl IntoIterator<Item = SessionRule>) -> Self {
        self.session.extend(rules);
        self
    }

    /// View and signal rules of the host's own, by which the cards of commands without a preview are made. They stand
    /// ahead of those in the [settings](Self::access), and these ahead of the built-in ones.
    ///
    /// ```
    /// use hcp_card::ViewRule;
    /// use hcp_core::json::{self, Limits};
    ///
    /// let text = r#"{
    ///     "kind": "payment", "when": { "command": ["tip"], "args": ["amount"] },
    ///     "fields": { "amount": ["amount"], "to": ["waiter"] }, "title": "Tip {{waiter}}"
    /// }"#;
    /// let mut faults = Vec::new();
    /// let tips = ViewRule::parse(&json::parse(text, Limits::default())?, &mut faults);
    /// assert!(faults.is_empty());
    /// let builder = hcp::Hcp::builder().views(tips.into_iter().collect(), Vec::new());
    /// # let _ = builder;
    /// # Ok::<(), hcp_core::diagnostic::Fault>(())
    /// ```
    #[must_use]
    pub fn views(mut self, rules: Vec<ViewRule>, signals: Vec<SignalRule>) -> Self {
        self.views = Some(Rules::of(rules, signals));
        self
    }

    /// What says whether a Principal may act at all, in the place of [`default_authorize`](crate::default_authorize).
    /// One that panics says no.
    #[must_use]
    pub fn authorize(mut self, authorize: impl Authorize + 'static) -> Self {
        self.authorize = Arc::new(authorize);
        self
    }

    /// The Principal's grants, for the default authoriser. Without them it may do everything
    /// ([`permissive_grants`]), which is wrong for anything with more than one tenant.
    #[must_use]
    pub fn grants(mut self, grants: &[Grant]) -> Self {
        self.grants = grants.to_vec();
        self
    }

    /// As which accounts packs are connected, for packs that act for one; without it, kept in this process's memory
    /// from [`Hcp::connect`] on.
    #[must_use]
    pub fn bindings(mut self, bindings: Arc<dyn Bindings>) -> Self {
        self.bindings = bindings;
        self
    }

    /// Where requests and approvals are kept; without it, in this process's memory. Kept longer they need the
    /// same [`key`](Self::key) each time.
    #[must_use]
    pub fn approvals(mut self, store: Arc<dyn ApprovalStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// The key of bindings; without it, a random one.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// Takes each event. A call whose event it does not take does not run.
    #[must_use]
    pub fn audit<E: Display + 'static>(
        self,
        write: impl Fn(&Event) -> Result<(), E> + Send + Sync + 'static,
    ) -> Self {
        self.audit_sink(Arc::new(Callback::new(write)))
    }

    /// Where decisions are recorded.
    #[must_use]
    pub fn audit_sink(mut self, sink: Arc<dyn AuditSink>) -> Self {
        self.audit = Some(sink);
        self
    }

    /// What time it is.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Who acts; without it, the process's user as a service.
    #[must_use]
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = principal;
        self
    }

    /// The tenant; without it `local`.
    #[must_use]
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = tenant.into();
        self
    }

    /// The project.
    #[must_use]
    pub fn project(mut self, project: impl Into<String>) -> Self {
        self.project = Some(project.into());
        self
    }

    /// Takes the caller for an agent whatever this process is: for a server that only agents talk to.
    #[must_use]
    pub fn within(mut self, server: &str) -> Self {
        self.agent = self.agent.within(server);
        self
    }

    /// The access layer.
    ///
    /// # Errors
    /// What is missing.
    pub fn build(self) -> Result<Hcp, BuildError> {
        let key = match self.key {
            Some(key) => key,
            None => random_key().map_err(BuildError::NoKey)?,
        };
        let rules = Arc::new(settings::card_rules(&self.access, self.views.as_ref())?);
        let store = Arc::new(Store::of(self.store));
        let kept_store = Arc::clone(&store);
        let kept_key = key.clone();
        let open_store: OpenStore = Arc::new(move || store.open());
        let open_key: OpenKey = Arc::new(move || Ok(key.clone()));
        let kept: OpenKept = Arc::new(move || Some((kept_store.made()?, kept_key.clone())));
        let ports = Ports {
            packs: self.packs.ok_or(BuildError::NoPacks)?,
            authorize: self.authorize,
            store: open_store,
            key: open_key,
            kept,
            bindings: self.bindings,
            audit: self.audit.ok_or(BuildError::NoAudit)?,
            driver: self.driver.ok_or(BuildError::NoDriver)?,
            clock: self.clock,
        };
        let scope = Scope {
            principal: self.principal,
            tenant: self.tenant,
            project: self.project,
            grants: Arc::new(GrantIndex::new(&self.grants)),
            via: Via::Library,
            cwd: std::env::current_dir().unwrap_or_else(|_| "/".into()),
            folders: Vec::new(),
            protected: self
                .agent
                .inside
                .then(|| protected(&self.agent, &self.environment)),
            bin: "/nonexistent".into(),
            environment: self.environment,
        };
        Ok(Hcp(pipeline::Hcp {
            ports,
            scope,
            session: Arc::new(Session::default().with(&self.access, self.session)),
            access: Arc::new(self.access),
            rules,
        }))
    }
}

/// The store of a program: its own, or one in memory that is made when the first call asks.
struct Store(Mutex<Option<Arc<dyn ApprovalStore>>>);

impl Store {
    fn of(given: Option<Arc<dyn ApprovalStore>>) -> Self {
        Self(Mutex::new(given))
    }

    fn open(&self) -> Result<Arc<dyn ApprovalStore>, StoreError> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = slot.as_ref() {
            return Ok(Arc::clone(store));
        }
        let made: Arc<dyn ApprovalStore> = Arc::new(SqliteStore::in_memory()?);
        *slot = Some(Arc::clone(&made));
        Ok(made)
    }

    fn made(&self) -> Option<Arc<dyn ApprovalStore>> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.clone()
    }
}

fn random_key() -> Result<Key, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(Key::new(bytes))
}

/// What no call inside an agent may touch: the store of this machine's `hcpx`, should there be one.
fn protected(agent: &AgentStatus, environment: &Environment) -> Protected {
    match Home::resolve(agent, environment) {
        Ok(home) => Protected::of(&home, environment, &[]),
        Err(_) => Protected::new("/etc/hcp".as_ref(), &[], &[]),
    }
}

/// Packs that stay as they were given.
struct Fixed(BTreeMap<PackId, Arc<InstalledPack>>);

impl Fixed {
    fn new(packs: impl IntoIterator<Item = Pack>) -> Self {
        let packs = packs.into_iter().map(|pack| {
            let origin = Origin::Copied(pack.id.as_str().into());
            (pack.id.clone(), Arc::new(InstalledPack { pack, origin }))
        });
        Self(packs.collect())
    }
}

impl PackSource for Fixed {
    fn load(&self, id: &PackId) -> Result<Arc<InstalledPack>, PackError> {
        self.0.get(id).cloned().ok_or_else(|| PackError::Unknown {
            name: id.to_string(),
            did_you_mean: did_you_mean(id.as_str(), self.0.keys().map(PackId::as_str))
                .map(str::to_owned),
            bundled: false,
        })
    }

    fn ids(&self) -> Result<Vec<PackId>, PackError> {
        Ok(self.0.keys().cloned().collect())
    }
}

/// What [`with_access`] puts around a driver.
pub struct AccessOptions {
    /// The packs that can be called.
    pub packs: Vec<Pack>,
    /// The settings in force.
    pub access: Effective,
    /// Where decisions are recorded.
    pub audit: Arc<dyn AuditSink>,
}

/// Any driver gets modes, rules, approvals, cards and audit in one line; the [builder](Hcp::builder) takes more.
///
/// ```
/// use hcp::audit::{AuditLog, AuditOptions};
/// # let folder = tempfile::tempdir()?;
/// # let home = folder.path();
/// let hcp = hcp::with_access(hcp::driver::ProcessDriver::new(), hcp::AccessOptions {
///     packs: vec![hcp::bundled_pack("git")?],
///     access: hcp::access(r#"{ "mode": "manual" }"#)?,
///     audit: std::sync::Arc::new(AuditLog::new(home, AuditOptions::default())),
/// })?;
/// # let _ = hcp;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`Builder::build`].
pub fn with_access(
    driver: impl Driver + 'static,
    options: AccessOptions,
) -> Result<Hcp, BuildError> {
    Hcp::builder()
        .driver(driver)
        .packs(options.packs)
        .access(options.access)
        .audit_sink(options.audit)
        .build()
}
