//! SARIF against the schema that its publisher gives out.

use crate::support::files;
use hcp_lint::{ALL, Surroundings, check, sarif};
use serde_json::Value;

/// The published schema, without the one pattern in it that is no regular expression (of a key we do not write).
fn schema() -> jsonschema::Validator {
    let mut schema: Value =
        serde_json::from_str(include_str!("../data/sarif-schema-2.1.0.json")).unwrap();
    for of in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][of]["properties"]["language"];
        let taken = language.as_object_mut().unwrap().remove("pattern");
        assert!(taken.is_some());
    }
    jsonschema::draft7::new(&schema).unwrap()
}

fn valid(log: &hcp_core::json::Value) -> Value {
    let validator = schema();
    let log: Value = serde_json::from_str(&log.to_string()).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(&log)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    log
}

#[test]
fn every_example_gives_a_log_that_the_schema_takes() {
    let checked: Vec<_> = ALL
        .iter()
        .flat_map(|lint| [&lint.failing, &lint.passing])
        .map(|example| check(&example.files(), &example.surroundings()))
        .collect();
    let log = valid(&sarif(&checked, "1.0.0"));
    let results = log["runs"][0]["results"].as_array().unwrap();
    for lint in ALL {
        assert!(
            results.iter().any(|r| r["ruleId"] == lint.code),
            "{}",
            lint.code
        );
    }
    for result in results {
        let at = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(
            log["runs"][0]["tool"]["driver"]["rules"][at]["id"],
            result["ruleId"]
        );
    }
    valid(&sarif(&[], "1.0.0"));
}

#[test]
fn a_schema_that_takes_anything_would_show() {
    let validator = schema();
    for broken in [
        r#"{}"#,
        r#"{"version":"2.1.0","runs":[{"results":[]}]}"#,
        r#"{"version":"1","runs":[]}"#,
    ] {
        assert!(
            !validator.is_valid(&serde_json::from_str(broken).unwrap()),
            "{broken}"
        );
    }
}

#[test]
fn a_path_is_a_uri_and_a_fix_says_its_bytes() {
    let surface = r#"{ "commands": { "pay": { "description": "Pay.", "cli": ["x", "pay"],
      "preview": { "kind": "payment", "title": "Pay", "fields": {} } } } }"#;
    let policy = r#"{ "commands": { "pay": { "operation": "write" } } }"#;
    let log = valid(&sarif(
        &[check(&files(surface, policy), &Surroundings::default())],
        "1.0.0",
    ));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "P007");
    let location = &result["locations"][0];
    assert_eq!(
        location["physicalLocation"]["artifactLocation"]["uri"],
        "packs/my%20shop/policy.json"
    );
    assert_eq!(
        location["logicalLocations"][0]["fullyQualifiedName"],
        "shop.pay"
    );
    let replaced = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    let at = replaced["deletedRegion"]["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(replaced["deletedRegion"]["byteLength"], 0);
    assert_eq!(
        replaced["insertedContent"]["text"],
        r#", "confirm": "always""#
    );
    assert!(policy[..at].ends_with(r#""write""#));
}
