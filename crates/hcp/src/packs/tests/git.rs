//! The git pack against the real git: every option is accepted, no read changes anything, and what is
//! said to lose nothing loses nothing.

#![allow(clippy::type_complexity, reason = "a table of cases reads best as one")]

use super::bundled_packs::{load, words};
use hcp_core::json::{Object, Value};
use hcp_core::policy::{Confirm, Operation, Undo};
use hcp_pack::{Argument, Command, Pack};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The longest that one line may take, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// A repository with some history, a stash, a submodule's worth of nothing, and a bare remote.
struct Repo {
    folder: tempfile::TempDir,
}

struct Ran {
    code: i32,
    text: String,
}

impl Repo {
    fn new() -> Self {
        let repo = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let settings = "[user]\n name = Ana\n email = ana@example.org\n[init]\n defaultBranch = main\n\
            [protocol \"file\"]\n allow = always\n[advice]\n detachedHead = false\n\
            [gc]\n autoDetach = false\n[maintenance]\n autoDetach = false\n";
        fs::write(repo.folder.path().join("settings"), settings).unwrap();
        fs::create_dir(repo.work()).unwrap();
        repo.shell(
            "git init -q && git init -q --bare ../remote.git && git remote add origin ../remote.git
             echo one > file && echo keep > other && printf '*.ignored\\n' > .gitignore
             git add . && git commit -qm first && git tag v1 && git tag -a -m note v1a && git branch side
             echo two > file && git commit -qam second && git branch done && git push -q origin main side v1
             git fetch -q origin && git branch -q -u origin/main
             echo three > file && git stash push -q && echo four > file && git stash push -q
             git format-patch -q -1 --stdout > ../patch && echo new > untracked && echo x > x.ignored
             echo changed > other && : > ../empty",
        );
        repo
    }

    fn copy(&self) -> Self {
        let copy = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let copied = process::Command::new("cp")
            .arg("-a")
            .arg(self.folder.path().join("."))
            .arg(copy.folder.path())
            .status();
        assert!(copied.unwrap().success());
        copy
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn program(&self, program: &str) -> process::Command {
        let mut command = process::Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("GIT_CONFIG_GLOBAL", self.folder.path().join("settings"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TEMPLATE_DIR", "")
            // Else a read brings the index up to date.
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_EDITOR", "true")
            .env("FILTER_BRANCH_SQUELCH_WARNING", "1")
            .stdin(process::Stdio::null());
        command
    }

    fn shell(&self, lines: &str) -> String {
        let ran = self.program("sh").args(["-ec", lines]).output().unwrap();
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            ran.status.success(),
            "{lines}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
        text
    }

    /// Runs a line, with all that it starts in a process group of its own, which ends with it.
    fn run(&self, words: &[String]) -> Ran {
        let (program, rest) = words.split_first().unwrap();
        let output = tempfile::tempfile().unwrap();
        let mut child = self
            .program(program)
            .args(rest)
            .process_group(0)
            .stdout(output.try_clone().unwrap())
            .stderr(output.try_clone().unwrap())
            .spawn()
            .unwrap();
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap());
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if started.elapsed() > LIMIT {
                break None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        // Of a group that is gone already nothing is left to end.
        let _gone = killpg(group, Signal::SIGKILL);
        if status.is_none() {
            child.wait().unwrap();
        }
        let status = status.unwrap_or_else(|| panic!("{words:?} took longer than {LIMIT:?}"));
        Ran {
            code: status.code().unwrap_or(-1),
            text: read_whole(output),
        }
    }

    /// Everything that a read must leave as it is: each file with its content.
    fn state(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut found, mut folders) = (BTreeMap::new(), vec![self.folder.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let content = fs::read(&path).unwrap();
                    found.insert(path, content);
                }
            }
        }
        found
    }
}

fn read_whole(mut output: fs::File) -> String {
    let mut bytes = Vec::new();
    output.rewind().unwrap();
    output.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a look at each item finds, on all processors at once.
fn at_once<T: Sync>(items: &[T], look: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || {
            let mut found = Vec::new();
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                found.extend(look(item));
            }
            found
        };
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        let found = workers.into_iter().flat_map(|w| w.join().unwrap());
        found.collect()
    })
}

fn text(value: &str) -> Value {
    value.into()
}

