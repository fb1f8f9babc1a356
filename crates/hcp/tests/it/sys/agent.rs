//! Detection with real processes.

use super::helper;
use hcp::agent::AgentStatus;
use hcp::home::Home;
use hcp::platform::Environment;
use std::process::{Command, Stdio};
use std::time::Instant;

#[test]
#[ignore = "a part of other tests"]
fn play_detect() {
    if !helper::plays("sys::agent::play_detect") {
        return;
    }
    let status = AgentStatus::current();
    println!("inside={}", status.inside);
    if let Some(marker) = &status.marker {
        println!("marker={}", marker.human_only());
    }
    println!("looked={}", status.looked());
    match Home::resolve(&status, &Environment::current()) {
        Ok(home) => println!("home={}", home.path().display()),
        Err(error) => println!("home-error={} {error}", error.code()),
    }
}

/// Runs a shell line in which `DETECT` stands for this program.
fn shell(line: &str, variables: &[(&str, &str)]) -> String {
    let line = line.replace("DETECT", &helper::line("sys::agent::play_detect"));
    let output = Command::new("bash")
        .args(["-c", &line])
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Whether these tests themselves run below an agent, where "outside" cannot be shown.
fn below_an_agent() -> bool {
    AgentStatus::current().inside
}

#[test]
fn a_variable_of_an_ancestor_cannot_be_shed() {
    for line in [
        "env -u HCP_AGENT DETECT; true",
        "unset HCP_AGENT; DETECT; true",
        "HCP_AGENT=0 DETECT; true",
        "(exec -c env DETECT); true",
        "(unset HCP_AGENT; (HCP_AGENT= DETECT; true); true); true",
        "env -i setsid -w env DETECT; true",
    ] {
        let found = shell(line, &[("HCP_AGENT", "1")]);
        assert!(found.contains("inside=true"), "{line}: {found}");
        if !below_an_agent() {
            assert!(
                found.contains("marker=HCP_AGENT in bash, pid "),
                "{line}: {found}"
            );
            assert!(
                found.contains("answer from a terminal of your own"),
                "{found}"
            );
        }
    }
}

#[test]
fn no_mark_is_outside_and_zero_is_none() {
    if below_an_agent() {
        return;
    }
    assert!(shell("DETECT; true", &[]).contains("inside=false"));
    assert!(shell("HCP_AGENT=0 DETECT; true", &[]).contains("inside=false"));
    assert!(shell("HCP_AGENT= DETECT; true", &[]).contains("inside=false"));
    assert!(shell("HCP_AGENT=1 DETECT; true", &[]).contains("marker=HCP_AGENT in this process"));
}

#[test]
fn a_known_agents_program_among_the_ancestors() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("claude");
    std::fs::write(&script, "sh -c \"$1; true\"; true\n").unwrap();
    let line = format!(
        "bash {} '{}'",
        script.display(),
        helper::line("sys::agent::play_detect").replace('\'', "")
    );
    let output = Command::new("bash").args(["-c", &line]).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.contains("inside=true"), "{found}");
    if !below_an_agent() {
        assert!(found.contains("marker=claude as bash, pid "), "{found}");
    }
}

#[test]
fn a_changed_home_inside_an_agent_is_refused() {
    let same = shell(
        "DETECT; true",
        &[("HCP_AGENT", "1"), ("HCP_HOME", "/srv/a")],
    );
    let changed = shell(
        "HCP_HOME=/srv/b DETECT; true",
        &[("HCP_AGENT", "1"), ("HCP_HOME", "/srv/a")],
    );
    assert!(
        changed.contains("home-error=access_invalid HCP_HOME"),
        "{changed}"
    );
    if !below_an_agent() {
        assert!(same.contains("home=/srv/a"), "{same}");
        let own = shell("HOME=/tmp/evil DETECT; true", &[("HCP_AGENT", "1")]);
        assert!(
            own.contains("home=/") && !own.contains("/tmp/evil"),
            "{own}"
        );
    }
}

#[test]
fn an_unreadable_ancestor_is_skipped() {
    if !nix::unistd::Uid::effective().is_root() || below_an_agent() {
        return;
    }
    // The shell of root in the middle cannot be read by the user below it; the mark above it can be neither,
    // so it is the one below that is found, and the skipped ones are named.
    let line = format!(
        "setpriv --reuid=65534 --clear-groups bash -c '{}; true'; true",
        helper::line("sys::agent::play_detect").replace('\'', "")
    );
    let output = Command::new("bash").args(["-c", &line]).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    if found.is_empty() {
        // The test program stands where that user cannot reach it.
        return;
    }
    assert!(found.contains("environment not readable: pid "), "{found}");
}

#[test]
fn looking_is_cheap() {
    let begun = Instant::now();
    for _ in 0..100 {
        assert!(AgentStatus::current().ancestors > 0);
    }
    let each = begun.elapsed() / 100;
    println!("one look takes {each:?}");
    assert!(each.as_millis() < 10, "{each:?}");
}
