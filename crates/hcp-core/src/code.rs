//! Every result code, in one table, with its exit code.

use serde::{Serialize, Serializer};
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $exit:literal;)*) => {
        /// What became of a call.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it stands in JSON.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The exit code of `hcpx`.
            #[must_use]
            pub fn exit(self) -> u8 {
                match self { $(Self::$variant => $exit,)* }
            }
        }
    };
}

codes! {
    /// It ran and ended with 0.
    Ok = "ok", 0;
    /// It ran and ended otherwise.
    CommandFailed = "command_failed", 1;
    /// The words given to hcpx are off.
    Usage = "usage", 2;
    /// The arguments do not fit the command.
    InvalidArgs = "invalid_args", 2;
    /// No such pack.
    UnknownPack = "unknown_pack", 2;
    /// No such command.
    UnknownCommand = "unknown_command", 2;
    /// It asks; nothing ran.
    ConfirmRequired = "confirm_required", 3;
    /// A deny rule; nothing ran.
    DeniedByRule = "denied_by_rule", 4;
    /// A person said no.
    Rejected = "rejected", 4;
    /// No grant for this act.
    NotAuthorized = "not_authorized", 4;
    /// The command acts on a project, and there is none.
    ProjectRequired = "project_required", 4;
    /// Only a person may do this, and this is inside an agent.
    HumanOnly = "human_only", 4;
    /// The call would touch the store.
    StoreProtected = "store_protected", 4;
    /// The approval is over.
    ApprovalExpired = "approval_expired", 5;
    /// The approval was used before.
    ApprovalUsed = "approval_used", 5;
    /// The approval is for another call.
    ApprovalMismatch = "approval_mismatch", 5;
    /// No such approval.
    ApprovalUnknown = "approval_unknown", 5;
    /// Too many requests are waiting.
    TooManyRequests = "too_many_requests", 5;
    /// The pack is broken.
    PackInvalid = "pack_invalid", 6;
    /// The pack is not what was installed.
    PackChanged = "pack_changed", 6;
    /// The settings cannot be read or are wrong.
    AccessInvalid = "access_invalid", 6;
    /// The pack is not connected, or as someone else.
    NotConnected = "not_connected", 6;
    /// It could not be recorded.
    AuditUnavailable = "audit_unavailable", 7;
    /// Approvals cannot be kept or read.
    StoreUnavailable = "store_unavailable", 7;
    /// The program could not be started.
    SpawnFailed = "spawn_failed", 8;
    /// The program took too long and was ended.
    Timeout = "timeout", 8;
    /// A fault of hcpx itself.
    Internal = "internal", 8;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
