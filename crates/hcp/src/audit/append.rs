//! Appending: each line is one write of the whole line under the lock, and lines form one chain.

use super::chain::{Head, Tail, line, read_line, tail};
use super::file::{Locked, LogFile, lock_current, rotated};
use super::{AuditError, AuditSink, Flush, Recorded, key};
use crate::event::{ArgsDigest, Detail, Event};
use crate::fsutil::PATIENCE;
use hcp_core::canonical::sha256;
use hcp_core::json::Value;
use jiff::Timestamp;
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::statvfs::fstatvfs;
use std::io::{Error, ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// The room that must be there before an approval is spent.
const ROOM: u64 = 64 * 1024;

/// How the log behaves.
#[derive(Debug, Clone, Copy)]
pub struct AuditOptions {
    /// How long a lock is waited for.
    pub patience: Duration,
    /// From which size on the log goes on in a new file.
    pub max_bytes: u64,
}

impl Default for AuditOptions {
    /// Five seconds and 64 MiB.
    fn default() -> Self {
        Self {
            patience: PATIENCE,
            max_bytes: 64 << 20,
        }
    }
}

/// The audit log of a home folder.
#[derive(Debug)]
pub struct AuditLog {
    pub(super) home: PathBuf,
    pub(super) options: AuditOptions,
    state: Mutex<Option<Known>>,
}

/// What this process knows of the log since its last append: true while the size is the same.
#[derive(Debug, Clone)]
struct Known {
    log: LogFile,
    size: u64,
    head: Option<Head>,
}

/// The log while this thread of this process alone may write it.
pub(super) struct Writer<'l> {
    lock: Locked,
    pub(super) log: LogFile,
    /// The size before the next write.
    pub(super) size: u64,
    pub(super) head: Option<Head>,
    /// What was left of a torn line.
    torn: Vec<u8>,
    /// A file lock belongs to the opened file, which all threads share: they take turns by this. It is
    /// dropped after the lock, so that no thread releases the lock of another.
    known: MutexGuard<'l, Option<Known>>,
}

impl AuditLog {
    /// The log of a home folder. Nothing is opened before it is needed.
    #[must_use]
    pub fn new(home: impl Into<PathBuf>, options: AuditOptions) -> Self {
        Self {
            home: home.into(),
            options,
            state: Mutex::new(None),
        }
    }

    /// The last line; `None` while the log is empty. A torn line after it does not count.
    ///
    /// # Errors
    /// [`AuditError`] when the log cannot be read.
    pub fn head(&self) -> Result<Option<Head>, AuditError> {
        let path = self.home.join(super::FILE_NAME);
        let Some((file, _)) = super::file::open_to_read(&path)? else {
            return Ok(None);
        };
        let size = file
            .metadata()
            .map_err(|e| AuditError::io(&path, &e))?
            .len();
        Ok(tail(&path, &file, size)?.head)
    }

    /// Locks the log, whichever file it is now, and finds its end.
    pub(super) fn writer(&self) -> Result<Writer<'_>, AuditError> {
        let end = Instant::now() + self.options.patience;
        let mut known = self.turn(end)?;
        if known.is_none() {
            self.make_home()?;
        }
        // Taken out: what is known of the log counts again only after a whole append.
        let before = known.take();
        let (log, lock) = lock_current(&self.home, before.as_ref().map(|k| k.log.clone()), end)?;
        let size = log.size()?;
        let same = |k: &Known| k.log.identity == log.identity && k.size == size;
        let Tail { head, torn } = match before.filter(same) {
            Some(before) => Tail {
                head: before.head,
                torn: Vec::new(),
            },
            None => tail(&log.path, &log.file, size)?,
        };
        Ok(Writer {
            lock,
            log,
            size,
            head,
            torn,
            known,
        })
    }

    fn make_home(&self) -> Result<(), AuditError> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.home)
            .map_err(|e| AuditError::io(&self.home, &e))
    }

    /// This thread's turn among those of the process.
    fn turn(&self, end: Instant) -> Result<MutexGuard<'_, Option<Known>>, AuditError> {
        loop {
            match self.state.try_lock() {
                Ok(known) => return Ok(known),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_micros(100));
                }
                Err(TryLockError::WouldBlock) => {
                    let busy = Error::from(ErrorKind::TimedOut);
                    return Err(AuditError::io(&self.home.join(super::FILE_NAME), &busy));
                }
            }
        }
    }

    /// Brings the log into order before an event: an empty file goes on from the rotated ones, a full
    /// one is rotated.
    fn prepare(&self, writer: &mut Writer<'_>, now: Timestamp) -> Result<(), AuditError> {
        if writer.size >= self.options.max_bytes {
            self.rotate_locked(writer, now)?;
        }
        if writer.size == 0 {
            self.go_on(writer, now)?;
        }
        Ok(())
    }

    /// The first line of a new file while older ones are there: the chain goes on from them.
    fn go_on(&self, writer: &mut Writer<'_>, now: Timestamp) -> Result<(), AuditError> {
        let Some((_, path)) = rotated(&self.home)?.pop() else {
            return Ok(());
        };
        let Some((file, _)) = super::file::open_to_read(&path)? else {
            return Ok(());
        };
        let size = file
            .metadata()
            .map_err(|e| AuditError::io(&path, &e))?
            .len();
        writer.head = tail(&path, &file, size)?.head;
        writer.append(&Event::new(now, rotation(&path)))
    }
}

/// The detail that names the file from which the chain goes on.
pub(super) fn rotation(path: &Path) -> Detail {
    let name = path.file_name().unwrap_or_default();
    Detail::Rotation {
        file: name.to_string_lossy().into_owned(),
    }
}

