//! What earlier yeses taught: which commands had one, and which identifiers their calls had.
//!
//! Of an identifier two keyed digests are kept and nothing else, so that neither file nor log tells whom anybody
//! paid or wrote to. They stay longer than the requests do: a payee of last spring is no new one.

use super::step::{Sql, Step};
use super::{Familiar, IdentifierDigest, NewRequest, PastQuery, rows};
use hcp_core::approval::{Record, State};
use hcp_core::canonical::Digest;
use hcp_core::moment::Moment;
use hcp_core::names::VerbKey;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// How long an identifier is remembered after the last yes with it.
const REMEMBERED_DAYS: i64 = 400;
/// The most identifiers of one command that are remembered; those of the newest yeses stay.
const REMEMBERED: i64 = 10_000;
/// How long a no or a request that ran out counts for the card of the same call.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

impl Step<'_> {
    /// Remembers the identifiers of a call whose approval is taken.
    pub(super) fn learn(&self, ask: &NewRequest) -> Sql<()> {
        let yes: i64 = self
            .tx
            .prepare_cached("UPDATE counter SET yeses = yeses + 1 RETURNING yeses")?
            .query_row([], |row| row.get(0))?;
        let seen = self.now.wall.to_string();
        let command = self.command_of(ask, yes, &seen)?;
        for identifier in &ask.identifiers {
            self.tx
                .prepare_cached(
                    "INSERT INTO identifiers (command, value, folded, skeleton, first, last, seen) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6) \
                     ON CONFLICT (command, value) DO UPDATE \
                     SET folded = excluded.folded, skeleton = excluded.skeleton, last = excluded.last, seen = excluded.seen",
                )?
                .execute(params![
                    command,
                    identifier.value.to_string(),
                    identifier.folded.to_string(),
                    identifier.skeleton.to_string(),
                    yes,
                    seen
                ])?;
        }
        self.tx
            .prepare_cached(
                "DELETE FROM identifiers WHERE command = ?1 AND value IN \
                 (SELECT value FROM identifiers WHERE command = ?1 ORDER BY last DESC, value \
                 LIMIT -1 OFFSET ?2)",
            )?
            .execute(params![command, REMEMBERED])?;
        Ok(())
    }

    /// The row of a command of one Principal in one project, made where it is the first yes.
    fn command_of(&self, ask: &NewRequest, yes: i64, seen: &str) -> Sql<i64> {
        let project = ask.project.as_deref();
        let (tenant, principal) = (&ask.tenant, &ask.principal.id);
        if let Some(command) = find_command(self.tx, tenant, principal, project, &ask.verb)? {
            self.tx
                .prepare_cached("UPDATE approved SET seen = ?2 WHERE number = ?1")?
                .execute(params![command.number, seen])?;
            return Ok(command.number);
        }
        self.tx
            .prepare_cached(
                "INSERT INTO approved (tenant, principal, project, verb, first, seen) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                tenant,
                principal,
                project,
                ask.verb.to_string(),
                yes,
                seen
            ])?;
        Ok(self.tx.last_insert_rowid())
    }
}

/// Forgets what no yes confirmed for very long.
pub(super) fn forget_old(tx: &Transaction<'_>, now: &Moment) -> Sql<()> {
    let oldest = before(now, SignedDuration::from_hours(24 * REMEMBERED_DAYS)).to_string();
    for delete in [
        "DELETE FROM identifiers WHERE seen < ?1",
        "DELETE FROM approved WHERE seen < ?1",
    ] {
        tx.prepare_cached(delete)?.execute(params![oldest])?;
    }
    Ok(())
}

/// What is known of a call: see [`ApprovalStore::familiar`](super::ApprovalStore::familiar).
pub(super) fn familiar(
    connection: &Connection,
    query: &PastQuery<'_>,
    now: &Moment,
) -> Sql<Familiar> {
    let (live, over) = match query.binding {
        Some(binding) => live(connection, query, binding, now)?,
        None => (None, None),
    };
    let command = find_command(
        connection,
        query.tenant,
        query.principal,
        query.project,
        query.verb,
    )?;
    let mut found = Familiar {
        unanswered: unanswered(connection, query, live.as_ref(), over, now)?,
        first_time: vec![false; query.identifiers.len()],
        looks_like: vec![false; query.identifiers.len()],
        ..Familiar::default()
    };
    let Some(command) = command else {
        return Ok(found);
    };
    let points = points(live.as_ref());
    found.approved_before = points.iter().any(|point| command.first <= *point);
    for (at, identifier) in query.identifiers.iter().enumerate() {
        let first = first_with(connection, command.number, identifier)?;
        let twin = first_twin(connection, command.number, identifier)?;
        let is_new = |point: &i64| {
            command.first <= *point && first.is_none_or(|known_since| known_since > *point)
        };
        if let Some(slot) = found.first_time.get_mut(at) {
            *slot = points.iter().any(is_new);
        }
        if let Some(slot) = found.looks_like.get_mut(at) {
            *slot = twin.is_some_and(|since| points.iter().any(|point| since <= *point));
        }
    }
    Ok(found)
}

/// The yeses, by their count, as of which a call is looked at; a fact counts when it held at any of them.
fn points(live: Option<&Live>) -> Vec<i64> {
    match live {
        None => vec![i64::MAX],
        Some(live) => match live.answered_after {
            Some(answered) => vec![live.made_after, answered],
            None => vec![live.made_after, i64::MAX],
        },
    }
}

