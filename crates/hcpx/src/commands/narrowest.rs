//! The narrowest rule that would have let a call run, as a line to copy: what a person may want after their yes.

use super::rule_words;
use crate::cli::ConditionWords;
use crate::output::{Look, Text};
use hcp::local::Place;
use hcp::pipeline::Request;
use hcp_core::approval::Record;
use hcp_core::canonical;
use hcp_core::json::{Object, Value};
use hcp_core::rule::Match;
use hcp_pack::Argument;

/// The line; `None` for a card of danger, for a call that no rule can bind as it was, and where no allow rule would
/// let it run.
pub(crate) fn line(place: &Place, record: &Record, request: &Request) -> Option<String> {
    if request.card.is_danger() || record.carried_secret || record.carried_stdin {
        return None;
    }
    let pack = place.load_pack(record.verb.pack.as_str()).ok()?;
    let command = pack.pack.commands.get(&record.verb.command)?;
    let arguments: Vec<&Argument> = command.arguments.iter().collect();
    let words = conditions(&place.stored_args(record)?);
    let matches = Match::Command(record.verb.clone());
    // The words are read as `hcpx allow` would read them: a line that says something else is not printed.
    let rule = rule_words::allow(&matches, &words, &arguments).ok()?;
    if !place.would_run_under(record, &rule) {
        return None;
    }
    let mut line = vec!["hcpx".to_owned(), "allow".to_owned(), matches.to_string()];
    line.extend(rule_words::options(&rule));
    Some(hcp_pack::template::shell_line(&line))
}

/// The lines for people.
pub(crate) fn text(lines: &[String]) -> Text {
    let head = match lines {
        [] => return Text::new(),
        [_] => "The narrowest rule that lets it run without asking:",
        _ => "The narrowest rules that let these run without asking:",
    };
    let head = Text::new().styled(Look::Faint, head);
    let lines = lines.iter();
    lines.fold(head, |text, line| text.line(format!("  {line}")))
}

/// Every argument that is there as it is, and no other.
fn conditions(args: &Object) -> ConditionWords {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| canonical::encode(value), str::to_owned)
    };
    ConditionWords {
        when: args
            .iter()
            .map(|(name, value)| format!("{name}={}", text(value)))
            .collect(),
        only: true,
        ..ConditionWords::default()
    }
}
