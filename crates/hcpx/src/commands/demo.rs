//! `hcpx demo`: the whole story in a throw-away home. Every line under a `$` is produced by this very
//! program, started anew for each step; on a terminal the person answers for real.

use crate::cli;
use crate::error::CliError;
use crate::output::{Look, Output, Text};
use hcp_core::code::Code;
use hcp_core::json::Value;
use hcp_core::text::safe_lines;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Who types a line of the story.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    You,
    Agent,
}

struct Stage<'o> {
    program: PathBuf,
    home: tempfile::TempDir,
    output: &'o Output,
    interactive: bool,
}

pub(crate) fn run(words: &cli::Demo, output: &Output) -> Result<u8, CliError> {
    let program = std::env::current_exe().map_err(|e| internal(&e))?;
    let home = tempfile::Builder::new()
        .prefix("hcpx-demo-")
        .tempdir()
        .map_err(|e| internal(&e))?;
    std::fs::create_dir(home.path().join("work")).map_err(|e| internal(&e))?;
    let interactive = !words.no_input && super::answer::terminal();
    let stage = Stage {
        program,
        home,
        output,
        interactive,
    };
    stage.play()?;
    Ok(0)
}

fn internal(e: &std::io::Error) -> CliError {
    CliError::new(Code::Internal, format!("the demo cannot be set up: {e}"))
}

impl Stage<'_> {
    fn play(&self) -> Result<(), CliError> {
        self.tell("A throw-away home with three packs: ledger pays, transit sells tickets, notes keeps notes.");
        for pack in ["ledger", "transit", "notes"] {
            self.line(Who::You, &["install", pack])?;
        }
        self.tell("A read runs. So does a plain write, in the mode auto.");
        self.line(Who::Agent, &["exec", "ledger", "balance"])?;
        self.line(
            Who::Agent,
            &["exec", "notes", "add", "--", "name=milk", "text=two litres"],
        )?;
        self.tell("Money asks, in every mode. The agent gets a card and an id; nothing runs.");
        self.agent_pays("2.80")?;
        self.tell(if self.interactive {
            "Your turn: a yes to this card covers one run of it."
        } else {
            "You say yes to the card, once."
        });
        self.approve()?;
        self.tell(if self.interactive {
            "The agent runs the same call again: with your yes it runs, once; without it nothing does."
        } else {
            "The agent runs the same call again: it runs, and the yes is spent."
        });
        self.agent_pays("2.80")?;
        self.tell("One cent more is another call. It asks anew.");
        self.agent_pays("2.81")?;
        self.tell("Fares are small. A rule lets them run, up to 5, to this payee alone.");
        self.line(
            Who::You,
            &[
                "allow",
                "ledger.transfer",
                "--when",
                "payee=demo-transit",
                "--max",
                "amount=5",
                "--note",
                "fares",
            ],
        )?;
        self.agent_pays("2.80")?;
        self.agent_pays("5.01")?;
        self.tell("What must never happen gets a deny rule. No mode and no yes goes past it.");
        self.line(Who::You, &["deny", "notes.delete"])?;
        self.line(Who::Agent, &["exec", "notes", "delete", "--", "name=keys"])?;
        self.tell("The agent cannot loosen any of it.");
        self.line(Who::Agent, &["mode", "run"])?;
        self.tell("What the settings say now, and the log of it all, as one chain.");
        self.line(Who::You, &["rules"])?;
        self.line(Who::You, &["commands", "ledger"])?;
        self.line(Who::You, &["audit", "--limit", "12"])?;
        self.line(Who::You, &["audit", "verify"])?;
        self.tell("That was the demo; its home is gone now. For your own: hcpx install ledger, or hcpx --help.");
        Ok(())
    }

    /// The agent pays a fare of this amount, or asks for it.
    fn agent_pays(&self, amount: &str) -> Result<(), CliError> {
        let amount = format!("amount={amount}");
        let words = [
            "exec",
            "ledger",
            "transfer",
            "--",
            &amount,
            "payee=demo-transit",
        ];
        self.line(Who::Agent, &words)
    }

    fn approve(&self) -> Result<(), CliError> {
        let asked = self
            .command(Who::You)
            .args(["approvals", "--json"])
            .output()
            .map_err(|e| internal(&e))?;
        let listed = super::call::parse_value(&String::from_utf8_lossy(&asked.stdout));
        let first = listed
            .as_ref()
            .and_then(|v| v.get("approvals"))
            .and_then(Value::as_array)
            .and_then(|a| a.first());
        let id = first
            .and_then(|r| r.get("approval_id"))
            .and_then(Value::as_str);
        let Some(id) = id else {
            return Err(CliError::new(
                Code::Internal,
                "the demo found no request where one should wait",
            ));
        };
        self.line(Who::You, &["approve", id])
    }

    fn command(&self, who: Who) -> Command {
        let mut command = Command::new(&self.program);
        for name in ["HCP_MODE", "HCP_APPROVALS", "HCP_PROJECT", "HCP_AGENT"] {
            command.env_remove(name);
        }
        command
            .env("HCP_HOME", self.home.path().join("home"))
            .env("COLUMNS", self.output.columns.to_string())
            .current_dir(self.home.path().join("work"));
        if who == Who::Agent {
            command.env("HCP_AGENT", "1");
        }
        command
    }

    /// Shows a line and lets the program answer it.
    fn line(&self, who: Who, words: &[&str]) -> Result<(), CliError> {
        let typed = hcp_pack::template::shell_line(
            &words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>(),
        );
        let name = match who {
            Who::You => "you",
            Who::Agent => "agent",
        };
        self.show(
            &Text::new()
                .piece(Look::Faint, name)
                .piece(Look::Strong, &format!(" $ hcpx {typed}"))
                .end(),
        )?;
        let mut command = self.command(who);
        command
            .args(words.iter().take(1))
            .arg("--text")
            .args(words.iter().skip(1));
        if self.interactive {
            command.status().map_err(|e| internal(&e))?;
        } else {
            let done = command
                .stdin(Stdio::null())
                .output()
                .map_err(|e| internal(&e))?;
            for bytes in [&done.stdout, &done.stderr] {
                // The program made its own lines safe; escapes stand in them as they should be read.
                let text = safe_lines(&String::from_utf8_lossy(bytes));
                if !text.is_empty() {
                    self.show(&Text::new().safe(hcp_core::text::SafeText::join(
                        String::from_utf8_lossy(bytes).trim_end(),
                    )))?;
                }
            }
        }
        self.show(&Text::new().gap())
    }

    fn tell(&self, text: &str) {
        let lines = hcp_card::render::wrap(text, self.output.columns.saturating_sub(2));
        let mut shown = Text::new();
        for line in lines {
            shown = shown.piece(Look::Good, "# ").styled(Look::Good, line);
        }
        // A closed pipe ends the show at the next line that is answered.
        let _ = self.show(&shown);
    }

    fn show(&self, text: &Text) -> Result<(), CliError> {
        self.output
            .show(text)
            .map_err(|e| CliError::new(Code::Internal, format!("nobody reads the demo: {e}")))
    }
}
