//! Output shown in documents, made by running the real binary.
//!
//! A block stands between two comments. The first holds the command; all blocks of a file run in order
//! in one throw-away home, so that a document can tell a story:
//!
//! ```text
//! <!-- generated: hcpx preview ledger transfer -- amount=2.80 payee=demo-transit -->
//! <!-- /generated -->
//! ```
//!
//! `<!-- generated, not shown: COMMAND -->` runs a command that the reader need not see. The block after
//! `<!-- file: PATH -->` is a file that the reader writes; it is written into the home too, as a program where it
//! begins as one. What differs from run to run is written in one way: the home as `~`, ids as [`IDS`], times as
//! [`TIME`].

use super::Wanted;
use crate::binary::{Home, Shown};
use crate::tools::{self, Result};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const SHOWN: &str = "<!-- generated: ";
const HIDDEN: &str = "<!-- generated, not shown: ";
const FILE: &str = "<!-- file: ";
const CLOSE: &str = " -->";
const END: &str = "<!-- /generated -->";

/// Stand in for approval ids, in the order in which they appear; a command may use them.
const IDS: &[&str] = &["5ea7eb29", "0c41d2f7", "93b6e05a", "d7182c4e"];
const ID_LENGTH: usize = 8;
/// Stands in for every time.
const TIME: &str = "2026-12-01T12:00:00.000Z";
/// Stand in for the times of the day that people read.
const CLOCK: &str = "12:15";
const CLOCK_SECONDS: &str = "12:00:00";
/// Back to the first column, and the line erased.
const ERASE: &str = "\u{1b}[1G\u{1b}[2K";

pub(super) fn wanted(hcpx: &Path) -> Result<Vec<Wanted>> {
    let root = tools::root();
    let mut files = vec![root.join("README.md")];
    files.extend(tools::files_below(&root.join("docs"), ".md")?);
    let mut all = Vec::new();
    for file in files {
        let text = tools::read(&file)?;
        if !text.contains("<!-- generated") {
            continue;
        }
        let path = file.strip_prefix(&root)?.to_path_buf();
        let mut story = Story::new(hcpx)?;
        let made = fill(&text, |step| story.take(step))
            .map_err(|fault| format!("{}:{fault}", path.display()))?;
        all.push(Wanted { path, text: made });
    }
    Ok(all)
}

/// What a document has its reader do.
#[derive(Debug, PartialEq, Eq)]
enum Step<'t> {
    /// `hcpx` with these words.
    Run(Vec<String>),
    /// A file at this path with this text.
    Write(&'t str, String),
}

/// The text with every block filled with what `take` gives for its command.
fn fill(text: &str, mut take: impl FnMut(Step<'_>) -> Result<String>) -> Result<String> {
    let mut out = String::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let told = |fault: &dyn std::fmt::Display| format!("{}: {fault}", number + 1);
        if let Some(command) = command(line, HIDDEN) {
            let words = words(command).map_err(|e| told(&e))?;
            take(Step::Run(words)).map_err(|e| told(&e))?;
        } else if let Some(path) = command(line, FILE) {
            let Some(whole) = fenced(lines.by_ref().map(|(_, line)| line)) else {
                return Err(told(&"no block of code follows").into());
            };
            let [opening, inside, closing] = &whole;
            out.push_str(&format!("{opening}\n{inside}{closing}\n"));
            take(Step::Write(path, inside.clone())).map_err(|e| told(&e))?;
        } else if let Some(command) = command(line, SHOWN) {
            let words = words(command).map_err(|e| told(&e))?;
            let shown = take(Step::Run(words)).map_err(|e| told(&e))?;
            let fence = if shown.contains("```") { "````" } else { "```" };
            let shown = match shown.trim_end() {
                "" => String::new(),
                shown => format!("{shown}\n"),
            };
            out.push_str(&format!(
                "{fence}console\n$ {command}\n{shown}{fence}\n{END}\n"
            ));
            if !lines.any(|(_, line)| line == END) {
                return Err(told(&format!("this block has no {END}")).into());
            }
        }
    }
    Ok(out)
}

/// A block of code that begins here: its first line, what is in it, its last line.
fn fenced<'t>(mut lines: impl Iterator<Item = &'t str>) -> Option<[String; 3]> {
    let opening = lines.next().filter(|line| line.starts_with("```"))?;
    let mut inside = String::new();
    for line in lines {
        if line == "```" {
            return Some([opening.to_owned(), inside, line.to_owned()]);
        }
        inside.push_str(line);
        inside.push('\n');
    }
    None
}

fn command<'t>(line: &'t str, opening: &str) -> Option<&'t str> {
    line.strip_prefix(opening)?.strip_suffix(CLOSE)
}

