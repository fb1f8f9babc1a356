//! The words of a command line from checked arguments: one arm for each row of the table of templates.

use super::{Piece, Rendered, Template, Word, is_option};
use crate::args::{ArgFault, Argument};
use crate::pack::Command;
use hcp_core::canonical;
use hcp_core::decimal::Decimal;
use hcp_core::json::{Object, Value};

/// From this length on Linux takes no single word or variable (`MAX_ARG_STRLEN`).
const WORD_MAX: usize = 128 << 10;

/// All words and variables together: what macOS takes (`ARG_MAX`), less room for the environment.
const ALL_MAX: usize = (1 << 20) - (128 << 10);

/// The longest standard input.
const STDIN_MAX: usize = 16 << 20;

/// Everything that a command gives its tool for these arguments.
pub(crate) fn render(command: &Command, args: &Object) -> Result<Rendered, ArgFault> {
    let mut line = Line {
        command,
        args,
        words: Vec::new(),
        ended: false,
    };
    let (program, rest) = command
        .cli()
        .split_at_checked(1)
        .unwrap_or((command.cli(), &[]));
    line.push_all(program)?;
    line.push_all(command.globals())?;
    line.push_all(rest)?;
    let rendered = Rendered {
        words: line.words,
        env: environment(command, args)?,
        stdin: match command.stdin() {
            Some(template) => plain_text(command, args, template)?,
            None => None,
        },
    };
    check_sizes(command, &rendered)?;
    Ok(rendered)
}

fn environment(command: &Command, args: &Object) -> Result<Vec<(String, String)>, ArgFault> {
    let mut variables = Vec::new();
    for (name, template) in command.env() {
        if let Some(value) = plain_text(command, args, template)? {
            variables.push((name.clone(), value));
        }
    }
    Ok(variables)
}

/// The text of an `env` variable or of `stdin`; nothing when its arguments are absent.
fn plain_text(
    command: &Command,
    args: &Object,
    template: &Template,
) -> Result<Option<String>, ArgFault> {
    for name in template.names() {
        if let Some(Value::Array(_)) = present(args, name) {
            return Err(one_value(name));
        }
    }
    let line = Line {
        command,
        args,
        words: Vec::new(),
        ended: true,
    };
    Ok(match line.values(template)? {
        Some(_) => Some(line.fill(template, None)?.text),
        None => None,
    })
}

/// The arguments of a word with their values.
type Values<'t, 'c> = Vec<(&'t str, &'c Value)>;

struct Line<'c> {
    command: &'c Command,
    args: &'c Object,
    words: Vec<Word>,
    /// Whether a literal `--` stands before.
    ended: bool,
}

impl<'c> Line<'c> {
    fn push_all(&mut self, templates: &[Template]) -> Result<(), ArgFault> {
        let mut rest = templates.iter().peekable();
        // An absent bare word whose place the next one would take.
        let mut gap: Option<&str> = None;
        while let Some(template) = rest.next() {
            let owned = template
                .lead()
                .and_then(|option| Some((option, rest.peek()?.alone()?)));
            if let Some((option, name)) = owned {
                self.push_alone(Some(option), name)?;
                rest.next();
            } else if let Some(name) = template.alone() {
                let before = self.words.len();
                self.push_alone(None, name)?;
                match gap {
                    Some(gap) if self.words.len() > before => return Err(out_of_place(name, gap)),
                    None if self.words.len() == before => gap = Some(name),
                    Some(_) | None => {}
                }
            } else if let Some(text) = template.literal() {
                self.ended |= text == "--";
                // A literal word keeps its own place, and `--` begins a list of its own.
                if !is_option(text) {
                    gap = None;
                }
                self.push_literal(text);
            } else {
                self.push_filled(template)?;
            }
        }
        Ok(())
    }

    fn push_literal(&mut self, text: &str) {
        self.words.push(Word {
            text: text.to_owned(),
            secrets: Vec::new(),
        });
    }

    /// A placeholder that is the whole word, with the literal option before it, if there is one.
    fn push_alone(&mut self, option: Option<&str>, name: &str) -> Result<(), ArgFault> {
        let Some(value) = present(self.args, name) else {
            return Ok(());
        };
        match (value, option) {
            (Value::Bool(false), _) => {}
            (Value::Bool(true), Some(option)) => self.push_literal(option),
            (Value::Array(items), _) => {
                for item in items {
                    self.push_valued(option, name, item)?;
                }
            }
            (
                Value::Bool(true)
                | Value::Null
                | Value::Number(_)
                | Value::String(_)
                | Value::Object(_),
                _,
            ) => self.push_valued(option, name, value)?,
        }
        Ok(())
    }

