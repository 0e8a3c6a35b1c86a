//! Reads a feed of any kind; what is read of it is bounded.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::feed(bytes));
