//! If the program is killed, only the move being typed is lost.

use std::time::Duration;

use super::{Home, PEOPLE};

/// The moves of a game.
const MOVES: [&str; 12] = [
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5",
];

/// The number of moves of the resumed game.
fn resumed(home: &Home) -> usize {
    let printed = home.printed(&["--resume"], "moves\n");
    let moves = printed.lines().find(|line| line.starts_with("1. "));
    let is_move = |word: &&str| !word.ends_with('.');
    moves.map_or(0, |moves| moves.split_whitespace().filter(is_move).count())
}

#[test]
fn confirmed_moves_are_not_lost() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % n
    };
    for round in 0..12 {
        let home = Home::new("kill");
        let mut process = home.process(PEOPLE);
        let answered = 1 + below(10) as usize;
        for (index, mv) in MOVES.iter().enumerate().take(answered) {
            process.send(mv);
            let dots = if index % 2 == 0 { "." } else { "..." };
            process.wait_for(&format!("{}{dots} {mv}", index / 2 + 1));
        }
        let taken_back = below(2) as usize;
        if taken_back == 1 {
            process.send("undo");
            process.wait_for("Took back the last move");
        }
        // Kill it somewhere in the middle of the next move.
        process.send(MOVES[answered - taken_back]);
        std::thread::sleep(Duration::from_micros(below(3000)));
        process.kill();
        let least = answered - taken_back;
        if least == 0 {
            continue;
        }
        let found = resumed(&home);
        assert!(
            found == least || found == least + 1,
            "round {round}: {found} moves of {least} that were answered"
        );
    }
}
