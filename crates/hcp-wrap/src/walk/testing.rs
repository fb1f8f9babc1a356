//! A program that answers from a list, for tests.

use super::{Answer, Bounds, Only, RunHelp, Tool, walk};

pub(crate) struct Script {
    answers: Vec<(Vec<String>, String)>,
    pub(crate) otherwise: Answer,
    pub(crate) grow: bool,
    pub(crate) asked: Vec<Vec<String>>,
}

pub(crate) fn said(text: &str) -> Answer {
    Answer::Said {
        out: text.as_bytes().to_vec(),
        err: Vec::new(),
        cut: false,
    }
}

impl Script {
    pub(crate) fn new(answers: &[(&[&str], &str)]) -> Self {
        let owned = |(words, text): &(&[&str], &str)| {
            (
                words.iter().map(|w| (*w).to_owned()).collect(),
                (*text).to_owned(),
            )
        };
        Self {
            answers: answers.iter().map(owned).collect(),
            otherwise: said(""),
            grow: false,
            asked: Vec::new(),
        }
    }

    pub(crate) fn always(text: &str) -> Self {
        Self {
            otherwise: said(text),
            ..Self::new(&[])
        }
    }
}

impl RunHelp for Script {
    fn run(&mut self, words: &[String]) -> Answer {
        self.asked.push(words.to_vec());
        if self.grow {
            let path = words.join("");
            return said(&format!(
                "Usage: tool COMMAND\n\nCommands:\n  a{}   Add {path}\n  b{0}   Show it\n",
                words.len()
            ));
        }
        let known = self.answers.iter().find(|(asked, _)| asked == words);
        known.map_or_else(|| self.otherwise.clone(), |(_, text)| said(text))
    }
}

/// The tool that these answers describe.
pub(crate) fn tool(program: &str, answers: &[(&[&str], &str)]) -> Tool {
    walk(
        program,
        &Only::default(),
        &Bounds::default(),
        &mut Script::new(answers),
    )
    .unwrap()
}
