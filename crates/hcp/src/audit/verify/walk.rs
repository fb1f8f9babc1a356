//! A walk through all lines of the log, first to last, that names what does not fit.

use super::super::chain::{Head, read_line};
use super::super::{AuditError, FILE_NAME};
use super::{Fault, FaultKind, VerifyReport, name};
use hcp_core::canonical::{Digest, sha256};
use hcp_core::json::{Object, Value};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The most faults that are listed; a log that was rewritten has one in every line.
const FAULTS: usize = 1_000;

/// A place in the log.
#[derive(Debug, Clone, Default)]
struct Place {
    /// The file's place in the order of the files.
    order: u64,
    file: String,
    line: u64,
}

/// Numbers that were jumped over, and the line before which they are missing.
struct Gap {
    from: u64,
    to: u64,
    place: Place,
}

/// The last line that stands in the chain.
struct Top {
    head: Head,
    prev: Option<Digest>,
    place: Place,
}

/// A walk through all lines, first to last.
pub(super) struct Walk<'h> {
    report: VerifyReport,
    faults: Vec<(Place, Fault)>,
    place: Place,
    top: Option<Top>,
    /// Digests of lines since then after which a line may have been written as well.
    also: Vec<Digest>,
    /// How many lines since then could not be read.
    damaged: u64,
    /// The last of them, when it is the line just before: its fault and digest.
    last_damaged: Option<(usize, Digest)>,
    gaps: Vec<Gap>,
    wanted: Option<&'h Digest>,
    seen: bool,
    /// The names of the rotated files that are there.
    present: Vec<String>,
}

impl<'h> Walk<'h> {
    pub(super) fn new(wanted: Option<&'h Digest>) -> Self {
        Self {
            report: VerifyReport::default(),
            faults: Vec::new(),
            place: Place::default(),
            top: None,
            also: Vec::new(),
            damaged: 0,
            last_damaged: None,
            gaps: Vec::new(),
            wanted,
            seen: false,
            present: Vec::new(),
        }
    }

    /// Tells which rotated files are there.
    pub(super) fn present(&mut self, names: Vec<String>) {
        self.present = names;
    }

