//! The process driver.

use super::helper;
use hcp::bindings::Whose;
use hcp::driver::{Driver, Ended, OutputMode, ProcessDriver, RenderedCall, RunResult, StdinSource};
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

const CAPTURE: OutputMode = OutputMode::Capture { limit: 1 << 20 };

fn call(program: &str, words: &[&str]) -> RenderedCall {
    RenderedCall {
        program: Path::new(program).canonicalize().unwrap(),
        argv0: Path::new(program).file_name().unwrap().to_owned(),
        words: words.iter().map(|w| (*w).to_owned()).collect(),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        cwd: PathBuf::from("/"),
        stdin: StdinSource::Closed,
        timeout: Some(Duration::from_secs(20)),
        output: CAPTURE,
    }
}

fn sh(line: &str) -> RenderedCall {
    call("/bin/sh", &["-c", line])
}

fn run(call: &RenderedCall) -> Ended {
    match ProcessDriver::new().run_blocking(call) {
        RunResult::Exited(ended) => ended,
        other @ (RunResult::SpawnFailed { .. } | RunResult::TimedOut(_)) => panic!("{other:?}"),
    }
}

fn out(call: &RenderedCall) -> String {
    String::from_utf8(run(call).stdout.bytes).unwrap()
}

#[test]
fn words_reach_the_program_as_they_are() {
    let words = ["%s|", "a b", "$(id)", "'\"\\", "*", "", "ü\n", "; rm -rf x"];
    assert_eq!(
        out(&call("/usr/bin/printf", &words)),
        "a b|$(id)|'\"\\|*||ü\n|; rm -rf x|"
    );
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let mut call = call("/usr/bin/env", &[]);
    call.env = vec![("A".into(), "1".into()), ("HCP_AGENT".into(), "1".into())];
    assert_eq!(out(&call), "A=1\nHCP_AGENT=1\n");
    call.env.clear();
    assert_eq!(out(&call), "");
}

#[test]
fn name_folder_and_input() {
    let mut call = sh("printf '%s %s ' \"$0\" \"$PWD\"; cat");
    call.cwd = PathBuf::from("/usr");
    assert!(out(&call).ends_with("/usr "));
    call.stdin = StdinSource::Bytes(b"hello".to_vec());
    assert!(out(&call).ends_with("/usr hello"));
    let mut named = sh("cat /proc/$$/cmdline | tr '\\0' ' '");
    named.argv0 = "ledger".into();
    assert!(out(&named).starts_with("ledger -c"));
}

#[test]
fn a_script_of_several_names_is_told_which_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
    std::fs::write(at("wrapper"), "#!/bin/sh\nprintf %s \"$0\"\n").unwrap();
    std::fs::set_permissions(at("wrapper"), Permissions::from_mode(0o755)).unwrap();
    symlink("wrapper", at("query")).unwrap();
    symlink("/bin/echo", at("other")).unwrap();
    let mut call = call(at("query").to_str().unwrap(), &[]);
    let told = |call: &RenderedCall| PathBuf::from(out(call));
    for (name, start) in [
        ("query", "query"),
        ("wrapper", "wrapper"),
        // Only a link to this very file is followed.
        ("other", "wrapper"),
        ("missing", "wrapper"),
    ] {
        call.argv0 = at(name).into();
        assert_eq!(told(&call), at(start), "{name}");
    }
    call.argv0 = "query".into();
    assert_eq!(told(&call), at("wrapper"));
}

#[test]
fn exit_codes_and_signals() {
    for (line, code, signal, exit) in [
        ("exit 0", Some(0), None, 0),
        ("exit 7", Some(7), None, 7),
        ("kill -TERM $$", None, Some(15), 143),
        ("kill -KILL $$", None, Some(9), 137),
    ] {
        let ended = run(&sh(line));
        assert_eq!(
            (ended.code, ended.signal, ended.exit_code()),
            (code, signal, exit),
            "{line}"
        );
    }
}

