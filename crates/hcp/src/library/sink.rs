//! An audit sink that hands each event to a function.

use crate::audit::{AuditError, AuditSink, Flush, Recorded};
use crate::event::Event;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands events to a function. What it cannot take does not run.
pub(super) struct Callback<F> {
    write: F,
    seq: AtomicU64,
}

impl<F> Callback<F> {
    pub(super) fn new(write: F) -> Self {
        Self {
            write,
            seq: AtomicU64::new(0),
        }
    }
}

impl<F, E> AuditSink for Callback<F>
where
    F: Fn(&Event) -> Result<(), E> + Send + Sync,
    E: Display,
{
    fn ready(&self) -> Result<(), AuditError> {
        Ok(())
    }

    fn record(&self, event: &Event, _flush: Flush) -> Result<Recorded, AuditError> {
        let unavailable = |reason: String| {
            AuditError::new(
                Path::new("of the host"),
                reason,
                "see to where the host writes it",
            )
        };
        match catch_unwind(AssertUnwindSafe(|| (self.write)(event))) {
            Ok(Ok(())) => Ok(Recorded {
                seq: self.seq.fetch_add(1, Ordering::Relaxed) + 1,
            }),
            Ok(Err(e)) => Err(unavailable(e.to_string())),
            Err(_) => Err(unavailable("the host's own function failed".to_owned())),
        }
    }
}
