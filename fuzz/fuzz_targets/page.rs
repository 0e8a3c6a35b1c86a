//! Reads HTML; the skim of a page agrees with the page, and its copy is harmless.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::page(bytes));
