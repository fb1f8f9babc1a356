//! The tests of packs as a user of the crate sees them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a test fails by panicking, helpers of tests too"
)]

mod args;
mod digest;
mod exact;
mod laws;
mod limits;
mod malformed;
mod named;
mod render;
mod support;
