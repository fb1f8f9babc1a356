//! Globs: `*` is any run without `/`, `**` any run, everything else stands for itself.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Char(char),
    Run,
    AnyRun,
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for c in pattern.chars() {
        let token = match (c, out.last()) {
            ('*', Some(Token::Run | Token::AnyRun)) => {
                out.pop();
                Token::AnyRun
            }
            ('*', Some(Token::Char(_)) | None) => Token::Run,
            (c, _) => Token::Char(c),
        };
        out.push(token);
    }
    out
}

/// Whether the whole text matches. Time grows with the length of the text times that of the pattern,
/// never faster: every state of the pattern is followed at once, and nothing is tried twice.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let tokens = tokens(pattern);
    // `alive[i]`: the first `i` tokens match what was read so far.
    let mut alive = vec![false; tokens.len() + 1];
    if let Some(first) = alive.first_mut() {
        *first = true;
    }
    skip_runs(&tokens, &mut alive);
    let mut next = vec![false; alive.len()];
    for c in text.chars() {
        next.fill(false);
        for (i, token) in tokens.iter().enumerate() {
            if !alive.get(i).copied().unwrap_or(false) {
                continue;
            }
            let to = match token {
                Token::Char(wanted) if *wanted == c => i + 1,
                Token::Run if c != '/' => i,
                Token::AnyRun => i,
                Token::Char(_) | Token::Run => continue,
            };
            if let Some(slot) = next.get_mut(to) {
                *slot = true;
            }
        }
        skip_runs(&tokens, &mut next);
        if !next.contains(&true) {
            return false;
        }
        std::mem::swap(&mut alive, &mut next);
    }
    alive.last().copied().unwrap_or(false)
}

/// A run may be empty, so what stands before it also stands after it.
fn skip_runs(tokens: &[Token], alive: &mut [bool]) {
    for (i, token) in tokens.iter().enumerate() {
        let empty = match token {
            Token::Run | Token::AnyRun => true,
            Token::Char(_) => false,
        };
        if empty
            && alive.get(i).copied().unwrap_or(false)
            && let Some(slot) = alive.get_mut(i + 1)
        {
            *slot = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;
    use proptest::prelude::*;

    #[test]
    fn table() {
        for (pattern, text, wanted) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "abc", true),
            ("*", "a/b", false),
            ("**", "a/b", true),
            ("***", "a/b", true),
            ("docs/*", "docs/a", true),
            ("docs/*", "docs/a/b", false),
            ("docs/**", "docs/a/b", true),
            ("docs/**", "docs", false),
            ("*.md", ".md", true),
            ("*.md", "a/b.md", false),
            ("**.md", "a/b.md", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbYcZ", false),
            ("a?c", "abc", false),
            ("a?c", "a?c", true),
            ("[ab]", "a", false),
            ("[ab]", "[ab]", true),
            ("A", "a", false),
            ("**/x/**", "a/b/x/c", true),
            ("a**b", "a//b", true),
            ("é*", "éa", true),
            ("\\*", "\\anything", true),
        ] {
            assert_eq!(matches(pattern, text), wanted, "{pattern} {text}");
        }
    }

    #[test]
    fn many_stars_do_not_blow_up() {
        let pattern = "*a".repeat(50) + "b";
        assert!(!matches(&pattern, &"a".repeat(20_000)));
    }

    fn naive(pattern: &[char], text: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) if rest.first() == Some(&'*') => {
                let rest = rest
                    .iter()
                    .skip_while(|c| **c == '*')
                    .copied()
                    .collect::<Vec<_>>();
                (0..=text.len()).any(|n| naive(&rest, &text[n..]))
            }
            Some(('*', rest)) => (0..=text.len())
                .take_while(|n| !text[..*n].contains(&'/'))
                .any(|n| naive(rest, &text[n..])),
            Some((c, rest)) => text.first() == Some(c) && naive(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn agrees_with_trying_everything(pattern in "[ab/*]{0,8}", text in "[ab/]{0,10}") {
            let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(matches(&pattern, &text), naive(&p, &t));
        }
    }
}
