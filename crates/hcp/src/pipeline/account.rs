//! As whom a call acts: the binding of its Principal, and the tool's own word for it, asked anew where that counts.
//!
//! The tool's word is output like any other: bounded in time and length, one line, made safe. Whatever else it says,
//! or where it says nothing, it is never taken for the account that was connected.

use super::in_time::in_time;
use super::prepare::Prepared;
use super::refusal::{Refusal, sentence};
use super::run::Target;
use super::{Hcp, Scope};
use crate::bindings::{BindingsError, PackBinding, Whose};
use crate::driver::{Captured, OutputMode, RenderedCall, RunResult, StdinSource};
use crate::packs::InstalledPack;
use crate::store::Disconnected;
use hcp_card::signal::holds_issued_key;
use hcp_core::canonical::Digest;
use hcp_core::code::Code;
use hcp_core::gate::ReasonCode;
use hcp_core::names::PackId;
use hcp_core::policy::Operation;
use hcp_core::text::{SafeText, quoted, safe};
use std::time::Duration;

/// How long the tool may take to say who it is connected as.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// The longest identity, in characters.
const LONGEST: usize = 256;
/// What is kept of the output: more than the longest identity can take.
const KEPT_BYTES: usize = 4 << 10;
/// How much of the tool's own message is passed on.
const SAID: usize = 120;

/// As whom a call acts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Account {
    /// The binding; `None` for a pack that acts for no account, and for one that is not connected.
    pub(crate) binding: Option<PackBinding>,
    /// Why the call cannot act as anybody.
    pub(crate) fault: Option<Box<Refusal>>,
}

/// What a tool told of its account.
pub(crate) struct Told {
    pub(crate) identity: String,
    /// Where the program was found.
    pub(crate) from: Option<String>,
}

impl Account {
    /// The account.
    pub(crate) fn identity(&self) -> Option<&str> {
        self.binding.as_ref().map(|b| b.identity.as_str())
    }

    fn missing(refusal: Refusal) -> Self {
        Self {
            binding: None,
            fault: Some(Box::new(refusal)),
        }
    }
}

impl Scope {
    /// Whose binding of a pack serves this scope.
    pub(crate) fn whose<'s>(&'s self, pack: &'s PackId) -> Whose<'s> {
        Whose {
            tenant: &self.tenant,
            principal: &self.principal.id,
            project: self.project.as_deref(),
            pack,
        }
    }
}

impl Hcp {
    /// Step 1, the binding: as whom a pack is connected. Only a pack that acts for an account has one, and for any
    /// other nothing is read.
    pub(crate) fn account(&self, installed: &InstalledPack) -> Result<Account, Refusal> {
        let pack = &installed.pack;
        let Some(connect) = &pack.connect else {
            return Ok(Account::default());
        };
        let found = self.ports.bindings.get(&self.scope.whose(&pack.id));
        let Some(binding) = found.map_err(|e| unusable(&e))? else {
            return Ok(Account::missing(self.not_connected(
                &pack.id,
                format!(
                    "The pack {} acts for an account, and is connected to none",
                    pack.id
                ),
                "not connected",
            )));
        };
        if binding.told_by != connect.identity {
            return Ok(Account::missing(self.not_connected(
                &pack.id,
                format!(
                    "The pack {} is connected as {}, as another program told: it says otherwise now how that is asked",
                    pack.id,
                    SafeText::line(&binding.identity)
                ),
                "connected by other words",
            )));
        }
        Ok(Account {
            binding: Some(binding),
            fault: None,
        })
    }

    /// Whether a call may act as its account by now. A card and a taken approval want the tool's own word, and so
    /// does what runs unasked and changes something, or rests on a session's rule, which ends with the account. A
    /// read that runs unasked costs no second program: it wants the binding alone.
    pub(crate) async fn may_run_unasked(&self, prepared: &Prepared) -> Result<(), Refusal> {
        let by_session = prepared.answer.reason_code == ReasonCode::Session;
        if by_session || prepared.policy.operation == Operation::Write {
            return self.still_connected(prepared).await;
        }
        match &prepared.account.fault {
            Some(fault) => Err(Refusal::clone(fault)),
            None => Ok(()),
        }
    }

