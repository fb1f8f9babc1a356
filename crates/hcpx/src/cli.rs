//! The words of the command line, as clap types. It holds no rules of its own.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The access layer for AI agents that run real commands.
#[derive(Debug, Parser)]
#[command(
    name = "hcpx",
    version,
    about = "The access layer for AI agents that run real commands",
    before_help = "Examples:\n  hcpx demo                  see the whole story in a throw-away home\n  hcpx install ledger        install a bundled pack\n  hcpx commands              see what runs, asks or is refused\n  hcpx exec ledger balance   run a command\n  hcpx preview ledger transfer -- amount=2.80 payee=demo-transit\n  hcpx approvals             see what waits for your yes",
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}",
    subcommand_required = false,
    arg_required_else_help = false,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Print one JSON object, also on a terminal
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print lists as one JSON object a line
    #[arg(long, global = true, help_heading = "Output", conflicts_with = "json")]
    pub(crate) jsonl: bool,
    /// Print for people, also where a program reads
    #[arg(long, global = true, help_heading = "Output", conflicts_with_all = ["json", "jsonl"])]
    pub(crate) text: bool,
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, help_heading = "Output")]
    pub(crate) color: Color,
    /// Say nothing that is not the answer
    #[arg(long, short, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl Global {
    /// The output options of a command line that could not be parsed.
    pub(crate) fn guess(words: &[std::ffi::OsString]) -> Self {
        let own = || words.iter().take_while(|w| *w != "--");
        let has = |word: &str| own().any(|w| w == word);
        Self {
            json: has("--json"),
            jsonl: has("--jsonl"),
            text: has("--text"),
            color: Self::guess_color(words),
            quiet: false,
        }
    }

    /// Whether a command line that could not be parsed was to hand standard output to the tool.
    pub(crate) fn guess_raw(words: &[std::ffi::OsString]) -> bool {
        let mut own = words.iter().skip(1).take_while(|w| *w != "--");
        own.any(|w| w == "exec") && own.any(|w| w == "--raw")
    }
}

impl Global {
    fn guess_color(words: &[std::ffi::OsString]) -> Color {
        let mut words = words
            .iter()
            .take_while(|w| *w != "--")
            .filter_map(|w| w.to_str());
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('='),
                None => continue,
            };
            return value
                .and_then(|v| Color::from_str(v, false).ok())
                .unwrap_or(Color::Auto);
        }
        Color::Auto
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    // No doc comments here: they would turn every command's help into its long form.
    Auto,
    Always,
    Never,
}

