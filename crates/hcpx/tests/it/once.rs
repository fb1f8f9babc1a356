//! One yes, one run: what an approval covers, who may give it, and how requests end.

use crate::HCPX;
use hcp_core::json::Value;
use hcp_testkit::{Answer, Who, World};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn transfer(amount: &str) -> Vec<String> {
    ["exec", "ledger", "transfer", "--", "payee=demo-transit"]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("amount={amount}")])
        .collect()
}

/// The agent runs these words.
fn agent(world: &World, words: &[String]) -> Answer {
    world.agent(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The agent asks for a transfer; the id of the request.
fn asked(world: &World, amount: &str) -> String {
    agent(world, &transfer(amount))
        .with_code("confirm_required")
        .text("approval_id")
}

/// The agent reruns a transfer with an id.
fn confirmed(world: &World, id: &str, amount: &str) -> Answer {
    let words = [
        "exec",
        "ledger",
        "transfer",
        "--confirm",
        id,
        "--",
        "payee=demo-transit",
        &format!("amount={amount}"),
    ];
    world.agent(&words)
}

fn balance(world: &World) -> String {
    world
        .person(&["exec", "ledger", "balance"])
        .text("stdout")
        .trim()
        .to_owned()
}

/// How many requests wait.
fn waiting(world: &World) -> usize {
    let list = world.person(&["approvals"]).value("approvals");
    list.as_array().unwrap().len()
}

fn only_humans(world: &World) {
    world
        .person(&["access", "set", "approvals", "human"])
        .expect_code("ok");
}

#[test]
fn twenty_processes_and_one_yes_give_one_run() {
    let world = World::with_packs(HCPX, &["ledger"]);
    only_humans(&world);
    let id = asked(&world, "2.80");
    world.person(&["approve", &id]).expect_code("ok");
    let words = transfer("2.80");
    let started: Vec<_> = (0..20)
        .map(|_| {
            let mut command = world.command(Who::Agent);
            command
                .args(&words)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let answers: Vec<Answer> = started
        .into_iter()
        .map(|child| Answer::of(&["exec"], child.wait_with_output().unwrap()))
        .collect();
    let ran: Vec<&Answer> = answers.iter().filter(|a| a.code() == "ok").collect();
    assert_eq!(ran.len(), 1);
    assert_eq!(ran[0].text("by.approval_id"), id);
    let mut fresh: Vec<String> = Vec::new();
    for answer in answers.iter().filter(|a| a.code() != "ok") {
        answer.expect_code("confirm_required");
        fresh.push(answer.text("approval_id"));
    }
    fresh.dedup();
    assert_eq!(fresh.len(), 1, "all the others wait on one new request");
    assert_ne!(fresh[0], id);
    assert_eq!(balance(&world), "97.20 EUR");
    let log = world.person(&["audit", "--pack", "ledger", "--limit", "200"]);
    let events = log.value("events");
    let runs = events.as_array().unwrap().iter().filter(|e| {
        e.get("command").and_then(Value::as_str) == Some("transfer")
            && e.get("ran") == Some(&Value::Bool(true))
    });
    assert_eq!(runs.count(), 1);
    world.person(&["audit", "verify"]).expect_code("ok");
}

#[test]
fn twenty_agents_that_pass_one_yes_on_give_one_run() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = asked(&world, "2.80");
    let started: Vec<_> = (0..20)
        .map(|_| {
            let mut command = world.command(Who::Agent);
            command
                .args(["exec", "--confirm", &id])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let mut codes: Vec<String> = started
        .into_iter()
        .map(|child| Answer::of(&["exec"], child.wait_with_output().unwrap()).code())
        .collect();
    codes.sort();
    assert_eq!(codes.iter().filter(|c| *c == "ok").count(), 1);
    assert_eq!(codes.iter().filter(|c| *c == "approval_used").count(), 19);
    assert_eq!(balance(&world), "97.20 EUR");
}

#[test]
fn a_cent_more_is_another_call_and_leaves_the_yes_unspent() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = asked(&world, "2.80");
    world.person(&["approve", &id]).expect_code("ok");
    let other = confirmed(&world, &id, "2.81");
    other.expect_code("approval_mismatch");
    assert!(
        other
            .text("message")
            .contains("amount: approved 2.80, now 2.81"),
        "{}",
        other.stdout
    );
    assert_eq!(other.value("changed").to_string(), r#"["args.amount"]"#);
    let fresh = other.text("approval_id");
    assert_ne!(fresh, id, "the other call waits for an answer of its own");
    assert_eq!(other.text("preview.args.amount"), "2.81");
    // The same number in another spelling is another call as well: the card reads differently.
    confirmed(&world, &id, "2.8").expect_code("approval_mismatch");
    // One argument more, or another payee.
    let memo = world.agent(&[
        "exec",
        "ledger",
        "transfer",
        "--confirm",
        &id,
        "--",
        "amount=2.80",
        "payee=demo-transit",
        "memo=x",
    ]);
    memo.expect_code("approval_mismatch");
    assert!(memo.text("message").contains("memo"), "{}", memo.stdout);
    let payee = world.agent(&[
        "exec",
        "ledger",
        "transfer",
        "--confirm",
        &id,
        "--",
        "amount=2.80",
        "payee=demo-rent",
    ]);
    payee.expect_code("approval_mismatch");
    assert!(
        payee
            .text("message")
            .contains("payee: approved demo-transit, now demo-rent"),
        "{}",
        payee.stdout
    );
    assert_eq!(balance(&world), "100.00 EUR");
    confirmed(&world, &id, "2.80").expect_code("ok");
    assert_eq!(balance(&world), "97.20 EUR");
}

#[test]
fn the_order_and_the_spelling_of_the_json_do_not_matter() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = asked(&world, "2.80");
    for args in [
        r#"{"amount":"2.80","payee":"demo-transit"}"#,
        r#"{ "amount" : "2.80", "payee" : "demo-transit", "memo": null }"#,
        r#"{"amount":"\u0032.80","payee":"demo-tr\u0061nsit"}"#,
    ] {
        let again = world.agent(&["exec", "ledger", "transfer", "--args", args]);
        again.expect_code("confirm_required");
        assert_eq!(again.text("approval_id"), id, "{args}");
    }
    assert_eq!(waiting(&world), 1);
    world.person(&["approve", &id]).expect_code("ok");
    let args = r#"{"amount":"2.80","payee":"demo-transit"}"#;
    world
        .agent(&["exec", "ledger", "transfer", "--args", args])
        .expect_code("ok");
    // Nor where the card lists what its view did not use, and the agent passes the yes on.
    let world = World::with_packs(HCPX, &["notes"]);
    world.person(&["ask", "notes.add"]).expect_code("ok");
    let first = world.agent(&["exec", "notes", "add", "--", "text=Call", "name=plan"]);
    first.expect_code("confirm_required");
    let names = first.value("preview.args");
    let names: Vec<&str> = names.as_object().unwrap().keys().collect();
    assert_eq!(names, ["name", "text"], "in the order of the pack");
    world
        .agent(&[
            "exec",
            "notes",
            "add",
            "--confirm",
            &first.text("approval_id"),
            "--",
            "name=plan",
            "text=Call",
        ])
        .expect_code("ok");
}

/// A pack whose tool is `cat`: what it is given stands in its output.
fn shop(world: &World, surface: &str) {
    world.write(
        "shop/pack.json",
        r#"{ "id": "shop", "name": "Shop", "version": "1.0.0", "summary": "A shop." }"#,
    );
    world.write(
        "shop/policy.json",
        r#"{ "commands": { "send": { "operation": "write", "confirm": "ask" } } }"#,
    );
    world.write(
        "shop/surface.json",
        &format!(r#"{{ "commands": {{ "send": {surface} }} }}"#),
    );
    let source = world.root().join("shop").display().to_string();
    world.person(&["install", &source]).expect_code("ok");
}

#[test]
fn a_call_with_a_secret_is_approved_by_its_card_and_run_with_it() {
    let world = World::new(HCPX);
    shop(
        &world,
        r#"{ "description": "Send a token.", "cli": ["echo", "--", "{{token}}", "{{to}}"],
             "args": { "type": "object", "properties": {
               "to": { "type": "string" },
               "token": { "type": "string", "x-secret": true, "maxLength": 20 } }, "required": ["token", "to"] } }"#,
    );
    only_humans(&world);
    let call = |id: Option<&str>, token: &str| {
        let mut words = vec!["exec", "shop", "send"];
        words.extend(id.into_iter().flat_map(|id| ["--confirm", id]));
        let token = format!("token={token}");
        words.extend(["--", "to=ana", &token]);
        world.agent(&words)
    };
    let asked = call(None, "hunter2-hunter2");
    asked.expect_code("confirm_required");
    assert!(!asked.stdout.contains("hunter2"), "{}", asked.stdout);
    let id = asked.text("approval_id");
    let listed = world.person(&["approvals"]);
    assert_eq!(listed.text("approvals.0.approval_id"), id);
    assert_eq!(listed.text("approvals.0.cli"), asked.text("approval.cli"));
    assert_eq!(
        listed.value("approvals.0.view"),
        asked.value("approval.view")
    );
    assert!(
        listed
            .text("approvals.0.args.1.display")
            .starts_with("[secret, 15 characters, #")
    );
    let yes = world.person(&["approve", &id]);
    yes.expect_code("ok");
    world
        .agent(&["exec", "--confirm", &id])
        .expect_code("usage");
    let other = call(Some(&id), "hunter3-hunter3");
    other.expect_code("approval_mismatch");
    assert!(other.text("message").contains("token"), "{}", other.stdout);
    let ran = call(Some(&id), "hunter2-hunter2");
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "human");
    for entry in std::fs::read_dir(world.store()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        let found = bytes.windows(7).any(|w| w == b"hunter2");
        assert!(!found, "{} holds the secret", path.display());
    }
}

#[test]
fn another_folder_project_pack_or_program_needs_another_yes() {
    let world = World::new(HCPX);
    world.write("tools/shopper", "#!/bin/sh\necho bought \"$@\"\n");
    let script = world.root().join("tools/shopper");
    let executable = || {
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    };
    executable();
    let pack = |about: &str| {
        world.write(
            "shop/pack.json",
            r#"{ "id": "shop", "name": "Shop", "version": "1.0.0", "summary": "A shop." }"#,
        );
        world.write(
            "shop/policy.json",
            r#"{ "commands": { "buy": { "operation": "write", "confirm": "ask" } } }"#,
        );
        world.write(
            "shop/surface.json",
            &format!(
                r#"{{ "commands": {{ "buy": {{ "description": "{about}", "cli": ["shopper", "--", "{{{{what}}}}"],
                "args": {{ "type": "object", "properties": {{ "what": {{ "type": "string" }} }}, "required": ["what"] }} }} }} }}"#
            ),
        );
    };
    pack("Buy a thing.");
    let path = format!(
        "{}:{}",
        world.root().join("tools").display(),
        std::env::var("PATH").unwrap()
    );
    let run = |who: Who, folder: &str, words: &[&str]| {
        let mut command = world.command(who);
        command
            .env("PATH", &path)
            .current_dir(world.root().join(folder))
            .args(words);
        Answer::of(words, command.output().unwrap())
    };
    let source = world.root().join("shop").display().to_string();
    run(Who::Person, "work", &["install", &source]).expect_code("ok");
    std::fs::create_dir_all(world.root().join("other")).unwrap();
    let call = ["exec", "shop", "buy", "--", "what=tea"];
    let with =
        |id: &str| ["exec", "shop", "buy", "--confirm", id, "--", "what=tea"].map(str::to_owned);
    let confirm = |folder: &str, id: &str| {
        let words = with(id);
        run(
            Who::Agent,
            folder,
            &words.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    };
    let ask = || {
        let id = run(Who::Agent, "work", &call)
            .with_code("confirm_required")
            .text("approval_id");
        run(Who::Person, "work", &["approve", &id]).expect_code("ok");
        id
    };
    let names = |answer: &Answer, fact: &str| {
        answer.expect_code("approval_mismatch");
        let changed = answer.value("changed").to_string();
        assert!(changed.contains(fact), "{fact}: {}", answer.stdout);
        assert!(answer.text("message").contains(fact), "{}", answer.stdout);
    };

    let id = ask();
    run(Who::Agent, "other", &call).expect_code("confirm_required");
    names(&confirm("other", &id), "cwd");
    confirm("work", &id).expect_code("ok");

    let id = ask();
    std::fs::create_dir_all(world.root().join("work/.hcp")).unwrap();
    names(&confirm("work", &id), "project");
    std::fs::remove_dir(world.root().join("work/.hcp")).unwrap();
    confirm("work", &id).expect_code("ok");

    let id = ask();
    std::thread::sleep(Duration::from_millis(20));
    world.write("tools/shopper", "#!/bin/sh\necho stolen \"$@\"\n");
    executable();
    names(&confirm("work", &id), "program");
    run(Who::Person, "work", &["approvals"]);

    let id = ask();
    pack("Buy another thing.");
    run(Who::Person, "work", &["install", "--replace", &source]).expect_code("ok");
    names(&confirm("work", &id), "pack");
    run(Who::Agent, "work", &call).expect_code("confirm_required");
}

