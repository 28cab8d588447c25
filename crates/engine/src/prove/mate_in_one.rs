//! Finds a mate in one.

use std::ops::ControlFlow;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, File, Move, PieceMoves, Rank, Role, attacks};

/// Returns a move that mates at once.
pub(crate) fn mate_in_one(position: &Position) -> Option<Move> {
    let checks = PossibleChecks::of(position);
    let searched = position.for_each_piece_moves(|moves| {
        let targets = checks.by(&moves);
        if !moves.to().intersects(targets) {
            return ControlFlow::Continue(());
        }
        for mv in moves {
            if !targets.contains(mv.to()) {
                continue;
            }
            let mut after = *position;
            after.play_unchecked(mv);
            if after.is_checkmate() {
                return ControlFlow::Break(mv);
            }
        }
        ControlFlow::Continue(())
    });
    searched.break_value()
}

/// The squares on which pieces of the side to move may give check: all of them, and perhaps others.
struct PossibleChecks {
    /// By role.
    on: [Bitboard; 6],
    /// Pieces between a slider and the enemy king: any move of theirs may be a discovered check.
    discoverers: Bitboard,
}

impl PossibleChecks {
    fn of(position: &Position) -> Self {
        let us = position.turn();
        let king = position.king(!us);
        let occupied = position.occupied();
        let own = position.by_color(us);
        let diagonal = attacks::bishop(king, occupied);
        let straight = attacks::rook(king, occupied);

        // The sliders that give check once our own pieces nearest to the king are gone.
        let near = (diagonal | straight) & own;
        let through = occupied - near;
        let sliders = attacks::bishop(king, through) & position.diagonal_sliders()
            | attacks::rook(king, through) & position.orthogonal_sliders();
        let mut discoverers = Bitboard::EMPTY;
        for slider in sliders & own {
            discoverers |= attacks::between(king, slider) & near;
        }

        // A promoted piece gives check differently from a pawn, and en passant opens two lines.
        let promotions = Bitboard::rank(us.relative_rank(Rank::Eighth));
        let en_passant = position
            .en_passant()
            .map_or(Bitboard::EMPTY, Bitboard::from);
        // Castling may give check with the rook.
        let castles = if position.castling_rooks().intersects(own) {
            Bitboard::file(File::C) | Bitboard::file(File::G)
        } else {
            Bitboard::EMPTY
        };
        let mut on = [Bitboard::EMPTY; 6];
        on[Role::Pawn.index()] = attacks::pawn(!us, king) | promotions | en_passant;
        on[Role::Knight.index()] = attacks::knight(king);
        on[Role::Bishop.index()] = diagonal;
        on[Role::Rook.index()] = straight;
        on[Role::Queen.index()] = diagonal | straight;
        on[Role::King.index()] = castles;
        Self { on, discoverers }
    }

    /// Returns the squares on which a piece may give check.
    #[inline]
    fn by(&self, moves: &PieceMoves) -> Bitboard {
        if self.discoverers.contains(moves.from()) {
            Bitboard::FULL
        } else {
            self.on[moves.role().index()]
        }
    }
}
