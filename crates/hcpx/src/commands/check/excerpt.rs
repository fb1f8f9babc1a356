//! One finding with the lines that it is about. What a file holds is made safe before it is laid out, so that
//! the marks stand under the characters that a person sees.

use crate::output::{Look, Text};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level as Mark, Origin, Renderer, Snippet};
use hcp_core::text::{SafeText, is_unsafe};
use hcp_lint::{Checked, FileName, Finding, Level};
use hcp_pack::PackFiles;
use std::ops::Range;

/// More of a line than this is not laid out: nobody reads it, and laying it out takes long.
const LINE_MAX: usize = 400;
/// More lines than this are not shown: the first says where it is.
const LINES_MAX: usize = 4;

pub(super) fn add(
    text: Text,
    checked: &Checked,
    files: &PackFiles,
    finding: &Finding,
    columns: usize,
) -> Text {
    let (look, mark) = match finding.level {
        Level::Error => (Look::Danger, Mark::ERROR),
        Level::Warning => (Look::Care, Mark::WARNING),
        Level::Note => (Look::Strong, Mark::NOTE),
    };
    let head = format!("{}[{}]", finding.level, finding.code);
    let room = columns.saturating_sub(head.len() + 2);
    let mut text = text.piece(look, &head).piece(Look::Plain, ": ").prose(
        Look::Strong,
        &SafeText::join(&finding.message),
        room,
        0,
    );
    let part = Part::of(source(files, finding.file), finding);
    let path = SafeText::join(&hcp_core::text::safe(&checked.path(finding.file)).to_string());
    let origin = Origin::path(path.as_str())
        .line(finding.place.line)
        .char_column(finding.place.column);
    let snippet = Snippet::source(part.text.as_str())
        .line_start(finding.place.line)
        .fold(false)
        .annotation(AnnotationKind::Primary.span(part.span.clone()));
    let help = finding.help.as_deref().map(SafeText::join);
    let mut group = mark.primary_title("").element(origin).element(snippet);
    if let Some(help) = &help {
        group = group.element(Mark::HELP.message(help.as_str()));
    }
    let renderer = Renderer::plain()
        .decor_style(DecorStyle::Ascii)
        .term_width(columns);
    let drawn = renderer.render(&[group]);
    // The first line is the title, which stands above already.
    for line in drawn.lines().skip(1) {
        // Between a place and its lines the layout has a mark for leaving lines out; none are.
        if line.trim() == ":::" {
            continue;
        }
        let marks = line.split('|').nth(1).unwrap_or_default().trim();
        let look = if !marks.is_empty() && marks.bytes().all(|b| b == b'^') {
            look
        } else {
            Look::Plain
        };
        text = text.safe_styled(look, SafeText::join(line.trim_end()));
    }
    text
}

/// The readable part of a file.
fn source(files: &PackFiles, file: FileName) -> &str {
    let bytes = match file {
        FileName::Pack => &files.pack,
        FileName::Surface => &files.surface,
        FileName::Policy => &files.policy,
        FileName::Skill => files.skill.as_ref().unwrap_or(&files.pack),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .and_then(|good| std::str::from_utf8(good).ok())
            .unwrap_or_default(),
    }
}

/// The lines of a finding, made safe, and the finding's place in them.
struct Part {
    text: String,
    span: Range<usize>,
}

impl Part {
    fn of(source: &str, finding: &Finding) -> Self {
        let span = finding.span;
        let before = source.get(..span.start).unwrap_or(source);
        let mut from = before.rfind('\n').map_or(0, |at| at + 1);
        if span.start - from.min(span.start) > LINE_MAX {
            // Of a very long line only what stands around the place.
            from = near(source, span.start.saturating_sub(LINE_MAX / 2));
        }
        let rest = source.get(from..).unwrap_or_default();
        let mut part = Self {
            text: String::new(),
            span: 0..0,
        };
        let mut start = None;
        let mut end = None;
        let (mut lines, mut length) = (1, 0);
        for (at, c) in rest.char_indices().map(|(at, c)| (from + at, c)) {
            if at == span.start {
                start = Some(part.text.len());
            }
            if at == span.end {
                end = Some(part.text.len());
            }
            if c == '\n' {
                if at >= span.end || lines == LINES_MAX {
                    break;
                }
                lines += 1;
                length = 0;
            } else {
                length += 1;
            }
            if length > 2 * LINE_MAX {
                break;
            }
            part.push(c);
        }
        let start = start.unwrap_or(part.text.len());
        let end = end.unwrap_or(part.text.len()).max(start);
        part.span = start..end;
        part
    }

    fn push(&mut self, c: char) {
        match c {
            '\t' => self.text.push_str("    "),
            '\r' => {}
            '\n' => self.text.push('\n'),
            c if is_unsafe(c) => self.text.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => self.text.push(c),
        }
    }
}

/// The next place from there on at which a character begins.
fn near(text: &str, at: usize) -> usize {
    (at..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}
