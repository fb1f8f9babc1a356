//! `hcpx approvals`, `approve`, `reject` and `approvals forget`.

use super::answer::{self, CardShown, Said};
use super::show::card_text;
use super::times::{To, short_text};
use super::{narrowest, rule_words};
use crate::cli::{self, ApprovalsCommand};
use crate::error::CliError;
use crate::output::{Look, Output, Reply, Text};
use hcp::event::AnswerWord;
use hcp::local::{Judged, Place};
use hcp::pipeline::Request;
use hcp::store::Answered;
use hcp_core::approval::{Record, State};
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::rule::Match;
use hcp_core::text::{quoted, safe};

pub(crate) fn approvals(
    place: &Place,
    words: &cli::Approvals,
    output: &Output,
) -> Result<Reply, CliError> {
    match &words.command {
        Some(ApprovalsCommand::Forget { id }) => forget(place, id),
        None => list(place, output.columns),
    }
}

/// Requests that wait, each with its card.
pub(crate) type Waiting = Vec<(Record, Request)>;

/// Every request that waits, newest last, each with its card as it is now.
pub(crate) fn waiting(place: &Place) -> Result<Waiting, CliError> {
    if !place.home.approvals().exists() {
        return Ok(Vec::new());
    }
    let store = place.store()?;
    let place = &place.as_told_lately();
    let now = place.moment();
    let mut records = store.list(place.clock())?;
    records.retain(|record| record.state_at(&now) == State::Pending);
    let mut found = Vec::new();
    for (record, judged) in judged(place, records) {
        match judged {
            Judged::Asks(request) => found.push((record, *request)),
            Judged::Decided(..) => drop(store.withdraw(&record.id, place.clock())?),
            Judged::Gone(_) => {}
        }
    }
    Ok(found)
}

