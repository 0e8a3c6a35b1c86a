//! Reads an extension and a file, its format found by content.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_any(bytes));
