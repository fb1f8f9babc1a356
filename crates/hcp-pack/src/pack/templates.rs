//! The templates of a Surface: read, and held against the arguments that are declared.

use super::{is_variable, no_variable};
use crate::args::Argument;
use crate::template::{Template, TemplateFault};
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Kind, Node, Span, Value};
use hcp_core::names::did_you_mean;
use hcp_core::text::quoted;
use std::collections::HashSet;

/// A template and where it stands.
pub(crate) type Placed = (Template, Span);

fn placed(
    node: &Node,
    read: impl FnOnce(&str) -> Result<Template, TemplateFault>,
    faults: &mut Vec<Fault>,
) -> Option<Placed> {
    match read(fields::string(node, faults)?) {
        Ok(template) => Some((template, node.span)),
        Err(fault) => {
            faults.push(Fault::at(node.span, fault.message).help(fault.help));
            None
        }
    }
}

/// The words of `cli`.
pub(crate) fn words(node: &Node, faults: &mut Vec<Fault>) -> Vec<Placed> {
    if let Kind::String(_) = node.kind {
        faults.push(
            Fault::at(node.span, "this must be a list of words, and is a string")
                .help("write each word by itself, like [\"ledger\", \"list\"]: no shell reads it"),
        );
        return Vec::new();
    }
    let items = fields::array(node, faults).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| placed(item, Template::word, faults))
        .collect()
}

/// A single template.
pub(crate) fn one(node: &Node, faults: &mut Vec<Fault>) -> Option<Placed> {
    placed(node, Template::text, faults)
}

/// The variables that a command sets for its tool.
pub(crate) fn env(node: &Node, faults: &mut Vec<Fault>) -> Vec<(String, Placed)> {
    let Some(map) = Fields::open(node, "\"env\"", faults) else {
        return Vec::new();
    };
    let mut variables = Vec::new();
    for member in map.members() {
        if !is_variable(&member.key) {
            faults.push(no_variable(&member.key, member.key_span));
        } else if decides_what_runs(&member.key) {
            faults.push(
                Fault::at(
                    member.key_span,
                    format!("{} may not come from a call", quoted(&member.key)),
                )
                .help("it decides which program runs, or what hcpx allows; take it out"),
            );
        }
        if let Some(placed) = one(&member.value, faults) {
            variables.push((member.key.clone(), placed));
        }
    }
    variables
}

/// Variables by which a value of a call could choose the program or change the access settings.
fn decides_what_runs(name: &str) -> bool {
    name == "PATH" || ["HCP_", "LD_", "DYLD_"].iter().any(|p| name.starts_with(p))
}

/// A command line begins with a program.
pub(crate) fn check_program(words: &[Placed], cli: &Node, faults: &mut Vec<Fault>) {
    let (span, good) = match words.first() {
        Some((template, span)) => {
            let named = template
                .literal()
                .is_some_and(|text| !text.trim().is_empty() && !text.starts_with('-'));
            (*span, named)
        }
        // Words that could not be read have their own fault.
        None => (cli.span, cli.kind != Kind::Array(Vec::new())),
    };
    if !good {
        faults.push(
            Fault::at(span, "\"cli\" must begin with the name of a program")
                .help("write it first, like [\"ledger\", \"transfer\", …]"),
        );
    }
}

/// Global options are options: each placeholder has its option, and nothing ends them.
pub(crate) fn check_globals(words: &[Placed], faults: &mut Vec<Fault>) {
    let mut option_before = false;
    for (template, span) in words {
        if template.alone().is_some() && !option_before {
            faults.push(
                Fault::at(*span, "a global placeholder needs its option before it")
                    .help("write the option first, like [\"-C\", \"{{dir}}\"]"),
            );
        }
        if template.literal() == Some("--") {
            faults.push(
                Fault::at(
                    *span,
                    "\"--\" would end the options before the command's own words",
                )
                .help("take it out"),
            );
        }
        option_before = template.lead().is_some();
    }
}

/// Each placeholder has an argument, no value can choose an option, and several placeholders of one
/// word have no array among them.
pub(crate) fn check_words(
    words: &[Placed],
    own: &[(Argument, Span)],
    global: &[(Argument, Span)],
    faults: &mut Vec<Fault>,
) {
    let mut options_ended = false;
    for (template, span) in words {
        options_ended |= template.literal() == Some("--");
        check_names(template, *span, own, global, faults);
        let mut names: Vec<&str> = template.names().collect();
        if let (Some(first), false) = (names.first(), options_ended) {
            check_prefix(template, *span, find(own, first), faults);
        }
        names.dedup();
        if names.len() > 1 {
            refuse_arrays(&names, *span, own, faults);
        }
    }
}

