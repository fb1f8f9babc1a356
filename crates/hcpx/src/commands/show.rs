//! `hcpx preview`, `explain` and `commands`: what would happen, without anything happening.

use super::call;
use super::rules::look_of;
use crate::cli::{self, CallWords};
use crate::error::CliError;
use crate::output::{Look, Reply, Text, table, to_value};
use hcp::local::{Connection, Place};
use hcp::overview::{CommandAccess, Overview};
use hcp::pipeline::{ExecOptions, Request};
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::names::did_you_mean;
use hcp_core::text::{SafeText, quoted, safe};
use hcp_pack::Pack;

pub(crate) fn preview(place: &Place, words: &CallWords, columns: usize) -> Result<Reply, CliError> {
    let request = call::request(words, "preview", ExecOptions::default())?;
    let hcp = place.hcp()?;
    let (request, _) = pollster::block_on(hcp.preview(&request))?;
    Ok(Reply::ok(request.to_object(), card_text(&request, columns)))
}

/// A card, and under it what the gate says where it would ask or refuse. A line of it that goes on is marked as
/// one, so that it is not taken for a row.
pub(crate) fn card_text(request: &Request, columns: usize) -> Text {
    let mut text = Text::new().card(&request.card, columns);
    let mut reason = &request.answer.reason;
    let (look, word) = match (request.answer.decision, &request.not_connected) {
        (Decision::Deny, _) => (Look::Danger, "Refused"),
        (Decision::Allow | Decision::Ask, Some(fault)) => {
            reason = &fault.message;
            (Look::Danger, "Refused")
        }
        (Decision::Allow, None) => return text,
        (Decision::Ask, None) => (Look::Care, "Asks first"),
    };
    text = text.gap();
    let said = SafeText::line(&format!("{word}: {reason}"));
    for (i, line) in hcp_card::render::wrap(said.as_str(), columns.saturating_sub(2))
        .iter()
        .enumerate()
    {
        let lead = if i == 0 { "" } else { "› " };
        text = text.looking(look, SafeText::line(&format!("{lead}{line}")));
    }
    text
}

pub(crate) fn explain(place: &Place, words: &CallWords, columns: usize) -> Result<Reply, CliError> {
    let request = call::request(words, "explain", ExecOptions::default())?;
    let hcp = place.hcp()?;
    let (request, prepared) = pollster::block_on(hcp.judged(&request))?;
    let answer = &prepared.answer;
    let rows: Vec<Vec<(Look, String)>> = prepared
        .trace
        .iter()
        .map(|entry| {
            vec![
                (Look::Plain, format!("{}:{}", entry.layer, entry.index)),
                (look_of(entry.decision), entry.decision.to_string()),
                (Look::Plain, entry.matches.to_string()),
                (
                    Look::Plain,
                    if entry.why.is_empty() {
                        entry.outcome.to_string().replace('_', " ")
                    } else {
                        format!(
                            "{}: {}",
                            entry.outcome.to_string().replace('_', " "),
                            entry.why
                        )
                    },
                ),
            ]
        })
        .collect();
    let mut text = Text::new()
        .line(format!("{}  {}", prepared.verb, request.card.cli))
        .piece(look_of(answer.decision), answer.decision.as_str())
        .prose(
            Look::Plain,
            &SafeText::join(&format!("  {}", answer.reason)),
            columns,
            2,
        )
        .line(format!(
            "mode {} · approvals {} · decided by {}",
            answer.mode,
            answer.approvals,
            super::mode::origin(&answer.from)
        ))
        .then(unconnected(&request, columns))
        .gap();
    text = if rows.is_empty() {
        text.styled(Look::Faint, "No rule matches this command.")
    } else {
        text.then(table(
            &["rule", "says", "match", "what became of it"],
            &rows,
            columns,
        ))
    };
    let json = Object::new()
        .with("verb_key", prepared.verb.to_string())
        .with("decision", answer.decision.as_str())
        .with("reason", answer.reason.as_str())
        .with("reason_code", answer.reason_code.as_str())
        .with("mode", answer.mode.as_str())
        .with("approvals", answer.approvals.as_str())
        .with("from", to_value(&answer.from))
        .with("rule", answer.rule.as_ref().map(to_value))
        .with("operation", prepared.policy.operation.as_str())
        .with("confirm", prepared.policy.confirm.as_str())
        .with("cli", request.card.cli.as_str())
        .with("trace", to_value(&prepared.trace));
    let json = match &request.not_connected {
        Some(fault) => json.with("not_connected", fault.message.as_str()),
        None => json,
    };
    Ok(Reply::ok(json, text))
}

