//! Bundled packs against the real programs, on something local: a folder, a repository, a server on this machine.
//!
//! A program that is not installed is passed over, unless `HCPX_TEST_TOOLS` (names, separated by blanks) says that it
//! must be there.

mod cargo;
mod clients;
mod docker;
mod gh;
mod git;
mod help;
mod himalaya;
mod khal;
mod kubectl;
mod npm;
mod psql;
mod terraform;

use std::path::PathBuf;

/// Where a program stands, or nothing where it is not installed and need not be.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file());
    let wanted = std::env::var("HCPX_TEST_TOOLS").unwrap_or_default();
    assert!(
        found.is_some() || !wanted.split_whitespace().any(|w| w == name),
        "{name} must be installed for these tests"
    );
    if found.is_none() {
        println!("passed over: {name} is not installed");
    }
    found
}