fn list(items: &[&str]) -> Value {
    items
        .iter()
        .map(|i| (*i).to_owned())
        .collect::<Vec<String>>()
        .into()
}

/// A value that fits an argument and means something in the repository.
fn sample(command: &str, argument: &Argument) -> Value {
    let one = match (command, argument.name.as_str()) {
        ("config", "name") | ("config_get" | "config_unset" | "config_set", "name") => "user.name",
        ("remote_rename", "new") | ("remote_add", "name") => "fresh",
        ("branch_move_force", "name") => "side",
        ("tag_create", "name") => "fresh",
        ("submodule_add", "name") => "sub",
        ("worktree_move" | "worktree_remove", "path") => "../tree",
        ("worktree_move", "target") => "../moved",
        ("merge_base" | "merge_tree", "commits") => return list(&["HEAD", "side"]),
        ("check_attr", "names") => return list(&["text", "file"]),
        ("check_ref_format", "name") => "refs/heads/x",
        ("help", "topic") => "push",
        ("merge_file", "files") => return list(&["file", "file", "file"]),
        ("update_index", "cacheinfo") => "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,empty",
        ("for_each_repo", "setting") => "some.list",
        ("maintenance_run", "task") => "gc",
        ("notes_copy", "objects") => return list(&["HEAD~1", "HEAD"]),
        (_, "max_pack_size" | "batch_size") => "10m",
        ("var", "name") => "GIT_EDITOR",
        ("shortlog", "group") => "author",
        ("am", "patch_format") => "mbox",
        ("log", "lines") => return list(&["1,1:file"]),
        ("show_branch", "revisions") | ("cherry", "commits") => return list(&["side"]),
        (_, "diff_filter") => "M",
        (_, "similarity" | "similarity_short") => "50%",
        (_, "word_diff_form") => "color",
        (_, "relative_to") => ".",
        (_, "color_moved_how") => "zebra",
        (_, "color_moved_space") => "ignore-all-space",
        (_, "ignore_submodules_when" | "ws_error_highlight") => "all",
        (_, "dirstat_by") => "files",
        (_, "stat_width") => "80",
        (_, "diff_merges") => "first-parent",
        (_, "column_form" | "color") if argument.schema.get("enum").is_none() => "always",
        (_, "ignore_revs_file" | "exclude_from") => "../empty",
        (_, "exclude_per_directory") => ".gitignore",
        (_, "skip_to" | "rotate_to" | "contents" | "signature_file" | "description_file") => "file",
        (_, "add_header") => "X-Note: one",
        (_, "ref_format") => "files",
        ("rebase", "exec") | ("submodule_foreach" | "bisect_run", "command") => "true",
        ("push_delete", "refs") => "side",
        ("format_patch", "revisions") => "HEAD~1..HEAD",
        ("range_diff", "ranges") => return list(&["HEAD~1..HEAD", "HEAD~1..HEAD"]),
        ("reflog_delete", "entries") => "HEAD@{1}",
        ("update_ref_delete", "ref") => "refs/heads/done",
        ("filter_branch", "revisions") => "side",
        ("mv", "paths") => return list(&["file", "moved"]),
        ("blame" | "blame_revision", "file") | (_, "paths") => "file",
        (_, "file" | "patches" | "mailboxes" | "files") => "../patch",
        (_, "names") if command.starts_with("branch") => return list(&["side", "renamed"]),
        (_, "names" | "remote") => "origin",
        ("remote_get_url" | "remote_set_url" | "remote_remove", "name") => "origin",
        ("remote_rename", "old") => "origin",
        (_, "branches" | "tags") if command.starts_with("tag") => "v1",
        (_, "branches") => "done",
        (_, "url") => "../remote.git",
        (_, "dir" | "directory" | "work_tree" | "output_directory") if argument.global => ".",
        (_, "git_dir") => ".git",
        (_, "exec_path") => return Value::Null,
        (_, "config") => "core.quotePath=true",
        (_, "config_env") => "user.signingKey=HOME",
        (_, "directory" | "output_directory" | "output" | "path") => "../fresh",
        (_, "create" | "force_create") => "fresh",
        (_, "name") => "fresh",
        ("switch" | "clone" | "submodule_add", "branch") => "side",
        (_, "stash") => "stash@{0}",
        (_, "since" | "until" | "date" | "expire" | "expire_unreachable") => "2020-01-01",
        (_, "prune") => "now",
        (_, "format")
            if command.contains("branch")
                || command.contains("tag")
                || command == "for_each_ref" =>
        {
            "%(refname)"
        }
        (_, "format") => "%h",
        (_, "sort") => "refname",
        (_, "lines") => "1,1",
        (_, "author") => "Bo <bo@example.org>",
        (_, "trailer") => "Acked-by: Bo",
        (_, "strategy_option") => "ours",
        (_, "filter") => "blob:none",
        (_, "env_filter" | "tree_filter" | "index_filter") => "true",
        (_, "msg_filter") => "cat",
        (_, "subdirectory_filter") => ".",
        (_, "refspecs") => "main",
        (
            _,
            "message" | "value" | "push_option" | "prefix" | "namespace" | "exclude" | "subject",
        ) => "word",
        (_, "to" | "cc" | "bcc") => "ana@example.org",
        (_, "pattern" | "grep" | "patterns") => "one",
        _ => "HEAD",
    };
    if let Some(words) = argument.schema.get("enum").and_then(|e| e.as_array()) {
        return words.first().cloned().unwrap();
    }
    match argument.kind.as_deref() {
        Some("boolean") => true.into(),
        Some("integer") => 1u64.into(),
        Some("array") => list(&[one]),
        _ => text(one),
    }
}

