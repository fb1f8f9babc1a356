//! Findings as SARIF 2.1.0, the format that code hosts read.
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use crate::check::Checked;
use crate::edit::Edit;
use crate::finding::Finding;
use crate::lint::Lint;
use crate::lints::ALL;
use hcp_core::json::{Object, Value};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A whole SARIF log with one run.
#[must_use]
pub fn sarif(checked: &[Checked], version: &str) -> Value {
    let rules: Vec<Value> = ALL.iter().map(|lint| rule(lint)).collect();
    let results: Vec<Value> = checked
        .iter()
        .flat_map(|c| c.findings.iter().map(|f| result(c, f)))
        .collect();
    let driver = Object::new()
        .with("name", "hcpx check")
        .with("version", version)
        .with("rules", rules);
    let run = Object::new()
        .with("tool", Object::new().with("driver", driver))
        .with("columnKind", "unicodeCodePoints")
        .with("results", results);
    Object::new()
        .with("$schema", SCHEMA)
        .with("version", "2.1.0")
        .with("runs", vec![Value::Object(run)])
        .into()
}

fn text(text: &str) -> Object {
    Object::new().with("text", text)
}

fn rule(lint: &Lint) -> Value {
    Object::new()
        .with("id", lint.code)
        .with("shortDescription", text(lint.summary))
        .with("fullDescription", text(lint.why))
        .with("help", text(lint.mend))
        .with(
            "defaultConfiguration",
            Object::new().with("level", lint.level.as_str()),
        )
        .into()
}

fn result(checked: &Checked, finding: &Finding) -> Value {
    let at = ALL.iter().position(|lint| lint.code == finding.code);
    let message = match &finding.help {
        Some(help) => format!("{}: {help}", finding.message),
        None => finding.message.clone(),
    };
    let place = finding.place;
    let region = Object::new()
        .with("startLine", place.line as u64)
        .with("startColumn", place.column as u64)
        .with("endLine", place.end_line as u64)
        .with("endColumn", place.end_column as u64);
    let artifact = artifact(&checked.path(finding.file));
    let physical = Object::new()
        .with("artifactLocation", artifact)
        .with("region", region);
    let mut location = Object::new().with("physicalLocation", physical);
    if let (Some(pack), Some(command)) = (&checked.pack, &finding.command) {
        let logical = Object::new()
            .with("name", command.as_str())
            .with("fullyQualifiedName", format!("{pack}.{command}"))
            .with("kind", "function");
        location.insert("logicalLocations", vec![Value::Object(logical)]);
    }
    let mut result = Object::new()
        .with("ruleId", finding.code)
        .with("ruleIndex", at.unwrap_or_default() as u64)
        .with("level", finding.level.as_str())
        .with("message", text(&message))
        .with("locations", vec![Value::Object(location)]);
    if let Some(edit) = &finding.fix {
        result.insert("fixes", vec![fix(checked, edit)]);
    }
    result.into()
}

fn fix(checked: &Checked, edit: &Edit) -> Value {
    let length = edit.span.end - edit.span.start;
    let deleted = Object::new()
        .with("byteOffset", edit.span.start as u64)
        .with("byteLength", length as u64);
    let replacement = Object::new()
        .with("deletedRegion", deleted)
        .with("insertedContent", text(&edit.text));
    let change = Object::new()
        .with("artifactLocation", artifact(&checked.path(edit.file)))
        .with("replacements", vec![Value::Object(replacement)]);
    Object::new()
        .with("artifactChanges", vec![Value::Object(change)])
        .into()
}

/// A path as a URI reference (RFC 3986): everything but plain characters and slashes is percent-encoded.
fn artifact(path: &str) -> Object {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    Object::new().with("uri", uri)
}
