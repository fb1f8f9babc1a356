//! Findings for programs.

use crate::check::Checked;
use crate::edit::Edit;
use crate::finding::{Finding, Level};
use crate::lint::{Example, Lint};
use hcp_core::json::{Object, Value};

/// The whole answer for programs. `ok` says whether nothing failed, warnings failing too when `strict`.
#[must_use]
pub fn report(checked: &[Checked], strict: bool) -> Object {
    let count = |level: Level| checked.iter().map(|c| c.count(level) as u64).sum::<u64>();
    let (errors, warnings, notes) = (
        count(Level::Error),
        count(Level::Warning),
        count(Level::Note),
    );
    let packs: Vec<Value> = checked.iter().map(pack_value).collect();
    let findings: Vec<Value> = checked
        .iter()
        .flat_map(|c| c.findings.iter().map(|f| finding_object(c, f).into()))
        .collect();
    Object::new()
        .with("ok", errors == 0 && (!strict || warnings == 0))
        .with("packs", packs)
        .with("findings", findings)
        .with("errors", errors)
        .with("warnings", warnings)
        .with("notes", notes)
}

fn pack_value(checked: &Checked) -> Value {
    Object::new()
        .with("id", checked.pack.as_deref())
        .with("folder", checked.folder.as_str())
        .with("errors", checked.count(Level::Error) as u64)
        .with("warnings", checked.count(Level::Warning) as u64)
        .with("notes", checked.count(Level::Note) as u64)
        .into()
}

/// One finding.
#[must_use]
pub fn finding_object(checked: &Checked, finding: &Finding) -> Object {
    let place = finding.place;
    let mut object = Object::new()
        .with("code", finding.code)
        .with("level", finding.level.as_str())
        .with("message", finding.message.as_str())
        .with("help", finding.help.as_deref())
        .with("file", checked.path(finding.file))
        .with("line", place.line as u64)
        .with("column", place.column as u64)
        .with("end_line", place.end_line as u64)
        .with("end_column", place.end_column as u64)
        .with("pack", checked.pack.as_deref())
        .with("command", finding.command.as_deref());
    if let Some(fix) = &finding.fix {
        object.insert("fix", fix_value(checked, fix));
    }
    object
}

fn fix_value(checked: &Checked, fix: &Edit) -> Value {
    Object::new()
        .with("file", checked.path(fix.file))
        .with("start", fix.span.start as u64)
        .with("end", fix.span.end as u64)
        .with("text", fix.text.as_str())
        .with(
            "sets",
            Object::new().with(fix.key.as_str(), fix.value.clone()),
        )
        .into()
}

/// A lint's record, as `--explain` gives it to programs.
#[must_use]
pub fn lint_object(lint: &Lint) -> Object {
    let example = |example: &Example| {
        Object::new()
            .with("surface", example.surface)
            .with("policy", example.policy)
    };
    Object::new()
        .with("lint", lint.code)
        .with("family", lint.family.letter().to_string())
        .with("level", lint.level.as_str())
        .with("summary", lint.summary)
        .with("why", lint.why)
        .with("mend", lint.mend)
        .with("fixes", lint.fixes)
        .with("failing", example(&lint.failing))
        .with("passing", example(&lint.passing))
}
