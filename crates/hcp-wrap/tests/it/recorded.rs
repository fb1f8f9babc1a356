//! A program that answers what a file recorded: `$ WORDS` and the answer below, the first line a remark.

use hcp_pack::Pack;
use hcp_wrap::{Answer, Bounds, Draft, Only, RunHelp, walk};

/// Where the recordings are.
pub(crate) const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../hcp-wrap/tests/data");

pub(crate) struct Recorded {
    answers: Vec<(Vec<String>, String)>,
    pub(crate) asked: Vec<Vec<String>>,
}

impl Recorded {
    /// The recording of this program.
    pub(crate) fn of(program: &str) -> Self {
        let path = format!("{DATA}/{program}.txt");
        let text = std::fs::read_to_string(path).unwrap();
        let mut answers: Vec<(Vec<String>, String)> = Vec::new();
        let start = format!("$ {program} ");
        for line in text.lines() {
            if let Some(words) = line.strip_prefix(&start) {
                answers.push((words.split(' ').map(str::to_owned).collect(), String::new()));
            } else if let Some((_, answer)) = answers.last_mut() {
                answer.push_str(line);
                answer.push('\n');
            }
        }
        Self {
            answers,
            asked: Vec::new(),
        }
    }
}

impl RunHelp for Recorded {
    fn run(&mut self, words: &[String]) -> Answer {
        self.asked.push(words.to_vec());
        let known = self.answers.iter().find(|(asked, _)| asked == words);
        Answer::Said {
            out: known
                .map(|(_, text)| text.clone().into_bytes())
                .unwrap_or_default(),
            err: Vec::new(),
            cut: false,
        }
    }
}

/// The draft of a recorded program, and the draft as a pack.
pub(crate) fn draft(program: &str) -> (Draft, Pack) {
    let mut recorded = Recorded::of(program);
    let tool = walk(program, &Only::default(), &Bounds::default(), &mut recorded).unwrap();
    let draft = Draft::make(&tool).unwrap();
    let pack = draft.read().unwrap();
    (draft, pack)
}
