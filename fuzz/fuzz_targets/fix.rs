//! Any bytes as PGN to repair.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::check_fix(bytes));
