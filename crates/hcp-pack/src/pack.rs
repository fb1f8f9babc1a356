//! A pack from its files.

pub(crate) mod manifest;
mod spellings;
mod surface;
mod templates;

use crate::args::{self, ArgFault, Argument};
use crate::argv::{Finder, Reader};
use crate::policy;
use crate::schema::ArgSchema;
use crate::template::{self, Rendered, Template};
use hcp_core::canonical::{Digest, Tag, digest};
use hcp_core::diagnostic::{Diagnostic, Fault, Source};
use hcp_core::fields::{self, Fields};
use hcp_core::json::{Limits, Node, Object, Span, Value, parse_bytes};
use hcp_core::names::{CommandName, PackId, did_you_mean};
use hcp_core::policy::{Policy, close_pack_object};
use hcp_core::text::quoted;
use manifest::Manifest;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};
use surface::{Globals, Surface};

/// What a name that breaks the pattern should look like.
const NAME_HELP: &str =
    "use a-z and 0-9, in parts joined by one - or _, 64 characters at most, like \"pr_merge\"";

/// The bytes of a pack's files, read once: digest and parsed pack come from the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackFiles {
    /// The folder, as a person knows it: stands before file names in diagnostics.
    pub folder: String,
    /// `pack.json`; empty where the file is missing.
    pub pack: Vec<u8>,
    /// `surface.json`; empty where the file is missing.
    pub surface: Vec<u8>,
    /// `policy.json`; empty where the file is missing.
    pub policy: Vec<u8>,
    /// `SKILL.md`
    pub skill: Option<Vec<u8>>,
}

/// How a pack is connected to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connect {
    /// The words that sign in.
    pub cli: Vec<String>,
    /// The words that print who one is connected as.
    pub identity: Vec<String>,
}

/// A pack that was read and found whole.
#[derive(Debug, Clone)]
pub struct Pack {
    /// Its id.
    pub id: PackId,
    /// Its name for people.
    pub name: String,
    /// Its version.
    pub version: String,
    /// One sentence.
    pub summary: String,
    /// Where to read more.
    pub homepage: Option<String>,
    /// How it is connected.
    pub connect: Option<Connect>,
    /// Variables that the tool gets and an approval binds.
    pub env: Vec<String>,
    /// Seconds after which a run is ended; `Some(0)` for never.
    pub timeout: Option<u64>,
    /// Other names of the program.
    pub programs: Vec<String>,
    /// Variables and settings by which the program runs others, as written.
    pub runs: Option<Value>,
    /// Its commands.
    pub commands: Commands,
    /// SHA-256 over the canonical content.
    pub digest: Digest,
    /// `SKILL.md`
    pub skill: Option<String>,
}

/// The commands of a pack by their names: a map that is cheap to clone.
#[derive(Debug, Clone)]
pub struct Commands(Arc<Found>);

#[derive(Debug)]
struct Found {
    all: BTreeMap<CommandName, Command>,
    finder: Finder,
}

impl Commands {
    fn of(all: BTreeMap<CommandName, Command>) -> Self {
        let finder = Finder::of(&all);
        Self(Arc::new(Found { all, finder }))
    }

    /// By which words they are found.
    pub(crate) fn finder(&self) -> &Finder {
        &self.0.finder
    }
}

impl std::ops::Deref for Commands {
    type Target = BTreeMap<CommandName, Command>;

    fn deref(&self) -> &Self::Target {
        &self.0.all
    }
}

impl<'p> IntoIterator for &'p Commands {
    type Item = (&'p CommandName, &'p Command);
    type IntoIter = std::collections::btree_map::Iter<'p, CommandName, Command>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.all.iter()
    }
}

/// One command of a pack.
#[derive(Debug, Clone)]
pub struct Command {
    /// Its name.
    pub name: CommandName,
    /// What it does, for people.
    pub description: String,
    /// Its own words: the program and what stands before the first option or placeholder, each in its first spelling.
    pub own_words: Vec<String>,
    /// Its declared arguments in the order of the files, the globals after its own.
    pub arguments: Vec<Argument>,
    /// The declared preview, as written.
    pub preview: Option<Value>,
    /// What it is.
    pub policy: Policy,
    cli: Vec<Template>,
    env: Vec<(String, Template)>,
    stdin: Option<Template>,
    schema: Arc<ArgSchema>,
    globals: Arc<Globals>,
    /// What reading its lines needs, once a line was read.
    reader: OnceLock<Arc<Reader>>,
}

