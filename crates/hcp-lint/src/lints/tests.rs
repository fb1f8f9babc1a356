use super::*;
use crate::check::check;
use crate::lint::{Example, Family};
use crate::{Finding, Level, fix};

fn found(lint: &Lint, example: &Example) -> Vec<Finding> {
    let checked = check(&example.files(), &example.surroundings());
    let own = checked.findings.into_iter().filter(|f| f.code == lint.code);
    own.collect()
}

#[test]
fn each_lint_finds_what_its_examples_say() {
    let mut wrong = Vec::new();
    for lint in ALL {
        for example in [&lint.failing, &lint.passing] {
            let got: Vec<String> = found(lint, example)
                .iter()
                .map(|f| {
                    format!(
                        "{}:{}:{}: {}",
                        f.file, f.place.line, f.place.column, f.message
                    )
                })
                .collect();
            let wanted: Vec<String> = example
                .finds
                .iter()
                .map(|s| format!("{}:{}:{}: {}", s.file, s.line, s.column, s.message))
                .collect();
            if got != wanted {
                wrong.push(format!(
                    "{}\n  wanted {wanted:#?}\n  got {got:#?}",
                    lint.code
                ));
            }
        }
        assert!(!lint.failing.finds.is_empty(), "{} never fails", lint.code);
        assert!(lint.passing.finds.is_empty(), "{} never passes", lint.code);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_passing_example_has_no_warning_of_any_lint() {
    for lint in ALL {
        let checked = check(&lint.passing.files(), &lint.passing.surroundings());
        let other: Vec<_> = checked
            .findings
            .iter()
            .filter(|f| f.level > Level::Note && !is_beside(lint.code, f.code))
            .map(|f| format!("{} {}", f.code, f.message))
            .collect();
        assert!(other.is_empty(), "{}: {other:#?}", lint.code);
    }
}

/// Examples about the Policy show nothing else, and so have no preview.
fn is_beside(lint: &str, found: &str) -> bool {
    found == "M025" && (lint.starts_with('P') || matches!(lint, "M012" | "M013"))
}

#[test]
fn codes_are_in_order_and_say_their_family() {
    let codes: Vec<&str> = ALL.iter().map(|lint| lint.code).collect();
    assert!(codes.is_sorted());
    for lint in ALL {
        assert!(lint.code.starts_with(lint.family.letter()) && lint.code.len() == 4);
        assert!(
            !lint.summary.ends_with('.') && lint.why.ends_with('.') && lint.mend.ends_with('.')
        );
    }
    for (code, family) in [
        ("P007", Family::Policy),
        ("M024", Family::Manifest),
        ("M025", Family::Manifest),
    ] {
        assert_eq!(find(code).map(|lint| lint.family), Some(family));
    }
    assert_eq!(near("P0007"), Some("P007"));
}

#[test]
fn a_lint_mends_what_it_says_it_mends() {
    for lint in ALL {
        let all = found(lint, &lint.failing);
        assert_eq!(
            all.iter().all(|f| f.fix.is_some()),
            lint.fixes,
            "{}",
            lint.code
        );
        if !lint.fixes {
            continue;
        }
        let fixed = fix(&lint.failing.files(), &lint.failing.surroundings());
        let again = check(&fixed.files, &lint.failing.surroundings());
        assert!(
            again.findings.iter().all(|f| f.code != lint.code),
            "{}",
            lint.code
        );
        let twice = fix(&fixed.files, &lint.failing.surroundings());
        assert!(
            twice.mended.is_empty() && twice.files == fixed.files,
            "{}",
            lint.code
        );
    }
}

macro_rules! bundled {
    ($id:literal) => {
        hcp_pack::PackFiles {
            folder: concat!("packs/", $id).to_owned(),
            pack: include_bytes!(concat!("../../../../packs/", $id, "/pack.json")).to_vec(),
            surface: include_bytes!(concat!("../../../../packs/", $id, "/surface.json")).to_vec(),
            policy: include_bytes!(concat!("../../../../packs/", $id, "/policy.json")).to_vec(),
            skill: None,
        }
    };
}

#[test]
fn the_bundled_packs_are_clean() {
    for files in [
        bundled!("git"),
        bundled!("ledger"),
        bundled!("notes"),
        bundled!("transit"),
    ] {
        let checked = check(&files, &crate::Surroundings::default());
        let told: Vec<String> = checked
            .findings
            .iter()
            .filter(|f| f.level > Level::Note)
            .map(|f| format!("{} {}:{} {}", f.code, f.file, f.place.line, f.message))
            .collect();
        assert!(told.is_empty(), "{}\n{}", files.folder, told.join("\n"));
    }
}
