//! The card: what a person reads before they say yes.
//!
//! Built from the pack and the call's real arguments, never from text that a model wrote. Nothing is
//! hidden: each argument that has a value stands behind a field or in a row of its own. Pure.

pub mod card;
pub mod declared;
pub mod render;
pub mod signal;
pub mod view;

pub use card::Card;
pub use render::render;
pub use signal::{Level, Signal};
pub use view::{Row, View, ViewOrigin, view};
