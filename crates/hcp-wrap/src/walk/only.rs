//! Which commands a person wants in the draft.

/// Globs over command names: `pr_*`, `"pr merge"`. Empty: all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Only {
    globs: Vec<String>,
}

impl Only {
    /// Globs as a person writes them, with `*` for any text; blanks, `-` and `_` are alike.
    ///
    /// ```
    /// use hcp_wrap::Only;
    /// let only = Only::new(["pr_*"]);
    /// assert!(only.holds(&["pr".to_owned(), "merge".to_owned()]));
    /// assert!(!only.holds(&["issue".to_owned()]));
    /// ```
    pub fn new(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let globs = globs.into_iter().map(|g| plain(g.as_ref()));
        Self {
            globs: globs.collect(),
        }
    }

    /// Whether a command is wanted.
    #[must_use]
    pub fn holds(&self, words: &[String]) -> bool {
        let name = plain(&words.join("_"));
        self.globs.is_empty() || self.globs.iter().any(|glob| matches(glob, &name))
    }

    /// Whether a command below these words may be wanted.
    pub(crate) fn may_hold(&self, words: &[String]) -> bool {
        let name = plain(&words.join("_"));
        self.globs.is_empty()
            || self.globs.iter().any(|glob| {
                let literal = glob.split('*').next().unwrap_or_default();
                literal.starts_with(&name) || name.starts_with(literal)
            })
    }
}

fn plain(text: &str) -> String {
    text.trim().replace([' ', '-'], "_").to_ascii_lowercase()
}

/// Whether a glob matches a whole text, in time linear to each star.
fn matches(glob: &str, text: &str) -> bool {
    let mut parts = glob.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, wanted) in [
            ("pr_*", "pr_merge", true),
            ("pr merge", "pr_merge", true),
            ("pr_*", "pr", false),
            ("*", "x", true),
            ("*list*", "pr_list_all", true),
            ("a*b", "ab", true),
            ("a*b", "a", false),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(
                Only::new([glob]).holds(&[text.to_owned()]),
                wanted,
                "{glob} {text}"
            );
        }
        let only = Only::new(["pr_merge*"]);
        assert!(only.may_hold(&["pr".to_owned()]) && !only.may_hold(&["issue".to_owned()]));
    }
}
