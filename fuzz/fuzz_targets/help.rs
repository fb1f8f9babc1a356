#![no_main]
#![allow(missing_docs)]

libfuzzer_sys::fuzz_target!(|input: &[u8]| hcp_fuzz::help(input));
