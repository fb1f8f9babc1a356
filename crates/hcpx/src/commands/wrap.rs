//! `hcpx wrap`: a draft pack from a program's help.

mod folder;
mod runner;
mod strays;

use crate::cli;
use crate::error::CliError;
use crate::output::{Look, Output, Reply, Text, counted};
use folder::Folder;
use hcp::event::{Detail, PackAct};
use hcp::local::Place;
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::text::quoted;
use hcp_wrap::{
    Bounds, Draft, DraftError, Family, Memory, Only, Tool, Update, UpdateError, WalkError,
};
use runner::Runner;

/// More notes than this stand in the draft alone.
const SHOWN: usize = 8;

pub(crate) fn run(place: &Place, words: &cli::Wrap, output: &Output) -> Result<Reply, CliError> {
    let id = hcp_wrap::pack_id(&words.program).ok_or_else(|| {
        CliError::usage(format!("{} gives no id for a pack", quoted(&words.program)))
            .hint("name the program by its name or its whole path")
    })?;
    let out = words.out.clone().unwrap_or_else(|| id.into());
    let folder = Folder::open(place, &out, words.update)?;
    let mut runner = Runner::new(place, &words.program, output)?;
    place.audit_ready()?;
    let bounds = Bounds {
        depth: words.depth.into(),
        ..Bounds::default()
    };
    let only = Only::new(&words.only);
    let walked = hcp_wrap::walk(&words.program, &only, &bounds, &mut runner);
    output.progress("");
    let tool = walked.map_err(|error| unread(&error))?;
    let draft = Draft::make(&tool)
        .and_then(|draft| draft.with_previews(&hcp_lint::suggest_preview))
        .map_err(|error| no_draft(error, &tool))?;
    let done = match folder.files() {
        Some(files) => files.update(draft)?.within(&only),
        None => Done::new(draft),
    };
    let pack = done.draft.read().map_err(|error| no_draft(error, &tool))?;
    folder.write(&done.draft, &done.memory)?;
    let mut event = place.event(Detail::Pack {
        act: PackAct::Wrap,
        before: None,
        after: Some(pack.digest),
    });
    event.pack = Some(pack.id.to_string());
    place.record(&event)?;
    Ok(reply(&done, &tool, &folder, output.columns))
}

/// A draft that is to be written, and how it differs from the one before.
struct Done {
    draft: Draft,
    memory: Memory,
    /// What an update did; `None` for a new draft.
    update: Option<Update>,
}

impl Done {
    fn new(draft: Draft) -> Self {
        Self {
            memory: Memory::of(&draft),
            draft,
            update: None,
        }
    }

    /// What was not looked for has not vanished.
    fn within(mut self, only: &Only) -> Self {
        if let Some(update) = &mut self.update {
            update
                .vanished
                .retain(|name| only.holds(std::slice::from_ref(name)));
        }
        self
    }

    fn updated(update: Update) -> Self {
        Self {
            draft: update.draft.clone(),
            memory: update.memory.clone(),
            update: Some(update),
        }
    }
}

fn unread(error: &WalkError) -> CliError {
    let (code, hint) = match error {
        WalkError::NotStarted(_) => (
            Code::SpawnFailed,
            "hcpx runs it with --help alone; try that yourself",
        ),
        WalkError::Silent => (
            Code::Timeout,
            "a program that waits for somebody cannot be wrapped; write the pack by hand",
        ),
        WalkError::Unreadable(_) => (
            Code::PackInvalid,
            "write the pack by hand: hcpx schema surface prints what its file may hold",
        ),
    };
    CliError::new(code, error.to_string()).hint(hint)
}

fn no_draft(error: DraftError, tool: &Tool) -> CliError {
    let message = error.to_string();
    let told = CliError::new(Code::PackInvalid, message);
    let mut told = match error {
        DraftError::Invalid(places) => told.at(places),
        DraftError::TooLong(_) => told.hint("take a part of it: --only GLOB, or a smaller --depth"),
        DraftError::NoId | DraftError::Empty => {
            told.hint("write the pack by hand: hcpx schema surface prints what its file may hold")
        }
    };
    // What could be read is told all the same.
    told.extra.insert("notes", notes(tool));
    told
}

fn not_merged(error: UpdateError) -> CliError {
    let told = CliError::new(Code::PackInvalid, format!("{error}; nothing was written"));
    match error {
        UpdateError::Unreadable(places) | UpdateError::Merged(DraftError::Invalid(places)) => {
            told.at(places).hint("mend the places named first")
        }
        UpdateError::Merged(_) => told.hint("write the draft anew into another folder: --out DIR"),
    }
}

fn notes(tool: &Tool) -> Value {
    Value::Array(tool.notes.iter().map(|n| Value::from(n.as_str())).collect())
}

fn list(names: &[String]) -> Value {
    Value::Array(names.iter().map(|n| Value::from(n.as_str())).collect())
}

fn reply(done: &Done, tool: &Tool, folder: &Folder, columns: usize) -> Reply {
    let counts = done.draft.counts;
    let out = folder.shown();
    let mut json = Object::new()
        .with("id", done.draft.id.as_str())
        .with("program", tool.program())
        .with("style", tool.family().name())
        .with("out", out.as_str())
        .with("commands", counts.commands as u64)
        .with("arguments", counts.arguments as u64)
        .with("reads", counts.reads as u64)
        .with("writes", counts.writes as u64)
        .with("asks", counts.asks as u64)
        .with("always", counts.always as u64)
        .with("notes", notes(tool));
    let family = tool.family();
    let style = if family == Family::Plain {
        String::new()
    } else {
        format!(" ({})", family.name())
    };
    let mut text = Text::new().line(format!(
        "{} from the help of {}{style}: {}, {}.",
        if done.update.is_some() {
            "Brought up to date"
        } else {
            "Drafted"
        },
        tool.program(),
        counted(counts.commands, "command"),
        counted(counts.arguments, "argument"),
    ));
    text = text.line(format!(
        "Guessed: {} read, {} write unasked, {} ask, {} always ask.",
        counts.reads, counts.writes, counts.asks, counts.always
    ));
    if let Some(update) = &done.update {
        for (key, what, names) in [
            ("added", "New", &update.added),
            ("changed", "Written anew", &update.changed),
            ("kept", "Yours stays, though the help changed", &update.kept),
            (
                "vanished",
                "No longer in the help; take them out if they are gone",
                &update.vanished,
            ),
        ] {
            json.insert(key, list(names));
            if !names.is_empty() {
                text = text.line(format!("{what}: {}", names.join(", ")));
            }
        }
    }
    for note in tool.notes.iter().take(SHOWN) {
        text = text.piece(Look::Care, "  ! ").prose(
            Look::Plain,
            &hcp_core::text::SafeText::join(note),
            columns,
            4,
        );
    }
    if tool.notes.len() > SHOWN {
        text = text.line(format!(
            "  and {} more in {out}/WRAP.md",
            tool.notes.len() - SHOWN
        ));
    }
    text = text
        .gap()
        .line(format!(
            "Every Policy is a guess; the reasons stand in {out}/WRAP.md. Read them, then:"
        ))
        .line(format!("  hcpx check {out}"))
        .line(format!("  hcpx install {out}"));
    Reply::ok(json, text)
}
