use super::*;

fn shown(path: &str, description: &str) -> String {
    let path: Vec<String> = path.split(' ').map(str::to_owned).collect();
    let guess = guess(&path, description, false);
    let undo = if guess.final_ { " no-undo" } else { "" };
    format!(
        "{} {}{undo}",
        guess.operation.as_str(),
        guess.confirm.as_str()
    )
}

#[test]
fn guesses() {
    for (path, description, wanted) in [
        ("status", "Show the working tree status", "read never"),
        (
            "pr list",
            "List pull requests in a repository",
            "read never",
        ),
        ("get", "Display one or many resources", "read never"),
        ("whoami", "", "read never"),
        ("branch", "List, create, or delete branches", "write ask"),
        ("show", "Show and update things", "write ask"),
        ("list", "Deletes everything", "write ask no-undo"),
        ("get", "Print the authentication token", "write always"),
        ("auth token", "", "write always"),
        ("rm", "Remove one or more containers", "write ask no-undo"),
        ("delete", "Delete resources", "write always no-undo"),
        ("purge", "", "write always no-undo"),
        (
            "publish",
            "Upload a package to the registry",
            "write always",
        ),
        ("pay", "Pay a saved payee", "write always no-undo"),
        ("build", "Compile the current package", "write never"),
        ("push", "Update remote refs", "write ask"),
        ("frobnicate", "Frobnicates the thing", "write ask"),
        ("frobnicate", "", "write ask"),
        ("drop list", "List dropped things", "write ask no-undo"),
        ("list", "List things that would be removed", "write ask"),
        // The thing tells how grave a loss is.
        (
            "volume rm",
            "Remove one or more volumes",
            "write always no-undo",
        ),
        ("alias delete", "Delete an alias", "write ask no-undo"),
        ("clean", "Remove untracked files", "write always no-undo"),
        ("clean", "Remove the build cache", "write ask no-undo"),
        ("clear", "", "write always no-undo"),
        (
            "node rm",
            "Remove a node from the cluster",
            "write always no-undo",
        ),
        // Where others get what they run.
        ("push", "Upload an image to a registry", "write always"),
        ("release create", "Create a release", "write always"),
        ("release list", "List releases", "read never"),
        ("create", "Create an image from a registry", "write ask"),
        // Rights and secrets.
        ("login", "Log in to a registry", "write always"),
        ("owner add", "", "write always"),
        ("owner ls", "", "read never"),
        (
            "ssh-key add",
            "Add an SSH key to your account",
            "write always",
        ),
        (
            "ssh-key list",
            "Lists SSH keys in your account",
            "read never",
        ),
        ("secret list", "List secrets", "write ask"),
        ("secret set", "Create or update secrets", "write always"),
        ("create role", "Create a role", "write always"),
        ("token revoke", "", "write always"),
        ("reconcile", "Reconciles rules for a role", "write always"),
        ("generate", "Generate a signing key pair", "write ask"),
        // A name that shows is believed only where its description says nothing else.
        ("version", "Bump a package version", "write ask"),
        ("version", "Version of the program", "read never"),
        ("logs", "Access logs", "read never"),
        ("access list packages", "", "read never"),
        ("remote get-url", "", "read never"),
        ("remote set-url", "", "write ask"),
        ("stash list", "", "read never"),
        ("thing list apply", "", "write ask"),
        (
            "view-last-applied",
            "View the last applied things",
            "read never",
        ),
        (
            "api-versions",
            "Print the versions of the API",
            "read never",
        ),
        ("api", "Make a request", "write ask"),
        ("check", "Check whether an action is allowed", "read never"),
        ("query", "Output data, and delete it", "write ask"),
        (
            "metadata",
            "Output the dependencies in machine-readable format",
            "read never",
        ),
        ("show", "Show and format the disk", "write ask"),
        ("manifest", "DEPRECATED: Print a manifest", "read never"),
        ("bugs", "Report bugs in a web browser", "write ask"),
        // Files of one's own, and what only looks like them.
        ("add", "Add file contents to the index", "write never"),
        (
            "init",
            "Create a new package in an existing directory",
            "write never",
        ),
        ("init", "Initialize a swarm", "write ask"),
        ("new", "Create a new package", "write never"),
        ("pack", "Create a tarball from a package", "write never"),
        ("receive-pack", "Receive what is pushed", "write ask"),
        ("send-test", "Sends it on", "write always no-undo"),
        ("take-build", "Takes what was built", "write ask"),
        ("workspace new", "Create a new workspace", "write ask"),
        ("test", "Run the tests", "write never"),
        ("test", "Execute integration tests", "write ask"),
        ("add", "Add a file to the server", "write ask"),
        ("pull", "Download an image from a registry", "write never"),
        ("release download", "Download release assets", "write never"),
        (
            "label clone",
            "Clones labels from one repository to another",
            "write ask",
        ),
        (
            "clone",
            "Clone a repository into a new directory",
            "write never",
        ),
        ("build", "Build and push to the registry", "write ask"),
    ] {
        assert_eq!(shown(path, description), wanted, "{path}: {description}");
    }
}

#[test]
fn no_word_of_loss_is_ever_a_look_or_unconfirmed() {
    for word in DESTRUCTIVE
        .iter()
        .chain(AMBIGUOUS)
        .chain(ALWAYS)
        .chain(HANDS_OUT)
    {
        for (path, description) in [
            ((*word).to_owned(), String::new()),
            ((*word).to_owned(), "Show things".to_owned()),
            (format!("{word} list"), "List things".to_owned()),
            ("list".to_owned(), format!("List and {word} things")),
            ("status".to_owned(), format!("{word}s things")),
            (format!("list-{word}"), "List things".to_owned()),
            ("check".to_owned(), format!("Checks what to {word}")),
        ] {
            let shown = shown(&path, &description);
            assert!(
                shown.starts_with("write a"),
                "{path}: {description}: {shown}"
            );
        }
    }
}

#[test]
fn options_that_make_graver() {
    for (spelling, description, path, wanted) in [
        ("--delete", "", false, true),
        ("--force-with-lease", "", false, true),
        ("-D", "delete branch (even if not merged)", false, true),
        ("--output", "output to a file", true, true),
        ("--output", "Output format", false, false),
        ("--no-force", "", false, false),
        ("--verbose", "be more verbose", false, false),
        ("--deleted", "show deleted files", false, false),
        ("--deleted", "", false, false),
        (
            "--irreversible-delete",
            "omit the preimage for deletes",
            false,
            false,
        ),
        (
            "--prune",
            "Prune the package from the display of the tree",
            false,
            false,
        ),
        ("--prune", "remove what is gone", false, true),
    ] {
        assert_eq!(
            grave_option(spelling, description, path).is_some(),
            wanted,
            "{spelling}"
        );
    }
}
