//! Any bytes as games and records of self-play.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::check_selfplay(bytes));
