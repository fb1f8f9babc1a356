//! `hcpx wrap` with real processes: scripts that answer well, badly and with malice; and its drafts of real programs,
//! from what they printed.

#[path = "../../../hcp-wrap/tests/it/recorded.rs"]
mod recorded;

use crate::HCPX;
use hcp_core::policy::Confirm;
use hcp_lint::{Level, Surroundings};
use hcp_pack::PackFiles;
use hcp_testkit::{Answer, Who, World};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A script in a folder of its own, which only its owner may write.
fn script(world: &World, name: &str, body: &str) -> String {
    let folder = world.root().join("tools");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

fn read(world: &World, path: &str) -> String {
    std::fs::read_to_string(world.work().join(path)).unwrap()
}

/// A small well-behaved tool with two commands.
const SHOP: &str = r#"
case "$*" in
  --help) printf 'Keeps a shop\n\nUsage: shop COMMAND\n\nCommands:\n  list    List the wares\n  remove  Remove a ware\n' ;;
  "list --help") printf 'Usage: shop list [OPTION]...\n\n  -a, --all    hidden ones too\n      --sort=KEY  order by KEY\n' ;;
  "remove --help") printf 'Usage: shop remove [OPTION]... WARE\n\n  -f, --force  do not ask\n' ;;
  *) echo "ran $*" >> "$HOME/ran" ;;
esac"#;

#[test]
fn a_draft_is_written_installed_and_asks() {
    let world = World::new(HCPX);
    let shop = script(&world, "shop", SHOP);
    let answer = world.person(&["wrap", &shop]).with_code("ok");
    assert_eq!(answer.text("id"), "shop");
    assert_eq!(answer.value("commands").to_string(), "2");
    assert!(
        read(&world, "shop/WRAP.md").contains("| `shop.remove` | write, asks, cannot be undone |")
    );
    assert!(!world.root().join("user/ran").exists());
    world.person(&["install", "./shop"]).expect_code("ok");
    world
        .agent(&["exec", "shop", "remove", "--", "ware=tea"])
        .expect_code("confirm_required");
    let log = world.person(&["audit", "--limit", "50"]).stdout;
    assert!(log.contains("\"act\":\"wrap\""), "{log}");
}

#[test]
fn drafts_of_real_programs_pass_the_check_and_every_question_has_its_preview() {
    let mut seen = 0;
    for entry in std::fs::read_dir(recorded::DATA).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let program = name.strip_suffix(".txt").unwrap();
        let (bare, _) = recorded::draft(program);
        let draft = bare.with_previews(&hcp_lint::suggest_preview).unwrap();
        let pack = draft.read().unwrap();
        for command in pack.commands.values() {
            let asks = command.policy.confirm != Confirm::Never;
            let previewed = command.preview.is_some();
            assert_eq!(previewed, asks, "{program}.{}", command.name);
        }
        let checked = hcp_lint::check(&files(&draft), &Surroundings::default());
        let wrong: Vec<_> = checked
            .findings
            .iter()
            .filter(|f| f.level == Level::Error || f.code == "M025" || f.code == "M024")
            .collect();
        assert!(wrong.is_empty(), "{program}: {wrong:#?}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

fn files(draft: &hcp_wrap::Draft) -> PackFiles {
    let mut files = PackFiles::default();
    for (name, text) in draft.files() {
        match name {
            "pack.json" => files.pack = text.into_bytes(),
            "surface.json" => files.surface = text.into_bytes(),
            "policy.json" => files.policy = text.into_bytes(),
            "SKILL.md" => files.skill = Some(text.into_bytes()),
            "WRAP.md" => {}
            other => panic!("{other}"),
        }
    }
    files
}

#[test]
fn an_update_keeps_what_a_person_changed() {
    let world = World::new(HCPX);
    let shop = script(&world, "shop", SHOP);
    world.person(&["wrap", &shop]).expect_code("ok");
    world.person(&["wrap", &shop]).expect_code("usage");
    let path = world.work().join("shop/policy.json");
    let judged = read(&world, "shop/policy.json").replace("\"ask\"", "\"always\"");
    std::fs::write(&path, &judged).unwrap();
    let preview = r#""preview": { "kind": "removal", "title": "Remove"#;
    let surface = read(&world, "shop/surface.json");
    assert!(surface.contains(preview), "{surface}");
    script(
        &world,
        "shop",
        &SHOP
            .replace("do not ask", "never ask")
            .replace(
                "  remove  Remove a ware",
                "  remove  Remove a ware\\n  add  Add a ware",
            )
            .replace(
                "\"list --help\"",
                "\"add --help\") printf 'Usage: shop add WARE\\n' ;;\n  \"list --help\"",
            ),
    );
    let answer = world.person(&["wrap", &shop, "--update"]).with_code("ok");
    assert_eq!(answer.value("added").to_string(), "[\"add\"]");
    assert_eq!(answer.value("changed").to_string(), "[\"remove\"]");
    // An entry that is written anew has its preview anew, and a new one has its own; a person's stays.
    let surface = read(&world, "shop/surface.json");
    assert!(
        surface.contains(preview) && surface.contains("never ask"),
        "{surface}"
    );
    assert_eq!(surface.matches("\"preview\"").count(), 2, "{surface}");
    let mine = surface.replace(
        preview,
        r#""preview": { "kind": "removal", "title": "Throw away"#,
    );
    std::fs::write(world.work().join("shop/surface.json"), &mine).unwrap();
    let again = world.person(&["wrap", &shop, "--update"]).with_code("ok");
    assert_eq!(again.value("changed").to_string(), "[]");
    assert_eq!(read(&world, "shop/surface.json"), mine);
    let policy = read(&world, "shop/policy.json");
    assert!(
        policy.contains(
            "\"remove\": { \"operation\": \"write\", \"confirm\": \"always\", \"undo\": \"no\" }"
        ),
        "{policy}"
    );
    world.person(&["install", "./shop"]).expect_code("ok");
}

#[test]
fn an_agent_may_draft_and_nobody_drafts_into_the_store() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let shop = script(&world, "shop", SHOP);
    world.agent(&["wrap", &shop]).expect_code("ok");
    let packs = world.store().join("packs/shop");
    for who in [Who::Person, Who::Agent] {
        for out in [
            packs.clone(),
            world.work().join(".hcp/x"),
            PathBuf::from("/etc/hcp/x"),
        ] {
            let words = ["wrap", &shop, "--out", out.to_str().unwrap()];
            let output = world.command(who).args(words).output().unwrap();
            Answer::of(&words, output).expect_code("store_protected");
            assert!(!out.exists());
        }
    }
}

/// What a hostile program does, and the code that it ends in.
const HOSTILE: &[(&str, &str, &str)] = &[
    (
        "endless",
        "while :; do echo 'Usage: x [OPTION]... FILE'; done",
        "timeout",
    ),
    ("silent", "sleep 600", "timeout"),
    (
        "deaf",
        "trap '' TERM HUP INT; while :; do sleep 1; done",
        "timeout",
    ),
    ("reads", "read line; echo \"$line\"", "pack_invalid"),
    ("nothing", ":", "pack_invalid"),
    (
        "long",
        "head -c 10000000 /dev/zero | tr '\\0' 'x'",
        "pack_invalid",
    ),
    (
        "forks",
        "(sleep 600 & sleep 600 &) ; echo 'Usage: forks [OPTION]... FILE'; echo; echo '  -x, --ex  x'",
        "ok",
    ),
    (
        "escapes",
        "printf 'Usage: e [OPTION]... FILE\\n\\n  -x, --ex  \\033[2J\\033]0;t\\007\\342\\200\\256 text\\n'",
        "ok",
    ),
    (
        "forges",
        "printf 'Usage: f COMMAND\\n\\nCommands:\\n  --all   x\\n  $(id)   x\\n  ../../x  x\\n  a;b   x\\n'",
        "ok",
    ),
    (
        "rows",
        "echo 'Usage: r [OPTION]... FILE'; echo; i=0; while [ $i -lt 20000 ]; do echo \"  --opt$i=FILE   text\"; i=$((i+1)); done",
        "ok",
    ),
];

#[test]
fn a_hostile_program_is_bounded_and_harmless() {
    let world = World::new(HCPX);
    std::thread::scope(|scope| {
        for (name, body, code) in HOSTILE {
            let world = &world;
            scope.spawn(move || meets(world, name, body, code));
        }
    });
    // Nothing of a program stays when it was asked for its help.
    let home = world.root().join("user").to_string_lossy().into_owned();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let file = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
        let words = String::from_utf8_lossy(&file("cmdline")).replace('\0', " ");
        let ours = String::from_utf8_lossy(&file("environ")).contains(&home);
        assert!(
            !(ours && words.starts_with("sleep 600")),
            "{:?}",
            entry.path()
        );
    }
}

