//! The strict JSON reader (RFC 8259, and stricter: unique keys, bounded depth, whole surrogate pairs).

use super::{Kind, Member, Node, Number, Span};
use crate::diagnostic::Fault;
use std::collections::HashSet;

/// Objects of fewer keys are scanned for a duplicate one.
const SMALL_OBJECT: usize = 16;

/// How much a text may hold.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest text, in bytes.
    pub bytes: usize,
    /// The deepest nesting of arrays and objects.
    pub depth: usize,
}

impl Default for Limits {
    /// 4 MiB and 64 levels, as for the files of a pack.
    fn default() -> Self {
        Self {
            bytes: 4 << 20,
            depth: 64,
        }
    }
}

/// Reads one JSON text from bytes, refusing what is not UTF-8.
///
/// # Errors
/// The first fault with its position.
pub fn parse_bytes(bytes: &[u8], limits: Limits) -> Result<Node, Fault> {
    if bytes.len() > limits.bytes {
        return Err(too_large(bytes.len(), limits.bytes));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text, limits),
        Err(e) => Err(Fault::at(
            Span {
                start: e.valid_up_to(),
                end: e.valid_up_to() + 1,
            },
            "this is not UTF-8 text",
        )
        .help("save the file as UTF-8")),
    }
}

/// Reads one JSON text.
///
/// ```
/// use hcp_core::json::{parse, Limits};
/// assert!(parse(r#"{"a": 1, "a": 2}"#, Limits::default()).is_err());
/// ```
///
/// # Errors
/// The first fault with its position.
pub fn parse(text: &str, limits: Limits) -> Result<Node, Fault> {
    if text.len() > limits.bytes {
        return Err(too_large(text.len(), limits.bytes));
    }
    let mut reader = Reader {
        text,
        at: 0,
        limits,
    };
    if text.starts_with('\u{feff}') {
        return Err(Fault::at(
            Span { start: 0, end: 3 },
            "the text begins with a byte order mark",
        )
        .help("save it as UTF-8 without a byte order mark"));
    }
    reader.blanks();
    if reader.peek().is_none() {
        return Err(reader
            .fault_here("the text is empty")
            .help("write a JSON value, for example {}"));
    }
    let node = reader.value(0)?;
    reader.blanks();
    if reader.peek().is_some() {
        return Err(reader
            .fault_here("there is more text after the value")
            .help("keep one JSON value"));
    }
    Ok(node)
}

fn too_large(len: usize, max: usize) -> Fault {
    Fault::at(
        Span::default(),
        format!("the text has {len} bytes, more than the {max} allowed"),
    )
    .help("split it, or take out what is not needed")
}

/// What may stand where a value should.
const VALUES: &str =
    "a value is a text in double quotes, a number, true, false, null, an object or an array";

