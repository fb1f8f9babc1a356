//! The process driver: runs words without a shell, in a session of their own.
//!
//! A program that kept the terminal could type into the person's shell, and one that reads it from the
//! background would stop for ever. One thread serves both pipes and the standard input of a call through
//! `poll`, so a program that writes without end neither hangs nor fills the memory.

use super::capture::{Sink, Which};
use super::signals::{self, Forwarding, Target};
use super::{Driver, Ended, OutputMode, RenderedCall, RunResult, StdinSource};
use crate::bindings::Whose;
use futures_channel::oneshot;
use hcp_core::text::safe;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use std::fs::File;
use std::future::Future;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::pin::Pin;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a program that was told to end may take before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// How long pipes that others still hold are listened to after the program itself ended.
const LINGER: Duration = Duration::from_millis(500);

/// How long a look at the pipes may last before the program itself is looked at.
const SHORTEST_LOOK: Duration = Duration::from_millis(2);
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// A program whose pipes are closed is most often just ending.
const FIRST_PAUSE: Duration = Duration::from_micros(40);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// More than this after a program's end is not what it left in its pipes.
const MOST_LATE_BYTES: usize = 1 << 20;

const BLOCK: usize = 64 << 10;

/// Runs programs of this machine.
///
/// ```
/// use hcp::driver::{OutputMode, ProcessDriver, RenderedCall, RunResult, StdinSource};
///
/// let call = RenderedCall {
///     program: "/bin/echo".into(),
///     argv0: "echo".into(),
///     words: vec!["$HOME".into()],
///     env: Vec::new(),
///     cwd: "/".into(),
///     stdin: StdinSource::Closed,
///     timeout: None,
///     output: OutputMode::Capture { limit: 1 << 20 },
/// };
/// let RunResult::Exited(ended) = ProcessDriver::new().run_blocking(&call) else {
///     panic!("it did not end by itself");
/// };
/// assert_eq!(ended.stdout.bytes, b"$HOME\n");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessDriver {
    forward: bool,
    sweep: bool,
    at_once: bool,
}

impl ProcessDriver {
    /// A driver that leaves this process's signals alone: for programs that embed the library.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A driver for a program that does nothing else meanwhile: it passes SIGINT, SIGTERM and SIGHUP on to
    /// what it runs, takes these signals over for the whole process, and runs on the calling thread.
    #[must_use]
    pub fn forwarding_signals() -> Self {
        Self {
            forward: true,
            ..Self::default()
        }
    }

    /// A driver that ends with a program what is left of the program's own group: for programs that are only
    /// asked something and have no business going on.
    #[must_use]
    pub fn leaving_nothing() -> Self {
        Self {
            sweep: true,
            ..Self::default()
        }
    }

    /// Runs a call on the calling thread.
    #[must_use]
    pub fn run_blocking(&self, call: &RenderedCall) -> RunResult {
        let begun = Instant::now();
        // Before the start, so that no signal falls between.
        let forwarding = (self.forward && signals::install()).then(Forwarding::start);
        match start(call) {
            Ok(child) => {
                let mut run = Run::new(call, child, begun, forwarding);
                (run.sweep, run.at_once) = (self.sweep, self.at_once);
                run.finish()
            }
            Err(error) => RunResult::SpawnFailed {
                message: why_not_started(call, &error),
            },
        }
    }
}

impl Driver for ProcessDriver {
    /// Runs the call on a thread of its own, unless it is the whole process's business. A future that is
    /// dropped leaves the program running to its end.
    fn run<'a>(
        &'a self,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        if self.forward {
            return Box::pin(async move { self.run_blocking(call) });
        }
        let (driver, call) = (*self, call.clone());
        Box::pin(async move {
            let (done, result) = oneshot::channel();
            let thread = std::thread::Builder::new().name("hcp-driver".to_owned());
            let started = thread.spawn(move || done.send(driver.run_blocking(&call)));
            match started {
                Ok(_) => result.await.unwrap_or_else(|_| RunResult::SpawnFailed {
                    message: "the driver's thread ended without a result".to_owned(),
                }),
                Err(error) => RunResult::SpawnFailed {
                    message: format!("no thread can be started for the program: {error}"),
                },
            }
        })
    }

    /// A program that is only asked has until its time is over, and not a moment to end in after that.
    fn identity<'a>(
        &'a self,
        _whose: &'a Whose<'a>,
        call: &'a RenderedCall,
    ) -> Pin<Box<dyn Future<Output = RunResult> + Send + 'a>> {
        let asking = Self {
            sweep: true,
            at_once: true,
            ..*self
        };
        Box::pin(async move { asking.run(call).await })
    }
}

