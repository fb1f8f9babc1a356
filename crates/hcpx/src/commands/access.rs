//! `hcpx access`: the effective settings and all that was ignored; set, check, test.

use super::mode::{origin, source};
use super::rules::look_of;
use super::settings::{self, Target};
use crate::cli::{self, AccessCommand};
use crate::error::CliError;
use crate::output::{Look, Reply, Text, counted, table, to_value};
use hcp::access_test::{self, NoPack, Outcome, Table};
use hcp::advice;
use hcp::local::Place;
use hcp_core::code::Code;
use hcp_core::diagnostic::{Source, with_place};
use hcp_core::json::{Limits, Object, Value, parse_bytes};
use hcp_core::mode::Approvals;
use hcp_core::settings::AccessFile;
use hcp_core::text::{SafeText, quoted, safe};
use hcp_pack::Pack;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(place: &Place, words: &cli::Access, columns: usize) -> Result<Reply, CliError> {
    match &words.command {
        None => show(place, columns),
        Some(AccessCommand::Set {
            key,
            value,
            project,
        }) => set(place, key, value, Target::new(*project)),
        Some(AccessCommand::Check { file }) => check(place, file),
        Some(AccessCommand::Test { file }) => test(place, file, columns),
    }
}

fn show(place: &Place, columns: usize) -> Result<Reply, CliError> {
    let layers = place.layers()?;
    let installed = place.installed();
    let packs: Vec<&Pack> = installed.iter().map(|i| &i.pack).collect();
    let advice = advice::all(&layers, &packs, place.now());
    let access = place.effective()?;
    let now = place.now();
    let (mode, mode_from) = access.mode();
    let (approvals, approvals_from) = access.approvals();
    let (minutes, minutes_from) = access.approval_minutes();
    let grants = place.grants_in_words()?;
    let mut rows = vec![
        row("mode", mode.as_str(), &origin(&mode_from)),
        row("approvals", approvals.as_str(), &origin(&approvals_from)),
        row(
            "approval_minutes",
            &minutes.to_string(),
            &origin(&minutes_from),
        ),
    ];
    rows.extend(
        access
            .pack_modes()
            .into_iter()
            .map(|(id, mode, from)| row(&format!("mode of {id}"), mode.as_str(), &origin(&from))),
    );
    let you = if place.agent.inside {
        "an agent"
    } else {
        "a person"
    };
    let mut text = table(&["setting", "value", "from"], &rows, columns)
        .gap()
        .prose(Look::Plain, &safe(&format!("grants: {grants}")), columns, 2)
        .prose(
            Look::Plain,
            &SafeText::join(&format!("you are {you}: {}", place.agent.looked())),
            columns,
            2,
        )
        .gap();
    let files = place.layer_files(&layers);
    for (layer, file, state) in &files {
        text = text
            .piece(Look::Faint, &format!("{layer}: "))
            .line(format!("{file}{state}"));
    }
    let mut accounts = Object::new();
    for pack in &installed {
        let connection = place.connection(pack);
        if let Some(identity) = connection.identity() {
            accounts.insert(pack.pack.id.as_str(), identity);
            let line = format!("{}{}", pack.pack.id, connection.in_words());
            text = text.safe(SafeText::line(&line));
        }
    }
    let count = access.rules().filter(|entry| entry.counts(now)).count();
    text = text.line(match count {
        0 => "No rule counts.".to_owned(),
        1 => "1 rule counts (hcpx rules).".to_owned(),
        n => format!("{n} rules count (hcpx rules)."),
    });
    let views = OwnViews::of(access.views());
    if views.total() > 0 {
        text = text.line(format!("{} of your own for cards.", views.in_words()));
    }
    for ignored in access.ignored() {
        let line = format!("{} in {} ({})", ignored.what, ignored.file, ignored.reason);
        text = text.piece(Look::Care, "ignored: ").prose(
            Look::Plain,
            &safe(&line),
            columns.saturating_sub("ignored: ".len()),
            2,
        );
    }
    for advice in &advice {
        let line = format!("rule {} in {}: {}", advice.index, advice.file, advice.text);
        text = text.piece(Look::Care, "note: ").prose(
            Look::Plain,
            &SafeText::join(&line),
            columns.saturating_sub("note: ".len()),
            2,
        );
    }
    let rules: Vec<Value> = access
        .rules()
        .map(|entry| {
            let mut object = Object::new()
                .with("index", entry.index as u64)
                .with("scope", entry.layer.as_str());
            for (key, value) in entry.rule.to_object() {
                object.insert(key, value);
            }
            object.with("counts", entry.counts(now)).into()
        })
        .collect();
    let layer_values: Vec<Value> = files
        .iter()
        .map(|(layer, file, state)| {
            Object::new()
                .with("layer", layer.as_str())
                .with("file", file.as_str())
                .with("present", state.is_empty())
                .into()
        })
        .collect();
    let caller = Object::new()
        .with("kind", place.principal().kind.as_str())
        .with(
            "marker",
            place.agent.marker.as_ref().map(ToString::to_string),
        )
        .with("looked", place.agent.looked());
    let json = Object::new()
        .with("mode", mode.as_str())
        .with("mode_from", source(&mode_from))
        .with("approvals", approvals.as_str())
        .with("approvals_from", source(&approvals_from))
        .with("approval_minutes", minutes)
        .with(
            "packs",
            access
                .pack_modes()
                .into_iter()
                .map(|(id, mode, from)| {
                    (
                        id.to_string(),
                        Value::Object(
                            Object::new()
                                .with("mode", mode.as_str())
                                .with("from", source(&from)),
                        ),
                    )
                })
                .collect::<Object>(),
        )
        .with("agent", place.agent.inside)
        .with("caller", caller)
        .with("accounts", accounts)
        .with("grants", grants)
        .with("layers", layer_values)
        .with("rules", rules)
        .with("views", views.to_object())
        .with("ignored", to_value(&access.ignored()))
        .with("advice", to_value(&advice));
    Ok(Reply::ok(json, text))
}

