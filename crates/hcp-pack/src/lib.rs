//! Packs: from bytes to commands, and from arguments to command lines.
