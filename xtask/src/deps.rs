//! The arrows between the crates, what the pure crates may not reach, and the count of locked packages.

use crate::tools::{self, Result};
use serde_json::Value;
use std::collections::BTreeSet;

/// The crates of this repository that each crate may depend on. Test-only dependencies are not held.
const ARROWS: &[(&str, &[&str])] = &[
    ("hcp-core", &[]),
    ("hcp-pack", &["hcp-core"]),
    ("hcp-shell", &["hcp-core", "hcp-pack"]),
    ("hcp-wrap", &["hcp-core", "hcp-pack"]),
    ("hcp-card", &["hcp-core", "hcp-pack"]),
    ("hcp-lint", &["hcp-core", "hcp-pack", "hcp-card"]),
    ("hcp", &["hcp-core", "hcp-pack", "hcp-card", "hcp-lint"]),
    ("hcp-mcp", &["hcp-core", "hcp-pack", "hcp-card", "hcp"]),
    ("hcp-node", &["hcp-core", "hcp-pack", "hcp-card", "hcp"]),
    ("hcp-demo", &["hcp-core"]),
    (
        "hcpx",
        &[
            "hcp-core",
            "hcp-pack",
            "hcp-shell",
            "hcp-wrap",
            "hcp-card",
            "hcp-lint",
            "hcp",
            "hcp-mcp",
            "hcp-demo",
        ],
    ),
    ("hcp-testkit", &["hcp-core", "hcp-pack", "hcp-card", "hcp"]),
    (
        "xtask",
        &["hcp-card", "hcp-core", "hcp", "hcp-lint", "hcp-pack"],
    ),
];

/// The crates that judge and do nothing else.
const PURE: &[&str] = &["hcp-core", "hcp-pack", "hcp-card", "hcp-lint", "hcp-wrap"];

/// Packages whose whole purpose is an effect: no pure crate depends on one directly.
const EFFECTS: &[&str] = &[
    "anstream",
    "clap",
    "futures-channel",
    "getrandom",
    "libc",
    "nix",
    "pollster",
    "process-wrap",
    "rand",
    "rusqlite",
    "rustix",
    "tempfile",
    "tokio",
];

const COUNT_FILE: &str = "xtask/locked-packages.txt";

/// One dependency as cargo reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Arrow {
    from: String,
    to: String,
}

/// Checks everything and reports all faults at once.
pub(crate) fn run() -> Result {
    let metadata = tools::output(&mut tools::cargo(&[
        "metadata",
        "--format-version=1",
        "--no-deps",
    ]))?;
    let (crates, arrows) = read_metadata(&serde_json::from_str(&metadata)?);
    let mut faults = broken(&crates, &arrows);

    let locked = count_locked(&tools::read(&tools::root().join("Cargo.lock"))?);
    let kept = tools::read(&tools::root().join(COUNT_FILE))?;
    match kept_count(&kept) {
        None => faults.push(format!("{COUNT_FILE} must hold one number")),
        Some(kept) => faults.extend(too_many(locked, kept)),
    }
    if !faults.is_empty() {
        return Err(format!("dependencies\n  {}", faults.join("\n  ")).into());
    }
    println!(
        "{} crates, {} arrows, {locked} locked packages",
        crates.len(),
        arrows.iter().filter(|a| crates.contains(&a.to)).count()
    );
    Ok(())
}

/// The crates of the workspace and all their dependencies but those for tests.
fn read_metadata(metadata: &Value) -> (BTreeSet<String>, Vec<Arrow>) {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let list = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let mut crates = BTreeSet::new();
    let mut arrows = Vec::new();
    for package in list(metadata, "packages") {
        let Some(from) = text(&package, "name") else {
            continue;
        };
        for dependency in list(&package, "dependencies") {
            if text(&dependency, "kind").as_deref() == Some("dev") {
                continue;
            }
            if let Some(to) = text(&dependency, "name") {
                let from = from.clone();
                arrows.push(Arrow { from, to });
            }
        }
        crates.insert(from);
    }
    (crates, arrows)
}