#[test]
fn the_agent_passes_a_yes_on_unless_only_people_answer() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = asked(&world, "1");
    let ran = confirmed(&world, &id, "1");
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "agent");
    assert_eq!(ran.text("by.approval_id"), id);
    only_humans(&world);
    let id = asked(&world, "2");
    for refused in [
        confirmed(&world, &id, "2"),
        world.agent(&["exec", "--confirm", &id]),
        world.agent(&["approve", &id]),
        world.agent(&["approve", &id, "--yes"]),
        world.agent(&["reject", &id]),
    ] {
        refused.expect_code("human_only");
        assert!(!refused.text("hint").is_empty(), "{}", refused.stdout);
    }
    // A word in the environment does not make an agent's yes a person's.
    let mut command = world.command(Who::Agent);
    command
        .env("HCP_APPROVALS", "agent")
        .args(["exec", "--confirm", &id]);
    let loose = Answer::of(&["exec"], command.output().unwrap());
    loose.expect_code("human_only");
    assert_eq!(balance(&world), "99.00 EUR");
    world.person(&["approve", &id]).expect_code("ok");
    agent(&world, &transfer("2")).expect_code("ok");
    assert_eq!(balance(&world), "97.00 EUR");
}

#[test]
fn every_end_of_a_request_has_its_own_code() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for id in ["deadbeef", "nonsense", "", "dea", "../../etc"] {
        let unknown = confirmed(&world, id, "2.80");
        unknown.expect_code("approval_unknown");
        assert_eq!(unknown.text("preview.args.amount"), "2.80", "asked anew");
        world
            .agent(&["exec", "--confirm", id])
            .expect_code("approval_unknown");
        if !id.is_empty() {
            world
                .person(&["approve", id])
                .expect_code("approval_unknown");
            world
                .person(&["reject", id])
                .expect_code("approval_unknown");
        }
    }
    assert_eq!(waiting(&world), 1);

    // Used.
    let id = asked(&world, "2.80");
    confirmed(&world, &id, "2.80").expect_code("ok");
    let used = confirmed(&world, &id, "2.80");
    used.expect_code("approval_used");
    assert_ne!(used.text("approval_id"), id);
    world
        .agent(&["exec", "--confirm", &id])
        .expect_code("approval_used");
    world.person(&["approve", &id]).expect_code("approval_used");
    world.person(&["reject", &id]).expect_code("approval_used");

    // Rejected, with the note; and taken back.
    let id = asked(&world, "3");
    let no = world.person(&["reject", &id, "--note", "wrong payee"]);
    no.expect_code("ok");
    assert_eq!(no.text("state"), "rejected");
    for answer in [agent(&world, &transfer("3")), confirmed(&world, &id, "3")] {
        answer.expect_code("rejected");
        assert_eq!(answer.text("note"), "wrong payee");
        assert!(answer.text("message").contains("wrong payee"));
    }
    let stored = world.agent(&["exec", "--confirm", &id]);
    stored.expect_code("rejected");
    assert!(stored.stdout.contains("wrong payee"), "{}", stored.stdout);
    world.person(&["approve", &id]).expect_code("rejected");
    world
        .agent(&["approvals", "forget", &id])
        .expect_code("human_only");
    agent(&world, &transfer("3")).expect_code("rejected");
    world
        .person(&["approvals", "forget", &id])
        .expect_code("ok");
    assert_ne!(asked(&world, "3"), id);

    // A yes taken back before its run.
    let id = asked(&world, "4");
    world.person(&["approve", &id]).expect_code("ok");
    world.person(&["reject", &id]).expect_code("ok");
    agent(&world, &transfer("4")).expect_code("rejected");

    // Withdrawn: a rule decides it by now.
    let id = asked(&world, "5");
    world
        .person(&["allow", "ledger.transfer", "--when", "amount=5"])
        .expect_code("ok");
    assert_eq!(waiting_ids(&world).iter().filter(|w| **w == id).count(), 0);
    world
        .person(&["approve", &id])
        .expect_code("approval_expired");
    let ran = agent(&world, &transfer("5"));
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "rule");
    assert_eq!(balance(&world), "92.20 EUR");
}

