//! Applying the edits that mend findings, until nothing is left to mend.

use crate::check::{Surroundings, check};
use crate::document::FileName;
use crate::edit::Edit;
use crate::finding::Finding;
use hcp_pack::{Pack, PackFiles};

/// One edit may call for another (a command that asks now wants a preview), but never for many.
const ROUNDS_MAX: usize = 8;

/// A pack's files after mending.
#[derive(Debug, Clone)]
pub struct Fixed {
    /// The files as they should be.
    pub files: PackFiles,
    /// What was mended, in the order in which it was.
    pub mended: Vec<Finding>,
    /// The files that differ now.
    pub changed: Vec<FileName>,
}

/// Mends what can be mended safely. Everything else in the files stays byte for byte as it was, and doing it
/// twice changes nothing the second time. A pack that the loader refuses is not touched.
#[must_use]
pub fn fix(files: &PackFiles, around: &Surroundings) -> Fixed {
    let mut fixed = Fixed {
        files: files.clone(),
        mended: Vec::new(),
        changed: Vec::new(),
    };
    for _ in 0..ROUNDS_MAX {
        let Some((next, mended)) = round(&fixed.files, around) else {
            break;
        };
        fixed.files = next;
        fixed.mended.extend(mended);
    }
    fixed.changed = FileName::ALL
        .into_iter()
        .filter(|file| bytes(files, *file) != bytes(&fixed.files, *file))
        .collect();
    fixed
}

/// The files after one edit of each place that has one; `None` where there is nothing to do.
fn round(files: &PackFiles, around: &Surroundings) -> Option<(PackFiles, Vec<Finding>)> {
    let found = check(files, around);
    let mut next = files.clone();
    let mut mended: Vec<Finding> = Vec::new();
    for file in [FileName::Surface, FileName::Policy] {
        let here = found
            .findings
            .iter()
            .filter(|f| f.file_of_fix() == Some(file));
        let mut chosen: Vec<(&Finding, &Edit)> = Vec::new();
        let mut ordered: Vec<(&Finding, &Edit)> =
            here.filter_map(|f| Some((f, f.fix.as_ref()?))).collect();
        ordered.sort_by_key(|(_, edit)| edit.span.start);
        for (finding, edit) in ordered {
            // Two edits of one place wait for each other: the next round reads the place anew.
            let free = chosen
                .last()
                .is_none_or(|(_, before)| before.span.end < edit.span.start);
            if free {
                chosen.push((finding, edit));
            }
        }
        let edited = apply(bytes(files, file)?, chosen.iter().map(|(_, edit)| *edit))?;
        *bytes_mut(&mut next, file)? = edited;
        mended.extend(chosen.into_iter().map(|(finding, _)| finding.clone()));
    }
    // What the loader would not take any more was no mending.
    (!mended.is_empty() && Pack::read(&next).is_ok()).then_some((next, mended))
}

/// The bytes after edits that stand in order and apart.
fn apply<'e>(before: &[u8], edits: impl Iterator<Item = &'e Edit>) -> Option<Vec<u8>> {
    let mut after = Vec::with_capacity(before.len());
    let mut at = 0;
    for edit in edits {
        after.extend_from_slice(before.get(at..edit.span.start)?);
        after.extend_from_slice(edit.text.as_bytes());
        at = edit.span.end;
    }
    after.extend_from_slice(before.get(at..)?);
    Some(after)
}

fn bytes(files: &PackFiles, file: FileName) -> Option<&[u8]> {
    match file {
        FileName::Pack => Some(&files.pack),
        FileName::Surface => Some(&files.surface),
        FileName::Policy => Some(&files.policy),
        FileName::Skill => files.skill.as_deref(),
    }
}

fn bytes_mut(files: &mut PackFiles, file: FileName) -> Option<&mut Vec<u8>> {
    match file {
        FileName::Pack => Some(&mut files.pack),
        FileName::Surface => Some(&mut files.surface),
        FileName::Policy => Some(&mut files.policy),
        FileName::Skill => files.skill.as_mut(),
    }
}

impl Finding {
    fn file_of_fix(&self) -> Option<FileName> {
        self.fix.as_ref().map(|edit| edit.file)
    }
}
