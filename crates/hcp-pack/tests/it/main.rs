//! The tests of packs as a user of the crate sees them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, helpers of tests too, and one asks git"
)]

mod args;
mod argv;
mod argv_getopt;
mod argv_laws;
mod digest;
mod exact;
mod laws;
mod limits;
mod malformed;
mod named;
mod render;
mod support;
