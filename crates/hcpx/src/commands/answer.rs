//! A person's answer on a terminal: what they say yes to is the card that stands before them.

use super::show::card_text;
use crate::error::CliError;
use crate::output::{Look, Output, Text};
use hcp::event::{AnswerWord, By, ByKind, Detail, Event};
use hcp::local::{Judged, Place};
use hcp::pipeline::{Refusal, Request};
use hcp::store::{Answered, Disconnected, Verdict};
use hcp_core::approval::{AnsweredBy, Record};
use hcp_core::code::Code;
use hcp_core::mode::Decision;
use std::io::{BufRead, IsTerminal};

/// How often a card that changed under the person's eyes is drawn anew.
pub(crate) const DRAWN_AT_MOST: usize = 5;

/// Says that a yes did not count, before the new card is shown.
pub(crate) fn tell_changed(output: &Output) {
    output.tell(
        &Text::new()
            .styled(
                Look::Danger,
                "The card changed while it was shown. This is the new one:",
            )
            .gap(),
    );
}

/// A card that never stood still.
pub(crate) fn changes_too_fast() -> CliError {
    CliError::new(
        Code::ApprovalMismatch,
        "the card changes faster than it can be read",
    )
}

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Yes,
    No,
    /// Neither: the request goes on waiting.
    Nothing,
}

/// Whether a person can be asked here.
pub(crate) fn terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows a card and asks. Keys that were pressed before it stood there do not count.
pub(crate) fn ask(request: &Request, output: &Output) -> Said {
    output.tell(&card_text(request, output.columns).gap());
    let danger = request.card.is_danger();
    let word = request.card.word();
    let prompt = if danger {
        Text::new().piece(
            Look::Danger,
            &format!("Type \"{word}\" to approve, n to reject: "),
        )
    } else {
        Text::new().piece(Look::Strong, "Approve? [y/N] ")
    };
    hcp::platform::discard_typed();
    output.tell(&prompt);
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line).is_err() {
        return Said::Nothing;
    }
    match line.trim().to_lowercase().as_str() {
        "n" | "no" => Said::No,
        typed if danger && typed == word => Said::Yes,
        "y" | "yes" if !danger => Said::Yes,
        _ => Said::Nothing,
    }
}

/// Asks about a request that this very process just made, and keeps the answer.
pub(crate) fn ask_here(
    place: &Place,
    request: &Request,
    output: &Output,
) -> Result<Said, CliError> {
    let Some(id) = &request.approval_id else {
        return Ok(Said::Nothing);
    };
    let record = place.record_of(id)?;
    match ask(request, output) {
        Said::Yes => yes(place, &record, request, CardShown::Yes).map(|()| Said::Yes),
        Said::No => no(place, &record, None).map(|()| Said::No),
        Said::Nothing => Ok(Said::Nothing),
    }
}

/// Whether the person saw the card before they said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CardShown {
    Yes,
    No,
}

/// Draws the card of a stored request as it is now; a rule that decides it by now withdraws it.
pub(crate) fn judge(place: &Place, record: &Record) -> Result<Request, CliError> {
    match place.judge(record) {
        Judged::Asks(request) => match &request.not_connected {
            None => Ok(*request),
            Some(refusal) => Err(not_connected(place, record, refusal)),
        },
        Judged::Decided(decision, reason) => {
            place.store()?.withdraw(&record.id, place.clock())?;
            let word = match decision {
                Decision::Allow => "runs without a question now",
                Decision::Deny => "is refused now",
                Decision::Ask => "asks",
            };
            Err(CliError::new(
                Code::ApprovalExpired,
                format!("{} is withdrawn: the call {word} ({reason})", record.id),
            ))
        }
        Judged::Gone(reason) => Err(CliError::new(
            Code::ApprovalUnknown,
            format!("{}: the call can no longer be shown ({reason})", record.id),
        )
        .hint(format!("hcpx reject {}", record.id))),
    }
}

