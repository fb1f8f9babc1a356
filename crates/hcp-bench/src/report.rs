//! Tables of results as Markdown.

use std::fmt;
use std::time::Duration;

/// One table with what stands above it.
#[derive(Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What was measured, and how, in a sentence or two.
    pub text: String,
    /// The columns' names.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n\n{}\n", self.title, self.text)?;
        writeln!(f, "| {} |", self.columns.join(" | "))?;
        writeln!(f, "|{}", "---|".repeat(self.columns.len()))?;
        for row in &self.rows {
            writeln!(f, "| {} |", row.join(" | "))?;
        }
        Ok(())
    }
}

/// A duration with three digits that mean something.
pub fn time(duration: Duration) -> String {
    let nanos = duration.as_nanos() as f64;
    let (value, unit) = if nanos < 1e3 {
        (nanos, "ns")
    } else if nanos < 1e6 {
        (nanos / 1e3, "µs")
    } else if nanos < 1e9 {
        (nanos / 1e6, "ms")
    } else {
        (nanos / 1e9, "s")
    };
    let digits = if value < 10.0 {
        2
    } else {
        usize::from(value < 100.0)
    };
    format!("{value:.digits$} {unit}")
}

/// How many times `a` is `b`.
pub fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64().max(1e-12)
}

/// A ratio with a target that it must not pass, and whether it does.
pub fn at_most(value: f64, target: f64) -> String {
    let word = if value <= target { "met" } else { "missed" };
    format!("{value:.2}× (at most {target}×: {word})")
}

/// A ratio with a target that it must reach, and whether it does.
pub fn at_least(value: f64, target: f64) -> String {
    let word = if value >= target { "met" } else { "missed" };
    format!("{value:.1}× (at least {target}×: {word})")
}