/// The required arguments of a command, and one more.
fn arguments(command: &Command, more: Option<&Argument>) -> Object {
    let name = command.name.as_str();
    let wanted = command.arguments.iter().filter(|a| a.required);
    let mut args: Object = wanted.map(|a| (a.name.clone(), sample(name, a))).collect();
    for argument in more
        .into_iter()
        .chain(more.and_then(|m| before(command, m)))
    {
        let value = sample(name, argument);
        if value != Value::Null {
            args.insert(argument.name.as_str(), value);
        }
    }
    args
}

/// The bare word without which git would take this one for it.
fn before<'c>(command: &'c Command, argument: &Argument) -> Option<&'c Argument> {
    let name = match (command.name.as_str(), argument.name.as_str()) {
        ("ls_remote", "patterns") | (_, "refspecs") => "remote",
        ("bisect_start", "good") => "bad",
        ("rebase", "branch") => "upstream",
        ("diff", "merge_base") => "revisions",
        _ => return None,
    };
    command.arguments.iter().find(|a| a.name == name)
}

fn render(command: &Command, args: Object) -> Vec<String> {
    let shown = Value::from(args.clone()).to_string();
    let checked = command.check_args(args);
    let checked = checked.unwrap_or_else(|e| panic!("{} {shown}: {e}", command.name));
    let rendered = command.render(&checked);
    let rendered = rendered.unwrap_or_else(|e| panic!("{} {shown}: {e}", command.name));
    rendered.words.into_iter().map(|word| word.text).collect()
}

fn not_understood(ran: &Ran) -> bool {
    const WORDS: [&str; 9] = [
        "unknown option",
        "unknown switch",
        "unrecognized argument",
        "unrecognized option",
        "usage: git",
        "invalid option",
        "takes no value",
        "requires a value",
        "is not a git command",
    ];
    ran.code == 129 || WORDS.iter().any(|word| ran.text.contains(word))
}

/// Whether a call by name may hold the argument at all: some are declared only to be seen in a line.
fn can_be_given(argument: &Argument) -> bool {
    !argument.schema.contains_key("const") && !argument.schema.contains_key("not")
}

/// Whether the Policy asks for more where an argument is given.
fn is_raised(command: &Command, name: &str) -> bool {
    command.policy.raise.iter().any(|raise| {
        let texts = raise.when.like.iter().map(|(k, _)| k);
        texts
            .chain(raise.when.args.iter().map(|(k, _)| k))
            .any(|k| k == name)
    })
}

/// The arguments of a command that it can do without.
fn optional(command: &Command) -> impl Iterator<Item = &Argument> {
    // A read that an argument makes graver is no mere read any more.
    let graver = |a: &Argument| {
        let read = command.policy.operation == Operation::Read;
        read && is_raised(command, &a.name)
    };
    let own = command.arguments.iter();
    own.filter(move |a| !a.required && !a.global && can_be_given(a) && !graver(a))
}

