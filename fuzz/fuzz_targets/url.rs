//! Reads a URL and a link on it; a normal form is its own.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::url(bytes));
