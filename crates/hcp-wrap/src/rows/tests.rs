use super::*;
use crate::model::Takes;

fn shown(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let options = options(&sections(&lines));
    let one = |o: &Opt| {
        let value = match &o.takes {
            Takes::Nothing => String::new(),
            Takes::Truth => "=TRUTH".to_owned(),
            Takes::Value(v) => format!("={v}"),
            Takes::Maybe(v) => format!("[={v}]"),
        };
        let no = if o.negatable { " no" } else { "" };
        let no = o
            .opposite
            .as_ref()
            .map_or(no.to_owned(), |o| format!(" {o}"));
        let dots = if o.repeats { "..." } else { "" };
        let choices = if o.choices.is_empty() {
            String::new()
        } else {
            format!(" {{{}}}", o.choices.join(","))
        };
        format!(
            "{}{value}{dots}{no}{choices}: {}",
            o.spellings.join("|"),
            o.description
        )
    };
    options.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn option_rows_of_every_style() {
    for (text, wanted) in [
        // clap
        (
            "  -m, --message <TEXT>  Say it",
            "-m|--message=TEXT: Say it",
        ),
        (
            "      --color <WHEN>   Coloring [possible values: auto, always, never]",
            "--color=WHEN {auto,always,never}: Coloring [possible values: auto, always, never]",
        ),
        (
            "  -v, --verbose...     Be verbose",
            "-v|--verbose: Be verbose",
        ),
        (
            "  -p, --package [<SPEC>]  Package",
            "-p|--package=SPEC: Package",
        ),
        (
            "  -Z <FLAG>     Unstable flags, see 'cargo -Z help' for\n                details",
            "-Z=FLAG: Unstable flags, see 'cargo -Z help' for details",
        ),
        ("      --files <FILE>...  Files", "--files=FILE...: Files"),
        (
            "      --when <WHEN>\n          When to\n\n          Possible values:\n          - auto:  if\n          - never: not",
            "--when=WHEN {auto,never}: When to Possible values: - auto:  if - never: not",
        ),
        // cobra
        (
            "  -A, --author-email text   Email text",
            "-A|--author-email=text: Email text",
        ),
        (
            "  -R, --repo [HOST/]OWNER/REPO   Select",
            "-R|--repo=[HOST/]OWNER/REPO: Select",
        ),
        (
            "      --add-host list    Add a host\n                         (host:ip)",
            "--add-host=list: Add a host (host:ip)",
        ),
        (
            "      --admin    Use administrator privileges",
            "--admin: Use administrator privileges",
        ),
        (
            "    -A, --all-namespaces=false:\n        If present, list",
            "-A|--all-namespaces: If present, list",
        ),
        (
            "    --wait=true:\n        If true, wait",
            "--wait=TRUTH: If true, wait",
        ),
        (
            "    -f, --filename=[]:\n        containing",
            "-f|--filename=value...: containing",
        ),
        (
            "    --grace-period=-1:\n        Period",
            "--grace-period=int: Period",
        ),
        (
            "    --cascade='background':\n        Must be",
            "--cascade=value: Must be",
        ),
        // argparse
        (
            "  -b ADDRESS, --bind ADDRESS\n                        bind to it",
            "-b|--bind=ADDRESS: bind to it",
        ),
        (
            "  --level {low,high}    how much",
            "--level={low,high} {low,high}: how much",
        ),
        ("  --names X [X ...]     names", "--names=X: names"),
        // click
        (
            "  -e, --env-file FILE   Load variables",
            "-e|--env-file=FILE: Load variables",
        ),
        (
            "  --color / --no-color  Colours",
            "--color --no-color: Colours",
        ),
        ("  --kind [a|b]          Kind", "--kind=a|b {a,b}: Kind"),
        (
            "  --with-threads / --without-threads\n                                  Threads.",
            "--with-threads --without-threads: Threads.",
        ),
        // git
        (
            "    -v, --[no-]verbose    be more verbose",
            "-v|--verbose no: be more verbose",
        ),
        (
            "    --[no-]repo <repository>\n                          repository",
            "--repo=repository no: repository",
        ),
        (
            "    --[no-]force-with-lease[=<refname>:<expect>]\n                          require",
            "--force-with-lease[=refname>:<expect] no: require",
        ),
        (
            "    --[no-]recurse-submodules (check|on-demand|no)\n                          control",
            "--recurse-submodules=(check|on-demand|no) no {check,on-demand,no}: control",
        ),
        // getopt
        (
            "  -e, --regexp=PATTERNS     use PATTERNS",
            "-e|--regexp=PATTERNS: use PATTERNS",
        ),
        (
            "      --occurrence[=NUMBER]  process only",
            "--occurrence[=NUMBER]: process only",
        ),
        (
            "  -q, --quiet, --silent     suppress",
            "-q|--quiet|--silent: suppress",
        ),
        (
            "  -1 (\"one\"), --single-transaction\n                           execute",
            "-1|--single-transaction: execute",
        ),
        (
            " -u, --user <user:password> Server user",
            "-u|--user=user:password: Server user",
        ),
        // Go's flag
        ("  -backup=path           Path to", "-backup=path: Path to"),
        (
            "  -lock=false            Don't hold",
            "-lock=TRUTH: Don't hold",
        ),
        ("  -auto-approve          Skip", "-auto-approve: Skip"),
        // npm
        (
            "  -w|--workspace\n    Enable running",
            "-w|--workspace: Enable running",
        ),
    ] {
        assert_eq!(shown(text), wanted, "{text}");
    }
}

#[test]
fn what_is_no_row_is_passed_over() {
    for text in [
        "  - a bullet",
        "Examples:\n  --not-an-option  here",
        "  --- a rule",
        "  -",
        "  --",
        "  --é  x",
    ] {
        assert_eq!(shown(text), "", "{text}");
    }
}

#[test]
fn lists_of_commands() {
    let names = |text: &str| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let found = commands(&sections(&lines));
        found
            .iter()
            .map(|s| format!("{}={}", s.name, s.description))
            .collect::<Vec<_>>()
            .join("; ")
    };
    for (text, wanted) in [
        (
            "Commands:\n    build, b    Compile\n    ...         See all\n",
            "build=Compile",
        ),
        (
            "CORE COMMANDS\n  auth:        Log in\n  pr:          Manage\n",
            "auth=Log in; pr=Manage",
        ),
        (
            "Management Commands:\n  buildx*     Docker Buildx\n",
            "buildx=Docker Buildx",
        ),
        (
            "All commands:\n\n    access, adduser,\n    audit, bugs, cache\n",
            "access=; adduser=; audit=; bugs=; cache=",
        ),
        (
            "positional arguments:\n  {add,rm}    sub\n    add       Add it\n    rm        Remove it\n",
            "add=Add it; rm=Remove it",
        ),
        (
            "Commands:\n  list\n          List things\n",
            "list=List things",
        ),
        (
            "Commands:\n  --forged    an option\n  x;y         no\n  ../z        no\n",
            "",
        ),
        ("Options:\n  build    no command\n", ""),
    ] {
        assert_eq!(names(text), wanted, "{text}");
    }
}
