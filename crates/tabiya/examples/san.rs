//! Plays moves given in SAN and lists the answers in SAN.

use tabiya::{Board, MoveText, SanError};

fn main() -> Result<(), SanError> {
    let mut board = Board::start();
    for san in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"] {
        board.play(board.parse_san(san)?);
    }
    println!("{board}");
    let mut sans: Vec<String> = board
        .legal_moves()
        .iter()
        .map(|&mv| board.san(mv).to_string())
        .collect();
    sans.sort();
    println!("{}", sans.join(" "));
    Ok(())
}
