//! `hcpx exec`: a call through the pipeline, and the question on the terminal when it asks.

use super::times::{To, short_text};
use super::{answer, approvals, call, narrowest};
use crate::cli;
use crate::error::{CliError, error_text};
use crate::output::{Look, Output, Reply, Text};
use hcp::driver::OutputMode;
use hcp::event::Detail;
use hcp::local::Place;
use hcp::pipeline::{Approval, CallRequest, CallResult, ExecOptions, Refusal, Request};
use hcp::store::Found;
use hcp_core::approval::State;
use hcp_core::code::Code;
use std::path::Path;
use std::time::{Duration, Instant};

/// What `--raw` ends with when the call was refused, so that it is not taken for the tool's own code.
const RAW_REFUSED: u8 = 125;
/// How often an answer is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(200);

pub(crate) fn run(place: &Place, words: &cli::Exec, output: &Output) -> Result<u8, CliError> {
    if words.tty && place.agent.inside {
        place.record(&place.event(Detail::Refused {
            act: "exec --tty".to_owned(),
        }))?;
        return Err(CliError::new(
            Code::HumanOnly,
            "--tty hands the terminal to the tool, and only a person may do that",
        )
        .hint("leave --tty out"));
    }
    let refused = |error| unjudged(place, words, error);
    let (place, request) = request(place, words, output).map_err(refused)?;
    let mut result = execute(&place, words, &request)?;
    if result.code == Code::ConfirmRequired {
        result = after_question(&place, &request, words, output, result)?;
    }
    Ok(print(&result, &place, words, output))
}

/// A call that was refused before it could be judged has its line in the log, too. Words that are off are
/// no call.
fn unjudged(place: &Place, words: &cli::Exec, error: CliError) -> CliError {
    if matches!(error.code, Code::Usage | Code::AuditUnavailable) {
        return error;
    }
    let (pack, command) = call::names(&words.call);
    match place.record(&place.refused_call(pack, command, error.code)) {
        Ok(()) => error,
        Err(failed) => CliError {
            message: format!(
                "{} It would have been refused anyway: {}",
                failed.message, error.message
            ),
            ..CliError::from(failed)
        },
    }
}

/// One call under the settings as they are at this moment: a rule that was written while a person thought about
/// a question counts.
fn execute(
    place: &Place,
    words: &cli::Exec,
    request: &CallRequest,
) -> Result<CallResult, CliError> {
    match place.hcp() {
        Ok(hcp) => Ok(pollster::block_on(hcp.exec(request))),
        Err(refusal) => Err(unjudged(place, words, refusal.into())),
    }
}

/// The call, and the place that it is judged in: a stored call goes on where it was asked for.
fn request(
    place: &Place,
    words: &cli::Exec,
    output: &Output,
) -> Result<(Place, CallRequest), CliError> {
    let mut options = ExecOptions {
        timeout: words.timeout.map(Duration::from_secs),
        output: if words.tty {
            OutputMode::Inherit
        } else if words.raw || !output.json {
            OutputMode::Stream
        } else {
            OutputMode::Capture { limit: 1 << 20 }
        },
        ..ExecOptions::default()
    };
    if let Some(id) = &words.confirm {
        options.approval = Some(Approval::id(id));
        if words.call.target.is_empty() && words.call.words.is_empty() && words.call.args.is_none()
        {
            if words.stdin.is_some() {
                return Err(CliError::usage(
                    "--confirm alone runs the stored call as it is, and --stdin would change it",
                )
                .hint(format!(
                    "give the whole call: hcpx exec PACK COMMAND --confirm {id} --stdin … -- …"
                )));
            }
            return stored(place, id, options);
        }
    }
    if let Some(from) = &words.stdin {
        let (bytes, path) = stdin(place, from)?;
        (options.stdin, options.stdin_path) = (Some(bytes), path);
    }
    Ok((place.clone(), call::request(&words.call, "exec", options)?))
}

