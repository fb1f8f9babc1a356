//! Steps 7 and 8 of a call: the audit line, then the driver, then what came of it.

use super::prepare::{Attempt, Prepared};
use super::record;
use super::refusal::Refusal;
use super::result::{CallResult, RunOutput};
use super::{CallRequest, Hcp};
use crate::driver::{RenderedCall, RunResult, StdinSource, base_environment, check_length};
use crate::event::By;
use crate::packs::InstalledPack;
use crate::program::{Program, SearchIn, resolve};
use hcp_core::code::Code;
use hcp_core::text::safe;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How long a run inside an agent may take when nobody says otherwise.
const AGENT_TIMEOUT: Duration = Duration::from_secs(600);

/// What would be run: found before anybody is asked, bound by an approval, and run as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// `None` for a driver that runs no program of this machine.
    pub(crate) program: Option<Program>,
    pub(crate) env: Vec<(OsString, OsString)>,
}

impl Target {
    /// The name that the program is called by, and its file; for a driver that runs no program of this machine the
    /// name as the pack writes it.
    pub(crate) fn called(&self, name: &str) -> (OsString, PathBuf) {
        match &self.program {
            Some(program) => (program.found.clone().into_os_string(), program.path.clone()),
            None => (name.into(), name.into()),
        }
    }
}

impl Hcp {
    /// Finds the program of a call.
    pub(crate) fn target(&self, prepared: &Prepared) -> Result<Target, Refusal> {
        let own = &prepared.rendered.env;
        self.tool(&prepared.installed, &prepared.words(), own)
    }

    /// Finds the program that these words of a pack begin with, and makes its environment.
    pub(crate) fn tool(
        &self,
        installed: &InstalledPack,
        words: &[String],
        own: &[(String, String)],
    ) -> Result<Target, Refusal> {
        let name = words.first().map(String::as_str).unwrap_or_default();
        if !self.ports.driver.runs_programs() {
            let env = own.iter().map(|(n, v)| (n.into(), v.into())).collect();
            return Ok(Target { program: None, env });
        }
        let search = self.search_in(installed);
        let program = resolve(name, search, &self.scope.cwd).map_err(|e| {
            Refusal::new(
                Code::SpawnFailed,
                format!("{}. Nothing ran.", super::refusal::sentence(&e.to_string())),
            )
            .log("program not found")
            .hint("hcpx doctor lists the programs of your packs and where they were found")
        })?;
        let variables = self.scope.environment.to_pairs().into_iter();
        let declared = &installed.pack.env;
        let mut env = base_environment(variables, declared, self.scope.inside_agent());
        for (name, value) in own {
            env.retain(|(n, _)| n != name.as_str());
            env.push((name.into(), value.into()));
        }
        check_length(words, &env).map_err(|e| {
            Refusal::new(
                Code::InvalidArgs,
                format!("{}. Nothing ran.", super::refusal::sentence(&e.to_string())),
            )
            .log("too long")
        })?;
        Ok(Target {
            program: Some(program),
            env,
        })
    }

    /// Where the program of a pack is looked for: the demo packs bring their own, and no other is meant.
    pub(crate) fn search_in(&self, installed: &InstalledPack) -> SearchIn<'_> {
        if installed.uses_store_bin() {
            SearchIn::Folder(&self.scope.bin)
        } else {
            SearchIn::Path(self.scope.environment.get("PATH").unwrap_or_default())
        }
    }

    /// Records the run and then runs it.
    pub(crate) async fn run(
        &self,
        call: &CallRequest,
        prepared: &Prepared,
        target: Target,
        attempt: &mut Attempt,
        by: By,
        spent: Option<String>,
    ) -> Result<CallResult, Refusal> {
        if let Err(e) = self.record_run(attempt, prepared, &by) {
            let mut refusal = record::unavailable(&e);
            if let Some(id) = &spent {
                refusal
                    .message
                    .push_str(&format!(" The approval {} is spent.", safe(id)));
            }
            return Err(refusal.recorded());
        }
        let rendered = self.rendered(call, prepared, target);
        let ended = self.ports.driver.run(&rendered).await;
        let mut result = match ended {
            RunResult::SpawnFailed { message } => {
                let corrected = self.record_not_run(attempt, &by);
                let spent = spent.map_or_else(String::new, |id| {
                    format!(" The approval {} is spent.", safe(&id))
                });
                let told = if corrected.is_err() {
                    " The log could not be corrected."
                } else {
                    ""
                };
                CallResult::new(
                    Code::SpawnFailed,
                    format!("The program could not be started: {message}.{spent}{told}"),
                )
            }
            RunResult::Exited(ended) => exited(RunOutput {
                exit_code: Some(ended.exit_code()),
                ended,
            }),
            RunResult::TimedOut(ended) => {
                let output = RunOutput {
                    exit_code: None,
                    ended,
                };
                let mut result = CallResult::new(
                    Code::Timeout,
                    format!(
                        "The command was ended after {} s; what it did until then stands.",
                        output.ended.duration.as_secs()
                    ),
                );
                result.output = Some(output);
                result
            }
        };
        if let Some(output) = &result.output {
            // The run is over: a log that fails now cannot undo it, so the result stays that of the run.
            let recorded = self.record_outcome(attempt, result.code, output);
            if let Err(e) = recorded {
                result.extra.insert("outcome_unrecorded", e.to_string());
            }
        }
        result.answer = Some(prepared.answer.clone());
        result.by = Some(record::by_value(&by));
        Ok(result)
    }

    fn rendered(&self, call: &CallRequest, prepared: &Prepared, target: Target) -> RenderedCall {
        let given = call
            .options
            .stdin
            .clone()
            .or_else(|| prepared.rendered.stdin.clone().map(String::into_bytes));
        let pack = prepared.installed.pack.timeout.map(Duration::from_secs);
        let timeout = match (self.scope.inside_agent(), call.options.timeout) {
            // No end, or a later one than the pack's, is for a person to choose.
            (true, given) => {
                let most = Some(pack.unwrap_or(AGENT_TIMEOUT)).filter(|t| !t.is_zero());
                let given = given.filter(|t| !t.is_zero());
                given.into_iter().chain(most).min()
            }
            (false, given) => given.or(pack).filter(|t| !t.is_zero()),
        };
        let mut words = prepared.words().into_iter();
        let name = words.next().unwrap_or_default();
        let (argv0, program) = target.called(&name);
        RenderedCall {
            argv0,
            program,
            words: words.collect(),
            env: target.env,
            cwd: self.scope.cwd.clone(),
            stdin: given.map_or(StdinSource::Closed, StdinSource::Bytes),
            timeout,
            output: call.options.output,
        }
    }
}

fn exited(output: RunOutput) -> CallResult {
    let mut result = match output.exit_code {
        Some(0) => CallResult::new(Code::Ok, "The command ran and ended with 0."),
        Some(code) => CallResult::new(
            Code::CommandFailed,
            format!("The command ran and ended with {code}."),
        ),
        None => CallResult::new(
            Code::CommandFailed,
            "The command ran and ended without an exit code.",
        ),
    };
    result.output = Some(output);
    result
}
