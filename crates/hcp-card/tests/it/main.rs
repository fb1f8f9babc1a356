//! The tests of cards as a user of the crate sees them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, helpers of tests too, and tests read files"
)]

mod commands;
mod hostile;
mod laws;
