//! The access layer as a library: one pipeline from a call to its result.
//!
//! [`hcp_core`] judges; this crate holds the effects, each behind a port: where settings, packs,
//! approvals and the audit log live, what the clock says and how a program is run.

pub mod access_test;
pub mod advice;
pub mod agent;
pub mod audit;
pub mod bindings;
pub mod clock;
pub mod driver;
pub mod event;
pub mod facts;
pub mod fsutil;
pub mod home;
pub mod json_schema;
mod library;
pub mod local;
pub mod overview;
pub mod packs;
pub mod pipeline;
pub mod platform;
pub mod ports;
pub mod program;
pub mod protect;
pub mod settings;
pub mod store;

pub use audit::AuditSink;
pub use bindings::Bindings;
pub use clock::Clock;
pub use driver::Driver;
pub use hcp_card::{
    AnswerOption, Card, DEFAULT_SIGNAL_RULES, DEFAULT_VIEW_RULES, EndsWith, OptionKind as Answer,
    SessionRule, Signal, SignalRule, View, ViewKind, ViewRule, render as render_card,
};
pub use hcp_core::code::Code;
pub use hcp_core::grants::{Grant, default_authorize, permissive_grants};
pub use hcp_core::mode::{Approvals, Decision, Mode};
pub use hcp_core::names::VerbKey;
pub use hcp_core::settings::Effective;
pub use hcp_pack::{Argv, Pack, args_from_argv};
pub use library::{
    AccessOptions, ArgsError, BuildError, Builder, Gated, Hcp, IntoArgs, access, bundled_pack,
    gate_command, with_access,
};
pub use pipeline::{
    Approval, CallResult, Connected, ExecOptions, Forgotten, Login, Refusal, Request,
};
pub use ports::Authorize;
pub use store::ApprovalStore;
