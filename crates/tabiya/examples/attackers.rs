//! Who attacks a square, who gives check, and what is pinned.

use tabiya::{Bitboard, Board, Color, FenError, Square};

fn names(squares: Bitboard) -> String {
    let names: Vec<String> = squares
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    names.join(" ")
}

fn main() -> Result<(), FenError> {
    let board: Board =
        "rnb1k1nr/pppp1ppp/8/4p3/1b1PP2q/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 4 4".parse()?;
    for color in Color::ALL {
        let attackers = board.attackers(Square::E4, color, board.occupied());
        println!("{color} attacks e4 from: {}", names(attackers));
    }
    println!("pinned: {}", names(board.pinned()));
    println!("in check: {}", board.is_check());
    // What the queen on h4 sees if the pawn on f2 were gone.
    let without = board.occupied() - Bitboard::from(Square::F2);
    println!(
        "e1 would be attacked from: {}",
        names(board.attackers(Square::E1, Color::Black, without))
    );
    Ok(())
}
