//! A second, slower way to what the reader looks up: every spelling searched from the first to the last, every
//! command tried. Both must say the same, on all bundled packs and their line tables, and on random packs.

use super::line;
use super::options::{Listed, Options, Side, Spellings, Target};
use crate::pack::{Command, Pack, PackFiles};
use proptest::prelude::*;

/// The targets of a spelling, found without any table.
fn find<'c>(command: &'c Command, spelling: &str, side: Side) -> Vec<Target<'c>> {
    let made = Spellings::of(command);
    let [own, global] = made.listed();
    let options = Options::of(command);
    let tier = |tiers: &[Listed]| -> Vec<(usize, usize)> {
        let fitting = tiers.iter().map(|tier| {
            let fitting = tier.iter().filter(|(s, _)| s == spelling);
            fitting.map(|(_, place)| *place).collect::<Vec<_>>()
        });
        fitting
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    };
    let (mine, shared) = (tier(&own), tier(&global));
    let mut found = match side {
        Side::Before if !shared.is_empty() => shared,
        Side::Before => mine.clone(),
        Side::After if !mine.is_empty() => mine.clone(),
        Side::After => shared,
    };
    if command.own_words.len() == 1 && !mine.is_empty() && found == mine {
        let all = global.iter().flatten().filter(|(s, _)| s == spelling);
        found.extend(all.map(|(_, place)| *place));
    }
    let targets = found.into_iter().map(|place| options.target(place));
    targets.map(Option::unwrap).collect()
}

/// What a line belongs to when every command of the pack is tried.
fn tried<'p>(pack: &'p Pack, words: &[String]) -> Vec<(&'p Command, super::Argv)> {
    match words.split_first() {
        Some((program, rest)) => line::among(pack, pack.commands.values(), program, rest),
        None => Vec::new(),
    }
}

fn assert_alike(pack: &Pack, words: &[String]) {
    let said = |all: Vec<(&Command, super::Argv)>| {
        let all = all.into_iter().map(|(c, argv)| (c.name.clone(), argv));
        all.collect::<Vec<_>>()
    };
    assert_eq!(
        said(pack.commands_of_line(words)),
        said(tried(pack, words)),
        "{words:?}"
    );
}

