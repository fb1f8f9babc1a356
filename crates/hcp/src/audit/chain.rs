//! The chain: how a line is made from an event, and how the last line is found.

use super::AuditError;
use hcp_core::canonical::{Digest, sha256};
use hcp_core::json::{Limits, Object, Value, parse_bytes};
use hcp_core::text::visible_json;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How much of the file's end is read at first.
const BLOCK: usize = 4096;

/// The last line of the log: what the next one is chained to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Head {
    /// Its number.
    pub seq: u64,
    /// Its SHA-256, without the line break.
    pub head: Digest,
}

/// The end of a log file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tail {
    /// The last line that was closed by a line break.
    pub(super) head: Option<Head>,
    /// Bytes after the last line break: a line that was torn.
    pub(super) torn: Vec<u8>,
}

/// A line for the log with its place in the chain, and its line break.
pub(super) fn line(event: Object, head: Option<Head>) -> (String, Head) {
    let seq = head.map_or(1, |head| head.seq.saturating_add(1));
    let object = event
        .with("seq", seq)
        .with("prev", head.map(|head| head.head.to_string()));
    let mut text = visible_json(&Value::from(object).to_string());
    let head = Head {
        seq,
        head: sha256(text.as_bytes()),
    };
    text.push('\n');
    (text, head)
}

/// A line's object, its number and the digest it was chained to; `None` when it is no line of ours.
pub(super) fn read_line(bytes: &[u8]) -> Option<(Object, u64, Option<Digest>)> {
    let Value::Object(object) = parse_bytes(bytes, Limits::default()).ok()?.to_value() else {
        return None;
    };
    let seq = object.get("seq")?.as_u64()?;
    let prev = match object.get("prev")? {
        Value::Null => None,
        Value::String(hex) => Some(Digest::from_hex(hex)?),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    Some((object, seq, prev))
}

/// Reads the end of a file of this size.
pub(super) fn tail(path: &Path, file: &File, size: u64) -> Result<Tail, AuditError> {
    let mut lines = Backwards::new(file, size);
    let read = |lines: &mut Backwards<'_>| lines.next_line().map_err(|e| AuditError::io(path, &e));
    // What stands after the last line break; nothing in a whole file.
    let torn = read(&mut lines)?.unwrap_or_default();
    let mut digest = None;
    while let Some(line) = read(&mut lines)? {
        let own = *digest.get_or_insert_with(|| sha256(&line));
        // A foreign line has no number: the chain covers it, and the count goes on from before it.
        if let Some((_, seq, _)) = read_line(&line) {
            return Ok(Tail {
                head: Some(Head { seq, head: own }),
                torn,
            });
        }
    }
    let head = digest.map(|head| Head { seq: 0, head });
    Ok(Tail { head, torn })
}

/// The lines of a file from its end, read in blocks. The first is what stands after the last line
/// break, and empty in a file whose last line is whole.
#[derive(Debug)]
pub(super) struct Backwards<'f> {
    file: &'f File,
    /// Everything before this offset is not read yet.
    offset: u64,
    /// What was read and not given out.
    held: Vec<u8>,
    block: usize,
    done: bool,
}

impl<'f> Backwards<'f> {
    pub(super) fn new(file: &'f File, size: u64) -> Self {
        Self {
            file,
            offset: size,
            held: Vec::new(),
            block: BLOCK,
            done: false,
        }
    }

    /// The next line towards the beginning, without its line break.
    pub(super) fn next_line(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        if self.done {
            return Ok(None);
        }
        // Bytes of `held` from here on were searched and hold no line break.
        let mut searched = self.held.len();
        loop {
            let unsearched = self.held.get(..searched).unwrap_or_default();
            if let Some(at) = unsearched.iter().rposition(|b| *b == b'\n') {
                let line = self.held.split_off(at + 1);
                self.held.pop();
                return Ok(Some(line));
            }
            if self.offset == 0 {
                self.done = true;
                return Ok(Some(std::mem::take(&mut self.held)));
            }
            searched = self.read_block()?;
        }
    }

    /// Reads one block more; returns how many bytes it had.
    fn read_block(&mut self) -> std::io::Result<usize> {
        let length = u64::try_from(self.block)
            .unwrap_or(u64::MAX)
            .min(self.offset);
        let mut block = vec![0; usize::try_from(length).unwrap_or(self.block)];
        self.file.read_exact_at(&mut block, self.offset - length)?;
        self.offset -= length;
        let read = block.len();
        block.append(&mut self.held);
        self.held = block;
        // A long line is not copied once for each small block.
        self.block = (self.block * 2).min(1 << 20);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hcp_core::text::is_unsafe;
    use proptest::prelude::*;
    use std::io::Write as _;

    fn backwards(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let mut lines = Backwards::new(&file, u64::try_from(bytes.len()).unwrap());
        lines.block = 3;
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    proptest! {
        #[test]
        fn reading_backwards_gives_the_lines_of_reading_forwards(text in "[ab\n]{0,60}") {
            let mut forwards: Vec<Vec<u8>> = text.split('\n').map(|l| l.as_bytes().to_vec()).collect();
            forwards.reverse();
            prop_assert_eq!(backwards(text.as_bytes()), forwards);
        }

        #[test]
        fn a_line_is_read_back_whatever_its_text(text in any::<String>()) {
            let (line, head) = line(Object::new().with("reason", text.as_str()), None);
            prop_assert!(line.trim_end_matches('\n').chars().all(|c| !is_unsafe(c)));
            let (object, seq, prev) = read_line(line.trim_end_matches('\n').as_bytes()).unwrap();
            prop_assert_eq!(object.get("reason").unwrap().as_str(), Some(text.as_str()));
            prop_assert_eq!((seq, prev, head.seq), (1, None, 1));
        }
    }
}
