//! From the parts of a usage line to its options and words.

use super::{Item, OPTION_WORDS, Part, is_meta, is_one_of, is_optionlike, options_of};
use crate::model::{Opt, Positional, Takes, Usage};

/// Words of a usage line that stand for a subcommand.
const COMMAND_WORDS: &[&str] = &[
    "command",
    "subcommand",
    "sub-command",
    "cmd",
    "subcmd",
    "commands",
    "subcommands",
    "verb",
    "action",
];

/// How the brackets around a part stand.
#[derive(Debug, Clone, Copy)]
struct Standing {
    optional: bool,
    repeats: bool,
    /// Whether words are values of an option.
    values: bool,
}

/// What was found in a line so far.
pub(super) struct Found {
    usage: Usage,
    after_dashes: bool,
}

impl Found {
    /// What a line holds: all of its first way, and what the other ways add.
    pub(super) fn of(usage: Usage, parts: &[Part], others: &[Vec<Part>]) -> Usage {
        let mut found = Self {
            usage,
            after_dashes: false,
        };
        let standing = |optional| Standing {
            optional,
            repeats: false,
            values: false,
        };
        found.sequence(parts, standing(false));
        for way in others {
            found.sequence(way, standing(true));
        }
        found.usage
    }

    fn sequence(&mut self, parts: &[Part], standing: Standing) {
        for part in parts {
            let standing = Standing {
                repeats: standing.repeats || part.repeats,
                ..standing
            };
            match &part.item {
                Item::Dashes => self.after_dashes = true,
                Item::Option(option) => self.option(option, standing),
                Item::Group { ways, optional } => self.group(ways, *optional, standing),
                Item::Meta(name) => self.word(name, &[], standing),
                Item::Choice(choices) => self.word("", choices, standing),
                // In brackets of its own a bare word may be a switch word; by itself it names a value.
                Item::Word(name) => self.word(name, &[], standing),
            }
        }
    }

    fn group(&mut self, ways: &[Vec<Part>], optional: bool, standing: Standing) {
        let inside = Standing {
            optional: standing.optional || optional,
            ..standing
        };
        if let Some(options) = options_of(ways) {
            let repeats = ways.iter().flatten().any(|part| part.repeats);
            let inside = Standing {
                repeats: inside.repeats || repeats,
                ..inside
            };
            for option in &options {
                self.option(option, inside);
            }
            return;
        }
        // What stands behind an option in brackets of its own is its value.
        let behind_option = matches!(ways, [way] if way.first().is_some_and(is_optionlike));
        let inside = Standing {
            values: inside.values || (optional && behind_option),
            ..inside
        };
        match ways {
            [way] => self.sequence(way, inside),
            _ => match names_of(ways) {
                Some((names, repeats)) => {
                    let inside = Standing {
                        repeats: inside.repeats || repeats,
                        ..inside
                    };
                    self.word(&names.join("-or-"), &[], inside);
                }
                None => {
                    for way in ways {
                        self.sequence(
                            way,
                            Standing {
                                optional: true,
                                ..inside
                            },
                        );
                    }
                }
            },
        }
    }

    fn option(&mut self, option: &Opt, standing: Standing) {
        let mut option = option.clone();
        option.required = !standing.optional;
        option.repeats = standing.repeats && option.takes != Takes::Nothing;
        for spelling in &mut option.spellings {
            if let Some(rest) = spelling.strip_prefix("--[no-]") {
                *spelling = format!("--{rest}");
                option.negatable = true;
            }
        }
        self.usage.options.push(option);
    }

    fn word(&mut self, name: &str, choices: &[String], standing: Standing) {
        if standing.values {
            return;
        }
        let bare = name.trim_matches(|c: char| "<>\"'".contains(c));
        if is_one_of(bare, OPTION_WORDS) || bare.starts_with('+') {
            return;
        }
        if choices.is_empty() && !bare.chars().any(char::is_alphanumeric) {
            return;
        }
        let first = self.usage.positionals.is_empty() && !self.after_dashes;
        let command = first && is_one_of(bare, COMMAND_WORDS);
        self.usage.needs_command |= command && !standing.optional;
        // What follows a subcommand is the subcommand's.
        let follows = self.usage.positionals.iter().any(|p| p.of_command);
        let args = is_one_of(bare, &["args", "arg", "arguments", "command", "subcommand"]);
        let of_command = command || (follows && args);
        let name = if bare.is_empty() {
            choice_name(choices)
        } else {
            bare.to_owned()
        };
        let listed: Vec<String> = bare.split('|').map(str::to_owned).collect();
        let choices = if listed.len() > 1 { &listed } else { choices };
        let known = self.usage.positionals.iter_mut().find(|p| p.name == name);
        if let Some(known) = known {
            // `ENV_DIR [ENV_DIR ...]` is one word that repeats.
            known.repeats |= standing.repeats;
            return;
        }
        let choices = if choices.iter().all(|c| is_choice(c)) {
            choices
        } else {
            &[]
        };
        self.usage.positionals.push(Positional {
            name,
            description: String::new(),
            choices: choices.to_vec(),
            required: !standing.optional,
            repeats: standing.repeats,
            after_dashes: self.after_dashes,
            of_command,
        });
    }
}

/// Whether a word of a choice stands for itself.
fn is_choice(word: &str) -> bool {
    !word.is_empty()
        && !is_meta(word)
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_=.:".contains(c))
}

/// A name for a word that the help only lists values for.
fn choice_name(choices: &[String]) -> String {
    let head = choices.first().map_or("value", String::as_str);
    let key = head.split_once('=').map(|(key, _)| key);
    let value = choices.iter().find(|c| is_meta(c));
    key.or(value.map(String::as_str))
        .unwrap_or("choice")
        .to_owned()
}

/// The names of a group whose every way is one word for a value, and whether one of them repeats.
fn names_of(ways: &[Vec<Part>]) -> Option<(Vec<String>, bool)> {
    let mut names = Vec::new();
    let mut repeats = false;
    for way in ways {
        let [
            Part {
                item: Item::Meta(name) | Item::Word(name),
                repeats: dots,
            },
        ] = way.as_slice()
        else {
            return None;
        };
        repeats |= dots;
        // A lone dash is standard input or output, whatever the word is otherwise.
        if name != "-" {
            names.push(name.clone());
        }
    }
    (1..=4).contains(&names.len()).then_some((names, repeats))
}
