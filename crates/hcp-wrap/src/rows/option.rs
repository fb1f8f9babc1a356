//! One row of an option: `-m, --message <TEXT>  What it says`.

use crate::model::{Opt, Takes};

/// Names of values that pflag and others give a type by.
const BOOLEANS: &[&str] = &["true", "false"];

/// Whether a line begins a row: with a dash and a letter, digit or another dash right behind it.
pub(super) fn begins(text: &str) -> bool {
    let rest = text.trim_start_matches('-');
    let dashes = text.len() - rest.len();
    let spelled = rest.starts_with("[no-]")
        || rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '?' || c == '#');
    (1..=2).contains(&dashes) && spelled
}

/// Reads a row; `None` where no spelling can be read.
pub(super) fn read(head: &str, below: &[String]) -> Option<Opt> {
    let mut option = Opt::default();
    let rest = spellings(head, &mut option);
    if option.spellings.is_empty() {
        return None;
    }
    let beside = rest.trim();
    let text: Vec<&str> = std::iter::once(beside)
        .chain(below.iter().map(String::as_str))
        .filter(|line| !line.is_empty())
        .collect();
    let text = text.join(" ");
    option.choices = match &option.takes {
        Takes::Value(value) | Takes::Maybe(value) => {
            let in_value = choices_of(value);
            if in_value.is_empty() {
                choices_in(&text)
            } else {
                in_value
            }
        }
        Takes::Nothing | Takes::Truth => Vec::new(),
    };
    option.repeats |= says_that_it_repeats(&text) && takes_value(&option);
    option.description = text.trim_start_matches(": ").to_owned();
    Some(option)
}

fn takes_value(option: &Opt) -> bool {
    matches!(option.takes, Takes::Value(_))
}

fn says_that_it_repeats(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "can be repeated",
        "may be repeated",
        "multiple times",
        "more than once",
        "repeat this flag",
        "repeatable",
    ]
    .iter()
    .any(|words| text.contains(words))
}

/// Reads all spellings with their value; gives what stands after them.
fn spellings<'t>(head: &'t str, option: &mut Opt) -> &'t str {
    let mut rest = head;
    let mut slash = false;
    loop {
        let Some(after) = spelling(rest, slash, option) else {
            return rest;
        };
        let after = value(after, option);
        // `-1 ("one"), --single`: a remark in brackets before the next spelling.
        let after = match after
            .trim_start()
            .strip_prefix('(')
            .and_then(|t| t.split_once("),"))
        {
            Some((_, next)) if next.trim_start().starts_with('-') => next,
            _ => after,
        };
        let next = after.trim_start();
        let next = next
            .strip_prefix(['|', '/'])
            .or(next.strip_prefix(','))
            .unwrap_or(next)
            .trim_start();
        slash = after.trim_start().starts_with('/');
        let separated = next.len() < after.trim_start().len();
        let another = begins(next) && (separated || is_close(after));
        if !another {
            return after;
        }
        rest = next;
    }
}

/// Whether the next spelling stands one blank further, as in `-f --file`.
fn is_close(after: &str) -> bool {
    after.starts_with(' ') && !after.starts_with("  ")
}

/// Reads one spelling and gives what stands after it.
fn spelling<'t>(text: &'t str, slash: bool, option: &mut Opt) -> Option<&'t str> {
    if !begins(text) {
        return None;
    }
    let (negatable, plain_head) = match text.strip_prefix("--[no-]") {
        Some(after) => (true, after),
        None => (false, text),
    };
    let end = plain_head
        .find(|c: char| c.is_whitespace() || ",=[|/:<{(".contains(c) || c == '.')
        .unwrap_or(plain_head.len());
    let (name, after) = plain_head.split_at_checked(end)?;
    let name = if negatable {
        format!("--{name}")
    } else {
        name.to_owned()
    };
    let name = name.trim_end_matches(':').to_owned();
    if name.trim_start_matches('-').is_empty() || name.len() > 64 || !name.is_ascii() {
        return None;
    }
    option.negatable |= negatable;
    let second = name.starts_with("--") && option.main().starts_with("--");
    if second && (slash || name.starts_with("--no-")) {
        // `--color / --no-color`, `--with-x / --without-x` of click.
        option.opposite = Some(name);
    } else if !option.has(&name) {
        option.spellings.push(name);
    }
    Some(after)
}

