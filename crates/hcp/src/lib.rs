//! The access layer as a library: one pipeline from a call to its result.
