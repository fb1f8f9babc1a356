//! `hcpx check`: what an author sees, what programs read, and what `--fix` may touch.

use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use insta::assert_snapshot;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const PACK: &str = r#"{ "id": "shop", "name": "Shop", "version": "1.0.0", "summary": "An example." }
"#;
const SURFACE: &str = r#"{
  "commands": {
    "transfer": {
      "description": "Pay a saved payee.",
      "cli": ["true", "transfer", "--amount={{amount}}", "--to={{payee}}"],
      "args": {
        "properties": {
          "amount": { "type": "string", "description": "Amount in EUR" },
          "payee": { "type": "string", "description": "Saved payee" }
        },
        "required": ["amount", "payee"]
      }
    }
  }
}
"#;
const POLICY: &str = r#"{
  "commands": {
    "transfer": { "operation": "write", "confirm": "ask" }
  }
}
"#;

/// A world whose working folder holds a pack in `shop`.
fn world(surface: &str, policy: &str) -> World {
    let world = World::new(HCPX);
    put(&world, "work/shop", surface, policy);
    world
}

fn put(world: &World, folder: &str, surface: &str, policy: &str) {
    world.write(&format!("{folder}/pack.json"), PACK);
    world.write(&format!("{folder}/surface.json"), surface);
    world.write(&format!("{folder}/policy.json"), policy);
}

fn read(world: &World, path: &str) -> String {
    fs::read_to_string(world.root().join(path)).unwrap()
}

/// The program in a folder of the world.
fn within(world: &World, folder: &str, words: &[&str]) -> Answer {
    let mut command = world.command(Who::Person);
    command.current_dir(world.root().join(folder)).args(words);
    Answer::of(words, command.output().unwrap())
}

fn parsed(answer: &Answer) -> serde_json::Value {
    serde_json::from_str(&answer.stdout).unwrap()
}

fn screen(answer: &Answer) -> String {
    format!(
        "$ hcpx {}\n{}{}--- exit {}\n",
        answer.words, answer.stdout, answer.stderr, answer.exit
    )
}

#[test]
fn an_author_sees_the_line_and_the_way_out() {
    let world = world(SURFACE, POLICY);
    assert_snapshot!("check", screen(&world.person(&["check", "--text", "shop"])));
    assert_snapshot!(
        "check_explain",
        screen(&world.person(&["check", "--explain", "p007", "--text"]))
    );
    assert_snapshot!(
        "check_fix",
        screen(&world.person(&["check", "--fix", "--text", "shop"]))
    );
    assert_snapshot!(
        "check_clean",
        screen(&world.person(&["check", "--strict", "--text", "shop"]))
    );
    let slips: Vec<String> = [
        &["check", "--explain", "P0007", "--text"][..],
        &["check", "--level", "P007=eror", "--text"],
        &["check", "--level", "P007", "--text"],
        &["check", "no-such-folder", "--text"],
        &["check", "legder", "--text"],
        &["check", "--fix", "ledger", "--text"],
    ]
    .iter()
    .map(|words| screen(&world.person(words)))
    .collect();
    assert_snapshot!("check_usage", slips.concat());
}

#[test]
fn a_pack_that_the_loader_refuses_is_shown_with_its_places() {
    let world = world(
        &SURFACE.replace("{{payee}}", "{{paye}}"),
        &POLICY.replace("\"ask\"", "\"ask\", \"role\": 1"),
    );
    assert_snapshot!(
        "check_refused",
        screen(&world.person(&["check", "--text", "shop"]))
    );
}

#[test]
fn unsafe_text_reaches_no_terminal() {
    let surface = SURFACE
        .replace("Pay a saved payee", "\u{202e}\u{200b}\u{7f}\u{e0041}")
        .replace("\"payee\"]", "\"payee\u{1b}[2J\"]");
    let told = world(&surface, POLICY);
    let surface = SURFACE.replace(
        "\"Saved payee\"",
        "\"\u{202e}\", \"x-\u{2066}\": \"\u{202e}日本\"",
    );
    let also = world(&surface, POLICY);
    for world in [told, also] {
        for words in [
            &["check", "--text", "--color", "never"][..],
            &["check"],
            &["check", "--format", "sarif"],
        ] {
            let shown = world.person(words).stdout;
            let bad = shown
                .chars()
                .find(|c| *c != '\n' && hcp_core::text::is_unsafe(*c));
            assert!(words.len() < 4 || bad.is_none(), "{bad:?} in {shown}");
            assert!(!shown.contains('\u{1b}'));
        }
    }
}

