//! The store: where it is and what stands where in it.
//!
//! Outside an agent `HCP_HOME` or `$HOME/.hcp` says where. Inside one the home folder is the account
//! database's, and `HCP_HOME` and `HCP_PROJECT` must be what every marked ancestor has, because an agent that could
//! bring its own home could bring its own rules.

use crate::agent::{AgentStatus, MarkedVariables};
use crate::fsutil;
use crate::platform::{Account, Environment};
use hcp_core::canonical::Key;
use hcp_core::code::Code;
use hcp_core::text::{quoted, safe};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const KEY_LENGTH: usize = 32;

/// Why the store cannot be told or used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// A variable differs from what a marked ancestor has.
    #[error(
        "{variable} is not what it is in {bearer}: inside an agent it may not be changed; start the agent with it, or unset it here"
    )]
    Changed {
        /// The variable.
        variable: &'static str,
        /// The ancestor.
        bearer: String,
    },
    /// A variable holds a path that depends on the working directory.
    #[error("{variable} must be an absolute path, and is {}", quoted(.value))]
    Relative {
        /// The variable.
        variable: &'static str,
        /// What it holds.
        value: String,
    },
    /// Something that is no folder stands in the store's place.
    #[error("the store {} is no folder", safe(&path.to_string_lossy()))]
    NoFolder {
        /// The store's path.
        path: PathBuf,
    },
    /// Nothing says where the home folder is.
    #[error(
        "no home folder is known for user {user}: set HCP_HOME to an absolute path before the program is started"
    )]
    NoHome {
        /// The user's name or number.
        user: String,
    },
    /// The key cannot be trusted.
    #[error("{}: {problem}; {mend}", safe(&path.to_string_lossy()))]
    Key {
        /// The key file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        mend: String,
    },
    /// A folder or file of the store cannot be made or read.
    #[error("{}: {error}", safe(&path.to_string_lossy()))]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl HomeError {
    /// The result code of a call that stops for this.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Changed { .. }
            | Self::Relative { .. }
            | Self::NoFolder { .. }
            | Self::NoHome { .. } => Code::AccessInvalid,
            Self::Key { .. } | Self::Io { .. } => Code::StoreUnavailable,
        }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Changed { variable, .. } => {
                format!("leave {variable} as the agent was started with it")
            }
            Self::Relative { variable, .. } => {
                format!("set {variable} to a path that begins with /, or unset it")
            }
            Self::NoFolder { path } => format!(
                "set HCP_HOME to a folder, or move {} away",
                safe(&path.to_string_lossy())
            ),
            Self::NoHome { .. } => "set HCP_HOME to a folder of your own".to_owned(),
            Self::Key { .. } | Self::Io { .. } => {
                "hcpx doctor says what is wrong with the set-up".to_owned()
            }
        }
    }
}

/// The store's folder, and the home folder of the person whose store it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    path: PathBuf,
    user: Option<PathBuf>,
}

impl Home {
    /// The store of this process.
    ///
    /// # Errors
    /// Inside an agent a variable that was changed on the way; a relative path; no home folder at all.
    pub fn resolve(agent: &AgentStatus, environment: &Environment) -> Result<Self, HomeError> {
        Self::resolve_for(agent, environment, Account::current)
    }

    /// Like [`Home::resolve`], with an account database of the caller's. It is asked only when needed.
    ///
    /// # Errors
    /// As there.
    pub fn resolve_for(
        agent: &AgentStatus,
        environment: &Environment,
        account: impl FnOnce() -> Account,
    ) -> Result<Self, HomeError> {
        if agent.inside {
            same_as_ancestors(agent, environment)?;
        }
        let given = absolute("HCP_HOME", environment.get("HCP_HOME"))?;
        let from_home = environment.get("HOME").filter(|_| !agent.inside);
        let from_home = from_home.map(PathBuf::from).filter(|p| p.is_absolute());
        let (user, name) = match from_home {
            Some(folder) => (Some(folder), String::new()),
            None => {
                let account = account();
                (account.home, account.name)
            }
        };
        let path = match (given, &user) {
            (Some(path), _) => path,
            (None, Some(folder)) => folder.join(".hcp"),
            (None, None) => return Err(HomeError::NoHome { user: name }),
        };
        if is_no_folder(&path) {
            return Err(HomeError::NoFolder { path });
        }
        Ok(Self { path, user })
    }

