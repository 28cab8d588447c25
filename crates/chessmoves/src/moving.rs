//! Moves on boards of which nothing is known but the pieces.

use tabiya_board::{Bitboard, Placement, Role, Square};

use crate::layout::Move;

/// The square of the one piece that can make the move.
pub(crate) fn origin(pieces: &Placement, mv: &Move) -> Option<Square> {
    let piece = mv.piece()?;
    let to = mv.to_loc.square()?;
    let mut candidates = pieces.pieces(piece.color, piece.role) & mv.from_loc.squares();
    if piece.role == Role::Pawn && !mv.from_loc.has_column() {
        // Without a column, a pawn captures where that is said, and otherwise stays on its own.
        let column = Bitboard::file(to.file());
        candidates = if mv.isCapture == 0 {
            candidates & column
        } else {
            candidates - column
        };
    }
    let mut able = candidates
        .into_iter()
        .filter(|&from| pieces.play_without_history(from, to, Role::Queen).is_some());
    able.next().filter(|_| able.next().is_none())
}

/// The square that the piece comes from, and all the pieces after the move.
pub(crate) fn play(pieces: &Placement, mv: &Move, promotion: Role) -> Option<(Square, Placement)> {
    let from = origin(pieces, mv)?;
    let after = pieces.play_without_history(from, mv.to_loc.square()?, promotion)?;
    Some((from, after))
}
