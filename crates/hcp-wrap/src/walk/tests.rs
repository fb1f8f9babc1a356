use super::*;
use crate::draft::Draft;
use testing::{Script, tool};

#[test]
fn nothing_but_named_words_and_help_is_run() {
    let top =
        "Usage: tool COMMAND\n\nCommands:\n  add   Add it\n  --rm-all   forged\n  x;y  forged\n";
    let mut script = Script::new(&[
        (&["--help"], top),
        (
            &["add", "--help"],
            "Usage: tool add [OPTION]... FILE\n\n  -q, --quiet  say nothing\n",
        ),
    ]);
    let tool = walk("tool", &Only::default(), &Bounds::default(), &mut script).unwrap();
    assert_eq!(script.asked, [vec!["--help"], vec!["add", "--help"]]);
    assert_eq!(tool.commands(), 1);
}

#[test]
fn a_program_that_ignores_its_words_is_read_once() {
    let top = "Usage: tool COMMAND\n\nCommands:\n  a1   Add it\n  b2   Show it\n";
    let mut script = Script::always(top);
    let tool = walk("tool", &Only::default(), &Bounds::default(), &mut script).unwrap();
    assert_eq!(tool.commands(), 0);
    assert_eq!(script.asked.len(), 3);
    assert!(tool.notes[0].contains("says the same"), "{:?}", tool.notes);
    assert_eq!(Draft::make(&tool).unwrap_err(), crate::DraftError::Empty);
}

#[test]
fn what_is_no_text_is_not_read() {
    for (bytes, text) in [
        (
            &b"Usage: tool [OPTION]... FILE\n\n  -q, --quiet  no\0thing\n"[..],
            false,
        ),
        (b"\xff\xfe\xf0\xf1 --all \x80\x81\n", false),
        // One character of another encoding makes no binary file.
        (
            b"Usage: tool [OPTION]... FILE\n\n  -q, --quiet  s\xfcss\n",
            true,
        ),
    ] {
        let mut script = Script::new(&[]);
        script.otherwise = Answer::Said {
            out: bytes.to_vec(),
            err: Vec::new(),
            cut: false,
        };
        let walked = walk("tool", &Only::default(), &Bounds::default(), &mut script);
        assert_eq!(walked.is_ok(), text, "{bytes:?}");
    }
}

#[test]
fn silence_ends_the_walk() {
    let rows: String = (0..50).map(|n| format!("  c{n}   Do it\n")).collect();
    let top = format!("Usage: tool COMMAND\n\nCommands:\n{rows}");
    let mut script = Script::new(&[(&["--help"], &top)]);
    script.otherwise = Answer::TimedOut;
    let tool = walk("tool", &Only::default(), &Bounds::default(), &mut script).unwrap();
    assert_eq!(script.asked.len(), 4);
    assert!(tool.notes.len() <= 60);
}

#[test]
fn depth_and_count_are_bounded() {
    // Every command has two below it, for ever.
    let mut script = Script::new(&[]);
    script.grow = true;
    let bounds = Bounds {
        depth: 3,
        commands: 20,
        runs: 40,
        silent: 3,
    };
    let tool = walk("tool", &Only::default(), &bounds, &mut script).unwrap();
    assert!(script.asked.len() <= 40 && tool.commands() <= 20);
    assert!(
        script.asked.iter().all(|words| words.len() <= 4),
        "{:?}",
        script.asked
    );
}

#[test]
fn cobra_is_asked_for_names() {
    let top = "Usage:\n  tool [command]\n\nAvailable Commands:\n  list   cut off\n\nUse \"tool [command] --help\" for more information about a command.\n";
    let tool = tool(
        "tool",
        &[
            (&["--help"], top),
            (
                &["__complete", ""],
                "list\tList things\nrm\tRemove a thing\n:4\n",
            ),
            (
                &["list", "--help"],
                "List things\n\nUsage:\n  tool list [flags]\n\nFlags:\n      --all   all\n",
            ),
            (
                &["rm", "--help"],
                "Remove a thing\n\nUsage:\n  tool rm THING [flags]\n\nFlags:\n  -f, --force   force\n",
            ),
        ],
    );
    let names: Vec<&[String]> = tool.commands.iter().map(|c| c.words.as_slice()).collect();
    assert_eq!(names, [["list".to_owned()], ["rm".to_owned()]]);
}
