//! Reads HTML; every refiner takes its text from the page.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::refine(bytes));
