//! The one command that passes the tests.

use crate::tools::{self, Result};
use std::process::Stdio;

/// Runs every test of the workspace, then the examples in its documentation.
pub(crate) fn run() -> Result {
    if has_nextest() {
        tools::run(&mut tools::cargo(&[
            "nextest",
            "run",
            "--workspace",
            "--no-fail-fast",
        ]))?;
        tools::run(&mut tools::cargo(&["test", "--workspace", "--doc"]))
    } else {
        println!("cargo-nextest is not installed: using cargo test");
        tools::run(&mut tools::cargo(&[
            "test",
            "--workspace",
            "--no-fail-fast",
        ]))
    }
}

fn has_nextest() -> bool {
    tools::cargo(&["nextest", "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
