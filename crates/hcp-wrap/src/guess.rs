//! What a command is, guessed from whole words of its name and description.
//!
//! A guess is for a person to judge. Where the words leave a doubt the command writes and asks: a question
//! too many is cheap, a deletion taken for a look is not.

mod words;

use hcp_core::policy::{Confirm, Operation};
use words::{is_any, name_words, prose_words};

/// A guess and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) operation: Operation,
    pub(crate) confirm: Confirm,
    /// Whether it says that the command cannot be undone.
    pub(crate) final_: bool,
    pub(crate) reason: String,
}

/// Commands that destroy, pay or reach others: they ask in every mode.
const ALWAYS: &[&str] = &[
    "pay",
    "transfer",
    "purchase",
    "buy",
    "refund",
    "withdraw",
    "charge",
    "payout",
    "invoice",
    "donate",
    "send",
    "sendmail",
    "email",
    "mail",
    "sms",
    "tweet",
    "broadcast",
    "publish",
    "unpublish",
    "yank",
    "destroy",
    "purge",
    "wipe",
    "erase",
    "shred",
    "truncate",
    "obliterate",
];

/// Those of them whose effect stays.
const FINAL: &[&str] = &[
    "delete",
    "del",
    "destroy",
    "purge",
    "wipe",
    "erase",
    "shred",
    "truncate",
    "obliterate",
    "remove",
    "rm",
    "rmi",
    "drop",
    "prune",
    "clear",
    "clean",
    "discard",
    "expire",
    "flush",
    "unpublish",
    "send",
    "pay",
    "transfer",
];

/// Words of loss, wherever they stand.
const DESTRUCTIVE: &[&str] = &[
    "delete",
    "del",
    "remove",
    "rm",
    "rmi",
    "rmdir",
    "drop",
    "prune",
    "clear",
    "clean",
    "cleanup",
    "discard",
    "reset",
    "restore",
    "rollback",
    "revert",
    "undo",
    "overwrite",
    "replace",
    "force",
    "uninstall",
    "kill",
    "stop",
    "terminate",
    "abort",
    "cancel",
    "evict",
    "drain",
    "cordon",
    "taint",
    "expire",
    "flush",
    "gc",
    "format",
    "revoke",
    "unlink",
    "unset",
    "disable",
    "detach",
    "leave",
    "quit",
    "close",
    "archive",
    "deprecate",
    "lock",
    "unlock",
    "shutdown",
    "reboot",
    "halt",
    "restart",
    "logout",
    "deny",
    "block",
    "ban",
    "reject",
    "filter",
    "rewrite",
    "destruct",
    "decommission",
    "deactivate",
    "unregister",
    "unstar",
    "forget",
    "lose",
    "trash",
    "undeploy",
];

/// Words of effects on others, of rights, and of running other programs.
const REACHING: &[&str] = &[
    "push",
    "deploy",
    "release",
    "upload",
    "share",
    "invite",
    "notify",
    "announce",
    "post",
    "reply",
    "comment",
    "merge",
    "submit",
    "promote",
    "rollout",
    "scale",
    "expose",
    "grant",
    "allow",
    "approve",
    "authorize",
    "login",
    "signin",
    "exec",
    "run",
    "eval",
    "shell",
    "ssh",
    "attach",
    "invoke",
    "call",
    "import",
    "trigger",
    "dispatch",
    "sync",
    "rotate",
    "sign",
    "transfer",
    "sudo",
    "impersonate",
    "rename",
    "move",
    "mv",
    "switch",
    "checkout",
    "rebase",
    "apply",
    "patch",
    "set",
    "install",
    "upgrade",
    "update",
    "edit",
    "start",
    "api",
    "proxy",
    "serve",
    "daemon",
    "enable",
    "register",
    "subscribe",
    "fork",
    "create",
    "open",
    "make",
    "mount",
    "write",
    "difftool",
    "mergetool",
];

/// Words by which a command says that it only shows.
const READS: &[&str] = &[
    "list",
    "show",
    "display",
    "print",
    "view",
    "get",
    "describe",
    "inspect",
    "search",
    "find",
    "query",
    "look",
    "report",
    "explain",
    "count",
    "tail",
    "watch",
    "lookup",
    "examine",
    "browse",
    "summarize",
    "compare",
    "output",
];

