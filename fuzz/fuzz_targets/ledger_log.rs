//! Reads records of the ledger's log, and damage done to it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fyke_fuzz::ledger_log(bytes));