#[test]
fn it_stands_in_a_session_of_its_own_without_a_terminal() {
    // Fields of stat from the state on: state, parent, group, session, terminal.
    let fields = out(&sh("cut -d')' -f2 /proc/$$/stat; echo $$"));
    let words: Vec<&str> = fields.split_whitespace().collect();
    let pid = words.last().unwrap();
    assert_eq!(
        (words[2], words[3], words[4]),
        (*pid, *pid, "0"),
        "{fields}"
    );
    assert_eq!(run(&sh("exec 3</dev/tty")).code, Some(2));
}

#[test]
fn output_without_bound_is_counted_and_not_kept() {
    let mut call = sh("head -c 300000000 /dev/zero; head -c 300000000 /dev/zero >&2");
    call.output = OutputMode::Capture { limit: 1000 };
    let ended = run(&call);
    for stream in [&ended.stdout, &ended.stderr] {
        assert_eq!(
            (stream.bytes.len(), stream.len, stream.truncated),
            (1000, 300_000_000, true)
        );
    }
}

#[test]
fn both_pipes_and_the_input_are_served_at_once() {
    let mut call = sh("tee /dev/stderr");
    let text = vec![b'x'; 3 << 20];
    call.stdin = StdinSource::Bytes(text.clone());
    call.output = OutputMode::Capture { limit: 4 << 20 };
    let ended = run(&call);
    assert!(ended.stdout.bytes == text && ended.stderr.bytes == text);
    assert!(!ended.stdout.truncated);
    // A program that reads nothing does not make it wait.
    let mut call = sh("exit 3");
    call.stdin = StdinSource::Bytes(text);
    assert_eq!(run(&call).code, Some(3));
}

#[test]
fn a_timeout_ends_the_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("late");
    let line = format!(
        "echo early; (sleep 1.5; touch {}) & sleep 30",
        mark.display()
    );
    let mut call = sh(&line);
    call.timeout = Some(Duration::from_millis(300));
    let begun = Instant::now();
    let RunResult::TimedOut(ended) = ProcessDriver::new().run_blocking(&call) else {
        panic!("no timeout");
    };
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(ended.stdout.bytes, b"early\n");
    assert_eq!(ended.signal, Some(15));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!mark.exists());
}

