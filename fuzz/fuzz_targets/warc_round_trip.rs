//! Reads a payload; packed and read back it is the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::warc_round_trip(bytes));
