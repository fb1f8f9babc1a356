use super::*;
use hcp_pack::{Pack, PackFiles};

/// A command of the pack `shop` (or of `calendar`) with these arguments.
fn guess(pack: &str, name: &str, arguments: &[&str]) -> Option<ViewKind> {
    with(pack, name, arguments, |pack, command| {
        by_words(&pack.id, command)
    })
}

fn with<T>(id: &str, name: &str, arguments: &[&str], f: impl Fn(&Pack, &Command) -> T) -> T {
    let properties: Vec<String> = arguments
        .iter()
        .map(|a| format!(r#""{a}": {{ "type": "string" }}"#))
        .collect();
    let words: Vec<String> = arguments
        .iter()
        .map(|a| format!(r#", "--{a}={{{{{a}}}}}""#))
        .collect();
    let files = PackFiles {
        pack: format!(r#"{{ "id": "{id}", "name": "X", "version": "1", "summary": "X." }}"#).into(),
        surface: format!(
            r#"{{ "commands": {{ "{name}": {{ "cli": ["x"{}], "args": {{ "properties": {{ {} }} }} }} }} }}"#,
            words.concat(),
            properties.join(", ")
        )
        .into(),
        policy: format!(r#"{{ "commands": {{ "{name}": {{}} }} }}"#).into(),
        ..PackFiles::default()
    };
    let pack = Pack::read(&files).unwrap();
    f(&pack, pack.command(name).unwrap())
}

#[test]
fn names_tell_the_kind() {
    use ViewKind::*;
    for (pack, name, arguments, wanted) in [
        ("shop", "transfer", &["amount", "payee"][..], Some(Payment)),
        ("shop", "transfer", &[], Some(Payment)),
        ("shop", "transfer", &["repo", "new-owner"], None),
        ("shop", "issue_transfer", &["issue", "to"], None),
        ("shop", "pay", &[], Some(Payment)),
        ("shop", "refund_payment", &["id"], Some(Payment)),
        ("shop", "charge", &["phone"], None),
        ("shop", "charge", &["amount"], Some(Payment)),
        ("shop", "order_list", &["amount"], None),
        ("shop", "sort_order", &[], None),
        ("shop", "send", &["to", "subject"], Some(Message)),
        ("shop", "send", &["to", "amount"], Some(Payment)),
        ("tmux", "send-keys", &["keys"], Some(Run)),
        ("shop", "note_delete", &["name"], Some(Removal)),
        ("shop", "list_deleted", &[], None),
        ("shop", "list_delete", &["list"], Some(Removal)),
        ("shop", "show_payments", &[], None),
        ("shop", "get_transfer", &["id"], None),
        ("shop", "delete_preview", &[], None),
        ("shop", "clean_dry_run", &[], None),
        ("shop", "publish", &[], Some(Publish)),
        ("npm", "unpublish", &[], Some(Removal)),
        ("shop", "lock_release", &[], None),
        ("shop", "release_create", &["tag"], Some(Publish)),
        ("git", "push", &["remote"], Some(Publish)),
        ("git", "stash_push", &[], None),
        ("shop", "grant", &["user", "role"], Some(Share)),
        ("calendar", "cancel", &["event"], Some(Event)),
        ("shop", "cancel", &["order"], None),
        ("calendar", "create", &["title", "attendees"], Some(Event)),
        ("shop", "update", &["status"], Some(Change)),
        ("shop", "upload", &["file"], Some(File)),
        ("shop", "status", &[], None),
    ] {
        assert_eq!(
            guess(pack, name, arguments),
            wanted,
            "{pack}.{name} {arguments:?}"
        );
    }
}

#[test]
fn own_words_tell_what_a_name_hides() {
    let sounds = |name: &str, cli: &str| {
        let files = PackFiles {
            pack: br#"{ "id": "x", "name": "X", "version": "1", "summary": "X." }"#.to_vec(),
            surface: format!(r#"{{ "commands": {{ "{name}": {{ "cli": {cli} }} }} }}"#).into(),
            policy: format!(r#"{{ "commands": {{ "{name}": {{}} }} }}"#).into(),
            ..PackFiles::default()
        };
        let pack = Pack::read(&files).unwrap();
        writing_word(pack.command(name).unwrap())
    };
    for (name, cli, wanted) in [
        ("list", r#"["shop", "note", "delete"]"#, Some("delete")),
        ("tidy", r#"["/bin/rm", "x"]"#, Some("rm")),
        ("tidy", r#"["shop", "config", "set"]"#, Some("set")),
        ("list", r#"["shop", "refund", "list"]"#, None),
        ("deleted", r#"["shop", "list", "--deleted"]"#, None),
        ("clean_dry_run", r#"["git", "clean", "--dry-run"]"#, None),
        ("preview", r#"["shop", "delete", "--dry-run"]"#, None),
    ] {
        assert_eq!(sounds(name, cli).as_deref(), wanted, "{name} {cli}");
    }
}

#[test]
fn some_names_sound_like_writing() {
    let sounds = |name: &str| with("shop", name, &[], |_, command| writing_word(command));
    for name in [
        "delete",
        "note_delete",
        "delete_note",
        "pr_merge",
        "send",
        "config_set",
    ] {
        assert!(sounds(name).is_some(), "{name}");
    }
    for name in [
        "list",
        "list_deleted",
        "show_update",
        "merge_base",
        "clean_dry_run",
        "config_get",
        "branch",
        "search",
        "refund_list",
        "grant_list",
        "deploy_status",
        "delete_preview",
        "settings",
        "addresses",
    ] {
        assert_eq!(sounds(name), None, "{name}");
    }
}
