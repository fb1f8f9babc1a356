//! The log's own key: with it, a digest of arguments cannot be guessed from the few values they may
//! have.

use super::append::AuditLog;
use super::{AuditError, AuditSink, Flush};
use crate::event::{ArgsDigest, Detail, Event};
use crate::fsutil::write_atomically;
use hcp_core::canonical::{Key, Tag, digest, keyed_digest};
use hcp_core::json::Value;
use jiff::Timestamp;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The key's file in the home folder; that it is there switches keyed digests on.
pub const KEY_NAME: &str = "audit.key";

const KEY_LENGTH: usize = 32;

impl AuditLog {
    /// Whether digests of arguments are keyed.
    #[must_use]
    pub fn is_keyed(&self) -> bool {
        self.home.join(KEY_NAME).exists()
    }

    /// Makes the key, from which on `args_hmac` stands in the place of `args_sha256`, and records that.
    /// Returns whether it was made; a key that is there already is left as it is.
    ///
    /// # Errors
    /// [`AuditError`] when the key cannot be made or recorded.
    pub fn key_init(&self, now: Timestamp) -> Result<bool, AuditError> {
        let path = self.home.join(KEY_NAME);
        if read_key(&path)?.is_some() {
            return Ok(false);
        }
        self.ready()?;
        let mut key = [0; KEY_LENGTH];
        getrandom::fill(&mut key)
            .map_err(|e| AuditError::new(&path, e.to_string(), "try again"))?;
        write_atomically(&path, &key).map_err(|e| AuditError::io(&path, &e))?;
        self.record(&Event::new(now, Detail::Key), Flush::Now)?;
        Ok(true)
    }
}

/// The digest of arguments, keyed when the home folder has a key. A key that is there and cannot be
/// used is an error: the bare digest never stands in for it.
pub(super) fn args_digest(home: &Path, args: &Value) -> Result<ArgsDigest, AuditError> {
    Ok(match read_key(&home.join(KEY_NAME))? {
        Some(key) => ArgsDigest::Hmac(keyed_digest(&key, Tag::Audit, args)),
        None => ArgsDigest::Sha256(digest(Tag::Audit, args)),
    })
}

fn read_key(path: &Path) -> Result<Option<Key>, AuditError> {
    let flags = nix::libc::O_NOFOLLOW | nix::libc::O_CLOEXEC | nix::libc::O_NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(AuditError::io(path, &e)),
    };
    let meta = file.metadata().map_err(|e| AuditError::io(path, &e))?;
    if !meta.is_file() || meta.uid() != nix::unistd::geteuid().as_raw() || meta.mode() & 0o077 != 0
    {
        return Err(AuditError::new(
            path,
            "the key must be a regular file of this user's that nobody else may read",
            format!("chmod 600 {}", path.display()),
        ));
    }
    let mut bytes = Vec::new();
    file.take(64)
        .read_to_end(&mut bytes)
        .map_err(|e| AuditError::io(path, &e))?;
    match <[u8; KEY_LENGTH]>::try_from(bytes) {
        Ok(key) => Ok(Some(Key::new(key))),
        Err(_) => Err(AuditError::new(
            path,
            format!("the key must have {KEY_LENGTH} bytes"),
            "move it away, and run hcpx audit key init",
        )),
    }
}