/// How many view and signal rules a settings file brings.
struct OwnViews {
    rules: usize,
    signals: usize,
}

impl OwnViews {
    fn of(views: Option<&Value>) -> Self {
        let count = |key: &str| {
            let list = views.and_then(|v| v.get(key)?.as_array());
            list.map_or(0, <[Value]>::len)
        };
        Self {
            rules: count("rules"),
            signals: count("signals"),
        }
    }

    fn total(&self) -> usize {
        self.rules + self.signals
    }

    fn in_words(&self) -> String {
        format!(
            "{} and {}",
            counted(self.rules, "view rule"),
            counted(self.signals, "signal rule")
        )
    }

    fn to_object(&self) -> Object {
        Object::new()
            .with("rules", self.rules as u64)
            .with("signals", self.signals as u64)
    }
}

fn row(name: &str, value: &str, from: &str) -> Vec<(Look, String)> {
    vec![
        (Look::Plain, name.to_owned()),
        (Look::Strong, value.to_owned()),
        (Look::Faint, from.to_owned()),
    ]
}

fn set(place: &Place, key: &str, value: &str, target: Target) -> Result<Reply, CliError> {
    let new: Value = match key {
        "approvals" => Approvals::parse(value)
            .map(|a| Value::from(a.as_str()))
            .ok_or_else(|| {
                CliError::usage(format!("{} is no approvals word", quoted(value)))
                    .hint("it is agent or human")
            })?,
        _ => value
            .parse::<u64>()
            .ok()
            .filter(|n| (1..=1440).contains(n))
            .map(Value::from)
            .ok_or_else(|| {
                CliError::usage(format!("{} is no number of minutes", quoted(value)))
                    .hint("it is a whole number from 1 to 1440")
            })?,
    };
    let change = settings::change(place, target, &format!("{key} {new}"), |doc| {
        doc.insert(key, new.clone());
        Ok(())
    })?;
    let old = change
        .before
        .get(key)
        .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned));
    let default = if key == "approvals" { "agent" } else { "15" };
    let project = if target == Target::Project {
        " --project"
    } else {
        ""
    };
    let undo = format!(
        "hcpx access set {key} {}{project}",
        old.as_deref().unwrap_or(default)
    );
    let said = format!(
        "{key} {value}, in {} (before: {})",
        change.file,
        old.as_deref().unwrap_or("not set")
    );
    Ok(change.reply(Object::new().with(key, new), &said, &undo))
}

fn read_file(file: &Path, max: usize) -> Result<Vec<u8>, CliError> {
    let shown = file.display();
    let unreadable = |what: &str| {
        CliError::usage(format!("{shown} cannot be read: {what}")).hint("name a file that is there")
    };
    let meta = std::fs::metadata(file).map_err(|e| unreadable(&e.to_string()))?;
    if !meta.is_file() {
        return Err(unreadable("it is not a regular file"));
    }
    if meta.len() > max as u64 {
        return Err(CliError::new(
            Code::AccessInvalid,
            format!("{shown} has more than {max} bytes"),
        )
        .hint("split it"));
    }
    std::fs::read(file).map_err(|e| unreadable(&e.to_string()))
}

fn check(place: &Place, file: &Path) -> Result<Reply, CliError> {
    let bytes = read_file(file, Limits::default().bytes)?;
    let name = file.display().to_string();
    let shown = String::from_utf8_lossy(&bytes);
    let source = Source::new(&name, &shown);
    let faults = match parse_bytes(&bytes, Limits::default()) {
        Err(fault) => vec![fault],
        Ok(node) => match hcp::settings::body(&node) {
            Ok(body) => return Ok(checked(place, &name, body)),
            Err(faults) => faults,
        },
    };
    let places = faults.iter().map(|f| source.locate(f)).collect::<Vec<_>>();
    Err(CliError::new(
        Code::AccessInvalid,
        format!("{name} is no valid settings file"),
    )
    .hint("mend the places named and check again")
    .at(places))
}

