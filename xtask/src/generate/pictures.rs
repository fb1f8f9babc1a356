//! Pictures of cards: what `hcpx preview` prints for a real call, drawn as SVG for the documents.
//!
//! A picture is text in a frame, in two colour schemes. It is made from the output of the real binary, so that it
//! cannot show a card that the program does not draw.

use super::Wanted;
use crate::binary::{Home, Shown};
use crate::tools::Result;
use std::fmt::Write;
use std::path::Path;

const FOLDER: &str = "docs/concepts/cards";
/// Columns of the terminal that the binary prints for, and the least that a picture is wide.
const NARROWEST: usize = 48;
const CHAR_WIDTH: f32 = 8.43;
const LINE_HEIGHT: f32 = 20.0;
const MARGIN: f32 = 20.0;

/// One picture: its name, and the words behind `hcpx preview`.
struct Picture {
    name: &'static str,
    about: &'static str,
    words: &'static [&'static str],
}

const PICTURES: &[Picture] = &[
    Picture {
        name: "payment",
        about: "A payment: amount, payee and account in fields, and the exact command under them",
        words: &[
            "ledger",
            "transfer",
            "--",
            "amount=2.80",
            "payee=demo-transit",
        ],
    },
    Picture {
        name: "removal",
        about: "A removal that cannot be undone",
        words: &["notes", "delete", "--", "name=Keys"],
    },
    Picture {
        name: "message",
        about: "A message to three people, one of them hidden",
        words: &[
            "git",
            "send_email",
            "--",
            "to=ana@example.org",
            "cc=ben@example.org",
            "bcc=audit@example.net",
            "subject=Fix the fare table",
            "files=0001-fares.patch",
        ],
    },
    Picture {
        name: "hostile",
        about: "Values that try to forge a row, to turn the text around and to look like another payee",
        words: &[
            "ledger",
            "transfer",
            "--",
            "amount=2.80",
            "payee=dem\u{43e}-transit",
            "memo=fares\n  to        demo-transit\u{202e}",
        ],
    },
];

pub(super) fn wanted(hcpx: &Path) -> Result<Vec<Wanted>> {
    let home = Home::new(hcpx)?;
    for pack in ["ledger", "notes", "git"] {
        run(&home, &["install", pack])?;
    }
    std::fs::write(home.path().join("work/0001-fares.patch"), "the patch\n")?;
    PICTURES
        .iter()
        .map(|picture| {
            let mut words = vec!["preview"];
            words.extend(picture.words);
            let shown = run(&home, &words)?;
            let real = home.path().canonicalize()?;
            let shown = shown.replace(&*real.to_string_lossy(), "~");
            let path = format!("{FOLDER}/{}.svg", picture.name);
            Ok(Wanted::new(path, draw(picture.about, shown.trim_end())))
        })
        .collect()
}

fn run(home: &Home, words: &[&str]) -> Result<String> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let Shown { text, status } = home.run(&words)?;
    if status.success() {
        Ok(text)
    } else {
        Err(format!("hcpx {} ended with {status}:\n{text}", words.join(" ")).into())
    }
}

/// A card as SVG.
fn draw(about: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max();
    let columns = columns.unwrap_or(0).max(NARROWEST);
    let width = (columns as f32).mul_add(CHAR_WIDTH, 2.0 * MARGIN).ceil();
    let height = (lines.len() as f32)
        .mul_add(LINE_HEIGHT, 2.0 * MARGIN)
        .ceil();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" xml:space=\"preserve\" aria-label=\"{about}\">\n{STYLE}\
         <rect class=\"frame\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1.0,
        height - 1.0,
        about = escaped(about),
    );
    let mut title_seen = false;
    let mut before = "";
    for (at, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            before = "";
            continue;
        }
        let class = match class_of(line, at, before.is_empty() && !title_seen) {
            // The command line goes on.
            "row" if before == "cli" => "cli",
            class => class,
        };
        title_seen |= class == "title";
        before = class;
        let y = (at as f32).mul_add(LINE_HEIGHT, MARGIN + 14.0);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
            escaped(line)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

const STYLE: &str = "<style>\n\
    text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:#24292f}\n\
    .frame{fill:#fff;stroke:#d0d7de}\n\
    .title{font-weight:700}.signal{fill:#b35900}.head,.asks{fill:#57606a}.cli{fill:#0550ae}\n\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.frame{fill:#0d1117;stroke:#30363d}\
    .signal{fill:#f0a35e}.head,.asks{fill:#8b949e}.cli{fill:#79c0ff}}\n\
    </style>\n";

/// What a line of a card is, for its colour.
fn class_of(line: &str, at: usize, first_after_blank: bool) -> &'static str {
    if at == 0 {
        "head"
    } else if first_after_blank {
        "title"
    } else if line.starts_with('·') {
        "signal"
    } else if line.starts_with("  $ ") {
        "cli"
    } else if line.starts_with("Asks first") || line.starts_with("Refused") {
        "asks"
    } else {
        "row"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_becomes_text_in_a_frame() {
        let card = "Ledger · Pay.\n\nPay a <b> & c\n· Moves money\n  amount  2.80\n\n  $ ledger transfer 2.80\n\nAsks first: x";
        let svg = draw("A card", card);
        for part in [
            "class=\"head\" x=\"20\" y=\"34\">Ledger · Pay.<",
            "class=\"title\" x=\"20\" y=\"74\">Pay a &lt;b&gt; &amp; c<",
            "class=\"signal\"",
            "class=\"row\"",
            "class=\"cli\"",
            "class=\"asks\"",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert_eq!(svg.matches("class=\"title\"").count(), 1);
    }
}
