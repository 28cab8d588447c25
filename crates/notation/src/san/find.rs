//! Finding the move of a position that a SAN means.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, CastlingSide, Move, MoveMatch, Refusal, Role, Square, attacks};

use super::Dialect;
use super::error::SanError;
use super::parts::{PieceMove, San, SanParts, field};
use super::write::is_capture;

impl San {
    /// Returns the move of a position.
    ///
    /// With [`Dialect::Strict`] this does not check the spelling: [`parse_san`](super::parse_san) does.
    #[inline]
    pub fn to_move(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        if dialect == Dialect::Import
            && let Some(mv) = self.find_fast(position)
        {
            return Ok(mv);
        }
        self.find_or_explain(position, dialect)
    }

    /// The fast path: returns the move as [`Dialect::Import`] reads it, unless it is castling or there is none.
    fn find_fast(self, position: &Position) -> Option<Move> {
        let role = *Role::ALL.get(self.get(field::ROLE, 3) as usize)?;
        let to = self.to();
        let mut from = self.origins();
        if role == Role::Pawn
            && self.get(field::FILE, 4) == field::ABSENT
            && self.get(field::CAPTURE, 1) == 0
        {
            // A pawn capture names its file: `d5` is a step, even where a pawn could capture on d5.
            from &= Bitboard::file(to.file());
        }
        match position.find_move(role, from, to, self.promotion()) {
            MoveMatch::Unique(mv) if self.get(field::EN_PASSANT, 1) == 0 || mv.is_en_passant() => {
                Some(mv)
            }
            _ => None,
        }
    }

    /// Returns the move in any dialect, or the reason why there is none.
    #[cold]
    #[inline(never)]
    fn find_or_explain(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        match self.parts() {
            SanParts::Null => Err(SanError::NullMove),
            SanParts::Castle(wing) => position
                .legal_castling(wing)
                .map_err(|reason| SanError::Illegal { reason }),
            SanParts::Piece(piece) => piece.find(position, dialect),
        }
    }
}

impl PieceMove {
    fn find(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        let mut from = San::from(self).origins();
        let leaves_file_out = self.role == Role::Pawn && self.file.is_none();
        if leaves_file_out && !self.capture {
            from &= Bitboard::file(self.to.file());
        }
        if dialect == Dialect::PseudoLegal {
            return self.find_by_movement(position, from);
        }
        match position.find_move(self.role, from, self.to, self.promotion) {
            MoveMatch::Unique(mv) => {
                if self.en_passant && !mv.is_en_passant() {
                    return Err(SanError::NotEnPassant);
                }
                self.check_capture(position, mv, dialect)?;
                Ok(mv)
            }
            MoveMatch::Ambiguous(from) => Err(SanError::Ambiguous {
                role: self.role,
                to: self.to,
                from,
            }),
            MoveMatch::None => Err(self.explain(position, from)),
        }
    }

    /// Checks that the `x` is right for the dialect.
    fn check_capture(
        self,
        position: &Position,
        mv: Move,
        dialect: Dialect,
    ) -> Result<(), SanError> {
        let fits = match dialect {
            Dialect::Import => true,
            // It may be missing but not wrong.
            Dialect::Lenient => !self.capture || is_capture(position, mv),
            Dialect::Strict | Dialect::PseudoLegal => self.capture == is_capture(position, mv),
        };
        if fits {
            Ok(())
        } else {
            Err(SanError::Capture {
                written: self.capture,
            })
        }
    }

    /// Chooses the piece by how pieces move, and only then checks that the move is legal.
    fn find_by_movement(self, position: &Position, from: Bitboard) -> Result<Move, SanError> {
        let mut candidates = position.pseudo_legal_origins(self.role, self.to) & from;
        if self.role == Role::Pawn {
            // A pawn captures if and only if there is an x.
            let file = Bitboard::file(self.to.file());
            candidates = if self.capture {
                candidates - file
            } else {
                candidates & file
            };
        } else if self.capture != position.color_at(self.to).is_some() {
            candidates = Bitboard::EMPTY;
        }
        let (role, to) = (self.role, self.to);
        match candidates.first() {
            None => Err(SanError::NoSuchPiece { role, to }),
            Some(_) if candidates.more_than_one() => Err(SanError::Ambiguous {
                role,
                to,
                from: candidates,
            }),
            Some(from) => position
                .legal_move(from, to, self.promotion)
                .map_err(|reason| SanError::Illegal { reason }),
        }
    }

    /// Explains why there is no such move.
    #[cold]
    fn explain(self, position: &Position, from: Bitboard) -> SanError {
        let (role, to) = (self.role, self.to);
        let own = position.pieces(position.turn(), role) & from;
        if own.is_empty() {
            return self.explain_absence(position);
        }
        let close = position.pseudo_legal_origins(role, to) & from;
        let legal = position.legal_origins(role, to) & from;
        // Explain the pawn that can move there but lacks its promotion, or else a piece that moves there illegally, or
        // else the piece with the fewest obstacles on its way, or else the only piece of its kind.
        let candidate = legal
            .first()
            .or(close.first())
            .or_else(|| self.nearest(position, own))
            .or(own.first().filter(|_| !own.more_than_one()));
        match candidate.map(|from| position.legal_move(from, to, self.promotion)) {
            Some(Err(reason)) => SanError::Illegal {
                reason: self.or_own_piece(position, reason),
            },
            Some(Ok(mv)) if mv.is_castling() => SanError::CastlingSpelling {
                king_side: mv.castling_side() == Some(CastlingSide::KingSide),
            },
            _ => SanError::NoSuchPiece { role, to },
        }
    }

    /// A man of one's own on the target square, if that says more: SAN castles by its own sign, not by the king's move
    /// to its rook, and no move ends where the piece stands.
    fn or_own_piece(self, position: &Position, reason: Refusal) -> Refusal {
        let (square, castles) = (self.to, self.role == Role::King);
        let is_better = match reason {
            Refusal::SameSquare { .. } => true,
            Refusal::NotHowItMoves { .. } | Refusal::IntoCheck { .. } => false,
            _ => castles,
        };
        match position.role_at(square) {
            Some(role) if is_better && position.color_at(square) == Some(position.turn()) => {
                Refusal::OwnPiece { square, role }
            }
            _ => reason,
        }
    }

    /// Of the pieces that could make the move on an empty board, the one with the fewest pieces in its way.
    fn nearest(self, position: &Position, own: Bitboard) -> Option<Square> {
        let color = position.turn();
        let fits = |&from: &Square| {
            let attacked = attacks::of(self.role, color, from, Bitboard::EMPTY);
            let is_step = self.role == Role::Pawn
                && attacks::pawn_pushes(color, from, Bitboard::EMPTY).contains(self.to);
            attacked.contains(self.to) || is_step
        };
        let obstacles =
            |&from: &Square| (attacks::between(from, self.to) & position.occupied()).len();
        own.into_iter().filter(fits).min_by_key(obstacles)
    }

    /// Explains that there is no such piece where the move says it comes from.
    fn explain_absence(self, position: &Position) -> SanError {
        let (color, role, to) = (position.turn(), self.role, self.to);
        let is_step = role == Role::Pawn && self.file.is_none() && !self.capture;
        if is_step
            && self.rank.is_none()
            && let Some(from) = position.legal_origins(role, to).first()
        {
            return SanError::PawnCaptureSpelling { from, to };
        }
        SanError::NoPieceThere {
            color,
            role,
            file: if is_step { Some(to.file()) } else { self.file },
            rank: self.rank,
        }
    }
}
