//! The walk through a program's help, subcommand by subcommand, within bounds.
//!
//! The program is run with nothing but words that its own help named, `--help`, and the questions of
//! [`crate::sources`]. Whatever it answers, the walk ends: depth, count, runs and silence are bounded here,
//! time and the size of an answer by the port.

mod git;
mod only;

pub use only::Only;

use crate::model::{Family, Help, Opt, Sub, Usage};
use crate::read;
use crate::sources;
use hcp_core::text::safe;
use std::collections::BTreeSet;

/// What a run of the program gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It ended, with these bytes on its standard output and standard error.
    Said {
        /// Standard output, cut at the port's bound.
        out: Vec<u8>,
        /// Standard error, cut at the port's bound.
        err: Vec<u8>,
        /// Whether there was more.
        cut: bool,
    },
    /// It did not end in time and was killed; what it had said by then is not read.
    TimedOut,
    /// It could not be started, and why.
    Failed(String),
    /// The time for all runs together is over; it was not started.
    NoTimeLeft,
}

/// Runs the program for its help: the one effect of this crate.
///
/// An implementation starts the program itself, without a shell and a terminal, with a closed standard
/// input, in a session of its own; it bounds the time of a run, the time of all, and the bytes it keeps.
pub trait RunHelp {
    /// Runs the program with these words.
    fn run(&mut self, words: &[String]) -> Answer;
}

/// How far a walk goes.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// How many words deep.
    pub depth: usize,
    /// How many commands.
    pub commands: usize,
    /// How many runs of the program.
    pub runs: usize,
    /// How many runs may end without an answer, one after another.
    pub silent: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            depth: 3,
            commands: 500,
            runs: 2_000,
            silent: 3,
        }
    }
}

/// A command that was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Its words after the program's name.
    pub(crate) words: Vec<String>,
    pub(crate) description: String,
    /// Whether the description is the command's own, and not that of the one above it.
    pub(crate) described: bool,
    pub(crate) family: Family,
    pub(crate) options: Vec<Opt>,
    pub(crate) usages: Vec<Usage>,
}

/// A program as its help describes it.
#[derive(Debug, Clone)]
pub struct Tool {
    pub(crate) program: String,
    /// The program's name without its folder.
    pub(crate) label: String,
    pub(crate) family: Family,
    pub(crate) about: String,
    pub(crate) globals: Vec<Opt>,
    pub(crate) commands: Vec<Found>,
    /// What could not be read, in safe words.
    pub notes: Vec<String>,
}

impl Tool {
    /// The program's name.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Which kind of library prints its help.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// How many commands were found.
    #[must_use]
    pub fn commands(&self) -> usize {
        self.commands.len()
    }
}

/// Why a program's help cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// It could not be started.
    #[error("the program cannot be run: {0}")]
    NotStarted(String),
    /// It did not end in time.
    #[error("the program did not answer --help in time and was ended")]
    Silent,
    /// It answered, and neither an option nor a command could be read.
    #[error("the answer to --help names no option and no command that can be read{0}")]
    Unreadable(String),
}

