//! Which mode is in force: the user's, replaced by the process, tightened by projects, above the operator's floor.

use super::{AccessFile, Ignored, Layer, Layers, Origin, Sourced};
use crate::mode::Mode;
use crate::names::PackId;
use std::collections::BTreeMap;

type Set = (Mode, Origin);

/// The modes of user, process and projects, and beside them the operator's.
#[derive(Debug, Clone)]
pub(super) struct Modes {
    global: Set,
    packs: BTreeMap<PackId, Set>,
    floor: Floor,
}

#[derive(Debug, Clone, Default)]
struct Floor {
    global: Option<Set>,
    packs: BTreeMap<PackId, Set>,
}

impl Modes {
    pub(super) fn merge(layers: &Layers, ignored: &mut Vec<Ignored>) -> Self {
        let mut modes = Self {
            global: (Mode::Auto, Origin::default_value()),
            packs: BTreeMap::new(),
            floor: Floor::default(),
        };
        if let Some(user) = &layers.user {
            let origin = Origin::of_file(Layer::User, user);
            if let Some(mode) = user.body.mode {
                modes.global = (mode, origin.clone());
            }
            modes.packs = words_of(user, &origin);
        }
        if let Some(operator) = &layers.operator {
            let origin = Origin::of_file(Layer::Operator, operator);
            modes.floor = Floor {
                global: operator.body.mode.map(|mode| (mode, origin.clone())),
                packs: words_of(operator, &origin),
            };
        }
        if let Some(mode) = layers.process_mode {
            modes.take_process(mode, layers.agent, ignored);
        }
        modes.take_projects(&layers.project, ignored);
        modes
    }

    fn take_process(&mut self, mode: Mode, inside_agent: bool, ignored: &mut Vec<Ignored>) {
        let set = (mode, Origin::of_variable("HCP_MODE"));
        if !inside_agent {
            self.packs.clear();
            self.global = set;
            return;
        }
        let looser = self.all().find(|(old, _)| mode < *old).cloned();
        if let Some((old, origin)) = looser {
            ignored.push(Ignored {
                file: "HCP_MODE".to_owned(),
                what: format!("mode {mode}"),
                reason: format!(
                    "inside an agent HCP_MODE only tightens, and mode {old} is stricter ({origin})"
                ),
            });
        }
        self.tighten_all(&set);
    }

    fn take_projects(&mut self, files: &[Sourced<AccessFile>], ignored: &mut Vec<Ignored>) {
        // Each word is held against what it would replace: the modes as they stood before any project.
        let before = self.clone();
        for file in files {
            let origin = Origin::of_file(Layer::Project, file);
            if let Some(mode) = file.body.mode {
                note_if_looser(file, None, mode, &before.global, ignored);
                self.tighten_all(&(mode, origin));
            }
        }
        for file in files {
            let origin = Origin::of_file(Layer::Project, file);
            for (pack, mode) in &file.body.packs {
                note_if_looser(file, Some(pack), *mode, before.own(pack), ignored);
                if *mode > self.own(pack).0 {
                    self.packs.insert(pack.clone(), (*mode, origin.clone()));
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Set> {
        std::iter::once(&self.global).chain(self.packs.values())
    }

    fn tighten_all(&mut self, set: &Set) {
        for slot in std::iter::once(&mut self.global).chain(self.packs.values_mut()) {
            if set.0 > slot.0 {
                *slot = set.clone();
            }
        }
    }

    /// The mode of user, process and projects: the one that the person's side decides by.
    pub(super) fn own(&self, pack: &PackId) -> &Set {
        self.packs.get(pack).unwrap_or(&self.global)
    }

    /// The operator's mode, where there is one.
    pub(super) fn floor(&self, pack: &PackId) -> Option<&Set> {
        self.floor.packs.get(pack).or(self.floor.global.as_ref())
    }

    /// The mode in force for everything.
    pub(super) fn global(&self) -> &Set {
        stricter(&self.global, self.floor.global.as_ref())
    }

    /// The mode in force for a pack.
    pub(super) fn of_pack(&self, pack: &PackId) -> &Set {
        stricter(self.own(pack), self.floor(pack))
    }

    /// The packs that have a mode of their own.
    pub(super) fn named_packs(&self) -> impl Iterator<Item = &PackId> {
        let floor = self.floor.packs.keys();
        self.packs
            .keys()
            .chain(floor.filter(|pack| !self.packs.contains_key(*pack)))
    }
}

fn stricter<'a>(own: &'a Set, floor: Option<&'a Set>) -> &'a Set {
    match floor {
        Some(floor) if floor.0 > own.0 => floor,
        Some(_) | None => own,
    }
}

/// One entry for each pack; of two words for one pack the stricter.
fn words_of(file: &Sourced<AccessFile>, origin: &Origin) -> BTreeMap<PackId, Set> {
    let mut out: BTreeMap<PackId, Set> = BTreeMap::new();
    for (pack, mode) in &file.body.packs {
        let slot = out
            .entry(pack.clone())
            .or_insert_with(|| (*mode, origin.clone()));
        slot.0 = slot.0.max(*mode);
    }
    out
}

fn note_if_looser(
    file: &Sourced<AccessFile>,
    pack: Option<&PackId>,
    mode: Mode,
    (old, origin): &Set,
    ignored: &mut Vec<Ignored>,
) {
    if mode < *old {
        let what = match pack {
            Some(pack) => format!("mode {mode} for {pack}"),
            None => format!("mode {mode}"),
        };
        ignored.push(Ignored {
            file: file.file.clone(),
            what,
            reason: format!("a project only tightens, and mode {old} is stricter ({origin})"),
        });
    }
}
