//! Paths that no call inside an agent may touch: the store, the operator's settings, projects' settings.
//!
//! An allowed command with an output option would otherwise rewrite the rules. Words are looked at as a tool
//! might read them: whole, behind an option, between separators, with the home folder spelled out.
//! It only looks; whether a call is inside an agent is the caller's business.

mod candidates;

use crate::home::Home;
use crate::platform::Environment;
use candidates::candidates;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The operator's folder.
pub const OPERATOR_FOLDER: &str = "/etc/hcp";

/// The name of the folder that holds a project's settings.
const PROJECT_FOLDER: &str = ".hcp";

/// More folders than this are not tried for one call.
const MOST_FOLDERS: usize = 8;

/// Links are followed this often, as the system does.
const MOST_LINKS: usize = 40;

/// What of a call reaches a protected place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A word of the command line, by its index.
    Word(usize),
    /// A path argument or a redirected file, by its index.
    Path(usize),
    /// The working directory.
    Folder,
}

/// A protected place that a call would reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What reaches it.
    pub reach: Reach,
    /// The place.
    pub root: PathBuf,
}

/// The protected places of a call, and how `~` is read.
#[derive(Debug, Clone)]
pub struct Protected {
    roots: Vec<PathBuf>,
    store: PathBuf,
    homes: Vec<PathBuf>,
}

impl Protected {
    /// The protected places of a process: its store, the operator's folder, and the settings of these projects.
    #[must_use]
    pub fn of(home: &Home, environment: &Environment, projects: &[PathBuf]) -> Self {
        // What `~` means to a tool is its HOME, which need not be the account's.
        let variable = environment.get("HOME").map(PathBuf::from);
        let account = home.user_folder().map(Path::to_owned);
        let homes: Vec<PathBuf> = account.into_iter().chain(variable).collect();
        Self::new(home.path(), &homes, projects)
    }

    /// The store, the operator's folder, and the settings of these projects; `homes` are what `~` may mean.
    /// Folders named `.hcp` are protected wherever they are.
    #[must_use]
    pub fn new(store: &Path, homes: &[PathBuf], projects: &[PathBuf]) -> Self {
        let places = [store.to_owned(), PathBuf::from(OPERATOR_FOLDER)];
        let settings = projects.iter().map(|p| p.join(PROJECT_FOLDER));
        let mut roots: Vec<PathBuf> = Vec::new();
        for place in places.into_iter().chain(settings) {
            let real = real_path(&place);
            roots.extend([place, real]);
        }
        roots.dedup();
        let mut homes: Vec<PathBuf> = homes.iter().filter(|h| h.is_absolute()).cloned().collect();
        homes.dedup();
        Self {
            roots,
            store: store.to_owned(),
            homes,
        }
    }

    /// The first thing in a call that reaches a protected place.
    ///
    /// ```
    /// use hcp::protect::{Protected, Reach};
    /// use std::path::Path;
    ///
    /// let protected = Protected::new(Path::new("/srv/hcp"), &[], &[]);
    /// let words = ["notes", "export", "--out=/srv/hcp/access.json"];
    /// let found = protected.find(&words, &[], Path::new("/tmp")).unwrap();
    /// assert_eq!(found.reach, Reach::Word(2));
    /// ```
    /// `words` are the words of the command line,
    /// `paths` its path arguments and redirected files, `cwd` its working directory.
    #[must_use]
    pub fn find<W: AsRef<OsStr>>(
        &self,
        words: &[W],
        paths: &[PathBuf],
        cwd: &Path,
    ) -> Option<Found> {
        if let Some(root) = self.root_of(cwd, Path::new("/")) {
            let reach = Reach::Folder;
            return Some(Found { reach, root });
        }
        self.folders(words, cwd).iter().find_map(|folder| {
            let named = |text: &OsStr, reach: Reach| {
                let root = self.root_of_word(text, folder)?;
                Some(Found { reach, root })
            };
            let mut in_paths = paths.iter().enumerate();
            let mut in_words = words.iter().enumerate();
            in_paths
                .find_map(|(at, path)| named(path.as_os_str(), Reach::Path(at)))
                .or_else(|| in_words.find_map(|(at, w)| named(w.as_ref(), Reach::Word(at))))
        })
    }

    /// The folders that words may be meant from: the working directory, and each folder that a word names and
    /// that a protected place lies below (`-C /srv` and the like).
    fn folders<W: AsRef<OsStr>>(&self, words: &[W], cwd: &Path) -> Vec<PathBuf> {
        let mut folders = vec![cwd.to_owned()];
        let named = words
            .iter()
            .flat_map(|word| self.readings(word.as_ref()))
            .map(|path| real_path(&cwd.join(path)))
            .filter(|path| path != Path::new("/") && self.is_above_a_root(path));
        for folder in named {
            if !folders.contains(&folder) && folders.len() < MOST_FOLDERS {
                folders.push(folder);
            }
        }
        folders
    }

    fn is_above_a_root(&self, path: &Path) -> bool {
        let below = |root: &PathBuf| root != path && lies_in(root, path);
        self.roots.iter().any(below)
    }

