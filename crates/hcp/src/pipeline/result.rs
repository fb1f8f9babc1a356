//! What a call gives back: one result, as a value and as the JSON object that every face prints.

use super::request::Request;
use crate::driver::{Captured, Ended};
use base64::Engine as _;
use hcp_core::code::Code;
use hcp_core::diagnostic::{Diagnostic, with_place};
use hcp_core::gate::Answer;
use hcp_core::json::{Object, Value};
use hcp_core::settings::RuleRef;

/// What became of a call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallResult {
    /// What happened, as a stable word.
    pub code: Code,
    /// What happened, in a sentence.
    pub message: String,
    /// What to do next, with a whole line to run.
    pub hint: Option<String>,
    /// The gate's answer, once the call came that far.
    pub answer: Option<Answer>,
    /// Who let it run, once it ran.
    pub by: Option<Value>,
    /// The request, when it asks.
    pub approval: Option<Box<Request>>,
    /// What the tool gave, when it ran.
    pub output: Option<RunOutput>,
    /// Where settings or packs are at fault.
    pub diagnostics: Vec<Diagnostic>,
    /// What else belongs to the code.
    pub extra: Object,
}

/// What a tool gave.
#[derive(Debug, Clone)]
pub struct RunOutput {
    /// Its exit code; 128 and the signal's number where a signal ended it.
    pub exit_code: Option<i32>,
    /// How it ended, with its output.
    pub ended: Ended,
}

impl CallResult {
    /// A result that holds nothing but its code and sentence.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
            answer: None,
            by: None,
            approval: None,
            output: None,
            diagnostics: Vec::new(),
            extra: Object::new(),
        }
    }

    /// Whether the command ran and ended with 0.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.code == Code::Ok
    }

    /// The result as JSON: `ok`, `code`, `message`, `hint`, then what belongs to the code.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let mut object = Object::new()
            .with("ok", self.is_ok())
            .with("code", self.code.as_str())
            .with("message", with_place(&self.message, &self.diagnostics));
        if let Some(hint) = &self.hint {
            object.insert("hint", hint.as_str());
        }
        if let Some(output) = &self.output {
            output.write(&mut object);
        }
        if let Some(request) = &self.approval {
            object.insert("preview", request.preview());
            if let Some(id) = &request.approval_id {
                object.insert("approval_id", id.as_str());
            }
        }
        if let Some(answer) = &self.answer {
            object.insert("access", access(answer));
            object.insert("reason", answer.reason.as_str());
            if let Some(rule) = &answer.rule {
                object.insert("rule", rule_value(rule));
            }
        }
        if let Some(by) = &self.by {
            object.insert("by", by.clone());
        }
        if !self.diagnostics.is_empty() {
            object.insert("diagnostics", super::own_value(&self.diagnostics));
        }
        for (key, value) in self.extra.iter() {
            object.insert(key, value.clone());
        }
        if let Some(request) = &self.approval {
            object.insert("approval", request.to_object());
        }
        object
    }
}

/// The gate's answer as it stands in a result.
#[must_use]
pub fn access(answer: &Answer) -> Object {
    Object::new()
        .with("mode", answer.mode.as_str())
        .with("reason", answer.reason.as_str())
        .with("approvals", answer.approvals.as_str())
        .with("decision", answer.decision.as_str())
        .with("reason_code", answer.reason_code.as_str())
        .with("from", super::own_value(&answer.from))
}

/// A rule by its place.
#[must_use]
pub fn rule_value(rule: &RuleRef) -> Value {
    super::own_value(rule)
}

impl RunOutput {
    fn write(&self, object: &mut Object) {
        object.insert("exit_code", self.exit_code.map(i64::from));
        let Ended {
            stdout,
            stderr,
            duration,
            ..
        } = &self.ended;
        write_stream(object, "stdout", stdout);
        write_stream(object, "stderr", stderr);
        if stdout.truncated || stderr.truncated {
            object.insert("truncated", true);
        }
        object.insert(
            "duration_ms",
            u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        );
    }
}

fn write_stream(object: &mut Object, name: &str, stream: &Captured) {
    match text_of(stream) {
        Some(text) => object.insert(name, text),
        None => object.insert(
            format!("{name}_base64"),
            base64::engine::general_purpose::STANDARD.encode(&stream.bytes),
        ),
    }
    if stream.truncated {
        object.insert(format!("{name}_length"), stream.len);
    }
}

/// The text of a stream, unless it is none. Where the bound cut a character in two, its half is left out.
fn text_of(stream: &Captured) -> Option<&str> {
    match std::str::from_utf8(&stream.bytes) {
        Ok(text) => Some(text),
        Err(e) if stream.truncated && e.error_len().is_none() => stream
            .bytes
            .get(..e.valid_up_to())
            .and_then(|whole| std::str::from_utf8(whole).ok()),
        Err(_) => None,
    }
}
