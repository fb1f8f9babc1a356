//! Every seed holds the law of its target, and so do texts made from the seeds by small changes.

use std::path::Path;
use std::time::{Duration, Instant};

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(name);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[test]
fn every_seed_holds_its_law() {
    for (name, law) in hcp_fuzz::TARGETS {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        seeds.iter().for_each(|seed| law(seed));
    }
}

/// A row of numbers that is the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % most.max(1)
    }
}

/// Pieces that parsers are known to stumble over.
const PIECES: &[&str] = &[
    "\"",
    "\\",
    "{{",
    "}}",
    "--",
    "-",
    "=",
    " ",
    "\n",
    "[",
    "]",
    "<",
    ">",
    "{",
    "}",
    ",",
    ":",
    "|",
    "...",
    "\u{202e}",
    "\u{200d}",
    "\u{301}",
    "\0",
    "1e400",
    "-0",
    "\\ud800",
    "null",
    "true",
    "a",
    "\u{1f}",
    "'",
    "$(",
    "\t",
    "  ",
    "\u{ff}",
    "--no-",
    "[no-]",
    "é",
    "👩\u{200d}🚀",
    "\u{feff}",
    "9999999999999999999",
    "0.1",
];

fn changed(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + dice.below(12)).min(bytes.len());
        let piece = match dice.below(5) {
            0 => Vec::new(),
            1 => vec![u8::try_from(dice.below(256)).unwrap()],
            2 => {
                let from = dice.below(bytes.len() + 1);
                bytes[from..(from + dice.below(40)).min(bytes.len())].to_vec()
            }
            _ => PIECES[dice.below(PIECES.len())].as_bytes().to_vec(),
        };
        let keep = if dice.below(2) == 0 { at } else { end };
        bytes.splice(at..keep, piece);
    }
    bytes
}

/// `HCP_FUZZ_SECONDS` gives each target so much time; without it each has a fixed number of texts.
#[test]
fn changed_seeds_hold_it_too() {
    let seconds = std::env::var("HCP_FUZZ_SECONDS")
        .ok()
        .and_then(|s| s.parse().ok());
    let only = std::env::var("HCP_FUZZ_TARGET").ok();
    for (name, law) in hcp_fuzz::TARGETS {
        if only.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        let seeds = seeds(name);
        let begun = Instant::now();
        let mut dice = Dice(seconds.map_or(0x9e37_79b9_7f4a_7c15, |s: u64| s | 1 << 40));
        let mut count = 0;
        loop {
            let more = match seconds {
                Some(seconds) => begun.elapsed() < Duration::from_secs(seconds),
                None => count < 60,
            };
            if !more {
                break;
            }
            let text = changed(&seeds, &mut dice);
            if let Err(fault) = std::panic::catch_unwind(|| law(&text)) {
                let path = std::env::temp_dir().join(format!("hcp-fuzz-{name}"));
                std::fs::write(&path, &text).unwrap();
                eprintln!("{name}: the text is in {}", path.display());
                std::panic::resume_unwind(fault);
            }
            count += 1;
        }
        println!("{name}: {count} texts");
    }
}
