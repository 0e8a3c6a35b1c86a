//! Reads a PDF file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_pdf(bytes));
