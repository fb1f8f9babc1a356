//! The set-up of `hcpx` on one machine: the home, who calls, the settings, packs, store and log, and
//! the pipeline over them. Everything is opened only when it is needed.

mod packs;
mod requests;
mod told;

pub use packs::{Connection, Loaded};
pub use requests::Judged;

use crate::agent::AgentStatus;
use crate::audit::{AuditError, AuditLog, AuditOptions, AuditSink};
use crate::bindings::FileBindings;
use crate::clock::{Clock, SystemClock};
use crate::driver::{Driver, ProcessDriver};
use crate::event::{Detail, Event, Via};
use crate::fsutil::PATIENCE;
use crate::home::{Home, HomeError};
use crate::pipeline::prepare::store_protected;
use crate::pipeline::{Hcp, OpenKept, Ports, Refusal, Scope};
use crate::platform::{Account, Environment};
use crate::ports::ByGrants;
use crate::protect::Protected;
use crate::settings::{
    OPERATOR_FILE, ReadPlan, SettingsError, card_rules, folders_of, project_of, read_grants,
    read_layers,
};
use crate::store::{ApprovalStore, SqliteStore, StoreError};
use hcp_core::code::Code;
use hcp_core::diagnostic::Diagnostic;
use hcp_core::grants::{
    Act, ActKind, Actor, GrantFile, GrantIndex, default_authorize, permissive_grants,
};
use hcp_core::json::Value;
use hcp_core::mode::Decision;
use hcp_core::moment::Moment;
use hcp_core::names::{CommandName, PackId, VerbKey};
use hcp_core::policy::{CallPolicy, Land, Operation};
use hcp_core::principal::{Principal, PrincipalKind};
use hcp_core::settings::{Effective, Layers};
use hcp_core::text::safe;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use told::{Remembering, Told};

/// The tenant of a store on one machine.
pub const TENANT: &str = "local";

/// Where a process stands: home, caller, folder. Cheap to make; it reads no settings.
#[derive(Clone)]
pub struct Place {
    /// The store's folder.
    pub home: Home,
    /// Whether this is inside an agent.
    pub agent: AgentStatus,
    /// The process's variables.
    pub environment: Environment,
    /// The working directory.
    pub cwd: PathBuf,
    via: Via,
    user: String,
    clock: Arc<dyn Clock>,
    program: Option<PathBuf>,
    /// Further folders whose project's rules count.
    folders: Vec<PathBuf>,
    /// The Principal whose call is looked at, where that is not this process's own.
    acting: Option<Principal>,
    /// What tools told lately of their accounts, and whether that serves here.
    told: Told,
    lately: bool,
}

impl Place {
    /// The place of this process.
    ///
    /// # Errors
    /// No home, a home that an agent brought along, a working directory that is gone.
    pub fn find(via: Via) -> Result<Self, Refusal> {
        let agent = AgentStatus::current();
        let environment = Environment::current();
        let account = Account::current();
        let home = Home::resolve(&agent, &environment).map_err(|e| home_refusal(&e))?;
        let cwd = std::env::current_dir().map_err(|e| {
            Refusal::new(
                Code::Usage,
                format!("The working directory cannot be told: {e}."),
            )
            .hint("cd to a folder that is there")
        })?;
        Ok(Self {
            home,
            agent,
            environment,
            cwd,
            via,
            user: account.name,
            clock: Arc::new(SystemClock),
            program: None,
            folders: Vec::new(),
            acting: None,
            told: Told::default(),
            lately: false,
        })
    }

