//! Packs that act for an account, with a driver of a host's own: whose binding serves whom, and what a change of the
//! account does to a card, a yes and a session's rule.

use crate::pipeline::{Rig, outside};
use hcp::bindings::{Bindings, BindingsError, MemoryBindings, PackBinding, Whose};
use hcp::driver::{Captured, Driver, Ended, OutputMode, RenderedCall, RunResult};
use hcp::event::{Detail, EventKind, PackAct};
use hcp::{
    Answer, Approval, ApprovalStore, Builder, CallResult, Code, Connected, ExecOptions, Gated,
    Grant, Hcp, Login, Pack, Refusal, VerbKey, access, gate_command,
};
use hcp_core::grants::{Capability, permissive_grants};
use hcp_core::names::PackId;
use hcp_core::principal::{Principal, PrincipalKind};
use hcp_pack::PackFiles;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const LUNCH: &str = r#"{ "to": "bo@example.org", "body": "At noon?" }"#;

fn mail(connect: &str) -> Pack {
    Pack::read(&PackFiles {
        pack: format!(r#"{{ "id": "mail", "name": "Mail", "version": "1", "summary": "Mail."{connect} }}"#).into_bytes(),
        surface: br#"{ "commands": {
            "list": { "description": "List.", "cli": ["mail", "list"] },
            "tidy": { "description": "Tidy up.", "cli": ["mail", "tidy"] },
            "share": { "description": "Tell the team.", "cli": ["mail", "share"] },
            "send": { "description": "Send a message.",
              "cli": ["mail", "send", "--to={{to}}", "--body={{body}}"],
              "args": { "type": "object", "properties": { "to": { "type": "string" }, "body": { "type": "string" } } },
              "preview": { "kind": "message", "title": "Send", "fields": { "to": "{{to}}", "body": "{{body}}" } } } } }"#
            .to_vec(),
        policy: br#"{ "commands": {
            "list": { "operation": "read" }, "tidy": { "operation": "write" },
            "share": { "operation": "write", "land": "brain" },
            "send": { "operation": "write", "confirm": "ask" } } }"#
            .to_vec(),
        ..PackFiles::default()
    })
    .unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn connected_mail() -> Pack {
    mail(r#", "connect": { "cli": ["mail", "login"], "identity": ["mail", "whoami"] }"#)
}

/// A host's driver: it knows by itself who is who.
#[derive(Clone, Default)]
struct Accounts {
    /// Of tenant and Principal.
    known: Arc<Mutex<HashMap<(String, String), String>>>,
    ran: Arc<Mutex<Vec<String>>>,
}

impl Accounts {
    fn are(&self, tenant: &str, principal: &str, account: &str) {
        let whose = (tenant.to_owned(), principal.to_owned());
        self.known.lock().unwrap().insert(whose, account.to_owned());
    }

    fn ran(&self, word: &str) -> usize {
        let ran = self.ran.lock().unwrap();
        ran.iter().filter(|ran| *ran == word).count()
    }
}

fn ended(printed: &str) -> RunResult {
    RunResult::Exited(Ended {
        code: Some(0),
        signal: None,
        stdout: Captured {
            bytes: printed.as_bytes().to_vec(),
            truncated: false,
            len: printed.len() as u64,
        },
        stderr: Captured::default(),
        duration: Duration::ZERO,
    })
}

impl Driver for Accounts {
    fn run<'a>(
        &'a self,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        let word = call.words.first().cloned().unwrap_or_default();
        self.ran.lock().unwrap().push(word);
        Box::pin(std::future::ready(ended("")))
    }

    fn identity<'a>(
        &'a self,
        whose: &'a Whose<'a>,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        assert_eq!(call.words, ["whoami"]);
        let key = (whose.tenant.to_owned(), whose.principal.to_owned());
        let known = self.known.lock().unwrap().get(&key).cloned();
        Box::pin(std::future::ready(match known {
            Some(account) => ended(&account),
            None => RunResult::SpawnFailed {
                message: "nobody is signed in".to_owned(),
            },
        }))
    }

    fn runs_programs(&self) -> bool {
        false
    }
}

