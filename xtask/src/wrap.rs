//! Wraps real programs and writes the page that says how much of them was found.
//!
//! What there is to find is counted here by a reader of its own, as plain as can be, so that the product's
//! reader is not its own judge.

use crate::binary::{self, Build};
use crate::tools::{self, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/wrap.md";

/// The programs, and how each says its version.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("git", &["--version"]),
    ("gh", &["--version"]),
    ("cargo", &["--version"]),
    ("npm", &["--version"]),
    ("docker", &["--version"]),
    ("kubectl", &["version", "--client"]),
    ("terraform", &["version"]),
];

/// How many words deep is looked.
const DEEPEST: usize = 3;

/// Wraps every program that is installed and writes the page. `packs` is where the judged packs stand.
pub(crate) fn run(print: bool, packs: Option<&Path>) -> Result {
    let judges = packs.map_or_else(|| tools::root().join("packs"), Path::to_owned);
    let hcpx = binary::build(Build::Dev)?;
    let folder = tempfile::Builder::new().prefix("hcpx-wrap-").tempdir()?;
    let mut rows = String::new();
    let mut judged = String::new();
    for (program, version) in PROGRAMS {
        let said = output(Path::new(program), version, folder.path());
        let Some(said) = said.lines().next().filter(|line| !line.is_empty()) else {
            writeln!(rows, "| {program} | not installed | | | |")?;
            continue;
        };
        let draft = Draft::make(&hcpx, program, folder.path())?;
        let counted = count(program, &draft, folder.path());
        writeln!(
            rows,
            "| {program} | {} | {} | {} | {} |",
            said.trim_start_matches(program)
                .trim_start_matches(" version")
                .trim(),
            share(counted.commands),
            share(counted.arguments),
            draft.guesses()
        )?;
        if let Some(line) = against_judged(&judges.join(program), program, &draft)? {
            judged.push_str(&line);
        }
    }
    let page = page(&rows, &judged);
    if print {
        println!("{page}");
        return Ok(());
    }
    tools::write(&tools::root().join(PAGE), &page)?;
    println!("wrote {PAGE}");
    Ok(())
}

fn page(rows: &str, judged: &str) -> String {
    format!(
        "<!-- Written by `cargo xtask wrap`; do not edit. -->\n\n# What `hcpx wrap` finds\n\n\
         Each program was wrapped as it is installed where this page was written. Commands that exist are those\n\
         that the program itself names, subcommand by subcommand; arguments are the options that each command's\n\
         help lists, by their names, help and version apart. Both were counted by a second, plain reader.\n\n\
         | program | version | commands found / that exist | arguments found / in the help | guessed: read · write unasked · ask · always ask |\n\
         |---|---|---|---|---|\n{rows}\n\
         ## Against packs judged by hand\n\n\
         The guesses are compared where a bundled pack judges the same program, for the commands that both have:\n\
         by their names, else by their own words. What is compared is read or write and when it asks, without the\n\
         raises. A guess may be graver than the judgement, which costs a question. It should never read where a\n\
         person judged that it writes, nor run unasked where a person judged that it asks: both stand in the\n\
         column \"unasked\". The milder ones ask once, unless their row says otherwise, where a person judged that\n\
         they ask in every mode.\n\n\
         | program | commands compared | the same | graver | milder | unasked |\n\
         |---|---|---|---|---|---|\n{judged}"
    )
}

fn share((found, all): (usize, usize)) -> String {
    let percent = (found * 100).checked_div(all).unwrap_or(0);
    format!("{found} / {all} ({percent} %)")
}

/// What a program prints, on whichever stream.
fn output(program: &Path, words: &[&str], folder: &Path) -> String {
    let out = Command::new(program)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("COLUMNS", "160")
        .env("NO_COLOR", "1")
        .env("PAGER", "cat")
        .env("LC_ALL", "C.UTF-8")
        .output();
    let Ok(out) = out else {
        return String::new();
    };
    let text = if out.stdout.is_empty() {
        out.stderr
    } else {
        out.stdout
    };
    String::from_utf8_lossy(&text).into_owned()
}

/// A draft as it was written.
struct Draft {
    surface: Value,
    policy: Value,
    summary: Value,
}

impl Draft {
    fn make(hcpx: &Path, program: &str, folder: &Path) -> Result<Self> {
        let mut command = Command::new(hcpx);
        command
            .args(["wrap", program, "--json"])
            .current_dir(folder)
            .env("HCP_HOME", folder.join("store"))
            .env_remove("HCP_AGENT");
        let summary = serde_json::from_str(&tools::output(&mut command)?)?;
        Self::read(&folder.join(program), summary)
    }

    /// A pack in its folder.
    fn read(folder: &Path, summary: Value) -> Result<Self> {
        let read = |name: &str| -> Result<Value> {
            Ok(serde_json::from_str(&tools::read(&folder.join(name))?)?)
        };
        Ok(Self {
            surface: read("surface.json")?,
            policy: read("policy.json")?,
            summary,
        })
    }

