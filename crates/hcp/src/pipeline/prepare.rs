//! Steps 2 to 5 of a call: pack and command, grants, arguments, the gate. They change nothing, so that
//! `preview`, `explain` and `commands` go through the very same steps as a run.

use super::account::Account;
use super::refusal::Refusal;
use super::words::{self, ReadCall};
use super::{CallArgs, CallRequest, Hcp};
use crate::packs::{InstalledPack, PackError};
use hcp_core::canonical::{self, Key, Tag};
use hcp_core::code::Code;
use hcp_core::gate::TraceEntry;
use hcp_core::gate::{Answer, Call, Reading};
use hcp_core::grants::{Act, ActKind, BindingOwner, DenialCode, authorize_binding};
use hcp_core::json::{Object, Value};
use hcp_core::names::{CommandName, PackId, VerbKey, did_you_mean};
use hcp_core::policy::{CallPolicy, Operation};
use hcp_core::text::{quoted, safe};
use hcp_pack::{ArgFault, Command, Pack, Rendered};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The keyword of an argument that the pack does not declare. Its name is the caller's own text.
pub(crate) const UNDECLARED: &str = "undeclared";

/// What a call is prepared for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To run: a line that is not fully read is refused.
    Run,
    /// To be shown: such a line is judged and shown as it was written.
    Show,
}

/// What is known of a call so far: what the audit line of a refusal can tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attempt {
    pub(crate) call: String,
    pub(crate) pack: Option<String>,
    pub(crate) command: Option<String>,
    pub(crate) operation: Option<Operation>,
    pub(crate) args: Vec<String>,
    pub(crate) undeclared: usize,
    pub(crate) args_for_digest: Option<Value>,
    pub(crate) binding: Option<String>,
    pub(crate) answer: Option<Answer>,
}

impl Attempt {
    /// A call of which nothing is known yet.
    pub(crate) fn new() -> Self {
        // Without random bytes lines still belong together within one process and moment.
        let call =
            crate::event::new_call_id().unwrap_or_else(|_| format!("pid-{}", std::process::id()));
        Self {
            call,
            ..Self::default()
        }
    }
}

/// A call that passed the gate, whatever the gate said.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) installed: Arc<InstalledPack>,
    /// As whom it acts.
    pub(crate) account: Account,
    /// The command.
    pub verb: VerbKey,
    /// The checked arguments, nulls dropped.
    pub args: Object,
    /// The call's own Policy.
    pub policy: CallPolicy,
    pub(crate) rendered: Rendered,
    /// The exact command line, secrets by their display form.
    pub cli: String,
    /// The gate's answer.
    pub answer: Answer,
    /// The rules that the gate looked at, and what became of each.
    pub trace: Vec<TraceEntry>,
    pub(crate) shown: Object,
    /// How far the call's line was understood.
    pub(crate) reading: Reading,
    /// The words of the line that were not, as written.
    pub(crate) unread: Vec<String>,
}

/// A pack and command that were found, and as whom the command acts.
pub(crate) struct Located {
    pub(crate) installed: Arc<InstalledPack>,
    pub(crate) verb: VerbKey,
    pub(crate) account: Account,
}

impl Prepared {
    /// The words that the program gets, its own name first.
    pub(crate) fn words(&self) -> Vec<String> {
        self.rendered.words.iter().map(|w| w.text.clone()).collect()
    }

    /// Whether the call carries a secret.
    pub(crate) fn has_secret(&self) -> bool {
        self.command().is_some_and(|command| {
            let mut arguments = command.arguments.iter();
            arguments.any(|a| a.secret && self.args.contains_key(&a.name))
        })
    }

    pub(crate) fn command(&self) -> Option<&Command> {
        self.installed.pack.commands.get(&self.verb.command)
    }
}

