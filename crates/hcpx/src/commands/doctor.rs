//! `hcpx doctor`: checks a set-up, each finding with its mend.

use crate::error::CliError;
use crate::output::{Look, Reply, Text};
use hcp::local::{Connection, Place};
use hcp::packs::InstalledPack;
use hcp_core::json::{Object, Value};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Good,
    Note,
    Wrong,
}

/// One finding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) about: &'static str,
    pub(crate) weight: Weight,
    pub(crate) what: String,
    pub(crate) mend: Option<String>,
}

impl Finding {
    fn new(about: &'static str, weight: Weight, what: impl Into<String>) -> Self {
        Self {
            about,
            weight,
            what: what.into(),
            mend: None,
        }
    }

    fn good(about: &'static str, what: impl Into<String>) -> Self {
        Self::new(about, Weight::Good, what)
    }

    fn note(about: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            mend: Some(mend.into()),
            ..Self::new(about, Weight::Note, what)
        }
    }

    fn bad(about: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            mend: Some(mend.into()),
            ..Self::new(about, Weight::Wrong, what)
        }
    }

    pub(crate) fn wrong(&self) -> bool {
        self.weight == Weight::Wrong
    }
}

pub(crate) fn run(place: &Place, columns: usize) -> Result<Reply, CliError> {
    let findings = findings(place);
    let mut text = Text::new();
    for finding in &findings {
        let (look, word) = match finding.weight {
            Weight::Good => (Look::Good, "ok   "),
            Weight::Note => (Look::Care, "note "),
            Weight::Wrong => (Look::Danger, "wrong"),
        };
        let room = columns.saturating_sub(19).max(20);
        let lines = hcp_card::render::wrap(hcp_core::text::safe(&finding.what).as_str(), room);
        for (i, line) in lines.iter().enumerate() {
            text = if i == 0 {
                text.piece(look, word)
                    .line(format!(" {:<12} {line}", finding.about))
            } else {
                text.line(format!("{:19}{line}", ""))
            };
        }
        if let Some(mend) = &finding.mend {
            text = text.piece(Look::Faint, "                   mend: ");
            text = if mend.starts_with("hcpx ") {
                text.line(mend)
            } else {
                text.prose(
                    Look::Plain,
                    &hcp_core::text::safe(mend),
                    columns,
                    "                   mend: ".len(),
                )
            };
        }
    }
    let wrong = findings.iter().filter(|f| f.wrong()).count();
    text = text.line(if wrong == 0 {
        "Nothing is wrong.".to_owned()
    } else {
        format!("{wrong} wrong.")
    });
    let json = Object::new()
        .with("ok", wrong == 0)
        .with("wrong", wrong as u64)
        .with(
            "findings",
            findings
                .iter()
                .map(|f| {
                    let weight = match f.weight {
                        Weight::Good => "ok",
                        Weight::Note => "note",
                        Weight::Wrong => "wrong",
                    };
                    Object::new()
                        .with("about", f.about)
                        .with("level", weight)
                        .with("what", f.what.as_str())
                        .with("mend", f.mend.clone())
                        .into()
                })
                .collect::<Vec<Value>>(),
        );
    let reply = Reply::ok(json, text).list("findings");
    Ok(if wrong == 0 { reply } else { reply.exit(1) })
}

/// Everything that can be checked without changing anything.
pub(crate) fn findings(place: &Place) -> Vec<Finding> {
    let mut found = vec![home(place)];
    found.extend(settings(place));
    found.extend(packs(place));
    found.extend(key(place));
    found.push(store(place));
    found.extend(audit(place));
    found.push(agent(place));
    found.push(protection(place));
    found
}

fn home(place: &Place) -> Finding {
    let path = place.home.path();
    match hcp::fsutil::check_private_folder(path) {
        Ok(true) => Finding::good("home", path.display().to_string()),
        Ok(false) => Finding::note(
            "home",
            format!("{} is not there yet", path.display()),
            "hcpx install ledger makes it",
        ),
        Err(e) => Finding::bad(
            "home",
            format!("{}: {e}", path.display()),
            format!("chmod 700 {}", path.display()),
        ),
    }
}

