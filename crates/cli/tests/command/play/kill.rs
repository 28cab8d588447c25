//! The program is killed at any moment, and at most the move that was being typed is lost.

use std::time::Duration;

use super::{Home, PEOPLE};

/// Moves that can be played on and on.
const MOVES: [&str; 12] = [
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5",
];

/// The moves that a resumed game shows.
fn resumed(home: &Home) -> usize {
    let printed = home.printed(&["--resume"], "moves\n");
    let moves = printed.lines().find(|line| line.starts_with("1. "));
    let is_move = |word: &&str| !word.ends_with('.');
    moves.map_or(0, |moves| moves.split_whitespace().filter(is_move).count())
}

#[test]
fn what_has_been_answered_is_not_lost() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % n
    };
    for round in 0..12 {
        let home = Home::new("kill");
        let mut talk = home.talk(PEOPLE);
        let answered = 1 + below(10) as usize;
        for (index, mv) in MOVES.iter().enumerate().take(answered) {
            talk.say(mv);
            let dots = if index % 2 == 0 { "." } else { "..." };
            talk.hear(&format!("{}{dots} {mv}", index / 2 + 1));
        }
        let taken_back = below(2) as usize;
        if taken_back == 1 {
            talk.say("undo");
            talk.hear("The last move");
        }
        // Somewhere in the middle of the next one.
        talk.say(MOVES[answered - taken_back]);
        std::thread::sleep(Duration::from_micros(below(3000)));
        talk.kill();
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
