use super::*;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;

#[test]
fn files_are_bound_by_content() {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    fs::write(cwd.join("a"), "one").unwrap();
    symlink("a", cwd.join("link")).unwrap();
    let fact = file_fact("link", &cwd, true).unwrap();
    assert_eq!(fact.path, cwd.join("a"));
    let FileState::File { bytes, digest } = &fact.state else {
        panic!("{fact:?}");
    };
    assert_eq!((*bytes, *digest), (3, sha256(b"one")));
    let same = file_fact(&cwd.join("a").to_string_lossy(), Path::new("/"), true).unwrap();
    assert_eq!(fact.value(), same.value());
    fs::write(cwd.join("a"), "two").unwrap();
    assert_ne!(fact.value(), file_fact("a", &cwd, true).unwrap().value());
}

#[test]
fn entries_folders_and_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    fs::write(cwd.join("a"), "one").unwrap();
    let entry = file_fact("a", &cwd, false).unwrap();
    fs::write(cwd.join("a"), "two").unwrap();
    assert_eq!(entry, file_fact("a", &cwd, false).unwrap());
    assert_eq!(file_fact(".", &cwd, true).unwrap().word(), "folder");
    symlink("not/yet", cwd.join("dangling")).unwrap();
    for (path, real) in [
        ("x/y", "x/y"),
        ("a/b", "a/b"),
        ("dangling", "not/yet"),
        ("q/../z", "z"),
    ] {
        let fact = file_fact(path, &cwd, true).unwrap();
        assert_eq!(
            (fact.word(), fact.path),
            ("absent", cwd.join(real)),
            "{path}"
        );
    }
}

#[test]
fn special_and_huge_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path();
    nix::unistd::mkfifo(
        &cwd.join("pipe"),
        nix::sys::stat::Mode::from_bits_truncate(0o600),
    )
    .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(cwd.join("socket")).unwrap();
    for path in ["pipe", "socket", "/dev/null", "/dev/zero"] {
        for content in [true, false] {
            let refused = file_fact(path, cwd, content);
            assert!(matches!(refused, Err(FactError::Special { .. })), "{path}");
        }
    }
    let huge = File::create(cwd.join("huge")).unwrap();
    huge.set_len(LARGEST_FILE + 1).unwrap();
    assert!(matches!(
        file_fact("huge", cwd, true),
        Err(FactError::TooLarge { .. })
    ));
    assert!(file_fact("huge", cwd, false).is_ok());
}

#[test]
fn variables_and_input() {
    let env: Vec<(OsString, OsString)> = vec![("A".into(), "1".into()), ("B".into(), "2".into())];
    let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    assert_eq!(env_fact(&[], &env), Value::Null);
    let a = env_fact(&names(&["A"]), &env);
    assert_ne!(a, env_fact(&names(&["A", "B"]), &env));
    assert_ne!(a, env_fact(&names(&["A"]), &[]));
    assert_ne!(a, env_fact(&names(&["A"]), &[("A".into(), "".into())]));
    assert_eq!(a, env_fact(&names(&["A"]), &env[..1]));
    assert!(!a.to_string().contains("\"1\""));
    assert_eq!(stdin_fact(None), Value::Null);
    assert_ne!(stdin_fact(Some(b"")), Value::Null);
    assert_ne!(stdin_fact(Some(b"a")), stdin_fact(Some(b"b")));
}

#[test]
fn texts_that_are_no_utf8_never_share_a_value() {
    let one = OsString::from_vec(vec![b'a', 0xff]);
    let two = OsString::from_vec(vec![b'a', 0xfe]);
    assert_eq!(one.to_string_lossy(), two.to_string_lossy());
    assert_ne!(os_value(&one), os_value(&two));
    assert_eq!(os_value(OsStr::new("é")), Value::from("é"));
}

#[test]
fn the_folder_is_its_entry() {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path();
    fs::create_dir(cwd.join("w")).unwrap();
    symlink("w", cwd.join("l")).unwrap();
    assert_eq!(
        cwd_fact(&cwd.join("w")).unwrap(),
        cwd_fact(&cwd.join("l")).unwrap()
    );
    let before = cwd_fact(&cwd.join("w")).unwrap();
    fs::rename(cwd.join("w"), cwd.join("old")).unwrap();
    fs::create_dir(cwd.join("w")).unwrap();
    assert_ne!(before, cwd_fact(&cwd.join("w")).unwrap());
    assert!(cwd_fact(&cwd.join("gone")).is_err());
}

#[test]
fn a_program_that_was_touched_is_another_fact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p");
    fs::write(&path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let look = || {
        let search = crate::program::SearchIn::Folder(folder.path());
        program_fact(&crate::program::resolve("p", search, Path::new("/")).unwrap())
    };
    let before = look();
    assert_eq!(before, look());
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(later)
        .unwrap();
    assert_ne!(before, look());
}