impl Pack {
    /// Reads a pack. Every fault is reported with file, line and column.
    ///
    /// # Errors
    /// All diagnostics, at least one.
    pub fn read(files: &PackFiles) -> Result<Self, Vec<Diagnostic>> {
        let mut all = Vec::new();
        let pack = File::open(files, "pack.json", &files.pack, &mut all);
        let surface = File::open(files, "surface.json", &files.surface, &mut all);
        let policy = File::open(files, "policy.json", &files.policy, &mut all);
        let skill = skill(files, &mut all);
        let manifest = pack.as_ref().and_then(|f| f.read(manifest::read, &mut all));
        let looks = surface
            .as_ref()
            .and_then(|f| f.read(surface::read, &mut all));
        let policies = match (&policy, &looks) {
            (Some(file), Some(looks)) => {
                file.read(|node, faults| policies(node, Some(looks), faults), &mut all)
            }
            (Some(file), None) => file.read(|node, faults| policies(node, None, faults), &mut all),
            (None, _) => None,
        };
        if let (Some(file), Some(looks), Some(policies)) = (&surface, &looks, &policies) {
            let without = |_: &Node, faults: &mut Vec<Fault>| {
                check_policies(looks, &policies.names, faults);
                Some(())
            };
            file.read(without, &mut all);
        }
        let (Some(pack), Some(surface), Some(policy)) = (pack, surface, policy) else {
            return Err(all);
        };
        let (Some(manifest), Some(looks), Some(policies)) = (manifest, looks, policies) else {
            return Err(all);
        };
        match manifest.id.clone() {
            Some(id) if all.is_empty() => {
                let content = content(&pack.node, &surface.node, &policy.node, skill.as_deref());
                Ok(Self::assemble(
                    id, manifest, looks, policies, skill, &content,
                ))
            }
            Some(_) | None => Err(all),
        }
    }

    /// The command of this name.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&Command> {
        self.commands.get(&CommandName::new(name)?)
    }

    fn assemble(
        id: PackId,
        manifest: Manifest,
        surface: Surface,
        mut policies: Policies,
        skill: Option<String>,
        content: &Value,
    ) -> Self {
        let mut commands = BTreeMap::new();
        for (name, entry) in surface.entries {
            let policy = policies.read.remove(&name).unwrap_or_default();
            let command = Command::assemble(entry, &surface.globals, policy);
            commands.insert(name, command);
        }
        Self {
            id,
            name: manifest.name,
            version: manifest.version,
            summary: manifest.summary,
            homepage: manifest.homepage,
            connect: manifest.connect,
            env: manifest.env,
            timeout: manifest.timeout,
            programs: manifest.programs,
            runs: manifest.runs,
            commands: Commands::of(commands),
            digest: digest(Tag::Pack, content),
            skill,
        }
    }
}

/// What the digest of a pack covers.
fn content(pack: &Node, surface: &Node, policy: &Node, skill: Option<&str>) -> Value {
    Value::Object(
        Object::new()
            .with("pack", pack.to_value())
            .with("surface", surface.to_value())
            .with("policy", policy.to_value())
            .with("skill", skill),
    )
}

/// One file that could be parsed.
struct File<'f> {
    source: Source<'f>,
    node: Node,
}

fn path(files: &PackFiles, name: &str) -> String {
    if files.folder.is_empty() {
        return name.to_owned();
    }
    format!("{}/{name}", files.folder.trim_end_matches('/'))
}

impl<'f> File<'f> {
    fn open(
        files: &PackFiles,
        name: &str,
        bytes: &'f [u8],
        all: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let source = Source::new(path(files, name), readable(bytes));
        let parsed = if bytes.is_empty() {
            Err(
                Fault::at(Span::default(), format!("{name} is missing or empty"))
                    .help("a pack has pack.json, surface.json and policy.json"),
            )
        } else {
            parse_bytes(bytes, Limits::default())
        };
        match parsed {
            Ok(node) => Some(Self { source, node }),
            Err(fault) => {
                all.push(source.locate(&fault));
                None
            }
        }
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&Node, &mut Vec<Fault>) -> Option<T>,
        all: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        let mut faults = Vec::new();
        let found = read(&self.node, &mut faults);
        faults.sort_by_key(|fault| fault.span.start);
        all.extend(faults.iter().map(|fault| self.source.locate(fault)));
        found
    }
}

