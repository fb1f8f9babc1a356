use super::*;

fn shown(line: &str, path: &str, family: Family) -> String {
    let path: Vec<String> = path.split(' ').map(str::to_owned).collect();
    let usage = read(line, &path, family, &|_| None);
    let mut out: Vec<String> = usage.words.iter().map(|w| format!("!{w}")).collect();
    for o in &usage.options {
        let value = match &o.takes {
            Takes::Nothing | Takes::Truth => String::new(),
            Takes::Value(v) if v.is_empty() => format!("={{{}}}", o.choices.join(",")),
            Takes::Value(v) => format!("={v}"),
            Takes::Maybe(v) => format!("[={v}]"),
        };
        let need = if o.required { "!" } else { "" };
        let dots = if o.repeats { "..." } else { "" };
        out.push(format!("{}{value}{dots}{need}", o.spellings.join("|")));
    }
    for p in usage.positionals.iter().filter(|p| !p.of_command) {
        let dots = if p.repeats { "..." } else { "" };
        let need = if p.required { "!" } else { "" };
        let dashes = if p.after_dashes { "--" } else { "" };
        let choices = if p.choices.is_empty() {
            String::new()
        } else {
            format!("{{{}}}", p.choices.join(","))
        };
        out.push(format!("{dashes}{}{choices}{dots}{need}", p.name));
    }
    if usage.needs_command {
        out.push("COMMAND!".to_owned());
    }
    out.join(" ")
}

#[test]
fn usage_lines_of_every_style() {
    let rows: &[(&str, &str, Family, &str)] = &[
        (
            "cargo yank [OPTIONS] [CRATE]",
            "cargo yank",
            Family::Clap,
            "CRATE",
        ),
        (
            "cargo [+toolchain] [OPTIONS] [COMMAND]",
            "cargo",
            Family::Clap,
            "",
        ),
        (
            "docker run [OPTIONS] IMAGE [COMMAND] [ARG...]",
            "docker run",
            Family::Cobra,
            "IMAGE! COMMAND ARG...",
        ),
        (
            "docker [OPTIONS] COMMAND",
            "docker",
            Family::Cobra,
            "COMMAND!",
        ),
        (
            "docker cp [OPTIONS] CONTAINER:SRC_PATH DEST_PATH|-",
            "docker cp",
            Family::Cobra,
            "CONTAINER:SRC_PATH! DEST_PATH!",
        ),
        (
            "gh pr merge [<number> | <url> | <branch>] [flags]",
            "gh pr merge",
            Family::Cobra,
            "number-or-url-or-branch",
        ),
        (
            "gh <command> <subcommand> [flags]",
            "gh",
            Family::Cobra,
            "COMMAND!",
        ),
        (
            "kubectl exec (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...] [options]",
            "kubectl exec",
            Family::Cobra,
            "-c=CONTAINER POD-or-TYPE/NAME! --COMMAND! --args...",
        ),
        (
            "kubectl run NAME --image=image [--env=\"key=value\"] [--command] -- [COMMAND] [args...]",
            "kubectl run",
            Family::Cobra,
            "--image=image! --env=key=value --command NAME! --COMMAND --args...",
        ),
        (
            "server.py [-h] [--cgi] [-b ADDRESS] [-p VERSION] [port]",
            "server.py",
            Family::Argparse,
            "-h --cgi -b=ADDRESS -p=VERSION port",
        ),
        (
            "venv [-h] [--symlinks | --copies] ENV_DIR [ENV_DIR ...]",
            "venv",
            Family::Argparse,
            "-h --symlinks --copies ENV_DIR...!",
        ),
        (
            "tool [-h] [--level {low,high}] {a,b} ...",
            "tool",
            Family::Argparse,
            "-h --level={low,high} choice{a,b}...!",
        ),
        (
            "grep [OPTION]... PATTERNS [FILE]...",
            "grep",
            Family::Getopt,
            "PATTERNS! FILE...",
        ),
        (
            "git push [<options>] [<repository> [<refspec>...]]",
            "git push",
            Family::Git,
            "repository refspec...",
        ),
        (
            "git log [<options>] [<revision-range>] [[--] <path>...]",
            "git log",
            Family::Git,
            "revision-range --path...",
        ),
        (
            "git remote add [-t <branch>] [-f] [--tags | --no-tags] [--mirror=<fetch|push>] <name> <url>",
            "git remote",
            Family::Git,
            "!add -t=branch -f --tags --no-tags --mirror=fetch|push name! url!",
        ),
        (
            "git remote [-v | --verbose] show [-n] <name>",
            "git remote",
            Family::Git,
            "!show -v|--verbose -n name!",
        ),
        (
            "git stash [push [-p | --patch] [(-m | --message) <message>] [--] [<pathspec>...]]",
            "git stash",
            Family::Git,
            "!push -p|--patch -m|--message=message --pathspec...",
        ),
        (
            "npm access set status=public|private [<package>]",
            "npm access",
            Family::Npm,
            "!set status{status=public,private}! package",
        ),
        (
            "npm publish <package-spec>",
            "npm publish",
            Family::Npm,
            "package-spec!",
        ),
        (
            "[-w|--workspace <workspace-name> [-w|--workspace <workspace-name> ...]]",
            "",
            Family::Npm,
            "-w|--workspace=workspace-name -w|--workspace=workspace-name...",
        ),
        (
            "terraform [global options] apply [options] [PLAN]",
            "terraform apply",
            Family::GoFlag,
            "PLAN",
        ),
        (
            "git push [--[no-]progress]",
            "git push",
            Family::Git,
            "--progress",
        ),
    ];
    for (line, path, family, wanted) in rows {
        assert_eq!(shown(line, path, *family), *wanted, "{line}");
    }
}

#[test]
fn brackets_without_end_or_beginning_are_no_trouble() {
    for line in [
        "a [[[[",
        "a ]]]) b",
        &format!("a {}", "[".repeat(5000)),
        "<<<>>>|||",
        "a ...",
        "--",
        "|",
        "{",
    ] {
        shown(line, "a", Family::Plain);
    }
}
