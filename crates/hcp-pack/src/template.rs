//! Templates: from arguments to the words of a command line. Nothing here goes through a shell, and a
//! value is never read for placeholders.

mod render;
mod shell;

pub(crate) use render::{render, without_nulls};
pub use shell::shell_line;

use hcp_core::names::is_argument_name;
use hcp_core::text::quoted;

/// One word of a rendered command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The exact text that the program gets.
    pub text: String,
    /// The secret arguments whose value stands in it.
    pub secrets: Vec<String>,
}

/// What a call gives the tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    /// The program's name and its words.
    pub words: Vec<Word>,
    /// Variables from the Surface's `env`: name and value.
    pub env: Vec<(String, String)>,
    /// Standard input from the Surface's `stdin`.
    pub stdin: Option<String>,
}

/// A part of a template word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text that stands as it is.
    Text(String),
    /// The value of an argument.
    Argument(String),
}

/// One word of `cli`, or the text of an `env` variable or of `stdin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
    /// Further spellings of a literal option or of an own word, without the first.
    others: Vec<String>,
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TemplateFault {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Template {
    /// Reads one word of `cli`, where a literal option may list its spellings.
    pub(crate) fn word(text: &str) -> Result<Self, TemplateFault> {
        let mut template = Self::text(text)?;
        if !text.starts_with('-') {
            return Ok(template);
        }
        let head = text.split(['=', '{']).next().unwrap_or_default();
        if !head.contains('|') {
            return Ok(template);
        }
        if template.names().next().is_some() {
            return Err(TemplateFault {
                message: "an option with several spellings must be a word of its own".to_owned(),
                help: "write the option and its placeholder as two words".to_owned(),
            });
        }
        let mut spellings = text.split('|').map(str::to_owned);
        let first = spellings.next().unwrap_or_default();
        template.others = spellings.collect();
        let all = std::iter::once(&first).chain(&template.others);
        for spelling in all {
            if !is_option(spelling) || spelling.contains('=') {
                return Err(TemplateFault {
                    message: format!("the spelling {} is no option", quoted(spelling)),
                    help: "write spellings like \"-D|--delete\"".to_owned(),
                });
            }
        }
        template.pieces = vec![Piece::Text(first)];
        Ok(template)
    }

    /// Gives an own word its further spellings.
    pub(crate) fn spell(&mut self, others: Vec<String>) {
        self.others = others;
    }

    /// Whether a word of a line is this literal word, in any of its spellings.
    #[must_use]
    pub fn is_spelled(&self, word: &str) -> bool {
        self.literal() == Some(word) || self.others.iter().any(|other| other == word)
    }

    /// The spellings after the first.
    pub(crate) fn others(&self) -> impl Iterator<Item = &str> {
        self.others.iter().map(String::as_str)
    }

    /// Reads a template without spellings: the value of an `env` variable, or `stdin`.
    pub(crate) fn text(text: &str) -> Result<Self, TemplateFault> {
        if text.contains('\0') {
            return Err(TemplateFault {
                message: "a NUL character cannot reach a program".to_owned(),
                help: "take it out".to_owned(),
            });
        }
        Ok(Self {
            pieces: pieces(text)?,
            others: Vec::new(),
        })
    }

    /// The parts in order; no two texts stand side by side.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The arguments that stand in it, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Argument(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The whole text, where no placeholder stands in it; of an option the first spelling.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            [Piece::Argument(_)] | [_, _, ..] => None,
        }
    }

    /// The argument whose placeholder is the whole word.
    #[must_use]
    pub fn alone(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Argument(name)] => Some(name),
            [] | [Piece::Text(_)] | [_, _, ..] => None,
        }
    }

    /// The literal option that this word is, in its first spelling. `--` and `-` are none.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        self.literal().filter(|text| is_option(text))
    }

    /// The literal option that a placeholder right after it belongs to: one that has no value yet.
    #[must_use]
    pub fn lead(&self) -> Option<&str> {
        self.option().filter(|text| !text.contains('='))
    }

    /// Every spelling of a literal option, or of an own word that has several, the written one first; of another
    /// word nothing.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        let several = !self.others.is_empty();
        self.literal()
            .filter(|text| several || is_option(text))
            .into_iter()
            .chain(self.others.iter().map(String::as_str))
    }

    /// Whether the word, among the global ones, is none of an option: text without a dash around a placeholder.
    pub(crate) fn leads_globals(&self) -> bool {
        let prefix = self.prefix();
        !prefix.is_empty() && !prefix.starts_with('-') && self.names().next().is_some()
    }

    /// The text before the first placeholder.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            Some(Piece::Argument(_)) | None => "",
        }
    }

    /// Whether the word begins a command's options or holds a value: where the own words end.
    pub(crate) fn ends_own_words(&self) -> bool {
        self.literal().is_none_or(|text| text.starts_with('-'))
    }
}