/// The bytes up to the first that is no UTF-8, so that a fault there can be located.
fn readable(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .and_then(|good| std::str::from_utf8(good).ok())
            .unwrap_or_default(),
    }
}

fn skill(files: &PackFiles, all: &mut Vec<Diagnostic>) -> Option<String> {
    let bytes = files.skill.as_deref()?;
    let source = Source::new(path(files, "SKILL.md"), readable(bytes));
    let most = Limits::default().bytes;
    let fault = if bytes.len() > most {
        Fault::at(
            Span::default(),
            format!(
                "the text has {} bytes, more than the {most} allowed",
                bytes.len()
            ),
        )
        .help("shorten it")
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text) => return Some(text.to_owned()),
            Err(error) => Fault::at(
                Span {
                    start: error.valid_up_to(),
                    end: error.valid_up_to(),
                },
                "this is not UTF-8 text",
            )
            .help("save the file as UTF-8"),
        }
    };
    all.push(source.locate(&fault));
    None
}

/// What `policy.json` holds.
struct Policies {
    read: BTreeMap<CommandName, Policy>,
    names: HashSet<String>,
}

fn policies(node: &Node, surface: Option<&Surface>, faults: &mut Vec<Fault>) -> Option<Policies> {
    let mut fields = Fields::open(node, "policy.json", faults)?;
    if let Some(node) = fields.optional("$schema") {
        fields::string(node, faults);
    }
    let defaults = fields.optional("defaults");
    let commands = fields.required("commands", faults);
    close_pack_object(fields, faults);
    let defaults = defaults.and_then(|node| Policy::parse_entry(node, &Policy::default(), faults));
    let defaults = defaults.unwrap_or_default();
    let commands = Fields::open(commands?, "\"commands\"", faults)?;
    let mut policies = Policies {
        read: BTreeMap::new(),
        names: HashSet::new(),
    };
    let looks: Option<HashSet<&str>> =
        surface.map(|s| s.names.iter().map(|(name, _)| name.as_str()).collect());
    for member in commands.members() {
        policies.names.insert(member.key.clone());
        let name = surface::command_name(member, faults);
        let policy = Policy::parse_entry(&member.value, &defaults, faults);
        let Some(name) = name else {
            continue;
        };
        if let (Some(surface), Some(looks)) = (surface, &looks) {
            if !looks.contains(member.key.as_str()) {
                faults.push(only_in_policy(&member.key, member.key_span, surface));
            }
            check_raises(&name, &member.value, surface, faults);
        }
        if let Some(policy) = policy {
            policies.read.insert(name, policy);
        }
    }
    Some(policies)
}

fn only_in_policy(name: &str, place: Span, surface: &Surface) -> Fault {
    let near = did_you_mean(name, surface.names.iter().map(|(n, _)| n.as_str()));
    Fault::at(
        place,
        format!("the command {} is not in surface.json", quoted(name)),
    )
    .help(match near {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => "add it there, or take it out here".to_owned(),
    })
}

/// Every command of the Surface has a Policy.
fn check_policies(surface: &Surface, named: &HashSet<String>, faults: &mut Vec<Fault>) {
    for (name, place) in &surface.names {
        let valid = CommandName::new(name).is_some();
        if valid && !named.contains(name) {
            faults.push(
                Fault::at(
                    *place,
                    format!("the command {} is not in policy.json", quoted(name)),
                )
                .help(format!(
                    "add {}: {{ \"operation\": \"write\" }} to its \"commands\"",
                    quoted(name)
                )),
            );
        }
    }
}

/// A raise over an argument that does not exist would never raise anything.
fn check_raises(name: &CommandName, node: &Node, surface: &Surface, faults: &mut Vec<Fault>) {
    let Some(entry) = surface.entries.get(name) else {
        return;
    };
    let own = entry.arguments.iter().chain(&surface.globals.arguments);
    let declared: Vec<&str> = own.map(|(a, _)| a.name.as_str()).collect();
    for member in policy::raise_names(node) {
        if declared.contains(&member.key.as_str()) {
            continue;
        }
        let near = did_you_mean(&member.key, declared.iter().copied());
        faults.push(
            Fault::at(
                member.key_span,
                format!(
                    "{} has no argument {}",
                    quoted(name.as_str()),
                    quoted(&member.key)
                ),
            )
            .help(match near {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => "name one that surface.json declares".to_owned(),
            }),
        );
    }
}