/// The request of this very call that can still lead to a run.
struct Live {
    number: i64,
    made: Timestamp,
    made_after: i64,
    /// `None` while it waits.
    answered_after: Option<i64>,
}

/// The live request of a call; else, the moment at which one ran out that no step has ended yet.
fn live(
    connection: &Connection,
    query: &PastQuery<'_>,
    binding: &Digest,
    now: &Moment,
) -> Sql<(Option<Live>, Option<Timestamp>)> {
    let found = connection
        .prepare_cached(&format!(
            "SELECT {}, number, made_after, answered_after FROM requests \
             WHERE tenant = ?1 AND principal = ?2 AND binding = ?3 \
             AND state IN ('pending', 'approved')",
            rows::COLUMNS
        ))?
        .query_row(
            params![query.tenant, query.principal, binding.to_string()],
            |row| {
                Ok((
                    rows::record(row)?,
                    row.get("number")?,
                    row.get("made_after")?,
                    row.get::<_, Option<i64>>("answered_after")?,
                ))
            },
        )
        .optional()?;
    let Some((record, number, made_after, answered_after)) = found else {
        return Ok((None, None));
    };
    if record.state_at(now) == State::Expired {
        return Ok((None, Some(ended_at(&record, now))));
    }
    let made = record.made.as_ref().map_or(now.wall, |made| made.wall);
    // One that was approved before answers were counted looks at what there was then: nothing.
    let answered_after = match record.state {
        State::Approved => Some(answered_after.unwrap_or(made_after)),
        State::Pending | State::Rejected | State::Used | State::Expired | State::Withdrawn => None,
    };
    let live = Live {
        number,
        made,
        made_after,
        answered_after,
    };
    Ok((Some(live), None))
}

fn ended_at(record: &Record, now: &Moment) -> Timestamp {
    record.expires_at().map_or(now.wall, |at| at.min(now.wall))
}

/// How often the same call was rejected or ran out, within a day before its request was made. A no that was taken
/// back counts too: the call was asked all the same.
fn unanswered(
    connection: &Connection,
    query: &PastQuery<'_>,
    live: Option<&Live>,
    over: Option<Timestamp>,
    now: &Moment,
) -> Sql<u32> {
    let Some(binding) = query.binding else {
        return Ok(0);
    };
    let (before_number, until) = match live {
        Some(live) => (live.number, live.made),
        None => (i64::MAX, now.wall),
    };
    let since = until.saturating_sub(LATELY).unwrap_or(Timestamp::MIN);
    let ends: Vec<String> = connection
        .prepare_cached(
            "SELECT ended FROM requests WHERE binding = ?3 AND tenant = ?1 AND principal = ?2 \
             AND state IN ('rejected', 'expired') AND ended IS NOT NULL AND number < ?4",
        )?
        .query_map(
            params![
                query.tenant,
                query.principal,
                binding.to_string(),
                before_number
            ],
            |row| row.get(0),
        )?
        .collect::<Sql<_>>()?;
    let ends = ends.iter().filter_map(|text| text.parse().ok()).chain(over);
    let lately = ends.filter(|end: &Timestamp| *end > since).count();
    Ok(u32::try_from(lately).unwrap_or(u32::MAX))
}

/// A command of one Principal in one project that had a yes.
struct CommandRow {
    number: i64,
    /// Its first yes.
    first: i64,
}

fn find_command(
    connection: &Connection,
    tenant: &str,
    principal: &str,
    project: Option<&str>,
    verb: &VerbKey,
) -> Sql<Option<CommandRow>> {
    connection
        .prepare_cached(
            "SELECT number, first FROM approved \
             WHERE tenant = ?1 AND principal = ?2 AND project IS ?3 AND verb = ?4",
        )?
        .query_row(
            params![tenant, principal, project, verb.to_string()],
            |row| {
                Ok(CommandRow {
                    number: row.get(0)?,
                    first: row.get(1)?,
                })
            },
        )
        .optional()
}

/// The first yes with this very value.
fn first_with(
    connection: &Connection,
    command: i64,
    identifier: &IdentifierDigest,
) -> Sql<Option<i64>> {
    connection
        .prepare_cached("SELECT first FROM identifiers WHERE command = ?1 AND value = ?2")?
        .query_row(params![command, identifier.value.to_string()], number)
        .optional()
}

/// The first yes with another value, in more than the case of its letters, that looks the same.
fn first_twin(
    connection: &Connection,
    command: i64,
    identifier: &IdentifierDigest,
) -> Sql<Option<i64>> {
    connection
        .prepare_cached(
            "SELECT min(first) FROM identifiers \
             WHERE command = ?1 AND skeleton = ?2 AND folded <> ?3",
        )?
        .query_row(
            params![
                command,
                identifier.skeleton.to_string(),
                identifier.folded.to_string()
            ],
            |row| row.get(0),
        )
}

fn number(row: &Row<'_>) -> Sql<i64> {
    row.get(0)
}

fn before(now: &Moment, span: SignedDuration) -> Timestamp {
    now.wall.saturating_sub(span).unwrap_or(Timestamp::MIN)
}