impl Hcp {
    pub(crate) async fn prepare(
        &self,
        request: &CallRequest,
        purpose: Purpose,
        attempt: &mut Attempt,
    ) -> Result<Prepared, Refusal> {
        let Located {
            installed,
            verb,
            account,
        } = self.locate(request, attempt).await?;
        let command = find_command(&installed, verb.command.as_str(), attempt)?;
        let ReadCall {
            args,
            reading,
            unread,
            written,
        } = self.read_args(&installed.pack, command, &request.args, purpose, attempt)?;
        let rendered = match written {
            Some(written) => written,
            None => command.render(&args).map_err(Refusal::bad_args)?,
        };
        let shown = self.shown_args(command, &args)?;
        attempt.args_for_digest = Some(Value::Object(shown.clone()));
        let cli = self.shown_cli(command, &args, &rendered)?;
        let policy = command.policy.for_call(&args, &reading);
        self.check_store(command, &args, &rendered, request)?;
        let call = Call {
            verb: &verb,
            args: &args,
            policy,
            reading: &reading,
        };
        let (answer, trace) = self.judge(
            &call,
            &installed,
            account.identity(),
            request.options.stdin.is_some(),
        );
        attempt.answer = Some(answer.clone());
        Ok(Prepared {
            installed: Arc::clone(&installed),
            account,
            verb,
            args,
            policy,
            rendered,
            cli,
            answer,
            trace,
            shown,
            reading,
            unread,
        })
    }

    /// Steps 2 and 3, and of step 1 what depends on the pack: pack and command, the binding, and whether the
    /// Principal may act at all.
    pub(crate) async fn locate(
        &self,
        request: &CallRequest,
        attempt: &mut Attempt,
    ) -> Result<Located, Refusal> {
        let installed = self.find_pack(&request.pack, attempt)?;
        let command = find_command(&installed, &request.command, attempt)?;
        let verb = VerbKey {
            pack: installed.pack.id.clone(),
            command: command.name.clone(),
        };
        attempt.operation = Some(command.policy.operation);
        let account = self.account(&installed)?;
        attempt.binding = account.identity().map(str::to_owned);
        let act = Act {
            pack_id: &verb.pack,
            verb_key: Some(&verb),
            operation: command.policy.operation,
            land: command.policy.land,
            kind: ActKind::Exec,
        };
        self.authorise(act, &account).await?;
        Ok(Located {
            installed: Arc::clone(&installed),
            verb,
            account,
        })
    }

    /// Step 2, the pack.
    pub(crate) fn find_pack(
        &self,
        name: &str,
        attempt: &mut Attempt,
    ) -> Result<Arc<InstalledPack>, Refusal> {
        let Some(id) = PackId::new(name) else {
            return Err(self.unknown_pack(name));
        };
        let loaded = self.ports.packs.load(&id);
        // Only the name of a pack that is there goes into the log: any other may be a value that slipped.
        if !matches!(loaded, Err(PackError::Unknown { .. })) {
            attempt.pack = Some(id.to_string());
        }
        loaded.map_err(|e| {
            if matches!(e, PackError::Unknown { .. }) {
                self.unknown_pack(name)
            } else {
                pack_refusal(&e)
            }
        })
    }

    pub(crate) fn unknown_pack(&self, name: &str) -> Refusal {
        let ids = self.ports.packs.ids().unwrap_or_default();
        let near = did_you_mean(name, ids.iter().map(PackId::as_str));
        let bundled = crate::packs::bundled().iter().any(|b| b.id == name);
        let hint = match near {
            Some(near) => format!("did you mean {near}? hcpx packs lists what is installed"),
            None if bundled => format!("hcpx install {name}"),
            None => {
                "hcpx packs lists what is installed; hcpx install NAME|PATH adds a pack".to_owned()
            }
        };
        Refusal::new(
            Code::UnknownPack,
            format!("No pack {} is installed. Nothing ran.", quoted(name)),
        )
        .hint(hint)
    }

    /// Step 3.
    pub(crate) async fn authorise(&self, act: Act<'_>, account: &Account) -> Result<(), Refusal> {
        let actor = self.scope.actor();
        let own = account.binding.as_ref().map(|binding| {
            let owner = BindingOwner {
                tenant_id: &binding.tenant,
                principal_id: &binding.principal,
            };
            authorize_binding(&actor, &act, owner)
        });
        let answer = match own {
            Some(refused) if !refused.allow => refused,
            Some(_) | None => crate::ports::authorized(&*self.ports.authorize, actor, act).await,
        };
        if answer.allow {
            return Ok(());
        }
        let reason = answer
            .reason
            .unwrap_or_else(|| "no reason was given".to_owned());
        let denial = answer.code.unwrap_or(DenialCode::NoGrant);
        let code = match denial {
            DenialCode::ProjectRequired => Code::ProjectRequired,
            DenialCode::NoGrant
            | DenialCode::WrongTenant
            | DenialCode::NotOwnBinding
            | DenialCode::AuthorizerFailed => Code::NotAuthorized,
        };
        let mut refusal = Refusal::new(
            code,
            format!(
                "{} may not do this: {reason}. Nothing ran.",
                safe(&self.scope.principal.id)
            ),
        )
        .log(format!("{denial}: {reason}"))
        .hint("ask whoever gives the grants (hcpx access shows which list is in force)");
        refusal.extra.insert("reason", reason);
        refusal.extra.insert("denial", denial.as_str());
        Err(refusal)
    }