fn settings(place: &Place) -> Vec<Finding> {
    let layers = match place.layers() {
        Ok(layers) => layers,
        Err(refusal) => {
            let lines: Vec<String> = refusal
                .diagnostics
                .iter()
                .map(ToString::to_string)
                .collect();
            return vec![Finding::bad(
                "settings",
                lines.join("; "),
                "mend the places named; hcpx access check FILE",
            )];
        }
    };
    let mut found = vec![Finding::good("settings", "every layer can be read")];
    if let Err(refusal) = place.grants() {
        let lines: Vec<String> = refusal
            .diagnostics
            .iter()
            .map(ToString::to_string)
            .collect();
        found.push(Finding::bad(
            "grants",
            lines.join("; "),
            "mend the places named",
        ));
    }
    let installed = place.installed();
    let packs: Vec<&hcp_pack::Pack> = installed.iter().map(|i| &i.pack).collect();
    for advice in hcp::advice::all(&layers, &packs, place.now()) {
        found.push(Finding::note(
            "rules",
            format!("rule {} in {}: {}", advice.index, advice.file, advice.text),
            "hcpx rules",
        ));
    }
    found
}

fn packs(place: &Place) -> Vec<Finding> {
    let mut found: Vec<Finding> = place
        .broken_packs()
        .into_iter()
        .map(|what| {
            Finding::bad(
                "packs",
                what,
                "hcpx packs diff ID; then hcpx packs accept ID or hcpx install --replace NAME",
            )
        })
        .collect();
    for installed in place.installed() {
        found.push(match place.program_of(&installed) {
            Ok(path) => Finding::good("program", format!("{} runs {path}", installed.pack.id)),
            Err(why) => Finding::bad(
                "program",
                format!("{}: {why}", installed.pack.id),
                "install the program, or mend the folder",
            ),
        });
        // One file holds them all, and what is wrong with it is said once.
        let account = account(place, &installed).filter(|a| !found.contains(a));
        found.extend(account);
    }
    if found.is_empty() {
        found.push(Finding::note(
            "packs",
            "no pack is installed",
            "hcpx install ledger",
        ));
    }
    found
}

/// As whom a pack acts, as that was kept: the tool is not asked.
fn account(place: &Place, installed: &InstalledPack) -> Option<Finding> {
    let id = &installed.pack.id;
    match place.connection(installed) {
        Connection::NotNeeded => None,
        Connection::As(identity) => Some(Finding::good(
            "account",
            format!("{id} is connected as {identity}"),
        )),
        Connection::Missing(_) => Some(Finding::note(
            "account",
            format!("{id} acts for an account, and is connected to none"),
            format!("hcpx connect {id}"),
        )),
        Connection::Unusable(why) => Some(Finding::bad(
            "account",
            why,
            "mend the file, or take it away and connect the packs anew",
        )),
    }
}

fn key(place: &Place) -> Option<Finding> {
    if !place.home.key_file().exists() {
        return None;
    }
    Some(match place.home.key() {
        Ok(_) => Finding::good("key", "the store's key is there and private"),
        Err(e) => Finding::bad("key", e.to_string(), "as it says"),
    })
}

fn store(place: &Place) -> Finding {
    if !place.home.approvals().exists() {
        return Finding::good("approvals", "no call has asked yet");
    }
    match place.store().and_then(|s| s.list(place.clock())) {
        Ok(list) => Finding::good(
            "approvals",
            match list.len() {
                1 => "1 request is kept".to_owned(),
                n => format!("{n} requests are kept"),
            },
        ),
        Err(e) => Finding::bad("approvals", e.to_string(), "as it says"),
    }
}

fn audit(place: &Place) -> Vec<Finding> {
    if !place.home.audit().exists() {
        return vec![Finding::good("audit", "nothing is recorded yet")];
    }
    let log = place.audit_log();
    let mut found = vec![match log.verify(None) {
        Ok(report) if report.faults.is_empty() => Finding::good(
            "audit",
            format!("the chain of {} lines is whole", report.lines),
        ),
        Ok(report) => Finding::bad(
            "audit",
            format!("{} faults in the chain", report.faults.len()),
            "hcpx audit verify names them",
        ),
        Err(e) => Finding::bad("audit", e.to_string(), "as it says"),
    }];
    if !log.is_keyed() {
        found.push(Finding::note(
            "audit key",
            "the arguments' digests have no key: a small amount can be guessed from them",
            "hcpx audit key init",
        ));
    }
    found
}

fn agent(place: &Place) -> Finding {
    Finding::good("caller", place.agent.looked())
}

fn protection(place: &Place) -> Finding {
    let who = if nix::unistd::Uid::effective().is_root() {
        "root"
    } else {
        "your own account"
    };
    let inside = if place.agent.inside {
        "an agent runs"
    } else {
        "agents run"
    };
    Finding::note(
        "protection",
        format!(
            "a fence, not a wall: {inside} as {who}, so one with free access to your files can get past hcpx"
        ),
        "run the runtime under an account of its own, or the agent in a sandbox that cannot write the store",
    )
}
