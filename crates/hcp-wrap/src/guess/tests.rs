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
        ("get", "Print the authentication token", "write ask"),
        ("auth token", "", "write ask"),
        ("rm", "Remove one or more containers", "write ask no-undo"),
        ("delete", "Delete resources", "write ask no-undo"),
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
    ] {
        assert_eq!(shown(path, description), wanted, "{path}: {description}");
    }
}

#[test]
fn no_word_of_loss_is_ever_a_look_or_unconfirmed() {
    for word in DESTRUCTIVE.iter().chain(ALWAYS) {
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
    ] {
        assert_eq!(
            grave_option(spelling, description, path).is_some(),
            wanted,
            "{spelling}"
        );
    }
}