/// Whether a text can name a variable.
fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn no_variable(name: &str, span: Span) -> Fault {
    Fault::at(span, format!("{} cannot name a variable", quoted(name)))
        .help("use letters, digits and _, like \"API_TOKEN\"")
}

impl Command {
    fn assemble(entry: surface::Entry, globals: &Arc<Globals>, policy: Policy) -> Self {
        let own_words = entry
            .cli
            .iter()
            .take_while(|template| !template.ends_own_words())
            .filter_map(|template| template.literal().map(str::to_owned))
            .collect();
        let own = entry.arguments.into_iter().map(|(argument, _)| argument);
        let global = globals
            .arguments
            .iter()
            .map(|(argument, _)| argument.clone());
        Self {
            name: entry.name,
            description: entry.description,
            own_words,
            arguments: own.chain(global).collect(),
            preview: entry.preview,
            policy,
            cli: entry.cli,
            env: entry.env,
            stdin: entry.stdin,
            schema: Arc::new(entry.schema),
            globals: Arc::clone(globals),
            reader: OnceLock::new(),
        }
    }

    /// What reading its lines needs.
    pub(crate) fn reader(&self) -> &Reader {
        self.reader.get_or_init(|| Arc::new(Reader::of(self)))
    }

    /// The own words with all their spellings, the program first.
    #[must_use]
    pub fn own_templates(&self) -> &[Template] {
        self.cli.get(..self.own_words.len()).unwrap_or_default()
    }

    /// The declared argument of this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|a| a.name == name)
    }

    /// The words of `cli`, the program first, without the global options.
    #[must_use]
    pub fn cli(&self) -> &[Template] {
        &self.cli
    }

    /// The global options, which stand right after the program.
    #[must_use]
    pub fn globals(&self) -> &[Template] {
        &self.globals.cli
    }

    /// The variables that the command sets for its tool.
    #[must_use]
    pub fn env(&self) -> &[(String, Template)] {
        &self.env
    }

    /// What the tool reads on standard input.
    #[must_use]
    pub fn stdin(&self) -> Option<&Template> {
        self.stdin.as_ref()
    }

    /// The schemas of its own arguments and of the global ones.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &ArgSchema> {
        std::iter::once(self.schema.as_ref()).chain(self.globals.schema.as_ref())
    }

    /// The schema that declares an argument of this command.
    pub(crate) fn schema_of(&self, argument: &Argument) -> &ArgSchema {
        match &self.globals.schema {
            Some(schema) if argument.global => schema,
            Some(_) | None => &self.schema,
        }
    }

    /// Drops nulls, refuses what is not declared and validates the rest against the schema.
    ///
    /// # Errors
    /// The first fault; no message quotes a value.
    pub fn check_args(&self, args: Object) -> Result<Object, ArgFault> {
        args::check(self, args)
    }

    /// Validates the arguments that are given, without asking for those that must be: for a line of which not
    /// every word was understood.
    ///
    /// # Errors
    /// The first fault; no message quotes a value.
    pub fn check_given(&self, args: &Object) -> Result<(), ArgFault> {
        args::check_given(self, args)
    }

    /// The command line, environment and standard input for checked arguments.
    ///
    /// # Errors
    /// A value that would turn into an option, a NUL byte, placeholders of one word half absent, or more
    /// bytes than a program takes.
    pub fn render(&self, args: &Object) -> Result<Rendered, ArgFault> {
        template::render(self, args)
    }

    /// Whether words after `--` are `NAME=text`: the first is `NAME=…` or `NAME:=…` with NAME declared.
    #[must_use]
    pub fn is_named(&self, words: &[String]) -> bool {
        args::is_named(self, words)
    }

    /// Reads `NAME=text` and `NAME:=JSON` words into arguments, typed by declaration.
    ///
    /// # Errors
    /// A word of another form, an undeclared name, JSON that cannot be read.
    pub fn read_named(&self, words: &[String]) -> Result<Object, ArgFault> {
        args::read(self, words)
    }
}
