//! Reads a fyke.toml; written again it gives the same settings.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::settings(bytes));
