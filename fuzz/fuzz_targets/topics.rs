//! Reads topics of an experiment; written they read back the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::topics(bytes));
