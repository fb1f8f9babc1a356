//! All lints over one pack.

use crate::document::{Document, FileName};
use crate::edit::{self, Edit};
use crate::finding::{Finding, Level};
use crate::lint::{Family, Lint};
use crate::lints;
use crate::subject::{Entry, Subject, items, members};
use hcp_core::diagnostic::Diagnostic;
use hcp_core::json::{Limits, Node, Span, Value, parse};
use hcp_pack::{Pack, PackFiles};

/// What is known beside the files.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Programs of the pack that were looked for and not found.
    pub not_found: Vec<String>,
    /// Levels that somebody gave to codes; `None` switches one off. What the loader refuses stays an error.
    pub levels: Vec<(&'static str, Option<Level>)>,
}

impl Surroundings {
    fn level(&self, lint: &Lint) -> Option<Level> {
        let own = self
            .levels
            .iter()
            .rev()
            .find(|(code, _)| *code == lint.code);
        own.map_or(Some(lint.level), |(_, level)| *level)
    }
}

/// A pack and what was found in it.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The folder, as a person knows it.
    pub folder: String,
    /// The pack's id, where the loader took it.
    pub pack: Option<String>,
    /// The findings, by file and place.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// How many findings have this level.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|f| f.level == level).count()
    }

    /// A file of the pack, as a person knows it.
    #[must_use]
    pub fn path(&self, file: FileName) -> String {
        if self.folder.is_empty() {
            return file.as_str().to_owned();
        }
        format!("{}/{file}", self.folder.trim_end_matches('/'))
    }
}

/// Checks one pack. A pack that the loader refuses has the loader's faults alone, each an error.
#[must_use]
pub fn check(files: &PackFiles, around: &Surroundings) -> Checked {
    let documents = Documents::of(files);
    match Pack::read(files) {
        Ok(pack) => {
            let findings = documents.lint(&pack, around, |lint| around.level(lint));
            Checked {
                folder: files.folder.clone(),
                pack: Some(pack.id.to_string()),
                findings,
            }
        }
        Err(faults) => Checked {
            folder: files.folder.clone(),
            pack: None,
            findings: documents.refused(files, &faults),
        },
    }
}

/// Why a pack that the loader takes is not installed all the same: the findings of family M that are errors.
#[must_use]
pub fn refusals(files: &PackFiles, pack: &Pack) -> Vec<Diagnostic> {
    let decides = |lint: &Lint| {
        (lint.family == Family::Manifest && lint.level == Level::Error).then_some(Level::Error)
    };
    let folder = Checked {
        folder: files.folder.clone(),
        pack: None,
        findings: Documents::of(files).lint(pack, &Surroundings::default(), decides),
    };
    folder
        .findings
        .iter()
        .map(|finding| Diagnostic {
            file: folder.path(finding.file),
            line: finding.place.line,
            column: finding.place.column,
            message: format!("{}: {}", finding.code, finding.message),
            help: finding.help.clone(),
        })
        .collect()
}

/// The programs of a pack's commands, each once, as far as its Surface can be read.
#[must_use]
pub fn programs(files: &PackFiles) -> Vec<String> {
    let surface = Document::new(&files.surface);
    let Some(root) = node(&surface) else {
        return Vec::new();
    };
    let mut all: Vec<String> = members(root.get("commands"))
        .iter()
        .filter_map(|member| items(member.value.get("cli")).first()?.as_str())
        .map(str::to_owned)
        .collect();
    all.sort();
    all.dedup();
    all
}

/// The files of a pack as texts.
struct Documents<'f> {
    pack: Document<'f>,
    surface: Document<'f>,
    policy: Document<'f>,
    skill: Document<'f>,
}

impl<'f> Documents<'f> {
    fn of(files: &'f PackFiles) -> Self {
        Self {
            pack: Document::new(&files.pack),
            surface: Document::new(&files.surface),
            policy: Document::new(&files.policy),
            skill: Document::new(files.skill.as_deref().unwrap_or_default()),
        }
    }

