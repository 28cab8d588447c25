//! Any lines as commands of a chess program.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::check_uci(bytes));
