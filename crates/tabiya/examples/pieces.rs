//! Looks at a position piece by piece.

use tabiya::{Board, Color, FenError, Role, Square};

fn main() -> Result<(), FenError> {
    let board: Board =
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse()?;
    for square in board.occupied() {
        if let Some(piece) = board
            .piece_at(square)
            .filter(|piece| piece.role == Role::Bishop)
        {
            println!("{square}: {} {}", piece.color, piece.role);
        }
    }
    for color in Color::ALL {
        let pawns = board.pieces(color, Role::Pawn);
        println!("{color}: king {}, {} pawns", board.king(color), pawns.len());
    }
    println!(
        "f7: {}, e3: {}",
        board.piece_at(Square::F7).is_some(),
        board.piece_at(Square::E3).is_some()
    );
    Ok(())
}
