//! Rules under test: a table of calls with the decisions expected, judged by the same gate as a run.
//!
//! The table is data; nothing in it is run, installed or recorded.

use hcp_core::code::Code;
use hcp_core::diagnostic::{Diagnostic, Fault, Source};
use hcp_core::fields::{self, Fields};
use hcp_core::gate::{Answer, Call, Reading, ReasonCode, TraceEntry};
use hcp_core::json::{Kind, Limits, Node, Object, parse_bytes};
use hcp_core::mode::Decision;
use hcp_core::names::{CommandName, PackId, VerbKey, did_you_mean};
use hcp_core::rule::{Rule, parse_time};
use hcp_core::settings::{AccessFile, Effective, Layers, Sourced};
use hcp_core::text::quoted;
use hcp_pack::Pack;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;

/// The largest test file, in bytes.
pub const MAX_BYTES: usize = 256 << 20;

/// No more rules than this are traced for one table: a table that fails as a whole would fill the memory.
const MOST_TRACED: usize = 20_000;

/// A table of cases, read.
#[derive(Debug)]
pub struct Table {
    /// Pack folders, relative to the file.
    pub packs: Vec<String>,
    layers: Option<Layers>,
    now: Option<Timestamp>,
    cases: Vec<Case>,
}

/// Why a case's pack cannot be used.
#[derive(Debug, Clone)]
pub struct NoPack {
    /// `unknown_pack`, `pack_changed` and the like.
    pub code: Code,
    /// In words.
    pub reason: String,
}

type Found = Result<Arc<Pack>, NoPack>;

#[derive(Debug)]
struct Case {
    name: String,
    pack: String,
    command: String,
    args: Object,
    agent: bool,
    expect: Decision,
    code: Option<ReasonCode>,
    layers: Option<Layers>,
    now: Option<Timestamp>,
}

/// What one case gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The case's name.
    pub name: String,
    /// What the gate said; `None` where the call was refused before it.
    pub answer: Option<Answer>,
    /// The reason code, or the result code of a call refused before the gate.
    pub code: String,
    /// Why, in words.
    pub reason: String,
    /// What the case expected, in words.
    pub expected: String,
    /// Whether the two are the same.
    pub ok: bool,
    /// The rules that were looked at, for a case that differs; `None` once the answer has traces enough.
    pub trace: Option<Vec<TraceEntry>>,
}

impl Table {
    /// Reads a test file.
    ///
    /// # Errors
    /// Every fault with file, line and column.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, Vec<Diagnostic>> {
        let text = String::from_utf8_lossy(bytes);
        let source = Source::new(name, &text);
        let locate =
            |faults: Vec<Fault>| faults.iter().map(|f| source.locate(f)).collect::<Vec<_>>();
        let node = parse_bytes(
            bytes,
            Limits {
                bytes: MAX_BYTES,
                depth: 64,
            },
        )
        .map_err(|f| locate(vec![f]))?;
        let mut faults = Vec::new();
        let table = read_table(&node, &mut faults);
        match table {
            Some(table) if faults.is_empty() => Ok(table),
            _ => Err(locate(faults)),
        }
    }

    /// Whether the table brings its own settings for every case.
    #[must_use]
    pub fn has_layers(&self) -> bool {
        self.layers.is_some()
    }

    /// Judges every case. `packs` gives a pack by its id, or why it cannot be used; `effective` are the settings in force, for a table without layers of its own.
    pub fn run(
        &self,
        packs: impl Fn(&PackId) -> Result<Arc<Pack>, NoPack>,
        effective: &Layers,
        now: Timestamp,
    ) -> Vec<Outcome> {
        let shared = self.layers.as_ref().unwrap_or(effective);
        let mut merged: HashMap<bool, Effective> = HashMap::new();
        let mut known: HashMap<&str, Found> = HashMap::new();
        let mut traced = 0;
        self.cases
            .iter()
            .map(|case| {
                let pack =
                    known
                        .entry(&case.pack)
                        .or_insert_with(|| match PackId::new(&case.pack) {
                            Some(id) => packs(&id),
                            None => Err(NoPack {
                                code: Code::UnknownPack,
                                reason: format!("{} is no pack id", quoted(&case.pack)),
                            }),
                        });
                let now = case.now.or(self.now).unwrap_or(now);
                let outcome = match &case.layers {
                    Some(layers) => case.judge(
                        pack,
                        &Effective::merge(for_caller(layers, case.agent)),
                        now,
                        traced < MOST_TRACED,
                    ),
                    None => {
                        let settings = merged.entry(case.agent).or_insert_with(|| {
                            // Many calls of one command are judged by the same rules.
                            Effective::merge(for_caller(shared, case.agent)).indexed()
                        });
                        case.judge(pack, settings, now, traced < MOST_TRACED)
                    }
                };
                traced += outcome.trace.as_ref().map_or(0, Vec::len);
                outcome
            })
            .collect()
    }
}

