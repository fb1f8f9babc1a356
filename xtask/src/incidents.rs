//! Every test that the table of incidents names must exist, so that no stance is a mere claim.

use crate::tools::{self, Result};

const TABLE: &str = "docs/security/incidents.md";

/// Checks the table against the sources.
pub(crate) fn run() -> Result {
    let table = tools::read(&tools::root().join(TABLE))?;
    let rows = rows(&table);
    let mut sources = Vec::new();
    for file in tools::files_below(&tools::root().join("crates"), ".rs")? {
        let text = tools::read(&file)?;
        let path = file.strip_prefix(tools::root())?;
        sources.push((path.to_string_lossy().into_owned(), text));
    }
    let mut faults = Vec::new();
    for row in &rows {
        if row.tests.is_empty() {
            faults.push(format!("{TABLE}:{}: names no test", row.line));
        }
        for test in &row.tests {
            if !exists(test, &sources) {
                faults.push(format!("{TABLE}:{}: no test {test}", row.line));
            }
        }
    }
    if rows.is_empty() {
        faults.push(format!(
            "{TABLE}: no incident found; the last column names the tests"
        ));
    }
    if !faults.is_empty() {
        return Err(faults.join("\n  ").into());
    }
    println!("{} incidents, every named test exists", rows.len());
    Ok(())
}

/// One row of the table: the tests that its last column names.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    line: usize,
    tests: Vec<String>,
}

/// The rows of every table whose header's last column is `test`.
fn rows(markdown: &str) -> Vec<Row> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in markdown.lines().enumerate() {
        let Some(cells) = cells(line) else {
            inside = false;
            continue;
        };
        let last = cells.last().map_or("", String::as_str);
        if !inside {
            inside = last == "test";
        } else if !last.chars().all(|c| matches!(c, '-' | ':' | ' ')) || last.is_empty() {
            found.push(Row {
                line: number + 1,
                tests: code_spans(last),
            });
        }
    }
    found
}

fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(
        inner
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect(),
    )
}

/// The texts between backticks.
fn code_spans(cell: &str) -> Vec<String> {
    let parts = cell.split('`');
    parts.skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether a source holds the test `PATH::NAME` (PATH from the root, `.rs` in it) right under a test
/// attribute or inside `proptest!`.
fn exists(test: &str, sources: &[(String, String)]) -> bool {
    let Some((path, name)) = test.rsplit_once("::") else {
        return false;
    };
    let head = format!("fn {name}(");
    sources.iter().filter(|(p, _)| p == path).any(|(_, text)| {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.iter().enumerate().any(|(at, line)| {
            line.starts_with(&head)
                && lines
                    .iter()
                    .take(at)
                    .rev()
                    .take_while(|above| above.starts_with("#[") || above.starts_with("//"))
                    .any(|above| *above == "#[test]")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
| what | test |
|---|---|
| a | `crates/a/src/x.rs::holds`, `crates/a/src/x.rs::absent` |
| b | |

| other | table |
|---|---|
| c | `no` |
";

    #[test]
    fn reads_the_tables_of_incidents_alone() {
        let rows = rows(TEXT);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].tests.len(), 2);
        assert_eq!((rows[1].line, rows[1].tests.len()), (4, 0));
    }

    #[test]
    fn a_test_is_a_function_under_its_attribute() {
        let source = "#[test]\n// why\nfn holds() {}\nfn helper() {}\n// #[test] fn absent()\n";
        let sources = [("crates/a/src/x.rs".to_owned(), source.to_owned())];
        assert!(exists("crates/a/src/x.rs::holds", &sources));
        for absent in ["absent", "helper", "hold"] {
            assert!(!exists(&format!("crates/a/src/x.rs::{absent}"), &sources));
        }
        assert!(!exists("crates/b/src/x.rs::holds", &sources));
        assert!(!exists("holds", &sources));
    }
}
