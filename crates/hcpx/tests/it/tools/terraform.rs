//! The pack `terraform` on a folder with a local state and the built-in provider: nothing is fetched.

use super::tool;
use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use std::path::Path;
use std::process::Command;

const CONFIGURATION: &str = r#"
variable "colour" { default = "red" }
resource "terraform_data" "one" { input = var.colour }
output "colour" { value = terraform_data.one.output }
output "password" {
  value     = "hunter2"
  sensitive = true
}
"#;

/// Commands that the program has only since a later version than the oldest tested one.
const NEWER_COMMANDS: &[&str] = &["query", "stacks", "state_identities"];

/// Options that the program has only since a later version than the oldest tested one: 1.14 brought both.
const NEWER_OPTIONS: &[&str] = &["-invoke", "-query"];

fn world() -> Option<World> {
    tool("terraform")?;
    let world = World::with_packs(HCPX, &["terraform"]);
    world.write("work/main.tf", CONFIGURATION);
    Some(world)
}

fn run(world: &World, who: Who, mode: &str, words: &[&str]) -> Answer {
    let mut command = world.command(who);
    command.env("CHECKPOINT_DISABLE", "1").env("HCP_MODE", mode);
    Answer::of(words, command.args(words).output().unwrap())
}

fn exec(world: &World, command: &str, args: &[&str]) -> Answer {
    let words = [&["exec", "terraform", command, "--"], args].concat();
    run(world, Who::Agent, "auto", &words)
}

/// Asks, gets a person's yes, and runs.
fn approved(world: &World, command: &str, args: &[&str]) -> Answer {
    let asked = exec(world, command, args).with_code("confirm_required");
    let id = asked.text("approval_id");
    world.person(&["approve", &id]).expect_code("ok");
    exec(world, command, args).with_code("ok")
}

