//! From an option or a word of a help text to an argument of a pack.

use crate::model::{Family, Opt, Positional, Takes};
use crate::text::describe;
use hcp_core::json::{Object, Value};
use std::collections::BTreeSet;

/// The longest description of an argument.
const DESCRIPTION: usize = 200;

/// Names of values that are whole numbers.
const INTEGERS: &[&str] = &[
    "n", "num", "number", "int", "integer", "count", "int32", "int64", "uint", "uint8", "uint16",
    "uint32", "uint64", "port", "lines", "depth", "seconds", "retries", "jobs", "range",
];

/// Names of values that are paths, whole or as their last part.
const PATHS: &[&str] = &[
    "file",
    "path",
    "dir",
    "directory",
    "filename",
    "folder",
    "filepath",
    "dirname",
    "files",
    "paths",
    "pathspec",
];

/// Types of pflag that may be given several times.
const LISTS: &[&str] = &[
    "strings",
    "stringarray",
    "stringslice",
    "list",
    "stringtostring",
    "map",
    "filter",
    "ints",
    "mount",
    "ulimit",
    "opt",
];

/// Names of options whose value no card, log or process list may show.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "otp",
    "apikey",
    "api-key",
];

/// What begins with no dash.
const NO_OPTION: &str = "^[^-]";

/// An argument of a draft and the words by which it reaches the tool.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) name: String,
    /// The words of `cli`.
    pub(crate) cli: Vec<String>,
    pub(crate) schema: Object,
    pub(crate) required: bool,
    /// The spelling that the help gives it; empty for a word.
    pub(crate) spelling: String,
    pub(crate) description: String,
    pub(crate) is_path: bool,
    pub(crate) is_flag: bool,
    pub(crate) is_number: bool,
    pub(crate) after_dashes: bool,
    pub(crate) runs_words: bool,
}

impl Argument {
    /// Refuses values that would read as an option: for a word that no `--` stands before.
    pub(crate) fn refuse_options(&mut self) {
        let is_text = |schema: &Object| {
            schema.get("type").and_then(Value::as_str) == Some("string")
                && !schema.contains_key("enum")
        };
        if is_text(&self.schema) {
            self.schema.insert("pattern", NO_OPTION);
        }
        let items = self.schema.get("items").and_then(Value::as_object);
        if let Some(items) = items.filter(|items| is_text(items)) {
            let items = items.clone().with("pattern", NO_OPTION);
            self.schema.insert("items", items);
        }
    }
}

/// Names and spellings that are taken in a command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Taken {
    names: BTreeSet<String>,
    spellings: BTreeSet<String>,
}

impl Taken {
    /// A name like the wanted one that no other argument has; two are alike without `-`, `_` and case.
    fn name(&mut self, wanted: &str, fallback: &str) -> String {
        let plain = argument_name(wanted, fallback);
        let mut name = plain.clone();
        let mut number = 2;
        while !self.names.insert(bare(&name)) {
            let cut: String = plain.chars().take(58).collect();
            name = format!("{cut}_{number}");
            number += 1;
        }
        name
    }

    fn spelling(&mut self, spelling: &str) -> bool {
        self.spellings.insert(spelling.to_owned())
    }

    pub(crate) fn has_spelling(&self, spelling: &str) -> bool {
        self.spellings.contains(spelling)
    }
}

