use super::*;
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::symlink;

struct World {
    root: tempfile::TempDir,
    protected: Protected,
}

impl World {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("home/.hcp/packs")).unwrap();
        fs::create_dir_all(at("home/app/.hcp")).unwrap();
        fs::create_dir_all(at("home/app/src")).unwrap();
        fs::create_dir_all(at("store space")).unwrap();
        fs::write(at("home/.hcp/access.json"), "{}").unwrap();
        symlink(at("home/.hcp"), at("home/app/link")).unwrap();
        symlink("link/access.json", at("home/app/far")).unwrap();
        symlink(at("home/.hcp/new.json"), at("home/app/dangling")).unwrap();
        let protected = Protected::new(&at("home/.hcp"), &[at("home")], &[at("home/app")]);
        Self { root, protected }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn reaches(&self, word: &str) -> bool {
        let word = word.replace("ROOT", &self.root.path().to_string_lossy());
        let found = self
            .protected
            .find(&["tool", &word], &[], &self.at("home/app"));
        assert!(found.as_ref().is_none_or(|f| f.reach == Reach::Word(1)));
        found.is_some()
    }
}

#[test]
fn words_that_reach_the_store() {
    let world = World::new();
    for word in [
        "ROOT/home/.hcp/access.json",
        "ROOT/home/.hcp",
        "ROOT/home/.hcp/not/there/yet",
        "ROOT/home/x/../.hcp/access.json",
        "ROOT//home/./.hcp//access.json",
        "../.hcp/access.json",
        "../../home/.hcp/key",
        "~/.hcp/access.json",
        "$HOME/.hcp/access.json",
        "${HOME}/.hcp",
        "$HCP_HOME/access.json",
        "--out=ROOT/home/.hcp/access.json",
        "--out=~/.hcp/access.json",
        "--out=../.hcp/access.json",
        "-oROOT/home/.hcp/access.json",
        "-o../.hcp/access.json",
        "-xo~/.hcp/access.json",
        "-f.hcp/access.json",
        "@ROOT/home/.hcp/key",
        "--data=@../.hcp/key",
        "file://ROOT/home/.hcp/key",
        "FILE://localhostROOT/home/%2ehcp/key",
        "file:ROOT/home/%2Ehcp/key",
        "~/.hcp:/host",
        "type=bind,src=ROOT/home/.hcp,dst=/x",
        "HEAD:.hcp/access.json",
        "user@host:x,ROOT/home/.hcp/key",
        "link/access.json",
        "link",
        "far",
        "dangling",
        "src/../link/packs/x",
        ".hcp",
        "./.hcp/access.json",
        "src/.hcp/access.json",
        "not/there/.hcp/access.json",
        "/etc/hcp/access.json",
        "/etc/hcp",
        #[cfg(target_os = "linux")]
        "/proc/self/rootROOT/home/.hcp/key",
        "/usr/../etc/hcp/x",
        "{\"path\":\"ROOT/home/.hcp/key\"}",
        " ~/.hcp/key",
        "~/.hcp/key ",
        "a=ROOT/home/.hcp:ro,z",
    ] {
        assert!(world.reaches(word), "{word}");
    }
}

#[test]
fn words_that_do_not() {
    let world = World::new();
    for word in [
        "push",
        "",
        "-",
        "--",
        "~",
        "~/notes.txt",
        "ROOT/home/app/src/main.rs",
        "ROOT/home/.hcpx/access.json",
        "ROOT/home/x.hcp/access.json",
        "/etc/hcp-tools/x",
        "/etc/hosts",
        "https://example.com/.hcp/access.json",
        "see ~/.hcp/access.json for the rules",
        "The store is in ~/.hcp and /etc/hcp/access.json holds the floor.",
        "fix: paths like --out=~/.hcp/access.json are refused now",
        "docs: explain HCP_HOME=~/.hcp\n\nLong text about /etc/hcp and .hcp/access.json.",
        "access.json",
        "hcp",
        "2.80",
        "a:b:c",
        "~nobody-of-that-name/.x",
    ] {
        assert!(!world.reaches(word), "{word}");
    }
}