    /// Goes through one file.
    pub(super) fn file(&mut self, path: &Path, file: impl Read) -> Result<(), AuditError> {
        self.report.files += 1;
        self.place = Place {
            order: self.report.files,
            file: name(path),
            line: 0,
        };
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = reader
                .read_until(b'\n', &mut bytes)
                .map_err(|e| AuditError::io(path, &e))?;
            if read == 0 {
                return Ok(());
            }
            self.place.line += 1;
            self.report.lines += 1;
            match bytes.strip_suffix(b"\n") {
                Some(line) => self.whole_line(line),
                None => self.torn_end(),
            }
        }
    }

    fn torn_end(&mut self) {
        self.fault(
            FaultKind::Torn,
            None,
            "this line is torn; the next append closes it off",
        );
    }

    fn whole_line(&mut self, bytes: &[u8]) {
        let digest = sha256(bytes);
        if let Some((object, seq, prev)) = read_line(bytes) {
            self.line_of_ours(&object, Head { seq, head: digest }, prev);
            return;
        }
        let parts = unglue(bytes);
        if parts.len() > 1 {
            let seq = parts.first().and_then(|p| read_line(p)).map(|l| l.1);
            let text = format!(
                "{} lines stand here in one: the line breaks between them are gone",
                parts.len()
            );
            self.fault(FaultKind::Glued, seq, text);
            for part in parts {
                if let Some((object, seq, prev)) = read_line(part) {
                    let head = sha256(part);
                    self.line_of_ours(&object, Head { seq, head }, prev);
                }
            }
        } else {
            let begun = bytes.starts_with(b"{") && !bytes.ends_with(b"}");
            let (kind, text) = if begun {
                (
                    FaultKind::Torn,
                    "the end of this line is missing, and no line after it says why",
                )
            } else {
                (
                    FaultKind::Foreign,
                    "this is no line of the log: it was changed, or something else wrote it",
                )
            };
            self.last_damaged = Some((self.faults.len(), digest));
            self.damaged += 1;
            self.fault(kind, None, text);
        }
        // The next line may have been written after this one, such as it is.
        self.also.push(digest);
    }

    fn line_of_ours(&mut self, object: &Object, head: Head, prev: Option<Digest>) {
        self.seen |= self.wanted == Some(&head.head);
        self.note_torn(object);
        self.last_damaged = None;
        let Some(top) = &self.top else {
            self.first_line(object, head, prev);
            return;
        };
        let (last, last_prev) = (top.head, top.prev);
        let expected = last.seq.saturating_add(1);
        let fits = prev.is_some_and(|p| p == last.head || self.also.contains(&p));
        if fits && head.seq != expected {
            let text = format!(
                "this line has the number {}, and {expected} is due",
                head.seq
            );
            self.fault(FaultKind::Edited, Some(head.seq), text);
            self.stand(
                Head {
                    seq: expected,
                    ..head
                },
                prev,
            );
        } else if fits {
            // After a torn line the chain alone would not cover the whole line before it.
            let named = torn_after(object).filter(|_| prev != Some(last.head));
            if named.is_some_and(|d| d != last.head && !self.also.contains(&d)) {
                self.edited_before();
            }
            self.stand(head, prev);
        } else if head.seq == expected {
            self.edited_before();
            self.stand(head, prev);
        } else if head.seq > expected {
            self.jumped(object, head, prev, expected);
        } else if self.fill_gap(head.seq) {
            self.fault(
                FaultKind::Reordered,
                Some(head.seq),
                "this line stands after lines that were written later",
            );
        } else {
            let text = if head.seq == last.seq && prev == last_prev {
                "this line and one before it were both written after the same line"
            } else {
                "a line with this number stands before it already"
            };
            self.fault(FaultKind::Forked, Some(head.seq), text);
            self.also.push(head.head);
        }
    }

    /// A line after which the chain goes on.
    fn stand(&mut self, head: Head, prev: Option<Digest>) {
        self.top = Some(Top {
            head,
            prev,
            place: self.place.clone(),
        });
        self.also.clear();
        self.damaged = 0;
    }

    fn first_line(&mut self, object: &Object, head: Head, prev: Option<Digest>) {
        // The very first line may be the one that says that the line before it was torn.
        if head.seq == 1 && prev.is_none_or(|p| self.also.contains(&p)) {
            self.stand(head, prev);
            return;
        }
        if !self.goes_on_from_a_gone_file(object, head.seq) && self.damaged == 0 {
            let text = format!(
                "the log begins with number {}: the lines before it are gone",
                head.seq
            );
            self.fault(FaultKind::MissingStart, Some(head.seq), text);
        }
        self.stand(head, prev);
    }

    /// The line before this one is not the one after which this one was written.
    fn edited_before(&mut self) {
        let Some(top) = &self.top else { return };
        let (seq, place) = (top.head.seq, top.place.clone());
        let text = format!(
            "this line is not the one after which line {} of {} was written: it was changed since",
            self.place.line, self.place.file
        );
        self.fault_at(place, FaultKind::Edited, Some(seq), text);
    }

    /// Numbers are missing before this line.
    fn jumped(&mut self, object: &Object, head: Head, prev: Option<Digest>, expected: u64) {
        let missing = head.seq - expected;
        // Lines that cannot be read account for their numbers; their own faults say so.
        if !self.goes_on_from_a_gone_file(object, head.seq) && self.damaged < missing {
            self.gaps.push(Gap {
                from: expected,
                to: head.seq - 1,
                place: self.place.clone(),
            });
        }
        self.stand(head, prev);
    }

    /// Whether a number is one of those that were jumped over; it no longer is then.
    fn fill_gap(&mut self, seq: u64) -> bool {
        let Some(at) = self
            .gaps
            .iter()
            .position(|g| (g.from..=g.to).contains(&seq))
        else {
            return false;
        };
        let gap = self.gaps.swap_remove(at);
        let place = gap.place;
        if gap.from < seq {
            self.gaps.push(Gap {
                from: gap.from,
                to: seq - 1,
                place: place.clone(),
            });
        }
        if seq < gap.to {
            self.gaps.push(Gap {
                from: seq + 1,
                to: gap.to,
                place,
            });
        }
        true
    }

    /// Whether this is the first line of a file that goes on from a rotated one which is not there.
    fn goes_on_from_a_gone_file(&mut self, object: &Object, seq: u64) -> bool {
        if self.place.line != 1 || !is_audit(object, "rotation") {
            return false;
        }
        let file = object.get("file").and_then(Value::as_str);
        let Some(file) = file.filter(|f| !self.present.iter().any(|p| p == f)) else {
            return false;
        };
        let last = seq.saturating_sub(1);
        let file = hcp_core::text::quoted(file);
        self.report.notes.push(format!(
            "{file} is not here any more; it held the lines up to number {last}"
        ));
        true
    }

    /// A line that says that the one before it was torn explains it.
    fn note_torn(&mut self, object: &Object) {
        if !is_audit(object, "torn") {
            return;
        }
        let Some(digest) = digest_of(object, "sha256") else {
            return;
        };
        let damaged = self.last_damaged.filter(|(_, d)| *d == digest);
        if let Some((at, _)) = damaged {
            if at < self.faults.len() {
                self.faults.remove(at);
            }
            self.damaged = self.damaged.saturating_sub(1);
        } else if self.top.as_ref().is_none_or(|top| top.head.head != digest) {
            return;
        }
        self.report.notes.push(format!(
            "line {} of {} was torn, and was closed off by the next",
            self.place.line.saturating_sub(1),
            self.place.file
        ));
    }

    pub(super) fn current_is_empty(&mut self) {
        if self.report.lines > 0 {
            self.place.file = FILE_NAME.to_owned();
            self.place.line = 0;
            self.fault(
                FaultKind::Cut,
                None,
                "this file is gone or empty, and older ones are there",
            );
        }
    }

    fn fault(&mut self, kind: FaultKind, seq: Option<u64>, message: impl Into<String>) {
        self.fault_at(self.place.clone(), kind, seq, message.into());
    }

    fn fault_at(&mut self, place: Place, kind: FaultKind, seq: Option<u64>, message: String) {
        if self.faults.len() <= FAULTS {
            let fault = Fault {
                file: place.file.clone(),
                line: place.line,
                seq,
                kind,
                message,
            };
            self.faults.push((place, fault));
        }
    }

    pub(super) fn finish(mut self) -> VerifyReport {
        for gap in std::mem::take(&mut self.gaps) {
            let text = if gap.from == gap.to {
                format!(
                    "the line with number {} is missing before this one",
                    gap.from
                )
            } else {
                format!(
                    "the lines with numbers {} to {} are missing before this one",
                    gap.from, gap.to
                )
            };
            self.fault_at(gap.place, FaultKind::Dropped, Some(gap.from), text);
        }
        self.report.seq = self.top.as_ref().map(|top| top.head.seq);
        self.report.head = self.top.as_ref().map(|top| top.head.head);
        if let Some(wanted) = self.wanted
            && !self.seen
        {
            let text = format!(
                "the head {} is not in the log: its end was cut off, or all of it replaced",
                wanted.short()
            );
            self.fault(FaultKind::Cut, None, text);
        }
        self.faults
            .sort_by_key(|(place, _)| (place.order, place.line));
        if self.faults.len() > FAULTS {
            self.report
                .notes
                .push(format!("there are more faults than the first {FAULTS}"));
            self.faults.truncate(FAULTS);
        }
        self.report.faults = self.faults.into_iter().map(|(_, fault)| fault).collect();
        self.report
    }
}

/// Whether a line tells of such an act on the log itself.
fn is_audit(object: &Object, act: &str) -> bool {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    text("event") == Some("audit") && text("act") == Some(act)
}

fn digest_of(object: &Object, key: &str) -> Option<Digest> {
    object.get(key)?.as_str().and_then(Digest::from_hex)
}

/// The digest of the whole line before a torn one, which the line that records it names.
fn torn_after(object: &Object) -> Option<Digest> {
    is_audit(object, "torn")
        .then(|| digest_of(object, "after"))
        .flatten()
}

/// The lines that stand in one because the line breaks between them are gone; nothing where it does
/// not consist of such lines.
fn unglue(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        // A line ends at a brace after which nothing or the next line begins.
        let end = rest
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| *pair == b"}{")
            .map(|(at, _)| at + 1)
            .chain([rest.len()])
            .find(|end| {
                rest.get(..*end)
                    .is_some_and(|part| read_line(part).is_some())
            });
        let Some((part, after)) = end.and_then(|end| rest.split_at_checked(end)) else {
            return Vec::new();
        };
        parts.push(part);
        rest = after;
    }
    parts
}
