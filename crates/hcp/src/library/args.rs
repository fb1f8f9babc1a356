//! What a call's arguments may be given as.

use hcp_core::json::{Limits, Object, parse};

/// Arguments that are no JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the arguments of a call are one JSON object: {reason}")]
pub struct ArgsError {
    /// What they are, without any value.
    pub reason: String,
}

/// Something that is a call's arguments: an object, JSON text, or a value of `serde_json`.
pub trait IntoArgs {
    /// The arguments.
    ///
    /// # Errors
    /// It is no JSON object.
    fn into_args(self) -> Result<Object, ArgsError>;
}

impl IntoArgs for Object {
    fn into_args(self) -> Result<Object, ArgsError> {
        Ok(self)
    }
}

impl IntoArgs for &str {
    fn into_args(self) -> Result<Object, ArgsError> {
        let fault = |reason: String| ArgsError { reason };
        // The reader's own message may quote a part of a value, so only the place is told.
        let node = parse(self, Limits::default()).map_err(|e| {
            fault(format!(
                "byte {} is where the text stops being JSON",
                e.span.start + 1
            ))
        })?;
        let object = node.to_value().as_object().cloned();
        object.ok_or_else(|| fault(format!("this is {}", node.kind_name())))
    }
}

impl IntoArgs for serde_json::Value {
    fn into_args(self) -> Result<Object, ArgsError> {
        self.to_string().as_str().into_args()
    }
}