/// Names that say so even without a description.
const READ_NAMES: &[&str] = &[
    "list", "ls", "show", "status", "view", "info", "version", "whoami", "describe", "inspect",
    "search", "history", "stats", "ps", "diff", "log", "logs", "tree", "top", "outdated", "help",
    "explain", "events",
];

/// Those of them that nobody gives to a command that acts.
const SURE_NAMES: &[&str] = &[
    "list", "ls", "show", "status", "view", "info", "version", "whoami", "describe", "inspect",
    "history", "stats", "ps", "logs", "outdated", "explain",
];

/// Commands that write files of the person's own and nothing else.
const LOCAL: &[&str] = &[
    "build", "compile", "check", "test", "bench", "doc", "fmt", "lint", "fetch", "generate", "new",
    "clone", "download", "stage", "commit", "validate", "verify", "vendor",
];

/// What no look may show unasked.
const SECRET: &[&str] = &[
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passphrase",
    "credential",
    "credentials",
    "otp",
];

/// Guesses from a command's words and its description.
pub(crate) fn guess(path: &[String], description: &str, runs_words: bool) -> Guess {
    let names = name_words(path);
    let last = path
        .last()
        .map(|word| name_words(std::slice::from_ref(word)))
        .unwrap_or_default();
    let prose = prose_words(description);
    let verb = prose.first().map(String::as_str).unwrap_or_default();
    let named = |list: &[&str]| names.iter().find(|w| is_any(w, list)).cloned();
    let last_named = |list: &[&str]| last.iter().find(|w| is_any(w, list)).cloned();
    let said = |list: &[&str]| prose.iter().find(|w| is_any(w, list)).cloned();
    let begins = |list: &[&str]| is_any(verb, list).then(|| verb.to_owned());

    if let Some(word) = named(ALWAYS).or_else(|| begins(ALWAYS)) {
        let final_ = is_any(&word, FINAL);
        return write(
            Confirm::Always,
            final_,
            format!("\"{word}\" destroys for good, pays or reaches others"),
        );
    }
    if let Some(word) = named(DESTRUCTIVE).or_else(|| begins(DESTRUCTIVE)) {
        let final_ = is_any(&word, FINAL);
        return write(
            Confirm::Ask,
            final_,
            format!("\"{word}\" can lose something"),
        );
    }
    if let Some(word) = said(ALWAYS).or_else(|| said(DESTRUCTIVE)) {
        return write(
            Confirm::Ask,
            false,
            format!("its description speaks of \"{word}\""),
        );
    }
    if runs_words {
        return write(
            Confirm::Ask,
            false,
            "it runs a command that it is given".to_owned(),
        );
    }
    if let Some(word) = named(SECRET).or_else(|| said(SECRET)) {
        return write(
            Confirm::Ask,
            false,
            format!("it deals with a secret (\"{word}\")"),
        );
    }
    if let Some(word) = last_named(REACHING) {
        return write(
            Confirm::Ask,
            false,
            format!("\"{word}\" changes what others see or runs something"),
        );
    }
    if let Some(guess) = read(&last, &prose) {
        return guess;
    }
    if let Some(word) = begins(REACHING) {
        return write(
            Confirm::Ask,
            false,
            format!("\"{word}\" changes what others see or runs something"),
        );
    }
    // `release download`: beside a word that reaches others a local one is in doubt.
    if let (Some(word), None) = (last_named(LOCAL), named(REACHING)) {
        return write(
            Confirm::Never,
            false,
            format!("\"{word}\" writes files of your own"),
        );
    }
    write(
        Confirm::Ask,
        false,
        "nothing in its words says that it is harmless".to_owned(),
    )
}

fn write(confirm: Confirm, final_: bool, reason: String) -> Guess {
    Guess {
        operation: Operation::Write,
        confirm,
        final_,
        reason,
    }
}