fn for_caller(layers: &Layers, agent: bool) -> Layers {
    Layers {
        agent,
        ..layers.clone()
    }
}

impl Case {
    fn judge(
        &self,
        pack: &Found,
        settings: &Effective,
        now: Timestamp,
        with_trace: bool,
    ) -> Outcome {
        let pack = match pack {
            Ok(pack) => pack,
            Err(why) => return self.refused(why.code.as_str(), why.reason.clone()),
        };
        let Some(command) = CommandName::new(&self.command).and_then(|n| pack.commands.get(&n))
        else {
            let names = pack.commands.keys().map(CommandName::as_str);
            let near = did_you_mean(&self.command, names)
                .map_or_else(String::new, |near| format!("; did you mean {near}?"));
            return self.refused(
                "unknown_command",
                format!("{} has no command {}{near}", pack.id, quoted(&self.command)),
            );
        };
        let args = match command
            .check_args(self.args.clone())
            .and_then(|args| command.render(&args).map(|_| args))
        {
            Ok(args) => args,
            Err(fault) => return self.refused("invalid_args", fault.message),
        };
        let verb = VerbKey {
            pack: pack.id.clone(),
            command: command.name.clone(),
        };
        let reading = Reading::default();
        let policy = command.policy.for_call(&args, &reading);
        let call = Call {
            verb: &verb,
            args: &args,
            policy,
            reading: &reading,
        };
        let answer = settings.decide(&call, now);
        let ok = answer.decision == self.expect
            && self.code.is_none_or(|code| code == answer.reason_code);
        let trace = if ok {
            Some(Vec::new())
        } else {
            with_trace.then(|| settings.explain(&call, now).1)
        };
        Outcome {
            name: self.name.clone(),
            code: answer.reason_code.as_str().to_owned(),
            reason: answer.reason.clone(),
            expected: self.expected(),
            answer: Some(answer),
            ok,
            trace,
        }
    }

    fn refused(&self, code: &str, reason: String) -> Outcome {
        Outcome {
            name: self.name.clone(),
            answer: None,
            code: code.to_owned(),
            reason: format!("refused before the gate: {reason}"),
            expected: self.expected(),
            ok: false,
            trace: Some(Vec::new()),
        }
    }

    fn expected(&self) -> String {
        match self.code {
            Some(code) => format!("{} ({code})", self.expect),
            None => self.expect.to_string(),
        }
    }
}

fn read_table(node: &Node, faults: &mut Vec<Fault>) -> Option<Table> {
    let mut fields = Fields::open(node, "the test file", faults)?;
    fields.optional("$schema");
    let packs = fields
        .optional("packs")
        .map(|n| fields::strings(n, faults))
        .unwrap_or_default();
    let layers = fields
        .optional("layers")
        .and_then(|n| read_layers(n, faults));
    let now = fields.optional("now").and_then(|n| read_time(n, faults));
    let cases = fields
        .required("cases", faults)
        .and_then(|n| fields::array(n, faults))
        .unwrap_or_default()
        .iter()
        .enumerate()
        .filter_map(|(i, n)| read_case(n, i, faults))
        .collect();
    fields.finish(faults);
    Some(Table {
        packs,
        layers,
        now,
        cases,
    })
}

