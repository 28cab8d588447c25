//! Variations: moves that follow each other, as text.

use tabiya_board::{Board, Move};
use tabiya_notation::{MoveText, uci, write_san};

/// Formats a variation in SAN with move numbers: `2... Nc6 3. Bb5`.
///
/// # Panics
///
/// If a move is illegal.
pub fn format_variation(board: &Board, moves: &[Move]) -> String {
    let text = board.variation_san(moves);
    text.unwrap_or_else(|refusal| panic!("{refusal} in {board}"))
}

/// The moves of a variation in SAN.
///
/// # Panics
///
/// If a move is illegal.
pub fn san_moves(board: &Board, moves: &[Move]) -> Vec<String> {
    spelled(board, moves, |board, mv| write_san(board, mv).to_string())
}

/// The moves of a variation in UCI notation.
///
/// # Panics
///
/// If a move is illegal.
pub fn uci_moves(board: &Board, moves: &[Move]) -> Vec<String> {
    spelled(board, moves, |board, mv| uci::write(board, mv).to_string())
}

fn spelled(board: &Board, moves: &[Move], spell: impl Fn(&Board, Move) -> String) -> Vec<String> {
    let mut board = *board;
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(spell(&board, mv));
        board.play(mv);
    }
    words
}
