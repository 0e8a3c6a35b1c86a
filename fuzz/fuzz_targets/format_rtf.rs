//! Reads an RTF file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_rtf(bytes));