fn read_case(node: &Node, index: usize, faults: &mut Vec<Fault>) -> Option<Case> {
    let mut fields = Fields::open(node, "a case", faults)?;
    let text = |n: Option<&Node>, faults: &mut Vec<Fault>| {
        n.and_then(|n| fields::string(n, faults)).map(str::to_owned)
    };
    let name = text(fields.optional("name"), faults).unwrap_or_else(|| format!("case {index}"));
    let pack = text(fields.required("pack", faults), faults);
    let command = text(fields.required("command", faults), faults);
    let args = fields
        .optional("args")
        .and_then(|n| read_args(n, faults))
        .unwrap_or_default();
    let agent = fields
        .optional("agent")
        .and_then(|n| fields::boolean(n, faults))
        .unwrap_or(false);
    let expect = fields
        .required("expect", faults)
        .and_then(|n| fields::word(n, Decision::WHAT, Decision::WORDS, faults));
    let code = fields
        .optional("code")
        .and_then(|n| fields::word(n, ReasonCode::WHAT, ReasonCode::WORDS, faults));
    let layers = fields
        .optional("layers")
        .and_then(|n| read_layers(n, faults));
    let now = fields.optional("now").and_then(|n| read_time(n, faults));
    fields.finish(faults);
    Some(Case {
        name,
        pack: pack?,
        command: command?,
        args,
        agent,
        expect: expect?,
        code,
        layers,
        now,
    })
}

fn read_args(node: &Node, faults: &mut Vec<Fault>) -> Option<Object> {
    let object = node.to_value().as_object().cloned();
    if object.is_none() {
        faults.push(Fault::at(
            node.span,
            format!("args must be an object, and this is {}", node.kind_name()),
        ));
    }
    object
}

fn read_time(node: &Node, faults: &mut Vec<Fault>) -> Option<Timestamp> {
    let text = fields::string(node, faults)?;
    let time = parse_time(text);
    if time.is_none() {
        faults.push(
            Fault::at(node.span, format!("{} is no time", quoted(text)))
                .help("write it like 2026-12-01T12:00:00Z"),
        );
    }
    time
}

fn read_layers(node: &Node, faults: &mut Vec<Fault>) -> Option<Layers> {
    let mut fields = Fields::open(node, "the layers", faults)?;
    let mut layers = Layers {
        operator: fields
            .optional("operator")
            .and_then(|n| body(n, "operator", faults)),
        user: fields
            .optional("user")
            .and_then(|n| body(n, "user", faults)),
        ..Layers::default()
    };
    if let Some(node) = fields.optional("process") {
        read_process(node, &mut layers, faults);
    }
    if let Some(node) = fields.optional("session") {
        layers.session = read_session(node, faults);
    }
    if let Some(node) = fields.optional("project") {
        layers.project = match &node.kind {
            Kind::Array(items) => items
                .iter()
                .filter_map(|n| body(n, "project", faults))
                .collect(),
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Object(_) => {
                body(node, "project", faults).into_iter().collect()
            }
        };
    }
    fields.finish(faults);
    Some(layers)
}

fn body(node: &Node, layer: &str, faults: &mut Vec<Fault>) -> Option<Sourced<AccessFile>> {
    match crate::settings::body(node) {
        Ok(body) => Some(Sourced {
            file: layer.to_owned(),
            body,
        }),
        Err(mut more) => {
            faults.append(&mut more);
            None
        }
    }
}

fn read_process(node: &Node, layers: &mut Layers, faults: &mut Vec<Fault>) {
    let Some(read) = body(node, "process", faults) else {
        return;
    };
    let AccessFile {
        mode,
        approvals,
        packs,
        rules,
        views,
        approval_minutes,
    } = read.body;
    if !packs.is_empty() || !rules.is_empty() || views.is_some() || approval_minutes.is_some() {
        faults.push(Fault::at(
            node.span,
            "the process layer holds mode and approvals only",
        ));
    }
    layers.process_mode = mode;
    layers.process_approvals = approvals;
}

/// The session's rules: a list, or a body with rules.
fn read_session(node: &Node, faults: &mut Vec<Fault>) -> Vec<Rule> {
    match &node.kind {
        Kind::Array(items) => items
            .iter()
            .filter_map(|n| Rule::parse(n, faults))
            .collect(),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) | Kind::Object(_) => {
            body(node, "session", faults)
                .map(|s| s.body.rules)
                .unwrap_or_default()
        }
    }
}
