//! Times for people: local, and as short as the day allows. Programs get them whole, in UTC.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How exact a time is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum To {
    Minutes,
    Seconds,
}

/// A time as a person reads it: `10:22` today, `3 May 10:22` this year, else with the year.
pub(crate) fn short(time: Timestamp, now: Timestamp, to: To) -> String {
    short_in(time, now, to, &TimeZone::system())
}

/// A stored time as a person reads it; a text that is no time stays as it is.
pub(crate) fn short_text(text: &str, now: Timestamp, to: To) -> String {
    text.parse()
        .map_or_else(|_| text.to_owned(), |time| short(time, now, to))
}

fn short_in(time: Timestamp, now: Timestamp, to: To, zone: &TimeZone) -> String {
    let time = time.to_zoned(zone.clone());
    let now = now.to_zoned(zone.clone());
    let clock = match to {
        To::Minutes => "%H:%M",
        To::Seconds => "%H:%M:%S",
    };
    let day = if time.date() == now.date() {
        ""
    } else if time.year() == now.year() {
        "%-d %b "
    } else {
        "%Y-%m-%d "
    };
    time.strftime(&format!("{day}{clock}")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_as_short_as_the_day_allows() {
        let now: Timestamp = "2026-12-01T23:30:00Z".parse().unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        for (time, to, shown) in [
            ("2026-12-01T23:45:09Z", To::Minutes, "00:45"),
            ("2026-12-01T23:45:09Z", To::Seconds, "00:45:09"),
            ("2026-12-01T22:59:00Z", To::Minutes, "1 Dec 23:59"),
            ("2025-12-01T10:00:00Z", To::Minutes, "2025-12-01 11:00"),
        ] {
            assert_eq!(short_in(time.parse().unwrap(), now, to, &zone), shown);
        }
        assert_eq!(short_text("soon", now, To::Minutes), "soon");
    }
}
