//! How an event is laid out as an object of the log.

use super::{ArgsDigest, By, Detail, Event, EventKind, Via};
use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::mode::{Decision, Mode};
use hcp_core::policy::Operation;
use hcp_core::principal::Principal;
use hcp_core::settings::RuleRef;
use jiff::Timestamp;

/// The longest text of one field, in characters; longer ones are cut.
const TEXT_LENGTH: usize = 500;
/// The most argument names in one line.
const NAMES: usize = 128;

impl Event {
    /// The event as an object in the order of the log, without the chain. A `call` has every field,
    /// `null` where there is nothing; other events leave out what they have not.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let whole = self.kind() == EventKind::Call;
        let mut line = Line(Object::new(), whole);
        line.put("time", Some(Value::from(time_text(self.time))));
        line.put("event", Some(Value::from(self.kind().as_str())));
        line.text("call", self.call.as_deref());
        line.text("via", self.via.map(Via::as_str));
        line.put("principal", self.principal.as_ref().map(principal));
        line.text("tenant", self.tenant.as_deref());
        line.text("project", self.project.as_deref());
        line.text("binding", self.binding.as_deref());
        line.text("pack", self.pack.as_deref());
        line.text("command", self.command.as_deref());
        line.text("operation", self.operation.map(Operation::as_str));
        line.text("decision", self.decision.map(Decision::as_str));
        line.text("code", self.code.map(Code::as_str));
        line.text("reason", self.reason.as_deref());
        line.text("mode", self.mode.map(Mode::as_str));
        line.put("by", self.by.as_ref().map(by));
        line.put("ran", self.ran.map(Value::from));
        self.put_args(&mut line);
        self.put_detail(&mut line);
        line.0
    }

    fn put_args(&self, line: &mut Line) {
        let mut names: Vec<&str> = self.args.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let more = names.len().saturating_sub(NAMES);
        names.truncate(NAMES);
        let names: Vec<String> = names.into_iter().map(cut).collect();
        line.put(
            "args",
            (line.1 || !names.is_empty()).then(|| Value::from(names)),
        );
        match self.args_digest {
            Some(ArgsDigest::Sha256(digest)) => line.digest("args_sha256", Some(digest)),
            Some(ArgsDigest::Hmac(digest)) => line.digest("args_hmac", Some(digest)),
            None => line.digest("args_sha256", None),
        }
        line.number("args_more", (more > 0).then_some(more));
        line.number(
            "undeclared",
            (self.undeclared > 0).then_some(self.undeclared),
        );
    }

    fn put_detail(&self, line: &mut Line) {
        line.1 = false;
        match &self.detail {
            Detail::Call => {}
            Detail::Outcome {
                exit_code,
                signal,
                duration_ms,
                stdout_bytes,
                stderr_bytes,
            } => {
                line.put("exit_code", exit_code.map(|n| Value::from(i64::from(n))));
                line.put("signal", signal.map(|n| Value::from(i64::from(n))));
                line.put("duration_ms", Some(Value::from(*duration_ms)));
                line.put("stdout_bytes", Some(Value::from(*stdout_bytes)));
                line.put("stderr_bytes", Some(Value::from(*stderr_bytes)));
            }
            Detail::Answer { answer, card_shown } => {
                line.text("answer", Some(answer.as_str()));
                line.put("card_shown", card_shown.map(Value::from));
            }
            Detail::Settings {
                file,
                change,
                before,
                after,
            } => {
                line.text("file", Some(file));
                line.text("change", Some(change));
                line.digest("before", *before);
                line.digest("after", *after);
            }
            Detail::Pack { act, before, after } => {
                line.text("act", Some(act.as_str()));
                line.digest("before", *before);
                line.digest("after", *after);
            }
            Detail::Refused { act } => line.text("act", Some(act)),
            Detail::Rotation { file } => {
                line.text("act", Some("rotation"));
                line.text("file", Some(file));
            }
            Detail::Torn {
                bytes,
                sha256,
                after,
            } => {
                line.text("act", Some("torn"));
                line.put("bytes", Some(Value::from(*bytes)));
                line.digest("sha256", Some(*sha256));
                line.digest("after", *after);
            }
            Detail::Key => line.text("act", Some("key")),
        }
    }
}

