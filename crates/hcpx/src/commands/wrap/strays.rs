//! What a program leaves running after it was asked for its help: children that went into sessions of their own,
//! where the driver's signal to the program's group does not find them.
//!
//! Only for a process that does nothing else meanwhile: whatever becomes its child is taken for such a stray.

/// Makes this process the parent of every descendant whose own parent ends. Where the system cannot do that, strays
/// go on, as they do after any program.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Kills what has become a child of this process, and what becomes one by that.
pub(super) fn end() {
    #[cfg(target_os = "linux")]
    linux::end();
}

#[cfg(target_os = "linux")]
mod linux {
    use nix::sys::signal::{Signal, kill};
    use nix::sys::wait::{WaitPidFlag, waitpid};
    use nix::unistd::{Pid, getpid};
    use std::time::{Duration, Instant};

    /// The longest that strays are looked for: a program that makes new ones faster is left to its own.
    const LONGEST: Duration = Duration::from_secs(2);

    /// Between two looks.
    const PAUSE: Duration = Duration::from_millis(2);

    pub(super) fn end() {
        let begun = Instant::now();
        loop {
            let strays = children();
            if strays.is_empty() || begun.elapsed() > LONGEST {
                return;
            }
            for pid in strays {
                // One that ended by itself meanwhile needs no signal.
                let _ = kill(pid, Signal::SIGKILL);
                let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The processes whose parent is this one.
    fn children() -> Vec<Pid> {
        let own = getpid().as_raw();
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid| parent(*pid) == Some(own))
            .map(Pid::from_raw)
            .collect()
    }

    /// The second field behind the name, which stands in parentheses and may hold any character.
    fn parent(pid: i32) -> Option<i32> {
        let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(1)?.parse().ok()
    }
}
