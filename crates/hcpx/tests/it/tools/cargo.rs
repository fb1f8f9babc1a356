//! The cargo pack against the real cargo: what its help knows, and a project on this machine without the network.

use super::tool;
use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Commands of programs that are installed beside cargo.
const EXTERNAL: &[&str] = &[
    "binstall",
    "clippy",
    "fmt",
    "generate",
    "install-update",
    "lambda",
    "miri",
    "nextest",
    "release",
    "shuttle",
    "smart-release",
    "sqlx",
    "workspaces",
    "xtask",
];

/// Options that `--help` does not show: a short form or an older spelling, with where they come from.
const HIDDEN: &[(&str, &str)] = &[
    ("publish_workspace", "--workspace"),           // newer
    ("publish_dry_run", "--workspace"),             // newer
    ("publish_workspace", "--exclude"),             // newer
    ("publish_dry_run", "--exclude"),               // newer
    ("clean", "--workspace"),                       // newer
    ("tree", "--all"),                              // older spelling of --no-dedupe
    ("tree", "-a"),                                 // older spelling of --no-dedupe
    ("update", "--aggressive"),                     // older spelling of --recursive
    ("update", "--package"),                        // hidden beside the bare word
    ("update", "--breaking"),                       // unstable
    ("update", "--ignore-rust-version"),            // newer
    ("build", "--artifact-dir"),                    // unstable, newer
    ("generate_lockfile", "--publish-time"),        // unstable, newer
    ("generate_lockfile", "--ignore-rust-version"), // newer
    ("install", "--dry-run"),                       // unstable
    ("package", "--exclude-lockfile"),              // newer
    ("package_list", "--exclude-lockfile"),         // newer
];

