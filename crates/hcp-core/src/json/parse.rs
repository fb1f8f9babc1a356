//! The strict JSON reader (RFC 8259, and stricter: unique keys, bounded depth, whole surrogate pairs).

use super::{Kind, Member, Node, Number, Span};
use crate::diagnostic::Fault;
use std::collections::HashSet;

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
        Self { bytes: 4 << 20, depth: 64 }
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
            Span { start: e.valid_up_to(), end: e.valid_up_to() + 1 },
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
    let mut reader = Reader { text, at: 0, limits };
    if text.starts_with('\u{feff}') {
        return Err(Fault::at(Span { start: 0, end: 3 }, "the text begins with a byte order mark")
            .help("save it as UTF-8 without a byte order mark"));
    }
    reader.blanks();
    if reader.peek().is_none() {
        return Err(reader.fault_here("the text is empty").help("write a JSON value, for example {}"));
    }
    let node = reader.value(0)?;
    reader.blanks();
    if reader.peek().is_some() {
        return Err(reader.fault_here("there is more text after the value").help("keep one JSON value"));
    }
    Ok(node)
}

fn too_large(len: usize, max: usize) -> Fault {
    Fault::at(Span::default(), format!("the text has {len} bytes, more than the {max} allowed"))
        .help("split it, or take out what is not needed")
}

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
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn fault_here(&self, message: impl Into<String>) -> Fault {
        let width = self.peek_char().map_or(0, char::len_utf8);
        Fault::at(Span { start: self.at, end: self.at + width }, message)
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        match self.peek_char() {
            None => self.fault_here(format!("the text ends where {wanted} should stand")),
            Some(c) => self
                .fault_here(format!("{} stands where {wanted} should stand", crate::text::quoted_char(c))),
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
                return Err(self.unexpected("a value").help("JSON strings stand in double quotes"));
            }
            Some(b'/') => return Err(self.unexpected("a value").help("JSON has no comments")),
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { span: Span { start, end: self.at }, kind })
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Kind, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let after = rest.get(word.len()..).and_then(|r| r.chars().next());
        if rest.starts_with(word) && !after.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.at += word.len();
            Ok(kind)
        } else {
            Err(self.unexpected("a value"))
        }
    }

    fn number(&mut self) -> Result<Kind, Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Number::new(text).map(Kind::Number).ok_or_else(|| {
            Fault::at(Span { start, end: self.at }, "this is not a JSON number")
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
                return Err(self.fault_here("a comma stands before the ]").help("take the comma out"));
            }
            items.push(self.value(depth + 1)?);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Kind::Array(items));
                }
                _ => return Err(self.unexpected("a comma or ]")),
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
                    return Err(self.fault_here("a comma stands before the }").help("take the comma out"));
                }
                _ => return Err(self.unexpected("a key in double quotes")),
            }
            let key = self.string()?;
            let key_span = Span { start, end: self.at };
            if !seen.insert(key.clone()) {
                return Err(Fault::at(key_span, format!("the key {} stands twice in this object", crate::text::quoted(&key)))
                    .help("keep one of the two: readers differ in which one they take"));
            }
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("a colon"));
            }
            self.at += 1;
            self.blanks();
            let value = self.value(depth + 1)?;
            members.push(Member { key, key_span, value });
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Kind::Object(members));
                }
                _ => return Err(self.unexpected("a comma or }")),
            }
        }
    }

    fn enter(&mut self, depth: usize) -> Result<(), Fault> {
        if depth >= self.limits.depth {
            return Err(self
                .fault_here(format!("values nest deeper than {} levels", self.limits.depth))
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
            let Some(c) = self.peek_char() else {
                return Err(Fault::at(Span { start, end: self.at }, "this string has no closing quote"));
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => out.push(self.escape()?),
                c if c < ' ' => {
                    return Err(self
                        .fault_here("a control character stands raw in a string")
                        .help(format!("write it as \\u{:04x}", u32::from(c))));
                }
                c => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
            }
        }
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
                return Err(Fault::at(Span { start, end: self.at }, "JSON knows no such escape")
                    .help("a backslash itself is written \\\\"));
            }
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Fault> {
        let high = self.hex4(start)?;
        let code = if (0xd800..0xdc00).contains(&high) {
            let low = if self.text.get(self.at..).is_some_and(|r| r.starts_with("\\u")) {
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
        Fault::at(Span { start, end: self.at }, "half a surrogate pair is no character")
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
        Err(Fault::at(Span { start, end: self.at }, "\\u wants four hexadecimal digits"))
    }
}
