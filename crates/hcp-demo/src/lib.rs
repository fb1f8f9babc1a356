//! The demo tools: ledger, transit and notes.
//!
//! Small real programs for the stories of the bundled packs: an account that pays, tickets that are
//! paid through it, notes that can be lost. They know nothing of packs, access or approvals: like any
//! tool they do what they are told, keep their state in files and end with an exit code.

mod fault;
mod ledger;
mod money;
mod notes;
mod state;
mod transit;
mod words;

use fault::Fault;
use state::Folder;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use words::Words;

/// The names of the tools.
pub const TOOLS: [&str; 3] = ["ledger", "transit", "notes"];

/// Runs a demo tool: `tool` is one of [`TOOLS`], `program_path` the `argv[0]` it was started by, `args`
/// the words after it. What it has to say goes to `out` and `err`.
///
/// Gives the exit code: 0 for done, 1 for refused or failed, 2 for words that are off.
///
/// ```
/// let home = tempfile::tempdir().unwrap();
/// let program = home.path().join("bin/ledger");
/// let (mut out, mut err) = (Vec::new(), Vec::new());
/// let code = hcp_demo::run("ledger", program.as_os_str(), vec!["balance".into()], &mut out, &mut err);
/// assert_eq!((code, out.as_slice()), (0, "100.00 EUR\n".as_bytes()));
/// ```
pub fn run(
    tool: &str,
    program_path: &OsStr,
    args: Vec<OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let done = answer(tool, program_path, args).and_then(|text| {
        write_text(out, &text).map_err(|source| Fault::Io {
            what: "standard output".to_owned(),
            source,
        })
    });
    match done {
        Ok(()) => 0,
        // Nobody reads on: no error of ours.
        Err(Fault::Io { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(fault) => {
            // Where standard error is gone too, the exit code still tells.
            let _ = write_text(err, &format!("{tool}: {fault}\n"));
            fault.exit()
        }
    }
}

fn answer(tool: &str, program_path: &OsStr, args: Vec<OsString>) -> Result<String, Fault> {
    let words = Words::read(args)?;
    let folder = Folder::of(program_path);
    match tool {
        "ledger" => ledger::run(&words, &folder),
        "transit" => transit::run(&words, &folder),
        "notes" => notes::run(&words, &folder),
        _ => Err(Fault::Usage(format!(
            "there is no such demo tool; there are {}",
            TOOLS.join(", ")
        ))),
    }
}

fn write_text(to: &mut dyn Write, text: &str) -> std::io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}
