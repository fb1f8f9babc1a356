//! An environment as the system keeps it: one block of `NAME=value` entries, each ended by NUL.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// The variables of a process. A name may stand in it twice, as the system allows.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    block: Vec<u8>,
}

impl Environment {
    /// The variables of this process as they are now.
    #[must_use]
    pub fn current() -> Self {
        Self::from_pairs(std::env::vars_os())
    }

    /// An environment from the block that the system shows.
    #[must_use]
    pub fn from_block(block: Vec<u8>) -> Self {
        Self { block }
    }

    /// An environment from pairs.
    pub fn from_pairs<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut block = Vec::with_capacity(4096);
        for (name, value) in pairs {
            block.extend_from_slice(name.as_ref().as_bytes());
            block.push(b'=');
            block.extend_from_slice(value.as_ref().as_bytes());
            block.push(0);
        }
        Self { block }
    }

    /// Every entry, names and values.
    pub fn entries(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> + '_ {
        self.block.split(|b| *b == 0).filter_map(|entry| {
            let at = entry.iter().position(|b| *b == b'=')?;
            let (name, value) = entry.split_at_checked(at)?;
            Some((OsStr::from_bytes(name), OsStr::from_bytes(value.get(1..)?)))
        })
    }

    /// The first value of a variable. An empty one counts as unset.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.entries()
            .find(|(n, _)| *n == name)
            .map(|(_, v)| v)
            .filter(|v| !v.is_empty())
    }

    /// The same variables without these.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let kept = self
            .entries()
            .filter(|(name, _)| !names.iter().any(|n| *name == *n));
        Self::from_pairs(kept)
    }

    /// Owned pairs in their order.
    #[must_use]
    pub fn to_pairs(&self) -> Vec<(OsString, OsString)> {
        self.entries()
            .map(|(n, v)| (n.to_owned(), OsString::from_vec(v.as_bytes().to_vec())))
            .collect()
    }
}

impl std::fmt::Debug for Environment {
    /// Names alone: values may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.entries().map(|(n, _)| n))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_entry_by_entry() {
        let env = Environment::from_block(b"A=1\0EMPTY=\0B=x=y\0A=2\0torn".to_vec());
        assert_eq!(env.get("A"), Some(OsStr::new("1")));
        assert_eq!(env.get("B"), Some(OsStr::new("x=y")));
        assert_eq!(env.get("EMPTY"), None);
        assert_eq!(env.get("torn"), None);
        assert_eq!(env.entries().count(), 4);
    }

    #[test]
    fn values_are_not_shown_by_debug() {
        let env = Environment::from_pairs([("TOKEN", "s3cret")]);
        let shown = format!("{env:?}");
        assert!(shown.contains("TOKEN") && !shown.contains("s3cret"));
    }
}
