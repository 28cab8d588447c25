//! Any sequence of moves, questions and taking back from any start.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::{Game, check_game};

fuzz_target!(|game: Game| check_game(&game));
