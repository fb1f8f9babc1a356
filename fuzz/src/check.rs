//! Lints over any text: they end, say places that are there, and mend only what stays mended.

use hcp_lint::{FileName, Surroundings};
use hcp_pack::PackFiles;

/// The parts of the input, parted by bytes that no text has: `pack.json`, `surface.json`, `policy.json`, `SKILL.md`.
///
/// # Panics
/// Where a place is none, or mending twice is more than mending once.
pub fn check(input: &[u8]) {
    let mut parts = input.split(|b| *b == 0xff);
    let mut part = || parts.next().unwrap_or_default().to_vec();
    let files = PackFiles {
        folder: "it".to_owned(),
        pack: part(),
        surface: part(),
        policy: part(),
        skill: Some(part()),
    };
    let around = Surroundings {
        not_found: hcp_lint::programs(&files),
        levels: Vec::new(),
    };
    let checked = hcp_lint::check(&files, &around);
    for finding in &checked.findings {
        let bytes = match finding.file {
            FileName::Pack => &files.pack,
            FileName::Surface => &files.surface,
            FileName::Policy => &files.policy,
            FileName::Skill => files.skill.as_ref().unwrap_or(&files.pack),
        };
        assert!(finding.place.line >= 1 && finding.place.column >= 1);
        assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len());
    }
    let _ = hcp_lint::report(std::slice::from_ref(&checked), true);
    let _ = hcp_lint::sarif(std::slice::from_ref(&checked), "0.0.0");
    let once = hcp_lint::fix(&files, &around);
    let twice = hcp_lint::fix(&once.files, &around);
    assert!(twice.mended.is_empty(), "{:?}", twice.mended);
    assert_eq!(twice.files, once.files);
}