fn stdin(place: &Place, from: &str) -> Result<(Vec<u8>, Option<String>), CliError> {
    if from == "-" {
        let behind = hcp::platform::behind_stdin().map(|p| p.to_string_lossy().into_owned());
        return Ok((call::read_all(&mut std::io::stdin().lock())?, behind));
    }
    // Before it is read, and not only before the tool gets it.
    place.check_path(Path::new(from))?;
    let mut file = std::fs::File::open(from).map_err(|e| {
        CliError::usage(format!("--stdin {from}: {e}"))
            .hint("name a file that is there, or - for standard input")
    })?;
    Ok((call::read_all(&mut file)?, Some(from.to_owned())))
}

/// The stored call of an approval, to be run where it was asked for.
fn stored(
    place: &Place,
    id: &str,
    mut options: ExecOptions,
) -> Result<(Place, CallRequest), CliError> {
    // A log that takes no line stops the call before the store is opened.
    place.audit_ready()?;
    let record = place.record_of(id)?;
    let id = &record.id;
    options.approval = Some(Approval::id(id));
    let state = record.state_at(&place.moment());
    if state == State::Rejected {
        return Err(hcp::pipeline::approve::said_no(&record).into());
    }
    if record.carried_secret || record.carried_stdin {
        let what = if record.carried_secret {
            "a secret"
        } else {
            "standard input"
        };
        return Err(
            CliError::usage(format!("the call carried {what}, which is not stored")).hint(format!(
                "run it again with it: hcpx exec {} {} --confirm {id} -- …",
                record.verb.pack, record.verb.command
            )),
        );
    }
    place.stored_call(&record, options).ok_or_else(|| {
        let (code, why) = match state {
            State::Used => (Code::ApprovalUsed, "was used"),
            State::Rejected => (Code::Rejected, "was rejected"),
            State::Expired => (Code::ApprovalExpired, "is over"),
            State::Withdrawn => (Code::ApprovalExpired, approvals::withdrawn(&record)),
            State::Pending | State::Approved => (Code::ApprovalUnknown, "holds no call"),
        };
        let mut refusal = Refusal::stored(code, format!("{} {why}. Nothing ran.", record.id));
        refusal.hint = Some(format!(
            "ask anew: hcpx exec {} {} -- …",
            record.verb.pack, record.verb.command
        ));
        CliError::from(refusal)
    })
}

/// What happens after a call asked: the person at the terminal answers, or the call waits, or it stays.
fn after_question(
    place: &Place,
    request: &CallRequest,
    words: &cli::Exec,
    output: &Output,
    asked: CallResult,
) -> Result<CallResult, CliError> {
    if let Some(seconds) = words.wait {
        return wait(place, words, request, seconds, asked);
    }
    if place.agent.inside || words.no_input || output.json || !answer::terminal() {
        return Ok(asked);
    }
    let mut asked = asked;
    for _ in 0..answer::DRAWN_AT_MOST {
        let Some(approval) = asked.approval.as_ref() else {
            return Ok(asked);
        };
        let rule = match answer::ask_here(place, approval, output)? {
            // The values that it binds go with the yes.
            answer::Said::Yes => narrowest_line(place, approval),
            answer::Said::No => {
                let mut result = CallResult::new(Code::Rejected, "You said no. Nothing ran.");
                result.hint = Some(format!(
                    "hcpx approvals forget {} takes the no back",
                    approval.approval_id.as_deref().unwrap_or_default()
                ));
                return Ok(result);
            }
            answer::Said::Nothing => return Ok(asked),
        };
        let result = execute(place, words, &rerun(request))?;
        if result.code != Code::ConfirmRequired {
            if result.output.is_some() {
                output.tell(&narrowest::text(rule.as_slice()));
            }
            return Ok(result);
        }
        // A yes belongs to the card that was shown, and this call draws another by now.
        answer::tell_changed(output);
        asked = result;
    }
    Err(answer::changes_too_fast())
}

