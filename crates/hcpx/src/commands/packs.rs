//! `hcpx packs`, `packs diff`, `packs accept`, `install` and `uninstall`.

use super::mode::pack_id;
use super::settings::accesses;
use super::show::nothing_installed;
use crate::cli::{self, PacksCommand};
use crate::error::CliError;
use crate::output::{Look, Reply, Text, counted, table, to_value};
use hcp::event::{Detail, Event, PackAct};
use hcp::local::{Connection, Place};
use hcp::packs::{Change, ChangeKind, PackError, Replace, Source};
use hcp_core::canonical::Digest;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::names::PackId;
use hcp_core::policy::{Confirm, Operation};
use hcp_core::rule::Match;
use hcp_core::text::SafeText;
use hcp_pack::Pack;

/// More commands than this are counted, not listed.
const LISTED: usize = 20;
/// The same of commands that ask or are refused.
const LISTED_GRAVE: usize = 40;

pub(crate) fn run(place: &Place, words: &cli::Packs, columns: usize) -> Result<Reply, CliError> {
    match &words.command {
        None => list(place, columns),
        Some(PacksCommand::Diff { id }) => diff(place, id),
        Some(PacksCommand::Accept { id }) => accept(place, id),
    }
}

fn list(place: &Place, columns: usize) -> Result<Reply, CliError> {
    let mut json = Vec::new();
    let mut rows = Vec::new();
    for (entry, loaded) in place.listed()? {
        let state = match &loaded {
            Ok(installed) => {
                let commands = installed.pack.commands.len();
                let linked = if entry.linked.is_some() {
                    " · linked: it follows its folder"
                } else {
                    ""
                };
                (
                    Look::Plain,
                    format!(
                        "{}{linked}{}",
                        counted(commands, "command"),
                        place.connection(installed).in_words()
                    ),
                )
            }
            Err(error) => (Look::Danger, error.to_string()),
        };
        let mut object = to_value(&entry).as_object().cloned().unwrap_or_default();
        object.insert("name", loaded.as_ref().ok().map(|i| i.pack.name.clone()));
        object.insert(
            "commands",
            loaded.as_ref().ok().map(|i| i.pack.commands.len() as u64),
        );
        object.insert(
            "code",
            loaded.as_ref().err().map_or("ok", |e| e.code().as_str()),
        );
        if let Some(identity) = loaded
            .as_ref()
            .ok()
            .and_then(|installed| place.connection(installed).identity())
        {
            object.insert("identity", identity);
        }
        json.push(Value::Object(object));
        rows.push(vec![
            (Look::Strong, entry.id.to_string()),
            (Look::Plain, entry.version.clone()),
            (Look::Faint, entry.source.clone()),
            state,
        ]);
    }
    let text = if rows.is_empty() {
        nothing_installed(Text::new(), columns)
    } else {
        table(&["pack", "version", "from", "state"], &rows, columns)
    };
    Ok(Reply::ok(Object::new().with("packs", json), text).list("packs"))
}

fn event(
    place: &Place,
    act: PackAct,
    id: &PackId,
    before: Option<Digest>,
    after: Option<Digest>,
) -> Event {
    let mut event = place.event(Detail::Pack { act, before, after });
    event.pack = Some(id.to_string());
    event
}

fn change_lines(mut text: Text, changes: &[Change]) -> Text {
    for change in changes {
        let looser = change.kind == ChangeKind::PolicyLooser;
        text = text
            .piece(
                if looser { Look::Danger } else { Look::Plain },
                if looser { "  ! " } else { "  " },
            )
            .line(&change.text);
    }
    text
}

fn diff(place: &Place, id: &str) -> Result<Reply, CliError> {
    let found = place.packs().diff(id)?;
    let text = if found.changes.is_empty() {
        Text::new().line(format!("{id} is as it was accepted."))
    } else {
        change_lines(
            Text::new().line(format!("{id} differs from what was accepted:")),
            &found.changes,
        )
        .line(format!("Take it as it is now: hcpx packs accept {id}"))
    };
    let json = Object::new()
        .with("id", id)
        .with("accepted", found.accepted.to_string())
        .with("digest", found.pack.digest.to_string())
        .with("changes", to_value(&found.changes));
    Ok(Reply::ok(json, text))
}