/// Reads the value that may stand after a spelling and gives what stands after it.
fn value<'t>(text: &'t str, option: &mut Opt) -> &'t str {
    if let Some(dotted) = text.strip_prefix("...") {
        return dotted;
    }
    if let Some(inside) = text.strip_prefix("[=") {
        let (name, after) = balanced(inside, ']');
        option.takes = Takes::Maybe(bare(name));
        return after;
    }
    if let Some(inside) = text.strip_prefix('=') {
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let (name, after) = match inside.chars().next() {
            Some('(') => take_brackets(inside, '(', ')'),
            Some('{') => take_brackets(inside, '{', '}'),
            Some('\'') => quoted(inside),
            _ => inside.split_at_checked(end).unwrap_or((inside, "")),
        };
        with_default(name, option);
        return after;
    }
    if let Some(after) = text.strip_prefix(' ') {
        return spaced(text, after, option);
    }
    if text.starts_with('<') {
        let (name, after) = take_brackets(text, '<', '>');
        option.takes = Takes::Value(bare(name));
        return after;
    }
    text
}

/// A value after one blank: in brackets or capitals, or the whole rest of the column.
fn spaced<'t>(text: &'t str, after: &'t str, option: &mut Opt) -> &'t str {
    if after.starts_with(' ') || after.is_empty() || begins(after) {
        return text;
    }
    let (name, rest) = match after.chars().next() {
        Some('<') => take_brackets(after, '<', '>'),
        Some('{') => take_brackets(after, '{', '}'),
        Some('(') if !after.starts_with("(\"") => take_brackets(after, '(', ')'),
        Some('(') => return text,
        Some('[') => take_brackets(after, '[', ']'),
        _ => {
            let end = after
                .find(|c: char| c.is_whitespace() || c == ',')
                .unwrap_or(after.len());
            after.split_at_checked(end).unwrap_or((after, ""))
        }
    };
    // Text glued to brackets belongs to the value: `[HOST/]OWNER/REPO`, `<a>[,<b>]`.
    let glued = rest
        .find(|c: char| c.is_whitespace() || c == ',')
        .unwrap_or(rest.len());
    let (tail, rest) = rest.split_at_checked(glued).unwrap_or(("", rest));
    let column_ends = rest.is_empty() || rest.starts_with("  ") || rest.starts_with(',');
    let marked = name.starts_with(['<', '{']);
    let capitals = name.chars().any(|c| c.is_ascii_uppercase())
        && name.chars().all(|c| !c.is_ascii_lowercase());
    // argparse repeats the name for values without count: `X [X ...]`.
    let dots = ["...", " ..."].iter().find_map(|d| rest.strip_prefix(d));
    let more = rest.trim_start();
    if !(column_ends || marked || capitals || dots.is_some()) {
        // Two words before the column: click and others write `FILE PATH`, others a sentence.
        return text;
    }
    let whole = format!("{name}{tail}");
    let value = bare(&whole);
    if value.contains("possible values") {
        return after;
    }
    option.repeats |= dots.is_some() || tail.ends_with("...");
    option.takes = Takes::Value(value);
    match more
        .strip_prefix('[')
        .and_then(|inside| inside.split_once("...]"))
    {
        Some((_, after)) if capitals => after,
        _ => dots.unwrap_or(rest),
    }
}

/// `=false:` and its like, by which kubectl shows a default, tell the type.
fn with_default(name: &str, option: &mut Opt) {
    let shown = name.strip_suffix(':').unwrap_or(name);
    let default_style = name.ends_with(':');
    let go_style = option
        .spellings
        .iter()
        .all(|s| !s.starts_with("--") && s.len() > 2);
    option.takes = match shown {
        "false" if default_style => Takes::Nothing,
        "true" if default_style => Takes::Truth,
        "true" | "false" if go_style => Takes::Truth,
        _ if default_style => {
            if shown == "[]" {
                option.repeats = true;
            }
            let number = shown.parse::<i64>().is_ok();
            Takes::Value(if number {
                "int".to_owned()
            } else {
                "value".to_owned()
            })
        }
        _ => Takes::Value(bare(name)),
    };
}

