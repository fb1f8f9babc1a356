//! The project's own chores: the tests, the dependency arrows, generated files, benchmarks.
//!
//! Nothing of the product may depend on this program, and it holds no rule of the product: what it
//! writes down it asks of the crates or of the real binary.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore tells a developer at a terminal what it did"
)]

mod bench;
mod binary;
mod deps;
mod fuzz;
mod generate;
mod incidents;
mod testing;
mod tools;
mod wrap;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The project's own chores"
)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Passes the tests: cargo-nextest where it is installed, else cargo test; then the doc tests
    Test,
    /// Checks the arrows between the crates and the count of locked packages
    Deps,
    /// Writes the generated files: schemas, reference pages, output shown in the documents
    Generate {
        /// Writes nothing and fails when a file is stale
        #[arg(long)]
        check: bool,
        /// Uses this hcpx instead of building one
        #[arg(long, value_name = "FILE")]
        hcpx: Option<PathBuf>,
        /// Only these parts; all of them when none is named
        #[arg(value_enum)]
        parts: Vec<generate::Part>,
    },
    /// Checks that every test named in docs/security/incidents.md exists
    Incidents,
    /// Wraps the real programs that are installed and writes docs/wrap.md
    Wrap {
        /// Prints the page instead of writing it
        #[arg(long)]
        print: bool,
        /// Compares with the packs in this folder instead of the bundled ones
        #[arg(long, value_name = "DIR")]
        packs: Option<PathBuf>,
    },
    /// Runs the fuzz targets under libFuzzer; needs cargo-fuzz
    Fuzz {
        /// How long each target runs
        #[arg(long, value_name = "N", default_value_t = 60)]
        seconds: u32,
        /// Only these targets; all of them when none is named
        targets: Vec<String>,
    },
    /// Runs the benchmarks in release builds and writes docs/performance.md
    Bench {
        /// Prints the report instead of writing it
        #[arg(long)]
        print: bool,
        /// Few repetitions: to see that it works, not to measure
        #[arg(long)]
        quick: bool,
        /// Only these parts (decide, cards, check, grants, process, settings, audit); all of them when none is named
        parts: Vec<String>,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.chore {
        Chore::Test => testing::run(),
        Chore::Deps => deps::run(),
        Chore::Generate { check, hcpx, parts } => generate::run(check, hcpx.as_deref(), &parts),
        Chore::Incidents => incidents::run(),
        Chore::Wrap { print, packs } => wrap::run(print, packs.as_deref()),
        Chore::Fuzz { seconds, targets } => fuzz::run(seconds, &targets),
        Chore::Bench {
            print,
            quick,
            parts,
        } => bench::run(print, quick, &parts),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("xtask: {fault}");
            ExitCode::FAILURE
        }
    }
}
