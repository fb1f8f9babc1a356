//! Runs the fuzz targets: each with its own corpus, begun from the seeds.
//!
//! The targets are a workspace of their own, with a compiler's options that the product is not built with.

use crate::tools::{self, Result};
use std::path::Path;

/// Runs each target for so many seconds, and ends at the first that breaks its law.
pub(crate) fn run(seconds: u32, targets: &[String]) -> Result {
    let folder = tools::root().join("fuzz");
    let all = names(&folder)?;
    if let Some(unknown) = targets.iter().find(|target| !all.contains(target)) {
        return Err(format!(
            "there is no target {unknown}; there are: {}",
            all.join(", ")
        )
        .into());
    }
    let chosen = if targets.is_empty() { &all } else { targets };
    for target in chosen {
        let corpus = folder.join("corpus").join(target);
        std::fs::create_dir_all(&corpus)?;
        let time = format!("-max_total_time={seconds}");
        let mut command = tools::cargo(&["fuzz", "run", "--features", "fuzzing", target]);
        command
            .arg(&corpus)
            .arg(folder.join("seeds").join(target))
            .args(["--", &time, "-timeout=20", "-rss_limit_mb=2048"])
            // Sanitizers are options of the compiler that only a nightly one takes by itself.
            .env("RUSTC_BOOTSTRAP", "1")
            .current_dir(tools::root());
        tools::run(&mut command)?;
    }
    Ok(())
}

/// The targets by their seeds.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.join("seeds"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
