//! Settings files: reading the layers, and writing atomically.
//!
//! Reading fails closed: a file that is there and cannot be read, parsed or validated stops the call.
//! What the layers mean together is judged by [`hcp_core::settings`], not here.

mod edit;
mod find;

pub use edit::{Change, EditError, edit, edit_recorded, edit_within};
pub use find::{folders_of, project_of};

use crate::agent::AgentStatus;
use crate::fsutil::{loosely_writable, owned_by_reader_or_root};
use crate::home::{Home, given_project};
use crate::platform::Environment;
use hcp_card::Rules;
use hcp_core::code::Code;
use hcp_core::diagnostic::{Diagnostic, Fault, Source};
use hcp_core::grants::GrantFile;
use hcp_core::json::{self, Kind, Limits, Node};
use hcp_core::mode::{Approvals, Mode};
use hcp_core::names::did_you_mean;
use hcp_core::settings::{AccessFile, Effective, Layers, Sourced};
use hcp_core::text::{quoted, safe};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Where the operator's settings stand.
pub const OPERATOR_FILE: &str = "/etc/hcp/access.json";

/// The largest settings file that is read.
pub const LARGEST: usize = 64 << 20;

/// What the layers are read from.
#[derive(Debug, Clone)]
pub struct ReadPlan<'p> {
    /// The store.
    pub home: &'p Home,
    /// The working directory.
    pub cwd: &'p Path,
    /// Whether the caller is inside an agent, and which ancestors are marked.
    pub agent: &'p AgentStatus,
    /// The process's variables.
    pub environment: &'p Environment,
    /// Further folders whose project's rules count: whoever runs a stored call elsewhere sheds none of its own.
    pub folders: &'p [PathBuf],
    /// The operator's file.
    pub operator: &'p Path,
}

impl<'p> ReadPlan<'p> {
    /// The plan of an ordinary process: the operator's file stands in its place.
    #[must_use]
    pub fn new(
        home: &'p Home,
        cwd: &'p Path,
        agent: &'p AgentStatus,
        environment: &'p Environment,
    ) -> Self {
        Self {
            home,
            cwd,
            agent,
            environment,
            folders: &[],
            operator: Path::new(OPERATOR_FILE),
        }
    }
}

/// Settings that cannot be read or are wrong. No call goes on with them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct SettingsError {
    /// What is wrong, at least one entry.
    pub diagnostics: Vec<Diagnostic>,
}

impl SettingsError {
    /// The result code of a call that stops for this.
    #[must_use]
    pub fn code(&self) -> Code {
        Code::AccessInvalid
    }

    fn one(file: &str, message: impl Into<String>, help: Option<String>) -> Self {
        Self {
            diagnostics: vec![Diagnostic {
                file: file.to_owned(),
                line: 1,
                column: 1,
                message: message.into(),
                help,
            }],
        }
    }
}

/// Reads every layer but the session's, which a host keeps.
///
/// # Errors
/// The faults of every layer that cannot be read.
pub fn read_layers(plan: &ReadPlan<'_>) -> Result<Layers, SettingsError> {
    let mut wrong = Vec::new();
    let operator = kept(read_file(plan.operator, Trust::Root), &mut wrong).flatten();
    let user = kept(
        read_file(&plan.home.access(), Trust::ReaderOrRoot),
        &mut wrong,
    );
    let process_mode = kept(
        variable(plan.environment, "HCP_MODE", Mode::WHAT, Mode::WORDS),
        &mut wrong,
    );
    let process_approvals = kept(
        variable(
            plan.environment,
            "HCP_APPROVALS",
            Approvals::WHAT,
            Approvals::WORDS,
        ),
        &mut wrong,
    );
    let project = kept(read_projects(plan), &mut wrong);
    if !wrong.is_empty() {
        return Err(SettingsError { diagnostics: wrong });
    }
    Ok(Layers {
        operator,
        user: user.flatten(),
        process_mode: process_mode.flatten(),
        process_approvals: process_approvals.flatten(),
        session: Vec::new(),
        project: project.unwrap_or_default(),
        agent: plan.agent.inside,
    })
}

