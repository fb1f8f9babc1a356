//! Laws of the lints over whole packs: what is mended and what is not touched, SARIF against its published
//! schema, and large packs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::wildcard_enum_match_arm,
    reason = "a test fails by panicking, helpers of tests too"
)]

mod laws;
mod sarif;
mod support;
mod wide;
