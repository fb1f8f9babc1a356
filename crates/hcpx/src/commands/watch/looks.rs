//! Looks for requests beside the screen. A card says as whom its call acts, and a tool may take its time to tell: no key
//! waits for that.

use super::super::approvals::{Waiting, waiting};
use crate::error::CliError;
use hcp::local::Place;
use hcp_core::code::Code;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a look is waited for: most are over by then, and no key feels it.
const GLANCE: Duration = Duration::from_millis(100);

/// One look after the other, on a thread of their own.
pub(super) struct Looks {
    /// `None` once no more are wanted.
    wanted: Option<Sender<u64>>,
    found: Receiver<(u64, Result<Waiting, CliError>)>,
    thread: Option<JoinHandle<()>>,
    under_way: bool,
}

impl Looks {
    pub(super) fn start(place: &Place) -> Result<Self, CliError> {
        let (wanted, asked) = mpsc::channel();
        let (told, found) = mpsc::channel();
        let place = place.clone();
        let look = move || {
            for answers in asked {
                if told.send((answers, waiting(&place))).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("hcpx-looks".to_owned());
        let thread = thread.spawn(look).map_err(|e| cannot(&e.to_string()))?;
        Ok(Self {
            wanted: Some(wanted),
            found,
            thread: Some(thread),
            under_way: false,
        })
    }

    /// What waits after so many answers; `None` while that is not known. What a look saw before the last answer no
    /// longer counts.
    pub(super) fn after(&mut self, answers: u64) -> Result<Option<Waiting>, CliError> {
        if !self.under_way {
            let wanted = self.wanted.as_ref().map(|wanted| wanted.send(answers));
            self.under_way = wanted.is_some_and(|sent| sent.is_ok());
        }
        match self.found.recv_timeout(GLANCE) {
            Ok((seen, found)) => {
                self.under_way = false;
                found.map(|found| (seen == answers).then_some(found))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(cannot("the thread is gone")),
        }
    }
}

/// A program that is being asked ends with its time, and not with the watch: it is waited for.
impl Drop for Looks {
    fn drop(&mut self) {
        self.wanted = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left to be told what went wrong there.
            let _ = thread.join();
        }
    }
}

fn cannot(why: &str) -> CliError {
    CliError::new(
        Code::Internal,
        format!("requests cannot be looked for: {why}"),
    )
}
