//! Packs for tests.

use hcp_pack::PackFiles;

/// A pack of these two files.
pub(crate) fn files(surface: &str, policy: &str) -> PackFiles {
    PackFiles {
        folder: "packs/my shop".to_owned(),
        pack: br#"{ "id": "shop", "name": "Shop", "version": "1.0.0", "summary": "An example." }"#
            .to_vec(),
        surface: surface.into(),
        policy: policy.into(),
        skill: None,
    }
}