    /// A store in a folder of the caller's: for tests and programs that embed the library.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            user: None,
        }
    }

    /// The same store, for a person with this home folder.
    #[must_use]
    pub fn with_user_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.user = Some(folder.into());
        self
    }

    /// The store's folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The person's home folder, where it is known: the search for project files ends before it.
    #[must_use]
    pub fn user_folder(&self) -> Option<&Path> {
        self.user.as_deref()
    }

    /// The person's settings.
    #[must_use]
    pub fn access(&self) -> PathBuf {
        self.path.join("access.json")
    }

    /// The person's grants.
    #[must_use]
    pub fn grants(&self) -> PathBuf {
        self.path.join("grants.json")
    }

    /// The key's file.
    #[must_use]
    pub fn key_file(&self) -> PathBuf {
        self.path.join("key")
    }

    /// Requests and approvals.
    #[must_use]
    pub fn approvals(&self) -> PathBuf {
        self.path.join("approvals.db")
    }

    /// The audit log.
    #[must_use]
    pub fn audit(&self) -> PathBuf {
        self.path.join("audit.jsonl")
    }

    /// Installed packs.
    #[must_use]
    pub fn packs(&self) -> PathBuf {
        self.path.join("packs")
    }

    /// The demo programs.
    #[must_use]
    pub fn bin(&self) -> PathBuf {
        self.path.join("bin")
    }

    /// The demo programs' state.
    #[must_use]
    pub fn demo(&self) -> PathBuf {
        self.path.join("demo")
    }

    /// Makes the folder (mode 0700) when it is not there.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn ensure(&self) -> Result<(), HomeError> {
        fsutil::make_private_folder(&self.path).map_err(|error| HomeError::Io {
            path: self.path.clone(),
            error,
        })
    }

    /// The store's key. It is made at first use; of two processes that make it at once, both get one key.
    ///
    /// # Errors
    /// A key file with loose permissions, another owner or another length, and whatever the file system says.
    pub fn key(&self) -> Result<Key, HomeError> {
        let path = self.key_file();
        if let Some(key) = read_key(&path)? {
            return Ok(key);
        }
        self.ensure()?;
        let mut bytes = [0; KEY_LENGTH];
        let random = getrandom::fill(&mut bytes).map_err(io::Error::other);
        match random.and_then(|()| fsutil::create_atomically(&path, &bytes)) {
            Ok(()) => return Ok(Key::new(bytes)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(HomeError::Io { path, error }),
        }
        read_key(&path)?.ok_or_else(|| HomeError::Io {
            path,
            error: io::ErrorKind::NotFound.into(),
        })
    }
}

/// The folder or file that `HCP_PROJECT` names.
///
/// # Errors
/// A relative path: what it names would change with the working directory.
pub fn given_project(environment: &Environment) -> Result<Option<PathBuf>, HomeError> {
    absolute("HCP_PROJECT", environment.get("HCP_PROJECT"))
}

/// Whether something stands at a path, or on the way to it, that is no folder: settings would then be
/// "not there", where they can only not be read.
fn is_no_folder(path: &Path) -> bool {
    match path.metadata() {
        Ok(meta) => !meta.is_dir(),
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => true,
        Err(e) if e.kind() == io::ErrorKind::NotFound => path.symlink_metadata().is_ok(),
        // It is read later, and then says why it cannot be.
        Err(_) => false,
    }
}

fn absolute(variable: &'static str, value: Option<&OsStr>) -> Result<Option<PathBuf>, HomeError> {
    match value.map(PathBuf::from) {
        Some(path) if !path.is_absolute() => Err(HomeError::Relative {
            variable,
            value: path.to_string_lossy().into_owned(),
        }),
        path => Ok(path),
    }
}

fn same_as_ancestors(agent: &AgentStatus, environment: &Environment) -> Result<(), HomeError> {
    type Field = fn(&MarkedVariables) -> Option<&OsStr>;
    let rows: [(&'static str, Field); 2] = [
        ("HCP_HOME", |v| v.home.as_deref()),
        ("HCP_PROJECT", |v| v.project.as_deref()),
    ];
    for ancestor in &agent.marked {
        let Some(variables) = &ancestor.variables else {
            continue;
        };
        for (variable, field) in rows {
            if environment.get(variable) != field(variables) {
                let bearer = ancestor.bearer.clone();
                return Err(HomeError::Changed { variable, bearer });
            }
        }
    }
    Ok(())
}

/// The key in a file, `None` when there is no file.
fn read_key(path: &Path) -> Result<Option<Key>, HomeError> {
    let shown = safe(&path.to_string_lossy());
    let refuse = |problem: &str, mend: String| HomeError::Key {
        path: path.to_owned(),
        problem: problem.to_owned(),
        mend,
    };
    let file = match open_key(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) if e.raw_os_error() == Some(nix::libc::ELOOP) => {
            return Err(refuse("the key may not be a link", format!("rm {shown}")));
        }
        Err(error) => {
            let path = path.to_owned();
            return Err(HomeError::Io { path, error });
        }
    };
    let meta = file.metadata().map_err(|error| HomeError::Io {
        path: path.to_owned(),
        error,
    })?;
    if !meta.is_file() {
        return Err(refuse(
            "the key is not a regular file",
            format!("rm {shown}"),
        ));
    }
    if meta.uid() != nix::unistd::Uid::effective().as_raw() {
        return Err(refuse(
            "the key belongs to another user",
            format!("chown {} {shown}", nix::unistd::Uid::effective()),
        ));
    }
    if meta.mode() & 0o077 != 0 {
        return Err(refuse(
            "others may read the key",
            format!("chmod 600 {shown}"),
        ));
    }
    let mut bytes = Vec::with_capacity(KEY_LENGTH + 1);
    file.take(KEY_LENGTH as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| HomeError::Io {
            path: path.to_owned(),
            error,
        })?;
    match <[u8; KEY_LENGTH]>::try_from(bytes) {
        Ok(bytes) => Ok(Some(Key::new(bytes))),
        Err(_) => Err(refuse(
            "the key is not 32 bytes long",
            format!("rm {shown} (requests that wait are lost)"),
        )),
    }
}

fn open_key(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        // A pipe in the key's place must not make the program wait.
        .custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_CLOEXEC | nix::libc::O_NONBLOCK)
        .open(path)
}

#[cfg(test)]
mod tests;