    /// Step 4, the values.
    fn read_args(
        &self,
        pack: &Pack,
        command: &Command,
        args: &CallArgs,
        purpose: Purpose,
        attempt: &mut Attempt,
    ) -> Result<ReadCall, Refusal> {
        let declared = |name: &str| command.arguments.iter().any(|a| a.name == name);
        // A name that nobody declared may be a value that slipped: it is counted, and never written.
        let refused = |fault: ArgFault| {
            let known = fault.argument.as_deref().is_none_or(declared);
            let keyword = fault.keyword.clone();
            let refusal = Refusal::bad_args(fault);
            if known { refusal } else { refusal.log(keyword) }
        };
        let mut note = |names: Vec<&str>| {
            let (known, unknown): (Vec<&str>, Vec<&str>) =
                names.into_iter().partition(|n| declared(n));
            attempt.args = known.into_iter().map(str::to_owned).collect();
            attempt.args.sort();
            attempt.args.dedup();
            attempt.undeclared = unknown.len();
        };
        let mut read = match args {
            CallArgs::Object(object) => ReadCall::named(object.clone()),
            CallArgs::Words(given) if command.is_named(given) => {
                let parts = given.iter().filter_map(|w| w.split_once('='));
                note(parts.map(|(name, _)| name.trim_end_matches(':')).collect());
                words::by_name(command, given, refused)?
            }
            CallArgs::Words(given) => {
                let argv = command.read_argv(given);
                // Words that are left over have no name.
                note(argv.args.keys().filter(|name| *name != "_").collect());
                words::by_line(command, given, argv, purpose)?
            }
        };
        let given = read.args.iter().filter(|(_, value)| **value != Value::Null);
        note(given.map(|(name, _)| name).collect());
        let checked = match read.written {
            None => command.check_args(std::mem::take(&mut read.args)),
            // What else stands on such a line is shown and bound by nothing.
            Some(_) => command
                .check_given(&words::declared(command, &read.args))
                .map(|()| std::mem::take(&mut read.args)),
        };
        let checked = checked.map_err(|fault| {
            let CallArgs::Words(given) = args else {
                return refused(fault);
            };
            let mut refusal = words::only_an_id(given).unwrap_or_else(|| refused(fault));
            if !command.is_named(given) {
                refusal.hint = words::whose(pack, command, given).or(refusal.hint);
            }
            refusal
        })?;
        read.args = in_declared_order(command, checked);
        Ok(read)
    }

    /// The arguments as they may be shown: secrets by their display form.
    fn shown_args(&self, command: &Command, args: &Object) -> Result<Object, Refusal> {
        if !command
            .arguments
            .iter()
            .any(|a| a.secret && args.contains_key(&a.name))
        {
            return Ok(args.clone());
        }
        let key = self.key()?;
        let secret = |name: &str| command.arguments.iter().any(|a| a.secret && a.name == name);
        Ok(args
            .iter()
            .map(|(name, value)| {
                let shown = if secret(name) {
                    Value::String(secret_text(&key, value))
                } else {
                    value.clone()
                };
                (name.to_owned(), shown)
            })
            .collect())
    }

    fn shown_cli(
        &self,
        command: &Command,
        args: &Object,
        rendered: &Rendered,
    ) -> Result<String, Refusal> {
        let mut words = Vec::new();
        for word in &rendered.words {
            let mut text = word.text.clone();
            for name in &word.secrets {
                if let Some(value) = args.get(name) {
                    let key = self.key()?;
                    for piece in plain_pieces(value) {
                        text = text.replace(&piece, &secret_text(&key, value));
                    }
                }
            }
            words.push(text);
        }
        let line = hcp_pack::template::shell_line(&words);
        let secret = rendered.words.iter().any(|w| !w.secrets.is_empty())
            || command
                .arguments
                .iter()
                .any(|a| a.secret && args.contains_key(&a.name));
        Ok(if secret {
            format!("{line}  # cannot be pasted: it carries a secret")
        } else {
            line
        })
    }

