//! The pure judgement of the access layer.
//!
//! Everything here is a function of its arguments: no file, clock, environment, terminal or network.
//! Values from outside come in through [`json::parse`], which refuses what two readers could read
//! differently; what leaves goes through [`canonical`] when it is to be digested and through
//! [`text::safe`] when a person is to read it.

pub mod approval;
pub mod canonical;
pub mod code;
pub mod condition;
pub mod decimal;
pub mod diagnostic;
pub mod fields;
pub mod gate;
pub mod grants;
pub mod json;
pub mod mode;
pub mod moment;
pub mod names;
pub mod policy;
pub mod principal;
pub mod rule;
pub mod settings;
pub mod text;
