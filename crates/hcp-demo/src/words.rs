//! The words of a command line, read against what a command takes. It touches nothing else.

use crate::fault::Fault;
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;
use std::ffi::OsString;

/// One command of a tool: its name, what it takes, and what it does.
pub(crate) struct Usage {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its bare words, all of which must be given.
    pub(crate) bare: &'static [&'static str],
    /// Options with a value: name, the value's name, and whether it must be given.
    pub(crate) options: &'static [(&'static str, &'static str, bool)],
    /// Options without a value.
    pub(crate) switches: &'static [&'static str],
    /// What it does.
    pub(crate) about: &'static str,
}

/// The words of a command line after the program's name.
#[derive(Debug)]
pub(crate) struct Words(Vec<String>);

/// The words of one command, read.
#[derive(Debug)]
pub(crate) struct Given {
    bare: Vec<String>,
    options: Vec<(&'static str, String)>,
    switches: Vec<&'static str>,
}

/// What the line asks for.
#[derive(Debug)]
pub(crate) enum Asked {
    /// This text.
    Help(String),
    /// The command of this name.
    Command(&'static str, Given),
}

impl Words {
    /// Takes the words as they came.
    pub(crate) fn read(args: Vec<OsString>) -> Result<Self, Fault> {
        args.into_iter()
            .map(|word| {
                word.into_string().map_err(|word| {
                    let shown = word.to_string_lossy();
                    Fault::Usage(format!("{} is not UTF-8 text", quoted(&shown)))
                })
            })
            .collect::<Result<Vec<_>, _>>()
            .map(Self)
    }

    /// Reads the words as a command of `tool`.
    pub(crate) fn ask(
        &self,
        tool: &'static str,
        about: &str,
        commands: &'static [Usage],
    ) -> Result<Asked, Fault> {
        let Some((name, rest)) = self.0.split_first() else {
            return Err(Fault::Usage(help_of_tool(tool, about, commands)));
        };
        if is_help(name) || name == "help" {
            return Ok(Asked::Help(help_of_tool(tool, about, commands)));
        }
        let Some(usage) = commands.iter().find(|c| c.name == name) else {
            let near = did_you_mean(name, commands.iter().map(|c| c.name));
            let help = near.map_or_else(
                || format!("see {tool} --help"),
                |near| format!("did you mean {near}?"),
            );
            return Err(Fault::Usage(format!(
                "there is no command {}; {help}",
                quoted(name)
            )));
        };
        if rest.iter().take_while(|w| *w != "--").any(|w| is_help(w)) {
            return Ok(Asked::Help(usage.help(tool)));
        }
        usage
            .read(tool, rest)
            .map(|g| Asked::Command(usage.name, g))
    }
}

fn is_help(word: &str) -> bool {
    word == "--help" || word == "-h"
}

fn help_of_tool(tool: &str, about: &str, commands: &[Usage]) -> String {
    let lines: Vec<(String, &str)> = commands
        .iter()
        .map(|c| (c.synopsis(tool), c.about))
        .collect();
    let width = lines.iter().map(|(l, _)| l.len()).max().unwrap_or(0);
    let list: String = lines
        .iter()
        .map(|(line, about)| format!("  {line:width$}  {about}\n"))
        .collect();
    format!("{about}\n\nCommands:\n{list}")
}

impl Usage {
    fn synopsis(&self, tool: &str) -> String {
        let mut words = vec![tool.to_owned(), self.name.to_owned()];
        words.extend(self.bare.iter().map(|b| (*b).to_owned()));
        for (option, value, required) in self.options {
            words.push(if *required {
                format!("--{option} {value}")
            } else {
                format!("[--{option} {value}]")
            });
        }
        words.extend(self.switches.iter().map(|s| format!("--{s}")));
        words.join(" ")
    }

    fn help(&self, tool: &str) -> String {
        format!("{}\n\nUsage: {}\n", self.about, self.synopsis(tool))
    }

    fn wrong(&self, tool: &str, message: &str) -> Fault {
        Fault::Usage(format!("{message}\nUsage: {}", self.synopsis(tool)))
    }

    fn read(&self, tool: &str, words: &[String]) -> Result<Given, Fault> {
        let mut given = Given {
            bare: Vec::new(),
            options: Vec::new(),
            switches: Vec::new(),
        };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "--" {
                given.bare.extend(rest.by_ref().cloned());
            } else if let Some(option) = word.strip_prefix("--") {
                self.read_option(tool, option, &mut rest, &mut given)?;
            } else if word.len() > 1 && word.starts_with('-') {
                return Err(self.wrong(tool, &format!("there is no option {}", quoted(word))));
            } else {
                given.bare.push(word.clone());
            }
        }
        self.check(tool, &given)?;
        Ok(given)
    }

    fn read_option(
        &self,
        tool: &str,
        option: &str,
        rest: &mut std::slice::Iter<'_, String>,
        given: &mut Given,
    ) -> Result<(), Fault> {
        let (name, inline) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (option, None),
        };
        if let Some(switch) = self.switches.iter().find(|s| **s == name) {
            if inline.is_some() {
                return Err(self.wrong(tool, &format!("--{switch} takes no value")));
            }
            given.switches.push(switch);
            return Ok(());
        }
        let Some((known, value_name, _)) = self.options.iter().find(|(o, ..)| *o == name) else {
            let all = self.options.iter().map(|(o, ..)| *o);
            let near = did_you_mean(name, all.chain(self.switches.iter().copied()));
            let help = near.map_or(String::new(), |near| format!("; did you mean --{near}?"));
            return Err(self.wrong(
                tool,
                &format!("there is no option {}{help}", quoted(&format!("--{name}"))),
            ));
        };
        if given.options.iter().any(|(o, _)| o == known) {
            return Err(self.wrong(tool, &format!("--{known} is given twice")));
        }
        let value = match inline {
            Some(value) => value,
            None => match rest.next() {
                Some(next) if !next.starts_with('-') => next.clone(),
                // The next word may be meant as an option: only `=` takes it for sure.
                Some(_) | None => {
                    return Err(self.wrong(
                        tool,
                        &format!("--{known} needs a value; write --{known}={value_name}"),
                    ));
                }
            },
        };
        given.options.push((known, value));
        Ok(())
    }

    fn check(&self, tool: &str, given: &Given) -> Result<(), Fault> {
        if let Some(missing) = self.bare.get(given.bare.len()) {
            return Err(self.wrong(tool, &format!("{missing} is missing")));
        }
        if let Some(extra) = given.bare.get(self.bare.len()) {
            return Err(self.wrong(tool, &format!("{} is one word too many", quoted(extra))));
        }
        let missing = self
            .options
            .iter()
            .find(|(option, _, required)| *required && given.option(option).is_none());
        match missing {
            Some((option, value, _)) => {
                Err(self.wrong(tool, &format!("--{option} {value} is missing")))
            }
            None => Ok(()),
        }
    }
}

impl Given {
    /// The n-th bare word.
    pub(crate) fn bare(&self, n: usize) -> &str {
        self.bare.get(n).map_or("", String::as_str)
    }

    /// The value of an option.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options
            .iter()
            .find(|(o, _)| *o == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether a switch is given.
    pub(crate) fn switch(&self, name: &str) -> bool {
        self.switches.contains(&name)
    }
}