    /// Step 4, the store is out of reach inside an agent.
    fn check_store(
        &self,
        command: &Command,
        args: &Object,
        rendered: &Rendered,
        request: &CallRequest,
    ) -> Result<(), Refusal> {
        let Some(protected) = &self.scope.protected else {
            return Ok(());
        };
        let words: Vec<&str> = rendered
            .words
            .iter()
            .skip(1)
            .map(|w| w.text.as_str())
            // What goes to the tool by a variable or by its input is read by it just as well.
            .chain(rendered.env.iter().map(|(_, value)| value.as_str()))
            .chain(rendered.stdin.as_deref())
            .collect();
        let mut paths: Vec<PathBuf> = command
            .arguments
            .iter()
            .filter(|a| a.path || a.cwd)
            .filter_map(|a| args.get(&a.name))
            .flat_map(plain_pieces)
            .map(PathBuf::from)
            .collect();
        paths.extend(request.options.stdin_path.as_ref().map(PathBuf::from));
        match protected.find(&words, &paths, &self.scope.cwd) {
            None => Ok(()),
            Some(found) => Err(store_protected(&found.root)),
        }
    }
}

fn find_command<'p>(
    installed: &'p InstalledPack,
    name: &str,
    attempt: &mut Attempt,
) -> Result<&'p Command, Refusal> {
    let pack = &installed.pack;
    let found = CommandName::new(name).and_then(|n| pack.commands.get(&n));
    if let Some(command) = found {
        attempt.command = Some(command.name.to_string());
        return Ok(command);
    }
    let near = did_you_mean(name, pack.commands.keys().map(CommandName::as_str));
    let hint = match near {
        Some(near) => format!(
            "did you mean {near}? hcpx commands {} lists them all",
            pack.id
        ),
        None => format!("hcpx commands {} lists its commands", pack.id),
    };
    Err(Refusal::new(
        Code::UnknownCommand,
        format!(
            "The pack {} has no command {}. Nothing ran.",
            pack.id,
            quoted(name)
        ),
    )
    .hint(hint))
}

/// A call that names what no call inside an agent may touch.
pub(crate) fn store_protected(root: &Path) -> Refusal {
    Refusal::new(
        Code::StoreProtected,
        format!(
            "This call reaches into {}, which no call inside an agent may touch. Nothing ran.",
            safe(&root.display().to_string())
        ),
    )
    .hint("leave the store of hcpx to its own commands; a person can run this from a terminal of their own")
}

/// A pack that cannot be used.
pub(crate) fn pack_refusal(error: &PackError) -> Refusal {
    let (mut message, mut diagnostics) = (super::refusal::sentence(&error.to_string()), Vec::new());
    let mut hint = "hcpx packs lists what is installed; hcpx doctor says more".to_owned();
    if let PackError::Invalid(places) = error {
        message = "The pack cannot be read".to_owned();
        diagnostics.clone_from(places);
        "mend the places named".clone_into(&mut hint);
    } else if let PackError::Changed { id } = error {
        hint = format!(
            "hcpx packs diff {id} shows the change; a person can take it with hcpx packs accept {id}"
        );
    }
    let stop = if message.ends_with('?') { "" } else { "." };
    let mut refusal =
        Refusal::new(error.code(), format!("{message}{stop} Nothing ran.")).hint(hint);
    refusal.diagnostics = diagnostics;
    refusal
}

/// The arguments in the order in which the pack declares them, the others by name: however the caller
/// ordered them, it is the same call and the same card.
fn in_declared_order(command: &Command, args: Object) -> Object {
    let place = |name: &str| command.arguments.iter().position(|a| a.name == name);
    let mut members: Vec<(String, Value)> = args.into_iter().collect();
    members.sort_by_cached_key(|(name, _)| (place(name).unwrap_or(usize::MAX), name.clone()));
    members.into_iter().collect()
}

/// `[secret, 32 characters, #a1b2c3d4]`: two secrets never look alike, and none can be read.
fn secret_text(key: &Key, value: &Value) -> String {
    let digest = canonical::keyed_digest(key, Tag::Secret, value).short();
    format!(
        "[secret, {} characters, #{digest}]",
        plain_text(value).chars().count()
    )
}

/// A value as the text that a tool would get.
pub(crate) fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            canonical::encode(value)
        }
    }
}

pub(crate) fn plain_pieces(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items
            .iter()
            .map(plain_text)
            .filter(|t| !t.is_empty())
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            Some(plain_text(value))
                .filter(|t| !t.is_empty())
                .into_iter()
                .collect()
        }
    }
}