fn start(call: &RenderedCall) -> io::Result<Box<dyn ChildWrapper>> {
    let mut command = Command::new(file_to_start(call));
    command
        .arg0(&call.argv0)
        .args(&call.words)
        .env_clear()
        .envs(call.env.iter().map(|(n, v)| (n, v)))
        .current_dir(&call.cwd);
    let inherits = matches!(call.output, OutputMode::Inherit | OutputMode::Aside);
    let pipe = || {
        if inherits {
            Stdio::inherit()
        } else {
            Stdio::piped()
        }
    };
    command.stderr(pipe());
    command.stdout(if call.output == OutputMode::Aside {
        Stdio::from(io::stderr().as_fd().try_clone_to_owned()?)
    } else {
        pipe()
    });
    command.stdin(match (&call.stdin, inherits) {
        (StdinSource::Bytes(_), _) => Stdio::piped(),
        (StdinSource::Closed, true) => Stdio::inherit(),
        (StdinSource::Closed, false) => Stdio::null(),
    });
    let mut command = CommandWrap::from(command);
    if !inherits {
        command.wrap(ProcessSession);
    }
    command.spawn()
}

/// The file of the program, or of a script the link that it was found by: a script is told the path that it was
/// started by and not its first word, and one that goes by several names (Debian's `pg_wrapper` is psql and pg_dump)
/// must be told which it is.
fn file_to_start(call: &RenderedCall) -> &Path {
    let found = Path::new(&call.argv0);
    let renamed = found.is_absolute() && found.file_name() != call.program.file_name();
    let leads_here = || found.canonicalize().is_ok_and(|file| file == call.program);
    if renamed && is_script(&call.program) && leads_here() {
        found
    } else {
        &call.program
    }
}

fn is_script(file: &Path) -> bool {
    let mut start = [0; 2];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"#!"
}

/// The system says "not found" for a missing folder and a missing interpreter as well.
fn why_not_started(call: &RenderedCall, error: &io::Error) -> String {
    let program = safe(&call.program.to_string_lossy()).to_string();
    if !call.cwd.is_dir() {
        let folder = safe(&call.cwd.to_string_lossy());
        return format!("{program} cannot be started: its working directory {folder} is not there");
    }
    if error.kind() == io::ErrorKind::NotFound && call.program.exists() {
        return format!(
            "{program} cannot be started: the interpreter that its first line names is not there"
        );
    }
    format!("{program} cannot be started: {error}")
}

/// One program while it runs.
struct Run<'c> {
    call: &'c RenderedCall,
    child: Box<dyn ChildWrapper>,
    pid: Pid,
    begun: Instant,
    stdin: Option<ChildStdin>,
    /// How much of the standard input was written.
    written: usize,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    out: Sink,
    err: Sink,
    status: Option<ExitStatus>,
    /// When listening ends although somebody still holds a pipe.
    listen_until: Option<Instant>,
    /// When the group is killed, once it was told to end.
    kill_at: Option<Instant>,
    timed_out: bool,
    /// Whether the last look found nothing to do.
    quiet: bool,
    /// Bytes that came after the program's end.
    late_bytes: usize,
    /// Whether nothing of the group may stay.
    sweep: bool,
    /// Whether what is late is killed without being told to end first.
    at_once: bool,
    forwarding: Option<Forwarding>,
}