    fn push_valued(
        &mut self,
        option: Option<&str>,
        name: &str,
        value: &Value,
    ) -> Result<(), ArgFault> {
        let text = self.text(name, value)?;
        if text.starts_with('-') && !self.ended && !self.is_negative_number(name, value) {
            return Err(would_be_option(name, option));
        }
        if let Some(option) = option {
            self.push_literal(option);
        }
        let secrets = self.secrets([name]);
        self.words.push(Word { text, secrets });
        Ok(())
    }

    /// A word with text around its placeholder, or with several placeholders.
    fn push_filled(&mut self, template: &Template) -> Result<(), ArgFault> {
        let Some(values) = self.values(template)? else {
            return Ok(());
        };
        match values.as_slice() {
            [(name, Value::Array(items))] => {
                for item in items {
                    let word = self.fill(template, Some((name, item)))?;
                    self.words.push(word);
                }
            }
            _ => {
                for (name, value) in &values {
                    if matches!(value, Value::Array(_)) {
                        return Err(one_value(name));
                    }
                }
                let word = self.fill(template, None)?;
                self.words.push(word);
            }
        }
        Ok(())
    }

    /// The distinct arguments of a word with their values; `None` when all are absent.
    fn values<'t>(&self, template: &'t Template) -> Result<Option<Values<'t, 'c>>, ArgFault> {
        let mut values: Values<'t, 'c> = Vec::new();
        let mut absent: Option<&str> = None;
        for name in template.names() {
            match present(self.args, name) {
                Some(value) if !values.iter().any(|(n, _)| *n == name) => {
                    values.push((name, value));
                }
                Some(_) => {}
                None => absent = Some(name),
            }
        }
        match (absent, values.first()) {
            (Some(absent), Some((given, _))) => Err(ArgFault {
                argument: Some(absent.to_owned()),
                keyword: "together".to_owned(),
                message: format!("{absent}: must be given where {given} is: they make one word"),
                help: Some(format!("give {absent} too, or leave both out")),
            }),
            (Some(_), None) => Ok(None),
            (None, _) => Ok(Some(values)),
        }
    }

    /// The word with every placeholder filled; `item` stands for its argument's value.
    fn fill(&self, template: &Template, item: Option<(&str, &Value)>) -> Result<Word, ArgFault> {
        let mut text = String::new();
        for piece in template.pieces() {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Argument(name) => {
                    let value = item
                        .filter(|(n, _)| n == name)
                        .map(|(_, v)| v)
                        .or_else(|| present(self.args, name));
                    let value = match value {
                        Some(value) => self.text(name, value)?,
                        None => String::new(),
                    };
                    // `-{{n}}` takes a number, and never a second dash.
                    let only_dashes = text.bytes().all(|b| b == b'-');
                    if only_dashes && !self.ended && value.starts_with('-') {
                        return Err(would_be_option(name, None));
                    }
                    text.push_str(&value);
                }
            }
        }
        if !self.ended && is_bare_option(template, &text) {
            return Err(bare_option(template));
        }
        Ok(Word {
            text,
            secrets: self.secrets(template.names()),
        })
    }

    /// A single value as text.
    fn text(&self, name: &str, value: &Value) -> Result<String, ArgFault> {
        let text = match value {
            Value::Null => {
                return Err(ArgFault {
                    argument: Some(name.to_owned()),
                    keyword: "null".to_owned(),
                    message: format!("{name}: an item is null, which no word can say"),
                    help: Some("take the item out".to_owned()),
                });
            }
            Value::Bool(truth) => truth.to_string(),
            Value::Number(number) => number.as_str().to_owned(),
            Value::String(text) => text.clone(),
            Value::Array(_) | Value::Object(_) => canonical::encode(&without_nulls(value)),
        };
        if text.contains('\0') {
            return Err(ArgFault::nul(name));
        }
        Ok(text)
    }

    fn is_negative_number(&self, name: &str, value: &Value) -> bool {
        let declared = self
            .command
            .argument(name)
            .is_some_and(Argument::is_numeric);
        let plain = match value {
            Value::Number(number) => Decimal::from_plain(number.as_str()).is_some(),
            Value::Null
            | Value::Bool(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => false,
        };
        declared && plain
    }

    fn secrets<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        let mut secrets: Vec<String> = Vec::new();
        for name in names {
            let secret = self.command.argument(name).is_some_and(|a| a.secret);
            if secret && !secrets.iter().any(|s| s == name) {
                secrets.push(name.to_owned());
            }
        }
        secrets
    }
}