/// Why a call that the settings let through would run as nobody all the same.
fn unconnected(request: &Request, columns: usize) -> Text {
    match &request.not_connected {
        Some(fault) if request.answer.decision != Decision::Deny => {
            Text::new().piece(Look::Danger, "refused").prose(
                Look::Plain,
                &SafeText::line(&format!("  {}", fault.message)),
                columns,
                2,
            )
        }
        Some(_) | None => Text::new(),
    }
}

pub(crate) fn commands(
    place: &Place,
    words: &cli::Commands,
    columns: usize,
) -> Result<Reply, CliError> {
    let layers = place.layers()?;
    let installed = place.installed();
    if let Some(name) = &words.pack {
        let known = installed.iter().any(|i| i.pack.id.as_str() == name);
        if !known {
            // Asking for the pack gives the exact refusal where it is there but changed or broken.
            if let Err(refused) = place.load_pack(name)
                && refused.code != Code::UnknownPack
            {
                return Err(refused.into());
            }
            let near = did_you_mean(name, installed.iter().map(|i| i.pack.id.as_str()));
            return Err(CliError::new(
                Code::UnknownPack,
                format!("no pack {} is installed", quoted(name)),
            )
            .hint(near.map_or_else(
                || "hcpx packs lists what is installed".to_owned(),
                |n| format!("did you mean {n}? hcpx packs lists what is installed"),
            )));
        }
    }
    let overview = Overview::new(&layers, place.now());
    let grants = place.grants()?;
    let mut json = Vec::new();
    let mut text = Text::new();
    for installed in &installed {
        let pack = &installed.pack;
        if words
            .pack
            .as_deref()
            .is_some_and(|name| name != pack.id.as_str())
        {
            continue;
        }
        if !text.is_empty() {
            text = text.gap();
        }
        text = text.piece(Look::Strong, pack.id.as_str()).prose(
            Look::Plain,
            &SafeText::join(&format!("  {}", safe(&pack.summary))),
            columns.saturating_sub(pack.id.as_str().len()),
            2,
        );
        let connection = place.connection(installed);
        text = text.then(connection_line(pack, &connection));
        let mut accesses = overview.pack(pack);
        for access in &mut accesses {
            if let Some(reason) = place.not_granted(&grants, &access.verb, access.policy) {
                // Grants decide before any setting does, and no setting or yes lifts them.
                access.decision = Decision::Deny;
                access.reason = reason;
                access.conditions.clear();
            }
        }
        text = text.then(command_table(&accesses, columns));
        for access in accesses {
            let command = pack.commands.get(&access.verb.command);
            let mut object = Object::new();
            if let Some(identity) = connection.identity() {
                object.insert("as", identity);
            }
            json.push(Value::Object(
                object
                    .with("verb_key", access.verb.to_string())
                    .with("access", access.decision.as_str())
                    .with("reason", access.reason.as_str())
                    .with("conditions", access.conditions.clone())
                    .with("words", access.in_words())
                    .with("operation", access.policy.operation.as_str())
                    .with("confirm", access.policy.confirm.as_str())
                    .with("description", access.description.as_str())
                    .with("args", command.map(arguments).unwrap_or_default()),
            ));
        }
    }
    if json.is_empty() {
        text = nothing_installed(text, columns);
    }
    for broken in place.broken_packs() {
        text = text.piece(Look::Danger, "broken: ").line(broken);
    }
    Ok(Reply::ok(Object::new().with("commands", json), text).list("commands"))
}

/// As whom the commands of a pack act, where they act for an account.
fn connection_line(pack: &Pack, connection: &Connection) -> Text {
    let text = Text::new();
    match connection {
        Connection::NotNeeded => text,
        Connection::As(identity) => text.safe(SafeText::line(&format!("acts as {identity}"))),
        Connection::Missing(_) => text.styled(
            Look::Danger,
            format!(
                "acts for an account; nothing runs before hcpx connect {}",
                pack.id
            ),
        ),
        Connection::Unusable(why) => text.safe_styled(Look::Danger, SafeText::line(why)),
    }
}

