//! The access vectors, in the format of `hcpx access test`, against the core alone. The Policies of the packs
//! that they use stand here; whoever runs them through the program takes the real ones.

use crate::world::now;
use hcp_core::diagnostic::{Fault, Source};
use hcp_core::fields::{Fields, array, boolean, string, word};
use hcp_core::gate::{Call, Reading, ReasonCode};
use hcp_core::json::{Limits, Node, Object, parse};
use hcp_core::mode::{Approvals, Decision, Mode};
use hcp_core::names::VerbKey;
use hcp_core::policy::Policy;
use hcp_core::rule::{Rule, parse_time};
use hcp_core::settings::{AccessFile, Effective, Layers, Sourced};
use std::path::{Path, PathBuf};

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name)
}

/// The cases of a file, each with the whole file.
pub(crate) fn cases(path: &Path) -> Vec<(Node, Node)> {
    let text = std::fs::read_to_string(path).unwrap();
    let file = parse(&text, Limits::default())
        .map_err(|fault| Source::new(path.display().to_string(), &text).locate(&fault))
        .unwrap();
    let mut faults = Vec::new();
    let mut fields = Fields::open(&file, "a file of cases", &mut faults).unwrap();
    fields.optional("layers");
    fields.optional("now");
    let list = fields.required("cases", &mut faults).unwrap();
    let list = array(list, &mut faults).unwrap().to_vec();
    fields.finish(&mut faults);
    assert_eq!(faults, [], "{}", path.display());
    list.into_iter().map(|case| (file.clone(), case)).collect()
}

/// `defaults` and the commands of each pack, as in its `policy.json`.
const POLICIES: &[(&str, &str)] = &[
    ("ledger.balance", r#"{"operation":"read"}"#),
    ("ledger.list", r#"{"operation":"read"}"#),
    ("ledger.transfer", r#"{"confirm":"always"}"#),
    ("transit.fare", r#"{"operation":"read"}"#),
    ("transit.buy", r#"{"confirm":"ask"}"#),
    ("notes.list", r#"{"operation":"read"}"#),
    ("notes.add", r#"{"operation":"write"}"#),
    ("notes.delete", r#"{"confirm":"ask","undo":"no"}"#),
    ("git.log", r#"{"operation":"read"}"#),
    ("git.add", r#"{"operation":"write"}"#),
    (
        "git.commit",
        r#"{"raise":[{"when":{"like":{"config":"**"}},"confirm":"always"}]}"#,
    ),
];

fn policy(verb: &str) -> Policy {
    let text = POLICIES.iter().find(|(name, _)| *name == verb).unwrap().1;
    let mut faults = Vec::new();
    let node = parse(text, Limits::default()).unwrap();
    let policy = Policy::parse_entry(&node, &Policy::default(), &mut faults).unwrap();
    assert_eq!(faults, []);
    policy
}

fn body(node: &Node, faults: &mut Vec<Fault>) -> Sourced<AccessFile> {
    let body = AccessFile::parse(node).unwrap_or_else(|found| {
        faults.extend(found);
        AccessFile::default()
    });
    Sourced {
        file: "a file".to_owned(),
        body,
    }
}

fn layers(node: Option<&Node>, agent: bool, faults: &mut Vec<Fault>) -> Layers {
    let mut layers = Layers {
        agent,
        ..Layers::default()
    };
    let Some(node) = node else { return layers };
    let mut fields = Fields::open(node, "the layers", faults).unwrap();
    layers.operator = fields.optional("operator").map(|n| body(n, faults));
    layers.user = fields.optional("user").map(|n| body(n, faults));
    layers.project = fields
        .optional("project")
        .map(|n| body(n, faults))
        .into_iter()
        .collect();
    if let Some(rules) = fields.optional("session") {
        layers.session = array(rules, faults)
            .unwrap()
            .iter()
            .filter_map(|n| Rule::parse(n, faults))
            .collect();
    }
    if let Some(process) = fields.optional("process") {
        let mut process = Fields::open(process, "the process layer", faults).unwrap();
        let mode = process.optional("mode");
        layers.process_mode = mode.and_then(|n| word(n, "mode", Mode::WORDS, faults));
        let approvals = process.optional("approvals");
        layers.process_approvals =
            approvals.and_then(|n| word(n, "approvals word", Approvals::WORDS, faults));
        process.finish(faults);
    }
    fields.finish(faults);
    layers
}

fn check(file: &Node, case: &Node) -> Result<(), String> {
    let mut faults = Vec::new();
    let mut fields = Fields::open(case, "a case", &mut faults).unwrap();
    let mut text = |key| string(fields.required(key, &mut faults)?, &mut faults);
    let (name, pack, command, expect) =
        (text("name"), text("pack"), text("command"), text("expect"));
    let code = fields.optional("code").and_then(Node::as_str);
    let mut args = match fields.optional("args") {
        Some(n) => n.to_value().as_object().unwrap().clone(),
        None => Object::new(),
    };
    args.retain(|_, value| *value != hcp_core::json::Value::Null);
    let agent = fields
        .optional("agent")
        .is_some_and(|n| boolean(n, &mut faults).unwrap());
    let layers_node = fields.optional("layers").or(file.get("layers"));
    let time = fields.optional("now").or(file.get("now"));
    fields.finish(&mut faults);
    let layers = layers(layers_node, agent, &mut faults);
    let name = name.unwrap_or("a case without a name");
    assert_eq!(faults, [], "{name}");

    let verb = VerbKey::parse(&format!("{}.{}", pack.unwrap(), command.unwrap())).unwrap();
    let reading = Reading::default();
    let call = Call {
        verb: &verb,
        args: &args,
        policy: policy(&verb.to_string()).for_call(&args, &reading),
        reading: &reading,
    };
    let now = time.map_or_else(now, |n| parse_time(n.as_str().unwrap()).unwrap());
    let answer = Effective::merge(layers).decide(&call, now);
    let wanted = Decision::parse(expect.unwrap()).unwrap();
    let code_fits = code.is_none_or(|c| ReasonCode::parse(c).unwrap() == answer.reason_code);
    if answer.decision == wanted && code_fits {
        return Ok(());
    }
    Err(format!(
        "{name}: wanted {wanted} {code:?}, got {} {}: {}",
        answer.decision, answer.reason_code, answer.reason
    ))
}

#[test]
fn every_case_of_the_access_vectors() {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder("access"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let mut count = 0;
    let mut failed = Vec::new();
    for path in &paths {
        for (file, case) in cases(path) {
            count += 1;
            if let Err(what) = check(&file, &case) {
                failed.push(format!("{}: {what}", path.display()));
            }
        }
    }
    assert_eq!(failed, Vec::<String>::new());
    assert_eq!((paths.len(), count), (14, 322));
}