/// Keeps what was read and collects what was wrong, so that a person sees every fault at once.
fn kept<T>(found: Result<T, SettingsError>, wrong: &mut Vec<Diagnostic>) -> Option<T> {
    found.map_err(|e| wrong.extend(e.diagnostics)).ok()
}

fn read_projects(plan: &ReadPlan<'_>) -> Result<Vec<Sourced<AccessFile>>, SettingsError> {
    let given = given_project(plan.environment)
        .map_err(|e| SettingsError::one("HCP_PROJECT", e.to_string(), None))?;
    let files = find::project_files(plan, given.as_deref())?;
    let mut wrong = Vec::new();
    let read: Vec<_> = files
        .iter()
        .filter_map(|file| kept(read_file(file, Trust::Anyone), &mut wrong).flatten())
        .collect();
    if wrong.is_empty() {
        Ok(read)
    } else {
        Err(SettingsError { diagnostics: wrong })
    }
}

fn variable<T: Copy>(
    environment: &Environment,
    name: &str,
    what: &str,
    words: &[(&'static str, T)],
) -> Result<Option<T>, SettingsError> {
    let Some(value) = environment.get(name) else {
        return Ok(None);
    };
    let value = value.to_string_lossy();
    if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == value) {
        return Ok(Some(*meaning));
    }
    let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let help = match did_you_mean(&value, list.iter().copied()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => format!("it is one of: {}", list.join(", ")),
    };
    Err(SettingsError::one(
        name,
        format!("{} is no {what}", quoted(&value)),
        Some(help),
    ))
}

/// Who must have written a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Root alone: the operator's file.
    Root,
    /// The reader or root: the person's files.
    ReaderOrRoot,
    /// Anyone: a project's file, which only tightens.
    Anyone,
}

/// Reads one settings file, `None` when it is not there.
///
/// # Errors
/// A file that is there and cannot be read, parsed, validated or trusted.
pub fn read_file(path: &Path, trust: Trust) -> Result<Option<Sourced<AccessFile>>, SettingsError> {
    read_as(path, trust, body)
}

/// Reads the body of a settings file whole. The view and signal rules, which the core keeps as they stand, are read
/// here too, so that a fault in them is found with the others.
///
/// # Errors
/// Every fault, at least one.
pub fn body(node: &Node) -> Result<AccessFile, Vec<Fault>> {
    let read = AccessFile::parse(node);
    let mut faults = Vec::new();
    if let Some(views) = node.get("views")
        && matches!(views.kind, Kind::Object(_))
    {
        Rules::parse(views, &mut faults);
    }
    match read {
        Ok(file) if faults.is_empty() => Ok(file),
        Ok(_) => Err(faults),
        Err(mut found) => {
            found.append(&mut faults);
            Err(found)
        }
    }
}

/// The rules by which cards are made: a host's own, then those of the person's settings, then the built-in ones.
///
/// # Errors
/// Settings that did not come through [`body`] may hold faults still.
pub fn card_rules(access: &Effective, hosts: Option<&Rules>) -> Result<Rules, SettingsError> {
    let mut rules = Rules::builtin();
    if let Some(views) = access.views() {
        let text = views.to_string();
        let persons = parse_as("views", text.as_bytes(), |node| {
            let mut faults = Vec::new();
            let persons = Rules::parse(node, &mut faults);
            if faults.is_empty() {
                Ok(persons)
            } else {
                Err(faults)
            }
        })?;
        rules = rules.with_own(persons);
    }
    Ok(match hosts {
        Some(hosts) => rules.with_own(hosts.clone()),
        None => rules,
    })
}

/// Reads the person's grants, `None` when there is no such file.
///
/// # Errors
/// As for a settings file: it fails closed.
pub fn read_grants(home: &Home) -> Result<Option<Sourced<GrantFile>>, SettingsError> {
    read_as(&home.grants(), Trust::ReaderOrRoot, GrantFile::parse)
}

