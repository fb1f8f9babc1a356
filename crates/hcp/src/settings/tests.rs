use super::*;
use crate::agent::{MarkedAncestor, MarkedVariables};
use hcp_core::json::{Object, Value};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A home folder, a store in it and a project below it.
struct World {
    root: tempfile::TempDir,
    home: Home,
    agent: AgentStatus,
    variables: Vec<(&'static str, String)>,
}

impl World {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let user = root.path().join("home");
        fs::create_dir_all(user.join("code/app/src")).unwrap();
        let home = Home::at(user.join(".hcp")).with_user_folder(&user);
        home.ensure().unwrap();
        Self {
            root,
            home,
            agent: AgentStatus::outside(),
            variables: Vec::new(),
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    fn read(&self, cwd: &str) -> Result<Layers, SettingsError> {
        let environment = Environment::from_pairs(self.variables.clone());
        let cwd = self.at(cwd);
        let operator = self.at("etc/access.json");
        read_layers(&ReadPlan {
            operator: &operator,
            ..ReadPlan::new(&self.home, &cwd, &self.agent, &environment)
        })
    }

    fn projects(&self, cwd: &str) -> Vec<String> {
        let root = self.root.path().canonicalize().unwrap();
        let layers = self.read(cwd).unwrap();
        layers
            .project
            .iter()
            .map(|p| {
                let path = Path::new(&p.file).canonicalize().unwrap();
                let path = path.strip_prefix(&root).unwrap();
                path.to_string_lossy().into_owned()
            })
            .collect()
    }
}

fn why(found: Result<Layers, SettingsError>) -> Diagnostic {
    found.unwrap_err().diagnostics.remove(0)
}

#[test]
fn nothing_there_is_nothing_set() {
    let layers = World::new().read("home/code/app").unwrap();
    assert!(layers.user.is_none() && layers.operator.is_none() && layers.project.is_empty());
}

#[test]
fn project_files_are_found_upwards_before_the_home_folder() {
    let world = World::new();
    for folder in ["home/code/app/src", "home/code/app", "home/code", "home"] {
        world.file(&format!("{folder}/.hcp/access.json"), "{}");
    }
    assert_eq!(
        world.projects("home/code/app/src"),
        [
            "home/code/app/src/.hcp/access.json",
            "home/code/app/.hcp/access.json",
            "home/code/.hcp/access.json"
        ]
    );
    assert_eq!(world.projects("home"), Vec::<String>::new());
    // Above the home folder the way up goes to the root.
    world.file("other/.hcp/access.json", "{}");
    fs::create_dir_all(world.at("other/x")).unwrap();
    assert_eq!(world.projects("other/x"), ["other/.hcp/access.json"]);
}

#[test]
fn the_persons_own_file_is_no_projects() {
    let mut world = World::new();
    world.file("srv/.hcp/access.json", "{}");
    world.home = Home::at(world.at("srv/.hcp"));
    fs::create_dir_all(world.at("srv/app")).unwrap();
    assert_eq!(world.projects("srv/app"), Vec::<String>::new());
    assert!(world.read("srv/app").unwrap().user.is_some());
}

#[test]
fn hcp_project_adds_one_more_and_each_counts_once() {
    let mut world = World::new();
    world.file("home/code/app/.hcp/access.json", "{}");
    world.file("extra/.hcp/access.json", "{}");
    for given in ["extra", "extra/.hcp", "extra/.hcp/access.json"] {
        world.variables = vec![("HCP_PROJECT", world.at(given).display().to_string())];
        assert_eq!(
            world.projects("home/code/app"),
            ["home/code/app/.hcp/access.json", "extra/.hcp/access.json"]
        );
    }
    world.variables = vec![(
        "HCP_PROJECT",
        world.at("home/code/app").display().to_string(),
    )];
    assert_eq!(world.projects("home/code/app").len(), 1);
    for wrong in [
        "relative".to_owned(),
        world.at("absent").display().to_string(),
    ] {
        world.variables = vec![("HCP_PROJECT", wrong)];
        assert_eq!(why(world.read("home/code/app")).file, "HCP_PROJECT");
    }
}

#[test]
fn inside_an_agent_leaving_the_folder_sheds_no_rule() {
    let mut world = World::new();
    world.file("home/code/app/.hcp/access.json", "{}");
    world.file("claude/.hcp/access.json", "{}");
    fs::create_dir_all(world.at("elsewhere")).unwrap();
    assert!(world.projects("elsewhere").is_empty());
    world.agent = AgentStatus::outside().within("test");
    world.agent.marked.push(MarkedAncestor {
        pid: 7,
        bearer: "bash, pid 7".into(),
        variables: Some(MarkedVariables {
            claude_project: Some(world.at("claude").into()),
            ..MarkedVariables::default()
        }),
        folder: Some(world.at("home/code/app/src")),
    });
    assert_eq!(
        world.projects("elsewhere"),
        ["home/code/app/.hcp/access.json", "claude/.hcp/access.json"]
    );
    world.agent.marked.clear();
    world.variables = vec![(
        "CLAUDE_PROJECT_DIR",
        world.at("claude").display().to_string(),
    )];
    assert_eq!(world.projects("elsewhere"), ["claude/.hcp/access.json"]);
    world.agent = AgentStatus::outside();
    assert!(world.projects("elsewhere").is_empty());
}

#[test]
fn reading_fails_closed() {
    let world = World::new();
    let file = world.file("home/code/.hcp/access.json", "{\n  \"mode\": \"auto\",,\n}");
    let fault = why(world.read("home/code/app"));
    assert_eq!((fault.line, fault.file), (2, file.display().to_string()));
    for text in ["", "[]", "{\"mode\": \"auto\", \"mode\": \"run\"}", "null"] {
        fs::write(&file, text).unwrap();
        assert!(world.read("home/code/app").is_err(), "{text:?}");
    }
    fs::write(&file, [b'{', 0xff, b'}']).unwrap();
    assert!(world.read("home/code/app").is_err());
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(world.read("home/code/app").is_err());
    fs::remove_dir(&file).unwrap();
    symlink("nowhere", &file).unwrap();
    assert!(world.read("home/code/app").is_err());
    fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    assert!(world.read("home/code/app").is_err());
    fs::remove_file(&file).unwrap();
    assert!(world.read("home/code/app").is_ok());
}

#[test]
fn faults_of_all_layers_are_told_at_once() {
    let mut world = World::new();
    world.file("home/.hcp/access.json", "{");
    world.file("home/code/.hcp/access.json", "[");
    world.variables = vec![("HCP_MODE", "fast".into()), ("HCP_APPROVALS", "x".into())];
    let faults = world.read("home/code").unwrap_err().diagnostics;
    assert_eq!(faults.len(), 4, "{faults:?}");
}

#[test]
fn loose_permissions_are_refused_with_the_line_that_mends_them() {
    let world = World::new();
    for path in ["home/.hcp/access.json", "etc/access.json"] {
        let file = world.file(path, "{}");
        for mode in [0o620, 0o602, 0o666] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let help = why(world.read("home/code")).help.unwrap();
            assert_eq!(help, format!("chmod go-w {}", file.display()));
        }
        for mode in [0o600, 0o644, 0o444] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let root = nix::unistd::Uid::effective().is_root();
            assert_eq!(
                world.read("home/code").is_ok(),
                root || !path.starts_with("etc")
            );
        }
        fs::remove_file(&file).unwrap();
    }
    let project = world.file("home/code/.hcp/access.json", "{}");
    fs::set_permissions(&project, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(world.read("home/code").is_ok());
}

#[test]
fn another_owner_is_refused() {
    if !nix::unistd::Uid::effective().is_root() {
        return;
    }
    let world = World::new();
    for path in ["home/.hcp/access.json", "etc/access.json"] {
        let file = world.file(path, "{}");
        std::os::unix::fs::chown(&file, Some(12345), None).unwrap();
        let help = why(world.read("home/code")).help.unwrap();
        assert!(help.starts_with("chown "), "{help}");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn grants_fail_closed_like_settings() {
    let world = World::new();
    assert!(read_grants(&world.home).unwrap().is_none());
    let text = r#"{"grants": [{"capability": "verb.exec.read", "kind": "agent"}]}"#;
    let file = world.file("home/.hcp/grants.json", text);
    assert_eq!(
        read_grants(&world.home).unwrap().unwrap().body.grants.len(),
        1
    );
    fs::set_permissions(&file, fs::Permissions::from_mode(0o620)).unwrap();
    assert!(read_grants(&world.home).is_err());
    world.file(
        "home/.hcp/grants.json",
        r#"{"grants": [{"capability": "all"}]}"#,
    );
    assert!(read_grants(&world.home).is_err());
}

#[test]
fn a_valid_file_is_more_than_json() {
    let world = World::new();
    world.file(
        "home/.hcp/access.json",
        "{\n  \"mode\": \"auto\",\n  \"rulez\": []\n}",
    );
    let fault = why(world.read("home"));
    assert_eq!((fault.line, fault.column), (3, 3));
    assert_eq!(fault.help.as_deref(), Some("did you mean \"rules\"?"));
    let path = world.file("home/.hcp/access.json", "{\"mode\": \"auto\"}");
    let wrong = edit(&path, Trust::ReaderOrRoot, set("mode", "fast"));
    assert!(matches!(wrong, Err(EditError::Settings(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"mode\": \"auto\"}");
}

#[test]
fn the_process_layer() {
    let mut world = World::new();
    for (mode, approvals) in [("", ""), ("run", "human"), ("manual", "agent")] {
        world.variables = vec![
            ("HCP_MODE", mode.into()),
            ("HCP_APPROVALS", approvals.into()),
        ];
        let layers = world.read("home").unwrap();
        assert_eq!(layers.process_mode, Mode::parse(mode));
        assert_eq!(layers.process_approvals, Approvals::parse(approvals));
    }
    world.variables = vec![("HCP_MODE", "atuo".into())];
    let fault = why(world.read("home"));
    assert_eq!(
        fault.to_string(),
        "HCP_MODE:1:1: \"atuo\" is no mode (did you mean \"auto\"?)"
    );
}

#[test]
fn the_project_of_a_folder() {
    let world = World::new();
    let of = |cwd: &str| project_of(&world.at(cwd), &world.home);
    let at = |path: &str| Some(world.at(path).canonicalize().unwrap());
    assert_eq!(of("home/code/app/src"), None);
    fs::create_dir(world.at("home/code/.git")).unwrap();
    assert_eq!(of("home/code/app/src"), at("home/code"));
    fs::create_dir(world.at("home/code/app/.hcp")).unwrap();
    assert_eq!(of("home/code/app/src"), at("home/code/app"));
    // The store beside the home folder's files makes it no project.
    assert_eq!(of("home"), None);
}

fn set(key: &str, value: &str) -> impl FnOnce(&mut Object) -> Result<(), String> {
    move |body| {
        body.insert(key, value);
        Ok(())
    }
}

#[test]
fn an_edit_keeps_order_and_digits() {
    let world = World::new();
    let path = world.home.access();
    let made = edit(&path, Trust::ReaderOrRoot, set("mode", "run")).unwrap();
    assert_eq!(made.before, None);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o7777,
        0o600
    );
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\n  \"mode\": \"run\"\n}\n"
    );
    let text =
        r#"{"rules":[{"match":"a.b","decision":"allow","when":{"max":{"x":5.00}}}],"mode":"auto"}"#;
    fs::write(&path, text).unwrap();
    let changed = edit(&path, Trust::ReaderOrRoot, set("mode", "manual")).unwrap();
    assert!(changed.before.is_some() && changed.before != made.before);
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.contains("5.00"), "{now}");
    assert!(now.find("rules").unwrap() < now.find("mode").unwrap());
    let again = edit(&path, Trust::ReaderOrRoot, set("mode", "manual")).unwrap();
    assert_eq!(again.before, Some(again.after));
}

#[test]
fn a_refused_or_faulty_edit_changes_nothing() {
    let world = World::new();
    let path = world.file("home/.hcp/access.json", "{\"mode\":\"auto\"}");
    let refused = edit(&path, Trust::ReaderOrRoot, |body| {
        body.insert("mode", "run");
        Err::<(), _>("no".to_owned())
    });
    assert!(matches!(refused, Err(EditError::Refused(_))));
    fs::write(&path, "{").unwrap();
    let broken = edit(&path, Trust::ReaderOrRoot, set("mode", "run"));
    assert!(matches!(broken, Err(EditError::Settings(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{");
    fs::write(&path, "{}").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    let loose = edit(&path, Trust::ReaderOrRoot, set("mode", "run"));
    assert!(matches!(loose, Err(EditError::Settings(_))));
}

#[test]
fn an_edit_through_a_link_changes_the_target_and_keeps_its_mode() {
    let world = World::new();
    let target = world.file("home/dotfiles/access.json", "{}");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o644)).unwrap();
    let link = world.home.access();
    symlink(&target, &link).unwrap();
    edit(&link, Trust::ReaderOrRoot, set("mode", "run")).unwrap();
    assert!(link.symlink_metadata().unwrap().file_type().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains("run"));
    assert_eq!(
        fs::metadata(&target).unwrap().permissions().mode() & 0o7777,
        0o644
    );
}

#[test]
fn a_held_lock_is_waited_for_and_no_longer() {
    let world = World::new();
    let held = crate::fsutil::lock_folder(world.home.path(), crate::fsutil::PATIENCE).unwrap();
    let patience = std::time::Duration::from_millis(30);
    let late = edit_within(
        &world.home.access(),
        Trust::ReaderOrRoot,
        patience,
        set("mode", "run"),
    );
    assert!(matches!(late, Err(EditError::Io { .. })));
    assert!(!world.home.access().exists());
    drop(held);
    let value: Change<Value> = edit(&world.home.access(), Trust::ReaderOrRoot, |_| {
        Ok::<_, String>(Value::Null)
    })
    .unwrap();
    assert_eq!(value.value, Value::Null);
}

#[test]
fn a_fault_in_own_view_rules_has_its_place_whoever_wrote_the_file() {
    let text = "{\n  \"views\": {\n    \"rules\": {},\n    \"signal\": []\n  } }";
    for file in ["home/.hcp/access.json", "home/code/app/.hcp/access.json"] {
        let world = World::new();
        let path = world.file(file, text);
        let wrong = world.read("home/code/app/src").unwrap_err();
        let places: Vec<(String, usize, usize)> = wrong
            .diagnostics
            .iter()
            .map(|d| (d.file.clone(), d.line, d.column))
            .collect();
        let real = |name: &str| Path::new(name).canonicalize().unwrap();
        assert!(
            places
                .iter()
                .all(|(name, ..)| real(name) == path.canonicalize().unwrap())
        );
        let places: Vec<(usize, usize)> = places.into_iter().map(|(_, l, c)| (l, c)).collect();
        assert!(places.contains(&(3, 14)), "{places:?}");
        assert!(places.contains(&(4, 5)), "{places:?}");
        assert_eq!(wrong.code(), Code::AccessInvalid);
    }
}

#[test]
fn faults_of_the_settings_and_of_their_views_are_told_together() {
    let wrong = parse("f", br#"{ "mode": "fast", "views": { "rules": 5 } }"#).unwrap_err();
    assert_eq!(wrong.diagnostics.len(), 2);
    let twice = parse("f", br#"{ "views": 5 }"#).unwrap_err();
    assert_eq!(twice.diagnostics.len(), 1);
}

#[test]
fn own_rules_of_settings_that_were_never_checked_are_refused_and_not_dropped() {
    let node = json::parse(r#"{ "views": { "rules": 5 } }"#, Limits::default()).unwrap();
    let body = AccessFile::parse(&node).unwrap();
    let access = Effective::merge(Layers {
        user: Some(Sourced {
            file: "f".into(),
            body,
        }),
        ..Layers::default()
    });
    assert!(card_rules(&access, None).is_err());
    let none = Effective::merge(Layers::default());
    assert_eq!(card_rules(&none, None).unwrap(), Rules::builtin());
}
