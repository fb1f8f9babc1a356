//! `hcpx mode`: show the mode and where it comes from, or set it.

use super::settings::{self, Target};
use crate::cli;
use crate::error::CliError;
use crate::output::{Look, Reply, Text};
use hcp::advice;
use hcp::local::Place;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Mode;
use hcp_core::names::PackId;
use hcp_core::settings::Origin;
use hcp_core::text::quoted;
use hcp_pack::Pack;

pub(crate) fn run(place: &Place, words: &cli::Mode) -> Result<Reply, CliError> {
    let pack = words.pack.as_deref().map(pack_id).transpose()?;
    if words.clear {
        return set(place, words, pack.as_ref(), None);
    }
    match words.mode.as_deref().and_then(Mode::parse) {
        Some(mode) => set(place, words, pack.as_ref(), Some(mode)),
        None => show(place, pack.as_ref()),
    }
}

/// A pack's id from a person's word.
pub(crate) fn pack_id(word: &str) -> Result<PackId, CliError> {
    PackId::new(word).ok_or_else(|| {
        CliError::usage(format!("{} is no pack id", quoted(word)))
            .hint("a pack id holds small letters, digits, - and _; hcpx packs lists them")
    })
}

fn show(place: &Place, pack: Option<&PackId>) -> Result<Reply, CliError> {
    let access = place.effective()?;
    let (mode, from) = match pack {
        Some(id) => access.mode_for(id),
        None => access.mode(),
    };
    let mut packs = Object::new();
    let mut text = Text::new()
        .piece(Look::Strong, mode.as_str())
        .line(format!("  {}", origin(&from)));
    for (id, mode, from) in access.pack_modes() {
        if pack.is_some_and(|p| *p != id) {
            continue;
        }
        packs.insert(
            id.as_str(),
            Object::new()
                .with("mode", mode.as_str())
                .with("from", source(&from)),
        );
        if pack.is_none() {
            text = text.line(format!("{id}: {mode}  {}", origin(&from)));
        }
    }
    let json = Object::new()
        .with("mode", mode.as_str())
        .with("from", source(&from))
        .with("packs", Value::Object(packs));
    Ok(Reply::ok(json, text))
}

/// Where a setting comes from, as it stands in JSON: the layer, and its file or variable.
pub(crate) fn source(from: &Origin) -> String {
    match &from.file {
        Some(file) => format!("{}: {file}", from.layer),
        None => from.layer.to_string(),
    }
}

/// Where a setting comes from, in words.
pub(crate) fn origin(from: &Origin) -> String {
    format!("({})", source(from))
}

fn set(
    place: &Place,
    words: &cli::Mode,
    pack: Option<&PackId>,
    mode: Option<Mode>,
) -> Result<Reply, CliError> {
    let target = Target::new(words.project);
    let word = mode.map_or("cleared", Mode::as_str);
    let named = pack.map_or_else(
        || format!("mode {word}"),
        |id| format!("mode of {id} {word}"),
    );
    let change = settings::change(place, target, &named, |doc| {
        match pack {
            None => match mode {
                Some(mode) => doc.insert("mode", mode.as_str()),
                None => drop(doc.remove("mode")),
            },
            Some(id) => set_pack(doc, id, mode),
        }
        Ok(())
    })?;
    let what = pack.map_or_else(|| "everything".to_owned(), |id| format!("the pack {id}"));
    let said = match mode {
        Some(mode) => format!("mode {mode} for {what}, in {}", change.file),
        None => format!("no mode for {what} in {} any more", change.file),
    };
    let undo = undo(words, pack, &change.before);
    let installed = place.installed();
    let packs: Vec<&Pack> = installed.iter().map(|i| &i.pack).collect();
    let slip = pack
        .filter(|_| mode.is_some())
        .and_then(|id| advice::unknown_pack(id, &packs));
    let json = Object::new()
        .with("mode", mode.map(|m| m.as_str().to_owned()))
        .with("advice", slip.iter().cloned().collect::<Vec<_>>());
    let mut reply = change.reply(json, &said, &undo);
    if let Some(note) = slip {
        reply.human = reply.human.piece(Look::Care, "note: ").line(note);
    }
    Ok(reply)
}

fn set_pack(doc: &mut Object, id: &PackId, mode: Option<Mode>) {
    let mut packs = doc
        .get("packs")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    match mode {
        Some(mode) => packs.insert(id.as_str(), Object::new().with("mode", mode.as_str())),
        None => drop(packs.remove(id.as_str())),
    }
    if packs.is_empty() {
        doc.remove("packs");
    } else {
        doc.insert("packs", packs);
    }
}

/// The line that puts the mode back.
fn undo(words: &cli::Mode, pack: Option<&PackId>, before: &Object) -> String {
    let old = match pack {
        None => before.get("mode").and_then(Value::as_str),
        Some(id) => before
            .get("packs")
            .and_then(|p| p.get(id.as_str()))
            .and_then(|p| p.get("mode"))
            .and_then(Value::as_str),
    };
    let mut line = format!("hcpx mode {}", old.unwrap_or("--clear"));
    if let Some(id) = pack {
        line.push_str(&format!(" --pack {id}"));
    }
    if words.project {
        line.push_str(" --project");
    }
    line
}
