//! Tests of the library against real files and real processes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test that meets what it does not expect must fail, and tests read files and start programs"
)]

mod answer;
mod audit;
mod child;
mod connect;
mod files;
mod lines;
mod pipeline;
mod statements;
mod store;
mod store_model;
mod store_past;
mod sys;
mod times;
