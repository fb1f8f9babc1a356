//! The rows of a help text: options and subcommands, each with what stands beside or below it.

mod option;

pub(crate) use option::choices_of;

use crate::model::{Opt, Positional, Sub};
use crate::text::{columns, indent, is_command_word};

/// More options than this are not read of one command: each is held against every other.
pub(crate) const MOST_OPTIONS: usize = 400;

/// More subcommands than this are not read of one command.
const MOST_COMMANDS: usize = 1_000;

/// A row's own line, and the text beside and below it.
#[derive(Debug, Clone, Default)]
struct Row {
    indent: usize,
    head: String,
    below: Vec<String>,
}

/// A part of a help text under one heading.
#[derive(Debug, Clone, Default)]
pub(crate) struct Section {
    /// The heading in lower case, without its colon.
    pub(crate) heading: String,
    pub(crate) lines: Vec<String>,
}

/// Cuts a help text at its headings: a line at the left edge that ends with a colon, or that is in capitals.
pub(crate) fn sections(lines: &[String]) -> Vec<Section> {
    let mut found = vec![Section::default()];
    for line in lines {
        if let Some(heading) = heading(line) {
            found.push(Section {
                heading,
                lines: Vec::new(),
            });
        } else if let Some(section) = found.last_mut() {
            section.lines.push(line.clone());
        }
    }
    found
}

fn heading(line: &str) -> Option<String> {
    let text = line.trim();
    if indent(line) > 1
        || text.is_empty()
        || text.len() > 70
        || text.starts_with(['-', '$', '[', '<'])
    {
        return None;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = letters > 2
        && text
            .chars()
            .all(|c| c.is_ascii_uppercase() || " ()-/".contains(c));
    let colon = text.ends_with(':') && !text.contains("  ");
    (colon || capitals).then(|| text.trim_end_matches(':').to_lowercase())
}

impl Section {
    /// Whether it lists subcommands.
    pub(crate) fn lists_commands(&self) -> bool {
        let words: Vec<&str> = self.heading.split(|c: char| !c.is_alphanumeric()).collect();
        let named = [
            "command",
            "commands",
            "subcommand",
            "subcommands",
            "actions",
        ];
        words.iter().any(|w| named.contains(w))
            && !words.contains(&"options")
            && !words.contains(&"flags")
    }

    fn is_example(&self) -> bool {
        self.heading.starts_with("example") || self.heading.starts_with("environment")
    }

    fn is_positionals(&self) -> bool {
        ["arguments", "args", "positional arguments", "positionals"]
            .contains(&self.heading.as_str())
    }

    fn is_global(&self) -> bool {
        let words: Vec<&str> = self.heading.split(|c: char| !c.is_alphanumeric()).collect();
        words.contains(&"global") || words.contains(&"inherited")
    }
}

/// All options of a help text.
pub(crate) fn options(sections: &[Section]) -> Vec<Opt> {
    let mut found: Vec<Opt> = Vec::new();
    for section in sections.iter().filter(|s| !s.is_example()) {
        for row in rows(&section.lines) {
            let Some(mut option) = option::read(&row.head, &row.below) else {
                continue;
            };
            option.global = section.is_global();
            add(&mut found, option);
            if found.len() >= MOST_OPTIONS {
                return found;
            }
        }
    }
    found
}

/// Adds an option, or what a second row says of one that is known.
pub(crate) fn add(found: &mut Vec<Opt>, option: Opt) {
    let same = |known: &&mut Opt| option.spellings.iter().any(|s| known.has(s));
    match found.iter_mut().find(same) {
        Some(known) => {
            if known.description.is_empty() {
                known.description = option.description;
            }
            known.global &= option.global;
        }
        None => found.push(option),
    }
}

/// All subcommands of a help text.
pub(crate) fn commands(sections: &[Section]) -> Vec<Sub> {
    let mut found: Vec<Sub> = Vec::new();
    for section in sections {
        if section.lists_commands() {
            in_section(&section.lines, &mut found);
        } else if section.is_positionals() {
            below_braces(&section.lines, &mut found);
        }
    }
    found
}

fn push(found: &mut Vec<Sub>, name: &str, description: &str) {
    let fits = is_command_word(name) && name.chars().any(|c| c.is_ascii_alphabetic());
    if fits && found.len() < MOST_COMMANDS && !found.iter().any(|sub| sub.name == name) {
        let description = description.trim().to_owned();
        found.push(Sub {
            name: name.to_owned(),
            description,
        });
    }
}

fn in_section(lines: &[String], found: &mut Vec<Sub>) {
    let edge = lines
        .iter()
        .filter(|line| !line.trim().is_empty() && indent(line) > 0)
        .map(|line| indent(line))
        .min();
    let Some(edge) = edge else {
        return;
    };
    let mut in_list = false;
    for row in rows_at(lines, edge) {
        let listed: Vec<&str> = row
            .head
            .split(',')
            .map(str::trim)
            .filter(|w| !w.is_empty())
            .collect();
        let goes_on = row.head.ends_with(',');
        let names = listed.iter().all(|w| is_command_word(w));
        if (listed.len() > 2 || goes_on || in_list) && names {
            in_list = goes_on;
            listed.iter().for_each(|name| push(found, name, ""));
            continue;
        }
        let (term, beside) = columns(&row.head);
        let (names, own) = name_and_words(term);
        // More than one word beside a name, and no column: a sentence, not a row.
        if own.is_some() && beside.is_empty() && row.below.is_empty() {
            continue;
        }
        let text = std::iter::once(beside).chain(row.below.iter().map(String::as_str));
        let text = text.collect::<Vec<_>>().join(" ");
        push(found, names, &text);
    }
}

/// The first name of `name, n`, `name:`, `name*` or `name <arg>`, and what follows it.
fn name_and_words(term: &str) -> (&str, Option<&str>) {
    let (head, rest) = match term.split_once(' ') {
        Some((head, rest)) => (head, Some(rest)),
        None => (term, None),
    };
    let alias = head.ends_with(',');
    (
        head.trim_end_matches([',', ':', '*']),
        rest.filter(|_| !alias),
    )
}

/// argparse lists subcommands below `{a,b}` among the words.
fn below_braces(lines: &[String], found: &mut Vec<Sub>) {
    let mut edge = None;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        if text.starts_with('{') {
            edge = Some(indent(line));
            let inside = text
                .trim_start_matches('{')
                .split('}')
                .next()
                .unwrap_or_default();
            for name in inside.split(',') {
                push(found, name.trim(), "");
            }
        } else if let Some(edge) = edge
            && indent(line) == edge + 2
        {
            let (term, beside) = columns(text);
            let next = lines
                .get(at + 1)
                .filter(|next| indent(next) > indent(line) + 2);
            let text = if beside.is_empty() {
                next.map_or("", |n| n.trim())
            } else {
                beside
            };
            if let Some(known) = found.iter_mut().find(|sub| sub.name == term) {
                known.description = text.to_owned();
            }
        }
    }
}