/// Wraps a hostile program: it ends in time with this code, and nothing of it shows or is taken for a look.
fn meets(world: &World, name: &str, body: &str, code: &str) {
    let path = script(world, name, body);
    let start = Instant::now();
    let answer = world.person(&["wrap", &path]).with_code(code);
    assert!(start.elapsed() < Duration::from_secs(40), "{name}");
    let shown = format!("{}{}", answer.stdout, answer.stderr);
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{name}");
    if code != "ok" {
        assert!(!world.work().join(name).exists(), "{name}");
        assert!(!answer.text("hint").is_empty(), "{name}");
        return;
    }
    for file in ["surface.json", "WRAP.md", "SKILL.md"] {
        let text = read(world, &format!("{name}/{file}"));
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{name}");
    }
    assert_eq!(answer.value("reads").to_string(), "0", "{name}");
    assert_eq!(answer.value("writes").to_string(), "0", "{name}");
    world
        .person(&["install", &format!("./{name}")])
        .expect_code("ok");
}

#[test]
fn a_program_gets_no_terminal_no_input_and_an_empty_folder() {
    let world = World::new(HCPX);
    let seen = world.root().join("seen");
    let body = format!(
        "{{ pwd; ls -A | wc -l; if read x; then echo input; fi; if (: < /dev/tty) 2>/dev/null; then echo tty; fi; echo \"$*\"; }} > {}\n\
         printf 'Usage: x [OPTION]... FILE\\n\\n  -q, --quiet  say nothing\\n'",
        seen.display()
    );
    let path = script(&world, "x", &body);
    world.person(&["wrap", &path]).expect_code("ok");
    let lines: Vec<String> = std::fs::read_to_string(&seen)
        .unwrap()
        .lines()
        .map(|l| l.trim().to_owned())
        .collect();
    assert!(lines[0].contains("hcpx-wrap-"), "{lines:?}");
    assert_eq!(lines[1..], ["0", "--help"]);
    assert!(!PathBuf::from(&lines[0]).exists());
}

#[test]
fn words_that_cannot_be_meant_are_refused() {
    let world = World::new(HCPX);
    world
        .person(&["wrap", "no-such-program-here"])
        .expect_code("spawn_failed");
    world.person(&["wrap", "..."]).expect_code("usage");
    world.person(&["wrap", "./x"]).expect_code("spawn_failed");
    world
        .person(&["wrap", "cat", "--depth", "0"])
        .expect_code("usage");
    world
        .person(&["wrap", "cat", "--update"])
        .expect_code("usage");
}