#[test]
fn folders_and_paths() {
    let world = World::new();
    let find = |paths: &[&str], cwd: &str| {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let found = world.protected.find(&["tool"], &paths, &world.at(cwd));
        found.map(|f| f.reach)
    };
    assert_eq!(find(&[], "home/.hcp/packs"), Some(Reach::Folder));
    assert_eq!(find(&[], "home/app/link"), Some(Reach::Folder));
    assert_eq!(find(&[], "home/app/.hcp"), Some(Reach::Folder));
    assert_eq!(
        find(&["x", "../.hcp/key"], "home/app"),
        Some(Reach::Path(1))
    );
    assert_eq!(find(&["x"], "home/app"), None);
}

#[test]
fn a_projects_folder_that_is_a_link_leads_to_a_protected_place() {
    let world = World::new();
    fs::remove_dir(world.at("home/app/.hcp")).unwrap();
    fs::create_dir(world.at("shared")).unwrap();
    symlink(world.at("shared"), world.at("home/app/.hcp")).unwrap();
    let protected = Protected::new(&world.at("home/.hcp"), &[], &[world.at("home/app")]);
    let word = world.at("shared/access.json");
    assert!(
        protected
            .find(&[word], &[], &world.at("home/app"))
            .is_some()
    );
}

#[test]
fn a_store_whose_path_holds_blanks_and_separators() {
    let world = World::new();
    let store = world.at("store space/a=b,c");
    fs::create_dir_all(&store).unwrap();
    let protected = Protected::new(&store, &[], &[]);
    let path = store.join("access.json").display().to_string();
    for word in [path.clone(), format!("--out={path}"), format!("-o{path}")] {
        let found = protected.find(&[&word], &[], &world.at("home"));
        assert_eq!(found.map(|f| f.root), Some(store.clone()), "{word}");
    }
}

#[test]
fn a_word_that_names_a_folder_above_the_store_moves_the_others() {
    let world = World::new();
    let store = world.at("srv/store");
    fs::create_dir_all(&store).unwrap();
    let protected = Protected::new(&store, &[], &[]);
    let find = |words: &[&str]| protected.find(words, &[], &world.at("home"));
    assert!(find(&["git", "-C", "../srv", "add", "store/access.json"]).is_some());
    assert!(find(&["git", "-C../srv", "add", "store/access.json"]).is_some());
    assert!(find(&["git", "--dir=../srv", "add", "./store"]).is_some());
    assert!(find(&["git", "-C", "../srv", "add", "other/access.json"]).is_none());
    assert!(find(&["git", "add", "store/access.json"]).is_none());
    assert!(find(&["ls", "/", "srv"]).is_none());
}

#[test]
fn a_name_that_is_no_utf8_is_followed_too() {
    use std::os::unix::ffi::OsStringExt;
    let world = World::new();
    let name = std::ffi::OsString::from_vec(b"odd\xff".to_vec());
    symlink(world.at("home/.hcp"), world.at("home/app").join(&name)).unwrap();
    let cwd = world.at("home/app");
    assert!(world.protected.find(&[&name], &[], &cwd).is_some());
    let path = PathBuf::from(&name).join("key");
    let found = world.protected.find::<&str>(&[], &[path], &cwd);
    assert_eq!(found.map(|f| f.reach), Some(Reach::Path(0)));
}

#[test]
fn a_loop_of_links_ends() {
    let world = World::new();
    symlink("b", world.at("a")).unwrap();
    symlink("a", world.at("b")).unwrap();
    assert!(!world.reaches("ROOT/a/x"));
}

proptest! {
    #[test]
    fn every_word_is_answered(word in "[-=:,@~/. a$\\{\\}%\"é]{0,60}") {
        let protected = Protected::new(Path::new("/srv/store"), &[PathBuf::from("/home/ana")], &[]);
        let _ = protected.find(&[&word], &[], Path::new("/tmp"));
    }

    #[test]
    fn nothing_before_or_behind_a_separator_hides_a_path(
        before in "[a-z-]{0,8}[=:,@]", behind in "([:,][a-z]{0,8})?"
    ) {
        let protected = Protected::new(Path::new("/srv/store"), &[], &[]);
        let word = format!("{before}/srv/store/access.json{behind}");
        prop_assert!(protected.find(&[&word], &[], Path::new("/tmp")).is_some(), "{}", word);
    }
}
