//! Any bytes as what is typed during a game, and as the record of one.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::check_play(bytes));
