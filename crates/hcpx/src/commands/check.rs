//! `hcpx check`: lints over packs that are being written. It judges nothing itself.

mod excerpt;

use crate::cli::{self, CheckFormat};
use crate::error::CliError;
use crate::output::{Joined, Look, Output, Reply, Text, counted};
use hcp::event::Via;
use hcp::local::Place;
use hcp::packs::{self, PacksFolder, bundled};
use hcp_core::code::Code;
use hcp_core::json::{Object, Value};
use hcp_core::names::{did_you_mean, is_name};
use hcp_core::text::{SafeText, quoted};
use hcp_lint::{Checked, Finding, Level, Lint, Surroundings};
use hcp_pack::PackFiles;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) fn run(words: &cli::Check, output: &Output) -> Result<u8, CliError> {
    let mut output = output.clone();
    match words.format {
        Some(CheckFormat::Text) => output.json = false,
        Some(CheckFormat::Json | CheckFormat::Sarif) => output.json = true,
        None => {}
    }
    if let Some(code) = &words.explain {
        return Ok(output.reply(&explain(lint(code)?, output.columns)));
    }
    let levels = levels(&words.level)?;
    let targets = targets(&words.paths)?;
    let mut all = Vec::new();
    for target in targets {
        all.push(check(target, &levels, words.fix)?);
    }
    let failed = fails(&all, words.strict);
    if words.format == Some(CheckFormat::Sarif) {
        let checked: Vec<Checked> = all.into_iter().map(|done| done.checked).collect();
        return Ok(sarif(&checked, &output, failed));
    }
    Ok(output.reply(&reply(&all, words, failed, output.columns)))
}

/// A pack to check, and where its files are.
struct Target {
    folder: Option<PathBuf>,
    files: PackFiles,
}

/// A pack that was checked, after mending where that was asked for.
struct Done {
    checked: Checked,
    files: PackFiles,
    mended: Vec<Finding>,
    /// Whether it stands in a folder, where it can be mended.
    own: bool,
}

