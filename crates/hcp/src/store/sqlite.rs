//! The embedded store: one SQLite file, opened only when a call asks.

use super::place::{prepare, unavailable};
use super::rows::{self, APPLICATION, COLUMNS, SINCE_2, TABLES, VERSION};
use super::step::{Sql, Step, is_due, live_records};
use super::{
    Answered, ApprovalStore, Confirm, Disconnected, Familiar, Found, NewRequest, PastQuery,
    Settled, StoreError, Verdict,
};
use crate::clock::Clock;
use hcp_core::approval::{AnsweredBy, Record, State};
use hcp_core::canonical::Digest;
use hcp_core::json::Value;
use hcp_core::moment::Moment;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The file's name in the home folder.
pub const FILE_NAME: &str = "approvals.db";

/// The shortest prefix of an id.
const PREFIX_LENGTH: usize = 4;
/// How long emptying the log may wait for readers; the next opening tries again.
const EMPTYING_PATIENCE: Duration = Duration::from_millis(10);

/// Requests and approvals in `approvals.db`.
pub struct SqliteStore {
    path: PathBuf,
    connection: Mutex<Connection>,
    patience: Duration,
    /// How long a lock is waited for now, in milliseconds; the busy handler reads it.
    waiting: Arc<AtomicU64>,
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the store of a home folder, or makes it. What ended since the last time is erased.
    ///
    /// # Errors
    /// [`StoreError`] when the file is not a regular one of this user's, when it is on a network or
    /// shared file system, or when it cannot be read.
    pub fn open(home: &Path, patience: Duration, clock: &dyn Clock) -> Result<Self, StoreError> {
        let path = home.join(FILE_NAME);
        prepare(home, &path)?;
        let left_over = wal_length(&path) > 0;
        let waiting = Arc::new(AtomicU64::new(millis(patience)));
        let connection =
            patiently(patience, || connect(&path, &waiting)).map_err(|e| explain(&path, &e))?;
        let store = Self {
            path,
            connection: Mutex::new(connection),
            patience,
            waiting,
        };
        store.tidy(clock, left_over)?;
        Ok(store)
    }