#[test]
fn a_program_that_will_not_end_is_killed() {
    let mut call = sh("trap '' TERM; while :; do sleep 0.1; done");
    call.timeout = Some(Duration::from_millis(200));
    let begun = Instant::now();
    let RunResult::TimedOut(ended) = ProcessDriver::new().run_blocking(&call) else {
        panic!("no timeout");
    };
    assert_eq!(ended.signal, Some(9));
    assert!(
        begun.elapsed() < Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_timeout_holds_for_a_program_that_closed_its_pipes() {
    let mut call = sh("exec >/dev/null 2>&1; sleep 30");
    call.timeout = Some(Duration::from_millis(300));
    let begun = Instant::now();
    let result = ProcessDriver::new().run_blocking(&call);
    assert!(matches!(result, RunResult::TimedOut(_)), "{result:?}");
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn those_who_keep_a_pipe_do_not_hang_it() {
    for rest in [
        "sleep 20 & echo started",
        "(while :; do echo x; done) & echo started",
    ] {
        let begun = Instant::now();
        let mut call = sh(&format!("{rest}; echo $!"));
        call.timeout = None;
        let ended = run(&call);
        assert!(begun.elapsed() < Duration::from_secs(3), "{rest}");
        assert_eq!(ended.code, Some(0));
        assert!(String::from_utf8_lossy(&ended.stdout.bytes).contains("started"));
    }
}

#[test]
fn what_a_program_left_in_its_pipe_is_all_read() {
    let ended = run(&sh("head -c 60000 /dev/zero; sleep 5 & exit 0"));
    assert_eq!(ended.stdout.len, 60_000);
}

#[test]
fn what_cannot_be_started_says_why_and_no_argument() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&script)
        .status()
        .unwrap();
    let mut broken = call("/bin/sh", &["s3cret"]);
    broken.program = script;
    let mut gone = call("/bin/sh", &["s3cret"]);
    gone.program = folder.path().join("gone");
    let mut homeless = call("/bin/sh", &["s3cret"]);
    homeless.cwd = folder.path().join("nowhere");
    let mut nul = call("/bin/sh", &["s3cret\0"]);
    nul.cwd = PathBuf::from("/");
    for (call, word) in [
        (broken, "interpreter"),
        (gone, "gone"),
        (homeless, "working directory"),
        (nul, "nul byte"),
    ] {
        let RunResult::SpawnFailed { message } = ProcessDriver::new().run_blocking(&call) else {
            panic!("started");
        };
        assert!(
            message.contains(word) && !message.contains("s3cret"),
            "{message}"
        );
    }
}

#[test]
fn a_driver_is_an_object_and_its_future_does_not_block() {
    let driver: Box<dyn Driver> = Box::new(ProcessDriver::new());
    let call = sh("sleep 0.3; echo x");
    let mut future = driver.run(&call);
    let waker = std::task::Waker::noop();
    let mut context = std::task::Context::from_waker(waker);
    let begun = Instant::now();
    assert!(future.as_mut().poll(&mut context).is_pending());
    assert!(begun.elapsed() < Duration::from_millis(100));
    let RunResult::Exited(ended) = pollster::block_on(future) else {
        panic!("not ended");
    };
    assert_eq!(ended.stdout.bytes, b"x\n");
}

#[test]
#[ignore = "a part of other tests"]
fn play_forward() {
    if !helper::plays("sys::driver::play_forward") {
        return;
    }
    let mut call = sh(&helper::given("LINE"));
    call.timeout = None;
    let mode = std::env::var("MODE").unwrap_or_default();
    if mode == "stream" {
        call.output = OutputMode::Stream;
    } else if mode == "inherit" {
        call.output = OutputMode::Inherit;
    } else if mode == "aside" {
        call.output = OutputMode::Aside;
    }
    let result = ProcessDriver::forwarding_signals().run_blocking(&call);
    let RunResult::Exited(ended) = result else {
        panic!("{result:?}");
    };
    std::fs::write(
        helper::given("REPORT"),
        format!("{} {}", ended.exit_code(), ended.stdout.len),
    )
    .unwrap();
    if mode == "wait" {
        std::thread::sleep(Duration::from_secs(20));
    }
}

#[test]
fn signals_are_passed_on_and_the_end_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (signal, trap, exit) in [("INT", "INT", 5), ("TERM", "TERM", 5), ("HUP", "HUP", 5)] {
        let ready = folder.path().join(format!("ready-{signal}"));
        let report = folder.path().join(format!("report-{signal}"));
        let line = format!(
            "trap 'exit {exit}' {trap}; touch {}; while :; do sleep 0.05; done",
            ready.display()
        );
        let mut child = helper::part("sys::driver::play_forward")
            .env("LINE", line)
            .env("REPORT", &report)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        helper::wait_for(&ready);
        send(signal, child.id());
        assert!(child.wait().unwrap().success());
        assert_eq!(
            std::fs::read_to_string(&report).unwrap(),
            format!("{exit} 0")
        );
    }
}

#[test]
fn while_nothing_runs_a_signal_does_what_it_always_did() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let mut child = helper::part("sys::driver::play_forward")
        .env("LINE", "exit 0")
        .env("MODE", "wait")
        .env("REPORT", &report)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    helper::wait_for(&report);
    send("TERM", child.id());
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(child.wait().unwrap().signal(), Some(15));
}

