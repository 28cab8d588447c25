//! Any sequence of moves, queries and takebacks from any starting position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::{Game, check_game};

fuzz_target!(|game: Game| check_game(&game));