    fn guesses(&self) -> String {
        let count = |key: &str| self.summary.get(key).and_then(Value::as_u64).unwrap_or(0);
        format!(
            "{} · {} · {} · {}",
            count("reads"),
            count("writes"),
            count("asks"),
            count("always")
        )
    }

    fn commands(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.surface
            .get("commands")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    }

    /// The options of a command by its own words, the program's own among them; `None` where it is not there.
    fn options(&self, path: &[String]) -> Option<BTreeSet<String>> {
        let same = |entry: &Value| own_words(entry).get(1..).is_some_and(|words| words == path);
        let entries: Vec<&Value> = self
            .commands()
            .map(|(_, entry)| entry)
            .filter(|e| {
                // The subcommands that only a usage line shows have their command's options between them.
                same(e)
                    || own_words(e)
                        .get(1..)
                        .is_some_and(|words| words.starts_with(path))
            })
            .collect();
        (!entries.is_empty()).then(|| {
            let globals = self.surface.get("globals");
            entries
                .into_iter()
                .chain(globals)
                .flat_map(spellings)
                .collect()
        })
    }
}

fn cli(entry: &Value) -> Vec<String> {
    let words = entry
        .get("cli")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    words
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn own_words(entry: &Value) -> Vec<String> {
    cli(entry)
        .into_iter()
        .take_while(|w| !w.starts_with(['-', '{']))
        .collect()
}

/// Every spelling of an option that an entry declares.
fn spellings(entry: &Value) -> Vec<String> {
    let words = cli(entry).into_iter().filter(|w| w.starts_with('-'));
    let mut found: Vec<String> = words
        .map(|w| w.split('=').next().unwrap_or_default().to_owned())
        .collect();
    let properties = entry.pointer("/args/properties").and_then(Value::as_object);
    for argument in properties.into_iter().flat_map(|p| p.values()) {
        let aliases = argument.get("x-alias").and_then(Value::as_array);
        found.extend(
            aliases
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned),
        );
    }
    found
}

/// Found and all, of commands and of arguments.
struct Counted {
    commands: (usize, usize),
    arguments: (usize, usize),
}

fn count(program: &str, draft: &Draft, folder: &Path) -> Counted {
    let mut paths: BTreeMap<Vec<String>, String> = BTreeMap::new();
    if program == "git" {
        let listed = output(
            Path::new("git"),
            &["--list-cmds=builtins,list-mainporcelain"],
            folder,
        );
        for name in listed.split_whitespace().filter(|n| !n.contains("--")) {
            let help = output(Path::new("git"), &[name, "-h"], folder);
            paths.insert(vec![name.to_owned()], help);
        }
    } else {
        below(program, &[], folder, &mut paths);
    }
    let mut counted = Counted {
        commands: (0, paths.len()),
        arguments: (0, 0),
    };
    for (path, help) in &paths {
        let Some(options) = draft.options(path) else {
            continue;
        };
        counted.commands.0 += 1;
        for option in options_in(help) {
            counted.arguments.1 += 1;
            counted.arguments.0 += usize::from(options.contains(&option));
        }
    }
    counted
}

/// Asks for the help of every command that a help names.
fn below(program: &str, path: &[String], folder: &Path, paths: &mut BTreeMap<Vec<String>, String>) {
    let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
    words.push("--help");
    let help = output(Path::new(program), &words, folder);
    if paths.values().any(|known| *known == help) {
        return;
    }
    let mut names = names_in(&help);
    if path.is_empty() && program == "cargo" {
        let listed = output(Path::new(program), &["--list"], folder);
        let rows = listed
            .lines()
            .filter(|row| !row.contains("alias:") && !row.contains("REMOVED"));
        names.extend(names_in(&rows.collect::<Vec<_>>().join("\n")));
    }
    if !path.is_empty() {
        paths.insert(path.to_vec(), help);
    }
    if path.len() >= DEEPEST {
        return;
    }
    for name in names {
        // For people at a keyboard, as the product passes them over too.
        if matches!(name.as_str(), "help" | "completion") {
            continue;
        }
        below(program, &[path, &[name]].concat(), folder, paths);
    }
}