/// A request whose call would act as nobody, or as somebody else than the card says, takes no yes; as somebody
/// else it ends.
fn not_connected(place: &Place, record: &Record, refusal: &Refusal) -> CliError {
    let mut error = CliError::from(refusal.clone());
    if refusal.is_other_account() {
        let ended = Disconnected {
            tenant: &record.tenant,
            principal: &record.principal.id,
            pack: &record.verb.pack,
            binding: Some(&record.binding.digest),
        };
        let store = place.store();
        let told = match store.and_then(|store| store.end_connected(&ended, place.clock())) {
            Ok(_) => format!(" {} is withdrawn.", record.id),
            Err(e) => format!(" {} could not be withdrawn: {e}.", record.id),
        };
        error.message.push_str(&told);
    }
    error
}

/// Keeps a yes and records it.
pub(crate) fn yes(
    place: &Place,
    record: &Record,
    request: &Request,
    shown: CardShown,
) -> Result<(), CliError> {
    place.audit_ready()?;
    let store = place.store()?;
    let digest = request.card.digest();
    if digest != record.card_digest {
        store.replace_card(&record.id, &digest, record.call.as_ref(), place.clock())?;
    }
    let verdict = Verdict::Yes {
        card_digest: Some(digest),
    };
    let outcome = store.answer(&record.id, &verdict, AnsweredBy::Human, place.clock())?;
    answered(record, outcome)?;
    let shown = Some(shown == CardShown::Yes);
    let mut event = event(place, AnswerWord::Approve, record, shown);
    event.binding.clone_from(&request.card.account);
    Ok(place.record(&event)?)
}

/// The line of an answer.
pub(crate) fn event(
    place: &Place,
    answer: AnswerWord,
    record: &Record,
    card_shown: Option<bool>,
) -> Event {
    let mut event = place.event(Detail::Answer { answer, card_shown });
    event.pack = Some(record.verb.pack.to_string());
    event.command = Some(record.verb.command.to_string());
    event.by = Some(By {
        kind: ByKind::Human,
        approval_id: Some(record.id.clone()),
        rule: None,
    });
    event
}

/// Keeps a no and records it.
pub(crate) fn no(place: &Place, record: &Record, note: Option<&str>) -> Result<(), CliError> {
    place.audit_ready()?;
    let verdict = Verdict::No {
        note: note.map(str::to_owned),
    };
    let outcome = place
        .store()?
        .answer(&record.id, &verdict, AnsweredBy::Human, place.clock())?;
    answered(record, outcome)?;
    Ok(place.record(&event(place, AnswerWord::Reject, record, None))?)
}

fn answered(record: &Record, outcome: Answered) -> Result<(), CliError> {
    let id = &record.id;
    let ended = |code, words: &str| {
        Err(CliError::new(code, format!("{id} {words}")).hint("hcpx approvals lists what waits"))
    };
    match outcome {
        Answered::Done(_) | Answered::Already(_) => Ok(()),
        Answered::CardChanged(_) => Err(CliError::new(
            Code::ApprovalMismatch,
            format!("the card of {id} changed since it was shown"),
        )
        .hint(format!("look again: hcpx approve {id}"))),
        Answered::StatementUsed(_) => ended(Code::ApprovalUsed, "was answered before"),
        Answered::HumanOnly(_) => ended(Code::HumanOnly, "wants a person's own answer"),
        Answered::Over(record) => {
            let state = record.state;
            ended(state_code(state), &format!("is {state} already"))
        }
        Answered::Unknown => ended(Code::ApprovalUnknown, "is not known"),
    }
}

fn state_code(state: hcp_core::approval::State) -> Code {
    use hcp_core::approval::State;
    match state {
        State::Used => Code::ApprovalUsed,
        State::Rejected => Code::Rejected,
        State::Expired | State::Withdrawn => Code::ApprovalExpired,
        State::Pending | State::Approved => Code::ApprovalUsed,
    }
}
