//! A command line as text that a person can paste into a shell.

use hcp_core::text::is_unsafe;

/// The words as one line that bash and zsh read back into exactly these words.
///
/// A word with unsafe characters stands in `$'…'`, its unsafe bytes written as `\xNN`, whatever the
/// locale. The line holds no unsafe character, and [`hcp_core::text::safe`] leaves it as it is.
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

/// Whether single quotes would show the word otherwise than it is: an unsafe character, or a backslash
/// that safe text would double.
fn needs_escapes(word: &str) -> bool {
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        let doubled = c == '\\' && matches!(chars.peek(), Some('u' | 'n' | 't' | 'r' | '\\' | '['));
        if doubled || is_unsafe(c) {
            return true;
        }
    }
    false
}

fn push_escaped(word: &str, line: &mut String) {
    line.push_str("$'");
    for c in word.chars() {
        if c == '\'' {
            line.push_str(r"\'");
        } else if c == '\\' || is_unsafe(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                line.push_str(&format!("\\x{byte:02x}"));
            }
        } else {
            line.push(c);
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
        let word = prop_oneof![hard, any::<String>()].prop_map(|w| w.replace('\0', ""));
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