#[test]
fn programs_read_one_object_and_the_exit_code_says_what_failed() {
    let world = world(SURFACE, POLICY);
    let json = |words: &[&str]| world.person(words);
    let loose = json(&["check", "shop"]);
    assert_eq!((loose.exit, loose.text("code")), (0, "ok".to_owned()));
    let findings = &parsed(&loose)["findings"];
    let codes: Vec<&str> = findings
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|f| f["code"].as_str())
        .collect();
    assert_eq!(codes, ["M025", "P007"]);
    // The exact preview to paste, as JSON.
    assert_eq!(
        findings[0]["fix"]["sets"]["preview"],
        serde_json::json!({
            "kind": "payment",
            "title": "Pay {{amount}} to {{payee}}",
            "fields": { "amount": "{{amount}}", "to": "{{payee}}" }
        })
    );
    let finding = &findings[1];
    assert_eq!(finding["file"], "shop/policy.json");
    assert_eq!(
        (&finding["line"], &finding["column"]),
        (&3.into(), &52.into())
    );
    assert_eq!(
        (&finding["pack"], &finding["command"]),
        (&"shop".into(), &"transfer".into())
    );

    let strict = json(&["check", "--strict", "shop"]);
    assert_eq!(
        (strict.exit, parsed(&strict)["ok"].as_bool()),
        (1, Some(false))
    );
    let raised = json(&["check", "--level", "P007=error", "shop"]);
    assert_eq!(
        (raised.exit, parsed(&raised)["errors"].as_u64()),
        (1, Some(1))
    );
    let off = json(&[
        "check",
        "--strict",
        "--level",
        "P007=off",
        "--level",
        "m025=note",
        "shop",
    ]);
    assert_eq!((off.exit, parsed(&off)["notes"].as_u64()), (0, Some(1)));
    assert_eq!(json(&["check", "--explain", "M024"]).text("lint"), "M024");
    json(&["check", "--explain", "X1"]).expect_code("usage");

    let sarif = parsed(&json(&["check", "--format", "sarif", "shop"]));
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][1]["ruleId"], "P007");
}

