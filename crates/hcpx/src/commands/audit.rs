//! `hcpx audit`: the log of decisions, and its chain.

use super::rule_words::duration;
use super::rules::look_of;
use super::times::{To, short_text};
use crate::cli::{self, AuditCommand, AuditFilter, AuditKeyCommand};
use crate::error::CliError;
use crate::output::{Look, Output, Reply, Text, counted, table, to_value};
use hcp::audit::{Filter, Followed};
use hcp::local::Place;
use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::rule::parse_time;
use hcp_core::text::quoted;
use jiff::Timestamp;
use std::ops::ControlFlow;
use std::time::Duration;

/// How often new events are looked for.
const FOLLOW_EVERY: Duration = Duration::from_millis(250);
/// How many events are shown when nobody says.
const LIMIT: usize = 50;

pub(crate) fn run(place: &Place, words: &cli::Audit, output: &Output) -> Result<Reply, CliError> {
    match &words.command {
        None => list(place, &words.filter, output),
        Some(AuditCommand::Verify { head }) => verify(place, head.as_deref()),
        Some(AuditCommand::Show { id }) => show(place, id),
        Some(AuditCommand::Head) => head(place),
        Some(AuditCommand::Rotate) => rotate(place),
        Some(AuditCommand::Key {
            command: AuditKeyCommand::Init,
        }) => key_init(place),
    }
}

fn filter(words: &AuditFilter, now: Timestamp) -> Result<Filter, CliError> {
    let since = words
        .since
        .as_deref()
        .map(|text| since(text, now))
        .transpose()?;
    Ok(Filter {
        limit: Some(words.limit.unwrap_or(LIMIT)),
        pack: words.pack.clone(),
        command: words.command.clone(),
        decision: words.decision.as_deref().and_then(Decision::parse),
        principal: words.principal.clone(),
        since,
        ..Filter::default()
    })
}

fn since(text: &str, now: Timestamp) -> Result<Timestamp, CliError> {
    if let Some(time) = parse_time(text) {
        return Ok(time);
    }
    let like = "write it like 30m, 2h or 1d, or as a time: 2026-12-31T18:00:00Z";
    let span = duration(text).map_err(|_| {
        CliError::usage(format!(
            "--since wants a length of time or a time, and {} is neither",
            quoted(text)
        ))
        .hint(like)
    })?;
    now.checked_sub(span).map_err(|_| {
        CliError::usage(format!("--since {} is before the calendar", quoted(text))).hint(like)
    })
}

fn list(place: &Place, words: &AuditFilter, output: &Output) -> Result<Reply, CliError> {
    let filter = filter(words, place.now())?;
    let log = place.audit_log();
    if words.follow {
        return follow(place, &filter, output);
    }
    let read = log.read(&filter)?;
    let mut text = if read.lines.is_empty() {
        Text::new().line("No event fits.")
    } else {
        events_table(&read.lines, place.now(), output.columns)
    };
    if read.unreadable > 0 {
        text = text.piece(Look::Danger, "unreadable").line(format!(
            ": {} lines (hcpx audit verify names them)",
            read.unreadable
        ));
    }
    Ok(Reply::ok(Object::new().with("events", read.lines), text).list("events"))
}