/// Every command of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the whole story in a throw-away home: ask, card, approve, rerun, rule, deny, audit
    #[command(
        before_help = "Examples:\n  hcpx demo              waits for you at each approval\n  hcpx demo --no-input   plays on by itself"
    )]
    Demo(Demo),
    /// Run a command through the gate
    #[command(
        before_help = "Examples:\n  hcpx exec ledger balance\n  hcpx exec ledger transfer -- amount=2.80 payee=demo-transit\n  hcpx exec ledger transfer -- 2.80 --to demo-transit\n  hcpx exec --confirm 5ea7eb29\n  hcpx exec --raw git diff | less"
    )]
    Exec(Exec),
    /// Show the card of a call, before anything runs
    #[command(
        before_help = "Examples:\n  hcpx preview ledger transfer -- amount=2.80 payee=demo-transit\n  hcpx preview ledger transfer -- 2.80 --to demo-transit"
    )]
    Preview(CallWords),
    /// Show the decision on a call and its trace, rule by rule
    #[command(
        before_help = "Examples:\n  hcpx explain ledger transfer -- amount=2.80 payee=demo-transit\n  hcpx explain git push -- origin main"
    )]
    Explain(CallWords),
    /// List commands with what the settings say of each: allow, ask or deny
    #[command(before_help = "Examples:\n  hcpx commands\n  hcpx commands ledger")]
    Commands(Commands),
    /// Show the mode and where it comes from, or set it
    #[command(
        before_help = "Examples:\n  hcpx mode                      show\n  hcpx mode manual               for everything\n  hcpx mode run --pack transit   for one pack\n  hcpx mode --clear              back to the default"
    )]
    Mode(Mode),
    /// Add a rule that lets calls run
    #[command(
        before_help = "Examples:\n  hcpx allow ledger.transfer --when payee=demo-transit --max amount=5\n  hcpx allow 'notes.*' --op read --for 30m"
    )]
    Allow(RuleWords),
    /// Add a rule that makes calls ask
    #[command(before_help = "Examples:\n  hcpx ask 'gh.*'\n  hcpx ask 'ledger.*' --human")]
    Ask(AskWords),
    /// Add a rule that refuses calls, whatever the mode
    #[command(
        before_help = "Examples:\n  hcpx deny notes.delete\n  hcpx deny '*' --op write       read-only everywhere"
    )]
    Deny(DenyWords),
    /// List the rules, or remove one
    #[command(
        before_help = "Examples:\n  hcpx rules\n  hcpx rules rm 0\n  hcpx rules rm project:0"
    )]
    Rules(Rules),
    /// List what waits for a person's yes
    #[command(
        before_help = "Examples:\n  hcpx approvals\n  hcpx approvals --watch\n  hcpx approvals forget 5ea7eb29"
    )]
    Approvals(Approvals),
    /// Say yes to one request, once
    #[command(
        before_help = "Examples:\n  hcpx approve            the only one that waits\n  hcpx approve 5ea7eb29\n  hcpx approve 5ea7"
    )]
    Approve(Approve),
    /// Say no to a request
    #[command(
        before_help = "Examples:\n  hcpx reject 5ea7eb29 --note 'wrong payee'\n  hcpx reject --all 'ledger.*'"
    )]
    Reject(Reject),
    /// Show the effective settings and all that was ignored; set, check or test them
    #[command(
        before_help = "Examples:\n  hcpx access\n  hcpx access set approvals human\n  hcpx access check .hcp/access.json\n  hcpx access test tests/access.json"
    )]
    Access(Access),
    /// Show the log of decisions; verify, rotate or follow it
    #[command(
        before_help = "Examples:\n  hcpx audit --limit 20\n  hcpx audit --since 1h --decision deny --follow\n  hcpx audit verify"
    )]
    Audit(Audit),
    /// List the installed packs; show or accept a change
    #[command(
        before_help = "Examples:\n  hcpx packs\n  hcpx packs diff ledger\n  hcpx packs accept ledger"
    )]
    Packs(Packs),
    /// Install a pack from a folder or from those that come along
    #[command(
        before_help = "Examples:\n  hcpx install ledger\n  hcpx install ./packs/shop\n  hcpx install --link ./packs/shop"
    )]
    Install(Install),
    /// Remove a pack
    #[command(before_help = "Examples:\n  hcpx uninstall ledger")]
    Uninstall(Uninstall),
    /// Sign in with a pack's tool, and let the pack act as that account
    #[command(
        before_help = "Examples:\n  hcpx connect mail           signs in, and says as whom\n  hcpx connect mail           again: as another account\n  hcpx connect mail --forget  connected to none; the tool stays signed in"
    )]
    Connect(Connect),
    /// Lint packs: what is dangerous or wrong in them, and how to mend it
    #[command(
        before_help = "Examples:\n  hcpx check                     the pack here, or all packs below\n  hcpx check ./my-pack --strict\n  hcpx check --fix\n  hcpx check --explain P007\n  hcpx check --level M010=off --format sarif > check.sarif"
    )]
    Check(Check),
    /// Draft a pack from a program's own help
    #[command(
        before_help = "Examples:\n  hcpx wrap gh                              writes ./gh\n  hcpx wrap kubectl --out packs/kubectl --only 'get*' --only 'rollout *'\n  hcpx wrap gh --update                     keeps what you changed"
    )]
    Wrap(Wrap),
    /// Print a JSON Schema: pack, surface, policy, access, grants, result, audit
    #[command(before_help = "Examples:\n  hcpx schema access > access.schema.json")]
    Schema(Schema),
    /// Check the set-up, each finding with its mend
    #[command(before_help = "Examples:\n  hcpx doctor\n  hcpx doctor --json")]
    Doctor,
    /// Print the completions of a shell
    #[command(
        before_help = "Examples:\n  hcpx completions bash > ~/.local/share/bash-completion/completions/hcpx\n  hcpx completions zsh > ~/.zfunc/_hcpx\n  hcpx completions fish > ~/.config/fish/completions/hcpx.fish"
    )]
    Completions(Completions),
    /// Print the names that can follow on a command line, for completions
    #[command(name = "complete-names", hide = true)]
    CompleteNames(CompleteNames),
    /// Print the manual page
    #[command(before_help = "Examples:\n  hcpx man > hcpx.1; man ./hcpx.1")]
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Play it as a walk-through, without waiting for anybody
    #[arg(long)]
    pub(crate) no_input: bool,
}