impl<'c> Run<'c> {
    fn new(
        call: &'c RenderedCall,
        mut child: Box<dyn ChildWrapper>,
        begun: Instant,
        forwarding: Option<Forwarding>,
    ) -> Self {
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
        let target = match call.output {
            OutputMode::Inherit | OutputMode::Aside => Target::Process(pid),
            OutputMode::Capture { .. } | OutputMode::Stream => Target::Group(pid),
        };
        if let Some(forwarding) = &forwarding {
            forwarding.aim_at(target);
        }
        Self {
            call,
            pid,
            begun,
            stdin: child.stdin().take(),
            written: 0,
            stdout: child.stdout().take(),
            stderr: child.stderr().take(),
            out: Sink::new(Which::Out, call.output),
            err: Sink::new(Which::Err, call.output),
            status: None,
            listen_until: None,
            kill_at: None,
            timed_out: false,
            quiet: false,
            late_bytes: 0,
            sweep: false,
            at_once: false,
            forwarding,
            child,
        }
    }

    fn finish(mut self) -> RunResult {
        if let Some(stdin) = &self.stdin
            && set_nonblocking(stdin.as_fd()).is_err()
        {
            self.stdin = None;
        }
        let outcome = self.serve();
        // A fault of ours leaves nothing running behind.
        if outcome.is_err() && self.status.is_none() {
            self.signal(Signal::SIGKILL);
            self.status = self.child.wait().ok();
        }
        drop(self.forwarding.take());
        let ended = Ended {
            code: self.status.and_then(|s| s.code()),
            signal: self.status.and_then(|s| s.signal()),
            stdout: self.out.finish(),
            stderr: self.err.finish(),
            duration: self.begun.elapsed(),
        };
        if self.timed_out {
            RunResult::TimedOut(ended)
        } else {
            RunResult::Exited(ended)
        }
    }

    /// Serves pipes and deadlines until the program ended and its pipes are closed or given up.
    fn serve(&mut self) -> io::Result<()> {
        self.serve_pipes()?;
        self.await_end()?;
        if self.timed_out || self.sweep {
            // Nothing of the group stays.
            self.signal(Signal::SIGKILL);
        }
        Ok(())
    }

    fn serve_pipes(&mut self) -> io::Result<()> {
        let mut block = vec![0; BLOCK];
        let mut longest = SHORTEST_LOOK;
        let mut looked = Instant::now();
        while self.has_pipes() && !self.is_given_up() {
            self.quiet = !self.look_at_pipes(&mut block, longest)?;
            longest = if self.quiet {
                (longest * 2).min(LONGEST_LOOK)
            } else {
                SHORTEST_LOOK
            };
            // Output without end must not keep the program's own end from being seen.
            if self.quiet || looked.elapsed() >= LONGEST_LOOK {
                self.look_at_program()?;
                looked = Instant::now();
            }
            self.keep_time();
        }
        Ok(())
    }

    /// Waits for the program itself. Without a deadline to keep that needs no looks.
    fn await_end(&mut self) -> io::Result<()> {
        if self.status.is_none() && self.call.timeout.is_none() {
            self.status = Some(self.child.wait()?);
        }
        let mut pause = FIRST_PAUSE;
        loop {
            self.look_at_program()?;
            if self.status.is_some() {
                return Ok(());
            }
            std::thread::sleep(self.time_to_look(pause));
            pause = (pause * 2).min(LONGEST_PAUSE);
            self.keep_time();
        }
    }

    fn has_pipes(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some() || self.stdin.is_some()
    }

    /// What the program itself left in a pipe is read in any case; what others go on writing is not.
    fn is_given_up(&self) -> bool {
        let late = self
            .listen_until
            .is_some_and(|until| Instant::now() >= until);
        late && (self.quiet || self.late_bytes > MOST_LATE_BYTES)
    }