    /// Asks anew who the account is; an answer that is not the binding's own is a refusal.
    pub(crate) async fn still_connected(&self, prepared: &Prepared) -> Result<(), Refusal> {
        if let Some(fault) = &prepared.account.fault {
            return Err(Refusal::clone(fault));
        }
        let Some(binding) = &prepared.account.binding else {
            return Ok(());
        };
        let pack = &prepared.verb.pack;
        let told = self.identity(&prepared.installed, Some(binding)).await;
        let told = told.map_err(|why| {
            let message = format!("As whom {pack} would act cannot be told: {why}");
            self.not_connected(pack, message, "the identity cannot be told")
        })?;
        let is = told.identity;
        if is == binding.identity {
            return Ok(());
        }
        let was = &binding.identity;
        let message = format!(
            "The account of {pack} changed: was {}, is {}",
            SafeText::line(was),
            SafeText::line(&is)
        );
        let mut refusal = self.not_connected(pack, message, "the identity changed");
        refusal.extra.insert("was", was.as_str());
        refusal.extra.insert("is", is);
        Err(refusal)
    }

    /// Who the account of a pack is, by its own program's word; or why that cannot be told. Of a pack that is connected
    /// only the program that told it then is run.
    pub(crate) async fn identity(
        &self,
        installed: &InstalledPack,
        known: Option<&PackBinding>,
    ) -> Result<Told, String> {
        let connect = installed.pack.connect.as_ref();
        let words = connect.map(|c| c.identity.as_slice()).unwrap_or_default();
        let name = quoted(words.first().map(String::as_str).unwrap_or_default());
        let target = self.tool(installed, words, &[]);
        let target = target.map_err(|refusal| without_stop(&refusal.message))?;
        let from = match &target.program {
            None => None,
            Some(program) => {
                let from = program.found.to_str();
                Some(from.ok_or("its path is no text")?.to_owned())
            }
        };
        if let Some(known) = known.filter(|known| known.told_from != from) {
            let place = |from: &Option<String>| from.as_deref().map_or_else(String::new, quoted);
            return Err(format!(
                "another program answers, {} and not {}",
                place(&from),
                place(&known.told_from)
            ));
        }
        let call = RenderedCall {
            timeout: Some(PATIENCE),
            output: OutputMode::Capture { limit: KEPT_BYTES },
            ..self.plain_call(words, target)
        };
        let whose = self.scope.whose(&installed.pack.id);
        let asked = self.ports.driver.identity(&whose, &call);
        match in_time(asked, PATIENCE).await {
            Some(RunResult::Exited(ended)) if ended.exit_code() == 0 => {
                let identity = read_identity(&ended.stdout);
                let identity = identity.map_err(|why| format!("{name} {why}"))?;
                Ok(Told { identity, from })
            }
            Some(RunResult::Exited(ended)) => {
                let said = said(&ended.stderr);
                Err(format!("{name} ended with {}{said}", ended.exit_code()))
            }
            Some(RunResult::TimedOut(_)) | None => Err(format!(
                "{name} did not answer within {} s",
                PATIENCE.as_secs()
            )),
            Some(RunResult::SpawnFailed { message }) => Err(message),
        }
    }

    /// Where the program that tells the account of a pack is found here, where there is one.
    pub(crate) fn told_from(&self, installed: &InstalledPack) -> Option<String> {
        let words = &installed.pack.connect.as_ref()?.identity;
        let program = self.tool(installed, words, &[]).ok()?.program?;
        Some(program.found.to_str()?.to_owned())
    }

    /// Words of a pack that stand for themselves, as they are run.
    pub(crate) fn plain_call(&self, words: &[String], target: Target) -> RenderedCall {
        let name = words.first().cloned().unwrap_or_default();
        let (argv0, program) = target.called(&name);
        RenderedCall {
            argv0,
            program,
            words: words.iter().skip(1).cloned().collect(),
            env: target.env,
            cwd: self.scope.cwd.clone(),
            stdin: StdinSource::Closed,
            timeout: None,
            output: OutputMode::Capture { limit: KEPT_BYTES },
        }
    }

    pub(crate) fn not_connected(
        &self,
        pack: &PackId,
        message: impl std::fmt::Display,
        log: &str,
    ) -> Refusal {
        let hint = if self.scope.inside_agent() {
            format!("ask the person to run hcpx connect {pack} in a terminal of their own")
        } else {
            format!("hcpx connect {pack}")
        };
        Refusal::new(Code::NotConnected, format!("{message}. Nothing ran."))
            .log(log)
            .hint(hint)
    }

    /// Ends what waits, or was approved, for this Principal's calls of a pack: one call's, or those of all of them.
    /// Where no store is yet, nothing waits.
    pub(crate) fn end_requests(
        &self,
        pack: &PackId,
        binding: Option<&Digest>,
    ) -> Result<usize, Refusal> {
        let Some((store, _)) = (self.ports.kept)() else {
            return Ok(0);
        };
        let ended = Disconnected {
            tenant: &self.scope.tenant,
            principal: &self.scope.principal.id,
            pack,
            binding,
        };
        let done = store.end_connected(&ended, self.ports.clock.as_ref());
        done.map_err(|e| super::approve::store_refusal(&e))
    }
}

