//! A moment on two clocks, and when a time that began at one is over.

use jiff::Timestamp;

/// How far a clock may stand before the start of a time without ending it: two processes read their
/// clocks and reach the store in different orders.
const SLACK_MS: i128 = 2_000;

/// Wall time and time since boot. A clock that a person or an agent sets back lengthens nothing,
/// because whichever of the two says "over" is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Wall time.
    pub wall: Timestamp,
    /// Names this boot of the machine; empty where it cannot be told.
    pub boot_id: String,
    /// Milliseconds since that boot, sleep included.
    pub boot_ms: u64,
}

impl Moment {
    /// Whether a time of so many minutes that began here is over at `now`.
    ///
    /// It lasts while `now < start + minutes`; at equality it is over. It is over as well when either
    /// clock stands more than two seconds before the start, and when the machine was started anew,
    /// since the time since boot then says nothing.
    #[must_use]
    pub fn is_over(&self, minutes: u64, now: &Self) -> bool {
        let length = i128::from(minutes) * 60_000;
        let wall_ns = now.wall.as_nanosecond() - self.wall.as_nanosecond();
        let boot_ms = i128::from(now.boot_ms) - i128::from(self.boot_ms);
        wall_ns >= length * 1_000_000
            || wall_ns < -SLACK_MS * 1_000_000
            || self.boot_id != now.boot_id
            || boot_ms >= length
            || boot_ms < -SLACK_MS
    }

    /// The wall time so many minutes later.
    #[must_use]
    pub fn after(&self, minutes: u64) -> Timestamp {
        add_minutes(self.wall, minutes)
    }

    /// The moment as one text, for keeping; [`Moment::from_text`] reads it back.
    ///
    /// ```
    /// use hcp_core::moment::Moment;
    /// let moment = Moment { wall: jiff::Timestamp::UNIX_EPOCH, boot_id: "b".into(), boot_ms: 7 };
    /// assert_eq!(moment.to_text(), "1970-01-01T00:00:00Z 7 b");
    /// assert_eq!(Moment::from_text(&moment.to_text()), Some(moment));
    /// assert_eq!(Moment::from_text("yesterday"), None);
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{} {} {}", self.wall, self.boot_ms, self.boot_id)
    }

    /// A moment from its text; `None` where it cannot be read.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ' ');
        Some(Self {
            wall: parts.next()?.parse().ok()?,
            boot_ms: parts.next()?.parse().ok()?,
            boot_id: parts.next()?.to_owned(),
        })
    }
}

/// A wall time so many minutes later, at the latest the last one that can be told.
#[must_use]
pub fn add_minutes(wall: Timestamp, minutes: u64) -> Timestamp {
    let seconds = i64::try_from(minutes)
        .unwrap_or(i64::MAX)
        .saturating_mul(60);
    wall.saturating_add(jiff::SignedDuration::from_secs(seconds))
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(wall_ms: i64, boot_id: &str, boot_ms: u64) -> Moment {
        Moment {
            wall: Timestamp::from_millisecond(1_000_000_000_000 + wall_ms).unwrap(),
            boot_id: boot_id.into(),
            boot_ms,
        }
    }

    #[test]
    fn either_clock_ends_a_time() {
        let start = at(0, "b", 500_000);
        let minute: i64 = 60_000;
        for (what, over, now) in [
            ("at once", false, at(0, "b", 500_000)),
            (
                "a millisecond before",
                false,
                at(15 * minute - 1, "b", 500_000 + 899_999),
            ),
            (
                "wall at equality",
                true,
                at(15 * minute, "b", 500_000 + 899_999),
            ),
            (
                "boot at equality",
                true,
                at(15 * minute - 1, "b", 500_000 + 900_000),
            ),
            ("wall set back 2 s", false, at(-2_000, "b", 500_001)),
            ("wall set back more", true, at(-2_001, "b", 500_001)),
            (
                "wall set back, boot went on",
                true,
                at(0, "b", 500_000 + 900_000),
            ),
            ("another boot", true, at(1, "c", 500_001)),
            ("boot id lost", true, at(1, "", 500_001)),
            ("boot time gone back 2 s", false, at(1, "b", 498_000)),
            ("boot time gone back more", true, at(1, "b", 497_999)),
        ] {
            assert_eq!(start.is_over(15, &now), over, "{what}");
        }
    }

    #[test]
    fn a_time_of_no_length_is_over_at_once() {
        assert!(at(0, "b", 1).is_over(0, &at(0, "b", 1)));
    }

    #[test]
    fn unreadable_texts_give_nothing() {
        for text in [
            "",
            " ",
            "2026-12-01T00:00:00Z",
            "2026-12-01T00:00:00Z x b",
            "2026-12-01T00:00:00Z -1 b",
            "x 1 b",
        ] {
            assert_eq!(Moment::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn the_latest_time_is_no_fault() {
        assert_eq!(add_minutes(Timestamp::MAX, u64::MAX), Timestamp::MAX);
    }
}
