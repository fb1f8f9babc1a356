//! Whatever a program prints, a draft of it is bounded, safe and a pack, or there is none.

use hcp_core::text::SafeText;
use hcp_wrap::{Answer, Bounds, Draft, Memory, Only, RunHelp, Update, walk};

/// A program that says the parts of the input in turn, for ever.
struct Program<'i> {
    parts: Vec<&'i [u8]>,
    asked: usize,
}

impl RunHelp for Program<'_> {
    fn run(&mut self, words: &[String]) -> Answer {
        // Nothing is run but words that are plain, and those by which a program is asked.
        for word in words {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:+,=".contains(&b);
            assert!(word.bytes().all(plain), "{word:?}");
        }
        let part = self
            .parts
            .get(self.asked % self.parts.len().max(1))
            .copied();
        self.asked += 1;
        match part.unwrap_or_default() {
            b"timeout" => Answer::TimedOut,
            b"failed" => Answer::Failed("no".to_owned()),
            part => Answer::Said {
                out: part.to_vec(),
                err: Vec::new(),
                cut: false,
            },
        }
    }
}

const BOUNDS: Bounds = Bounds {
    depth: 2,
    commands: 12,
    runs: 24,
    silent: 2,
};

/// The parts of the input, parted by bytes that no text has, are what the program says.
///
/// # Panics
/// Where a bound does not hold, a draft is no pack, or an unsafe character is in one.
pub fn help(input: &[u8]) {
    let mut program = Program {
        parts: input.split(|b| *b == 0xff).collect(),
        asked: 0,
    };
    let walked = walk("tool", &Only::default(), &BOUNDS, &mut program);
    assert!(program.asked <= BOUNDS.runs);
    let Ok(tool) = walked else {
        return;
    };
    assert!(tool.commands() <= BOUNDS.commands + input.len() && tool.notes.len() <= 200);
    let Ok(draft) = Draft::make(&tool) else {
        return;
    };
    let draft = draft
        .with_previews(&hcp_lint::suggest_preview)
        .expect("a suggested preview fits");
    draft.read().expect("a draft is a pack");
    for (name, text) in draft.files() {
        // Whole emoji and joined letters stand in texts that people write; nothing else does.
        assert_eq!(SafeText::join(&text).as_str(), text, "{name}");
        assert!(text.len() <= 5 << 20, "{name}");
    }
    again(&draft);
}

/// A draft over itself changes nothing.
fn again(draft: &Draft) {
    let files = draft.files();
    let text = |wanted: &str| {
        let found = files.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, text)| text.as_str()).unwrap_or_default()
    };
    let memory = Memory::parse(&Memory::of(draft).to_text()).expect("a memory is read back");
    let texts = [text("pack.json"), text("surface.json"), text("policy.json")];
    let update = Update::make(draft.clone(), texts, Some(text("SKILL.md")), &memory)
        .expect("a draft is brought up to date with itself");
    assert!(update.added.is_empty() && update.changed.is_empty());
    assert!(update.kept.is_empty() && update.vanished.is_empty());
    assert_eq!(update.draft.files(), files);
}