    /// The place of the outermost marked ancestor: where an act of this process is recorded when the process
    /// itself brought another home along.
    #[must_use]
    pub fn of_agent(via: Via) -> Option<Self> {
        let agent = AgentStatus::current();
        let outermost = agent.marked.last()?.variables.clone()?;
        let pairs = outermost.home.map(|home| ("HCP_HOME", home));
        let environment = Environment::from_pairs(pairs);
        let account = Account::current();
        let home =
            Home::resolve_for(&AgentStatus::outside(), &environment, Account::current).ok()?;
        Some(Self {
            home,
            agent,
            environment,
            cwd: std::env::current_dir().ok()?,
            via,
            user: account.name,
            clock: Arc::new(SystemClock),
            program: None,
            folders: Vec::new(),
            acting: None,
            told: Told::default(),
            lately: false,
        })
    }

    /// The same place in another folder.
    #[must_use]
    pub fn at(&self, cwd: PathBuf) -> Self {
        Self {
            cwd,
            ..self.clone()
        }
    }

    /// The same place under another clock: for tests and embedders.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// The same place for the `hcpx` binary at this path, which plays the demo tools.
    #[must_use]
    pub fn with_program(self, program: PathBuf) -> Self {
        Self {
            program: Some(program),
            ..self
        }
    }

    /// The same place for a list of what waits, which is drawn again and again: what a tool told of its account lately
    /// serves there. Whoever answers or runs a call asks anew.
    #[must_use]
    pub fn as_told_lately(&self) -> Self {
        Self {
            lately: true,
            ..self.clone()
        }
    }