/// What the real program says of the state, without hcpx.
fn state(world: &World) -> String {
    let mut command = Command::new("terraform");
    command.args(["state", "list"]).current_dir(world.work());
    let output = command.env("CHECKPOINT_DISABLE", "1").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_plan_is_seen_and_applied_after_a_yes() {
    let Some(world) = world() else { return };
    exec(&world, "init", &["input=false"]).expect_code("ok");
    exec(&world, "validate", &[]).expect_code("ok");
    let plan = exec(&world, "plan", &["out=tfplan", "input=false"]).with_code("ok");
    assert!(plan.text("stdout").contains("1 to add"), "{}", plan.stdout);
    let apply = &["plan=tfplan", "input=false"];
    let asked = exec(&world, "apply", apply).with_code("confirm_required");
    assert_eq!(asked.text("access.reason_code"), "confirm_always");
    assert_eq!(state(&world), "");
    approved(&world, "apply", apply);
    assert_eq!(state(&world), "terraform_data.one\n");
    // One yes, one run; and the yes was for the content of that plan.
    exec(&world, "plan", &["out=tfplan", "destroy=true"]).expect_code("ok");
    exec(&world, "apply", apply).expect_code("confirm_required");
    let outputs = exec(&world, "output", &[]).with_code("ok").text("stdout");
    assert!(
        outputs.contains("\"red\"") && !outputs.contains("hunter2"),
        "{outputs}"
    );
    exec(&world, "output_json", &[]).expect_code("confirm_required");
    exec(&world, "state_list", &[]).expect_code("ok");
}

#[test]
fn what_nobody_has_seen_or_what_destroys_asks_in_every_mode() {
    let Some(world) = world() else { return };
    exec(&world, "init", &["input=false"]).expect_code("ok");
    exec(&world, "plan", &["out=tfplan"]).expect_code("ok");
    approved(&world, "apply", &["plan=tfplan"]);
    assert_eq!(state(&world), "terraform_data.one\n");
    // What is said of a plan does not stand in its name: this one destroys, and is applied without a word.
    exec(&world, "plan", &["out=tfplan", "destroy=true"]).expect_code("ok");
    let unattended = |command: &str, args: &[&str]| {
        let words = [&["exec", "terraform", command, "--"], args].concat();
        run(&world, Who::Person, "run", &words)
    };
    for (command, args) in [
        ("apply", &["auto_approve=true"][..]),
        ("apply", &["plan=tfplan"]),
        ("destroy", &["auto_approve=true"]),
        ("apply_destroy", &["auto_approve=true"]),
        ("state_rm", &["addresses=terraform_data.one"]),
        ("workspace_delete", &["name=staging"]),
    ] {
        let asked = unattended(command, args).with_code("confirm_required");
        assert_eq!(asked.text("access.reason_code"), "confirm_always");
    }
    assert_eq!(state(&world), "terraform_data.one\n");
    approved(&world, "destroy", &["auto_approve=true"]);
    assert_eq!(state(&world), "");
}

/// The words with which the program is told every option of a command, and last one that it cannot know.
fn all_options(command: &hcp_pack::Command) -> Vec<String> {
    let mut words: Vec<String> = command.own_words.iter().skip(1).cloned().collect();
    let options = command.cli().iter().skip(command.own_words.len());
    for template in options.take_while(|word| word.literal() != Some("--")) {
        let argument = template.names().next().and_then(|n| command.argument(n));
        match argument {
            None => words.extend(template.spellings().map(str::to_owned)),
            Some(argument) if template.prefix().starts_with('-') => {
                let kind = argument.kind.as_deref();
                let value = match (kind, template.prefix()) {
                    (Some("boolean"), _) => "true",
                    (Some("integer"), _) => "1",
                    (_, "-lock-timeout=") => "1s",
                    (_, "-var=") => "a=b",
                    _ => "x",
                };
                words.push(format!("{}{value}", template.prefix()));
            }
            Some(_) => {}
        }
    }
    words.retain(|word| !NEWER_OPTIONS.contains(&word.split('=').next().unwrap()));
    words.push("-hcpx-unknown".to_owned());
    words
}

/// The program reads its options before it does anything, and names the first that it does not know.
#[test]
fn the_program_knows_every_option_that_the_pack_writes() {
    if tool("terraform").is_none() {
        return;
    }
    let world = World::new(HCPX);
    let pack = hcp::bundled_pack("terraform").unwrap();
    for command in pack.commands.values() {
        let name = command.name.as_str();
        // These say only how they are used, or take no option.
        let silent = ["other", "import", "login", "logout"].contains(&name);
        if silent || NEWER_COMMANDS.contains(&name) {
            continue;
        }
        let said = terraform(&world.work(), &all_options(command));
        let unknown: Vec<&str> = said
            .split("flag provided but not defined: ")
            .skip(1)
            .map(|rest| {
                rest.split(|c: char| c != '-' && !c.is_alphanumeric())
                    .next()
                    .unwrap()
            })
            .collect();
        assert_eq!(unknown, ["-hcpx-unknown"], "{name}: {said}");
    }
}

#[test]
fn the_program_has_every_command_of_the_pack() {
    if tool("terraform").is_none() {
        return;
    }
    let world = World::new(HCPX);
    let pack = hcp::bundled_pack("terraform").unwrap();
    let help = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        terraform(&world.work(), &[words, vec!["-help".to_owned()]].concat())
    };
    let (top, state, workspace) = (help(&[]), help(&["state"]), help(&["workspace"]));
    for command in pack.commands.values() {
        let name = command.name.as_str();
        let own: Vec<&str> = command.own_words.iter().map(String::as_str).collect();
        let (list, word) = match own.as_slice() {
            [_] => continue,
            _ if NEWER_COMMANDS.contains(&name) => continue,
            [_, "state", word] => (&state, *word),
            // `env` is the old name of `workspace`, which no help lists any more.
            [_, "workspace" | "env", word] => (&workspace, *word),
            [_, word, ..] => (&top, *word),
            [] => panic!("{name} has no words"),
        };
        let listed = list
            .lines()
            .any(|line| line.split_whitespace().next() == Some(word));
        assert!(listed, "{name}");
    }
}

fn terraform(folder: &Path, words: &[String]) -> String {
    let mut command = Command::new("terraform");
    command.args(words).current_dir(folder);
    command
        .env("CHECKPOINT_DISABLE", "1")
        .env_remove("TF_CLI_CONFIG_FILE");
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap()
}
