//! Moves on boards without a history: only the pieces are known.

use tabiya_board::{Bitboard, Placement, Role, Square};

use crate::layout::Move;

/// Returns the square of the only piece that can make the move.
pub(crate) fn origin(pieces: &Placement, mv: &Move) -> Option<Square> {
    let piece = mv.piece()?;
    let to = mv.to_loc.square()?;
    let mut candidates = pieces.pieces(piece.color, piece.role) & mv.from_loc.squares();
    if piece.role == Role::Pawn && !mv.from_loc.has_column() {
        // A pawn without a column changes columns only if the move says that it captures.
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

/// Plays a move. Returns the square the piece came from and the new placement.
pub(crate) fn play(pieces: &Placement, mv: &Move, promotion: Role) -> Option<(Square, Placement)> {
    let from = origin(pieces, mv)?;
    let after = pieces.play_without_history(from, mv.to_loc.square()?, promotion)?;
    Some((from, after))
}