    /// Now, on both clocks.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.clock.now()
    }

    /// Now, on the wall.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now().wall
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// Who acts: the process's user, an agent inside an agent, else a person.
    #[must_use]
    pub fn principal(&self) -> Principal {
        if let Some(asker) = &self.acting {
            return asker.clone();
        }
        let kind = if self.agent.inside {
            PrincipalKind::Agent
        } else {
            PrincipalKind::Human
        };
        Principal {
            id: self.user.clone(),
            kind,
        }
    }

    /// The project's name: its folder.
    #[must_use]
    pub fn project(&self) -> Option<String> {
        project_of(&self.cwd, &self.home).map(|p| p.display().to_string())
    }

    /// The settings file of the project that `--project` means: that of the nearest project, else of this folder.
    #[must_use]
    pub fn project_file(&self) -> PathBuf {
        project_of(&self.cwd, &self.home)
            .unwrap_or_else(|| self.cwd.clone())
            .join(".hcp/access.json")
    }

    /// An event of this process that is no call.
    #[must_use]
    pub fn event(&self, detail: Detail) -> Event {
        let mut event = Event::new(self.now(), detail);
        event.via = Some(self.via);
        event.principal = Some(self.principal());
        event.tenant = Some(TENANT.to_owned());
        event.project = self.project();
        event
    }

    /// The line of a call that was refused before it could be judged. Names that are not well-formed are
    /// left out: they may be values that slipped.
    #[must_use]
    pub fn refused_call(&self, pack: Option<&str>, command: Option<&str>, code: Code) -> Event {
        let mut event = self.event(Detail::Call);
        event.call = crate::event::new_call_id().ok();
        event.pack = pack.and_then(PackId::new).map(|id| id.to_string());
        event.command = command
            .and_then(CommandName::new)
            .map(|name| name.to_string());
        event.decision = Some(Decision::Deny);
        event.code = Some(code);
        event.reason = Some(code.as_str().to_owned());
        event.ran = Some(false);
        event
    }

    /// Reads the layers of the settings.
    ///
    /// # Errors
    /// `access_invalid`: a file that is there and cannot be read, parsed, validated or trusted.
    pub fn layers(&self) -> Result<Layers, Refusal> {
        read_layers(&self.plan()).map_err(settings_refusal)
    }

    fn plan(&self) -> ReadPlan<'_> {
        ReadPlan {
            folders: &self.folders,
            ..ReadPlan::new(&self.home, &self.cwd, &self.agent, &self.environment)
        }
    }

    /// The settings in force.
    ///
    /// # Errors
    /// As [`Place::layers`].
    pub fn effective(&self) -> Result<Effective, Refusal> {
        self.layers().map(Effective::merge)
    }

    /// Every file that settings are read from: layer, file, and a word where it is not there.
    #[must_use]
    pub fn layer_files(&self, layers: &Layers) -> Vec<(String, String, String)> {
        let user = self.home.access();
        let absent = |there: bool| {
            if there {
                String::new()
            } else {
                " (not there)".to_owned()
            }
        };
        let mut files = vec![
            (
                "operator".to_owned(),
                OPERATOR_FILE.to_owned(),
                absent(layers.operator.is_some()),
            ),
            (
                "user".to_owned(),
                user.display().to_string(),
                absent(layers.user.is_some()),
            ),
        ];
        for (name, set) in [
            ("HCP_MODE", layers.process_mode.is_some()),
            ("HCP_APPROVALS", layers.process_approvals.is_some()),
        ] {
            if set {
                files.push(("process".to_owned(), name.to_owned(), String::new()));
            }
        }
        files.extend(
            layers
                .project
                .iter()
                .map(|p| ("project".to_owned(), p.file.clone(), String::new())),
        );
        files
    }

    /// The audit log.
    #[must_use]
    pub fn audit_log(&self) -> AuditLog {
        AuditLog::new(self.home.path(), AuditOptions::default())
    }

    /// Whether the log can take a line.
    ///
    /// # Errors
    /// `audit_unavailable`.
    pub fn audit_ready(&self) -> Result<(), Refusal> {
        self.ensure_home()?;
        self.audit_log()
            .ready()
            .map_err(|e| crate::pipeline::record::unavailable(&e))
    }

    /// Records an event that is no call.
    ///
    /// # Errors
    /// `audit_unavailable`.
    pub fn record(&self, event: &Event) -> Result<(), Refusal> {
        self.ensure_home()?;
        self.audit_log()
            .record(event, crate::audit::Flush::Now)
            .map(drop)
            .map_err(|e: AuditError| crate::pipeline::record::unavailable(&e))
    }

    /// How often each rule decided among the last events, by layer and index.
    #[must_use]
    pub fn rule_counts(&self, events: usize) -> std::collections::HashMap<(String, usize), u64> {
        let filter = crate::audit::Filter {
            limit: Some(events),
            ..Default::default()
        };
        let mut counts = std::collections::HashMap::new();
        let lines = self
            .audit_log()
            .read(&filter)
            .map(|read| read.lines)
            .unwrap_or_default();
        for line in lines {
            let Some(rule) = line.get("by").and_then(|by| by.get("rule")) else {
                continue;
            };
            let layer = rule
                .get("layer")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            let Some(index) = rule
                .get("index")
                .and_then(Value::as_u64)
                .and_then(|i| usize::try_from(i).ok())
            else {
                continue;
            };
            *counts.entry((layer, index)).or_insert(0) += 1;
        }
        counts
    }

    fn ensure_home(&self) -> Result<(), Refusal> {
        self.home.ensure().map_err(|e| home_refusal(&e))
    }

    /// Opens the approval store.
    ///
    /// # Errors
    /// `store_unavailable`.
    pub fn store(&self) -> Result<Arc<dyn ApprovalStore>, StoreError> {
        open_store(&self.home, self.clock())
    }

    /// The grants in force.
    ///
    /// # Errors
    /// `access_invalid`: a grants file that is there and cannot be read or trusted.
    pub fn grants(&self) -> Result<GrantIndex, Refusal> {
        let list = match self.grant_file()? {
            None => permissive_grants(),
            Some(file) => file.of(&self.principal(), TENANT, self.project().as_deref()),
        };
        Ok(GrantIndex::new(&list))
    }

    /// Which list of grants is in force, in words.
    ///
    /// # Errors
    /// As [`Place::grants`].
    pub fn grants_in_words(&self) -> Result<String, Refusal> {
        Ok(match self.grant_file()? {
            None => "everything (there is no grants.json)".to_owned(),
            Some(file) => format!("{} of {}", file.grants.len(), self.home.grants().display()),
        })
    }

    fn grant_file(&self) -> Result<Option<GrantFile>, Refusal> {
        let read = read_grants(&self.home).map_err(|e| {
            let mut refusal = Refusal::new(e.code(), "The grants cannot be used, so nothing runs.")
                .hint("mend the places named");
            refusal.diagnostics = e.diagnostics;
            refusal
        })?;
        Ok(read.map(|sourced| sourced.body))
    }

    /// Why this Principal may not run a command at all; `None` where it may.
    #[must_use]
    pub fn not_granted(
        &self,
        grants: &GrantIndex,
        verb: &VerbKey,
        policy: CallPolicy,
    ) -> Option<String> {
        let (principal, project) = (self.principal(), self.project());
        let actor = Actor {
            principal: &principal,
            tenant_id: TENANT,
            project_id: project.as_deref(),
            grants,
        };
        let act = Act {
            pack_id: &verb.pack,
            verb_key: Some(verb),
            operation: policy.operation,
            land: policy.land,
            kind: ActKind::Exec,
        };
        let answer = default_authorize(&actor, &act);
        (!answer.allow).then(|| answer.reason.unwrap_or_default())
    }

    /// Whether this Principal may install or remove a pack.
    ///
    /// # Errors
    /// `not_authorized`.
    pub fn may_install(&self, id: &PackId) -> Result<(), Refusal> {
        let grants = self.grants()?;
        let (principal, project) = (self.principal(), self.project());
        let actor = Actor {
            principal: &principal,
            tenant_id: TENANT,
            project_id: project.as_deref(),
            grants: &grants,
        };
        let act = Act {
            pack_id: id,
            verb_key: None,
            operation: Operation::Write,
            land: Land::Personal,
            kind: ActKind::Install,
        };
        let answer = default_authorize(&actor, &act);
        if answer.allow {
            return Ok(());
        }
        let reason = answer.reason.unwrap_or_default();
        Err(Refusal::new(
            Code::NotAuthorized,
            format!("{} may not do this: {reason}.", safe(&principal.id)),
        ))
    }

    /// The pipeline of this place, under the settings as they are now.
    ///
    /// # Errors
    /// Settings or grants that cannot be used.
    pub fn hcp(&self) -> Result<Hcp, Refusal> {
        let access = Arc::new(self.effective()?);
        let rules = card_rules(&access, None).map_err(settings_refusal)?;
        let grants = Arc::new(self.grants()?);
        let (store_home, key_home, clock) = (
            self.home.clone(),
            self.home.clone(),
            Arc::clone(&self.clock),
        );
        let ports = Ports {
            packs: Arc::new(packs::StorePacks {
                folder: self.packs(),
                caller: self.caller(),
                program: self.program.clone(),
            }),
            authorize: Arc::new(ByGrants),
            store: Arc::new(move || open_store(&store_home, clock.as_ref())),
            key: Arc::new(move || key_home.key().map_err(|e| e.to_string())),
            kept: self.kept(),
            bindings: Arc::new(self.bindings()),
            audit: Arc::new(self.audit_log()),
            driver: self.driver(),
            clock: Arc::clone(&self.clock),
        };
        Ok(Hcp {
            rules: Arc::new(rules),
            ports,
            scope: self.call_scope(grants),
            access,
            session: Arc::default(),
        })
    }

    /// The accounts that packs are connected as.
    #[must_use]
    pub fn bindings(&self) -> FileBindings {
        FileBindings::new(self.home.path())
    }

    fn driver(&self) -> Arc<dyn Driver> {
        let driver = ProcessDriver::forwarding_signals();
        if self.lately {
            Arc::new(Remembering::new(driver, self.told.clone()))
        } else {
            Arc::new(driver)
        }
    }

    /// The store and its key, where they are there.
    fn kept(&self) -> OpenKept {
        let (home, clock) = (self.home.clone(), Arc::clone(&self.clock));
        Arc::new(move || {
            if !home.approvals().exists() || !home.key_file().exists() {
                return None;
            }
            let key = home.key().ok()?;
            Some((open_store(&home, clock.as_ref()).ok()?, key))
        })
    }

    /// What no call may touch inside an agent; `None` outside one.
    fn protected(&self, projects: &[PathBuf]) -> Option<Protected> {
        self.agent
            .inside
            .then(|| Protected::of(&self.home, &self.environment, projects))
    }

    /// Whether a file that a call names may be read here at all: told before it is opened.
    ///
    /// # Errors
    /// `store_protected`
    pub fn check_path(&self, path: &Path) -> Result<(), Refusal> {
        let project = project_of(&self.cwd, &self.home);
        let Some(protected) = self.protected(project.as_slice()) else {
            return Ok(());
        };
        let found = protected
            .root_of_word(path.as_os_str(), &self.cwd)
            .or_else(|| protected.root_of(path, &self.cwd));
        match found {
            None => Ok(()),
            Some(root) => Err(store_protected(&root)),
        }
    }

    /// Whether a command of hcpx itself may write to a file: never into the store or beside a project's settings,
    /// whoever asks.
    ///
    /// # Errors
    /// `store_protected`
    pub fn check_written(&self, path: &Path) -> Result<(), Refusal> {
        let project = project_of(&self.cwd, &self.home);
        let protected = Protected::of(&self.home, &self.environment, project.as_slice());
        match protected.root_of(path, &self.cwd) {
            None => Ok(()),
            Some(root) => Err(Refusal::new(
                Code::StoreProtected,
                format!(
                    "{} is in {}, which only the commands for it change. Nothing was written.",
                    hcp_core::text::safe(&path.display().to_string()),
                    hcp_core::text::safe(&root.display().to_string())
                ),
            )
            .hint("name a folder outside the store; hcpx packs accept ID takes a changed pack")),
        }
    }

    fn call_scope(&self, grants: Arc<GrantIndex>) -> Scope {
        let project = project_of(&self.cwd, &self.home);
        Scope {
            principal: self.principal(),
            tenant: TENANT.to_owned(),
            project: project.as_ref().map(|p| p.display().to_string()),
            grants,
            via: self.via,
            cwd: self.cwd.clone(),
            folders: folders_of(&self.plan()),
            protected: self.protected(project.as_slice()),
            bin: self.home.bin(),
            environment: self.environment.clone(),
        }
    }
}

