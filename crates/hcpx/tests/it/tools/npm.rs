//! The npm pack against the real npm: what it knows by its own account, and a project on this machine without the
//! network.

use super::tool;
use crate::HCPX;
use hcp_testkit::{Answer, World};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Own words that not every release has.
const NOT_EVERYWHERE: &[&str] = &[
    "access public",     // before 9
    "access restricted", // before 9
    "approve-scripts",   // since 11
    "deny-scripts",      // since 11
    "hook",              // before 11
    "install-scripts",   // since 11
    "query",             // since 8
    "sbom",              // since 10
    "stage",             // since 11
    "trust",             // since 11
    "undeprecate",       // since 11
    "cache npx",         // since 11
    "config fix",        // since 8
    "pkg fix",           // since 9
    "audit signatures",  // since 8
];

/// Options that are no settings of every release: of one command alone, of older releases, or of newer ones.
const OTHER_OPTIONS: &[&str] = &[
    // of `npm trust` alone
    "file",
    "repository",
    "project",
    "environment",
    "org-id",
    "project-id",
    "pipeline-definition-id",
    "vcs-origin",
    "context-id",
    "allow-publish",
    "allow-stage-publish",
    "allow-staged-publish",
    "id",
    // shorthands and opposites
    "help",
    "no",
    "no-yes",
    "no-browser",
    "ws",
    "iwr",
    "reg",
    "silent",
    "quiet",
    "verbose",
    "porcelain",
    "prod",
    "no-install",
    "readonly",
    // after npm 10
    "allow-directory",
    "allow-file",
    "allow-git",
    "allow-remote",
    "allow-scripts",
    "allow-scripts-pending",
    "allow-scripts-pin",
    "strict-allow-scripts",
    "dangerously-allow-all-scripts",
    "min-release-age",
    "bypass-2fa",
    "name",
    "token-description",
    "expires",
    "packages",
    "packages-all",
    "scopes",
    "orgs",
    "packages-and-scopes-permission",
    "orgs-permission",
    "password",
    "node-options",
    "init-private",
    "init-type",
    "libc",
    "cpu",
    "os",
    "provenance-file",
    "sbom-format",
    "sbom-type",
    "expect-results",
    "expect-result-count",
];