fn bare(name: &str) -> String {
    name.chars()
        .filter(|c| !"-_".contains(*c))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// A text as an argument's name: `CONTAINER:SRC_PATH` is `container_src_path`.
fn argument_name(text: &str, fallback: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name: String = name.chars().take(60).collect();
    let name = name.trim_end_matches('_');
    if name.is_empty() {
        return fallback.to_owned();
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.to_owned()
    } else {
        format!("{fallback}_{name}")
    }
}

/// Options that only tell about the program; `--version VERSION` is another thing.
fn only_tells(option: &Opt) -> bool {
    let help = option.has("--help") || option.has("-help");
    let others = ["--version", "-version", "--man"];
    let tells = others.iter().any(|o| option.has(o)) || option.spellings == ["-h"];
    help || (tells && option.takes == Takes::Nothing)
}

/// The arguments of an option: one, or two where it can stand with a value and without, or be turned off.
pub(crate) fn of_option(option: &Opt, family: Family, taken: &mut Taken) -> Vec<Argument> {
    let long = option.main().trim_start_matches('-').to_owned();
    let shown = match &option.takes {
        Takes::Value(value) | Takes::Maybe(value) if long.len() == 1 && !value.is_empty() => {
            value.clone()
        }
        Takes::Value(_) | Takes::Maybe(_) | Takes::Nothing | Takes::Truth => long,
    };
    named_option(option, &shown, family, taken)
}

/// The same under a name like this one.
pub(crate) fn named_option(
    option: &Opt,
    shown: &str,
    family: Family,
    taken: &mut Taken,
) -> Vec<Argument> {
    let main = option.main().to_owned();
    if only_tells(option) || !is_option_word(&main) || !taken.spelling(&main) {
        return Vec::new();
    }
    let aliases: Vec<String> = option
        .spellings
        .iter()
        .filter(|s| **s != main && is_alias(s) && taken.spelling(s))
        .cloned()
        .collect();
    let mut found = Vec::new();
    match &option.takes {
        Takes::Nothing => {
            let name = taken.name(shown, "option");
            found.push(flag(&main, name, option, aliases));
        }
        Takes::Truth => {
            let name = taken.name(shown, "option");
            let mut schema = described("boolean", &option.description, &main);
            aliased(&mut schema, aliases);
            let cli = vec![format!("{main}={{{{{name}}}}}")];
            found.push(argument(name, cli, schema, &main, option));
        }
        Takes::Value(value) => {
            let name = taken.name(shown, "option");
            found.push(valued(&main, name, value, option, aliases, family));
        }
        Takes::Maybe(value) => {
            let name = taken.name(shown, "option");
            found.push(flag(&main, name, option, aliases));
            if main.starts_with("--") {
                let name = taken.name(&format!("{shown}-value"), "option");
                found.push(valued(&main, name, value, option, Vec::new(), family));
            }
        }
    }
    found.extend(opposite(option, &main, taken));
    found
}

/// The argument that turns an option off, where that can be told by a flag.
fn opposite(option: &Opt, main: &str, taken: &mut Taken) -> Option<Argument> {
    let turns = !matches!(option.takes, Takes::Value(_));
    let off = option.opposite.clone().or_else(|| {
        let long = main.strip_prefix("--")?;
        let again = long.starts_with("no-");
        (option.negatable && turns && !again).then(|| format!("--no-{long}"))
    })?;
    if !is_option_word(&off) || !taken.spelling(&off) {
        return None;
    }
    let name = taken.name(off.trim_start_matches('-'), "option");
    let contrary = Opt {
        spellings: vec![off.clone()],
        description: format!("The opposite of {main}"),
        ..Opt::default()
    };
    Some(flag(&off, name, &contrary, Vec::new()))
}

fn argument(name: String, cli: Vec<String>, schema: Object, main: &str, option: &Opt) -> Argument {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    Argument {
        is_path: is_path_schema(&schema),
        is_flag: kind == "boolean",
        is_number: kind == "integer" || kind == "number",
        name,
        cli,
        schema,
        required: option.required,
        spelling: main.to_owned(),
        description: option.description.clone(),
        after_dashes: false,
        runs_words: false,
    }
}

fn is_path_schema(schema: &Object) -> bool {
    let items = schema.get("items").and_then(Value::as_object);
    schema.contains_key("format") || items.is_some_and(|items| items.contains_key("format"))
}

fn flag(main: &str, name: String, option: &Opt, aliases: Vec<String>) -> Argument {
    let mut schema = described("boolean", &option.description, main);
    aliased(&mut schema, aliases);
    let cli = vec![main.to_owned(), format!("{{{{{name}}}}}")];
    let mut argument = argument(name, cli, schema, main, option);
    // A flag that must be given says nothing that a person could leave out.
    argument.required = false;
    argument
}

fn valued(
    main: &str,
    name: String,
    value: &str,
    option: &Opt,
    aliases: Vec<String>,
    family: Family,
) -> Argument {
    let kind = value.to_ascii_lowercase();
    let list = option.repeats || LISTS.contains(&kind.as_str());
    let item = item(value, main, &option.choices);
    let mut schema = whole(item, list, &option.description, main);
    let last = main.trim_start_matches('-').to_ascii_lowercase();
    if !list
        && SECRETS
            .iter()
            .any(|s| last == *s || last.ends_with(&format!("-{s}")))
    {
        schema.insert("x-secret", true);
    }
    aliased(&mut schema, aliases);
    let cli = if main.starts_with("--") || (family == Family::GoFlag && main.len() > 2) {
        vec![format!("{main}={{{{{name}}}}}")]
    } else {
        vec![main.to_owned(), format!("{{{{{name}}}}}")]
    };
    argument(name, cli, schema, main, option)
}

/// The schema of one value.
fn item(value: &str, main: &str, choices: &[String]) -> Object {
    if !choices.is_empty() {
        let mut all: Vec<Value> = Vec::new();
        for choice in choices {
            let choice = Value::from(choice.as_str());
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
        return Object::new()
            .with("type", "string")
            .with("enum", Value::Array(all));
    }
    let kind = value.to_ascii_lowercase();
    let kind = kind.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if INTEGERS.contains(&kind) {
        return Object::new().with("type", "integer");
    }
    let text = Object::new().with("type", "string");
    if is_path(kind) || is_path(main.trim_start_matches('-')) && !kind.contains("format") {
        text.with("format", "path")
    } else {
        text
    }
}

/// Whether a name's last part says that it is a path.
fn is_path(name: &str) -> bool {
    let last = name
        .rsplit(|c: char| !c.is_ascii_alphanumeric())
        .find(|part| !part.is_empty());
    last.is_some_and(|last| PATHS.contains(&last))
}

fn whole(item: Object, list: bool, description: &str, what: &str) -> Object {
    let text = describe(description, DESCRIPTION);
    let text = if text.is_empty() {
        what.to_owned()
    } else {
        text
    };
    if list {
        return Object::new()
            .with("type", "array")
            .with("description", text)
            .with("items", item);
    }
    let mut schema = item;
    schema.insert("description", text);
    schema
}

fn described(kind: &str, description: &str, what: &str) -> Object {
    whole(Object::new().with("type", kind), false, description, what)
}

fn aliased(schema: &mut Object, aliases: Vec<String>) {
    if !aliases.is_empty() {
        let all = aliases.into_iter().map(Value::from).collect();
        schema.insert("x-alias", Value::Array(all));
    }
}

/// Whether a spelling can stand in a template as it is.
fn is_option_word(spelling: &str) -> bool {
    spelling.len() > 1
        && spelling.len() <= 64
        && spelling != "--"
        && spelling
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.?#:@+".contains(&b))
}

/// Whether a spelling can stand beside the first one.
fn is_alias(spelling: &str) -> bool {
    is_option_word(spelling) && !spelling.trim_start_matches('-').is_empty()
}

/// The argument of a word.
pub(crate) fn of_word(word: &Positional, position: Option<u64>, taken: &mut Taken) -> Argument {
    let name = taken.name(&word.name, "value");
    let item = item(&word.name, "", &word.choices);
    let what = describe(&word.name, 60);
    let mut schema = whole(item, word.repeats, &word.description, &what);
    if let Some(position) = position.filter(|_| !word.repeats) {
        schema.insert("x-position", position);
    }
    Argument {
        cli: vec![format!("{{{{{name}}}}}")],
        is_path: is_path_schema(&schema),
        is_flag: false,
        is_number: schema.get("type").and_then(Value::as_str) == Some("integer"),
        name,
        schema,
        required: word.required,
        spelling: String::new(),
        description: word.description.clone(),
        after_dashes: word.after_dashes,
        runs_words: false,
    }
}
