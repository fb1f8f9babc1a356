//! Passing this process's signals on to what it runs.
//!
//! A program in a session of its own does not get the terminal's Ctrl-C. While one runs, SIGINT, SIGTERM and
//! SIGHUP go to its group and this process stays to report; while none runs, they do what they always did.
//! Signals that were ignored when the process started (`nohup`) stay ignored.

use nix::libc::{SIGHUP, SIGINT, SIGTERM};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Where a signal goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// To a program's whole group.
    Group(Pid),
    /// To one program that shares the terminal, which sends it SIGINT by itself.
    Process(Pid),
}

/// One run: where its signals go, and those that came before that was known.
#[derive(Debug)]
struct Slot {
    id: u64,
    target: Option<Target>,
    early: Vec<i32>,
}

static RUNNING: Mutex<Vec<Slot>> = Mutex::new(Vec::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(0);
static INSTALLED: OnceLock<bool> = OnceLock::new();

fn running() -> MutexGuard<'static, Vec<Slot>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the signals over, once for the process. Whether that worked.
pub(super) fn install() -> bool {
    *INSTALLED.get_or_init(|| {
        let ignored = crate::platform::ignored_signals();
        let wanted = [SIGINT, SIGTERM, SIGHUP];
        let heard = wanted
            .into_iter()
            .filter(|signal| ignored & (1 << (signal - 1)) == 0);
        let Ok(mut signals) = Signals::new(heard) else {
            return false;
        };
        let thread = std::thread::Builder::new().name("hcp-signals".to_owned());
        thread
            .spawn(move || signals.forever().for_each(pass_on))
            .is_ok()
    })
}

fn pass_on(number: i32) {
    let mut slots = running();
    if slots.is_empty() {
        drop(slots);
        do_as_always(number);
        return;
    }
    for slot in slots.iter_mut() {
        match slot.target {
            Some(target) => target.send(number),
            None => slot.early.push(number),
        }
    }
}

/// The handler stands in the default's place, so it has to do the default's work.
fn do_as_always(number: i32) {
    // A signal without a default to emulate is none of ours.
    let _ = signal_hook::low_level::emulate_default_handler(number);
}

impl Target {
    fn send(self, number: i32) {
        let Ok(signal) = Signal::try_from(number) else {
            return;
        };
        // A target that is gone needs no signal.
        let _ = match self {
            Self::Group(group) => killpg(group, signal),
            Self::Process(_) if signal == Signal::SIGINT => Ok(()),
            Self::Process(process) => kill(process, signal),
        };
    }
}

/// Keeps a run's signals for it until dropped.
#[derive(Debug)]
pub(super) struct Forwarding(u64);

impl Forwarding {
    /// Starts it for a program that is not there yet.
    pub(super) fn start() -> Self {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        running().push(Slot {
            id,
            target: None,
            early: Vec::new(),
        });
        Self(id)
    }

    /// Says where the signals go, those that came already included.
    pub(super) fn aim_at(&self, target: Target) {
        let mut slots = running();
        if let Some(slot) = slots.iter_mut().find(|slot| slot.id == self.0) {
            slot.target = Some(target);
            slot.early.drain(..).for_each(|number| target.send(number));
        }
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        let mut slots = running();
        let at = slots.iter().position(|slot| slot.id == self.0);
        let early = at.map(|at| slots.swap_remove(at).early).unwrap_or_default();
        drop(slots);
        // The program never started, so what was meant for it is meant for this process.
        early.into_iter().for_each(do_as_always);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_that_comes_before_the_program_reaches_it() {
        let forwarding = Forwarding::start();
        pass_on(SIGTERM);
        let mut child = std::process::Command::new("sleep")
            .arg("20")
            .spawn()
            .unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        forwarding.aim_at(Target::Process(Pid::from_raw(pid)));
        let status = child.wait().unwrap();
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(SIGTERM)
        );
        drop(forwarding);
        assert!(running().is_empty());
    }
}
