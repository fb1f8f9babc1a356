//! Refusals: values, not errors. Each says what is wrong, and what to do as a whole line to run.

use super::prepare::UNDECLARED;
use super::result::CallResult;
use hcp_core::code::Code;
use hcp_core::diagnostic::Diagnostic;
use hcp_core::gate::Answer;
use hcp_core::json::Object;
use hcp_pack::ArgFault;

/// Why a call does not run.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// As a stable word.
    pub code: Code,
    /// In a sentence.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// What the log may hold of it, where the message may name what a caller wrote.
    pub log_reason: String,
    /// The gate's answer, once the call came that far.
    pub answer: Option<Answer>,
    /// Where settings or packs are at fault.
    pub diagnostics: Vec<Diagnostic>,
    /// What else belongs to the code.
    pub extra: Object,
    /// Whether the log has its line, or cannot have one.
    pub(crate) is_recorded: bool,
}

impl Refusal {
    /// A refusal whose log line says only its code.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
            log_reason: code.as_str().to_owned(),
            answer: None,
            diagnostics: Vec::new(),
            extra: Object::new(),
            is_recorded: false,
        }
    }

    /// A refusal of a stored call that is no longer there to be run.
    #[must_use]
    pub fn stored(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, message)
    }

    /// The same refusal, which is not to be recorded once more.
    pub(crate) fn recorded(mut self) -> Self {
        self.is_recorded = true;
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn log(mut self, reason: impl Into<String>) -> Self {
        self.log_reason = reason.into();
        self
    }

    /// Whether the call would act as another account than the one that it was connected as: its approval ends.
    #[must_use]
    pub fn is_other_account(&self) -> bool {
        self.code == Code::NotConnected && self.extra.contains_key("was")
    }

    /// A refusal by the gate.
    pub(crate) fn denied(answer: &Answer) -> Self {
        let mut refusal = Self::new(Code::DeniedByRule, format!("{}. Nothing ran.", sentence(&answer.reason)))
            .log(answer.reason.clone())
            .hint("stop: a deny rule stands whatever the mode and whoever approves; a person can change it (hcpx rules)");
        refusal.answer = Some(answer.clone());
        refusal
    }

    /// Arguments that do not fit. The log holds keyword and argument, never a value.
    pub(crate) fn bad_args(fault: ArgFault) -> Self {
        // A name that the pack does not declare is the caller's own text, so it is counted and not written.
        let argument = fault
            .argument
            .clone()
            .filter(|_| fault.keyword != UNDECLARED)
            .unwrap_or_default();
        let said = match &fault.argument {
            // An argument's name keeps its letters.
            Some(name) if fault.message.starts_with(name.as_str()) => {
                fault.message.trim_end_matches('.').to_owned()
            }
            Some(_) | None => sentence(&fault.message),
        };
        let mut refusal = Self::new(Code::InvalidArgs, format!("{said}. Nothing ran."))
            .log(format!("{} {argument}", fault.keyword).trim().to_owned());
        refusal.hint = fault.help;
        if let Some(argument) = fault.argument {
            refusal.extra.insert("argument", argument);
        }
        refusal.extra.insert("keyword", fault.keyword);
        refusal
    }

    /// The refusal as a result.
    #[must_use]
    pub fn into_result(self) -> CallResult {
        let mut result = CallResult::new(self.code, self.message);
        result.hint = self.hint;
        result.answer = self.answer;
        result.diagnostics = self.diagnostics;
        result.extra = self.extra;
        result
    }
}

/// A reason with a capital at its front.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
