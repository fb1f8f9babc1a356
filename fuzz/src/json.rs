//! The strict reader against another reader, and the canonical form.

use hcp_core::canonical::encode;
use hcp_core::json::{Limits, Number, Object, Value, parse, parse_bytes};
use hcp_core::text::{is_unsafe, visible_json};

/// The key by which the other reader writes a number; an object that has it is none of ours to compare.
const NUMBER_KEY: &str = "$serde_json::private::Number";

/// What our reader takes, another one takes with the same value.
///
/// # Panics
/// Where it does not.
pub fn json(input: &[u8]) {
    let Ok(node) = parse_bytes(input, Limits::default()) else {
        return;
    };
    let value = node.to_value();
    let text = std::str::from_utf8(input).expect("what is taken is UTF-8");
    if text.contains("private") {
        return;
    }
    assert!(!text.contains(NUMBER_KEY));
    let other: serde_json::Value = serde_json::from_str(text).expect("what is taken is JSON");
    assert_same(&value, &other);
    // Places are places of the text.
    assert!(text.get(node.span.start..node.span.end).is_some());
    canonical(input);
}

fn assert_same(ours: &Value, other: &serde_json::Value) {
    match (ours, other) {
        (Value::Null, serde_json::Value::Null) => {}
        (Value::Bool(a), serde_json::Value::Bool(b)) => assert_eq!(a, b),
        (Value::String(a), serde_json::Value::String(b)) => assert_eq!(a, b),
        (Value::Number(a), serde_json::Value::Number(b)) => {
            let b = Number::new(&b.to_string()).expect("a number of the other is one of ours");
            assert_eq!(a.decimal(), b.decimal());
        }
        (Value::Array(a), serde_json::Value::Array(b)) => {
            assert_eq!(a.len(), b.len());
            a.iter().zip(b).for_each(|(a, b)| assert_same(a, b));
        }
        (Value::Object(a), serde_json::Value::Object(b)) => {
            assert_eq!(a.len(), b.len());
            for ((a, av), (b, bv)) in a.iter().zip(b) {
                assert_eq!(a, b);
                assert_same(av, bv);
            }
        }
        (ours, other) => panic!("{ours} is {other}"),
    }
}

/// The canonical form is read back as it is, whatever order the keys had, and its visible form means the same.
///
/// # Panics
/// Where it does not.
pub fn canonical(input: &[u8]) {
    let read = |text: &str| parse(text, Limits::default()).map(|node| node.to_value());
    let Ok(node) = parse_bytes(input, Limits::default()) else {
        return;
    };
    let value = node.to_value();
    let once = encode(&value);
    let again = read(&once).expect("the canonical form is JSON");
    assert_eq!(encode(&again), once);
    assert_eq!(encode(&turned(&value)), once);
    let visible = visible_json(&once);
    assert!(!visible.chars().any(is_unsafe), "{visible}");
    assert_eq!(
        encode(&read(&visible).expect("the visible form is JSON")),
        once
    );
}

/// The same value with the keys of its objects the other way round.
fn turned(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut members: Vec<(String, Value)> = object
                .iter()
                .map(|(key, value)| (key.to_owned(), turned(value)))
                .collect();
            members.reverse();
            Value::Object(members.into_iter().collect::<Object>())
        }
        Value::Array(items) => Value::Array(items.iter().map(turned).collect()),
        other => other.clone(),
    }
}