impl Writer<'_> {
    /// Appends one event; a torn line before it is closed off and recorded first, in the same write.
    pub(super) fn append(&mut self, event: &Event) -> Result<(), AuditError> {
        let (mut text, head) = self.closing(event.time);
        let (last, head) = line(event.to_object(), head);
        text.push_str(&last);
        self.write(text.as_bytes(), Some(head))
    }

    /// Closes off a torn line, if there is one.
    pub(super) fn close_torn(&mut self, now: Timestamp) -> Result<(), AuditError> {
        match self.closing(now) {
            (text, _) if text.is_empty() => Ok(()),
            (text, head) => self.write(text.as_bytes(), head),
        }
    }

    /// The text that closes a torn line off and records it, and the head after it.
    fn closing(&self, now: Timestamp) -> (String, Option<Head>) {
        if self.torn.is_empty() {
            return (String::new(), self.head);
        }
        let sha256 = sha256(&self.torn);
        // A line that lacks nothing but its line break has a number, and it stays a line.
        let own = read_line(&self.torn).map(|(_, seq, _)| seq);
        let before = Head {
            seq: own.unwrap_or(self.head.map_or(0, |head| head.seq)),
            head: sha256,
        };
        let bytes = u64::try_from(self.torn.len()).unwrap_or(u64::MAX);
        let torn = Detail::Torn {
            bytes,
            sha256,
            after: self.head.map(|head| head.head),
        };
        let (text, head) = line(Event::new(now, torn).to_object(), Some(before));
        (format!("\n{text}"), Some(head))
    }

    /// One write of everything. A write that was cut short leaves a torn line, which the next append
    /// closes off; nothing that stands is touched.
    fn write(&mut self, bytes: &[u8], head: Option<Head>) -> Result<(), AuditError> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        // Beyond this limit the system would end the process.
        self.within_limit(length)?;
        let written = loop {
            match (&*self.log.file).write(bytes) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                done => break done.map_err(|e| AuditError::io(&self.log.path, &e))?,
            }
        };
        if written != bytes.len() {
            let full = Error::from(ErrorKind::StorageFull);
            return Err(AuditError::io(&self.log.path, &full));
        }
        self.size = self.size.saturating_add(length);
        self.head = head;
        self.torn.clear();
        Ok(())
    }

    /// Lets others write, and flushes: those that wait for the disk do so at the same time.
    pub(super) fn finish(mut self, flush: Flush) -> Result<Recorded, AuditError> {
        let log = self.log.clone();
        *self.known = Some(Known {
            log: log.clone(),
            size: self.size,
            head: self.head,
        });
        let seq = self.head.map_or(0, |head| head.seq);
        drop(self);
        if flush == Flush::Now {
            log.file
                .sync_data()
                .map_err(|e| AuditError::io(&log.path, &e))?;
        }
        Ok(Recorded { seq })
    }

    /// Takes over a file that was made in this one's place, with its lock; gives back the old lock.
    pub(super) fn replace(&mut self, log: LogFile, lock: Locked) -> Locked {
        self.log = log;
        self.size = 0;
        std::mem::replace(&mut self.lock, lock)
    }

    fn within_limit(&self, more: u64) -> Result<(), AuditError> {
        let (limit, _) = getrlimit(Resource::RLIMIT_FSIZE)
            .map_err(|e| AuditError::io(&self.log.path, &e.into()))?;
        if self.size.saturating_add(more) > limit {
            let large = Error::from(ErrorKind::FileTooLarge);
            return Err(AuditError::io(&self.log.path, &large));
        }
        Ok(())
    }

    /// Whether the disk takes so much more, and keeps the room where the system can.
    fn has_room(&self, more: u64) -> Result<(), AuditError> {
        self.within_limit(more)?;
        if self.reserve(more)? {
            return Ok(());
        }
        let stat =
            fstatvfs(&*self.log.file).map_err(|e| AuditError::io(&self.log.path, &e.into()))?;
        let free = u128::from(stat.blocks_available()) * u128::from(stat.fragment_size());
        if free < u128::from(more) {
            let full = Error::from(ErrorKind::StorageFull);
            return Err(AuditError::io(&self.log.path, &full));
        }
        Ok(())
    }

    /// Reserves the blocks behind the end, which nobody else can then fill, and which finds quotas too.
    /// Returns whether the file system can do that.
    #[cfg(target_os = "linux")]
    fn reserve(&self, more: u64) -> Result<bool, AuditError> {
        use nix::errno::Errno;
        use nix::fcntl::{FallocateFlags, fallocate};
        let (Ok(at), Ok(length)) = (i64::try_from(self.size), i64::try_from(more)) else {
            return Ok(false);
        };
        let flags = FallocateFlags::FALLOC_FL_KEEP_SIZE;
        match fallocate(&*self.log.file, flags, at, length) {
            Ok(()) => Ok(true),
            Err(Errno::EOPNOTSUPP | Errno::ENOSYS | Errno::EINTR) => Ok(false),
            Err(e) => Err(AuditError::io(&self.log.path, &e.into())),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn reserve(&self, _more: u64) -> Result<bool, AuditError> {
        Ok(false)
    }
}

impl AuditSink for AuditLog {
    fn ready(&self) -> Result<(), AuditError> {
        self.writer()?.has_room(ROOM)
    }

    fn record(&self, event: &Event, flush: Flush) -> Result<Recorded, AuditError> {
        let mut writer = self.writer()?;
        self.prepare(&mut writer, event.time)?;
        writer.append(event)?;
        writer.finish(flush)
    }

    fn args_digest(&self, args: &Value) -> Result<ArgsDigest, AuditError> {
        key::args_digest(&self.home, args)
    }
}
