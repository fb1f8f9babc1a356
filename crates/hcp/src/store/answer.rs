//! A person's answers, in one atomic step each.

use super::step::{Sql, Step, live_records};
use super::{Answered, Disconnected, Verdict};
use hcp_core::approval::{AnsweredBy, Record, State};
use hcp_core::canonical::Digest;
use hcp_core::json::Value;
use hcp_core::mode::Approvals;
use rusqlite::params;

/// Why a request was withdrawn whose account is no longer the one it was made under.
const OTHER_ACCOUNT: &str = "the account of its pack is another now";
/// The longest note, in characters.
const NOTE_LENGTH: usize = 1_000;

impl Step<'_> {
    pub(super) fn answer(&mut self, id: &str, verdict: &Verdict, by: AnsweredBy) -> Sql<Answered> {
        let Some(record) = self.load(id)? else {
            return Ok(Answered::Unknown);
        };
        match verdict {
            Verdict::Yes { card_digest } => self.yes(record, card_digest.as_ref(), by),
            Verdict::Stated {
                card_digest,
                statement,
            } => self.stated_yes(record, card_digest, statement, by),
            Verdict::No { note } => self.no(record, note.as_deref(), by),
        }
    }

    fn yes(&mut self, record: Record, card: Option<&Digest>, by: AnsweredBy) -> Sql<Answered> {
        match record.state {
            State::Pending => {}
            State::Approved => return Ok(Answered::Already(record)),
            State::Rejected | State::Used | State::Expired | State::Withdrawn => {
                return Ok(Answered::Over(record));
            }
        }
        if by == AnsweredBy::Agent && record.approvals == Approvals::Human {
            return Ok(Answered::HumanOnly(record));
        }
        if card.is_some_and(|shown| *shown != record.card_digest) {
            return Ok(Answered::CardChanged(record));
        }
        self.tx
            .prepare_cached(
                "UPDATE requests SET state = 'approved', answered = ?2, answered_by = ?3, \
                 answered_after = (SELECT max(yeses) FROM counter) \
                 WHERE id = ?1 AND state = 'pending'",
            )?
            .execute(params![record.id, self.now_text(), by.as_str()])?;
        self.done(&record.id)
    }

    /// A yes under a host's own id. From here on the id stands for this request alone.
    fn stated_yes(
        &mut self,
        record: Record,
        card: &Digest,
        statement: &str,
        by: AnsweredBy,
    ) -> Sql<Answered> {
        if !record.state.is_live() {
            return Ok(Answered::Over(record));
        }
        if *card != record.card_digest {
            return Ok(Answered::CardChanged(record));
        }
        let (tenant, principal) = (record.tenant.clone(), record.principal.id.clone());
        let first = self.first_statement(&[&tenant, &principal, statement])?;
        if !first && !self.is_stated_for(&record, statement)? {
            return Ok(Answered::StatementUsed(record));
        }
        self.first_statement(&[&tenant, &principal, statement, &record.id])?;
        self.yes(record, Some(card), by)
    }

    fn no(&mut self, record: Record, note: Option<&str>, by: AnsweredBy) -> Sql<Answered> {
        match record.state {
            State::Pending | State::Approved => {}
            State::Rejected => return Ok(Answered::Already(record)),
            State::Used | State::Expired | State::Withdrawn => return Ok(Answered::Over(record)),
        }
        self.tx
            .prepare_cached(
                "UPDATE requests SET answered = ?2, answered_by = ?3, note = ?4 WHERE id = ?1",
            )?
            .execute(params![
                record.id,
                self.now_text(),
                by.as_str(),
                note.map(shorten)
            ])?;
        self.end(&record.id, State::Rejected, self.now.wall)?;
        self.done(&record.id)
    }

    pub(super) fn forget(&mut self, id: &str) -> Sql<Answered> {
        let Some(record) = self.load(id)? else {
            return Ok(Answered::Unknown);
        };
        match record.state {
            State::Rejected if record.forgotten => return Ok(Answered::Already(record)),
            State::Rejected => {}
            State::Pending | State::Approved | State::Used | State::Expired | State::Withdrawn => {
                return Ok(Answered::Over(record));
            }
        }
        self.tx
            .prepare_cached("UPDATE requests SET forgotten = 1 WHERE id = ?1")?
            .execute(params![id])?;
        self.done(id)
    }

    pub(super) fn withdraw(&mut self, id: &str) -> Sql<Answered> {
        let Some(record) = self.load(id)? else {
            return Ok(Answered::Unknown);
        };
        match record.state {
            State::Pending => {}
            State::Withdrawn => return Ok(Answered::Already(record)),
            State::Approved | State::Rejected | State::Used | State::Expired => {
                return Ok(Answered::Over(record));
            }
        }
        self.end(id, State::Withdrawn, self.now.wall)?;
        self.done(id)
    }

    pub(super) fn end_connected(&mut self, ended: &Disconnected<'_>) -> Sql<usize> {
        let mut count = 0;
        for record in live_records(self.tx)? {
            let is_meant = record.tenant == ended.tenant
                && record.principal.id == ended.principal
                && record.verb.pack == *ended.pack
                && ended
                    .binding
                    .is_none_or(|own| *own == record.binding.digest);
            if is_meant {
                self.tx
                    .prepare_cached("UPDATE requests SET note = ?2 WHERE id = ?1")?
                    .execute(params![record.id, OTHER_ACCOUNT])?;
                self.end(&record.id, State::Withdrawn, self.now.wall)?;
                count += 1;
            }
        }
        Ok(count)
    }

    pub(super) fn replace_card(
        &mut self,
        id: &str,
        card: &Digest,
        call: Option<&Value>,
    ) -> Sql<Answered> {
        let Some(record) = self.load(id)? else {
            return Ok(Answered::Unknown);
        };
        match record.state {
            State::Pending => {}
            State::Approved | State::Rejected | State::Used | State::Expired | State::Withdrawn => {
                return Ok(Answered::Over(record));
            }
        }
        self.tx
            .prepare_cached("UPDATE requests SET card = ?2, call = ?3 WHERE id = ?1")?
            .execute(params![id, card.to_string(), call.map(Value::to_string)])?;
        self.erased = true;
        self.done(id)
    }

    fn done(&self, id: &str) -> Sql<Answered> {
        Ok(match self.load(id)? {
            Some(record) => Answered::Done(record),
            None => Answered::Unknown,
        })
    }
}

fn shorten(note: &str) -> String {
    let mut short: String = note.chars().take(NOTE_LENGTH).collect();
    if note.chars().count() > NOTE_LENGTH {
        short.push('…');
    }
    short
}
