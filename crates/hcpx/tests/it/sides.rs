//! An agent and the access commands: each command stands on one side, and no way round is open.

use crate::HCPX;
use crate::bad_input::store_of;
use hcp_testkit::{Answer, Who, World};
use std::process::Command;

include!("sides/rows.rs");

/// A store in which there is something to change.
fn world() -> World {
    let world = World::with_packs(HCPX, &["ledger", "notes"]);
    world.person(&["mode", "auto"]).expect_code("ok");
    world.person(&["deny", "notes.delete"]).expect_code("ok");
    world.person(&["exec", "notes", "list"]).expect_code("ok");
    world
        .person(&["exec", "ledger", "balance"])
        .expect_code("ok");
    world
        .agent(&[
            "exec",
            "ledger",
            "transfer",
            "--",
            "amount=3",
            "payee=demo-transit",
        ])
        .expect_code("confirm_required");
    world.write("work/settings.json", "{}");
    world.write("work/table.json", r#"{"layers":{},"cases":[]}"#);
    world
}

/// The acts of the `refused` lines of the log, oldest first.
fn refused(world: &World) -> Vec<String> {
    let log = world.person(&["audit", "--limit", "1000"]);
    let events = log.value("events");
    events
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e.get("event").and_then(|v| v.as_str()) == Some("refused"))
        .map(ToString::to_string)
        .collect()
}

#[test]
fn every_access_command_is_refused_inside_an_agent_and_changes_nothing() {
    let world = world();
    let before = store_of(&world);
    let mut count = refused(&world).len();
    for (path, words, _) in ROWS.iter().filter(|row| row.2) {
        let answer = world.agent(words);
        answer.expect_code("human_only");
        assert_eq!(answer.exit, 4);
        let message = answer.text("message");
        for part in [
            "HCP_AGENT in this process",
            "a terminal of your own",
            "Nothing changed",
            words[0],
        ] {
            assert!(message.contains(part), "{path}: {message}");
        }
        assert!(
            answer.text("hint").contains("person"),
            "{path}: {}",
            answer.stdout
        );
        assert_eq!(store_of(&world), before, "{path}");
        assert!(!world.work().join(".hcp").exists(), "{path}");
        let lines = refused(&world);
        count += 1;
        assert_eq!(lines.len(), count, "{path} leaves one line");
        let last = lines.last().unwrap();
        assert!(
            last.contains(words[0]) && last.contains("\"kind\":\"agent\""),
            "{path}: {last}"
        );
    }
    world.person(&["audit", "verify"]).expect_code("ok");
}

#[test]
fn whatever_only_shows_works_inside_an_agent() {
    let world = world();
    let before = store_of(&world);
    for (path, words, _) in ROWS.iter().filter(|row| !row.2) {
        let answer = world.agent(words);
        assert_eq!(answer.exit, 0, "{path}: {}{}", answer.stdout, answer.stderr);
        assert!(!answer.stdout.is_empty(), "{path}");
        assert_eq!(store_of(&world), before, "{path}");
    }
    let home = world.agent(&[]);
    assert_eq!(home.exit, 0, "{}", home.stderr);
    assert!(refused(&world).is_empty());
}

#[test]
fn a_person_passes_and_words_that_mean_no_agent_are_a_person() {
    let world = world();
    for value in ["", "0"] {
        let mut command = world.command(Who::Person);
        command.env("HCP_AGENT", value).args(["mode", "manual"]);
        Answer::of(&["mode", "manual"], command.output().unwrap()).expect_code("ok");
    }
    for value in ["1", "true", "no", "00", " "] {
        let mut command = world.command(Who::Person);
        command.env("HCP_AGENT", value).args(["mode", "run"]);
        Answer::of(&["mode", "run"], command.output().unwrap()).expect_code("human_only");
    }
    let shown = world.person(&["access"]);
    assert_eq!(shown.value("agent").to_string(), "false");
    assert!(
        shown
            .text("caller.looked")
            .contains("no agent's mark found"),
        "{}",
        shown.stdout
    );
    let shown = world.agent(&["access"]);
    assert_eq!(shown.value("agent").to_string(), "true");
    assert_eq!(shown.text("caller.marker"), "HCP_AGENT in this process");
    assert!(
        shown.text("caller.looked").contains("of its ancestors"),
        "{}",
        shown.stdout
    );
    let text = world.agent(&["--text", "access"]);
    assert!(text.stdout.contains("an agent"), "{}", text.stdout);
    let text = world.person(&["--text", "access"]);
    assert!(text.stdout.contains("a person"), "{}", text.stdout);
}