    /// The protected place that a word reaches, in whichever way a tool might read it.
    #[must_use]
    pub fn root_of_word(&self, word: &OsStr, cwd: &Path) -> Option<PathBuf> {
        self.readings(word)
            .iter()
            .find_map(|path| self.root_of(path, cwd))
    }

    /// Every path that a word may stand for.
    fn readings(&self, word: &OsStr) -> Vec<PathBuf> {
        let text = word.to_string_lossy();
        let parts = candidates(&text);
        let mut paths: Vec<PathBuf> = parts.iter().flat_map(|t| self.expanded(t)).collect();
        if word.to_str().is_none() {
            // The parts of a word that is no UTF-8 are not its exact bytes.
            paths.push(PathBuf::from(word));
        }
        paths
    }

    /// The protected place that a path lies in.
    #[must_use]
    pub fn root_of(&self, path: &Path, cwd: &Path) -> Option<PathBuf> {
        let whole = cwd.join(path);
        // Many tools take `..` out of a path as text before the system sees it, which leads elsewhere behind a link.
        let cleaned = without_dots(&whole);
        let mut readings = vec![real_path(&whole)];
        readings.extend((cleaned != whole).then(|| real_path(&cleaned)));
        readings.iter().find_map(|real| {
            let known = self.roots.iter().find(|root| lies_in(real, root));
            known.cloned().or_else(|| settings_folder(real, path))
        })
    }

    /// The paths that a text stands for when a tool reads `~` and a few variables by itself.
    fn expanded(&self, text: &str) -> Vec<PathBuf> {
        let mut paths = vec![PathBuf::from(text)];
        let store = self.store.to_string_lossy();
        for name in ["$HCP_HOME", "${HCP_HOME}"] {
            if let Some(rest) = text.strip_prefix(name) {
                paths.push(PathBuf::from(format!("{store}{rest}")));
            }
        }
        for home in &self.homes {
            for name in ["~", "$HOME", "${HOME}"] {
                let rest = text.strip_prefix(name);
                if let Some(rest) = rest.filter(|r| r.is_empty() || r.starts_with('/')) {
                    paths.push(PathBuf::from(format!("{}{rest}", home.display())));
                }
            }
        }
        paths.extend(of_another_user(text));
        paths
    }
}

/// `~name/rest` by the account database.
fn of_another_user(text: &str) -> Option<PathBuf> {
    let named = text.strip_prefix('~')?;
    let (name, rest) = named.split_once('/').unwrap_or((named, ""));
    if name.is_empty() || name.len() > 64 {
        return None;
    }
    let user = nix::unistd::User::from_name(name).ok().flatten()?;
    Some(user.dir.join(rest))
}

/// The folder named `.hcp` that a path lies in. Where the text could as well be a sentence or a web address,
/// the folder above it must be there.
fn settings_folder(real: &Path, text: &Path) -> Option<PathBuf> {
    let folder = real.ancestors().find(|a| is_settings_name(a.file_name()))?;
    let text = text.to_string_lossy();
    let is_surely_path = !text.contains(char::is_whitespace) && !text.contains("://");
    let there = || folder.parent().is_some_and(Path::is_dir);
    (is_surely_path || there()).then(|| folder.to_owned())
}

/// Whether a path is a folder or something in it. Letter case does not tell names apart where the file system
/// does not.
fn lies_in(path: &Path, folder: &Path) -> bool {
    if !cfg!(target_os = "macos") {
        return path.starts_with(folder);
    }
    let mut parts = path.components();
    folder.components().all(|wanted| {
        let part = parts.next();
        part.is_some_and(|p| p.as_os_str().eq_ignore_ascii_case(wanted.as_os_str()))
    })
}

fn is_settings_name(name: Option<&OsStr>) -> bool {
    let Some(name) = name else { return false };
    if cfg!(target_os = "macos") {
        return name.eq_ignore_ascii_case(PROJECT_FOLDER);
    }
    name == PROJECT_FOLDER
}

/// The path that the system would reach, as far as it is there; what is not there follows as it stands.
/// Unlike a lookup of the whole path, this also tells where a file would be made.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    let mut real = PathBuf::from("/");
    let mut rest: Vec<PathBuf> = pieces(path);
    let mut links = 0;
    while let Some(piece) = rest.pop() {
        if piece == Path::new("..") {
            real.pop();
            continue;
        }
        let next = real.join(&piece);
        match std::fs::read_link(&next) {
            Ok(target) if links < MOST_LINKS => {
                links += 1;
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                rest.extend(pieces(&target));
            }
            Ok(_) | Err(_) => real = next,
        }
    }
    real
}

/// A path with `..` taken out as text.
fn without_dots(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            // At the root it leads nowhere.
            Component::ParentDir => drop(cleaned.pop()),
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => cleaned.push(part),
        }
    }
    cleaned
}

/// The pieces of a path, last first.
fn pieces(path: &Path) -> Vec<PathBuf> {
    path.components()
        .rev()
        .filter_map(|c| match c {
            Component::Normal(name) => Some(PathBuf::from(name)),
            Component::ParentDir => Some(PathBuf::from("..")),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