fn waiting_ids(world: &World) -> Vec<String> {
    let list = world.person(&["approvals"]).value("approvals");
    list.as_array()
        .unwrap()
        .iter()
        .filter_map(|r| r.get("approval_id").and_then(Value::as_str))
        .map(str::to_owned)
        .collect()
}

#[test]
fn an_id_alone_runs_the_stored_call_itself() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = asked(&world, "2.80");
    let ran = world.agent(&["exec", "--confirm", &id]);
    ran.expect_code("ok");
    assert_eq!(
        ran.text("stdout"),
        "Paid 2.80 EUR to demo-transit\nBalance 97.20 EUR\n"
    );
    // The first digits serve, and a person's yes is found in the same way.
    only_humans(&world);
    let id = asked(&world, "1.20");
    world.person(&["approve", &id[..4]]).expect_code("ok");
    // From another folder it runs where it was asked for.
    let mut command = world.command(Who::Agent);
    command
        .current_dir(world.root())
        .args(["exec", "--confirm", &id[..5]]);
    Answer::of(&["exec"], command.output().unwrap()).expect_code("ok");
    assert_eq!(balance(&world), "96.00 EUR");
    // An id behind the -- would go to the tool.
    let slip = world.agent(&["exec", "ledger", "transfer", "--", "--confirm", "5ea7eb29"]);
    slip.expect_code("usage");
    assert!(slip.text("hint").contains("hcpx exec --confirm 5ea7eb29"));
}

