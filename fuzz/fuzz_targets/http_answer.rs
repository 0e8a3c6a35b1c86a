//! Reads an answer of a server; however it is cut, the capture is the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::http_answer(bytes));