fn narrowest_line(place: &Place, request: &Request) -> Option<String> {
    let record = place.record_of(request.approval_id.as_deref()?).ok()?;
    narrowest::line(place, &record, request)
}

/// The same call without what was said of an approval: it takes the yes that now stands.
fn rerun(request: &CallRequest) -> CallRequest {
    let mut request = request.clone();
    request.options.approval = None;
    request
}

fn wait(
    place: &Place,
    words: &cli::Exec,
    request: &CallRequest,
    seconds: u64,
    asked: CallResult,
) -> Result<CallResult, CliError> {
    let Some(id) = asked.approval.as_ref().and_then(|a| a.approval_id.clone()) else {
        return Ok(asked);
    };
    // A time beyond what the clock can tell is no end.
    let end = Some(seconds)
        .filter(|s| *s > 0)
        .and_then(|s| Instant::now().checked_add(Duration::from_secs(s)));
    let store = place.store()?;
    loop {
        let record = match store.find(&id, place.clock())? {
            Found::One(record) => Some(record),
            Found::None | Found::Many(_) => None,
        };
        match record.map(|r| r.state_at(&place.moment())) {
            Some(State::Pending) => {}
            Some(
                State::Approved | State::Rejected | State::Used | State::Expired | State::Withdrawn,
            ) => {
                let mut again = request.clone();
                again.options.approval = Some(Approval::id(id));
                return execute(place, words, &again);
            }
            None => return Ok(asked),
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(asked);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

fn print(result: &CallResult, place: &Place, words: &cli::Exec, output: &Output) -> u8 {
    if words.raw {
        return raw(result, place, output);
    }
    if output.json {
        let reply = Reply {
            exit: result.code.exit(),
            json: result.to_object(),
            human: Text::new(),
            list: None,
        };
        if result.output.is_none() && output.person_reads_errors() {
            output.tell(&refusal_text(result, place, output.columns));
        }
        return output.reply(&reply);
    }
    if result.code == Code::CommandFailed {
        let end = result
            .output
            .as_ref()
            .and_then(|o| o.exit_code)
            .map_or_else(String::new, |c| format!(" with {c}"));
        output.say(&Text::new().styled(Look::Care, format!("the command ended{end}")));
    } else if result.code != Code::Ok {
        output.tell(&refusal_text(result, place, output.columns));
    }
    result.code.exit()
}

fn raw(result: &CallResult, place: &Place, output: &Output) -> u8 {
    match (&result.output, result.code) {
        (Some(run), Code::Ok | Code::CommandFailed) => run
            .exit_code
            .and_then(|c| u8::try_from(c).ok())
            .unwrap_or(RAW_REFUSED),
        _ => {
            output.tell(&refusal_text(result, place, output.columns));
            RAW_REFUSED
        }
    }
}

/// A call that did not even come to a result, under `--raw`: standard output is the tool's alone.
pub(crate) fn raw_refusal(error: &CliError, output: &Output) -> u8 {
    output.tell(&error.to_text(output.columns));
    RAW_REFUSED
}

/// A result that is no run, for people: the card where there is one, then why and what to do.
fn refusal_text(result: &CallResult, place: &Place, columns: usize) -> Text {
    let Some(request) = &result.approval else {
        return error_text(
            &result.message,
            &result.diagnostics,
            result.hint.as_deref(),
            columns,
        );
    };
    let mut text = super::show::card_text(request, columns).gap();
    if result.code != Code::ConfirmRequired {
        text = text
            .piece(Look::Danger, "error")
            .piece(Look::Plain, ": ")
            .line(&result.message);
    }
    if let Some(id) = &request.approval_id {
        text = text.line(format!(
            "Waits as {id}{}.",
            request.expires_at.as_ref().map_or_else(String::new, |e| {
                format!(" until {}", short_text(e, place.now(), To::Minutes))
            })
        ));
        text = text
            .line(format!("  yes: hcpx approve {id}"))
            .line(format!("  no:  hcpx reject {id}"));
    }
    text
}
