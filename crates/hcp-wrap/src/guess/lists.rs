//! The words that a guess goes by. They carry their meaning in any tool: no program is named here, and none is
//! meant.

/// Commands that destroy, pay or reach others: they ask in every mode.
pub(super) const ALWAYS: &[&str] = &[
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

/// Words by which a thing is gone altogether: they ask in every mode, unless the thing is cheap.
pub(super) const STRONG: &[&str] = &[
    "delete",
    "del",
    "destroy",
    "purge",
    "wipe",
    "erase",
    "shred",
    "truncate",
    "obliterate",
    "expunge",
    "clear",
    "clean",
];

/// Words whose effect stays.
pub(super) const FINAL: &[&str] = &[
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
    "expunge",
];

/// Words of loss, wherever they stand.
pub(super) const DESTRUCTIVE: &[&str] = &[
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
    "rollback",
    "revert",
    "undo",
    "overwrite",
    "replace",
    "force",
    "uninstall",
    "kill",
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
    "revoke",
    "unlink",
    "disable",
    "detach",
    "unlock",
    "shutdown",
    "reboot",
    "halt",
    "restart",
    "logout",
    "deny",
    "ban",
    "reject",
    "rewrite",
    "destruct",
    "decommission",
    "deactivate",
    "unregister",
    "unstar",
    "forget",
    "lose",
    "undeploy",
    "expunge",
];

/// Words of loss that are as often a thing or a state ("the output format", "stopped containers"): in a
/// description they count only where a verb stands.
pub(super) const AMBIGUOUS: &[&str] = &[
    "format",
    "filter",
    "block",
    "lock",
    "archive",
    "leave",
    "quit",
    "close",
    "restore",
    "trash",
    "unset",
    "deprecate",
    "stop",
];

/// Things whose loss is seldom made good: what removes one asks in every mode.
pub(super) const PRECIOUS: &[&str] = &[
    "data",
    "volume",
    "repository",
    "repo",
    "release",
    "namespace",
    "database",
    "db",
    "schema",
    "table",
    "bucket",
    "object",
    "disk",
    "snapshot",
    "backup",
    "account",
    "organization",
    "org",
    "tenant",
    "domain",
    "zone",
    "cluster",
    "swarm",
    "node",
    "stack",
    "service",
    "environment",
    "workspace",
    "state",
    "infrastructure",
    "production",
    "untracked",
];

/// Things that are easily made again, or that are only an entry about another thing.
pub(super) const CHEAP: &[&str] = &[
    "cache",
    "alias",
    "config",
    "kubeconfig",
    "configuration",
    "setting",
    "temp",
    "tmp",
    "temporary",
    "artifact",
    "generated",
    "bookmark",
    "history",
    "screen",
    "target",
];

/// Words of effects on others, of rights, and of running other programs.
pub(super) const REACHING: &[&str] = &[
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
    "rollout",
    "scale",
    "expose",
    "grant",
    "allow",
    "approve",
    "authorize",
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
    "browse",
    "dump",
    "export",
];

/// Acts that change who may do what, or as whom everything after them is done.
pub(super) const HANDS_OUT: &[&str] = &[
    "grant",
    "revoke",
    "impersonate",
    "promote",
    "demote",
    "login",
    "signin",
];

/// Things by which somebody may act: what changes one asks in every mode.
pub(super) const RIGHTS: &[&str] = &[
    "key",
    "keys",
    "keypair",
    "certificate",
    "cert",
    "certs",
    "ca",
    "signer",
    "trust",
    "2fa",
    "mfa",
    "otp",
    "role",
    "roles",
    "rolebinding",
    "clusterrole",
    "clusterrolebinding",
    "permission",
    "permissions",
    "privilege",
    "privileges",
    "acl",
    "iam",
    "policy",
    "owner",
    "owners",
    "collaborator",
    "collaborators",
    "member",
    "members",
    "team",
    "teams",
    "org",
    "user",
    "users",
    "visibility",
    "access",
];

/// What no look may show unasked.
pub(super) const SECRET: &[&str] = &[
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

/// Words by which a command says that it only shows.
pub(super) const READS: &[&str] = &[
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
    "summarize",
    "compare",
    "output",
    "return",
    "retrieve",
    "provide",
    "verify",
    "validate",
    "calculate",
    "compute",
    "determine",
    "estimate",
    "diagnose",
    "wait",
    "diff",
    "ping",
];

/// Names that say that a command shows, even without a description.
pub(super) const READ_NAMES: &[&str] = &[
    "list", "ls", "show", "status", "view", "info", "version", "whoami", "describe", "inspect",
    "search", "history", "stats", "ps", "diff", "log", "logs", "tree", "top", "outdated", "help",
    "explain", "events", "get",
];

/// Those of the names that show that nobody gives to a command that acts.
pub(super) const SURE_NAMES: &[&str] = &[
    "list", "ls", "show", "status", "view", "info", "version", "whoami", "describe", "inspect",
    "history", "stats", "ps", "logs", "outdated", "explain",
];

/// Verbs of a description beside which a name that shows may be believed.
pub(super) const NEUTRAL: &[&str] = &[
    "access", "check", "manage", "fetch", "see", "all", "current",
];

/// Commands that write files of the person's own and nothing else.
pub(super) const LOCAL: &[&str] = &[
    "build", "compile", "check", "test", "bench", "doc", "fmt", "lint", "fetch", "generate",
    "clone", "download", "stage", "commit", "validate", "verify", "vendor", "assemble",
];

/// Names of commands that make a beginning or an entry in files of one's own, where their description says so.
pub(super) const ENTRIES: &[&str] = &["init", "new", "add", "pack"];

/// Things that are a person's own files.
pub(super) const OWN_FILES: &[&str] = &[
    "file",
    "files",
    "directory",
    "folder",
    "index",
    "manifest",
    "package",
    "crate",
    "module",
    "project",
    "tree",
    "local",
    "locally",
];

/// Things that others see, and words for "not here".
pub(super) const OUTWARD: &[&str] = &[
    "registry",
    "server",
    "remote",
    "account",
    "cluster",
    "swarm",
    "organization",
    "team",
    "upload",
    "host",
    "service",
    "network",
    "internet",
    "api",
    "cloud",
    "another",
    "browser",
    "web",
    "website",
    "issue",
    "comment",
    "user",
    "users",
    "github",
    "gitlab",
    "integration",
    "infrastructure",
    "production",
];

/// Verbs of writing that only matter beside others.
pub(super) const OTHER_WRITES: &[&str] = &[
    "add", "change", "modify", "save", "store", "put", "insert", "convert", "fix", "manage",
    "copy", "append", "record", "enter", "put", "assign", "mark",
];

/// Words by which an option's description says that it changes only what is shown.
pub(super) const OF_DISPLAY: &[&str] = &[
    "omit",
    "show",
    "list",
    "display",
    "print",
    "hide",
    "limit",
    "exclude",
    "ignore",
    "suppress",
    "shown",
    "displayed",
    "listed",
    "displaying",
    "listing",
];

/// Words of options by which a harmless command loses something.
pub(super) const GRAVE_ANYWHERE: &[&str] = &[
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
pub(super) const GRAVE_FIRST: &[&str] = &[
    "kill", "clear", "clean", "mirror", "exec", "execute", "admin", "fix", "replace", "expire",
    "textconv", "open", "unset", "move", "rename", "pager", "editor", "shell", "extcmd",
];

/// Words of effects that are things as well: they count only where they are the whole name (`api-versions`).
pub(super) const THINGS_TOO: &[&str] = &["api", "proxy", "daemon", "shell", "release", "patch"];

/// What a description says of a command's standing before it says what it does.
pub(super) const STANDING: &[&str] = &[
    "deprecated",
    "experimental",
    "beta",
    "alpha",
    "preview",
    "unstable",
];

/// Words behind which a description goes on to another verb.
pub(super) const LINKS: &[&str] = &[
    ",", "and", "or", "then", "to", "will", "would", "may", "can",
];

/// Words by which a command says that it lists and describes, and shows no value.
pub(super) const LISTINGS: &[&str] = &["list", "ls", "inspect", "describe", "status"];

/// Rights that a description may speak of as well: what changes one asks in every mode.
pub(super) const ROLES: &[&str] = &["rbac", "role", "permission", "privilege", "collaborator"];

/// Acts by which something comes before everybody, where it is done to one of [`SHELVES`].
pub(super) const PUTS_OUT: &[&str] = &["push", "upload", "create", "submit"];

/// Where others get what they run.
pub(super) const SHELVES: &[&str] = &["registry", "release", "marketplace", "store"];
