//! The pages of the lints, from their records: one list, and a page for each.

use super::Wanted;
use crate::tools::Result;
use hcp_lint::{ALL, index, page};

const LIST: &str = "docs/reference/lints.md";
const PAGES: &str = "docs/lints";

pub(super) fn wanted() -> Result<Vec<Wanted>> {
    let list = Wanted::new(LIST, index("../lints"));
    let pages = ALL
        .iter()
        .map(|lint| Wanted::new(format!("{PAGES}/{}.md", lint.code), page(lint)));
    Ok(std::iter::once(list).chain(pages).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lint_has_a_page_and_a_line_in_the_list() {
        let files = wanted().unwrap();
        assert_eq!(files.len(), ALL.len() + 1);
        for lint in ALL {
            assert!(
                files[0]
                    .text
                    .contains(&format!("[{0}](../lints/{0}.md)", lint.code))
            );
        }
    }
}
