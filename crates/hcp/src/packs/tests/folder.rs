//! Install, load, change, accept, uninstall.

use super::{ASKS, Caller, Home, NEVER, PackError, Replace, Source, edit, now};
use crate::packs::{Change, ChangeKind, Origin};
use hcp_core::code::Code;
use hcp_pack::Pack;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn texts(changes: &[Change]) -> Vec<String> {
    let text = |c: &Change| match &c.command {
        Some(command) => format!("{command}: {}", c.text),
        None => c.text.clone(),
    };
    changes.iter().map(text).collect()
}

#[test]
fn a_word_is_a_bundled_name_or_a_path() {
    assert!(matches!(Source::resolve("ledger"), Ok(Source::Bundled(p)) if p.id == "ledger"));
    assert!(matches!(Source::resolve("./ledger"), Ok(Source::Path(_))));
    assert!(matches!(Source::resolve("src"), Ok(Source::Path(_))));
    let error = Source::resolve("leger").unwrap_err();
    assert_eq!(error.code(), Code::UnknownPack);
    assert_eq!(
        error.to_string(),
        "there is no bundled pack \"leger\"; did you mean ledger?"
    );
}

#[test]
fn what_is_installed_loads_with_its_digest() {
    let home = Home::new();
    let installed = home.install("ledger").unwrap();
    assert!(installed.before.is_none() && installed.changes.is_empty());
    let loaded = home.packs().load("ledger", Caller::Agent).unwrap();
    assert_eq!(loaded.pack.digest, installed.pack.digest);
    assert_eq!(loaded.origin, Origin::Bundled);
    assert!(loaded.uses_store_bin());
    let list = home.packs().list().unwrap();
    assert_eq!(list[0].digest, installed.pack.digest);
    let error = home.packs().load("legder", Caller::Person).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no pack \"legder\" is installed; did you mean ledger?"
    );
}

