//! Finds out which moves give check without making them.

use tabiya_board::{Bitboard, Board, Move, Square, attacks};

/// The squares from which the side to move gives check.
pub(crate) struct Checks {
    king: Square,
    /// By role; none for the king.
    squares: [Bitboard; 6],
    /// Pieces that give a discovered check when they leave the line to the king.
    discoverers: Bitboard,
}

impl Checks {
    pub(crate) fn of(board: &Board) -> Self {
        let us = board.turn();
        let king = board.king(!us);
        let occupied = board.occupied();
        let diagonal = attacks::bishop(king, occupied);
        let straight = attacks::rook(king, occupied);
        let own = board.by_color(us);
        let mut discoverers = Bitboard::EMPTY;
        // Sliders behind our own pieces nearest to the king.
        let near = (diagonal | straight) & own;
        if !near.is_empty() {
            let without = occupied - near;
            let snipers = (attacks::bishop(king, without) & board.diagonal_sliders()
                | attacks::rook(king, without) & board.orthogonal_sliders())
                & own;
            for sniper in snipers - (diagonal | straight) {
                discoverers |= attacks::between(king, sniper) & near;
            }
        }
        Self {
            king,
            squares: [
                attacks::pawn(!us, king),
                attacks::knight(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            discoverers,
        }
    }

    /// Returns whether a legal move gives check.
    #[inline]
    pub(crate) fn is_check(&self, board: &Board, mv: Move) -> bool {
        if mv.is_castling() || mv.is_en_passant() || mv.promotion().is_some() {
            return is_check_after(board, mv);
        }
        let direct = self.squares[mv.role().index()].contains(mv.to());
        direct
            || self.discoverers.contains(mv.from())
                && !attacks::line(self.king, mv.from()).contains(mv.to())
    }
}

/// Returns whether a special move gives check. These are rare, and have many ways to do so.
#[cold]
fn is_check_after(board: &Board, mv: Move) -> bool {
    board.after_unchecked(mv).is_check()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicted_checks_match_the_board_after_the_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "3k4/8/8/3N4/3P4/8/8/3RK2R w K - 0 1",
            "4k3/8/2b5/3N4/4N3/4R3/8/4K3 w - - 0 1",
            "8/6k1/8/3pP3/8/1B6/8/Q3K3 w - d6 0 1",
            "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            walk(&board, 2);
        }
    }

    fn walk(board: &Board, depth: u32) {
        let checks = Checks::of(board);
        board.for_each_child(|mv, next| {
            assert_eq!(
                checks.is_check(board, mv),
                next.is_check(),
                "{mv} on {board}"
            );
            if depth > 0 {
                walk(next, depth - 1);
            }
        });
    }
}
