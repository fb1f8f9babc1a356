//! From a program's help text to a draft pack.
//!
//! It reads what a program says of itself and writes nothing but a draft that a person judges: commands,
//! arguments, guesses with their reasons. Its one effect, running the program, is a port ([`RunHelp`]); it
//! opens no file, reads no clock, and a hostile text only ever becomes a smaller draft or a message.

mod argument;
mod command;
mod draft;
mod guess;
mod model;
mod read;
mod rows;
mod sources;
mod text;
mod update;
mod usage;
mod walk;

pub use draft::{Counts, Draft, DraftError, pack_id};
pub use model::Family;
pub use update::{Memory, Update, UpdateError};
pub use walk::{Answer, Bounds, Only, RunHelp, Tool, WalkError, walk};