/// Runs a line in a shell that an agent started; `$H` is the program.
fn agents_shell(world: &World, line: &str) -> Answer {
    let outside = world.command(Who::Agent);
    let mut shell = Command::new("sh");
    shell.env_clear().current_dir(world.work()).env("H", HCPX);
    for (name, value) in outside.get_envs() {
        shell.env(name, value.unwrap());
    }
    // A second command keeps the shell from becoming the first.
    let line = format!("{line}; code=$?; exit $code");
    Answer::of(&[&line], shell.args(["-c", &line]).output().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn a_variable_taken_out_below_an_agents_shell_is_still_there() {
    let world = world();
    let before = store_of(&world);
    for line in [
        "env -u HCP_AGENT \"$H\" mode run",
        "HCP_AGENT= \"$H\" mode run",
        "HCP_AGENT=0 \"$H\" mode run",
        "unset HCP_AGENT; \"$H\" mode run",
        "env -u HCP_AGENT sh -c '\"$H\" mode run; exit $?'",
        "env -i HCP_HOME=\"$HCP_HOME\" \"$H\" mode run",
    ] {
        let answer = agents_shell(&world, line);
        answer.expect_code("human_only");
        let message = answer.text("message");
        assert!(
            message.contains("HCP_AGENT in ") && message.contains("pid "),
            "{line}: {message}"
        );
        assert_eq!(store_of(&world), before, "{line}");
    }
    assert_eq!(refused(&world).len(), 6);
    let shown = agents_shell(&world, "env -u HCP_AGENT \"$H\" access");
    assert_eq!(shown.value("agent").to_string(), "true");
    assert!(
        shown
            .text("caller.marker")
            .contains("HCP_AGENT in sh, pid "),
        "{}",
        shown.stdout
    );
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_cannot_bring_a_home_or_a_project_of_its_own() {
    let world = world();
    let own = world.root().join("own");
    world.write("own/access.json", r#"{"mode":"run"}"#);
    let own = own.display();
    let before = store_of(&world);
    for line in [
        format!("HCP_HOME='{own}' \"$H\" exec ledger balance"),
        format!("HCP_HOME='{own}' \"$H\" mode"),
        "env -u HCP_HOME \"$H\" exec ledger balance".to_owned(),
        format!("HCP_PROJECT='{own}' \"$H\" exec ledger balance"),
    ] {
        let answer = agents_shell(&world, &line);
        answer.expect_code("access_invalid");
        let message = answer.text("message");
        assert!(
            message.contains("is not what it is in sh, pid "),
            "{line}: {message}"
        );
        assert!(!answer.text("hint").is_empty());
    }
    // Each call is recorded where the agent was started.
    let log = world.person(&["audit", "--pack", "ledger", "--decision", "deny"]);
    assert_eq!(
        log.value("events").as_array().unwrap().len(),
        3,
        "{}",
        log.stdout
    );
    // An access command is refused and recorded where the agent was started.
    let answer = agents_shell(&world, &format!("HCP_HOME='{own}' \"$H\" allow '*'"));
    answer.expect_code("human_only");
    assert_eq!(refused(&world).len(), 1);
    assert_eq!(store_of(&world), before);
    let left: Vec<_> = std::fs::read_dir(world.root().join("own"))
        .unwrap()
        .collect();
    assert_eq!(left.len(), 1, "nothing is made in the other home");
}

#[test]
#[cfg(target_os = "linux")]
fn leaving_the_folder_sheds_no_rule_of_the_project() {
    let world = world();
    world.write(
        "work/.hcp/access.json",
        r#"{"mode":"manual","rules":[{"match":"notes.add","decision":"deny","note":"frozen"}]}"#,
    );
    let add = "\"$H\" exec notes add -- name=milk text=x";
    for line in [
        add.to_owned(),
        format!("sh -c 'cd / && {add}; exit $?'"),
        format!("sh -c 'cd / && env -u HCP_AGENT {add}; exit $?'"),
        format!("cd / && CLAUDE_PROJECT_DIR=\"$OLDPWD\" {add}"),
    ] {
        let answer = agents_shell(&world, &line);
        answer.expect_code("denied_by_rule");
        assert_eq!(answer.text("rule.note"), "frozen", "{line}");
    }
    // A person may stand where they like.
    let mut command = world.command(Who::Person);
    command
        .current_dir("/")
        .args(["exec", "notes", "add", "--", "name=milk", "text=x"]);
    Answer::of(&["exec"], command.output().unwrap()).expect_code("ok");
}

#[test]
fn variables_of_an_agent_only_tighten() {
    let world = world();
    world.person(&["mode", "manual"]).expect_code("ok");
    world
        .person(&["access", "set", "approvals", "human"])
        .expect_code("ok");
    let call = ["exec", "notes", "add", "--", "name=milk", "text=x"];
    for who in [Who::Person, Who::Agent] {
        let mut command = world.command(who);
        command
            .envs([("HCP_MODE", "run"), ("HCP_APPROVALS", "agent")])
            .args(call);
        let answer = Answer::of(&call, command.output().unwrap());
        match who {
            Who::Person => answer.expect_code("ok"),
            Who::Agent => {
                answer.expect_code("confirm_required");
                assert_eq!(answer.text("access.mode"), "manual");
                assert_eq!(answer.text("access.approvals"), "human");
            }
        }
    }
}

#[test]
fn no_call_of_an_agent_reaches_the_store() {
    let world = world();
    world.write("work/.hcp/access.json", "{}");
    let store = world.store().display().to_string();
    let before = store_of(&world);
    let refused = |words: &[&str]| {
        let answer = world.agent(words);
        answer.expect_code("store_protected");
        assert!(
            answer.text("message").contains("Nothing ran"),
            "{}",
            answer.stdout
        );
        assert_eq!(store_of(&world), before, "{}", answer.words);
        // The same words are a person's to say.
        let mut asked = vec!["preview"];
        asked.extend(words.iter().skip(1));
        if !words.contains(&"--stdin") {
            world.person(&asked).expect_code("ok");
        }
    };
    for name in [
        format!("name={store}/access.json"),
        format!("name={store}"),
        format!("name={store}/../store/key"),
        "name=../store/access.json".to_owned(),
        "name=./.hcp/access.json".to_owned(),
        "name=.hcp".to_owned(),
        "name=/etc/hcp/access.json".to_owned(),
        format!("name=file://{store}/access.json"),
    ] {
        refused(&["exec", "notes", "add", "--", &name, "text=x"]);
    }
    let text = format!("text={store}/access.json");
    refused(&["exec", "notes", "add", "--", "name=milk", &text]);
    let settings = format!("{store}/access.json");
    refused(&[
        "exec",
        "notes",
        "add",
        "--stdin",
        &settings,
        "--",
        "name=milk",
        "text=x",
    ]);
    refused(&[
        "exec",
        "notes",
        "add",
        "--stdin",
        ".hcp/access.json",
        "--",
        "name=milk",
        "text=x",
    ]);
    // A link is followed.
    std::os::unix::fs::symlink(world.store(), world.work().join("link")).unwrap();
    refused(&[
        "exec",
        "notes",
        "add",
        "--",
        "name=link/access.json",
        "text=x",
    ]);
    for folder in [
        world.store(),
        world.store().join("packs"),
        world.work().join(".hcp"),
    ] {
        let mut command = world.command(Who::Agent);
        command
            .current_dir(&folder)
            .args(["exec", "ledger", "balance"]);
        Answer::of(&["exec"], command.output().unwrap()).expect_code("store_protected");
        let mut command = world.command(Who::Person);
        command
            .current_dir(&folder)
            .args(["exec", "ledger", "balance"]);
        Answer::of(&["exec"], command.output().unwrap()).expect_code("ok");
    }
    let add = [
        "exec",
        "notes",
        "add",
        "--stdin",
        "-",
        "--",
        "name=milk",
        "text=x",
    ];
    for (who, code) in [(Who::Agent, "store_protected"), (Who::Person, "ok")] {
        let file = std::fs::File::open(&settings).unwrap();
        let mut command = world.command(who);
        command.stdin(file).args(add);
        Answer::of(&add, command.output().unwrap()).expect_code(code);
    }
    let harmless = [
        "exec",
        "notes",
        "add",
        "--",
        "name=hcp",
        "text=about .hcp folders",
    ];
    world.agent(&harmless).expect_code("ok");
}

#[test]
fn the_terminal_is_a_persons_to_hand_over() {
    let world = world();
    let answer = world.agent(&["exec", "--tty", "ledger", "balance"]);
    answer.expect_code("human_only");
    assert!(answer.text("hint").contains("--tty"));
    assert!(
        refused(&world)
            .iter()
            .any(|line| line.contains("exec --tty"))
    );
}
