//! `hcpx schema`, `completions` and `man`: texts about the program itself.

use crate::cli::{Cli, CompleteNames, Completions, Schema};
use crate::error::CliError;
use crate::output::{Output, Text};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use hcp::local::Place;
use hcp_core::code::Code;

pub(crate) fn schema(words: &Schema, output: &Output) -> Result<u8, CliError> {
    let text = hcp::json_schema::text(&words.name).ok_or_else(|| {
        CliError::usage(format!(
            "there is no schema {}",
            hcp_core::text::quoted(&words.name)
        ))
    })?;
    // As it is: JSON has escapes of its own, and what makes text safe for people would break them.
    Ok(output.bytes(format!("{}\n", text.trim_end()).as_bytes()))
}

pub(crate) fn completions(words: &Completions, output: &Output) -> u8 {
    // Into a buffer: the generator panics when the pipe it writes to is closed.
    let mut bytes = Vec::new();
    clap_complete::generate(words.shell, &mut Cli::command(), "hcpx", &mut bytes);
    let script = String::from_utf8_lossy(&bytes).into_owned();
    output.bytes(with_names(words.shell, script).as_bytes())
}

/// The generated script, made to ask `hcpx complete-names` for the names of packs and commands.
fn with_names(shell: Shell, script: String) -> String {
    match shell {
        Shell::Bash => script + include_str!("misc/names.bash"),
        Shell::Fish => script + include_str!("misc/names.fish"),
        Shell::Zsh => {
            let own = include_str!("misc/names.zsh");
            let script = zsh_names(&script);
            // The names' function stands before the one that the script ends with starting.
            match script.find("\n_hcpx() {") {
                Some(at) => {
                    let (head, tail) = script.split_at(at);
                    format!("{head}\n{own}{tail}")
                }
                None => script,
            }
        }
        // The other shells complete the program's own words.
        Shell::Elvish | Shell::PowerShell | _ => script,
    }
}

/// Gives the names' function to each positional argument that is a pack or a command. A single colon
/// leaves the words before it in their place, so that the function sees the pack.
fn zsh_names(script: &str) -> String {
    const POSITIONALS: [(&str, &str); 3] = [
        ("'*::target -- ", "'*:target -- "),
        ("'::pack -- ", "'::pack -- "),
        ("':id -- The pack", "':id -- The pack"),
    ];
    let mut changed = String::new();
    for line in script.lines() {
        let named = POSITIONALS.iter().find_map(|(begins, instead)| {
            let rest = line.strip_prefix(begins)?;
            let (head, _) = rest.split_once(":_default'")?;
            Some(format!("{instead}{head}:_hcpx_names' \\"))
        });
        changed.push_str(named.as_deref().unwrap_or(line));
        changed.push('\n');
    }
    changed
}

/// The names that can follow: packs first, then the commands of the pack that stands there.
pub(crate) fn complete_names(place: &Place, words: &CompleteNames, output: &Output) -> u8 {
    if words.words.iter().any(|w| w == "--") {
        return 0;
    }
    let typed: Vec<&String> = words.words.iter().filter(|w| !w.starts_with('-')).collect();
    let installed = place.installed();
    let names: Vec<String> = match typed.as_slice() {
        [] => installed.iter().map(|i| i.pack.id.to_string()).collect(),
        [pack] => installed
            .iter()
            .filter(|i| i.pack.id.as_str() == pack.as_str())
            .flat_map(|i| i.pack.commands.keys().map(ToString::to_string))
            .collect(),
        _ => Vec::new(),
    };
    let text = names.iter().fold(Text::new(), |text, name| text.line(name));
    output.text(&text)
}

pub(crate) fn man(output: &Output) -> u8 {
    match man_page() {
        Ok(page) => output.bytes(&page),
        Err(_) => Code::Internal.exit(),
    }
}

/// One page for the whole program: examples first, then each command with its options.
fn man_page() -> std::io::Result<Vec<u8>> {
    let mut cli = Cli::command();
    cli.build();
    let mut page = Vec::new();
    let whole = Man::new(cli.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    page.extend(examples(&cli, ".SH EXAMPLES"));
    whole.render_options_section(&mut page)?;
    for command in cli.get_subcommands().filter(|c| !c.is_hide_set()) {
        if command.get_name() != "help" {
            man_section(command, &mut page)?;
        }
    }
    Ok(page)
}

/// A command and the commands below it; the options of every command stand at the top of the page alone.
fn man_section(command: &clap::Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    let own = command
        .clone()
        .mut_args(|arg| {
            let everywhere = arg.is_global_set() || arg.get_id() == "help";
            arg.hide(everywhere)
        })
        .subcommand_required(false);
    let name = own.get_bin_name().unwrap_or_default().to_owned();
    page.extend(format!(".SH {}\n", roff(&name)).bytes());
    if let Some(about) = own.get_about() {
        page.extend(format!("{}.\n", roff(&about.to_string())).bytes());
    }
    let mut parts = Vec::new();
    let man = Man::new(own.clone());
    man.render_synopsis_section(&mut parts)?;
    if own.get_arguments().any(|a| !a.is_hide_set()) {
        man.render_options_section(&mut parts)?;
    }
    let parts = String::from_utf8_lossy(&parts).replace(".SH ", ".SS ");
    page.extend(parts.bytes());
    page.extend(examples(&own, ".SS EXAMPLES"));
    for below in command.get_subcommands().filter(|c| c.get_name() != "help") {
        man_section(below, page)?;
    }
    Ok(())
}

/// The examples of a command's help, line by line.
fn examples(command: &clap::Command, heading: &str) -> Vec<u8> {
    let Some(help) = command.get_before_help() else {
        return Vec::new();
    };
    let lines: Vec<String> = help.to_string().lines().skip(1).map(roff).collect();
    format!("{heading}\n.nf\n{}\n.fi\n", lines.join("\n")).into_bytes()
}

/// A line of text for the manual's formatter.
fn roff(text: &str) -> String {
    text.replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq")
}
