//! The JSON Schemas of what hcpx reads and prints, made from types: editors complete and check files with
//! them. The readers themselves do not use them; tests hold the two together.

mod access;
mod audit;
mod grants;
mod result;

use hcp_pack::json_schema as written;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;

/// The names of all schemas.
pub const NAMES: &[&str] = &[
    "pack", "surface", "policy", "access", "grants", "result", "audit",
];

/// The text of a schema (JSON Schema 2020-12), `None` for a name that is none.
///
/// ```
/// assert!(hcp::json_schema::text("access").unwrap().contains("\"rules\""));
/// assert!(hcp::json_schema::text("fridge").is_none());
/// ```
#[must_use]
pub fn text(name: &str) -> Option<String> {
    match name {
        "pack" => Some(text_of(&written::pack())),
        "surface" => Some(text_of(&written::surface())),
        "policy" => Some(text_of(&written::policy())),
        "access" => Some(text_of(&written::of::<access::Access>(
            "urn:hcp:schema:access.json",
        ))),
        "grants" => Some(text_of(&written::of::<grants::GrantsFile>(
            "urn:hcp:schema:grants.json",
        ))),
        "result" => Some(printed::<result::CallResult>()),
        "audit" => Some(printed::<audit::Line>()),
        _ => None,
    }
}

fn text_of(schema: &impl Serialize) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

/// The schema of what the program prints, where an absent value may stand as null.
fn printed<T: JsonSchema>() -> String {
    text_of(
        &SchemaSettings::draft2020_12()
            .into_generator()
            .into_root_schema_for::<T>(),
    )
}
