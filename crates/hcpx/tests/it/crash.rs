//! `kill -9` between any two steps: never a second run for one yes, never a run without its line, and
//! log, store and settings stay usable.

use crate::HCPX;
use crate::recorded::{json, log_path, payments, verified, word};
use hcp_core::json::Value;
use hcp_testkit::{Who, World};
use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Whether system calls can be traced here.
fn traces() -> bool {
    Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// A system call of the program: its name, and how often that name came before.
#[derive(Debug, Clone)]
struct Step {
    name: String,
    nth: usize,
}

/// The system calls that the program's first thread makes with these words, from the first one on that
/// names `from`.
fn steps(world: &World, who: Who, words: &[&str], from: &str) -> Vec<Step> {
    let out = world.root().join("trace");
    let status = traced(world, who, &["-o", out.to_str().unwrap()], words);
    assert_eq!(status.code(), Some(0), "{words:?}");
    let mut seen: HashMap<String, usize> = HashMap::new();
    let (mut steps, mut begun) = (Vec::new(), false);
    for line in std::fs::read_to_string(out).unwrap().lines() {
        let Some((name, _)) = line.split_once('(') else {
            continue;
        };
        let nth = seen.entry(name.to_owned()).or_default();
        *nth += 1;
        begun |= line.contains(from);
        if begun {
            steps.push(Step {
                name: name.to_owned(),
                nth: *nth,
            });
        }
    }
    steps
}

fn traced(world: &World, who: Who, options: &[&str], words: &[&str]) -> ExitStatus {
    let plain = world.command(who);
    Command::new("strace")
        .args(options)
        .arg("--")
        .arg(HCPX)
        .args(words)
        .env_clear()
        .envs(plain.get_envs().filter_map(|(n, v)| v.map(|v| (n, v))))
        .current_dir(world.work())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap()
}

/// Runs the program and kills it as it enters this system call. Whether it was killed.
fn killed_at(world: &World, who: Who, words: &[&str], step: &Step) -> bool {
    let inject = format!("inject={}:signal=KILL:when={}", step.name, step.nth);
    let status = traced(
        world,
        who,
        &["-qq", "-o", "/dev/null", "-e", &inject],
        words,
    );
    status.signal() == Some(9)
}

/// Runs the program and kills it after so long.
fn killed_after(world: &World, who: Who, words: &[&str], after: Duration) {
    let mut child = world
        .command(who)
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The tool goes on when the program that started it is killed: waits until no process of this world is
/// left. A child that has not become the tool yet has only the environment to be known by.
fn until_quiet(world: &World) {
    let root = world.root().to_str().unwrap();
    for _ in 0..5_000 {
        let busy = std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(Result::ok)
            .filter_map(|entry| std::fs::read(entry.path().join("environ")).ok())
            .any(|variables| String::from_utf8_lossy(&variables).contains(root));
        if !busy {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("a tool never ends");
}

/// An approved payment that is about to run.
struct Yes {
    id: String,
    memo: String,
}

fn pay(memo: &str) -> [String; 7] {
    [
        "exec".into(),
        "ledger".into(),
        "transfer".into(),
        "--".into(),
        "amount=0.01".into(),
        "payee=demo-transit".into(),
        format!("memo={memo}"),
    ]
}

fn as_words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

impl Yes {
    fn get(world: &World, memo: String) -> Self {
        let words = pay(&memo);
        let asked = world.agent(&as_words(&words));
        let id = asked.with_code("confirm_required").text("approval_id");
        world.person(&["approve", &id]).expect_code("ok");
        Self { id, memo }
    }
}

/// What must hold when a run of `yes` was killed.
fn stands(world: &World, yes: &Yes, why: &str) {
    until_quiet(world);
    let paid = |world: &World| payments(world).iter().filter(|m| **m == yes.memo).count();
    let first = paid(world);
    assert!(first <= 1, "{why}: {first} runs for one yes");
    let said = told_runs(world).get(&yes.id).copied().unwrap_or_default();
    assert!(said <= 1, "{why}: {said} runs for one yes by the log");
    assert!(first <= said, "{why}: it paid, and the log does not say so");
    // The store is usable: the same call either takes its yes, or asks anew.
    let words = pay(&yes.memo);
    let again = world.agent(&as_words(&words));
    match again.code().as_str() {
        // The yes was not taken, so nothing had run.
        "ok" => {
            assert_eq!(
                (first, said),
                (0, 0),
                "{why}: it ran, and its yes was still there"
            );
            assert_eq!(again.text("by.approval_id"), yes.id, "{why}");
        }
        "confirm_required" => {
            assert_eq!(paid(world), first, "{why}");
            let id = again.text("approval_id");
            assert_ne!(id, yes.id, "{why}");
            world.agent(&["exec", "--confirm", &id]).expect_code("ok");
        }
        other => panic!("{why}: {other}: {}", again.stdout),
    }
    assert_eq!(paid(world), first + 1, "{why}: a yes that stands runs once");
}

/// How many runs the log tells of, by approval. A torn line is no line.
fn told_runs(world: &World) -> HashMap<String, usize> {
    let text = std::fs::read(log_path(world)).unwrap();
    let mut runs: HashMap<String, usize> = HashMap::new();
    for line in String::from_utf8_lossy(&text).lines() {
        if line.contains("\"ran\":true") && line.ends_with('}') {
            let id = word(&json(line), "by.approval_id").to_owned();
            *runs.entry(id).or_default() += 1;
        }
    }
    runs
}

/// How many worlds are killed in at once.
const LANES: usize = 4;

/// Kills a run of an approved payment in each of so many ways, and looks after each.
fn kill_runs(ways: usize, kill: impl Fn(&World, &[&str], usize) -> String + Sync) {
    std::thread::scope(|scope| {
        for lane in 0..LANES {
            let kill = &kill;
            scope.spawn(move || {
                let world = World::with_packs(HCPX, &["ledger"]);
                for way in (lane..ways).step_by(LANES) {
                    let yes = Yes::get(&world, format!("run-{way}"));
                    let words = pay(&yes.memo);
                    let why = kill(&world, &as_words(&words), way);
                    stands(&world, &yes, &why);
                }
                // A line that was torn is closed off and recorded by the next.
                verified(&world);
            });
        }
    });
}

#[test]
fn a_run_killed_at_any_moment_is_recorded_and_never_doubled() {
    kill_runs(120, |world, words, way| {
        // Spread over the time of a run, in an order that is the same each time.
        let after = Duration::from_micros((way as u64 * 7_919) % 20_000);
        killed_after(world, Who::Agent, words, after);
        format!("killed after {after:?}")
    });
}

#[test]
fn a_run_killed_between_any_two_steps_is_recorded_and_never_doubled() {
    if !traces() {
        println!("skipped: system calls cannot be traced here");
        return;
    }
    let world = World::with_packs(HCPX, &["ledger"]);
    let yes = Yes::get(&world, "count".to_owned());
    let words = pay(&yes.memo);
    let steps = steps(&world, Who::Agent, &as_words(&words), "audit.jsonl");
    assert!((100..400).contains(&steps.len()), "{}", steps.len());
    // Every other call is enough: most only read.
    let steps: Vec<Step> = steps.into_iter().step_by(2).collect();
    let killed = AtomicUsize::new(0);
    kill_runs(steps.len(), |world, words, way| {
        if killed_at(world, Who::Agent, words, &steps[way]) {
            killed.fetch_add(1, Ordering::Relaxed);
        }
        format!("killed at {:?}", steps[way])
    });
    let killed = killed.into_inner();
    assert!(
        killed * 10 > steps.len() * 9,
        "{killed} of {} were killed",
        steps.len()
    );
}

/// The notes of all rules in the person's settings, which must be whole.
fn rule_notes(world: &World) -> Vec<String> {
    let Ok(text) = std::fs::read_to_string(world.store().join("access.json")) else {
        return Vec::new();
    };
    let settings = json(&text);
    let rules = settings.get("rules").and_then(Value::as_array).unwrap();
    rules
        .iter()
        .map(|rule| word(rule, "note").to_owned())
        .collect()
}

#[test]
fn a_killed_change_of_settings_leaves_the_old_ones_or_the_new_ones() {
    if !traces() {
        println!("skipped: system calls cannot be traced here");
        return;
    }
    let world = World::with_packs(HCPX, &["ledger"]);
    let allow = ["allow", "ledger.transfer", "--max", "amount=5", "--note"];
    let with = |note: &'static str| [&allow[..], &[note]].concat();
    let steps = steps(&world, Who::Person, &with("first"), "audit.jsonl");
    let mut landed = rule_notes(&world);
    assert_eq!(landed, ["first"]);
    let (mut killed, mut old, mut new) = (0, 0, 0);
    for (n, step) in steps.iter().enumerate().filter(|(n, _)| n % 2 == 0) {
        let note = format!("way-{n}");
        let words = [&allow[..], &[note.as_str()]].concat();
        killed += usize::from(killed_at(&world, Who::Person, &words, step));
        let now = rule_notes(&world);
        if now == landed {
            old += 1;
        } else {
            landed.push(note);
            assert_eq!(now, landed, "{step:?}");
            new += 1;
        }
        let access = world.agent(&["access", "--json"]);
        assert_eq!(access.exit, 0, "{step:?}: {}", access.stdout);
        // What stands is what the log tells of: its newest change led to these settings.
        let text = std::fs::read_to_string(log_path(&world)).unwrap();
        let told = text
            .lines()
            .filter(|l| l.contains("\"event\":\"settings\""))
            .count();
        assert!(told >= landed.len(), "{step:?}: a change without its line");
    }
    assert!(
        killed > 20 && old > 0 && new > 0,
        "{killed} killed, {old} old, {new} new"
    );
    world
        .person(&["allow", "ledger.transfer", "--note", "last"])
        .expect_code("ok");
    verified(&world);
}

#[test]
fn a_killed_install_leaves_a_pack_that_runs_or_none() {
    if !traces() {
        println!("skipped: system calls cannot be traced here");
        return;
    }
    let world = World::with_packs(HCPX, &["ledger"]);
    let install = ["install", "notes"];
    let steps = steps(&world, Who::Person, &install, "audit.jsonl");
    let stride = steps.len() / 60 + 1;
    let mut killed = 0;
    for step in steps.iter().step_by(stride) {
        if world.store().join("packs/notes").exists() {
            world.person(&["uninstall", "notes"]).expect_code("ok");
        }
        killed += usize::from(killed_at(&world, Who::Person, &install, step));
        let packs = world.person(&["packs", "--json"]);
        assert_eq!(packs.exit, 0, "{step:?}: {}", packs.stdout);
        let list = world.agent(&["exec", "notes", "list"]);
        match list.code().as_str() {
            "ok" => {}
            "unknown_pack" => world.person(&install).expect_code("ok"),
            other => panic!("{step:?}: {other}: {}", list.stdout),
        }
        world.agent(&["exec", "notes", "list"]).expect_code("ok");
    }
    assert!(killed > 20, "{killed} of {} were killed", steps.len());
    verified(&world);
}
