//! The lock file is read strictly and fails closed.

use super::{Home, PackError};
use crate::packs::Caller;
use hcp_core::code::Code;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

const DIGEST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn with_lock_file(text: &str) -> Home {
    let home = Home::new();
    fs::create_dir_all(home.path()).unwrap();
    fs::write(home.packs().lock_file(), text).unwrap();
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(home.packs().lock_file(), private).unwrap();
    home
}

fn entry(changed: &str, to: &str) -> String {
    let whole = format!(
        r#"{{"packs":{{"shop":{{"version":"1","digest":"{DIGEST}","source":"bundled","installed_at":"2026-12-01T12:00:00Z"}}}}}}"#
    );
    assert!(whole.contains(changed));
    whole.replace(changed, to)
}

#[test]
fn without_a_lock_file_nothing_is_installed() {
    let home = Home::new();
    assert!(home.packs().list().unwrap().is_empty());
    let error = home.packs().load("ledger", Caller::Person).unwrap_err();
    assert_eq!(error.code(), Code::UnknownPack);
    assert_eq!(
        error.to_string(),
        "no pack \"ledger\" is installed; install it with `hcpx install ledger`"
    );
}

#[test]
fn a_whole_lock_file_is_listed() {
    let home = with_lock_file(&entry("", ""));
    let list = home.packs().list().unwrap();
    assert_eq!(
        serde_json::to_string(&list).unwrap(),
        format!(
            r#"[{{"id":"shop","version":"1","digest":"{DIGEST}","source":"bundled","installed_at":"2026-12-01T12:00:00Z"}}]"#
        )
    );
}

#[test]
fn a_broken_lock_file_stops_everything_and_is_named() {
    let broken = [
        ("{".to_owned(), ":1:2: "),
        ("[]".to_owned(), ":1:1: the lock file must be an object"),
        ("{}".to_owned(), ":1:1: the lock file has no \"packs\""),
        (entry("shop", "Shop"), ":1:11: \"Shop\" is no pack id"),
        (entry("version", "verzion"), "did you mean \"version\"?"),
        (entry(DIGEST, "00"), "this must be a digest"),
        (
            entry("2026-12-01T12:00:00Z", "today"),
            "this must be a time",
        ),
        (
            entry(r#""version""#, r#""linked":"here","version""#),
            "this must be an absolute path",
        ),
        (
            entry(r#""version":"1""#, r#""version":1"#),
            "this must be a string, and is a number",
        ),
        (
            entry(r#""version":"1""#, r#""version":"1","version":"2""#),
            "\"version\"",
        ),
        (
            entry(r#"{"packs""#, r#"{"rules":[],"packs""#),
            "has no key \"rules\"",
        ),
    ];
    for (text, message) in broken {
        let home = with_lock_file(&text);
        for error in [
            home.packs().list().unwrap_err(),
            home.packs().load("shop", Caller::Person).unwrap_err(),
            home.install("ledger").unwrap_err(),
            home.packs().uninstall("shop").unwrap_err(),
        ] {
            let shown = error.to_string();
            assert_eq!(error.code(), Code::PackInvalid, "{text}: {shown}");
            assert!(shown.contains(message), "{text}: {shown}");
            assert!(shown.contains("packs.lock.json"), "{shown}");
        }
        assert_eq!(fs::read_to_string(home.packs().lock_file()).unwrap(), text);
    }
}

#[test]
fn a_lock_file_that_others_can_write_decides_nothing() {
    let home = with_lock_file(&entry("", ""));
    let open = fs::Permissions::from_mode(0o620);
    fs::set_permissions(home.packs().lock_file(), open).unwrap();
    let error = home.packs().list().unwrap_err();
    assert!(matches!(error, PackError::Unsafe { .. }));
    assert!(error.to_string().contains("chmod go-w "), "{error}");
}

#[test]
fn a_lock_file_is_no_link_and_no_pipe() {
    let home = with_lock_file(&entry("", ""));
    let moved = home.path().join("elsewhere");
    fs::rename(home.packs().lock_file(), &moved).unwrap();
    symlink(&moved, home.packs().lock_file()).unwrap();
    let error = home.packs().list().unwrap_err();
    assert!(
        error.to_string().contains("links are not followed"),
        "{error}"
    );
    fs::remove_file(home.packs().lock_file()).unwrap();
    nix::unistd::mkfifo(&home.packs().lock_file(), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let error = home.packs().list().unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
}
