//! Whether this process is inside an agent, and how that was told.
//!
//! It looks at this process and walks up through its parents: a variable of theirs, or a known agent's
//! own program, marks them. What marks an agent is data ([`VARIABLES`], [`PROGRAMS`]). An ancestor that cannot be
//! read is skipped. It reads the process table and changes nothing.

mod data;
mod words;

pub use data::{PROGRAMS, ProgramMark, VARIABLES, VariableMark, Wanted};

use crate::platform::{Environment, ProcessStatus, ProcessTable, process_table};
use hcp_core::text::safe;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// How many ancestors are looked at. A longer chain was built to outrun the walk, so it counts as a marker.
pub const MOST_ANCESTORS: usize = 512;

/// What is looked at: the process table and this process's variables.
pub struct ProcessView<'t> {
    /// The processes.
    pub table: &'t dyn ProcessTable,
    /// This process's variables as they are now.
    pub environment: &'t Environment,
}

/// What kind of mark was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerKind {
    /// A variable.
    Variable,
    /// A known agent's own program among the ancestors.
    Program,
    /// More ancestors than are looked at.
    Depth,
    /// The process table does not even show this process.
    Unseen,
    /// The caller said so: a server that only agents talk to.
    Server,
}

/// The mark that says "agent".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerFound {
    /// The variable or the program.
    pub name: String,
    /// Who bears it: "bash, pid 4711" or "this process".
    pub bearer: String,
    /// What kind of mark it is.
    pub kind: MarkerKind,
}

impl MarkerFound {
    /// The message for an access command inside an agent.
    #[must_use]
    pub fn human_only(&self) -> String {
        format!("{self}: answer from a terminal of your own")
    }
}

impl std::fmt::Display for MarkerFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            MarkerKind::Variable => write!(f, "{} in {}", self.name, self.bearer),
            MarkerKind::Program => write!(f, "{} as {}", self.name, self.bearer),
            MarkerKind::Depth | MarkerKind::Unseen | MarkerKind::Server => f.write_str(&self.name),
        }
    }
}

/// An ancestor that bears a mark, with what settings need to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedAncestor {
    /// Its process id.
    pub pid: u32,
    /// "bash, pid 4711"
    pub bearer: String,
    /// Its `HCP_HOME`, `HCP_PROJECT` and `CLAUDE_PROJECT_DIR`; `None` when its environment cannot be read.
    pub variables: Option<MarkedVariables>,
    /// Its working directory.
    pub folder: Option<PathBuf>,
}

/// The variables of a marked ancestor that settings look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkedVariables {
    /// `HCP_HOME`
    pub home: Option<OsString>,
    /// `HCP_PROJECT`
    pub project: Option<OsString>,
    /// `CLAUDE_PROJECT_DIR`
    pub claude_project: Option<OsString>,
}

impl MarkedVariables {
    fn of(environment: &Environment) -> Self {
        let get = |name| environment.get(name).map(OsStr::to_owned);
        Self {
            home: get("HCP_HOME"),
            project: get("HCP_PROJECT"),
            claude_project: get("CLAUDE_PROJECT_DIR"),
        }
    }
}

/// How far the walk went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// Up to the first process.
    Top,
    /// Up to a process whose parent the system does not show.
    Hidden(u32),
    /// As far as it goes at all.
    Limit,
}

/// What the walk found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentStatus {
    /// Whether this process is inside an agent.
    pub inside: bool,
    /// The first mark found.
    pub marker: Option<MarkerFound>,
    /// Ancestors looked at, this process not counted.
    pub ancestors: usize,
    /// How far it looked.
    pub reached: Reached,
    /// Ancestors whose environment could not be read.
    pub skipped: Vec<u32>,
    /// Every ancestor that bears a mark, nearest first.
    pub marked: Vec<MarkedAncestor>,
}

impl AgentStatus {
    /// Looks at this process and its ancestors.
    #[must_use]
    pub fn current() -> Self {
        detect(&ProcessView {
            table: process_table().as_ref(),
            environment: &Environment::current(),
        })
    }

    /// The status of a process that nobody looked at: outside. For programs that embed the library and
    /// know who calls.
    #[must_use]
    pub fn outside() -> Self {
        Self {
            inside: false,
            marker: None,
            ancestors: 0,
            reached: Reached::Top,
            skipped: Vec::new(),
            marked: Vec::new(),
        }
    }

