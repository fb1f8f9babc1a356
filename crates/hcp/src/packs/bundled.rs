//! The packs that the binary carries. Their text comes from the `packs` folder at build time.

use hcp_pack::PackFiles;

/// One bundled pack, as its files stand.
#[derive(Debug)]
pub struct BundledPack {
    /// Its id.
    pub id: &'static str,
    /// `pack.json`
    pub pack: &'static str,
    /// `surface.json`
    pub surface: &'static str,
    /// `policy.json`
    pub policy: &'static str,
    /// `SKILL.md`
    pub skill: Option<&'static str>,
    /// Whether its program is a demo tool, which the `hcpx` binary itself plays.
    pub demo: bool,
}

macro_rules! pack {
    ($id:literal, demo: $demo:literal) => {
        BundledPack {
            id: $id,
            pack: include_str!(concat!("../../../../packs/", $id, "/pack.json")),
            surface: include_str!(concat!("../../../../packs/", $id, "/surface.json")),
            policy: include_str!(concat!("../../../../packs/", $id, "/policy.json")),
            skill: Some(include_str!(concat!(
                "../../../../packs/",
                $id,
                "/SKILL.md"
            ))),
            demo: $demo,
        }
    };
}

static PACKS: [BundledPack; 14] = [
    pack!("cargo", demo: false),
    pack!("docker", demo: false),
    pack!("gh", demo: false),
    pack!("git", demo: false),
    pack!("himalaya", demo: false),
    pack!("khal", demo: false),
    pack!("kubectl", demo: false),
    pack!("ledger", demo: true),
    pack!("notes", demo: true),
    pack!("npm", demo: false),
    pack!("npx", demo: false),
    pack!("psql", demo: false),
    pack!("terraform", demo: false),
    pack!("transit", demo: true),
];

/// All bundled packs, by id.
///
/// ```
/// assert!(hcp::packs::bundled().iter().any(|pack| pack.id == "ledger"));
/// ```
#[must_use]
pub fn bundled() -> &'static [BundledPack] {
    &PACKS
}

/// Whether a bundled pack's program is a demo tool.
pub(super) fn is_demo(id: &str) -> bool {
    PACKS.iter().any(|pack| pack.demo && pack.id == id)
}

impl BundledPack {
    /// Its files, as if they had been read from a folder.
    #[must_use]
    pub fn files(&self) -> PackFiles {
        PackFiles {
            folder: format!("bundled:{}", self.id),
            pack: self.pack.into(),
            surface: self.surface.into(),
            policy: self.policy.into(),
            skill: self.skill.map(Into::into),
        }
    }
}
