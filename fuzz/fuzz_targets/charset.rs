//! Reads a Content-Type and a text; owned and borrowed bytes give the same text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::charset(bytes));
