//! Reads bytes taken for a gzip member with a record.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::warc_member(bytes));
