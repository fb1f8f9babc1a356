//! `grants.json`.
#![expect(
    dead_code,
    reason = "the fields exist for their schema; the reader works on positions"
)]

use schemars::JsonSchema;

/// Who may act at all. Without this file everyone may; with an empty list nobody may.
#[derive(JsonSchema)]
#[schemars(title = "grants.json", deny_unknown_fields)]
pub(super) struct GrantsFile {
    /// Where this schema is found.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// The grants. An absent filter means any.
    grants: Vec<Grant>,
}

/// One capability, and whom it is for.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Grant {
    /// What it allows.
    capability: Capability,
    /// The pack; absent for any.
    pack_id: Option<String>,
    /// The commands (`pack.command`); absent for any. An empty list grants nothing.
    verb_keys: Option<Vec<String>>,
    /// The Principal's id.
    principal: Option<String>,
    /// The Principal's kind.
    kind: Option<Kind>,
    /// The tenant.
    tenant: Option<String>,
    /// The project.
    project: Option<String>,
}

#[derive(JsonSchema)]
enum Capability {
    #[schemars(rename = "pack.install")]
    PackInstall,
    #[schemars(rename = "pack.connect")]
    PackConnect,
    #[schemars(rename = "verb.exec.read")]
    VerbExecRead,
    #[schemars(rename = "verb.exec.write")]
    VerbExecWrite,
    #[schemars(rename = "sense.enable")]
    SenseEnable,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Kind {
    Human,
    Agent,
    Service,
}
