//! The audit log: real files, real processes, every kind of damage.

use crate::child::{report, reports, start};
use hcp::audit::{
    AuditError, AuditLog, AuditOptions, AuditSink, FILE_NAME, FaultKind, Filter, Flush, Followed,
    KEY_NAME,
};
use hcp::event::{ArgsDigest, Detail, Event, EventKind, Via};
use hcp_core::canonical::{Tag, digest, sha256};
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::principal::{Principal, PrincipalKind};
use jiff::Timestamp;
use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn log(home: &Path) -> AuditLog {
    AuditLog::new(home, AuditOptions::default())
}

fn now() -> Timestamp {
    "2026-12-01T12:00:00Z".parse().unwrap()
}

fn event(n: u64) -> Event {
    let mut event = Event::new(now(), Detail::Call);
    event.call = Some(format!("call-{n}"));
    event.via = Some(Via::Cli);
    event.principal = Some(Principal {
        id: if n.is_multiple_of(2) { "u0" } else { "u1" }.into(),
        kind: PrincipalKind::Agent,
    });
    event.pack = Some(if n.is_multiple_of(3) { "ledger" } else { "gh" }.into());
    event.command = Some("transfer".into());
    event.decision = Some(if n.is_multiple_of(5) {
        Decision::Deny
    } else {
        Decision::Allow
    });
    event.args = vec!["payee".into(), "amount".into()];
    event
}

/// A home whose log has so many lines.
fn written(lines: u64) -> TempDir {
    let home = TempDir::new().unwrap();
    let log = log(home.path());
    for n in 1..=lines {
        assert_eq!(log.record(&event(n), Flush::Later).unwrap().seq, n);
    }
    home
}

fn path(home: &TempDir) -> PathBuf {
    home.path().join(FILE_NAME)
}

