//! A whole help text, whichever library printed it.

use crate::model::{Family, Help, Opt, Takes, Usage};
use crate::rows::{self, MOST_OPTIONS, Section, sections};
use crate::text::{self, indent};
use crate::usage;

/// More usage lines than this are not read.
const MOST_USAGES: usize = 60;

/// Reads a help text. `path` are the program's name and the command's words; `known` is the family of the
/// program, where its own top help tells it and this text does not.
pub(crate) fn help(output: &[u8], path: &[String], known: Family) -> Help {
    let lines = text::lines(output);
    let sections = sections(&lines);
    let found = family(&lines, path, known);
    let mut help = Help {
        family: found,
        about: about(&lines),
        options: rows::options(&sections),
        commands: rows::commands(&sections),
        positionals: rows::positionals(&sections),
        usages: Vec::new(),
    };
    help.options.truncate(MOST_OPTIONS);
    let shown = usage_lines(&lines, path);
    let read: Vec<Usage> = shown
        .iter()
        .map(|line| read_usage(line, path, &help))
        .collect();
    for usage in read {
        add_usage(&mut help, usage);
    }
    if found == Family::Npm {
        npm_synopsis(&sections, &mut help);
    }
    let positionals = std::mem::take(&mut help.positionals);
    for usage in &mut help.usages {
        for word in &mut usage.positionals {
            let row = positionals
                .iter()
                .find(|row| row.name.eq_ignore_ascii_case(&word.name));
            if let Some(row) = row {
                word.description.clone_from(&row.description);
                if word.choices.is_empty() {
                    word.choices.clone_from(&row.choices);
                }
            }
        }
    }
    help.positionals = positionals;
    help.options.truncate(MOST_OPTIONS);
    help
}

fn read_usage(line: &str, path: &[String], help: &Help) -> Usage {
    let takes = |spelling: &str| {
        let row = help.options.iter().find(|o| o.has(spelling))?;
        Some(row.takes != Takes::Nothing)
    };
    let none = |_: &str| None;
    // npm's rows never show a value, its usage always does.
    let takes: &dyn Fn(&str) -> Option<bool> = if help.family == Family::Npm {
        &none
    } else {
        &takes
    };
    usage::read(line, path, help.family, takes)
}

/// Adds a usage line; what it alone knows of an option goes to the option's row.
fn add_usage(help: &mut Help, usage: Usage) {
    if help.usages.len() >= MOST_USAGES || usage.foreign {
        return;
    }
    if usage.words.is_empty() {
        let first = help.usages.iter().all(|u| !u.words.is_empty());
        for option in &usage.options {
            merge(&mut help.options, option, help.family, first);
        }
        for option in &mut help.options {
            let named = usage
                .options
                .iter()
                .any(|o| o.spellings.iter().any(|s| option.has(s)));
            option.required &= named;
        }
    }
    help.usages.push(usage);
}

fn merge(options: &mut Vec<Opt>, shown: &Opt, family: Family, first: bool) {
    let mut shown = shown.clone();
    if let Takes::Value(name) | Takes::Maybe(name) = &shown.takes
        && shown.choices.is_empty()
    {
        shown.choices = rows::choices_of(name);
    }
    let known = options
        .iter_mut()
        .find(|o| shown.spellings.iter().any(|s| o.has(s)));
    let Some(known) = known else {
        shown.required &= first;
        options.push(shown);
        return;
    };
    known.required |= shown.required && first;
    known.repeats |= shown.repeats;
    if family == Family::Npm || known.choices.is_empty() {
        if family == Family::Npm {
            known.takes = shown.takes;
        }
        known.choices = shown.choices;
    }
}

/// npm shows the values of its options in brackets right below "Options:".
fn npm_synopsis(sections: &[Section], help: &mut Help) {
    let listed = sections.iter().filter(|s| s.heading == "options");
    let lines = listed
        .flat_map(|s| &s.lines)
        .filter(|line| line.starts_with('['));
    let joined = lines.map(String::as_str).collect::<Vec<_>>().join(" ");
    let usage = usage::read(&joined, &[], Family::Npm, &|_| None);
    for mut option in usage.options {
        option.required = false;
        if let Some(positive) = option.main().strip_prefix("--no-").map(str::to_owned) {
            // The row below has the name without `no-`, and the value that the option then has.
            let row = help
                .options
                .iter_mut()
                .find(|o| o.has(&format!("--{positive}")));
            if let Some(row) = row {
                row.opposite = Some(option.main().to_owned());
                continue;
            }
        }
        merge(&mut help.options, &option, Family::Npm, false);
    }
}