/// The names in the lists of commands of a help text.
fn names_in(help: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut listing = false;
    for line in help.lines() {
        let text = line.trim();
        if !line.starts_with(' ') && !text.is_empty() {
            let lower = text.to_lowercase();
            listing = lower.contains("command")
                && (text.ends_with(':') || lower != text && !text.contains('<'))
                && !lower.contains("usage");
            continue;
        }
        if !listing || text.is_empty() || text.contains('=') && !text.contains("  ") {
            continue;
        }
        let is_name = |w: &str| {
            w.starts_with(|c: char| c.is_ascii_lowercase())
                && w.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        let term = text.split("  ").next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        if text.contains("  ") && indent <= 6 {
            let name = term
                .split([',', ' '])
                .next()
                .unwrap_or_default()
                .trim_end_matches([':', '*']);
            names.extend(Some(name).filter(|n| is_name(n)).map(str::to_owned));
        } else if term.contains(',')
            && term
                .split(',')
                .map(str::trim)
                .all(|w| w.is_empty() || is_name(w))
        {
            names.extend(
                term.split(',')
                    .map(|w| w.trim().to_owned())
                    .filter(|w| !w.is_empty()),
            );
        }
    }
    names
}

/// The long options at the head of the rows of a help text; the short one where there is no long one.
fn options_in(help: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in help.lines().filter(|line| line.starts_with(' ')) {
        let text = line.trim();
        let deep = line.len() - line.trim_start().len();
        if !text.starts_with('-') || deep > 8 {
            continue;
        }
        let head = text
            .split("  ")
            .next()
            .unwrap_or_default()
            .replace("[no-]", "");
        let mut options = head
            .split([' ', ',', '|', '/'])
            .filter(|w| {
                w.starts_with('-')
                    && w.trim_start_matches('-')
                        .starts_with(|c: char| c.is_ascii_alphanumeric())
            })
            .map(|w| {
                w.split(['=', '[', '<', '.', ':', '(', '{'])
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            });
        let all: Vec<String> = options.by_ref().collect();
        let long = all.iter().find(|o| o.starts_with("--")).or(all.first());
        let tells = |o: &String| matches!(o.as_str(), "--help" | "-h");
        found.extend(long.filter(|o| !tells(o)).cloned());
    }
    found
}

/// How grave a Policy is: when it asks, and whether it writes. What it leaves out is the pack's default.
fn gravity(entry: &Value, defaults: &Value) -> (usize, bool) {
    let key = |name: &str| entry.get(name).or_else(|| defaults.get(name));
    let confirm = match key("confirm") {
        Some(Value::String(word)) if word == "always" => 2,
        Some(Value::String(word)) if word == "ask" => 1,
        Some(Value::Bool(true)) => 1,
        Some(_) | None => 0,
    };
    let reads = key("operation").and_then(Value::as_str) == Some("read");
    (confirm, !reads)
}

/// A judged command and the guess about it.
struct Pair {
    name: String,
    judged: (usize, bool),
    guessed: (usize, bool),
}

/// The commands of a judged pack that a draft has too.
fn pairs(judged: &Draft, draft: &Draft) -> Vec<Pair> {
    let policy = |of: &Draft, name: &str| {
        let entry = of.policy.get("commands").and_then(|c| c.get(name)).cloned();
        let defaults = of.policy.get("defaults").cloned().unwrap_or_default();
        entry.map(|entry| gravity(&entry, &defaults))
    };
    let by_words: BTreeMap<Vec<String>, &String> = draft
        .commands()
        .map(|(name, entry)| (own_words(entry), name))
        .collect();
    let mut pairs = Vec::new();
    for (name, entry) in judged.commands() {
        // A command with an option of its own is another than the one of its words.
        let plain = cli(entry).windows(2).all(|pair| match pair {
            [word, next] => {
                !word.starts_with('-')
                    || word == "--"
                    || word.contains('=')
                    || next.starts_with("{{")
            }
            _ => true,
        });
        let same = by_words.get(&own_words(entry)).filter(|_| plain);
        let found = policy(draft, name).or_else(|| policy(draft, same?));
        if let (Some(judged), Some(guessed)) = (policy(judged, name), found) {
            pairs.push(Pair {
                name: name.clone(),
                judged,
                guessed,
            });
        }
    }
    pairs
}

/// The row that compares the guesses with the bundled pack of the program.
fn against_judged(folder: &Path, program: &str, draft: &Draft) -> Result<Option<String>> {
    if !folder.join("policy.json").exists() {
        return Ok(None);
    }
    let pairs = pairs(&Draft::read(folder, Value::Null)?, draft);
    let count = |is: fn(&&Pair) -> bool| pairs.iter().filter(is).count();
    let named = |is: fn(&&Pair) -> bool| {
        let names: Vec<&str> = pairs.iter().filter(is).map(|p| p.name.as_str()).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            format!("{}: {}", names.len(), names.join(", "))
        }
    };
    let all = pairs.len();
    Ok(Some(format!(
        "| {program} | {all} | {} | {} | {} | {} |\n",
        share((count(|p| p.guessed == p.judged), all)),
        share((count(|p| p.guessed > p.judged), all)),
        named(|p| p.guessed < p.judged),
        named(|p| p.judged.0 > 0 && p.guessed.0 == 0 || p.judged.1 && !p.guessed.1),
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_reader_reads_what_people_read() {
        let help = "Usage: x\n\nCommands:\n  add, a   Add\n  rm       Remove\n\nOptions:\n  -f, --[no-]force   x\n      --to=<X>  y\n  -h, --help  z\n";
        assert_eq!(Vec::from_iter(names_in(help)), ["add", "rm"]);
        assert_eq!(Vec::from_iter(options_in(help)), ["--force", "--to"]);
        assert_eq!(
            Vec::from_iter(names_in("CORE COMMANDS\n  auth:    Log in\n")),
            ["auth"]
        );
        assert_eq!(
            Vec::from_iter(names_in("All commands:\n\n    ci, run,\n    test, view\n")),
            ["ci", "run", "test", "view"]
        );
    }

    #[test]
    fn shares() {
        assert_eq!(share((1, 4)), "1 / 4 (25 %)");
        assert_eq!(share((0, 0)), "0 / 0 (0 %)");
    }
}
