//! Reading the log from its end: the cost depends on how much is wanted, not on how long the log is.

use super::append::AuditLog;
use super::chain::{Backwards, read_line};
use super::file::{Identity, open_to_read, rotated};
use super::{AuditError, FILE_NAME};
use crate::event::EventKind;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use jiff::{SignedDuration, Timestamp};
use std::fs::File;
use std::path::PathBuf;

/// How far the order of the lines may differ from that of their times: many processes write, and
/// clocks are set.
const DISORDER: SignedDuration = SignedDuration::from_hours(1);

/// Which lines are wanted. What is absent takes all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The newest so many of those that fit.
    pub limit: Option<usize>,
    /// Lines about this pack.
    pub pack: Option<String>,
    /// Lines about this command: its name, or `pack.command`.
    pub command: Option<String>,
    /// Lines with this decision.
    pub decision: Option<Decision>,
    /// Lines of the Principal with this id.
    pub principal: Option<String>,
    /// Lines not older than this.
    pub since: Option<Timestamp>,
    /// Lines of this kind.
    pub event: Option<EventKind>,
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadLines {
    /// The lines, newest last.
    pub lines: Vec<Value>,
    /// How many of the lines on the way could not be read.
    pub unreadable: u64,
}

impl Filter {
    /// Whether a line is wanted, the limit apart.
    #[must_use]
    pub fn matches(&self, line: &Object) -> bool {
        let text = |key: &str| line.get(key).and_then(Value::as_str);
        let is = |key: &str, wanted: Option<&str>| wanted.is_none_or(|w| text(key) == Some(w));
        is("pack", self.pack.as_deref())
            && is("decision", self.decision.map(Decision::as_str))
            && is("event", self.event.map(EventKind::as_str))
            && self.principal.as_deref().is_none_or(|wanted| {
                line.get("principal")
                    .and_then(|p| p.get("id"))
                    .and_then(Value::as_str)
                    == Some(wanted)
            })
            && self.command.as_deref().is_none_or(|wanted| {
                let name = text("command");
                match wanted.split_once('.') {
                    Some((pack, command)) => text("pack") == Some(pack) && name == Some(command),
                    None => name == Some(wanted),
                }
            })
            && self
                .since
                .is_none_or(|since| time(line).is_some_and(|time| time >= since))
    }

    /// Whether no line before this one can be wanted.
    fn is_past(&self, line: &Object) -> bool {
        let Some(since) = self.since else {
            return false;
        };
        let earliest = since.saturating_sub(DISORDER).unwrap_or(Timestamp::MIN);
        time(line).is_some_and(|time| time < earliest)
    }
}

fn time(line: &Object) -> Option<Timestamp> {
    line.get("time")?.as_str()?.parse().ok()
}

impl AuditLog {
    /// The lines that a filter wants, across rotated files.
    ///
    /// # Errors
    /// [`AuditError`] when a file cannot be read.
    pub fn read(&self, filter: &Filter) -> Result<ReadLines, AuditError> {
        let mut out = ReadLines::default();
        let limit = filter.limit.unwrap_or(usize::MAX);
        self.backwards(&mut |line| {
            let Some(line) = line else {
                out.unreadable += 1;
                return true;
            };
            if out.lines.len() >= limit || filter.is_past(&line) {
                return false;
            }
            if filter.matches(&line) {
                out.lines.push(Value::from(line));
            }
            out.lines.len() < limit
        })?;
        out.lines.reverse();
        Ok(out)
    }

    /// All lines about one call, by its id, its approval's id or the number of a line.
    ///
    /// # Errors
    /// [`AuditError`] when a file cannot be read.
    pub fn show(&self, id: &str) -> Result<Vec<Value>, AuditError> {
        let mut lines = Vec::new();
        self.backwards(&mut |line| {
            lines.extend(line.filter(|line| is_about(line, id)).map(Value::from));
            true
        })?;
        lines.reverse();
        Ok(lines)
    }

    /// Gives every line, newest first, to `take` until it says `false`; what is no line of the log is
    /// given as nothing.
    fn backwards(&self, take: &mut dyn FnMut(Option<Object>) -> bool) -> Result<(), AuditError> {
        for opened in self.files_backwards()? {
            let (path, file) = opened?;
            let fail = |e: std::io::Error| AuditError::io(&path, &e);
            let size = file.metadata().map_err(fail)?.len();
            let mut lines = Backwards::new(&file, size);
            // What stands after the last line break is not a line yet.
            lines.next_line().map_err(fail)?;
            while let Some(line) = lines.next_line().map_err(fail)? {
                if line.is_empty() {
                    continue;
                }
                if !take(read_line(&line).map(|(object, _, _)| object)) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The files of the log, newest first, each opened when it is reached. The current one is opened
    /// before the rotated ones are listed, so that a rotation in between hides nothing.
    fn files_backwards(
        &self,
    ) -> Result<impl Iterator<Item = Result<(PathBuf, File), AuditError>> + use<>, AuditError> {
        let path = self.home.join(FILE_NAME);
        let current = open_to_read(&path)?;
        let identity: Option<Identity> = current.as_ref().map(|(_, identity)| *identity);
        let mut older = rotated(&self.home)?;
        older.reverse();
        let older = older.into_iter().filter_map(move |(_, path)| {
            let opened = match open_to_read(&path) {
                Ok(opened) => opened?,
                Err(e) => return Some(Err(e)),
            };
            (Some(opened.1) != identity).then_some(Ok((path, opened.0)))
        });
        Ok(current
            .map(|(file, _)| Ok((path, file)))
            .into_iter()
            .chain(older))
    }
}

fn is_about(line: &Object, id: &str) -> bool {
    let text = |value: Option<&Value>| value.and_then(Value::as_str) == Some(id);
    text(line.get("call"))
        || text(line.get("by").and_then(|by| by.get("approval_id")))
        || line
            .get("seq")
            .and_then(Value::as_u64)
            .is_some_and(|seq| seq.to_string() == id)
}
