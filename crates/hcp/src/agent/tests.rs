use super::*;
use std::collections::HashMap;

/// A process of a made-up tree.
#[derive(Clone, Default)]
struct Made {
    parent: u32,
    name: &'static str,
    terminal: bool,
    variables: Option<Vec<(&'static str, &'static str)>>,
    words: Vec<&'static str>,
    program: Option<&'static str>,
    folder: Option<&'static str>,
}

struct Tree(HashMap<u32, Made>);

impl ProcessTable for Tree {
    fn this(&self) -> u32 {
        100
    }
    fn status(&self, pid: u32) -> Option<ProcessStatus> {
        self.0.get(&pid).map(|p| ProcessStatus {
            parent: p.parent,
            name: p.name.to_owned(),
            terminal: p.terminal,
        })
    }
    fn environment(&self, pid: u32) -> Option<Environment> {
        let variables = self.0.get(&pid)?.variables.clone()?;
        Some(Environment::from_pairs(variables))
    }
    fn words(&self, pid: u32) -> Vec<OsString> {
        let words = self.0.get(&pid).map(|p| p.words.clone());
        words
            .unwrap_or_default()
            .into_iter()
            .map(OsString::from)
            .collect()
    }
    fn program(&self, pid: u32) -> Option<PathBuf> {
        self.0.get(&pid)?.program.map(PathBuf::from)
    }
    fn folder(&self, pid: u32) -> Option<PathBuf> {
        self.0.get(&pid)?.folder.map(PathBuf::from)
    }
}

fn shell(parent: u32) -> Made {
    Made {
        parent,
        name: "bash",
        terminal: true,
        variables: Some(vec![]),
        words: vec!["-bash"],
        program: Some("/usr/bin/bash"),
        folder: Some("/home/ana/work"),
    }
}

/// hcpx (100) under a shell (90) under a terminal (50) under init (1).
fn tree() -> Tree {
    let hcpx = Made {
        name: "hcpx",
        words: vec!["hcpx", "approve"],
        program: Some("/usr/bin/hcpx"),
        ..shell(90)
    };
    let terminal = Made {
        name: "xterm",
        terminal: false,
        words: vec!["xterm"],
        program: Some("/usr/bin/xterm"),
        ..shell(1)
    };
    let init = Made {
        parent: 0,
        name: "systemd",
        variables: None,
        words: vec!["/sbin/init"],
        program: None,
        ..shell(0)
    };
    Tree(HashMap::from([
        (100, hcpx),
        (90, shell(50)),
        (50, terminal),
        (1, init),
    ]))
}

fn look(tree: &Tree, own: &[(&str, &str)]) -> AgentStatus {
    detect(&ProcessView {
        table: tree,
        environment: &Environment::from_pairs(own.iter().copied()),
    })
}

#[test]
fn a_persons_terminal_is_outside() {
    let status = look(&tree(), &[("PATH", "/bin")]);
    assert!(!status.inside);
    assert_eq!(status.ancestors, 3);
    assert_eq!(status.reached, Reached::Top);
    assert_eq!(status.skipped, [1]);
    assert!(status.looked().contains("pid 1"), "{}", status.looked());
}

#[test]
fn values_of_the_own_variable() {
    for (value, inside) in [
        ("1", true),
        ("yes", true),
        ("false", true),
        ("00", true),
        (" ", true),
        ("", false),
        ("0", false),
    ] {
        assert_eq!(
            look(&tree(), &[("HCP_AGENT", value)]).inside,
            inside,
            "{value:?}"
        );
    }
    assert!(look(&tree(), &[("HCP_AGENT", "0"), ("HCP_AGENT", "1")]).inside);
    assert!(!look(&tree(), &[("XHCP_AGENT", "1"), ("HCP_AGENTS", "1")]).inside);
}

#[test]
fn an_ancestors_variable_cannot_be_shed() {
    let mut tree = tree();
    tree.0.get_mut(&90).unwrap().variables =
        Some(vec![("HCP_AGENT", "1"), ("HCP_HOME", "/srv/hcp")]);
    let status = look(&tree, &[]);
    let marker = status.marker.as_ref().unwrap();
    assert_eq!(
        marker.human_only(),
        "HCP_AGENT in bash, pid 90: answer from a terminal of your own"
    );
    assert_eq!(status.marked.len(), 1);
    let variables = status.marked[0].variables.as_ref().unwrap();
    assert_eq!(variables.home.as_deref(), Some(OsStr::new("/srv/hcp")));
    assert_eq!(status.marked[0].folder, Some("/home/ana/work".into()));
    // The process's own initial environment counts too, after it was changed inside.
    tree.0.get_mut(&90).unwrap().variables = Some(vec![]);
    tree.0.get_mut(&100).unwrap().variables = Some(vec![("HCP_AGENT", "1")]);
    let found = look(&tree, &[]).marker.unwrap();
    assert_eq!(found.bearer, "this process");
}

