//! Answers that are made for programs: better than prose, where a program gives them.

use crate::model::{Opt, Sub, Takes};
use crate::text::{is_command_word, lines};

/// What cobra's hidden `__complete` prints: a name, a tab and a description on each line, and last a number
/// after a colon. `None` for anything else.
pub(crate) fn cobra_names(output: &[u8]) -> Option<Vec<Sub>> {
    let text = String::from_utf8_lossy(output);
    let mut rows: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = rows.pop()?.strip_prefix(':')?;
    last.parse::<u32>().ok()?;
    let subs = rows.into_iter().filter_map(|row| {
        let (name, description) = row.split_once('\t').unwrap_or((row, ""));
        let description = lines(description.as_bytes())
            .into_iter()
            .next()
            .unwrap_or_default();
        // gh lists a person's own aliases as commands.
        let alias =
            description.starts_with("Alias for ") || description.starts_with("Shell alias for ");
        (is_command_word(name) && !alias).then(|| Sub {
            name: name.to_owned(),
            description,
        })
    });
    Some(subs.collect())
}

/// What cobra's `__complete -` prints: the options that stand everywhere. They show no value, and pflag takes
/// every option's value behind `=`.
pub(crate) fn cobra_options(output: &[u8]) -> Vec<Opt> {
    let text = String::from_utf8_lossy(output);
    let mut found: Vec<Opt> = Vec::new();
    let mut short: Option<(String, String)> = None;
    for row in text.lines().filter(|row| row.starts_with('-')) {
        let (name, description) = row.split_once('\t').unwrap_or((row, ""));
        let name = name.trim_end_matches('=');
        let sound =
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && name.len() <= 64;
        if !sound || name.trim_start_matches('-').is_empty() {
            continue;
        }
        let description = lines(description.as_bytes())
            .into_iter()
            .next()
            .unwrap_or_default();
        if !name.starts_with("--") {
            short = Some((name.to_owned(), description.clone()));
            // The short form stands right behind its long one.
            if let Some(last) = found
                .last_mut()
                .filter(|last| last.description == description)
            {
                last.spellings.push(name.to_owned());
                short = None;
            }
            continue;
        }
        let mut spellings = vec![name.to_owned()];
        spellings.extend(
            short
                .take()
                .filter(|(_, text)| *text == description)
                .map(|(s, _)| s),
        );
        found.push(Opt {
            spellings,
            takes: Takes::Value(String::new()),
            description,
            ..Opt::default()
        });
    }
    found
}

/// Names that stand one after another, as `git --list-cmds=…` prints them.
pub(crate) fn names(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let words = text
        .split_whitespace()
        .filter(|w| is_command_word(w))
        .take(1_000);
    words.map(str::to_owned).collect()
}

/// Options that `git CMD --git-completion-helper` knows and the help text did not show.
pub(crate) fn git_options(output: &[u8], known: &mut Vec<Opt>) {
    let text = String::from_utf8_lossy(output);
    for word in text.split_whitespace().take(1_000) {
        let (spelling, takes) = match word.strip_suffix('=') {
            Some(spelling) => (spelling, Takes::Value("value".to_owned())),
            None => (word, Takes::Nothing),
        };
        let name = spelling.trim_start_matches('-');
        let sound = spelling.starts_with("--")
            && !name.is_empty()
            && spelling.len() <= 64
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let positive = name.strip_prefix("no-").map(|rest| format!("--{rest}"));
        let opposite = positive.is_some_and(|p| known.iter().any(|o| o.has(&p)));
        if sound && !opposite && !known.iter().any(|o| o.has(spelling)) {
            let spellings = vec![spelling.to_owned()];
            known.push(Opt {
                spellings,
                takes,
                ..Opt::default()
            });
        }
    }
}

/// The sentence beside a command's name in the NAME part of its manual page.
pub(crate) fn manual_sentence(output: &[u8]) -> Option<String> {
    let lines = lines(output);
    let at = lines.iter().position(|line| line.trim() == "NAME")?;
    let text = lines.get(at + 1)?;
    let (_, sentence) = text.split_once(" - ").or_else(|| text.split_once(" — "))?;
    Some(sentence.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cobras_own_end_makes_an_answer() {
        let answer = b"list\tList \x1b[2Jthings\nco\tAlias for pr checkout\n--all\tall\n:4\n";
        let found = cobra_names(answer).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].description, "List \\u{1b}[2Jthings");
        assert!(cobra_names(b"list\tList\n").is_none());
        assert!(cobra_names(b"error: no such command __complete\n").is_none());
        assert!(cobra_names(b"").is_none());
    }

    #[test]
    fn cobras_options_come_with_their_short_form() {
        let found = cobra_options(b"--namespace\tScope\n-n\tScope\n--as\tName\n--x\x1b\ty\n:4\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].spellings, ["--namespace", "-n"]);
    }

    #[test]
    fn git_adds_what_the_help_left_out() {
        let mut known = vec![Opt {
            spellings: vec!["--quiet".to_owned()],
            ..Opt::default()
        }];
        git_options(b"--quiet --no-quiet --exec= -- --no-verify", &mut known);
        let names: Vec<&str> = known.iter().map(Opt::main).collect();
        assert_eq!(names, ["--quiet", "--exec", "--no-verify"]);
    }

    #[test]
    fn manual_pages_name_their_command() {
        let page = b"GIT-ADD(1)\n\nN\x08NA\x08AM\x08ME\x08E\n       git-add - Add file contents\n";
        assert_eq!(manual_sentence(page).unwrap(), "Add file contents");
    }
}