struct Host {
    rig: Rig,
    accounts: Accounts,
    bindings: Arc<MemoryBindings>,
}

impl Host {
    fn new() -> Self {
        Self {
            rig: Rig::new(),
            accounts: Accounts::default(),
            bindings: Arc::new(MemoryBindings::new()),
        }
    }

    fn builder(&self, settings: &str) -> Builder {
        self.rig
            .builder(settings)
            .packs([connected_mail()])
            .driver(self.accounts.clone())
            .bindings(Arc::clone(&self.bindings) as Arc<dyn Bindings>)
    }

    fn of(&self, tenant: &str, principal: &str) -> Hcp {
        let id = principal.to_owned();
        let kind = PrincipalKind::Human;
        let builder = self.builder("{}").principal(Principal { id, kind });
        outside(builder.tenant(tenant).build().unwrap())
    }

    /// The first Principal, connected as Ana.
    fn ana(&self) -> Hcp {
        self.accounts.are("local", "u1", "ana");
        let hcp = self.of("local", "u1");
        connect(&hcp).unwrap();
        hcp
    }
}

fn connect(hcp: &Hcp) -> Result<Connected, Refusal> {
    let login = Login {
        output: OutputMode::Capture { limit: 1 << 10 },
        timeout: None,
    };
    pollster::block_on(hcp.connect("mail", login))
}

fn call(hcp: &Hcp, command: &str, args: &str, approval: Option<Approval>) -> CallResult {
    let options = ExecOptions {
        approval,
        ..ExecOptions::default()
    };
    pollster::block_on(hcp.exec_with("mail", command, args, options)).unwrap()
}

fn send(hcp: &Hcp, approval: Option<Approval>) -> CallResult {
    call(hcp, "send", LUNCH, approval)
}

fn id_of(result: &CallResult) -> String {
    assert_eq!(result.code, Code::ConfirmRequired, "{}", result.message);
    let request = result.approval.as_ref().unwrap();
    request.approval_id.clone().unwrap()
}

#[test]
fn each_principal_of_each_tenant_has_an_account_of_its_own() {
    let host = Host::new();
    let people = [
        ("t1", "u1", "ana"),
        ("t1", "u2", "ops"),
        ("t2", "u1", "eve"),
    ];
    for (tenant, principal, account) in people {
        host.accounts.are(tenant, principal, account);
        let hcp = host.of(tenant, principal);
        assert_eq!(call(&hcp, "list", "{}", None).code, Code::NotConnected);
        let done = connect(&hcp).unwrap();
        assert_eq!((done.identity.as_str(), done.was), (account, None));
    }
    for (tenant, principal, account) in people {
        let hcp = host.of(tenant, principal);
        assert_eq!(call(&hcp, "list", "{}", None).code, Code::Ok);
        assert_eq!(host.rig.last().binding.as_deref(), Some(account));
        let request = send(&hcp, None).approval.unwrap();
        assert_eq!(request.card.account.as_deref(), Some(account));
        let json = request.to_object();
        assert_eq!(json.get("as").and_then(|v| v.as_str()), Some(account));
    }
    let gone = pollster::block_on(host.of("t1", "u1").disconnect("mail")).unwrap();
    assert_eq!((gone.was.as_str(), gone.ended), ("ana", 1));
    for ((tenant, principal, _), code) in
        people.iter().zip([Code::NotConnected, Code::Ok, Code::Ok])
    {
        assert_eq!(
            call(&host.of(tenant, principal), "tidy", "{}", None).code,
            code
        );
    }
}

