//! The texts in a value, and how a value stands in a signal.

use hcp_core::json::Value;

/// Every text in a value, keys of objects as well.
pub(crate) fn each<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str)) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| each(item, visit)),
        Value::Object(object) => object.iter().for_each(|(key, inner)| {
            visit(key);
            each(inner, visit);
        }),
    }
}

/// A number with its thousands marked: `4,210`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A size in words: `812 bytes`, `2.1 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: &[&str] = &["kB", "MB", "GB", "TB"];
    match bytes {
        1 => return "1 byte".to_owned(),
        0..1000 => return format!("{bytes} bytes"),
        1000.. => {}
    }
    let mut tenths = bytes.saturating_add(50) / 100;
    let mut unit = "kB";
    for next in UNITS.iter().skip(1) {
        if tenths < 10_000 {
            break;
        }
        tenths = tenths.saturating_add(500) / 1000;
        unit = next;
    }
    format!("{}.{} {unit}", grouped(tenths / 10), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes_read_well() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (4210, "4,210"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (812, "812 bytes"),
            (1000, "1.0 kB"),
            (999_999, "1.0 MB"),
            (2_100_000, "2.1 MB"),
            (3_000_000_000, "3.0 GB"),
            (u64::MAX, "18,446,744.1 TB"),
        ] {
            assert_eq!(size(bytes), text, "{bytes}");
        }
    }
}
