//! The reference of the command line: the help of every command, as the binary prints it.

use super::Wanted;
use crate::binary::Home;
use crate::tools::Result;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = "docs/reference/cli.md";
const DEEPEST: usize = 3;

/// One command: its words after `hcpx` and its help.
struct Help {
    words: Vec<String>,
    text: String,
}

pub(super) fn wanted(hcpx: &Path) -> Result<Vec<Wanted>> {
    let home = Home::new(hcpx)?;
    let top = help(&home, &[])?.ok_or("`hcpx --help` shows no usage")?;
    let mut all = Vec::new();
    collect(&home, top, &mut all)?;
    if all.len() < 2 {
        return Err("`hcpx --help` names no command".into());
    }
    let mut page = String::from(
        "<!-- Written by `cargo xtask generate`; do not edit. -->\n\n\
         # The command line\n\n\
         The help of every command, as `hcpx COMMAND --help` prints it.\n",
    );
    for Help { words, text } in &all {
        let name = std::iter::once("hcpx")
            .chain(words.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ");
        let fence = if text.contains("```") { "````" } else { "```" };
        write!(
            page,
            "\n## {name}\n\n{fence}text\n{}\n{fence}\n",
            text.trim_end()
        )?;
    }
    Ok(vec![Wanted::new(PAGE, page)])
}

/// The help and that of every command below, in the order in which they are named.
fn collect(home: &Home, top: Help, all: &mut Vec<Help>) -> Result {
    let words = top.words.clone();
    let names = candidates(&top.text);
    all.push(top);
    if words.len() == DEEPEST {
        return Ok(());
    }
    for name in names {
        let mut deeper = words.clone();
        deeper.push(name);
        if let Some(found) = help(home, &deeper)? {
            collect(home, found, all)?;
        }
    }
    Ok(())
}

/// The help of a command; `None` where the words are none (its usage then names another).
fn help(home: &Home, words: &[String]) -> Result<Option<Help>> {
    let mut line = words.to_vec();
    line.push("--help".to_owned());
    let shown = home.run(&line)?;
    let text = shown
        .text
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n");
    let found = shown.status.success() && usage_names(&text, words);
    let words = words.to_vec();
    Ok(found.then_some(Help { words, text }))
}

/// Whether the usage part of a help text is that of `hcpx WORDS`.
fn usage_names(help: &str, words: &[String]) -> bool {
    let mut expected = vec!["hcpx"];
    expected.extend(words.iter().map(String::as_str));
    let mut usage = help
        .lines()
        .skip_while(|line| !line.starts_with("Usage:"))
        .take_while(|line| !line.is_empty());
    usage.any(|line| {
        let line = line.strip_prefix("Usage:").unwrap_or(line);
        let mut found = line.split_whitespace();
        expected.iter().all(|word| found.next() == Some(word))
    })
}

/// Words that stand first on a line of a list (indented by two) and could name a command, each once.
fn candidates(help: &str) -> Vec<String> {
    let mut seen = BTreeSet::from(["help".to_owned()]);
    help.lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        })
        .map(str::to_owned)
        .filter(|word| word != "hcpx" && seen.insert(word.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = "\
Examples:
  hcpx rules rm 0

Usage: hcpx rules [OPTIONS] [COMMAND]

Commands:
  rm    Remove a rule
        for good
  help  Print this message

Options:
  -h, --help  Print help
";

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_usage_tells_whose_help_it_is() {
        assert!(usage_names(HELP, &words("rules")));
        assert!(usage_names(HELP, &words("")));
        assert!(!usage_names(HELP, &words("rules rm")));
        assert!(!usage_names("no usage", &words("")));
    }

    #[test]
    fn candidates_are_plain_words() {
        assert_eq!(candidates(HELP), ["rm"]);
    }
}