/// Reads a program's help. `program` is its name as the command lines of the pack will have it.
///
/// # Errors
/// When nothing at all could be read. What only could not be read in part stands in [`Tool::notes`].
pub fn walk(
    program: &str,
    only: &Only,
    bounds: &Bounds,
    run: &mut dyn RunHelp,
) -> Result<Tool, WalkError> {
    let label = program.rsplit('/').next().unwrap_or(program).to_owned();
    let mut walk = Walk {
        program: program.to_owned(),
        label: label.clone(),
        only,
        bounds,
        run,
        runs: 0,
        silent: 0,
        family: Family::Plain,
        help_word: false,
        seen: BTreeSet::new(),
        commands: Vec::new(),
        notes: Vec::new(),
    };
    let (top, cut) = match walk.ask(&words(&["--help"])) {
        Answer::Said { out, err, cut } => (spoken(out, err), cut),
        Answer::TimedOut | Answer::NoTimeLeft => return Err(WalkError::Silent),
        Answer::Failed(why) => return Err(WalkError::NotStarted(why)),
    };
    if crate::text::is_binary(&top) {
        return Err(WalkError::Unreadable(": it is no text".to_owned()));
    }
    let mut help = read::help(&top, std::slice::from_ref(&label), Family::Plain);
    if help.is_empty() {
        return Err(WalkError::Unreadable(first_line(&top)));
    }
    walk.family = help.family;
    if cut {
        walk.note(&[], "its help was longer than is read");
    }
    walk.note_cut(&[], &help);
    walk.seen.insert(top.clone());
    walk.help_word = help.commands.iter().any(|sub| sub.name == "help");
    if git::speaks_git(&help, &mut walk) {
        let tool = git::walk(walk, help);
        return Ok(tool);
    }
    walk.better_names(&[], &mut help);
    walk.listed_by_option(&mut help);
    let mut globals = globals(&help);
    if walk.family == Family::Cobra && globals.is_empty() {
        globals = walk.cobra_globals();
    }
    if help.commands.is_empty() {
        if help.usages.iter().any(|usage| usage.needs_command) {
            walk.note(
                &[],
                "it has commands, and its help lists none that can be read",
            );
        }
        walk.add(&[], &help, "", false);
    } else {
        let subs = std::mem::take(&mut help.commands);
        walk.below(&[], &subs, &help);
    }
    Ok(walk.finish(help.about, globals))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

/// What a program said: on its standard output, or else on its standard error.
fn spoken(out: Vec<u8>, err: Vec<u8>) -> Vec<u8> {
    if out.iter().all(u8::is_ascii_whitespace) {
        err
    } else {
        out
    }
}

fn first_line(output: &[u8]) -> String {
    let lines = crate::text::lines(output);
    let first = lines
        .iter()
        .map(|line| line.trim())
        .find(|line| !line.is_empty());
    first.map_or_else(
        || ": it said nothing".to_owned(),
        |line| format!(": it begins {}", hcp_core::text::quoted(line)),
    )
}

/// The options of the program itself, which may stand before every command.
fn globals(help: &Help) -> Vec<Opt> {
    if help.commands.is_empty() {
        return Vec::new();
    }
    help.options.clone()
}

struct Walk<'w> {
    program: String,
    label: String,
    only: &'w Only,
    bounds: &'w Bounds,
    run: &'w mut dyn RunHelp,
    runs: usize,
    /// Runs without an answer, one after another.
    silent: usize,
    family: Family,
    /// Whether the program has a command `help`.
    help_word: bool,
    /// Texts that were read: a program that ignores its words says the same again.
    seen: BTreeSet<Vec<u8>>,
    commands: Vec<Found>,
    notes: Vec<String>,
}

