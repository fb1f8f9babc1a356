//! The hcpx program.
fn main() {}
