//! The tables, and how a record is written to a row and read from one.

use hcp_core::approval::{AnsweredBy, Binding, Record, State};
use hcp_core::canonical::Digest;
use hcp_core::json::{Limits, Object, Value, parse};
use hcp_core::mode::Approvals;
use hcp_core::moment::Moment;
use hcp_core::names::VerbKey;
use hcp_core::principal::{Principal, PrincipalKind};
use rusqlite::types::Type;
use rusqlite::{Row, Transaction, params};

/// The version of the tables below, kept as `user_version`.
pub(super) const VERSION: i64 = 2;
/// Marks the file as ours, kept as `application_id` ("hcpa").
pub(super) const APPLICATION: i64 = 0x6863_7061;

/// Times are kept as texts of two clocks; one that cannot be read counts as over.
pub(super) const TABLES: &str = "
CREATE TABLE requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL
        CHECK (state IN ('pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn')),
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    kind TEXT NOT NULL,
    project TEXT,
    verb TEXT NOT NULL,
    binding TEXT NOT NULL,
    facts TEXT,
    call TEXT,
    carried_secret INTEGER NOT NULL,
    carried_stdin INTEGER NOT NULL,
    card TEXT NOT NULL,
    approvals TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    made TEXT NOT NULL,
    answered TEXT,
    answered_by TEXT,
    ended TEXT,
    note TEXT,
    forgotten INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX one_live ON requests (tenant, principal, binding)
    WHERE state IN ('pending', 'approved');
CREATE INDEX by_binding ON requests (binding);
CREATE INDEX by_command ON requests (tenant, principal, verb);
CREATE INDEX by_state ON requests (state);
CREATE TABLE statements (digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
";

/// What version 2 adds: the yeses are counted, a request remembers how many there were when it was made and when
/// it was answered, and of each yes the keyed digests of its call's identifiers are kept. A request of version 1
/// was made when nothing was remembered yet, which is what zero says.
pub(super) const SINCE_2: &str = "
CREATE TABLE counter (yeses INTEGER NOT NULL) STRICT;
INSERT INTO counter (yeses) VALUES (0);
ALTER TABLE requests ADD COLUMN made_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN answered_after INTEGER;
CREATE TABLE approved (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    project TEXT,
    verb TEXT NOT NULL,
    first INTEGER NOT NULL,
    seen TEXT NOT NULL
) STRICT;
CREATE INDEX approved_command ON approved (tenant, principal, verb);
CREATE INDEX approved_seen ON approved (seen);
CREATE TABLE identifiers (
    command INTEGER NOT NULL,
    value TEXT NOT NULL,
    folded TEXT NOT NULL,
    skeleton TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    seen TEXT NOT NULL,
    PRIMARY KEY (command, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX identifiers_skeleton ON identifiers (command, skeleton);
CREATE INDEX identifiers_last ON identifiers (command, last);
CREATE INDEX identifiers_seen ON identifiers (seen);
";

/// The columns that [`record`] reads, in its order.
pub(super) const COLUMNS: &str = "id, state, tenant, principal, kind, project, verb, binding, facts, \
     call, carried_secret, carried_stdin, card, approvals, minutes, made, answered, answered_by, note, \
     forgotten";

/// A record from a row of [`COLUMNS`].
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let word = |at: usize| row.get::<_, String>(at);
    let facts: Option<String> = row.get(8)?;
    let call: Option<String> = row.get(9)?;
    let made: String = word(15)?;
    let answered: Option<String> = row.get(16)?;
    let by: Option<String> = row.get(17)?;
    Ok(Record {
        id: word(0)?,
        state: State::parse(&word(1)?).ok_or_else(|| damaged(1))?,
        tenant: word(2)?,
        principal: Principal {
            id: word(3)?,
            kind: PrincipalKind::parse(&word(4)?).ok_or_else(|| damaged(4))?,
        },
        project: row.get(5)?,
        verb: VerbKey::parse(&word(6)?).ok_or_else(|| damaged(6))?,
        binding: Binding {
            digest: Digest::from_hex(&word(7)?).ok_or_else(|| damaged(7))?,
            facts: facts.as_deref().map(read_facts).unwrap_or_default(),
        },
        call: call.as_deref().and_then(read_value),
        carried_secret: row.get(10)?,
        carried_stdin: row.get(11)?,
        card_digest: Digest::from_hex(&word(12)?).ok_or_else(|| damaged(12))?,
        // A word that cannot be read is taken for the stricter one.
        approvals: Approvals::parse(&word(13)?).unwrap_or(Approvals::Human),
        minutes: u64::try_from(row.get::<_, i64>(14)?).unwrap_or(0),
        made: Moment::from_text(&made),
        answered: answered.as_deref().and_then(Moment::from_text),
        answered_by: by.as_deref().and_then(AnsweredBy::parse),
        note: row.get(18)?,
        forgotten: row.get(19)?,
    })
}

/// Writes a new record.
pub(super) fn insert(tx: &Transaction<'_>, record: &Record) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO requests (id, state, tenant, principal, kind, project, verb, binding, facts, call, \
         carried_secret, carried_stdin, card, approvals, minutes, made, made_after) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
         (SELECT max(yeses) FROM counter))",
    )?
    .execute(params![
        record.id,
        record.state.as_str(),
        record.tenant,
        record.principal.id,
        record.principal.kind.as_str(),
        record.project,
        record.verb.to_string(),
        record.binding.digest.to_string(),
        write_facts(&record.binding.facts),
        record.call.as_ref().map(Value::to_string),
        record.carried_secret,
        record.carried_stdin,
        record.card_digest.to_string(),
        record.approvals.as_str(),
        i64::try_from(record.minutes).unwrap_or(i64::MAX),
        record.made.as_ref().map(Moment::to_text).unwrap_or_default(),
    ])?;
    Ok(())
}

fn damaged(column: usize) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, "a damaged record".to_owned(), Type::Text)
}

fn write_facts(facts: &[(String, Digest)]) -> String {
    let object: Object = facts
        .iter()
        .map(|(name, digest)| (name.clone(), Value::from(digest.to_string())))
        .collect();
    Value::from(object).to_string()
}

fn read_facts(text: &str) -> Vec<(String, Digest)> {
    let Some(Value::Object(object)) = read_value(text) else {
        return Vec::new();
    };
    object
        .into_iter()
        .filter_map(|(name, digest)| Some((name, Digest::from_hex(digest.as_str()?)?)))
        .collect()
}

fn read_value(text: &str) -> Option<Value> {
    // What the store wrote was within the bounds of its own reader before it came here; a card may
    // nest a little deeper than the arguments it shows.
    let limits = Limits {
        bytes: 64 << 20,
        depth: 256,
    };
    Some(parse(text, limits).ok()?.to_value())
}
