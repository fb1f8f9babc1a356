//! Which project files count for a call, and which folder is the project.

use super::{ReadPlan, SettingsError, canonical};
use crate::home::Home;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The settings file of a project, below its folder.
const PROJECT_FILE: &str = ".hcp/access.json";

/// Every project file that may count, nearest first, each once. They need not be there.
pub(super) fn project_files(
    plan: &ReadPlan<'_>,
    given: Option<&Path>,
) -> Result<Vec<PathBuf>, SettingsError> {
    let mut found = Files::new(plan.home);
    found.upwards(plan.cwd);
    for folder in plan.folders {
        found.upwards(folder);
    }
    if let Some(given) = given {
        found.add(given_file(given)?);
    }
    if plan.agent.inside {
        for folder in agents_folders(plan) {
            found.upwards(&folder);
        }
    }
    Ok(found.files)
}

/// Every folder beside the working directory from which project files count.
#[must_use]
pub fn folders_of(plan: &ReadPlan<'_>) -> Vec<PathBuf> {
    let mut folders = plan.folders.to_vec();
    folders.extend(crate::home::given_project(plan.environment).ok().flatten());
    if plan.agent.inside {
        folders.extend(agents_folders(plan));
    }
    folders.sort();
    folders.dedup();
    folders.retain(|folder| folder != plan.cwd);
    folders
}

/// The folders of marked ancestors, and the project that their host works on, so that leaving a folder
/// sheds no rule.
fn agents_folders(plan: &ReadPlan<'_>) -> Vec<PathBuf> {
    let own = plan.environment.get("CLAUDE_PROJECT_DIR");
    let mut folders: Vec<PathBuf> = Vec::new();
    for ancestor in &plan.agent.marked {
        folders.extend(ancestor.folder.clone());
        let project = ancestor.variables.as_ref();
        folders.extend(
            project
                .and_then(|v| v.claude_project.as_ref())
                .map(PathBuf::from),
        );
    }
    folders.extend(own.map(PathBuf::from));
    folders.retain(|folder| folder.is_absolute());
    folders
}

/// `HCP_PROJECT` names the project's folder; its `.hcp` folder or the file itself will do.
fn given_file(given: &Path) -> Result<PathBuf, SettingsError> {
    let meta = given.metadata().map_err(|e| {
        SettingsError::one(
            "HCP_PROJECT",
            format!("the project cannot be read: {e}"),
            Some("set it to the project's folder, or unset it".to_owned()),
        )
    })?;
    if !meta.is_dir() {
        return Ok(given.to_owned());
    }
    if given.file_name() == Some(OsStr::new(".hcp")) {
        return Ok(given.join("access.json"));
    }
    Ok(given.join(PROJECT_FILE))
}

struct Files {
    /// The person's home folder: the way up ends before it.
    end: Option<PathBuf>,
    /// The person's own file is no project's.
    own: PathBuf,
    seen: HashSet<PathBuf>,
    files: Vec<PathBuf>,
}

impl Files {
    fn new(home: &Home) -> Self {
        Self {
            end: home.user_folder().map(canonical),
            own: canonical(&home.path().join("access.json")),
            seen: HashSet::new(),
            files: Vec::new(),
        }
    }

    fn add(&mut self, file: PathBuf) {
        let real = canonical(&file);
        if real != self.own && self.seen.insert(real) {
            self.files.push(file);
        }
    }

    fn upwards(&mut self, folder: &Path) {
        for folder in canonical(folder).ancestors() {
            if self.end.as_deref() == Some(folder) {
                break;
            }
            self.add(folder.join(PROJECT_FILE));
        }
    }
}

/// The project that a folder belongs to: the nearest folder upwards that holds `.hcp`, else the
/// repository's root, else none. The store is no project.
#[must_use]
pub fn project_of(cwd: &Path, home: &Home) -> Option<PathBuf> {
    let cwd = canonical(cwd);
    let end = home.user_folder().map(canonical);
    let store = canonical(home.path());
    let with_settings = cwd
        .ancestors()
        .take_while(|folder| end.as_deref() != Some(*folder))
        .find(|folder| {
            let settings = folder.join(".hcp");
            settings.is_dir() && canonical(&settings) != store
        });
    let repository = || cwd.ancestors().find(|folder| folder.join(".git").exists());
    with_settings.or_else(repository).map(Path::to_owned)
}