struct Reader<'t> {
    text: &'t str,
    at: usize,
    limits: Limits,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn peek_char(&self) -> Option<char> {
        self.text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
    }

    fn fault_here(&self, message: impl Into<String>) -> Fault {
        let width = self.peek_char().map_or(0, char::len_utf8);
        Fault::at(
            Span {
                start: self.at,
                end: self.at + width,
            },
            message,
        )
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        match self.peek_char() {
            None => self.fault_here(format!("the text ends where {wanted} should stand")),
            Some(c) => self.fault_here(format!(
                "{} stands where {wanted} should stand",
                crate::text::quoted_char(c)
            )),
        }
    }

    /// Where a list goes on or ends.
    fn unexpected_next(&self, wanted: &str) -> Fault {
        let fault = self.unexpected(wanted);
        match self.peek() {
            None => fault.help("the text was cut, or a bracket is not closed"),
            Some(b'/') => fault.help("JSON has no comments"),
            Some(_) => fault.help("put a comma between two values"),
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Kind::Bool(true))?,
            Some(b'f') => self.word("false", Kind::Bool(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(b'\'') => {
                return Err(self
                    .unexpected("a value")
                    .help("JSON strings stand in double quotes"));
            }
            Some(b'/') => return Err(self.unexpected("a value").help("JSON has no comments")),
            _ => return Err(self.unexpected("a value").help(VALUES)),
        };
        Ok(Node {
            span: Span {
                start,
                end: self.at,
            },
            kind,
        })
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Kind, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let after = rest.get(word.len()..).and_then(|r| r.chars().next());
        if rest.starts_with(word) && !after.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.at += word.len();
            Ok(kind)
        } else {
            Err(self.unexpected("a value").help(VALUES))
        }
    }

    fn number(&mut self) -> Result<Kind, Fault> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
        ) {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Number::new(text).map(Kind::Number).ok_or_else(|| {
            let span = Span {
                start,
                end: self.at,
            };
            if Number::is_beyond(text) {
                return Fault::at(span, "the exponent of this number is too large")
                    .help("an exponent may have 15 digits");
            }
            Fault::at(span, "this is not a JSON number")
                .help("write it like 5, -2.80 or 1e3; put anything else in quotes")
        })
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Fault> {
        self.enter(depth)?;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::Array(items));
        }
        loop {
            self.blanks();
            if self.peek() == Some(b']') {
                return Err(self
                    .fault_here("a comma stands before the ]")
                    .help("take the comma out"));
            }
            items.push(self.value(depth + 1)?);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Kind::Array(items));
                }
                _ => return Err(self.unexpected_next("a comma or ]")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Fault> {
        self.enter(depth)?;
        let mut members: Vec<Member> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.blanks();
            let start = self.at;
            match self.peek() {
                Some(b'"') => {}
                Some(b'}') => {
                    return Err(self
                        .fault_here("a comma stands before the }")
                        .help("take the comma out"));
                }
                Some(b'/') => {
                    return Err(self
                        .unexpected("a key in double quotes")
                        .help("JSON has no comments"));
                }
                _ => {
                    return Err(self
                        .unexpected("a key in double quotes")
                        .help("keys stand in double quotes"));
                }
            }
            let key = self.string()?;
            let key_span = Span {
                start,
                end: self.at,
            };
            if self.is_duplicate(&key, &members, &mut seen) {
                return Err(Fault::at(
                    key_span,
                    format!(
                        "the key {} stands twice in this object",
                        crate::text::quoted(&key)
                    ),
                )
                .help("keep one of the two: readers differ in which one they take"));
            }
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self
                    .unexpected("a colon")
                    .help("a colon parts a key from its value"));
            }
            self.at += 1;
            self.blanks();
            let value = self.value(depth + 1)?;
            members.push(Member {
                key,
                key_span,
                value,
            });
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Kind::Object(members));
                }
                _ => return Err(self.unexpected_next("a comma or }")),
            }
        }
    }

    /// Whether the object has the key already. Small objects are scanned, large ones hashed, so that
    /// neither costs more than its size.
    fn is_duplicate(&self, key: &str, members: &[Member], seen: &mut HashSet<String>) -> bool {
        if members.len() < SMALL_OBJECT {
            return members.iter().any(|m| m.key == key);
        }
        if seen.is_empty() {
            seen.extend(members.iter().map(|m| m.key.clone()));
        }
        !seen.insert(key.to_owned())
    }

    fn enter(&mut self, depth: usize) -> Result<(), Fault> {
        if depth >= self.limits.depth {
            return Err(self
                .fault_here(format!(
                    "values nest deeper than {} levels",
                    self.limits.depth
                ))
                .help("flatten the value"));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            out.push_str(self.plain_run());
            match self.peek() {
                None => {
                    return Err(Fault::at(
                        Span {
                            start,
                            end: self.at,
                        },
                        "this string has no closing quote",
                    ));
                }
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(control) => {
                    return Err(self
                        .fault_here("a control character stands raw in a string")
                        .help(format!("write it as \\u{control:04x}")));
                }
            }
        }
    }

    /// The text up to the next quote, backslash or control character, none of which can stand inside a
    /// character of several bytes.
    fn plain_run(&mut self) -> &str {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let special = |b: &u8| matches!(b, b'"' | b'\\') || *b < b' ';
        let len = rest.iter().position(special).unwrap_or(rest.len());
        let run = self.text.get(self.at..self.at + len).unwrap_or_default();
        self.at += len;
        run
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek_char() else {
            return Err(self.unexpected("the rest of an escape"));
        };
        self.at += c.len_utf8();
        Ok(match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode_escape(start),
            _ => {
                return Err(Fault::at(
                    Span {
                        start,
                        end: self.at,
                    },
                    "JSON knows no such escape",
                )
                .help("a backslash itself is written \\\\"));
            }
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Fault> {
        let high = self.hex4(start)?;
        let code = if (0xd800..0xdc00).contains(&high) {
            let low = if self
                .text
                .get(self.at..)
                .is_some_and(|r| r.starts_with("\\u"))
            {
                self.at += 2;
                self.hex4(start)?
            } else {
                0
            };
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.lone_surrogate(start));
            }
            0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
        } else {
            high
        };
        char::from_u32(code).ok_or_else(|| self.lone_surrogate(start))
    }

    fn lone_surrogate(&self, start: usize) -> Fault {
        Fault::at(
            Span {
                start,
                end: self.at,
            },
            "half a surrogate pair is no character",
        )
        .help("write the character itself, or both halves")
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            self.at += 4;
            if let Ok(code) = u32::from_str_radix(digits, 16) {
                return Ok(code);
            }
        }
        Err(Fault::at(
            Span {
                start,
                end: self.at,
            },
            "\\u wants four hexadecimal digits",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    #[test]
    fn every_fault_is_located() {
        for (text, place, words) in [
            ("", (1, 1), "the text is empty"),
            ("{} {}", (1, 4), "more text after the value"),
            ("{\"a\": 1,\n \"a\": 2}", (2, 2), "stands twice"),
            ("{\"a\": 1,}", (1, 9), "a comma stands before the }"),
            ("[1, ]", (1, 5), "a comma stands before the ]"),
            ("{'a': 1}", (1, 2), "a key in double quotes"),
            ("[1 2]", (1, 4), "a comma or ]"),
            ("{\"a\" 1}", (1, 6), "a colon"),
            ("nul", (1, 1), "a value"),
            ("truey", (1, 1), "a value"),
            ("[01]", (1, 2), "not a JSON number"),
            ("[1e]", (1, 2), "not a JSON number"),
            ("[1e9999999999999999]", (1, 2), "exponent of this number"),
            ("\"é\\q\"", (1, 3), "no such escape"),
            ("\"\\ud800\"", (1, 2), "surrogate"),
            ("\"\\ud800\\u0041\"", (1, 2), "surrogate"),
            ("\"\\udc00\"", (1, 2), "surrogate"),
            ("\"\\u12g4\"", (1, 2), "four hexadecimal digits"),
            ("\"a\nb\"", (1, 3), "control character"),
            ("\"abc", (1, 1), "no closing quote"),
            ("\u{feff}{}", (1, 1), "byte order mark"),
            ("// hi\n{}", (1, 1), "a value"),
        ] {
            let fault = parse(text, Limits::default()).unwrap_err();
            assert_eq!(
                Source::new("f", text).position(fault.span.start),
                place,
                "{text:?}"
            );
            assert!(fault.message.contains(words), "{text:?}: {}", fault.message);
        }
    }

    #[test]
    fn a_duplicate_is_found_however_many_keys_there_are() {
        for count in [2, SMALL_OBJECT - 1, SMALL_OBJECT, SMALL_OBJECT + 1, 1_000] {
            let keys: Vec<String> = (0..count).map(|n| format!("\"k{n}\": {n}")).collect();
            let good = format!("{{{}}}", keys.join(","));
            assert!(parse(&good, Limits::default()).is_ok(), "{count}");
            for again in [0, count / 2, count - 1] {
                let bad = format!("{{{}, \"\\u006b{again}\": 0}}", keys.join(","));
                let fault = parse(&bad, Limits::default()).unwrap_err();
                assert!(fault.message.contains("twice"), "{count} {again}");
            }
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(parse(&nested(64), Limits::default()).is_ok());
        assert!(
            parse(&nested(65), Limits::default())
                .unwrap_err()
                .message
                .contains("deeper")
        );
        let limits = Limits { bytes: 3, depth: 1 };
        assert!(parse("[1]", limits).is_ok());
        assert!(
            parse("[12]", limits)
                .unwrap_err()
                .message
                .contains("more than the 3")
        );
        assert!(
            parse_bytes(b"\"\xff\"", Limits::default())
                .unwrap_err()
                .message
                .contains("UTF-8")
        );
    }
}
