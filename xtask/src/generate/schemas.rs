//! The JSON Schemas, as the binary prints them.

use super::Wanted;
use crate::binary::Home;
use crate::tools::{self, Result};
use std::path::Path;

const NAMES: &[&str] = &[
    "pack", "surface", "policy", "access", "grants", "result", "audit",
];

pub(super) fn wanted(hcpx: &Path) -> Result<Vec<Wanted>> {
    let home = Home::new(hcpx)?;
    let mut files = Vec::new();
    for name in NAMES {
        let printed = home.capture(&["schema", name])?;
        let schema: serde_json::Value = serde_json::from_str(&printed)
            .map_err(|e| format!("`hcpx schema {name}` printed no JSON: {e}"))?;
        if schema.get("$schema").is_none() {
            return Err(format!("`hcpx schema {name}` printed no JSON Schema").into());
        }
        let text = laid_out(&printed, &schema)?;
        files.push(Wanted::new(format!("schemas/{name}.json"), text));
    }
    for file in tools::files_below(&tools::root().join("schemas"), ".json")? {
        let known = files.iter().any(|w| file.ends_with(&w.path));
        if !known {
            return Err(format!("{} is not generated: remove it", file.display()).into());
        }
    }
    Ok(files)
}

/// The text as printed, in the order of its keys; one long line is laid out.
fn laid_out(printed: &str, schema: &serde_json::Value) -> Result<String> {
    let printed = printed.trim();
    let text = if printed.contains('\n') {
        printed.to_owned()
    } else {
        serde_json::to_string_pretty(schema)?
    };
    Ok(text + "\n")
}
