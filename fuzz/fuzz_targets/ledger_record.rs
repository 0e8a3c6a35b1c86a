//! Reads a record of the ledger; written again it says the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::ledger_record(bytes));