#[test]
fn the_store_is_private() {
    let home = Home::new();
    home.install("ledger").unwrap();
    let mode = |path: &str| {
        home.path()
            .join(path)
            .metadata()
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    for folder in ["", "packs", "packs/ledger", "packs/.accepted/ledger", "bin"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
    for file in [
        "packs.lock.json",
        "packs.lock",
        "packs/ledger/pack.json",
        "packs/ledger/SKILL.md",
    ] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[test]
fn a_folder_that_the_lock_file_does_not_name_is_no_pack() {
    let home = Home::new();
    home.install("notes").unwrap();
    let shop = home.write_pack("shop", ASKS);
    fs::rename(shop, home.path().join("packs/shop")).unwrap();
    let error = home.packs().load("shop", Caller::Person).unwrap_err();
    assert_eq!(error.code(), Code::UnknownPack);
    assert_eq!(home.packs().list().unwrap().len(), 1);
}

#[test]
fn a_changed_pack_does_not_run_until_a_person_takes_it() {
    let home = Home::new();
    let shop = home.write_pack("shop", ASKS);
    home.install(shop.to_str().unwrap()).unwrap();
    let packs = home.packs();
    let policy = home.path().join("packs/shop/policy.json");
    edit(&policy, r#""write", "confirm": "ask""#, r#""read""#);
    for caller in [Caller::Person, Caller::Agent] {
        let error = packs.load("shop", caller).unwrap_err();
        assert_eq!(error.code(), Code::PackChanged, "{error}");
        assert!(error.to_string().contains("hcpx packs accept shop"));
    }
    let diff = packs.diff("shop").unwrap();
    assert_eq!(
        texts(&diff.changes),
        [
            "buy: operation: write becomes read",
            "buy: confirm: ask becomes never"
        ]
    );
    assert!(
        diff.changes
            .iter()
            .all(|c| c.kind == ChangeKind::PolicyLooser)
    );
    // What was shown is not what stands there now.
    let shown = diff.pack.digest;
    edit(&policy, r#""read""#, r#""read", "undo": "yes""#);
    let error = packs.accept("shop", Some(&shown), now()).unwrap_err();
    assert_eq!(error.code(), Code::PackChanged);
    let shown = packs.diff("shop").unwrap().pack.digest;
    packs.accept("shop", Some(&shown), now()).unwrap();
    let loaded = packs.load("shop", Caller::Agent).unwrap();
    assert_eq!(loaded.pack.digest, shown);
    assert!(packs.diff("shop").unwrap().changes.is_empty());
}

#[test]
fn white_space_changes_no_pack() {
    let home = Home::new();
    home.install("ledger").unwrap();
    edit(&home.path().join("packs/ledger/policy.json"), "{ ", "{\n ");
    home.packs().load("ledger", Caller::Agent).unwrap();
}

#[test]
fn a_pack_that_lost_a_file_or_became_another_does_not_run() {
    let home = Home::new();
    let packs = home.packs();
    home.install("ledger").unwrap();
    fs::remove_file(home.path().join("packs/ledger/policy.json")).unwrap();
    let error = packs.load("ledger", Caller::Person).unwrap_err();
    assert_eq!(error.code(), Code::PackInvalid);
    assert!(
        error
            .to_string()
            .contains("policy.json:1:1: the pack has no such file"),
        "{error}"
    );
    home.install("notes").unwrap();
    fs::remove_dir_all(home.path().join("packs/ledger")).unwrap();
    fs::rename(
        home.path().join("packs/notes"),
        home.path().join("packs/ledger"),
    )
    .unwrap();
    let error = packs.load("ledger", Caller::Person).unwrap_err();
    assert_eq!(error.code(), Code::PackChanged);
    // A file outside, put in the place of one inside.
    let outside = home.path().join("outside.json");
    fs::rename(home.path().join("packs/ledger/pack.json"), &outside).unwrap();
    symlink(&outside, home.path().join("packs/ledger/pack.json")).unwrap();
    let error = packs.load("ledger", Caller::Person).unwrap_err();
    assert_eq!(error.code(), Code::PackInvalid);
}

#[test]
fn installing_over_a_pack_needs_replace_and_says_what_changes() {
    let home = Home::new();
    let old = home.write_pack("old", ASKS);
    let new = home.write_pack("new", NEVER);
    edit(
        &new.join("surface.json"),
        r#""shop", "buy""#,
        r#""sh", "buy""#,
    );
    edit(&new.join("surface.json"), "thing", "item");
    home.install(old.to_str().unwrap()).unwrap();
    let error = home.install(new.to_str().unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::Usage);
    let PackError::Exists { id, changes } = &error else {
        panic!("{error}");
    };
    assert_eq!(id.as_str(), "shop");
    let wanted = [
        "program \"shop\" goes",
        "program \"sh\" comes",
        "buy: operation: write becomes read",
        "buy: confirm: ask becomes never",
        "buy: argument \"thing\" goes",
        "buy: argument \"item\" comes",
    ];
    let found = texts(changes);
    for text in wanted {
        assert!(found.iter().any(|f| f == text), "{text} in {found:?}");
    }
    // Nothing was touched by the refusal.
    home.packs().load("shop", Caller::Agent).unwrap();
    let installed = home.install_from(&Source::Path(new), Replace::Yes).unwrap();
    assert_eq!(installed.changes, *changes);
    assert!(installed.before.is_some());
    home.packs().load("shop", Caller::Agent).unwrap();
    assert!(!home.path().join("packs/shop/SKILL.md").exists());
}

/// Another spelling of an own word makes other lines calls of the command.
#[test]
fn a_change_of_spellings_is_told() {
    let home = Home::new();
    let shop = home.write_pack("shop", ASKS);
    home.install_from(&Source::Link(shop.clone()), Replace::No)
        .unwrap();
    edit(
        &shop.join("surface.json"),
        r#""commands""#,
        r#""spellings": { "buy": ["b"] }, "commands""#,
    );
    let changes = home.packs().diff("shop").unwrap().changes;
    assert_eq!(texts(&changes), ["spellings changes"]);
    assert_eq!(changes[0].kind, ChangeKind::Program);
}

#[test]
fn a_linked_pack_follows_its_folder_for_people_only() {
    let home = Home::new();
    let shop = home.write_pack("shop", ASKS);
    home.install_from(&Source::Link(shop.clone()), Replace::No)
        .unwrap();
    let packs = home.packs();
    assert!(!home.path().join("packs/shop").exists());
    assert_eq!(packs.list().unwrap()[0].linked.as_deref(), shop.to_str());
    packs.load("shop", Caller::Agent).unwrap();
    edit(&shop.join("policy.json"), "ask", "never");
    assert!(packs.load("shop", Caller::Person).is_ok());
    let error = packs.load("shop", Caller::Agent).unwrap_err();
    assert_eq!(error.code(), Code::PackChanged);
    assert_eq!(
        texts(&packs.diff("shop").unwrap().changes),
        ["buy: confirm: ask becomes never"]
    );
    packs.accept("shop", None, now()).unwrap();
    packs.load("shop", Caller::Agent).unwrap();
    packs.uninstall("shop").unwrap();
    assert!(shop.join("pack.json").exists(), "an author's folder stays");
}

#[test]
fn uninstalled_is_gone() {
    let home = Home::new();
    home.install("ledger").unwrap();
    assert!(home.path().join("bin/ledger").is_symlink());
    home.packs().uninstall("ledger").unwrap();
    for path in ["packs/ledger", "packs/.accepted/ledger", "bin/ledger"] {
        assert!(!home.path().join(path).exists() && !home.path().join(path).is_symlink());
    }
    let error = home.packs().uninstall("ledger").unwrap_err();
    assert_eq!(error.code(), Code::UnknownPack);
    home.install("ledger").unwrap();
}

#[test]
fn a_demo_tool_is_linked_to_the_running_program_and_refreshed() {
    let home = Home::new();
    home.install("transit").unwrap();
    let link = home.path().join("bin/transit");
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("/opt/hcpx"));
    home.packs()
        .link_tool("transit", Path::new("/usr/bin/hcpx"))
        .unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("/usr/bin/hcpx"));
    assert!(!home.path().join("bin/git").is_symlink());
    let left: Vec<_> = fs::read_dir(home.path().join("bin")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_pack_of_ones_own_with_a_demo_id_gets_no_demo_tool() {
    let home = Home::new();
    home.install("ledger").unwrap();
    let own = home.write_pack("own", ASKS);
    edit(&own.join("pack.json"), "\"shop\"", "\"ledger\"");
    home.install_from(&Source::Path(own), Replace::Yes).unwrap();
    assert!(!home.path().join("bin/ledger").is_symlink());
    let loaded = home.packs().load("ledger", Caller::Person).unwrap();
    assert!(!loaded.uses_store_bin());
}

#[test]
fn what_is_no_pack_is_not_installed() {
    let home = Home::new();
    let empty = home.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let error = home.install(empty.to_str().unwrap()).unwrap_err();
    assert!(
        matches!(&error, PackError::Invalid(d) if d.len() == 3),
        "{error}"
    );
    let error = home.install("./nowhere").unwrap_err();
    assert!(matches!(error, PackError::Read { .. }), "{error}");
    let granting = home.write_pack(
        "granting",
        r#"{ "commands": { "buy": { "allow": true } } }"#,
    );
    let error = home.install(granting.to_str().unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::PackInvalid, "{error}");
    assert!(home.packs().list().unwrap().is_empty());
    assert!(!home.path().join("packs").exists());
}

#[test]
fn the_accepted_content_is_believed_only_while_it_has_its_digest() {
    let home = Home::new();
    home.install("notes").unwrap();
    edit(
        &home.path().join("packs/.accepted/notes/policy.json"),
        "ask",
        "never",
    );
    edit(&home.path().join("packs/notes/policy.json"), "ask", "never");
    let error = home.packs().diff("notes").unwrap_err();
    assert!(matches!(error, PackError::NotKept { .. }), "{error}");
    assert!(home.packs().accept("notes", None, now()).is_err());
    let error = home.install("notes").unwrap_err();
    assert!(matches!(&error, PackError::Exists { changes, .. } if changes.len() == 1));
    home.install_from(&Source::resolve("notes").unwrap(), Replace::Yes)
        .unwrap();
    home.packs().load("notes", Caller::Agent).unwrap();
}

#[test]
fn installs_at_once_all_land() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for word in ["ledger", "transit", "notes", "git"] {
            let home = &home;
            scope.spawn(move || home.install(word).unwrap());
        }
    });
    let ids: Vec<String> = home
        .packs()
        .list()
        .unwrap()
        .iter()
        .map(|l| l.id.to_string())
        .collect();
    assert_eq!(ids, ["git", "ledger", "notes", "transit"]);
    for id in ids {
        home.packs().load(&id, Caller::Agent).unwrap();
    }
}

#[test]
fn loading_during_a_replace_never_fails() {
    let home = Home::new();
    let asks = Source::Path(home.write_pack("asks", ASKS));
    let never = Source::Path(home.write_pack("never", NEVER));
    home.install_from(&asks, Replace::No).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..8 {
                for source in [&never, &asks] {
                    home.install_from(source, Replace::Yes).unwrap();
                    // The lock is polled for: without a pause nobody else would ever get it.
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
            }
        });
        for _ in 0..100 {
            let loaded: Pack = home.packs().load("shop", Caller::Agent).unwrap().pack;
            assert_eq!(loaded.id.as_str(), "shop");
        }
    });
}