/// Which library printed a text, by what only it prints.
fn family(lines: &[String], path: &[String], known: Family) -> Family {
    if matches!(known, Family::Git | Family::Npm) {
        return known;
    }
    let says = |words: &str| lines.iter().any(|line| line.contains(words));
    let begins = |words: &str| {
        lines
            .iter()
            .any(|line| line.trim_start().starts_with(words))
    };
    let single_dash = lines
        .iter()
        .filter(|line| indent(line) > 0 && line.trim_start().starts_with('-'))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.len() > 3 && !word.starts_with("--"))
        .filter(|word| {
            word.chars()
                .nth(2)
                .is_some_and(|c| c.is_ascii_alphanumeric())
        })
        .count();
    if says("npm <command>") || path.first().is_some_and(|p| p == "npm") && says("Run \"npm help") {
        Family::Npm
    } else if says("show this help message and exit") {
        Family::Argparse
    } else if says("Show this message and exit.") {
        Family::Click
    } else if says("for more information about a command")
        || says("for more information about a given command")
        || says("for more information on a command")
        || begins("INHERITED FLAGS")
        || begins("Global Flags:")
        || says("(applies to all commands)")
    {
        Family::Cobra
    } else if says("[possible values:")
        || says("Print help")
        || says("Print this message or the help of")
    {
        Family::Clap
    } else if says("display this help") || says("give this help list") || says("[OPTION]...") {
        Family::Getopt
    } else if single_dash > 1 || begins("Usage: terraform") {
        Family::GoFlag
    } else {
        known
    }
}

/// The usage lines, continuations joined.
fn usage_lines(lines: &[String], path: &[String]) -> Vec<String> {
    let Some(at) = lines.iter().position(|line| is_usage(line)) else {
        return Vec::new();
    };
    let first = lines.get(at).map_or("", |line| line.trim());
    let beside = first.split_once(':').map_or("", |(_, rest)| rest.trim());
    let mut found: Vec<String> = Vec::new();
    if !beside.is_empty() {
        found.push(beside.to_owned());
    }
    let program = path.first().map_or("", String::as_str);
    let own = beside
        .split_whitespace()
        .next()
        .unwrap_or(program)
        .to_owned();
    for line in lines.iter().skip(at + 1).take(400) {
        let text = line.trim();
        if text.is_empty() {
            if found.is_empty() {
                continue;
            }
            break;
        }
        let row = text.starts_with('-') && text.contains("  ");
        // A capital at the left edge begins the next section; npm's lines stand there as well.
        let edge = indent(line) == 0 && !text.starts_with(program);
        if row || edge {
            break;
        }
        let another = ["or:", "or :"].iter().find_map(|or| text.strip_prefix(or));
        if let Some(another) = another {
            found.push(another.trim().to_owned());
        } else if found.is_empty() || text.split_whitespace().next() == Some(&own) {
            found.push(text.to_owned());
        } else if let Some(last) = found.last_mut() {
            last.push(' ');
            last.push_str(text);
        }
    }
    found
}

fn is_usage(line: &str) -> bool {
    let text = line.trim().to_ascii_lowercase();
    indent(line) <= 2 && (text.starts_with("usage:") || text == "usage")
}

/// The sentence that says what the command does: the first paragraph that is neither usage nor a list.
fn about(lines: &[String]) -> String {
    let mut paragraph: Vec<&str> = Vec::new();
    let mut in_usage = false;
    for line in lines.iter().take(200) {
        let text = line.trim();
        if is_usage(line) {
            in_usage = true;
        }
        if text.is_empty() {
            in_usage = false;
            if paragraph.is_empty() {
                continue;
            }
            break;
        }
        let heading = text.ends_with(':') && !text.contains(". ");
        let list = text.starts_with(['-', '[', '$', '#', '{', '<']) || text.contains("   ");
        if in_usage || (paragraph.is_empty() && (heading || list)) {
            continue;
        }
        if heading || list {
            break;
        }
        paragraph.push(text);
    }
    let joined = paragraph.join(" ");
    // A title like `rustup 1.29.0 (2026-03-05)` says nothing.
    let numbered =
        joined.split_whitespace().count() <= 4 && joined.chars().any(|c| c.is_ascii_digit());
    if numbered { String::new() } else { joined }
}