/// The words after `hcpx`, read as a shell reads plain words and single and double quotes.
fn words(command: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '\\' | '$' | '`' | '|' | '&' | ';' | '<' | '>') => {
                return Err(format!("a block runs one plain command, without {c}").into());
            }
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() {
        return Err("a quote is not closed".into());
    }
    match words.split_first() {
        Some((first, rest)) if first == "hcpx" => Ok(rest.to_vec()),
        Some(_) | None => Err("a block's command begins with hcpx".into()),
    }
}

/// The commands of one document, in one home.
struct Story {
    home: Home,
    /// The real path of the home.
    path: PathBuf,
    /// Real ids in the order in which they appeared.
    ids: Vec<String>,
}

impl Story {
    fn new(hcpx: &Path) -> Result<Self> {
        let home = Home::new(hcpx)?;
        let path = home.path().canonicalize()?;
        let ids = Vec::new();
        Ok(Self { home, path, ids })
    }

    fn take(&mut self, step: Step<'_>) -> Result<String> {
        match step {
            Step::Run(words) => self.run(&words),
            Step::Write(path, text) => {
                let path = match path.strip_prefix("~/") {
                    Some(below) => self.home.path().join(below),
                    None => self.home.path().join("work").join(path),
                };
                tools::write(&path, &text)?;
                if text.starts_with("#!") {
                    std::fs::set_permissions(&path, Permissions::from_mode(0o755))?;
                }
                Ok(String::new())
            }
        }
    }

    fn run(&mut self, words: &[String]) -> Result<String> {
        let words: Vec<String> = words.iter().map(|word| self.real(word)).collect();
        let Shown { text, status } = self.home.run(&words)?;
        let refused = text.contains("human_only");
        if refused || status.code().is_none() {
            return Err(format!(
                "hcpx {} ended with {status}. Inside an agent the access commands refuse: generate from a \
                 terminal of your own.\n{text}",
                words.join(" ")
            )
            .into());
        }
        Ok(self.settled(&without_progress(&text)))
    }

    /// A word of a command with the ids of the document replaced by the real ones.
    fn real(&self, word: &str) -> String {
        let known = IDS.iter().position(|id| *id == word);
        known
            .and_then(|at| self.ids.get(at))
            .cloned()
            .unwrap_or_else(|| word.to_owned())
    }

    /// What the command printed, with everything that differs from run to run written in one way.
    fn settled(&mut self, text: &str) -> String {
        let mut text = text.replace(&*self.path.to_string_lossy(), "~");
        text = text.replace(&*self.home.path().to_string_lossy(), "~");
        text = pieces(&text)
            .into_iter()
            .map(|piece| match () {
                () if is_time(piece) => TIME,
                () if has_form(piece, "dd:dd") == Some("") => CLOCK,
                () if has_form(piece, "dd:dd:dd") == Some("") => CLOCK_SECONDS,
                () => piece,
            })
            .collect();
        let mut out = String::with_capacity(text.len());
        let mut before = "";
        for piece in pieces(&text) {
            let id = is_id(piece) || (BEFORE_IDS.contains(&before) && is_digits(piece));
            out.push_str(if id { self.stand_in(piece) } else { piece });
            if !piece.trim().is_empty() {
                before = piece;
            }
        }
        out
    }

    fn stand_in(&mut self, id: &str) -> &'static str {
        let at = self.ids.iter().position(|known| known == id);
        let at = at.unwrap_or_else(|| {
            self.ids.push(id.to_owned());
            self.ids.len() - 1
        });
        IDS.get(at).copied().unwrap_or("xxxxxxxx")
    }
}

/// The text without the lines of progress that the terminal has erased.
fn without_progress(text: &str) -> String {
    let stays = |line: &str| line.rsplit(ERASE).next().unwrap_or_default().to_owned();
    text.split_inclusive('\n').map(stays).collect()
}

/// A text cut into runs of letters, digits and the marks of a time, and whatever stands between.
fn pieces(text: &str) -> Vec<&str> {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '.' | '-' | '+' | '_');
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest
            .find(|c| inside(c) != inside(first))
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        // A stop or colon at the end belongs to the sentence.
        let word = piece.trim_end_matches(|c: char| inside(c) && !c.is_ascii_alphanumeric());
        let (word, stop) = piece.split_at(word.len());
        pieces.extend([word, stop].into_iter().filter(|part| !part.is_empty()));
        rest = after;
    }
    pieces
}

/// Words behind which eight digits are an id and no number.
const BEFORE_IDS: [&str; 5] = ["as", "approve", "approved", "reject", "--confirm"];

fn is_digits(piece: &str) -> bool {
    piece.len() == ID_LENGTH && piece.chars().all(|c| c.is_ascii_digit())
}

fn is_id(piece: &str) -> bool {
    piece.len() == ID_LENGTH
        && piece.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
        // A number of eight digits is more likely an amount or a date.
        && (piece.contains(|c: char| c.is_ascii_lowercase()) || piece.starts_with('0'))
}

