//! The `docker` pack against the real docker: its help, contexts in a folder of their own, and a small daemon on this
//! machine that only writes down what it is asked.

use super::clients::{Listed, Served, listed, says, told, with_yes};
use super::tool;
use crate::HCPX;
use hcp_testkit::World;
use std::collections::BTreeSet;

/// Options that the client knows and its help does not tell, or only with the build plugin or in some versions.
const NOT_TOLD: &[&str] = &[
    "--net", // the older spelling of --network
    "--net-alias",
    "--use-api-socket",        // 28.0
    "--annotation",            // 24.0
    "--health-start-interval", // 25.0
    "--detach-keys",
    "--kernel-memory",
    "--tree", // 27.5
    "--mac-address",
];

/// Words that the client itself does not tell: plugins, and a hidden one.
fn is_plugin(command: &Listed) -> bool {
    let plugins = [
        "buildx",
        "compose",
        "debug",
        "desktop",
        "extension",
        "init",
        "scout",
    ];
    let hidden = ["help", "completion", "system_dial_stdio"];
    plugins.contains(&command.own[0].as_str()) || hidden.contains(&command.name.as_str())
}

#[test]
fn every_command_and_option_is_known_to_docker() {
    let Some(docker) = tool("docker") else {
        return;
    };
    let world = World::new(HCPX);
    let (commands, globals) = listed("docker");
    let may_lack: BTreeSet<String> = NOT_TOLD.iter().map(|o| (*o).to_owned()).collect();
    let general = told(&says(&world, &docker, &["--help"]));
    let mut faults: Vec<String> = globals.difference(&general).cloned().collect();
    // A help text names the other words for the same command, which then need no call of their own.
    let mut texts: Vec<String> = Vec::new();
    for command in commands.iter().filter(|c| !is_plugin(c)) {
        let line = format!("docker {}", command.own.join(" "));
        let tells = |text: &&String| {
            let names = text.lines().filter(|l| l.starts_with("  docker "));
            let mut names = names.flat_map(|l| l.split(", "));
            names.any(|name| name.trim() == line) || text.contains(&format!("Usage:  {line}"))
        };
        if !texts.iter().any(|text| tells(&text)) {
            let mut words: Vec<&str> = command.own.iter().map(String::as_str).collect();
            words.push("--help");
            texts.push(says(&world, &docker, &words));
        }
        let text = texts.iter().find(tells);
        let known = told(text.unwrap_or_else(|| panic!("docker does not know {line}")));
        let known = &known;
        // What builds is told in full by the build plugin alone.
        let unknown = command
            .options
            .difference(known)
            .filter(|o| !may_lack.contains(*o));
        let unknown = unknown.filter(|_| !command.name.contains("build"));
        faults.extend(unknown.map(|option| format!("{}: {option}", command.name)));
    }
    assert!(faults.is_empty(), "not known to docker: {faults:?}");
}

fn daemon(method: &str, path: &str) -> Option<&'static str> {
    let versionless = path
        .trim_start_matches("/v")
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    match (method, versionless) {
        ("GET" | "HEAD", "/_ping") => Some("{}"),
        ("GET", "/containers/json") => Some("[]"),
        ("DELETE", "/volumes/data") => Some("{}"),
        ("POST", "/containers/create") => Some(r#"{"Id":"c0ffee","Warnings":[]}"#),
        _ => None,
    }
}

#[test]
fn a_context_is_made_and_a_volume_is_removed_after_a_yes() {
    let Some(docker) = tool("docker") else {
        return;
    };
    let world = World::with_packs(HCPX, &["docker"]);
    let served = Served::start(daemon);
    let endpoint = format!("docker=host=tcp://{}", served.address);
    let made = [
        "exec",
        "docker",
        "context_create",
        "--",
        "name=here",
        &endpoint,
    ];
    world.agent(&made).expect_code("ok");
    let switch = ["exec", "docker", "context_use", "--", "name=here"];
    let _switched = with_yes(&world, &switch, "Switch to the context here");
    assert_eq!(says(&world, &docker, &["context", "show"]), "here\n");

    let shown = world.agent(&["exec", "docker", "ps", "--", "quiet=true"]);
    assert_eq!(shown.with_code("ok").text("stdout"), "");
    let remove = ["exec", "docker", "volume_rm", "--", "volumes=data"];
    let asked = world.agent(&remove).with_code("confirm_required");
    assert_eq!(asked.text("approval.reason_code"), "confirm_always");
    assert_eq!(served.changes(), [""; 0]);
    let _removed = with_yes(&world, &remove, "Remove the volume data");
    let changed = served.changes();
    assert!(
        changed.len() == 1 && changed[0].ends_with("/volumes/data"),
        "{changed:?}"
    );

    // What a container runs may have options of its own.
    let create = [
        "exec",
        "docker",
        "create",
        "--",
        "image=alpine",
        "command=ls",
        "command=-l",
    ];
    let created = with_yes(&world, &create, "Create a container of alpine");
    assert_eq!(created.text("stdout"), "c0ffee\n");

    let back = ["exec", "docker", "context_use", "--", "name=default"];
    let _back = with_yes(&world, &back, "Switch to the context default");
    let gone = ["exec", "docker", "context_rm", "--", "contexts=here"];
    let _gone = with_yes(&world, &gone, "Remove the context here");
    assert!(!says(&world, &docker, &["context", "ls"]).contains("here"));
}