/// The commands of a pack: each with its access, what changes it, and what the command does. What changes
/// the access of every command alike is said once, under them.
fn command_table(accesses: &[CommandAccess], columns: usize) -> Text {
    let shared = shared_conditions(accesses);
    let name = accesses
        .iter()
        .map(|a| a.verb.command.as_str().len())
        .max()
        .unwrap_or(0)
        .max("command".len());
    let indent = name + 2;
    let beside = indent + "access  ".len();
    let mut text = Text::new().styled(Look::Faint, format!("{:name$}  access", "command"));
    for access in accesses {
        let own: Vec<String> = access
            .conditions
            .iter()
            .filter(|c| !shared.contains(c))
            .cloned()
            .collect();
        let word = access.decision.as_str();
        text = text.piece(
            Look::Plain,
            &format!("{:name$}  ", access.verb.command.as_str()),
        );
        if own.is_empty() && columns >= beside + 24 {
            text = text
                .piece(look_of(access.decision), &format!("{word:<8}"))
                .prose(Look::Faint, &safe(&access.description), columns, beside);
            continue;
        }
        let words = std::iter::once(word.to_owned())
            .chain(grouped(&own))
            .collect::<Vec<_>>()
            .join(" · ");
        text = text
            .prose(
                look_of(access.decision),
                &SafeText::join(&words),
                columns,
                indent,
            )
            .piece(Look::Plain, &" ".repeat(indent))
            .prose(Look::Faint, &safe(&access.description), columns, indent);
    }
    for condition in grouped(&shared) {
        text = text.prose(
            Look::Faint,
            &SafeText::join(&format!("each of them: {condition}")),
            columns,
            "each of them: ".len(),
        );
    }
    text
}

/// The conditions that every command of a pack has, where there are several commands.
fn shared_conditions(accesses: &[CommandAccess]) -> Vec<String> {
    let Some((first, others)) = accesses.split_first() else {
        return Vec::new();
    };
    if others.is_empty() {
        return Vec::new();
    }
    let everywhere = |c: &&String| others.iter().all(|a| a.conditions.contains(*c));
    first
        .conditions
        .iter()
        .filter(everywhere)
        .cloned()
        .collect()
}

/// Conditions with the same beginning as one: "runs when a or b".
fn grouped(conditions: &[String]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for condition in conditions {
        let (verb, when) = condition
            .split_once(" when ")
            .unwrap_or((condition.as_str(), ""));
        let when = when.to_owned();
        match groups.iter_mut().find(|(v, _)| *v == verb) {
            Some((_, whens)) => whens.push(when),
            None => groups.push((verb, vec![when])),
        }
    }
    groups
        .into_iter()
        .map(|(verb, whens)| {
            // A comma inside one means "and"; then "when" says again where the next begins.
            let or = if whens.len() > 1 && whens.iter().any(|w| w.contains(", ")) {
                ", or when "
            } else {
                " or "
            };
            match whens.as_slice() {
                [only] if only.is_empty() => verb.to_owned(),
                whens => format!("{verb} when {}", whens.join(or)),
            }
        })
        .collect()
}

fn arguments(command: &hcp_pack::Command) -> Vec<Value> {
    command
        .arguments
        .iter()
        .map(|a| {
            Object::new()
                .with("name", a.name.as_str())
                .with("type", a.kind.clone())
                .with("required", a.required)
                .with("description", a.description.as_str())
                .into()
        })
        .collect()
}

/// What to do with no pack yet.
pub(crate) fn nothing_installed(text: Text, columns: usize) -> Text {
    let names: Vec<&str> = hcp::packs::bundled().iter().map(|b| b.id).collect();
    text.line("No pack is installed yet.")
        .piece(Look::Plain, "Bundled: ")
        .prose(
            Look::Plain,
            &hcp_core::text::safe(&names.join(", ")),
            columns,
            "Bundled: ".len(),
        )
        .line("Install one: hcpx install ledger")
        .line("Or see the whole story first: hcpx demo")
}