    fn look_at_program(&mut self) -> io::Result<()> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
            if self.status.is_some() {
                self.stdin = None;
                let linger = if self.at_once { Duration::ZERO } else { LINGER };
                self.listen_until = Some(Instant::now() + linger);
            }
        }
        Ok(())
    }

    fn keep_time(&mut self) {
        let now = Instant::now();
        match (self.call.timeout, self.kill_at) {
            (Some(timeout), None) if self.begun.elapsed() >= timeout && self.status.is_none() => {
                self.timed_out = true;
                let first = if self.at_once {
                    Signal::SIGKILL
                } else {
                    Signal::SIGTERM
                };
                self.signal(first);
                self.kill_at = Some(now + GRACE);
            }
            (_, Some(kill_at)) if now >= kill_at => {
                self.signal(Signal::SIGKILL);
                self.kill_at = Some(now + GRACE);
            }
            _ => {}
        }
    }

    fn signal(&self, signal: Signal) {
        // Whoever is gone already needs no signal.
        let _ = match self.call.output {
            OutputMode::Inherit | OutputMode::Aside => nix::sys::signal::kill(self.pid, signal),
            OutputMode::Capture { .. } | OutputMode::Stream => killpg(self.pid, signal),
        };
    }

    /// Waits for a pipe and serves it; whether any was ready.
    fn look_at_pipes(&mut self, block: &mut [u8], longest: Duration) -> io::Result<bool> {
        let [out, err, input] = self.ready(self.time_to_look(longest))?;
        let mut read = 0;
        if out {
            read += serve_output(&mut self.stdout, &mut self.out, block);
        }
        if err {
            read += serve_output(&mut self.stderr, &mut self.err, block);
        }
        if input {
            self.serve_input();
        }
        if self.listen_until.is_some() {
            self.late_bytes += read;
        }
        Ok(out || err || input)
    }

    /// Never past the next deadline.
    fn time_to_look(&self, longest: Duration) -> Duration {
        let now = Instant::now();
        let timeout = self.call.timeout.filter(|_| self.kill_at.is_none());
        let deadlines = [
            timeout.and_then(|t| self.begun.checked_add(t)),
            self.kill_at,
            self.listen_until,
        ];
        deadlines
            .into_iter()
            .flatten()
            .map(|at| at.saturating_duration_since(now))
            .fold(longest, Duration::min)
    }

    /// Which of output, messages and input can be served, after waiting at most `wait`.
    fn ready(&self, wait: Duration) -> io::Result<[bool; 3]> {
        let out = self.stdout.as_ref().map(AsFd::as_fd);
        let err = self.stderr.as_ref().map(AsFd::as_fd);
        let input = self.stdin.as_ref().map(AsFd::as_fd);
        let wanted = [
            out.map(|fd| PollFd::new(fd, PollFlags::POLLIN)),
            err.map(|fd| PollFd::new(fd, PollFlags::POLLIN)),
            input.map(|fd| PollFd::new(fd, PollFlags::POLLOUT)),
        ];
        let is_open = [out.is_some(), err.is_some(), input.is_some()];
        let mut fds: Vec<PollFd<'_>> = wanted.into_iter().flatten().collect();
        // Rounded up: a wait of less than a millisecond must not become a busy loop.
        let wait = u16::try_from(wait.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
        match poll(&mut fds, PollTimeout::from(wait)) {
            Ok(_) => {}
            Err(nix::errno::Errno::EINTR) => return Ok([false; 3]),
            Err(error) => return Err(error.into()),
        }
        let mut fired = fds.iter().map(|fd| fd.any().unwrap_or(true));
        Ok(is_open.map(|open| open && fired.next().unwrap_or(false)))
    }

    fn serve_input(&mut self) {
        let (Some(stdin), StdinSource::Bytes(bytes)) = (&mut self.stdin, &self.call.stdin) else {
            self.stdin = None;
            return;
        };
        let rest = bytes.get(self.written..).unwrap_or_default();
        let done = match stdin.write(rest) {
            Ok(written) => {
                self.written += written;
                self.written >= bytes.len()
            }
            Err(e) if is_passing(&e) => false,
            // The program does not read on, which is its own affair.
            Err(_) => true,
        };
        if done {
            self.stdin = None;
        }
    }
}

/// Reads one block of a pipe. At the pipe's end, and when nobody takes the bytes any more, it is closed,
/// which the program learns at its next write.
fn serve_output<P: Read>(pipe: &mut Option<P>, sink: &mut Sink, block: &mut [u8]) -> usize {
    let Some(open) = pipe else { return 0 };
    let (read, closed) = match open.read(block) {
        Ok(0) => (0, true),
        Ok(read) => {
            let bytes = block.get(..read).unwrap_or_default();
            (read, sink.take(bytes).is_err())
        }
        Err(e) => (0, !is_passing(&e)),
    };
    if closed {
        *pipe = None;
    }
    read
}

fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
    )
}

fn set_nonblocking(fd: BorrowedFd<'_>) -> io::Result<()> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}
