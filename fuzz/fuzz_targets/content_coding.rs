//! Reads a Content-Encoding and a payload; no more comes out than the limit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::content_coding(bytes));
