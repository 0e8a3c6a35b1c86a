//! Reads a rule of what to keep of pages: a pattern, selectors, and HTML that it is applied to.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::extract(bytes));