/// Bindings that cannot be read or written.
pub(crate) fn unusable(error: &BindingsError) -> Refusal {
    let (message, diagnostics) = match error {
        // Whoever shows the refusal names the places.
        BindingsError::Invalid(places) => {
            ("The bindings cannot be used".to_owned(), places.clone())
        }
        BindingsError::Unavailable { .. } | BindingsError::Failed(_) => {
            (sentence(&error.to_string()), Vec::new())
        }
    };
    let mut refusal = Refusal::new(Code::StoreUnavailable, format!("{message}. Nothing ran."))
        .log("bindings unusable")
        .hint("mend the file, or take it away and connect the packs anew (hcpx connect ID)");
    refusal.diagnostics = diagnostics;
    refusal
}

/// The one line that tells an identity, made safe; or what is wrong with it.
fn read_identity(output: &Captured) -> Result<String, String> {
    let too_long = || format!("printed more than {LONGEST} characters, which is no account");
    if output.truncated {
        return Err(too_long());
    }
    let text = std::str::from_utf8(&output.bytes)
        .map_err(|_| "printed something that is no UTF-8".to_owned())?;
    let line = text.strip_suffix('\n').unwrap_or(text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.contains(is_break) {
        return Err("printed several lines, where one names the account".to_owned());
    }
    let line = line.trim_matches([' ', '\t']);
    if line.is_empty() {
        return Err("printed nothing, where one line names the account".to_owned());
    }
    if line.chars().count() > LONGEST {
        return Err(too_long());
    }
    // An identity stands on cards and in the log, where no key may stand.
    if holds_issued_key(line) {
        return Err("printed what looks like a key or token, which is no account".to_owned());
    }
    Ok(safe(line).as_str().to_owned())
}

/// What begins a new line somewhere.
fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The first line of what a program said of itself, short and safe.
pub(crate) fn said(output: &Captured) -> String {
    let text = String::from_utf8_lossy(&output.bytes);
    let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return String::new();
    };
    let short: String = line.chars().take(SAID).collect();
    let more = if line.chars().count() > SAID {
        "…"
    } else {
        ""
    };
    format!(" and said: {}{more}", safe(&short))
}

/// A refusal's message, to stand inside another one.
fn without_stop(message: &str) -> String {
    let text = message.trim_end_matches(" Nothing ran.");
    text.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<String, String> {
        read_identity(&Captured {
            bytes: bytes.to_vec(),
            truncated: false,
            len: bytes.len() as u64,
        })
    }

    #[test]
    fn one_line_names_an_account() {
        for (printed, expected) in [
            ("ana", "ana"),
            ("ana\n", "ana"),
            ("ana\r\n", "ana"),
            ("  ana@example.org \n", "ana@example.org"),
            ("Ana María\n", "Ana María"),
            // What cannot be seen is shown, and what only looks like that stays told apart from it.
            ("a\u{202e}na\n", r"a\u{202e}na"),
            ("a\\u{202e}na\n", r"a\\u{202e}na"),
            ("\u{1b}[31mana\u{1b}[0m\n", r"\u{1b}[31mana\u{1b}[0m"),
            ("ana\u{200b}\n", r"ana\u{200b}"),
        ] {
            assert_eq!(
                read(printed.as_bytes()).as_deref(),
                Ok(expected),
                "{printed:?}"
            );
        }
    }

    #[test]
    fn what_is_no_line_names_nobody() {
        let long = "a".repeat(LONGEST + 1);
        for printed in [
            "",
            "\n",
            " \t \n",
            "ana\nops\n",
            "ana\n\n",
            "\nana",
            "ana\rops",
            "ana\u{2028}ops",
            "ana\u{85}ops",
            "ana\u{b}ops",
            "ghp_0123456789abcdefghijABCDEFGHIJ012345\n",
            "token: ghp_0123456789abcdefghijABCDEFGHIJ012345\n",
            long.as_str(),
        ] {
            assert!(read(printed.as_bytes()).is_err(), "{printed:?}");
        }
        assert!(read(b"ana\xff").is_err());
        assert!(read("a".repeat(LONGEST).as_bytes()).is_ok());
        let cut = Captured {
            bytes: b"ana".to_vec(),
            truncated: true,
            len: 1 << 30,
        };
        assert!(read_identity(&cut).is_err());
    }
}
