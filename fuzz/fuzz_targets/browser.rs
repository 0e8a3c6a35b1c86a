//! Reads what a browser says.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::browser(bytes));
