//! Reads a WARC record inside a gzip member that is whole.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::warc(bytes));
