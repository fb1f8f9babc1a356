//! A command line as text that a person can paste into a shell.

use hcp_core::text::plain_pieces;

/// The words as one line that bash and zsh read back into exactly these words.
///
/// A word with anything that safe text shows otherwise (an unsafe character, a run of blanks, what looks like
/// an escape or a mark) stands in `$'…'`, the bytes of it written as `\xNN`, whatever the locale. So
/// [`hcp_core::text::safe`] leaves the line as it is.
///
/// ```
/// use hcp_pack::template::shell_line;
/// let line = |words: &[&str]| shell_line(&words.iter().map(|w| w.to_string()).collect::<Vec<_>>());
/// assert_eq!(line(&["pay", "2.80", "--memo", "it's lunch"]), r"pay 2.80 --memo 'it'\''s lunch'");
/// assert_eq!(line(&["echo", "", "a\nb"]), r"echo '' $'a\x0ab'");
/// ```
#[must_use]
pub fn shell_line(words: &[String]) -> String {
    let mut line = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            line.push(' ');
        }
        push_word(word, at == 0, &mut line);
    }
    line
}

fn push_word(word: &str, first: bool, line: &mut String) {
    if is_plain(word, first) {
        line.push_str(word);
    } else if needs_escapes(word) {
        push_escaped(word, line);
    } else {
        line.push('\'');
        line.push_str(&word.replace('\'', r"'\''"));
        line.push('\'');
    }
}

/// Whether a shell takes the word for itself without quotes.
fn is_plain(word: &str, first: bool) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    // A first word with `=` is an assignment, and zsh looks up the program behind a leading `=`.
    let reads_as_more =
        word.starts_with('=') || (first && (word.contains('=') || RESERVED.contains(&word)));
    !word.is_empty() && word.chars().all(plain) && !reads_as_more
}

/// Words that begin something else than a simple command.
const RESERVED: &[&str] = &[
    "case",
    "coproc",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "esac",
    "fi",
    "for",
    "foreach",
    "function",
    "if",
    "in",
    "nocorrect",
    "noglob",
    "repeat",
    "select",
    "then",
    "time",
    "until",
    "while",
];

/// Whether single quotes would show the word otherwise than it is: something that safe text escapes, or a
/// backslash that it would double.
fn needs_escapes(word: &str) -> bool {
    let doubled = |next: &str| next.starts_with(['u', 'n', 't', 'r', '\\', '[']);
    let mut pieces = plain_pieces(word).peekable();
    while let Some((piece, plain)) = pieces.next() {
        if !plain || (piece == "\\" && pieces.peek().is_some_and(|(next, _)| doubled(next))) {
            return true;
        }
    }
    false
}

fn push_escaped(word: &str, line: &mut String) {
    line.push_str("$'");
    for (piece, plain) in plain_pieces(word) {
        if plain && piece != "\\" {
            line.push_str(&piece.replace('\'', r"\'"));
        } else {
            for byte in piece.bytes() {
                line.push_str(&format!("\\x{byte:02x}"));
            }
        }
    }
    line.push('\'');
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "the test asks real shells")]
mod tests {
    use super::*;
    use hcp_core::text::safe;
    use proptest::prelude::*;
    use std::process::Command;

    fn read_back(shell: &str, words: &[String]) -> Vec<String> {
        let script = format!("printf '%s\\0' {}", shell_line(words));
        let out = Command::new(shell).arg("-c").arg(script).output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    }

    fn any_words() -> impl Strategy<Value = Vec<String>> {
        let hard = "[ -~\\n\\t\\x1b\u{202e}\u{200b}éa0\\\\'\"$`!~=]{0,8}";
        let shown_otherwise =
            "[ \u{a0}\u{3000}\\[\\\\0-9e\u{301}\u{336}\u{fe0f}\u{200d}a'山क]{0,12}";
        let word = prop_oneof![
            hard,
            shown_otherwise,
            any::<String>(),
            " {1,9}",
            Just("[400 spaces]".to_owned()),
            Just("[9 of 10 characters not shown here]".to_owned()),
            Just("👩‍👩‍👧‍👦 می\u{200c}خواهم".to_owned()),
        ]
        .prop_map(|w| w.replace('\0', ""));
        prop::collection::vec(word, 1..6)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn bash_reads_the_words_back(words in any_words()) {
            prop_assert_eq!(read_back("bash", &words), words);
        }
    }

    proptest! {
        #[test]
        fn the_line_is_safe_text_as_it_is(words in any_words()) {
            let line = shell_line(&words);
            let shown = safe(&line);
            prop_assert_eq!(shown.as_str(), line.as_str());
        }
    }

    #[test]
    fn what_safe_text_shows_otherwise_is_written_as_bytes() {
        for (word, line) in [
            ("a b", "'a b'"),
            (" a ", "' a '"),
            ("a   b", r"$'a\x20\x20\x20b'"),
            ("[400 spaces]", r"$'\x5b400 spaces]'"),
            ("[1]", "'[1]'"),
            ("a\u{a0}b", r"$'a\xc2\xa0b'"),
            ("❤\u{fe0f}", r"$'❤\xef\xb8\x8f'"),
        ] {
            assert_eq!(shell_line(&[word.to_owned()]), line);
        }
    }

    #[test]
    fn the_line_is_a_simple_command() {
        for (word, line) in [
            ("A=b", "'A=b'"),
            ("if", "'if'"),
            ("=ls", "'=ls'"),
            ("ls", "ls"),
            ("~", "'~'"),
            ("{a,b}", "'{a,b}'"),
        ] {
            assert_eq!(shell_line(&[word.to_owned()]), line);
        }
        assert_eq!(
            shell_line(&["ls".to_owned(), "--x=b".to_owned(), "if".to_owned()]),
            "ls --x=b if"
        );
    }
}
