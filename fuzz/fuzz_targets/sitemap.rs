//! Reads a sitemap; however it is cut, its entries are the same, and written they read back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::sitemap(bytes));
