//! What goes wrong in the program itself, and the one place where it is put into words:
//! what happened, where, and what to do.

use crate::output::{Look, Output, Reply, Text, to_value};
use hcp_core::code::Code;
use hcp_core::diagnostic::{Diagnostic, with_place};
use hcp_core::json::{Object, Value};
use hcp_core::text::SafeText;

/// A refusal of the program: a code, a sentence, a way out, and the places it is about.
#[derive(Debug)]
pub(crate) struct CliError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) extra: Object,
}

impl CliError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
            diagnostics: Vec::new(),
            extra: Object::new(),
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::Usage, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn at(mut self, diagnostics: Vec<Diagnostic>) -> Self {
        self.diagnostics = diagnostics;
        self
    }

    /// The error as a result object.
    pub(crate) fn to_object(&self) -> Object {
        let mut object = Object::new()
            .with("ok", false)
            .with("code", self.code.as_str())
            .with("message", with_place(&self.message, &self.diagnostics));
        if let Some(hint) = &self.hint {
            object.insert("hint", hint.as_str());
        }
        if !self.diagnostics.is_empty() {
            object.insert(
                "diagnostics",
                Value::Array(self.diagnostics.iter().map(to_value).collect()),
            );
        }
        for (key, value) in self.extra.clone() {
            object.insert(key, value);
        }
        object
    }

    /// The error for people.
    pub(crate) fn to_text(&self, columns: usize) -> Text {
        error_text(
            &self.message,
            &self.diagnostics,
            self.hint.as_deref(),
            columns,
        )
    }

    /// Prints the error where it belongs and gives its exit code.
    pub(crate) fn print(&self, output: &Output) -> u8 {
        let reply = Reply {
            exit: self.code.exit(),
            json: self.to_object(),
            human: Text::new(),
            list: None,
        };
        if output.json {
            output.reply(&reply);
        }
        if !output.json || output.person_reads_errors() {
            output.tell(&self.to_text(output.columns));
        }
        reply.exit
    }
}

impl From<hcp::pipeline::Refusal> for CliError {
    fn from(refusal: hcp::pipeline::Refusal) -> Self {
        Self {
            code: refusal.code,
            message: refusal.message,
            hint: refusal.hint,
            diagnostics: refusal.diagnostics,
            extra: refusal.extra,
        }
    }
}

impl From<hcp::store::StoreError> for CliError {
    fn from(error: hcp::store::StoreError) -> Self {
        Self::new(error.code(), error.to_string())
            .hint("hcpx doctor says what is wrong with the store")
    }
}

impl From<hcp::audit::AuditError> for CliError {
    fn from(error: hcp::audit::AuditError) -> Self {
        Self::new(error.code(), error.to_string())
            .hint("hcpx doctor says what is wrong with the log")
    }
}

impl From<hcp::packs::PackError> for CliError {
    fn from(error: hcp::packs::PackError) -> Self {
        let told = Self::new(error.code(), error.to_string());
        if let hcp::packs::PackError::Lints(places) = error {
            return Self {
                message: "the pack has faults that refuse it".to_owned(),
                ..told
            }
            .hint("hcpx check --explain CODE says what each is for")
            .at(places);
        }
        if let hcp::packs::PackError::Invalid(places) = error {
            return Self {
                message: "the pack cannot be read".to_owned(),
                ..told
            }
            .hint("mend the places named")
            .at(places);
        }
        told
    }
}

impl From<hcp::settings::EditError<Self>> for CliError {
    fn from(error: hcp::settings::EditError<Self>) -> Self {
        let invalid = |message: String| Self::new(hcp_core::code::Code::AccessInvalid, message);
        match error {
            hcp::settings::EditError::Refused(inner) => inner,
            hcp::settings::EditError::Settings(wrong) => {
                invalid("the settings cannot be changed".to_owned())
                    .hint("mend the places named first")
                    .at(wrong.diagnostics)
            }
            hcp::settings::EditError::Io { path, error } => invalid(format!(
                "{}: these settings cannot be written: {error}",
                path.display()
            ))
            .hint("hcpx doctor says what is wrong with the set-up"),
        }
    }
}

/// An error in words.
pub(crate) fn error_text(
    message: &str,
    diagnostics: &[Diagnostic],
    hint: Option<&str>,
    columns: usize,
) -> Text {
    let mut text = Text::new()
        .piece(Look::Danger, "error")
        .piece(Look::Plain, ": ");
    text = lines(text, message, columns, "error: ".len());
    for d in diagnostics {
        let place = format!("  {}:{}:{}: {}", d.file, d.line, d.column, d.message);
        text = text.safe(SafeText::join(&place));
        if let Some(help) = &d.help {
            text = text.piece(Look::Plain, "    ").prose(
                Look::Plain,
                &SafeText::join(help),
                columns,
                4,
            );
        }
    }
    if let Some(hint) = hint {
        text = text.piece(Look::Strong, "hint").piece(Look::Plain, ": ");
        text = if hint.starts_with("hcpx ") {
            // A line to copy stays whole.
            text.safe(SafeText::join(hint))
        } else {
            lines(text, hint, columns, "hint: ".len())
        };
    }
    text
}

/// Prose after a lead of that width; its own line breaks stay, with their indent.
fn lines(mut text: Text, prose: &str, columns: usize, lead: usize) -> Text {
    for (i, line) in prose.split('\n').enumerate() {
        let room = if i == 0 {
            columns.saturating_sub(lead)
        } else {
            columns
        };
        // Names of others stand quoted in messages already: made safe twice, their escapes would double.
        text = text.prose(Look::Plain, &SafeText::join(line), room, 0);
    }
    text
}
