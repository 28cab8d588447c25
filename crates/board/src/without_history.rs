//! Moves of pieces whose past nobody knows.

use crate::attacks;
use crate::castling;
use crate::piece::{Color, Piece, Role};
use crate::placement::Placement;
use crate::position::CastlingSide;
use crate::square::{File, Rank, Square};

impl Placement {
    /// The pieces after a move, or nothing if no rule allows it, whosever turn it is and whatever was played before.
    ///
    /// The special moves are allowed where some past allows them: castling with a king and a rook on the squares where
    /// they start, a capture en passant of any pawn beside. A pawn that reaches the end of the board becomes what
    /// `promotion` says. A side with one king may not leave it attacked; with none or several, there is no check.
    ///
    /// ```
    /// use tabiya_board::{Color, Piece, Placement, Role, Square};
    ///
    /// let mut pieces = Placement::EMPTY;
    /// pieces.put(Square::E5, Piece::new(Color::White, Role::Pawn));
    /// pieces.put(Square::D5, Piece::new(Color::Black, Role::Pawn));
    /// let after = pieces.play_without_history(Square::E5, Square::D6, Role::Queen).unwrap();
    /// assert_eq!(after.piece_at(Square::D5), None);
    /// assert_eq!(pieces.play_without_history(Square::E5, Square::F6, Role::Queen), None);
    /// ```
    pub fn play_without_history(&self, from: Square, to: Square, promotion: Role) -> Option<Self> {
        let Piece { color, role } = self.piece_at(from)?;
        let mut after = *self;
        if self.pseudo_legal_targets(from).contains(to) {
            after.relocate(from, to);
            if role == Role::Pawn && to.rank() == color.relative_rank(Rank::Eighth) {
                after.put(to, Piece::new(color, promotion));
            }
        } else if role == Role::Pawn {
            let victim = self.passed_pawn(color, from, to)?;
            after.relocate(from, to);
            after.remove(victim);
        } else if role == Role::King {
            let (rook_from, rook_to) = self.castling_rook_move(color, from, to)?;
            after.relocate(from, to);
            after.relocate(rook_from, rook_to);
        } else {
            return None;
        }
        let has_one_king = self.pieces(color, Role::King).len() == 1;
        if has_one_king && after.checker(color).is_some() {
            return None;
        }
        Some(after)
    }

    /// The pawn that a pawn captures en passant by a move, if the one beside it made its double step just now.
    fn passed_pawn(&self, color: Color, from: Square, to: Square) -> Option<Square> {
        let victim = Square::new(to.file(), from.rank());
        let possible = from.rank() == color.relative_rank(Rank::Fifth)
            && attacks::pawn(color, from).contains(to)
            && !self.occupied().contains(to)
            && self.pieces(!color, Role::Pawn).contains(victim);
        possible.then_some(victim)
    }

    /// How the rook moves when the king castles by a move, if neither has moved before.
    fn castling_rook_move(
        &self,
        color: Color,
        from: Square,
        to: Square,
    ) -> Option<(Square, Square)> {
        let on_back_rank = |file| Square::new(file, color.relative_rank(Rank::First));
        let wing = CastlingSide::ALL
            .into_iter()
            .find(|wing| to == on_back_rank(wing.king_file()))?;
        let rook = on_back_rank(match wing {
            CastlingSide::KingSide => File::H,
            CastlingSide::QueenSide => File::A,
        });
        if from != on_back_rank(File::E) || !self.pieces(color, Role::Rook).contains(rook) {
            return None;
        }
        let way = castling::way(wing, File::E.index(), rook.file().index());
        // The king does not shield the squares on its own way.
        let mut without_king = *self;
        without_king.remove(from);
        let is_free = File::ALL.into_iter().all(|file| {
            let square = on_back_rank(file);
            let is_in = |files: u8| files >> file.index() & 1 != 0;
            let blocked = is_in(way.empty) && self.occupied().contains(square);
            let attacked = is_in(way.safe) && !without_king.attackers(square, !color).is_empty();
            !blocked && !attacked
        });
        is_free.then(|| (rook, on_back_rank(wing.rook_file())))
    }
}
