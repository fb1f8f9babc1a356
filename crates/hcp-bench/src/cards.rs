//! The whole gate with card and options, against the decision alone; and how its cost grows with a long argument.

use crate::Result;
use crate::measure::per_call;
use crate::report::{Section, at_most, ratio, time};
use hcp::driver::{Driver, RenderedCall, RunResult};
use hcp::event::Event;
use hcp::{Gated, Hcp, VerbKey};
use hcp_core::gate::{Call, Reading};
use hcp_core::json::{Object, Value};
use hcp_core::policy::CallPolicy;
use hcp_core::settings::Effective;
use hcp_pack::{Pack, PackFiles};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

const SAMPLES: usize = 201;
/// What the whole gate with card and options may take.
const TARGET: Duration = Duration::from_micros(50);

const PACK: &str =
    r#"{ "id": "mail", "name": "Mail", "version": "1.0.0", "summary": "Sends mail." }"#;
const SURFACE: &str = r#"{ "commands": { "send": {
  "description": "Send a message.",
  "cli": ["mail", "send", "--to={{to}}", "--cc={{cc}}", "--bcc={{bcc}}", "--subject={{subject}}"],
  "stdin": "{{body}}",
  "args": { "type": "object", "properties": {
    "to": { "type": "array", "items": { "type": "string" }, "description": "Recipients" },
    "cc": { "type": "array", "items": { "type": "string" }, "description": "Copies" },
    "bcc": { "type": "array", "items": { "type": "string" }, "description": "Hidden copies" },
    "subject": { "type": "string", "description": "Subject" },
    "body": { "type": "string", "description": "Text" } },
    "required": ["to", "subject"] } } } }"#;
const POLICY: &str = r#"{ "commands": { "send": { "operation": "write", "confirm": "ask" } } }"#;

pub fn measure(quick: bool) -> Result<Vec<Section>> {
    let budget = Duration::from_secs(if quick { 1 } else { 4 });
    Ok(vec![whole_gate(budget)?, long_arguments(budget)?])
}

/// One call and all that judges it.
struct Bench {
    hcp: Hcp,
    access: Effective,
    verb: VerbKey,
    args: Object,
    policy: CallPolicy,
}

impl Bench {
    fn new(pack: Pack, verb: &str, args: Object) -> Result<Self> {
        let verb = VerbKey::parse(verb).ok_or("a verb key")?;
        let access = hcp::access(r#"{ "mode": "auto" }"#)?;
        let reading = Reading::default();
        let command = pack.command(verb.command.as_str()).ok_or("a command")?;
        let policy = command.policy.for_call(&args, &reading);
        let asks = hcp::gate_command(&pack, &verb, args.clone(), &access)?;
        if !matches!(asks, Gated::Ask(_)) {
            return Err(format!("{verb} does not ask").into());
        }
        let hcp = Hcp::builder()
            .driver(Nothing)
            .packs([pack])
            .access(access.clone())
            .audit(|_: &Event| Ok::<(), String>(()))
            .build()?;
        Ok(Self {
            hcp,
            access,
            verb,
            args,
            policy,
        })
    }

    fn decision(&self, budget: Duration) -> Duration {
        let (reading, now) = (Reading::default(), jiff::Timestamp::now());
        per_call(SAMPLES, budget, || {
            let call = Call {
                verb: &self.verb,
                args: &self.args,
                policy: self.policy,
                reading: &reading,
            };
            self.access.decide(&call, now)
        })
    }

    /// Grants, arguments, command line, decision, card and options.
    fn whole(&self, budget: Duration) -> Result<Duration> {
        let (pack, command) = (self.verb.pack.as_str(), self.verb.command.as_str());
        let preview = || {
            let judged = self.hcp.preview(pack, command, self.args.clone());
            pollster::block_on(judged)
        };
        preview()??;
        Ok(per_call(SAMPLES, budget, preview))
    }

    fn text(&self, budget: Duration) -> Result<Duration> {
        let (pack, command) = (self.verb.pack.as_str(), self.verb.command.as_str());
        let request = pollster::block_on(self.hcp.preview(pack, command, self.args.clone()))??;
        Ok(per_call(SAMPLES, budget, || {
            hcp_card::render(&request.card, 80)
        }))
    }
}

fn whole_gate(budget: Duration) -> Result<Section> {
    let payment = Object::new()
        .with("amount", "2.80")
        .with("payee", "demo-transit");
    let mut rows = Vec::new();
    for (pack, verb, args) in [
        (hcp::bundled_pack("ledger")?, "ledger.transfer", payment),
        (mail()?, "mail.send", message("See you at noon.".to_owned())),
    ] {
        let bench = Bench::new(pack, verb, args)?;
        let (alone, whole) = (bench.decision(budget), bench.whole(budget)?);
        let word = if whole <= TARGET { "met" } else { "missed" };
        rows.push(vec![
            verb.to_owned(),
            time(alone),
            format!("{} (at most {}: {word})", time(whole), time(TARGET)),
            format!("{:.1}×", ratio(whole, alone)),
            time(bench.text(budget)?),
        ]);
    }
    Ok(Section {
        title: "The whole gate with card and options".to_owned(),
        text: "Grants, arguments, command line, decision, card and options of one call that asks, through the \
               library, against the decision alone; and the card drawn as text."
            .to_owned(),
        columns: vec!["call", "decision alone", "whole gate", "÷ alone", "card as text"],
        rows,
    })
}

fn long_arguments(budget: Duration) -> Result<Section> {
    let mut rows = Vec::new();
    let mut first: Option<(usize, Duration)> = None;
    for bytes in [1_000, 10_000, 100_000, 1_000_000] {
        let body = "All the fares of next week, one by one. ".repeat(bytes / 40);
        let bench = Bench::new(mail()?, "mail.send", message(body))?;
        let whole = bench.whole(budget)?;
        let (least, base) = *first.get_or_insert((bytes, whole));
        rows.push(vec![
            format!("{} kB", bytes / 1_000),
            time(whole),
            at_most(ratio(whole, base) / (bytes as f64 / least as f64), 1.0),
        ]);
    }
    Ok(Section {
        title: "The whole gate and a long argument".to_owned(),
        text: "The same call with a longer body. The last column is the growth of the time against the growth of \
               the argument; at 1 it is linear."
            .to_owned(),
        columns: vec!["body", "whole gate", "growth"],
        rows,
    })
}

fn mail() -> Result<Pack> {
    let files = PackFiles {
        pack: PACK.into(),
        surface: SURFACE.into(),
        policy: POLICY.into(),
        ..PackFiles::default()
    };
    Pack::read(&files).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        faults.join("; ").into()
    })
}

fn message(body: String) -> Object {
    let to = |name: &str| Value::from(format!("{name}@example.org"));
    Object::new()
        .with("to", vec![to("ana"), to("ben")])
        .with("bcc", vec![to("audit")])
        .with("subject", "Lunch")
        .with("body", body)
}

/// A driver for calls that are only judged.
struct Nothing;

impl Driver for Nothing {
    fn run<'a>(
        &'a self,
        _call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        Box::pin(std::future::ready(RunResult::SpawnFailed {
            message: "calls are only judged here".to_owned(),
        }))
    }

    fn runs_programs(&self) -> bool {
        false
    }
}
