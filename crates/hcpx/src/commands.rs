//! One module for each command, and the one place where an agent is kept out of those that change anything.

mod access;
mod answer;
mod approvals;
mod audit;
mod call;
mod check;
mod connect;
mod demo;
mod doctor;
mod exec;
mod home;
mod misc;
mod mode;
mod narrowest;
mod packs;
mod rule_words;
mod rules;
mod settings;
mod show;
mod times;
mod watch;
mod wrap;

pub(crate) use exec::raw_refusal;

use crate::cli::{Cli, Command, Side};
use crate::error::CliError;
use crate::output::{Output, Reply};
use hcp::agent::AgentStatus;
use hcp::event::{Detail, Via};
use hcp::local::Place;
use hcp::pipeline::Refusal;
use hcp_core::code::Code;

/// Runs one command and gives the exit code.
pub(crate) fn run(cli: &Cli, output: &Output) -> u8 {
    match answer(cli, output) {
        Ok(code) => code,
        Err(error) if raw(cli) => raw_refusal(&error, output),
        Err(error) => error.print(output),
    }
}

/// Whether standard output belongs to the tool alone.
fn raw(cli: &Cli) -> bool {
    matches!(&cli.command, Some(Command::Exec(words)) if words.raw)
}

fn answer(cli: &Cli, output: &Output) -> Result<u8, CliError> {
    // These know nothing of a place: they must work on a machine without a home.
    match &cli.command {
        Some(Command::Completions(words)) => return Ok(misc::completions(words, output)),
        Some(Command::Man) => return Ok(misc::man(output)),
        Some(Command::Schema(words)) => return misc::schema(words, output),
        Some(Command::Check(words)) => return check::run(words, output),
        _ => {}
    }
    let place = match (Place::find(Via::Cli), &cli.command) {
        (Ok(place), _) => place,
        (Err(refusal), Some(command)) if command.side() == Side::Changes => {
            return Err(without_place(refusal, command));
        }
        (Err(refusal), Some(Command::Exec(words))) => {
            let (pack, command) = call::names(&words.call);
            let mut error = CliError::from(refusal);
            if let Some(place) = Place::of_agent(Via::Cli)
                && let Err(failed) = place.record(&place.refused_call(pack, command, error.code))
            {
                error
                    .message
                    .push_str(&format!(" It could not be recorded: {}", failed.message));
            }
            return Err(error);
        }
        (Err(refusal), _) => return Err(refusal.into()),
    };
    let place = match std::env::current_exe() {
        Ok(program) => place.with_program(program),
        Err(_) => place,
    };
    let Some(command) = &cli.command else {
        return Ok(output.reply(&home::screen(&place, output.columns)?));
    };
    if command.side() == Side::Changes && place.agent.inside {
        return Err(human_only(&place.agent, Some(&place), command));
    }
    let reply = |reply: Reply| output.reply(&reply);
    let columns = output.columns;
    match command {
        Command::Demo(words) => demo::run(words, output),
        Command::Exec(words) => exec::run(&place, words, output),
        Command::Approvals(words) if words.watch => watch::run(&place, output),
        Command::Preview(words) => show::preview(&place, words, columns).map(reply),
        Command::Explain(words) => show::explain(&place, words, columns).map(reply),
        Command::Commands(words) => show::commands(&place, words, columns).map(reply),
        Command::Mode(words) => mode::run(&place, words).map(reply),
        Command::Allow(words) => rules::allow(&place, words).map(reply),
        Command::Ask(words) => rules::ask(&place, words).map(reply),
        Command::Deny(words) => rules::deny(&place, words).map(reply),
        Command::Rules(words) => rules::rules(&place, words, columns).map(reply),
        Command::Approvals(words) => approvals::approvals(&place, words, output).map(reply),
        Command::Approve(words) => approvals::approve(&place, words, output).map(reply),
        Command::Reject(words) => approvals::reject(&place, words, output).map(reply),
        Command::Access(words) => access::run(&place, words, columns).map(reply),
        Command::Audit(words) => audit::run(&place, words, output).map(reply),
        Command::Packs(words) => packs::run(&place, words, columns).map(reply),
        Command::Install(words) => packs::install(&place, words, columns).map(reply),
        Command::Uninstall(words) => packs::uninstall(&place, words).map(reply),
        Command::Connect(words) => connect::run(&place, words, output).map(reply),
        Command::Wrap(words) => wrap::run(&place, words, output).map(reply),
        Command::CompleteNames(words) => Ok(misc::complete_names(&place, words, output)),
        Command::Doctor => doctor::run(&place, columns).map(reply),
        Command::Check(_) | Command::Schema(_) | Command::Completions(_) | Command::Man => Ok(0),
    }
}

/// An access command in a place that cannot be used. An agent that brought its own home along is refused as
/// any other, and recorded where the agent was started.
fn without_place(refusal: Refusal, command: &Command) -> CliError {
    let agent = AgentStatus::current();
    if !agent.inside {
        return refusal.into();
    }
    human_only(&agent, Place::of_agent(Via::Cli).as_ref(), command)
}

/// An access command inside an agent: refused, and recorded as the clearest sign of an attack.
fn human_only(agent: &AgentStatus, place: Option<&Place>, command: &Command) -> CliError {
    let name = command.name();
    let found = agent.marker.as_ref().map_or_else(
        || "this is inside an agent".to_owned(),
        |marker| marker.human_only(),
    );
    let mut error = CliError::new(
        Code::HumanOnly,
        format!("hcpx {name} is for a person ({found}). Nothing changed."),
    )
    .hint(format!(
        "ask the person to run hcpx {name} in a terminal of their own"
    ));
    let event = |place: &Place| {
        place.event(Detail::Refused {
            act: name.to_owned(),
        })
    };
    let recorded = place.map(|place| place.record(&event(place)));
    if let Some(Err(failed)) = recorded {
        error
            .message
            .push_str(&format!(" It could not be recorded: {}.", failed.message));
    }
    error
}
