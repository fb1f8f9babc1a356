//! The one canonical encoder, and digests over it.
//!
//! RFC 8785 with one change: a number keeps exactly the digits it came with. (In RFC 8785 proper 2^53
//! and 2^53+1 share their bytes; two calls that differ must never share a digest.) Every digest
//! carries a [`Tag`], so that no digest can stand for another.

use crate::json::{Object, Value};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// What a digest is for. The tag's text stands in front of the digested bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// What an approval binds.
    Binding,
    /// A pack's content.
    Pack,
    /// Arguments and lines of the audit log.
    Audit,
    /// The digest by which a secret is told from another.
    Secret,
    /// What a card shows.
    Card,
    /// An identifier of an approved call, and its skeleton.
    Identifier,
    /// A settings file before and after a change.
    Settings,
}

impl Tag {
    fn text(self) -> &'static str {
        match self {
            Self::Binding => "hcp-binding-1",
            Self::Pack => "hcp-pack-1",
            Self::Audit => "hcp-audit-1",
            Self::Secret => "hcp-secret-1",
            Self::Card => "hcp-card-1",
            Self::Identifier => "hcp-identifier-1",
            Self::Settings => "hcp-settings-1",
        }
    }
}

/// A SHA-256 or HMAC-SHA-256 value; shown as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The raw bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A digest from its 64 hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The first eight hexadecimal digits, for people.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
        let mut hex = String::with_capacity(2 * self.0.len());
        for byte in self.0 {
            hex.push(digit(byte >> 4));
            hex.push(digit(byte & 15));
        }
        f.write_str(&hex)
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The secret key of a store: 32 random bytes. It never shows itself.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// A key from its bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// SHA-256 of a value's canonical form, under a tag.
#[must_use]
pub fn digest(tag: Tag, value: &Value) -> Digest {
    digest_bytes(tag, encode(value).as_bytes())
}

/// SHA-256 of bytes, under a tag.
#[must_use]
pub fn digest_bytes(tag: Tag, bytes: &[u8]) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(tag.text().as_bytes());
    hasher.update([0]);
    hasher.update(bytes);
    Digest(hasher.finalize().into())
}

/// Plain SHA-256 without a tag, for content that others digest too (files, log lines).
#[must_use]
pub fn sha256(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// HMAC-SHA-256 of a value's canonical form, under a tag.
#[must_use]
pub fn keyed_digest(key: &Key, tag: Tag, value: &Value) -> Digest {
    let mut bytes = tag.text().as_bytes().to_vec();
    bytes.push(0);
    bytes.extend_from_slice(encode(value).as_bytes());
    match Hmac::<Sha256>::new_from_slice(&key.0) {
        Ok(mut mac) => {
            mac.update(&bytes);
            Digest(mac.finalize().into_bytes().into())
        }
        // HMAC takes keys of every length; this arm keeps the function total without a panic.
        Err(_) => digest_bytes(tag, &bytes),
    }
}

/// The canonical text of a value.
///
/// ```
/// use hcp_core::{canonical, json};
/// let value = json::parse(r#"{ "b": 2.80, "a": "\u00e9\n" }"#, json::Limits::default()).unwrap().to_value();
/// assert_eq!(canonical::encode(&value), "{\"a\":\"é\\n\",\"b\":2.80}");
/// ```
#[must_use]
pub fn encode(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(n) => out.push_str(n.as_str()),
        Value::String(s) => write_string(s, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(object) => write_object(object, out),
    }
}

fn write_object(object: &Object, out: &mut String) {
    let mut members: Vec<(&str, &Value)> = object.iter().collect();
    // RFC 8785 section 3.2.3: keys are sorted by their UTF-16 code units.
    members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    out.push('{');
    for (i, (key, value)) in members.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        write_value(value, out);
    }
    out.push('}');
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, Number, parse};
    use proptest::prelude::*;

    fn canon(text: &str) -> String {
        encode(&parse(text, Limits::default()).unwrap().to_value())
    }

    #[test]
    fn sorts_keys_by_utf16_units() {
        // U+1F600 is D83D DE00 in UTF-16 and so stands before U+FB33; by code point it stands after.
        assert_eq!(
            canon("{\"\u{fb33}\":1,\"\u{1f600}\":2}"),
            "{\"\u{1f600}\":2,\"\u{fb33}\":1}"
        );
    }

    #[test]
    fn keeps_the_digits_of_numbers() {
        assert_eq!(
            canon("[2.80,2.8,1e3,9007199254740993,-0]"),
            "[2.80,2.8,1e3,9007199254740993,-0]"
        );
    }

    #[test]
    fn escapes_are_the_shortest() {
        assert_eq!(
            canon(r#""\u0041\u000a\u001f\/\u007f""#),
            "\"A\\n\\u001f/\u{7f}\""
        );
    }

    #[test]
    fn tags_part_equal_content() {
        let v = Value::from("x");
        assert_ne!(digest(Tag::Binding, &v), digest(Tag::Audit, &v));
        let hex = digest(Tag::Pack, &v).to_string();
        assert_eq!(Digest::from_hex(&hex).unwrap().to_string(), hex);
    }

    pub(crate) fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,2})?(e[0-9])?"
                .prop_map(|t| Value::Number(Number::new(&t).unwrap())),
            any::<String>().prop_map(Value::String),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                prop::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn two_values_that_differ_never_share_their_bytes(a in any_value(), b in any_value()) {
            prop_assert_eq!(encode(&a) == encode(&b), a == b);
        }

        #[test]
        fn reading_the_canonical_form_gives_the_value_back(v in any_value()) {
            prop_assert_eq!(parse(&encode(&v), Limits::default()).unwrap().to_value(), v);
        }

        #[test]
        fn the_reader_agrees_with_serde_json(text in "[\\[\\]{}:,\"\\\\a0-9eE.+\\- \ntrufalsn]{0,24}") {
            let ours = parse(&text, Limits::default());
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            if ours.is_ok() {
                // Numbers beyond f64 are ours alone.
                prop_assert!(theirs.is_ok() || theirs.unwrap_err().to_string().contains("out of range"));
            } else if theirs.is_ok() {
                prop_assert!(ours.unwrap_err().message.contains("twice") || text.contains(['e', 'E']));
            }
        }
    }
}