/// A variable or standard input takes one text.
pub(crate) fn check_single(
    template: &Template,
    span: Span,
    own: &[(Argument, Span)],
    global: &[(Argument, Span)],
    faults: &mut Vec<Fault>,
) {
    check_names(template, span, own, global, faults);
    let names: Vec<&str> = template.names().collect();
    refuse_arrays(&names, span, own, faults);
}

fn find<'a>(arguments: &'a [(Argument, Span)], name: &str) -> Option<&'a Argument> {
    arguments.iter().map(|(a, _)| a).find(|a| a.name == name)
}

fn check_names(
    template: &Template,
    span: Span,
    own: &[(Argument, Span)],
    global: &[(Argument, Span)],
    faults: &mut Vec<Fault>,
) {
    for name in template.names() {
        if find(own, name).is_some() {
            continue;
        }
        let message = format!("the placeholder {{{{{name}}}}} has no argument");
        let help = if find(global, name).is_some() {
            "it is a global option, which stands in \"globals\" alone".to_owned()
        } else {
            match did_you_mean(name, own.iter().map(|(a, _)| a.name.as_str())) {
                Some(near) => format!("did you mean {{{{{near}}}}}?"),
                None => "declare it under \"properties\" of \"args\"".to_owned(),
            }
        };
        faults.push(Fault::at(span, message).help(help));
    }
}

/// In `--{{x}}` the value would choose the option; only a number, or a choice of the pack, may.
fn check_prefix(
    template: &Template,
    span: Span,
    argument: Option<&Argument>,
    faults: &mut Vec<Fault>,
) {
    let prefix = template.prefix();
    let only_dashes = !prefix.is_empty() && prefix.bytes().all(|b| b == b'-');
    let name_goes_on = prefix.starts_with("--") && !prefix.contains('=');
    let Some(argument) = argument.filter(|_| only_dashes || name_goes_on) else {
        return;
    };
    let chosen = ["enum", "const"]
        .iter()
        .any(|key| argument.schema.contains_key(key));
    if !chosen && !argument.is_numeric() {
        faults.push(
            Fault::at(
                span,
                format!(
                    "the value of {} would choose the option",
                    quoted(&argument.name)
                ),
            )
            .help("write it like \"--name={{…}}\", or list its values with \"enum\""),
        );
    }
}

fn refuse_arrays(names: &[&str], span: Span, own: &[(Argument, Span)], faults: &mut Vec<Fault>) {
    for argument in names.iter().filter_map(|name| find(own, name)) {
        let types = argument.schema.get("type");
        let listed = types
            .and_then(Value::as_array)
            .is_some_and(|types| types.iter().any(|t| t.as_str() == Some("array")));
        if listed || argument.kind.as_deref() == Some("array") {
            faults.push(
                Fault::at(
                    span,
                    format!(
                        "the array {} cannot stand in this text",
                        quoted(&argument.name)
                    ),
                )
                .help("give it a word of its own"),
            );
        }
    }
}

/// An argument that reaches nothing would be approved and never used.
pub(crate) fn check_used(
    arguments: &[(Argument, Span)],
    words: &[Placed],
    env: &[(String, Placed)],
    stdin: Option<&Placed>,
    faults: &mut Vec<Fault>,
) {
    let used: HashSet<&str> = words
        .iter()
        .chain(env.iter().map(|(_, placed)| placed))
        .chain(stdin)
        .flat_map(|(template, _)| template.names())
        .collect();
    for (argument, span) in arguments {
        if !used.contains(argument.name.as_str()) {
            let what = if argument.required {
                "the required argument"
            } else {
                "the argument"
            };
            let places = if argument.global {
                "the \"cli\" of \"globals\""
            } else {
                "\"cli\", \"env\" or \"stdin\""
            };
            faults.push(
                Fault::at(
                    *span,
                    format!("{what} {} never reaches the tool", quoted(&argument.name)),
                )
                .help(format!(
                    "write {{{{{}}}}} in {places}, or take it out",
                    argument.name
                )),
            );
        }
    }
}