#[test]
fn an_approval_without_an_id_takes_the_only_request() {
    let world = World::with_packs(HCPX, &["ledger"]);
    world.person(&["approve"]).expect_code("approval_unknown");
    let id = asked(&world, "1");
    let yes = world.person(&["approve"]);
    yes.expect_code("ok");
    assert_eq!(yes.text("approval_id"), id);
    let (a, b) = (asked(&world, "2"), asked(&world, "3"));
    // A second yes changes nothing.
    world.person(&["approve", &id]).expect_code("ok");
    let many = world.person(&["approve"]);
    many.expect_code("usage");
    assert!(many.stdout.contains(&a) && many.stdout.contains(&b));
    world.person(&["approve", &a, &b]).expect_code("usage");
    assert_eq!(waiting_ids(&world), [a, b], "newest last");
}

#[test]
fn standard_input_belongs_to_the_call() {
    let world = World::new(HCPX);
    shop(
        &world,
        r#"{ "description": "Send a text.", "cli": ["cat"] }"#,
    );
    world.write("work/a.txt", "first text");
    world.write("work/b.txt", "other text");
    let send = |file: &str, id: Option<&str>| {
        let mut words = vec!["exec", "shop", "send", "--stdin", file];
        words.extend(id.into_iter().flat_map(|id| ["--confirm", id]));
        world.agent(&words)
    };
    let asked = send("a.txt", None);
    asked.expect_code("confirm_required");
    let id = asked.text("approval_id");
    assert!(
        asked.text("hint").contains("again with --confirm"),
        "{}",
        asked.stdout
    );
    let shown = asked.text("approval.stdin");
    assert!(
        shown.starts_with("10 bytes from standard input, #"),
        "{shown}"
    );
    assert!(shown.ends_with(": \"first text\""), "{shown}");
    assert_eq!(
        world.person(&["approvals"]).text("approvals.0.stdin"),
        shown
    );
    world.person(&["approve", &id]).expect_code("ok");
    let alone = world.agent(&["exec", "--confirm", &id]);
    alone.expect_code("usage");
    assert!(alone.text("message").contains("standard input"));
    world
        .agent(&["exec", "--confirm", &id, "--stdin", "a.txt"])
        .expect_code("usage");
    let other = send("b.txt", Some(&id));
    other.expect_code("approval_mismatch");
    assert!(other.text("message").contains("stdin"), "{}", other.stdout);
    let without = world.agent(&["exec", "shop", "send", "--confirm", &id]);
    without.expect_code("approval_mismatch");
    let ran = send("a.txt", Some(&id));
    ran.expect_code("ok");
    assert_eq!(ran.text("stdout"), "first text");
}

