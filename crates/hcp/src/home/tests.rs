use super::*;
use crate::agent::MarkedAncestor;
use hcp_core::canonical::{Tag, keyed_digest};
use hcp_core::json::Value;
use std::os::unix::fs::PermissionsExt;

fn account() -> Account {
    Account {
        uid: 1000,
        name: "ana".into(),
        home: Some("/home/ana".into()),
    }
}

fn marked(home: Option<&str>, project: Option<&str>) -> AgentStatus {
    let mut status = AgentStatus::outside().within("test");
    status.marked.push(MarkedAncestor {
        pid: 7,
        bearer: "bash, pid 7".into(),
        variables: Some(MarkedVariables {
            home: home.map(Into::into),
            project: project.map(Into::into),
            claude_project: None,
        }),
        folder: None,
    });
    status
}

fn resolve(agent: &AgentStatus, variables: &[(&str, &str)]) -> Result<Home, HomeError> {
    let environment = Environment::from_pairs(variables.iter().copied());
    Home::resolve_for(agent, &environment, account)
}

#[test]
fn outside_an_agent_the_variables_say_where() {
    let outside = AgentStatus::outside();
    let home = resolve(&outside, &[("HOME", "/h")]).unwrap();
    assert_eq!(home.path(), Path::new("/h/.hcp"));
    assert_eq!(home.user_folder(), Some(Path::new("/h")));
    let home = resolve(&outside, &[("HOME", "/h"), ("HCP_HOME", "/s")]).unwrap();
    assert_eq!(home.path(), Path::new("/s"));
    let home = resolve(&outside, &[("HCP_HOME", "")]).unwrap();
    assert_eq!(home.path(), Path::new("/home/ana/.hcp"));
    let relative = resolve(&outside, &[("HCP_HOME", "x")]).unwrap_err();
    assert_eq!(relative.code(), Code::AccessInvalid);
}

#[test]
fn inside_an_agent_the_account_says_where() {
    let inside = AgentStatus::outside().within("test");
    let home = resolve(&inside, &[("HOME", "/evil")]).unwrap();
    assert_eq!(home.path(), Path::new("/home/ana/.hcp"));
    assert_eq!(home.user_folder(), Some(Path::new("/home/ana")));
    let home = resolve(&inside, &[("HOME", "/evil"), ("HCP_HOME", "/s")]).unwrap();
    assert_eq!(home.path(), Path::new("/s"));
    assert_eq!(home.user_folder(), Some(Path::new("/home/ana")));
}

#[test]
fn what_marked_ancestors_have_may_not_be_changed() {
    for (home, project, own, fine) in [
        (Some("/s"), None, vec![("HCP_HOME", "/s")], true),
        (Some("/s"), None, vec![("HCP_HOME", "/s/")], false),
        (Some("/s"), None, vec![], false),
        (None, None, vec![("HCP_HOME", "/s")], false),
        (None, None, vec![("HCP_HOME", "")], true),
        (None, None, vec![], true),
        (None, Some("/p"), vec![("HCP_PROJECT", "/p")], true),
        (None, Some("/p"), vec![("HCP_PROJECT", "/q")], false),
        (None, Some("/p"), vec![], false),
    ] {
        let found = resolve(&marked(home, project), &own);
        assert_eq!(found.is_ok(), fine, "{home:?} {project:?} {own:?}");
        if let Err(error) = found {
            assert_eq!(error.code(), Code::AccessInvalid);
            assert!(error.to_string().contains("bash, pid 7"), "{error}");
        }
    }
}

#[test]
fn an_account_without_a_home_needs_hcp_home() {
    let inside = AgentStatus::outside().within("test");
    let nobody = || Account {
        uid: 1234,
        name: "1234".into(),
        home: None,
    };
    let none = Home::resolve_for(&inside, &Environment::default(), nobody).unwrap_err();
    assert!(none.to_string().contains("user 1234"));
    let given = Environment::from_pairs([("HCP_HOME", "/s")]);
    assert!(Home::resolve_for(&inside, &given, nobody).is_ok());
}

fn proof(key: &Key) -> String {
    keyed_digest(key, Tag::Binding, &Value::Null).to_string()
}

#[test]
fn the_key_is_made_once_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("a/.hcp"));
    let first = proof(&home.key().unwrap());
    assert_eq!(first, proof(&home.key().unwrap()));
    let meta = std::fs::metadata(home.key_file()).unwrap();
    assert_eq!((meta.mode() & 0o7777, meta.len()), (0o600, 32));
    let meta = std::fs::metadata(home.path()).unwrap();
    assert_eq!(meta.mode() & 0o7777, 0o700);
    let other = Home::at(folder.path().join("b"));
    assert_ne!(first, proof(&other.key().unwrap()));
}

#[test]
fn a_key_that_cannot_be_trusted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let path = home.key_file();
    home.key().unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let loose = home.key().unwrap_err().to_string();
    assert!(loose.contains("chmod 600"), "{loose}");
    std::fs::write(&path, b"short").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(matches!(home.key(), Err(HomeError::Key { .. })));
    std::fs::write(&path, [7; 33]).unwrap();
    assert!(matches!(home.key(), Err(HomeError::Key { .. })));
    std::fs::remove_file(&path).unwrap();
    std::fs::write(folder.path().join("other"), [7; 32]).unwrap();
    std::os::unix::fs::symlink(folder.path().join("other"), &path).unwrap();
    assert!(matches!(home.key(), Err(HomeError::Key { .. })));
    std::fs::remove_file(&path).unwrap();
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    assert!(matches!(home.key(), Err(HomeError::Key { .. })));
}
