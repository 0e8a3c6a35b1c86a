//! Reads a run; in every format it reads back the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::run(bytes));
