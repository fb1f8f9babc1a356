//! What time it is, on two clocks. Nothing else in this crate reads a clock for a decision.

use hcp_core::moment::Moment;
use jiff::{SignedDuration, Timestamp};
use nix::time::{ClockId, clock_gettime};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now, on both clocks.
    fn now(&self) -> Moment;
}

/// The machine's own clocks.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        Moment {
            wall: Timestamp::now(),
            boot_id: boot_id().to_owned(),
            boot_ms: boot_ms(),
        }
    }
}

/// The clock that goes on while the machine sleeps.
#[cfg(target_os = "linux")]
const BOOT_CLOCK: ClockId = ClockId::CLOCK_BOOTTIME;
/// On macOS the monotonic clock goes on while the machine sleeps.
#[cfg(not(target_os = "linux"))]
const BOOT_CLOCK: ClockId = ClockId::CLOCK_MONOTONIC;

/// Names this boot; empty where the system does not say.
fn boot_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
            .map(|id| id.trim().to_owned())
            .unwrap_or_default()
    })
}

/// Milliseconds since boot; 0 where the system does not say, and the wall clock then decides alone.
fn boot_ms() -> u64 {
    clock_gettime(BOOT_CLOCK)
        .ok()
        .and_then(|time| u64::try_from(Duration::from(time).as_millis()).ok())
        .unwrap_or(0)
}

/// A clock that stands still until it is told to move: for tests, and for programs that bring their
/// own time.
///
/// ```
/// use hcp::clock::{Clock, FixedClock};
/// use std::time::Duration;
/// let clock = FixedClock::new("2026-12-01T12:00:00Z".parse().unwrap());
/// clock.advance(Duration::from_secs(60));
/// assert_eq!(clock.now().wall.to_string(), "2026-12-01T12:01:00Z");
/// ```
#[derive(Debug)]
pub struct FixedClock(Mutex<Moment>);

impl FixedClock {
    /// A clock that stands at this wall time, some hours after boot.
    #[must_use]
    pub fn new(wall: Timestamp) -> Self {
        Self(Mutex::new(Moment {
            wall,
            boot_id: "fixed".into(),
            boot_ms: 36_000_000,
        }))
    }

    /// Moves both clocks on.
    pub fn advance(&self, by: Duration) {
        let mut now = self.lock();
        let step = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
        now.wall = now.wall.saturating_add(step).unwrap_or(Timestamp::MAX);
        let ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        now.boot_ms = now.boot_ms.saturating_add(ms);
    }

    /// Puts both clocks where they are wanted.
    pub fn set(&self, moment: Moment) {
        *self.lock() = moment;
    }

    fn lock(&self) -> MutexGuard<'_, Moment> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Moment {
        self.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_goes_on() {
        let first = SystemClock.now();
        std::thread::sleep(Duration::from_millis(5));
        let second = SystemClock.now();
        assert!(second.boot_ms > first.boot_ms);
        assert_eq!(first.boot_id, second.boot_id);
        assert!(!first.is_over(1, &second));
        #[cfg(target_os = "linux")]
        assert_eq!(first.boot_id.len(), 36);
    }
}