#[test]
fn a_connection_is_recorded_and_so_is_one_that_failed() {
    let host = Host::new();
    let hcp = host.of("local", "u1");
    let refused = connect(&hcp).unwrap_err();
    assert_eq!(refused.code, Code::NotConnected);
    assert!(
        refused.message.contains("nobody is signed in"),
        "{}",
        refused.message
    );
    let event = host.rig.last();
    assert_eq!(
        (event.code, event.kind()),
        (Some(Code::NotConnected), EventKind::Pack)
    );
    assert_eq!(call(&hcp, "tidy", "{}", None).code, Code::NotConnected);
    host.ana();
    let event = host.rig.last();
    let Detail::Pack { act, after, .. } = &event.detail else {
        panic!("{event:?}");
    };
    assert_eq!(
        (*act, *after),
        (PackAct::Connect, Some(connected_mail().digest))
    );
    assert_eq!(event.binding.as_deref(), Some("ana"));
}

#[test]
fn a_yes_is_for_one_account() {
    let host = Host::new();
    let hcp = host.ana();
    let id = id_of(&send(&hcp, None));
    host.rig.approve(&id);
    host.accounts.are("local", "u1", "ops");
    let refused = send(&hcp, None);
    assert_eq!(refused.code, Code::NotConnected);
    assert!(
        refused.message.contains("was ana, is ops"),
        "{}",
        refused.message
    );
    assert_eq!(
        host.rig.last().reason.as_deref(),
        Some("the identity changed")
    );
    host.accounts.are("local", "u1", "ana");
    assert_eq!(
        send(&hcp, Some(Approval::id(&id))).code,
        Code::ApprovalExpired
    );
    assert_eq!(host.accounts.ran("send"), 0);
}

#[test]
fn the_account_is_a_fact_that_a_yes_is_compared_by() {
    let host = Host::new();
    let hcp = host.ana();
    let id = id_of(&send(&hcp, None));
    host.rig.approve(&id);
    // Behind the back of everything that would have ended the yes.
    host.accounts.are("local", "u1", "ops");
    let pack = PackId::new("mail").unwrap();
    let (tenant, principal, project) = ("local", "u1", None);
    let whose = Whose {
        tenant,
        principal,
        project,
        pack: &pack,
    };
    let mut binding = host.bindings.get(&whose).unwrap().unwrap();
    "ops".clone_into(&mut binding.identity);
    host.bindings.set(&binding).unwrap();
    let refused = send(&hcp, Some(Approval::id(&id)));
    assert_eq!(refused.code, Code::ApprovalMismatch);
    assert!(
        refused.message.contains("identity changed"),
        "{}",
        refused.message
    );
    let asked = send(&hcp, None);
    assert_ne!(id_of(&asked), id);
    assert_eq!(host.accounts.ran("send"), 0);
    // The yes to Ana's call is still unspent, and hers alone.
    host.accounts.are("local", "u1", "ana");
    "ana".clone_into(&mut binding.identity);
    host.bindings.set(&binding).unwrap();
    assert_eq!(send(&hcp, None).code, Code::Ok);
}

#[test]
fn a_hosts_own_statement_covers_no_other_account() {
    let host = Host::new();
    let hcp = host.ana();
    host.accounts.are("local", "u1", "ops");
    let stated = Some(Approval::by_human("ui-1"));
    assert_eq!(send(&hcp, stated.clone()).code, Code::NotConnected);
    // And it was not used up by that.
    host.accounts.are("local", "u1", "ana");
    assert_eq!(send(&hcp, stated).code, Code::Ok);
}

#[test]
fn a_session_rule_ends_with_the_account() {
    let host = Host::new();
    let hcp = host.ana();
    let request = send(&hcp, None).approval.unwrap();
    let kept = hcp
        .answer(&request, Answer::AllowSession, "ui-1")
        .unwrap()
        .unwrap();
    assert_eq!(kept.ends_with.identity.as_deref(), Some("ana"));
    let session = hcp.with_session([kept]);
    let other = r#"{ "to": "bo@example.org", "body": "Or at one?" }"#;
    assert_eq!(call(&session, "send", other, None).code, Code::Ok);
    // The tool is another account: the rule lets nothing through.
    host.accounts.are("local", "u1", "ops");
    assert_eq!(call(&session, "send", other, None).code, Code::NotConnected);
    // The pack is connected as that one: the rule is over.
    connect(&session).unwrap();
    assert_eq!(
        call(&session, "send", other, None).code,
        Code::ConfirmRequired
    );
    let offered = hcp.answer(&request, Answer::AllowSession, "ui-2");
    assert!(offered.is_err());
}

