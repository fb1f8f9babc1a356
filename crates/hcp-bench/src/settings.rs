//! A call with many rules in the settings against the same call with few.

use crate::Result;
use crate::measure::{Runner, by_turns};
use crate::process::Home;
use crate::report::{Section, at_most, ratio, time};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

const FEW: usize = 10;
const MANY: usize = 10_000;

pub fn measure(hcpx: &Path, quick: bool) -> Result<Vec<Section>> {
    let mut runners = Vec::new();
    for rules in [FEW, MANY] {
        let home = Home::new(hcpx)?;
        write_rules(&home.store().join("access.json"), rules)?;
        runners.push(Runner {
            name: rules.to_string(),
            make: Box::new(move || home.command(&["exec", "probe", "run"])),
        });
    }
    let times = by_turns(&runners, if quick { 10 } else { 200 })?;
    let fewest = times.first().copied().unwrap_or_default();
    let rows = runners
        .iter()
        .zip(&times)
        .map(|(runner, taken)| {
            vec![
                runner.name.clone(),
                time(*taken),
                at_most(ratio(*taken, fewest), 2.0),
            ]
        })
        .collect();
    Ok(vec![Section {
        title: "A call with many rules in the settings".to_owned(),
        text: "`hcpx exec` of an allowed read as a process; the rules are for other commands."
            .to_owned(),
        columns: vec!["rules", "time", "÷ fewest rules"],
        rows,
    }])
}

fn write_rules(path: &Path, count: usize) -> Result<()> {
    let rules: Vec<_> = (0..count)
        .map(|index| {
            serde_json::json!({
                "match": format!("p{}.c{}", index / 100, index % 100),
                "decision": "allow",
                "when": { "args": { "payee": format!("payee-{index}") }, "max": { "amount": 5 } },
                "note": "a rule for another command",
            })
        })
        .collect();
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)?;
    let settings = serde_json::json!({ "mode": "auto", "rules": rules });
    file.write_all(serde_json::to_string_pretty(&settings)?.as_bytes())?;
    Ok(())
}