/// A command by name, and its arguments.
#[derive(Debug, Clone, Args)]
pub(crate) struct CallWords {
    /// PACK COMMAND, or PACK.COMMAND
    #[arg(value_names = ["PACK", "COMMAND"], num_args = 0..=2)]
    pub(crate) target: Vec<String>,
    /// All arguments as one JSON object, or - to read it from standard input
    #[arg(long, value_name = "JSON|-")]
    pub(crate) args: Option<String>,
    /// NAME=text for each argument (NAME:=JSON for anything but text), or the tool's own words: 2.80 --to demo-transit
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Exec {
    #[command(flatten)]
    pub(crate) call: CallWords,
    /// The approval that covers this call; alone, it runs the stored call itself
    #[arg(long, value_name = "ID")]
    pub(crate) confirm: Option<String>,
    /// Wait for the person's answer, at most this many seconds
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub(crate) wait: Option<u64>,
    /// End the run after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Give the tool this file (or - for hcpx's own) as standard input
    #[arg(long, value_name = "FILE|-")]
    pub(crate) stdin: Option<String>,
    /// Pass the tool's bytes and exit code on as they are; a refusal ends with 125
    #[arg(long)]
    pub(crate) raw: bool,
    /// Hand the terminal to the tool (for a person only)
    #[arg(long)]
    pub(crate) tty: bool,
    /// Never ask on the terminal
    #[arg(long)]
    pub(crate) no_input: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Commands {
    /// Only this pack
    pub(crate) pack: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Mode {
    /// manual, auto or run
    #[arg(value_parser = ["manual", "auto", "run"], conflicts_with = "clear")]
    pub(crate) mode: Option<String>,
    /// For one pack
    #[arg(long, value_name = "PACK")]
    pub(crate) pack: Option<String>,
    /// In the project's file, which only tightens
    #[arg(long)]
    pub(crate) project: bool,
    /// Take the setting out
    #[arg(long)]
    pub(crate) clear: bool,
}

/// The conditions of a rule.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ConditionWords {
    /// Only reads, or only writes
    #[arg(long, value_parser = ["read", "write"])]
    pub(crate) op: Option<String>,
    /// The argument equals the value
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) when: Vec<String>,
    /// The argument is absent
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Vec<String>,
    /// The argument is a number not above the limit
    #[arg(long, value_name = "NAME=NUMBER")]
    pub(crate) max: Vec<String>,
    /// The argument is a number not below the limit
    #[arg(long, value_name = "NAME=NUMBER", allow_hyphen_values = true)]
    pub(crate) min: Vec<String>,
    /// The argument equals one of the values
    #[arg(long, value_name = "NAME=V,V…")]
    pub(crate) one_of: Vec<String>,
    /// The glob matches the whole argument; * stands for any run without /, ** for any run
    #[arg(long, value_name = "NAME=GLOB")]
    pub(crate) like: Vec<String>,
    /// No argument is present but those named here
    #[arg(long)]
    pub(crate) only: bool,
}

/// The calls that a rule is not for.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ExceptWords {
    /// Not when the argument equals the value
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Exceptions")]
    pub(crate) except_when: Vec<String>,
    /// Not when the argument is absent
    #[arg(long, value_name = "NAME", help_heading = "Exceptions")]
    pub(crate) except_without: Vec<String>,
    /// Not when the argument is not above the limit
    #[arg(long, value_name = "NAME=NUMBER", help_heading = "Exceptions")]
    pub(crate) except_max: Vec<String>,
    /// Not when the argument is not below the limit
    #[arg(long, value_name = "NAME=NUMBER", help_heading = "Exceptions")]
    pub(crate) except_min: Vec<String>,
    /// Not when the argument equals one of the values
    #[arg(long, value_name = "NAME=V,V…", help_heading = "Exceptions")]
    pub(crate) except_one_of: Vec<String>,
    /// Not when the glob matches the argument
    #[arg(long, value_name = "NAME=GLOB", help_heading = "Exceptions")]
    pub(crate) except_like: Vec<String>,
    /// Not when no argument is present
    #[arg(long, help_heading = "Exceptions")]
    pub(crate) except_only: bool,
    /// Not for reads, or not for writes
    #[arg(long, value_name = "OP", value_parser = ["read", "write"], help_heading = "Exceptions")]
    pub(crate) except_op: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RuleWords {
    /// *, PACK.* (or PACK) or PACK.COMMAND
    #[arg(value_name = "MATCH", required = true, num_args = 1..)]
    pub(crate) matches: Vec<String>,
    #[command(flatten)]
    pub(crate) when: ConditionWords,
    #[command(flatten)]
    pub(crate) except: ExceptWords,
    /// Free text, shown wherever the rule is
    #[arg(long)]
    pub(crate) note: Option<String>,
    /// How long the rule counts: 30m, 2h, 1d
    #[arg(long = "for", value_name = "TIME", conflicts_with = "until")]
    pub(crate) duration: Option<String>,
    /// The moment at which the rule ends: 2026-12-31T18:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// In the project's file, which only tightens
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AskWords {
    #[command(flatten)]
    pub(crate) rule: RuleWords,
    /// Only a person's own answer counts for these calls
    #[arg(long)]
    pub(crate) human: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DenyWords {
    #[command(flatten)]
    pub(crate) rule: RuleWords,
    /// Write the rule although nothing of that name is installed
    #[arg(long)]
    pub(crate) anyway: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Rules {
    #[command(subcommand)]
    pub(crate) command: Option<RulesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Remove a rule by its index
    Rm {
        /// As `hcpx rules` lists it: 0, project:0
        index: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Approvals {
    /// Stay open: new requests appear, a key answers each
    #[arg(long)]
    pub(crate) watch: bool,
    #[command(subcommand)]
    pub(crate) command: Option<ApprovalsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// Take a mistaken no back
    Forget {
        /// The request, or the first 4 digits of it
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The request, or the first 4 digits of it; without it, the only one that waits
    pub(crate) id: Option<String>,
    /// Do not ask again on the terminal
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Reject {
    /// The request, or the first 4 digits of it; with --all, the calls to reject (PACK.*)
    pub(crate) id: Option<String>,
    /// Why: it reaches the agent
    #[arg(long)]
    pub(crate) note: Option<String>,
    /// Every request that waits, or those of a MATCH
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Access {
    #[command(subcommand)]
    pub(crate) command: Option<AccessCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccessCommand {
    /// Set approvals (agent, human) or approval_minutes (1 to 1440)
    Set {
        /// approvals or approval_minutes
        #[arg(value_parser = ["approvals", "approval_minutes"])]
        key: String,
        /// The value
        value: String,
        /// In the project's file, which only tightens
        #[arg(long)]
        project: bool,
    },
    /// Validate a settings file before it is used
    Check {
        /// The file
        file: PathBuf,
    },
    /// Run a table of calls against the decisions expected
    Test {
        /// The file
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Audit {
    #[command(flatten)]
    pub(crate) filter: AuditFilter,
    #[command(subcommand)]
    pub(crate) command: Option<AuditCommand>,
}

#[derive(Debug, Args)]
pub(crate) struct AuditFilter {
    /// How many events, newest last
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Only this pack
    #[arg(long)]
    pub(crate) pack: Option<String>,
    /// Only this command
    #[arg(long)]
    pub(crate) command: Option<String>,
    /// Only this decision
    #[arg(long, value_parser = ["allow", "ask", "deny"])]
    pub(crate) decision: Option<String>,
    /// Only this Principal
    #[arg(long)]
    pub(crate) principal: Option<String>,
    /// Only since then: 1h, 2d, or a time
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Stay open and print new events
    #[arg(long)]
    pub(crate) follow: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Check the chain across all files
    Verify {
        /// A head kept elsewhere: finds a cut tail
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
    },
    /// Show all lines of one call
    Show {
        /// A call's id or a line's seq
        id: String,
    },
    /// Print the chain's head, to keep it elsewhere
    Head,
    /// Begin a new file; the old one stays
    Rotate,
    /// The key of the arguments' digests
    Key {
        #[command(subcommand)]
        command: AuditKeyCommand,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditKeyCommand {
    /// From now on digest arguments with a key, so that small values cannot be guessed
    Init,
}

#[derive(Debug, Args)]
pub(crate) struct Packs {
    #[command(subcommand)]
    pub(crate) command: Option<PacksCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PacksCommand {
    /// Show how a pack differs from what was accepted
    Diff {
        /// The pack
        id: String,
    },
    /// Take a pack as it is now
    Accept {
        /// The pack
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// A folder, or the name of a bundled pack
    pub(crate) source: String,
    /// Follow the folder instead of copying it (for authors)
    #[arg(long)]
    pub(crate) link: bool,
    /// Put it in the place of the pack that has this id
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    /// The pack
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// The pack
    pub(crate) id: String,
    /// Forget the account instead; what was asked or approved under it is withdrawn
    #[arg(long, conflicts_with = "timeout")]
    pub(crate) forget: bool,
    /// End the sign-in after this many seconds (without a terminal: 600)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Folders of packs or above packs, or packs by their ids; without one, the pack here or all packs below
    #[arg(value_name = "PATH|ID")]
    pub(crate) paths: Vec<PathBuf>,
    /// Fail on warnings too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Apply the suggestions that are safe; everything else stays as it was written
    #[arg(long)]
    pub(crate) fix: bool,
    /// Give a lint another level: error, warning, note or off
    #[arg(long, value_name = "CODE=LEVEL")]
    pub(crate) level: Vec<String>,
    /// How to print what is found
    #[arg(long, value_enum)]
    pub(crate) format: Option<CheckFormat>,
    /// Print what a lint is for
    #[arg(long, value_name = "CODE", conflicts_with_all = ["paths", "strict", "fix", "level"])]
    pub(crate) explain: Option<String>,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    // No doc comments here: they would turn the command's help into its long form.
    Text,
    Json,
    Sarif,
}

#[derive(Debug, Args)]
pub(crate) struct Wrap {
    /// The program: its name, or its whole path
    pub(crate) program: String,
    /// The folder to write; by default one named as the pack, here
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How many words deep to read
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(crate) depth: u8,
    /// Only commands like this: pr_*, 'repo list'
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) only: Vec<String>,
    /// Bring a draft up to date and keep what a person changed in it
    #[arg(long)]
    pub(crate) update: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Which one
    #[arg(value_parser = ["pack", "surface", "policy", "access", "grants", "result", "audit"])]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CompleteNames {
    /// What stands on the line after the command of hcpx
    #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Whether a command shows or changes. Inside an agent every change is `human_only`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// It only shows (or runs a call through the gate, which records its own).
    Shows,
    /// It changes the store, a project's settings or a host's.
    Changes,
}

impl Command {
    /// The command's own words, with those of its subcommand or option that changes something.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Demo(_) => "demo",
            Self::Exec(_) => "exec",
            Self::Preview(_) => "preview",
            Self::Explain(_) => "explain",
            Self::Commands(_) => "commands",
            Self::Mode(_) => "mode",
            Self::Allow(_) => "allow",
            Self::Ask(_) => "ask",
            Self::Deny(_) => "deny",
            Self::Rules(rules) => match &rules.command {
                Some(RulesCommand::Rm { .. }) => "rules rm",
                None => "rules",
            },
            Self::Approvals(approvals) => match &approvals.command {
                Some(ApprovalsCommand::Forget { .. }) => "approvals forget",
                None if approvals.watch => "approvals --watch",
                None => "approvals",
            },
            Self::Approve(_) => "approve",
            Self::Reject(_) => "reject",
            Self::Access(access) => match &access.command {
                Some(AccessCommand::Set { .. }) => "access set",
                Some(AccessCommand::Check { .. }) => "access check",
                Some(AccessCommand::Test { .. }) => "access test",
                None => "access",
            },
            Self::Audit(audit) => match &audit.command {
                Some(AuditCommand::Verify { .. }) => "audit verify",
                Some(AuditCommand::Show { .. }) => "audit show",
                Some(AuditCommand::Head) => "audit head",
                Some(AuditCommand::Rotate) => "audit rotate",
                Some(AuditCommand::Key {
                    command: AuditKeyCommand::Init,
                }) => "audit key init",
                None => "audit",
            },
            Self::Packs(packs) => match &packs.command {
                Some(PacksCommand::Diff { .. }) => "packs diff",
                Some(PacksCommand::Accept { .. }) => "packs accept",
                None => "packs",
            },
            Self::Install(_) => "install",
            Self::Uninstall(_) => "uninstall",
            Self::Connect(_) => "connect",
            Self::Check(_) => "check",
            Self::Wrap(_) => "wrap",
            Self::Schema(_) => "schema",
            Self::Doctor => "doctor",
            Self::Completions(_) => "completions",
            Self::CompleteNames(_) => "complete-names",
            Self::Man => "man",
        }
    }

    /// Which side a command is on. Exhaustive, so that a new command must take a side.
    pub(crate) fn side(&self) -> Side {
        let changes = match self {
            Self::Allow(_)
            | Self::Ask(_)
            | Self::Deny(_)
            | Self::Approve(_)
            | Self::Reject(_)
            | Self::Install(_)
            | Self::Uninstall(_)
            | Self::Connect(_) => true,
            // It plays a person's part too.
            Self::Demo(_) => true,
            Self::Mode(mode) => mode.mode.is_some() || mode.clear,
            Self::Rules(rules) => match &rules.command {
                Some(RulesCommand::Rm { .. }) => true,
                None => false,
            },
            Self::Approvals(approvals) => match &approvals.command {
                Some(ApprovalsCommand::Forget { .. }) => true,
                // The watch screen answers requests.
                None => approvals.watch,
            },
            Self::Access(access) => match &access.command {
                Some(AccessCommand::Set { .. }) => true,
                Some(AccessCommand::Check { .. } | AccessCommand::Test { .. }) | None => false,
            },
            Self::Audit(audit) => match &audit.command {
                Some(AuditCommand::Rotate | AuditCommand::Key { .. }) => true,
                Some(
                    AuditCommand::Verify { .. } | AuditCommand::Show { .. } | AuditCommand::Head,
                )
                | None => false,
            },
            Self::Packs(packs) => match &packs.command {
                Some(PacksCommand::Accept { .. }) => true,
                Some(PacksCommand::Diff { .. }) | None => false,
            },
            Self::Exec(_)
            | Self::Preview(_)
            | Self::Explain(_)
            | Self::Commands(_)
            // What it mends are the files of somebody's pack, never the store's.
            | Self::Check(_)
            // A draft is no pack before a person installs it.
            | Self::Wrap(_)
            | Self::Schema(_)
            | Self::Doctor
            | Self::Completions(_)
            | Self::CompleteNames(_)
            | Self::Man => false,
        };
        if changes { Side::Changes } else { Side::Shows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    include!("../tests/it/sides/rows.rs");

    fn paths(command: &clap::Command, above: &str, found: &mut Vec<String>) {
        for sub in command.get_subcommands() {
            let path = format!("{above} {}", sub.get_name()).trim().to_owned();
            paths(sub, &path, found);
            found.push(path);
        }
    }

    #[test]
    fn every_command_stands_on_the_side_that_the_walk_holds_it_to() {
        let mut all = Vec::new();
        paths(&Cli::command(), "", &mut all);
        for path in &all {
            assert!(
                ROWS.iter().any(|(known, ..)| known == path),
                "no line for hcpx {path}"
            );
        }
        for (path, words, changes) in ROWS {
            assert!(
                all.iter().any(|known| known == path),
                "there is no hcpx {path}"
            );
            let cli = Cli::try_parse_from([&["hcpx"], *words].concat()).unwrap();
            let command = cli.command.unwrap();
            let side = if *changes { Side::Changes } else { Side::Shows };
            assert_eq!(command.side(), side, "hcpx {}", words.join(" "));
            assert!(
                words
                    .first()
                    .is_some_and(|first| command.name().starts_with(first))
            );
        }
    }

    #[test]
    fn the_words_of_the_command_line_are_sound() {
        Cli::command().debug_assert();
    }
}
