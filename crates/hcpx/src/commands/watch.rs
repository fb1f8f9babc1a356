//! `hcpx approvals --watch`: stays open; new requests appear, a key answers the card in focus.
//!
//! A key counts only after the card stood still for half a second, so that a key meant for another
//! card, or typed ahead, answers nothing. New requests queue below and never take the focus. A card that is
//! longer than the window is scrolled, and takes a yes only after its last line was in sight.

mod looks;

use super::answer::{self, CardShown};
use super::approvals::Waiting;
use super::narrowest;
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
use looks::Looks;
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
    /// Since when it has stood on the screen; `None` before it was drawn.
    since: Option<Instant>,
    /// What was typed of the word that a danger card wants.
    typed: String,
    /// Which lines of the card are in sight, and how many were.
    sight: Sight,
}

/// The part of a card that is in sight, in lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sight {
    top: usize,
    /// Lines that are in sight at once.
    room: usize,
    /// Lines of the card.
    all: usize,
    /// Lines from the first on that were in sight.
    seen: usize,
}

impl Sight {
    /// The same card in a window of this size.
    fn fitted(self, all: usize, room: usize) -> Self {
        let room = room.max(1);
        let top = self.top.min(all.saturating_sub(room));
        let seen = if (all, room) == (self.all, self.room) {
            self.seen
        } else {
            0
        };
        // What lies below a gap was not read in one piece.
        let seen = if top <= seen {
            seen.max(top + room)
        } else {
            seen
        };
        Self {
            top,
            room,
            all,
            seen: seen.min(all),
        }
    }

    /// Scrolled by a key; `None` where the key does not scroll.
    fn scrolled(self, code: KeyCode) -> Option<Self> {
        // One line of what was in sight stays there.
        let page = self.room.saturating_sub(1).max(1);
        let top = if code == KeyCode::Down {
            self.top + 1
        } else if code == KeyCode::Up {
            self.top.saturating_sub(1)
        } else if matches!(code, KeyCode::PageDown | KeyCode::Char(' ')) {
            self.top + page
        } else if code == KeyCode::PageUp {
            self.top.saturating_sub(page)
        } else {
            return None;
        };
        Some(Self { top, ..self })
    }

    fn is_long(self) -> bool {
        self.all > self.room
    }

    /// Whether every line was in sight.
    fn was_whole(self) -> bool {
        self.seen >= self.all
    }
}

fn keys(focus: &Focus) -> String {
    if !focus.sight.was_whole() {
        return "Space shows more; then you can approve. n rejects ".to_owned();
    }
    if focus.request.card.is_danger() {
        let word = focus.request.card.word();
        format!("Type \"{word}\" and Enter to approve, n to reject: ")
    } else if focus.request.not_connected.is_some() {
        "y asks it again, n rejects ".to_owned()
    } else {
        "y approves, n rejects ".to_owned()
    }
}

struct Watch<'w> {
    place: &'w Place,
    output: &'w Output,
    looks: Looks,
    /// How many answers were given or tried.
    answers: u64,
    /// Whether it is known by now what waits.
    looked: bool,
    focus: Option<Focus>,
    /// The requests that queue below the one in focus: id, verb key, title.
    below: Vec<(String, String, String)>,
    said: String,
    /// For each yes the narrowest rule that would have let the call run, to be copied when the watch is over.
    rules: Vec<String>,
    drawn: String,
}

