//! The canonical form against the vectors.

use crate::vectors::{cases, folder};
use hcp_core::canonical::encode;
use hcp_core::fields::{Fields, string};
use hcp_core::json::{Limits, parse};

#[test]
fn every_input_has_its_canonical_form() {
    let mut count = 0;
    for (_, node) in cases(&folder("canonical").join("canonical.json")) {
        let mut faults = Vec::new();
        let mut fields = Fields::open(&node, "a case", &mut faults).unwrap();
        let mut text = |key| {
            let node = fields.required(key, &mut faults).unwrap();
            string(node, &mut faults).unwrap()
        };
        let (name, input, canonical) = (text("name"), text("input"), text("canonical"));
        fields.finish(&mut faults);
        assert_eq!(faults, [], "{name}");
        let value = parse(input, Limits::default()).unwrap().to_value();
        assert_eq!(encode(&value), canonical, "{name}");
        let again = parse(canonical, Limits::default()).unwrap().to_value();
        assert_eq!(encode(&again), canonical, "{name}");
        count += 1;
    }
    assert_eq!(count, 24);
}

#[test]
fn what_two_readers_could_read_differently_is_refused() {
    let mut count = 0;
    for (_, node) in cases(&folder("canonical").join("refused.json")) {
        let mut faults = Vec::new();
        let mut fields = Fields::open(&node, "a case", &mut faults).unwrap();
        let name = fields
            .required("name", &mut faults)
            .unwrap()
            .as_str()
            .unwrap();
        let input = fields
            .required("input", &mut faults)
            .unwrap()
            .as_str()
            .unwrap();
        fields.finish(&mut faults);
        assert_eq!(faults, [], "{name}");
        assert!(parse(input, Limits::default()).is_err(), "{name}");
        count += 1;
    }
    assert_eq!(count, 18);
}