#[test]
fn the_folder_at_hand_is_a_pack_or_holds_some() {
    let world = world(SURFACE, POLICY);
    put(&world, "work/more/deep/other", SURFACE, POLICY);
    put(&world, "work/.hidden/pack", SURFACE, POLICY);
    put(&world, "work/node_modules/pack", SURFACE, POLICY);
    world.write("work/schemas/pack.json", r#"{ "properties": {} }"#);
    world.write("work/schemas/surface.json", "{}");
    world.write("work/schemas/policy.json", "{}");
    symlink(
        world.root().join("work/shop"),
        world.root().join("work/linked"),
    )
    .unwrap();
    let folders = |answer: Answer| -> Vec<String> {
        let packs = &parsed(&answer)["packs"];
        packs
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["folder"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        folders(within(&world, "work", &["check"])),
        ["more/deep/other", "shop"]
    );
    assert_eq!(folders(within(&world, "work/shop", &["check"])), [""]);
    assert_eq!(
        folders(within(&world, "work", &["check", "shop/policy.json"])),
        ["shop"]
    );
    fs::create_dir(world.root().join("work/none")).unwrap();
    within(&world, "work/none", &["check"]).expect_code("usage");
    let told = parsed(&within(&world, "work/shop", &["check"]));
    assert_eq!(told["findings"][0]["file"], "surface.json");
}

#[test]
fn mending_changes_what_it_says_and_nothing_else() {
    let world = world(SURFACE, POLICY);
    let policy = world.root().join("work/shop/policy.json");
    fs::set_permissions(&policy, fs::Permissions::from_mode(0o640)).unwrap();
    let mended = world.person(&["check", "--fix", "--strict", "shop"]);
    assert_eq!(mended.exit, 0, "{}", mended.stdout);
    assert_eq!(mended.value("mended").as_array().unwrap().len(), 2);
    assert_eq!(
        read(&world, "work/shop/policy.json"),
        POLICY.replace("\"ask\"", "\"always\"")
    );
    let surface = read(&world, "work/shop/surface.json");
    let kept: Vec<&str> = surface
        .lines()
        .filter(|line| SURFACE.lines().any(|old| old == *line))
        .collect();
    assert!(kept.len() >= SURFACE.lines().count() - 1);
    assert_eq!(
        fs::metadata(&policy).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert_eq!(read(&world, "work/shop/pack.json"), PACK);

    let times = |name: &str| {
        fs::metadata(world.root().join("work/shop").join(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = (times("surface.json"), times("policy.json"));
    let again = world.person(&["check", "--fix", "shop"]);
    assert!(again.value("mended").as_array().unwrap().is_empty());
    assert_eq!((times("surface.json"), times("policy.json")), before);
    assert_eq!(
        fs::read_dir(world.root().join("work/shop"))
            .unwrap()
            .count(),
        3
    );
}

#[test]
fn mending_stays_out_of_the_store_and_follows_no_link() {
    let world = world(SURFACE, POLICY);
    world.person(&["install", "shop"]).expect_code("ok");
    let copy = world.store().join("packs/shop");
    let untouched =
        |folder: &Path| fs::read_to_string(folder.join("policy.json")).unwrap() == POLICY;
    for who in [Who::Person, Who::Agent] {
        let mut command = world.command(who);
        command.args(["check", "--fix"]).arg(&copy);
        Answer::of(&["check"], command.output().unwrap()).expect_code("store_protected");
        let mut command = world.command(who);
        command.current_dir(&copy).args(["check", "--fix"]);
        Answer::of(&["check"], command.output().unwrap()).expect_code("store_protected");
    }
    assert!(untouched(&copy));

    // A pack with nothing to mend is refused there too.
    let clean = World::with_packs(HCPX, &["ledger"]);
    let installed = clean.store().join("packs/ledger").display().to_string();
    clean
        .person(&["check", "--fix", &installed])
        .expect_code("store_protected");

    // A link to a folder, a link in the way, and a file that is a link.
    let shop = world.root().join("work/shop");
    symlink(&copy, world.root().join("work/store")).unwrap();
    world
        .person(&["check", "--fix", "store"])
        .expect_code("usage");
    world
        .person(&["check", "--fix", "store/"])
        .expect_code("store_protected");
    symlink(world.store().join("packs"), world.root().join("work/packs")).unwrap();
    world
        .person(&["check", "--fix", "packs/shop"])
        .expect_code("store_protected");
    let elsewhere = world.root().join("elsewhere.json");
    fs::rename(shop.join("policy.json"), &elsewhere).unwrap();
    symlink(&elsewhere, shop.join("policy.json")).unwrap();
    world
        .person(&["check", "--fix", "shop"])
        .expect_code("pack_invalid");
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), POLICY);
    assert!(untouched(&copy));
}

#[test]
fn an_install_is_refused_for_errors_of_family_m_alone() {
    // P007 and M025, both warnings, refuse nothing.
    let world = world(SURFACE, POLICY);
    world.person(&["install", "shop"]).expect_code("ok");
    let script = r#"["sh", "-c", "pay {{amount}} {{payee}}"]"#;
    let surface = SURFACE.replace(
        r#"["true", "transfer", "--amount={{amount}}", "--to={{payee}}"]"#,
        script,
    );
    put(&world, "work/other", &surface, POLICY);
    let refused = world.person(&["install", "--replace", "other"]);
    refused.expect_code("pack_invalid");
    assert_eq!(refused.exit, 6);
    assert!(refused.stdout.contains("M005"), "{}", refused.stdout);
    assert_eq!(world.person(&["check", "other"]).exit, 1);
}

#[test]
fn a_pack_is_checked_by_its_id() {
    let world = world(SURFACE, POLICY);
    let files = |answer: &Answer| -> Vec<String> {
        let found = parsed(answer)["findings"].as_array().unwrap().clone();
        found
            .iter()
            .map(|f| f["file"].as_str().unwrap().to_owned())
            .collect()
    };
    let elsewhere = |words: &[&str]| within(&world, "user", words);
    // The word is a folder before it is an id, and an installed pack before it is a bundled one.
    world.person(&["install", "./shop"]).expect_code("ok");
    let copy = world.store().join("packs/shop").display().to_string();
    for (folder, wanted) in [("work", "shop"), ("user", copy.as_str())] {
        let answer = within(&world, folder, &["check", "shop"]).with_code("ok");
        let found = files(&answer);
        assert!(
            !found.is_empty() && found.iter().all(|f| f.starts_with(wanted)),
            "{found:?}"
        );
    }
    put(
        &world,
        "bundled/git",
        &SURFACE.replace("transfer", "pay"),
        &POLICY.replace("transfer", "pay"),
    );
    let named = PACK.replace("\"shop\"", "\"git\"");
    world.write("bundled/git/pack.json", &named);
    let link = world.root().join("bundled/git").display().to_string();
    world
        .person(&["install", "--link", &link])
        .expect_code("ok");
    let found = files(&elsewhere(&["check", "git"]).with_code("ok"));
    assert!(
        !found.is_empty() && found.iter().all(|f| f.starts_with(&link)),
        "{found:?}"
    );
    // What a person installed changes by its own commands; what is linked is the author's.
    elsewhere(&["check", "--fix", "shop"]).expect_code("store_protected");
    elsewhere(&["check", "--fix", "git"]).expect_code("ok");
    assert!(read(&world, "bundled/git/surface.json").contains("\"preview\""));
    // A pack that was changed behind the lock is checked as it stands.
    fs::write(
        world.store().join("packs/shop/policy.json"),
        "{ \"commands\": {} }",
    )
    .unwrap();
    assert_eq!(elsewhere(&["check", "shop"]).code(), "command_failed");
    elsewhere(&["check", "ledger", "--strict"]).expect_code("ok");
    elsewhere(&["check", "no/such"]).expect_code("usage");
}

#[test]
fn the_bundled_packs_are_clean_under_strict() {
    let world = World::new(HCPX);
    let answer = world.person(&[
        "check", "--strict", "gh", "git", "ledger", "notes", "transit",
    ]);
    assert_eq!(
        (answer.exit, parsed(&answer)["errors"].as_u64()),
        (0, Some(0)),
        "{}",
        answer.stdout
    );
}
