//! Tests of the core from outside: the decision against a second implementation, its laws, and the vectors.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    clippy::disallowed_methods,
    reason = "a helper that fails fails its test; the second implementation is to be short; vectors are read from files"
)]

mod agreement;
mod canonical;
mod laws;
mod merge;
mod naive;
mod trace;
mod vectors;
mod world;
