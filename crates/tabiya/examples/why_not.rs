//! Says why a move is illegal.

use tabiya::{Board, FenError, MoveText, Square};

fn main() -> Result<(), FenError> {
    let board: Board = "r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1".parse()?;
    for (from, to) in [
        (Square::E1, Square::G1),
        (Square::A1, Square::C2),
        (Square::B4, Square::B5),
    ] {
        let refusal = board.legal_move(from, to, None).unwrap_err();
        println!("{from}{to}: {refusal}");
    }
    for san in ["O-O", "Nf3", "Rb9"] {
        println!("{san}: {}", board.parse_san(san).unwrap_err());
    }
    let castles = board.parse_uci("e1c1").expect("the other side is free");
    println!("{}: legal", board.san(castles));
    Ok(())
}
