//! Lines against the bundled packs: what was read whole is written and read again as the same call.

use hcp_core::json::{Object, Value};
use hcp_pack::{Command, Pack, PackFiles};
use std::path::Path;
use std::sync::OnceLock;

/// The packs of this repository.
pub(crate) fn packs() -> &'static [(PackFiles, Pack)] {
    static PACKS: OnceLock<Vec<(PackFiles, Pack)>> = OnceLock::new();
    PACKS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packs");
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .expect("the packs are there")
            .map(|entry| entry.expect("the packs are there").path())
            .collect();
        names.sort();
        names.iter().map(|path| load(path)).collect()
    })
}

fn load(path: &Path) -> (PackFiles, Pack) {
    let file = |name: &str| std::fs::read(path.join(name)).expect("a pack has its files");
    let files = PackFiles {
        folder: String::new(),
        pack: file("pack.json"),
        surface: file("surface.json"),
        policy: file("policy.json"),
        skill: None,
    };
    let pack = Pack::read(&files).expect("a bundled pack is one");
    (files, pack)
}

fn line(command: &Command, args: &Object) -> Option<Vec<String>> {
    let args = command.check_args(args.clone()).ok()?;
    let rendered = command.render(&args).ok()?;
    Some(rendered.words.into_iter().map(|word| word.text).collect())
}

/// The arguments that reach the tool: for `false` and an empty list it gets nothing.
fn sent(args: &Object) -> Object {
    let mut args = args.clone();
    args.retain(|_, value| match value {
        Value::Bool(given) => *given,
        Value::Array(items) => !items.is_empty(),
        Value::Null => false,
        Value::Number(_) | Value::String(_) | Value::Object(_) => true,
    });
    args
}

/// Each line of the input, its words parted by blanks; `\u{1f}` is a blank inside a word.
///
/// # Panics
/// Where a call that was read whole is another one when it is written and read again.
pub fn argv(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for row in text.lines().take(4) {
        let words: Vec<String> = row.split(' ').map(|w| w.replace('\u{1f}', " ")).collect();
        for (_, pack) in packs() {
            held(pack, &words);
        }
    }
}

fn held(pack: &Pack, words: &[String]) {
    for (owner, argv) in pack.commands_of_line(words) {
        assert_eq!(
            argv.reading.fully_read,
            argv.unread.is_empty() && argv.reading.fully_read,
            "{words:?} {:?}",
            argv.unread
        );
        if !argv.reading.fully_read {
            continue;
        }
        let Some(written) = line(owner, &argv.args) else {
            continue;
        };
        let again: Vec<(String, bool, Object)> = pack
            .commands_of_line(&written)
            .into_iter()
            .map(|(command, argv)| {
                (
                    command.name.to_string(),
                    argv.reading.fully_read,
                    sent(&argv.args),
                )
            })
            .collect();
        let same = (owner.name.to_string(), true, sent(&argv.args));
        assert!(
            again.contains(&same),
            "{words:?} as {written:?}: {same:?} not in {again:?}"
        );
    }
}
