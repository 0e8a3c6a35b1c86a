//! Judges the lines of a paper and takes them apart.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::paper(bytes));