fn follow(place: &Place, filter: &Filter, output: &Output) -> Result<Reply, CliError> {
    // The newest that fit first, as `tail -f` does it; then what comes.
    for line in place.audit_log().read(filter)?.lines {
        show_line(&line, place.now(), output);
    }
    place.audit_log().follow(FOLLOW_EVERY, &mut |followed| {
        let Followed::Line(line) = followed else {
            return ControlFlow::Continue(());
        };
        if !filter.matches(&line) || show_line(&Value::Object(line), place.now(), output) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    Ok(Reply::ok(Object::new(), Text::new()))
}

/// Prints one event; false once nobody reads any more.
fn show_line(line: &Value, now: Timestamp, output: &Output) -> bool {
    if output.json {
        return output.json_line(line).is_ok();
    }
    line.as_object()
        .is_none_or(|event| output.show(&event_line(event, now)).is_ok())
}

fn word<'e>(event: &'e Object, key: &str) -> &'e str {
    event.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// `root, agent`
fn who(event: &Object) -> String {
    let principal = event.get("principal");
    let part = |key| {
        principal
            .and_then(|p| p.get(key))
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    format!("{}, {}", part("id"), part("kind"))
}

/// What it is about: a command, a pack, or what of hcpx itself.
fn what(event: &Object) -> String {
    match (word(event, "pack"), word(event, "command")) {
        ("", "") => match word(event, "event") {
            "refused" => format!("hcpx {}", word(event, "act")),
            "audit" => "log".to_owned(),
            other => other.to_owned(),
        },
        (pack, "") => pack.to_owned(),
        (pack, command) => format!("{pack}.{command}"),
    }
}

/// What happened, in one word.
fn decided(event: &Object) -> (Look, String) {
    let decision = Decision::parse(word(event, "decision"));
    let (look, said) = match (word(event, "event"), decision) {
        ("call", Some(decision)) => (look_of(decision), decision.as_str()),
        ("outcome", _) => (Look::Faint, "ended"),
        ("answer", _) => match word(event, "answer") {
            "approve" => (Look::Good, "approve"),
            "reject" => (Look::Danger, "reject"),
            other => (Look::Plain, other),
        },
        ("settings", _) => (Look::Care, "change"),
        ("refused", _) => (Look::Danger, "refused"),
        (_, _) if !word(event, "act").is_empty() => (Look::Care, word(event, "act")),
        (other, _) => (Look::Faint, other),
    };
    (look, said.to_owned())
}

fn time(event: &Object, now: Timestamp) -> String {
    short_text(word(event, "time"), now, To::Seconds)
}

/// Why, in few words; `hcpx audit show` has the whole line.
fn why(event: &Object) -> String {
    match word(event, "event") {
        "call" => why_of_call(event),
        "outcome" => ending(event),
        "answer" => {
            let id = event
                .get("by")
                .and_then(|by| by.get("approval_id"))
                .and_then(Value::as_str)
                .unwrap_or_default();
            let unseen = event.get("card_shown") == Some(&Value::Bool(false));
            format!("{id}{}", if unseen { ", card not shown" } else { "" })
        }
        "settings" => word(event, "change").to_owned(),
        "refused" => "an agent may not".to_owned(),
        "audit" => word(event, "file").to_owned(),
        _ => String::new(),
    }
}

fn why_of_call(event: &Object) -> String {
    let by = event.get("by");
    let of_by = |key| by.and_then(|by| by.get(key)).and_then(Value::as_str);
    let reason = word(event, "reason");
    let short = reason.split_once(": ").map_or(reason, |(head, _)| head);
    let short = short.strip_prefix("Policy ").unwrap_or(short);
    match (of_by("kind"), of_by("approval_id")) {
        (Some("human"), Some(id)) => format!("yes {id}"),
        (Some("agent"), Some(id)) => format!("yes {id}, passed on"),
        (Some("mode"), _) => format!("mode {}", word(event, "mode")),
        (Some(_), _) => short.to_owned(),
        (None, _) => match word(event, "code") {
            code @ ("denied_by_rule" | "confirm_required") => {
                let asked = reason
                    .rsplit_once("(request ")
                    .and_then(|(_, id)| id.strip_suffix(')'))
                    .map_or_else(String::new, |id| format!(", {id}"));
                if short.is_empty() {
                    code.to_owned()
                } else {
                    format!("{short}{asked}")
                }
            }
            code => code.to_owned(),
        },
    }
}

fn ending(event: &Object) -> String {
    let number = |key| event.get(key).filter(|v| **v != Value::Null);
    let end = match (number("exit_code"), number("signal")) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "end unknown".to_owned(),
    };
    match number("duration_ms") {
        Some(ms) => format!("{end}, {ms} ms"),
        None => end,
    }
}

pub(super) fn events_table(lines: &[Value], now: Timestamp, columns: usize) -> Text {
    let rows: Vec<Vec<(Look, String)>> = lines
        .iter()
        .filter_map(Value::as_object)
        .map(|event| {
            vec![
                (Look::Faint, time(event, now)),
                (Look::Faint, who(event)),
                (Look::Plain, what(event)),
                decided(event),
                (Look::Faint, why(event)),
            ]
        })
        .collect();
    table(&["time", "who", "what", "decision", "why"], &rows, columns)
}

fn event_line(event: &Object, now: Timestamp) -> Text {
    let (look, decision) = decided(event);
    Text::new()
        .piece(Look::Faint, &time(event, now))
        .piece(Look::Plain, &format!("  {}  {}  ", who(event), what(event)))
        .piece(look, &decision)
        .line(format!("  {}", why(event)))
}

fn verify(place: &Place, head: Option<&str>) -> Result<Reply, CliError> {
    let head = head
        .map(|text| {
            Digest::from_hex(text).ok_or_else(|| {
                CliError::usage(format!("{} is no head", quoted(text)))
                    .hint("a head has 64 hexadecimal digits: hcpx audit head")
            })
        })
        .transpose()?;
    let report = place.audit_log().verify(head.as_ref())?;
    let mut text = Text::new();
    for fault in &report.faults {
        text = text.piece(Look::Danger, fault.kind.as_str()).line(format!(
            ": {}:{}: {}",
            fault.file, fault.line, fault.message
        ));
    }
    for note in &report.notes {
        text = text.piece(Look::Care, "note: ").line(note);
    }
    let summary = format!(
        "{} in {}",
        counted(usize::try_from(report.lines).unwrap_or(usize::MAX), "line"),
        counted(usize::try_from(report.files).unwrap_or(usize::MAX), "file")
    );
    text = if report.faults.is_empty() {
        text.piece(Look::Good, "whole").line(format!(": {summary}"))
    } else {
        text.line(format!(
            "{} in {summary}",
            counted(report.faults.len(), "fault")
        ))
    };
    let ok = report.faults.is_empty();
    let json = Object::new()
        .with("ok", ok)
        .with("code", if ok { "ok" } else { "command_failed" })
        .with("lines", report.lines)
        .with("files", report.files)
        .with("seq", report.seq)
        .with("head", report.head.map(|h| h.to_string()))
        .with("faults", to_value(&report.faults))
        .with("notes", report.notes.clone());
    let reply = Reply::ok(json, text);
    Ok(if ok { reply } else { reply.exit(1) })
}

fn show(place: &Place, id: &str) -> Result<Reply, CliError> {
    let lines = place.audit_log().show(id)?;
    if lines.is_empty() {
        return Err(CliError::usage(format!(
            "no line of the log has the call or seq {}",
            quoted(id)
        ))
        .hint("hcpx audit --json shows the ids of calls"));
    }
    let mut text = Text::new();
    for (n, line) in lines.iter().filter_map(Value::as_object).enumerate() {
        if n > 0 {
            text = text.gap();
        }
        for (key, value) in line.iter() {
            if *value == Value::Null {
                continue;
            }
            text = text
                .piece(Look::Faint, &format!("{key:<12} "))
                .line(plain(value));
        }
    }
    Ok(Reply::ok(Object::new().with("events", lines), text).list("events"))
}

/// A value of a line for people: `root, agent` for an object or list, the text itself for a text.
fn plain(value: &Value) -> String {
    let joined = |values: Vec<String>| values.join(", ");
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => joined(items.iter().map(plain).collect()),
        Value::Object(parts) => joined(
            parts
                .iter()
                .map(|(key, part)| format!("{key} {}", plain(part)))
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn head(place: &Place) -> Result<Reply, CliError> {
    let head = place.audit_log().head()?;
    let text = match head {
        Some(head) => Text::new().line(format!("{} {}", head.seq, head.head)),
        None => Text::new().line("The log is empty."),
    };
    let json = Object::new()
        .with("seq", head.map_or(0, |h| h.seq))
        .with("head", head.map(|h| h.head.to_string()));
    Ok(Reply::ok(json, text))
}

fn rotate(place: &Place) -> Result<Reply, CliError> {
    let Some(old) = place.audit_log().rotate(place.now())? else {
        return Err(CliError::new(
            Code::Usage,
            "the log is empty: there is nothing to rotate",
        ));
    };
    let old = old.display().to_string();
    let text = Text::new().line(format!("A new file begins. The old one stays: {old}"));
    Ok(Reply::ok(Object::new().with("rotated", old), text))
}

fn key_init(place: &Place) -> Result<Reply, CliError> {
    place.audit_ready()?;
    let made = place.audit_log().key_init(place.now())?;
    let text = if made {
        Text::new()
            .line("From now on the arguments' digests are keyed: small values in the log cannot be guessed.")
            .line("The key stands beside the log; keep a copy where the log is kept.")
    } else {
        Text::new().line("The log has its key already; it is left as it is.")
    };
    Ok(Reply::ok(
        Object::new().with("keyed", true).with("made", made),
        text,
    ))
}
