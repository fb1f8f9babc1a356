//! An append to the audit log, on the disk before it returns, against a bare write of the same bytes.

use crate::Result;
use crate::measure::median;
use crate::report::{Section, at_most, ratio, time};
use hcp::audit::{AuditLog, AuditOptions, AuditSink, Flush};
use hcp::event::{Detail, Event, Via};
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::mode::{Decision, Mode};
use hcp_core::policy::Operation;
use hcp_core::principal::{Principal, PrincipalKind};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const WRITERS: usize = 16;

pub fn measure(quick: bool) -> Result<Vec<Section>> {
    let runs = if quick { 50 } else { 1_000 };
    // Beside the build: the folder for temporary files is often memory, where a flush costs nothing.
    let place = Path::new("target");
    let folder = if place.is_dir() {
        tempfile::tempdir_in(place)?
    } else {
        tempfile::tempdir()?
    };
    let (append, bare) = by_turns(folder.path(), runs)?;
    let shared = many_writers(folder.path(), runs.div_ceil(4))?;
    Ok(vec![Section {
        title: "A line of the audit log".to_owned(),
        text: format!(
            "The line of a write, flushed to the disk before the call returns; by turns with a bare write of \
             the same bytes and `fdatasync`. The last row is the time of {WRITERS} writers at once, divided \
             by their lines."
        ),
        columns: vec!["what", "time for a line", "÷ bare write"],
        rows: vec![
            vec![
                "write and `fdatasync`".to_owned(),
                time(bare),
                String::new(),
            ],
            vec![
                "append".to_owned(),
                time(append),
                at_most(ratio(append, bare), 1.3),
            ],
            vec![
                format!("append, {WRITERS} writers"),
                time(shared),
                format!("{:.2}×", ratio(shared, bare)),
            ],
        ],
    }])
}

fn by_turns(folder: &Path, runs: usize) -> Result<(Duration, Duration)> {
    let log = log(&folder.join("turns"))?;
    let event = event(&log)?;
    log.record(&event, Flush::Now)?;
    let line = std::fs::read(folder.join("turns").join(hcp::audit::FILE_NAME))?;
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("bare"))?;
    let (mut appends, mut bares) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let start = Instant::now();
        log.record(&event, Flush::Now)?;
        appends.push(start.elapsed());
        let start = Instant::now();
        file.write_all(&line)?;
        file.sync_data()?;
        bares.push(start.elapsed());
    }
    Ok((median(appends), median(bares)))
}

fn many_writers(folder: &Path, runs: usize) -> Result<Duration> {
    let home = folder.join("many");
    let writers = (0..WRITERS)
        .map(|_| log(&home))
        .collect::<Result<Vec<_>>>()?;
    let start = Instant::now();
    std::thread::scope(|scope| {
        let started: Vec<_> = writers
            .iter()
            .map(|log| {
                scope.spawn(move || -> std::result::Result<(), String> {
                    let event = event(log).map_err(|e| e.to_string())?;
                    for _ in 0..runs {
                        log.record(&event, Flush::Now).map_err(|e| e.to_string())?;
                    }
                    Ok(())
                })
            })
            .collect();
        started
            .into_iter()
            .try_for_each(|writer| writer.join().map_err(|_| "a writer failed".to_owned())?)
    })?;
    let lines = u32::try_from(WRITERS * runs)?;
    Ok(start.elapsed() / lines)
}

fn log(home: &Path) -> Result<AuditLog> {
    std::fs::create_dir_all(home)?;
    Ok(AuditLog::new(home, AuditOptions::default()))
}

fn event(log: &AuditLog) -> Result<Event> {
    let args = Object::new()
        .with("amount", "2.80")
        .with("payee", "demo-transit");
    let mut event = Event::new(jiff::Timestamp::now(), Detail::Call);
    event.call = Some(hcp::event::new_call_id()?);
    event.via = Some(Via::Cli);
    event.principal = Some(Principal {
        id: "ana".to_owned(),
        kind: PrincipalKind::Agent,
    });
    event.tenant = Some("local".to_owned());
    event.pack = Some("ledger".to_owned());
    event.command = Some("transfer".to_owned());
    event.operation = Some(Operation::Write);
    event.decision = Some(Decision::Allow);
    event.code = Some(Code::Ok);
    event.reason = Some("mode auto lets a write run".to_owned());
    event.mode = Some(Mode::Auto);
    event.ran = Some(true);
    event.args = args.keys().map(str::to_owned).collect();
    event.args_digest = Some(log.args_digest(&Value::from(args))?);
    Ok(event)
}
