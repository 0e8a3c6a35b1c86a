//! Reads the parts of a Word document.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_docx(bytes));
