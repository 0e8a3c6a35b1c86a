//! Reads a file of another tool: WARC, ARC or TREC, packed or not.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::archive(bytes));