/// Every arrow that may not be, and every crate that has no place yet.
fn broken(crates: &BTreeSet<String>, arrows: &[Arrow]) -> Vec<String> {
    let mut faults = Vec::new();
    for name in crates {
        if !ARROWS.iter().any(|(known, _)| known == name) {
            faults.push(format!(
                "{name} has no place in the order of crates: give it one in xtask/src/deps.rs"
            ));
        }
    }
    for Arrow { from, to } in arrows {
        let inside = crates.contains(to);
        let may = ARROWS
            .iter()
            .find(|(known, _)| known == from)
            .is_none_or(|(_, may)| may.contains(&to.as_str()));
        if inside && !may {
            faults.push(format!(
                "{from} may not depend on {to}: arrows point from the edges to the core"
            ));
        }
        if PURE.contains(&from.as_str()) && EFFECTS.contains(&to.as_str()) {
            faults.push(format!(
                "{from} judges and has no effects, so it may not depend on {to}"
            ));
        }
    }
    faults
}

fn count_locked(lock: &str) -> usize {
    lock.lines().filter(|line| *line == "[[package]]").count()
}

/// The number in the file; lines that begin with `#` are for people.
fn kept_count(text: &str) -> Option<usize> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let number = lines.next()?.trim().parse().ok()?;
    lines.all(|line| line.trim().is_empty()).then_some(number)
}

fn too_many(locked: usize, kept: usize) -> Option<String> {
    (locked > kept).then(|| {
        format!(
            "Cargo.lock holds {locked} packages and {COUNT_FILE} allows {kept}. If each new one is \
             worth its cost, write {locked} there in the same commit and say why in its message; \
             `git diff Cargo.lock` shows which came"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crates(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    fn arrow(from: &str, to: &str) -> Arrow {
        Arrow {
            from: from.to_owned(),
            to: to.to_owned(),
        }
    }

    #[test]
    fn arrows_point_to_the_core_only() {
        let all = crates(&["hcp-core", "hcp-pack", "hcp", "hcp-demo"]);
        assert!(broken(&all, &[arrow("hcp", "hcp-pack"), arrow("hcp", "nix")]).is_empty());
        for (from, to) in [
            ("hcp-core", "hcp-pack"),
            ("hcp-pack", "hcp"),
            ("hcp-demo", "hcp"),
            ("hcp-core", "hcp-core"),
        ] {
            assert_eq!(broken(&all, &[arrow(from, to)]).len(), 1, "{from} -> {to}");
        }
    }

    #[test]
    fn pure_crates_reach_no_effect() {
        let faults = broken(&crates(&["hcp-core"]), &[arrow("hcp-core", "rusqlite")]);
        assert_eq!(faults.len(), 1);
    }

    #[test]
    fn a_crate_without_a_place_is_a_fault() {
        assert_eq!(broken(&crates(&["hcp-new"]), &[]).len(), 1);
    }

    #[test]
    fn test_only_dependencies_are_not_held() {
        let metadata = serde_json::json!({ "packages": [{ "name": "hcp-core", "dependencies": [
            { "name": "hcp", "kind": "dev" }, { "name": "serde", "kind": null } ] }] });
        let (names, arrows) = read_metadata(&metadata);
        assert_eq!(names, crates(&["hcp-core"]));
        assert_eq!(arrows, [arrow("hcp-core", "serde")]);
    }

    #[test]
    fn counts_and_their_limit() {
        assert_eq!(
            count_locked("[[package]]\nname = \"a\"\n\n[[package]]\n"),
            2
        );
        assert_eq!(kept_count("# why\n167\n"), Some(167));
        assert_eq!(kept_count("many\n"), None);
        assert_eq!(kept_count("1\n2\n"), None);
        assert!(too_many(3, 3).is_none());
        assert!(too_many(4, 3).is_some());
    }
}