/// The words of a command line that a help text describes.
pub(crate) fn positionals(sections: &[Section]) -> Vec<Positional> {
    let mut found = Vec::new();
    for section in sections.iter().filter(|s| s.is_positionals()) {
        let edge = section
            .lines
            .iter()
            .filter(|l| !l.trim().is_empty())
            .map(|l| indent(l))
            .min();
        for row in rows_at(&section.lines, edge.unwrap_or(0)) {
            let (term, beside) = columns(&row.head);
            if term.starts_with('-') || term.starts_with('{') {
                continue;
            }
            let text = std::iter::once(beside).chain(row.below.iter().map(String::as_str));
            let text = text.collect::<Vec<_>>().join(" ").trim().to_owned();
            let name = term.trim_matches(|c: char| "<>[]. ".contains(c)).to_owned();
            found.push(Positional {
                name,
                choices: option::choices_in(&text),
                description: text,
                ..Positional::default()
            });
        }
    }
    found
}

/// Rows that begin with an option; deeper lines below are theirs, across one empty line.
fn rows(lines: &[String]) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    let mut open = false;
    let mut empty = 0;
    for line in lines {
        let text = line.trim();
        if text.is_empty() {
            empty += 1;
            continue;
        }
        let deep = indent(line);
        let row_depth = found.last().filter(|_| open).map(|row| row.indent);
        let below = row_depth.is_some_and(|depth| deep > depth + 1);
        // An option named in running text far to the right of the rows is no row.
        if option::begins(text) && row_depth.is_none_or(|depth| deep <= depth + 8) {
            found.push(Row {
                indent: deep,
                head: text.to_owned(),
                below: Vec::new(),
            });
            open = true;
        } else if below && empty < 2 {
            if let Some(row) = found.last_mut() {
                row.below.push(text.to_owned());
            }
        } else {
            open = false;
        }
        empty = 0;
    }
    found
}

/// Rows at one depth; deeper lines below are theirs.
fn rows_at(lines: &[String], edge: usize) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        let text = line.trim().to_owned();
        let deep = indent(line);
        if deep == edge {
            found.push(Row {
                indent: deep,
                head: text,
                below: Vec::new(),
            });
        } else if deep > edge
            && let Some(row) = found.last_mut()
        {
            row.below.push(text);
        }
    }
    found
}

#[cfg(test)]
mod tests;