fn check(
    target: Target,
    levels: &[(&'static str, Option<Level>)],
    fix: bool,
) -> Result<Done, CliError> {
    let around = Surroundings {
        not_found: not_found(&target.files),
        levels: levels.to_vec(),
    };
    let own = target.folder.is_some();
    let (files, mended) = if fix {
        mend(target, &around)?
    } else {
        (target.files, Vec::new())
    };
    Ok(Done {
        checked: hcp_lint::check(&files, &around),
        files,
        mended,
        own,
    })
}

/// Mends a pack in its folder, which is neither in the store nor behind a link.
fn mend(target: Target, around: &Surroundings) -> Result<(PackFiles, Vec<Finding>), CliError> {
    let Some(folder) = target.folder else {
        return Err(CliError::usage("a bundled pack has no folder to mend")
            .hint("name a folder, for example ./my-pack"));
    };
    if folder
        .symlink_metadata()
        .is_ok_and(|meta| meta.is_symlink())
    {
        return Err(CliError::usage(format!(
            "{} is a link, and --fix follows none",
            quoted(&folder.display().to_string())
        ))
        .hint("name the folder itself"));
    }
    // The store is refused whether there is something to mend in it or not.
    Place::find(Via::Cli)?.check_written(&folder)?;
    let fixed = hcp_lint::fix(&target.files, around);
    packs::write_mended(&folder, &target.files, &fixed.files)?;
    Ok((fixed.files, fixed.mended))
}

fn not_found(files: &PackFiles) -> Vec<String> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let cwd = std::env::current_dir().unwrap_or_default();
    packs::programs_not_found(&hcp_lint::programs(files), &search, &cwd)
}

fn fails(all: &[Done], strict: bool) -> bool {
    let count = |level| {
        all.iter()
            .map(|done| done.checked.count(level))
            .sum::<usize>()
    };
    count(Level::Error) > 0 || (strict && count(Level::Warning) > 0)
}

fn lint(code: &str) -> Result<&'static Lint, CliError> {
    hcp_lint::find(code).ok_or_else(|| {
        let error = CliError::usage(format!("there is no lint {}", quoted(code)));
        error.hint(match hcp_lint::near(code) {
            Some(near) => format!("did you mean {near}?"),
            None => format!(
                "it is one of: {}",
                hcp_lint::ALL
                    .iter()
                    .map(|l| l.code)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        })
    })
}

/// The levels that somebody gives to codes: `P007=error`, `M010=off`.
fn levels(words: &[String]) -> Result<Vec<(&'static str, Option<Level>)>, CliError> {
    let read = |word: &String| {
        let Some((code, level)) = word.split_once('=') else {
            return Err(
                CliError::usage(format!("--level cannot be {}", quoted(word)))
                    .hint("write it like --level P007=error"),
            );
        };
        let code = lint(code)?.code;
        match level {
            "off" => Ok((code, None)),
            _ => Level::parse(level)
                .map(|level| (code, Some(level)))
                .ok_or_else(|| {
                    let known = ["error", "warning", "note", "off"];
                    let near = did_you_mean(level, known);
                    CliError::usage(format!("{} is no level", quoted(level))).hint(match near {
                        Some(near) => format!("did you mean {near}?"),
                        None => format!("it is one of: {}", known.join(", ")),
                    })
                }),
        }
    };
    words.iter().map(read).collect()
}

/// The packs that the words name: folders, folders above packs, files of packs, else installed and bundled packs by
/// their ids.
fn targets(paths: &[PathBuf]) -> Result<Vec<Target>, CliError> {
    if paths.is_empty() {
        return in_folder(Path::new("."));
    }
    let mut targets = Vec::new();
    for path in paths {
        match path.metadata() {
            Ok(meta) if meta.is_dir() => targets.extend(in_folder(path)?),
            Ok(_) => targets.push(read(path.parent().unwrap_or(Path::new(".")))?),
            Err(error) => targets.push(by_id(path, &error)?),
        }
    }
    Ok(targets)
}

/// An installed pack with this id, else a bundled one.
fn by_id(path: &Path, error: &io::Error) -> Result<Target, CliError> {
    let id = path.to_str().filter(|id| is_name(id));
    // Without a store no pack is installed; what is wrong with it is for other commands to say.
    let store = Place::find(Via::Cli).ok().map(|place| place.packs());
    let installed = |id| store.as_ref().and_then(|packs| packs.folder_of(id).ok());
    if let Some(folder) = id.and_then(installed) {
        return read(&folder);
    }
    let known = id.and_then(|id| bundled().iter().find(|pack| pack.id == id));
    match known {
        Some(pack) => Ok(Target {
            folder: None,
            files: pack.files(),
        }),
        None => Err(no_such(path, id, store.as_ref(), error)),
    }
}

fn no_such(
    path: &Path,
    id: Option<&str>,
    store: Option<&PacksFolder>,
    error: &io::Error,
) -> CliError {
    let shown = path.display().to_string();
    let installed = store
        .and_then(|packs| packs.list().ok())
        .unwrap_or_default();
    let ids = installed.iter().map(|pack| pack.id.as_str());
    let near = did_you_mean(&shown, ids.chain(bundled().iter().map(|pack| pack.id)));
    let message = match id {
        Some(_) => format!(
            "{} is no file or folder here, and no installed or bundled pack has that id",
            quoted(&shown)
        ),
        None => format!("{} cannot be read: {error}", quoted(&shown)),
    };
    CliError::usage(message).hint(match near {
        Some(near) => format!("did you mean {near}?"),
        None => "name a folder with a pack, one above packs, or a pack's id; hcpx packs lists them"
            .to_owned(),
    })
}

fn in_folder(folder: &Path) -> Result<Vec<Target>, CliError> {
    let found = packs::pack_folders_below(folder);
    if found.is_empty() {
        return Err(CliError::usage(format!(
            "there is no pack in {}",
            quoted(&folder.display().to_string())
        ))
        .hint("a pack is a folder with pack.json, surface.json and policy.json"));
    }
    found.iter().map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Result<Target, CliError> {
    // The parent of a bare file name is empty.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut files = packs::read_unfinished(folder)?;
    let shown = folder.strip_prefix(".").unwrap_or(folder);
    files.folder = shown.display().to_string();
    Ok(Target {
        folder: Some(folder.to_owned()),
        files,
    })
}

fn explain(lint: &'static Lint, columns: usize) -> Reply {
    let mut text = Text::new();
    for line in hcp_lint::explanation(lint).lines() {
        // Lines of an example are indented, and stay as they are written.
        text = if line.starts_with(' ') || line.is_empty() {
            text.line(line)
        } else {
            text.prose(Look::Plain, &SafeText::join(line), columns, 0)
        };
    }
    Reply::ok(hcp_lint::lint_object(lint), text)
}

fn sarif(checked: &[Checked], output: &Output, failed: bool) -> u8 {
    let log = hcp_lint::sarif(checked, env!("CARGO_PKG_VERSION"));
    match output.json_line(&log) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Code::Internal.exit(),
        Ok(()) | Err(_) => u8::from(failed),
    }
}

fn reply(all: &[Done], words: &cli::Check, failed: bool, columns: usize) -> Reply {
    let checked: Vec<Checked> = all.iter().map(|done| done.checked.clone()).collect();
    let mut json = Object::new()
        .with("ok", !failed)
        .with("code", if failed { "command_failed" } else { "ok" })
        .joined(hcp_lint::report(&checked, words.strict));
    if words.fix {
        json.insert("mended", mended(all));
    }
    Reply {
        exit: u8::from(failed),
        json,
        human: text(all, words, columns),
        list: Some("findings"),
    }
}

/// The line that mends what was checked.
fn mending_line(paths: &[PathBuf]) -> String {
    let words: Vec<String> = ["hcpx", "check", "--fix"]
        .into_iter()
        .map(str::to_owned)
        .chain(paths.iter().map(|path| path.display().to_string()))
        .collect();
    hcp_pack::shell_line(&words)
}

fn mended(all: &[Done]) -> Vec<Value> {
    all.iter()
        .flat_map(|done| {
            done.mended
                .iter()
                .map(|finding| hcp_lint::finding_object(&done.checked, finding).into())
        })
        .collect()
}

fn text(all: &[Done], words: &cli::Check, columns: usize) -> Text {
    let mut text = Text::new();
    for done in all {
        for finding in &done.checked.findings {
            text = excerpt::add(text, &done.checked, &done.files, finding, columns).gap();
        }
        for finding in &done.mended {
            text = text
                .piece(Look::Good, "mended")
                .piece(Look::Plain, &format!("[{}]: ", finding.code))
                .piece(Look::Plain, &done.checked.path(finding.file))
                // The message is safe already: made so twice, its escapes would double.
                .safe(SafeText::join(&format!(
                    ":{}: {}",
                    finding.place.line, finding.message
                )));
        }
    }
    let count = |level| {
        all.iter()
            .map(|done| done.checked.count(level))
            .sum::<usize>()
    };
    let counts: Vec<String> = [
        (Level::Error, "error"),
        (Level::Warning, "warning"),
        (Level::Note, "note"),
    ]
    .into_iter()
    .filter(|(level, _)| count(*level) > 0)
    .map(|(level, word)| counted(count(level), word))
    .collect();
    let packs = counted(all.len(), "pack");
    let own = all.iter().filter(|done| done.own);
    let fixable = own.flat_map(|done| &done.checked.findings);
    let fixable = fixable.filter(|finding| finding.fix.is_some()).count();
    text = if counts.is_empty() {
        text.piece(Look::Good, "clean").line(format!(": {packs}"))
    } else {
        text.line(format!("{} in {packs}", counts.join(", ")))
    };
    if fixable > 0 && !words.fix {
        text = text.line(format!(
            "{} can be mended by: {}",
            counted(fixable, "finding"),
            mending_line(&words.paths)
        ));
    }
    text
}
