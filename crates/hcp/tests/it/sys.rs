//! Homes, settings, agents, programs and the process driver, with real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test's helpers may fail loudly, as the tests themselves"
)]

mod agent;
mod driver;
mod helper;
mod settings;
