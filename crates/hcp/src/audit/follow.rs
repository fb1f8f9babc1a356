//! Following the log as it grows, across rotations.

use super::append::AuditLog;
use super::chain::read_line;
use super::file::{Identity, open_to_read, rotated};
use super::{AuditError, FILE_NAME};
use hcp_core::json::Object;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// What a follower is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Followed {
    /// A new line.
    Line(Object),
    /// Nothing new for the moment: a chance to stop.
    Idle,
}

/// Where a follower stands.
struct Place {
    path: PathBuf,
    file: File,
    identity: Identity,
    /// The beginning of a line whose end is not there yet.
    held: Vec<u8>,
}

impl Place {
    fn new(path: PathBuf, opened: (File, Identity)) -> Self {
        Self {
            path,
            file: opened.0,
            identity: opened.1,
            held: Vec::new(),
        }
    }

    /// The lines that came since the last look.
    fn new_lines(&mut self) -> Result<Vec<Object>, AuditError> {
        let mut bytes = Vec::new();
        self.file
            .read_to_end(&mut bytes)
            .map_err(|e| AuditError::io(&self.path, &e))?;
        self.held.append(&mut bytes);
        let Some(end) = self.held.iter().rposition(|b| *b == b'\n') else {
            return Ok(Vec::new());
        };
        let rest = self.held.split_off(end + 1);
        let whole = std::mem::replace(&mut self.held, rest);
        Ok(whole
            .split(|b| *b == b'\n')
            .filter_map(|line| read_line(line).map(|(object, _, _)| object))
            .collect())
    }
}

impl AuditLog {
    /// Gives every line that is written from now on to `on`, until it breaks off. The log is looked at
    /// every `poll`.
    ///
    /// # Errors
    /// [`AuditError`] when a file cannot be read.
    pub fn follow(
        &self,
        poll: Duration,
        on: &mut dyn FnMut(Followed) -> ControlFlow<()>,
    ) -> Result<(), AuditError> {
        let mut place = self.current_place()?;
        if let Some(place) = &mut place {
            place
                .file
                .seek(SeekFrom::End(0))
                .map_err(|e| AuditError::io(&place.path, &e))?;
        }
        loop {
            if self.tell_new(&mut place, on)?.is_break() || on(Followed::Idle).is_break() {
                return Ok(());
            }
            std::thread::sleep(poll);
        }
    }

    /// Tells everything that is there by now, file after file.
    fn tell_new(
        &self,
        place: &mut Option<Place>,
        on: &mut dyn FnMut(Followed) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AuditError> {
        loop {
            let Some(here) = place else {
                *place = self.current_place()?;
                if place.is_none() {
                    return Ok(ControlFlow::Continue(()));
                }
                continue;
            };
            // Whether there is a later file is asked first: nothing is written to this one after that.
            let next = self.place_after(here.identity)?;
            for line in here.new_lines()? {
                if on(Followed::Line(line)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            match next {
                Some(next) => *place = Some(next),
                None => return Ok(ControlFlow::Continue(())),
            }
        }
    }

    fn current_place(&self) -> Result<Option<Place>, AuditError> {
        let path = self.home.join(FILE_NAME);
        Ok(open_to_read(&path)?.map(|opened| Place::new(path, opened)))
    }

    /// The file in which the log went on after this one.
    fn place_after(&self, identity: Identity) -> Result<Option<Place>, AuditError> {
        let Some(current) = self.current_place()? else {
            return Ok(None);
        };
        if current.identity == identity {
            return Ok(None);
        }
        let mut found = false;
        for (_, path) in rotated(&self.home)? {
            let Some(opened) = open_to_read(&path)? else {
                continue;
            };
            if found && opened.1 != current.identity {
                return Ok(Some(Place::new(path, opened)));
            }
            found |= opened.1 == identity;
        }
        Ok(Some(current))
    }
}
