//! JSON as people write a pack: what fits on a line stands on one.

use hcp_core::json::{Object, Value};

/// Columns of a line.
const WIDTH: usize = 118;

/// A value as text for a file, with a line break at its end.
pub(crate) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, 0, &mut out);
    out.push('\n');
    out
}

/// Writes a value at a depth of indentation; `used` columns stand before it on its line.
fn write(value: &Value, depth: usize, used: usize, out: &mut String) {
    let line = one_line(value);
    let short = depth > 1 && used + line.chars().count() <= WIDTH;
    match value {
        Value::Object(object) if !object.is_empty() && !short => write_object(object, depth, out),
        // Words of a command line stand together, however many they are.
        Value::Array(items) if !short && items.iter().any(|i| i.as_object().is_some()) => {
            write_array(items, depth, out);
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => out.push_str(&line),
    }
}

fn write_object(object: &Object, depth: usize, out: &mut String) {
    out.push('{');
    for (at, (key, value)) in object.iter().enumerate() {
        begin_item(at, depth, out);
        let key = Value::from(key).to_string();
        let used = 2 * (depth + 1) + key.chars().count() + 2;
        out.push_str(&key);
        out.push_str(": ");
        write(value, depth + 1, used, out);
    }
    end_items(depth, '}', out);
}

fn write_array(items: &[Value], depth: usize, out: &mut String) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        begin_item(at, depth, out);
        write(item, depth + 1, 2 * (depth + 1), out);
    }
    end_items(depth, ']', out);
}

fn begin_item(at: usize, depth: usize, out: &mut String) {
    out.push_str(if at == 0 { "\n" } else { ",\n" });
    out.push_str(&"  ".repeat(depth + 1));
}

fn end_items(depth: usize, close: char, out: &mut String) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let all: Vec<String> = items.iter().map(one_line).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Object(object) if !object.is_empty() => {
            let all: Vec<String> = object
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key), one_line(value)))
                .collect();
            format!("{{ {} }}", all.join(", "))
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => value.to_string(),
    }
}