pub(crate) fn run(place: &Place, output: &Output) -> Result<u8, CliError> {
    if output.json || !answer::terminal() {
        return Err(CliError::usage("--watch needs a terminal")
            .hint("hcpx approvals --json lists what waits, once"));
    }
    let mut watch = Watch {
        place,
        output,
        looks: Looks::start(place)?,
        answers: 0,
        looked: false,
        focus: None,
        below: Vec::new(),
        said: String::new(),
        rules: Vec::new(),
        drawn: String::new(),
    };
    let screen = Screen::open()?;
    let ended = watch.until_quit();
    drop(screen);
    if !watch.said.is_empty() {
        output.tell(&Text::new().line(&watch.said));
    }
    output.tell(&narrowest::text(&watch.rules));
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
                    focus.since = None;
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
        if let Some(found) = self.looks.after(self.answers)? {
            self.looked = true;
            self.show(&found);
        }
        Ok(())
    }

    fn show(&mut self, found: &Waiting) {
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
            let (since, typed, sight) = still.map_or_else(
                || (None, String::new(), Sight::default()),
                |f| (f.since, f.typed, f.sight),
            );
            Focus {
                record: record.clone(),
                request: request.clone(),
                digest,
                since,
                typed,
                sight,
            }
        });
    }

    fn key(&mut self, code: KeyCode) -> Result<(), CliError> {
        let Some(focus) = &mut self.focus else {
            return Ok(());
        };
        if let Some(sight) = focus.sight.scrolled(code) {
            // It answers nothing, and what is in sight now has to stand still anew.
            self.said.clear();
            focus.sight = sight;
            focus.since = None;
            return Ok(());
        }
        if focus.since.is_none_or(|since| since.elapsed() < STILL) {
            self.said = "Too early: that key answered nothing.".to_owned();
            focus.since = None;
            return Ok(());
        }
        let danger = focus.request.card.is_danger();
        let word = focus.request.card.word();
        if matches!(code, KeyCode::Esc | KeyCode::Backspace) {
            focus.typed.clear();
        } else if code == KeyCode::Char('n') && focus.typed.is_empty() {
            return self.reject();
        } else if !focus.sight.was_whole() {
            self.said =
                "A yes wants the whole card to have been in sight: Space shows more.".to_owned();
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
        self.answers += 1;
        let id = &focus.record.id;
        // What was drawn a moment ago is looked at once more: a yes belongs to the card that was shown.
        let said = answer::judge(self.place, &focus.record).and_then(|now| {
            if now.card.digest() != focus.digest {
                return Ok(format!("The card of {id} changed: that yes did not count."));
            }
            answer::yes(self.place, &focus.record, &focus.request, CardShown::Yes)?;
            let rule = narrowest::line(self.place, &focus.record, &focus.request);
            self.rules
                .extend(rule.filter(|line| !self.rules.contains(line)));
            Ok(format!("Approved {id} ({}).", focus.record.verb))
        });
        self.said = said.unwrap_or_else(|e| e.message);
        Ok(())
    }

    fn reject(&mut self) -> Result<(), CliError> {
        let Some(focus) = self.focus.take() else {
            return Ok(());
        };
        self.answers += 1;
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
            None if !self.looked => text.line("Looking for what waits …"),
            None => text.line("Nothing waits for an answer. New requests appear here."),
            Some(focus) => {
                let who = &focus.record.principal;
                let sight = focus.sight;
                let lines = card_text(&focus.request, columns).by_line();
                let mut shown = text
                    .piece(Look::Strong, &focus.record.id)
                    .styled(Look::Faint, format!("  {} ({})", safe(&who.id), who.kind))
                    .gap();
                for line in lines.into_iter().skip(sight.top).take(sight.room) {
                    shown = shown.then(line);
                }
                if sight.is_long() {
                    let (from, to) = (sight.top + 1, sight.all.min(sight.top + sight.room));
                    let place = format!("Lines {from} to {to} of {} · ↑ ↓ Space", sight.all);
                    shown = shown.styled(Look::Faint, place);
                }
                shown
                    .gap()
                    .piece(Look::Strong, &keys(focus))
                    .line(&focus.typed)
            }
        };
        if !self.below.is_empty() {
            text = text
                .gap()
                .styled(Look::Faint, format!("{} more below:", self.below.len()));
        }
        // They are named where there is room: what is below never pushes the card out of sight.
        let taken = text.rows(columns) + SAID;
        let room = rows.saturating_sub(taken).min(BELOW);
        for (id, verb, title) in self.below.iter().take(room) {
            let line = format!("  {id}  {verb}  {title}");
            // A title is safe to show as it stands; made safe again it would say something else.
            let lines = hcp_card::render::wrap(SafeText::line(&line).as_str(), columns);
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
        if let Some(focus) = &mut self.focus {
            let card = card_text(&focus.request, columns);
            // Rows that the terminal itself breaks off stand beside the lines.
            let broken = card
                .rows(columns)
                .saturating_sub(card.plain().lines().count());
            let around = AROUND + broken;
            let all = card.by_line().len();
            let room = rows.saturating_sub(around);
            let room = if all > room {
                room.saturating_sub(1)
            } else {
                room
            };
            focus.sight = focus.sight.fitted(all, room);
        }
        let screen = self.screen(columns, rows);
        let plain = screen.plain();
        if plain != self.drawn {
            self.output.screen(&screen);
            self.drawn = plain;
        }
        if let Some(focus) = &mut self.focus {
            focus.since.get_or_insert_with(Instant::now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_card_was_whole_only_after_its_last_line() {
        let mut sight = Sight::default().fitted(25, 10);
        assert!(sight.is_long() && !sight.was_whole());
        for (code, top, whole) in [
            (KeyCode::Char(' '), 9, false),
            (KeyCode::PageUp, 0, false),
            (KeyCode::Down, 1, false),
            (KeyCode::PageDown, 10, false),
            (KeyCode::Char(' '), 15, true),
            (KeyCode::Up, 14, true),
        ] {
            sight = sight.scrolled(code).unwrap().fitted(25, 10);
            assert_eq!((sight.top, sight.was_whole()), (top, whole), "{code:?}");
        }
        // In a window of another size it is another card.
        assert!(!sight.fitted(25, 9).was_whole());
        assert!(sight.fitted(25, 30).was_whole());
        assert_eq!(sight.scrolled(KeyCode::Char('y')), None);
    }

    #[test]
    fn a_jump_past_lines_is_no_look_at_them() {
        let sight = Sight::default().fitted(40, 10);
        let far = Sight { top: 25, ..sight }.fitted(40, 10);
        assert_eq!((far.top, far.seen), (25, 10));
    }
}
