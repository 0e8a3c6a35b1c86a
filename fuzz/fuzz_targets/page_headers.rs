//! Reads the headers of an answer that a page is read with.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::page_headers(bytes));
