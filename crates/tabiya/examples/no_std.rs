//! Without the standard library: the rules need only `core`. Use the crate with `default-features = false`.
//!
//! The standard library is here only because a program on a computer has to print something.
#![no_std]

extern crate std;

use tabiya::{Board, Move, Refusal, Square};

/// A chess computer's answer to a pressed pair of buttons.
fn pressed(board: &mut Board, from: Square, to: Square) -> Result<Move, Refusal> {
    let mv = board.legal_move(from, to, None)?;
    board.play(mv);
    Ok(mv)
}

fn main() {
    let mut board = Board::start();
    for (from, to) in [(Square::E2, Square::E4), (Square::E4, Square::E5)] {
        match pressed(&mut board, from, to) {
            Ok(mv) => std::println!("{mv}: {} answers", board.legal_moves().len()),
            Err(refusal) => std::println!("{from}{to}: {refusal}"),
        }
    }
}