    fn get(&self, file: FileName) -> &Document<'f> {
        match file {
            FileName::Pack => &self.pack,
            FileName::Surface => &self.surface,
            FileName::Policy => &self.policy,
            FileName::Skill => &self.skill,
        }
    }

    fn lint(
        &self,
        pack: &Pack,
        around: &Surroundings,
        level: impl Fn(&Lint) -> Option<Level>,
    ) -> Vec<Finding> {
        let (Some(surface), Some(policy)) = (node(&self.surface), node(&self.policy)) else {
            return Vec::new();
        };
        let subject = Subject::new(pack, (&self.surface, &surface), &policy, &around.not_found);
        let mut findings = Vec::new();
        for lint in lints::ALL {
            let Some(level) = level(lint) else {
                continue;
            };
            let mut found = Found {
                lint,
                level,
                documents: self,
                findings: &mut findings,
            };
            (lint.check)(&subject, &mut found);
        }
        sort(&mut findings);
        findings
    }

    /// The faults of the loader as findings.
    fn refused(&self, files: &PackFiles, faults: &[Diagnostic]) -> Vec<Finding> {
        let folder = files.folder.trim_end_matches('/');
        let mut findings: Vec<Finding> = faults
            .iter()
            .map(|fault| {
                let name = fault.file.strip_prefix(folder).unwrap_or(&fault.file);
                let name = name.trim_start_matches('/');
                let file = FileName::ALL.into_iter().find(|f| f.as_str() == name);
                let file = file.unwrap_or(FileName::Pack);
                let document = self.get(file);
                let span = document.token(fault.line, fault.column);
                Finding {
                    code: lints::claiming(&fault.message).code,
                    level: Level::Error,
                    file,
                    span,
                    place: document.place(span),
                    message: fault.message.clone(),
                    help: fault.help.clone(),
                    command: None,
                    fix: None,
                }
            })
            .collect();
        sort(&mut findings);
        findings
    }
}

fn node(document: &Document<'_>) -> Option<Node> {
    parse(document.text, Limits::default()).ok()
}

fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| (a.file, a.span.start, a.code).cmp(&(b.file, b.span.start, b.code)));
}

/// Where a lint puts what it finds.
pub(crate) struct Found<'f> {
    lint: &'static Lint,
    level: Level,
    documents: &'f Documents<'f>,
    findings: &'f mut Vec<Finding>,
}

impl Found<'_> {
    /// Something about a command.
    pub(crate) fn about(
        &mut self,
        entry: &Entry<'_>,
        file: FileName,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.with_fix(entry, file, span, message, help, None);
    }

    /// Something about a command, with the edit that mends it.
    pub(crate) fn with_fix(
        &mut self,
        entry: &Entry<'_>,
        file: FileName,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
        fix: Option<Edit>,
    ) {
        self.push(
            Some(entry.name()),
            file,
            span,
            message.into(),
            help.into(),
            fix,
        );
    }

    /// Something about the pack.
    pub(crate) fn about_pack(
        &mut self,
        file: FileName,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(None, file, span, message.into(), help.into(), None);
    }

    /// A command's Policy is to have this key and value.
    pub(crate) fn set_policy(
        &mut self,
        entry: &Entry<'_>,
        (key, value): (&str, &str),
        message: impl Into<String>,
    ) {
        self.set_policy_at(entry, key, (key, value), message);
    }

    /// The same, told at another key of the Policy.
    pub(crate) fn set_policy_at(
        &mut self,
        entry: &Entry<'_>,
        told: &str,
        (key, value): (&str, &str),
        message: impl Into<String>,
    ) {
        let text = self.documents.policy.text;
        let wanted = Value::from(value);
        let fix = edit::set(FileName::Policy, text, &entry.policy.value, key, &wanted);
        let help = format!("write {}: {wanted}", Value::from(key));
        let span = entry.policy_span(told);
        self.with_fix(entry, FileName::Policy, span, message, help, fix);
    }

    /// A command's entry in the Surface is to have this key and value.
    pub(crate) fn set_surface(
        &mut self,
        entry: &Entry<'_>,
        (key, value): (&str, &Value),
        message: impl Into<String>,
    ) {
        let text = self.documents.surface.text;
        let fix = edit::set(FileName::Surface, text, entry.node, key, value);
        let help = format!("add {}: {}", Value::from(key), edit::one_line(value));
        self.with_fix(
            entry,
            FileName::Surface,
            entry.name_span,
            message,
            help,
            fix,
        );
    }

    /// Whatever `told` tells weighs no more than a note, unless somebody gave the code a level of its own.
    pub(crate) fn as_note(&mut self, told: impl FnOnce(&mut Self)) {
        let level = self.level;
        if level == self.lint.level {
            self.level = Level::Note;
        }
        told(self);
        self.level = level;
    }

    fn push(
        &mut self,
        command: Option<&str>,
        file: FileName,
        span: Span,
        message: String,
        help: String,
        fix: Option<Edit>,
    ) {
        self.findings.push(Finding {
            code: self.lint.code,
            level: self.level,
            file,
            span,
            place: self.documents.get(file).place(span),
            message,
            help: (!help.is_empty()).then_some(help),
            command: command.map(str::to_owned),
            fix,
        });
    }
}