/// The value of an argument for which the tool gets anything at all.
fn present<'a>(args: &'a Object, name: &str) -> Option<&'a Value> {
    args.get(name).filter(|value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
    })
}

/// A value without the members of objects that are null: they are absent.
pub(crate) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(
            object
                .iter()
                .filter(|(_, v)| **v != Value::Null)
                .map(|(k, v)| (k.to_owned(), without_nulls(v)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(without_nulls).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn check_sizes(command: &Command, rendered: &Rendered) -> Result<(), ArgFault> {
    let too_long = |what: String, bytes: usize, most: usize| ArgFault {
        argument: None,
        keyword: "too_long".to_owned(),
        message: format!("{what} has {bytes} bytes, and a program takes less than {most}"),
        help: Some("put long content in a file and give its path".to_owned()),
    };
    let mut all = 0;
    for (at, word) in rendered.words.iter().enumerate() {
        if word.text.len() >= WORD_MAX {
            return Err(too_long(
                format!("word {} of {}", at + 1, command.name),
                word.text.len(),
                WORD_MAX,
            ));
        }
        // Each word also takes its end mark and a pointer.
        all += word.text.len() + 9;
    }
    for (name, value) in &rendered.env {
        let bytes = name.len() + 1 + value.len();
        if bytes >= WORD_MAX {
            return Err(too_long(format!("the variable {name}"), bytes, WORD_MAX));
        }
        all += bytes + 9;
    }
    if all >= ALL_MAX {
        return Err(too_long(
            format!("the command line of {}", command.name),
            all,
            ALL_MAX,
        ));
    }
    match rendered.stdin.as_ref().map(String::len) {
        Some(bytes) if bytes > STDIN_MAX => {
            Err(too_long("standard input".to_owned(), bytes, STDIN_MAX))
        }
        Some(_) | None => Ok(()),
    }
}

fn one_value(name: &str) -> ArgFault {
    ArgFault {
        argument: Some(name.to_owned()),
        keyword: "array".to_owned(),
        message: format!("{name}: an array cannot stand here"),
        help: Some("give one value".to_owned()),
    }
}

fn out_of_place(name: &str, gap: &str) -> ArgFault {
    ArgFault {
        argument: Some(gap.to_owned()),
        keyword: "position".to_owned(),
        message: format!(
            "{gap}: must be given where {name} is: without it the program would take {name} for {gap}"
        ),
        help: Some(format!("give {gap} too, or leave both out")),
    }
}

/// Whether nothing but the option is left of `-b{{b}}`: the program would take the next word for its value, or read
/// `-{{b}}` as another word altogether.
fn is_bare_option(template: &Template, text: &str) -> bool {
    let prefix = template.prefix();
    prefix.starts_with('-') && !prefix.contains('=') && text == prefix
}

fn bare_option(template: &Template) -> ArgFault {
    let name = template.names().next().unwrap_or_default();
    ArgFault {
        argument: Some(name.to_owned()),
        keyword: "empty".to_owned(),
        message: format!(
            "{name}: is empty, and the program would take the next word for the value of {}",
            template.prefix()
        ),
        help: Some(format!("give {name} a value, or leave it out")),
    }
}

fn would_be_option(name: &str, option: Option<&str>) -> ArgFault {
    let mend = match option {
        Some(option) if option.starts_with("--") => format!("\"{option}={{{{{name}}}}}\""),
        Some(_) | None => format!("a \"--\" before \"{{{{{name}}}}}\""),
    };
    ArgFault {
        argument: Some(name.to_owned()),
        keyword: "injection".to_owned(),
        message: format!("{name}: begins with \"-\", and the program would read it as an option"),
        help: Some(format!(
            "begin it otherwise (a path with \"./\"); a pack takes such values with {mend} in its cli"
        )),
    }
}