fn lines(home: &TempDir) -> Vec<String> {
    let text = std::fs::read_to_string(path(home)).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn write_lines(home: &TempDir, lines: &[String]) {
    std::fs::write(path(home), lines.join("\n") + "\n").unwrap();
}

/// The kinds and lines of all faults.
fn faults(home: &TempDir) -> Vec<(FaultKind, u64)> {
    let report = log(home.path()).verify(None).unwrap();
    report.faults.iter().map(|f| (f.kind, f.line)).collect()
}

fn raw_append(home: &TempDir, text: &str) {
    let mut file = OpenOptions::new().append(true).open(path(home)).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn lines_are_numbered_and_chained() {
    let home = written(3);
    let lines = lines(&home);
    assert!(
        lines[0].ends_with(r#","seq":1,"prev":null}"#),
        "{}",
        lines[0]
    );
    assert!(lines[0].starts_with(r#"{"time":"2026-12-01T12:00:00.000Z","event":"call","call":"call-1","via":"cli","principal":{"id":"u1","kind":"agent"},"tenant":null,"#), "{}", lines[0]);
    assert!(lines[0].contains(r#""args":["amount","payee"]"#));
    for n in 1..3 {
        let prev = sha256(lines[n - 1].as_bytes());
        assert!(lines[n].ends_with(&format!(r#","seq":{},"prev":"{prev}"}}"#, n + 1)));
    }
    let head = log(home.path()).head().unwrap().unwrap();
    assert_eq!((head.seq, head.head), (3, sha256(lines[2].as_bytes())));
    let report = log(home.path()).verify(Some(&head.head)).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.lines, report.files, report.seq), (3, 1, Some(3)));
    let mode = std::fs::metadata(path(&home)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_log_that_is_not_there_is_whole_and_empty() {
    let home = TempDir::new().unwrap();
    let log = log(home.path());
    assert_eq!(log.head().unwrap(), None);
    assert!(log.verify(None).unwrap().is_whole());
    assert!(log.read(&Filter::default()).unwrap().lines.is_empty());
    assert_eq!(log.rotate(now()).unwrap(), None);
    let report = log.verify(Some(&sha256(b"x"))).unwrap();
    assert_eq!(report.faults[0].kind, FaultKind::Cut);
}

#[test]
fn every_kind_of_damage_is_named_with_its_line() {
    use FaultKind::{Dropped, Edited, Foreign, Forked, Glued, MissingStart, Reordered, Torn};
    type Case<'c> = (&'c str, fn(&mut Vec<String>), &'c [(FaultKind, u64)]);
    let cases: [Case<'_>; 17] = [
        ("nothing", |_| {}, &[]),
        (
            "a word",
            |l| l[3] = l[3].replace("gh", "ledger"),
            &[(Edited, 4)],
        ),
        (
            "a word of the first",
            |l| l[0] = l[0].replace("gh", "ledger"),
            &[(Edited, 1)],
        ),
        ("white space", |l| l[3].insert(1, ' '), &[(Edited, 4)]),
        (
            "its number",
            |l| l[3] = l[3].replace("\"seq\":4", "\"seq\":40"),
            &[(Edited, 4), (Edited, 4)],
        ),
        ("one dropped", |l| drop(l.remove(3)), &[(Dropped, 4)]),
        ("three dropped", |l| drop(l.drain(3..6)), &[(Dropped, 4)]),
        (
            "the first dropped",
            |l| drop(l.remove(0)),
            &[(MissingStart, 1)],
        ),
        ("two swapped", |l| l.swap(3, 4), &[(Reordered, 5)]),
        (
            "one moved to the end",
            |l| {
                let x = l.remove(2);
                l.push(x);
            },
            &[(Reordered, 10)],
        ),
        (
            "two glued",
            |l| {
                let x = l.remove(4);
                l[3].push_str(&x);
            },
            &[(Glued, 4)],
        ),
        (
            "three glued",
            |l| {
                let x = l.drain(4..6).collect::<String>();
                l[3].push_str(&x);
            },
            &[(Glued, 4)],
        ),
        (
            "one repeated",
            |l| l.insert(4, l[3].clone()),
            &[(Forked, 5)],
        ),
        (
            "an old one repeated",
            |l| l.push(l[3].clone()),
            &[(Forked, 11)],
        ),
        (
            "one torn",
            |l| {
                let end = l[3].len() / 2;
                l[3].truncate(end);
            },
            &[(Torn, 4)],
        ),
        (
            "a foreign one",
            |l| l.insert(3, "hello".into()),
            &[(Foreign, 4)],
        ),
        (
            "an empty one",
            |l| l.insert(3, String::new()),
            &[(Foreign, 4)],
        ),
    ];
    for (what, damage, want) in cases {
        let home = written(10);
        let mut lines = lines(&home);
        damage(&mut lines);
        write_lines(&home, &lines);
        assert_eq!(faults(&home), want, "{what}");
        // Writing goes on, and hides nothing of it.
        let seq = log(home.path()).record(&event(99), Flush::Now).unwrap().seq;
        assert!(seq > 3, "{what}");
        assert!(
            faults(&home).len() >= want.len(),
            "{what}: {:?}",
            faults(&home)
        );
    }
}

#[test]
fn two_writers_without_a_lock_are_a_fork() {
    let home = written(5);
    let before = lines(&home);
    log(home.path()).record(&event(6), Flush::Now).unwrap();
    let one = lines(&home).pop().unwrap();
    write_lines(&home, &before);
    log(home.path()).record(&event(60), Flush::Now).unwrap();
    raw_append(&home, &(one + "\n"));
    log(home.path()).record(&event(7), Flush::Now).unwrap();
    assert_eq!(faults(&home), [(FaultKind::Forked, 7)]);
}

#[test]
fn a_cut_end_shows_against_a_head_kept_elsewhere() {
    let home = written(5);
    let head = log(home.path()).head().unwrap().unwrap().head;
    log(home.path()).record(&event(6), Flush::Now).unwrap();
    assert!(
        log(home.path()).verify(Some(&head)).unwrap().is_whole(),
        "the log only grew"
    );
    write_lines(&home, &lines(&home)[..4]);
    assert!(log(home.path()).verify(None).unwrap().is_whole());
    let report = log(home.path()).verify(Some(&head)).unwrap();
    assert_eq!(report.faults[0].kind, FaultKind::Cut);
}

#[test]
fn a_torn_end_is_closed_off_and_recorded() {
    let home = written(3);
    let whole = std::fs::read_to_string(path(&home)).unwrap();
    raw_append(&home, r#"{"time":"2026"#);
    assert_eq!(faults(&home), [(FaultKind::Torn, 4)]);
    assert_eq!(log(home.path()).head().unwrap().unwrap().seq, 3);
    let recorded = log(home.path()).record(&event(4), Flush::Now).unwrap();
    assert_eq!(recorded.seq, 5);
    let after = std::fs::read_to_string(path(&home)).unwrap();
    assert!(
        after.starts_with(&format!("{whole}{{\"time\":\"2026\n")),
        "nothing is edited"
    );
    let torn = lines(&home)[4].clone();
    assert!(
        torn.contains(r#""event":"audit","act":"torn","bytes":13,"#),
        "{torn}"
    );
    let report = log(home.path()).verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!(report.notes.len(), 1);
    // What is said of it must be true.
    let mut lines = lines(&home);
    lines[3] = r#"{"time":"2027"#.into();
    write_lines(&home, &lines);
    assert!(!faults(&home).is_empty());
}

#[test]
fn a_line_that_lacks_only_its_break_stays_a_line() {
    for count in [1, 3] {
        let home = written(count);
        let text = std::fs::read_to_string(path(&home)).unwrap();
        std::fs::write(path(&home), text.trim_end()).unwrap();
        assert_eq!(
            log(home.path()).record(&event(4), Flush::Now).unwrap().seq,
            count + 2
        );
        assert_eq!(faults(&home), []);
    }
}

#[test]
fn a_log_that_begins_torn_goes_on() {
    let home = TempDir::new().unwrap();
    std::fs::write(path(&home), "{\"ti").unwrap();
    std::fs::set_permissions(path(&home), Permissions::from_mode(0o600)).unwrap();
    assert_eq!(
        log(home.path()).record(&event(1), Flush::Now).unwrap().seq,
        2
    );
    assert_eq!(faults(&home), []);
}

#[test]
fn the_same_log_object_sees_what_others_wrote() {
    let home = TempDir::new().unwrap();
    let (one, two) = (log(home.path()), log(home.path()));
    for n in 0..10 {
        one.record(&event(n), Flush::Later).unwrap();
        two.record(&event(n), Flush::Later).unwrap();
        two.record(&event(n), Flush::Later).unwrap();
        if n == 5 {
            one.rotate(now()).unwrap();
        }
    }
    let report = log(home.path()).verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.lines, report.files), (31, 2));
}

#[test]
fn rotation_continues_the_chain_and_deletes_nothing() {
    let home = written(4);
    let log = log(home.path());
    let first = std::fs::read(path(&home)).unwrap();
    let old = log.rotate(now()).unwrap().unwrap();
    assert_eq!(old.file_name().unwrap(), "audit-000000000004.jsonl");
    assert_eq!(std::fs::read(&old).unwrap(), first);
    assert!(
        lines(&home)[0].contains(r#""act":"rotation","file":"audit-000000000004.jsonl","seq":5"#)
    );
    log.record(&event(6), Flush::Now).unwrap();
    log.rotate(now()).unwrap();
    raw_append(&home, "torn");
    let third = log.rotate(now()).unwrap().unwrap();
    log.record(&event(9), Flush::Now).unwrap();
    let report = log.verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.files, report.lines, report.seq), (4, 11, Some(10)));

    // Old files are the person's to remove, from the beginning; what is gone is said.
    std::fs::remove_file(&old).unwrap();
    let report = log.verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert!(
        report
            .notes
            .iter()
            .any(|n| n.contains("audit-000000000004.jsonl")),
        "{report:?}"
    );
    // An edited line in an old file is named with its file.
    let text = std::fs::read_to_string(&third).unwrap();
    std::fs::write(&third, text.replace("rotation", "rotatiom")).unwrap();
    let report = log.verify(None).unwrap();
    assert_eq!(
        (report.faults[0].file.as_str(), report.faults[0].line),
        (third.file_name().unwrap().to_str().unwrap(), 1)
    );
    // The current file gone, or cut to nothing.
    std::fs::write(path(&home), "").unwrap();
    assert!(
        log.verify(None)
            .unwrap()
            .faults
            .iter()
            .any(|f| f.kind == FaultKind::Cut)
    );
}

#[test]
fn a_file_that_is_missing_goes_on_from_the_rotated_ones() {
    let home = written(4);
    let log = log(home.path());
    log.rotate(now()).unwrap();
    std::fs::remove_file(path(&home)).unwrap();
    assert!(
        log.verify(None)
            .unwrap()
            .faults
            .iter()
            .any(|f| f.kind == FaultKind::Cut)
    );
    assert_eq!(log.record(&event(5), Flush::Now).unwrap().seq, 6);
    assert!(log.verify(None).unwrap().is_whole());
}

#[test]
fn a_rotation_killed_half_way_is_finished_by_the_next() {
    let home = written(4);
    std::fs::hard_link(path(&home), home.path().join("audit-000000000004.jsonl")).unwrap();
    let log = log(home.path());
    assert!(log.verify(None).unwrap().is_whole());
    assert_eq!(log.read(&Filter::default()).unwrap().lines.len(), 4);
    log.record(&event(5), Flush::Now).unwrap();
    log.rotate(now()).unwrap();
    let report = log.verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.files, report.lines), (2, 6));
}

#[test]
fn a_full_file_is_rotated_by_itself() {
    let home = TempDir::new().unwrap();
    let options = AuditOptions {
        max_bytes: 4096,
        ..AuditOptions::default()
    };
    let log = AuditLog::new(home.path(), options);
    for n in 0..50 {
        log.record(&event(n), Flush::Later).unwrap();
    }
    let report = log.verify(None).unwrap();
    assert!(report.is_whole() && report.files > 3, "{report:?}");
    let calls = Filter {
        event: Some(EventKind::Call),
        ..Filter::default()
    };
    assert_eq!(log.read(&calls).unwrap().lines.len(), 50);
    let newest = Filter {
        limit: Some(20),
        ..calls
    };
    let lines = log.read(&newest).unwrap().lines;
    assert_eq!(lines.len(), 20);
    assert_eq!(lines[19].get("call"), Some(&Value::from("call-49")));
    assert_eq!(lines[0].get("call"), Some(&Value::from("call-30")));
}

#[test]
fn lines_are_found_by_what_they_are_about() {
    let home = written(30);
    let log = log(home.path());
    let count = |filter: Filter| log.read(&filter).unwrap().lines.len();
    let all = Filter::default();
    assert_eq!(count(all.clone()), 30);
    assert_eq!(
        count(Filter {
            limit: Some(0),
            ..all.clone()
        }),
        0
    );
    assert_eq!(
        count(Filter {
            pack: Some("ledger".into()),
            ..all.clone()
        }),
        10
    );
    assert_eq!(
        count(Filter {
            command: Some("transfer".into()),
            ..all.clone()
        }),
        30
    );
    assert_eq!(
        count(Filter {
            command: Some("ledger.transfer".into()),
            ..all.clone()
        }),
        10
    );
    assert_eq!(
        count(Filter {
            command: Some("ledger.other".into()),
            ..all.clone()
        }),
        0
    );
    assert_eq!(
        count(Filter {
            decision: Some(Decision::Deny),
            ..all.clone()
        }),
        6
    );
    assert_eq!(
        count(Filter {
            principal: Some("u1".into()),
            ..all.clone()
        }),
        15
    );
    assert_eq!(
        count(Filter {
            since: Some(now()),
            ..all.clone()
        }),
        30
    );
    let later = "2026-12-01T12:00:01Z".parse().unwrap();
    assert_eq!(
        count(Filter {
            since: Some(later),
            ..all.clone()
        }),
        0
    );
    assert_eq!(
        count(Filter {
            event: Some(EventKind::Outcome),
            ..all
        }),
        0
    );
    assert_eq!(log.show("call-7").unwrap().len(), 1);
    assert_eq!(log.show("7").unwrap(), log.show("call-7").unwrap());
    assert_eq!(log.show("no such call").unwrap(), Vec::<Value>::new());
}

#[test]
fn following_goes_across_rotations() {
    let home = written(3);
    let reader = log(home.path());
    let writer = log(home.path());
    let mut seen = Vec::new();
    let mut step = 0;
    reader
        .follow(Duration::from_millis(1), &mut |followed| {
            match followed {
                Followed::Line(line) => seen.push(line.get("seq").unwrap().as_u64().unwrap()),
                Followed::Idle => {
                    match step {
                        0 => drop(writer.record(&event(4), Flush::Later).unwrap()),
                        1 => {
                            for n in 0..3 {
                                writer.record(&event(n), Flush::Later).unwrap();
                                writer.rotate(now()).unwrap();
                            }
                        }
                        2 => raw_append(&home, "{\"half"),
                        3 => drop(writer.record(&event(9), Flush::Later).unwrap()),
                        4 => {}
                        _ => return ControlFlow::Break(()),
                    }
                    step += 1;
                }
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(seen, (4..=12).collect::<Vec<u64>>());
}

#[test]
fn digests_of_arguments_are_keyed_once_there_is_a_key() {
    let home = TempDir::new().unwrap();
    let log = log(home.path());
    let args = Value::from(Object::new().with("amount", "5"));
    let bare = ArgsDigest::Sha256(digest(Tag::Audit, &args));
    assert_eq!(log.args_digest(&args).unwrap(), bare);
    assert!(log.key_init(now()).unwrap());
    assert!(!log.key_init(now()).unwrap());
    let ArgsDigest::Hmac(keyed) = log.args_digest(&args).unwrap() else {
        panic!("not keyed")
    };
    assert_ne!(bare, ArgsDigest::Sha256(keyed));
    let mut event = event(1);
    event.args_digest = Some(ArgsDigest::Hmac(keyed));
    log.record(&event, Flush::Now).unwrap();
    let lines = lines(&home);
    assert!(lines[0].contains(r#""event":"audit","act":"key""#));
    assert!(
        lines[1].contains(&format!(r#""args_hmac":"{keyed}""#))
            && !lines[1].contains("args_sha256")
    );
    // A key that cannot be used is never passed over.
    let key = home.path().join(KEY_NAME);
    std::fs::set_permissions(&key, Permissions::from_mode(0o644)).unwrap();
    assert!(log.args_digest(&args).is_err());
    std::fs::remove_file(&key).unwrap();
    std::fs::write(&key, "short").unwrap();
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    assert!(log.args_digest(&args).is_err());
}

#[test]
fn an_agents_words_stay_on_their_line() {
    let home = TempDir::new().unwrap();
    let log = log(home.path());
    let mut event = event(1);
    event.reason = Some("a\n{\"seq\":9}\u{202e}\u{7f}\u{2028}\u{1b}[31m".into());
    event.args = vec!["x\ny".into()];
    log.record(&event, Flush::Now).unwrap();
    log.record(&event, Flush::Now).unwrap();
    let text = std::fs::read_to_string(path(&home)).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(
        text.chars()
            .all(|c| c == '\n' || !hcp_core::text::is_unsafe(c))
    );
    let read = log.read(&Filter::default()).unwrap();
    assert_eq!(
        read.lines[0].get("reason").unwrap().as_str(),
        event.reason.as_deref()
    );
    assert!(log.verify(None).unwrap().is_whole());
}

#[test]
fn only_a_file_of_ones_own_is_written() {
    let home = written(1);
    let real = home.path().join("real");
    let reason = || {
        let log = log(home.path());
        let AuditError::Unavailable { reason, .. } = log.ready().unwrap_err() else {
            panic!("another error")
        };
        assert!(log.record(&event(2), Flush::Now).is_err());
        reason
    };
    std::fs::rename(path(&home), &real).unwrap();
    let before = std::fs::read(&real).unwrap();
    symlink(&real, path(&home)).unwrap();
    assert!(reason().contains("symbolic link"));
    std::fs::remove_file(path(&home)).unwrap();
    nix::unistd::mkfifo(&path(&home), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(reason().contains("not a regular file"));
    std::fs::remove_file(path(&home)).unwrap();
    std::fs::create_dir(path(&home)).unwrap();
    assert!(!reason().is_empty());
    std::fs::remove_dir(path(&home)).unwrap();
    std::fs::copy(&real, path(&home)).unwrap();
    std::fs::set_permissions(path(&home), Permissions::from_mode(0o602)).unwrap();
    assert!(reason().contains("others may write"));
    std::fs::set_permissions(path(&home), Permissions::from_mode(0o600)).unwrap();
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::chown(path(&home), Some(12_345), None).unwrap();
        assert!(reason().contains("belongs to user 12345"));
    }
    assert_eq!(std::fs::read(&real).unwrap(), before);
}

#[test]
fn a_log_object_notices_that_its_file_was_replaced() {
    let home = written(2);
    let log = log(home.path());
    log.record(&event(3), Flush::Now).unwrap();
    let real = home.path().join("real");
    std::fs::rename(path(&home), &real).unwrap();
    symlink(&real, path(&home)).unwrap();
    assert!(log.record(&event(4), Flush::Now).is_err());
}

#[test]
fn a_lock_is_waited_for_only_so_long() {
    let home = written(1);
    let holder = OpenOptions::new().read(true).open(path(&home)).unwrap();
    holder.lock().unwrap();
    let options = AuditOptions {
        patience: Duration::from_millis(50),
        ..AuditOptions::default()
    };
    let log = AuditLog::new(home.path(), options);
    let since = Instant::now();
    assert!(log.record(&event(2), Flush::Now).is_err());
    assert!(since.elapsed() < Duration::from_secs(1));
    holder.unlock().unwrap();
    assert_eq!(log.record(&event(2), Flush::Now).unwrap().seq, 2);
}

/// A process of its own that appends many events.
pub(crate) fn append_many(home: &Path, argument: &str) {
    let (count, max_bytes) = argument.split_once(' ').unwrap();
    let options = AuditOptions {
        max_bytes: max_bytes.parse().unwrap(),
        patience: Duration::from_secs(30),
    };
    let log = AuditLog::new(home, options);
    for n in 0..count.parse().unwrap() {
        let mut event = event(n);
        event.call = Some(format!("{}-{n}", std::process::id()));
        let flush = if n.is_multiple_of(10) {
            Flush::Now
        } else {
            Flush::Later
        };
        log.record(&event, flush).unwrap();
    }
    report("done");
}

#[test]
fn sixteen_processes_append_at_once() {
    for (count, max_bytes) in [(500_u64, u64::MAX), (60, 20_000)] {
        let home = TempDir::new().unwrap();
        let argument = format!("{count} {max_bytes}");
        let children: Vec<_> = (0..16)
            .map(|_| start("append", home.path(), &argument))
            .collect();
        let done: Vec<_> = children.into_iter().flat_map(reports).collect();
        assert_eq!(done.len(), 16);
        let log = log(home.path());
        let report = log.verify(None).unwrap();
        assert!(report.is_whole(), "{report:?}");
        let calls = Filter {
            event: Some(EventKind::Call),
            ..Filter::default()
        };
        let lines = log.read(&calls).unwrap().lines;
        let mut ids: Vec<&str> = lines
            .iter()
            .filter_map(|l| l.get("call")?.as_str())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(u64::try_from(ids.len()).unwrap(), 16 * count);
    }
}

#[test]
fn threads_of_one_log_take_turns() {
    let home = TempDir::new().unwrap();
    let log = log(home.path());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for n in 0..100 {
                    log.record(&event(n), Flush::Later).unwrap();
                }
            });
        }
    });
    let report = log.verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!(report.seq, Some(800));
}

#[test]
fn a_kill_at_any_moment_leaves_a_chain() {
    let home = TempDir::new().unwrap();
    for round in 0..10_u64 {
        let mut child = start("append", home.path(), "1000000 30000");
        std::thread::sleep(Duration::from_millis(30 + 5 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let report = log(home.path()).verify(None).unwrap();
        assert!(report.is_whole(), "{report:?}");
    }
    log(home.path()).record(&event(1), Flush::Now).unwrap();
    assert!(log(home.path()).verify(None).unwrap().is_whole());
}

/// A process of its own whose files may not grow beyond a limit.
pub(crate) fn append_until_full(home: &Path, limit: &str) {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let limit: u64 = limit.parse().unwrap();
    let (_, hard) = getrlimit(Resource::RLIMIT_FSIZE).unwrap();
    setrlimit(Resource::RLIMIT_FSIZE, limit, hard).unwrap();
    let log = log(home);
    let ready = log.ready().is_ok();
    let mut written = 0;
    let error = loop {
        match log.record(&event(written), Flush::Now) {
            Ok(_) => written += 1,
            Err(e) => break e,
        }
    };
    assert!(log.ready().is_err());
    let failed = log.record(&event(0), Flush::Now).is_err();
    setrlimit(Resource::RLIMIT_FSIZE, hard, hard).unwrap();
    let again = log.record(&event(0), Flush::Now).is_ok();
    report(&format!(
        "{ready} {} {failed} {again} {error}",
        written > 10
    ));
}

#[test]
fn a_limit_on_files_refuses_and_damages_nothing() {
    let home = TempDir::new().unwrap();
    for (limit, ready) in [("10000", "false"), ("100000", "true")] {
        let out = reports(start("append-limited", home.path(), limit));
        assert!(
            out[0].starts_with(&format!("{ready} true true true the audit log")),
            "{out:?}"
        );
        assert!(log(home.path()).verify(None).unwrap().is_whole());
    }
}

/// A small file system of its own; nothing where this user may not mount one.
struct Small(TempDir);

impl Small {
    fn mount() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let done = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
            .arg(folder.path())
            .output();
        done.is_ok_and(|out| out.status.success())
            .then(|| Self(folder))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let done = std::process::Command::new("umount")
            .arg(self.0.path())
            .output();
        assert!(done.is_ok_and(|out| out.status.success()));
    }
}

#[test]
fn a_full_disk_refuses_and_damages_nothing() {
    let Some(small) = Small::mount() else { return };
    let home = small.0.path();
    let log = log(home);
    log.ready().unwrap();
    // Everything that is left is filled, and the room that was found is still there.
    let filler = home.join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
    let mut written = 0_u64;
    let error = loop {
        match log.record(&event(written), Flush::Now) {
            Ok(_) => written += 1,
            Err(e) => break e.to_string(),
        }
    };
    assert!(error.contains("free some space"), "{error}");
    let length = std::fs::metadata(home.join(FILE_NAME)).unwrap().len();
    assert!(length >= 63 * 1024, "{length}");
    assert!(log.ready().is_err());
    for _ in 0..3 {
        assert!(log.record(&event(0), Flush::Now).is_err());
    }
    drop(file);
    std::fs::remove_file(filler).unwrap();
    log.ready().unwrap();
    log.record(&event(1), Flush::Now).unwrap();
    let report = log.verify(None).unwrap();
    assert!(report.is_whole(), "{report:?}");
    let calls = Filter {
        event: Some(EventKind::Call),
        ..Filter::default()
    };
    assert_eq!(
        u64::try_from(log.read(&calls).unwrap().lines.len()).unwrap(),
        written + 1
    );
}

/// Run by hand: `cargo test --release -p hcp --test it -- --ignored --nocapture what_an_append_costs`.
#[test]
#[ignore = "a measurement"]
fn what_an_append_costs() {
    const ROUNDS: u64 = 2_000;
    let home =
        TempDir::new_in(std::env::var("HCP_TEST_DISK").unwrap_or_else(|_| ".".into())).unwrap();
    let log = log(home.path());
    let line = {
        log.record(&event(1), Flush::Now).unwrap();
        std::fs::read(path(&home)).unwrap()
    };
    let mut bare = OpenOptions::new()
        .create(true)
        .append(true)
        .open(home.path().join("bare"))
        .unwrap();
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    let (mut theirs, mut ours, mut fresh) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..ROUNDS {
        let since = Instant::now();
        bare.write_all(&line).unwrap();
        bare.sync_data().unwrap();
        theirs.push(since.elapsed());
        let since = Instant::now();
        log.record(&event(n), Flush::Now).unwrap();
        ours.push(since.elapsed());
        let since = Instant::now();
        AuditLog::new(home.path(), AuditOptions::default())
            .record(&event(n), Flush::Now)
            .unwrap();
        fresh.push(since.elapsed());
    }
    println!(
        "write+fdatasync {:?}, append {:?}, append of a fresh process's log {:?}",
        median(&mut theirs),
        median(&mut ours),
        median(&mut fresh)
    );
}
