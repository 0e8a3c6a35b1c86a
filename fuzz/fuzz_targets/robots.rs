//! Reads a path and a robots.txt, whatever its line ends are.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::robots(bytes));