#[test]
fn waiting_ends_with_the_answer_of_another_process() {
    let world = World::with_packs(HCPX, &["ledger"]);
    only_humans(&world);
    let start = |amount: &str, wait: &str| {
        let mut command = world.command(Who::Agent);
        command
            .args([
                "exec",
                "ledger",
                "transfer",
                wait,
                "--",
                "payee=demo-transit",
            ])
            .arg(format!("amount={amount}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let id_of_new = || {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            if let [id] = waiting_ids(&world).as_slice() {
                return id.clone();
            }
            assert!(Instant::now() < end, "no request came");
            std::thread::sleep(Duration::from_millis(30));
        }
    };
    let child = start("2.80", "--wait=20");
    let id = id_of_new();
    world.person(&["approve", &id]).expect_code("ok");
    let ran = Answer::of(&["exec"], child.wait_with_output().unwrap());
    ran.expect_code("ok");
    assert_eq!(ran.text("by.kind"), "human");

    let child = start("3", "--wait");
    let id = id_of_new();
    world
        .person(&["reject", &id, "--note", "not today"])
        .expect_code("ok");
    let no = Answer::of(&["exec"], child.wait_with_output().unwrap());
    no.expect_code("rejected");
    assert_eq!(no.text("note"), "not today");

    let begun = Instant::now();
    let over = start("4", "--wait=1").wait_with_output().unwrap();
    Answer::of(&["exec"], over).expect_code("confirm_required");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(balance(&world), "97.20 EUR");
}

