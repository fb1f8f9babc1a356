//! `hcpx` alone: mode, packs, what waits, the last decisions, what is wrong, and the command for each.

use super::approvals::waiting;
use super::doctor;
use super::mode::origin;
use super::show::nothing_installed;
use crate::error::CliError;
use crate::output::{Look, Reply, Text};
use hcp::audit::Filter;
use hcp::local::Place;
use hcp_core::json::{Object, Value};
use hcp_core::settings::Effective;

/// How many of the last decisions are shown.
const LAST: usize = 5;

pub(crate) fn screen(place: &Place, columns: usize) -> Result<Reply, CliError> {
    // Settings that cannot be used are what the screen must show, below, as what is wrong.
    let access = place.effective().ok();
    let installed = place.installed();
    let ids: Vec<&str> = installed.iter().map(|i| i.pack.id.as_str()).collect();
    let mode = access.as_ref().map(Effective::mode);
    let mut text = Text::new()
        .piece(Look::Faint, "mode      ")
        .piece(
            Look::Strong,
            mode.as_ref()
                .map_or("none, nothing runs", |(mode, _)| mode.as_str()),
        )
        .line(
            mode.as_ref()
                .map_or_else(String::new, |(_, from)| format!("  {}", origin(from))),
        );
    if ids.is_empty() {
        text = nothing_installed(text.gap(), columns);
    } else {
        text = text
            .piece(Look::Faint, "packs     ")
            .line(format!("{}  (hcpx commands)", ids.join(", ")));
    }
    let waits = if access.is_none() {
        Vec::new()
    } else {
        waiting(place)?
    };
    if !ids.is_empty() && access.is_some() {
        text = match waits.len() {
            0 => text.piece(Look::Faint, "waiting   ").line("nothing"),
            n => text
                .piece(Look::Faint, "waiting   ")
                .piece(Look::Care, &n.to_string())
                .line("  (hcpx approvals)"),
        };
    }
    let last = place
        .audit_log()
        .read(&Filter {
            limit: Some(LAST),
            ..Filter::default()
        })?
        .lines;
    if !last.is_empty() {
        text = text
            .gap()
            .line("Last decisions (hcpx audit):")
            .then(super::audit::events_table(&last, place.now(), columns));
    }
    let wrong: Vec<_> = doctor::findings(place)
        .into_iter()
        .filter(|f| f.wrong())
        .collect();
    for finding in &wrong {
        text = text
            .piece(Look::Danger, "wrong: ")
            .line(format!("{} (hcpx doctor)", finding.what));
    }
    let json = Object::new()
        .with("mode", mode.map(|(mode, _)| mode.as_str().to_owned()))
        .with(
            "packs",
            ids.iter().map(|s| Value::from(*s)).collect::<Vec<_>>(),
        )
        .with("waiting", waits.len() as u64)
        .with("events", last.clone())
        .with(
            "wrong",
            wrong
                .iter()
                .map(|f| Value::from(f.what.as_str()))
                .collect::<Vec<_>>(),
        );
    Ok(Reply::ok(json, text))
}