    /// A store that lives as long as this value: for programs that keep no approvals beyond their own run.
    ///
    /// # Errors
    /// [`StoreError`] when there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = PathBuf::from(":memory:");
        let waiting = Arc::new(AtomicU64::new(0));
        let connection = Connection::open_in_memory()
            .and_then(|connection| made_ready(connection, &waiting))
            .map_err(|e| explain(&path, &e))?;
        Ok(Self {
            path,
            connection: Mutex::new(connection),
            patience: Duration::ZERO,
            waiting,
        })
    }

    /// Ends and erases what is over, and empties the log where values may be left in it.
    fn tidy(&self, clock: &dyn Clock, left_over: bool) -> Result<(), StoreError> {
        if self.read(|connection| is_due(connection, &clock.now()))? {
            return self.step(clock, |_| Ok(()));
        }
        if left_over {
            self.empty_log(&self.lock());
        }
        Ok(())
    }

    /// One atomic step. The write lock is held before the clock is read.
    fn step<T>(
        &self,
        clock: &dyn Clock,
        work: impl Fn(&mut Step<'_>) -> Sql<T>,
    ) -> Result<T, StoreError> {
        let mut connection = self.lock();
        let (out, erased) = patiently(self.patience, || {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (out, erased) = {
                let mut step = Step::begin(&tx, clock.now())?;
                let out = work(&mut step)?;
                (out, step.erased)
            };
            tx.commit()?;
            Ok((out, erased))
        })
        .map_err(|e| explain(&self.path, &e))?;
        if erased {
            self.empty_log(&connection);
        }
        Ok(out)
    }

    fn read<T>(&self, work: impl Fn(&Connection) -> Sql<T>) -> Result<T, StoreError> {
        let connection = self.lock();
        patiently(self.patience, || work(&connection)).map_err(|e| explain(&self.path, &e))
    }

    /// Moves the log into the file and truncates it: erased values stay in it otherwise. When others
    /// read at the moment it is left to the next opening.
    fn empty_log(&self, connection: &Connection) {
        self.waiting.store(
            millis(EMPTYING_PATIENCE.min(self.patience)),
            Ordering::Relaxed,
        );
        let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        self.waiting.store(millis(self.patience), Ordering::Relaxed);
        drop(emptied);
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl ApprovalStore for SqliteStore {
    fn settle(
        &self,
        ask: &NewRequest,
        confirm: &Confirm,
        clock: &dyn Clock,
    ) -> Result<Settled, StoreError> {
        self.step(clock, |step| step.settle(ask, confirm))
    }

    fn list(&self, clock: &dyn Clock) -> Result<Vec<Record>, StoreError> {
        let mut records = self.read(live_records)?;
        let now = clock.now();
        records.retain(|record| record.state_at(&now) == State::Pending);
        Ok(records)
    }

    fn find(&self, prefix: &str, clock: &dyn Clock) -> Result<Found, StoreError> {
        let prefix = prefix.to_ascii_lowercase();
        if prefix.len() < PREFIX_LENGTH || !prefix.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(Found::None);
        }
        let records = self.read(|connection| begins_with(connection, &prefix))?;
        Ok(pick(records, &clock.now()))
    }

    fn answer(
        &self,
        id: &str,
        verdict: &Verdict,
        by: AnsweredBy,
        clock: &dyn Clock,
    ) -> Result<Answered, StoreError> {
        self.step(clock, |step| step.answer(id, verdict, by))
    }

    fn forget(&self, id: &str, clock: &dyn Clock) -> Result<Answered, StoreError> {
        self.step(clock, |step| step.forget(id))
    }

    fn withdraw(&self, id: &str, clock: &dyn Clock) -> Result<Answered, StoreError> {
        self.step(clock, |step| step.withdraw(id))
    }

    fn end_connected(
        &self,
        ended: &Disconnected<'_>,
        clock: &dyn Clock,
    ) -> Result<usize, StoreError> {
        self.step(clock, |step| step.end_connected(ended))
    }

    fn replace_card(
        &self,
        id: &str,
        card_digest: &Digest,
        call: Option<&Value>,
        clock: &dyn Clock,
    ) -> Result<Answered, StoreError> {
        self.step(clock, |step| step.replace_card(id, card_digest, call))
    }

    fn familiar(&self, query: &PastQuery<'_>, clock: &dyn Clock) -> Result<Familiar, StoreError> {
        let now = clock.now();
        self.read(|connection| {
            // One reading transaction: what is told stood together at one moment.
            let tx = connection.unchecked_transaction()?;
            super::past::familiar(&tx, query, &now)
        })
    }
}

fn begins_with(connection: &Connection, prefix: &str) -> Sql<Vec<Record>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM requests WHERE substr(id, 1, ?2) = ?1 ORDER BY number"
        ))?
        .query_map(
            params![prefix, i64::try_from(prefix.len()).unwrap_or(i64::MAX)],
            rows::record,
        )?
        .collect()
}

/// The one record meant, told as it stands now: a live one before those that ended.
fn pick(records: Vec<Record>, now: &Moment) -> Found {
    let (live, ended): (Vec<Record>, Vec<Record>) = records
        .into_iter()
        .map(|record| as_of(record, now))
        .partition(|record| record.state.is_live());
    let mut fitting = if live.is_empty() { ended } else { live };
    match fitting.len() {
        0 => Found::None,
        1 => fitting
            .pop()
            .map_or(Found::None, |record| Found::One(Box::new(record))),
        _ => Found::Many(fitting.into_iter().map(|record| record.id).collect()),
    }
}

