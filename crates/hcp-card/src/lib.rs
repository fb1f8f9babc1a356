//! The card: what a person reads before they say yes.
//!
//! Built from the pack and the call's real arguments, never from text that a model wrote. Nothing is
//! hidden: each argument that has a value stands behind a field or in a row of its own. Pure.

pub mod call;
pub mod card;
pub mod declared;
pub mod display;
mod infer;
pub mod names;
pub mod options;
pub mod render;
pub mod rules;
pub mod signal;
#[cfg(test)]
mod testing;
mod title;
pub mod view;

pub use call::{CardCall, FileRow, Past};
pub use card::Card;
pub use options::{AnswerOption, EndsWith, OptionKind, SessionRule, options};
pub use render::{CardLine, Role, lines, render};
pub use rules::{DEFAULT_SIGNAL_RULES, DEFAULT_VIEW_RULES, Rules, SignalRule, ViewRule};
pub use signal::{Identifier, Level, Signal, identifiers, in_a_loop, skeleton};
pub use view::{Row, View, ViewKind, ViewOrigin, outline, view};
