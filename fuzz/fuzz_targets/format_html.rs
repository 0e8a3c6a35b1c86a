//! Reads HTML as it stands in books and messages.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_html(bytes));