fn npm(words: &[&str]) -> String {
    let output = Command::new("npm").args(words).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn the_installed_npm_knows_the_commands_and_their_options() {
    if tool("npm").is_none() {
        return;
    }
    let usage = npm(&["-l"]);
    let usage = usage.split("All commands:").nth(1).unwrap_or_default();
    let words: Vec<&str> = usage.split_whitespace().collect();
    // Where names are given by list, `list|ls` in the help stands for both.
    let says = |own: &[&str]| {
        words.windows(own.len() + 1).any(|at| {
            let same = |(said, own): (&&str, &&str)| {
                said.split('|').any(|s| s.trim_matches(['[', ']']) == *own)
            };
            at[0] == "npm" && at[1..].iter().zip(own).all(same)
        })
    };
    let mut names: BTreeSet<&str> = words
        .windows(2)
        .filter(|two| two[0] == "npm")
        .map(|two| two[1])
        .collect();
    for line in usage.lines() {
        let line = line.trim();
        if let Some(more) = line
            .strip_prefix("aliases:")
            .or(line.strip_prefix("alias:"))
        {
            names.extend(more.split(',').map(str::trim));
        }
    }
    let settings = npm(&["config", "ls", "-l", "--json"]);
    let settings = hcp_core::json::parse(
        &settings,
        hcp_core::json::Limits {
            bytes: usize::MAX,
            depth: 64,
        },
    );
    let settings = settings.unwrap().to_value();
    let pack = hcp::bundled_pack("npm").unwrap();
    let mut faults = Vec::new();
    for command in pack.commands.values() {
        let own: Vec<&str> = command.own_words[1..].iter().map(String::as_str).collect();
        let line = own.join(" ");
        let newer = NOT_EVERYWHERE.iter().any(|some| line.starts_with(some));
        // `create` is another word for `init`.
        if !newer && own[0] != "create" && !says(&own) {
            faults.push(format!("{}: npm {line} is not in the help", command.name));
        }
        for spelling in command.own_templates()[1].spellings() {
            // npm takes every beginning of a name that no other name has.
            let begins = names.iter().any(|name| name.starts_with(spelling));
            if !newer && !begins && !FURTHER.contains(&spelling) {
                faults.push(format!(
                    "{}: {spelling} is no name of a command",
                    command.name
                ));
            }
        }
        let templates = command.cli().iter().skip(own.len() + 1);
        let templates = templates.take_while(|word| word.literal() != Some("--"));
        for word in templates.chain(command.globals()) {
            let filled = word.prefix().strip_suffix('=').map(str::to_owned);
            for option in word.spellings().map(str::to_owned).chain(filled) {
                let Some(name) = option.strip_prefix("--") else {
                    continue;
                };
                if settings.get(name).is_none() && !OTHER_OPTIONS.contains(&name) {
                    faults.push(format!("{}: {option} is no setting", command.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Other names of commands, which the help does not list with them.
const FURTHER: &[&str] = &["verison", "urn", "udpate", "ogr"];

/// A world with the pack and a project, and npm kept from the network and from looking for releases of itself.
fn project() -> World {
    let world = World::with_packs(HCPX, &["npm"]);
    let cache = world.root().join("cache");
    world.write(
        "user/.npmrc",
        &format!(
            "cache={}\noffline=true\nupdate-notifier=false\nfund=false\naudit=false\nregistry=http://127.0.0.1:9/\n",
            cache.display()
        ),
    );
    world.write(
        "work/package.json",
        r#"{ "name": "app", "version": "1.0.0", "scripts": { "mark": "echo done > mark.txt", "deploy": "echo out > out.txt" } }"#,
    );
    world.write(
        "work/lib/package.json",
        r#"{ "name": "lib", "version": "2.0.0" }"#,
    );
    world
}

fn approved(world: &World, words: &[&str]) -> Answer {
    let asked = world.agent(words).with_code("confirm_required");
    world
        .person(&["approve", &asked.text("approval_id")])
        .expect_code("ok");
    world.agent(words)
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_default()
}

#[test]
fn daily_work_runs_without_a_question() {
    if tool("npm").is_none() {
        return;
    }
    let world = project();
    let work = world.work();
    let agent = |words: &[&str]| world.agent(words).with_code("ok");
    let _ = agent(&[
        "exec",
        "npm",
        "pkg_set",
        "--",
        "settings:=[\"type=module\"]",
    ]);
    let got = agent(&["exec", "npm", "pkg_get", "--", "type"]);
    assert!(got.stdout.contains("module"), "{}", got.stdout);
    let _ = agent(&[
        "exec",
        "npm",
        "version",
        "--",
        "patch",
        "--no-git-tag-version",
    ]);
    assert!(text(&work, "package.json").contains("1.0.1"));
    let _ = agent(&["exec", "npm", "run", "--", "mark"]);
    assert_eq!(text(&work, "mark.txt").trim(), "done");
    let packed = agent(&["exec", "npm", "pack", "--", "--dry-run", "--json"]);
    assert!(packed.stdout.contains("app-1.0.1.tgz"), "{}", packed.stdout);
    assert!(!work.join("app-1.0.1.tgz").exists());
}

#[test]
fn code_from_elsewhere_and_a_deploy_wait_for_a_yes() {
    if tool("npm").is_none() {
        return;
    }
    let world = project();
    let work = world.work();
    let install = ["exec", "npm", "install", "--", "./lib"];
    let asked = world.agent(&install).with_code("confirm_required");
    assert_eq!(
        asked.text("approval.view.title"),
        "Install packages in this project"
    );
    assert!(!work.join("node_modules").exists());
    approved(&world, &install).expect_code("ok");
    assert!(work.join("node_modules/lib/package.json").is_file());
    assert!(text(&work, "package.json").contains("file:lib"));
    world
        .agent(&["exec", "npm", "uninstall", "--", "lib"])
        .expect_code("ok");
    assert!(!text(&work, "package.json").contains("file:lib"));

    let deploy = ["exec", "npm", "run", "--", "deploy"];
    approved(&world, &deploy).expect_code("ok");
    assert_eq!(text(&work, "out.txt").trim(), "out");

    let set = [
        "exec",
        "npm",
        "config_set",
        "--",
        "settings:=[\"save-exact=true\"]",
    ];
    approved(&world, &set).expect_code("ok");
    assert!(text(world.root(), "user/.npmrc").contains("save-exact=true"));
}

#[test]
fn a_publish_asks_in_every_mode_and_its_dry_run_does_not() {
    if tool("npm").is_none() {
        return;
    }
    let world = project();
    let tried = world
        .agent(&["exec", "npm", "publish_dry_run", "--", "--json"])
        .with_code("ok");
    assert!(tried.stdout.contains("app@1.0.0"), "{}", tried.stdout);
    world.settings(r#"{ "mode": "run", "rules": [ { "match": "npm.*", "decision": "allow" } ] }"#);
    let publish = [
        "exec",
        "npm",
        "publish",
        "--",
        "access=public",
        "otp=123456",
    ];
    let asked = world.agent(&publish).with_code("confirm_required");
    assert_eq!(asked.text("approval.reason_code"), "confirm_always");
    assert_eq!(asked.text("approval.view.kind"), "publish");
    assert_eq!(asked.text("approval.view.fields.audience"), "public");
    let card = asked.stdout;
    for said in [
        "Cannot be undone",
        "Goes live",
        "Anyone can see it",
        "[secret, 6 characters",
    ] {
        assert!(card.contains(said), "{said}: {card}");
    }
    assert!(!card.contains("123456"), "{card}");
    // Nobody listens at the registry's address: with the yes npm runs, and fails.
    approved(&world, &publish).expect_code("command_failed");
    for words in [
        &["exec", "npm", "unpublish", "--", "app@1.0.0"][..],
        &["exec", "npm", "token_create", "--", "name=ci"],
        &["exec", "npm", "owner_add", "--", "user=alice"],
        &[
            "exec",
            "npm",
            "deprecate",
            "--",
            "package=app",
            "message=old",
        ],
    ] {
        let _ = world.agent(words).with_code("confirm_required");
    }
}
