//! Reading `args`: a strict walk over the schema, so that what it lets through compiles.

mod walk;

use super::ArgSchema;
use crate::args::{Argument, bare_name};
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Kind, Member, Node, Object, Span, Value};
use hcp_core::names::{did_you_mean, is_argument_name};
use hcp_core::text::quoted;
use std::collections::HashSet;
use walk::Walk;

/// What a block of `args` declares.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) arguments: Vec<(Argument, Span)>,
    pub(crate) schema: ArgSchema,
}

impl Declared {
    /// No arguments at all.
    pub(crate) fn none() -> Self {
        Self {
            arguments: Vec::new(),
            schema: ArgSchema::new(Object::new()),
        }
    }
}

/// The most arguments of one block: each is held against every other.
const ARGUMENTS_MAX: usize = 1000;

/// Whose arguments a block declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Command,
    Globals,
}

/// Reads a block of `args`; `None` where it is no object.
pub(crate) fn declare(node: &Node, owner: Owner, faults: &mut Vec<Fault>) -> Option<Declared> {
    let mut top = Fields::open(node, "\"args\"", faults)?;
    if let Some(kind) = top.optional("type") {
        fields::word(kind, "type of \"args\"", &[("object", ())], faults);
    }
    if let Some(text) = top.optional("description") {
        fields::string(text, faults);
    }
    if let Some(open) = top.optional("additionalProperties") {
        check_closed(open, faults);
    }
    let properties = top.optional("properties").map(members(faults));
    let required = top.optional("required");
    let definitions = top.optional("$defs");
    top.finish(faults);

    let mut walk = Walk::new(faults);
    for member in properties.unwrap_or_default() {
        walk.property(member);
    }
    if let Some(definitions) = definitions {
        walk.schema_map(definitions, "/$defs", false);
    }
    walk.resolve_references();

    let Value::Object(root) = node.to_value() else {
        return None;
    };
    let schema = ArgSchema::new(root);
    let required = required.map(|node| names(node, faults)).unwrap_or_default();
    let arguments = arguments(
        properties.unwrap_or_default(),
        &schema,
        &required,
        owner,
        faults,
    );
    check_required(&required, &arguments, faults);
    Some(Declared { arguments, schema })
}

fn check_closed(node: &Node, faults: &mut Vec<Fault>) {
    if node.kind != Kind::Bool(false) {
        faults.push(
            Fault::at(node.span, "\"additionalProperties\" can only be false here")
                .help("take it out: an argument that is not declared is always refused"),
        );
    }
}

fn members<'n>(faults: &mut Vec<Fault>) -> impl FnOnce(&'n Node) -> &'n [Member] {
    |node| match Fields::open(node, "\"properties\"", faults) {
        Some(fields) => fields.members(),
        None => &[],
    }
}

/// A list of names, each with its place; a name that stands twice is a fault.
fn names(node: &Node, faults: &mut Vec<Fault>) -> Vec<(String, Span)> {
    let mut names: Vec<(String, Span)> = Vec::new();
    let mut seen = HashSet::new();
    for item in fields::array(node, faults).unwrap_or_default() {
        let Some(name) = fields::string(item, faults) else {
            continue;
        };
        if !seen.insert(name) {
            faults.push(
                Fault::at(item.span, format!("{} stands twice here", quoted(name)))
                    .help("keep one of the two"),
            );
        } else {
            names.push((name.to_owned(), item.span));
        }
    }
    names
}

fn check_required(
    required: &[(String, Span)],
    arguments: &[(Argument, Span)],
    faults: &mut Vec<Fault>,
) {
    for (name, span) in required {
        if arguments.iter().any(|(a, _)| a.name == *name) {
            continue;
        }
        let near = did_you_mean(name, arguments.iter().map(|(a, _)| a.name.as_str()));
        faults.push(
            Fault::at(
                *span,
                format!("{} is required and not declared", quoted(name)),
            )
            .help(match near {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => "declare it under \"properties\"".to_owned(),
            }),
        );
    }
}

