//! What becomes of a call that asks, in one atomic step.

use super::rows::{self, COLUMNS};
use super::step::{Sql, Step, first_over, live_records};
use super::{Change, Confirm, NewRequest, Settled};
use hcp_core::approval::{
    AnsweredBy, Flood, PENDING_PER_COMMAND, PENDING_PER_PRINCIPAL, Record, State, flood,
};
use hcp_core::canonical;
use hcp_core::code::Code;
use hcp_core::json::Value;
use hcp_core::mode::Approvals;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{OptionalExtension, params};

/// How many ends of a command are looked at: enough for the longest wait.
const ENDS_LOOKED_AT: usize = 64;

fn statement_digest(parts: &[&str]) -> String {
    let whole = Value::from(parts.to_vec());
    canonical::sha256(canonical::encode(&whole).as_bytes()).to_string()
}

/// A word for a refusal: code and text.
struct Why {
    code: Code,
    message: String,
    changed: Vec<Change>,
}

impl Why {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            changed: Vec::new(),
        }
    }
}

impl Step<'_> {
    pub(super) fn settle(&mut self, ask: &NewRequest, confirm: &Confirm) -> Sql<Settled> {
        match confirm {
            Confirm::None => self.plain(ask),
            Confirm::Id(id) => match self.load(id)?.filter(|record| is_own(record, ask)) {
                Some(record) => self.confirmed(ask, record),
                None => self.refuse(ask, unknown(id)),
            },
            Confirm::ByHuman(id) => self.stated(ask, id),
        }
    }

    /// The call came without an id.
    fn plain(&mut self, ask: &NewRequest) -> Sql<Settled> {
        match self.live(ask)? {
            Some(record) if record.state == State::Approved => {
                let id = record.id.clone();
                self.take_approved(ask, record, &id)
            }
            Some(record) => Ok(Settled::Asked(self.same_request(ask, record)?)),
            None => self.no_or_fresh(ask),
        }
    }

    /// The call came with the id of one of its Principal's requests.
    fn confirmed(&mut self, ask: &NewRequest, record: Record) -> Sql<Settled> {
        if let Some(ended) = self.ended(&record) {
            return match ended {
                Ended::No => Ok(Settled::Rejected(record)),
                Ended::Why(why) => self.refuse(ask, why),
            };
        }
        if record.binding.digest != ask.binding.digest {
            let why = mismatch(&record, ask);
            return self.refuse(ask, why);
        }
        if record.state == State::Approved {
            let id = record.id.clone();
            return self.take_approved(ask, record, &id);
        }
        let card_was_shown = record.card_digest == ask.card_digest;
        let record = self.same_request(ask, record)?;
        if record.approvals == Approvals::Human {
            return Ok(Settled::Refused {
                code: Code::HumanOnly,
                message: format!(
                    "only a person's own answer counts for request {}; it waits for them",
                    record.id
                ),
                changed: Vec::new(),
                asked: Some(record),
            });
        }
        if !card_was_shown {
            // The yes was to another card than the one that is drawn now.
            return Ok(Settled::Asked(record));
        }
        let id = record.id.clone();
        self.take(ask, record, AnsweredBy::Agent, id)
    }

    /// A host says that its own interface has a person's yes for this very call.
    fn stated(&mut self, ask: &NewRequest, id: &str) -> Sql<Settled> {
        if let Some(record) = self.load(id)?.filter(|record| is_own(record, ask)) {
            match self.ended(&record) {
                Some(Ended::No) => return Ok(Settled::Rejected(record)),
                Some(Ended::Why(why)) => return self.refuse(ask, why),
                None if record.binding.digest != ask.binding.digest => {
                    let why = mismatch(&record, ask);
                    return self.refuse(ask, why);
                }
                None => {}
            }
        }
        if let Some(no) = self.standing_no(ask)? {
            return Ok(Settled::Rejected(no));
        }
        if !self.first_statement(&[&ask.tenant, &ask.principal.id, id])? {
            // The host may have said so before, for this very request, whose run this is.
            if let Some(record) = self.live(ask)?
                && record.state == State::Approved
                && self.is_stated_for(&record, id)?
            {
                return self.take_approved(ask, record, id);
            }
            let text = "this statement of a person's yes was used before; each counts once";
            return self.refuse(ask, Why::new(Code::ApprovalUsed, text));
        }
        let record = match self.live(ask)? {
            Some(record) => record,
            None => self.create(ask)?,
        };
        self.take(ask, record, AnsweredBy::Human, id.to_owned())
    }

    /// Remembers a statement, by its parts; `false` when it came before. Statements are kept as digests and for
    /// ever: once means once.
    pub(super) fn first_statement(&mut self, parts: &[&str]) -> Sql<bool> {
        let added = self
            .tx
            .prepare_cached("INSERT OR IGNORE INTO statements (digest) VALUES (?1)")?
            .execute(params![statement_digest(parts)])?;
        Ok(added > 0)
    }

    /// Whether a host gave its yes to this request under this id.
    pub(super) fn is_stated_for(&self, record: &Record, id: &str) -> Sql<bool> {
        let parts = [&*record.tenant, &record.principal.id, id, &record.id];
        self.tx
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM statements WHERE digest = ?1)")?
            .query_row(params![statement_digest(&parts)], |row| row.get(0))
    }

    /// Uses a yes that was given before.
    fn take_approved(
        &mut self,
        ask: &NewRequest,
        record: Record,
        approval_id: &str,
    ) -> Sql<Settled> {
        let by = record.answered_by.unwrap_or(AnsweredBy::Agent);
        if ask.approvals == Approvals::Human && by == AnsweredBy::Agent {
            // The settings became stricter since: an agent's word is no longer enough.
            self.end(&record.id, State::Withdrawn, self.now.wall)?;
            return self.no_or_fresh(ask);
        }
        if record.card_digest != ask.card_digest {
            // The yes was to another card than the one that is drawn now: a file that was swapped
            // while the person looked, say. It does not count, and the new card is shown.
            self.end(&record.id, State::Withdrawn, self.now.wall)?;
            return self.no_or_fresh(ask);
        }
        self.take(ask, record, by, approval_id.to_owned())
    }

    /// Spends a request: the one step after which its call may run, once. What it teaches of later calls is kept
    /// in the same step.
    fn take(
        &mut self,
        ask: &NewRequest,
        record: Record,
        by: AnsweredBy,
        approval_id: String,
    ) -> Sql<Settled> {
        if record.state == State::Pending {
            self.tx
                .prepare_cached(
                    "UPDATE requests SET answered = ?2, answered_by = ?3 WHERE id = ?1",
                )?
                .execute(params![record.id, self.now_text(), by.as_str()])?;
        }
        self.end(&record.id, State::Used, self.now.wall)?;
        self.learn(ask)?;
        let record = Record {
            state: State::Used,
            ..record
        };
        Ok(Settled::Taken {
            record,
            by,
            approval_id,
        })
    }

    /// The request that waits for this call already: same id, same time. What became stricter, or is
    /// drawn otherwise since, is brought up to date.
    fn same_request(&mut self, ask: &NewRequest, mut record: Record) -> Sql<Record> {
        let approvals = record.approvals.max(ask.approvals);
        if approvals != record.approvals || record.card_digest != ask.card_digest {
            self.tx
                .prepare_cached(
                    "UPDATE requests SET approvals = ?2, card = ?3, call = ?4 WHERE id = ?1",
                )?
                .execute(params![
                    record.id,
                    approvals.as_str(),
                    ask.card_digest.to_string(),
                    ask.call.as_ref().map(Value::to_string),
                ])?;
            self.erased = true;
            record.approvals = approvals;
            record.card_digest = ask.card_digest;
            record.call = ask.call.clone();
        }
        Ok(record)
    }

    /// A refusal, with the request for the call at hand; a standing no says more than any of them.
    fn refuse(&mut self, ask: &NewRequest, why: Why) -> Sql<Settled> {
        let asked = match self.live(ask)? {
            Some(record) if record.state == State::Pending => Some(self.same_request(ask, record)?),
            Some(record) => Some(record),
            None => match self.no_or_fresh(ask)? {
                Settled::Asked(record) => Some(record),
                no @ Settled::Rejected(_) => return Ok(no),
                Settled::Taken { .. } | Settled::TooMany { .. } | Settled::Refused { .. } => None,
            },
        };
        Ok(Settled::Refused {
            code: why.code,
            message: why.message,
            changed: why.changed,
            asked,
        })
    }

    fn no_or_fresh(&mut self, ask: &NewRequest) -> Sql<Settled> {
        if let Some(no) = self.standing_no(ask)? {
            return Ok(Settled::Rejected(no));
        }
        if let Some(too_many) = self.flooded(ask)? {
            return Ok(too_many);
        }
        Ok(Settled::Asked(self.create(ask)?))
    }

    /// The live request of this very call.
    fn live(&self, ask: &NewRequest) -> Sql<Option<Record>> {
        self.tx
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM requests WHERE tenant = ?1 AND principal = ?2 AND binding = ?3 \
                 AND state IN ('pending', 'approved')"
            ))?
            .query_row(
                params![ask.tenant, ask.principal.id, ask.binding.digest.to_string()],
                rows::record,
            )
            .optional()
    }

    /// A no to this very call that still counts.
    fn standing_no(&self, ask: &NewRequest) -> Sql<Option<Record>> {
        let last = self
            .tx
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM requests WHERE tenant = ?1 AND principal = ?2 AND binding = ?3 \
                 AND state = 'rejected' ORDER BY number DESC LIMIT 1"
            ))?
            .query_row(
                params![ask.tenant, ask.principal.id, ask.binding.digest.to_string()],
                rows::record,
            )
            .optional()?;
        Ok(last.filter(|record| record.refuses_at(&self.now)))
    }

    /// Whether the limits against flooding forbid a new request.
    fn flooded(&self, ask: &NewRequest) -> Sql<Option<Settled>> {
        let mut waiting = live_records(self.tx)?;
        waiting.retain(|r| r.state == State::Pending && is_own(r, ask));
        let all = waiting.len();
        let first = first_over(&waiting);
        waiting.retain(|r| r.verb == ask.verb);
        let ends = self.bad_ends(ask)?;
        let Some(reason) = flood(all, waiting.len(), &ends, self.now.wall) else {
            return Ok(None);
        };
        let verb = &ask.verb;
        let (message, retry_at) = match reason {
            Flood::Command => (
                format!(
                    "{PENDING_PER_COMMAND} requests for {verb} wait for a person already; they are answered first"
                ),
                first_over(&waiting),
            ),
            Flood::Principal => (
                format!(
                    "{PENDING_PER_PRINCIPAL} requests wait for a person already; they are answered first"
                ),
                first,
            ),
            Flood::CoolDown(until) => (
                format!(
                    "the last requests for {verb} were rejected or ran out; the next may be made at {:.0}",
                    until
                        .saturating_add(SignedDuration::from_nanos(999_999_999))
                        .unwrap_or(until)
                ),
                Some(until),
            ),
        };
        Ok(Some(Settled::TooMany { message, retry_at }))
    }

    /// When requests for this command were rejected or expired of late, in order.
    fn bad_ends(&self, ask: &NewRequest) -> Sql<Vec<Timestamp>> {
        let mut ends = self
            .tx
            .prepare_cached(
                "SELECT ended FROM requests WHERE tenant = ?1 AND principal = ?2 AND verb = ?3 \
                 AND state IN ('rejected', 'expired') AND forgotten = 0 AND ended IS NOT NULL \
                 ORDER BY number DESC LIMIT ?4",
            )?
            .query_map(
                params![
                    ask.tenant,
                    ask.principal.id,
                    ask.verb.to_string(),
                    i64::try_from(ENDS_LOOKED_AT).unwrap_or(i64::MAX)
                ],
                |row| row.get::<_, String>(0),
            )?
            .filter_map(|text| text.map(|t| t.parse::<Timestamp>().ok()).transpose())
            .collect::<Sql<Vec<_>>>()?;
        ends.sort_unstable();
        Ok(ends)
    }

    fn create(&mut self, ask: &NewRequest) -> Sql<Record> {
        let record = Record {
            id: self.new_id()?,
            state: State::Pending,
            tenant: ask.tenant.clone(),
            principal: ask.principal.clone(),
            project: ask.project.clone(),
            verb: ask.verb.clone(),
            binding: ask.binding.clone(),
            call: ask.call.clone(),
            carried_secret: ask.carried_secret,
            carried_stdin: ask.carried_stdin,
            card_digest: ask.card_digest,
            approvals: ask.approvals,
            minutes: ask.minutes,
            made: Some(self.now.clone()),
            answered: None,
            answered_by: None,
            note: None,
            forgotten: false,
        };
        rows::insert(self.tx, &record)?;
        Ok(record)
    }

    /// Eight hexadecimal digits that no record has.
    fn new_id(&self) -> Sql<String> {
        loop {
            let mut bytes = [0; 4];
            getrandom::fill(&mut bytes)
                .map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.to_string().into()))?;
            let id = format!("{:08x}", u32::from_be_bytes(bytes));
            if self.load(&id)?.is_none() {
                return Ok(id);
            }
        }
    }

    /// Why a request can no longer be confirmed, if it cannot.
    fn ended(&self, record: &Record) -> Option<Ended> {
        let id = &record.id;
        let (code, message) = match record.state {
            State::Pending | State::Approved => return None,
            State::Rejected if record.refuses_at(&self.now) => return Some(Ended::No),
            State::Rejected => (
                Code::ApprovalExpired,
                format!("the no to request {id} is over; the call is asked anew"),
            ),
            State::Used => (
                Code::ApprovalUsed,
                format!("approval {id} was used before; each covers one run"),
            ),
            State::Expired => (
                Code::ApprovalExpired,
                format!("the time of request {id} is over"),
            ),
            State::Withdrawn => (
                Code::ApprovalExpired,
                match &record.note {
                    Some(note) => format!("request {id} was withdrawn, since {note}"),
                    None => format!(
                        "request {id} was withdrawn, since the settings for its call changed"
                    ),
                },
            ),
        };
        Some(Ended::Why(Why::new(code, message)))
    }
}

