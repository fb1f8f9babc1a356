//! `hcpx check` over a large pack, against the same files read and held against the published JSON Schemas.

use crate::Result;
use crate::measure::per_call;
use crate::report::{Section, at_most, ratio, time};
use hcp_lint::Surroundings;
use hcp_pack::PackFiles;
use std::time::Duration;

const SAMPLES: usize = 41;
const COMMANDS: usize = 1_000;

/// What a pack of a thousand commands may take.
const LIMIT: Duration = Duration::from_secs(1);

pub fn measure(quick: bool) -> Result<Vec<Section>> {
    let budget = Duration::from_secs(if quick { 1 } else { 4 });
    let files = large(COMMANDS);
    let checked = hcp_lint::check(&files, &Surroundings::default());
    if checked.pack.is_none() || checked.findings.is_empty() {
        return Err("the pack is none, or nothing is found in it".into());
    }
    let schemas = Schemas::new()?;
    // Both take the pack, so that both did the whole work.
    schemas.valid(&files)?;
    let lint = per_call(SAMPLES, budget, || {
        hcp_lint::check(&files, &Surroundings::default())
    });
    let by_schema = per_call(SAMPLES, budget, || schemas.valid(&files).is_ok());
    let loader = per_call(SAMPLES, budget, || hcp_pack::Pack::read(&files).is_ok());
    Ok(vec![Section {
        title: "Checking a pack of 1,000 commands".to_owned(),
        text: format!(
            "Three arguments to each command, {} findings. The JSON Schemas are those that hcpx publishes, compiled once \
             and held against the same files by the jsonschema crate; they judge the shape of each file alone, no \
             template and no Policy against its Surface.",
            checked.findings.len()
        ),
        columns: vec!["work", "time", "against the schemas", "against a second"],
        rows: vec![
            vec![
                "all lints".to_owned(),
                time(lint),
                format!("{:.2}×", ratio(lint, by_schema)),
                at_most(ratio(lint, LIMIT), 1.0),
            ],
            vec![
                "the loader alone".to_owned(),
                time(loader),
                format!("{:.2}×", ratio(loader, by_schema)),
                String::new(),
            ],
            vec![
                "serde_json and jsonschema".to_owned(),
                time(by_schema),
                "1×".to_owned(),
                String::new(),
            ],
        ],
    }])
}

/// The published schemas, compiled.
struct Schemas {
    pack: jsonschema::Validator,
    surface: jsonschema::Validator,
    policy: jsonschema::Validator,
}

impl Schemas {
    fn new() -> Result<Self> {
        let compiled = |text: &str| -> Result<jsonschema::Validator> {
            Ok(jsonschema::validator_for(&serde_json::from_str(text)?)?)
        };
        Ok(Self {
            pack: compiled(include_str!("../../../schemas/pack.json"))?,
            surface: compiled(include_str!("../../../schemas/surface.json"))?,
            policy: compiled(include_str!("../../../schemas/policy.json"))?,
        })
    }

    fn valid(&self, files: &PackFiles) -> Result<()> {
        for (schema, bytes) in [
            (&self.pack, &files.pack),
            (&self.surface, &files.surface),
            (&self.policy, &files.policy),
        ] {
            let value = serde_json::from_slice(bytes)?;
            if let Some(error) = schema.iter_errors(&value).next() {
                return Err(error.to_string().into());
            }
        }
        Ok(())
    }
}

/// A pack of so many commands, each with something to find.
fn large(count: usize) -> PackFiles {
    let mut surface = Vec::new();
    let mut policy = Vec::new();
    for n in 0..count {
        surface.push(format!(
            r#""note{n}_delete": {{
      "description": "Delete note {n}.",
      "cli": ["notes", "note{n}", "delete", "--at={{{{at}}}}", "--count", "{{{{count}}}}", "{{{{name}}}}"],
      "args": {{ "type": "object", "properties": {{
        "name": {{ "type": "string", "description": "Which", "x-position": 0 }},
        "at": {{ "type": "string", "description": "When" }},
        "count": {{ "type": "integer", "minimum": 1, "description": "How many" }} }}, "required": ["name"] }}
    }}"#
        ));
        policy.push(format!(
            r#""note{n}_delete": {{ "operation": "write", "undo": "no" }}"#
        ));
    }
    let commands =
        |all: Vec<String>| format!("{{ \"commands\": {{\n    {} }} }}\n", all.join(",\n    "));
    PackFiles {
        pack:
            br#"{ "id": "notes", "name": "Notes", "version": "1.0.0", "summary": "Keeps notes." }"#
                .to_vec(),
        surface: commands(surface).into_bytes(),
        policy: commands(policy).into_bytes(),
        ..PackFiles::default()
    }
}