/// Each command bare, and with each of its own arguments singly.
fn lines(command: &Command) -> impl Iterator<Item = Vec<String>> {
    std::iter::once(None)
        .chain(optional(command).map(Some))
        .map(|argument| render(command, arguments(command, argument)))
}

/// An option that no git knows.
const UNKNOWN: &str = "--option-that-no-git-knows";

/// All arguments of a command at once, and last of all an option that git does not know: where that one is what git
/// complains of, it took all the others, and did nothing.
fn all_and_an_unknown_one(command: &Command) -> Vec<String> {
    let mut args = arguments(command, None);
    for argument in optional(command) {
        args.insert(
            argument.name.as_str(),
            sample(command.name.as_str(), argument),
        );
    }
    let mut words = render(command, args);
    let end = words.iter().position(|word| word == "--");
    words.insert(end.unwrap_or(words.len()), UNKNOWN.to_owned());
    words
}

/// Whether git complains of the unknown option alone.
fn only_the_last_is_unknown(ran: &Ran) -> bool {
    let name = UNKNOWN.trim_start_matches('-');
    let complaint = ["unknown option", "unrecognized argument"].map(|text| {
        let line = ran.text.lines().find(|line| line.contains(text));
        line.is_some_and(|line| line.contains(name))
    });
    complaint.contains(&true)
}

