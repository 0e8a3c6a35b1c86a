//! Reads judgements; in every format they read back the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::qrels(bytes));