#[test]
fn an_ignored_hangup_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let ready = folder.path().join("ready");
    let report = folder.path().join("report");
    let line = format!("touch {}; sleep 0.7; exit 4", ready.display());
    let mut child = std::process::Command::new("sh")
        .args([
            "-c",
            &format!(
                "trap '' HUP; exec {}",
                helper::line("sys::driver::play_forward").replacen(
                    "HCP_TEST_PART",
                    "env HCP_TEST_PART",
                    1
                )
            ),
        ])
        .env("LINE", line)
        .env("REPORT", &report)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    helper::wait_for(&ready);
    send("HUP", child.id());
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "4 0");
}

#[test]
fn a_stream_is_passed_on_as_it_comes_and_ends_with_its_reader() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let shell = format!(
        "{} | grep -a -m1 -c needle",
        helper::line("sys::driver::play_forward")
    );
    let found = std::process::Command::new("sh")
        .args(["-c", &shell])
        .env("LINE", "echo needle; exec yes")
        .env("MODE", "stream")
        .env("REPORT", &report)
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(found.stdout, b"1\n");
    let report = std::fs::read_to_string(&report).unwrap();
    assert!(report.starts_with("141 "), "{report}");
}

fn send(signal: &str, pid: u32) {
    let signal: nix::sys::signal::Signal = format!("SIG{signal}").parse().unwrap();
    let pid = nix::unistd::Pid::from_raw(i32::try_from(pid).unwrap());
    nix::sys::signal::kill(pid, signal).unwrap();
}

#[test]
fn a_persons_own_tool_gets_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let script = std::process::Command::new("script")
        .args([
            "-qec",
            &helper::line("sys::driver::play_forward"),
            "/dev/null",
        ])
        .env(
            "LINE",
            "test -t 0 && test -t 1 && exec 3</dev/tty && exit 9",
        )
        .env("MODE", "inherit")
        .env("REPORT", &report)
        .stdin(Stdio::null())
        .output();
    if script.is_err() {
        // No program here makes a terminal.
        return;
    }
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "9 0");
}

#[test]
fn what_a_tool_prints_aside_leaves_standard_output_alone() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let mut child = helper::part("sys::driver::play_forward")
        .env("LINE", "read -r line; echo \"printed $line\"; exit 7")
        .env("MODE", "aside")
        .env("REPORT", &report)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"this\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("printed this");
    assert!(holds(&output.stderr) && !holds(&output.stdout));
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "7 0");
}

#[test]
fn who_is_asked_for_an_account_has_its_time_and_no_more() {
    let pack = hcp_core::names::PackId::new("p").unwrap();
    let whose = Whose {
        tenant: "t",
        principal: "u1",
        project: None,
        pack: &pack,
    };
    for driver in [ProcessDriver::new(), ProcessDriver::leaving_nothing()] {
        let mut call = sh("trap '' TERM INT HUP; echo ana; sleep 30; sleep 30");
        call.timeout = Some(Duration::from_millis(300));
        let begun = Instant::now();
        let result = pollster::block_on(driver.identity(&whose, &call));
        let RunResult::TimedOut(ended) = result else {
            panic!("{result:?}");
        };
        assert_eq!(ended.stdout.bytes, b"ana\n");
        assert!(
            begun.elapsed() < Duration::from_millis(1_800),
            "{:?}",
            begun.elapsed()
        );
    }
}

/// What starting through the driver costs beside the standard library's own way.
#[test]
#[ignore = "a measurement: cargo test -p hcp --release --test it -- --ignored --nocapture cost_of_a_start"]
fn cost_of_a_start() {
    let call = call("/bin/true", &[]);
    let mut driver = Vec::new();
    let mut plain = Vec::new();
    for _ in 0..500 {
        let begun = Instant::now();
        run(&call);
        driver.push(begun.elapsed());
        let begun = Instant::now();
        let output = std::process::Command::new(&call.program)
            .env_clear()
            .stdin(Stdio::null())
            .output();
        output.unwrap();
        plain.push(begun.elapsed());
    }
    driver.sort();
    plain.sort();
    println!("driver {:?}, std {:?}", driver[250], plain[250]);
}
