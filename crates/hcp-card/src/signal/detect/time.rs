//! Times and rhythms in values. A time is put into words only where it is plainly one; no zone is guessed.

use crate::title::moment;

/// Words for at once.
const NOW: &[&str] = &[
    "",
    "now",
    "immediately",
    "asap",
    "today",
    "0",
    "false",
    "none",
    "never",
    "null",
];

/// When a call takes effect, in words; `None` where that is at once. `2026-05-03T10:00:00Z` is `3 May 10:00`,
/// any other text stands as it is.
pub(crate) fn later(text: &str) -> Option<String> {
    let text = text.trim();
    if NOW.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return None;
    }
    Some(moment(text).unwrap_or_else(|| text.to_owned()))
}

/// Whether a text tells a rhythm in words: `every weekday at 9am`.
pub(crate) fn is_spoken_rhythm(text: &str) -> bool {
    const LONGEST: usize = 100;
    const FIRST: [&str; 8] = [
        "every", "each", "hourly", "daily", "weekly", "monthly", "yearly", "weekdays",
    ];
    let first = text.split_whitespace().next().unwrap_or_default();
    text.len() <= LONGEST && FIRST.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Whether a text is a rhythm: five or six fields of cron, a name of one (`@daily`), or a recurrence rule of
/// RFC 5545.
pub(crate) fn is_rhythm(text: &str) -> bool {
    if text.len() > 200 {
        return false;
    }
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    let named = [
        "@hourly",
        "@daily",
        "@midnight",
        "@weekly",
        "@monthly",
        "@yearly",
        "@annually",
        "@reboot",
        "@every",
    ];
    if named.contains(&first) {
        return true;
    }
    let begins = |text: &str, word: &str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if begins(text, "RRULE:") || text.split(';').any(|part| begins(part, "FREQ=")) {
        return true;
    }
    let inner = text
        .strip_prefix("cron(")
        .and_then(|t| t.strip_suffix(')'))
        .unwrap_or(text);
    if text.starts_with("rate(") {
        return true;
    }
    if !inner.contains('*') {
        return false;
    }
    let fields: Vec<&str> = inner.split_whitespace().collect();
    (5..=6).contains(&fields.len()) && fields.iter().all(|field| is_cron_field(field))
}

fn is_cron_field(field: &str) -> bool {
    field
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"*/,-?#".contains(&b))
        && (field.contains(['*', '?'])
            || field.bytes().any(|b| b.is_ascii_digit())
            || field.len() == 3
            || field.contains('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_put_into_words_where_plain() {
        for (text, expected) in [
            ("2026-05-03T10:00:00Z", "3 May 10:00"),
            ("2026-05-03T10:00:00+02:00", "3 May 10:00"),
            ("2026-12-24 18:30", "24 December 18:30"),
            ("2026-05-03", "3 May"),
            ("tomorrow 10:00", "tomorrow 10:00"),
            ("2026-13-03T10:00", "2026-13-03T10:00"),
            ("2026-05-03T10:00 or later", "2026-05-03T10:00 or later"),
            ("1767225600", "1767225600"),
        ] {
            assert_eq!(later(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["now", "NOW", "", " ", "immediately"] {
            assert_eq!(later(text), None);
        }
    }

    #[test]
    fn rhythms_are_told_from_prose() {
        for text in [
            "*/5 * * * *",
            "0 9 * * MON-FRI",
            "0 0 1 * *",
            "@daily",
            "@every 5m",
            "RRULE:FREQ=DAILY",
            "FREQ=WEEKLY;COUNT=3",
            "cron(0 9 * * ? *)",
            "rate(5 minutes)",
        ] {
            assert!(is_rhythm(text), "{text}");
        }
        for text in [
            "a b c d e",
            "10 20 30 40 50",
            "select * from a b",
            "@daily-standup",
            "daily",
            "",
            "3 May 10:00",
            "* * *",
        ] {
            assert!(!is_rhythm(text), "{text}");
        }
    }
}
