//! Changing a settings file: one way for `mode`, `allow`, `ask`, `deny`, `rules rm` and `access set`.
//! Shows the effect before and after, records the change and names the line that takes it back.

use crate::error::CliError;
use crate::output::{Look, Reply, Text};
use hcp::event::Detail;
use hcp::local::Place;
use hcp::overview::{self, CommandAccess, Overview};
use hcp::settings::Trust;
use hcp_core::json::Object;
use hcp_core::settings::Layers;
use std::path::PathBuf;

/// Which file a change goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The person's own.
    User,
    /// The project's nearest.
    Project,
}

impl Target {
    pub(crate) fn new(project: bool) -> Self {
        if project { Self::Project } else { Self::User }
    }

    pub(crate) fn path(self, place: &Place) -> PathBuf {
        match self {
            Self::User => place.home.access(),
            Self::Project => place.project_file(),
        }
    }
}

/// A change that was made.
#[derive(Debug)]
pub(crate) struct Changed {
    /// The file.
    pub(crate) file: String,
    /// Its body before.
    pub(crate) before: Object,
    /// What the change changes, in lines for people.
    pub(crate) effects: Vec<String>,
    /// What is ignored in the file, for a project's file that tried to loosen.
    pub(crate) ignored: Vec<String>,
}

impl Changed {
    /// The reply of a change.
    pub(crate) fn reply(&self, json: Object, said: &str, undo: &str) -> Reply {
        let mut text = Text::new().line(said);
        for effect in &self.effects {
            text = text.piece(Look::Care, "  ").line(effect);
        }
        if self.effects.is_empty() {
            text = text.styled(
                Look::Faint,
                "  no installed command is decided otherwise than before",
            );
        }
        for line in &self.ignored {
            text = text.piece(Look::Care, "  ignored: ").line(line);
        }
        text = text.piece(Look::Faint, "undo: ").line(undo);
        let json = json
            .with("file", self.file.as_str())
            .with("changes", self.effects.clone())
            .with("ignored", self.ignored.clone())
            .with("undo", undo);
        Reply::ok(json, text)
    }
}

/// Changes a settings file, if its new body is valid, and records the change; `what` names it in the log,
/// without any value.
pub(crate) fn change(
    place: &Place,
    target: Target,
    what: &str,
    edit: impl FnOnce(&mut Object) -> Result<(), CliError>,
) -> Result<Changed, CliError> {
    let before = accesses(place, &place.layers()?);
    place.audit_ready()?;
    let path = target.path(place);
    let trust = match target {
        Target::User => Trust::ReaderOrRoot,
        Target::Project => Trust::Anyone,
    };
    let body = hcp::settings::edit_recorded(
        &path,
        trust,
        |doc| {
            let body = doc.clone();
            edit(doc).map(|()| body)
        },
        |before, after| {
            Ok(place.record(&place.event(Detail::Settings {
                file: path.display().to_string(),
                change: what.to_owned(),
                before,
                after: Some(after),
            }))?)
        },
    )?
    .value;
    let layers = place.layers()?;
    let after = accesses(place, &layers);
    let file = path.display().to_string();
    let effective = hcp_core::settings::Effective::merge(layers);
    let ignored = match target {
        Target::User => Vec::new(),
        Target::Project => effective
            .ignored()
            .iter()
            .filter(|i| i.file == file)
            .map(|i| format!("{} ({})", i.what, i.reason))
            .collect(),
    };
    Ok(Changed {
        file,
        before: body,
        effects: overview::changes(&before, &after),
        ignored,
    })
}

/// The access of every command of every installed pack.
pub(crate) fn accesses(place: &Place, layers: &Layers) -> Vec<CommandAccess> {
    let overview = Overview::new(layers, place.now());
    place
        .installed()
        .iter()
        .flat_map(|installed| overview.pack(&installed.pack))
        .collect()
}