/// Judges requests side by side: tools that are slow to say as whom they act are waited for at the same time.
fn judged(place: &Place, records: Vec<Record>) -> Vec<(Record, Judged)> {
    std::thread::scope(|scope| {
        let judging: Vec<_> = records
            .into_iter()
            .map(|record| {
                scope.spawn(move || {
                    let judged = place.judge(&record);
                    (record, judged)
                })
            })
            .collect();
        let ended = judging.into_iter().map(|thread| thread.join());
        ended
            .map(|judged| judged.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn list(place: &Place, columns: usize) -> Result<Reply, CliError> {
    let found = waiting(place)?;
    let mut text = Text::new();
    for (n, (record, request)) in found.iter().enumerate() {
        if n > 0 {
            text = text
                .gap()
                .styled(Look::Faint, "─".repeat(columns.min(60)))
                .gap();
        }
        let who = format!(
            "  {} ({}){}",
            safe(&record.principal.id),
            record.principal.kind,
            record
                .project
                .as_ref()
                .map_or_else(String::new, |p| format!(" in {}", safe(p)))
        );
        text = text.piece(Look::Strong, &record.id).styled(
            Look::Faint,
            format!(
                "{who}, until {}",
                request
                    .expires_at
                    .as_deref()
                    .map_or_else(String::new, |time| short_text(
                        time,
                        place.now(),
                        To::Minutes
                    ))
            ),
        );
        text = text.gap().then(card_text(request, columns)).gap();
        text = text
            .line(format!("  yes: hcpx approve {}", record.id))
            .line(format!("  no:  hcpx reject {}", record.id));
    }
    if found.is_empty() {
        text = text.line("Nothing waits for an answer.");
    } else if found.len() > 1 {
        text = text.gap().line(groups(&found));
    }
    let json: Vec<Value> = found
        .iter()
        .map(|(_, request)| Value::Object(request.to_object()))
        .collect();
    Ok(Reply::ok(Object::new().with("approvals", json), text).list("approvals"))
}

/// `12 × ledger transfer, 1 × notes delete`
fn groups(found: &[(Record, Request)]) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for (record, _) in found {
        let name = format!("{} {}", record.verb.pack, record.verb.command);
        match counts.iter_mut().find(|(n, _)| *n == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let words: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{count} × {name}"))
        .collect();
    format!("{}. No to all of them: hcpx reject --all", words.join(", "))
}

pub(crate) fn approve(
    place: &Place,
    words: &cli::Approve,
    output: &Output,
) -> Result<Reply, CliError> {
    place.audit_ready()?;
    let record = match &words.id {
        Some(id) => place.record_of(id)?,
        None => only_one(place)?,
    };
    refuse_ended(place, &record)?;
    if record.state_at(&place.moment()) == State::Approved {
        return Ok(approved_before(&record));
    }
    let asks = !words.yes && !output.json && answer::terminal();
    let (request, shown) = if asks {
        match ask_until_still(place, &record, output)? {
            Ok(request) => (request, CardShown::Yes),
            Err(reply) => return Ok(reply),
        }
    } else {
        (answer::judge(place, &record)?, CardShown::No)
    };
    answer::yes(place, &record, &request, shown)?;
    let id = &record.id;
    let mut text = Text::new().piece(Look::Good, "approved").line(format!(
        " {id}: {} runs once when it is run again unchanged.",
        request.verb
    ));
    let mut json = Object::new()
        .with("approval_id", id.as_str())
        .with("state", "approved")
        .with("approval", request.to_object());
    if request.card.digest() != record.card_digest {
        text = text.styled(
            Look::Care,
            "The card changed since the call asked: the yes counts only for a call that draws it like this.",
        );
        json.insert("card_changed", true);
    }
    if let Some(line) = narrowest::line(place, &record, &request) {
        text = text.then(narrowest::text(std::slice::from_ref(&line)));
        json.insert("rule_line", line);
    }
    Ok(Reply::ok(json, text))
}

/// A second yes to the same request changes nothing: it still covers one run, until the same moment.
fn approved_before(record: &Record) -> Reply {
    let text = Text::new().line(format!(
        "{} is approved already: it runs once when it is run again unchanged.",
        record.id
    ));
    let expires = record.expires_at().map(|t| t.to_string());
    let json = Object::new()
        .with("approval_id", record.id.as_str())
        .with("state", "approved")
        .with("expires_at", expires);
    Reply::ok(json, text)
}

/// Asks until the card that was shown is the card as it is.
fn ask_until_still(
    place: &Place,
    record: &Record,
    output: &Output,
) -> Result<Result<Request, Reply>, CliError> {
    let mut request = answer::judge(place, record)?;
    for _ in 0..answer::DRAWN_AT_MOST {
        match answer::ask(&request, output) {
            Said::Yes => {}
            Said::No => {
                answer::no(place, record, None)?;
                return Ok(Err(rejected(
                    std::slice::from_ref(&record.id),
                    None,
                    output,
                )));
            }
            Said::Nothing => {
                let text =
                    Text::new().line(format!("Left as it is: {} goes on waiting.", record.id));
                return Ok(Err(Reply::ok(
                    Object::new()
                        .with("approval_id", record.id.as_str())
                        .with("state", "pending"),
                    text,
                )));
            }
        }
        let now = answer::judge(place, record)?;
        if now.card.digest() == request.card.digest() {
            return Ok(Ok(request));
        }
        answer::tell_changed(output);
        request = now;
    }
    Err(answer::changes_too_fast())
}

fn only_one(place: &Place) -> Result<Record, CliError> {
    let mut found = waiting(place)?;
    match (found.pop(), found.len()) {
        (Some((record, _)), 0) => Ok(record),
        (None, _) => Err(
            CliError::new(Code::ApprovalUnknown, "nothing waits for an answer")
                .hint("hcpx audit shows what was asked before"),
        ),
        (Some((last, _)), _) => {
            let ids: Vec<&str> = found
                .iter()
                .map(|(r, _)| r.id.as_str())
                .chain([last.id.as_str()])
                .collect();
            Err(
                CliError::usage(format!("{} requests wait: {}", ids.len(), ids.join(", ")))
                    .hint("hcpx approvals shows their cards; a yes names one"),
            )
        }
    }
}

fn refuse_ended(place: &Place, record: &Record) -> Result<(), CliError> {
    let id = &record.id;
    let again = "run the command again to ask anew";
    let (code, words, hint) = match record.state_at(&place.moment()) {
        State::Pending | State::Approved => return Ok(()),
        State::Used => (Code::ApprovalUsed, "was used", again),
        State::Rejected => (
            Code::Rejected,
            "was rejected",
            "hcpx approvals forget takes a no back; then the command may ask anew",
        ),
        State::Expired => (Code::ApprovalExpired, "is over", again),
        State::Withdrawn => {
            let hint = if record.note.is_some() {
                again
            } else {
                "hcpx explain shows which"
            };
            (Code::ApprovalExpired, withdrawn(record), hint)
        }
    };
    Err(CliError::new(code, format!("{id} {words}")).hint(hint))
}

/// Why a request was withdrawn.
pub(crate) fn withdrawn(record: &Record) -> &'static str {
    match record.note {
        Some(_) => "was withdrawn: the account of its pack is another now",
        None => "was withdrawn: a rule decides the call now",
    }
}

pub(crate) fn reject(
    place: &Place,
    words: &cli::Reject,
    output: &Output,
) -> Result<Reply, CliError> {
    place.audit_ready()?;
    if words.all {
        return reject_all(place, words, output);
    }
    let record = match &words.id {
        Some(id) => place.record_of(id)?,
        None => only_one(place)?,
    };
    // The card as it stood when the no was said; its values are gone afterwards.
    let card = match place.judge(&record) {
        Judged::Asks(request) => Some(request),
        Judged::Decided(..) | Judged::Gone(_) => None,
    };
    answer::no(place, &record, words.note.as_deref())?;
    let id = std::slice::from_ref(&record.id);
    Ok(rejected(id, card.as_deref(), output))
}

fn reject_all(place: &Place, words: &cli::Reject, output: &Output) -> Result<Reply, CliError> {
    let only = match &words.id {
        None => Match::Everything,
        Some(word) => rule_words::match_word(word).ok_or_else(|| {
            CliError::usage(format!("{} is no match", quoted(word)))
                .hint("write PACK.* or PACK.COMMAND, or leave it out")
        })?,
    };
    if !place.home.approvals().exists() {
        return Ok(rejected(&[], None, output));
    }
    let mut ids = Vec::new();
    // Also those whose card can no longer be drawn: they take up room all the same.
    for record in place.store()?.list(place.clock())? {
        let fits = match &only {
            Match::Everything => true,
            Match::Pack(pack) => *pack == record.verb.pack,
            Match::Command(verb) => *verb == record.verb,
        };
        if fits {
            answer::no(place, &record, words.note.as_deref())?;
            ids.push(record.id);
        }
    }
    Ok(rejected(&ids, None, output))
}

/// What was rejected; of one request with its card, where the person has not just seen it.
fn rejected(ids: &[String], card: Option<&Request>, output: &Output) -> Reply {
    let shown = card.map_or_else(Text::new, |request| {
        card_text(request, output.columns).gap()
    });
    let text = match ids {
        [] => Text::new().line("Nothing waited that this would reject."),
        [id] => shown
            .piece(Look::Danger, "rejected")
            .line(format!(" {id}: the same call is refused for 15 minutes."))
            .piece(Look::Faint, "undo: ")
            .line(format!("hcpx approvals forget {id}")),
        many => Text::new().piece(Look::Danger, "rejected").line(format!(
            " {} requests: {}",
            many.len(),
            many.join(", ")
        )),
    };
    let mut json = Object::new()
        .with("state", "rejected")
        .with("rejected", ids.to_vec());
    if let [id] = ids {
        json.insert("approval_id", id.as_str());
    }
    if let Some(request) = card {
        json.insert("approval", request.to_object());
    }
    Reply::ok(json, text)
}

fn forget(place: &Place, id: &str) -> Result<Reply, CliError> {
    place.audit_ready()?;
    let record = place.record_of(id)?;
    if !matches!(
        place.store()?.forget(&record.id, place.clock())?,
        Answered::Done(_)
    ) {
        return Err(CliError::usage(format!(
            "{} holds no no that could be taken back",
            record.id
        ))
        .hint("only a rejected request can be forgotten"));
    }
    place.record(&answer::event(place, AnswerWord::Forget, &record, None))?;
    let text = Text::new().line(format!("Forgotten: {} may be asked anew.", record.verb));
    Ok(Reply::ok(
        Object::new()
            .with("approval_id", record.id.as_str())
            .with("state", "forgotten"),
        text,
    ))
}