    /// The same status, and inside in any case: for a server that only agents talk to, named in messages.
    #[must_use]
    pub fn within(mut self, server: &str) -> Self {
        self.inside = true;
        self.marker.get_or_insert_with(|| MarkerFound {
            name: server.to_owned(),
            bearer: "this process".to_owned(),
            kind: MarkerKind::Server,
        });
        self
    }

    /// How far it looked and what it found, in a sentence.
    #[must_use]
    pub fn looked(&self) -> String {
        let found = match &self.marker {
            Some(marker) => format!("inside an agent: {marker}"),
            None => "no agent's mark found".to_owned(),
        };
        let end = match self.reached {
            Reached::Top => String::new(),
            Reached::Hidden(pid) => format!(", then pid {pid} hides its parent"),
            Reached::Limit => ", then stopped".to_owned(),
        };
        let skipped = if self.skipped.is_empty() {
            String::new()
        } else {
            let list: Vec<String> = self.skipped.iter().map(u32::to_string).collect();
            format!("; environment not readable: pid {}", list.join(", "))
        };
        format!(
            "{found}; looked at this process and {} of its ancestors{end}{skipped}",
            self.ancestors
        )
    }
}

/// Tells whether a process is inside an agent. Always walks to the end, because settings need every
/// marked ancestor and not only the first.
#[must_use]
pub fn detect(view: &ProcessView<'_>) -> AgentStatus {
    let mut status = AgentStatus::outside();
    let this = view.table.this();
    let own = view.table.status(this);
    let terminal = own.as_ref().is_some_and(|s| s.terminal);
    let initial = view.table.environment(this);
    let mark = variable_mark(view.environment, terminal)
        .or_else(|| initial.as_ref().and_then(|e| variable_mark(e, terminal)));
    if let Some(name) = mark {
        status.note(name, MarkerKind::Variable, "this process".to_owned());
    }
    match own {
        Some(own) => walk(view.table, this, own, &mut status),
        None => {
            // Whoever hides the table may hide an agent in it.
            status.reached = Reached::Hidden(this);
            let name = "the process table cannot be read";
            status.note(name, MarkerKind::Unseen, String::new());
        }
    }
    status
}

fn walk(table: &dyn ProcessTable, this: u32, own: ProcessStatus, status: &mut AgentStatus) {
    let (mut child, mut pid) = (this, own.parent);
    while pid != 0 {
        if status.ancestors == MOST_ANCESTORS {
            status.reached = Reached::Limit;
            let name = format!("more than {MOST_ANCESTORS} processes above this one");
            status.note(&name, MarkerKind::Depth, String::new());
            return;
        }
        let Some(found) = table.status(pid) else {
            status.reached = Reached::Hidden(child);
            return;
        };
        status.ancestors += 1;
        look_at(table, pid, &found, status);
        (child, pid) = (pid, found.parent);
    }
}

fn look_at(table: &dyn ProcessTable, pid: u32, found: &ProcessStatus, status: &mut AgentStatus) {
    let environment = table.environment(pid);
    if environment.is_none() {
        status.skipped.push(pid);
    }
    let bearer = format!("{}, pid {pid}", safe(&found.name));
    let variable = environment
        .as_ref()
        .and_then(|e| variable_mark(e, found.terminal));
    let mark = match variable {
        Some(name) => Some((name, MarkerKind::Variable)),
        None => words::program_mark(table, pid).map(|name| (name, MarkerKind::Program)),
    };
    let Some((name, kind)) = mark else { return };
    status.note(name, kind, bearer.clone());
    status.marked.push(MarkedAncestor {
        pid,
        bearer,
        variables: environment.as_ref().map(MarkedVariables::of),
        folder: table.folder(pid),
    });
}

impl AgentStatus {
    fn note(&mut self, name: &str, kind: MarkerKind, bearer: String) {
        self.inside = true;
        self.marker.get_or_insert_with(|| MarkerFound {
            name: name.to_owned(),
            bearer,
            kind,
        });
    }
}

/// The first marking variable, in the order of the table. Any entry of a name counts, for a block may
/// hold a name twice.
fn variable_mark(environment: &Environment, terminal: bool) -> Option<&'static str> {
    let mut best: Option<usize> = None;
    for (name, value) in environment.entries() {
        let hit = VARIABLES
            .iter()
            .position(|mark| name == mark.name && mark.holds(value, terminal));
        best = match (best, hit) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    best.and_then(|at| VARIABLES.get(at)).map(|mark| mark.name)
}

#[cfg(test)]
mod tests;
