//! What every chore needs: the root of the repository, running cargo, reading and writing files.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a chore ends with; the message goes to the developer as it stands.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The repository's root: the folder above this crate's.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent()
        .map_or_else(|| here.clone(), Path::to_path_buf)
}

/// A cargo command in the root. What `cargo run` put into this process's environment about xtask
/// itself is taken out, so that the inner cargo finds the environment of the outer one.
pub(crate) fn cargo(words: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(words).current_dir(root());
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs a command with this process's output; an error names the command.
pub(crate) fn run(command: &mut Command) -> Result {
    let status = command
        .status()
        .map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} ended with {status}", shown(command)).into())
    }
}

/// Runs a command and gives what it printed; its errors go to the developer.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let out = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    if !out.status.success() {
        return Err(format!("{} ended with {}", shown(command), out.status).into());
    }
    Ok(String::from_utf8(out.stdout)?)
}

/// A command in words, for messages.
pub(crate) fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| {
            let word = Path::new(word);
            // The toolchain's own path says nothing to a reader.
            match word.file_name() {
                Some(name) if word.is_absolute() => name.to_string_lossy().into_owned(),
                Some(_) | None => word.to_string_lossy().into_owned(),
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The text of a file of the repository.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()).into())
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Result {
    let told = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(told)?;
    }
    std::fs::write(path, text).map_err(told)?;
    Ok(())
}

/// All files below a folder whose names end with `ending`, sorted; none where the folder is not there.
/// Build output and hidden folders are passed over.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else {
            continue;
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    waiting.push(entry.path());
                }
            } else if name.ends_with(ending) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
