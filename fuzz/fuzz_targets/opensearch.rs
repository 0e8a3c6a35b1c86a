//! Reads an OpenSearch description.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::opensearch(bytes));
