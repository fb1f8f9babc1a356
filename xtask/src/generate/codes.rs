//! The reference of result codes: codes and exit codes from the table of the core, meanings from the
//! comments that stand in it.

use super::Wanted;
use crate::tools::{self, Result};
use hcp_core::code::Code;
use std::fmt::Write;

const TABLE: &str = "crates/hcp-core/src/code.rs";
const PAGE: &str = "docs/reference/codes.md";

pub(super) fn wanted() -> Result<Vec<Wanted>> {
    let source = tools::read(&tools::root().join(TABLE))?;
    let meanings = meanings(&source);
    let mut page = String::from(
        "<!-- Written by `cargo xtask generate`; do not edit. -->\n\n\
         # Result codes\n\n\
         Every result is one JSON object with `ok`, `code`, `message` and `hint`. The code is stable; the \
         message is for a person and may change. `hcpx` ends with the exit code beside it.\n\n\
         | code | exit | meaning |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        let meaning = meanings
            .iter()
            .find(|(known, _)| known == code.as_str())
            .map(|(_, meaning)| meaning)
            .ok_or_else(|| format!("{TABLE}: no comment above \"{code}\""))?;
        writeln!(page, "| `{code}` | {} | {meaning} |", code.exit())?;
    }
    page.push_str(
        "\n`hcpx exec --raw` gives the tool's own bytes and exit code as they are; a refusal then goes to \
         standard error and ends with 125.\n",
    );
    Ok(vec![Wanted::new(PAGE, page)])
}

/// The code and the comment above it, for each line of the form `Name = "code", exit;`.
fn meanings(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut comment = String::new();
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(text.trim());
            continue;
        }
        let code = line
            .split_once(" = \"")
            .and_then(|(_, rest)| rest.split_once("\", "));
        if let Some((code, exit)) = code
            && exit.ends_with(';')
            && !comment.is_empty()
        {
            found.push((code.to_owned(), comment.replace('|', "\\|")));
        }
        comment.clear();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_meaning() {
        let files = wanted().unwrap();
        assert_eq!(files.len(), 1);
        for code in Code::ALL {
            assert!(files[0].text.contains(&format!("| `{code}` |")), "{code}");
        }
    }

    #[test]
    fn a_meaning_is_the_comment_right_above() {
        let source = "/// One\n/// sentence.\nOk = \"ok\", 0;\nBare = \"bare\", 1;\n/// Not a code.\nfn x() {}\n";
        assert_eq!(
            meanings(source),
            [("ok".to_owned(), "One sentence.".to_owned())]
        );
    }
}
