//! What marks an agent, as data. Variables were read from agents' source or documents, or from other programs that
//! detect them; program names are those under which the agents are installed.

use std::ffi::OsStr;

/// Which values of a variable count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Any but empty and `0`.
    Set,
    /// Exactly this one.
    Exactly(&'static str),
}

/// A variable that marks the processes of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableMark {
    /// Its name.
    pub name: &'static str,
    /// The values that count.
    pub wanted: Wanted,
    /// It counts only in a process without a controlling terminal, because it is also set in terminals
    /// that are the person's own.
    pub without_terminal: bool,
}

impl VariableMark {
    /// Whether an entry of this name marks its process.
    #[must_use]
    pub fn holds(&self, value: &OsStr, terminal: bool) -> bool {
        let value_counts = match self.wanted {
            Wanted::Set => !value.is_empty() && value != "0",
            Wanted::Exactly(wanted) => value == wanted,
        };
        value_counts && !(self.without_terminal && terminal)
    }
}

const fn set(name: &'static str) -> VariableMark {
    VariableMark {
        name,
        wanted: Wanted::Set,
        without_terminal: false,
    }
}

/// The variables that mark an agent's processes, the product's own first.
pub const VARIABLES: &[VariableMark] = &[
    set("HCP_AGENT"),
    // Claude Code sets it in the shells of its tools.
    VariableMark {
        name: "CLAUDE_CODE_CHILD_SESSION",
        wanted: Wanted::Exactly("1"),
        without_terminal: false,
    },
    // Claude Code's editor extensions set it in the person's own terminals as well.
    VariableMark {
        name: "CLAUDECODE",
        wanted: Wanted::Exactly("1"),
        without_terminal: true,
    },
    // Codex (codex-rs, spawn and shell_environment) sets these for its shell tool.
    set("CODEX_SANDBOX"),
    set("CODEX_SANDBOX_NETWORK_DISABLED"),
    set("CODEX_THREAD_ID"),
    // Gemini CLI's shell tool.
    VariableMark {
        name: "GEMINI_CLI",
        wanted: Wanted::Exactly("1"),
        without_terminal: false,
    },
    // Cursor's agent terminals.
    set("CURSOR_AGENT"),
    // opencode sets it in its own process, and so in all that it starts.
    VariableMark {
        name: "OPENCODE",
        wanted: Wanted::Exactly("1"),
        without_terminal: false,
    },
];

/// A program that is an agent: whatever it starts is inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramMark {
    /// The name of its file, without folder and without a script's ending.
    pub name: &'static str,
    /// A part of a script's path that tells it where its file has a common name (`cli.js`).
    pub package: Option<&'static str>,
    /// The word that must follow, where the program is an agent's only then.
    pub first_word: Option<&'static str>,
}

const fn program(name: &'static str, package: Option<&'static str>) -> ProgramMark {
    ProgramMark {
        name,
        package,
        first_word: None,
    }
}

/// Programs of known agents.
pub const PROGRAMS: &[ProgramMark] = &[
    program("claude", Some("@anthropic-ai/claude-code/")),
    program("codex", Some("@openai/codex/")),
    program("gemini", Some("@google/gemini-cli/")),
    program("cursor-agent", None),
    program("aider", None),
    program("goose", None),
    program("opencode", Some("opencode-ai/")),
    // What a model reaches through the server is inside, whoever started the server.
    ProgramMark {
        name: "hcpx",
        package: None,
        first_word: Some("mcp"),
    },
];

/// Programs whose first plain word is the script that they run.
pub(super) const INTERPRETERS: &[&str] = &[
    "node", "nodejs", "bun", "deno", "python", "python2", "python3", "pypy3", "ruby", "perl", "sh",
    "bash", "dash", "zsh", "fish", "ksh", "env", "npx", "bunx", "uv", "uvx", "pipx", "tsx",
];

/// Options of interpreters that take the next word as their value.
pub(super) const OPTIONS_WITH_VALUE: &[&str] = &[
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-C",
    "--conditions",
    "--env-file",
    "-X",
    "-W",
    "-I",
    "-o",
    "-O",
    "--title",
];