fn cargo(words: &[&str]) -> String {
    let output = Command::new("cargo").args(words).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Whether an option stands in a help text as a word.
fn knows(help: &str, option: &str) -> bool {
    help.split(|c: char| c.is_whitespace() || ",[]=()`|.".contains(c))
        .any(|word| word == option)
}

#[test]
fn the_installed_cargo_knows_the_commands_and_their_options() {
    if tool("cargo").is_none() {
        return;
    }
    let listed = cargo(&["--list"]);
    let commands: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_whitespace().next())
        .collect();
    let top = cargo(&["--help"]);
    let pack = hcp::bundled_pack("cargo").unwrap();
    let mut helps: BTreeMap<Vec<String>, String> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut options = 0;
    for command in pack.commands.values() {
        let own: Vec<String> = command.own_words[1..].to_vec();
        if EXTERNAL.contains(&own[0].as_str()) {
            continue;
        }
        // Other spellings of the command are aliases that cargo lists as well; only `s` and those of subcommands not.
        for spelling in command.own_templates()[1].spellings() {
            if !commands.contains(&spelling) && spelling != "s" {
                faults.push(format!("{}: no command {spelling}", command.name));
            }
        }
        if command.name.as_str() == "help" {
            continue;
        }
        let help = helps.entry(own.clone()).or_insert_with(|| {
            let mut words: Vec<&str> = own.iter().map(String::as_str).collect();
            words.push("--help");
            cargo(&words)
        });
        let words = command.cli().iter().skip(command.own_words.len());
        let own_options = words.take_while(|word| word.literal() != Some("--"));
        for word in own_options.chain(command.globals()) {
            let filled = word.prefix().strip_suffix('=').map(str::to_owned);
            for option in word.spellings().map(str::to_owned).chain(filled) {
                options += 1;
                let hidden = HIDDEN.contains(&(command.name.as_str(), option.as_str()));
                // -vv is --verbose twice.
                if !knows(help, &option) && !knows(&top, &option) && !hidden && option != "-vv" {
                    faults.push(format!("{}: {option}", command.name));
                }
            }
        }
    }
    assert!(options > 500, "{options}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs hcpx with the machine's own toolchain, which a home of its own would hide.
fn run(world: &World, who: Who, words: &[&str]) -> Answer {
    let mut command = world.command(who);
    let home = std::env::var_os("HOME").unwrap_or_default();
    for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        let at = std::env::var_os(name).map(Into::into);
        let at: std::path::PathBuf = at.unwrap_or_else(|| Path::new(&home).join(folder));
        if at.is_dir() {
            command.env(name, at);
        }
    }
    if let Some(toolchain) = std::env::var_os("RUSTUP_TOOLCHAIN") {
        command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    Answer::of(words, command.args(words).output().unwrap())
}

/// Asks as an agent, has a person's yes, and runs.
fn approved(world: &World, words: &[&str]) -> Answer {
    let asked = run(world, Who::Agent, words).with_code("confirm_required");
    run(world, Who::Person, &["approve", &asked.text("approval_id")]).expect_code("ok");
    run(world, Who::Agent, words)
}

fn package(world: &World, name: &str) -> String {
    let folder = format!("work/{name}");
    world.write(
        &format!("{folder}/Cargo.toml"),
        &format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
    );
    world.write(
        &format!("{folder}/src/lib.rs"),
        "pub fn one() -> u8 { 1 }\n",
    );
    format!("manifest_path={name}/Cargo.toml")
}

#[test]
fn daily_work_runs_without_a_question() {
    if tool("cargo").is_none() {
        return;
    }
    let world = World::with_packs(HCPX, &["cargo"]);
    let manifest = package(&world, "demo");
    let _ = package(&world, "helper");
    let agent = |words: &[&str]| run(&world, Who::Agent, words).with_code("ok");
    let _ = agent(&[
        "exec", "cargo", "new", "--", "fresh", "--vcs", "none", "--lib",
    ]);
    assert!(world.work().join("fresh/src/lib.rs").is_file());
    let _ = agent(&[
        "exec",
        "cargo",
        "add",
        "--",
        &manifest,
        "path=helper",
        "offline:=true",
    ]);
    let text = std::fs::read_to_string(world.work().join("demo/Cargo.toml")).unwrap();
    assert!(text.contains("helper"), "{text}");
    let _ = agent(&["exec", "cargo", "check", "--", &manifest, "offline:=true"]);
    assert!(world.work().join("demo/Cargo.lock").is_file());
    let told = agent(&[
        "exec",
        "cargo",
        "metadata",
        "--",
        "--offline",
        "--no-deps",
        "--format-version",
        "1",
        "--manifest-path",
        "demo/Cargo.toml",
    ]);
    assert!(told.stdout.contains("helper"), "{}", told.stdout);
    let listed = agent(&[
        "exec",
        "cargo",
        "package_list",
        "--",
        &manifest,
        "allow_dirty:=true",
        "offline:=true",
    ]);
    assert!(listed.stdout.contains("src/lib.rs"), "{}", listed.stdout);
    let _ = agent(&[
        "exec",
        "cargo",
        "remove",
        "--",
        &manifest,
        "crates:=[\"helper\"]",
    ]);
    let _ = agent(&["exec", "cargo", "clean", "--", &manifest, "offline:=true"]);
    assert!(!world.work().join("demo/target").exists());
}

#[test]
fn a_folder_is_deleted_only_after_a_yes() {
    if tool("cargo").is_none() {
        return;
    }
    let world = World::with_packs(HCPX, &["cargo"]);
    let manifest = package(&world, "demo");
    world.write("work/kept/file", "precious");
    world.write(
        "work/kept/CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n",
    );
    let kept = world.work().join("kept");
    let words = [
        "exec",
        "cargo",
        "clean",
        "--",
        &manifest,
        "offline:=true",
        "target_dir=kept",
    ];
    let asked = run(&world, Who::Agent, &words).with_code("confirm_required");
    assert_eq!(asked.text("approval.view.kind"), "removal");
    assert_eq!(asked.text("approval.view.fields.what"), "kept");
    assert!(kept.join("file").is_file());
    approved(&world, &words).expect_code("ok");
    assert!(!kept.exists());
}

#[test]
fn a_publish_asks_in_every_mode_and_says_what_goes_out() {
    if tool("cargo").is_none() {
        return;
    }
    let world = World::with_packs(HCPX, &["cargo"]);
    let manifest = package(&world, "demo");
    let words = [
        "exec",
        "cargo",
        "publish",
        "--",
        &manifest,
        "package:=[\"demo\"]",
        "offline:=true",
    ];
    world.settings(r#"{ "mode": "run", "rules": [ { "match": "*", "decision": "allow" } ] }"#);
    let asked = run(&world, Who::Agent, &words).with_code("confirm_required");
    assert_eq!(asked.text("approval.reason_code"), "confirm_always");
    assert_eq!(asked.text("approval.view.kind"), "publish");
    assert_eq!(
        asked.text("approval.view.title"),
        "Publish a crate, whose version stays for good"
    );
    assert_eq!(asked.text("approval.view.fields.what.0"), "demo");
    let card = asked.stdout;
    assert!(
        card.contains("Cannot be undone") && card.contains("Goes live"),
        "{card}"
    );
    // A yes to one call is none to another.
    approved(&world, &words).expect_code("command_failed");
    let _ = run(
        &world,
        Who::Agent,
        &[&words[..], &["no_verify:=true"]].concat(),
    )
    .with_code("confirm_required");
    // A setting that could make cargo run something else asks for whatever command.
    let _ = run(
        &world,
        Who::Agent,
        &[
            "exec",
            "cargo",
            "check",
            "--",
            &manifest,
            "config:=[\"build.rustc-wrapper='./x'\"]",
        ],
    )
    .with_code("confirm_required");
}