/// A look: its first word says so, and no other verb beside it says more.
fn read(last: &[String], prose: &[String]) -> Option<Guess> {
    let verb = prose.first().map(String::as_str).unwrap_or_default();
    let shows = is_any(verb, READS);
    let name = last.iter().find(|w| is_any(w, READ_NAMES));
    let acts = |word: &String| is_any(word, REACHING) || is_any(word, OTHER_WRITES);
    // "List, create, or delete": each verb of a row of verbs counts.
    let row = prose
        .chunks(2)
        .take_while(|pair| pair.get(1).is_some_and(|link| link == ","));
    let in_row = row.filter_map(|pair| pair.first()).find(|word| acts(word));
    let linked = prose.windows(2).find_map(|pair| match pair {
        [link, word] if ["or", "and", "then"].contains(&link.as_str()) => {
            acts(word).then_some(word)
        }
        _ => None,
    });
    let more = in_row.or(linked);
    let sure = last.iter().find(|w| is_any(w, SURE_NAMES));
    let acts_somewhere = prose.iter().any(acts);
    let reason = match (shows, name, sure) {
        (true, _, _) if more.is_none() => format!("its description begins \"{verb}\""),
        (false, Some(name), _) if prose.is_empty() => format!("its name says \"{name}\""),
        (false, _, Some(name)) if !acts_somewhere => {
            format!("its name says \"{name}\", and its description nothing else")
        }
        _ => return None,
    };
    Some(Guess {
        operation: Operation::Read,
        confirm: Confirm::Never,
        final_: false,
        reason,
    })
}

/// Verbs of writing that only matter beside others.
const OTHER_WRITES: &[&str] = &[
    "add", "change", "modify", "save", "store", "put", "insert", "convert", "fix", "manage",
    "copy", "append", "record", "enter", "put", "assign", "mark",
];

/// Whether an option makes a command graver, and why.
pub(crate) fn grave_option(spelling: &str, description: &str, is_path: bool) -> Option<String> {
    let words = name_words(std::slice::from_ref(
        &spelling.trim_start_matches('-').to_owned(),
    ));
    let verb = prose_words(description)
        .into_iter()
        .next()
        .unwrap_or_default();
    // `--no-clean`, `--no-force`: the option holds something back.
    let held = words.first().is_some_and(|w| w == "no");
    let anywhere = words
        .iter()
        .find(|w| is_any(w, GRAVE_ANYWHERE) || *w == "hard");
    let shows = is_any(&verb, READS) || verb == "quote";
    // Other forms at the head of an option are no orders: `--fixed-strings`, `--renames`.
    let first = words
        .first()
        .filter(|w| GRAVE_FIRST.contains(&w.as_str()) && !shows);
    if let Some(word) = anywhere.or(first).filter(|_| !held) {
        return Some(format!("{spelling} says \"{word}\""));
    }
    let short = words.iter().all(|w| w.len() == 1);
    if short && (is_any(&verb, GRAVE_ANYWHERE) || is_any(&verb, GRAVE_FIRST)) {
        return Some(format!("{spelling} says \"{verb}\""));
    }
    let out = words
        .iter()
        .any(|w| ["output", "out", "outfile", "write"].contains(&w.as_str()));
    (out && is_path).then(|| format!("{spelling} writes a file"))
}

/// Whether an option sets a setting, by which many programs run others.
pub(crate) fn grave_setting(spelling: &str, name: &str) -> Option<String> {
    let words = name_words(&[spelling.trim_start_matches('-').to_owned(), name.to_owned()]);
    let sets = words
        .iter()
        .any(|w| ["config", "setting", "set", "name_value"].contains(&w.as_str()));
    let pair = name.contains("value") && spelling.len() == 2;
    let programs = spelling.contains("exec-path");
    (sets || pair || programs)
        .then(|| format!("{spelling} changes a setting, and some settings run other programs"))
}

/// Words of options by which a harmless command loses something.
const GRAVE_ANYWHERE: &[&str] = &[
    "delete",
    "remove",
    "rm",
    "drop",
    "purge",
    "prune",
    "destroy",
    "wipe",
    "erase",
    "overwrite",
    "force",
    "discard",
    "dangerously",
    "unsafe",
    "bypass",
    "sudo",
    "privileged",
    "pay",
];

/// Words that say so, or that another program is run, only at the head of an option.
const GRAVE_FIRST: &[&str] = &[
    "kill", "clear", "clean", "mirror", "exec", "execute", "admin", "fix", "replace", "expire",
    "textconv", "open", "unset", "move", "rename", "pager", "editor", "shell", "extcmd",
];

#[cfg(test)]
mod tests;
