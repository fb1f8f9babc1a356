//! Runs the benchmarks and writes the page that reports them.
//!
//! The benchmarks are a workspace of their own: the programs they are held against would otherwise be
//! locked, built and checked with the product.

use crate::binary::{self, Build};
use crate::tools::{self, Result};
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/performance.md";
const MANIFEST: &str = "crates/hcp-bench/Cargo.toml";

/// Builds everything in release and measures.
pub(crate) fn run(print: bool, quick: bool, parts: &[String]) -> Result {
    let hcpx = binary::build(Build::Release)?;
    let target = tools::root().join("target/bench");
    let mut command = tools::cargo(&["run", "--release", "--quiet", "--manifest-path", MANIFEST]);
    command
        .arg("--target-dir")
        .arg(target)
        .arg("--")
        .arg("--hcpx")
        .arg(&hcpx);
    if quick {
        command.arg("--quick");
    }
    command.args(parts);
    let report = tools::output(&mut command)?;
    let page = format!(
        "<!-- Written by `cargo xtask bench`; do not edit. -->\n\n# Performance\n\n\
         Each table was measured in one run on one machine, with the peers on the same work. Times differ \
         from machine to machine; the ratios are what counts.\n\n{}\n{report}",
        machine(&hcpx)
    );
    if print {
        println!("{page}");
        return Ok(());
    }
    tools::write(&tools::root().join(PAGE), &page)?;
    println!("wrote {PAGE}");
    Ok(())
}

/// What it ran on, as a table.
fn machine(hcpx: &Path) -> String {
    let mut rows = vec![("processor", processor())];
    rows.push(("system", version("uname", &["-srm"])));
    for (name, words) in [
        ("rustc", ["--version"]),
        ("python3", ["--version"]),
        ("node", ["--version"]),
    ] {
        rows.push((name, version(name, &words)));
    }
    let size = std::fs::metadata(hcpx).map_or(0, |m| m.len());
    rows.push(("hcpx, release", format!("{:.1} MB", size as f64 / 1e6)));
    let mut table = String::from("| what | it ran on |\n|---|---|\n");
    for (name, value) in rows {
        table.push_str(&format!("| {name} | {value} |\n"));
    }
    table
}

fn processor() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown", |rest| rest.trim_start_matches([' ', '\t', ':']));
    format!("{model}, {cores} cores")
}

/// What a program says of itself, or that it is not there.
fn version(program: &str, words: &[&str]) -> String {
    Command::new(program)
        .args(words)
        .current_dir(tools::root())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|out| out.status.success())
        .map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "not there".to_owned())
}
