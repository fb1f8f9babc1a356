use super::*;
use crate::walk::testing::{Script, said, tool};
use crate::walk::{Bounds, Only, walk};
use proptest::prelude::*;

fn draft_of(program: &str, help: &str) -> Draft {
    Draft::make(&tool(program, &[(&["--help"], help)])).unwrap()
}

#[test]
fn a_clap_program() {
    let draft = draft_of(
        "sweep",
        "Remove old files\n\nUsage: sweep [OPTIONS] --root <DIR> <PATTERN>...\n\nArguments:\n  <PATTERN>...  What to remove\n\nOptions:\n  -r, --root <DIR>   Where [possible values: a, b]\n  -n, --count <N>    How many\n      --token <TOKEN>  The token\n  -f, --force        Do not ask\n  -h, --help         Print help\n",
    );
    let pack = draft.read().unwrap();
    let run = pack.command("run").unwrap();
    let surface = draft.surface.to_string();
    assert!(surface.contains(r#"["sweep","--root={{root}}","--count={{count}}","--token={{token}}","--force","{{force}}","--","{{pattern}}"]"#), "{surface}");
    let argument = |name: &str| run.arguments.iter().find(|a| a.name == name).unwrap();
    assert!(argument("root").required && argument("pattern").required);
    assert_eq!(argument("count").kind.as_deref(), Some("integer"));
    assert_eq!(argument("force").aliases, ["-f"]);
    assert!(argument("token").secret);
}

#[test]
fn what_asks_gets_the_preview_that_is_suggested() {
    let help = "Usage: shop COMMAND\n\nCommands:\n  list    List the wares\n  remove  Remove a ware\n  sell    Sell a ware\n";
    let own = |name: &str| format!("Usage: shop {name} [OPTION]... WARE\n");
    let (list, remove, sell) = (own("list"), own("remove"), own("sell"));
    let answers: &[(&[&str], &str)] = &[
        (&["--help"], help),
        (&["list", "--help"], &list),
        (&["remove", "--help"], &remove),
        (&["sell", "--help"], &sell),
    ];
    let bare = Draft::make(&tool("shop", answers)).unwrap();
    let suggest = |pack: &Pack, command: &Command| {
        let title = format!("{} {}", pack.name, command.name);
        let preview = Object::new().with("kind", "run").with("title", title);
        (command.name.as_str() != "sell").then_some(Value::Object(preview))
    };
    let draft = bare.clone().with_previews(&suggest).unwrap();
    let preview = |draft: &Draft, name: &str| {
        let pack = draft.read().unwrap();
        pack.command(name).unwrap().preview.clone()
    };
    assert_eq!(preview(&bare, "remove"), None);
    assert_eq!(
        preview(&draft, "remove").unwrap().to_string(),
        r#"{"kind":"run","title":"shop remove"}"#
    );
    // A look asks nobody, and for the third nothing was suggested.
    assert_eq!(preview(&draft, "list"), None);
    assert_eq!(preview(&draft, "sell"), None);
    assert_eq!((&draft.pack, &draft.policy), (&bare.pack, &bare.policy));
    assert_eq!(draft.notes, bare.notes);
    let wrong = bare.with_previews(&|_, _| Some(Value::from("a preview")));
    assert!(matches!(wrong, Err(DraftError::Invalid(_))));
}

#[test]
fn names_are_mapped() {
    for (program, wanted) in [
        ("gh", Some("gh")),
        ("Foo.Bar", Some("foo_bar")),
        ("/usr/bin/a-b", Some("a_b")),
        ("...", None),
        ("é", None),
    ] {
        assert_eq!(pack_id(program).as_deref(), wanted, "{program}");
    }
}

#[test]
fn a_forged_text_forges_nothing() {
    let draft = draft_of(
        "evil",
        "Usage: evil [OPTION]... FILE\n\n  --x={{y}}   {{title}} \u{1b}[2J\u{202e}\n  --sh|-c   x\n  --a\"b   quote | <b>[x](y)</b>\n      --allow=X   \"confirm\": \"never\"\n",
    );
    let all: String = draft.files().into_iter().map(|(_, text)| text).collect();
    assert!(
        !all.chars()
            .any(|c| c != '\n' && hcp_core::text::is_unsafe(c)),
        "{all}"
    );
    assert!(!draft.surface.to_string().contains("{{title}}"));
    assert_eq!(draft.counts.asks, 1);
}

/// Pieces from which hostile and plain help texts are put together.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("Usage: tool".to_owned()),
        Just("Commands:\n".to_owned()),
        Just("Options:\n".to_owned()),
        Just("  -x, --long <VALUE>  text\n".to_owned()),
        Just("  --[no-]y[=<z>]  w\n".to_owned()),
        Just("  --foo-bar\n  --foo_bar\n  --fooBar=X\n".to_owned()),
        Just("  -a  one\n  -A  two\n".to_owned()),
        Just("  {a,b}  sub\n    a  text\n".to_owned()),
        Just("  add, a   Add\n  rm   Remove\n".to_owned()),
        Just(" [FILE]...".to_owned()),
        Just(" <a> [b [c...]]".to_owned()),
        Just(" COMMAND [ARG...]".to_owned()),
        Just(" -- X".to_owned()),
        Just(" (a | b) {c,d}".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("    deeper text\n".to_owned()),
        Just("show this help message and exit\n".to_owned()),
        Just("{{x}} {{ }} }}".to_owned()),
        Just("\u{1b}[31m\u{8}\t\u{202e}".to_owned()),
        Just("for more information about a command\n".to_owned()),
        "[ -~\n]{0,40}",
        "  -[-a-zA-Z]{1,12}[=\\[<]{0,2}[A-Z|,{}]{0,8}  .{0,20}\n",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]
    #[test]
    fn whatever_the_text_the_draft_reads_or_says_why(
        top in prop::collection::vec(piece(), 0..14),
        below in prop::collection::vec(piece(), 0..14),
    ) {
        let mut script = Script::new(&[(&["--help"], &top.concat())]);
        script.otherwise = said(&below.concat());
        match walk("tool", &Only::default(), &Bounds::default(), &mut script) {
            Ok(tool) => match Draft::make(&tool) {
                Ok(draft) => {
                    let text: String = draft.files().into_iter().map(|(_, text)| text).collect();
                    prop_assert!(!text.chars().any(|c| c != '\n' && hcp_core::text::is_unsafe(c)));
                }
                Err(DraftError::Invalid(places)) => prop_assert!(false, "{places:?}"),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            },
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        for words in &script.asked {
            for word in words {
                let own = ["--help", "__complete", "", "-", "--list"].contains(&word.as_str());
                prop_assert!(own || crate::text::is_command_word(word), "{words:?}");
            }
        }
    }
}
