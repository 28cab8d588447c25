//! Any bytes as console input, and as the record of a game.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::check_herochess(bytes));
