//! From the tokens of a usage line to its parts: what brackets, bars and dots hold together.

use super::token::Token;
use super::{Item, Part, is_meta, is_short, options_of};
use crate::model::{Opt, Takes};

/// Deeper brackets than this are passed over.
const DEEPEST: usize = 12;

type Tokens = std::iter::Peekable<std::vec::IntoIter<Token>>;

/// Reads up to the closing bracket; each way between bars by itself.
pub(super) fn sequence(
    tokens: &mut Tokens,
    close: Option<char>,
    depth: usize,
    takes: &dyn Fn(&str) -> Option<bool>,
) -> Vec<Vec<Part>> {
    let mut ways: Vec<Vec<Part>> = Vec::new();
    let mut way: Vec<Part> = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            Token::Close(c) => {
                if close == Some(c) {
                    break;
                }
            }
            Token::Open { bracket, glued } => {
                let end = if bracket == '(' { ')' } else { ']' };
                let inside = sequence(tokens, Some(end), depth + 1, takes);
                if depth < DEEPEST {
                    add_group(&mut way, inside, bracket == '[', glued);
                }
            }
            Token::Bar { glued: true } => join_next(&mut way, tokens),
            Token::Bar { glued: false } => ways.push(std::mem::take(&mut way)),
            Token::Dots => {
                if let Some(last) = way.last_mut() {
                    last.repeats = true;
                }
            }
            Token::Braces(choices) => add_choice(&mut way, choices, takes),
            Token::Angle { name, glued } => add_meta(&mut way, name, glued, close, takes),
            Token::Word(word) => add_word(&mut way, &word, close, takes),
        }
    }
    ways.push(way);
    ways
}

/// `-a|--all`, `SRC|-`: the word after a bar without blanks is another form of the one before it.
fn join_next(way: &mut Vec<Part>, tokens: &mut Tokens) {
    let spelling = match tokens.peek() {
        Some(Token::Word(word)) => word.clone(),
        Some(Token::Angle { name, .. }) => name.clone(),
        _ => return,
    };
    let Some(last) = way.last_mut() else {
        return;
    };
    tokens.next();
    match &mut last.item {
        Item::Option(option) if spelling.starts_with("--") && is_short(option) => {
            option.spellings.push(spelling);
        }
        Item::Option(_) if spelling.starts_with('-') => {
            let spellings = vec![spelling];
            let item = Item::Option(Opt {
                spellings,
                ..Opt::default()
            });
            way.push(Part {
                item,
                repeats: false,
            });
        }
        Item::Word(first) => last.item = Item::Choice(vec![first.clone(), spelling]),
        Item::Choice(all) => all.push(spelling),
        Item::Option(_) | Item::Meta(_) | Item::Dashes | Item::Group { .. } => {}
    }
}

fn add_group(way: &mut Vec<Part>, ways: Vec<Vec<Part>>, optional: bool, glued: bool) {
    // `[=WHEN]`, `[HOST/]OWNER`: brackets without a blank before them belong to the word before.
    if let (true, Some(last)) = (glued, way.last_mut()) {
        let shown = ways.iter().flatten().find_map(|part| match &part.item {
            Item::Meta(name) => Some(name.clone()),
            Item::Word(word) => Some(word.trim_start_matches('=').to_owned()),
            Item::Choice(_) | Item::Option(_) | Item::Dashes | Item::Group { .. } => None,
        });
        if let Item::Option(option) = &mut last.item
            && option.takes == Takes::Nothing
        {
            option.takes = Takes::Maybe(shown.unwrap_or_else(|| "value".to_owned()));
        }
        last.repeats |= ways.iter().flatten().any(|part| part.repeats);
        return;
    }
    let item = match options_of(&ways).as_deref() {
        Some([option]) if !optional => Item::Option(option.clone()),
        _ => Item::Group { ways, optional },
    };
    way.push(Part {
        item,
        repeats: false,
    });
}

/// The option that the next word may be the value of.
fn waiting<'w>(
    way: &'w mut [Part],
    close: Option<char>,
    takes: &dyn Fn(&str) -> Option<bool>,
) -> Option<&'w mut Opt> {
    let alone = way.iter().all(|part| matches!(part.item, Item::Option(_)));
    match way.last_mut().map(|part| &mut part.item) {
        Some(Item::Option(option)) if option.takes == Takes::Nothing => {
            let known = option.spellings.iter().find_map(|s| takes(s));
            // In brackets of its own an option is followed by nothing but its value.
            known.unwrap_or(alone && close.is_some()).then_some(option)
        }
        Some(_) | None => None,
    }
}

fn add_choice(way: &mut Vec<Part>, choices: Vec<String>, takes: &dyn Fn(&str) -> Option<bool>) {
    if let Some(option) = waiting(way, Some(']'), takes) {
        option.takes = Takes::Value(String::new());
        option.choices = choices;
        return;
    }
    way.push(Part {
        item: Item::Choice(choices),
        repeats: false,
    });
}

fn add_meta(
    way: &mut Vec<Part>,
    name: String,
    glued: bool,
    close: Option<char>,
    takes: &dyn Fn(&str) -> Option<bool>,
) {
    if glued && let Some(last) = way.last_mut() {
        // `--mirror=<fetch|push>`, `<remote>/<branch>`
        match &mut last.item {
            Item::Option(option) => {
                if let Takes::Value(shown) = &mut option.takes {
                    let mark = if shown.is_empty() { "" } else { "-" };
                    *shown = format!("{shown}{mark}{name}");
                }
            }
            Item::Word(word) => last.item = Item::Meta(format!("{word}{name}")),
            Item::Meta(_) | Item::Choice(_) | Item::Dashes | Item::Group { .. } => {}
        }
        return;
    }
    if let Some(option) = waiting(way, close, takes) {
        option.takes = Takes::Value(name);
        return;
    }
    way.push(Part {
        item: Item::Meta(name),
        repeats: false,
    });
}

fn add_word(
    way: &mut Vec<Part>,
    word: &str,
    close: Option<char>,
    takes: &dyn Fn(&str) -> Option<bool>,
) {
    // `<name>=<value>`, `TYPE[.GROUP]/NAME`: the rest of a word that brackets cut.
    let rest = word == "=" || (word.starts_with(['/', ':', '@', '.']) && !way.is_empty());
    let item = if rest {
        return;
    } else if word == "--" {
        Item::Dashes
    } else if word.starts_with('-') && word.len() > 1 {
        let (spelling, value) = match word.split_once('=') {
            Some((spelling, value)) => (spelling, Takes::Value(value.trim_matches('"').to_owned())),
            None => (word, Takes::Nothing),
        };
        Item::Option(Opt {
            spellings: vec![spelling.to_owned()],
            takes: value,
            ..Opt::default()
        })
    } else if let Some(option) = waiting(way, close, takes) {
        option.takes = Takes::Value(word.to_owned());
        return;
    } else if is_meta(word) {
        Item::Meta(word.to_owned())
    } else {
        Item::Word(word.to_owned())
    };
    way.push(Part {
        item,
        repeats: false,
    });
}