/// Whether a text is an option in the sense of templates: it begins with `-`, and is neither `-` nor `--`.
#[must_use]
pub fn is_option(text: &str) -> bool {
    text.starts_with('-') && text != "-" && text != "--"
}

fn pieces(text: &str) -> Result<Vec<Piece>, TemplateFault> {
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.find("{{").and_then(|at| rest.split_at_checked(at)) {
        literal.push_str(before);
        // Of three braces the first is text: `stash@{{{n}}}`.
        if from.starts_with("{{{") {
            literal.push('{');
            rest = from.get(1..).unwrap_or_default();
            continue;
        }
        let (name, after) = placeholder(from)?;
        if !literal.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut literal)));
        }
        pieces.push(Piece::Argument(name.to_owned()));
        rest = after;
    }
    literal.push_str(rest);
    if !literal.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(literal));
    }
    Ok(pieces)
}

/// The name of the placeholder that a text begins with, and what stands after it.
fn placeholder(text: &str) -> Result<(&str, &str), TemplateFault> {
    let inside = text.get(2..).unwrap_or_default();
    let Some((name, after)) = inside.split_once("}}") else {
        return Err(TemplateFault {
            message: "a placeholder is not closed".to_owned(),
            help: "write it like {{name}}".to_owned(),
        });
    };
    if is_argument_name(name) {
        return Ok((name, after));
    }
    let help = if is_argument_name(name.trim()) {
        format!("write it without blanks: {{{{{}}}}}", name.trim())
    } else {
        "write it like {{name}}".to_owned()
    };
    Err(TemplateFault {
        message: format!("{} is no name of an argument", quoted(name)),
        help,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_into_pieces() {
        let text = |t: &str| Piece::Text(t.to_owned());
        let arg = |t: &str| Piece::Argument(t.to_owned());
        for (word, wanted) in [
            ("push", vec![text("push")]),
            ("", vec![text("")]),
            ("{{a}}", vec![arg("a")]),
            ("--x={{a}}", vec![text("--x="), arg("a")]),
            ("{{a}}:{{b-2}}", vec![arg("a"), text(":"), arg("b-2")]),
            ("{{a}}{{b}}", vec![arg("a"), arg("b")]),
            ("stash@{{{n}}}", vec![text("stash@{"), arg("n"), text("}")]),
            ("a}}b{c", vec![text("a}}b{c")]),
        ] {
            assert_eq!(Template::word(word).unwrap().pieces, wanted, "{word}");
        }
    }

    #[test]
    fn broken_placeholders_are_refused() {
        for (word, message, help) in [
            (
                "{{a",
                "a placeholder is not closed",
                "write it like {{name}}",
            ),
            (
                "{{ a }}",
                "\" a \" is no name of an argument",
                "write it without blanks: {{a}}",
            ),
            (
                "{{}}",
                "\"\" is no name of an argument",
                "write it like {{name}}",
            ),
            (
                "x{{.Names}}",
                "\".Names\" is no name of an argument",
                "write it like {{name}}",
            ),
            (
                "a\0",
                "a NUL character cannot reach a program",
                "take it out",
            ),
            (
                "-D|delete",
                "the spelling \"delete\" is no option",
                "write spellings like \"-D|--delete\"",
            ),
            (
                "-D|--delete={{a}}",
                "an option with several spellings must be a word of its own",
                "write the option and its placeholder as two words",
            ),
        ] {
            let fault = Template::word(word).unwrap_err();
            assert_eq!(
                (fault.message.as_str(), fault.help.as_str()),
                (message, help)
            );
        }
    }

    #[test]
    fn spellings_belong_to_literal_options() {
        let all = |word: &str| -> Vec<String> {
            let template = Template::word(word).unwrap();
            template.spellings().map(str::to_owned).collect()
        };
        assert_eq!(all("-D|--delete"), ["-D", "--delete"]);
        assert_eq!(all("--force"), ["--force"]);
        assert!(all("a|b").is_empty() && all("--").is_empty() && all("-").is_empty());
        assert_eq!(all("--sep=a|b"), ["--sep=a|b"]);
        assert_eq!(Template::word("-D|--delete").unwrap().literal(), Some("-D"));
    }
}