enum Ended {
    No,
    Why(Why),
}

/// Whether a request is one of the asking Principal's.
fn is_own(record: &Record, ask: &NewRequest) -> bool {
    record.tenant == ask.tenant && record.principal.id == ask.principal.id
}

fn unknown(id: &str) -> Why {
    let shown = hcp_core::text::quoted(id);
    Why::new(
        Code::ApprovalUnknown,
        format!("there is no request {shown} of yours"),
    )
}

fn mismatch(record: &Record, ask: &NewRequest) -> Why {
    let mut facts = record.binding.changed(&ask.binding);
    if facts.is_empty() {
        facts.push("call".to_owned());
    }
    let names: Vec<&str> = facts
        .iter()
        .map(|f| f.strip_prefix("args.").unwrap_or(f))
        .collect();
    Why {
        code: Code::ApprovalMismatch,
        message: format!(
            "request {} is for another call ({} changed); it stays as it was",
            record.id,
            names.join(", ")
        ),
        changed: facts
            .iter()
            .map(|fact| Change {
                fact: fact.clone(),
                approved: fact_value(record.call.as_ref(), fact),
                now: fact_value(ask.call.as_ref(), fact),
            })
            .collect(),
    }
}

/// The value of a fact in a stored call: `args.amount` is the member `amount` of `args`.
fn fact_value(call: Option<&Value>, fact: &str) -> Option<Value> {
    let call = call?;
    match fact.split_once('.') {
        Some((group, name)) => call.get(group)?.get(name).cloned(),
        None => call.get(fact).cloned(),
    }
}