fn accept(place: &Place, id: &str) -> Result<Reply, CliError> {
    place.may_install(&pack_id(id)?)?;
    place.audit_ready()?;
    let done = place.packs().accept(id, None, place.now())?;
    place.record(&event(
        place,
        PackAct::Accept,
        &done.pack.id,
        Some(done.accepted),
        Some(done.pack.digest),
    ))?;
    let text = change_lines(
        Text::new().line(format!(
            "{id} {} is accepted as it is now.",
            done.pack.version
        )),
        &done.changes,
    );
    let json = Object::new()
        .with("id", id)
        .with("digest", done.pack.digest.to_string())
        .with("changes", to_value(&done.changes));
    Ok(Reply::ok(json, text))
}

pub(crate) fn install(
    place: &Place,
    words: &cli::Install,
    columns: usize,
) -> Result<Reply, CliError> {
    let source = match Source::resolve(&words.source)? {
        Source::Path(path) if words.link => Source::Link(path),
        Source::Bundled(_) if words.link => {
            return Err(CliError::usage("a bundled pack has no folder to follow")
                .hint("name a folder, for example ./my-pack"));
        }
        source @ (Source::Bundled(_) | Source::Path(_) | Source::Link(_)) => source,
    };
    // A grant for one pack is for its id, whatever its folder is called.
    let id = match &source {
        Source::Bundled(pack) => pack_id(pack.id)?,
        Source::Path(folder) | Source::Link(folder) => place.read_pack(folder)?.id,
    };
    place.may_install(&id)?;
    place.audit_ready()?;
    let layers = place.layers()?;
    let program = std::env::current_exe().map_err(|e| {
        CliError::new(
            hcp_core::code::Code::Internal,
            format!("the path of hcpx itself cannot be told: {e}"),
        )
    })?;
    let replace = if words.replace {
        Replace::Yes
    } else {
        Replace::No
    };
    let done = place
        .packs()
        .install_as(&id, &source, replace, place.now(), &program)
        .map_err(|e| taken(e, &layers))?;
    let pack = &done.pack;
    place.record(&event(
        place,
        PackAct::Install,
        &pack.id,
        done.before.as_ref().map(|p| p.digest),
        Some(pack.digest),
    ))?;
    let (text, can) = installed_text(place, pack, &done.changes, words.link, columns)?;
    let json = Object::new()
        .with("id", pack.id.as_str())
        .with("version", pack.version.as_str())
        .with("digest", pack.digest.to_string())
        .with("changes", to_value(&done.changes))
        .with("can", can);
    Ok(Reply::ok(json, text))
}

/// An id that is taken: what would change, and every rule that would serve the new pack.
fn taken(error: PackError, layers: &hcp_core::settings::Layers) -> CliError {
    let PackError::Exists { id, changes } = &error else {
        return CliError::from(error);
    };
    let rules = rules_naming(layers, id);
    let mut told = CliError::usage(format!("a pack {id} is installed already")).hint(format!(
        "read what changes; then hcpx install --replace puts the new {id} in its place"
    ));
    for change in changes {
        told.message
            .push_str(&format!("\n  changes: {}", change.text));
    }
    for rule in &rules {
        told.message
            .push_str(&format!("\n  would serve the new pack: {rule}"));
    }
    told.extra.insert("changes", to_value(changes));
    told.extra.insert("rules", rules);
    told
}

/// Every rule that names the pack, in words.
fn rules_naming(layers: &hcp_core::settings::Layers, id: &hcp_core::names::PackId) -> Vec<String> {
    layers
        .user
        .iter()
        .chain(&layers.project)
        .flat_map(|s| &s.body.rules)
        .filter(|rule| match &rule.matches {
            Match::Everything => false,
            Match::Pack(pack) => pack == id,
            Match::Command(verb) => verb.pack == *id,
        })
        .map(hcp_core::rule::Rule::in_words)
        .collect()
}

