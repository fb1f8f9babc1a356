//! `hcpx connect`: a person signs in with a pack's tool, and the pack acts as that account from then on.

use super::answer;
use crate::cli;
use crate::error::CliError;
use crate::output::{Look, Output, Reply, Text};
use hcp::driver::OutputMode;
use hcp::local::Place;
use hcp::pipeline::{Connected, Forgotten, Login};
use hcp_core::json::Object;
use hcp_core::text::SafeText;
use std::time::Duration;

/// How long a sign-in may take where no person can end it.
const UNATTENDED: Duration = Duration::from_secs(600);

pub(crate) fn run(place: &Place, words: &cli::Connect, output: &Output) -> Result<Reply, CliError> {
    let hcp = place.hcp()?;
    if words.forget {
        let gone = pollster::block_on(hcp.disconnect(&words.id))?;
        return Ok(forgotten(&words.id, &gone));
    }
    let (to, patience) = if answer::terminal() {
        // Standard output is the answer's alone.
        (OutputMode::Aside, None)
    } else {
        (OutputMode::Capture { limit: 1 << 20 }, Some(UNATTENDED))
    };
    let login = Login {
        output: to,
        timeout: words.timeout.map(Duration::from_secs).or(patience),
    };
    if to == OutputMode::Aside {
        output.say(&Text::new().styled(
            Look::Faint,
            format!("The terminal is {}'s until you are signed in.", words.id),
        ));
    }
    let done = pollster::block_on(hcp.connect(&words.id, login))?;
    Ok(connected(&done))
}

fn connected(done: &Connected) -> Reply {
    let (pack, identity) = (&done.pack, &done.identity);
    let line = match &done.was {
        Some(was) if was == identity => format!("{pack} is connected as {identity}, as before."),
        Some(was) => format!("{pack} is connected as {identity} (was {was}, is {identity})."),
        None => format!("{pack} is connected as {identity}."),
    };
    let text = withdrawn(Text::new().safe(SafeText::line(&line)), done.ended)
        .piece(Look::Faint, "undo: ")
        .line(format!("hcpx connect {pack} --forget"));
    let json = Object::new()
        .with("id", pack.as_str())
        .with("identity", identity.as_str())
        .with("was", done.was.clone())
        .with("withdrawn", done.ended as u64);
    Reply::ok(json, text)
}

/// Says how many requests ended with an account.
fn withdrawn(text: Text, ended: usize) -> Text {
    match ended {
        0 => text,
        1 => text.line("1 request that was made under the account before is withdrawn."),
        n => text.line(format!(
            "{n} requests that were made under the account before are withdrawn."
        )),
    }
}

fn forgotten(id: &str, done: &Forgotten) -> Reply {
    let was = done.was.as_str();
    let line = format!("{id} is connected to no account now (it was {was}).");
    let text = withdrawn(Text::new().safe(SafeText::line(&line)), done.ended)
        .line(format!(
            "The tool itself stays signed in; {id} runs nothing before it is connected anew."
        ))
        .piece(Look::Faint, "undo: ")
        .line(format!("hcpx connect {id}"));
    let json = Object::new()
        .with("id", id)
        .with("identity", hcp_core::json::Value::Null)
        .with("was", was)
        .with("withdrawn", done.ended as u64);
    Reply::ok(json, text)
}