#[test]
fn an_unreadable_ancestor_is_skipped_and_the_walk_goes_on() {
    let mut tree = tree();
    tree.0.get_mut(&90).unwrap().variables = None;
    tree.0.get_mut(&50).unwrap().variables = Some(vec![("CODEX_SANDBOX", "seatbelt")]);
    let status = look(&tree, &[]);
    assert!(status.inside);
    assert_eq!(status.skipped, [90, 1]);
    assert_eq!(status.marked[0].pid, 50);
}

#[test]
fn the_hosts_variables() {
    let rows: &[(&str, &str, bool, bool)] = &[
        ("CLAUDE_CODE_CHILD_SESSION", "1", true, true),
        ("CLAUDE_CODE_CHILD_SESSION", "0", true, false),
        ("CLAUDECODE", "1", true, false),
        ("CLAUDECODE", "1", false, true),
        ("CLAUDECODE", "0", false, false),
        ("CODEX_THREAD_ID", "0193", true, true),
        ("CODEX_SANDBOX_NETWORK_DISABLED", "1", true, true),
        ("GEMINI_CLI", "1", true, true),
        ("CURSOR_AGENT", "1", true, true),
        ("OPENCODE", "1", true, true),
        ("CODEX_HOME", "/home/ana/.codex", true, false),
        ("CLAUDE_CODE_ENTRYPOINT", "cli", true, false),
    ];
    for (name, value, terminal, inside) in rows.iter().copied() {
        let mut tree = tree();
        tree.0.get_mut(&90).unwrap().terminal = terminal;
        tree.0.get_mut(&90).unwrap().variables = Some(vec![(name, value)]);
        assert_eq!(
            look(&tree, &[]).inside,
            inside,
            "{name}={value} terminal {terminal}"
        );
    }
}

#[test]
fn programs_of_known_agents_among_the_ancestors() {
    let rows: &[(&str, &[&str], bool)] = &[
        (
            "/home/ana/.local/share/claude/versions/2.1.0",
            &["claude"],
            true,
        ),
        ("/opt/claude", &["x"], true),
        ("/usr/bin/node", &["node", "/usr/local/bin/claude"], true),
        (
            "/usr/bin/node",
            &[
                "node",
                "--no-warnings",
                "-r",
                "x.js",
                "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
            ],
            true,
        ),
        (
            "/usr/bin/node",
            &["/usr/bin/node", "/x/@openai/codex/bin/codex.js", "exec"],
            true,
        ),
        (
            "/usr/bin/node",
            &["node", "/x/@google/gemini-cli/dist/index.js"],
            true,
        ),
        (
            "/usr/bin/python3.12",
            &["python3", "-m", "aider", "x"],
            true,
        ),
        (
            "/usr/bin/python3.12",
            &["/usr/bin/python3.12", "/home/ana/.local/bin/aider"],
            true,
        ),
        ("/usr/bin/bash", &["bash", "/opt/bin/cursor-agent"], true),
        ("/usr/bin/hcpx", &["hcpx", "mcp"], true),
        ("/usr/bin/hcpx", &["hcpx", "--quiet", "mcp"], true),
        ("/usr/bin/hcpx", &["hcpx", "exec", "mcp"], false),
        ("/usr/bin/vim", &["vim", "claude"], false),
        ("/usr/bin/node", &["node", "server.js", "claude"], false),
        ("/usr/bin/bash", &["bash", "-c", "claude"], false),
        ("/usr/bin/node", &["node"], false),
        ("/usr/bin/claude-monitor", &["claude-monitor"], false),
        ("", &[], false),
    ];
    for (file, words, inside) in rows {
        let mut tree = tree();
        let process = tree.0.get_mut(&50).unwrap();
        process.program = Some(file);
        process.words = words.to_vec();
        assert_eq!(look(&tree, &[]).inside, *inside, "{file} {words:?}");
    }
}

#[test]
fn the_walk_ends_whatever_the_table_says() {
    let mut looped = tree();
    looped.0.get_mut(&1).unwrap().parent = 90;
    let status = look(&looped, &[]);
    assert_eq!(status.reached, Reached::Limit);
    // A chain too long to look at is taken for an attempt to outrun the walk.
    assert!(status.inside);
    assert_eq!(status.marker.unwrap().kind, MarkerKind::Depth);
    let mut cut = tree();
    cut.0.remove(&50);
    assert_eq!(look(&cut, &[]).reached, Reached::Hidden(90));
    assert!(!look(&cut, &[]).inside);
    let alone = Tree(HashMap::new());
    assert_eq!(look(&alone, &[]).reached, Reached::Hidden(100));
    assert_eq!(look(&alone, &[]).marker.unwrap().kind, MarkerKind::Unseen);
}

#[test]
fn a_name_from_the_process_table_is_made_safe() {
    let mut tree = tree();
    let process = tree.0.get_mut(&90).unwrap();
    process.name = "ba\u{1b}[2Jsh";
    process.variables = Some(vec![("HCP_AGENT", "1")]);
    let message = look(&tree, &[]).marker.unwrap().human_only();
    assert!(!message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn a_server_for_agents_is_inside_without_any_mark() {
    let status = AgentStatus::outside().within("hcpx mcp");
    assert!(status.inside);
    let message = status.marker.unwrap().human_only();
    assert_eq!(message, "hcpx mcp: answer from a terminal of your own");
}
