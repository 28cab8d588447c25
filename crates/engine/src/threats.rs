//! The squares that the opponent attacks, and with which pieces.

use tabiya_board::{Bitboard, Board, Color, Move, Role, attacks};

/// The squares that a side attacks: with pawns, with pawns and minor pieces, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Threats {
    pub(crate) pawns: Bitboard,
    pub(crate) minors: Bitboard,
    pub(crate) rooks: Bitboard,
    pub(crate) all: Bitboard,
}

impl Threats {
    /// Returns the squares that a side attacks.
    pub(crate) fn of(board: &Board, color: Color) -> Self {
        let own = board.by_color(color);
        let occupied = board.occupied();
        let (diagonal, straight) = (
            board.diagonal_sliders() & own,
            board.orthogonal_sliders() & own,
        );
        let pawns = attacks::pawns(color, board.pieces(color, Role::Pawn));
        let mut minors = pawns;
        for square in board.pieces(color, Role::Knight) {
            minors |= attacks::knight(square);
        }
        for square in diagonal - straight {
            minors |= attacks::bishop(square, occupied);
        }
        let mut rooks = minors;
        for square in straight - diagonal {
            rooks |= attacks::rook(square, occupied);
        }
        let mut all = rooks | attacks::king(board.king(color));
        for square in diagonal & straight {
            all |= attacks::queen(square, occupied);
        }
        Self {
            pawns,
            minors,
            rooks,
            all,
        }
    }

    /// Returns whether a move of the other side certainly ends on a square where nothing can capture the piece. A slider
    /// that attacks the square through the one that the piece leaves attacks that one, too.
    #[inline]
    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        !self.all.contains(mv.from()) && !self.all.contains(mv.to()) && !mv.is_en_passant()
    }
}
