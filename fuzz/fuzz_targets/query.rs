//! Reads a query; its description is the same query.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::query(bytes));
