//! The gh pack against the real gh, without an account: its help, and what it does on this machine alone.

use super::tool;
use crate::HCPX;
use hcp_pack::Command as PackCommand;
use hcp_testkit::{Answer, Who, World};
use std::collections::BTreeMap;
use std::process::Command;

/// Commands, by their first own words, that came after version 2.23.
const NEWER: [&str; 31] = [
    "agent",
    "agent-task",
    "agent-tasks",
    "agents",
    "alias import",
    "attestation",
    "auth switch",
    "cache",
    "codespace view",
    "config clear-cache",
    "copilot",
    "discussion",
    "gist rename",
    "licenses",
    "org",
    "pr co",
    "pr revert",
    "pr update-branch",
    "project",
    "release verify",
    "release verify-asset",
    "repo autolink",
    "repo gitignore",
    "repo license",
    "repo unarchive",
    "ruleset",
    "run delete",
    "search code",
    "skill",
    "skills",
    "variable",
];

/// Words that have no help of their own: an address of the API, what goes on to an extension, what shows the help of
/// others, and what hides itself.
const WITHOUT_HELP: [&str; 6] = [
    "api graphql",
    "auth git-credential",
    "ext exec",
    "extension exec",
    "extensions exec",
    "help",
];

fn is_newer(own: &str) -> bool {
    let begins = |name: &&str| {
        own.strip_prefix(*name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    NEWER.iter().any(begins)
}

/// The help of each command of gh, by its words.
struct Help {
    world: World,
    seen: BTreeMap<String, Option<String>>,
}

impl Help {
    /// The help for some words, where they are a command and not only the beginning of one.
    fn of(&mut self, own: &[String]) -> Option<&str> {
        let key = own.join(" ");
        let world = &self.world;
        let help = self.seen.entry(key.clone()).or_insert_with(|| {
            let mut gh = Command::new("gh");
            let ran = gh
                .args(own)
                .arg("--help")
                .env_clear()
                .env("PATH", std::env::var_os("PATH").unwrap())
                .env("HOME", world.root().join("user"))
                .env("GH_CONFIG_DIR", world.root().join("gh"))
                .env("GH_NO_UPDATE_NOTIFIER", "1")
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            ran.status.success().then_some(text)
        });
        help.as_deref()
    }

    /// Whether the help of the group names the command.
    fn lists(&mut self, own: &[String]) -> bool {
        let Some((name, group)) = own.split_last() else {
            return false;
        };
        let wanted = format!("  {name}:");
        let help = self.of(group).unwrap_or_default();
        help.lines().any(|line| line.starts_with(&wanted))
    }
}

/// Whether a help text is about these words, or about what they stand for.
fn is_about(help: &str, own: &[String]) -> bool {
    let usage = help.lines().skip_while(|line| *line != "USAGE").nth(1);
    let words = usage.unwrap_or_default().split_whitespace().skip(1);
    let count = words
        .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .count();
    count >= own.len()
}

/// The options by which a pack's command tells itself from others.
fn picking(command: &PackCommand) -> Vec<String> {
    let cli = command.cli();
    let leads = |at: usize| cli.get(at + 1).is_some_and(|next| next.alone().is_some());
    let words = cli.iter().enumerate();
    let options = words.filter(|(at, word)| word.option().is_some() && !leads(*at));
    options
        .flat_map(|(_, word)| word.spellings())
        .filter(|spelling| spelling.starts_with("--"))
        .map(str::to_owned)
        .collect()
}

/// Options that came after version 2.23, by the command of the pack.
const NEWER_OPTIONS: [&str; 9] = [
    "alias_delete_all --all",
    "issue_comment_delete_last --delete-last",
    "pr_comment_delete_last --delete-last",
    "pr_create_dry_run --dry-run",
    "pr_create_fill_first --fill-first",
    "pr_create_fill_verbose --fill-verbose",
    "pr_new_dry_run --dry-run",
    "pr_new_fill_first --fill-first",
    "pr_new_fill_verbose --fill-verbose",
];

#[test]
fn every_command_exists_and_knows_the_options_that_pick_it() {
    if tool("gh").is_none() {
        return;
    }
    let mut help = Help {
        world: World::new(HCPX),
        seen: BTreeMap::new(),
    };
    let pack = hcp::bundled_pack("gh").unwrap();
    let mut faults = Vec::new();
    for command in pack.commands.values() {
        let own = command.own_words.get(1..).unwrap();
        let words = own.join(" ");
        if WITHOUT_HELP.contains(&words.as_str()) {
            continue;
        }
        let options = picking(command);
        if options.is_empty() && help.lists(own) {
            continue;
        }
        let text = help.of(own).filter(|text| is_about(text, own));
        let Some(text) = text.map(str::to_owned) else {
            if !is_newer(&words) {
                faults.push(format!("{words} is unknown to gh"));
            }
            continue;
        };
        for option in options {
            let known = text.split([' ', ',', '\n']).any(|word| word == option);
            let name = format!("{} {option}", command.name);
            if !known && option != "--help" && !NEWER_OPTIONS.contains(&name.as_str()) {
                faults.push(format!("{words} does not know {option}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn world() -> World {
    World::with_packs(HCPX, &["gh"])
}

/// A call by an agent, with a folder of settings of its own and no login.
fn exec(world: &World, command: &str, words: &[&str]) -> Answer {
    let mut call = world.command(Who::Agent);
    call.args(["exec", "gh", command, "--"])
        .args(words)
        .env("GH_CONFIG_DIR", world.root().join("gh"));
    Answer::of(&[command], call.output().unwrap())
}

fn approved(world: &World, command: &str, words: &[&str]) {
    let asked = exec(world, command, words).with_code("confirm_required");
    let id = asked.text("approval_id");
    let mut yes = world.command(Who::Person);
    yes.args(["approve", &id])
        .env("GH_CONFIG_DIR", world.root().join("gh"));
    Answer::of(&["approve"], yes.output().unwrap()).expect_code("ok");
    exec(world, command, words).expect_code("ok");
}

#[test]
fn settings_are_read_unasked_and_changed_after_a_yes() {
    if tool("gh").is_none() {
        return;
    }
    let world = world();
    exec(&world, "config_list", &[]).expect_code("ok");
    approved(&world, "config_set", &["git_protocol", "ssh"]);
    let shown = exec(&world, "config_get", &["git_protocol"]).with_code("ok");
    assert!(shown.stdout.contains("ssh"), "{}", shown.stdout);
    let file = std::fs::read_to_string(world.root().join("gh/config.yml")).unwrap();
    assert!(file.contains("git_protocol: ssh"), "{file}");
    // A program that gh starts later is another matter.
    let asked = exec(&world, "config_set", &["editor", "evil"]);
    asked.expect_code("confirm_required");
    assert_eq!(asked.text("access.reason_code"), "confirm_always");
}

#[test]
fn an_alias_stands_after_a_yes_and_one_for_a_shell_always_asks() {
    if tool("gh").is_none() {
        return;
    }
    let world = world();
    let listed = |name: &str| {
        let answer = exec(&world, "alias_list", &[]);
        answer.stdout.contains(name)
    };
    approved(&world, "alias_set", &["name=pv", "expansion=pr view"]);
    assert!(listed("pv"));
    for (command, words) in [
        ("alias_set", &["name=x", "expansion=!rm -r x"][..]),
        ("alias_set_shell", &["name=x", "line=rm -r x"]),
    ] {
        let asked = exec(&world, command, words).with_code("confirm_required");
        assert_eq!(asked.text("access.reason_code"), "confirm_always");
    }
    assert!(!listed("rm -r x"));
    approved(&world, "alias_delete", &["pv"]);
    assert!(!listed("pv"));
}

#[test]
fn without_a_login_reads_run_and_fail_and_nothing_grave_runs() {
    if tool("gh").is_none() {
        return;
    }
    let world = world();
    for (command, words) in [
        ("pr_list", &["-R", "cli/cli"][..]),
        ("repo_view", &["cli/cli"]),
        ("api_get", &["repos/cli/cli"]),
        ("auth_status", &[]),
    ] {
        let answer = exec(&world, command, words);
        assert_eq!(
            answer.code(),
            "command_failed",
            "{command}: {}",
            answer.stdout
        );
    }
    for (command, words) in [
        ("repo_delete", &["cli/cli", "--yes"][..]),
        ("pr_merge", &["12", "--admin", "-R", "cli/cli"]),
        ("release_create", &["v1", "--notes", "x"]),
        ("auth_token", &[]),
        ("api_delete", &["repos/cli/cli"]),
        ("gist_create_public", &["file"]),
    ] {
        let asked = exec(&world, command, words).with_code("confirm_required");
        assert_eq!(
            asked.text("access.reason_code"),
            "confirm_always",
            "{command}"
        );
    }
}

#[test]
fn the_value_of_a_secret_stands_nowhere() {
    let world = world();
    let value = "a-value-that-nobody-may-see";
    let asked = exec(&world, "secret_set", &["TOKEN", "--body", value]);
    asked.expect_code("confirm_required");
    assert!(!asked.stdout.contains(value), "{}", asked.stdout);
    let log = world.person(&["audit", "--limit", "20"]);
    assert!(!log.stdout.contains(value));
}
