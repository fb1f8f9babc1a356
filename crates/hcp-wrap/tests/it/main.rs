//! The help of real programs, as they printed it, and what becomes of it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that meets what it does not expect must fail, and these read files"
)]

mod programs;
mod recorded;