fn read_as<T>(
    path: &Path,
    trust: Trust,
    read: impl FnOnce(&Node) -> Result<T, Vec<Fault>>,
) -> Result<Option<Sourced<T>>, SettingsError> {
    let name = path.to_string_lossy().into_owned();
    let Some(bytes) = read_bytes(path, trust)? else {
        return Ok(None);
    };
    let body = parse_as(&name, &bytes, read)?;
    Ok(Some(Sourced { file: name, body }))
}

/// Validates the text of a settings file.
///
/// # Errors
/// Every fault with its line and column.
pub fn parse(name: &str, bytes: &[u8]) -> Result<AccessFile, SettingsError> {
    parse_as(name, bytes, body)
}

fn parse_as<T>(
    name: &str,
    bytes: &[u8],
    read: impl FnOnce(&Node) -> Result<T, Vec<Fault>>,
) -> Result<T, SettingsError> {
    let limits = Limits {
        bytes: LARGEST,
        ..Limits::default()
    };
    let node = json::parse_bytes(bytes, limits).map_err(|fault| vec![fault]);
    node.and_then(|node| read(&node)).map_err(|faults| {
        let text = String::from_utf8_lossy(bytes);
        let source = Source::new(name, &text);
        SettingsError {
            diagnostics: faults.iter().map(|f| source.locate(f)).collect(),
        }
    })
}

/// The bytes of a file that may be trusted, `None` when it is not there.
fn read_bytes(path: &Path, trust: Trust) -> Result<Option<Vec<u8>>, SettingsError> {
    let name = path.to_string_lossy();
    let cannot = |e: &io::Error| {
        let help = "make the file readable, or remove it".to_owned();
        SettingsError::one(
            &name,
            format!("these settings cannot be read: {e}"),
            Some(help),
        )
    };
    let Some(file) = open(path).map_err(|e| cannot(&e))? else {
        return Ok(None);
    };
    let meta = file.metadata().map_err(|e| cannot(&e))?;
    trusted(&name, &meta, trust)?;
    let mut bytes = Vec::new();
    file.take(LARGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| cannot(&e))?;
    Ok(Some(bytes))
}

fn open(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new()
        .read(true)
        // A pipe in the file's place must not make the program wait.
        .custom_flags(nix::libc::O_CLOEXEC | nix::libc::O_NONBLOCK)
        .open(path);
    match file {
        Ok(file) => Ok(Some(file)),
        Err(e) if is_absent(&e) && !is_dangling_link(path) => Ok(None),
        Err(e) => Err(e),
    }
}

fn is_absent(e: &io::Error) -> bool {
    matches!(
        e.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// A link whose target is gone is a file that is there and cannot be read.
fn is_dangling_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn trusted(name: &str, meta: &Metadata, trust: Trust) -> Result<(), SettingsError> {
    let shown = safe(name);
    let refuse = |message: &str, help: String| Err(SettingsError::one(name, message, Some(help)));
    if !meta.is_file() {
        return refuse(
            "this is not a regular file",
            "settings stand in a regular file".to_owned(),
        );
    }
    let owner_is_wrong = match trust {
        Trust::Root => meta.uid() != 0,
        Trust::ReaderOrRoot => !owned_by_reader_or_root(meta),
        Trust::Anyone => false,
    };
    if owner_is_wrong {
        let owner = match trust {
            Trust::Root => "root".to_owned(),
            Trust::ReaderOrRoot | Trust::Anyone => nix::unistd::Uid::effective().to_string(),
        };
        return refuse(
            "this file belongs to somebody who may not write these settings",
            format!("chown {owner} {shown}"),
        );
    }
    if trust != Trust::Anyone && loosely_writable(meta) {
        return refuse(
            "group or others may write this file",
            format!("chmod go-w {shown}"),
        );
    }
    Ok(())
}

/// A path as it is compared: links followed where the file is there.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests;
