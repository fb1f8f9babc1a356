//! `pack.json`: who the pack is.

use crate::pack::Connect;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Node, Value};
use hcp_core::names::PackId;
use hcp_core::policy::close_pack_object;
use hcp_core::text::quoted;

/// The longest timeout: a year.
const TIMEOUT_MAX: u64 = 365 * 24 * 3600;

/// What `pack.json` holds. `id` is `None` only beside a fault.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) id: Option<PackId>,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) summary: String,
    pub(crate) homepage: Option<String>,
    pub(crate) connect: Option<Connect>,
    pub(crate) env: Vec<String>,
    pub(crate) timeout: Option<u64>,
    pub(crate) programs: Vec<String>,
    pub(crate) runs: Option<Value>,
}

pub(crate) fn read(node: &Node, faults: &mut Vec<Fault>) -> Option<Manifest> {
    let mut fields = Fields::open(node, "pack.json", faults)?;
    let mut manifest = Manifest::default();
    if let Some(node) = fields.optional("$schema") {
        fields::string(node, faults);
    }
    if let Some(node) = fields.required("id", faults) {
        manifest.id = id(node, faults);
    }
    for (key, slot) in [
        ("name", &mut manifest.name),
        ("version", &mut manifest.version),
        ("summary", &mut manifest.summary),
    ] {
        if let Some(node) = fields.required(key, faults) {
            *slot = text(node, faults).unwrap_or_default();
        }
    }
    if let Some(node) = fields.optional("homepage") {
        manifest.homepage = text(node, faults);
    }
    if let Some(node) = fields.optional("connect") {
        manifest.connect = connect(node, faults);
    }
    if let Some(node) = fields.optional("env") {
        manifest.env = variables(node, faults);
    }
    if let Some(node) = fields.optional("timeout") {
        manifest.timeout = fields::whole(node, 0, TIMEOUT_MAX, faults);
    }
    if let Some(node) = fields.optional("programs") {
        manifest.programs = words(node, faults);
    }
    if let Some(node) = fields.optional("runs") {
        words(node, faults);
        manifest.runs = Some(node.to_value());
    }
    close_pack_object(fields, faults);
    Some(manifest)
}

fn id(node: &Node, faults: &mut Vec<Fault>) -> Option<PackId> {
    let text = fields::string(node, faults)?;
    let id = PackId::new(text);
    if id.is_none() {
        faults.push(
            Fault::at(node.span, format!("{} cannot be a pack's id", quoted(text)))
                .help(super::NAME_HELP),
        );
    }
    id
}

/// A string that says something.
fn text(node: &Node, faults: &mut Vec<Fault>) -> Option<String> {
    let text = fields::string(node, faults)?;
    if text.trim().is_empty() {
        faults
            .push(Fault::at(node.span, "this text is empty").help("write it, or take the key out"));
    }
    Some(text.to_owned())
}

fn connect(node: &Node, faults: &mut Vec<Fault>) -> Option<Connect> {
    let mut fields = Fields::open(node, "\"connect\"", faults)?;
    let cli = fields.required("cli", faults);
    let identity = fields.required("identity", faults);
    close_pack_object(fields, faults);
    let mut command = |node: Option<&Node>| node.map(|node| command(node, faults));
    let (cli, identity) = (command(cli), command(identity));
    Some(Connect {
        cli: cli?,
        identity: identity?,
    })
}

/// The words of a command without arguments.
fn command(node: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let words = words(node, faults);
    if matches!(&node.kind, hcp_core::json::Kind::Array(items) if items.is_empty()) {
        faults.push(
            Fault::at(node.span, "this command has no words")
                .help("begin with the program, like [\"gh\", \"auth\", \"login\"]"),
        );
    }
    words
}

/// Non-empty words.
fn words(node: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let mut words = Vec::new();
    for item in fields::array(node, faults).unwrap_or_default() {
        let Some(word) = fields::string(item, faults) else {
            continue;
        };
        if word.is_empty() || word.contains('\0') {
            faults.push(
                Fault::at(item.span, "this word is empty or holds a NUL character")
                    .help("write it, or take it out"),
            );
        }
        words.push(word.to_owned());
    }
    words
}

fn variables(node: &Node, faults: &mut Vec<Fault>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in fields::array(node, faults).unwrap_or_default() {
        let Some(name) = fields::string(item, faults) else {
            continue;
        };
        if !super::is_variable(name) {
            faults.push(super::no_variable(name, item.span));
        } else if names.iter().any(|seen| seen == name) {
            faults.push(
                Fault::at(item.span, format!("{} stands twice here", quoted(name)))
                    .help("keep one of the two"),
            );
        } else {
            names.push(name.to_owned());
        }
    }
    names
}
