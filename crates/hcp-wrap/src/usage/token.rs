//! A usage line as tokens.

/// More tokens than this are not read.
const MOST: usize = 2_000;

/// A token. `glued`: no blank stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Open {
        bracket: char,
        glued: bool,
    },
    Close(char),
    Bar {
        glued: bool,
    },
    Dots,
    /// `{a,b}`
    Braces(Vec<String>),
    /// `<name>`
    Angle {
        name: String,
        glued: bool,
    },
    Word(String),
}

pub(super) fn tokens(line: &str) -> Vec<Token> {
    let line = line.replace('…', "...");
    let mut rest = line.as_str();
    let mut glued = false;
    let mut found = Vec::new();
    while let Some(c) = rest.chars().next() {
        if found.len() >= MOST {
            break;
        }
        if c.is_whitespace() {
            rest = rest.trim_start();
            glued = false;
            continue;
        }
        let (token, after) = next(rest, c, glued && !found.is_empty());
        found.extend(token);
        rest = after;
        glued = true;
    }
    found
}

fn next(rest: &str, c: char, glued: bool) -> (Option<Token>, &str) {
    let after = rest.get(c.len_utf8()..).unwrap_or_default();
    match c {
        '[' | '(' => (Some(Token::Open { bracket: c, glued }), after),
        ']' | ')' => (Some(Token::Close(c)), after),
        '|' => {
            let glued = glued && !after.starts_with(char::is_whitespace);
            (Some(Token::Bar { glued }), after)
        }
        '{' => match after.split_once('}') {
            Some((inside, after)) => {
                let choices = inside.split([',', '|']).map(|w| w.trim().to_owned());
                (
                    Some(Token::Braces(choices.filter(|w| !w.is_empty()).collect())),
                    after,
                )
            }
            None => (None, after),
        },
        '<' => match after.split_once('>') {
            Some((name, after)) => {
                let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                (Some(Token::Angle { name, glued }), after)
            }
            None => (None, after),
        },
        '.' if rest.starts_with("...") => (Some(Token::Dots), rest.trim_start_matches('.')),
        ',' | ';' | '>' | '}' => (None, after),
        _ => word(rest),
    }
}

/// A word up to a blank or a bracket. `--[no-]` is the head of a word.
fn word(rest: &str) -> (Option<Token>, &str) {
    let head = if rest.starts_with("--[no-]") {
        "--[no-]".len()
    } else {
        0
    };
    let tail = rest.get(head..).unwrap_or_default();
    let end = tail
        .char_indices()
        .find(|(at, c)| {
            c.is_whitespace()
                || "[](){}|<>,;".contains(*c)
                || tail.get(*at..).is_some_and(|t| t.starts_with("..."))
        })
        .map_or(tail.len(), |(at, _)| at);
    let (word, after) = rest.split_at_checked(head + end).unwrap_or((rest, ""));
    // An option's value may stand right behind it: `--x=<y>`, `--x=y`.
    (Some(Token::Word(word.to_owned())), after)
}
