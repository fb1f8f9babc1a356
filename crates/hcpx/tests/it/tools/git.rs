//! The git pack against the real git: a repository and its remote in a temporary folder, and nothing of the person's
//! own settings.

use super::tool;
use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Commands that git brings in packages of their own, or not everywhere.
const APART: [&str; 16] = [
    "archimport",
    "citool",
    "cvsexportcommit",
    "cvsimport",
    "daemon",
    "gui",
    "http-push",
    "imap-send",
    "instaweb",
    "p4",
    "quiltimport",
    "remote-ext",
    "replay",
    "refs",
    "send-email",
    "svn",
];

/// Git itself, in a folder of the world, without settings of anybody.
fn git(world: &World, folder: &Path, words: &[&str]) -> String {
    let ran = Command::new("git")
        .args(words)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", world.root().join("user"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "git {words:?}: {error}");
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

/// A world with a repository of one commit and its bare remote.
fn world() -> World {
    let world = World::with_packs(HCPX, &["git"]);
    world.write(
        "user/.gitconfig",
        "[user]\n name = Ana\n email = ana@example.org\n[init]\n defaultBranch = main\n",
    );
    let work = world.work();
    git(
        &world,
        world.root(),
        &["init", "-q", "--bare", "remote.git"],
    );
    git(&world, &work, &["init", "-q"]);
    git(&world, &work, &["remote", "add", "origin", "../remote.git"]);
    world.write("work/file", "one\n");
    git(&world, &work, &["add", "file"]);
    git(&world, &work, &["commit", "-qm", "first"]);
    world
}

fn exec(world: &World, command: &str, words: &[&str]) -> Answer {
    let mut all = vec!["exec", "git", command, "--"];
    all.extend(words);
    world.agent(&all)
}

/// What the call asks; a person says yes, and the agent runs it again.
fn asked_and_approved(world: &World, command: &str, words: &[&str]) -> Answer {
    let asked = exec(world, command, words).with_code("confirm_required");
    world
        .person(&["approve", &asked.text("approval_id")])
        .expect_code("ok");
    exec(world, command, words).expect_code("ok");
    asked
}

fn remote_main(world: &World) -> String {
    let remote = world.root().join("remote.git");
    git(world, &remote, &["rev-parse", "refs/heads/main"])
}

#[test]
fn every_command_exists_and_knows_the_options_that_pick_it() {
    if tool("git").is_none() {
        return;
    }
    let world = World::new(HCPX);
    let listed = git(&world, world.root(), &["--list-cmds=main,others"]);
    let listed: BTreeSet<&str> = listed.lines().collect();
    let pack = hcp::bundled_pack("git").unwrap();
    let mut unknown = Vec::new();
    for command in pack.commands.values() {
        let own = command.own_words.get(1).unwrap().as_str();
        if !listed.contains(own) && !APART.contains(&own) {
            unknown.push(command.name.to_string());
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn reading_and_committing_run_unasked() {
    if tool("git").is_none() {
        return;
    }
    let world = world();
    for (command, words, shows) in [
        ("status", &["--short"][..], ""),
        ("log", &["--oneline", "-5"], "first"),
        ("diff", &["--stat"], ""),
        ("show", &["-s", "--format=%an"], "Ana"),
        ("branch", &["--show-current"], "main"),
        ("ls_files", &[], "file"),
    ] {
        let answer = exec(&world, command, words).with_code("ok");
        assert!(answer.stdout.contains(shows), "{}", answer.stdout);
    }
    world.write("work/file", "two\n");
    exec(&world, "add", &["-A"]).expect_code("ok");
    exec(&world, "commit", &["-m", "second"]).expect_code("ok");
    let subject = git(&world, &world.work(), &["log", "-1", "--format=%s"]);
    assert_eq!(subject, "second");
    // A setting for one call may run another program, and asks whatever it says.
    let asked = exec(&world, "status", &["-c", "core.fsmonitor=evil"]);
    asked.expect_code("confirm_required");
    assert_eq!(asked.text("access.reason_code"), "confirm_always");
}

#[test]
fn a_push_asks_and_arrives_when_a_person_said_yes() {
    if tool("git").is_none() {
        return;
    }
    let world = world();
    let words = ["-u", "origin", "main"];
    let remote = world.root().join("remote.git");
    let before = exec(&world, "push", &words).with_code("confirm_required");
    assert_eq!(git(&world, &remote, &["for-each-ref"]), "", "nothing ran");
    let asked = asked_and_approved(&world, "push", &words);
    assert_eq!(before.text("preview.cli"), asked.text("preview.cli"));
    let head = git(&world, &world.work(), &["rev-parse", "HEAD"]);
    assert_eq!(remote_main(&world), head);
    // The yes was for one run.
    exec(&world, "push", &words).expect_code("confirm_required");
}

#[test]
fn replacing_history_asks_in_every_mode() {
    if tool("git").is_none() {
        return;
    }
    let world = world();
    asked_and_approved(&world, "push", &["origin", "main"]);
    let old = remote_main(&world);
    exec(&world, "commit", &["--amend", "-m", "other"]).expect_code("ok");
    world.person(&["mode", "run"]).expect_code("ok");
    // In mode run a plain push runs, and git itself refuses it.
    let refused = exec(&world, "push", &["origin", "main"]);
    assert_ne!(refused.code(), "confirm_required", "{}", refused.stdout);
    assert_eq!(remote_main(&world), old);
    world.person(&["allow", "git.*"]).expect_code("ok");
    for (command, words) in [
        ("push_force", &["origin", "main"][..]),
        ("push_force_with_lease", &["origin", "main"]),
        ("push_delete", &["origin", "main"]),
        ("push_mirror", &["origin"]),
    ] {
        let asked = exec(&world, command, words).with_code("confirm_required");
        assert_eq!(asked.text("access.reason_code"), "confirm_always");
    }
    assert_eq!(remote_main(&world), old);
    asked_and_approved(&world, "push_force", &["origin", "main"]);
    let head = git(&world, &world.work(), &["rev-parse", "HEAD"]);
    assert_eq!(remote_main(&world), head);
}

#[test]
fn what_loses_work_asks_first() {
    if tool("git").is_none() {
        return;
    }
    let world = world();
    world.write("work/file", "changed\n");
    world.write("work/untracked", "new\n");
    let read = |name: &str| std::fs::read_to_string(world.work().join(name)).unwrap_or_default();
    exec(&world, "reset_hard", &[]).expect_code("confirm_required");
    exec(&world, "restore", &["file"]).expect_code("confirm_required");
    exec(&world, "clean", &[]).expect_code("confirm_required");
    exec(&world, "checkout", &["--", "file"]).expect_code("confirm_required");
    assert_eq!(
        (read("file"), read("untracked")),
        ("changed\n".into(), "new\n".into())
    );
    exec(&world, "clean_dry_run", &[]).expect_code("ok");
    asked_and_approved(&world, "reset_hard", &[]);
    assert_eq!(
        (read("file"), read("untracked")),
        ("one\n".into(), "new\n".into())
    );
    asked_and_approved(&world, "clean", &[]);
    assert_eq!(read("untracked"), "");
}

#[test]
fn variables_that_make_git_run_something_do_not_reach_it() {
    if tool("git").is_none() {
        return;
    }
    let world = world();
    let marker = world.root().join("ran");
    let script = format!("touch {}; false", marker.display());
    let mut call = world.command(Who::Agent);
    call.args(["exec", "git", "status", "--"])
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.fsmonitor")
        .env("GIT_CONFIG_VALUE_0", &script)
        .env("GIT_EXTERNAL_DIFF", &script)
        .env("GIT_PAGER", &script);
    let answer = Answer::of(&["status"], call.output().unwrap());
    answer.expect_code("ok");
    world.write("work/file", "changed\n");
    let mut call = world.command(Who::Agent);
    call.args(["exec", "git", "diff", "--"])
        .env("GIT_EXTERNAL_DIFF", &script);
    let answer = Answer::of(&["diff"], call.output().unwrap());
    answer.expect_code("ok");
    assert!(answer.stdout.contains("+changed"), "{}", answer.stdout);
    assert!(!marker.exists());
}
