//! The legal moves of a position given as FEN.

use tabiya::{Board, FenError};

fn main() -> Result<(), FenError> {
    let board: Board = "4k3/P6r/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    let mut moves: Vec<String> = board
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect();
    moves.sort();
    println!("{} moves: {}", moves.len(), moves.join(" "));
    Ok(())
}
