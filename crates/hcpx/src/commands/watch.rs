//! `hcpx approvals --watch`: stays open; new requests appear, a key answers the card in focus.
//!
//! A key counts only after the card stood still for half a second, so that a key meant for another
//! card, or typed ahead, answers nothing. New requests queue below and never take the focus.

use super::answer::{self, CardShown};
use super::approvals::waiting;
use super::show::card_text;
use crate::error::CliError;
use crate::output::{Look, Output, Text};
use crossterm::cursor::{Hide, Show};
use crossterm::event::{Event as Input, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use hcp::local::Place;
use hcp::pipeline::Request;
use hcp_core::approval::Record;
use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::text::{SafeText, safe};
use std::time::{Duration, Instant};

/// How long a card stands still before a key counts.
const STILL: Duration = Duration::from_millis(500);
/// How often new requests are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Lines of the screen beside the card: what stands above it, the question, and what was said last.
const AROUND: usize = 10;
/// Lines that the last message takes.
const SAID: usize = 4;
/// How many of the requests below are named.
const BELOW: usize = 5;

struct Focus {
    record: Record,
    request: Request,
    digest: Digest,
    since: Instant,
    /// What was typed of the word that a danger card wants.
    typed: String,
    /// Whether the whole card is in sight.
    whole: bool,
}

fn keys(focus: &Focus) -> String {
    if focus.request.card.is_danger() {
        let word = focus.request.card.word();
        format!("Type \"{word}\" and Enter to approve, n to reject: ")
    } else {
        "y approves, n rejects ".to_owned()
    }
}

/// Whether a card is in sight as a whole in so many rows.
fn fits(card: &Text, rows: usize) -> bool {
    card.plain().lines().count() <= rows
}

struct Watch<'w> {
    place: &'w Place,
    output: &'w Output,
    focus: Option<Focus>,
    /// The requests that queue below the one in focus: id, verb key, title.
    below: Vec<(String, String, String)>,
    said: String,
    drawn: String,
}

pub(crate) fn run(place: &Place, output: &Output) -> Result<u8, CliError> {
    if output.json || !answer::terminal() {
        return Err(CliError::usage("--watch needs a terminal")
            .hint("hcpx approvals --json lists what waits, once"));
    }
    let screen = Screen::open()?;
    let mut watch = Watch {
        place,
        output,
        focus: None,
        below: Vec::new(),
        said: String::new(),
        drawn: String::new(),
    };
    let ended = watch.until_quit();
    drop(screen);
    if !watch.said.is_empty() {
        output.tell(&Text::new().line(&watch.said));
    }
    ended.map(|()| 0)
}

/// The terminal while the watch has it: key by key, and on a screen of its own. However the watch ends,
/// the person gets back the terminal and what stood on it.
struct Screen;

