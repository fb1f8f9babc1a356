//! A program's output as lines of visible text. Colours and overstruck letters, which only change how a
//! text looks, are taken out; every other unsafe character is left standing as a visible escape.

use hcp_core::text::SafeText;

/// Whether an output is no text: it has zero bytes, or much of it is in no encoding that is read.
pub(crate) fn is_binary(output: &[u8]) -> bool {
    let head = output.get(..8 << 10).unwrap_or(output);
    let text = String::from_utf8_lossy(head);
    let strange = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER);
    head.contains(&0) || strange.count() * 8 > text.chars().count()
}

/// More lines than this are not read.
const MOST_LINES: usize = 20_000;

/// A longer line is cut.
const LONGEST_LINE: usize = 4_000;

/// Columns between tab stops.
const TAB: usize = 8;

/// The lines of an output, each without blanks at its end.
pub(crate) fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes)
        .split('\n')
        .take(MOST_LINES)
        .map(line)
        .collect()
}

fn line(raw: &str) -> String {
    let mut plain: Vec<char> = Vec::new();
    let mut rest = raw.trim_end_matches('\r').chars();
    while let Some(c) = rest.next() {
        if plain.len() >= LONGEST_LINE {
            break;
        }
        match c {
            '\u{1b}' => match colour(rest.as_str()) {
                Some(after) => rest = after.chars(),
                None => plain.push(c),
            },
            // A letter struck over itself or an underline is how old pagers show weight.
            '\u{8}' => {
                plain.pop();
            }
            '\t' => {
                let stop = TAB - plain.len() % TAB;
                plain.extend(std::iter::repeat_n(' ', stop));
            }
            // A blank that does not break looks like any other, and the layout is read by blanks.
            '\u{a0}' => plain.push(' '),
            c => plain.push(c),
        }
    }
    let text: String = plain.into_iter().collect();
    SafeText::join(text.trim_end()).as_str().to_owned()
}

/// What stands after a colour sequence (`ESC [ digits m`); `None` where the text begins with another one.
fn colour(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?;
    let after = inside.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';' || c == ':');
    after.strip_prefix('m')
}

/// How many blanks a line begins with.
pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The text up to the first two blanks side by side, and what stands after them.
pub(crate) fn columns(text: &str) -> (&str, &str) {
    match text.split_once("  ") {
        Some((term, rest)) => (term.trim(), rest.trim()),
        None => (text.trim(), ""),
    }
}

/// A description for a pack: on one line, its first sentences, no longer than the limit.
pub(crate) fn describe(text: &str, most: usize) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Braces in a pair would read as a placeholder wherever the text becomes a template.
    let joined = joined.replace("{{", "{ {").replace("}}", "} }");
    if joined.chars().count() <= most {
        return joined;
    }
    let cut: String = joined.chars().take(most).collect();
    let sentence = cut.rfind(". ").filter(|at| *at > most / 4);
    if let Some(whole) = sentence.and_then(|at| cut.get(..=at)) {
        return whole.to_owned();
    }
    let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    format!("{}…", words.trim_end_matches([',', ';', ':']))
}

/// The first sentence, without its full stop.
pub(crate) fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").unwrap_or(text.len());
    text.get(..end).unwrap_or(text).trim_end_matches('.').trim()
}

/// Whether a text can be a word that names a command: never an option, never more than a word.
pub(crate) fn is_command_word(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_-.:+".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_other_escapes_show() {
        for (raw, wanted) in [
            ("\u{1b}[1;32mgo\u{1b}[0m", "go"),
            ("N\u{8}NA\u{8}AME", "NAME"),
            ("_\u{8}x", "x"),
            ("a\tb", "a       b"),
            ("x\u{1b}[2J", "x\\u{1b}[2J"),
            ("x\u{1b}]0;title\u{7}", "x\\u{1b}]0;title\\u{7}"),
            ("a\u{202e}b\r", "a\\u{202e}b"),
        ] {
            assert_eq!(line(raw), wanted);
        }
    }

    #[test]
    fn descriptions_are_short_and_hold_no_placeholder() {
        assert_eq!(
            describe("Use  {{.Names}}\n here", 80),
            "Use { {.Names} } here"
        );
        assert_eq!(
            describe("One is enough. Two are too many of them", 30),
            "One is enough."
        );
        assert_eq!(describe("a word and a word and a word", 12), "a word and…");
    }

    #[test]
    fn an_option_names_no_command() {
        for good in ["push", "ls-files", "6to5", "a.b"] {
            assert!(is_command_word(good), "{good}");
        }
        for bad in ["", "-x", "--all", "a b", "a;b", "é", "<x>", "$(x)", "../x"] {
            assert!(!is_command_word(bad), "{bad}");
        }
    }
}