fn checked(place: &Place, name: &str, body: AccessFile) -> Reply {
    let installed = place.installed();
    let packs: Vec<&Pack> = installed.iter().map(|i| &i.pack).collect();
    let rules = body.rules.len();
    let views = OwnViews::of(body.views.as_ref());
    let layers = hcp_core::settings::Layers {
        user: Some(hcp_core::settings::Sourced {
            file: name.to_owned(),
            body,
        }),
        ..Default::default()
    };
    let advice = advice::all(&layers, &packs, place.now());
    let mut text = Text::new()
        .piece(Look::Good, "valid")
        .line(if views.total() == 0 {
            format!(": {name}, {}", counted(rules, "rule"))
        } else {
            format!(": {name}, {}, {}", counted(rules, "rule"), views.in_words())
        });
    for advice in &advice {
        text = text
            .piece(Look::Care, "note: ")
            .line(format!("rule {}: {}", advice.index, advice.text));
    }
    Reply::ok(
        Object::new()
            .with("file", name)
            .with("rules", rules as u64)
            .with("views", views.to_object())
            .with("advice", to_value(&advice)),
        text,
    )
}

fn test(place: &Place, file: &Path, columns: usize) -> Result<Reply, CliError> {
    let bytes = read_file(file, access_test::MAX_BYTES)?;
    let name = file.display().to_string();
    let table = Table::parse(&name, &bytes).map_err(|places| {
        CliError::new(Code::AccessInvalid, format!("{name} is no valid test file"))
            .hint("mend the places named")
            .at(places)
    })?;
    let packs = packs_of(place, &table, file)?;
    let effective = if table.has_layers() {
        hcp_core::settings::Layers::default()
    } else {
        place.layers()?
    };
    let outcomes = table.run(
        |id| {
            packs.get(id.as_str()).cloned().map_or_else(
                || match place.load_pack(id.as_str()) {
                    Ok(installed) => Ok(Arc::new(installed.pack.clone())),
                    Err(refusal) => Err(NoPack {
                        code: refusal.code,
                        reason: with_place(
                            refusal
                                .message
                                .trim_end_matches(" Nothing ran.")
                                .trim_end_matches('.'),
                            &refusal.diagnostics,
                        ),
                    }),
                },
                Ok,
            )
        },
        &effective,
        place.now(),
    );
    Ok(tested(&outcomes, columns))
}

/// The packs that the file brings, read without being installed.
fn packs_of(
    place: &Place,
    table: &Table,
    file: &Path,
) -> Result<HashMap<String, Arc<Pack>>, CliError> {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    let mut packs = HashMap::new();
    for path in &table.packs {
        let pack = place.read_pack(&folder.join(path))?;
        packs.insert(pack.id.to_string(), Arc::new(pack));
    }
    Ok(packs)
}

fn tested(outcomes: &[Outcome], columns: usize) -> Reply {
    let mut text = Text::new();
    let mut cases = Vec::new();
    for outcome in outcomes {
        let decision = outcome.answer.as_ref().map(|a| a.decision);
        let mut case = Object::new()
            .with("name", outcome.name.as_str())
            .with("decision", decision.map(|d| d.as_str().to_owned()))
            .with("code", outcome.code.as_str())
            .with("reason", outcome.reason.as_str())
            .with("ok", outcome.ok);
        if outcome.ok {
            cases.push(Value::Object(case));
            continue;
        }
        case.insert("expected", outcome.expected.as_str());
        if let Some(trace) = &outcome.trace {
            case.insert("trace", to_value(trace));
        }
        cases.push(Value::Object(case));
        let got = decision.map_or_else(
            || outcome.code.clone(),
            |d| format!("{d} ({})", outcome.code),
        );
        text = text
            .piece(Look::Danger, "failed")
            .line(format!(": {}", outcome.name))
            .line(format!("  expected {}, got {got}", outcome.expected))
            .line(format!("  {}", outcome.reason));
        let Some(trace) = &outcome.trace else {
            text = text.line("  (no trace: too many cases failed)");
            continue;
        };
        let rows: Vec<Vec<(Look, String)>> = trace
            .iter()
            .map(|entry| {
                vec![
                    (Look::Faint, format!("  {}:{}", entry.layer, entry.index)),
                    (look_of(entry.decision), entry.decision.to_string()),
                    (Look::Plain, format!("{} {}", entry.outcome, entry.why)),
                ]
            })
            .collect();
        if !rows.is_empty() {
            text = text.then(table(&["  rule", "", "what became of it"], &rows, columns));
        }
    }
    let failed = outcomes.iter().filter(|o| !o.ok).count();
    let passed = outcomes.len() - failed;
    text = text.line(format!("{passed} passed, {failed} failed"));
    let json = Object::new()
        .with("ok", failed == 0)
        .with("code", if failed == 0 { "ok" } else { "command_failed" })
        .with("passed", passed as u64)
        .with("failed", failed as u64)
        .with("cases", cases);
    let mut reply = Reply::ok(json, text).list("cases");
    reply.exit = u8::from(failed > 0);
    reply
}
