//! The laws that random input is held against, one function for each target. Each panics where its law is broken.
//!
//! They need neither libFuzzer nor a nightly compiler, so that a test runs the seeds through them as well.

mod argv;
mod check;
mod help;
mod json;
mod text;

pub use argv::argv;
pub use check::check;
pub use help::help;
pub use json::{canonical, json};
pub use text::text;

/// A target: its name and its law.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("argv", argv),
    ("json", json),
    ("canonical", canonical),
    ("help", help),
    ("check", check),
    ("text", text),
];
