//! git, which answers questions that are made for programs.
//!
//! `--help` opens a manual page there, so the short help of `-h` is read instead; only of commands that git
//! itself lists as its own: those answer `-h` before all else.

use super::{Tool, Walk, words};
use crate::model::{Family, Help, Opt, Sub};
use crate::read;
use crate::sources;

/// The commands that people and scripts use, the helpers of others left out.
const LISTED: &str = "--list-cmds=list-mainporcelain,main,nohelpers";
/// The commands that read their options with git's own parser.
const PARSED: &str = "--list-cmds=parseopt";
/// The commands that are part of git itself, each of which answers a lone `-h` with its usage and does nothing.
const BUILT_IN: &str = "--list-cmds=builtins";

/// Whether the program is git: it names its own folder of programs and lists its commands.
pub(super) fn speaks_git(help: &Help, walk: &mut Walk<'_>) -> bool {
    let own = walk.label == "git" && help.options.iter().any(|o| o.has("--exec-path"));
    own && walk
        .output(&words(&[PARSED]))
        .is_some_and(|out| sources::names(&out).iter().any(|name| name == "add"))
}

pub(super) fn walk(mut walk: Walk<'_>, mut top: Help) -> Tool {
    walk.family = Family::Git;
    let parsed = walk
        .output(&words(&[PARSED]))
        .map(|out| sources::names(&out))
        .unwrap_or_default();
    let listed = walk
        .output(&words(&[LISTED]))
        .map(|out| sources::names(&out))
        .unwrap_or_default();
    let built_in = walk
        .output(&words(&[BUILT_IN]))
        .map(|out| sources::names(&out))
        .unwrap_or_default();
    let mut manual = Manual::default();
    let mut left_out: Vec<String> = Vec::new();
    for name in unique(listed) {
        // Double dashes mark git's inner helpers.
        if name.contains("--")
            || matches!(
                name.as_str(),
                "help" | "version" | "gui" | "citool" | "gitk"
            )
        {
            continue;
        }
        if !walk.only.may_hold(std::slice::from_ref(&name)) {
            continue;
        }
        if !parsed.contains(&name) && !built_in.contains(&name) {
            left_out.push(name);
            continue;
        }
        if walk.commands.len() >= walk.bounds.commands {
            walk.note(&[], "there are more commands than are read");
            break;
        }
        let asks = parsed.contains(&name);
        command(&mut walk, &name, asks, &top.commands, &mut manual);
    }
    if !left_out.is_empty() {
        let all = left_out.join(", ");
        walk.note(
            &[],
            &format!("left out, because they are no part of git itself: {all}"),
        );
    }
    let about = if top.about.is_empty() {
        "The version control system".to_owned()
    } else {
        top.about
    };
    let globals: Vec<Opt> = top.options.drain(..).collect();
    walk.finish(about, globals)
}

fn unique(names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    names
        .into_iter()
        .filter(|name| seen.insert(name.clone()))
        .collect()
}

/// Whether git's commands have manual pages here.
#[derive(Debug, Default)]
struct Manual {
    found: bool,
    missed: usize,
}

/// After so many commands without a page, and none with one, no more are looked for.
const MISSED: usize = 3;

fn command(walk: &mut Walk<'_>, name: &str, asks: bool, described: &[Sub], manual: &mut Manual) {
    let asked = words(&[name, "-h"]);
    let said = match walk.ask(&asked) {
        super::Answer::Said { out, err, .. } => super::spoken(out, err),
        super::Answer::TimedOut | super::Answer::Failed(_) | super::Answer::NoTimeLeft => {
            walk.note(&asked, "it did not answer");
            return;
        }
    };
    let path = walk.whole_path(&words(&[name]));
    let mut help = read::help(&said, &path, Family::Git);
    if help.is_empty() {
        walk.note(&asked, "its help names nothing that can be read");
        return;
    }
    help.commands.clear();
    if asks && let Some(answer) = walk.output(&words(&[name, "--git-completion-helper"])) {
        sources::git_options(&answer, &mut help.options);
    }
    let row = described.iter().find(|sub| sub.name == name);
    let mut description = row.map(|sub| sub.description.clone()).unwrap_or_default();
    if description.is_empty() && (manual.found || manual.missed < MISSED) {
        let page = walk.output(&words(&[name, "--help"]));
        match page.and_then(|page| sources::manual_sentence(&page)) {
            Some(sentence) => {
                description = sentence;
                manual.found = true;
            }
            None => manual.missed += 1,
        }
    }
    help.about.clear();
    walk.add(&words(&[name]), &help, &description, false);
}
