//! Tests of the real program.

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

mod argv;
mod bad_input;
mod check;
mod connect;
mod crash;
mod guide;
mod hostile;
mod once;
mod options;
mod past;
mod recorded;
mod safety;
mod screens;
mod shapes;
mod sides;
mod stories;
mod table;
mod terminal;
mod tools;
mod values;
mod wrap;

/// The program under test.
const HCPX: &str = env!("CARGO_BIN_EXE_hcpx");
