//! Packs: from bytes to commands, and from arguments to command lines.
//!
//! Pure: it reads bytes that somebody else fetched and gives back commands, words and diagnostics.

pub mod args;
mod argv;
pub mod json_schema;
pub mod pack;
mod policy;
mod schema;
pub mod template;

pub use args::{ArgFault, Argument};
pub use argv::{Argv, args_from_argv};
pub use pack::{Command, Commands, Connect, Pack, PackFiles};
pub use template::{Piece, Rendered, Template, Word, shell_line};