fn open_store(home: &Home, clock: &dyn Clock) -> Result<Arc<dyn ApprovalStore>, StoreError> {
    let store: Arc<dyn ApprovalStore> = Arc::new(SqliteStore::open(home.path(), PATIENCE, clock)?);
    Ok(store)
}

/// Settings that cannot be used.
fn settings_refusal(error: SettingsError) -> Refusal {
    let mut refusal = Refusal::new(
        error.code(),
        "The settings cannot be used, so nothing runs.",
    )
    .hint(mend(&error.diagnostics));
    refusal.diagnostics = error.diagnostics;
    refusal
}

/// The line to run once what is named was mended.
fn mend(places: &[Diagnostic]) -> String {
    let file = places.iter().map(|p| &p.file).find(|f| f.starts_with('/'));
    match (file, places.first()) {
        (Some(file), _) => format!(
            "mend the places named, then: hcpx access check {}",
            hcp_pack::template::shell_line(std::slice::from_ref(file))
        ),
        (None, Some(variable)) => format!("set {} to what it may be, or unset it", variable.file),
        (None, None) => "hcpx doctor says what is wrong with the set-up".to_owned(),
    }
}

/// A home that cannot be used.
fn home_refusal(error: &HomeError) -> Refusal {
    Refusal::new(
        error.code(),
        format!(
            "{}.",
            crate::pipeline::refusal::sentence(&error.to_string())
        ),
    )
    .hint(error.hint())
}
