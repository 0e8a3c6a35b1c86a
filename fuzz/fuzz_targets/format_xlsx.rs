//! Reads the parts of a workbook.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::format_xlsx(bytes));
