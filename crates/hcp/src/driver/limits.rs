//! How long a command line may be, told before anybody is asked about a call that could never start.

use nix::sys::resource::{Resource, getrlimit};
use std::ffi::{OsStr, OsString};

/// The longest word, its ending NUL included (Linux's `MAX_ARG_STRLEN`).
const LONGEST_WORD: usize = 128 << 10;

/// Linux never gives words and variables more than this together.
const MOST: u64 = 6 << 20;

/// What is left for the program's path and the system's own entries.
const HEADROOM: usize = 8 << 10;

/// A command line that no system call would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooLong {
    /// One word alone.
    #[error(
        "word {index} of the command line has {bytes} bytes, and a word must have less than 131072; give long text by --stdin or in a file"
    )]
    Word {
        /// Which one, the program's name being 0.
        index: usize,
        /// Its length.
        bytes: usize,
    },
    /// One variable alone.
    #[error(
        "the variable at place {index} of the environment is too long; a name and its value must have less than 131072 bytes together"
    )]
    Variable {
        /// Which one.
        index: usize,
    },
    /// All together.
    #[error(
        "the command line and its environment need {bytes} bytes, and the system takes {most}; give fewer words, or long text by --stdin or in a file"
    )]
    Together {
        /// What they need.
        bytes: usize,
        /// What there is.
        most: usize,
    },
}

/// Whether the words (the program's name first) and the environment can be given to a program at all.
///
/// # Errors
/// What is too long.
pub fn check_length<W: AsRef<OsStr>>(
    words: &[W],
    env: &[(OsString, OsString)],
) -> Result<(), TooLong> {
    let pointer = std::mem::size_of::<usize>();
    let mut total = 0;
    for (index, word) in words.iter().enumerate() {
        let bytes = word.as_ref().len();
        if bytes + 1 > LONGEST_WORD {
            return Err(TooLong::Word { index, bytes });
        }
        total += bytes + 1 + pointer;
    }
    for (index, (name, value)) in env.iter().enumerate() {
        let bytes = name.len() + value.len() + 2;
        if bytes > LONGEST_WORD {
            return Err(TooLong::Variable { index });
        }
        total += bytes + pointer;
    }
    let most = most();
    if total > most {
        return Err(TooLong::Together { bytes: total, most });
    }
    Ok(())
}

/// A quarter of the stack's limit, as the system counts it.
fn most() -> usize {
    let stack = getrlimit(Resource::RLIMIT_STACK).map_or(8 << 20, |(soft, _)| soft);
    let most = (stack / 4).clamp(LONGEST_WORD as u64, MOST);
    usize::try_from(most)
        .unwrap_or(LONGEST_WORD)
        .saturating_sub(HEADROOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_the_edge() {
        let fits = "x".repeat(LONGEST_WORD - 1);
        assert_eq!(check_length(&["p", &fits], &[]), Ok(()));
        let long = "x".repeat(LONGEST_WORD);
        assert!(matches!(
            check_length(&["p", &long], &[]),
            Err(TooLong::Word { index: 1, .. })
        ));
        let env = [("N".into(), long.into())];
        assert!(matches!(
            check_length(&["p"], &env),
            Err(TooLong::Variable { index: 0 })
        ));
        let many = vec!["x".repeat(1000); 10_000];
        assert!(matches!(
            check_length(&many, &[]),
            Err(TooLong::Together { .. })
        ));
    }

    #[test]
    fn what_passes_here_starts() {
        let word = "x".repeat(LONGEST_WORD - 1);
        let mut words = vec!["true".to_owned()];
        while check_length(&words, &[]).is_ok() {
            words.push(word.clone());
        }
        words.pop();
        let status = std::process::Command::new("true")
            .args(&words[1..])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .status();
        assert!(status.unwrap().success());
    }
}