impl Screen {
    fn open() -> Result<Self, CliError> {
        let cannot = |e| {
            CliError::new(
                Code::Internal,
                format!("the terminal cannot be read key by key: {e}"),
            )
        };
        enable_raw_mode().map_err(cannot)?;
        let screen = Self;
        execute!(std::io::stderr(), EnterAlternateScreen, Hide).map_err(cannot)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing is left to try when the terminal does not answer any more.
        let _ = execute!(std::io::stderr(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

impl Watch<'_> {
    fn until_quit(&mut self) -> Result<(), CliError> {
        loop {
            self.look()?;
            self.draw();
            let ready =
                poll(LOOK_EVERY).map_err(|e| CliError::new(Code::Internal, e.to_string()))?;
            if !ready {
                continue;
            }
            let input = read().map_err(|e| CliError::new(Code::Internal, e.to_string()))?;
            let Input::Key(key) = input else {
                // After a change of size the screen is drawn anew, and stands still from then on.
                self.drawn.clear();
                if let (Input::Resize(..), Some(focus)) = (&input, &mut self.focus) {
                    focus.since = Instant::now();
                }
                continue;
            };
            if key.kind != KeyEventKind::Press {
                continue;
            }
            let interrupt = key.modifiers.contains(KeyModifiers::CONTROL)
                && matches!(key.code, KeyCode::Char('c' | 'd'));
            let in_word = self.focus.as_ref().is_some_and(|f| !f.typed.is_empty());
            if interrupt || (key.code == KeyCode::Char('q') && !in_word) {
                return Ok(());
            }
            self.key(key.code)?;
        }
    }

    /// Looks for requests; the one in focus stays there as long as it waits and its card is the same.
    fn look(&mut self) -> Result<(), CliError> {
        let found = waiting(self.place)?;
        let kept = self.focus.take();
        let same = kept
            .as_ref()
            .and_then(|f| found.iter().find(|(r, _)| r.id == f.record.id));
        let next = same.or_else(|| found.first());
        self.below = found
            .iter()
            .filter(|(r, _)| next.is_none_or(|(n, _)| n.id != r.id))
            .map(|(r, q)| (r.id.clone(), r.verb.to_string(), q.card.view.title.clone()))
            .collect();
        self.focus = next.map(|(record, request)| {
            let digest = request.card.digest();
            let still = kept.filter(|f| f.record.id == record.id && f.digest == digest);
            let (since, typed) =
                still.map_or_else(|| (Instant::now(), String::new()), |f| (f.since, f.typed));
            Focus {
                record: record.clone(),
                request: request.clone(),
                digest,
                since,
                typed,
                whole: false,
            }
        });
        Ok(())
    }

    fn key(&mut self, code: KeyCode) -> Result<(), CliError> {
        let Some(focus) = &mut self.focus else {
            return Ok(());
        };
        if focus.since.elapsed() < STILL {
            self.said = "Too early: that key answered nothing.".to_owned();
            focus.since = Instant::now();
            return Ok(());
        }
        let danger = focus.request.card.is_danger();
        let word = focus.request.card.word();
        if matches!(code, KeyCode::Esc | KeyCode::Backspace) {
            focus.typed.clear();
        } else if code == KeyCode::Char('n') && focus.typed.is_empty() {
            return self.reject();
        } else if !focus.whole {
            self.said = "Only n answers a card that is not in sight as a whole.".to_owned();
        } else if !danger {
            if code == KeyCode::Char('y') {
                return self.approve();
            }
        } else if code == KeyCode::Enter && focus.typed == word {
            return self.approve();
        } else if let KeyCode::Char(c) = code {
            focus.typed.push(c);
            if !word.starts_with(&focus.typed) {
                focus.typed.clear();
            }
        }
        Ok(())
    }

    fn approve(&mut self) -> Result<(), CliError> {
        let Some(focus) = self.focus.take() else {
            return Ok(());
        };
        self.said = match answer::yes(self.place, &focus.record, &focus.request, CardShown::Yes) {
            Ok(()) => format!("Approved {} ({}).", focus.record.id, focus.record.verb),
            Err(e) => e.message,
        };
        Ok(())
    }

    fn reject(&mut self) -> Result<(), CliError> {
        let Some(focus) = self.focus.take() else {
            return Ok(());
        };
        self.said = match answer::no(self.place, &focus.record, None) {
            Ok(()) => format!(
                "Rejected {} ({}); hcpx approvals forget {} takes it back.",
                focus.record.id, focus.record.verb, focus.record.id
            ),
            Err(e) => e.message,
        };
        Ok(())
    }

    fn screen(&self, columns: usize, rows: usize) -> Text {
        let mut text = Text::new()
            .styled(Look::Faint, "hcpx approvals --watch · q leaves")
            .gap();
        text = match &self.focus {
            None => text.line("Nothing waits for an answer. New requests appear here."),
            Some(focus) => {
                let card = card_text(&focus.request, columns);
                let room = rows.saturating_sub(AROUND);
                let fits = fits(&card, room);
                let head = text
                    .piece(Look::Strong, &focus.record.id)
                    .styled(
                        Look::Faint,
                        format!(
                            "  {} ({})",
                            focus.record.principal.id, focus.record.principal.kind
                        ),
                    )
                    .gap();
                if fits {
                    head.then(card)
                        .gap()
                        .piece(Look::Strong, &keys(focus))
                        .line(&focus.typed)
                } else {
                    // A yes to a card of which a part is out of sight would be a yes unread.
                    head.line(&focus.request.card.view.title)
                        .gap()
                        .prose(
                            Look::Care,
                            &SafeText::join(&format!(
                                "The card is longer than this window. Make it taller, or read and answer it outside: hcpx approve {}",
                                focus.record.id
                            )),
                            columns,
                            0,
                        )
                        .line("n rejects")
                }
            }
        };
        if !self.below.is_empty() {
            text = text
                .gap()
                .styled(Look::Faint, format!("{} more below:", self.below.len()));
        }
        // They are named where there is room: what is below never pushes the card out of sight.
        let taken = text.plain().lines().count() + SAID;
        let room = rows.saturating_sub(taken).min(BELOW);
        for (id, verb, title) in self.below.iter().take(room) {
            let line = format!("  {id}  {verb}  {title}");
            let lines = hcp_card::render::wrap(safe(&line).as_str(), columns);
            text = text.safe(SafeText::join(lines.first().map_or("", String::as_str)));
        }
        if !self.said.is_empty() {
            text = text.gap().styled(Look::Care, &self.said);
        }
        text
    }

    /// Draws the screen anew, but only when it changed: a person reads a screen that stands still.
    fn draw(&mut self) {
        let (columns, rows) = size().map_or((self.output.columns, 24), |(columns, rows)| {
            (usize::from(columns), usize::from(rows))
        });
        let whole = self
            .focus
            .as_ref()
            .is_some_and(|f| fits(&card_text(&f.request, columns), rows.saturating_sub(AROUND)));
        if let Some(focus) = &mut self.focus {
            focus.whole = whole;
        }
        let screen = self.screen(columns, rows);
        let plain = screen.plain();
        if plain != self.drawn {
            self.output.screen(&screen);
            self.drawn = plain;
        }
    }
}
