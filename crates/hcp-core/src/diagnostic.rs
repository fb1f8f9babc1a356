//! Faults in what came in: what is wrong, where, and how to mend it.
//!
//! A [`Fault`] knows only its span; a [`Source`] turns it into a [`Diagnostic`] with file, line and
//! column. Messages never quote a value of an argument.

use crate::json::Span;
use serde::Serialize;
use std::fmt;

/// Something wrong in a text, by its byte span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// What is wrong, in words, without a final stop.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
}

impl Fault {
    /// A fault at a place.
    #[must_use]
    pub fn at(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: None,
        }
    }

    /// The same fault with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A text and the name that a person knows it by.
#[derive(Debug, Clone)]
pub struct Source<'t> {
    /// File name, or a word such as "HCP_MODE".
    pub name: String,
    /// The whole text.
    pub text: &'t str,
}

impl<'t> Source<'t> {
    /// A named text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: &'t str) -> Self {
        Self {
            name: name.into(),
            text,
        }
    }

    /// Line and column of a byte offset, both from 1, columns in characters.
    #[must_use]
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = self.text.get(..end).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        (line, column)
    }

    /// A fault with its file, line and column.
    #[must_use]
    pub fn locate(&self, fault: &Fault) -> Diagnostic {
        let (line, column) = self.position(fault.span.start);
        Diagnostic {
            file: self.name.clone(),
            line,
            column,
            message: fault.message.clone(),
            help: fault.help.clone(),
        }
    }
}

/// Something wrong at a place that a person can go to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The file, as the person knows it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A message with the first place it is about, for readers that take one sentence only.
#[must_use]
pub fn with_place(message: &str, places: &[Diagnostic]) -> String {
    let Some(first) = places.first() else {
        return message.to_owned();
    };
    let more = match places.len() - 1 {
        0 => String::new(),
        1 => "; and 1 place more".to_owned(),
        n => format!("; and {n} places more"),
    };
    format!("{}: {first}{more}", message.trim_end_matches('.'))
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}",
            self.file, self.line, self.column, self.message
        )?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}
