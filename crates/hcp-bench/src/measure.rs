//! Timing: medians of samples, each long enough for the clock.

use crate::Result;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The least that one sample of a fast function takes.
const SAMPLE: Duration = Duration::from_millis(2);

/// The median time of one call of `work`, from `samples` samples; slow work is called fewer times.
pub fn per_call<T>(samples: usize, budget: Duration, mut work: impl FnMut() -> T) -> Duration {
    let mut calls: u32 = 1;
    let first = loop {
        let taken = timed(calls, &mut work);
        if taken >= SAMPLE || calls >= 1 << 24 {
            break taken;
        }
        calls *= 2;
    };
    let may = (budget.as_secs_f64() / first.as_secs_f64().max(1e-9)) as usize;
    let samples = samples.min(may.max(3));
    let all = (0..samples)
        .map(|_| timed(calls, &mut work) / calls)
        .collect();
    median(all)
}

fn timed<T>(calls: u32, work: &mut impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        std::hint::black_box(work());
    }
    start.elapsed()
}

/// The middle value; zero for none.
pub fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// One named command among those that are timed by turns.
pub struct Runner {
    /// Its name in the table.
    pub name: String,
    /// Makes the command anew for each run.
    pub make: Box<dyn Fn() -> Command>,
}

/// The median time from start to end of each command, run by turns, so that whatever else the machine
/// does falls on all of them alike. A command that fails is an error: its time would mean nothing.
pub fn by_turns(runners: &[Runner], runs: usize) -> Result<Vec<Duration>> {
    const WARM: usize = 3;
    let mut times = vec![Vec::with_capacity(runs); runners.len()];
    for turn in 0..runs + WARM {
        for (runner, times) in runners.iter().zip(&mut times) {
            let mut command = (runner.make)();
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let start = Instant::now();
            let status = command.status()?;
            let taken = start.elapsed();
            if !status.success() {
                return Err(format!("{} ended with {status}", runner.name).into());
            }
            if turn >= WARM {
                times.push(taken);
            }
        }
    }
    Ok(times.into_iter().map(median).collect())
}