#[test]
fn every_read_is_accepted_and_changes_nothing() {
    let git = load("git");
    let repo = Repo::new();
    let reads = |c: &&Command| c.policy.operation == Operation::Read;
    // What all that shows changes has in common is one part of git: it need not be tried in each of them.
    let mut tried = BTreeSet::new();
    let mut all = Vec::new();
    for command in git.commands.values().filter(reads) {
        let shows_changes = command.argument("pickaxe_all").is_some();
        let new = optional(command).filter(|a| !shows_changes || tried.insert(a.name.clone()));
        let arguments = std::iter::once(None).chain(new.map(Some));
        all.extend(arguments.map(|more| render(command, self::arguments(command, more))));
    }
    let parts: Vec<&[Vec<String>]> = all.chunks(48).collect();
    let faults = at_once(&parts, |part| {
        let (place, mut faults) = (repo.copy(), Vec::new());
        // The files of a copy are new to its index, which some reads would bring up to date.
        place.shell("git update-index -q --refresh || :");
        let before = place.state();
        for words in *part {
            let ran = place.run(words);
            let line = words.join(" ");
            if not_understood(&ran) {
                faults.push(format!("{line}: {}", ran.text));
            }
            assert!(place.state() == before, "{line} is said to read only");
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is not part of every installation of git, waits for ever, opens a window, or changes the machine.
fn left_out(command: &Command) -> bool {
    const OWN: [&str; 17] = [
        "archimport",
        "citool",
        "credential-cache",
        "cvsexportcommit",
        "cvsimport",
        "daemon",
        "difftool",
        "gui",
        "http-push",
        "imap-send",
        "instaweb",
        "mergetool",
        "p4",
        "quiltimport",
        "remote-ext",
        "send-email",
        "svn",
    ];
    let own = command.own_words.get(1).map_or("", String::as_str);
    let schedule = ["maintenance_start", "maintenance_stop"];
    OWN.contains(&own) || schedule.contains(&command.name.as_str())
}

#[test]
fn every_write_is_accepted() {
    let git = load("git");
    let repo = Repo::new();
    let writes = |c: &&Command| !left_out(c) && c.policy.operation != Operation::Read;
    let commands: Vec<&Command> = git.commands.values().filter(writes).collect();
    let faults = at_once(&commands, |command| {
        let (place, mut faults) = (repo.copy(), Vec::new());
        if command.name.as_str().starts_with("worktree") {
            // Not in the repository that is copied: its paths are absolute.
            place.shell("git worktree add -q ../tree side");
        }
        // Singly where git does not tell so much: commands that are scripts, and options that rule each other out.
        let at_once = only_the_last_is_unknown(&place.run(&all_and_an_unknown_one(command)));
        let few = if at_once { 1 } else { usize::MAX };
        for words in lines(command).take(few) {
            let ran = place.run(&words);
            if not_understood(&ran) {
                faults.push(format!("{}: {}", words.join(" "), ran.text));
            }
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn git_accepts_every_global_option() {
    let git = load("git");
    let repo = Repo::new();
    let (_, status) = git
        .commands
        .iter()
        .find(|(n, _)| n.as_str() == "status")
        .unwrap();
    let globals: Vec<&Argument> = status.arguments.iter().filter(|a| a.global).collect();
    assert!(globals.len() > 8);
    for argument in globals {
        let words = render(status, arguments(status, Some(argument)));
        let ran = repo.run(&words);
        assert_eq!(ran.code, 0, "{}: {}", words.join(" "), ran.text);
    }
}

#[test]
fn commands_become_the_lines_that_people_know() {
    let git = load("git");
    type Line<'a> = (&'a str, &'a [(&'a str, Value)], &'a str);
    let lines: [Line<'_>; 16] = [
        ("status", &[], "git status --"),
        ("status", &[("short", true.into())], "git status --short --"),
        (
            "log",
            &[("max_count", 3u64.into()), ("oneline", true.into())],
            "git log --max-count=3 --oneline --",
        ),
        (
            "diff",
            &[("staged", true.into()), ("paths", list(&["-x"]))],
            "git diff --staged -- -x",
        ),
        ("add", &[("paths", list(&["a", "b"]))], "git add -- a b"),
        (
            "commit",
            &[("message", text("- fix"))],
            "git commit --message=- fix --",
        ),
        ("push", &[], "git push --"),
        (
            "push",
            &[("remote", text("origin")), ("refspecs", list(&["main"]))],
            "git push -- origin main",
        ),
        ("push_force", &[], "git push --force --"),
        (
            "push_force_with_lease",
            &[],
            "git push --force-with-lease --",
        ),
        (
            "branch_delete_force",
            &[("branches", list(&["x"]))],
            "git branch -D -- x",
        ),
        (
            "reset_hard",
            &[("commit", text("HEAD~1"))],
            "git reset --hard HEAD~1 --",
        ),
        (
            "clean",
            &[("directories", true.into())],
            "git clean --force -d --",
        ),
        (
            "checkout",
            &[("target", text("main"))],
            "git checkout main --",
        ),
        (
            "switch",
            &[("create", text("topic"))],
            "git switch --create topic",
        ),
        (
            "status",
            &[
                ("dir", text("sub")),
                ("config", list(&["a.b=c", "d.e=f"])),
                ("no_pager", true.into()),
            ],
            "git -C sub -c a.b=c -c d.e=f --no-pager status --",
        ),
    ];
    for (name, args, line) in lines {
        assert_eq!(words(&git, name, args).join(" "), line);
    }
}

fn refused(pack: &Pack, name: &str, args: &[(&str, Value)]) {
    let (_, command) = pack
        .commands
        .iter()
        .find(|(n, _)| n.as_str() == name)
        .unwrap();
    let args: Object = args
        .iter()
        .map(|(k, v)| ((*k).to_owned(), v.clone()))
        .collect();
    let rendered = command
        .check_args(args)
        .and_then(|args| command.render(&args));
    assert!(rendered.is_err(), "{name}: {rendered:?}");
}

#[test]
fn no_value_becomes_an_option_or_something_graver() {
    let git = load("git");
    refused(&git, "push", &[("remote", text("--receive-pack=evil"))]);
    refused(
        &git,
        "push",
        &[("remote", text("origin")), ("refspecs", list(&["+main"]))],
    );
    refused(
        &git,
        "push",
        &[("remote", text("origin")), ("refspecs", list(&[":main"]))],
    );
    for guard in ["force", "delete", "mirror", "prune"] {
        refused(&git, "push", &[(guard, true.into())]);
    }
    refused(&git, "push", &[("force_with_lease", text("main:abc"))]);
    refused(&git, "branch", &[("delete_force", true.into())]);
    refused(&git, "reset", &[("hard", true.into())]);
    refused(&git, "fetch", &[("remote", text("--upload-pack=evil"))]);
    refused(&git, "log", &[("revisions", list(&["--output=f"]))]);
    refused(
        &git,
        "diff",
        &[("revisions", list(&["--no-index", "/etc/passwd", "f"]))],
    );
    refused(&git, "grep", &[("pattern", text("-Oevil"))]);
    refused(&git, "checkout", &[("target", text("-f"))]);
    refused(&git, "branch", &[("name", text("new"))]);
    refused(&git, "status", &[("dir", text("-x"))]);
    refused(&git, "status", &[("config", list(&["-x"]))]);
    refused(&git, "clone", &[("url", text("-uevil"))]);
    refused(
        &git,
        "merge",
        &[("commits", list(&["x"])), ("strategy", text("evil"))],
    );
}

#[test]
fn a_checkout_of_a_name_discards_no_file() {
    let (git, repo) = (load("git"), Repo::new());
    let ran = repo.run(&words(&git, "checkout", &[("target", text("other"))]));
    assert_ne!(ran.code, 0, "{}", ran.text);
    assert_eq!(repo.shell("cat other"), "changed\n");
    let ran = repo.run(&words(&git, "checkout", &[("paths", list(&["other"]))]));
    assert_eq!(ran.code, 0, "{}", ran.text);
    assert_eq!(repo.shell("cat other"), "keep\n");
}

#[test]
fn the_policy_says_what_is_lost_or_leaves_the_machine() {
    use Confirm::{Always, Ask, Never};
    let git = load("git");
    let table = [
        ("status", Operation::Read, Never, Undo::Unknown),
        ("log", Operation::Read, Never, Undo::Unknown),
        ("diff", Operation::Read, Never, Undo::Unknown),
        ("branch", Operation::Read, Never, Undo::Unknown),
        ("fetch", Operation::Write, Never, Undo::Unknown),
        ("pull", Operation::Write, Never, Undo::Unknown),
        ("add", Operation::Write, Never, Undo::Unknown),
        ("commit", Operation::Write, Never, Undo::Unknown),
        ("branch_delete", Operation::Write, Ask, Undo::Yes),
        ("branch_delete_force", Operation::Write, Ask, Undo::No),
        ("restore", Operation::Write, Ask, Undo::No),
        ("restore_staged", Operation::Write, Never, Undo::Unknown),
        ("reset", Operation::Write, Never, Undo::Unknown),
        ("reset_hard", Operation::Write, Ask, Undo::No),
        ("clean", Operation::Write, Always, Undo::No),
        ("stash_drop", Operation::Write, Ask, Undo::No),
        ("stash_clear", Operation::Write, Always, Undo::No),
        ("push", Operation::Write, Ask, Undo::Unknown),
        ("push_tags", Operation::Write, Ask, Undo::Unknown),
        ("push_force", Operation::Write, Always, Undo::No),
        ("push_force_with_lease", Operation::Write, Always, Undo::No),
        ("push_delete", Operation::Write, Always, Undo::No),
        ("push_mirror", Operation::Write, Always, Undo::No),
        ("submodule_foreach", Operation::Write, Always, Undo::Unknown),
        ("filter_branch", Operation::Write, Always, Undo::No),
    ];
    for (name, operation, confirm, undo) in table {
        let (_, command) = git
            .commands
            .iter()
            .find(|(n, _)| n.as_str() == name)
            .unwrap();
        let found = &command.policy;
        assert_eq!(
            (found.operation, found.confirm, found.undo),
            (operation, confirm, undo),
            "{name}"
        );
    }
    for (name, command) in &git.commands {
        assert_eq!(command.policy.scope, hcp_core::policy::Scope::Cwd, "{name}");
        let raises = &command.policy.raise;
        for argument in ["config", "config_env", "exec_path"] {
            let meets =
                |r: &&hcp_core::policy::Raise| r.when.like.iter().any(|(k, _)| k == argument);
            let raise = raises
                .iter()
                .find(meets)
                .unwrap_or_else(|| panic!("{name}: {argument}"));
            assert_eq!(raise.confirm, Some(Always));
        }
    }
}

#[test]
fn every_raise_names_arguments_that_its_command_has() {
    for bundled in crate::packs::bundled() {
        let pack = load(bundled.id);
        for (name, command) in &pack.commands {
            for raise in &command.policy.raise {
                let args = raise.when.args.iter().map(|(k, _)| k);
                for key in args.chain(raise.when.like.iter().map(|(k, _)| k)) {
                    let known = command.arguments.iter().any(|a| a.name == *key);
                    assert!(known, "{name}: {key}");
                }
            }
        }
    }
}

#[test]
fn the_repository_folder_of_this_test_is_its_own() {
    let repo = Repo::new();
    let top = repo.shell("git rev-parse --show-toplevel");
    assert_eq!(Path::new(top.trim()).file_name().unwrap(), "work");
}
