//! The card of a prepared call and the request that carries it: what stands behind its paths, and the answers
//! beside it. What is known from earlier calls is looked up in [`past`](super::past).

use super::prepare::{Prepared, plain_pieces};
use super::refusal::Refusal;
use super::request::{Request, RequestArg};
use super::{CallRequest, Hcp};
use crate::facts::{FactError, FileFact, file_fact};
use crate::protect::real_path;
use hcp_card::display::{Declared, shown};
use hcp_card::{AnswerOption, Card, CardCall, EndsWith, FileRow, Identifier, Past, View};
use hcp_core::canonical;
use hcp_core::code::Code;
use hcp_core::gate::Call;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::policy::Scope as ActsOn;
use hcp_core::rule::Rule;
use hcp_core::text::quoted;
use hcp_pack::{Argument, Command};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a card is drawn from beside the call itself, looked at once.
pub(crate) struct Sketch {
    files: Vec<FileRow>,
    /// The view without its signals; `None` where the pack no longer has the command.
    outline: Option<View>,
    /// The payees, hosts and the like that the call names.
    pub(crate) identifiers: Vec<Identifier>,
}

/// A path of a call.
struct GivenPath<'p> {
    argument: &'p Argument,
    path: String,
    /// The folder that it is meant from.
    folder: PathBuf,
}

impl GivenPath<'_> {
    fn fact(&self) -> Result<FileFact, FactError> {
        file_fact(&self.path, &self.folder, self.argument.content)
    }
}

impl Hcp {
    /// What stands behind the paths of a call, and its identifiers.
    pub(crate) fn sketch(&self, prepared: &Prepared) -> Sketch {
        let files = self.file_rows(prepared);
        let (mut outline, mut identifiers) = (None, Vec::new());
        if let Some(command) = prepared.command() {
            let call = self.card_call(prepared, command, &files);
            let view = hcp_card::outline(&call);
            identifiers = hcp_card::identifiers(&call, &view);
            outline = Some(view);
        }
        Sketch {
            files,
            outline,
            identifiers,
        }
    }

    /// The card of a call.
    fn card(
        &self,
        prepared: &Prepared,
        stdin: Option<String>,
        sketch: Sketch,
        past: &Past,
    ) -> Card {
        let pack = &prepared.installed.pack;
        let files = sketch.files;
        let view = match (prepared.command(), sketch.outline) {
            (Some(command), Some(outline)) => {
                let call = self.card_call(prepared, command, &files);
                outline.weighed(&call, past, &sketch.identifiers)
            }
            (Some(_), None) | (None, _) => View::plain(&prepared.shown),
        };
        Card {
            pack_name: pack.name.clone(),
            summary: prepared
                .command()
                .map(|c| c.description.clone())
                .unwrap_or_default(),
            view,
            account: prepared.account.identity().map(str::to_owned),
            cwd: (prepared.policy.scope == ActsOn::Cwd).then(|| self.folder(prepared)),
            files,
            stdin,
            cli: prepared.cli.clone(),
        }
    }

