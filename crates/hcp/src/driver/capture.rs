//! What is done with one output stream: keep a bounded part, or pass it on; count in any case.

use super::{Captured, OutputMode};
use std::io::{self, Write};

/// Which of a program's two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Out,
    Err,
}

/// Takes a stream's bytes as they come.
#[derive(Debug)]
pub(super) struct Sink {
    which: Which,
    mode: OutputMode,
    taken: Captured,
}

impl Sink {
    pub(super) fn new(which: Which, mode: OutputMode) -> Self {
        Self {
            which,
            mode,
            taken: Captured::default(),
        }
    }

    /// Takes some bytes.
    ///
    /// # Errors
    /// This process's own stream does not take any more (a closed pipe, a full disk).
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.taken.len += bytes.len() as u64;
        match self.mode {
            OutputMode::Capture { limit } => {
                let room = limit.saturating_sub(self.taken.bytes.len());
                let kept = bytes.get(..room.min(bytes.len())).unwrap_or_default();
                self.taken.bytes.extend_from_slice(kept);
                self.taken.truncated |= kept.len() < bytes.len();
                Ok(())
            }
            OutputMode::Stream | OutputMode::Inherit | OutputMode::Aside => self.pass_on(bytes),
        }
    }

    fn pass_on(&self, bytes: &[u8]) -> io::Result<()> {
        match self.which {
            Which::Out => {
                let mut out = io::stdout().lock();
                out.write_all(bytes)?;
                out.flush()
            }
            Which::Err => io::stderr().lock().write_all(bytes),
        }
    }

    pub(super) fn finish(self) -> Captured {
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_and_everything_is_counted() {
        let mut sink = Sink::new(Which::Out, OutputMode::Capture { limit: 5 });
        sink.take(b"abc").unwrap();
        sink.take(b"de").unwrap();
        assert!(!sink.taken.truncated);
        sink.take(b"f").unwrap();
        sink.take(&[b'x'; 1000]).unwrap();
        let taken = sink.finish();
        assert_eq!(taken.bytes, b"abcde");
        assert!(taken.truncated);
        assert_eq!(taken.len, 1006);
    }
}
