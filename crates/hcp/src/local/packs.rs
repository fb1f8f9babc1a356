//! The installed packs of a place, as whoever stands there gets them.

use super::Place;
use crate::bindings::{Bindings, Whose};
use crate::packs::{Caller, InstalledPack, Listed, PackError, PacksFolder};
use crate::pipeline::prepare::pack_refusal;
use crate::pipeline::{Refusal, unusable};
use crate::ports::PackSource;
use crate::program::{SearchIn, resolve};
use hcp_core::json::Value;
use hcp_core::names::PackId;
use hcp_core::principal::PrincipalKind;
use hcp_pack::Pack;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An installed pack, or why it cannot be used.
pub type Loaded = Result<Arc<InstalledPack>, PackError>;

/// As whom a pack is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// It acts for no account.
    NotNeeded,
    /// As this account.
    As(String),
    /// It acts for one, and is connected to none.
    Missing(PackId),
    /// That cannot be read; why.
    Unusable(String),
}

impl Connection {
    /// What stands behind a pack in a list.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::NotNeeded => String::new(),
            Self::As(identity) => format!(" · connected as {identity}"),
            Self::Missing(id) => format!(" · not connected: hcpx connect {id}"),
            // Why is the same for all of them, and stands where one looks for it.
            Self::Unusable(_) => " · its account cannot be read: hcpx doctor".to_owned(),
        }
    }

    /// The account, null where there is none; `None` for a pack that acts for none.
    #[must_use]
    pub fn identity(&self) -> Option<Value> {
        match self {
            Self::NotNeeded => None,
            Self::As(identity) => Some(identity.as_str().into()),
            Self::Missing(_) | Self::Unusable(_) => Some(Value::Null),
        }
    }
}

impl Place {
    /// The folder of installed packs.
    #[must_use]
    pub fn packs(&self) -> PacksFolder {
        PacksFolder::new(self.home.path())
    }

    pub(super) fn caller(&self) -> Caller {
        match self.principal().kind {
            PrincipalKind::Agent | PrincipalKind::Service => Caller::Agent,
            PrincipalKind::Human => Caller::Person,
        }
    }

    /// Every line of the lock file with the pack behind it, or why it cannot be used.
    ///
    /// # Errors
    /// A lock file that cannot be read.
    pub fn listed(&self) -> Result<Vec<(Listed, Loaded)>, PackError> {
        let folder = self.packs();
        Ok(folder
            .list()?
            .into_iter()
            .map(|entry| {
                let loaded = folder.load(entry.id.as_str(), self.caller()).map(Arc::new);
                (entry, loaded)
            })
            .collect())
    }

    /// Every installed pack that can be used.
    #[must_use]
    pub fn installed(&self) -> Vec<Arc<InstalledPack>> {
        self.listed()
            .unwrap_or_default()
            .into_iter()
            .filter_map(|(_, loaded)| loaded.ok())
            .collect()
    }

    /// Every installed pack that cannot be used, in a sentence each.
    #[must_use]
    pub fn broken_packs(&self) -> Vec<String> {
        match self.listed() {
            Err(e) => vec![e.to_string()],
            Ok(all) => all
                .into_iter()
                .filter_map(|(entry, loaded)| loaded.err().map(|e| format!("{}: {e}", entry.id)))
                .collect(),
        }
    }

    /// One installed pack by a person's word for it.
    ///
    /// # Errors
    /// Unknown, changed or broken.
    pub fn load_pack(&self, name: &str) -> Result<Arc<InstalledPack>, Refusal> {
        self.packs()
            .load(name, self.caller())
            .map(Arc::new)
            .map_err(|e| pack_refusal(&e))
    }

    /// Reads a pack from a folder without installing it.
    ///
    /// # Errors
    /// `pack_invalid` with every diagnostic.
    pub fn read_pack(&self, folder: &Path) -> Result<Pack, Refusal> {
        crate::packs::read_folder(folder).map_err(|e| pack_refusal(&e))
    }

    /// As whom a pack is connected for this Principal, as that was kept: no program is asked.
    #[must_use]
    pub fn connection(&self, installed: &InstalledPack) -> Connection {
        let pack = &installed.pack;
        let Some(connect) = &pack.connect else {
            return Connection::NotNeeded;
        };
        let principal = self.principal();
        let project = self.project();
        let whose = Whose {
            tenant: super::TENANT,
            principal: &principal.id,
            project: project.as_deref(),
            pack: &pack.id,
        };
        match self.bindings().get(&whose) {
            Err(e) => Connection::Unusable(e.to_string()),
            Ok(Some(found)) if found.told_by == connect.identity => Connection::As(found.identity),
            Ok(Some(_) | None) => Connection::Missing(pack.id.clone()),
        }
    }

    /// Takes every binding of a pack away; the accounts come back.
    ///
    /// # Errors
    /// `store_unavailable`.
    pub fn forget_bindings(&self, pack: &PackId) -> Result<Vec<String>, Refusal> {
        let gone = self.bindings().forget_pack(pack);
        let gone = gone.map_err(|e| unusable(&e))?;
        Ok(gone.into_iter().map(|binding| binding.identity).collect())
    }

    /// The program of a pack's commands, as it would be found now.
    ///
    /// # Errors
    /// Why it is not found, in words.
    pub fn program_of(&self, installed: &InstalledPack) -> Result<String, String> {
        let words = installed
            .pack
            .commands
            .values()
            .find_map(|c| c.own_words.first());
        let name = words.ok_or_else(|| "it has no command".to_owned())?;
        let bin = self.home.bin();
        let search = if installed.uses_store_bin() {
            SearchIn::Folder(&bin)
        } else {
            SearchIn::Path(self.environment.get("PATH").unwrap_or_default())
        };
        resolve(name, search, &self.cwd)
            .map(|p| p.found.display().to_string())
            .map_err(|e| e.to_string())
    }
}

/// The packs of a store, as one caller gets them.
pub(super) struct StorePacks {
    pub(super) folder: PacksFolder,
    pub(super) caller: Caller,
    pub(super) program: Option<PathBuf>,
}

impl PackSource for StorePacks {
    fn load(&self, id: &PackId) -> Result<Arc<InstalledPack>, PackError> {
        let installed = self.folder.load(id.as_str(), self.caller)?;
        if let Some(program) = self.program.as_ref().filter(|_| installed.uses_store_bin()) {
            // The binary may have moved since the pack was installed.
            self.folder.link_tool(id.as_str(), program)?;
        }
        Ok(Arc::new(installed))
    }

    fn ids(&self) -> Result<Vec<PackId>, PackError> {
        Ok(self
            .folder
            .list()?
            .into_iter()
            .map(|entry| entry.id)
            .collect())
    }
}
