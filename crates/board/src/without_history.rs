//! Moves on boards without a history.

use crate::attacks;
use crate::castling;
use crate::en_passant;
use crate::piece::{Color, Piece, Role};
use crate::placement::Placement;
use crate::position::CastlingSide;
use crate::square::{File, Rank, Square};

impl Placement {
    /// Returns the pieces after a move, or `None` if the move is illegal whatever has been played before. Either side
    /// may move.
    ///
    /// Special moves are legal if some history allows them: castling if the king and the rook are on their starting
    /// squares, capturing en passant if an enemy pawn is beside the pawn. A pawn that reaches the last rank becomes
    /// `promotion`. A side with one king may not leave it in check; a side with none or several ignores checks.
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
            let victim = self.en_passant_victim(color, from, to)?;
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

    /// The pawn that a capture en passant takes, if the pawn beside may just have made its double step.
    fn en_passant_victim(&self, color: Color, from: Square, to: Square) -> Option<Square> {
        let possible = attacks::pawn(color, from).contains(to)
            && en_passant::may_be_en_passant_square(self, !color, to);
        possible.then(|| en_passant::victim(from, to))
    }

    /// The two squares of the rook when the king castles by a move, if neither may have moved before.
    fn castling_rook_move(
        &self,
        color: Color,
        from: Square,
        to: Square,
    ) -> Option<(Square, Square)> {
        let on_back_rank = |file| Square::new(file, color.relative_rank(Rank::First));
        let side = CastlingSide::ALL
            .into_iter()
            .find(|side| on_back_rank(side.king_file()) == to)?;
        let rook = on_back_rank(match side {
            CastlingSide::KingSide => File::H,
            CastlingSide::QueenSide => File::A,
        });
        if from != on_back_rank(File::E) || !self.pieces(color, Role::Rook).contains(rook) {
            return None;
        }
        let occupied = (self.occupied().0 >> on_back_rank(File::A).index()) as u8;
        let attacked = castling::attacked_files(side, from, |square| {
            !self.attackers(square, !color).is_empty()
        });
        // Nothing can pin a rook in the corner.
        let obstacles =
            castling::obstacles(side, from, 1 << rook.file().index(), occupied, attacked, 0);
        obstacles
            .is_empty()
            .then(|| (rook, on_back_rank(side.rook_file())))
    }
}