/// A record in the state that counts now; one that expired has no values any more.
fn as_of(record: Record, now: &Moment) -> Record {
    match record.state_at(now) {
        State::Expired => Record {
            state: State::Expired,
            call: None,
            ..record
        },
        State::Pending | State::Approved | State::Rejected | State::Used | State::Withdrawn => {
            record
        }
    }
}

fn connect(path: &Path, waiting: &Arc<AtomicU64>) -> Sql<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    made_ready(Connection::open_with_flags(path, flags)?, waiting)
}

fn made_ready(mut connection: Connection, waiting: &Arc<AtomicU64>) -> Sql<Connection> {
    connection.busy_handler(Some(waiter(Arc::clone(waiting))))?;
    connection.execute_batch(
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; \
         PRAGMA secure_delete = ON;",
    )?;
    if version(&connection)? < VERSION {
        set_up(&mut connection)?;
    }
    if (version(&connection)?, application(&connection)?) != (VERSION, APPLICATION) {
        return Err(rusqlite::Error::InvalidQuery);
    }
    connection.execute_batch("PRAGMA synchronous = FULL;")?;
    Ok(connection)
}

/// Makes the tables of a new file and adds what an older version had not, in one step; a file of somebody
/// else's is left as it is.
fn set_up(connection: &mut Connection) -> Sql<()> {
    if version(connection)? == 0 {
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    }
    connection.execute_batch("PRAGMA synchronous = FULL;")?;
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if version(&tx)? == 0 && tables == 0 {
        tx.execute_batch(TABLES)?;
        tx.pragma_update(None, "application_id", APPLICATION)?;
        tx.pragma_update(None, "user_version", 1)?;
    }
    // Looked at inside the step: another process may have done it meanwhile.
    if (version(&tx)?, application(&tx)?) == (1, APPLICATION) {
        tx.execute_batch(SINCE_2)?;
        tx.pragma_update(None, "user_version", VERSION)?;
    }
    tx.commit()
}

fn version(connection: &Connection) -> Sql<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn application(connection: &Connection) -> Sql<i64> {
    connection.query_row("PRAGMA application_id", [], |row| row.get(0))
}

/// Waits for a lock in short steps, as long as `waiting` says: an approval is taken in a fraction of
/// the steps that SQLite's own handler sleeps.
fn waiter(waiting: Arc<AtomicU64>) -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |tries| {
        if tries == 0 {
            since = Instant::now();
        }
        if since.elapsed() >= Duration::from_millis(waiting.load(Ordering::Relaxed)) {
            return false;
        }
        let step = 200_u64 << u32::try_from(tries).unwrap_or(0).min(4);
        std::thread::sleep(Duration::from_micros(step));
        true
    }
}

/// Repeats what SQLite refused without asking its busy handler: changing to WAL and recovering it.
fn patiently<T>(patience: Duration, mut work: impl FnMut() -> Sql<T>) -> Sql<T> {
    let end = Instant::now() + patience;
    loop {
        match work() {
            Err(e) if is_busy(&e) && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

fn explain(path: &Path, error: &rusqlite::Error) -> StoreError {
    if is_busy(error) {
        return StoreError::Busy {
            path: path.to_owned(),
        };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => unavailable(path, "the disk is full", "free some space"),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => unavailable(
            path,
            format!("it is damaged or no such store: {error}"),
            "move it away; open requests are then asked anew",
        ),
        _ if matches!(error, rusqlite::Error::InvalidColumnType(..)) => unavailable(
            path,
            "a record in it is damaged",
            "move it away; open requests are then asked anew",
        ),
        _ if matches!(error, rusqlite::Error::InvalidQuery) => unavailable(
            path,
            "it was not made by this version of hcpx",
            "use the newest hcpx, or move the file away",
        ),
        _ => unavailable(
            path,
            error.to_string(),
            "check its permissions and the free space",
        ),
    }
}

fn wal_length(path: &Path) -> u64 {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(Path::new(&name)).map_or(0, |meta| meta.len())
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
