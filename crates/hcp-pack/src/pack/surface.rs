//! `surface.json`: what the commands look like.

use super::{NAME_HELP, spellings, templates};
use crate::args::Argument;
use crate::schema::{self, ArgSchema, Declared, Owner};
use crate::template::Template;
use hcp_core::diagnostic::Fault;
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Member, Node, Span, Value};
use hcp_core::names::CommandName;
use hcp_core::policy::close_pack_object;
use hcp_core::text::quoted;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What every command of the pack shares.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    pub(crate) cli: Vec<Template>,
    pub(crate) arguments: Vec<(Argument, Span)>,
    pub(crate) schema: Option<ArgSchema>,
}

/// One entry of the Surface.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: CommandName,
    pub(crate) description: String,
    pub(crate) cli: Vec<Template>,
    pub(crate) env: Vec<(String, Template)>,
    pub(crate) stdin: Option<Template>,
    /// Its own arguments, without the globals.
    pub(crate) arguments: Vec<(Argument, Span)>,
    pub(crate) schema: ArgSchema,
    pub(crate) preview: Option<Value>,
}

/// What `surface.json` holds.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) globals: Arc<Globals>,
    pub(crate) entries: BTreeMap<CommandName, Entry>,
    /// Every name that stands there, also of entries with faults.
    pub(crate) names: Vec<(String, Span)>,
}

pub(crate) fn read(node: &Node, faults: &mut Vec<Fault>) -> Option<Surface> {
    let mut fields = Fields::open(node, "surface.json", faults)?;
    if let Some(node) = fields.optional("$schema") {
        fields::string(node, faults);
    }
    let globals = fields.optional("globals");
    let spelled = fields.optional("spellings");
    let commands = fields.required("commands", faults);
    close_pack_object(fields, faults);
    let globals = globals.and_then(|node| read_globals(node, faults));
    let globals = globals.unwrap_or_default();
    let commands = Fields::open(commands?, "\"commands\"", faults)?;
    let mut entries = BTreeMap::new();
    let mut names = Vec::new();
    for member in commands.members() {
        names.push((member.key.clone(), member.key_span));
        if let Some(entry) = entry(member, &globals, faults) {
            entries.insert(entry.name.clone(), entry);
        }
    }
    if let Some(node) = spelled {
        let complete = names.len() == entries.len();
        spellings::apply(node, &mut entries, complete, faults);
    }
    Some(Surface {
        globals: Arc::new(globals),
        entries,
        names,
    })
}

/// The name of a command, or the fault that it is none.
pub(crate) fn command_name(member: &Member, faults: &mut Vec<Fault>) -> Option<CommandName> {
    let name = CommandName::new(&member.key);
    if name.is_none() {
        faults.push(
            Fault::at(
                member.key_span,
                format!("{} cannot be a command's name", quoted(&member.key)),
            )
            .help(NAME_HELP),
        );
    }
    name
}

fn read_globals(node: &Node, faults: &mut Vec<Fault>) -> Option<Globals> {
    let mut fields = Fields::open(node, "\"globals\"", faults)?;
    let cli = fields.required("cli", faults);
    let args = fields.optional("args");
    close_pack_object(fields, faults);
    let declared = args.and_then(|node| schema::declare(node, Owner::Globals, faults));
    let (arguments, schema) = match declared {
        Some(declared) => (declared.arguments, Some(declared.schema)),
        None => (Vec::new(), None),
    };
    let words = cli
        .map(|node| templates::words(node, faults))
        .unwrap_or_default();
    templates::check_globals(&words, faults);
    templates::check_words(&words, &arguments, &[], faults);
    templates::check_used(&arguments, &words, &[], None, faults);
    Some(Globals {
        cli: words.into_iter().map(|(template, _)| template).collect(),
        arguments,
        schema,
    })
}

fn entry(member: &Member, globals: &Globals, faults: &mut Vec<Fault>) -> Option<Entry> {
    let name = command_name(member, faults);
    let mut fields = Fields::open(&member.value, "a command", faults)?;
    let description = fields.optional("description");
    let cli = fields.required("cli", faults);
    let args = fields.optional("args");
    let env = fields.optional("env");
    let stdin = fields.optional("stdin");
    let preview = fields.optional("preview");
    close_pack_object(fields, faults);

    let description = description.and_then(|node| fields::string(node, faults));
    let declared = match args {
        Some(node) => schema::declare(node, Owner::Command, faults)?,
        None => Declared::none(),
    };
    check_globals_apart(&declared.arguments, globals, faults);
    let words = cli.map(|node| templates::words(node, faults))?;
    templates::check_program(&words, cli?, faults);
    templates::check_words(&words, &declared.arguments, &globals.arguments, faults);
    let env = env
        .map(|node| templates::env(node, faults))
        .unwrap_or_default();
    let stdin = stdin.and_then(|node| templates::one(node, faults));
    for (template, span) in env.iter().map(|(_, t)| t).chain(&stdin) {
        templates::check_single(
            template,
            *span,
            &declared.arguments,
            &globals.arguments,
            faults,
        );
    }
    templates::check_used(&declared.arguments, &words, &env, stdin.as_ref(), faults);
    if let Some(node) = preview {
        check_preview(node, faults);
    }
    Some(Entry {
        name: name?,
        description: description.unwrap_or_default().to_owned(),
        cli: words.into_iter().map(|(template, _)| template).collect(),
        env: env
            .into_iter()
            .map(|(name, (template, _))| (name, template))
            .collect(),
        stdin: stdin.map(|(template, _)| template),
        arguments: declared.arguments,
        schema: declared.schema,
        preview: preview.map(Node::to_value),
    })
}

/// A command's argument may not be alike with a global one, nor share its spellings.
fn check_globals_apart(arguments: &[(Argument, Span)], globals: &Globals, faults: &mut Vec<Fault>) {
    for (argument, place) in arguments {
        for (global, _) in &globals.arguments {
            faults.extend(schema::alike(argument, global, *place));
            if let Some(shared) = argument.aliases.iter().find(|a| global.aliases.contains(a)) {
                faults.push(
                    Fault::at(
                        *place,
                        format!(
                            "{} is a spelling of the global {} too",
                            quoted(shared),
                            quoted(&global.name)
                        ),
                    )
                    .help("give each spelling to one argument"),
                );
            }
        }
    }
}

/// The form of a preview; what its kind and placeholders mean is for the lints.
fn check_preview(node: &Node, faults: &mut Vec<Fault>) {
    let Some(mut fields) = Fields::open(node, "a preview", faults) else {
        return;
    };
    for key in ["kind", "title"] {
        if let Some(node) = fields.optional(key) {
            fields::string(node, faults);
        }
    }
    let shown = fields.optional("fields");
    close_pack_object(fields, faults);
    let Some(shown) = shown.and_then(|node| Fields::open(node, "\"fields\"", faults)) else {
        return;
    };
    for member in shown.members() {
        fields::string(&member.value, faults);
    }
}