impl Walk<'_> {
    /// Runs the program, unless it was run or was silent too often.
    fn ask(&mut self, words: &[String]) -> Answer {
        if self.runs >= self.bounds.runs || self.silent >= self.bounds.silent {
            return Answer::NoTimeLeft;
        }
        self.runs += 1;
        let answer = self.run.run(words);
        match &answer {
            Answer::TimedOut => self.silent += 1,
            Answer::Said { .. } | Answer::Failed(_) | Answer::NoTimeLeft => self.silent = 0,
        }
        answer
    }

    /// What the program says to these words on its standard output.
    fn output(&mut self, words: &[String]) -> Option<Vec<u8>> {
        match self.ask(words) {
            Answer::Said { out, .. } => Some(out),
            Answer::TimedOut | Answer::Failed(_) | Answer::NoTimeLeft => None,
        }
    }

    fn note(&mut self, path: &[String], what: &str) {
        let shown = if path.is_empty() {
            self.label.clone()
        } else {
            path.join(" ")
        };
        let note = format!("{}: {what}", safe(&shown));
        if self.notes.len() < 200 && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn whole_path(&self, path: &[String]) -> Vec<String> {
        [std::slice::from_ref(&self.label), path].concat()
    }

    /// The help of a command: by `--help`, and where that says nothing by the program's own `help`.
    fn help_of(&mut self, path: &[String]) -> Option<Help> {
        let asked = [path, &words(&["--help"])].concat();
        let mut said = match self.ask(&asked) {
            Answer::Said { out, err, cut } => {
                if cut {
                    self.note(path, "its help was longer than is read");
                }
                spoken(out, err)
            }
            Answer::TimedOut => {
                self.note(path, "it did not answer --help in time and was ended");
                return None;
            }
            Answer::Failed(why) => {
                self.note(path, &safe(&why).to_string());
                return None;
            }
            Answer::NoTimeLeft => {
                self.note(path, "not read: the time or the number of runs was used up");
                return None;
            }
        };
        if crate::text::is_binary(&said) {
            self.note(path, "its help is no text");
            return None;
        }
        let whole = self.whole_path(path);
        let mut help = read::help(&said, &whole, self.family);
        if help.is_empty() && self.help_word {
            let asked = [&words(&["help"]), path].concat();
            if let Answer::Said { out, err, .. } = self.ask(&asked) {
                said = spoken(out, err);
                help = read::help(&said, &whole, self.family);
            }
        }
        if help.is_empty() {
            self.note(path, "its help names nothing that can be read");
            return None;
        }
        self.note_cut(path, &help);
        if !self.seen.insert(said) {
            self.note(
                path,
                "it says the same as another command, so its options are left out",
            );
            return None;
        }
        Some(help)
    }

    fn note_cut(&mut self, path: &[String], help: &Help) {
        if help.options.len() >= crate::rows::MOST_OPTIONS {
            self.note(path, "it has more options than are read");
        }
    }

    /// Names and descriptions from cobra itself, where the program is built on it.
    fn better_names(&mut self, path: &[String], help: &mut Help) {
        if help.family != Family::Cobra || help.commands.is_empty() {
            return;
        }
        let mut asked = words(&["__complete"]);
        asked.extend_from_slice(path);
        asked.push(String::new());
        let Some(answer) = self.output(&asked) else {
            return;
        };
        for sub in sources::cobra_names(&answer).unwrap_or_default() {
            match help
                .commands
                .iter_mut()
                .find(|known| known.name == sub.name)
            {
                Some(known) => known.description = sub.description,
                None => help.commands.push(sub),
            }
        }
    }

    /// A program whose list of commands ends in "see all with --list" is asked for that list.
    fn listed_by_option(&mut self, help: &mut Help) {
        let offers = help
            .options
            .iter()
            .any(|o| o.has("--list") && o.description.to_lowercase().contains("command"));
        if help.family != Family::Clap || !offers || help.commands.is_empty() {
            return;
        }
        let Some(answer) = self.output(&words(&["--list"])) else {
            return;
        };
        let lines = crate::text::lines(&answer);
        let listed = crate::rows::commands(&crate::rows::sections(&lines));
        for sub in listed {
            let alias =
                sub.description.starts_with("alias:") || sub.description.starts_with("REMOVED");
            if !alias && !help.commands.iter().any(|known| known.name == sub.name) {
                help.commands.push(sub);
            }
        }
    }

    fn cobra_globals(&mut self) -> Vec<Opt> {
        let answer = self.output(&words(&["__complete", "-"]));
        let mut found = answer
            .map(|a| sources::cobra_options(&a))
            .unwrap_or_default();
        found.iter_mut().for_each(|option| option.global = true);
        found
    }

    /// Reads the commands below a path.
    fn below(&mut self, path: &[String], subs: &[Sub], parent: &Help) {
        for sub in subs {
            if self.commands.len() >= self.bounds.commands {
                self.note(path, "there are more commands than are read");
                return;
            }
            let under = [path, std::slice::from_ref(&sub.name)].concat();
            // Help and completion are for the person at the keyboard.
            let for_people = path.is_empty()
                && matches!(sub.name.as_str(), "help" | "completion" | "completions");
            if for_people || !self.only.may_hold(&under) {
                continue;
            }
            let Some(mut help) = self.help_of(&under) else {
                continue;
            };
            // The list of a parent says it shortest.
            if help.about.is_empty() || !sub.description.is_empty() {
                help.about.clone_from(&sub.description);
            }
            if help.commands == parent.commands {
                help.commands.clear();
            }
            help.commands.retain(|inner| inner.name != "help");
            self.better_names(&under, &mut help);
            let inner = std::mem::take(&mut help.commands);
            if inner.is_empty() || runs_by_itself(&help, &inner) {
                self.add(&under, &help, &sub.description, !inner.is_empty());
            }
            if inner.is_empty() {
                continue;
            }
            if under.len() >= self.bounds.depth {
                self.note(&under, "its subcommands lie deeper than is read");
                continue;
            }
            self.below(&under, &inner, &help);
        }
    }

    /// Adds a command; usage lines with words of their own are commands of their own.
    fn add(&mut self, path: &[String], help: &Help, description: &str, group: bool) {
        let about = if description.is_empty() {
            &help.about
        } else {
            description
        };
        // Where subcommands are listed, the word for one is no argument.
        let mut help = help.clone();
        if group {
            for usage in &mut help.usages {
                usage.positionals.retain(|p| !p.of_command);
            }
        }
        let bare: Vec<Usage> = help
            .usages
            .iter()
            .filter(|u| u.words.is_empty())
            .cloned()
            .collect();
        let mut named: Vec<Vec<String>> = Vec::new();
        for usage in help.usages.iter().filter(|u| !u.words.is_empty()) {
            if !named.contains(&usage.words) {
                named.push(usage.words.clone());
            }
        }
        if named.is_empty() || !bare.is_empty() {
            self.push(path, (about, true), help.options.clone(), bare, help.family);
        }
        for words in named {
            let usages: Vec<Usage> = help
                .usages
                .iter()
                .filter(|u| u.words == words)
                .cloned()
                .collect();
            let mut options: Vec<Opt> = Vec::new();
            for option in usages.iter().flat_map(|u| &u.options) {
                let row = help
                    .options
                    .iter()
                    .find(|o| option.spellings.iter().any(|s| o.has(s)));
                let mut option = row.cloned().unwrap_or_else(|| option.clone());
                option.required &= usages.len() == 1;
                crate::rows::add(&mut options, option);
            }
            if help.family == Family::Npm {
                options.clone_from(&help.options);
            }
            let path = [path, &words].concat();
            let whole = if about.is_empty() {
                String::new()
            } else {
                format!("{about}: {}", words.join(" "))
            };
            self.push(&path, (&whole, false), options, usages, help.family);
        }
    }

    fn push(
        &mut self,
        path: &[String],
        (description, described): (&str, bool),
        options: Vec<Opt>,
        usages: Vec<Usage>,
        family: Family,
    ) {
        if !self.only.holds(path) || self.commands.iter().any(|c| c.words == path) {
            return;
        }
        self.commands.push(Found {
            words: path.to_vec(),
            description: description.to_owned(),
            described,
            family,
            options,
            usages,
        });
    }

    fn finish(self, about: String, globals: Vec<Opt>) -> Tool {
        Tool {
            program: self.program,
            label: self.label,
            family: self.family,
            about,
            globals,
            commands: self.commands,
            notes: self.notes,
        }
    }
}

/// Whether a command that has subcommands can be run without one: some usage line needs none.
fn runs_by_itself(help: &Help, inner: &[Sub]) -> bool {
    let is_inner = |word: &String| inner.iter().any(|sub| sub.name == *word);
    help.usages.iter().any(|usage| {
        let chooses = usage
            .positionals
            .iter()
            .any(|p| !p.choices.is_empty() && p.choices.iter().all(is_inner));
        !usage.needs_command && !chooses
    })
}

#[cfg(test)]
pub(crate) mod testing;

#[cfg(test)]
mod tests;