fn installed_text(
    place: &Place,
    pack: &Pack,
    changes: &[Change],
    link: bool,
    columns: usize,
) -> Result<(Text, Object), CliError> {
    let all = accesses(place, &place.layers()?);
    let own: Vec<_> = all.iter().filter(|a| a.verb.pack == pack.id).collect();
    let names = |decision: Decision| -> Vec<String> {
        own.iter()
            .filter(|a| a.decision == decision)
            .map(|a| a.verb.command.to_string())
            .collect()
    };
    let reads = own
        .iter()
        .filter(|a| a.policy.operation == Operation::Read)
        .count();
    let always = own.iter().filter(|a| a.policy.confirm == Confirm::Always);
    let always = always.count();
    let mut text = Text::new()
        .piece(Look::Good, "installed")
        .line(format!(" {} {}: {}", pack.id, pack.version, pack.summary));
    if link {
        text = text.styled(Look::Care, "It is linked: it follows its folder.");
    }
    if !changes.is_empty() {
        text = change_lines(text.line("What changes:"), changes);
    }
    text = text.line(format!(
        "{}, {}.",
        counted(reads, "read"),
        counted(own.len() - reads, "write")
    ));
    for (word, look, decision) in [
        ("runs", Look::Good, Decision::Allow),
        ("asks", Look::Care, Decision::Ask),
        ("refused", Look::Danger, Decision::Deny),
    ] {
        let names = names(decision);
        if !names.is_empty() {
            // What a large pack has is better read in `hcpx commands`.
            let most = match decision {
                Decision::Allow => LISTED,
                Decision::Ask | Decision::Deny => LISTED_GRAVE,
            };
            let listed = if names.len() > most {
                let always = match decision {
                    Decision::Ask => format!(", {always} of them in every mode"),
                    Decision::Allow | Decision::Deny => String::new(),
                };
                format!(
                    "{}{always} (hcpx commands {})",
                    counted(names.len(), "command"),
                    pack.id
                )
            } else {
                names.join(", ")
            };
            text = text.piece(look, word).piece(Look::Plain, ": ").prose(
                Look::Plain,
                &hcp_core::text::safe(&listed),
                columns,
                word.len() + 2,
            );
        }
    }
    let connection = place.load_pack(pack.id.as_str());
    let connection = connection.map(|installed| place.connection(&installed));
    if matches!(connection, Ok(Connection::Missing(_))) {
        text = text.line(format!(
            "It acts for an account, and runs nothing before you connect it: hcpx connect {}",
            pack.id
        ));
    }
    text = text.line(format!(
        "To be asked before every write of it: hcpx mode manual --pack {}",
        pack.id
    ));
    let can = Object::new()
        .with("reads", reads as u64)
        .with("writes", (own.len() - reads) as u64)
        .with("runs", names(Decision::Allow))
        .with("asks", names(Decision::Ask))
        .with("refused", names(Decision::Deny));
    Ok((text, can))
}

pub(crate) fn uninstall(place: &Place, words: &cli::Uninstall) -> Result<Reply, CliError> {
    let id = pack_id(&words.id)?;
    place.may_install(&id)?;
    place.audit_ready()?;
    // What names an account goes first: a pack of the same id that comes later must not find it.
    let forgotten = place.forget_bindings(&id)?;
    place.packs().uninstall(&words.id)?;
    place.record(&event(place, PackAct::Uninstall, &id, None, None))?;
    let left = rules_naming(&place.layers()?, &id);
    let mut text = Text::new().line(format!("{id} is gone."));
    for identity in &forgotten {
        let line = format!("It was connected as {identity}; the tool itself stays signed in.");
        text = text.safe(SafeText::line(&line));
    }
    for rule in &left {
        text = text
            .piece(Look::Care, "note: ")
            .line(format!("a rule still names it: {rule}"));
    }
    Ok(Reply::ok(
        Object::new()
            .with("id", id.as_str())
            .with("rules_left", left),
        text,
    ))
}