/// Never says who anybody is.
struct Silent;

impl Driver for Silent {
    fn run<'a>(
        &'a self,
        _call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        Box::pin(std::future::ready(ended("")))
    }

    fn identity<'a>(
        &'a self,
        _whose: &'a Whose<'a>,
        _call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        Box::pin(std::future::pending())
    }

    fn runs_programs(&self) -> bool {
        false
    }
}

#[test]
fn a_driver_that_never_says_who_is_waited_for_no_longer_than_a_program() {
    let host = Host::new();
    host.ana();
    let hcp = outside(host.builder("{}").driver(Silent).build().unwrap());
    let begun = std::time::Instant::now();
    let refused = send(&hcp, None);
    assert_eq!(refused.code, Code::NotConnected);
    assert!(
        refused.message.contains("within 2 s"),
        "{}",
        refused.message
    );
    assert!(begun.elapsed() < Duration::from_secs(4));
    let shown = pollster::block_on(hcp.preview("mail", "send", LUNCH))
        .unwrap()
        .unwrap();
    assert!(shown.not_connected.is_some());
}

/// The bindings of a project that shares one.
struct Shared(PackBinding);

impl Bindings for Shared {
    fn get(&self, _whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError> {
        Ok(Some(self.0.clone()))
    }

    fn set(&self, _binding: &PackBinding) -> Result<Option<PackBinding>, BindingsError> {
        Err(BindingsError::Failed("they are shared".to_owned()))
    }

    fn forget(&self, _whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError> {
        Err(BindingsError::Failed("they are shared".to_owned()))
    }
}

#[test]
fn what_lands_with_a_principal_goes_by_its_own_binding() {
    let host = Host::new();
    host.accounts.are("local", "u1", "team");
    let shared = |tenant: &str, principal: &str| {
        let binding = PackBinding {
            tenant: tenant.to_owned(),
            principal: principal.to_owned(),
            pack: PackId::new("mail").unwrap(),
            identity: "team".to_owned(),
            told_by: vec!["mail".to_owned(), "whoami".to_owned()],
            told_from: None,
            connected_at: "2026-12-01T12:00:00Z".parse().unwrap(),
        };
        let builder = host.builder("{}").bindings(Arc::new(Shared(binding)));
        outside(builder.project("p1").build().unwrap())
    };
    for (tenant, principal, command, code, denial) in [
        ("local", "u1", "tidy", Code::Ok, None),
        ("local", "u1", "share", Code::Ok, None),
        ("local", "bot", "share", Code::Ok, None),
        (
            "local",
            "bot",
            "tidy",
            Code::NotAuthorized,
            Some("not_own_binding"),
        ),
        (
            "local",
            "bot",
            "list",
            Code::NotAuthorized,
            Some("not_own_binding"),
        ),
        (
            "other",
            "u1",
            "share",
            Code::NotAuthorized,
            Some("wrong_tenant"),
        ),
        (
            "other",
            "u1",
            "tidy",
            Code::NotAuthorized,
            Some("wrong_tenant"),
        ),
    ] {
        let result = call(&shared(tenant, principal), command, "{}", None);
        assert_eq!(result.code, code, "{tenant} {principal} {command}");
        let told = result.extra.get("denial").and_then(|v| v.as_str());
        assert_eq!(told, denial, "{tenant} {principal} {command}");
    }
    let kept = connect(&shared("local", "u1")).unwrap_err();
    assert_eq!(kept.code, Code::StoreUnavailable);
    let forgotten = pollster::block_on(shared("local", "bot").disconnect("mail"));
    assert_eq!(forgotten.unwrap_err().code, Code::NotConnected);
}

#[test]
fn connecting_is_granted_by_itself() {
    let host = Host::new();
    host.accounts.are("local", "u1", "ana");
    let all = permissive_grants();
    let without: Vec<Grant> = all
        .iter()
        .filter(|grant| grant.capability != Capability::PackConnect)
        .cloned()
        .collect();
    let hcp = outside(host.builder("{}").grants(&without).build().unwrap());
    let refused = connect(&hcp).unwrap_err();
    assert_eq!(refused.code, Code::NotAuthorized);
    assert_eq!(host.accounts.ran("login"), 0);
    let refused = pollster::block_on(hcp.disconnect("mail")).unwrap_err();
    assert_eq!(refused.code, Code::NotAuthorized);
    let alone: Vec<Grant> = all
        .into_iter()
        .filter(|grant| grant.capability == Capability::PackConnect)
        .collect();
    let hcp = outside(host.builder("{}").grants(&alone).build().unwrap());
    connect(&hcp).unwrap();
    assert_eq!(host.accounts.ran("login"), 1);
    assert_eq!(call(&hcp, "list", "{}", None).code, Code::NotAuthorized);
}

#[test]
fn nobody_connects_inside_an_agent() {
    let host = Host::new();
    host.accounts.are("local", "u1", "ana");
    let hcp = host.builder("{}").within("a server").build().unwrap();
    for refused in [
        connect(&hcp).map(drop),
        pollster::block_on(hcp.disconnect("mail")).map(drop),
    ] {
        assert_eq!(refused.unwrap_err().code, Code::HumanOnly);
        let event = host.rig.last();
        assert!(
            matches!(&event.detail, Detail::Refused { act } if act == "connect"),
            "{event:?}"
        );
    }
    assert_eq!(host.accounts.ran("login"), 0);
}

#[test]
fn a_pack_that_acts_for_no_account_is_asked_nothing() {
    let host = Host::new();
    let builder = host.builder(r#"{ "mode": "run" }"#).packs([mail("")]);
    let hcp = outside(builder.build().unwrap());
    assert_eq!(connect(&hcp).unwrap_err().code, Code::Usage);
    for command in ["list", "tidy"] {
        let result = call(&hcp, command, "{}", None);
        assert_eq!(result.code, Code::Ok, "{}", result.message);
        assert_eq!(host.rig.last().binding, None);
    }
    let request = pollster::block_on(hcp.preview("mail", "send", LUNCH))
        .unwrap()
        .unwrap();
    assert!(request.card.account.is_none() && request.not_connected.is_none());
}

#[test]
fn the_gate_alone_asks_nobody_who_they_are() {
    let verb = VerbKey::parse("mail.send").unwrap();
    let settings = access("{}").unwrap();
    let gated = gate_command(&connected_mail(), &verb, LUNCH, &settings).unwrap();
    let Gated::Ask(request) = gated else {
        panic!("{gated:?}");
    };
    assert!(request.card.account.is_none() && request.not_connected.is_none());
}

#[test]
fn a_call_that_reads_by_a_rule_goes_by_what_was_kept() {
    let host = Host::new();
    let hcp = host.ana();
    host.accounts.are("local", "u1", "ops");
    assert_eq!(call(&hcp, "list", "{}", None).code, Code::Ok);
    assert_eq!(host.rig.last().kind(), EventKind::Outcome);
    assert_eq!(host.rig.last().binding.as_deref(), Some("ana"));
    assert_eq!(call(&hcp, "tidy", "{}", None).code, Code::NotConnected);
}

#[test]
fn what_waited_under_another_account_is_withdrawn_and_nothing_else() {
    let host = Host::new();
    let ana = host.ana();
    let id = id_of(&send(&ana, None));
    host.accounts.are("local", "u2", "ops");
    let ops = host.of("local", "u2");
    connect(&ops).unwrap();
    let other = id_of(&send(&ops, None));
    host.accounts.are("local", "u1", "ops");
    assert_eq!(connect(&ana).unwrap().ended, 1);
    let left = host.rig.store.list(&*host.rig.clock).unwrap();
    let ids: Vec<&str> = left.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, [other.as_str()]);
    assert_ne!(id, other);
}