/// A value in quotes, the colon behind it with it.
fn quoted(text: &str) -> (&str, &str) {
    let end = text
        .char_indices()
        .skip(1)
        .find(|(_, c)| *c == '\'')
        .map_or(text.len(), |(at, c)| at + c.len_utf8());
    let colon = text.get(end..).is_some_and(|t| t.starts_with(':'));
    text.split_at_checked(end + usize::from(colon))
        .unwrap_or((text, ""))
}

fn take_brackets(text: &str, open: char, close: char) -> (&str, &str) {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return text
                    .split_at_checked(at + c.len_utf8())
                    .unwrap_or((text, ""));
            }
        }
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The text up to a closing bracket, inner ones counted, and what follows it.
fn balanced(text: &str, close: char) -> (&str, &str) {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '<' | '(' => depth += 1,
            c if c == close && depth == 0 => {
                let after = text.get(at + c.len_utf8()..).unwrap_or_default();
                return (text.get(..at).unwrap_or_default(), after);
            }
            ']' | '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (text, "")
}

/// A value's name without the brackets around it.
fn bare(name: &str) -> String {
    let name = name.trim();
    let inner = match (name.chars().next(), name.chars().next_back()) {
        (Some('['), Some(']')) if !name.contains("][") => {
            name.get(1..name.len() - 1).unwrap_or(name)
        }
        _ => name,
    };
    inner
        .trim_end_matches("...")
        .trim_matches(|c: char| "<>".contains(c))
        .to_owned()
}

/// The values that a value's name lists: `{a,b}`, `(a|b)`, `a|b`.
pub(crate) fn choices_of(value: &str) -> Vec<String> {
    let inside = value.trim_matches(|c: char| "{}()<>".contains(c));
    let braces = value.starts_with('{') || value.starts_with('(') || inside.contains('|');
    if !braces {
        return Vec::new();
    }
    words(inside, &['|', ','])
}

/// The values that a description lists in the ways that are meant for it.
pub(super) fn choices_in(text: &str) -> Vec<String> {
    for (open, close) in [
        ("[possible values: ", ']'),
        ("Possible values: ", '.'),
        ("possible values: ", ')'),
        ("One of: (", ')'),
        ("one of: (", ')'),
        ("Supported values: ", ')'),
        ("Allowed values: ", ')'),
        (": {", '}'),
    ] {
        let inside = text
            .split_once(open)
            .and_then(|(_, after)| after.split_once(close));
        let found = inside
            .map(|(list, _)| words(list, &[',', '|']))
            .unwrap_or_default();
        if found.len() > 1 {
            return found;
        }
    }
    // clap's long help: `Possible values: - auto: …  - never: …`
    if let Some((_, list)) = text.split_once("Possible values: - ") {
        let heads = list
            .split(" - ")
            .map(|item| item.split([':', ' ']).next().unwrap_or_default());
        let found: Vec<String> = heads.map(str::to_owned).collect();
        if found.iter().all(|w| is_choice(w)) {
            return found;
        }
    }
    Vec::new()
}

fn words(list: &str, marks: &[char]) -> Vec<String> {
    let all: Vec<String> = list
        .split(marks)
        .map(|w| {
            w.trim()
                .trim_start_matches("or ")
                .trim_matches(|c: char| "\"'`".contains(c))
                .to_owned()
        })
        .filter(|w| !w.is_empty())
        .collect();
    let sound = all.len() > 1 && all.len() <= 64 && all.iter().all(|w| is_choice(w));
    // Only `true` and `false` name a truth value, which other words may say too.
    if sound && !all.iter().all(|w| BOOLEANS.contains(&w.as_str())) {
        all
    } else {
        Vec::new()
    }
}

/// Whether a word of a list is a value that can be given as it stands, not a name for one.
fn is_choice(word: &str) -> bool {
    word.len() <= 40
        && word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word
            .chars()
            .any(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.:+".contains(c))
}
