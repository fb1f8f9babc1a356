//! What is too long for the card: its start, its end and how much lies between. Nothing is left out silently.

use hcp_core::text::{Unit, units};

/// How much of something is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// So much is shown whole.
    pub(super) most: usize,
    /// Of more, so much from the start,
    pub(super) start: usize,
    /// and so much from the end.
    pub(super) end: usize,
}

/// A text of which the middle is not shown.
pub(super) struct Cut<'t> {
    pub(super) start: &'t str,
    pub(super) end: &'t str,
    left_out: usize,
    count: usize,
}

impl Cut<'_> {
    /// `[880 of 900 characters not shown here; --json has them all]`. Safe text never shows a value so.
    pub(super) fn note(&self, of: &str) -> String {
        note(self.left_out, self.count, of)
    }
}

/// What stands for the part that is left out.
pub(super) fn note(left_out: usize, count: usize, of: &str) -> String {
    format!("[{left_out} of {count} {of} not shown here; --json has them all]")
}

/// Columns that a part takes at most, for each of its units: escapes are wide, and fill the screen sooner.
const COLUMNS_PER_UNIT: usize = 2;

/// How safe text shows a line break.
pub(super) const LINE_BREAK: &str = r"\n";

/// The two ends of a shown text, cut between its units; `None` where it is not too long.
pub(super) fn cut(shown: &str, limit: Limit) -> Option<Cut<'_>> {
    cut_lines(shown, limit, None)
}

/// The same for a text that is shown in lines, of which there may also be too many.
pub(super) fn cut_lines(shown: &str, limit: Limit, lines: Option<Limit>) -> Option<Cut<'_>> {
    // No unit is shorter than a byte.
    let few_lines = lines.is_none_or(|lines| shown.matches(LINE_BREAK).count() < lines.most);
    if shown.len() <= limit.most && few_lines {
        return None;
    }
    let parts = units(shown);
    let columns: usize = parts.iter().map(|u| u.width).sum();
    let breaks = parts.iter().filter(|u| u.text == LINE_BREAK).count();
    if parts.len() <= limit.most
        && columns <= limit.most * COLUMNS_PER_UNIT
        && lines.is_none_or(|lines| breaks < lines.most)
    {
        return None;
    }
    let start = fitting(parts.iter(), limit.start, lines.map(|l| l.start));
    let end = fitting(parts.iter().rev(), limit.end, lines.map(|l| l.end));
    let end = end.min(parts.len() - start);
    let bytes = |parts: &[Unit<'_>]| parts.iter().map(|u| u.text.len()).sum::<usize>();
    let stands_for = |parts: &[Unit<'_>]| parts.iter().map(|u| u.stands_for).sum::<usize>();
    let middle = parts.get(start..parts.len() - end)?;
    let from = bytes(parts.get(..start)?);
    Some(Cut {
        start: shown.get(..from)?,
        end: shown.get(from + bytes(middle)..)?,
        left_out: stands_for(middle),
        count: stands_for(&parts),
    })
}

/// How many units fit in so many, by number and by columns, and in so many lines.
fn fitting<'u>(
    parts: impl Iterator<Item = &'u Unit<'u>>,
    most: usize,
    lines: Option<usize>,
) -> usize {
    let (mut columns, mut breaks) = (0, 0);
    parts
        .take(most)
        .take_while(|unit| {
            columns += unit.width;
            breaks += usize::from(unit.text == LINE_BREAK);
            columns <= most * COLUMNS_PER_UNIT && lines.is_none_or(|lines| breaks < lines)
        })
        .count()
}

/// The items that are shown, by place; and after which of them how many are left out.
pub(super) fn ends(count: usize, limit: Limit) -> (Vec<usize>, Option<(usize, usize)>) {
    if count <= limit.most {
        return ((0..count).collect(), None);
    }
    let end = count - limit.end;
    let shown = (0..limit.start).chain(end..count).collect();
    (shown, Some((limit.start, end - limit.start)))
}
