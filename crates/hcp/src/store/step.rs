//! What every atomic step does: reading the clock once, ending what is over, erasing what ended.

use super::rows::{self, COLUMNS};
use hcp_core::approval::{Record, State};
use hcp_core::moment::{Moment, add_minutes};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{OptionalExtension, Transaction, params};

/// How long a record is kept.
const KEPT_DAYS: i64 = 30;

pub(super) type Sql<T> = rusqlite::Result<T>;

/// One transaction at one moment.
pub(super) struct Step<'t> {
    pub(super) tx: &'t Transaction<'t>,
    pub(super) now: Moment,
    /// Whether values were erased, so that the log of the file must be emptied after it.
    pub(super) erased: bool,
}

impl<'t> Step<'t> {
    /// Begins a step: whatever is over ends here, before anything else is looked at.
    pub(super) fn begin(tx: &'t Transaction<'t>, now: Moment) -> Sql<Self> {
        let mut step = Self {
            tx,
            now,
            erased: false,
        };
        step.end_what_is_over()?;
        step.delete_old()?;
        Ok(step)
    }

    fn end_what_is_over(&mut self) -> Sql<()> {
        for record in live_records(self.tx)? {
            if record.state_at(&self.now) == State::Expired {
                // It ended when its time was over, not when somebody looked.
                let ended = record
                    .expires_at()
                    .map_or(self.now.wall, |at| at.min(self.now.wall));
                self.end(&record.id, State::Expired, ended)?;
            }
        }
        Ok(())
    }

    fn delete_old(&mut self) -> Sql<()> {
        let oldest = oldest_kept(&self.now);
        let deleted = self
            .tx
            .prepare_cached(OLD_DELETE)?
            .execute(params![oldest])?;
        self.erased |= deleted > 0;
        super::past::forget_old(self.tx, &self.now)
    }

    /// Ends a live request and erases its values in the same step.
    pub(super) fn end(&mut self, id: &str, state: State, at: Timestamp) -> Sql<()> {
        let changed = self
            .tx
            .prepare_cached(
                "UPDATE requests SET state = ?2, ended = ?3, call = NULL, facts = NULL \
                 WHERE id = ?1 AND state IN ('pending', 'approved')",
            )?
            .execute(params![id, state.as_str(), at.to_string()])?;
        self.erased |= changed > 0;
        Ok(())
    }

    /// One record by its whole id.
    pub(super) fn load(&self, id: &str) -> Sql<Option<Record>> {
        self.tx
            .prepare_cached(&format!("SELECT {COLUMNS} FROM requests WHERE id = ?1"))?
            .query_row(params![id], rows::record)
            .optional()
    }

    /// The wall time as it is kept.
    pub(super) fn now_text(&self) -> String {
        self.now.to_text()
    }
}

const OLD_WHERE: &str = "state NOT IN ('pending', 'approved') AND made < ?1";
const OLD_DELETE: &str =
    "DELETE FROM requests WHERE state NOT IN ('pending', 'approved') AND made < ?1";

fn oldest_kept(now: &Moment) -> String {
    now.wall
        .saturating_sub(SignedDuration::from_hours(24 * KEPT_DAYS))
        .unwrap_or(Timestamp::MIN)
        .to_string()
}

/// All records that can still lead to a run.
pub(super) fn live_records(connection: &rusqlite::Connection) -> Sql<Vec<Record>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM requests WHERE state IN ('pending', 'approved') ORDER BY number"
        ))?
        .query_map([], rows::record)?
        .collect()
}

/// Whether a step would end or delete anything: told without taking the lock.
pub(super) fn is_due(connection: &rusqlite::Connection, now: &Moment) -> Sql<bool> {
    let over = live_records(connection)?
        .iter()
        .any(|record| record.state_at(now) == State::Expired);
    if over {
        return Ok(true);
    }
    connection
        .prepare_cached(&format!(
            "SELECT EXISTS (SELECT 1 FROM requests WHERE {OLD_WHERE})"
        ))?
        .query_row(params![oldest_kept(now)], |row| row.get(0))
}

/// When the first of these requests is over.
pub(super) fn first_over(records: &[Record]) -> Option<Timestamp> {
    records
        .iter()
        .filter_map(|r| {
            r.made
                .as_ref()
                .map(|made| add_minutes(made.wall, r.minutes))
        })
        .min()
}