#[test]
fn nobody_is_flooded() {
    let world = World::with_packs(HCPX, &["ledger", "notes", "transit"]);
    world.person(&["mode", "manual"]).expect_code("ok");
    for n in 1..=5 {
        asked(&world, &n.to_string());
    }
    let sixth = agent(&world, &transfer("6"));
    sixth.expect_code("too_many_requests");
    assert_eq!(sixth.value("approval_id"), Value::Null);
    assert!(!sixth.text("hint").is_empty());
    assert_eq!(waiting(&world), 5);
    // The same call again is no second request.
    asked(&world, "5");
    // A wrong id makes none either.
    confirmed(&world, "deadbeef", "7").expect_code("approval_unknown");
    assert_eq!(waiting(&world), 5);
    let note = |verb: &str, n: usize| {
        let name = format!("name=n{n}");
        let mut words = vec!["exec", "notes", verb, "--", &name];
        if verb != "delete" {
            words.push("text=x");
        }
        world.agent(&words)
    };
    for n in 0..5 {
        note("add", n).expect_code("confirm_required");
        note("edit", n).expect_code("confirm_required");
        note("delete", n).expect_code("confirm_required");
    }
    assert_eq!(waiting(&world), 20);
    world
        .agent(&["exec", "transit", "buy", "--", "route=city"])
        .expect_code("too_many_requests");
    let text = world.person(&["approvals", "--text"]);
    assert!(
        text.stdout.contains("5 × ledger transfer"),
        "{}",
        text.stdout
    );
    let some = world.person(&["reject", "--all", "notes.*"]);
    some.expect_code("ok");
    assert_eq!(some.value("rejected").as_array().unwrap().len(), 15);
    assert_eq!(waiting(&world), 5);
    world.person(&["reject", "--all"]).expect_code("ok");
    assert_eq!(waiting(&world), 0);
    // After three that were rejected the next has to wait.
    let cooling = agent(&world, &transfer("8"));
    cooling.expect_code("too_many_requests");
    let retry: jiff::Timestamp = cooling.text("retry_at").parse().unwrap();
    assert!(retry > jiff::Timestamp::now());
}

#[test]
fn three_noes_within_an_hour_make_the_next_request_wait() {
    let world = World::with_packs(HCPX, &["ledger"]);
    for n in 1..=3 {
        let id = asked(&world, &n.to_string());
        world.person(&["reject", &id]).expect_code("ok");
    }
    let fourth = agent(&world, &transfer("4"));
    fourth.expect_code("too_many_requests");
    let retry: jiff::Timestamp = fourth.text("retry_at").parse().unwrap();
    let wait = retry.duration_since(jiff::Timestamp::now());
    assert!(
        wait.as_secs() <= 60 && wait.as_secs() > 30,
        "{}",
        fourth.stdout
    );
    // Another command is not held up.
    world.person(&["install", "notes"]).expect_code("ok");
    world
        .agent(&["exec", "notes", "delete", "--", "name=a"])
        .expect_code("confirm_required");
}

#[test]
fn a_yes_is_spent_even_when_the_command_fails() {
    let world = World::with_packs(HCPX, &["ledger"]);
    let id = asked(&world, "500");
    let failed = confirmed(&world, &id, "500");
    failed.expect_code("command_failed");
    confirmed(&world, &id, "500").expect_code("approval_used");
}
