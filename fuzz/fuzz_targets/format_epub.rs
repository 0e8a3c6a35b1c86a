//! Reads the parts of a book.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_epub(bytes));
