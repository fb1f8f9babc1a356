//! Titles: templates filled in with values, and values as they stand in a title.
//!
//! An inserted value stands on one line, at most sixty characters long; its whole text stands in the fields.

mod usual;

pub(crate) use usual::{Facts, usual};

use crate::display::is_text;
use hcp_core::canonical;
use hcp_core::json::Value;
use hcp_core::text::{self, safe, safe_message, safe_prose, shortened};

/// The most characters of an inserted value.
const VALUE_MAX: usize = 60;
/// So much of a value is looked at for its title: it may be a megabyte long.
const READ_MAX: usize = 4096;

/// A piece of a template.
pub(crate) enum Part<'t> {
    Text(&'t str),
    Placeholder(&'t str),
}

impl<'t> Part<'t> {
    pub(crate) fn name(&self) -> Option<&'t str> {
        match self {
            Self::Placeholder(name) => Some(name),
            Self::Text(_) => None,
        }
    }
}

/// The pieces of a template.
pub(crate) fn parts(template: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else {
            break;
        };
        if !before.is_empty() {
            out.push(Part::Text(before));
        }
        out.push(Part::Placeholder(name.trim()));
        rest = tail;
    }
    if !rest.is_empty() {
        out.push(Part::Text(rest));
    }
    out
}

/// A title from a template. A value that is absent leaves nothing behind.
pub(crate) fn fill<'v>(template: &str, value: impl Fn(&str) -> Option<&'v Value>) -> String {
    let filled: String = parts(template)
        .iter()
        .map(|part| match part {
            Part::Text(text) => safe_message(text).to_string(),
            Part::Placeholder(name) => value(name).map(inserted).unwrap_or_default(),
        })
        .collect();
    filled.trim().to_owned()
}

/// A value as it stands in a title.
pub(crate) fn inserted(value: &Value) -> String {
    match value {
        Value::Array(items) if !items.is_empty() && items.iter().all(is_plain) => {
            let all: Vec<String> = items.iter().take(VALUE_MAX).map(plain_text).collect();
            short(&all.join(", "))
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => short(&plain_text(value)),
    }
}

/// A value as text: a string as it is, everything else as JSON.
pub(crate) fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            canonical::encode(value)
        }
    }
}

/// Whether a value is one text or number.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Number(_) => true,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// A text on one line, safe, and at most sixty characters long.
pub(crate) fn short(text: &str) -> String {
    if text.len() <= VALUE_MAX && text::is_plain(text) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(READ_MAX).collect();
    let shown = if is_text("", &start) {
        safe_prose(&start)
    } else {
        safe(&start)
    };
    let cut = shortened(shown.as_str(), VALUE_MAX);
    if chars.next().is_some() && !cut.ends_with('…') {
        return format!("{cut}…");
    }
    cut
}

/// A date or a time of RFC 3339 in words: `2026-05-03T10:00:00Z` as "3 May 10:00". `None` for every other text.
pub(crate) fn moment(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    if !text.is_ascii() {
        return None;
    }
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut numbers = date.split('-');
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    digits(year, 4)?;
    let month = MONTHS.get(digits(month, 2)?.checked_sub(1)?)?;
    let day = digits(day, 2).filter(|d| (1..=31).contains(d))?;
    if numbers.next().is_some() {
        return None;
    }
    let date = format!("{day} {month}");
    let Some(time) = time else {
        return Some(date);
    };
    let hour = digits(time.get(..2)?, 2).filter(|h| *h < 24)?;
    let minute = digits(time.get(3..5)?, 2).filter(|m| *m < 60)?;
    let rest = time.get(5..)?;
    let known = rest
        .bytes()
        .all(|b| b.is_ascii_digit() || b":.+-Zz".contains(&b));
    (time.get(2..3) == Some(":") && known).then(|| format!("{date} {hour:02}:{minute:02}"))
}

fn digits(text: &str, count: usize) -> Option<usize> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_dates_and_times_are_put_in_words() {
        for (text, words) in [
            ("2026-05-03T10:00:00Z", Some("3 May 10:00")),
            ("2026-05-03T10:00:00+02:00", Some("3 May 10:00")),
            ("2026-05-03 10:00", Some("3 May 10:00")),
            ("2026-12-31", Some("31 December")),
            ("tomorrow", None),
            ("3/5/2026", None),
            ("2026-13-03", None),
            ("2026-05-03T10:00 or later", None),
            ("2026-05-03T25:00", None),
            ("2026-05-03-04", None),
            ("٢٠٢٦-٠٥-٠٣", None),
            ("", None),
        ] {
            assert_eq!(moment(text).as_deref(), words, "{text}");
        }
    }

    #[test]
    fn a_value_is_short_safe_and_on_one_line() {
        assert_eq!(short("a\nb\u{202e}"), "a\\nb\\u{202e}");
        assert_eq!(short(&"x".repeat(60)).chars().count(), 60);
        let cut = short(&"x".repeat(61));
        assert!(cut.ends_with('…') && cut.chars().count() == 60);
    }
}