fn arguments(
    properties: &[Member],
    schema: &ArgSchema,
    required: &[(String, Span)],
    owner: Owner,
    faults: &mut Vec<Fault>,
) -> Vec<(Argument, Span)> {
    let mut arguments: Vec<(Argument, Span)> = Vec::new();
    if let Some(first_more) = properties.get(ARGUMENTS_MAX) {
        faults.push(
            Fault::at(
                first_more.key_span,
                format!("these are more than {ARGUMENTS_MAX} arguments"),
            )
            .help("split the command"),
        );
    }
    for member in properties.iter().take(ARGUMENTS_MAX) {
        if !check_name(member, faults) {
            continue;
        }
        let Value::Object(own) = member.value.to_value() else {
            continue;
        };
        let argument = argument(&member.key, own, schema, required, owner);
        check_beside(&argument, member, &arguments, faults);
        arguments.push((argument, member.key_span));
    }
    arguments
}

fn check_name(member: &Member, faults: &mut Vec<Fault>) -> bool {
    let good = is_argument_name(&member.key);
    if !good {
        faults.push(
            Fault::at(
                member.key_span,
                format!("{} cannot be an argument's name", quoted(&member.key)),
            )
            .help(
                "begin with a letter; go on with letters, digits, - and _, 64 characters at most",
            ),
        );
    }
    good
}

fn argument(
    name: &str,
    own: Object,
    schema: &ArgSchema,
    required: &[(String, Span)],
    owner: Owner,
) -> Argument {
    let truth = |key: &str| own.get(key).and_then(Value::as_bool);
    let types = schema.types(name);
    let kind = match types.as_slice() {
        [one] => Some((*one).to_owned()),
        [] | [_, _, ..] => None,
    };
    let aliases = own.get("x-alias").and_then(Value::as_array);
    Argument {
        name: name.to_owned(),
        description: own
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        kind,
        required: required.iter().any(|(r, _)| r == name),
        secret: truth("x-secret").unwrap_or(false),
        path: schema.is_path(name),
        content: truth("x-content").unwrap_or(true),
        cwd: truth("x-cwd").unwrap_or(false),
        position: own.get("x-position").and_then(Value::as_u64),
        aliases: aliases
            .unwrap_or_default()
            .iter()
            .filter_map(|alias| alias.as_str().map(str::to_owned))
            .collect(),
        global: owner == Owner::Globals,
        schema: own,
    }
}

/// What an argument may not share with those before it, and what only some arguments may have.
fn check_beside(
    argument: &Argument,
    member: &Member,
    before: &[(Argument, Span)],
    faults: &mut Vec<Fault>,
) {
    let place = |key: &str| member.value.get(key).map_or(member.key_span, |n| n.span);
    for (other, _) in before {
        if let Some(fault) = alike(argument, other, member.key_span) {
            faults.push(fault);
        }
        if argument.position.is_some() && argument.position == other.position {
            faults.push(
                Fault::at(
                    place("x-position"),
                    format!("{} has the same \"x-position\"", quoted(&other.name)),
                )
                .help("give each its own place among the bare words"),
            );
        }
        if let Some(shared) = argument.aliases.iter().find(|a| other.aliases.contains(a)) {
            faults.push(
                Fault::at(
                    place("x-alias"),
                    format!(
                        "{} is a spelling of {} too",
                        quoted(shared),
                        quoted(&other.name)
                    ),
                )
                .help("give each spelling to one argument"),
            );
        }
    }
    if argument.global && argument.position.is_some() {
        faults.push(
            Fault::at(place("x-position"), "a global option has no position")
                .help("take \"x-position\" out"),
        );
    }
    if !argument.global && argument.cwd {
        faults.push(
            Fault::at(
                place("x-cwd"),
                "only a global option can be the working directory",
            )
            .help("declare it under \"globals\", or take \"x-cwd\" out"),
        );
    }
}

/// The fault of two names that a command line could not tell apart.
pub(crate) fn alike(argument: &Argument, other: &Argument, place: Span) -> Option<Fault> {
    (bare_name(&argument.name) == bare_name(&other.name)).then(|| {
        Fault::at(
            place,
            format!(
                "{} and {} differ only in -, _ or case",
                quoted(&argument.name),
                quoted(&other.name)
            ),
        )
        .help("rename one: on a command line the two are one option")
    })
}
