//! Benchmarks: the product and other programs at the same work, in the same run, as Markdown tables.
//!
//! Nothing depends on this crate. Where a peer answers the same question, the answers are checked equal
//! before anything is timed, and the tables print ratios, because times differ from machine to machine.

mod audit;
mod cards;
mod check;
mod decide;
mod grants;
mod measure;
mod process;
mod report;
mod settings;

use clap::Parser;
use report::Section;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a benchmark ends with where it cannot be run.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[derive(Parser)]
#[command(about = "Measures hcpx against its peers and prints Markdown")]
struct Cli {
    /// The hcpx to measure as a process
    #[arg(long)]
    hcpx: Option<PathBuf>,
    /// Few repetitions: to see that it works, not to measure
    #[arg(long)]
    quick: bool,
    /// Only these parts: decide, cards, check, grants, process, settings, audit
    parts: Vec<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut failed = false;
    for (name, measure) in PARTS {
        if !cli.parts.is_empty() && !cli.parts.iter().any(|part| part == name) {
            continue;
        }
        match measure(&cli) {
            Ok(sections) => {
                for section in sections {
                    println!("{section}");
                }
            }
            Err(fault) => {
                eprintln!("{name}: {fault}");
                failed = true;
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

type Part = fn(&Cli) -> Result<Vec<Section>>;

const PARTS: &[(&str, Part)] = &[
    ("decide", |cli| decide::measure(cli.quick)),
    ("cards", |cli| cards::measure(cli.quick)),
    ("check", |cli| check::measure(cli.quick)),
    ("grants", |cli| grants::measure(cli.quick)),
    ("process", |cli| process::measure(hcpx(cli)?, cli.quick)),
    ("settings", |cli| settings::measure(hcpx(cli)?, cli.quick)),
    ("audit", |cli| audit::measure(cli.quick)),
];

fn hcpx(cli: &Cli) -> Result<&std::path::Path> {
    Ok(cli.hcpx.as_deref().ok_or("name the program: --hcpx FILE")?)
}