fn is_time(piece: &str) -> bool {
    // 2026-12-01T12:00:00Z, with or without a fraction.
    has_form(piece, "dddd-dd-ddTdd:dd:dd").is_some_and(|tail| {
        tail.ends_with('Z')
            && tail
                .trim_end_matches('Z')
                .chars()
                .all(|c| c == '.' || c.is_ascii_digit())
    })
}

/// What follows a beginning of this form, in which `d` stands for a digit.
fn has_form<'p>(piece: &'p str, form: &str) -> Option<&'p str> {
    let mut chars = piece.chars();
    let head = form.chars().all(|want| match chars.next() {
        Some(c) if want == 'd' => c.is_ascii_digit(),
        found => found == Some(want),
    });
    head.then_some(chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_replaced_and_nothing_else() {
        let text = "before\n<!-- generated, not shown: hcpx a -->\n\
                    <!-- generated: hcpx b 'c d' -->\nold\n<!-- /generated -->\nafter\n";
        let mut seen = Vec::new();
        let made = fill(text, |step| {
            seen.push(step_words(step));
            Ok("new\n".to_owned())
        })
        .unwrap();
        assert_eq!(
            made,
            "before\n<!-- generated, not shown: hcpx a -->\n\
             <!-- generated: hcpx b 'c d' -->\n```console\n$ hcpx b 'c d'\nnew\n```\n\
             <!-- /generated -->\nafter\n"
        );
        assert_eq!(seen, [vec!["a".to_owned()], vec!["b".into(), "c d".into()]]);
        let again = fill(&made, |_| Ok("new\n".to_owned())).unwrap();
        assert_eq!(again, made);
    }

    fn step_words(step: Step<'_>) -> Vec<String> {
        match step {
            Step::Run(words) => words,
            Step::Write(path, text) => vec![path.to_owned(), text],
        }
    }

    #[test]
    fn a_file_is_written_and_stays_as_it_is() {
        let text = "<!-- file: ~/a -->\n```sh\n#!/bin/sh\n\nx\n```\nafter\n";
        let mut seen = Vec::new();
        let made = fill(text, |step| {
            seen.push(step_words(step));
            Ok(String::new())
        })
        .unwrap();
        assert_eq!(made, text);
        assert_eq!(seen, [["~/a".to_owned(), "#!/bin/sh\n\nx\n".to_owned()]]);
        for bad in ["<!-- file: a -->\ntext\n", "<!-- file: a -->\n```\nx\n"] {
            assert!(fill(bad, |_| Ok(String::new())).is_err(), "{bad}");
        }
    }

    #[test]
    fn progress_is_no_output() {
        let erased = format!("{ERASE}tool --help  (1){ERASE}tool a --help  (2){ERASE}Done.\nx\n");
        assert_eq!(without_progress(&erased), "Done.\nx\n");
    }

    #[test]
    fn a_block_without_end_or_with_shell_is_refused() {
        let run = |text: &str| fill(text, |_| Ok(String::new()));
        for bad in [
            "<!-- generated: hcpx a -->\n",
            "<!-- generated: ls -->\n<!-- /generated -->\n",
            "<!-- generated: hcpx a | b -->\n<!-- /generated -->\n",
            "<!-- generated: hcpx 'a -->\n<!-- /generated -->\n",
        ] {
            let fault = run(bad).unwrap_err().to_string();
            assert!(fault.starts_with("1: "), "{fault}");
        }
    }

    #[test]
    fn ids_and_times_are_told_from_other_text() {
        for id in ["5ea7eb29", "00000001", "deadbeef"] {
            assert!(is_id(id), "{id}");
        }
        for other in ["20261201", "5ea7eb2", "5ea7eb290", "5EA7EB29", "transfer"] {
            assert!(!is_id(other), "{other}");
        }
        assert!(is_time("2026-12-01T09:10:11Z") && is_time("2026-12-01T09:10:11.123Z"));
        assert_eq!(has_form("10:22", "dd:dd"), Some(""));
        assert_eq!(has_form("10:22:41", "dd:dd"), Some(":41"));
        assert!(!is_time("2026-12-01") && !is_time("2026-12-01T09:10:11"));
    }

    #[test]
    fn an_id_of_digits_alone_is_told_by_the_word_before_it() {
        let mut document = Story::new(Path::new("/bin/true")).unwrap();
        let text =
            "Waits as 52617283 until 12:00.\n  yes: hcpx approve 52617283\n20261201 is a date\n";
        let settled = document.settled(text);
        assert!(!settled.contains("52617283"), "{settled}");
        assert!(settled.contains("20261201 is a date"), "{settled}");
    }

    #[test]
    fn pieces_give_the_text_back() {
        let text = "id \"5ea7eb29\": 0c41d2f7: at 2026-12-01T09:10:11.123Z.\n-- ...\n";
        assert_eq!(pieces(text).concat(), text);
        for whole in ["5ea7eb29", "0c41d2f7", "2026-12-01T09:10:11.123Z"] {
            assert!(pieces(text).contains(&whole), "{whole}");
        }
    }
}
