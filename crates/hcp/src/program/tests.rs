use super::*;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["a", "b", "open", "sticky", "group", "work"] {
            fs::create_dir(place.at(folder)).unwrap();
            place.mode(folder, 0o755);
        }
        place.mode("open", 0o777);
        place.mode("sticky", 0o1777);
        place.mode("group", 0o775);
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    fn program(&self, path: &str) -> &Self {
        fs::write(self.at(path), "#!/bin/sh\n").unwrap();
        self.mode(path, 0o755);
        self
    }

    fn path(&self, folders: &[&str]) -> OsString {
        std::env::join_paths(folders.iter().map(|f| {
            if f.is_empty() || f.starts_with('.') {
                PathBuf::from(f)
            } else {
                self.at(f)
            }
        }))
        .unwrap()
    }

    fn find(&self, folders: &[&str]) -> Result<Program, ProgramError> {
        let path = self.path(folders);
        resolve("tool", SearchIn::Path(&path), &self.at("work"))
    }
}

#[test]
fn the_first_folder_wins() {
    let place = Place::new();
    place.program("a/tool").program("b/tool");
    let found = place.find(&["a", "b"]).unwrap();
    assert_eq!(found.path, place.at("a/tool"));
    assert_eq!(found.size, 10);
    assert!(found.ino > 0 && found.mtime_ns > 0);
    fs::remove_file(place.at("a/tool")).unwrap();
    assert_eq!(place.find(&["a", "b"]).unwrap().path, place.at("b/tool"));
}

#[test]
fn links_are_followed_and_kept_in_mind() {
    let place = Place::new();
    place.program("b/real");
    symlink(place.at("b/real"), place.at("a/tool")).unwrap();
    let found = place.find(&["a"]).unwrap();
    assert_eq!(
        (found.path, found.found),
        (place.at("b/real"), place.at("a/tool"))
    );
    // Where the link leads counts as well.
    place.mode("b", 0o777);
    assert!(matches!(
        place.find(&["a"]),
        Err(ProgramError::Writable { .. })
    ));
}

#[test]
fn places_that_others_can_write_are_refused() {
    let place = Place::new();
    for folder in ["open", "sticky", "group"] {
        place.program(&format!("{folder}/tool"));
        let refused = place.find(&[folder]).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains("chmod go-w"), "{text}");
        fs::remove_file(place.at(&format!("{folder}/tool"))).unwrap();
    }
    place.program("a/tool");
    place.mode("a/tool", 0o757);
    assert!(matches!(
        place.find(&["a"]),
        Err(ProgramError::Writable { .. })
    ));
    place.program("open/tool").program("b/tool");
    assert_eq!(place.find(&["open", "b"]).unwrap().path, place.at("b/tool"));
}

#[test]
fn the_working_directory_and_relative_entries_are_refused() {
    let place = Place::new();
    place.program("work/tool");
    for folders in [
        &["work"][..],
        &[""],
        &["."],
        &["./"],
        &["..", "a"],
        &["../work"],
    ] {
        let found = place.find(folders);
        let expected = match folders {
            ["..", ..] => matches!(found, Err(ProgramError::NotFound { .. })),
            _ => matches!(found, Err(ProgramError::InWorkingDirectory { .. })),
        };
        assert!(expected, "{folders:?} {found:?}");
    }
    symlink(place.at("work/tool"), place.at("a/tool")).unwrap();
    assert!(matches!(
        place.find(&["a"]),
        Err(ProgramError::InWorkingDirectory { .. })
    ));
    place.program("b/tool");
    assert_eq!(
        place.find(&["work", "", "b"]).unwrap().path,
        place.at("b/tool")
    );
}

#[test]
fn what_is_no_program() {
    let place = Place::new();
    assert!(matches!(
        place.find(&["a"]),
        Err(ProgramError::NotFound { .. })
    ));
    fs::create_dir(place.at("a/tool")).unwrap();
    assert!(matches!(
        place.find(&["a"]),
        Err(ProgramError::NotExecutable { .. })
    ));
    fs::remove_dir(place.at("a/tool")).unwrap();
    fs::write(place.at("a/tool"), "x").unwrap();
    place.mode("a/tool", 0o644);
    assert!(matches!(
        place.find(&["a"]),
        Err(ProgramError::NotExecutable { .. })
    ));
    symlink("nowhere", place.at("b/tool")).unwrap();
    assert!(matches!(
        place.find(&["b"]),
        Err(ProgramError::NotExecutable { .. })
    ));
    for name in ["", ".", "..", "a\0b"] {
        let path = place.path(&["a"]);
        let found = resolve(name, SearchIn::Path(&path), &place.at("work"));
        assert!(
            matches!(found, Err(ProgramError::NotFound { .. })),
            "{name:?}"
        );
    }
}

#[test]
fn a_whole_path_is_taken_and_a_relative_one_refused() {
    let place = Place::new();
    place.program("a/tool").program("work/tool");
    let empty = OsString::new();
    let by = |name: &str| resolve(name, SearchIn::Path(&empty), &place.at("work"));
    let whole = place.at("a/tool");
    assert_eq!(by(whole.to_str().unwrap()).unwrap().path, whole);
    assert!(matches!(by("./tool"), Err(ProgramError::Relative { .. })));
    assert!(matches!(
        by("../a/tool"),
        Err(ProgramError::Relative { .. })
    ));
    let here = place.at("work/tool");
    assert!(matches!(
        by(here.to_str().unwrap()),
        Err(ProgramError::InWorkingDirectory { .. })
    ));
}

#[test]
fn a_folder_of_its_own_is_searched_alone() {
    let place = Place::new();
    place.program("a/tool").program("b/other");
    let in_a = |name: &str| resolve(name, SearchIn::Folder(&place.at("a")), &place.at("work"));
    assert!(in_a("tool").is_ok());
    assert!(in_a("other").is_err());
    assert!(in_a("sh").is_err());
}
