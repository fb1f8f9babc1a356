//! Lints: what is dangerous or wrong in a pack, where it stands, and how to mend it.
//!
//! Each lint is one record in a file of its own: code, level, what it is for, its check, and a pack that
//! fails it beside one that passes. From the one table of them come `hcpx check`, `--explain`, SARIF and the
//! pages of the documents. Pure: files come in as bytes, and an edit goes out as bytes; nothing is looked up.
//!
//! ```
//! use hcp_lint::{Surroundings, check};
//! use hcp_pack::PackFiles;
//!
//! let files = PackFiles {
//!     pack: br#"{ "id": "bank", "name": "Bank", "version": "1.0.0", "summary": "Pays." }"#.to_vec(),
//!     surface: br#"{ "commands": { "pay": { "description": "Pay.", "cli": ["bank", "pay"] } } }"#.to_vec(),
//!     policy: br#"{ "commands": { "pay": { "operation": "write", "confirm": "ask" } } }"#.to_vec(),
//!     ..PackFiles::default()
//! };
//! let checked = check(&files, &Surroundings::default());
//! assert!(checked.findings.iter().any(|finding| finding.code == "P007"));
//! ```

mod check;
mod document;
mod edit;
mod finding;
mod fix;
mod guess;
mod inferred;
mod lint;
mod lints;
mod pages;
mod report;
mod sarif;
mod subject;
mod suggest;

pub use check::{Checked, Surroundings, check, programs, refusals};
pub use document::{FileName, Place};
pub use edit::Edit;
pub use finding::{Finding, Level};
pub use fix::{Fixed, fix};
pub use lint::{Example, Family, Lint, Spot};
pub use lints::{ALL, find, near};
pub use pages::{explanation, index, page};
pub use report::{finding_object, lint_object, report};
pub use sarif::sarif;
pub use suggest::suggest_preview;