/// A bundled pack's files, and the lines that are known of it.
struct Bundled {
    files: [&'static str; 3],
    lines: &'static str,
}

macro_rules! bundled {
    ($($id:literal: $lines:expr),* $(,)?) => {
        &[$(Bundled {
            files: [
                include_str!(concat!("../../../../packs/", $id, "/pack.json")),
                include_str!(concat!("../../../../packs/", $id, "/surface.json")),
                include_str!(concat!("../../../../packs/", $id, "/policy.json")),
            ],
            lines: $lines,
        }),*]
    };
}

macro_rules! lines {
    ($id:literal) => {
        include_str!(concat!("../../../hcp/tests/data/lines/", $id, ".json"))
    };
}

const BUNDLED: &[Bundled] = bundled! {
    "cargo": lines!("cargo"),
    "docker": lines!("docker"),
    "gh": lines!("gh"),
    "git": lines!("git"),
    "himalaya": lines!("himalaya"),
    "khal": lines!("khal"),
    "kubectl": lines!("kubectl"),
    "ledger": "[]",
    "notes": "[]",
    "npm": lines!("npm"),
    "npx": lines!("npx"),
    "psql": lines!("psql"),
    "terraform": lines!("terraform"),
    "transit": "[]",
};

fn read(bundled: &Bundled) -> Pack {
    let [pack, surface, policy] = bundled.files.map(|text| text.as_bytes().to_vec());
    let files = PackFiles {
        pack,
        surface,
        policy,
        ..PackFiles::default()
    };
    Pack::read(&files).unwrap()
}

#[test]
fn every_spelling_of_the_bundled_packs_is_found() {
    for bundled in BUNDLED {
        let pack = read(bundled);
        // Of the large packs some commands: their global options are the same.
        for command in pack.commands.values().step_by(1 + pack.commands.len() / 40) {
            let options = Options::of(command);
            for spelling in options.spellings().iter().chain(&["--no-such".to_owned()]) {
                for side in [Side::Before, Side::After] {
                    assert_eq!(
                        options.find(spelling, side),
                        find(command, spelling, side),
                        "{} {spelling}",
                        command.name
                    );
                }
            }
        }
    }
}

#[test]
fn every_line_of_the_tables_belongs_to_the_same_commands() {
    let mut count = 0;
    for bundled in BUNDLED {
        let pack = read(bundled);
        let entries: Vec<serde_json::Value> = serde_json::from_str(bundled.lines).unwrap();
        for entry in &entries {
            let Some(line) = entry["line"].as_str() else {
                continue;
            };
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_alike(&pack, &words);
            count += 1;
        }
    }
    assert!(count > 2_000, "{count}");
}

/// A pack of commands with few different words, so that many own words are alike.
fn packs() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["a", "b", "c", "d"]);
    let tail = prop::sample::select(vec![
        r#""--x", "{{x}}""#,
        r#""--yes""#,
        r#""--yes", "{{x}}""#,
        r#""{{x}}", "b""#,
        r#""-o", "c", "{{x}}""#,
        r#""--x={{x}}", "{{y}}""#,
        r#""--", "{{x}}", "{{y}}""#,
        r#""-x{{x}}""#,
    ]);
    let command = (prop::collection::vec(word, 0..3), tail);
    prop::collection::vec(command, 1..8).prop_map(|all| {
        let commands: Vec<String> = all
            .into_iter()
            .enumerate()
            .map(|(number, (own, tail))| {
                let own: String = own.iter().map(|word| format!("{word:?}, ")).collect();
                let declared: Vec<&str> = [("{{x}}", r#""x": {"type": "string"}"#), ("{{y}}", r#""y": {}"#)]
                    .into_iter()
                    .filter_map(|(hole, schema)| tail.contains(hole).then_some(schema))
                    .collect();
                format!(
                    r#""c{number}": {{"cli": ["p", {own}{tail}], "args": {{"properties": {{{}}}}}}}"#,
                    declared.join(", ")
                )
            })
            .collect();
        format!(
            r#"{{"globals": {{"cli": ["-g", "{{{{g}}}}", "+{{{{t}}}}"], "args": {{"properties": {{"g": {{"type": "string"}}, "t": {{"type": "string"}}}}}}}}, "commands": {{{}}}}}"#,
            commands.join(", ")
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn random_lines_belong_to_the_same_commands(
        surface in packs(),
        spelled in any::<bool>(),
        lines in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![
            "a", "b", "c", "d", "e", "--x", "--x=1", "--yes", "-o", "-oc", "-g", "+n", "--", "-x1", "--odd",
        ]), 0..7), 1..8),
    ) {
        let count = (0..8).take_while(|n| surface.contains(&format!("\"c{n}\""))).count();
        let policies: Vec<String> = (0..count).map(|n| format!("\"c{n}\": {{}}")).collect();
        let spelled = if spelled { r#""spellings": {"a": ["e"]}, "# } else { "" };
        let surface = surface.replacen('{', &format!("{{{spelled}"), 1);
        let files = PackFiles {
            pack: br#"{"id": "p", "name": "P", "version": "1", "summary": "P."}"#.to_vec(),
            surface: surface.clone().into_bytes(),
            policy: format!("{{\"commands\": {{{}}}}}", policies.join(", ")).into_bytes(),
            ..PackFiles::default()
        };
        // The spelling of a word that no command has is refused.
        let Ok(pack) = Pack::read(&files) else {
            prop_assert!(!spelled.is_empty(), "{}", surface);
            return Ok(());
        };
        for line in lines {
            let words: Vec<String> = std::iter::once("p").chain(line).map(str::to_owned).collect();
            assert_alike(&pack, &words);
        }
    }
}