/// A time as the log writes it: RFC 3339, UTC, milliseconds.
#[must_use]
pub fn time_text(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A line in the making, and whether absent fields are written as `null`.
struct Line(Object, bool);

impl Line {
    fn put(&mut self, key: &str, value: Option<Value>) {
        match value {
            Some(value) => self.0.insert(key, value),
            None if self.1 => self.0.insert(key, Value::Null),
            None => {}
        }
    }

    fn text(&mut self, key: &str, text: Option<&str>) {
        self.put(key, text.map(|t| Value::from(cut(t))));
    }

    fn digest(&mut self, key: &str, digest: Option<Digest>) {
        self.put(key, digest.map(|d| Value::from(d.to_string())));
    }

    /// A count that is left out where there is none.
    fn number(&mut self, key: &str, number: Option<usize>) {
        if let Some(number) = number.and_then(|n| u64::try_from(n).ok()) {
            self.put(key, Some(Value::from(number)));
        }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_LENGTH) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn principal(who: &Principal) -> Value {
    let object = Object::new()
        .with("id", cut(&who.id))
        .with("kind", who.kind.as_str());
    Value::from(object)
}

fn by(by: &By) -> Value {
    let mut line = Line(Object::new().with("kind", by.kind.as_str()), false);
    line.text("approval_id", by.approval_id.as_deref());
    line.put("rule", by.rule.as_ref().map(rule));
    Value::from(line.0)
}

fn rule(rule: &RuleRef) -> Value {
    let mut line = Line(Object::new().with("layer", rule.layer.as_str()), false);
    line.number("index", Some(rule.index));
    line.text("match", Some(&rule.matches.to_string()));
    line.text("decision", Some(rule.decision.as_str()));
    line.text("note", rule.note.as_deref());
    Value::from(line.0)
}

#[cfg(test)]
mod tests {
    use super::super::AnswerWord;
    use super::*;

    fn keys(event: &Event) -> Vec<String> {
        event.to_object().keys().map(str::to_owned).collect()
    }

    #[test]
    fn a_call_has_every_field_in_order() {
        let event = Event::new(Timestamp::UNIX_EPOCH, Detail::Call);
        assert_eq!(
            keys(&event),
            [
                "time",
                "event",
                "call",
                "via",
                "principal",
                "tenant",
                "project",
                "binding",
                "pack",
                "command",
                "operation",
                "decision",
                "code",
                "reason",
                "mode",
                "by",
                "ran",
                "args",
                "args_sha256"
            ]
        );
        let time = event.to_object().get("time").cloned();
        assert_eq!(time, Some(Value::from("1970-01-01T00:00:00.000Z")));
    }

    #[test]
    fn other_events_leave_out_what_they_have_not() {
        let event = Event::new(
            Timestamp::UNIX_EPOCH,
            Detail::Answer {
                answer: AnswerWord::Approve,
                card_shown: Some(false),
            },
        );
        assert_eq!(keys(&event), ["time", "event", "answer", "card_shown"]);
    }

    #[test]
    fn names_are_sorted_and_texts_and_lists_are_bounded() {
        let mut event = Event::new(Timestamp::UNIX_EPOCH, Detail::Call);
        event.args = (0..1000).rev().map(|n| format!("a{n:04}")).collect();
        event.reason = Some("ü".repeat(10_000));
        event.undeclared = 2;
        let object = event.to_object();
        let args = object.get("args").unwrap().as_array().unwrap();
        assert_eq!((args.len(), args[0].as_str()), (NAMES, Some("a0000")));
        assert_eq!(object.get("args_more"), Some(&Value::from(872_u64)));
        assert_eq!(object.get("undeclared"), Some(&Value::from(2_u64)));
        let reason = object.get("reason").unwrap().as_str().unwrap();
        assert_eq!(reason.chars().count(), TEXT_LENGTH + 1);
    }
}