    fn card_call<'a>(
        &'a self,
        prepared: &'a Prepared,
        command: &'a Command,
        files: &'a [FileRow],
    ) -> CardCall<'a> {
        CardCall {
            pack: &prepared.verb.pack,
            command,
            args: &prepared.shown,
            policy: prepared.policy,
            reading: &prepared.reading,
            unread: &prepared.unread,
            files,
            rules: &self.rules,
        }
    }

    /// What stands behind each path argument, for the card.
    fn file_rows(&self, prepared: &Prepared) -> Vec<FileRow> {
        let (paths, _) = self.paths(prepared);
        paths
            .into_iter()
            .map(|given| {
                let (size, words) = match given.fact() {
                    Ok(fact) => (fact.size(), fact.in_words()),
                    Err(e) => (None, e.to_string()),
                };
                FileRow {
                    argument: given.argument.name.clone(),
                    path: given.path,
                    size,
                    words,
                }
            })
            .collect()
    }

    /// The facts of path arguments that an approval binds, by argument.
    pub(crate) fn file_facts(&self, prepared: &Prepared) -> Result<Object, Refusal> {
        let mut facts: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for given in self.paths(prepared).0 {
            let name = given.argument.name.as_str();
            let fact = given.fact().map_err(|e| {
                let mut refusal =
                    Refusal::new(Code::InvalidArgs, format!("{name}: {e}. Nothing ran."))
                        .log(format!("file {name}"));
                refusal.extra.insert("argument", name);
                refusal
            })?;
            facts.entry(name.to_owned()).or_default().push(fact.value());
        }
        let facts = facts.into_iter();
        Ok(facts.map(|(name, own)| (name, own.into())).collect())
    }

    /// The paths that a call gives, each with the folder that it is meant from, and the folder that the call acts in.
    fn paths<'p>(&self, prepared: &'p Prepared) -> (Vec<GivenPath<'p>>, PathBuf) {
        let arguments = prepared.command().map(|c| c.arguments.as_slice());
        let arguments = || arguments.unwrap_or_default().iter();
        let given = |argument: &Argument| {
            let value = prepared.args.get(&argument.name);
            value.map(plain_pieces).unwrap_or_default()
        };
        let (mut paths, mut folder) = (Vec::new(), self.scope.cwd.clone());
        // The tool goes into its folder first, and reads every other path from there.
        for argument in arguments().filter(|a| a.cwd) {
            for path in given(argument) {
                let next = folder.join(&path);
                paths.push(GivenPath {
                    argument,
                    path,
                    folder,
                });
                folder = next;
            }
        }
        for argument in arguments().filter(|a| a.path && !a.cwd) {
            paths.extend(given(argument).into_iter().map(|path| GivenPath {
                argument,
                path,
                folder: folder.clone(),
            }));
        }
        (paths, folder)
    }

    /// The folder that a call acts in, for its card.
    fn folder(&self, prepared: &Prepared) -> String {
        let (_, folder) = self.paths(prepared);
        let shown = match folder == self.scope.cwd {
            true => folder,
            false => real_path(&folder),
        };
        shown.display().to_string()
    }

    /// The answers beside a card.
    fn options(&self, prepared: &Prepared, card: &Card) -> Vec<AnswerOption> {
        let Some(command) = prepared.command() else {
            return Vec::new();
        };
        let call = self.card_call(prepared, command, &card.files);
        let judged = Call {
            verb: &prepared.verb,
            args: &prepared.args,
            policy: prepared.policy,
            reading: &prepared.reading,
        };
        let now = self.ports.clock.now().wall;
        // A rule holds on to arguments alone: what comes in by standard input would be another each time.
        let allows = |rule: &Rule| {
            card.stdin.is_none() && self.access.decision_with(rule, &judged, now) == Decision::Allow
        };
        let ends_with = EndsWith {
            pack_digest: prepared.installed.pack.digest.to_string(),
            identity: prepared.account.identity().map(str::to_owned),
        };
        hcp_card::options(
            &prepared.verb,
            &call,
            &card.view,
            &prepared.answer,
            ends_with,
            allows,
        )
    }

    /// The request of a prepared call, without an id.
    pub(crate) fn request(
        &self,
        prepared: &Prepared,
        stdin: Option<String>,
        sketch: Sketch,
        past: &Past,
    ) -> Request {
        let argument = |name: &str| {
            let command = prepared.command()?;
            command.arguments.iter().find(|a| a.name == name)
        };
        let args = prepared
            .shown
            .iter()
            .map(|(name, value)| RequestArg {
                name: name.to_owned(),
                value: value.clone(),
                display: shown(name, value, Declared::of(argument(name))),
                description: argument(name)
                    .map(|a| a.description.clone())
                    .unwrap_or_default(),
            })
            .collect();
        let card = self.card(prepared, stdin, sketch, past);
        Request {
            verb: prepared.verb.clone(),
            policy: prepared.policy,
            args,
            answer: prepared.answer.clone(),
            options: self.options(prepared, &card),
            card,
            not_connected: prepared.account.fault.clone(),
            approval_id: None,
            expires_at: None,
        }
    }
}

/// The standard input of a call, as its card shows it.
pub(crate) fn stdin_of(call: &CallRequest) -> Option<String> {
    call.options.stdin.as_deref().map(stdin_words)
}

/// Standard input in words: its size and digest, and how it begins and ends.
fn stdin_words(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let unit = if bytes.len() == 1 { "byte" } else { "bytes" };
    let size = format!(
        "{} {unit} from standard input, #{}",
        bytes.len(),
        canonical::sha256(bytes).short()
    );
    let Ok(text) = std::str::from_utf8(bytes) else {
        return format!("{size}, no text");
    };
    let count = text.chars().count();
    if count <= 2 * SHOWN {
        return format!("{size}: {}", quoted(text));
    }
    let first: String = text.chars().take(SHOWN).collect();
    let last: String = text.chars().skip(count - SHOWN).collect();
    format!("{size}: {} … {}", quoted(&first), quoted(&last))
}
